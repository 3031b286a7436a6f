"""The benchmarks run on a little text and keep what they say; no time is asserted."""

import json
import math
import re
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import chapters
import corpora
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
