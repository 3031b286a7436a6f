"""The examples of the paper and of well-known tutorials come out as they say."""

import math
import string
from fractions import Fraction
from typing import Any

import pytest
from data import WORKED_EXAMPLES, needs, read_json

from bleu_nb import Bleu
from bleu_nb.derivation import (
    clipped_counts,
    clipped_precision,
    count_segment,
    naive_precision,
)

pytestmark = needs(WORKED_EXAMPLES)

EXAMPLES = read_json(WORKED_EXAMPLES) if WORKED_EXAMPLES.exists() else {}
# How many each section has, so that each is counted as skipped where the file is absent.
NUMBERS = {
    "naive_and_clipped_precision": 7,
    "ships": 7,
}

Tokens = list[str]
PUNCTUATION = str.maketrans("", "", string.punctuation)


def cases(name: str) -> list[Any]:
    """The examples of a section, without its bare notes."""
    section = EXAMPLES[name]
    section = section["cases"] if isinstance(section, dict) else section
    return [case for case in section if set(case) != {"note"}]


def each_of(name: str) -> pytest.MarkDecorator:
    """Run a test on every example of a section."""
    found = cases(name) if EXAMPLES else [{}] * NUMBERS[name]
    return pytest.mark.parametrize("case", found, ids=range(1, len(found) + 1))


def test_no_example_is_left_out() -> None:
    assert {name: len(cases(name)) for name in NUMBERS} == NUMBERS


def split(text: str | Tokens, preprocess: str = "") -> Tokens:
    """Tokens at white space, prepared as an example says."""
    assert preprocess in ("", "case-folded, punctuation removed")
    if isinstance(text, list):
        return text
    return (text.casefold().translate(PUNCTUATION) if preprocess else text).split()


def sides(case: dict[str, Any]) -> tuple[Tokens, list[Tokens]]:
    """Candidate and references; an example may refer to those of the one above it."""
    references, preprocess = case["references"], case.get("preprocess", "")
    if references == ["(the three references above)"]:
        section = EXAMPLES["naive_and_clipped_precision"]
        references = section[section.index(case) - 1]["references"]
        assert len(references) == 3
    return split(case["candidate"], preprocess), [split(each, preprocess) for each in references]


@each_of("naive_and_clipped_precision")
def test_precisions(case: dict[str, Any]) -> None:
    candidate, references = sides(case)
    stats, counts = count_segment(candidate, references), clipped_counts(candidate, references)
    orders = {int(order): pair for order, pair in case.get("orders", {}).items()}
    orders |= {case["order"]: case["clipped"]} if "clipped" in case else {}
    for order, (matches, total) in orders.items():
        assert clipped_precision(candidate, references, order) == Fraction(matches, total)
        assert (stats.matches[order - 1], stats.totals[order - 1]) == (matches, total)
    naive, words = case.get("naive"), case.get("clipped_counts", {})
    assert naive is None or (
        naive_precision(candidate, references, case["order"]) == Fraction(*naive))
    assert {word: counts[word,] for word in words} == words
    if "bleu_3_uniform" in case:
        score = Bleu("papineni", weights=(1 / 3,) * 3).sentence(candidate, references)
        assert (score.stats.reference_length, score.brevity_penalty, score.value) == tuple(
            case[name] for name in (
                "closest_reference_length", "brevity_penalty", "bleu_3_uniform"))
    assert orders or naive or words


@each_of("ships")
def test_ships(case: dict[str, Any]) -> None:
    references, candidate = EXAMPLES["ships"]["references"], case["candidate"]
    score = Bleu("papineni").sentence(candidate, references)
    assert score.value == case["papineni"]
    assert Bleu("nltk", smoothing="nltk-0")(
        [split(candidate)], [[*map(split, references)]]).value == case["nltk_3_10"]
    dropped = math.fsum(0.25 * math.log(each) for each in score.precisions if each)
    assert score.brevity_penalty * math.exp(dropped) == case["zero_orders_dropped"]
