"""The page with seven wrong programs: each is refused as it stands, and right once repaired."""

import re
from collections import Counter
from fractions import Fraction
from functools import reduce
from math import exp, prod
from operator import or_
from statistics import mean
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
    (lambda: None, lambda: 1, [()], "your program returns None; it must return a number"),
    (lambda: "0.5", lambda: 0.5, [()], "your program returns '0.5'; it must be a number"),
    (lambda: [0.5], lambda: 0.5, [()], "your program returns [0.5]; it must be a number"),
    (lambda: float("nan"), lambda: 1, [()], "your program returns nan; it must be a number"),
    (lambda: 1 / 0, lambda: 1, [()], "your program raises ZeroDivisionError: division by zero"),
    (lambda each: 1, lambda each: each, [(1,), (2,)],
     "your program gives 1.000 on another case")])
def test_what_is_wrong_with_a_program_is_a_sentence(
    page: dict[str, Any], program: Any, right: Any, given: Any, said: str
) -> None:
    assert page["compare"](program, right, *given).said == f"not yet: {said}"


def test_a_case_that_fails_is_shown_and_does_not_change_the_question(page: dict[str, Any]) -> None:
    verdict = page["compare"](lambda given: given.pop(), len, [[1]], [["a", 5]])
    for shown in (repr(verdict), verdict._repr_html_()):
        assert re.search(r"given\W.*a 5", shown) and "2.000" in shown
    assert verdict.exercise.right == 1


# -- Repairs, right and wrong ----------------------------------------------------------------------

NAMES = ["precision", "bleu", "bleu_of_some", "penalty", "bleu_3", "bleu_of_lines", "bleu_of_text"]


def grams(tokens: Any, n: int) -> Counter[Any]:
    return Counter(tuple(tokens[i:i + n]) for i in range(len(tokens) - n + 1))


def clipped(candidate: Any, references: Any, n: int) -> Fraction:
    counts = grams(candidate, n)
    allowed = reduce(or_, [grams(each, n) for each in references])
    return Fraction((counts & allowed).total(), counts.total())


def unclipped(candidate: Any, references: Any, n: int) -> Fraction:
    counts = grams(candidate, n)
    known = set().union(*(grams(each, n) for each in references))
    return Fraction(sum(counts[each] for each in counts if each in known), counts.total())


def distinct(candidate: Any, references: Any, n: int) -> Fraction:
    counts = grams(candidate, n)
    return Fraction(len(set(counts) & set(grams(references[0], n))), len(counts))


def summed(candidate: Any, references: Any, n: int) -> Fraction:
    counts = grams(candidate, n)
    allowed = sum((grams(each, n) for each in references), Counter())
    return Fraction((counts & allowed).total(), counts.total())


def nearest(candidate: Any, references: Any) -> list[int]:
    """The lengths of the references that are closest to the candidate's."""
    lengths = [len(each) for each in references]
    gap = min(abs(each - len(candidate)) for each in lengths)
    return [each for each in lengths if abs(each - len(candidate)) == gap]


def capped(c: float, r: float) -> float:
    return min(1, exp(1 - r / c))


def uncapped(c: float, r: float) -> float:
    return exp(1 - r / c)


def none(c: float, r: float) -> float:
    return 1


def shortest(candidate: Any, references: Any) -> int:
    return min(map(len, references))


def score(orders: int = 4, share: Any = clipped, factor: Any = capped,
          length: Any = lambda *case: min(nearest(*case))) -> Any:
    """A program for one segment, made of its parts."""
    def program(candidate: Any, references: Any) -> float:
        shares = [share(candidate, references, n) for n in range(1, orders + 1)]
        return factor(len(candidate), length(candidate, references)) * float(
            prod(shares)) ** (1 / orders)
    return program


def single(program: Any) -> Any:
    """The same for one reference."""
    return lambda candidate, reference: program(candidate, [reference])


def of_text(program: Any) -> Any:
    return lambda candidate, reference: program(candidate.split(), [reference.split()])


def of_corpus(factor: Any) -> Any:
    """A program that adds up counts, by its penalty."""
    def program(candidates: Any, references: Any) -> float:
        pairs = [*zip(candidates, references, strict=True)]
        shares = [Fraction(sum((grams(c, n) & grams(r, n)).total() for c, r in pairs),
                           sum(grams(c, n).total() for c, _ in pairs)) for n in (1, 2, 3, 4)]
        lengths = [sum(map(len, each)) for each in (candidates, references)]
        return factor(*lengths) * float(prod(shares)) ** 0.25
    return program


def of_length(length: Any, factor: Any = capped) -> Any:
    """A penalty, by its rule for the reference length."""
    return lambda candidate, references: factor(len(candidate), length(candidate, references))


RIGHT = [
    (1, lambda candidate, reference, n: clipped(candidate, [reference], n)),  # A Fraction
    (1, lambda candidate, reference, n: float(clipped(candidate, [reference], n))),
    (2, single(score())), (3, single(score())), (7, of_text(score())),
    (4, of_length(lambda *case: min(nearest(*case)))),
    (5, score(3)), (6, of_corpus(capped))]
WRONG = [
    *((1, lambda candidate, reference, n, share=share: share(candidate, [reference], n))
      for share in (unclipped, distinct)),
    *((number, single(score(**part))) for number in (2, 3)
      for part in ({"factor": uncapped}, {"factor": none}, {"share": unclipped})),
    *((number, program(length)) for number, program in (
        (4, of_length), (5, lambda length: score(3, length=length))) for length in (
            shortest, lambda *case: max(nearest(*case)), lambda *case: nearest(*case)[0],
            lambda *case: nearest(*case)[-1], lambda *case: mean(nearest(*case)),
            lambda _, references: mean(map(len, references)),
            lambda _, references: len(references[0]), lambda *_: 0)),
    (4, of_length(lambda *case: min(nearest(*case)), uncapped)),
    (5, score(3, summed)), (5, score(3, unclipped)), (5, score(3, factor=uncapped)),
    (6, of_corpus(none)), (6, of_corpus(uncapped)),
    *((7, of_text(score(factor=factor))) for factor in (none, uncapped))]


@pytest.mark.parametrize(("number", "program", "expected"), [
    *((number, program, "right") for number, program in RIGHT),
    *((number, program, "not yet: your program gives ") for number, program in WRONG)])
def test_a_repair_is_judged_by_what_it_computes(
    page: dict[str, Any], monkeypatch: pytest.MonkeyPatch, number: int, program: Any, expected: str
) -> None:
    monkeypatch.setitem(page, NAMES[number - 1], program)
    assert page[f"check_{number}"]().said.startswith(expected)


def test_ties_to_the_longer_length_are_named(
    page: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(page, "bleu_3", score(3, length=lambda *case: max(nearest(*case))))
    assert page["check_5"]().said.endswith(
        "(of two equally close lengths the shorter counts, not the longer)")
