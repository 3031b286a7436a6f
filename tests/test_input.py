"""Mistakes in the arguments are named with their cure, and legal edge cases score."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from data import oracle

from bleu_nb import (
    Bleu,
    BleuStats,
    Dialect,
    brevity_penalty,
    clipped_precision,
    closest_length,
    corpus_bleu,
    count_segment,
    naive_precision,
    ngram_counts,
    ngrams,
    pool,
    score_stats,
    sentence_bleu,
    smooth,
    tokenize,
)

NAN, INFINITY = float("nan"), float("inf")

TEXTS = ["the cat sat on the mat", "a dog ran"]
TEXT_REFERENCES = [["the cat sat on a mat", "a cat sat there"], ["the dog ran"]]
TOKENS = [text.split() for text in TEXTS]
TOKEN_REFERENCES = [[text.split() for text in group] for group in TEXT_REFERENCES]
ONE = count_segment(["a"], [["a"]])

Mistake = tuple[Any, Any, type[Exception], str]

CORPORA: dict[str, Mistake] = {
    "too few references": (
        ["a", "b", "c"], [["a"], ["b"]], ValueError,
        "differ in number, 3 and 2: pass one list of references per candidate",
    ),
    "too many references": (
        ["a", "b"], [["a"], ["b"], ["c"]], ValueError,
        "differ in number, 2 and 3: pass one list of references per candidate",
    ),
    "one stream": (
        ["a", "b", "c"], [["a", "b", "c"]], ValueError, "pass list(zip(*references)) instead",
    ),
    "three streams": (
        TEXTS, [TEXTS, TEXTS, TEXTS], ValueError,
        "2 and 3, and each list of references has 2: these look like streams as sacreBLEU",
    ),
    "streams of tokens": (TOKENS, [TOKENS], ValueError, "these look like streams"),
    "swapped": (TEXT_REFERENCES, TEXTS, TypeError, "look swapped: candidates come first"),
    "swapped tokens": (TOKEN_REFERENCES, TOKENS, TypeError, "look swapped"),
    "one reference without a list": (
        TEXTS, TEXTS, TypeError, "references must hold a list for each candidate, such as",
    ),
    "references from a generator without lists": (
        TEXTS, iter(TEXTS), TypeError, "references must hold a list for each candidate",
    ),
    "one token reference without a list": (
        TOKENS, TOKENS, TypeError, "references[0] holds strings where token lists belong",
    ),
    "bare candidate": ("a b", [["a b"]], TypeError, "candidates must be a list, not the str 'a b'"),
    "bare reference": (["a b"], "a b", TypeError, "references must be a list, not the str 'a b'"),
    "bare sentence": ("a b", "a b", TypeError, "use sentence_bleu(candidate, [reference])"),
    "bare bytes": (["a"], b"a", TypeError, "references must be a list, not the bytes b'a'"),
    "bare string in place of a group": (
        TEXTS, [["a"], "a b"], TypeError,
        "references[1] must be the list of references of candidates[1], not 'a b'",
    ),
    "None in place of a group": (
        TEXTS, [["a"], None], TypeError, "references[1] must be the list of references",
    ),
    "string beside token lists": (
        [["a"], "b"], [[["a"]], [["b"]]], TypeError,
        "candidates[1] is a string, but candidates[0] is a list of tokens: pass all segments as",
    ),
    "token list beside strings": (
        ["a", ["b"]], [["a"], ["b"]], TypeError,
        "candidates[1] is not a string, but candidates[0] is a string: pass all segments as text",
    ),
    "string reference of tokens": ([["a"]], [["a"]], TypeError, "references[0] holds strings"),
    "token reference of text": (
        ["a", "b"], [["a"], ["b", ["b"]]], TypeError, "references[1][1] is not a string",
    ),
    "sentences in place of tokens": (
        [["a b"]], [[["a b"]]], TypeError, "candidates[0] is a list, so its strings are tokens",
    ),
    "number in place of a group": (
        TEXTS, [["a"], 3], TypeError, "references[1] must be the list of references",
    ),
    "no lists at all": (["a"], [], ValueError, "differ in number, 1 and 0"),
    "None among tokens": (
        [["a", None]], [[["a"]]], TypeError, "candidates[0][1] must be a string, not NoneType",
    ),
    "number among tokens": (
        [["a"]], [[["a"], ["a", 3]]], TypeError, "references[0][1][1] must be a string, not int: 3",
    ),
    "None as first candidate": (
        [None, "a"], [["a"], ["b"]], TypeError, "candidates[0] is None: a candidate cannot be",
    ),
    "None as candidate": (
        ["a", None], [["a"], ["b"]], TypeError, "candidates[1] is None: a candidate cannot be",
    ),
    "number as candidate": (["a", 3], [["a"], ["b"]], TypeError, "candidates[1] is not a string"),
    "number as reference": (["a"], [[3]], TypeError, "references[0][0] is not a string"),
    "bytes as segments": ([b"a"], [[b"a"]], TypeError, "candidates[0] must be a list of tokens"),
    "lists too deep": ([[["a"]]], [[["a"]]], TypeError, "candidates[0][0] must be a string"),
    "no reference": (
        TEXTS, [["a"], []], ValueError,
        "references[1] holds no reference: each candidate needs at least one",
    ),
    "only a missing reference": (TEXTS, [["a"], [None]], ValueError, "references[1] holds no"),
    "empty corpus": ([], [], ValueError, "an empty corpus: pass at least one candidate"),
    "no candidates": ([], [["a"]], ValueError, "an empty corpus: pass at least one candidate"),
    "None for candidates": (None, [["a"]], TypeError, "candidates must be a list, not NoneType"),
    "None for references": (["a"], None, TypeError, "references must be a list, not NoneType"),
    "set of candidates": ({"a"}, [["a"]], TypeError, "candidates must be a list in order, not a"),
    "dict of references": (["a"], {0: ["a"]}, TypeError, "references must be a list in order"),
    "set in place of a group": (["a"], [{"a"}], TypeError, "references[0] must be a list in order"),
    "set of tokens": ([{"a"}], [[["a"]]], TypeError, "candidates[0] must be a list or tuple of"),
    "generator of tokens": ([iter("a")], [[["a"]]], TypeError, "candidates[0] must be a list or"),
}  # fmt: skip


@pytest.mark.parametrize("call", [corpus_bleu, Bleu().sentences, Bleu().segments])
@pytest.mark.parametrize("name", CORPORA)
def test_mistaken_corpus(name: str, call: Callable[..., object]) -> None:
    candidates, references, error, message = CORPORA[name]
    if name == "references from a generator without lists":
        references = iter(TEXTS)
    with pytest.raises(error, match=re.escape(message)):
        call(candidates, references)


SENTENCES: dict[str, Mistake] = {
    "bare reference": ("a b", "a b", TypeError, "not the str 'a b': pass [reference]"),
    "bytes reference": ("a b", b"a b", TypeError, "not the bytes b'a b': pass [reference]"),
    "swapped": (["a b"], "a b", TypeError, "look swapped: the candidate comes first"),
    "no reference": ("a", [], ValueError, "no reference: each candidate needs at least one"),
    "only a missing reference": ("a", [None], ValueError, "no reference: each candidate needs"),
    "None for references": ("a", None, TypeError, "references must be a list, not NoneType"),
    "None for the candidate": (None, ["a"], TypeError, "candidate is None: a candidate cannot be"),
    "flat tokens": (["a", "b"], ["a", "b"], TypeError, "put them in a list of their own, [tokens]"),
    "string reference of tokens": (["a"], ["a"], TypeError, "references holds strings where token"),
    "a corpus": (["a b", "c d"], [["a b"]], TypeError, "each of them holds several words: 'a b'"),
    "token reference of text": ("a b", [["a"]], TypeError, "references[0] is not a string"),
    "number for the candidate": (3, ["a"], TypeError, "candidate must be a list or tuple"),
    "number among tokens": (["a", 3], [["a"]], TypeError, "candidate[1] must be a string, not int"),
    "set of references": ("a", {"a"}, TypeError, "references must be a list in order, not a set"),
    "set of tokens": ({"a"}, [["a"]], TypeError, "candidate must be a list or tuple of tokens"),
}


@pytest.mark.parametrize("name", SENTENCES)
def test_mistaken_sentence(name: str) -> None:
    candidate, references, error, message = SENTENCES[name]
    with pytest.raises(error, match=re.escape(message)):
        sentence_bleu(candidate, references)


CHOICES: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "weights above 1": ({"weights": (0.5, 0.6)}, ValueError, "weights must sum to 1, not 1.1"),
    "weights below 1": ({"weights": [0.25] * 3}, ValueError, "weights must sum to 1, not 0.75"),
    "negative weight": ({"weights": (1.5, -0.5)}, ValueError, "weights must be numbers from 0 to"),
    "weight nan": ({"weights": (NAN, 1)}, ValueError, "weights must be numbers from 0 to 1"),
    "weights as text": ({"weights": "ab"}, ValueError, "weights must be numbers from 0 to 1"),
    "no weights": ({"weights": []}, ValueError, "no weights: pass one per order"),
    "one number for weights": ({"weights": 0.25}, TypeError, "weights must be a list, not 0.25"),
    "weights for other orders": (
        {"weights": (0.5, 0.5), "max_order": 3}, ValueError,
        "2 weights for 3 orders: pass one",
    ),
    "order 0": ({"max_order": 0}, ValueError, "order must be at least 1, not 0"),
    "order -1": ({"max_order": -1}, ValueError, "order must be at least 1, not -1"),
    "order True": ({"max_order": True}, TypeError, "order must be an int, not bool: True"),
    "order 1.5": ({"max_order": 1.5}, TypeError, "order must be an int, not float: 1.5"),
    "unknown tokenizer": ({"tokenizer": "13b"}, ValueError, "'13b': did you mean '13a'?"),
    "unknown smoothing": ({"smoothing": "expo"}, ValueError, "'expo': did you mean 'exp'?"),
    "smoothing as nltk says": ({"smoothing": "method1"}, ValueError, "'nltk-0', 'nltk-1'"),
    "unknown length rule": (
        {"reference_length": "close"}, ValueError, "'close': did you mean 'closest'?",
    ),
    "unknown effective order": (
        {"effective_order": True}, ValueError, "'never', 'sentences', 'always'",
    ),
    "unknown scale": ({"scale": 10}, ValueError, "choose from 1, 100"),
    "unknown least total": ({"least_total": 2}, ValueError, "choose from 0, 1"),
    "number for lowercase": ({"lowercase": 3}, ValueError, "choose from False, True"),
    "no dialect": ({"dialect": None}, TypeError, "dialect must be a name or a Dialect, not None"),
    "unknown choice": (
        {"tokeniser": "13a"}, ValueError, "'tokeniser': did you mean 'tokenizer'?",
    ),
    "choice of name": ({"name": "mine"}, ValueError, "no choice 'name'"),
    "unknown dialect": ({"dialect": "sacreblue"}, ValueError, "did you mean 'sacrebleu'?"),
    "value without use": ({"smoothing_value": 0.1}, ValueError, "'exp' takes no value: leave it"),
    "value of none": (
        {"smoothing": "none", "smoothing_value": 1}, ValueError, "'none' takes no value",
    ),
    "negative value": (
        {"smoothing": "floor", "smoothing_value": -1}, ValueError,
        "must be a number from 0 upwards, not -1",
    ),
    "value nan": (
        {"smoothing": "add-k", "smoothing_value": NAN}, ValueError, "from 0 upwards, not nan",
    ),
    "infinite value": (
        {"smoothing": "floor", "smoothing_value": INFINITY}, ValueError, "upwards, not inf",
    ),
    "value as text": (
        {"smoothing": "floor", "smoothing_value": "1"}, ValueError, "upwards, not '1'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CHOICES)
def test_mistaken_choice(name: str) -> None:
    choices, error, message = CHOICES[name]
    for call in (Bleu, lambda **them: corpus_bleu(TEXTS, TEXT_REFERENCES, **them)):
        with pytest.raises(error, match=re.escape(message)):
            call(**choices)


CALLS: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "text for tokens": (
        lambda: ngrams("abc", 1), TypeError, "tokens must be a list of tokens, not the str 'abc'",
    ),
    "set for tokens": (lambda: ngram_counts({"a"}, 1), TypeError, "tokens must be a list or tuple"),
    "number among tokens": (lambda: ngrams(["a", 1], 1), TypeError, "tokens[1] must be a string"),
    "order 0": (lambda: ngrams(["a"], 0), ValueError, "order must be at least 1, not 0"),
    "order True": (lambda: ngrams(["a"], True), TypeError, "order must be an int, not bool"),
    "flat references": (
        lambda: naive_precision(["a"], ["a"]), TypeError, "references[0] must be a list of tokens",
    ),
    "bare references": (
        lambda: clipped_precision(["a"], "a"), TypeError, "references must be a list of token lis",
    ),
    "no references": (lambda: count_segment(["a"], []), ValueError, "no reference: pass at least"),
    "text as candidate": (
        lambda: count_segment("a b", [["a"]]), TypeError, "candidate must be a list of tokens",
    ),
    "precision of nothing": (
        lambda: clipped_precision(["a"], [["a"]], 2), ValueError, "the candidate holds no 2-grams",
    ),
    "no lengths": (lambda: closest_length(3, []), ValueError, "no reference: at least one length"),
    "negative length": (lambda: closest_length(-1, [3]), ValueError, "cannot be negative: -1"),
    "nothing to pool": (lambda: pool([]), ValueError, "an empty corpus: pass at least one segment"),
    "orders that differ": (
        lambda: ONE + count_segment(["a"], [["a"]], 2), ValueError, "up to different orders",
    ),
    "no weights": (lambda: score_stats(ONE, weights=()), ValueError, "no weights: pass one"),
    "too few weights": (
        lambda: score_stats(ONE, weights=(0.5, 0.5)), ValueError, "2 weights for 4 orders",
    ),
    "unknown smoothing": (lambda: smooth(ONE, "flor"), ValueError, "did you mean 'floor'?"),
    "short last segment": (
        lambda: smooth(ONE, "nltk-5"), ValueError, "count the last segment up to order 5",
    ),
    "no text": (lambda: tokenize(None), TypeError, "text must be a string, not NoneType"),
    "tokens as text": (lambda: tokenize(["a"]), TypeError, "text must be a string, not list"),
    "unknown tokenizer": (lambda: tokenize("a", "14a"), ValueError, "did you mean '13a'?"),
    "row of a dialect": (
        lambda: Dialect("mine", "1", smoothing="exq"), ValueError, "did you mean 'exp'?",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_mistaken_call(name: str) -> None:
    call, error, message = CALLS[name]
    with pytest.raises(error, match=re.escape(message)):
        call()


@pytest.mark.parametrize("texts", [True, False], ids=["texts", "tokens"])
def test_one_shot_iterables_score_as_lists(texts: bool) -> None:
    candidates = TEXTS if texts else TOKENS
    references = TEXT_REFERENCES if texts else TOKEN_REFERENCES
    expected = corpus_bleu(candidates, references)
    assert corpus_bleu(iter(candidates), iter(references)) == expected
    assert corpus_bleu(iter(candidates), (iter(group) for group in references)) == expected
    assert corpus_bleu(candidates, [iter(group) for group in references]) == expected
    assert corpus_bleu(tuple(candidates), tuple(map(tuple, references))) == expected
    first = sentence_bleu(candidates[0], references[0])
    assert sentence_bleu(candidates[0], iter(references[0])) == first


@pytest.mark.parametrize("nothing", ["", []], ids=["text", "tokens"])
def test_empty_candidates_score_0(nothing: str | list[str]) -> None:
    something = "a b" if nothing == "" else ["a", "b"]
    empty = BleuStats((0,) * 4, (0,) * 4, 0, 2)
    for score in (
        corpus_bleu([nothing], [[something]]),
        sentence_bleu(nothing, [something]),
        corpus_bleu([nothing] * 2, [[something], [nothing]]),
    ):
        assert (score.value, score.precisions, score.brevity_penalty) == (0, (0,) * 4, 0)
        assert score.stats == empty
    assert corpus_bleu([nothing], [[nothing]]).value == 0


def test_empty_reference_has_length_0() -> None:
    score = sentence_bleu("a b", ["a b c d e", ""])
    assert (score.stats.reference_length, score.brevity_penalty) == (0, 1)
    sacrebleu = oracle("sacrebleu")
    assert score.value == sacrebleu.sentence_bleu("a b", ["a b c d e", ""]).score


def test_missing_references_are_left_out() -> None:
    missing = corpus_bleu(TEXTS, [[*TEXT_REFERENCES[0], None], [None, *TEXT_REFERENCES[1]]])
    assert missing == corpus_bleu(TEXTS, TEXT_REFERENCES)
    assert sentence_bleu("a b", [None, "a b"]) == sentence_bleu("a b", ["a b"])


def test_one_token_is_perfect_as_a_sentence_and_too_short_as_a_corpus() -> None:
    sentence, corpus = sentence_bleu("a", ["a"]), corpus_bleu(["a"], [["a"]])
    assert sentence.precisions == corpus.precisions == (100, 0, 0, 0)
    assert corpus.value == 0
    sacrebleu = oracle("sacrebleu")
    assert sentence.value == sacrebleu.sentence_bleu("a", ["a"]).score


def test_single_weight_sets_the_order() -> None:
    score = corpus_bleu(["a b"], [["a c"]], "papineni", weights=(1,))
    assert (score.value, score.precisions) == (0.5, (0.5,))


def test_penalty_of_nothing() -> None:
    assert (brevity_penalty(0, 0), brevity_penalty(0, 1)) == (1, 0)


@pytest.mark.parametrize("smoothing", ["nltk-5", "nltk-7"])
def test_short_segments_can_be_smoothed_by_their_neighbours(smoothing: str) -> None:
    assert corpus_bleu(["a b"], [["a b"]], smoothing=smoothing).value == 0
    assert sentence_bleu("a", ["a"], smoothing=smoothing).value > 0
