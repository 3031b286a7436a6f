"""How the book reads: what can be counted of it."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from book import directives, without_directives
from fastcore.nbio import read_nb

BOOK = sorted((Path(__file__).parent.parent / "nbs").glob("[0-9]*.ipynb"))
EXPORTED = {"export", "exports", "exporti"}
HIDDEN = {"hide", "default_exp"}
FOLDED_ANSWER = re.compile(r"<details.*?</details>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")
HEADING = re.compile(r"^##+ ", re.MULTILINE)

MOST_HEADINGS = 8  # Of a chapter, the closing ones included
MOST_UNSHOWN = 3  # Definitions before a result
LONGEST_CELL = 40  # Lines, where code is exported
LONGER_CELLS: dict[str, str] = {  # Cell: why it is one piece
    "218b7ec9": "06e: a class, each of whose methods is one line",
    "656c154e": "06g: a class, each of whose methods is a few lines",
    "9002525e": "06h: a class, whose methods call what was shown above",
}


def named(path: Path) -> str:
    return path.stem


def cells(path: Path) -> list[Any]:
    return list(read_nb(path).cells)


def prose(path: Path) -> str:
    """What the reader of a chapter reads: no folded answer, no tag."""
    text = "\n".join(cell.source for cell in cells(path) if cell.cell_type == "markdown")
    return TAG.sub("", FOLDED_ANSWER.sub("", text))


def code(path: Path) -> Iterator[tuple[str, str, set[str]]]:
    """Each cell of code that a reader may see: its number, its source and its directives."""
    for cell in cells(path):
        told = directives(cell.source)
        if cell.cell_type == "code" and not told & HIDDEN:
            yield cell.id, cell.source, told


def lines(source: str) -> int:
    """How many lines of a cell hold something."""
    return sum(bool(line.strip()) for line in without_directives(source).splitlines())


def only(source: str, *kinds: type[ast.stmt]) -> bool:
    """Whether a cell holds nothing but such statements."""
    return all(isinstance(each, kinds) for each in ast.parse(without_directives(source)).body)


def definitions(source: str) -> list[str]:
    """The functions and classes that a cell defines."""
    kinds = (ast.FunctionDef, ast.ClassDef)
    body = ast.parse(without_directives(source)).body
    return [each.name for each in body if isinstance(each, kinds)]


def unshown(path: Path) -> Iterator[list[str]]:
    """Runs of definitions without a cell between them that shows or tests something."""
    run: list[str] = []
    for _, source, told in code(path):
        if told & EXPORTED:
            run += definitions(source)
        elif not only(source, ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef):
            yield run
            run = []
    yield run


@pytest.mark.parametrize("path", BOOK, ids=named)
def test_a_chapter_has_few_headings(path: Path) -> None:
    assert len(HEADING.findall(prose(path))) <= MOST_HEADINGS


@pytest.mark.parametrize("path", BOOK, ids=named)
def test_a_chapter_opens_with_its_question(path: Path) -> None:
    """More is said than a title and its line before the first code."""
    said = ""
    for cell in cells(path):
        if cell.cell_type == "markdown":
            said += cell.source + "\n"
        elif not directives(cell.source) & HIDDEN:
            break
    lead = [line for line in said.splitlines() if line and not line.startswith(("#", ">"))]
    assert len(" ".join(lead).split()) >= 20, said


@pytest.mark.parametrize("path", BOOK, ids=named)
def test_a_chapter_shows_what_it_defines(path: Path) -> None:
    assert not [run for run in unshown(path) if len(run) > MOST_UNSHOWN]


@pytest.mark.parametrize("path", BOOK, ids=named)
def test_a_chapter_exports_short_cells(path: Path) -> None:
    """A name that is defined in several places is a cell too long; imports are no lesson."""
    long = [
        number
        for number, source, told in code(path)
        if told & EXPORTED and not only(source, ast.Import, ast.ImportFrom)
        and lines(source) > LONGEST_CELL
    ]
    assert {*long} == {*LONGER_CELLS} & {number for number, *_ in code(path)}
