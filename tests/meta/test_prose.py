"""How the book reads: what can be counted of it."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise, takewhile
from pathlib import Path

import book
import folds
import pytest
from book import directives, without_directives
from fastcore.nbio import read_nb

BOOK = [path for path in book.notebooks() if path.stem != "index"]
CHAPTERS = [path for path in BOOK if path != book.about(path)]
EXPORTED = {"export", "exports", "exporti"}
DEFINES = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)
HIDDEN = {"hide", "default_exp"}
FOLDED_ANSWER = re.compile(r"<details.*?</details>", re.DOTALL)
TAG = re.compile(r"<[^>]+>")
HEADING = re.compile(r"^##+ ", re.MULTILINE)
OPENING = re.compile(r"# .+\n\n> (.+\.)")
SENTENCE_END = re.compile(r"[.!?] +(?=[A-Z`*])")
NOT_PROSE = re.compile(r"^```.*?^```|^[|>#].*?$|\]\([^)]*\)", re.MULTILINE | re.DOTALL)

MOST_LINES = 25  # Of code that the site shows before the first section
MOST_HEADINGS = 8  # Of a chapter, the closing ones included
MOST_UNSHOWN = 3  # Definitions before a result
PATH = [path for path in BOOK if path.parent.name == "01_derivation"
        and path.stem[:2] <= "06" and "_about_" not in path.stem]
LEARNT = [path for path in PATH if path.stem != "00_by_hand"]  # An hour for all of these
MOST_WORDS = 6_900  # Folded answers too
WORDS, SECONDS_A_LINE, MINUTES_AN_EXERCISE = 150, 4, 1.5  # In a minute; of code; as the page says


def shown(path: Path) -> list[tuple[str, str, set[str]]]:
    """Kind, source and directives of each cell of a chapter that a reader may see."""
    found = [(cell.cell_type, cell.source, directives(cell.source))
             for cell in read_nb(path).cells]
    return [(kind, source, told) for kind, source, told in found
            if kind == "markdown" or not told & HIDDEN]


def markdown(path: Path) -> list[str]:
    """The cells of words of a chapter."""
    return [source for kind, source, _ in shown(path) if kind == "markdown"]


def prose(path: Path) -> str:
    """What the reader of a chapter reads: no folded answer, no tag."""
    return TAG.sub("", FOLDED_ANSWER.sub("", "\n".join(markdown(path))))


def statements(source: str) -> list[ast.stmt]:
    """What a cell of code holds."""
    return ast.parse(without_directives(source)).body


def definitions(source: str) -> list[str]:
    """The functions and classes that a cell defines."""
    return [each.name for each in statements(source)
            if isinstance(each, (ast.FunctionDef, ast.ClassDef))]


def unshown(path: Path) -> Iterator[list[str]]:
    """Runs of definitions without a cell between them that shows or tests something."""
    run: list[str] = []
    for kind, source, told in shown(path):
        if kind == "code" and told & EXPORTED:
            run += definitions(source)
        elif kind == "code" and not all(isinstance(each, DEFINES) for each in statements(source)):
            yield run
            run = []
    yield run


@pytest.mark.parametrize("path", BOOK, ids=[path.stem for path in BOOK])
def test_a_chapter_opens_with_its_question_and_shows_what_it_defines(path: Path) -> None:
    lead = takewhile(lambda cell: cell[0] == "markdown", shown(path))
    lines = [line for _, source, _ in lead for line in source.splitlines()]
    assert lines[0].startswith(f"# {book.number_of(path)}".rstrip() + " ")
    assert len(HEADING.findall(prose(path))) <= MOST_HEADINGS
    assert len(" ".join(line for line in lines if not line.startswith(("#", ">"))).split()) >= 20, (
        "more is said than a title and its line before the first code")
    assert not [run for run in unshown(path) if len(run) > MOST_UNSHOWN]


@pytest.mark.parametrize("path", BOOK, ids=[path.stem for path in BOOK])
def test_a_chapter_begins_with_its_title_and_a_summary_of_one_sentence(path: Path) -> None:
    """The summary of the chapter that opens a module is the docstring of the whole module."""
    title, *others = read_nb(path).cells
    opening = OPENING.fullmatch(title.source)
    assert opening, "the first cell is the title, an empty line and `> ` with one sentence"
    assert not SENTENCE_END.search(opening[1])
    assert not re.search(r"\bfirst,", opening[1], re.IGNORECASE)
    before = [*takewhile(lambda cell: cell.cell_type == "code", others)]
    assert all("default_exp" in directives(cell.source) for cell in before), (
        "prose comes before imports, hidden ones too")


@pytest.mark.parametrize("path", CHAPTERS, ids=[path.stem for path in CHAPTERS])
def test_a_chapter_asks_a_question_and_shows_little_code_before_its_first_section(
    path: Path
) -> None:
    opening = takewhile(lambda source: not folds.SECTION.search(source), markdown(path))
    assert "?" in NOT_PROSE.sub("", "\n".join(opening))
    assert folds.lines_before_section(path) <= MOST_LINES


def test_the_path_is_the_first_chapters_and_stays_short() -> None:
    assert [path.stem[:2] for path in LEARNT] == ["01", "02", "03", "04", "05", "06"]
    assert sum(len(source.split()) for path in PATH for source in markdown(path)) <= MOST_WORDS


def minutes(path: Path) -> tuple[float, float]:
    """What a chapter takes to read, and its exercises."""
    code = [without_directives(cell.source) for cell in read_nb(path).cells
            if cell.cell_type == "code" and not cell.metadata.get("jupyter")]
    lines = sum(bool(line.strip()) for source in code for line in source.splitlines())
    reading = len(prose(path).split()) / WORDS + lines * SECONDS_A_LINE / 60
    return reading, sum(".check(mine)" in source for source in code) * MINUTES_AN_EXERCISE


def test_the_page_by_hand_says_how_long_the_path_takes() -> None:
    reading, exercises = minutes(PATH[0])
    hours = sum(map(sum, map(minutes, LEARNT))) / 60
    told = " ".join(prose(PATH[0]).split())
    assert (round(reading / 5) * 5, round(exercises / 5) * 5, round(hours * 2) / 2) == (
        10, 5, 1.5)
    assert ("This page takes 10 minutes and its exercises 5; the six chapters after it take an "
            "hour and a half") in told.replace("> ", "")
    assert f"({WORDS} words a minute, {SECONDS_A_LINE} seconds a line of code, 90 seconds" in told


@pytest.mark.parametrize("path", LEARNT, ids=[path.stem for path in LEARNT])
def test_a_step_of_the_path_is_used_at_once(path: Path) -> None:
    """Each defined function is called in the next cell that is more than imports."""
    steps = [(source, told) for kind, source, told in shown(path) if kind == "code"
             and not all(isinstance(each, DEFINES[:2]) for each in statements(source))]
    assert not [
        name
        for (source, told), (following, _) in pairwise(steps)
        if told & EXPORTED
        for name in definitions(source)
        if not re.search(rf"\b{name}\b", following)
    ]
