"""All pairs at once: every score is the one that a loop over sentences gives."""

import itertools
import math
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ABLE, many_lines, sentences

from bleu_nb import DIALECTS, pairwise_bleu, sentence_bleu
from bleu_nb.dialects.formula_variants import SMOOTHINGS
from bleu_nb.dialects.table import dialect_with

# So small that even a few lines take each way of counting.
LIMITS = st.fixed_dictionaries({
    "BUCKET": st.sampled_from([40, 1 << 17]), "PIECE": st.integers(1, 7),
    "CHEAPER": st.sampled_from([0, 3, 200]), "WIDEST_PRODUCT": st.sampled_from([8, 1 << 24]),
    "SPARSE": st.sampled_from([0, 4]), "PAIRS": st.sampled_from([1, 5, 1 << 20]),
})


def loop(candidates: Any, columns: Any, **choices: Any) -> list[list[float]]:
    """What a loop over pairs gives."""
    return [[sentence_bleu(each, group, **choices).value for group in columns]
            for each in candidates]


@given(st.lists(sentences(), min_size=1, max_size=4),
       st.lists(st.lists(sentences(), min_size=1, max_size=3), min_size=1, max_size=4),
       st.sampled_from(ABLE), st.integers(1, 9), LIMITS)
def test_every_pair_is_as_in_a_loop(
    candidates: list[list[str]], groups: list[list[list[str]]], name: str, order: int,
    limits: dict[str, int],
) -> None:
    row = DIALECTS[name]
    weights = None if row.weights is None else (1 / order,) * order
    row = replace(row, max_order=order, weights=weights)
    texts = [" ".join(line) for line in candidates]
    columns = [[" ".join(line) for line in group] for group in groups]
    kept = replace(row, lowercase=False)
    with patch.multiple("bleu_nb.pairs.score_matrix", **limits):
        assert pairwise_bleu(candidates, groups, kept).tolist() == loop(
            candidates, groups, dialect=kept)
        assert pairwise_bleu(texts, columns, row).tolist() == loop(texts, columns, dialect=row)
        found = pairwise_bleu(texts, dialect=row).tolist()
        assert found == loop(texts, [[each] for each in texts], dialect=row)
        assert pairwise_bleu(iter(texts), iter(texts), row).tolist() == found


@pytest.mark.parametrize("name", SMOOTHINGS)
def test_every_smoothing_is_as_in_a_loop(name: str) -> None:
    outputs = ["a b c d e f", "a b c x e f g", "f e d c b a a b c", "a b c"]
    row = dialect_with("nltk", {"smoothing": name})
    columns = [[each] for each in outputs[:3]]
    assert pairwise_bleu(outputs, columns, row).tolist() == loop(outputs, columns, dialect=row)


def test_a_callers_own_smoother_and_tokenizer() -> None:
    row = dialect_with("sacrebleu", {
        "tokenizer": lambda text: text.split(","),
        "smoothing": replace(SMOOTHINGS["floor"], credits=lambda s, last, v: [
            (m + 0.25 + s.reference_length / 64, t + 1)
            for m, t in zip(s.matches, s.totals, strict=True)])})
    lines = ["a,b,c d,e", "c d,e,a", "", "b"]
    assert pairwise_bleu(lines, dialect=row).tolist() == loop(
        lines, [[each] for each in lines], dialect=row)


@pytest.mark.parametrize("name", ["sacrebleu", "nltk", "fast-bleu", "torchmetrics", "papineni"])
def test_more_than_a_thousand_pairs_are_scored_in_arrays(name: str) -> None:
    lines, others = many_lines(40, 30), many_lines(30, 30, 2)
    expected = loop(lines, [[each] for each in others], dialect=name)
    for cheaper, block, widest in itertools.product(
            (0, 200, 10 ** 9), (100, 1 << 20), (80, 1 << 24)):
        with patch.multiple("bleu_nb.pairs.score_matrix", CHEAPER=cheaper, PAIRS=block,
                            WIDEST_PRODUCT=widest):
            assert pairwise_bleu(lines, others, name).tolist() == expected


@given(st.lists(sentences(5), min_size=2, max_size=6), st.integers(1, 7))
def test_the_best_are_those_of_the_table(lines: list[list[str]], top: int) -> None:
    table = pairwise_bleu(lines)
    for references, square in ((None, True), (lines, False)):
        best = pairwise_bleu(lines, references, top=top)
        for place, (columns, values) in enumerate(zip(*best, strict=True)):
            row = [(-value, column) for column, value in enumerate(table[place].tolist())
                   if not (square and column == place)]
            expected = sorted(row)[:top]
            assert [*zip((-values).tolist(), columns.tolist(), strict=True)] == expected


def test_progress_tells_of_every_row() -> None:
    told: list[tuple[int, int]] = []
    with patch("bleu_nb.pairs.score_matrix.PAIRS", 6):
        pairwise_bleu([*"abcde"], [*"abc"], progress=lambda *both: told.append(both))
    assert told == [(2, 5), (4, 5), (5, 5)]


NO_SCORE = dialect_with("nltk", {"smoothing": "nltk-6"})
BAD: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    (("a b",), {}, TypeError, "candidates must be a list, not the str"),
    (([],), {}, ValueError, "candidates is empty"),
    ((["a"], []), {}, ValueError, "references is empty"),
    ((["a"], [["b"], []]), {}, ValueError, r"references\[1\] contains no reference"),
    ((["a"], [[]]), {}, ValueError, r"references\[0\] contains no reference"),
    (([[], ["a"]], [[], [["a"]]]), {}, ValueError, r"references\[0\] contains no reference"),
    ((["a", None],), {}, TypeError, r"candidates\[1\] is missing"),
    ((["a", ["b"]],), {}, TypeError, r"candidates\[1\] is not a string"),
    ((["a", math.nan],), {}, TypeError, r"candidates\[1\] is missing"),
    ((["a"], ["b", None]), {}, TypeError, r"references\[1\] is missing"),
    ((["a", b"\xff"],), {}, ValueError, r"candidates\[1\] contains bytes that are not UTF-8"),
    ((["a", "\ud800"],), {}, ValueError, "half a character"),
    ((["a"], [["b"], "c"]), {}, TypeError, r"references\[1\] must be a list"),
    (([["a"]], ["b"]), {}, TypeError, r"references\[0\] is a string"),
    ((["a"],), {"top": 1}, ValueError, "a single line has no neighbors"),
    ((["a", "b"],), {"top": 0}, ValueError, "top must be a positive integer, not 0"),
    ((["a", "b"],), {"top": True}, ValueError, "top must be a positive integer, not True"),
    ((["a", "b"],), {"memory": 31}, ValueError, "2 x 2 scores take 0.0 GiB"),
    ((["a", "b"],), {"memory": "1"}, TypeError, "memory must be a number of bytes, not '1'"),
    ((["a", "b", "c"],), {"top": 1, "memory": 47}, ValueError, "3 x 2 scores"),
    ((["a", "b"], None, "google-bleu"), {}, ValueError, "does not count clipped"),
    ((["a", "b"],), {"nonsense": 1}, TypeError, "no option 'nonsense'"),
    (([["A"]],), {"lowercase": True}, ValueError, "lowercase your tokens first"),
    ((["a b c", "a b c d", "x a b c", "a b d d"], None, NO_SCORE), {}, ValueError,
     r"candidates\[0\] against references\[3\] has no score"),
]


@pytest.mark.parametrize(("given_", "choices", "error", "says"), BAD)
def test_bad_input_is_named(given_: Any, choices: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        pairwise_bleu(*given_, **choices)


def test_a_table_that_just_fits_is_made() -> None:
    assert pairwise_bleu(["a", "b"], memory=32).shape == (2, 2)
    assert pairwise_bleu(["a", "b", "c"], top=1, memory=48).columns.shape == (3, 1)
