"""Resamples are exact or sacreBLEU's, and intervals those of the bootstrap, or none at all."""

import json
import math
import random
import sys
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any
from unittest import mock

import numpy as np
import pytest
from commands import python
from data import (
    PEAK,
    WMT,
    needs,
    systems,
)
from draws import spoilt, texts
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bleu_nb import DIALECTS, Bleu
from bleu_nb.derivation.bleu import BleuStats
from bleu_nb.dialects.definition import value_of
from bleu_nb.dialects.formula_variants import SMOOTHINGS
from bleu_nb.scoring.counts import Counts, counts_of
from bleu_nb.significance import intervals
from bleu_nb.significance import tests as resampling
from bleu_nb.significance.intervals import (
    Interval,
    delta_difference,
    detectable,
    deviation,
    drawn_interval,
    influences_of,
    resample_scores,
    slopes_of,
    standard_error,
)
from bleu_nb.significance.tests import (
    add_draws,
    draw_as_sacrebleu,
    draw_resamples,
    draw_swaps,
    score_sums,
    sum_draws,
    units_of,
)

POOLED = [name for name, row in DIALECTS.items() if not SMOOTHINGS[row.smoothing].uses_last]


def make_corpus(
    segments: int, seed: int = 1, number: int = 2
) -> tuple[list[str], list[list[str]]]:
    """Sentences, and so many references of each that are like them, but shorter by a word."""
    said = texts(seed, segments, 25, 4)
    shorter = [line.partition(" ")[2] for line in said]
    humans = [spoilt(shorter, seed + place, 0.25) for place in range(1, number + 1)]
    return said, [*map(list, zip(*humans, strict=True))]


CORPORA = {
    "empty": ([""] * 6, [["a b"]] * 6),
    "nothing matches": (["a b c d e"] * 7, [["f g h i j"]] * 7),
    "no four-gram": (["a b c x e", "a b"] * 6, [["a b c y e"]] * 12),
    "few four-grams": (["a b c d", "a x c d", "a b y d", "q"] * 6, [["a b c d"], ["a b c e"]] * 12),
}


# Slopes ------------------------------------------------------------------------------------------


def counts_for(name: str, segments: int = 300) -> Counts:
    """Real-looking counts of a dialect."""
    return Bleu(name).count(*make_corpus(segments, 5, 1 if "google" in name else 2))


@pytest.mark.slow
@pytest.mark.parametrize("name", POOLED)
@pytest.mark.parametrize("real", [False, pytest.param(True, marks=needs(WMT / "wmt17"))])
def test_every_dialect_has_the_error_of_its_bootstrap(real: bool, name: str) -> None:
    """2,000 resamples know a standard deviation to 1.6 %; slopes leave out a few per cent more."""
    counts = counts_for(name)
    if real:
        system = next(s for s in systems() if s.pair == "wmt17/en-de" and "LIUM" in s.name)
        counts = Bleu(name).count(system.candidates[:600], system.references[:600])
    interval = counts.interval()
    assert interval and interval.reliable
    assert interval.error == pytest.approx(
        deviation(resample_scores(counts, 2000, 7)), rel=0.08)
    assert interval.low < counts.score().value < interval.high
    if counts.dialect.smoothing in ("exp", "none") and counts.dialect.penalty == "standard":
        assert math.fsum(influences_of(counts)) == pytest.approx(0, abs=1e-6 * interval.scale)


ROW = st.tuples(
    *[st.integers(20, 5000)] * 4, *[st.integers(0, 5000)] * 4,
    st.integers(20, 9000), st.integers(20, 9000),
)  # fmt: skip


@given(ROW)
@example((50, 40, 30, 20, 50, 59, 68, 77, 100, 100))
def test_slopes_are_those_of_the_formula(row: tuple[int, ...]) -> None:
    """Of numbers that any corpus may have; where c is r, the mean of both sides."""
    matches, (c, r) = row[:4], row[8:]
    totals = tuple(m + more for m, more in zip(matches, row[4:8], strict=True))
    stats = BleuStats(matches, totals, c, r)
    dialect = DIALECTS["sacrebleu"]
    score = value_of(dialect, stats, stats, False)[0]
    short = (c < r) + (c == r) / 2
    by_hand = [
        *(score / 4 / m for m in matches), *(-score / 4 / t for t in totals),
        score * r / c**2 * short, -score / c * short,
    ]  # fmt: skip
    assert slopes_of(dialect, stats) == pytest.approx(by_hand, rel=1e-5, abs=1e-9)


def test_few_tokens_may_have_other_weights() -> None:
    """nltk reweighs a corpus of fewer tokens than orders; slopes move the lengths of such a one."""
    dialect = replace(
        DIALECTS["nltk"], reweigh=True, effective_order="always", smoothing="nltk-1")
    interval = counts_of(dialect, [
        BleuStats((1, 0, 0, 0), (1, 1, 1, 1), 1, 1), BleuStats((1, 1, 0, 0), (2, 1, 1, 1), 2, 2),
    ]).interval()
    assert interval and math.isfinite(interval.error) and not interval.reliable


def test_numpy_changes_no_bit(monkeypatch: pytest.MonkeyPatch) -> None:
    all_counts = [counts_for(name, 1000) for name in ("sacrebleu", "coco", "google-bleu", "ignite")]
    assert min(map(len, all_counts)) >= intervals.FOR_NUMPY
    with_numpy = [influences_of(counts) for counts in all_counts]
    monkeypatch.setattr(intervals, "can_import", lambda name: False)
    assert with_numpy == [influences_of(counts) for counts in all_counts]


# Limits ------------------------------------------------------------------------------------------


def test_a_score_of_nothing_has_no_interval() -> None:
    for corpus in ("nothing matches", "empty"):
        counts = Bleu().count(*CORPORA[corpus])
        for method in intervals.METHODS:
            assert counts.interval(method=method, trials=50) is None


def of_bigrams(units: int, matches: int) -> Counts:
    """Counts of so many segments, with so many matches of order 2."""
    rows = [BleuStats((30, 0), (40, 40), 41, 40)] * (units - 1)
    rows.append(BleuStats((30, matches), (40, 140), 41, 40))
    return counts_of(replace(DIALECTS["sacrebleu"], max_order=2), rows)


WHOLE, DRAWN = Bleu().count(*make_corpus(40)), {"method": "percentile"}
FEW: list[tuple[Counts, dict[str, Any], str]] = [
    *((Bleu().count(*CORPORA["few four-grams"]), {"method": method, "trials": 100},
       "only 6 matches of order 4") for method in intervals.METHODS),
    (counts_of("google-bleu", [BleuStats((k % 2,), (9,), 9, 9) for k in range(12)]), {},
     "only 6 matches"),
    *((of_bigrams(*numbers), {}, said) for numbers, said in (
        ((9, 99), "only 9 segments or documents"), ((10, 10), ""),
        ((10, 9), "only 9 matches of order 2"), ((9, 9), "only 9 segments or documents"))),
    *((WHOLE, {"documents": [k // size for k in range(40)]}, said)
      for size, said in ((8, "only 5 segments or documents"), (2, ""))),
    *((WHOLE, {**DRAWN, "trials": trials}, said) for trials, said in (
        (1, "only 1 resample"), (2, "only 2 resamples"), (39, "only 39 resamples"), (40, ""))),
    (WHOLE, {**DRAWN, "trials": np.int32(50), "seed": np.uint8(3)}, ""),
    (WHOLE, {**DRAWN, "trials": 50, "seed": None}, ""),
]


@pytest.mark.parametrize(("counts", "choices", "said"), FEW)
def test_what_is_too_little_makes_an_interval_unreliable(
    counts: Counts, choices: dict[str, Any], said: str
) -> None:
    found = counts.interval(**choices)
    assert found and found.reliable == (not said) and found.warning in repr(found)
    assert found.warning == (f"unreliable: {said}" if said else "")


def test_an_order_without_weight_may_have_no_match() -> None:
    counts = Bleu("nltk", weights=(0.5, 0.5, 0, 0)).count(*CORPORA["no four-gram"])
    assert not counts.pooled()[0].matches[3]
    short = Bleu(effective_order="always").count(["a b"] * 12, [["a b"]] * 12)
    for found in (counts.interval(), short.interval()):
        assert found is None or found.reliable


def test_ends_stay_on_the_scale() -> None:
    perfect = Bleu().count(["a b c d e", "f g h i"], [["a b c d e"], ["f g h i"]])
    around = perfect.interval()
    assert around and around.low <= perfect.score().value <= around.high
    rows = [BleuStats((20,) * 4, (20,) * 4, 20, 20)] * 11 + [BleuStats((9,) * 4, (20,) * 4, 20, 20)]
    high = counts_of("sacrebleu", rows).interval(0.999)
    assert high and high.high == 100 < high.score + high.half_width
    rows = [BleuStats((1,) * 4, (500,) * 4, 500, 20)] * 11 + [
        BleuStats((90,) * 4, (100,) * 4, 100, 20)]
    low = counts_of("papineni", rows).interval(0.999)
    assert low and low.low == 0 > low.score - low.half_width
    assert low.scale == 1 and repr(low).startswith("0.0180 ± ")
    ends = [counts_of("sacrebleu", [BleuStats((each,) * 4, (100,) * 4, 100, 90)] * 11 + [
        BleuStats((99,) * 4, (100,) * 4, 100, 90)]) for each in (1, 100)]
    gap = delta_difference(*ends, 0.9999)
    assert gap and gap.high == 100 < gap.score + gap.half_width


DRAWING = ("percentile",)
NO_DOCUMENTS = r"documents\[3\] is (None|nan|np.float64\(nan\)): pass a label for every segment"
BAD: list[tuple[Any, dict[str, Any], Any, str]] = [  # Methods, arguments
    *((("delta", "percentile"), {"confidence": share}, ValueError, "confidence must be between 0")
      for share in (
          0, 1, -0.5, 95, math.nan, math.inf, Fraction(1, 10**400), 1 - Fraction(1, 10**30))),
    (["delta"], {"confidence": "0.95"}, TypeError, "confidence must be a number between 0 and 1"),
    (["delta"], {"confidence": 0.9999999999999999}, ValueError, "too close to 1"),
    (DRAWING, {"trials": 0}, ValueError, "trials must be at least 1, not 0"),
    (DRAWING, {"trials": -5}, ValueError, "trials must be at least 1, not -5"),
    (DRAWING, {"trials": 10.0}, TypeError, "trials must be an int, not 10.0"),
    (DRAWING, {"trials": None}, TypeError, "trials must be an int, not None"),
    (DRAWING, {"trials": True}, TypeError, "trials must be an int, not True"),
    (DRAWING, {"trials": 10**12}, ValueError, "trials must be at most 1,000,000: more trials"),
    (DRAWING, {"seed": 1.5}, TypeError, "seed must be an int, not 1.5"),
    (DRAWING, {"seed": "1"}, TypeError, "seed must be an int, not '1'"),
    (DRAWING, {"seed": -1}, ValueError, "seed must be at least 0, not -1"),
    *((["delta"], {"documents": documents}, kind, said) for documents, kind, said in (
        (range(39), ValueError, "documents has 39 labels for 40 segments"),
        (["a"] * 40, ValueError, "all segments belong to one document"),
        *((["a", "a", "b", label, *"c" * 36], ValueError, NO_DOCUMENTS)
          for label in (None, math.nan, np.float64("nan"))),
        ("ab" * 20, TypeError, "documents must be a list with one label per segment"),
        ([["a"]] * 40, TypeError, r"documents\[0\] must be a string or a number"))),
]  # fmt: skip


@pytest.mark.parametrize(("methods", "arguments", "kind", "said"), BAD)
def test_bad_arguments_are_refused(methods: Any, arguments: Any, kind: Any, said: str) -> None:
    for method in methods:
        with pytest.raises(kind, match=said):
            WHOLE.interval(method=method, **arguments)


SPREADS = (lambda counts: delta_difference(counts, counts),
           *(partial(Counts.interval, method=each) for each in intervals.METHODS))


@pytest.mark.parametrize(("calls", "counts", "kind", "said"), [
    (SPREADS, WHOLE[:0], ValueError, "at least two segments|empty corpus"),
    (SPREADS, WHOLE[:1], ValueError, "at least two segments"),
    ([units_of, *SPREADS], WHOLE.pooled(), TypeError, "40 segments were pooled into one row"),
    *(([units_of, *SPREADS], Bleu("nltk", smoothing=name).count(*make_corpus(12)), ValueError,
       "a resample has no last segment") for name, each in SMOOTHINGS.items() if each.uses_last),
])  # fmt: skip
def test_counts_that_have_no_spread_are_refused(
    calls: Any, counts: Counts, kind: Any, said: str
) -> None:
    for call in calls:
        with pytest.raises(kind, match=said):
            call(counts)


def test_a_confidence_is_shown_whatever_its_type() -> None:
    counts = Bleu().count(*make_corpus(30))
    for method in intervals.METHODS:
        found, wanted = (counts.interval(share, method) for share in (Fraction(19, 20), 0.95))
        assert repr(found) == repr(wanted) and json.dumps(vars(found)) == json.dumps(vars(wanted))
    beside = delta_difference(counts, counts[::-1], Fraction(9, 10))  # type: ignore[arg-type]
    assert beside and isinstance(beside.confidence, float)


def test_copies_in_a_document_say_nothing_new() -> None:
    counts = Bleu().count(*make_corpus(50))
    once, thrice = counts.interval(), (counts + counts + counts)
    again = thrice.interval(documents=[*range(50)] * 3)
    assert once and again and again.error == pytest.approx(once.error, rel=1e-6)
    by_segment = thrice.interval()
    assert by_segment and by_segment.error < 0.6 * once.error
    ends = [drawn_interval(thrice, groups=[*range(50)] * 3), drawn_interval(counts)]
    assert [*map(vars, ends[:1])] == [*map(vars, ends[1:])]


def test_an_interval_shows_itself() -> None:
    theirs = Interval(9, 11, method="percentile", mean=10, score=12, reach=1, warning="x")
    assert [*map(repr, (Interval(-0.4, 0.5, 0.999, score=0.05), theirs, Interval(1, 2)))] == [
        "0.05 ± 0.45 (−0.40 to 0.50; 99.9 %, delta)",
        "12.00 ± 1.00 (9.00 to 11.00; 95 %, percentile; x)",
        "1.50 ± 0.50 (1.00 to 2.00; 95 %, delta)"]


# Differences -------------------------------------------------------------------------------------


def test_the_interval_of_a_difference() -> None:
    """Of systems that share most of their mistakes."""
    candidates, references = make_corpus(200, 8)
    dice = random.Random(3)
    others = [
        " ".join(word if dice.random() < 0.9 else "xx" for word in line.split())
        for line in candidates
    ]
    one, other = (Bleu().count(each, references) for each in (candidates, others))
    found = delta_difference(one, other)
    assert found
    assert found.score == other.score().value - one.score().value
    units = [units_of(one), units_of(other)]
    first, second = (
        score_sums(each.dialect, sums)
        for each, sums in zip(units, sum_draws(units, draw_resamples(7, 2000, 200)), strict=True)
    )
    assert found.error == pytest.approx((second - first).std(), rel=0.08)
    assert found.error < 0.8 * math.hypot(
        *(standard_error(influences_of(each)) for each in (one, other)))
    back = delta_difference(other, one)
    assert back and (back.low, back.high) == (-found.high, -found.low)


def test_power() -> None:
    """Of estimates that vary by 1, four of five are further from 0 than 0.05 asks."""
    assert detectable(1) == pytest.approx(2.8016, abs=1e-4)
    assert detectable(0.37) == pytest.approx(0.37 * detectable(1))


# Draws and sums ----------------------------------------------------------------------------------


@given(st.integers(2, 6), st.integers(1, 6), st.data())
@settings(max_examples=60)
def test_sums_are_exact(units: int, trials: int, data: st.DataObject) -> None:
    """Whole numbers of any size, against Python's own."""
    big = st.one_of(
        st.integers(0, 40), st.integers(2**23, 2**25), st.integers(2**52, 2**54),
        st.integers(0, 2**58))  # fmt: skip
    columns = data.draw(st.lists(st.tuples(big, big), min_size=units, max_size=units))
    draws = data.draw(st.lists(
        st.lists(st.integers(0, 4), min_size=units, max_size=units),
        min_size=trials, max_size=trials))  # fmt: skip
    wanted = [
        [sum(often * row[place] for often, row in zip(drawn, columns, strict=True))
         for place in range(2)] for drawn in draws
    ]  # fmt: skip
    if max(map(max, wanted)) < 2**62:
        [sums] = add_draws([np.array(draws)], np.array(columns))
        assert sums.tolist() == wanted
        with mock.patch.object(resampling, "ADDED_AT_ONCE", 2):
            each = add_draws((np.array([drawn]) for drawn in draws), np.array(columns))
            assert np.concatenate([*each]).tolist() == wanted
    elif max(map(max, wanted)) >= 2**63:
        with pytest.raises(ValueError, match="too large"):
            next(add_draws([np.array(draws)], np.array(columns)))


@given(st.lists(st.floats(0, 1e6), min_size=1, max_size=30), st.randoms())
def test_sums_of_fractions_do_not_know_their_order(numbers: list[float], dice: Any) -> None:
    cut = resampling.cut_floats(np.array(numbers))
    order = dice.sample(range(len(numbers)), len(numbers))
    [there] = resampling.join_floats(cut.sum(axis=0)[None])
    [back] = resampling.join_floats(cut[order].sum(axis=0)[None])
    assert there == back
    assert there == pytest.approx(float(sum(map(Fraction, numbers))), rel=1e-15, abs=1e-14)


@pytest.mark.parametrize("units", [2, 3, 63, 64, 65, 1000])
@pytest.mark.parametrize("draw", [draw_swaps, draw_resamples, draw_as_sacrebleu])
def test_blocks_change_no_draw(draw: Any, units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.concatenate([*draw(5, 67, units)])
    for block in (1, 3 * units, 7 * units + 1):
        monkeypatch.setattr(resampling, "DRAWN_AT_ONCE", block)
        monkeypatch.setattr(resampling, "LEAST_TRIALS", 1)
        blocks = [*draw(5, 67, units)]
        assert len(blocks) > 5
        assert np.array_equal(np.concatenate(blocks), whole)
    assert not np.array_equal(np.concatenate([*draw(6, 67, units)]), whole)


LARGE = (
    """
import numpy as np
from bleu_nb.dialects.table import dialect_with
from bleu_nb.significance.tests import Units, draw_resamples, score_sums, sum_draws
rows = np.random.PCG64(1).random_raw(1_000_000).reshape(100_000, 10) % 30
units = [Units(dialect_with("sacrebleu", {}), rows.astype(np.int64)) for _ in range(2)]
sums = sum_draws(units, draw_resamples(1, 1000, 100_000))
assert [len(score_sums(units[0].dialect, each)) for each in sums] == [1000, 1000]
"""
    + PEAK
)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no resource module")
def test_memory_for_100000_segments() -> None:
    assert float(python(LARGE)) < 250
