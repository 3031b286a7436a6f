"""The program in one piece, the changes that chapters show, and the exercises that are typed."""

import json
import math
import re
from collections import Counter
from fractions import Fraction
from functools import cache
from typing import Any

import book
import pytest
from hypothesis import given
from lessons import cells, ran
from strategies import SHORT, Corpus

from bleu_nb.derivation.bleu import count_segment, score_stats, sum_stats
from bleu_nb.display.exercises import Exercise
from bleu_nb.display.score_breakdown import draw_formula

PATH = ["00_by_hand", "01_ngrams", "02_precision", "03_brevity", "04_bleu", "05_smoothing",
        "06_tokenization"]
WITH_PROGRAM = ["00_by_hand", "04_bleu", "09_cheat_sheet"]
DIFF = re.compile(r"```diff\n(.*?)```", re.DOTALL)


def programs(name: str) -> list[str]:
    """Each program `bleu` that a chapter shows; the page by hand imports above it."""
    return [source[source.index("def bleu("):] for kind, source in cells(name)
            if kind == "code" and re.search(r"^def bleu\(", source, re.MULTILINE)]


def stripped(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def code_lines(name: str) -> set[str]:
    """Every line of code of a chapter."""
    return {line for kind, source in cells(name) if kind == "code" for line in stripped(source)}


CHANGES = [(name, change) for name in PATH[1:] for kind, source in cells(name)
           if kind == "markdown" for change in DIFF.findall(source)]


@pytest.mark.parametrize(("name", "change"), CHANGES,
                         ids=[f"{name}-{n}" for n, (name, _) in enumerate(CHANGES)])
def test_a_change_shows_lines_of_the_chapters(name: str, change: str) -> None:
    """What is removed is on this page or an earlier one; the rest is on this page."""
    earlier = set().union(*map(code_lines, PATH[:PATH.index(name) + 1]))
    for line in change.splitlines():
        kind, text = line[:1], line[1:].strip()
        if text and text != "...":
            assert text in (earlier if kind == "-" else code_lines(name)), line


def test_a_change_is_shown_where_something_is_repaired() -> None:
    assert {name for name, _ in CHANGES} >= {*PATH[1:]} - {"04_bleu"}


def test_the_whole_program_appears_twice_and_on_the_cheat_sheet() -> None:
    """The chapters between teach the functions of the package instead."""
    [by_hand] = programs("00_by_hand")
    assert [programs(name) for name in WITH_PROGRAM] == [[by_hand]] * len(WITH_PROGRAM)
    assert not [name for name in PATH if name not in WITH_PROGRAM and programs(name)]
    assert 20 <= len(stripped(by_hand)) <= 25


@cache
def program() -> Any:
    """The program, with nothing in reach but what the page imports for it."""
    known: dict[str, Any] = {"Counter": Counter, "exp": math.exp, "log": math.log}
    exec(programs("00_by_hand")[0], known)
    return known["bleu"]


@given(SHORT)
def test_the_program_equals_the_functions_of_the_package(corpus: Corpus) -> None:
    candidates = corpus[0]
    references = [[each for each in group if each is not None] for group in corpus[1]]
    stats = sum_stats(map(count_segment, candidates, references))
    assert math.isclose(program()(candidates, references),
                        score_stats(stats, scale=100).value, rel_tol=1e-12)


SCRIPT = (book.NOTEBOOKS.parent / "docs" / "static" / "formula.js").read_text("utf-8")
LIT = json.loads(re.findall(r"const LINES = (\{.*?\});", SCRIPT, re.DOTALL)[0])


@pytest.mark.parametrize(("name", "part"), [*zip(PATH[2:6], LIT, strict=True)])
def test_a_part_of_the_formula_is_computed_where_it_is_lit(name: str, part: str) -> None:
    assert f'draw_formula("{part}")' in "\n".join(source for _, source in cells(name))
    assert f'data-part="{part}"' in draw_formula(part).markup
    functions = {each: {line for kind, source in cells(each)
                        if kind == "code" and re.search("^def ", source, re.MULTILINE)
                        for line in stripped(source)} for each in PATH[1:6]}
    every = set().union(*functions.values())
    assert not [begin for begin in LIT[part] if not any(
        line.startswith(begin) for line in every)], "none is out of date"
    assert any(line.startswith(tuple(LIT[part])) for line in functions[name])


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
