"""The benchmarks run on a little text and write what they say; no time is asserted."""

import hashlib
import json
import math
import sys
from contextlib import nullcontext, redirect_stdout
from dataclasses import replace
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import adapters
import agreement
import calibration
import contenders
import corpora
import defaults
import dropins
import files
import growth
import interval_coverage
import kinds
import loops
import pairwise as all_pairs
import pytest
import run as benchmark
import significance
import tables
import timing
from agreement import read_lines
from data import needs

from bleu_nb import Bleu
from bleu_nb.scoring.registry import choose_engine
from bleu_nb.significance.intervals import influences_of

GENERATED = "c1046798032dd1be9fc2f5a71c82fdc4ab00f57a7488eb35b6f616dbbf3677c8"
OURS = {"definition", "bits", "numpy-1", "numpy-all", "numba-1", "numba-all"}
SPREAD = {"low", "median", "high"}
MANIFEST = agreement.DATA / "MANIFEST.json"
QUICK = {  # A script that times -> how it is asked for little
    "run": (benchmark, ["--data", "generated", "--segments", "30", "60"]),
    "files": (files, ["--data", "generated"]), "kinds": (kinds, ["--data", "generated"]),
    "growth": (growth, ["--data", "generated"]),
    "significance": (significance, []), "adapters": (adapters, []), "pairwise": (all_pairs, []),
    "dropins": (dropins, []), "loops": (loops, []),
}  # fmt: skip
PRINTS = {"files": tables.files_grids, "kinds": tables.kinds_grids, "growth": tables.growth_grids}


def measured(folder: Path, name: str, *arguments: str) -> tuple[Any, str]:
    """The report of a quick run with these arguments, and what it prints."""
    script, little = QUICK[name]
    target = folder if name == "run" else folder / "report.json"
    with redirect_stdout(StringIO()) as printed:
        assert script.main(["--quick", *little, *arguments, "--out", str(target)]) == 0
    [made] = folder.glob("*.json")
    return json.loads(made.read_text(encoding="utf-8")), printed.getvalue()


def spreads(report: Any) -> list[dict[str, float]]:
    """Every measured number of a report, which is a median with two ends."""
    if isinstance(report, dict) and {*report} == SPREAD:
        return [report]
    parts = report.values() if isinstance(report, dict) else report
    return [each for part in parts if isinstance(part, dict | list) for each in spreads(part)]


@pytest.mark.parametrize("name", QUICK)
def test_a_quick_run_makes_what_is_recorded(name: str, tmp_path: Path) -> None:
    """The same facts, times that are spreads, equal results, and no path of this machine."""
    for module in ("torchmetrics", "ignite") if name == "adapters" else ("sacrebleu",):
        pytest.importorskip(module)
    report, printed = measured(tmp_path, name)
    recorded = json.loads(script_record(name).read_text(encoding="utf-8"))
    assert {*recorded} == {*report}
    assert {*report["machine"]} == {"cpu", "cores", "memory_gibibytes", "system"}
    assert str(Path.home()) not in json.dumps([report, recorded])
    for each in (report, recorded):
        assert spreads(each)
        assert all(0 < one["low"] <= one["median"] <= one["high"] for one in spreads(each))
    if name in PRINTS:
        assert printed == tables.in_text(report, PRINTS[name](report))
        assert tables.in_text(recorded, PRINTS[name](recorded))
        assert name == "growth" or recorded["method"]["rounds"] >= 5
    if name == "run":
        timed = {row["contender"] for row in report["rows"]}
        assert timed | {each["contender"] for each in report["absent"]} == {*contenders.CONTENDERS}
        check_same_scores(report)


def script_record(name: str) -> Path:
    """Where the results of a script are kept."""
    script, _ = QUICK[name]
    return Path(script.__file__).with_name("results.json" if name == "run" else f"{name}.json")


def check_same_scores(report: Any) -> None:
    """Whoever computes the same BLEU has the same score on the same corpus."""
    scores: dict[Any, dict[str, float]] = {}
    for row in report["rows"]:
        corpus = scores.setdefault((row["segments"], row["references"]), {})
        corpus[row["contender"]] = row["score"]
    for corpus in scores.values():
        assert len({score for name, score in corpus.items() if name in OURS}) == 1
        assert corpus.get("sacrebleu", corpus["bits"]) == pytest.approx(corpus["bits"], 1e-12)


def test_a_missing_tool_is_listed_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "bleuscore", None)
    few = ("--segments", "20", "--references", "1", "--contenders", "split,bits,bleuscore")
    report, printed = measured(tmp_path, "run", *few)
    [absent] = report["absent"]
    assert absent["contender"] == "bleuscore" and absent["reason"] in printed
    assert {row["contender"] for row in report["rows"]} == {"split", "bits"}
    assert all(row["ratio_to_bleuscore"] is None for row in report["rows"])


def test_a_wrong_score_stops_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = contenders.CONTENDERS["bits"]

    def wrong(corpus: corpora.Corpus) -> contenders.Call:
        call = right.prepare(corpus)
        return lambda: (call() or 0) + 1e-9

    monkeypatch.setitem(contenders.CONTENDERS, "bits", replace(right, prepare=wrong))
    few = ("--segments", "20", "--references", "1", "--contenders", "bits,definition")
    with pytest.raises(SystemExit, match=r"scores differ on the first 20 .*'definition'"):
        measured(tmp_path, "run", *few)


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


def test_rounds_are_interleaved() -> None:
    order: list[str] = []
    calls = {name: lambda name=name: order.append(name) for name in "abc"}
    times = timing.interleaved(calls, 2)
    assert order == list("abcabc")
    assert [len(times[name].wall) for name in "abc"] == [2, 2, 2]


def worth_of_defaults(kept: Any) -> list[Any]:
    """What the first tools of a record measure now."""
    system, people = (read_lines(defaults.DATA / defaults.SET / f"{name}.txt") for name in (
        f"sys.{defaults.SYSTEM}", f"ref.{defaults.REFERENCE}"))
    return [defaults.measure(each["tool"], system, [[line] for line in people])
            for each in kept["tools"][:5]]


@needs(MANIFEST)
@pytest.mark.parametrize(("script", "part", "measure"), [
    *((agreement, lambda kept, name=name: next(
        each for each in kept["sets"] if each["set"] == name),
       lambda kept, name=name: agreement.measure(name)) for name in agreement.SETS),
    (agreement, lambda kept: kept["one machine"], lambda kept: agreement.by_reference()),
    (interval_coverage, lambda kept: kept["pair"], lambda kept: interval_coverage.measure_pair()),
    (defaults, lambda kept: kept["tools"][:5], worth_of_defaults),
])
def test_what_is_measured_is_what_is_recorded(script: Any, part: Any, measure: Any) -> None:
    kept = json.loads(script.RECORD.read_text(encoding="utf-8"))
    assert json.loads(json.dumps(measure(kept))) == part(kept)


@needs(MANIFEST)
@pytest.mark.parametrize("level", interval_coverage.POPULATIONS)
def test_coverage_is_about_what_is_recorded(level: str) -> None:
    """Fewer runs, other test sets: within five standard errors of both simulations."""
    recorded = json.loads(interval_coverage.RECORD.read_text(encoding="utf-8"))
    [kept] = [
        each for each in recorded["coverage"] if (each["level"], each["segments"]) == (level, 20)
    ]
    found = interval_coverage.measure(level, 20, 400, 200)
    assert {**found, "methods": 0} == {**kept, "methods": 0}
    for name, shares in found["methods"].items():
        error = math.hypot(shares["error"], kept["methods"][name]["error"])
        assert abs(shares["covered"] - kept["methods"][name]["covered"]) < 5 * error
    whole = [(each["level"], each["segments"]) for each in recorded["coverage"]]
    assert whole == [*product(interval_coverage.POPULATIONS, interval_coverage.SEGMENTS)]


@needs(MANIFEST)
@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
def test_levels_are_simulated_from_populations_without_a_difference(tmp_path: Path) -> None:
    target = tmp_path / "calibration.json"
    assert calibration.main(["--quick", "--runs", "3", "--out", str(target)]) == 0
    found, recorded = (
        json.loads(path.read_text(encoding="utf-8")) for path in (target, calibration.RECORD)
    )
    assert found["bleu"]["equal"] == pytest.approx([found["bleu"]["equal"][0]] * 2, abs=1e-9)
    assert found["tilt"] == pytest.approx(recorded["tilt"])
    for null, scores in recorded["bleu"].items():
        assert found["bleu"][null] == pytest.approx(scores)
    assert [(each["null"], each["runs"]) for each in found["settings"]] == [
        ("swapped", 3), ("equal", 3)]


@needs(MANIFEST)
@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
def test_slopes_of_the_simulation_are_those_of_the_package() -> None:
    name = calibration.PAIRS["equal"][0]
    references = [[line] for line in read_lines(calibration.DATA / calibration.SET / "ref.A.txt")]
    lines = read_lines(calibration.DATA / calibration.SET / f"sys.{name}.txt")
    counts = Bleu().count(lines[:300], references[:300])
    [units, _] = calibration.pair_of(*calibration.PAIRS["equal"])
    columns = units.columns[:300]
    found = calibration.influences(columns, columns.sum(axis=0))
    assert found == pytest.approx(influences_of(counts), abs=1e-7)


def grown(name: str, seconds: Any, sizes: Any = growth.SIZES) -> list[dict[str, Any]]:
    """Rows as a record has them, of a command that takes so long and holds a gibibyte."""
    return [growth.row_of(name, size, timing.Times([seconds(size)], results=[
        {"peak_mebibytes": 1024.0, "load": [1.0, 1.0]}])) for size in sizes]


def test_the_figure_of_growth_is_drawn_from_its_record() -> None:
    record = json.loads(growth.RECORD.read_text(encoding="utf-8"))
    kept = growth.RECORD.with_suffix(".svg").read_text(encoding="utf-8")
    assert kept == f"{growth.drawn(record).markup}\n"
    assert all(f">{growth.LOOKS[row['what']][0]}</text>" in kept for row in record["growth"])
    assert ("repays its start" in kept) == bool(record["break_even"])
    assert record["growth"] == growth.growth(record["rows"])
    assert record["break_even"] == growth.break_even(record["rows"], record["letters"])


@pytest.mark.parametrize(("seconds", "power"), [
    (lambda size: 0.5 + 2e-6 * size, 1), (lambda size: 0.01 + 1e-9 * size**1.5, 1.5),
    (lambda size: 0.3 + 1e-9 * size, 0),
])
def test_exponents_are_of_what_is_beyond_the_start(seconds: Any, power: float) -> None:
    [found] = growth.growth(grown("score", seconds))
    assert found["seconds"] == pytest.approx(power, abs=1e-3) and found["memory"] == 0
    assert found["met"] == (power <= 1)


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0], [1.0, 0.9, 2.0]])
def test_an_exponent_that_cannot_be_told_is_not_met(values: list[float]) -> None:
    points = dict(zip(growth.SIZES, values, strict=False))
    [found] = growth.growth(grown("score", points.__getitem__, points))
    assert found["seconds"] is None and not found["met"]


def test_where_numba_repays_its_start_is_between_two_sizes() -> None:
    rows = [*grown("score, numpy", lambda size: 0.2 + 5e-6 * size),
            *grown("score, numba", lambda size: 0.5 + 2e-6 * size)]
    found = growth.break_even(rows, 300)
    assert found and 90_000 < found["segments"] < 110_000 and found["within_a_factor_of_2"]
    choices = [choose_engine(size, size, True, 300, lambda module: True, ())
               for size in (found["chosen_from"] - 1, found["chosen_from"])]
    assert choices == ["numpy", "numba"]
    assert growth.break_even(rows[:len(growth.SIZES)], 300) is None


def test_no_run_is_started_that_would_take_too_long() -> None:
    known = {"score": 1e-5, "identify": 6.1e-4}
    assert not growth.stopped(known, 10_000, "")
    assert growth.stopped(known, 100_000, "") == {
        "identify": "would take about 61 s, and may take 60"}
    assert growth.stopped(known, 10, "no room") == dict.fromkeys(known, "no room")


def test_large_files_are_made_of_pieces_where_there_is_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(growth, "PIECE", 20)
    base = corpora.generated(corpora.SEED, 15)
    texts = growth.Texts(tmp_path, base)
    pieces, large = (texts.write(size, texts.sides) for size in (20, 200))
    assert [path.read_bytes() for path in large] == [path.read_bytes() * 10 for path in pieces]
    assert pieces[0].read_text("utf-8").splitlines()[14:16] == [base[14][0], base[0][0]]
    assert texts.letters == pytest.approx(sum(
        path.stat().st_size for path in texts.write(15, ["candidates", "references"])) / 15)
    assert not texts.missing_room(200)
    assert "GiB of disk are needed" in texts.missing_room(10**15)


def test_commands_that_print_other_scores_are_not_stored() -> None:
    same, other = timing.Times(results=[{"printed": "1"}]), timing.Times(results=[{"printed": "2"}])
    files.check({"score, numpy": same, "score, numba": same, "identify": other, "wc -w": other})
    with pytest.raises(SystemExit, match="print different scores"):
        files.check({"score, numpy": same, "score, numba": other})


def test_a_command_that_fails_is_told(tmp_path: Path) -> None:
    missing, report = [tmp_path / "missing.txt"] * 2, dict[str, Any](absent=[])
    with pytest.raises(RuntimeError, match=r"missing\.txt"):
        files.score(missing)()
    assert not files.has_numba(missing, report)
    assert "missing.txt" in report["absent"].pop()["reason"] and not report["absent"]


@pytest.mark.parametrize(("name", "second", "fine"), [
    ("numpy-1", None, True), ("numpy-1", 0.0, False),
    ("bleuscore", 0.0, True),  # Does not smooth
    ("bleuscore", 50.0, False),
])
def test_a_wrong_score_on_a_kind_of_text_stops_the_run(
    name: str, second: float | None, fine: bool
) -> None:
    kind = kinds.Kind("two", "", [["a b c d e"], ["a b c d f"]], ["a b c d e"])
    right = kinds.RIVALS["bits"]
    other = kinds.Rival(lambda kind: lambda: (right.prepare(kind)()[0], second), "",
                        peer=name == "bleuscore")
    rivals = {"bits": right, name: kinds.RIVALS[name] if second is None else other}
    stops = pytest.raises(SystemExit, match="first 1 lines of two, system 1")
    with nullcontext() if fine else stops:
        kinds.check(kind, rivals, dict.fromkeys(rivals, 1))


def test_kinds_of_text_are_what_they_say() -> None:
    base = corpora.generated(corpora.SEED, 300)
    found = {kind.name: kind for kind in kinds.kinds("generated", base, 160)}
    assert found["distinct"].systems[0] == [one for one, _ in base[:160]]
    assert max(len(line.split(" ")) for line in found["short"].references) == kinds.SHORT
    assert found["long"].references[1] == " ".join(group[0] for _, group in base[8:16])
    assert len(found["systems"].systems) == kinds.SYSTEMS
    assert len(found["systems"]) == 160
    assert not any(" " in line for line in found["chinese-zh"].references)
    fresh = kinds.distinct(base, 100)
    lines = [line for side in fresh.sides for line in side]
    assert len(lines) == len({*lines}) == 200


