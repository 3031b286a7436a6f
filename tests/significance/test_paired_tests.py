"""Tests of differences: sacreBLEU's digits live, ties by enumeration, and digests of the draws."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from draws import (
    all_swaps,
    by_sacrebleu,
    compare_units,
    count_reached,
    spoilt,
    texts,
)

pytest.importorskip("numpy", reason="the draws need numpy")

import numpy as np

from bleu_nb import Bleu, compare_systems
from bleu_nb.dialects.definition import leaves_out, segment_dialect
from bleu_nb.scoring.counts import Counts
from bleu_nb.significance.tests import (
    Units,
    draw_as_sacrebleu,
    draw_resamples,
    draw_swaps,
    score_sums,
    units_of,
)

OLD_NUMPY = int(np.__version__.split(".")[0]) < 2
NUMPY_1 = pytest.mark.skipif(
    OLD_NUMPY, reason="numpy 1 leaves sacreBLEU's precisions in double precision"
)
KINDS = ["ar", pytest.param("bs", marks=NUMPY_1)]
REFERENCE = texts(1, 40)
LONGER = texts(1, 90, 30)
CORPORA: dict[str, tuple[list[list[str]], list[list[str]]]] = {  # Systems; streams of references
    "three systems": ([spoilt(LONGER, 2, 0.3), spoilt(LONGER, 3, 0.25), spoilt(LONGER, 4, 0.5)],
                      [LONGER]),
    "identical": ([spoilt(REFERENCE, 2, 0.3)] * 3, [REFERENCE]),
    "one segment differs": ([spoilt(REFERENCE, 2, 0.2),
                             [*spoilt(REFERENCE, 2, 0.2)[:-1], "the dog in Paris"]], [REFERENCE]),
    "one scores zero": ([spoilt(REFERENCE, 2, 0.3), ["none whatsoever"] * 40], [REFERENCE]),
    "all score zero": ([["nothing here"] * 9, ["none there"] * 9], [texts(5, 9)]),
    "two references": ([spoilt(REFERENCE, 2, 0.4), spoilt(REFERENCE, 3, 0.4)],
                       [REFERENCE, spoilt(REFERENCE, 9, 0.4)]),
    "empty lines": ([[line if k % every else "" for k, line in enumerate(spoilt(REFERENCE, s, 0.2))]
                     for every, s in ((3, 2), (5, 3))], [REFERENCE]),
    "two segments": ([spoilt(texts(7, 2), 1, 0.2), spoilt(texts(7, 2), 2, 0.3)], [texts(7, 2)]),
    "three segments": ([spoilt(texts(8, 3), 1, 0.1), spoilt(texts(8, 3), 2, 0.3)], [texts(8, 3)]),
    "short": ([["the cat", "a", "on the mat"], ["the dog", "a", "in"]], [["the cat", "a", "on a"]]),
}  # fmt: skip
CHOICES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {  # sacreBLEU's; ours
    "default": ({}, {}),
    "floor": ({"smooth_method": "floor", "smooth_value": 0.3},
              {"smoothing": "floor", "smoothing_value": 0.3}),
    "floor as usual": ({"smooth_method": "floor"}, {"smoothing": "floor"}),
    "add-1": ({"smooth_method": "add-k"}, {"smoothing": "add-k"}),
    "add-3": ({"smooth_method": "add-k", "smooth_value": 3},
              {"smoothing": "add-k", "smoothing_value": 3}),
    "none": ({"smooth_method": "none"}, {"smoothing": "none"}),
    "char": ({"tokenize": "char"}, {"tokenizer": "char"}),
    "intl": ({"tokenize": "intl"}, {"tokenizer": "intl"}),
    "order 6": ({"max_ngram_order": 6}, {"max_order": 6}),
    "floor 0": ({"smooth_method": "floor", "smooth_value": 0},
                {"smoothing": "floor", "smoothing_value": 0}),
    "untokenized": ({"tokenize": "none"}, {"tokenizer": "none"}),
    "lower case": ({"lowercase": True}, {"lowercase": True}),
    "effective order": ({"effective_order": True}, {"effective_order": "always"}),
    "bigrams": ({"max_ngram_order": 2}, {"max_order": 2}),
}  # fmt: skip


def count_all(
    systems: Sequence[Sequence[str]], streams: Sequence[Sequence[str]], **choices: Any
) -> list[Units]:
    """Every system, ready to be drawn."""
    segments = [list(each) for each in zip(*streams, strict=True)]
    metric = Bleu(**choices)
    return [units_of(metric.count(each, segments)) for each in systems]


def check_with_sacrebleu(
    systems: Sequence[Sequence[str]], streams: Sequence[Sequence[str]], kind: str, seed: int,
    trials: int, choices: tuple[dict[str, Any], dict[str, Any]] = ({}, {}),
) -> None:  # fmt: skip
    """Score, p, mean and half-width of every system are those of sacreBLEU's own test."""
    theirs, ours = choices
    named = {str(place): text for place, text in enumerate(systems)}
    table = compare_systems("0", named, [*zip(*streams, strict=True)], test=f"sacrebleu-{kind}",
                            seed=seed, trials=trials, **ours)
    assert [(each.score.value, each.p_value, each.mean, each.half_width)
            for each in table.systems] == by_sacrebleu(named, streams, kind, seed, trials, **theirs)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, 12345])
@pytest.mark.parametrize("name", CORPORA)
def test_results_are_sacrebleus(name: str, seed: int, kind: str) -> None:
    check_with_sacrebleu(*CORPORA[name], kind, seed, 101)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CHOICES)
@pytest.mark.parametrize("corpus", ["three systems", "three segments", "empty lines", "short"])
def test_results_by_other_choices_are_sacrebleus(corpus: str, name: str, kind: str) -> None:
    check_with_sacrebleu(*CORPORA[corpus], kind, 5, 64, CHOICES[name])


# Draws


@pytest.mark.parametrize(("draw", "arguments", "kind", "expected"), [
    (draw_swaps, (12345, 130, 37), "<u1", "c1f805d4e3e16056"),
    (draw_swaps, (0, 3, 700_000), "<u1", "7b0fe64d5141e9e7"),
    (draw_resamples, (12345, 130, 37), "<i8", "2ac9b86cb9aa0649"),
    (draw_as_sacrebleu, (12345, 130, 37), "<i8", "25152309c95899ab"),
])  # fmt: skip
def test_draws_are_those_recorded(draw: Any, arguments: Any, kind: str, expected: str) -> None:
    whole = np.concatenate([*draw(*arguments)]).astype(kind)
    assert hashlib.sha256(whole.tobytes()).hexdigest()[:16] == expected


def test_tests_that_swap_differ_in_ties_only() -> None:
    units = count_all(*CORPORA["three systems"])
    for ours, theirs, multeval in [*zip(*(compare_units(units, name, 500) for name in (
            "randomization", "sacrebleu-ar", "multeval")), strict=True)][1:]:
        assert (ours.drawn == theirs.drawn).all() and (multeval.drawn == theirs.drawn).all()
        ties = int((abs(ours.drawn) == abs(ours.difference)).sum())
        assert round((ours.p_value - theirs.p_value) * 501) == ties
        assert multeval.p_value == theirs.p_value


# Ties


def exact_bleu(columns: Sequence[int]) -> Decimal:
    """sacreBLEU's corpus score of summed numbers, to 60 digits."""
    matches, totals, (candidate, reference) = columns[:4], columns[4:8], columns[8:]
    if not any(matches) or not all(totals):
        return Decimal(0)
    with localcontext() as context:
        context.prec = 60
        half, mean = Decimal(1), Decimal(0)
        for match, total in zip(matches, totals, strict=True):
            half = half / 2 if match == 0 else half
            mean += (half / total if match == 0 else Decimal(match) / total).ln() / 4
        short = Decimal(min(0, 1 - Fraction(reference, candidate)).numerator) / (
            min(0, 1 - Fraction(reference, candidate)).denominator or 1
        )
        return (mean + short).exp()


def reached_exactly(one: Units, other: Units, score: Callable[[Any], Any], near: Any) -> int:
    """In how many of all swaps the difference is at least as large, by exact scores."""
    sizes = []
    for swap in all_swaps(len(one)):
        mixed = np.where(swap[:, None], other.columns, one.columns).sum(axis=0).tolist()
        rest = np.where(swap[:, None], one.columns, other.columns).sum(axis=0).tolist()
        sizes.append(abs(score(rest) - score(mixed)))
    return sum(size >= sizes[0] - near for size in sizes)


@pytest.mark.parametrize("segments", [2, 3, 5])
def test_ties_of_pooled_scores_are_exact(segments: int) -> None:
    for seed in range(40 if segments < 5 else 20):
        truth = texts(seed, segments)
        one, other = count_all(
            [spoilt(truth, seed + 1, 0.3), spoilt(truth, seed + 2, 0.3)], [truth]
        )
        expected = reached_exactly(one, other, exact_bleu, Decimal("1e-50"))
        assert count_reached(one, other) == expected, seed


def sentence_values(counts: Counts) -> list[Fraction]:
    """What each segment of a macro dialect adds to the mean, exactly."""
    alone = segment_dialect(counts.dialect, leaves_out(counts.dialect, sentence=False))
    return [Fraction(value) for value in replace(counts, dialect=alone).values()]


@pytest.mark.parametrize("dialect", ["ignite", "ignite-smooth1", "codexglue-smooth", "fast-bleu"])
@pytest.mark.parametrize("segments", [2, 3, 6])
def test_ties_of_macro_scores_are_exact(dialect: str, segments: int) -> None:
    metric = Bleu(dialect)
    for seed in range(20):
        truth = texts(seed, segments)
        pair = [
            metric.count(spoilt(truth, seed + k, 0.3), [[line] for line in truth]) for k in (1, 2)
        ]
        values = [sentence_values(each) for each in pair]
        gaps = [b - a for a, b in zip(*values, strict=True)]
        sizes = [abs(sum(-gap if x else gap for gap, x in zip(gaps, swap, strict=True)))
                 for swap in all_swaps(segments)]  # fmt: skip
        expected = sum(size >= sizes[0] for size in sizes)
        assert count_reached(*map(units_of, pair)) == expected, seed


# Other tools, written out


def moses(one: Units, other: Units, drawn: Any) -> float:
    """The loop of Moses' `bootstrap-hypothesis-difference-significance.pl`."""
    whole = [score_sums(each.dialect, each.columns.sum(axis=0)[None])[0] for each in (one, other)]
    scores = [score_sums(each.dialect, drawn @ each.columns) for each in (one, other)]
    diffs = [abs(b - a) for a, b in zip(*scores, strict=True)]
    average = np.mean(diffs)
    return sum(diff - average >= abs(whole[1] - whole[0]) for diff in diffs) / len(diffs)


@pytest.mark.parametrize("name", ["three systems", "identical", "three segments"])
def test_moses_is_its_loop_on_the_same_draws(name: str) -> None:
    one, other = count_all(*CORPORA[name])[:2]
    drawn = np.concatenate([*draw_resamples(6, 150, len(one))])
    assert compare_units([one, other], "moses", 150, 6)[1].p_value == moses(one, other, drawn)


# What lies beyond sacreBLEU's reach, and what is refused
