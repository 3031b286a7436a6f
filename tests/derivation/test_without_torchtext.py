"""Where torchtext does not load, the tutorial counts its checks as skipped and marks its numbers.

Each kind of absence is one run of pytest over copies of the chapters.
"""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import book
import pytest
from data import oracle
from fastcore.nbio import NbCell, read_nb
from notebooks import imported, is_check
from pytest_runs import BROKEN, ROOT, reported

CHAPTERS = ["00_by_hand", "01_ngrams", "02_precision", "03_brevity", "04_bleu", "05_smoothing",
            "06_tokenization", "07_reporting", "08_blind_spots", "13_formula"]
ABSENCES = {"missing": "import sys\nsys.modules['torchtext'] = None\n",
            "broken": BROKEN.format(package="torchtext")}
REASONS = {"missing": "torchtext", "broken": "torchtext does not load"}
MARKS = re.compile("torchtext [0-9.]+, recorded|not installed")
# The outputs of a run, which pytest's report does not contain
KEEP_OUTPUTS = """

def pytest_runtest_teardown(item):
    import json
    from notebooks import readable
    outputs = {name: readable(each.outputs) for name, each in item.parent.outcomes.items()}
    (item.path.parent.parent / f"{item.path.stem}.json").write_text(json.dumps(outputs))
"""


class Run(NamedTuple):
    """One run of all chapters: each item's status and message, and each cell's output."""

    absence: str
    items: dict[str, tuple[str, str]]
    outputs: dict[str, dict[str, list[str]]]


def code(chapter: str) -> list[NbCell]:
    """The code cells of a chapter."""
    return [cell for cell in read_nb(book.notebook(chapter)).cells if cell.cell_type == "code"]


def calls_torchtext(cell: NbCell) -> bool:
    """Whether a cell imports torchtext."""
    return any("torchtext" in imported(node) for node in ast.walk(ast.parse(
        book.without_directives(cell.source))))


def copied(folder: Path, before: str, *chapters: str) -> Path:
    """A project of copies of chapters, where some code runs before any test is collected."""
    (folder / "nbs").mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text(
        before + (ROOT / "conftest.py").read_text("utf-8") + KEEP_OUTPUTS, "utf-8")
    for name in chapters:
        source = book.notebook(name).read_text("utf-8")
        (folder / "nbs" / f"{name}.ipynb").write_text(source, "utf-8")
    return folder


@pytest.fixture(scope="module", params=ABSENCES)
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """One run without torchtext."""
    folder = copied(tmp_path_factory.mktemp(request.param), ABSENCES[request.param], *CHAPTERS)
    items = reported(folder)
    yield Run(request.param, items, {
        name: json.loads((folder / f"{name}.json").read_text("utf-8")) for name in CHAPTERS})


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_only_the_checks_that_call_torchtext_are_skipped(run: Run, chapter: str) -> None:
    expected = {cell.id: "skipped" if calls_torchtext(cell) else "passed"
                for cell in code(chapter) if is_check(cell)} | {"outputs": "passed"}
    found = {name.rpartition("-")[2].rpartition("::")[2]: each
             for name, each in run.items.items() if name.startswith(f"{chapter}::")}
    assert {name: status for name, (status, _) in found.items()} == expected
    reasons = [message for status, message in found.values() if status == "skipped"]
    assert reasons
    for reason in reasons:
        assert reason.startswith("oracle not installed here: ")
        assert REASONS[run.absence] in reason


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_what_torchtext_did_not_compute_is_marked(run: Run, chapter: str) -> None:
    """Every output of a cell that calls torchtext, or of one that names it."""
    calling = {cell.id for cell in code(chapter) if calls_torchtext(cell)}
    outputs = {name: "\n".join(lines) for name, lines in run.outputs[chapter].items()}
    showing = {name for name, text in outputs.items() if "torchtext" in text}
    assert calling
    assert not [name for name in calling | showing if not MARKS.search(outputs[name])]


@pytest.mark.parametrize(("chapter", "number"), [
    ("00_by_hand", "66.905"), ("02_precision", "94.444"), ("03_brevity", "0.49124"),
    ("04_bleu", "66.905"), ("06_tokenization", "45.4453")])
def test_a_changed_recorded_number_fails_where_torchtext_is_called(
    tmp_path: Path, chapter: str, number: str
) -> None:
    oracle("torchtext.data.metrics")
    [table] = [cell for cell in code(chapter) if "recorded = {" in cell.source]
    assert table.source.count(number) == 1
    copy = copied(tmp_path, "", chapter) / "nbs" / f"{chapter}.ipynb"
    changed = json.loads(copy.read_text("utf-8"))
    for cell in changed["cells"]:
        if cell["id"] == table.id:
            cell["source"] = table.source.replace(number, "11.111")
    copy.write_text(json.dumps(changed), "utf-8")
    failed = {name for name, (status, _) in reported(tmp_path).items() if status == "failure"}
    assert [name for name in failed if name.endswith(f"-{table.id}")]
