"""What stands between text and every score: cut, added, scored, signed and sent away."""

import copy
import json
import pickle
import re
import sys
import threading
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain, pairwise, product
from typing import Any
from unittest import mock

import numpy as np
import pytest
from commands import python
from data import oracle
from hypothesis import assume, example, given
from hypothesis import strategies as st
from noted import noted
from strategies import ENGINES, SHORT, Corpus, a_corpus, exact, in_chunks

from bleu_nb import DIALECTS, Bleu, BleuScore, BleuStats, Dialect, sentence_bleu
from bleu_nb.derivation.tokenizer_13a import tokenize_13a
from bleu_nb.dialects.definition import count as count_by_definition
from bleu_nb.dialects.definition import counted_order, leaves_out, score_statistics
from bleu_nb.dialects.more_tokenizers import tokenizer_version
from bleu_nb.dialects.signatures import signature
from bleu_nb.dialects.table import CHOICES, dialect_with
from bleu_nb.engines.bits import split_13a
from bleu_nb.scoring import counts as count_scores
from bleu_nb.scoring.counts import (
    COLUMNS,
    EXACT_IN_FLOATS,
    Counts,
    choices_counted,
    counts_of,
    width_of,
)
from bleu_nb.scoring.metric import score_sentence
from bleu_nb.scoring.registry import FOR_NUMPY

ALL = ["definition", *ENGINES]
OUTPUTS = ["the cat sat on the mat", "a dog", "", "it was asleep , I think", "a b c d e f"]
HUMANS = [
    ["the cat sat on a mat", "a cat"], ["a dog barked"], ["x", None, ""],
    ["it slept , I think"], ["a b c d e g"],
]  # fmt: skip

# Every kind of row that keeps, counts, adds or scores in a way of its own.
HOSTILE: dict[str, dict[str, Any]] = {
    "sacrebleu": {},
    "sacrebleu-1, lifted": {"dialect": "sacrebleu-1", "least_total": 1},
    "lower case": {"lowercase": True, "casing": "letters"},
    "google-bleu": {"dialect": "google-bleu"},
    "google-bleu of bigrams": {"dialect": "google-bleu", "max_order": 2},
    "google-bleu, averaged": {"dialect": "google-bleu", "average": "segments"},
    "nltk-5": {"dialect": "nltk", "smoothing": "nltk-5"},
    "nltk-7, order 6": {"dialect": "nltk", "smoothing": "nltk-7", "max_order": 6},
    "nltk-5, bigrams": {"dialect": "nltk", "smoothing": "nltk-5", "max_order": 2},
    "nltk-5, averaged": {"dialect": "nltk", "smoothing": "nltk-5", "average": "segments"},
    "ignite": {"dialect": "ignite"},
    "codexglue-smooth": {"dialect": "codexglue-smooth", "lowercase": False},
    "weights": {"weights": (0.1, 0.3, 0.6), "arithmetic": "weighted"},
    "mteval": {"dialect": "mteval-v13a", "lowercase": False},
    "fairseq": {"dialect": "fairseq"},
    "add-k of nothing": {"smoothing": "add-k", "smoothing_value": 0},
}  # fmt: skip
KINDS = pytest.mark.parametrize("kind", HOSTILE)
KIND = st.sampled_from([kind for kind in HOSTILE if kind != "lower case"])    # Of token lists
PLACES = st.lists(st.integers(0, 6), max_size=3)


def a_metric(kind: str, engine: str = "auto", **choices: Any) -> Bleu:
    """A metric of a hostile kind."""
    return Bleu(engine=engine, **{**HOSTILE[kind], **choices})


def can_count(kind: str, engine: str) -> bool:
    """Whether an engine counts for a row."""
    return a_metric(kind).dialect.counting == "clipped" or engine in ("definition", "bits")


def counted(kind: str = "sacrebleu", **choices: Any) -> Counts:
    """Counts of five segments of text."""
    return a_metric(kind, **choices).count(OUTPUTS, HUMANS)


def cut(counts: Counts, places: Iterable[int]) -> list[Counts]:
    """Counts in parts, some perhaps empty."""
    ends = [0, *sorted(min(place, len(counts)) for place in places), len(counts)]
    return [counts[start:end] for start, end in pairwise(ends)]


# Every score comes from counts --------------------------------------------------------------------


def check_scores(metric: Bleu, corpus: Corpus) -> Counts:
    """Compare the scores of counts with those of a metric."""
    counts = metric.count(*corpus)
    assert len(counts) == counts.segments == len(corpus[0])
    assert exact(counts.score()) == exact(metric(*corpus))
    sentences = [metric.sentence(*pair) for pair in zip(*corpus, strict=True)]
    assert exact(counts.sentences()) == exact(sentences)
    assert repr(counts.values()) == repr([score.value for score in sentences])
    assert exact([*counts]) == exact([counts[place] for place in range(-len(counts), 0)]) == (
        exact([score.stats for score in sentences]))
    return counts


@pytest.mark.parametrize("engine", ALL)
@given(corpus=SHORT, kind=KIND)
def test_every_score_of_token_lists(engine: str, corpus: Corpus, kind: str) -> None:
    assume(can_count(kind, engine))
    slow = check_scores(a_metric(kind, "definition"), corpus)
    with in_chunks(7, 20):
        assert check_scores(a_metric(kind, engine), corpus) == slow


ROWS = st.tuples(
    st.sampled_from([0, 0, 1, 2, 3, 4, 5, 9, 70, 1500]),
    st.lists(st.sampled_from([0, 0, 1, 2, 5, 1500]), min_size=9, max_size=9),
    st.sampled_from([0, 1, 2, 3, 5, 80, 3000]),
)
SCORING = st.fixed_dictionaries({
    "max_order": st.integers(1, 9), "least_total": st.sampled_from([0, 1]),
    "unmatched": st.sampled_from(["zero", "zero per order", "smoothed"]),
    "effective_order": st.sampled_from(["never", "sentences", "always"]),
    "scale": st.sampled_from([1, 100]),
    "smoothing": st.sampled_from(["none", "exp", "floor", "add-k"]),
})  # fmt: skip
VALUES = [None, 0, 0.1, 1, 3.3, 5e-324, 1e-300, 1e-100, 1e100, 1e101, 1e308]


def outcome(counts: Counts) -> str:
    """Values with every digit, or the words of the error."""
    try:
        return repr(counts.values())
    except ValueError as error:
        return str(error)


@given(rows=st.lists(ROWS, min_size=1, max_size=9), choices=SCORING, value=st.sampled_from(VALUES))
@example([(3, [0] * 9, 3)], {"smoothing": "floor", "unmatched": "smoothed", "scale": 1}, 5e-324)
@example([(3, [0] * 9, 3)], {"smoothing": "floor", "unmatched": "smoothed"}, 1e308)
def test_arrays_give_the_values_of_the_definition(
    rows: list[tuple[int, list[int], int]], choices: dict[str, Any], value: float | None
) -> None:
    """A tiny number of a smoother was a math domain error in arrays, and 0 by definition."""
    if choices["smoothing"] in ("floor", "add-k"):
        choices = {**choices, "smoothing_value": value}
    row = replace(DIALECTS["sacrebleu"], **choices)
    stats = []
    for length, matched, reference in rows:
        there = [max(length - order, 0) for order in range(row.max_order)]
        stats.append(BleuStats(
            tuple(map(min, matched, there)),
            tuple(max(total, row.least_total) for total in there), length, reference))
    told = []
    for threshold in (1 << 60, 0):
        with mock.patch.multiple(
                count_scores, FOR_NUMPY=threshold, FOR_LOADED_NUMPY=threshold):
            told.append(outcome(counts_of(row, stats)))
    assert told[0] == told[1]


@pytest.mark.parametrize(("started", "least"), [
    (set(), FOR_NUMPY), ({"numba"}, count_scores.FOR_LOADED_NUMPY)])
def test_few_segments_are_scored_by_numpy_where_an_engine_has_loaded_it(
    started: set[str], least: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_scores, "STARTED", started)
    assert [count_scores.use_numpy(USUAL, number) for number in (least - 1, least)] == [False, True]


# Choosing -----------------------------------------------------------------------------------------


@given(
    kind=KIND, bounds=st.slices(5), mask=st.lists(st.booleans(), min_size=5, max_size=5),
    places=st.lists(st.integers(-5, 4), max_size=12),
)  # fmt: skip
def test_segments_are_chosen_as_from_a_list(
    kind: str, bounds: slice, mask: list[bool], places: list[int]
) -> None:
    counts = counted(kind)
    rows, numbers = [*counts], [*counts.reference_numbers]
    for some, expected in (
        (counts[bounds], rows[bounds]),
        (counts[mask], [row for row, there in zip(rows, mask, strict=True) if there]),
        (counts.take(places), [rows[place] for place in places]),
    ):
        assert isinstance(some, Counts) and exact([*some]) == exact(expected)
    assert counts[np.array(mask)] == counts[iter(mask)] == counts[np.array(mask, object)] == (
        counts[[*map(np.bool_, mask)]]) == counts[mask]
    assert [counts[np.int64(place)] for place in places] == [rows[place] for place in places]
    assert counts[places] == counts.take(np.array(places, np.int32)) == (
        counts.take(each for each in places)) == counts.take(places)
    assert [*counts.take(places).reference_numbers] == [numbers[place] for place in places]


NOT_THERE: list[tuple[Any, type[Exception], str]] = [
    *((which, TypeError, "segments are selected by indices, a slice, or") for which in (
        "abc", "", b"\0", 1.5, None, ..., [1.5], [None], ["0"], [True, 0, 1, 1, 0], {0}, {0: 1},
        np.array(1), np.array([[0, 1]]), [[0]], object())),
    (5, IndexError, "no segment 5: there are 5"), (-6, IndexError, "no segment -6: there are 5"),
    (10**30, IndexError, "there are 5"), ([0, 5], IndexError, "no segment 5: there are 5"),
    ([-6], IndexError, "no segment -6: there are 5"), (np.array([7]), IndexError, "no segment 7"),
    ([True], IndexError, "a mask of 1 for 5 segments"),
    ([False] * 6, IndexError, "a mask of 6 for 5 segments"),
]  # fmt: skip


@pytest.mark.parametrize(("which", "error", "message"), NOT_THERE)
def test_what_names_no_segments_is_refused(which: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        counted()[which]
    if error is TypeError:
        with pytest.raises(error, match=message):
            counted().take(which)


# Adding -------------------------------------------------------------------------------------------


@given(corpus=SHORT, kind=KIND, places=PLACES, by_rows=st.lists(st.booleans(), min_size=4))
def test_parts_add_up_to_the_whole_and_pooled_ones_to_its_sum(
    corpus: Corpus, kind: str, places: list[int], by_rows: list[bool]
) -> None:
    metric = a_metric(kind, "bits")
    whole = metric.count(*corpus)
    parts = cut(whole, places)
    assert sum(parts, counts_of(metric.dialect, [])) == whole == sum(parts[1:], parts[0])
    assume(metric.dialect.average == "pooled")
    pooled = whole.pooled()
    assert (len(pooled), pooled.segments) == (1, len(corpus[0]))
    total, *more = (part if rows else part.pooled()
                    for part, rows in zip(parts, by_rows, strict=False))
    total = sum(more, total)
    assert total.pooled() == pooled == pooled.pooled()
    assert exact(total.score()) == exact(pooled.score()) == exact(metric(*corpus))


@pytest.mark.parametrize("kind", ["google-bleu", "nltk-5", "sacrebleu"])
def test_the_last_segment_of_the_right_operand_counts(kind: str) -> None:
    for step in (1, -1):
        some, text = counted(kind)[::step], (OUTPUTS[::step], HUMANS[::step])
        for both in (some[:2] + some[2:], some[:2].pooled() + some[2:],
                     some[:2] + some[2:].pooled(), some.pooled() + some[:0],
                     some.pooled() + some[:0].pooled(), some[:0].pooled() + some):
            assert exact(both.score()) == exact(a_metric(kind)(*text))


@pytest.mark.parametrize("kind", [kind for kind in HOSTILE
                                  if a_metric(kind).dialect.average == "segments"])
def test_a_mean_of_scores_keeps_its_rows(kind: str) -> None:
    counts = counted(kind)
    usual = replace(counts.dialect, average="pooled")
    for pool in (counts.pooled, lambda: counts.under(usual).pooled().under(counts.dialect)):
        with pytest.raises(ValueError, match="averages the scores of segments, so it needs"):
            pool()
    assert exact(counts.under(usual).pooled().score()) == exact(
        Bleu(usual)(OUTPUTS, HUMANS))


COUNTING_CHOICES: dict[str, dict[str, Any]] = {
    "reading": {"reading": "unicode"}, "tokenizer": {"tokenizer": "char"},
    "lowercase": {"lowercase": True},
    "casing": {"casing": "letters"}, "strip": {"strip": False}, "max_order": {"max_order": 3},
    "reference_length": {"reference_length": "shortest"}, "least_total": {"least_total": 1},
    "end_token": {"end_token": True}, "counting": {"dialect": "google-bleu"},
}  # fmt: skip
SCORING_CHOICES: dict[str, dict[str, Any]] = {
    "smoothing": {"smoothing": "floor"}, "average": {"average": "segments"},
    "smoothing_value": {"smoothing": "floor", "smoothing_value": 0.3},
    "unmatched": {"unmatched": "smoothed"}, "effective_order": {"effective_order": "never"},
    "penalty": {"penalty": "none"}, "scale": {"scale": 1}, "digits": {"digits": 2},
    "arithmetic": {"arithmetic": "weighted"},
    "reweigh": {"arithmetic": "weighted", "reweigh": True},
    "weights": {"arithmetic": "weighted", "weights": (0.1, 0.2, 0.3, 0.4)},
}  # fmt: skip


def test_the_choices_below_are_all_there_are() -> None:
    assert {*COUNTING_CHOICES, *SCORING_CHOICES} == {*CHOICES}
    assert {*COUNTING_CHOICES} == choices_counted(DIALECTS["google-bleu"])


@pytest.mark.parametrize("name", [*COUNTING_CHOICES, *SCORING_CHOICES])
@pytest.mark.parametrize("average", ["pooled", "segments"])
def test_what_was_counted_or_is_scored_differently_does_not_add(name: str, average: str) -> None:
    choices = {**COUNTING_CHOICES, **SCORING_CHOICES}[name]
    if name == "average" and average == "segments":
        choices = {"average": "pooled"}
    metrics = Bleu(average=average), Bleu(**{"average": average, **choices})
    for metric in metrics:
        metric.update(OUTPUTS, HUMANS)
    one, other = (metric.seen for metric in metrics)
    before = exact(metrics[0].compute())
    for add, more in ((one.__add__, other), (other.__add__, one), (metrics[0].merge, metrics[1]),
                      (one.__add__, metrics[1].count(["a"], [["a"]]))):
        with pytest.raises(ValueError, match=f"these differ in .*{name}"):
            add(more)  # type: ignore[operator]
    assert exact(metrics[0].compute()) == before


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("kind", ["sacrebleu", "ignite", "google-bleu"])
def test_text_and_token_lists_do_not_add(kind: str, engine: str) -> None:
    """A metric that keeps rows took both, and so did `count` of a stream."""
    metric, other = (a_metric(kind, engine if can_count(kind, engine) else "auto")
                     for _ in range(2))
    text, tokens = metric.count(["a b"], [["a b"]]), metric.count([["a"]], [[["a"]]])
    metric.update(["a b"], [["a b"]])
    other.update([["a"]], [[["a"]]])
    for order, add in (
        ("text after token lists: pass all segments", lambda: tokens + text),
        *(("token lists after text: pass all segments", each) for each in (
            lambda: text + tokens, lambda: metric.update([["a"]], [[["a"]]]),
            lambda: metric.merge(other))),
        *(("text", partial(use, iter(["a", ["b"]]), iter([["a"], [["b"]]])))
          for use in (metric, metric.count, metric.update)),
    ):
        with (mock.patch("bleu_nb.dialects.input_checks.PIECE", 1),
              pytest.raises(TypeError, match=order)):
            add()
    assert exact(metric.compute()) == exact(text.score())


def test_somebody_who_knows_what_was_passed_is_believed() -> None:
    known = counted()
    told = counts_of(known.dialect, [*known], [*known.reference_numbers])
    for both in (known + told, told + known, known.pooled() + told, told.pooled() + known):
        assert (known.tokenized, told.tokenized, both.tokenized) == (False, None, False)
    unsigned = known + counts_of(known.dialect, [*known])
    assert (len(unsigned.reference_numbers), unsigned.score().signature) == (0, "")


@pytest.mark.parametrize("other", [5, None, "a", [1], Bleu()])
def test_anything_else_does_not_add(other: Any) -> None:
    for add in (lambda: counted() + other, lambda: other + counted()):
        with pytest.raises(TypeError, match=r"can only|unsupported operand|must be str"):
            add()
    assert counted() != other


# Rows from elsewhere ------------------------------------------------------------------------------

USUAL = DIALECTS["sacrebleu"]
ROW = BleuStats((2, 1, 0, 0), (2, 1, 0, 0), 2, 3)
MOST = EXACT_IN_FLOATS - 1      # Of a column
WRONG_ROWS: dict[str, tuple[Any, type[Exception], str]] = {
    "nothing": ([None], TypeError, r"rows\[0\] must be BleuStats, not NoneType"),
    "text": (["a b"], TypeError, "must be BleuStats, not str"),
    "too few orders": ([replace(ROW, matches=(1,))], ValueError, "has 1 orders, but sacrebleu c"),
    "too many orders": (
        [replace(ROW, matches=(0,) * 5, totals=(0,) * 5)], ValueError, "has 5 orders, but"),
    "half a token": (
        [ROW, replace(ROW, reference_length=2.5)], ValueError, r"rows\[1\] has a reference of 2.5"),
    "no number": ([replace(ROW, reference_length=float("nan"))], ValueError, "pass a whole number"),
    "endless": ([replace(ROW, reference_length=float("inf"))], ValueError, "pass a whole number"),
    "floats": (
        [replace(ROW, matches=(1.5, 0, 0, 0))], ValueError, "not a column of counts: .*float"),
    "letters": ([replace(ROW, matches=("a",) * 4)], ValueError, "not a column of counts: "),
    "below 0": ([replace(ROW, candidate_length=-1)], ValueError,
        "not counts: a column ranges from -1"),
    "too large": ([replace(ROW, candidate_length=1 << 80)], ValueError, "not a column of counts: "),
    "too many": ([replace(ROW, totals=(1 << 52,) * 4)], ValueError, "less than 9,007,199,254"),
    "what floats do not hold exactly": (
        [replace(ROW, reference_length=MOST), replace(ROW, reference_length=1)], ValueError,
        "not counts: a column ranges from"),
    **{f"numbers of references {numbers}": (
        numbers, ValueError, "numbers of references for 2 segments: pass one number")
        for numbers in ((1,), (1, 1, 1), (0, 1), (1, -1))},
    "too many to add": ([replace(ROW, candidate_length=1 << 46)] * 200, ValueError, "sum less"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_ROWS)
def test_rows_that_nobody_counted_are_refused(name: str) -> None:
    wrong, error, message = WRONG_ROWS[name]
    with pytest.raises(error, match=message):
        counts_of(USUAL, *(([ROW, ROW], wrong) if isinstance(wrong, tuple) else [wrong]))


def test_rows_of_a_generator_and_whole_floats_are_taken() -> None:
    counts = counts_of("sacrebleu", iter([ROW, replace(ROW, reference_length=3.0)]),
                       np.array([2, 1]))
    assert (exact([*counts]), [*counts.reference_numbers]) == (exact([ROW, ROW]), [2, 1])
    assert len(counts_of(USUAL, [replace(ROW, reference_length=MOST)])) == 1


# Under another row --------------------------------------------------------------------------------


@KINDS
def test_the_same_counts_score_under_other_rows(kind: str) -> None:
    counts = counted(kind)
    for choices in SCORING_CHOICES.values():
        row = dialect_with(replace(
            counts.dialect, weights=None, smoothing_value=None, reweigh=False), choices)
        if (width_of(row) <= width_of(counts.dialect)
                and row.max_order <= counts.dialect.max_order
                and (row.counting == "clipped" or row.max_order == counts.dialect.max_order)):
            under, expected = counts.under(row), Bleu(row).count(OUTPUTS, HUMANS)
            assert under == expected and repr(under.values()) == repr(expected.values())
            assert exact(under.score()) == exact(Bleu(row)(OUTPUTS, HUMANS))


@pytest.mark.parametrize("order", [1, 2, 3])
def test_lower_orders_are_a_part_of_higher_ones(order: int) -> None:
    row = replace(USUAL, max_order=order)
    expected = Bleu(row).count(OUTPUTS, HUMANS)
    assert counted().under(row) == expected
    assert counted().pooled().under(row) == expected.pooled()
    assert counted()[:0].under(row) == expected[:0]
    with pytest.raises(ValueError, match="sacrebleu counts differently, in orders: count the text"):
        expected.under("sacrebleu")


OTHERWISE: list[tuple[str, Any, type[Exception], str]] = [
    *(("sacrebleu", Bleu(**choices).dialect, ValueError,
       f"counts differently, in .*{name}.*: count the text with")
      for name, choices in COUNTING_CHOICES.items() if name != "max_order"),
    # A pot of four orders was scored as one of two
    *((one, a_metric(other).dialect, ValueError, "google-bleu counts differently, in max_order")
      for one, other in pairwise(["google-bleu", "google-bleu of bigrams", "google-bleu"])),
    *(("sacrebleu", row, TypeError, "dialect must be a name or a Dialect")
      for row in (None, 5, {}, ["sacrebleu"])),
]


@pytest.mark.parametrize(("kind", "row", "error", "message"), OTHERWISE)
def test_counts_of_another_way_are_refused(kind: str, row: Any, error: Any, message: str) -> None:
    with pytest.raises(error, match=message):
        counted(kind).under(row)


# Columns and arrays -------------------------------------------------------------------------------


@KINDS
@pytest.mark.parametrize("engine", ALL)
def test_arrays_are_the_same_memory(kind: str, engine: str) -> None:
    counts = counted(kind, engine=engine if can_count(kind, engine) else "auto")
    width, whole = width_of(counts.dialect), counts.arrays()
    for some in (counts, counts[1:4], counts[:0], counts.take([1, 1])):
        arrays = some.arrays()
        assert {name: array.shape for name, array in arrays.items()} == {
            name: (len(some), width) if name in COLUMNS[:2] else (len(some),)
            for name in COLUMNS[:4]}
        for name, array in arrays.items():
            held = np.asarray(getattr(some, name))
            assert array.ravel().tolist() == held.tolist()
            assert not len(some) or np.shares_memory(array, held)
            with pytest.raises(ValueError, match="read-only"):
                array[...] = 9
    assert all(np.shares_memory(array, whole[name])
               for name, array in counts[1:4].arrays().items())


def test_counts_do_not_change() -> None:
    counts = counted()
    for change in (lambda: setattr(counts, "dialect", USUAL),
                   lambda: counts.matches.__setitem__(0, 9), lambda: hash(counts)):
        with pytest.raises((AttributeError, TypeError)):
            change()


# Leaving the process ------------------------------------------------------------------------------


@KINDS
def test_counts_are_pickled(kind: str) -> None:
    counts = counted(kind)
    some = [counts, counts[1:3], counts[:0], counts[::-2]]
    if counts.dialect.average == "pooled":
        some += [counts.pooled(), counts[:0].pooled()]
    for each, protocol in product(some, range(2, pickle.HIGHEST_PROTOCOL + 1)):
        again = pickle.loads(pickle.dumps(each, protocol))
        assert again == each and again + again == each + each
    assert copy.copy(counts) == copy.deepcopy(counts) == counts


def test_a_pickle_is_small() -> None:
    counts = Bleu().count(*a_corpus(4000))
    assert sum(getattr(counts, name).nbytes for name in COLUMNS) == 4000 * 88
    size = len(pickle.dumps(counts))
    assert size < 10 * len(counts)      # Bytes of random text (9.0 on Python 3.11); 88 in memory
    assert len(pickle.dumps(counts[:40])) < size / 20   # Not the memory that it is a view of
    assert len(pickle.dumps(counts.pooled())) < 1000


@KINDS
def test_a_metric_is_pickled_with_what_it_has_seen(kind: str) -> None:
    metric = a_metric(kind, threads=2)
    metric.update(OUTPUTS[:2], HUMANS[:2])
    again = pickle.loads(pickle.dumps(metric))
    assert (again.dialect, again.engine, again.threads) == (metric.dialect, "auto", 2)
    for each in (metric, again, copy.deepcopy(metric)):
        each.update(OUTPUTS[2:], HUMANS[2:])
        assert exact(each.compute()) == exact(a_metric(kind)(OUTPUTS, HUMANS))


@pytest.mark.parametrize("tokenizer", [str.split, lambda text: text.split()])
def test_what_only_this_process_knows_stays_here(tokenizer: Any, tmp_path: Any) -> None:
    metric = Bleu(replace(USUAL, tokenizer=tokenizer))
    metric.update(OUTPUTS, HUMANS)
    counts = metric.count(OUTPUTS, HUMANS)
    for leave in (partial(pickle.dumps, counts), partial(pickle.dumps, metric.seen),
                  partial(counts.save, tmp_path / "a"), partial(metric.save, tmp_path / "a")):
        with pytest.raises(ValueError, match="cannot be saved or sent: give sacrebleu the name"):
            leave()
    assert [*tmp_path.iterdir()] == []
    assert copy.deepcopy(metric).compute() == copy.copy(counts).score() == counts.score()
    with pytest.raises(ValueError, match="these differ in"):
        counts + counted()


def test_the_library_behind_a_tokenizer_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two versions of MeCab's dictionary may split differently."""
    assert {tokenizer_version(name) for name in ("13a", "none", "mteval-intl", str.split)} == {""}
    for module in ("sacrebleu", "MeCab", "ipadic"):
        oracle(module)
    metric = Bleu(tokenizer="ja-mecab")
    texts = ["海は何も忘れない。"], [["海は忘れない。"]]
    ours = metric.count(*texts)
    assert re.fullmatch(r"sacrebleu [\d.]+( [\w-]+ [\d.]+)* ipadic [\d.]+", ours.version)
    assert ours.version == pickle.loads(pickle.dumps(ours)).version
    assert metric.count([["a"]], [[["a"]]]).version == ""
    monkeypatch.setattr("bleu_nb.scoring.metric.tokenizer_version", lambda tokenizer: "ipadic 9.9")
    with pytest.raises(ValueError, match=r"the other with 'ipadic 9.9': count both with the same"):
        ours + metric.count(*texts)


# What a metric has seen ---------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sacrebleu", "ignite", "google-bleu", "nltk"])
def test_threads_lose_no_segment(name: str) -> None:
    metric, whole = Bleu(name), Bleu(name)
    texts = [["a b c d e f g"[:2 * ((number + step) % 7) + 1] for step in range(250)]
             for number in range(8)]
    start, interval = threading.Barrier(8), sys.getswitchinterval()

    def updating(number: int) -> None:
        start.wait()
        for text in texts[number]:
            metric.update([text] * 4, [["a b c d e"]] * 4)

    sys.setswitchinterval(1e-5)
    try:
        with ThreadPoolExecutor(8) as pool:
            assert [*pool.map(updating, range(8))] == [None] * 8
    finally:
        sys.setswitchinterval(interval)
    whole.update([*chain(*texts)] * 4, [["a b c d e"]] * 8000)
    assert metric.compute().stats == whole.compute().stats
    assert metric.compute().value == pytest.approx(whole.compute().value, rel=1e-12)


@pytest.mark.parametrize("name", ["sacrebleu", "ignite"])
def test_a_metric_merges_itself_and_what_has_seen_nothing(name: str) -> None:
    metric = Bleu(name)
    metric.merge(Bleu(name))
    metric.update(OUTPUTS, HUMANS)
    metric.merge(Bleu(name))
    metric.merge(metric)
    assert exact(metric.compute()) == exact(Bleu(name)(OUTPUTS * 2, HUMANS * 2))


# Several systems ----------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ALL)
@given(corpus=SHORT, kind=KIND, size=st.integers(1, 30))
def test_systems_count_as_each_by_itself(
    engine: str, corpus: Corpus, kind: str, size: int
) -> None:
    assume(can_count(kind, engine))
    metric, slow = a_metric(kind, engine), a_metric(kind, "definition")
    outputs, groups = corpus
    systems = {"first": outputs, "turned": outputs[::-1], "silent": [[]] * len(outputs), "human": [
        next(each for each in group if each is not None) for group in groups]}
    with in_chunks(size, 40):
        together = metric.count_systems(systems, groups)
    assert [*together] == [*systems]
    for name, counts in together.items():   # Of which all scores are made
        assert counts == slow.count(systems[name], groups)


@pytest.mark.parametrize(("systems", "humans", "kind", "fault"), [
    *((wrong, HUMANS, TypeError, "systems must be a dict of the candidates of each")
      for wrong in ([OUTPUTS], None, "ab", OUTPUTS, 5)),
    ({"mine": "text"}, HUMANS, TypeError, "mine must be a list, not the str 'text'"),
    ({"a": OUTPUTS, "b": OUTPUTS[:2]}, HUMANS, ValueError, "in 'b': .* differ in number, 2 and 5"),
    ({"a": ["a b"], "b": [["a", "b"]]}, [["a"]], TypeError, "in 'b': "),
    ({"a": [], "b": iter([])}, [], ValueError, "an empty corpus: pass at least one candidate"),
])  # fmt: skip
def test_wrong_systems_are_refused(systems: Any, humans: Any, kind: Any, fault: str) -> None:
    with pytest.raises(kind, match=fault):
        Bleu().count_systems(systems, humans)
    assert Bleu().count_systems({}, HUMANS) == {}


# Without numpy ------------------------------------------------------------------------------------

TOLD = """
import hashlib, json, pickle, sys
if sys.argv[1] == "without":
    sys.modules["numpy"] = None
from bleu_nb import Bleu
from bleu_nb.dialects.more_tokenizers import tokenizer_version
outputs, humans, kinds = json.loads(sys.argv[2])
made = {}
for kind, choices in kinds.items():
    metric = Bleu(**choices)
    for name, counts in metric.count_systems(
            {"first": outputs * 220, "turned": outputs[::-1] * 220}, humans * 220).items():
        whole = counts + pickle.loads(pickle.dumps(counts[3:]))
        made[kind + name] = [repr(whole.score()), repr(whole.values()),
                             repr(whole.columns()), repr([*whole[::-7]])]
print(sys.modules.get("numpy") is not None)
print(hashlib.sha256(json.dumps(made).encode()).hexdigest())
"""


@pytest.mark.slow
def test_counts_are_the_same_without_numpy() -> None:
    with_numpy, without = (
        python(TOLD, how, json.dumps([OUTPUTS, HUMANS, HOSTILE]), quiet=True).split()
        for how in ("with", "without"))
    assert (with_numpy[0], without[0]) == ("True", "False")
    assert with_numpy[1] == without[1]


# One sentence: every road to its score gives the definition's, bit for bit ------------------------

PARTS = [
    "a", "b", "the", " ", "  ", "5", "12", ".", ",", "-", "...", "$", "(", "'", "&", "<", "&amp;",
    "&lt;", "&quot;", "<skipped>", "-\n", "\n", "\r", "\0", "\x1c", "\x85", "\u00a0", "\u2028",
    "\u3000", "e\u0301", "\u0301", "\u0665", "é", "東", "\U0001f600", "x" * 9, "x" * 70,
]  # fmt: skip
texts = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)
few = st.lists(st.sampled_from("ab,"), max_size=90).map(" ".join)
lines = st.one_of(texts, few, few.map(lambda text: f"{text} {text} {text} {text}"))
tokens = st.lists(st.sampled_from(["a", "b", "", "a b", "\0"]), max_size=20).filter(
    lambda line: {*line} != {"a b"})    # Else they are taken for sentences
LONG = " ".join("abcde"[n * n % 7 % 5] for n in range(300))


def defined(dialect: Dialect, candidate: Any, references: Any) -> BleuScore:
    """The score by the chapters that are no faster than they need be."""
    effective = leaves_out(dialect, sentence=True)
    return score_statistics(
        dialect, count_by_definition(dialect, candidate, references, counted_order(dialect)),
        signature(dialect, str(len(references)), effective, not isinstance(candidate, str)),
        effective)


PAIRS = st.one_of(*(
    st.tuples(each, st.lists(each, min_size=1, max_size=5))
    for each in (lines, tokens, tokens.map(lambda line: line * 4))))


@given(PAIRS, st.integers(1, 9), st.booleans())
@example(("", [""]), 4, True)
@example((LONG, [LONG[:200], LONG[7:]]), 9, True)
@example(("a " * 63, ["a " * 63]), 4, False)
@example(("a " * 64, ["a " * 64, "a " * 65]), 4, False)
@example(("a " * 700, ["b a " * 300]), 4, False)
def test_a_sentence_scores_as_defined(pair: Any, order: int, strip: bool) -> None:
    dialect = replace(DIALECTS["sacrebleu"], max_order=order, strip=strip)
    found = score_sentence(dialect, pair)
    assert exact(found) == exact(defined(dialect, *pair))
    assert pickle.loads(pickle.dumps(found)) == found
    candidate, references = pair
    assert sentence_bleu(candidate, [None, *references, None]) == sentence_bleu(*pair)


@pytest.mark.parametrize("name", DIALECTS)
@given(lines, st.lists(lines, min_size=1, max_size=3))
@example("船来了，我们走吧", ["船来了，我们回家吧"])
@example("a b", ["a b c", ""])
@example("a b", ["a b"])
def test_a_corpus_of_one_segment_scores_as_its_counts(
    name: str, candidate: str, references: list[str]
) -> None:
    metric, corpus, told = Bleu(name), ([candidate], [references]), list[Any]()
    one, other = ([str(each.message) for each in noted(lambda call=call: told.append(call()))]
                  for call in (lambda: metric(*corpus), lambda: metric.count(*corpus).score()))
    assert exact(told[0]) == exact(told[1]) and one == other


@given(texts)
@example("5-\n.<skipped>.5")
@example("5-5 3.5, a-b $1,000-")
@example("\ud800.5, 5.5")
def test_a_line_is_split_as_the_rules_split_it(text: str) -> None:
    assert split_13a(text) == tokenize_13a(text)


def test_one_sentence_never_loads_numba() -> None:
    python("import sys; from bleu_nb import sentence_bleu; sentence_bleu('a', ['a']); "
           "assert 'numba' not in sys.modules")
