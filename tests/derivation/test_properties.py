"""What holds for every corpus and every text, on examples that Hypothesis makes up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import TEXT

from bleu_nb import Bleu, BleuStats, corpus_bleu
from bleu_nb.derivation import (
    count_segment,
)
from bleu_nb.dialects.formula_variants import LENGTH_RULES, raise_totals

Tokens = list[str]
Segment = tuple[Tokens, list[Tokens]]

SENTENCE = st.lists(st.sampled_from("abc"), max_size=9)
REFERENCES = st.lists(SENTENCE, min_size=1, max_size=3)
SEGMENT = st.tuples(SENTENCE, REFERENCES)
CORPUS = st.lists(SEGMENT, min_size=1, max_size=5)


def score_of(corpus: list[Segment], dialect: str = "sacrebleu", **choices: Any) -> float:
    """Corpus score of (candidate, references) pairs."""
    candidates, references = zip(*corpus, strict=True)
    return corpus_bleu(candidates, references, dialect, **choices).value


@pytest.mark.parametrize("smoothing", ["none", "floor", "add-k", "exp"])
@given(corpus=CORPUS, effective=st.sampled_from(["never", "always"]))
def test_score_lies_between_0_and_its_scale(
    smoothing: str, corpus: list[Segment], effective: str
) -> None:
    value = score_of(corpus, smoothing=smoothing, effective_order=effective)
    assert 0 <= value <= 100 + 1e-10
    assert 0 <= score_of(corpus, "papineni") <= 1


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=4), min_size=1, max_size=5))
def test_identity_scores_1(sentences: list[Tokens]) -> None:
    assert score_of([(tokens, [tokens]) for tokens in sentences], "papineni") == 1


@pytest.mark.parametrize("rule", LENGTH_RULES)
@given(data=st.data(), corpus=CORPUS)
def test_order_of_segments_changes_nothing(
    rule: str, data: st.DataObject, corpus: list[Segment]
) -> None:
    metric = Bleu(reference_length=rule)
    one, other = (metric(*zip(*each, strict=True))
                  for each in (corpus, data.draw(st.permutations(corpus))))
    assert one == other


def runs(tokens: Tokens, order: int) -> list[str]:
    """The n-grams of a sentence as text, left to right."""
    return ["".join(tokens[start:start + order]) for start in range(len(tokens) - order + 1)]


def slow_matches(candidate: Tokens, references: list[Tokens], order: int) -> int:
    """Clipped matches without a counter: each run is looked for in each list."""
    found, others = runs(candidate, order), [runs(each, order) for each in references]
    return sum(min(found.count(run), max(each.count(run) for each in others)) for run in {*found})


@given(SENTENCE, REFERENCES, st.integers(1, 6), st.integers(0, 1))
def test_counts_equal_a_slow_derivation(
    candidate: Tokens, references: list[Tokens], max_order: int, least: int
) -> None:
    orders, length = range(1, max_order + 1), len(candidate)
    expected = BleuStats(
        tuple(slow_matches(candidate, references, order) for order in orders),
        tuple(max(least, len(runs(candidate, order))) for order in orders),
        length,  # The closest length: the nearest on either side, the shorter of two
        min(map(len, references), key=lambda other: (abs(other - length), other)),
    )
    assert raise_totals(count_segment(candidate, references, max_order), least) == expected


@given(text=TEXT, reference=TEXT, lowercase=st.booleans())
def test_text_scores_as_in_sacrebleu(
    sacrebleu: Any, text: str, reference: str, lowercase: bool
) -> None:
    judge = sacrebleu.BLEU(lowercase=lowercase, effective_order=True, force=True)
    theirs = judge.sentence_score(text, [reference]).score
    assert Bleu(lowercase=lowercase).sentence(text, [reference]).value == theirs
