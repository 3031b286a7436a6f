"""A tokenizer stands in for another only where both surely split alike."""

import unicodedata
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bleu_nb import DIALECTS, Bleu
from bleu_nb.diagnosis.identification import settings
from bleu_nb.diagnosis.many_dialects import (
    DoubtfulSegments,
    Scorer,
    neutral,
    token_key,
    usual_dialect,
)
from bleu_nb.dialects.definition import tokens_of
from bleu_nb.dialects.input_checks import check_corpus
from bleu_nb.dialects.more_tokenizers import TOKENIZERS
from bleu_nb.dialects.table import CASINGS, Dialect

ALIKE = {name: record.alike for name, record in TOKENIZERS.items() if record.alike}
ROWS = [
    Dialect("row", "1", tokenizer=tokenizer, lowercase=bool(casing), casing=casing or "before",
            strip=strip, end_token=end)
    for tokenizer, casing, strip, end in product(
        sorted(ALIKE), ["", *CASINGS], (True, False), (True, False))
]  # fmt: skip
PIECES = [
    *"aAbZ019.,;-!?$<&\\'\"\x1c\x1f\x85\xa0\u2028\u3000\t\r\x0b \u200b\0_", "\n", "-\n", "  ", "5.",
    ".5", "<skipped>", "<SKIPPED>", "&lt;", "&LT;", "&apos;", "&amp;lt;", "&quot;", "Σ", "ΟΣ", "İ",
    "\u212a", "\u2126", "É", "é", "ß", "ẞ", "½", "²", "Ⅷ", "Ⓐ", "١", "中", "。", "Ａ", "𠀀", "ǅ",
    "the", "CAT", "<s\u212aipped>",
]  # fmt: skip
LINES = st.lists(st.sampled_from(PIECES), max_size=8).map("".join)


@given(LINES | st.text(max_size=12), st.sampled_from(ROWS))
@example("in the old year 1999. ", Dialect("row", "1", tokenizer="intl", strip=False))
def test_where_tokens_differ_there_is_a_doubt(line: str, row: Dialect) -> None:
    usual, doubts = usual_dialect(row)
    assert DoubtfulSegments([(line, ["a"])]).places(doubts) or (
        tokens_of(row, line) == tokens_of(usual, line))


CHARACTERS = [
    each for each in map(chr, range(0x30000))
    if unicodedata.category(each)[0] in "PSNZC" or each.lower() != each
    if unicodedata.category(each) not in ("Cn", "Co", "Cs")
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("row", [
    *(Dialect(name, "1", tokenizer=name) for name, alike in ALIKE.items() if name != alike),
    *(Dialect(f"{name}-{casing}", "1", tokenizer=name, lowercase=True, casing=casing)
      for name in ("13a", "intl", "char", "zh", "zh-fixed")
      for casing in ("after", "letters", "ascii")),
], ids=lambda row: row.name)  # fmt: skip
def test_every_character_that_is_no_plain_letter(row: Dialect) -> None:
    """In a word, between digits, alone, at the start and at the end of a line."""
    lines = [f"{each}5a{each}B 5{each}5 {each} .{each}. {each}" for each in CHARACTERS]
    usual, doubts = usual_dialect(row)
    places = {*DoubtfulSegments([(line, ["a"]) for line in lines]).places(doubts)}
    assert len(places) < len(lines)
    for place, line in enumerate(lines):
        assert place in places or tokens_of(row, line) == tokens_of(usual, line), ascii(line)


@pytest.mark.parametrize("own", [str.split, "ja-mecab", "codexglue-file", None])
def test_a_tokenizer_that_none_is_like_stands_for_itself(own: Any) -> None:
    for row in [Dialect("own", "1", tokenizer=own, strip=False)] if own else (
            usual_dialect(each)[0] for each in ROWS):
        assert usual_dialect(row) == (row, ())


OUTPUTS = [
    "The cat sat on the mat, a cat.", "in 1990.", "ΟΔΟΣ İ ½ \\ É", "a\x1fb  c ", "&LT; a <SKIPPED>",
    "", " ", ".5 x-\n1", "中文。", "...",
]  # fmt: skip
HUMANS = [
    ["the cat is on the mat", "A cat sat."], ["in 1990 .", "In 1991.", ""], ["οδος i̇ 1 \\ é"],
    ["a b c", "a\x1fb c"], ["< a"], ["", "a"], ["b"], [".5 x- 1"], ["中 文 。"], ["<skipped>"],
]  # fmt: skip


def can_split(row: Dialect) -> bool:
    """Whether what its tokenizer needs is here, such as the data of `nltk-word`."""
    try:
        tokens_of(row, "a")
    except OSError:
        return False
    return True


EVERY_WAY = [   # One row for each way to count that `identify` knows
    *filter(can_split,
            {token_key(row, 5): row for row in settings([*DIALECTS.values()])}.values()),
    replace(DIALECTS["google-bleu"], max_order=6),
]


@pytest.mark.parametrize(("outputs", "groups"), {
    "more": (OUTPUTS, HUMANS), "one": (OUTPUTS, [group[:1] for group in HUMANS]),
    "tokens": ([line.split() for line in OUTPUTS],
               [[line.split() for line in group] for group in HUMANS]),
}.values(), ids=["more", "one", "tokens"])  # fmt: skip
def test_a_scorer_counts_hostile_text_as_each_row_does(
    outputs: Any, groups: Any
) -> None:
    scorer, differing, words = Scorer(check_corpus(outputs, groups), 6), set(), outputs is OUTPUTS
    for row in EVERY_WAY:
        if words or not row.lowercase:
            own = neutral(row, row.max_order if row.counting == "google" else 6)
            counts = scorer.counts(row)
            assert [*counts] == [*Bleu(own).count(outputs, groups)], row
            assert [*counts.reference_numbers] == [*map(len, groups)]
            differing.add(counts.matches.tobytes())
    assert len(differing) > 20 * words


# Other rows than those of all segments ------------------------------------------------------------


SOME = {token_key(row, 5): row for row in DIALECTS.values()}.values()


@given(st.lists(st.tuples(LINES, LINES, st.lists(LINES, min_size=1, max_size=3)), min_size=1,
                max_size=5), st.data())  # fmt: skip
def test_a_scorer_of_changed_lines_is_one_of_the_new_text(rows: list[Any], data: Any) -> None:
    before = [(line, group) for line, _, group in rows]
    places = data.draw(st.lists(st.integers(0, len(rows) - 1), unique=True))
    after = [(rows[each][1] if each in places else line, group)
             for each, (line, group) in enumerate(before)]
    whole, fresh = Scorer(before), Scorer(after)
    changed = whole.changed(after, places)
    assert (changed is whole) == (not places)
    for row in SOME:
        assert [*changed.counts(row)] == [*fresh.counts(row)], row
