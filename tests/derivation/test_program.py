"""The program that the chapters build line by line, and the exercises that are typed."""

import json
import math
import re
from collections import Counter
from collections.abc import Iterator
from difflib import unified_diff
from fractions import Fraction
from functools import cache
from typing import Any

import book
import pytest
from hypothesis import given
from lessons import cells, ran, taught
from strategies import SHORT, Corpus

from bleu_nb.derivation.bleu import (
    count_segment,
    floor,
    sum_stats,
)
from bleu_nb.derivation.tokenizer_13a import tokenize_13a
from bleu_nb.display.exercises import Exercise
from bleu_nb.display.score_breakdown import draw_formula

[score_stats] = taught("13_formula", "score_stats")

PATH = ["00_by_hand", "01_ngrams", "02_precision", "03_brevity", "04_bleu", "05_smoothing",
        "06_tokenization"]
DIFF = re.compile(r"```diff\n(.*?)```", re.DOTALL)


def states(name: str) -> Iterator[tuple[str, str]]:
    """Each change that a chapter tells, or none, and the program after it."""
    told = ""
    for kind, source in cells(name):
        if kind == "markdown" and (change := DIFF.search(source)):
            told = change[1]
        elif kind == "code" and re.search(r"^def bleu\(", source, re.MULTILINE):
            yield told, source[source.index("def bleu("):]  # The page by hand imports above it
            told = ""
    assert not told, "a change without the program that it makes"


def programs(name: str) -> list[str]:
    """Each state of the program that a chapter shows."""
    return [program for _, program in states(name)]


def begun(name: str) -> str:
    """The program as a chapter finds it; the last two each add a line to the complete one."""
    if name in PATH[5:]:
        return programs("00_by_hand")[0]
    return "" if name == "01_ngrams" else programs(PATH[PATH.index(name) - 1])[-1]


def changes(name: str) -> list[tuple[str, str, str]]:
    """Each change that a chapter shows, with the program before and after it."""
    return [(before, told, after) for before, (told, after) in zip(
        [begun(name), *programs(name)], states(name), strict=False) if told]


def stripped(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


CHANGES = [(name, *each) for name in PATH[1:] for each in changes(name)]


@pytest.mark.parametrize(("name", "before", "change", "after"), CHANGES,
                         ids=[f"{name}-{n}" for n, (name, *_) in enumerate(CHANGES)])
def test_a_change_is_what_happens_to_the_program(
    name: str, before: str, change: str, after: str
) -> None:
    """A line that moves to the right has no mark; between two parts, lines stay as they are."""
    happened = unified_diff(stripped(before), stripped(after), n=0, lineterm="")
    marks = [sorted(line[0] + line[1:].strip() for line in lines
                    if re.match(r"[-+](?![-+]{2} )", line) and line[1:].strip())
             for lines in (change.splitlines(), happened)]
    assert marks[0] == marks[1]
    kept = {line.strip() for line in change.splitlines() if line[:1] == " " and "..." not in line}
    assert kept - {""} <= {*stripped(before)} & {*stripped(after)}


@pytest.mark.parametrize("name", PATH[1:])
def test_a_chapter_shows_the_program_that_it_begins_with(name: str) -> None:
    """It begins it, or begins with a change of it."""
    shown = programs(name)
    assert shown[0] == begun(name) if name in ("03_brevity", "05_smoothing") else (
        changes(name)[0][2] in shown)


def test_the_complete_program_is_the_same_on_every_page() -> None:
    [by_hand] = programs("00_by_hand")
    assert [by_hand] == programs("04_bleu") == programs("05_smoothing")[:1]
    assert [by_hand] == programs("09_cheat_sheet")
    length = len(stripped(by_hand))
    assert 20 <= length <= 25
    assert [len(stripped(programs(name)[-1])) for name in PATH[5:]] == [length + 1] * 2


@cache
def program(name: str) -> Any:
    """The last program of a chapter, with nothing in reach but what the page imports for it."""
    known: dict[str, Any] = {"Counter": Counter, "exp": math.exp, "log": math.log}
    exec(programs(name)[-1], known)
    return known["bleu"]


@given(SHORT)
def test_the_program_is_the_packages_formula(corpus: Corpus) -> None:
    candidates = corpus[0]
    references = [[each for each in group if each is not None] for group in corpus[1]]
    stats = sum_stats(map(count_segment, candidates, references))
    for name, counts in (("00_by_hand", None), ("05_smoothing", floor(stats))):
        assert math.isclose(program(name)(candidates, references),
                            score_stats(stats, counts, scale=100).value, rel_tol=1e-12)
    lines = [*map(" ".join, candidates)], [[*map(" ".join, group)] for group in references]
    split = [*map(tokenize_13a, lines[0])], [[*map(tokenize_13a, group)] for group in lines[1]]
    assert program("06_tokenization")(*lines, tokenize_13a) == program("00_by_hand")(*split)


SCRIPT = (book.NOTEBOOKS.parent / "docs" / "static" / "formula.js").read_text("utf-8")
LIT = json.loads(re.findall(r"const LINES = (\{.*?\});", SCRIPT, re.DOTALL)[0])
COMPUTES = re.compile(r" {4,12}(matches|totals|c|r|logs|penalty)(\[n - 1\])? \+?= | {4}return ")


@pytest.mark.parametrize(("name", "part"), [*zip(PATH[2:6], LIT, strict=True)])
def test_a_part_of_the_formula_is_computed_where_it_is_lit(name: str, part: str) -> None:
    assert f'draw_formula("{part}")' in "\n".join(source for _, source in cells(name))
    assert f'data-part="{part}"' in draw_formula(part).markup
    lines = [line.strip() for each in PATH[1:6] for state in programs(each)
             for line in state.splitlines()]
    assert not [begin for begin in LIT[part] if not any(
        line.startswith(begin) for line in lines)], "none is out of date"
    every = tuple(begin for begins in LIT.values() for begin in begins)
    assert not [line for state in programs(name) for line in state.splitlines()
                if COMPUTES.match(line) and not line.strip().startswith(every)]
    assert any(line.startswith(tuple(LIT[part])) for line in stripped(programs(name)[-1]))


# -- Exercises -----------------------------------------------------------------------------------


@cache
def exercises(name: str) -> list[Exercise]:
    """The exercises of a chapter, as its cells make them."""
    asked = [re.search(r"mine = \.\.\.\n(\w+)\.check\(mine\)$", source)
             for _, source in cells(name)]
    known = ran(name)
    return [known[each[1]] for each in asked if each]


AFTER = ["07_reporting", "08_blind_spots"]  # Two exercises each that a number answers


@pytest.mark.parametrize("name", [*PATH[:3], *AFTER])
def test_the_answer_below_an_exercise_is_its_right_one(name: str) -> None:
    [told] = [source for _, source in cells(name) if source.startswith("<details>")]
    answers = re.findall(r"^\d\. (\S+?)[.:,;]? ", told, re.MULTILINE)[:len(exercises(name))]
    assert [float(Fraction(each.replace("−", "-"))) for each in answers] == [
        pytest.approx(each.right, abs=0.05) for each in exercises(name)]
    assert not [source for kind, source in cells(name) if kind == "code" and any(
        f".right, {answer})" in source for answer in answers)], "no cell gives it away"


@pytest.mark.parametrize("name", [*PATH, *AFTER])
def test_an_exercise_tells_what_was_typed(name: str) -> None:
    assert len(exercises(name)) == (2 if name in AFTER else 3)
    for each in exercises(name):
        assert each.mistakes
        told = {each.right: "right", -12345: "not yet",
                **{wrong: f"not yet: {why}" for wrong, why in each.mistakes.items()}}
        assert {typed: str(each.check(typed)) for typed in told} == told
        assert str(each.check(...)).startswith("your turn")
