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

from bleu_nb import DIALECTS, Bleu, pairwise_bleu, sentence_bleu
from bleu_nb.dialects.smoothers import SMOOTHINGS
from bleu_nb.dialects.table import dialect_with
from bleu_nb.display.pair_charts import (
    list_edges,
    matrix_chart,
    network_chart,
    order_alike,
    order_groups,
)
from bleu_nb.engines.numpy_counts import name_pairs
from bleu_nb.pairs import pairwise_corpus_bleu
from bleu_nb.pairs import score_matrix as matrices
from bleu_nb.pairs import sparse_ngrams as elements
from bleu_nb.pairs.duplicates import Near
from bleu_nb.pairs.score_matrix import name_rows
from bleu_nb.pairs.sparse_ngrams import cut_lines, list_sparse_ngrams, name_many, number_lines


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
        monkeypatch.setattr(elements, "CHEAPER", cheaper)
        monkeypatch.setattr(elements, "WIDEST", widest)
        monkeypatch.setattr(matrices, "PAIRS", block)
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
        patch.setattr(elements, "BUCKET", heap)
        named = name_many(first, second)
    assert [pairs[each] for each in named] == pairs
    assert len({*named.tolist()}) == len({*pairs})
    assert [pairs[each] for each in name_pairs(first, second)] == pairs


@given(st.lists(sentences(), max_size=6), st.integers(1, 300))
def test_pieces_of_text_have_the_same_numbers(lines: list[list[str]], most: int) -> None:
    texts = [" ".join(line) for line in lines]
    row = dialect_with("sacrebleu", {"tokenizer": "none"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cut_lines, "__defaults__", (most,))
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
        patch.setattr(elements, "BUCKET", heap)
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


def test_corpora_are_those_of_bleu() -> None:
    systems = {name: many_lines(30, 15, seed) for seed, name in enumerate("abc")}
    human = {"h": many_lines(30, 15, 7)}
    for references in (None, human):
        table = pairwise_corpus_bleu(systems, references, "nltk", tokenizer="13a")
        metric = Bleu("nltk", tokenizer="13a")
        assert table == {
            one: {other: metric(lines, [[line] for line in theirs]).value
                  for other, theirs in (references or systems).items()}
            for one, lines in systems.items()}


def test_systems_that_cannot_be_compared_are_named() -> None:
    for wrong, says in (({"a": ["x"]}, "has no others"),
                        ({"a": ["x"], "b": ["x", "y"]}, "a: 1, b: 2")):
        with pytest.raises(ValueError, match=says):
            pairwise_corpus_bleu(wrong, "others")
    systems = {"a": ["x"], "b": ["y"]}
    for wrong in ((systems, "other"), (systems, ["x"]), ([["a"]],)):
        with pytest.raises(TypeError, match="pass a dict of lines by name"):
            pairwise_corpus_bleu(*wrong)


def test_iterators_will_do() -> None:
    lines = ["a b", "b c", "a b c"]
    assert pairwise_bleu(iter(lines), iter([iter(["a b"]), iter(["c"])])).tolist() == loop(
        lines, [["a b"], ["c"]])
    assert pairwise_corpus_bleu({"x": iter([" ".join(lines), "b"])}) == {
        "x": {"x": pytest.approx(100)}}


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


@given(st.lists(st.lists(st.integers(0, 9), min_size=6, max_size=6), min_size=6, max_size=6))
def test_an_order_has_each_line_once(table: list[list[int]]) -> None:
    order = order_alike(table)
    assert sorted(order) == [*range(6)]
    both = np.array(table) + np.array(table).T
    together = both.sum(axis=1) - np.diag(both)
    assert together[order[0]] == together.max()
    for place, line in enumerate(order[1:], start=1):
        last = order[place - 1]
        assert both[last, line] == max(both[last, each] for each in order[place:])


def test_squares_are_as_large_as_scores() -> None:
    picture = matrix_chart([[100, 25], [0, 100]], ["one", "<two>"])
    sides = [float(part.split('"')[0]) for part in picture.markup.split(' width="')[2:]]
    drawn, key = sides[:-3], sides[-3:]
    assert sorted(drawn) == [7.5, 15, 15] and key == [15, 7.5, 15]  # 100, 25, with itself
    assert "&lt;two&gt;" in picture.markup and "<two>" not in picture.markup
    assert "one: 100 25" in picture.description
    half = matrix_chart([[1, 0.25], [0, 1]], ["one", "two"], scale=1)
    assert half.markup.count(' width="7.5"') == 1 + 1
    for number in (1, 61):
        with pytest.raises(ValueError, match="shows nothing"):
            matrix_chart([[1.0] * number] * number, ["a"] * number)
    with pytest.raises(ValueError, match="3 names for 2 lines"):
        matrix_chart([[1, 2], [3, 4]], ["a", "b", "c"])


def test_a_network_has_a_stroke_for_each_pair() -> None:
    found = [Near((0, 4), (2,), 50.0), Near((2,), (0, 4), 80.0), Near((3,), (1,), 100.0),
             Near((5, 6), (5, 6), 100.0)]
    assert list_edges(found) == {(0, 2): 80.0, (1, 3): 100.0}
    assert order_groups([(0, 2), (1, 3), (2, 5)]) == [0, 2, 5, 1, 3]
    picture = network_chart(found, [*"abcdefg"])
    assert picture.markup.count("<circle") == 4
    assert picture.markup.count("<polyline") == 2 + 2  # In the key: the least and the most
    assert "score 80<" in picture.markup and "score 100<" in picture.markup
    assert 'stroke-width="3.2"' in picture.markup and 'stroke-width="4"' in picture.markup
    assert picture.description == "a and c: 80\nb and d: 100"
    with pytest.raises(ValueError, match="a picture of 0 lines"):
        network_chart(found[3:], [*"abcdefg"])
