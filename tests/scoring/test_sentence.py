"""One sentence: every road to its score gives the definition's, bit for bit."""

import pickle
import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bleu_nb
from bleu_nb import DIALECTS, Bleu, BleuScore, Dialect, sentence_bleu
from bleu_nb.derivation.counting import ngram_counts
from bleu_nb.derivation.tokenization import tokenize_13a
from bleu_nb.dialects.definition import (
    count as count_by_definition,
)
from bleu_nb.dialects.definition import (
    counted_order,
    leaves_out,
    score_statistics,
)
from bleu_nb.dialects.signatures import signature
from bleu_nb.dialects.tokenizers import Tokenizer
from bleu_nb.engines.bits import count_matches, split_13a, split_with_care
from bleu_nb.scoring import sentence as module

try:
    from bleu_nb.engines import numba_sentence as compiled_sentence
except ImportError:  # Without numba there is one road less
    compiled_sentence = None  # type: ignore[assignment]

ROADS = [None, *([compiled_sentence] if compiled_sentence else [])]
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
    return score_statistics(dialect, row, signed)


def bits(score: BleuScore) -> Any:
    """All of a score, and which kind of number each part is."""
    numbers = score.value, score.brevity_penalty, *score.precisions
    return score, [number.hex() for number in numbers], repr(score.stats), score.signature


@pytest.mark.parametrize("compiled", ROADS, ids=["plain", "compiled"][: len(ROADS)])
@given(lines, st.lists(lines, min_size=1, max_size=5), st.integers(1, 9), st.booleans())
@example("", [""], 4, True)
@example(LONG, [LONG[:200], LONG[7:]], 9, True)
@example("a " * 63, ["a " * 63], 4, False)
@example("a " * 64, ["a " * 64, "a " * 65], 4, False)
@example("a " * 700, ["b a " * 300], 4, False)
def test_every_road_gives_the_score_of_the_definition(
    compiled: Any, candidate: str, references: list[str], order: int, strip: bool
) -> None:
    plan = module.recall_scoring_plan("sacrebleu", max_order=order, strip=strip)
    found = module.score_sentence(plan, (candidate, [*references]), compiled)
    assert bits(found) == bits(defined(plan.dialect, candidate, references))
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize("name", DIALECTS)
@given(lines, st.lists(lines, min_size=1, max_size=3))
def test_every_row_is_cooked_as_defined(name: str, candidate: str, references: list[str]) -> None:
    for compiled in ROADS:
        found = module.score_sentence(
            module.recall_scoring_plan(name), (candidate, [*references]), compiled
        )
        assert bits(found) == bits(defined(DIALECTS[name], candidate, references))


@given(tokens, st.lists(tokens, min_size=1, max_size=4), st.integers(1, 9))
def test_token_lists_score_as_defined(
    candidate: list[str], references: list[list[str]], order: int
) -> None:
    plan = module.recall_scoring_plan("sacrebleu", max_order=order)
    for compiled in ROADS:
        found = module.score_sentence(plan, (candidate, [*references]), compiled)
        assert bits(found) == bits(defined(plan.dialect, candidate, references))


@given(tokens, st.lists(tokens, min_size=1, max_size=4), st.integers(1, 9))
def test_matches_from_one_integer_are_clipped_counts(
    candidate: list[str], references: list[list[str]], order: int
) -> None:
    for n, found in enumerate(count_matches(candidate * 4, references, order), 1):
        allowed = [ngram_counts(reference, n) for reference in references]
        mine = ngram_counts(candidate * 4, n)
        assert found == sum(
            min(times, max(each[gram] for each in allowed)) for gram, times in mine.items()
        )


@given(texts)
@example("5-\n.<skipped>.5")
@example("\ud800.5, 5.5")
def test_a_line_is_split_as_the_rules_split_it(text: str) -> None:
    assert split_13a(text) == split_with_care(text) == tokenize_13a(text)


def test_a_missing_reference_is_left_out_and_half_a_character_refused() -> None:
    assert sentence_bleu("é b", [None, "é b"]) == sentence_bleu("é b", ["é b"])
    for pair in (("\ud800", ["a"]), ("a", ["a", "\udfff"])):
        with pytest.raises(ValueError, match="half a character"):
            sentence_bleu(*pair)
        with pytest.raises(ValueError, match="half a character"):
            Bleu().sentence(*pair)


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("engines.numba_counts", "engines.numba_sentence"):
        monkeypatch.delitem(sys.modules, f"bleu_nb.{name}", raising=False)
    yield


@pytest.mark.usefixtures("without_numba")
def test_one_sentence_never_loads_numba() -> None:
    assert module.find_compiled() is None
    sentence_bleu("a b", ["a b"])
    assert "bleu_nb.engines.numba_sentence" not in sys.modules


@pytest.mark.skipif(not compiled_sentence, reason="numba is not there")
def test_what_is_compiled_is_found_where_it_is_loaded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bleu_nb.engines, "numba_sentence", compiled_sentence)
    monkeypatch.delitem(sys.modules, "bleu_nb.engines.numba_sentence")
    monkeypatch.setitem(
        sys.modules, "bleu_nb.engines.numba_counts", import_module("bleu_nb.engines.numba_counts")
    )
    found = module.find_compiled()
    assert found is sys.modules["bleu_nb.engines.numba_sentence"]
    assert module.find_compiled() is found


@pytest.mark.skipif(not compiled_sentence, reason="numba is not there")
def test_what_numba_has_compiled_is_used_unless_bits_are_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []

    def spy(candidate: str, references: list[str], order: int) -> None:
        asked.append(candidate)

    monkeypatch.setattr(compiled_sentence, "count_lines", spy)
    score = sentence_bleu("auto", ["a"])
    assert asked == ["auto"]
    assert Bleu(engine="bits").sentence("auto", ["a"]) == score
    assert asked == ["auto"]
    assert Bleu().sentence("auto", ["a"]) == score
    assert asked == ["auto", "auto"]
    sentence_bleu("auto", ["a"], lowercase=True)
    sentence_bleu("auto", ["a"], tokenizer=Tokenizer(str.split))
    assert len(asked) == 2


def test_rows_that_come_and_go_keep_their_own_recipes() -> None:
    for number in range(600):
        row = Dialect(f"row-{number}", "1", max_order=1 + number % 3, smoothing="none")
        assert module.scoring_plan_of(row).dialect is row
        assert Bleu(row).sentence("a b c", ["a b c"]).stats.matches == (3, 2, 1)[: 1 + number % 3]
    assert len(module.KNOWN) <= 256
