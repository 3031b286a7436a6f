"""The recipe for Dask: any partitioning, and what does not add."""

from functools import cache
from itertools import pairwise
from typing import Any

import pytest
import recipes
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("dask", reason="dask is not installed here: `make frameworks` brings it")

import dask
from dask import bag, delayed

from bleu_nb import Bleu, corpus_bleu

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=7).map(" ".join)
CORPORA = st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1,
                   max_size=12)  # fmt: skip


@cache
def recipe() -> dict[str, Any]:
    """The names that the recipe defines, as pasted into a session."""
    [code] = [each.code for each in recipes.recipes("use_frameworks") if "dask" in each.needs]
    names: dict[str, Any] = {
        "__name__": "__main__", "candidates": ["a b"] * 9, "references": [["a b"]] * 9}
    exec(code, names)
    return names


def counted(parts: list[list[Any]], name: str) -> Any:
    """What the recipe counts of segments in partitions."""
    names = recipe()
    names["bleu"] = Bleu(name, threads=1)
    with dask.config.set(scheduler="sync"):
        return bag.from_delayed([*map(delayed, parts)]).reduction(
            names["count"], names["add"]).compute()


@settings(deadline=None)
@given(CORPORA, st.lists(st.integers(0, 12), max_size=20))
@pytest.mark.parametrize("name", ["sacrebleu", "ignite", "nltk"])
def test_no_partitioning_changes_a_bit(name: str, corpus: Any, cuts: list[int]) -> None:
    edges = [0, *sorted(min(cut, len(corpus)) for cut in cuts), len(corpus)]
    counts = counted([corpus[start:end] for start, end in pairwise(edges)], name)
    candidates, references = map(list, zip(*corpus, strict=True))
    assert counts.score() == corpus_bleu(candidates, references, name)
    assert counts.columns() == Bleu(name).count(candidates, references).columns()


def test_what_was_counted_otherwise_does_not_add() -> None:
    with pytest.raises(TypeError, match="token lists after text"):
        counted([[("a", ["b"])], [(["a"], [["b"]])]], "sacrebleu")
