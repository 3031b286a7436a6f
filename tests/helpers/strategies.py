"""Made-up text, corpora and engines that several files of tests draw from."""

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from importlib.util import find_spec
from typing import Any

import pytest
from hypothesis import strategies as st

from bleu_nb import DIALECTS
from bleu_nb.dialects.more_tokenizers import TOKENIZERS
from bleu_nb.scoring.registry import engines_know

POINTS_AND_DIGITS = [*" 3٣½a.,-", "-\n", "\n"]
MARKUP = ["&", "amp;", "lt;", *("&quot;", "&lt;", "&gt;", "&apos;"), "<skipped>", "-\n", "a"]

SPACES = [*" \t\n\r\v\f\x1c\x1f\x85\xa0\u2003\u2028\u3000\u200b\ufeff", ".", "a"]
SYMBOLS = [*"'\"$%()[]{}<>&;:!?@#*+=/\\^_`|~", *"aZİıßſΣς東é\u0301😀\U0010ffff", "3", " "]

PIECES = [st.lists(st.sampled_from(alphabet), max_size=12).map("".join)
          for alphabet in (POINTS_AND_DIGITS, MARKUP, SPACES, SYMBOLS)]

TEXT = st.one_of(st.text(), *PIECES, st.lists(st.one_of(PIECES), max_size=4).map("".join))
NUMBA = pytest.param(
    "numba",
    marks=pytest.mark.skipif(
        find_spec("numba") is None,
        reason="numba is not installed: install bleu_nb with its extra 'fast'",
    ),
)

ENGINES = ["bits", "numpy", NUMBA]
ARRAYS = ["numpy", NUMBA]

Tokens = list[str]
Group = list[Any]  # Of references: text, token lists or None

Corpus = tuple[list[Any], list[Group]]  # Candidates, and the references of each


def exact(made: Any) -> str:
    """A score, or statistics, with every digit and every type."""
    return repr([asdict(each) for each in made] if isinstance(made, list) else asdict(made))


@contextmanager
def in_chunks(lines: int, size: int) -> Iterator[None]:
    """Let chunks be so small that even a few segments make many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bleu_nb.scoring.chunks.CHUNK", 40 * lines)   # Each counts as 32 letters more
        patch.setattr("bleu_nb.scoring.chunks.LIMIT", size)
        yield


EIGHT_BYTES = ["sevenly", "eightlet", "ninelette", "éééé", "ééééa", "ééé", "fifteen-letters", "x"]
LONG_WORDS = [f"{'x' * length}{end}" for length in (7, 15, 16, 63, 64, 199) for end in "ab"]

VOCABULARIES = [["a"], [*"ab"], [*"abcde"], EIGHT_BYTES, LONG_WORDS]


def corpora(line: Callable[[list[str]], st.SearchStrategy[Any]]) -> st.SearchStrategy[Corpus]:
    """Corpora of one to six segments with one to six references, some of them missing."""

    def of_vocabulary(vocabulary: list[str]) -> st.SearchStrategy[Corpus]:
        group = st.tuples(
            line(vocabulary), st.lists(st.none() | line(vocabulary), max_size=5)
        ).flatmap(lambda group: st.permutations([group[0], *group[1]]))
        segment = st.tuples(line(vocabulary), group)
        return st.lists(segment, min_size=1, max_size=6).map(sides)

    return st.sampled_from(VOCABULARIES).flatmap(of_vocabulary)


def sides(pairs: Sequence[tuple[Any, Sequence[Any]]]) -> Corpus:
    """Pairs as two lists."""
    return [candidate for candidate, _ in pairs], [list(group) for _, group in pairs]


SHORT = corpora(lambda vocabulary: st.lists(st.sampled_from(vocabulary), max_size=9))


def a_corpus(segments: int, seed: int = 8) -> Corpus:
    """Text of some thousands of segments, with one to three references."""
    draw = random.Random(seed)
    vocabulary = [*"abcdefg.,", "don't", "3.5", "1990-", "Größe", "internationalisation", "«x»"]

    def text() -> str:
        return " ".join(draw.choices(vocabulary, k=draw.randrange(30)))

    groups = [[text() for _ in range(draw.randint(1, 3))] for _ in range(segments)]
    return [text() if draw.random() < 0.5 else draw.choice(group) for group in groups], groups


FOR_FILES = [name for name, row in DIALECTS.items()
             if row.counting == "clipped" and row.tokenizer in TOKENIZERS]

LETTERS = [
    *"ab 1.,-&;<>'\"\t\r\0\x0b\x1c\x85", "\u00a0", "\u2028", "\u3000", "\ufeff", "\u00e9", "\u0301",
    "\u4e2d", "\U0001f600", "\U00020bb7", "\u0130", "\u03a3", "&lt;", "<skipped>", "&quot;",
    "\u0663",
]  # fmt: skip

LINE = st.lists(st.sampled_from(LETTERS), max_size=40).map("".join)
LINE_PAIRS = st.lists(st.tuples(LINE, LINE, LINE), min_size=1, max_size=8)

ABLE = [name for name, row in DIALECTS.items() if engines_know(row)]
WORDS = ["a", "b", "c", "the", "lighthouse-keeper", "Leuchtturmwärter", "7,30", "ab" * 40]


def sentences(longest: int = 12) -> st.SearchStrategy[list[str]]:
    """Tokens with many repeats; none, one, or more than fit into a row of bits."""
    short = st.lists(st.sampled_from(WORDS), max_size=longest)
    runs = st.builds(lambda word, times: [word] * times, st.sampled_from(WORDS),
                     st.sampled_from([1, 2, 65, 130, 260]))
    return st.one_of(short, runs, st.builds(list.__add__, short, runs))


def many_lines(number: int, words: int, seed: int = 1) -> list[str]:
    """Made-up lines in which some words are frequent and most are rare."""
    draw = random.Random(seed)
    return [" ".join(f"word{int(draw.paretovariate(0.6)) % words}"
                     for _ in range(draw.randrange(12))) for _ in range(number)]

