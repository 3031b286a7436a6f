"""The benchmarks run on a little text and keep what they say; no time is asserted."""

import json
import math
import re
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


def text(*systems: list[str]) -> engines.Text:
    """Two lines, or one, by some systems."""
    return engines.Text("two", "two", [*systems], [["a b c d e"] for _ in systems[0]])


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


def test_the_figure_of_growth_is_drawn_from_its_record() -> None:
    drawn = (run.HERE / "growth.svg").read_text(encoding="utf-8")
    assert drawn == f"{files.drawn(recorded('growth')['tables']).markup}\n"
