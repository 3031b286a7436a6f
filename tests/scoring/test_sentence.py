"""One sentence: every road to its score gives the definition's, bit for bit."""

import pickle
import warnings
from dataclasses import replace
from typing import Any

import pytest
from commands import python
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_nb import DIALECTS, Bleu, BleuScore, Dialect, sentence_bleu
from bleu_nb.derivation.tokenizer_13a import tokenize_13a
from bleu_nb.dialects.definition import count as count_by_definition
from bleu_nb.dialects.definition import counted_order, leaves_out, score_statistics
from bleu_nb.dialects.signatures import signature
from bleu_nb.engines.bits import split_13a
from bleu_nb.scoring.metric import score_sentence

PARTS = [
    "a", "b", "the", " ", "  ", "5", "12", ".", ",", "-", "...", "$", "(", "'", "&", "<", "&amp;",
    "&lt;", "&quot;", "<skipped>", "-\n", "\n", "\r", "\0", "\x1c", "\x85", "\u00a0", "\u2028",
    "\u3000", "e\u0301", "\u0301", "\u0665", "é", "東", "\U0001f600", "x" * 9, "x" * 70,
]  # fmt: skip
texts = st.lists(st.sampled_from(PARTS), max_size=30).map("".join)
few = st.lists(st.sampled_from("ab,"), max_size=90).map(" ".join)
lines = st.one_of(texts, few, few.map(lambda text: f"{text} {text} {text} {text}"))
tokens = st.lists(st.sampled_from(["a", "b", "", "a b", "\0"]), max_size=20)
LONG = " ".join("abcde"[n * n % 7 % 5] for n in range(300))


def defined(dialect: Dialect, candidate: Any, references: Any) -> BleuScore:
    """The score by the chapters that are no faster than they need be."""
    row = count_by_definition(dialect, candidate, references, counted_order(dialect))
    effective = leaves_out(dialect, sentence=True)
    tokenized = not isinstance(candidate, str)
    signed = signature(dialect, str(len(references)), effective, tokenized)
    return score_statistics(dialect, row, signed, effective)


def bits(score: BleuScore) -> Any:
    """All of a score, and which kind of number each part is."""
    numbers = score.value, score.brevity_penalty, *score.precisions
    return score, [number.hex() for number in numbers], repr(score.stats), score.signature


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
    assert bits(found) == bits(defined(dialect, *pair))
    assert pickle.loads(pickle.dumps(found)) == found
    candidate, references = pair
    assert sentence_bleu(candidate, [None, *references, None]) == sentence_bleu(*pair)


@pytest.mark.parametrize("name", DIALECTS)
@given(lines, st.lists(lines, min_size=1, max_size=3))
def test_every_dialect_scores_as_defined(name: str, candidate: str, references: list[str]) -> None:
    found = score_sentence(DIALECTS[name], (candidate, references))
    assert bits(found) == bits(defined(DIALECTS[name], candidate, references))


def noted(score: Any) -> tuple[Any, list[str]]:
    """A score with all it says, and the warnings of its call."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        return bits(score()), [str(each.message) for each in caught]


@pytest.mark.parametrize("name", DIALECTS)
@given(lines, st.lists(lines, min_size=1, max_size=3))
@example("船来了，我们走吧", ["船来了，我们回家吧"])
@example("a b", ["a b c", ""])
@example("a b", ["a b"])
def test_a_corpus_of_one_segment_scores_as_its_counts(
    name: str, candidate: str, references: list[str]
) -> None:
    metric = Bleu(name)
    corpus = [candidate], [references]
    assert noted(lambda: metric(*corpus)) == noted(lambda: metric.count(*corpus).score())


@given(texts)
@example("5-\n.<skipped>.5")
@example("5-5 3.5, a-b $1,000-")
@example("\ud800.5, 5.5")
def test_a_line_is_split_as_the_rules_split_it(text: str) -> None:
    assert split_13a(text) == tokenize_13a(text)


def test_one_sentence_never_loads_numba() -> None:
    python("import sys; from bleu_nb import sentence_bleu; sentence_bleu('a', ['a']); "
           "assert 'numba' not in sys.modules")
