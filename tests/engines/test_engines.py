"""Every engine gives what the definition gives: the same tokens, integers and bits of a score."""

import random
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import (
    ARRAYS,
    ENGINES,
    NUMBA,
    SHORT,
    TEXT,
    Corpus,
    Tokens,
    corpora,
    exact,
    in_chunks,
    sides,
)

from bleu_nb import DIALECTS, Bleu, BleuStats, explain, identify
from bleu_nb.derivation import count_segment
from bleu_nb.dialects.definition import tokens_of
from bleu_nb.dialects.formula_variants import LENGTH_RULES, raise_totals
from bleu_nb.dialects.more_tokenizers import TOKENIZERS
from bleu_nb.dialects.table import CASINGS, Dialect
from bleu_nb.engines import numpy_counts
from bleu_nb.engines.bits import LONGEST
from bleu_nb.engines.numpy_counts import (
    BYTE_RULES,
    GIANT,
    WORD_PLACES,
)
from bleu_nb.scoring.counts import Counts
from bleu_nb.scoring.registry import engines_know, plain_counter

LONG_RUN = settings.get_current_profile_name() == "long"


def check_all(engine: str, corpus: Corpus, threads: int = 1, **choices: Any) -> None:
    """Compare all that a metric tells of a corpus with what it tells by definition."""
    slow = Bleu(engine="definition", **choices)
    known = engines_know(slow.dialect)
    fast = Bleu(engine=engine if known else "auto", threads=threads, **choices)
    sentences = slow.count(*corpus).sentences()
    rows = exact([score.stats for score in sentences])
    assert exact(fast(*corpus)) == exact(slow(*corpus))
    counts = fast.count(*corpus)
    assert exact([*counts]) == rows
    assert exact(counts.sentences()) == exact(sentences)
    for fewest in (0, 1 << 60):     # Values by arrays, and one by one
        with patch.multiple(
            "bleu_nb.scoring.counts", FOR_NUMPY=fewest, FOR_LOADED_NUMPY=fewest):
            assert counts.values() == [score.value for score in sentences]


# What is counted ---------------------------------------------------------------------------------


def made_line(vocabulary: list[str], length: int, seed: int) -> Tokens:
    """Tokens at random."""
    return random.Random(seed).choices(vocabulary, k=length)


WORDS = [WORD_PLACES * words for words in range(1, numpy_counts.MOST_WORDS + 1)]
LIMITS = [0, 1, *(limit + step for limit in (*WORDS, 64, 128, 256) for step in (-1, 0, 1))]
AT_LIMITS = corpora(
    lambda vocabulary: st.builds(
        made_line, st.just(vocabulary), st.sampled_from(LIMITS), st.integers(0, 9)
    )
)
COUNTING = st.fixed_dictionaries({
    "max_order": st.integers(1, 8),
    "reference_length": st.sampled_from([*LENGTH_RULES]),
    "least_total": st.sampled_from([0, 1]),
})
CHUNKS = st.tuples(st.sampled_from([1, 6, 12, 2000]), st.sampled_from([0, 30, 1 << 22]))
THREADS = st.sampled_from([1, 2, 5])


def defined(corpus: Corpus, choices: dict[str, Any]) -> list[BleuStats]:
    """The statistics of token lists, as chapter 1.4 defines them."""
    return [
        raise_totals(count_segment(
            candidate,
            [reference for reference in group if reference is not None],
            choices["max_order"],
            LENGTH_RULES[choices["reference_length"]],
        ), choices["least_total"])
        for candidate, group in zip(*corpus, strict=True)
    ]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("lines", [SHORT, AT_LIMITS], ids=["short", "as long as a word of bits"])
@given(data=st.data(), choices=COUNTING, chunks=CHUNKS, threads=THREADS)
def test_token_lists_count_as_defined(
    engine: str, lines: st.SearchStrategy[Corpus], data: st.DataObject, choices: dict[str, Any],
    chunks: tuple[int, int], threads: int,
) -> None:  # fmt: skip
    corpus = data.draw(lines)
    assert exact([*Bleu(engine="definition", **choices).count(*corpus)]) == (
        exact(defined(corpus, choices)))
    with in_chunks(*chunks):
        check_all(engine, corpus, threads, **choices)


# Kinds of words, how many are in each line, of how many references, and the highest order.
SHAPES = [
    (1, [1, LONGEST - 1, LONGEST, LONGEST + 1, 3000], 3, 6),
    (50, [1, LONGEST // 2, LONGEST - 1, LONGEST, LONGEST + 1, 3000], 3, 6),
    (40, [25, 6, 110], 60, 4), (40, [6], 300, 4),
    (90, [20, 64], 2, 32), (90, [100], 2, 33), (90, [64, 256], 2, 64), (90, [100, 300], 2, 65),
]  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("kinds", "lengths", "number", "order"), SHAPES)
def test_unusual_shapes_count_as_defined(
    engine: str, kinds: int, lengths: list[int], number: int, order: int
) -> None:
    words = [f"t{each}" for each in range(kinds)]
    pairs = [
        (made_line(words, length, length), [
            made_line(words, max(1, length - seed % 5), seed) for seed in range(number)])
        for length in lengths
    ]
    for least in (0, 1):
        choices = {"max_order": order, "reference_length": "closest", "least_total": least}
        assert exact([*Bleu(engine=engine, **choices).count(*sides(pairs))]) == (
            exact(defined(sides(pairs), choices)))


NUMBER = st.integers(-3, 3) | st.integers(-(2**62), 2**62)
WIDTH = st.integers(0, 9)


def table_of_numbers(rows: int) -> st.SearchStrategy[list[list[int]]]:
    """Rows of numbers, all of the same length, as a padded batch of a model has them."""
    return WIDTH.flatmap(
        lambda width: st.lists(
            st.lists(NUMBER, min_size=width, max_size=width), min_size=rows, max_size=rows
        )
    )


NUMBERS = st.integers(1, 4).flatmap(
    lambda size: st.tuples(
        table_of_numbers(size), st.lists(table_of_numbers(2), min_size=size, max_size=size)
    )
)


@pytest.mark.parametrize("engine", ENGINES)
@given(corpus=NUMBERS)
def test_numbers_count_as_their_digits_do(engine: str, corpus: Any) -> None:
    candidates, groups = corpus
    digits = Bleu(engine="definition")(
        [[*map(str, line)] for line in candidates],
        [[[*map(str, line)] for line in group] for group in groups],
    )
    metric = Bleu(engine=engine)
    as_arrays = [np.array(line, np.int64) for line in candidates]
    groups_of_arrays = [[np.array(line, np.int64) for line in group] for group in groups]
    tables = [np.array(group, np.int64).reshape(2, -1) for group in groups]
    whole = np.array(candidates, np.int64).reshape(len(candidates), -1)
    for outputs, others in (
        (candidates, groups),
        ([*map(tuple, candidates)], [tuple(map(tuple, group)) for group in groups]),
        (as_arrays, groups_of_arrays),
        (as_arrays, tables),
        (whole, tables),
        (whole, groups_of_arrays),
    ):
        assert exact(metric(outputs, others)) == exact(digits)


# Text --------------------------------------------------------------------------------------------

OWN = [name for name, record in TOKENIZERS.items() if not record.requires]


def without_feeds(texts: Sequence[str]) -> list[str]:
    """The same lines without line feeds inside, as lines of a file are."""
    return [text.replace("\n", " ") for text in texts]


def only_ascii(texts: Sequence[str]) -> list[str]:
    """The same lines without line feeds and without characters of more than a byte."""
    return [text.encode("ascii", "ignore").decode() for text in without_feeds(texts)]


def text_corpora(texts: list[str]) -> st.SearchStrategy[Corpus]:
    """Corpora made of a few texts in different case, so that something matches."""
    line = st.builds(
        lambda pieces, case: case(" ".join(pieces)),
        st.lists(st.sampled_from(texts), max_size=3),
        st.sampled_from([str, str.upper, str.lower]),
    )
    group = st.tuples(st.lists(st.none() | line, max_size=3), line).map(lambda g: [*g[0], g[1]])
    return st.lists(st.tuples(line, group), min_size=1, max_size=5).map(sides)


POOL = st.lists(TEXT, min_size=1, max_size=5)
TEXTS = st.one_of(POOL, POOL.map(without_feeds), POOL.map(only_ascii)).flatmap(text_corpora)
READING = st.fixed_dictionaries({
    "tokenizer": st.sampled_from([*BYTE_RULES, *OWN]),
    "lowercase": st.booleans(),
    "casing": st.sampled_from([*CASINGS]),
    "strip": st.booleans(),
    "end_token": st.booleans(),
    "reference_length": st.sampled_from([*LENGTH_RULES]),
    "least_total": st.sampled_from([0, 1]),
    "max_order": st.integers(1, 6),
})


ENDS_IN_A_DASH: Corpus = (["well-\n", "5. \n"], [["well-", "well"], ["5.", "5. "]])


@pytest.mark.parametrize("engine", ENGINES)
@example(ENDS_IN_A_DASH, {"tokenizer": "13a", "strip": True}, (1000, 1 << 22), 1)
@example(ENDS_IN_A_DASH, {"tokenizer": "13a", "strip": False}, (1, 1 << 22), 1)
@given(corpus=TEXTS, choices=READING, chunks=CHUNKS, threads=THREADS)
def test_text_scores_as_defined(
    engine: str, corpus: Corpus, choices: dict[str, Any], chunks: tuple[int, int], threads: int
) -> None:
    with in_chunks(*chunks):
        check_all(engine, corpus, threads, **choices)


@pytest.mark.parametrize("engine", ["bits", NUMBA])
@given(corpus=TEXTS, choices=READING)
def test_one_segment_counts_as_defined(
    engine: str, corpus: Corpus, choices: dict[str, Any]
) -> None:
    dialect = Bleu(**choices).dialect
    known = engines_know(dialect)
    counter = plain_counter(dialect, True, engine if known else "definition")
    by_definition = plain_counter(dialect, True, "definition")
    for candidate, group in zip(*corpus, strict=True):
        references = [each for each in group if each is not None]
        both = [candidate, references[0]]
        assert counter(both, references) == by_definition(both, references)


@NUMBA.marks[0]
def test_sentences_use_compiled_code_where_it_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Any] = []
    metric, pair = Bleu(engine="numba"), (["the cat sat down"], [["the cat sat here"]])
    first = metric(*pair)   # Loads it
    counter = plain_counter(metric.dialect, True, "numba")
    monkeypatch.setattr(
        "bleu_nb.scoring.metric.plain_counter",
        lambda *which: calls.append(which) or counter)
    assert exact([metric(*pair), Bleu()(*pair)]) == exact([first, first])
    assert metric.sentence(pair[0][0], pair[1][0]).stats == first.stats
    assert calls == [(metric.dialect, True, "numba")] * 3


CASES = ["ΟΔΟΣ ΟΔΟΣ. οδος", "İstanbul I ı", "Straße STRASSE ẞ", "ǅ ǆ", "ＡＢ Ⅷ", "A.B &AMP; &amp;"]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("casing", CASINGS)
@pytest.mark.parametrize("tokenizer", BYTE_RULES)
def test_every_casing_scores_as_defined(engine: str, casing: str, tokenizer: str) -> None:
    pairs = [(case(text), [text, text.lower()]) for text in CASES for case in (str, str.upper)]
    check_all(engine, sides(pairs), tokenizer=tokenizer, lowercase=True, casing=casing)


@pytest.mark.parametrize("engine", ENGINES)
@given(corpus=TEXTS, name=st.sampled_from([*DIALECTS]))
def test_every_dialect_scores_as_defined(engine: str, corpus: Corpus, name: str) -> None:
    check_all(engine, corpus, dialect=name)


# Tokens from bytes -------------------------------------------------------------------------------

CHARACTERS = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
EVERY_SPACE = [each for each in CHARACTERS if each.isspace()]
CONTROLS = [chr(code) for code in [*range(32), *range(127, 160)]]
MARKS = [*".,.,-'&;:", *"।…．，。、·٫٬؟¿«»—–_", *"$€+<=>^`|~°©", *"0123456789", *"٣३３½²Ⅷ๓"]
LETTERS = [*"aZıİßſΣσςéж東海がﾊ한", "e\u0301", "\u200b", "\ufeff", "\u00ad", "\ufffd", "\uffff"]
WIDE = [*"😀𝟗𝒳𠀀𠮷\U0001f1e6\U000e0041\U0010ffff\U0002f800𐄀𑁍"]
ENTITIES = ["&quot;", "&amp;", "&lt;", "&gt;", "&apos;", "&amp;lt;", "&amp;amp;quot;", "&QUOT;"]
NESTED = ["<skipped>", "<skip<skipped>ped>", "&am<skipped>p;", "&l&lt;t;",
          "-\n", "- \n", "\n", "\r\n"]
RUNS = ["..", "...", ".,.", ".5", "5.", "5.5", "-5", "5-", "--", "5-.5", "a.", "I.B.M.", "1,000.5"]
GIANTS = ["x" * (GIANT - 1), "x" * GIANT, "x" * (GIANT + 1), "é" * 40, "東" * 30, "9" * 70]
BLANK = [" ", " ", " ", "", "\u3000 ", "\t"]
EDGES = ["", "", "", "5.", ".5", "5..", "..5", "-", "<skipped>", "&lt;", "٣．", "東.", "$.5", "½,"]
AROUND = ["", "", "", " ", "  ", "\u3000", "\x85", "\n", "-\n"]
HOSTILE = [EVERY_SPACE, CONTROLS, MARKS, MARKS, LETTERS, WIDE, ENTITIES, NESTED, RUNS, BLANK, BLANK]




def hostile_lines(number: int, seed: int = 5) -> list[str]:
    """Lines that no corpus has, but that any corpus could have."""
    draw = random.Random(seed)
    made = []
    for _ in range(number):
        kinds = draw.choices([*HOSTILE, GIANTS], k=draw.randint(1, 4))
        inside = "".join(draw.choice(draw.choice(kinds)) for _ in range(draw.randrange(15)))
        ends = [draw.choice(kind) for kind in (AROUND, EDGES, EDGES, AROUND)]
        made.append("".join([*ends[:2], inside, *ends[2:]]))
    return made


def row_for(name: str, lowercase: str = "", strip: bool = True) -> Dialect:
    """A row with these choices; no name for a casing means that case is kept."""
    return Dialect(
        "row", "1", tokenizer=name, strip=strip, max_order=2,
        lowercase=bool(lowercase), casing=lowercase or "before",
    )  # fmt: skip


@lru_cache(maxsize=4)
def expected(row: Dialect, texts: tuple[str, ...]) -> tuple[Counts, list[list[str]]]:
    """What the definition counts in lines beside the tokens that it finds in them."""
    groups = [[" ".join(tokens_of(row, text))] for text in texts]
    return Bleu(row, engine="definition").count(texts, groups), groups


def check_lines(engine: str, row: Dialect, texts: Sequence[str]) -> None:
    """Lines must be split as chapter 2.3 does: another token would match another number."""
    counts, groups = expected(row, tuple(texts))
    found = Bleu(row, engine=engine).count(texts, groups)
    assert found == counts or [text for text, one, other in zip(
        texts, found, counts, strict=True) if one != other][:3] == []


EXAMPLES = [
    "1٣.٣,5-٣-", "..5", "5..", ".", "-", "5-.5 .-5", "&amp;lt; &quot; &apos;&amp;quot;",
    "<skip<skipped>ped>-<skipped>\nwell-\nknown-\n", "-\n", "a", "5. ", " .5", "5.\u3000", "5-",
    ".5-\n", "5.\n", " ", "", "\u2003\u3000\x85", "\n", "\n\n-\n", "\u3000.5", "．5", "5．", "٣．٣",
]  # fmt: skip


@pytest.mark.parametrize("engine", ARRAYS)
@pytest.mark.parametrize("strip", [True, False], ids=["stripped", "whole"])
@pytest.mark.parametrize("lowercase", ["", "before", "ascii"])
@pytest.mark.parametrize("name", BYTE_RULES)
def test_hostile_lines_split_as_text_does(
    engine: str, name: str, lowercase: str, strip: bool
) -> None:
    row = row_for(name, lowercase, strip)
    texts = EXAMPLES + hostile_lines(100_000 if LONG_RUN else 200)
    # A batch is read with more care if any of its lines holds a line feed or is not ASCII
    for batch in (texts, without_feeds(texts), only_ascii(texts)):
        check_lines(engine, row, batch)


@pytest.mark.parametrize("engine", ARRAYS)
@pytest.mark.parametrize("length", [3, 5, 6, 13, 17, 30, 61, 64, 200])
def test_words_with_the_same_beginning_or_end_are_told_apart(engine: str, length: int) -> None:
    same = "y" * length
    numbers = [f"{number:03}" for number in range(500)]
    words = [word for n in numbers for word in (f"{same}{n}", f"{n}{same}", f"{same}{n}{same}", n)]
    texts = [" ".join(words), " ".join(words[::-3]), *words[::7]]
    check_all(engine, (texts, [[text] for text in texts[::-1]]), tokenizer="none")


def of_unicode() -> list[str]:
    """Lines that hold characters of all of Unicode."""
    some = CHARACTERS if LONG_RUN else [*CHARACTERS[:0x3100:2], *CHARACTERS[0x3100::97]]
    chosen = [each for each in some if each != "\n"]
    return [
        *("".join(f"a{each}b {each} 1{each}2 .{each}. 5.{each}.5 " for each in chosen[start::499])
          for start in range(499)),
        *(f"{each}.5 a 5.{each}" for each in chosen[::7]),
    ]


LENGTH = 1 << 19    # Bytes
MANY_LINES: dict[str, Callable[[], list[str]]] = {
    "unicode": of_unicode,
    "words": lambda: ["the cat, sat. " * (LENGTH // 14)],
    "one word": lambda: ["x" * LENGTH],
    "points": lambda: ["5" + "." * LENGTH + "5"],
    "spaces": lambda: [" " * LENGTH + "\u3000" * 9 + "a"],
    "entities": lambda: ["&amp;lt;" * (LENGTH // 8)],
    "four bytes": lambda: ["😀𠮷" * (LENGTH // 8)],
    "line feeds": lambda: ["a-\n5\n" * (LENGTH // 5)],
    "giants": lambda: [" ".join(
        "y" * (900 + size % 3) + "é" * (size % 2) for size in range(1000))],
}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ARRAYS)
@pytest.mark.parametrize("name", BYTE_RULES)
@pytest.mark.parametrize("kind", MANY_LINES)
def test_many_or_long_lines_split_as_text_does(engine: str, name: str, kind: str) -> None:
    check_lines(engine, row_for(name), ["a 5.", *MANY_LINES[kind](), ".5 a"])


# Half characters ---------------------------------------------------------------------------------

HALF = "\udc80"
CALLS: dict[str, Callable[[Bleu, list[str], list[list[Any]]], object]] = {
    "score": lambda metric, *corpus: metric(*corpus),
    "score of iterators": lambda metric, *corpus: metric(*map(iter, corpus)),
    "update": lambda metric, *corpus: metric.update(*corpus),
    "count": lambda metric, *corpus: metric.count(*corpus),
    "systems": lambda metric, c, r: metric.count_systems({"one": c, "same": c}, r),
    "sentence": lambda metric, c, r: [*map(metric.sentence, c, r)],
}


@pytest.mark.parametrize("engine", [NUMBA])
def test_text_beyond_the_working_space_is_read_by_numpy(
    engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bleu_nb.engines.numba_counts.MOST_BYTES", 5)
    monkeypatch.setattr("bleu_nb.engines.numba_counts.make_keys", None)
    check_all(engine, (["a b", "internationally c"], [["a"], ["b internationally"]]))


@pytest.mark.parametrize("engine", ["auto", "definition", *ENGINES])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("tokenizer", ["13a", "none", "zh", "t2t"])   # From bytes, or from strings
def test_half_a_character_is_refused(engine: str, call: str, tokenizer: str) -> None:
    metric = Bleu(engine=engine, tokenizer=tokenizer)
    for place, alone, broken in (
        (r"candidates\[2\]", "candidate", (["a", "b\n", f"c{HALF}"], [["a"], ["b"], ["c"]])),
        (r"candidates\[0\]", "candidate", ([f"\ud83d {HALF}", "b"], [["a", "c"], ["b", "d"]])),
        (r"references\[1\]\[1\]", r"references\[1\]",
         (["a\nb", "b"], [["a", "-\nc"], ["b", HALF]])),
        (r"references\[1\]\[0\]", r"references\[0\]",
         (["a", "b"], [["a", "c"], [f"é{HALF}"]])),
    ):
        named = {"systems": f"in '[a-z]+': {place}", "sentence": alone}.get(call, place)
        with pytest.raises(ValueError, match=f"^{named} contains half a character") as error:
            CALLS[call](metric, *broken)
        assert "decode the bytes as UTF-8" in str(error.value)


@pytest.mark.parametrize("tokenizer", ["13a", "zh"])
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("place", [3, 150, 4500])
def test_half_a_character_is_named_by_its_place_in_the_whole(
    engine: str, tokenizer: str, place: int
) -> None:
    texts = ["a"] * place + [HALF] + ["a"] * 10
    groups = [["a"]] * len(texts)
    metric = Bleu(engine=engine, tokenizer=tokenizer)
    metric.update(["a"] * 7, [["a"]] * 7)
    for lines_a_chunk in (16, 10_000):
        with in_chunks(lines_a_chunk, 1 << 22):
            with pytest.raises(ValueError, match=rf"^candidates\[{place}\] contains half"):
                metric(iter(texts), iter(groups))
            with pytest.raises(ValueError, match=rf"^references\[{place}\]\[0\] contains half"):
                metric.update(["a"] * len(texts), [[text] for text in texts])
    assert metric.seen.segments == 7


@pytest.mark.parametrize("engine", ["definition", *ENGINES])
def test_torchtext_refuses_tokens_that_it_splits(engine: str) -> None:
    spaced, plain = ["New York", "is", "far"], ["York", "is", "far"]
    metric = Bleu("torchtext", engine=engine)
    for candidate, reference in ((spaced, plain), (plain, spaced)):
        for call in (lambda *pair: metric([pair[0]], [[pair[1]]]),
                     lambda *pair: metric.sentence(pair[0], [pair[1]])):
            with pytest.raises(ValueError, match=r"torchtext splits tokens.*'New York'"):
                call(candidate, reference)


def test_what_torchtext_refuses_is_no_score_of_its_row_alone() -> None:
    corpus = [["New York", "is", "far"]] * 2, [[["York", "is", "far"]]] * 2
    for first, second in (("nltk", "torchtext"), ("torchtext", "torchmetrics")):
        with pytest.raises(ValueError, match="splits tokens at spaces"):
            explain(*corpus, first, second)
    found = identify(*corpus, 0.0, ["torchmetrics", "torchtext"])
    assert any("splits tokens at spaces" in reason for reason in found.without)
    assert {match.dialect.name for match in found.matches} == {"torchmetrics"}
