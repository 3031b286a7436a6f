"""Mistakes in the arguments are named with their cure, and legal edge cases score."""

import inspect
import json
import math
import re
from collections.abc import Callable
from dataclasses import asdict
from fractions import Fraction
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest
from data import MANIFEST, needs, oracle, systems
from noted import noted

from bleu_nb import (
    DIALECTS,
    Bleu,
    BleuStats,
    compare_systems,
    corpus_bleu,
    explain,
    file_bleu,
    identify,
    list_dialects,
    mbr,
    pairwise_bleu,
    rank_systems,
    self_bleu,
    sentence_bleu,
    tokenize,
)
from bleu_nb.adapters.evaluate import score_texts
from bleu_nb.adapters.reducer import Reducer
from bleu_nb.adapters.trl import BleuReward
from bleu_nb.derivation import (
    clipped_precision,
    closest_length,
    count_segment,
    naive_precision,
    ngram_counts,
    ngrams,
    sum_stats,
)
from bleu_nb.dialects import smooth
from bleu_nb.dialects.definition import build_score
from bleu_nb.dialects.formula_variants import Smoothing
from bleu_nb.dialects.input_checks import InputNote, check_corpus
from bleu_nb.dialects.signatures import from_signature
from bleu_nb.dialects.table import Choices
from bleu_nb.engines.bits import count_bits
from bleu_nb.files import read_files
from bleu_nb.files.reading import example_path

NAN, INFINITY = float("nan"), float("inf")

TEXTS = ["the cat sat on the mat", "a dog ran"]
TEXT_REFERENCES = [["the cat sat on a mat", "a cat sat there"], ["the dog ran"]]
TOKENS = [text.split() for text in TEXTS]
TOKEN_REFERENCES = [[text.split() for text in group] for group in TEXT_REFERENCES]
ONE = count_segment(["a"], [["a"]])


class NAType:
    """As `pandas.NA`, which equals nothing and is neither true nor false."""

    def __eq__(self, other: object) -> Any:
        return self

    def __bool__(self) -> bool:
        raise TypeError("boolean value of NA is ambiguous")


Mistake = tuple[Any, Any, type[Exception], str]

CORPORA: dict[str, Mistake] = {
    "too few references": (["a", "b", "c"], [["a"], ["b"]], ValueError,
        "differ in number, 3 and 2: pass one list of references per candidate"),
    "too many references": (["a", "b"], [["a"], ["b"], ["c"]], ValueError,
        "differ in number, 2 and 3: pass one list of references per candidate"),
    "one stream": (["a", "b", "c"], [["a", "b", "c"]], ValueError,
        "pass list(zip(*references)) instead"),
    "three streams": (TEXTS, [TEXTS, TEXTS, TEXTS], ValueError,
        "2 and 3, and each list has 2 references: they look like streams, as sacreBLEU"),
    "streams of tokens": (TOKENS, [TOKENS], ValueError, "they look like streams"),
    "swapped": (TEXT_REFERENCES, TEXTS, TypeError, "look swapped: candidates come first"),
    "swapped tokens": (TOKEN_REFERENCES, TOKENS, TypeError, "look swapped"),
    "one reference without a list": (TEXTS, TEXTS, TypeError,
        "references must contain one list per candidate, such as"),
    "one token reference without a list": (TOKENS, TOKENS, TypeError,
        "references[0] must contain lists of tokens, not strings"),
    "bare candidate": ("a b", [["a b"]], TypeError, "candidates must be a list, not the str 'a b'"),
    "bare reference": (["a b"], "a b", TypeError, "references must be a list, not the str 'a b'"),
    "bare sentence": ("a b", "a b", TypeError, "use sentence_bleu(candidate, [reference])"),
    "bare bytes": (["a"], b"a", TypeError, "references must be a list, not the bytes b'a'"),
    "bare string in place of a group": (TEXTS, [["a"], "a b"], TypeError,
        "references[1] must be the list of references of candidates[1], not 'a b'"),
    "None in place of a group": (TEXTS, [["a"], None], TypeError,
        "references[1] must be the list of references"),
    "string beside token lists": ([["a"], "b"], [[["a"]], [["b"]]], TypeError,
        "candidates[1] is a string, but candidates[0] is a list of tokens: pass all"),
    "token list beside strings": (["a", ["b"]], [["a"], ["b"]], TypeError,
        "candidates[1] is not a string, but candidates[0] is a string: pass all segments as text"),
    "string reference of tokens": ([["a"]], [["a"]], TypeError,
        "references[0] must contain lists of tokens"),
    "token reference of text": (["a", "b"], [["a"], ["b", ["b"]]], TypeError,
        "references[1][1] is not a string"),
    "number in place of a group": (TEXTS, [["a"], 3], TypeError,
        "references[1] must be the list of references"),
    "no lists at all": (["a"], [], ValueError, "differ in number, 1 and 0"),
    "None among tokens": ([["a", None]], [[["a"]]], TypeError,
        "candidates[0][1] must be a string, not NoneType"),
    "number among tokens": ([["a"]], [[["a"], ["a", 3]]], TypeError,
        "references[0][1][1] must be a string, not int: 3"),
    "None as candidate": (["a", None], [["a"], ["b"]], TypeError,
        "candidates[1] is missing (None or NaN)"),
    "number as reference": (["a"], [[3]], TypeError, "references[0][0] is not a string"),
    "bytes of another encoding": ([b"caf\xe9"], [[b"a"]], ValueError,
        "candidates[0] contains bytes that are not UTF-8 (byte 4 is 0xe9): decode it with its own"),
    "bytearray of another encoding": ([bytearray(b"\xff"), "b"], [["a"], ["b"]], ValueError,
        "candidates[0] contains bytes that are not UTF-8 (byte 1 is 0xff)"),
    "memoryview of another encoding": (["a", memoryview(b"b\x80")], [["a"], ["b"]], ValueError,
        "candidates[1] contains bytes that are not UTF-8 (byte 2 is 0x80)"),
    "bytes of another encoding as reference": ([b"a"], [[b"a", b"\xc3"]], ValueError,
        "references[0][1] contains bytes that are not UTF-8"),
    "bytes beside token lists": ([["a"]], [[b"a"]], TypeError,
        "references[0] must contain lists of tokens, not strings"),
    "bare bytearray": (bytearray(b"a"), [["a"]], TypeError, "must be a list, not the bytearray"),
    "bytes among tokens": ([["a", b"b"]], [[["a"]]], TypeError,
        "candidates[0][1] must be a string, not bytes: b'b'"),
    "NaN as first candidate": ([NAN, "a"], [["a"], ["b"]], TypeError,
        "candidates[0] is missing (None or NaN): pass an empty string or an empty list if"),
    "NaN as first token list": ([NAN, ["a"]], [[["a"]], [["b"]]], TypeError,
        "candidates[0] is missing (None or NaN)"),
    "NaN as the only reference": (["a"], [[NAN]], ValueError, "references[0] holds no reference"),
    "NaN among tokens": ([["a", NAN]], [[["a"]]], TypeError,
        "candidates[0][1] must be a string, not float: nan; th"),
    "what pandas has for NaN": ([NAType(), "a"], [["a"], ["b"]], TypeError,
        "candidates[0] is missing (None or NaN)"),
    "lists too deep": ([[["a"]]], [[["a"]]], TypeError, "candidates[0][0] must be a string"),
    "no reference": (TEXTS, [["a"], []], ValueError,
        "references[1] holds no reference: pass at least one for each"),
    "only a missing reference": (TEXTS, [["a"], [None]], ValueError, "references[1] holds no"),
    **{f"empty {form.__name__} of candidates, {other.__name__} of references": (
        form([]), other([]), ValueError, "an empty corpus: pass at least one candidate")
       for form, other in ((iter, iter), (iter, list), (list, iter))},
    "empty corpus": ([], [], ValueError, "an empty corpus: pass at least one candidate"),
    "no candidates": ([], [["a"]], ValueError, "an empty corpus: pass at least one candidate"),
    "None for candidates": (None, [["a"]], TypeError, "candidates must be a list, not NoneType"),
    "None for references": (["a"], None, TypeError, "references must be a list, not NoneType"),
    "set of candidates": ({"a"}, [["a"]], TypeError, "candidates must be an ordered list, not a"),
    "dict of references": (["a"], {0: ["a"]}, TypeError, "references must be an ordered list"),
    "set in place of a group": (["a"], [{"a"}], TypeError, "references[0] must be an ordered list"),
    "candidates without an axis": (np.array(3), [["a"]], TypeError,
        "candidates must be a list, not ndarray: pass"),
    "references without an axis": (["a"], np.array(3), TypeError,
        "references must be a list, not ndarray: pass"),
    "a group without an axis": (["a"], [np.array(3)], TypeError,
        "references must contain one list per candidate"),
    "the second group without an axis": (["a"] * 2, [["a"], np.array(3)], TypeError,
        "references[1] must be the list of references of"),
    "a candidate without an axis": ([np.array(3)], [["a"]], TypeError,
        "candidates[0] must be text or a list of tokens, not int"),
    **{f"the token {token!r}": ([[token]], [[["a"]]], TypeError,
        "candidates[0] is a list of tokens, but each of its strings contains several")
       for token in ("a b", "a\tb", "a\nb", "a\r\nb")},
    **{f"{type(wrong).__name__} as candidate {place} beside {references}": (
        ["a"] * place + [wrong, "a"][:2 - place], references, TypeError,
        f"candidates[{place}] must be text or a list of tokens, not ")
       for wrong in (1, 1.5, True, {}, {"a"}, object(), len, iter("a"))
       for references in (["a", "b"], [["a"], ["b"]], [[["a"]], [["b"]]]) for place in (0, 1)},
}  # fmt: skip


SENTENCES: dict[str, Mistake] = {
    "bare reference": ("a b", "a b", TypeError, "not the str 'a b': pass [reference]"),
    "bytes reference": ("a b", b"a b", TypeError, "not the bytes b'a b': pass [reference]"),
    "swapped": (["a b"], "a b", TypeError, "look swapped: the candidate comes first"),
    "no reference": ("a", [], ValueError, "no reference: pass at least one for each"),
    "only a missing reference": ("a", [None], ValueError,
        "no reference: pass at least one for each"),
    "None for references": ("a", None, TypeError, "references must be a list, not NoneType"),
    "None for the candidate": (None, ["a"], TypeError, "candidate is missing (None or NaN)"),
    "flat tokens": (["a", "b"], ["a", "b"], TypeError, "of one reference, pass [tokens]"),
    "string reference of tokens": (["a"], ["a"], TypeError,
        "references must contain lists of tokens"),
    "a corpus": (["a b", "c d"], [["a b"]], TypeError,
        "each of its strings contains several words, such as 'a b'"),
    "token reference of text": ("a b", [["a"]], TypeError, "references[0] is not a string"),
    "number for the candidate": (3, ["a"], TypeError, "candidate must be a list or tuple"),
    "number among tokens": (["a", 3], [["a"]], TypeError, "candidate[1] must be a string, not int"),
    "set of references": ("a", {"a"}, TypeError, "references must be an ordered list, not a set"),
    "set of tokens": ({"a"}, [["a"]], TypeError, "candidate must be a list or tuple of tokens"),
    "references without an axis": ("a", np.array(3), TypeError,
        "references must be a list, not ndarray: pass"),
}  # fmt: skip


CHOICES: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "weights above 1": ({"weights": (0.5, 0.6)}, ValueError, "weights must sum to 1, not 1.1"),
    "weights below 1": ({"weights": [0.25] * 3}, ValueError, "weights must sum to 1, not 0.75"),
    "negative weight": ({"weights": (1.5, -0.5)}, ValueError, "weights must be numbers from 0 to"),
    "weight nan": ({"weights": (NAN, 1)}, ValueError, "weights must be numbers from 0 to 1"),
    "weights as text": ({"weights": "ab"}, TypeError, "weights must be a list, not 'ab'"),
    "no weights": ({"weights": []}, ValueError, "no weights: pass one per order"),
    "one number for weights": ({"weights": 0.25}, TypeError, "weights must be a list, not 0.25"),
    "weights for other orders": ({"weights": (0.5, 0.5), "max_order": 3}, ValueError,
        "2 weights for 3 orders: pass one"),
    "order 0": ({"max_order": 0}, ValueError, "order must be at least 1, not 0"),
    "too many orders": ({"max_order": 10**8}, ValueError, "order must be at most 100, not 100000"),
    "too many orders by weights": ({"weights": [0.001] * 1000}, ValueError,
        "order must be at most 100, not 1000"),
    "digits True": ({"digits": True}, ValueError, "digits must be a whole number from 0 to 15"),
    "digits 16": ({"digits": 16}, ValueError, "digits must be a whole number from 0 to 15, or No"),
    "digits 2.0": ({"digits": 2.0}, ValueError, "digits must be a whole number from 0 to 15"),
    "single weights": ({"weights": np.array([0.1, 0.2, 0.3, 0.4], "f")}, ValueError,
        "single precision is too coarse for them: pass Python floats"),
    "weights in a set": ({"weights": {0.5}}, TypeError, "weights must be a list, not {0.5}"),
    "weights of no dimension": ({"weights": np.array(1.0)}, TypeError, "weights must be a list"),
    "weights in rows": ({"weights": np.eye(2)}, ValueError, "weights must be numbers from 0 to 1"),
    "value too large": ({"smoothing": "floor", "smoothing_value": 10**400}, ValueError,
        "of at least 0, not 10000"),
    "order -1": ({"max_order": -1}, ValueError, "order must be at least 1, not -1"),
    "order True": ({"max_order": True}, TypeError, "order must be an int, not bool: True"),
    "order 1.5": ({"max_order": 1.5}, TypeError, "order must be an int, not float: 1.5"),
    "unknown tokenizer": ({"tokenizer": "13b"}, ValueError, "'13b': did you mean '13a'?"),
    "unknown smoothing": ({"smoothing": "expo"}, ValueError, "'expo': did you mean 'exp'?"),
    "smoothing as nltk says": ({"smoothing": "method1"}, ValueError, "'nltk-0', 'nltk-1'"),
    "unknown length rule": ({"reference_length": "close"}, ValueError,
        "'close': did you mean 'closest'?"),
    "unknown effective order": ({"effective_order": True}, ValueError,
        "'never', 'sentences', 'always'"),
    "unknown scale": ({"scale": 10}, ValueError, "choose from 1, 100"),
    "unknown least total": ({"least_total": 2}, ValueError, "choose from 0, 1"),
    "number for lowercase": ({"lowercase": 3}, ValueError, "choose from False, True"),
    "no dialect": ({"dialect": None}, TypeError, "dialect must be a name or a Dialect, not None"),
    "unknown choice": ({"tokenizr": "13a"}, TypeError, "'tokenizr': did you mean 'tokenizer'?"),
    "choice of name": ({"name": "mine"}, TypeError, "no option 'name'"),
    "unknown dialect": ({"dialect": "sacreblue"}, ValueError, "did you mean 'sacrebleu', 's"),
    "value without use": ({"smoothing_value": 0.1}, ValueError,
        "'exp' takes no value, but got 0.1: leave it"),
    "value of none": ({"smoothing": "none", "smoothing_value": 1}, ValueError,
        "'none' takes no value"),
    "negative value": ({"smoothing": "floor", "smoothing_value": -1}, ValueError,
        "must be a number of at least 0, not -1"),
    "value nan": ({"smoothing": "add-k", "smoothing_value": NAN}, ValueError,
        "of at least 0, not nan"),
    "infinite value": ({"smoothing": "floor", "smoothing_value": INFINITY}, ValueError,
        "at least 0, not inf"),
    "value as text": ({"smoothing": "floor", "smoothing_value": "1"}, ValueError,
        "at least 0, not '1'"),
}  # fmt: skip


CALLS: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    **{f"{call.__name__} of {name}": (partial(call, one, other), error, message)
       for call, table in (
           (corpus_bleu, CORPORA), (Bleu().count, CORPORA), (Bleu().update, CORPORA),
           (sentence_bleu, SENTENCES))
       for name, (one, other, error, message) in table.items()},
    **{f"Bleu with {name}": (partial(Bleu, **choices), error, message)
       for name, (choices, error, message) in CHOICES.items()},
    "a late candidate": (lambda: corpus_bleu(iter(["a"] * 5000 + [1]), iter([["a"]] * 5001)),
        TypeError, "candidates[5000] must be text or a list of tokens"),
    **{f"{wrong} as statistics in {call.__name__}": (partial(call, given), TypeError,
        f"as count_segment and sum_stats return them, not {type(wrong).__name__}")
       for wrong in (None, "a", 5, [ONE], {"matches": (1,)}, Bleu().seen)
       for call, given in ((sum_stats, [ONE, wrong]), (smooth, wrong))},
    "references from a generator without lists": (lambda: corpus_bleu(TEXTS, iter(TEXTS)),
        TypeError, "references must contain one list per candidate"),
    "text for tokens": (lambda: ngrams("abc", 1), TypeError,
        "tokens must be a list of tokens, not the str 'abc'"),
    "set for tokens": (lambda: ngram_counts({"a"}, 1), TypeError, "tokens must be a list or tuple"),
    "number among tokens": (lambda: ngrams(["a", 1], 1), TypeError, "tokens[1] must be a string"),
    "order 0": (lambda: ngrams(["a"], 0), ValueError, "order must be at least 1, not 0"),
    "order True": (lambda: ngrams(["a"], True), TypeError, "order must be an int, not bool"),
    "flat references": (lambda: naive_precision(["a"], ["a"]), TypeError,
        "references[0] must be a list of tokens"),
    "bare references": (lambda: clipped_precision(["a"], "a"), TypeError,
        "references must be a list of token lis"),
    "no references": (lambda: count_segment(["a"], []), ValueError, "no reference: pass at least"),
    "text as candidate": (lambda: count_segment("a b", [["a"]]), TypeError,
        "candidate must be a list of tokens"),
    "no lengths": (lambda: closest_length(3, []), ValueError, "no reference: at least one length"),
    "negative length": (lambda: closest_length(-1, [3]), ValueError, "cannot be negative: -1"),
    "nothing to pool": (lambda: sum_stats([]), ValueError,
        "an empty corpus: pass at least one segment"),
    "orders that differ": (lambda: ONE + count_segment(["a"], [["a"]], 2), ValueError,
        "up to different orders"),
    "unknown smoothing": (lambda: smooth(ONE, "flor"), ValueError, "did you mean 'floor'?"),
    "short last segment": (lambda: smooth(ONE, "nltk-5"), ValueError, "need counts up to order 5"),
    "no text": (lambda: tokenize(None), TypeError, "text must be a string, not NoneType"),
    "tokens as text": (lambda: tokenize(["a"]), TypeError, "text must be a string, not list"),
    "unknown tokenizer": (lambda: tokenize("a", "14a"), ValueError, "did you mean '13a'?"),
    "a signature that is a number": (lambda: from_signature(5), TypeError,
        "a signature must be a string, such as the signature"),
    **{f"merging {type(wrong).__name__}": (partial(Bleu().merge, wrong), TypeError,
        "merge requires another Bleu with the same options, not")
       for wrong in (5, None, Bleu().seen, "sacrebleu")},
    "too many orders to count": (lambda: count_segment(["a"], [["a"]], 10**8), ValueError,
        "order must be at most 100"),
    "too many orders in bits": (lambda: count_bits(["a"], [["a"]], 10**8), ValueError,
        "order must be at most 100"),
    "a credit too large": (
        lambda: corpus_bleu(["a"], [["a"]], smoothing=Smoothing(
            lambda stats, last, value: [(1e308, 1)] * 4, None, "mine")), ValueError,
        "no score: a number is"),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_mistake_is_named_with_its_cure(name: str) -> None:
    call, error, message = CALLS[name]
    with pytest.raises(error, match=re.escape(message)):
        call()


def test_an_order_beyond_any_sentence_holds_nothing() -> None:
    assert ngrams(["a", "b"], 10**12) == []


VALUES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "order of numpy": ({"max_order": np.int64(3)}, {"max_order": 3}),
    "order of an array": ({"max_order": np.array(3)}, {"max_order": 3}),
    "bool of numpy": ({"lowercase": np.bool_(True), "strip": np.False_},
        {"lowercase": True, "strip": False}),
    "name of numpy": ({"smoothing": np.str_("floor"), "penalty": np.str_("strict")},
        {"smoothing": "floor", "penalty": "strict"}),
    "value of numpy": ({"smoothing": "add-k", "smoothing_value": np.float32(0.5)},
        {"smoothing": "add-k", "smoothing_value": 0.5}),
    "value of an int of numpy": ({"smoothing": "add-k", "smoothing_value": np.int8(2)},
        {"smoothing": "add-k", "smoothing_value": 2}),
    "value as a fraction": ({"smoothing": "floor", "smoothing_value": Fraction(1, 4)},
        {"smoothing": "floor", "smoothing_value": 0.25}),
    "numbers of numpy": ({"scale": np.int32(1), "least_total": np.uint8(1), "digits": np.int64(3)},
        {"scale": 1, "least_total": 1, "digits": 3}),
    "weights of numpy": ({"weights": np.array([0.5, 0.5])}, {"weights": (0.5, 0.5)}),
    "weights in single precision": ({"weights": [np.float32(0.25)] * 4}, {"weights": (0.25,) * 4}),
    "weights in half precision": ({"weights": np.array([0.5, 0.25, 0.25], "e")},
        {"weights": (0.5, 0.25, 0.25)}),
    "doubles of numpy": ({"weights": list(np.array([0.4, 0.3, 0.2, 0.1]))},
        {"weights": (0.4, 0.3, 0.2, 0.1)}),
}  # fmt: skip


@pytest.mark.parametrize("name", VALUES)
def test_values_of_numpy_are_those_of_python(name: str) -> None:
    numpy, plain = VALUES[name]
    theirs, ours = Bleu(**numpy).dialect, Bleu(**plain).dialect
    assert theirs == ours and hash(theirs) == hash(ours) and repr(theirs) == repr(ours)
    assert json.dumps(asdict(theirs)) == json.dumps(asdict(ours))
    texts = [text.lower() for text in TEXTS]
    assert [repr(score(*sides, **numpy)) for score, sides in (
        (corpus_bleu, (texts, TEXT_REFERENCES)), (sentence_bleu, (texts[0], TEXT_REFERENCES[0])))
            ] == [repr(score(*sides, **plain)) for score, sides in (
                (corpus_bleu, (texts, TEXT_REFERENCES)),
                (sentence_bleu, (texts[0], TEXT_REFERENCES[0])))]


def test_weights_of_torch() -> None:
    torch = oracle("torch")
    expected = Bleu(weights=(0.5, 0.25, 0.25)).dialect
    for kind in (torch.float32, torch.float64, torch.bfloat16):
        assert Bleu(weights=torch.tensor([0.5, 0.25, 0.25], dtype=kind)).dialect == expected
    assert Bleu(max_order=torch.tensor(3)).dialect == Bleu(max_order=3).dialect
    value = torch.tensor(0.5)
    metric = Bleu(smoothing="floor", smoothing_value=value)
    value += 0.25   # Changes nothing
    assert metric.dialect == Bleu(smoothing="floor", smoothing_value=0.5).dialect


def numbers(score: Callable[[], Any]) -> list[float]:
    """The scores that a call gives; none where it says that a number is too large for one."""
    try:
        found = score()
    except ValueError as error:
        assert "no score: a number is too large or too small" in str(error)
        return []
    return [*map(float, found if isinstance(found, list) else [found])]


@pytest.mark.parametrize("smoothing", ["floor", "add-k", "nltk-1", "nltk-4", "nltk-6", "nltk-7"])
@pytest.mark.parametrize("value", [5e-324, 1e-300, 1e100, 1e306, 1e308, 1.7e308])
@pytest.mark.parametrize("engine", ["definition", "numpy"])
def test_no_value_leads_out_of_the_numbers(smoothing: str, value: float, engine: str) -> None:
    corpus = ["a b c d e f", "a b c x d", "a b c"], [["a b c x d f"], ["a b c d"], ["a b c d e"]]
    for dialect in ("sacrebleu", "nltk", "torchmetrics", "keras-hub", "ignite", "codexglue-smooth"):
        metric = Bleu(dialect, smoothing=smoothing, smoothing_value=value, engine=engine)
        counts = metric.count(*corpus)
        for score in (partial(metric, *corpus), counts.values, counts.sentences):
            assert all(map(math.isfinite, numbers(score)))


def test_statistics_beyond_floats_take_one_sentence() -> None:
    huge = BleuStats((10**400,) * 4, (10**400,) * 4, 10**400, 1)
    for row in DIALECTS.values():
        assert all(map(math.isfinite, numbers(partial(build_score, row, huge, huge, False, ""))))


@pytest.mark.parametrize("token", ["a\xa0b", "\u3000", "\u2009", "a\u2028b", " a", "a\n"])
def test_a_token_may_hold_what_nobody_types_between_words(token: str) -> None:
    for score in (corpus_bleu([[token]], [[[token]]]), sentence_bleu([token], [[token]])):
        assert score.stats.matches[0] == 1


# Square references

SEA = [
    "The sea forgets nothing, he said.",
    "Two lamps have burned on the island ever since.",
    "No ship was lost on these rocks again.",
]
HUMAN = [
    ["The sea does not forget, he used to say.", "He said that the sea forgets nothing.", SEA[0]],
    ["Ever since, two lamps burn on the island.", "Since then the island has two lamps.", SEA[1]],
    ["No ship has been lost on the rocks since.", "Never again a ship on these rocks.", SEA[2]],
]


SQUARES = [(SEA[:number], [group[:number] for group in HUMAN[:number]]) for number in (1, 2, 3)]
WORDS_OF_12 = [f"word{n} thing{n} place{n}" for n in range(12)]     # The first eight are compared
GROUPS_OF_12 = [[text, *[f"{text} {n}" for n in range(11)]] for text in WORDS_OF_12]
OUTPUT_FILE, HUMAN_FILE = "the cat sat\non the mat\n" * 60, "the cat sat\non a mat\n" * 60
CAPTION = ["two", "boats", "leave", "the", "harbour"]
CAPTIONS = [each.split() for each in (
    "two boats leave the harbour", "from the harbour sail two", "a pair of boats departs",
    "leaving the harbour are boats", "the two ships set off")]
RAGGED = [each.split() for each in (
    "two boats leave the harbour slowly", "from the harbour", "boats", "the harbour and the boats "
    "are empty", "the two ships")]
ITALIAN = ["Parigi", "Londra", "Roma", "Atene"]
ENGLISH = ["Paris", "London", "Rome", "Athens"]


def turned(groups: list[list[Any]]) -> list[list[Any]]:
    """Streams of references in the place of groups, and the reverse."""
    return [*map(list, zip(*groups, strict=True))]


def split(groups: list[list[str]]) -> list[list[list[str]]]:
    """The same in tokens."""
    return [[text.split() for text in group] for group in groups]


CALLERS: dict[str, Callable[..., object]] = {
    "corpus_bleu": corpus_bleu,
    "count": Bleu().count,
    "systems": lambda one, other: Bleu().count_systems({"one": one}, other),
    "update": lambda *sides: Bleu().update(*sides),
    "explain": lambda *sides: explain(*sides, "nltk"),
    **{engine: Bleu(engine=engine) for engine in ("definition", "bits", "numpy")},
    "count in arrays": Bleu(engine="numpy").count,
    **{engine: Bleu(engine=engine) for engine in ("numba",) if find_spec(engine)},
    "identify": lambda *sides: identify(*sides, 0.0, ["sacrebleu"]),
    "iterators": lambda one, other: corpus_bleu(iter(one), iter(other)),
    "reducer": lambda *sides: Reducer().count(*sides),
    "reward": lambda one, other: BleuReward()(     # Which takes no bytes
        [each.decode() if isinstance(each, bytes) else each for each in one], references=other),
    "evaluate": lambda *sides: score_texts(*sides, "sacrebleu", "auto", None),
}

STREAMS = "references look like streams, as s"
MARK = "the first segment begins with a byte order mark"
LINES = "the only segment has many lines, and each of its references has as many"
SENTENCE = "pass [tokens], [references]"
NOTED: list[tuple[str, Any, Any]] = [
    *((STREAMS, texts, turned(groups)) for texts, groups in SQUARES[1:]),
    *((STREAMS, [text.split() for text in texts], split(turned(groups)))
      for texts, groups in SQUARES[1:]),
    # From half as much again on
    (STREAMS, WORDS_OF_12, turned(GROUPS_OF_12)),
    (STREAMS, [[*"abc"], [*"def"]], [[[*"x"], [*"abdef"]], [[*"abcde"], [*"x"]]]),
    (STREAMS, [b"a b c", b"e f g"], [[b"a b c", b"e f g"]] * 2),
    ("read the file with encoding='utf-8-sig'", ["\ufeffthe sea at night", "a b"],
     [["the sea at night"], ["a b"]]),
    (MARK, ["the sea"], [["the sea", "\ufeffthe sea"]]),
    (MARK, [b"the sea", b"a b"], [["\ufeffthe sea".encode()], [b"a b"]]),
    *((LINES, [OUTPUT_FILE], [human]) for human in (
        [HUMAN_FILE], [HUMAN_FILE, OUTPUT_FILE], (HUMAN_FILE.rstrip(),), [HUMAN_FILE, None])),
    (LINES, [OUTPUT_FILE.encode()], [[HUMAN_FILE]]),
    *((SENTENCE, CAPTION, references) for references in (
        CAPTIONS, RAGGED, [*map(tuple, RAGGED)], [CAPTION] * 5, [CAPTION, *RAGGED[1:]],
        [[*each, "now", "again"] for each in CAPTIONS])),
    (SENTENCE, np.array(CAPTION), np.array([CAPTION] * 4 + [CAPTIONS[1]])),
]
FITTING: list[tuple[Any, Any]] = [
    *SQUARES, (WORDS_OF_12, GROUPS_OF_12),
    ([[*"abc"], [*"def"]], [[[*"x"], [*"abdef"]], [[*"abde"], [*"x"]]]),
    (SEA[:1], [[HUMAN[1][0]]]), (SEA[:2], [[SEA[0], ""], ["", SEA[1]]]),
    (["a", "a"], [["a", "a"], ["a", "a"]]), (["", ""], [["", "x"], ["x", ""]]),
    (SEA[:2], [*zip(*SQUARES[1][1], strict=True)]),
    (SEA[:2], [[SEA[0]], [SEA[1]]]), (SEA[:2], [[SEA[1], None], [SEA[0], None]]),
    # A mark in another segment, or a token
    (["the sea", "\ufeffa b"], [["the sea"], ["a b"]]), ([["\ufeff", "a"]], [[["a"]]]),
    # Long segments that are no files
    *(([text], [[human]]) for text, human in (
        (OUTPUT_FILE, "the cat\n" * 119), (OUTPUT_FILE, HUMAN_FILE.replace("\n", " ")),
        ("a\n" * 99, "b\n" * 99), ("", ""), (OUTPUT_FILE.split(" "), HUMAN_FILE.split(" ")))),
    ([OUTPUT_FILE, OUTPUT_FILE], [(HUMAN_FILE,), (HUMAN_FILE,)]),
    # Words with references of their own
    (["Paris", "London"], [["Paris", "paris"], ["London"]]),
    (ENGLISH, [[each, each.lower(), each.upper()] for each in ENGLISH]),
    (ENGLISH, [[each, f"{each}s"] for each in ITALIAN]),    # All wrong
    (ENGLISH, [[each, each.lower()] for each in ENGLISH[1:] + ENGLISH[:1]]),    # Shifted by one
    (ENGLISH, [sorted(ENGLISH)] * 4),       # The same choices for each
    (["yes", "no", "yes", "no"], [["yes", "y"], ["no", "n"], ["no", "n"], ["yes", "y"]]),
    (["yes", "no"], [["no", "nope"], ["yes", "yeah"]]),
    (["cat", "dog", "bird"], [["dog"], ["bird"], ["cat"]]),     # Labels
    (["cat", "dog", "bird"], [["cat", "pet"], ["dog", "pet"], ["bird", "pet"]]),
    (["big", "fast"], [["large", "big", "huge"], ["quick", "fast", "rapid"]]),
    (["a1", "b2", "c3"], [["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1", "c2", "c3"]]),
    (["猫が寝た", "雨が降る", "船だ"], [["猫が寝た", "猫"], ["雨が降る", "雨だ"], ["船だ", "船"]]),
    ([*"ABCD"], [[*"AX"], [*"BY"], [*"AC"], [*"DZ"]]),
    (["two boats", "leave", "the"], [[*"ab"], [*"cd"], [*"ef"]]),
    *((words, [words[:place] + words[place + 1:] for place in range(len(words))])   # Self-BLEU
      for words in (["happy", "glad", "cheerful"], [*"abcde"], ["yes", "no", "yes"])),
]


@pytest.mark.parametrize(("said", "candidates", "references"), NOTED)
def test_what_misleads_is_noted_once_at_the_line_of_the_caller(
    said: str, candidates: Any, references: Any
) -> None:
    for door, call in CALLERS.items():
        [note] = noted(lambda call=call: call(candidates, references), InputNote)
        assert said in str(note.message), door
        assert note.filename == __file__ or door in ("identify", "reducer", "reward", "evaluate")


@pytest.mark.parametrize(("candidates", "references"), FITTING)
def test_what_is_meant_is_not_noted(candidates: Any, references: Any) -> None:
    assert not [door for door, call in CALLERS.items()
                if noted(partial(call, candidates, references), InputNote)]


def test_a_sentence_is_noted_in_later_batches_and_a_file_as_one() -> None:
    metric = Bleu()
    metric.update([TEXT], [[OTHER]])
    for call, said in ((partial(metric.update, CAPTION, CAPTIONS), SENTENCE),
                       (partial(sentence_bleu, OUTPUT_FILE, [HUMAN_FILE]), LINES)):
        [note] = noted(call, InputNote)
        assert said in str(note.message)
    assert not noted(partial(sentence_bleu, OUTPUT_FILE, ["the cat\n" * 119]), InputNote)


@pytest.mark.parametrize("references", [[[[2]]], [[[2], [1]], [[3, 1]]]])
def test_ids_are_tokens_where_a_tool_splits_tokens_at_spaces(references: list[Any]) -> None:
    ids = [group[0] for group in references]
    texts = [[[*map(str, each)] for each in group] for group in references]
    assert corpus_bleu(ids, references, "torchtext", max_order=1) == corpus_bleu(
        [group[0] for group in texts], texts, "torchtext", max_order=1)


@needs(MANIFEST)
def test_square_pieces_of_real_sets() -> None:
    """No piece of two or three segments is noted as it is; nine in ten are when transposed."""
    told, pieces = [0, 0], 0
    for system in [each for each in systems() if len(each.reference_files) > 1][::4]:
        for start in range(0, 200, 2):
            groups = [group[:2] for group in system.references[start:start + 2]]
            for transposed, given in enumerate((groups, turned(groups))):
                told[transposed] += len(noted(partial(
                    check_corpus, [*system.candidates[start:start + 2]], given)))
            pieces += 1
    assert told[0] == 0 and told[1] > 0.9 * pieces > 100


@pytest.mark.parametrize("given", [
    lambda one, other: (iter(one), iter(other)),
    lambda one, other: (iter(one), map(iter, other)),
    lambda one, other: (one, [*map(iter, other)]),
    lambda one, other: (tuple(one), tuple(map(tuple, other)))])
@pytest.mark.parametrize("sides", [(TEXTS, TEXT_REFERENCES), (TOKENS, TOKEN_REFERENCES)],
                         ids=["texts", "tokens"])
def test_one_shot_iterables_score_as_lists(sides: Any, given: Any) -> None:
    assert corpus_bleu(*given(*sides)) == corpus_bleu(*sides)
    (first, *_), (group, *_) = sides
    assert sentence_bleu(first, iter(group)) == sentence_bleu(first, group)


@pytest.mark.parametrize("gap", [None, NAN, np.float64("nan"), NAType()],
                         ids=["None", "nan", "numpy nan", "NA"])
@pytest.mark.parametrize("engine", ["definition", "bits", "numpy"])
def test_missing_references_are_left_out(engine: str, gap: Any) -> None:
    groups: list[Any] = [[*TEXT_REFERENCES[0], gap], [gap, *TEXT_REFERENCES[1]]]
    assert corpus_bleu(TEXTS, groups, engine=engine) == corpus_bleu(TEXTS, TEXT_REFERENCES)
    assert sentence_bleu("a b", [gap, "a b"]) == sentence_bleu("a b", ["a b"])
    tokens = [["a", "b"]]
    assert corpus_bleu(tokens, [[tokens[0], gap]], engine=engine) == corpus_bleu(tokens, [tokens])


# What was passed, in a message --------------------------------------------------------------------

LONG = "x" * 50_000
SIGNED = "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0"


@pytest.mark.parametrize("passed", [
    *({name: LONG} for name in Choices.__annotations__),
    *({name: LONG} for name in ("engine", "threads", "dialect", LONG)),
    {"max_order": 10**4000}, {"weights": [LONG] * 4}, {"digits": 10**4000},
    {"smoothing": "floor", "smoothing_value": LONG},
    LONG, *(re.sub(f"{field}:[^|]*", f"{field}:{LONG}", SIGNED)
            for field in ("case", "eff", "tok", "smooth")),
    f"{SIGNED}|counting:{LONG}", f"{SIGNED}|order:{LONG}",
    SIGNED.replace("13a", f"callable({LONG})"),
], ids=lambda passed: ",".join(each[:60] for each in (
    [passed] if isinstance(passed, str) else passed)))
def test_a_long_choice_or_signature_is_not_echoed_whole(passed: Any) -> None:
    with pytest.raises(ValueError if isinstance(passed, str) else (TypeError, ValueError)) as error:
        from_signature(passed) if isinstance(passed, str) else Bleu(**passed)
    assert 20 < len(str(error.value)) < 1_500


# A cure that works, and was not followed already --------------------------------------------------

TEXT, OTHER = "the cat sat on the mat", "the cat is on the mat"
WORDS, HUMAN_WORDS = TEXT.split(), OTHER.split()
OURS, THEIRS = example_path("heron.txt"), example_path("reference_1.txt")
SHAPES: list[tuple[Callable[[], object], str, Callable[[], object]]] = [
    (lambda: sentence_bleu(TEXT, [[OTHER]]), "is a list with one text, pass the text",
     lambda: sentence_bleu(TEXT, [OTHER])),
    (lambda: corpus_bleu([TEXT], [[[OTHER]]]),
     r"references\[0\]\[0\].*is a list with one text, pass the text",
     lambda: corpus_bleu([TEXT], [[OTHER]])),
    (lambda: sentence_bleu([TEXT], [OTHER]), "candidate is a list.*pass text as a string",
     lambda: sentence_bleu(TEXT, [OTHER])),
    (lambda: sentence_bleu(WORDS, OTHER), r"pass \[reference.split\(\)\]",
     lambda: sentence_bleu(WORDS, [HUMAN_WORDS])),
    (lambda: sentence_bleu([HUMAN_WORDS], WORDS), "look swapped: the candidate comes first",
     lambda: sentence_bleu(WORDS, [HUMAN_WORDS])),
    (lambda: sentence_bleu([WORDS, WORDS], [[HUMAN_WORDS], [HUMAN_WORDS]]), "use corpus_bleu",
     lambda: corpus_bleu([WORDS, WORDS], [[HUMAN_WORDS], [HUMAN_WORDS]])),
    (lambda: corpus_bleu([TEXT], OTHER),
     r"pass one list of references per segment, such as \[reference\]",
     lambda: corpus_bleu([TEXT], [[OTHER]])),
    (lambda: corpus_bleu([TEXT, TEXT], [[OTHER], OTHER]), r"references\[1\] .*: pass \[reference\]",
     lambda: corpus_bleu([TEXT, TEXT], [[OTHER], [OTHER]])),
    *((call, r"for one tokenized sentence pass \[tokens\], \[references\]",
       lambda: corpus_bleu([WORDS], [[HUMAN_WORDS]])) for call in (
        lambda: corpus_bleu(WORDS, [HUMAN_WORDS]), lambda: corpus_bleu(WORDS, HUMAN_WORDS),
        lambda: corpus_bleu(WORDS, [HUMAN_WORDS] * 3),
        lambda: corpus_bleu(WORDS, [HUMAN_WORDS, ["the", "cat"]]))),
    (lambda: corpus_bleu([[WORDS]], [[[HUMAN_WORDS]]]), r"candidates\[0\]\[0\].*one list too many",
     lambda: corpus_bleu([WORDS], [[HUMAN_WORDS]])),
    (lambda: corpus_bleu({"a": TEXT}, [[OTHER]]), r"not a dict: .*\[\*values.values\(\)\]",
     lambda: corpus_bleu([*{"a": TEXT}.values()], [[OTHER]])),
    (lambda: sentence_bleu(TEXT, {OTHER}), r"not a set: pass \[\*values\]",
     lambda: sentence_bleu(TEXT, [*{OTHER}])),
    (lambda: corpus_bleu([{"text": TEXT}], [[OTHER]]), r"candidates\[0\] .*; pass the text",
     lambda: corpus_bleu([TEXT], [[OTHER]])),
    (lambda: sentence_bleu(iter(WORDS), [HUMAN_WORDS]), r"candidate .*; pass list\(",
     lambda: sentence_bleu(list(WORDS), [HUMAN_WORDS])),
    (lambda: sentence_bleu([3, 1, 4, 1], [3, 1, 4, 1]), r"references\[0\] .*their own, \[ids\]",
     lambda: sentence_bleu([3, 1, 4, 1], [[3, 1, 4, 1]])),
    (lambda: corpus_bleu([3, 1, 4], [[3, 1, 4]] * 3), r"candidates\[0\] .*their own, \[ids\]",
     lambda: corpus_bleu([[3, 1, 4]], [[[3, 1, 4]]])),
    (lambda: sentence_bleu(np.zeros((3, 5)).argmax(-1), np.zeros(3, int)), r"\[ids\]",
     lambda: sentence_bleu(np.zeros(3, int), [np.zeros(3, int)])),
    (lambda: corpus_bleu(np.eye(3)[None], [[np.arange(3)]]), r"logits pass logits.argmax\(-1\)",
     lambda: corpus_bleu(np.eye(3)[None].argmax(-1), [[np.arange(3)]])),
    (lambda: sentence_bleu([np.array(3), np.array(4)], [[np.array(3)]]), r"what its tolist\(\)",
     lambda: sentence_bleu(np.array([3, 4]).tolist(), [[3]])),
    (lambda: sentence_bleu(np.array([[3, 1, 4]]), np.array([[3, 1, 5]])), r"pass candidate\[0\]",
     lambda: sentence_bleu(np.array([[3, 1, 4]])[0], np.array([[3, 1, 5]]))),
    (lambda: sentence_bleu([WORDS], [[HUMAN_WORDS]]), r"pass candidate\[0\]",
     lambda: sentence_bleu(WORDS, [HUMAN_WORDS])),
    (lambda: corpus_bleu(None, [[OTHER]]), "candidates .* pass one string per segment",
     lambda: corpus_bleu([TEXT], [[OTHER]])),
    # Names of files in the place of lists, and the reverse
    *((call, said, lambda: file_bleu(OURS, [THEIRS])) for said, calls in (
        (r"use file_bleu\(candidates, \[references\]\)", (
            lambda: corpus_bleu("mt.txt", "ref.txt"), lambda: corpus_bleu(OURS, THEIRS),
            lambda: corpus_bleu(str(OURS), [str(THEIRS)]), lambda: corpus_bleu([OURS], [[THEIRS]]),
            lambda: sentence_bleu("mt.txt", "ref.txt"), lambda: sentence_bleu(OURS, [THEIRS]))),
        (r"must be file names, .*'mt.txt' and \['ref.txt'\], or", (
            lambda: file_bleu([TEXT], [[OTHER]]), lambda: file_bleu([OURS], [THEIRS]),
            lambda: file_bleu(OURS, [[THEIRS]]), lambda: file_bleu(OURS.open(), [THEIRS]))),
        ("references must be a list of file names, such as", (
            lambda: file_bleu(OURS, THEIRS), lambda: file_bleu(OURS, str(THEIRS)),
            lambda: file_bleu(OURS, None)))) for call in calls),
]


@pytest.mark.parametrize(("wrong", "said", "right"), SHAPES, ids=[each[1] for each in SHAPES])
def test_a_wrong_shape_is_an_error_whose_cure_works(
    wrong: Callable[[], object], said: str, right: Callable[[], Any]
) -> None:
    with pytest.raises(TypeError if "tokenized" not in said else (TypeError, ValueError),
                       match=said):
        wrong()
    assert right().value >= 0


SENTENCES, GROUPS = ["the cat sat on the mat", "a dog"], [["the cat sat on a mat"], ["a dog ran"]]
ENTRIES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (corpus_bleu, (SENTENCES, GROUPS)), (sentence_bleu, (SENTENCES[0], GROUPS[0])), (Bleu, ()),
    (partial(Bleu, "nltk-3.3"), ()),
    (Bleu().__call__, (SENTENCES, GROUPS)), (Bleu().count, (SENTENCES, GROUPS)),
    (Bleu().count_systems, ({"a": SENTENCES}, GROUPS)), (self_bleu, (SENTENCES,)),
    (mbr, ([SENTENCES],)),
    (compare_systems, ({"a": SENTENCES}, {"b": SENTENCES}, GROUPS)), (list_dialects, ()),
    (rank_systems, ({"a": SENTENCES, "b": SENTENCES}, GROUPS)), (pairwise_bleu, (SENTENCES,)),
    (explain, (SENTENCES, GROUPS, "nltk")), (identify, (SENTENCES, GROUPS, 45.3, ["nltk"])),
    (file_bleu, (OURS, [THEIRS])),
]
COUNTED = Bleu().count(SENTENCES, GROUPS)
ODD = [np.array(["13a", "zh"]), np.array([1, 2]), np.zeros((2, 2)), ["13a"], {"a": 1}, {1},
       object(), b"13a", math.nan, "no", "--", 3.5, -1, (), 5, 10**400]
UNCLEAR = re.compile(
    "ambiguous|unhashable|not callable|has no attribute|not iterable|argument of type|"
    "not supported between|object is not|subscriptable|unexpected keyword|object of type")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("call", "given"), ENTRIES, ids=lambda each: getattr(each, "__name__", ""))
def test_an_odd_value_of_an_argument_scores_or_is_named(
    call: Callable[..., Any], given: tuple[Any, ...]
) -> None:
    for place, name in enumerate(inspect.signature(call).parameters):
        for value in ODD:
            values, named = [*given], {}
            if place < len(given):
                values[place] = value
            else:
                named[name] = value
            try:
                call(*values, **named)
            except (TypeError, ValueError) as error:
                assert not UNCLEAR.search(str(error)), (name, value, error)
            except OSError:
                assert call is file_bleu


@pytest.mark.parametrize(("call", "name"), [
    (lambda value: file_bleu(OURS, [THEIRS], keep_bom=value), "keep_bom"),
    (lambda value: read_files([str(OURS)], keep_bom=value), "keep_bom"),
    (lambda value: tokenize("a", strip=value), "strip"),
    (lambda value: tokenize("a", lowercase=value), "lowercase"),
    (lambda value: mbr([SENTENCES], own=value), "own"),
    (lambda value: corpus_bleu(SENTENCES, GROUPS, strip=value), "strip"),
], ids=["file_bleu", "read_files", "strip", "lowercase", "mbr", "corpus_bleu"])
def test_a_truth_value_is_no_text(call: Callable[[Any], Any], name: str) -> None:
    for value in ("no", "False", "true", None):
        with pytest.raises((TypeError, ValueError), match=name):
            call(value)
    call(np.True_)
    call(False)


@pytest.mark.parametrize("call", [
    lambda progress: Bleu()(SENTENCES, GROUPS, progress),
    lambda progress: Bleu().count(SENTENCES, GROUPS, progress),
    lambda progress: Bleu().count_systems({"a": SENTENCES}, GROUPS, progress),
    lambda progress: Bleu().update(SENTENCES, GROUPS, progress),
    lambda progress: file_bleu(OURS, [THEIRS], progress=progress),
    lambda progress: self_bleu(SENTENCES, progress=progress),
    lambda progress: pairwise_bleu(SENTENCES, progress=progress),
    lambda progress: mbr([SENTENCES], progress=progress),
    lambda progress: explain(SENTENCES, GROUPS, "nltk", progress=progress),
    lambda progress: identify(SENTENCES, GROUPS, 45.3, ["nltk"], progress=progress),
    lambda progress: compare_systems({"a": SENTENCES}, {"b": SENTENCES}, GROUPS, progress=progress),
    lambda progress: compare_systems({"a": COUNTED}, {"b": COUNTED}, progress=progress),
])
def test_progress_that_cannot_be_called_is_refused(call: Callable[[Any], Any]) -> None:
    for progress in (5, "bar", True, [print]):
        with pytest.raises(TypeError, match="progress must be a function of two numbers"):
            call(progress)


def test_the_name_of_a_system_is_text() -> None:
    for named in ({1: SENTENCES}, {None: SENTENCES}, {("a",): SENTENCES}):
        with pytest.raises(TypeError, match="the name of a system must be a string, not"):
            Bleu().count_systems(named, GROUPS)  # type: ignore[arg-type]
