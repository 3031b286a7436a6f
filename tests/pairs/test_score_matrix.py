"""All pairs at once: every score is the one that a loop over sentences gives."""

import itertools
import math
from collections import Counter
from dataclasses import replace
from typing import Any

import nltk.translate.bleu_score as nltk_bleu
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ABLE, many_lines, sentences

from bleu_nb import DIALECTS, pairwise_bleu, sentence_bleu
from bleu_nb.dialects.formula_variants import SMOOTHINGS
from bleu_nb.dialects.table import dialect_with
from bleu_nb.engines.numpy_counts import name_pairs
from bleu_nb.pairs import score_matrix
from bleu_nb.pairs.score_matrix import (
    list_sparse_ngrams,
    name_many,
    name_rows,
    number_lines,
)


def loop(candidates: Any, columns: Any, **choices: Any) -> list[list[float]]:
    """What a loop over pairs gives."""
    return [[sentence_bleu(each, group, **choices).value for group in columns]
            for each in candidates]


@given(st.lists(sentences(), min_size=1, max_size=4),
       st.lists(st.lists(sentences(), min_size=1, max_size=3), min_size=1, max_size=4),
       st.sampled_from(ABLE), st.integers(1, 9))
def test_every_pair_is_as_in_a_loop(
    candidates: list[list[str]], groups: list[list[list[str]]], name: str, order: int,
) -> None:
    row = DIALECTS[name]
    weights = None if row.weights is None else (1 / order,) * order
    row = replace(row, max_order=order, weights=weights, lowercase=False)
    assert pairwise_bleu(candidates, groups, row).tolist() == loop(candidates, groups, dialect=row)


@given(st.lists(sentences(), min_size=1, max_size=4), st.sampled_from(ABLE))
def test_text_against_itself_is_as_in_a_loop(lines: list[list[str]], name: str) -> None:
    texts = [" ".join(line) for line in lines]
    found = pairwise_bleu(texts, dialect=name)
    assert found.tolist() == loop(texts, [[each] for each in texts], dialect=name)
    assert pairwise_bleu(texts, texts, name).tolist() == found.tolist()


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


def test_blocks_frequent_and_rare_elements_change_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines, others = many_lines(60, 300), many_lines(40, 300, 2)
    expected = loop(lines, [[each] for each in others])
    for cheaper, block, widest in itertools.product((0, 3, 10 ** 9), (1, 100, 10 ** 6),
                                                    (80, 1 << 24)):
        monkeypatch.setattr(score_matrix, "CHEAPER", cheaper)
        monkeypatch.setattr(score_matrix, "WIDEST_PRODUCT", widest)
        monkeypatch.setattr(score_matrix, "PAIRS", block)
        assert pairwise_bleu(lines, others).tolist() == expected


def test_more_than_a_thousand_pairs_are_scored_in_arrays() -> None:
    lines = many_lines(70, 50)
    for name in ("sacrebleu", "nltk", "fast-bleu", "torchmetrics", "papineni"):
        assert pairwise_bleu(lines, dialect=name).tolist() == loop(
            lines, [[each] for each in lines], dialect=name)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=60),
       st.sampled_from([1, 2, 7, 1 << 17]))
def test_names_do_not_depend_on_heaps(pairs: list[tuple[int, int]], heap: int) -> None:
    first, second = np.array(pairs, np.int64).reshape(-1, 2).T
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_matrix, "BUCKET", heap)
        named = name_many(first, second)
    assert [pairs[each] for each in named] == pairs
    assert len({*named.tolist()}) == len({*pairs})
    assert [pairs[each] for each in name_pairs(first, second)] == pairs


@given(st.lists(sentences(), max_size=6), st.integers(1, 7))
def test_pieces_of_text_have_the_same_numbers(lines: list[list[str]], most: int) -> None:
    texts = [" ".join(line) for line in lines]
    row = dialect_with("sacrebleu", {"tokenizer": "none"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_matrix, "PIECE", most)
        numbered = number_lines(row, texts)
        by_tokens = number_lines(row, lines)
    for found in (numbered, by_tokens):
        assert found.lengths.tolist() == [*map(len, lines)]
        names: dict[int, str] = {}
        for number, token in zip(found.tokens.tolist(), itertools.chain(*lines), strict=True):
            assert names.setdefault(number, token) == token
        assert len({*names.values()}) == len(names)


@given(st.lists(sentences(), min_size=1, max_size=5), st.integers(1, 5),
       st.sampled_from([1, 7, 1 << 17]))
def test_elements_are_those_of_counters(lines: list[list[str]], most: int, heap: int) -> None:
    numbered = number_lines(DIALECTS["papineni"], lines)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_matrix, "BUCKET", heap)
        every = [*list_sparse_ngrams(numbered, most)]
    for order, found in enumerate(every, start=1):
        grams = [Counter(tuple(line[at:at + order]) for at in range(len(line) - order + 1))
                 for line in lines]
        often = sum(grams, Counter())
        expected = Counter((line, gram, number) for line, each in enumerate(grams)
                           for gram, times in each.items() for number in range(times)
                           if often[gram] > 1)
        assert len(found.names) == expected.total()
        frequencies = Counter(Counter(found.names.tolist()).values())
        columns = Counter((gram, number) for _, gram, number in expected)
        assert frequencies == Counter(columns.values())
        assert found.lines.tolist() == sorted(line for line, _, _ in expected.elements())


@given(st.lists(st.lists(st.integers(0, 4), min_size=5, max_size=5), min_size=1, max_size=4))
def test_rows_have_one_name_if_they_are_equal(columns: list[list[int]]) -> None:
    names, first = name_rows([np.array(each) for each in columns])
    rows = [*zip(*columns, strict=True)]
    assert [rows[first[name]] for name in names] == rows
    assert len(first) == len({*rows})


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


def test_nltk_and_sacrebleu_agree(sacrebleu: Any) -> None:
    lines = [*many_lines(20, 20), "", "word1"]
    tokens = [line.split() for line in lines]
    method = nltk_bleu.SmoothingFunction().method1
    assert pairwise_bleu(tokens, dialect="nltk", smoothing="nltk-1").tolist() == [
        [nltk_bleu.sentence_bleu([other], one, smoothing_function=method) for other in tokens]
        for one in tokens]
    metric = sacrebleu.BLEU(effective_order=True)
    assert pairwise_bleu(lines).tolist() == [
        [metric.sentence_score(one, [other]).score for other in lines] for one in lines]


def test_iterators_will_do() -> None:
    lines = ["a b", "b c", "a b c"]
    assert pairwise_bleu(iter(lines), iter([iter(["a b"]), iter(["c"])])).tolist() == loop(
        lines, [["a b"], ["c"]])


BAD: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    (("a b",), {}, TypeError, "candidates must be a list, not the str"),
    (([],), {}, ValueError, "candidates is empty"),
    ((["a"], []), {}, ValueError, "references is empty"),
    ((["a"], [["b"], []]), {}, ValueError, r"references\[1\] holds no reference"),
    ((["a", None],), {}, TypeError, r"candidates\[1\] is missing"),
    ((["a", ["b"]],), {}, TypeError, r"candidates\[1\] is not a string"),
    ((["a", math.nan],), {}, TypeError, r"candidates\[1\] is missing"),
    ((["a"], ["b", None]), {}, TypeError, r"references\[1\] is missing"),
    ((["a", b"\xff"],), {}, ValueError, r"candidates\[1\] is bytes that are not UTF-8"),
    ((["a", "\ud800"],), {}, ValueError, "half a character"),
    ((["a"], [["b"], "c"]), {}, TypeError, r"references\[1\] must be a list"),
    (([["a"]], ["b"]), {}, TypeError, r"references\[0\] is a string"),
    ((["a"],), {"top": 1}, ValueError, "one line alone"),
    ((["a", "b"],), {"top": 0}, ValueError, "top must be a whole number from 1 up, not 0"),
    ((["a", "b"],), {"memory": 31}, ValueError, "2 x 2 scores take 0.0 GiB"),
    ((["a", "b"], None, "google-bleu"), {}, ValueError, "does not count clipped"),
    ((["a", "b"],), {"nonsense": 1}, TypeError, "no choice 'nonsense'"),
    (([["A"]],), {"lowercase": True}, ValueError, "lower-case your tokens first"),
]


@pytest.mark.parametrize(("given_", "choices", "error", "says"), BAD)
def test_bad_input_is_named(given_: Any, choices: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        pairwise_bleu(*given_, **choices)


def test_a_table_that_just_fits_is_made() -> None:
    assert pairwise_bleu(["a", "b"], memory=32).shape == (2, 2)
    assert pairwise_bleu(["a", "b", "c"], top=1, memory=48).columns.shape == (3, 1)
    with pytest.raises(ValueError, match="3 x 2 scores"):
        pairwise_bleu(["a", "b", "c"], top=1, memory=47)


def test_a_pair_without_a_score_is_named() -> None:
    lines = ["a b c", "a b c d", "x a b c", "a b d d"]
    row = dialect_with("nltk", {"smoothing": "nltk-6"})
    with pytest.raises(ValueError, match=r"candidates\[0\] against references\[3\] has no score"):
        pairwise_bleu(lines, dialect=row)


def test_lines_without_tokens() -> None:
    assert [len(each) for each in number_lines(DIALECTS["sacrebleu"], [])] == [0, 0]
    assert pairwise_bleu(["", ""], [""]).tolist() == loop(["", ""], [[""]])
    assert pairwise_bleu([[], ["a"]], [[], []]).tolist() == loop([[], ["a"]], [[[]], [[]]])
    with pytest.raises(ValueError, match=r"references\[0\] holds no reference"):
        pairwise_bleu([[], ["a"]], [[], [["a"]]])
    with pytest.raises(ValueError, match=r"references\[0\] holds no reference"):
        pairwise_bleu(["a"], [[]])
