"""Columns of Arrow: the same scores as of their strings, which are never made."""

import random
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import FOR_FILES, LINE_PAIRS, NUMBA, exact

from bleu_nb import Bleu, corpus_bleu
from bleu_nb.scoring.chunks import list_columns

arrow = pytest.importorskip(
    "pyarrow", reason="pyarrow is not installed here: `make frameworks` brings it")

STRINGS = [arrow.string(), arrow.large_string()]


def columns_of(corpus: list[tuple[str, ...]], kind: Any, pieces: int) -> tuple[Any, Any]:
    """Candidates and lists of references, in so many pieces."""
    size = -(-len(corpus) // pieces)
    parts = [corpus[start : start + size] for start in range(0, len(corpus), size)]
    outputs = [arrow.array([line for line, *_ in part], kind) for part in parts]
    groups = [arrow.array([others for _, *others in part], arrow.list_(kind)) for part in parts]
    if pieces == 1:
        return outputs[0], groups[0]
    return arrow.chunked_array(outputs), arrow.chunked_array(groups)


@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
@pytest.mark.parametrize("engine", ["bits", "numpy", NUMBA])
@given(corpus=LINE_PAIRS, name=st.sampled_from(FOR_FILES), kind=st.sampled_from(STRINGS),
       pieces=st.sampled_from([1, 3]), feed=st.booleans(), start=st.sampled_from([0, 1]))
def test_columns_count_as_lists_do(
    engine: str, corpus: list[tuple[str, ...]], name: str, kind: Any, pieces: int, feed: bool,
    start: int,
) -> None:
    corpus = [tuple(line + "\n x" * feed for line in lines) for lines in [("a",) * 3, *corpus]]
    outputs, groups = columns_of(corpus, kind, pieces)
    rest = corpus[start:]
    slow = Bleu(name, engine="definition")
    expected = slow.count([line for line, *_ in rest], [others for _, *others in rest])
    fast = Bleu(name, engine=engine)
    with patch("bleu_nb.scoring.chunks.CHUNK", 280):
        assert fast.count(outputs[start:], groups[start:]) == expected
        fast.update(outputs[start:], groups[start:])
    assert exact(fast.compute()) == exact(expected.score())


def test_no_string_is_made() -> None:
    rng = random.Random(3)
    words = ["the", "a", "cat", "sat", "on", "café"]
    corpus = [tuple(" ".join(rng.choices(words, k=9)) for _ in range(3)) for _ in range(2000)]
    outputs, groups = columns_of(corpus, arrow.string(), 1)
    expected = corpus_bleu([line for line, *_ in corpus], [others for _, *others in corpus])
    with patch("bleu_nb.scoring.chunks.sort_columns", side_effect=AssertionError), patch(
        "bleu_nb.scoring.chunks.list_streams", side_effect=AssertionError
    ):
        assert corpus_bleu(outputs, groups) == expected


ONE = arrow.array(["a b", "c d"])
LISTS = arrow.array([["a b"], ["c d"]])


@pytest.mark.parametrize(("outputs", "groups"), [
    (ONE, [["a b"], ["c d"]]),
    (["a b", "c d"], LISTS),
    (ONE, arrow.array([["a b"], ["c d", "c"]])),
    (ONE, arrow.array([["a b", None], ["c d", "c"]])),
    (ONE, arrow.array([["a b"], ["c d"]], arrow.list_(arrow.large_string()))),
    (ONE, arrow.array([["a b"], ["c d"]], arrow.list_(arrow.string(), 1))),
    (ONE.dictionary_encode(), LISTS),
    (arrow.array(["a b", "c d"], arrow.string_view()), LISTS),
    (ONE, arrow.array([["a b"], ["c d"]], arrow.list_(arrow.string_view()))),
    (ONE, arrow.array([["a b"], ["c d"]], arrow.large_list(arrow.string()))),
    (ONE, arrow.array([["a b"], ["c d"]], arrow.list_(
        arrow.dictionary(arrow.int32(), arrow.string())))),
    (arrow.chunked_array([ONE[:1].dictionary_encode(), ONE[1:].dictionary_encode()]), LISTS),
    (ONE.cast(arrow.binary()), LISTS),
])
def test_other_columns_go_the_careful_way(outputs: Any, groups: Any) -> None:
    plain = [["a b"], ["c d"]]
    if getattr(groups, "to_pylist", None):
        plain = groups.to_pylist()
    expected = corpus_bleu(["a b", "c d"], plain)
    assert exact(corpus_bleu(outputs, groups, engine="numpy")) == exact(expected)


@pytest.mark.parametrize(("outputs", "groups", "told"), [
    (arrow.array(["a", None]), LISTS, r"candidates\[1\] is missing \(None or NaN\)"),
    (ONE, arrow.array([["a"]]), "differ in number, 2 and 1"),
    (ONE, arrow.array([["a"], []]), r"references\[1\] holds no reference"),
    (ONE, arrow.array([["a"], [None]]), r"references\[1\] holds no reference"),
    (ONE, arrow.array(["a", "b"]), "references must hold a list for each candidate"),
    (arrow.array([b"a", b"\xff"]), LISTS, r"candidates\[1\] is bytes that are not UTF-8"),
    (arrow.array([], arrow.string()), arrow.array([], LISTS.type), "an empty corpus"),
])
def test_what_is_wrong_with_columns_is_said(outputs: Any, groups: Any, told: str) -> None:
    for engine in ("bits", "numpy"):
        with pytest.raises((TypeError, ValueError), match=told):
            corpus_bleu(outputs, groups, engine=engine)


def test_only_lists_of_strings_are_columns() -> None:
    assert len(list_columns([ONE], LISTS)) == 2
    assert not list_columns([ONE], ONE)
    assert not list_columns([["a b", "c d"]], LISTS)
    assert not list_columns([arrow.array([1, 2])], LISTS)
