"""What the page by hand says of itself and of the chapters after it."""

import re
from pathlib import Path

import book
from fastcore.nbio import read_nb

PATH = [path for path in book.notebooks() if path.parent.name == "01_derivation"
        and path.stem[:2] <= "06" and "_about_" not in path.stem]
LEARNT = [path for path in PATH if path.stem != "00_by_hand"]
FOLDED_ANSWER_OR_TAG = re.compile(r"<details.*?</details>|<[^>]+>", re.DOTALL)
WORDS, SECONDS_A_LINE, MINUTES_AN_EXERCISE = 150, 4, 1.5  # In a minute; of code; as the page says


def prose(path: Path) -> str:
    """What the reader of a chapter reads: no folded answer, no tag."""
    text = "\n".join(cell.source for cell in read_nb(path).cells if cell.cell_type == "markdown")
    return FOLDED_ANSWER_OR_TAG.sub("", text)


def minutes(path: Path) -> tuple[float, float]:
    """What a chapter takes to read, and its exercises."""
    code = [book.without_directives(cell.source) for cell in read_nb(path).cells
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
