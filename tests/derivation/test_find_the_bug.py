"""The page with seven wrong programs: each is refused as it stands, and right once repaired."""

import re
from fractions import Fraction
from typing import Any

import pytest
from lessons import cells, ran

DETAILS = re.compile(r"<details>.*?</details>", re.DOTALL)
DIFFERENCE = re.compile(r"```diff\n(.*?)```", re.DOTALL)
ROW = re.compile(r"^\| (\d) \| (.*) \| (\S+) \|$", re.MULTILINE)
NUMBER = re.compile(r"\d+/\d+|\d+(?:\.\d+)?")
PAGE = "12_find_the_bug"
CODE = [source for kind, source in cells(PAGE) if kind == "code"]
TOLD = "\n".join(source for kind, source in cells(PAGE) if kind == "markdown")
# The wrong programs, in their order: each stands before the cell that checks it
PROGRAMS = [CODE[CODE.index(f"check_{number}()") - 2] for number in range(1, 8)]


def repaired(program: str, diff: str) -> str:
    """A program with the lines changed that a diff shows, which stand in one place of it."""
    before, after = ("\n".join(line[1:] for line in diff.splitlines() if line[:1] != other)
                     for other in "+-")
    assert program.count(before) == 1
    return program.replace(before, after)


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    return ran(PAGE)


@pytest.mark.parametrize("number", range(1, 8))
def test_a_wrong_program_is_refused_and_its_repair_is_right(
    page: dict[str, Any], number: int
) -> None:
    program, diff = PROGRAMS[number - 1], DIFFERENCE.findall(TOLD)[number - 1]
    names = dict(page)
    for source, said in ((program, "not yet: your program gives "),
                         (repaired(program, diff), "right")):
        exec(source, names)
        page.update({name: names[name] for name in re.findall(r"^def (\w+)", source, re.M)})
        assert str(page[f"check_{number}"]()).startswith(said)


def test_the_page_says_what_each_program_gives_and_what_is_right(page: dict[str, Any]) -> None:
    rows = zip(range(1, 8), ROW.findall(TOLD), DETAILS.findall(TOLD), PROGRAMS, strict=True)
    for place, (number, symptom, says), fold, program in rows:
        assert f"## {number}. {symptom[0].upper()}{symptom[1:]}\n" in f"{TOLD}\n"
        exec(program, page)
        verdict = page[f"check_{place}"]()
        assert number == str(place) and str(verdict) == (
            f"not yet: your program gives {float(says.replace('−', '-')):.3f}")
        told = [float(Fraction(each)) for each in NUMBER.findall(DIFFERENCE.sub("", fold))]
        assert any(each == pytest.approx(verdict.exercise.right, abs=5e-4) for each in told)


@pytest.mark.parametrize(("program", "right", "given", "said"), [
    (lambda: None, lambda: 1, [()], "not yet"),
    (lambda each: 1, lambda each: each, [(1,), (2,)],
     "not yet: your program gives 1.000 for (2,)")])
def test_a_program_that_returns_nothing_is_no_answer(
    page: dict[str, Any], program: Any, right: Any, given: Any, said: str
) -> None:
    assert str(page["compare"](program, right, *given)) == said
