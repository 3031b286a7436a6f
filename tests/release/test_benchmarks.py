"""The benchmarks run on a little text and keep what they say; no time is asserted."""

import hashlib
import json
import math
import re
import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import chapters
import corpora
import engines
import files
import measuring
import pytest
import run
import significance
from data import needs

from bleu_nb import Bleu
from bleu_nb.scoring.registry import choose_engine
from bleu_nb.significance.intervals import influences_of

GENERATED = "c1046798032dd1be9fc2f5a71c82fdc4ab00f57a7488eb35b6f616dbbf3677c8"
REAL = ("calibration", "coverage", "discrepancies")  # Parts that need the evaluation sets
TOOLS = {"adapters": ("torchmetrics", "ignite")}  # Of a part; of the others sacreBLEU
SPREAD = {"low", "median", "high"}
MARK = pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")


def recorded(name: str) -> Any:
    """The record of a part."""
    return run.kept(run.HERE / f"{name}.json")


def heads(tables: measuring.Tables) -> dict[str, set[str]]:
    """The columns of every table that has rows, by its title without numbers."""
    found: dict[str, set[str]] = {}
    for title, rows in tables.items():
        found.setdefault(re.sub(r"[\d,]+", "#", title), set()).update(*rows)
    return {title: columns for title, columns in found.items() if columns}


@MARK
@pytest.mark.parametrize("name", run.PARTS)
def test_a_quick_run_makes_what_is_recorded(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same tables, times that are spreads, and no path of this machine."""
    for module in TOOLS.get(name, ("sacrebleu",)):
        pytest.importorskip(module)
    if name in REAL and not corpora.MANIFEST.exists():
        pytest.skip("the evaluation sets are not there; BLEU_NB_DATA names their folder")
    assert run.main([name, "--quick", "--out", str(tmp_path)]) == 0
    report, kept = run.kept(tmp_path / f"{name}.json"), recorded(name)
    assert measuring.in_text(report) in capsys.readouterr().out
    assert str(Path.home()) not in json.dumps([report, kept])
    assert {*kept} <= {*report} and report["method"] == kept["method"]
    made = heads(report["tables"])
    assert all(columns <= made.get(title, columns) for title, columns in heads(
        kept["tables"]).items())
    for each in (report, kept):
        assert {*each.get("machine", ())} <= {"cpu", "cores", "memory_gibibytes", "system"}
        assert all({*cell} == SPREAD and 0 <= cell["low"] <= cell["median"] <= cell["high"]
                   for rows in each["tables"].values() for row in rows for cell in row.values()
                   if isinstance(cell, dict))


def test_what_is_kept_is_shown_with_its_goals_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["--show"]) == 0
    goals, _, rest = capsys.readouterr().out.partition("\n\n")[2].partition("\n\n")
    aims = run.goals({name: recorded(name) for name in run.PARTS})
    assert len(aims) == len(goals.splitlines()) - 1 > 30
    assert all(measuring.in_text(recorded(name)) in rest for name in run.PARTS)


def text(*systems: list[str]) -> engines.Text:
    """Two lines, or one, by some systems."""
    return engines.Text("two", "two", [*systems], [["a b c d e"] for _ in systems[0]])


def test_a_missing_tool_is_listed_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bleuscore", None)
    absent: list[measuring.Row] = []
    names = engines.who_is_there(
        ["split", "bits", "bleuscore"], corpora.generated(corpora.SEED, 20), absent)
    assert (names, [each["what"] for each in absent]) == (
        ["split", "bits"], ["bleuscore (Rust), every core"])
    rows, wall, peer = engines.timed(text(["a b c d f"]), names, 1, engines.BESIDE)
    assert {*wall} == {*names} and peer is None and rows[0]["than bleuscore"] is None


@pytest.mark.parametrize(("name", "second", "fine"), [
    ("numpy-1", None, True), ("numpy-1", 0.0, False),
    ("bleuscore", 0.0, True),  # Does not smooth
    ("bleuscore", 50.0, False), ("definition", 1e-9, False),
])
def test_a_wrong_score_stops_the_run(
    monkeypatch: pytest.MonkeyPatch, name: str, second: float | None, fine: bool
) -> None:
    right = engines.CONTENDERS["bits"].prepare
    if second is not None:
        other = replace(engines.CONTENDERS[name], prepare=lambda text: lambda: [
            right(text)()[0], second])
        monkeypatch.setitem(engines.CONTENDERS, name, other)
    stops = pytest.raises(SystemExit, match="first 1 lines of two, system 1")
    with nullcontext() if fine else stops:
        engines.check(text(["a b c d e"], ["a b c d f"]), {"bits": 1, name: 1})


def test_the_generated_text_is_the_same_everywhere() -> None:
    lines = [line for side in corpora.corpus("generated", 100, 4).sides for line in side]
    assert hashlib.sha256("\n".join(lines).encode()).hexdigest() == GENERATED


@pytest.mark.parametrize("data", corpora.DATA)
def test_less_text_is_a_part_of_more(data: str) -> None:
    if data == "wmt" and not corpora.MANIFEST.exists():
        pytest.skip("the evaluation sets are not there; BLEU_NB_DATA names their folder")
    more, fewer = corpora.corpus(data, 50, 4), corpora.corpus(data, 20, 2)
    assert fewer.candidates == more.candidates[:20]
    assert fewer.references == [group[:2] for group in more.references[:20]]
    assert all(line.strip() and "\n" not in line for side in more.sides for line in side)


def test_kinds_of_text_are_what_they_say() -> None:
    base = corpora.generated(corpora.SEED, 300)
    found = {each.name: each for each in engines.texts("generated", base, 160)}
    assert found["distinct"].systems[0] == [one for one, _ in base[:160]]
    short = [line for side in found["short"].sides for line in side]
    assert max(len(line.split(" ")) for line in short) == engines.SHORT
    assert found["long"].references[1] == [" ".join(group[0] for _, group in base[8:16])]
    assert len(found["systems"].systems) == engines.SYSTEMS and len(found["systems"]) == 160
    assert not any(" " in line for [line] in found["chinese-zh"].references)
    slow = engines.CONTENDERS["sacrebleu"]
    assert slow.timed_on(found["long"]) == len(found["long"])
    assert replace(slow, most=160).timed_on(found["systems"]) == 10


def test_rounds_are_interleaved() -> None:
    order: list[str] = []
    calls = {name: lambda name=name: order.append(name) for name in "abc"}
    times = measuring.interleaved(calls, 2)
    assert order == list("abcabc")
    assert [len(times[name].wall) for name in "abc"] == [2, 2, 2]


@needs(corpora.MANIFEST)
@pytest.mark.parametrize(("kept", "measure"), [
    *((("agreement", "sets", place), lambda name=name: chapters.measure(name))
      for place, name in enumerate(chapters.SETS)),
    (("agreement", "one machine"), chapters.by_reference),
    *((("defaults", "tools", place), lambda name=name: chapters.worth(name))
      for place, name in enumerate(chapters.TOOLS[:5])),
    (("coverage", "tables", "Two systems"), significance.pair_rows),
])
def test_what_is_measured_is_what_is_recorded(
    kept: tuple[Any, ...], measure: Callable[[], Any]
) -> None:
    name, *places = kept
    folder = run.HERE if name == "coverage" else chapters.MEASURED
    found = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    for place in places:
        found = found[place]
    assert json.loads(json.dumps(measure())) == found


@needs(corpora.MANIFEST)
@pytest.mark.parametrize("level", significance.POPULATIONS)
def test_coverage_is_about_what_is_recorded(level: str) -> None:
    """Fewer runs, other test sets: within five standard errors of both simulations."""
    rows = recorded("coverage")["tables"]["Coverage"]
    kept = [row for row in rows if (row["level"], row["segments"]) == (level, 20)]
    for found, row in zip(significance.covered(level, 20, 400), kept, strict=True):
        same = ("level", "set", "system", "bleu", "population", "matches", "method")
        assert [found[name] for name in same] == [row[name] for name in same]
        error = math.hypot(found["error"], row["error"])
        assert abs(found["covered"] - row["covered"]) < 5 * error
    whole = dict.fromkeys((row["level"], row["segments"]) for row in rows)
    assert [*whole] == [*product(significance.POPULATIONS, significance.SEGMENTS)]


@needs(corpora.MANIFEST)
@MARK
def test_levels_are_simulated_from_populations_without_a_difference() -> None:
    """The populations of the record, and slopes that are those of the package."""
    swapped, equal = recorded("calibration")["tables"]["Populations"]
    pairs = {null: significance.pair_of(*names) for null, names in significance.PAIRS.items()}
    tilt, weights = significance.tilted(*pairs["equal"])
    scores = [significance.population_bleu(each, weights) for each in pairs["equal"]]
    assert tilt == pytest.approx(equal["tilt"])
    assert scores == pytest.approx([equal["BLEU 1"]] * 2) == [equal["BLEU 1"], equal["BLEU 2"]]
    assert swapped["BLEU 1"] == pytest.approx(significance.population_bleu(
        pairs["swapped"][0], weights * 0 + 1 / len(weights)))
    folder = corpora.WMT / significance.SET
    lines = corpora.lines(folder / f"sys.{significance.PAIRS['equal'][0]}.txt")
    counts = Bleu().count(
        lines[:300], [[line] for line in corpora.lines(folder / "ref.A.txt")[:300]])
    columns = pairs["equal"][0].columns[:300]
    found = significance.influences(columns, columns.sum(axis=0))
    assert found == pytest.approx(influences_of(counts), abs=1e-7)


def grown(name: str, seconds: Any, sizes: Any = files.SIZES) -> list[measuring.Row]:
    """Rows as a record has them, of a command that takes so long and holds a gibibyte."""
    result = {"peak": 1024.0, "printed": ""}
    return [row for size in sizes for row in files.rows_of({name: measuring.Times(
        [seconds(size)], [0.0], [1.0], [result])}, size)]


def test_the_figure_of_growth_is_drawn_from_its_record() -> None:
    kept = recorded("growth")["tables"]
    drawn = (run.HERE / "growth.svg").read_text(encoding="utf-8")
    assert drawn == f"{files.drawn(kept).markup}\n"
    assert all(f">{files.LOOKS[row['what']][0]}</text>" in drawn for row in kept[files.GROWTH])
    [found] = kept[files.REPAID]
    assert kept[files.GROWTH] == files.powers(kept[files.COMMANDS])
    assert [found] == files.break_even(kept[files.COMMANDS], found["letters a segment"])
    assert "repays its start" in drawn


@pytest.mark.parametrize(("seconds", "power", "met"), [
    ([0.5 + 2e-6 * size for size in files.SIZES], 1, "met"),
    ([0.01 + 1e-9 * size**1.5 for size in files.SIZES], 1.5, "MISSED"),
    ([0.3 + 1e-9 * size for size in files.SIZES], 0, "met"),
    ([1.0], None, "not told"), ([1.0, 2.0], None, "not told"), ([1.0, 0.9, 2.0], None, "not told"),
])
def test_exponents_are_of_what_is_beyond_the_start(
    seconds: list[float], power: float | None, met: str
) -> None:
    points = dict(zip(files.SIZES, seconds, strict=False))
    time, memory = files.powers(grown("score", points.__getitem__, points))
    assert (time["now"], time["met"]) == (pytest.approx(power, abs=1e-3), met)
    assert memory["now"] == 0 or power is None


def test_where_numba_repays_its_start_is_between_two_sizes() -> None:
    rows = [*grown("score, numpy", lambda size: 0.2 + 5e-6 * size),
            *grown("score, numba", lambda size: 0.5 + 2e-6 * size)]
    [found] = files.break_even(rows, 300)
    assert 90_000 < found["measured from"] < 110_000 and found["within a factor of 2"]
    choices = [choose_engine(size, size, True, 300, lambda module: True, ())
               for size in (found["chosen from"] - 1, found["chosen from"])]
    assert choices == ["numpy", "numba"]
    assert not files.break_even(rows[:len(files.SIZES)], 300)


@pytest.mark.parametrize(("size", "missing", "stopped"), [
    (10_000, "", {}), (100_000, "", {"identify": "would take about 61 s, and may take 60"}),
    (10, "no room", {"score": "no room", "identify": "no room"}),
])
def test_no_run_is_started_that_would_take_too_long(
    size: int, missing: str, stopped: dict[str, str]
) -> None:
    assert files.stopped({"score": 1e-5, "identify": 6.1e-4}, size, missing) == stopped


def test_large_files_are_made_of_pieces_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "PIECE", 20)
    base = corpora.generated(corpora.SEED, 15)
    texts = files.Texts(tmp_path, base)
    pieces, large = (texts.write(size, texts.sides) for size in (20, 200))
    assert [path.read_bytes() for path in large] == [path.read_bytes() * 10 for path in pieces]
    assert pieces[0].read_text("utf-8").splitlines()[14:16] == [base[14][0], base[0][0]]
    assert texts.letters == pytest.approx(
        sum(path.stat().st_size for path in texts.write(15)) / 15)
    assert not texts.missing_room(200)
    assert "GiB of disk are needed" in texts.missing_room(10**15)


def test_commands_that_print_other_scores_are_not_stored() -> None:
    same, other = (measuring.Times([1.0], [1.0], [1.0], [{"printed": each, "peak": None}])
                   for each in "12")
    files.rows_of({"score, numpy": same, "score, numba": same, "identify": other, "wc": other}, 1)
    with pytest.raises(SystemExit, match="print different scores"):
        files.rows_of({"score, numpy": same, "score, numba": other}, 1)


def test_a_command_that_fails_is_told(tmp_path: Path) -> None:
    missing, absent = [tmp_path / "missing.txt"] * 2, list[measuring.Row]()
    with pytest.raises(RuntimeError, match=r"missing\.txt"):
        measuring.bleu_nb("score", *missing)()
    assert not files.has_numba(missing, absent)
    assert "missing.txt" in absent[0]["why not"]
