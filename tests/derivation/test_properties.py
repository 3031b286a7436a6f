"""What holds for every corpus and every text, on examples that Hypothesis makes up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lessons import taught
from strategies import TEXT

from bleu_nb import Bleu, BleuStats, corpus_bleu
from bleu_nb.derivation import (
    brevity_penalty,
    count_segment,
    sum_stats,
)
from bleu_nb.dialects.formula_variants import LENGTH_RULES, raise_totals

clipped_precision, naive_precision = taught("02_precision", "clipped_precision", "naive_precision")

Tokens = list[str]
Segment = tuple[Tokens, list[Tokens]]

SENTENCE = st.lists(st.sampled_from("abc"), max_size=9)
REFERENCES = st.lists(SENTENCE, min_size=1, max_size=3)
SEGMENT = st.tuples(SENTENCE, REFERENCES)
CORPUS = st.lists(SEGMENT, min_size=1, max_size=5)
LENGTH = st.integers(0, 1000)


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
    shuffled = data.draw(st.permutations(corpus))
    metric = Bleu(reference_length=rule)
    one, other = (metric(*zip(*each, strict=True)) for each in (corpus, shuffled))
    assert one == other


@pytest.mark.parametrize("rule", ["closest", "shortest"])
@given(data=st.data(), candidate=SENTENCE, references=REFERENCES)
def test_order_of_references_changes_nothing(
    rule: str, data: st.DataObject, candidate: Tokens, references: list[Tokens]
) -> None:
    metric = Bleu(reference_length=rule)
    shuffled = data.draw(st.permutations(references))
    assert metric.sentence(candidate, references) == metric.sentence(candidate, shuffled)


@given(CORPUS, CORPUS)
def test_statistics_of_joined_corpora_add_up(one: list[Segment], other: list[Segment]) -> None:
    first, second, both = (
        corpus_bleu(*zip(*corpus, strict=True)).stats for corpus in (one, other, one + other)
    )
    assert first + second == both == sum_stats([first, second])


@given(SENTENCE, REFERENCES, st.integers(1, 4))
def test_clipped_precision_never_exceeds_naive(
    candidate: Tokens, references: list[Tokens], order: int
) -> None:
    clipped = clipped_precision(candidate, references, order)
    assert 0 <= clipped <= naive_precision(candidate, references, order) <= 1


@given(SENTENCE, REFERENCES, SENTENCE, st.sampled_from("abcx"))
def test_another_reference_or_token_lowers_nothing(
    candidate: Tokens, references: list[Tokens], another: Tokens, token: str
) -> None:
    before, wider, longer = (count_segment(*each) for each in (
        (candidate, references), (candidate, [*references, another]),
        ([*candidate, token], references)))
    assert wider.totals == before.totals and longer.totals[0] == before.totals[0] + 1
    for after in (wider, longer):
        assert all(map(int.__le__, (*before.matches, *before.totals),
                       (*after.matches, *after.totals)))


@given(LENGTH, LENGTH, LENGTH)
def test_penalty_rises_with_the_candidate_and_falls_with_the_reference(
    one: int, other: int, fixed: int
) -> None:
    short, long = sorted((one, other))
    assert 0 <= brevity_penalty(short, fixed) <= brevity_penalty(long, fixed) <= 1
    assert brevity_penalty(fixed, short) >= brevity_penalty(fixed, long)


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
