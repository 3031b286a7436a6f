"""Faults that were planted in the package and that no other test noticed, each with its answer."""

import math
import operator
import struct
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from typing import Any

import pytest

from bleu_nb import Bleu, sentence_bleu
from bleu_nb.derivation.bleu import (
    BleuScore,
    BleuStats,
    add_k,
    brevity_penalty,
    clipped_counts,
    clipped_precision,
    floor,
    geometric_mean,
    log_brevity_penalty,
    max_reference_counts,
    naive_precision,
    ngram_counts,
    ngram_total,
    ngrams,
    renormalise,
    score_stats,
    smooth_matched,
)
from bleu_nb.derivation.score_line import say_score
from bleu_nb.derivation.token_checks import check_choice
from bleu_nb.dialects.definition import build_score
from bleu_nb.dialects.formula_variants import (
    LENGTH_RULES,
    LOG_PENALTIES,
    SMOOTHINGS,
    nltk_method4,
    nltk_method4_before,
    nltk_method6,
    nltk_method7,
)
from bleu_nb.dialects.table import DIALECTS, UNMATCHED


def single(number: float) -> float:
    """The nearest number in single precision."""
    return struct.unpack("f", struct.pack("f", number))[0]


def scored(stats: BleuStats, effective: bool = False, **choices: Any) -> BleuScore:
    """The paper's score of statistics, or that by other choices."""
    return build_score(replace(DIALECTS["papineni"], **choices), stats, stats, effective, "")


# Counts, lengths, formulas and smoothers ---------------------------------------------------------

CAT = ["the", "cat", "the", "cat"]
ONES = {("the",): 2, ("cat",): 2}
LENGTHS = BleuStats((3, 1), (4, 3), 4, 5)
THREE, WORD = BleuStats((2, 1, 0, 0), (3, 2, 0, 0), 3, 3), BleuStats((1, 0), (1, 0), 1, 1)
SHORT = BleuStats((2, 0), (2, 0), 2, 2)
TWO = BleuStats((1, 0, 0, 0), (2, 1, 1, 1), 2, 2)
ONE = BleuStats((1, 0, 0, 0), (1, 1, 1, 1), 1, 1)
NONE = BleuStats((0, 0, 0, 0), (1, 1, 1, 1), 1, 1)
SIX = BleuStats((4, 2, 1, 0, 0), (6, 5, 4, 3, 2), 6, 6)
STEPS = [place + 5 / math.log(2) for place in (1, 2, 3)]
PLAIN = BleuScore(0.5, (0.75, 1 / 3), 0.77, LENGTHS)
WHOLE = BleuScore(50.0, (75.0, 100 / 3), 0.77, LENGTHS, 100, "tok:13a")
NOTHING = BleuScore(0.0, (), 1.0, BleuStats((), (), 3, 0))
TOLD = "(BP = 0.770 ratio = 0.800 hyp_len = 4 ref_len = 5)"
CORPUS = ["a b c d e f g", "a b c"], [["a b c d x f g"], ["a b d"]]
METHOD_6 = Bleu(smoothing="nltk-6")(*CORPUS)
OPEN_END = ["it was in 1999. "], [["it was in 1999 ."]]
NAMES = {"closest": 3, "first": 5, "shortest": 2, "closest-9999": 3}
PENALTIES_OF_PAIRS = {(0, 0): 0, (3, 0): 0, (3, 3): 0, (4, 3): 0, (0, 1): -math.inf,
                      (0, 0.5): -math.inf, (1, 2): -1, (2, 3): -0.5}
# What is found, and what it ought to be.
EQUAL: list[tuple[Any, Any]] = [
    ([ngram_total(length, 3) for length in range(6)], [0, 0, 0, 1, 2, 3]),
    ([ngram_total(length, 1) for length in range(2)], [0, 1]),
    (ngrams(CAT, 3), [("the", "cat", "the"), ("cat", "the", "cat")]),
    ([ngram_counts(tokens, 1) for tokens in (CAT, [])], [ONES, {}]),
    ([naive_precision(CAT, [["the"]], *order) for order in ((), (1,))], [Fraction(1, 2)] * 2),
    (max_reference_counts([CAT, ["cat"] * 3]), {("the",): 2, ("cat",): 3}),
    (clipped_counts(CAT, [["the", "cat", "cat", "cat"]]), {("the",): 1, ("cat",): 2}),
    ([clipped_precision(CAT, [["the", "x"]], *order) for order in ((), (1,))],
     [Fraction(1, 4)] * 2),
    ([clipped_precision(["a"], [[other]]) for other in "ab"], [1, 0]),
    ([precision(*of) for precision in (naive_precision, clipped_precision)
      for of in ((["a"], [["a", "a"]], 2), ([], [["a"]]))], [0] * 4),
    ({name: rule(4, [5, 3, 9, 2]) for name, rule in LENGTH_RULES.items()}, NAMES),
    ([(rule(0, [0]), rule(1, [1])) for rule in LENGTH_RULES.values()], [(0, 1)] * len(NAMES)),
    ({pair: log_brevity_penalty(*pair) for pair in PENALTIES_OF_PAIRS}, PENALTIES_OF_PAIRS),
    (brevity_penalty(0.5, 1), math.exp(-1)),
    ([*map(renormalise, ((0.75, 0.25), (0.75, 0.25, 0.0), (0.375, 0.125), (0.0, 0.0)))],
     [(0.75, 0.25), (0.75, 0.25, 0.0), [0.75, 0.25], None]),
    # A score reads as in sacreBLEU
    ((PLAIN.scale, PLAIN.signature), (1, "")),
    ([PLAIN.line(), str(PLAIN), repr(PLAIN)], [f"BLEU = 0.5000 0.750/0.333 {TOLD}"] * 3),
    (PLAIN.line(1), f"BLEU = 0.5 0.750/0.333 {TOLD}"),
    (WHOLE.line(), f"BLEU = 50.00 75.0/33.3 {TOLD} tok:13a"),
    ((f"{WHOLE:.3f}", float(WHOLE)), ("50.000", 50.0)),
    (NOTHING.line().count("ratio = 0.000"), 1),
    # Statistics are scored by default as the paper does
    (scored(LENGTHS).value,
     pytest.approx(math.exp(1 - 5 / 4) * math.sqrt(3 / 4 * 1 / 3), rel=1e-15)),
    ((scored(LENGTHS).scale, scored(LENGTHS).precisions), (1, (3 / 4, 1 / 3))),
    ([scored(SHORT).value, scored(SHORT, True).value,
      scored(SHORT, True, max_order=2, weights=(0.5, 0.5)).value], [0, 1, 1]),
    (scored(LENGTHS, scale=100).precisions, (75, 100 / 3)),
    # Weights of missing orders are shared out; those that all lie on missing ones count alike
    (sentence_bleu("a b", ["a c b"], smoothing="floor", weights=(0.7, 0.1, 0.1, 0.1)).value,
     pytest.approx(100 * math.exp(1 - 3 / 2) * 0.1 ** (0.1 / 0.8), rel=1e-12)),
    ([scored(THREE, True, weights=weights).value for weights in (None, (0, 0, 0.5, 0.5))],
     [pytest.approx((2 / 3 * 1 / 2) ** 0.5)] * 2),
    (scored(THREE, weights=(0.5, 0.5, 0, 0)).value, pytest.approx((2 / 3 * 1 / 2) ** 0.5)),
    ([(each.value, each.precisions) for each in (
        score_stats(WORD), score_stats(WORD, skip_missing=True), score_stats(WORD, [(3, 4)]))],
     [(0.0, (1.0, 0.0)), (1.0, (1.0, 0.0)), (0.0, (0.75, 0.0))]),
    ([score_stats(LENGTHS, scale=100, weights=each).value for each in ((1, 0), (0, 1))],
     [pytest.approx(math.exp(-0.25) * each) for each in (75, 100 / 3)]),
    ([smooth_matched(each, floor) for each in (NONE, TWO)], [[], floor(TWO)]),
    ([geometric_mean(each, (0.5, 0.5, 0)) for each in ((0.25, 1, 0), (0, 1, 1))], [0.5, 0]),
    ([*map(geometric_mean, ([], [0.5, 0.0], [0.25]))], [0, 0, 0.25]),
    # Method 4 of old starts at two tokens
    *((nltk_method4_before(TWO, 2, over),
       [(1, 2), *((step, 1) if over else (1, step) for step in STEPS)]) for over in (False, True)),
    *((nltk_method4_before(stats, 1, over), [(1, 1)] * 4)
      for stats in (ONE, NONE) for over in (False, True)),
    # Smoothers have defaults of their own, and methods 4 and 7 take the number of the paper
    ((SMOOTHINGS["nltk-4"].value, SMOOTHINGS["nltk-7"].value), (5, 5)),
    (nltk_method4(TWO)[1], (1 / (2 * 5 / math.log(2)), 1)),
    (floor(TWO)[1], (0.1, 1)),
    (add_k(TWO), [(1, 2)] * 4), (add_k(BleuStats((0, 0), (0, 0), 0, 3)), []),
    (add_k(BleuStats((1, 0), (1, 0), 1, 3), 0), [(1, 1)]),
    # The value of method 6 may be read as a float: a signature and a command line hold 5.0 for 5
    (Bleu.from_signature(METHOD_6.signature)(*CORPUS).value, METHOD_6.value),
    (Bleu(smoothing="nltk-6", smoothing_value=5.0)(*CORPUS).value, METHOD_6.value),
    (SMOOTHINGS["nltk-6"](SIX, SIX, 5.0), nltk_method6(SIX, SIX)),
    # Only a score that decimals cannot show has an exponent
    ([say_score(value, 4) for value in (0.0, 1e-12, 2.5e-13)], ["0.0000", "0.0000", "2.5000e-13"]),
    ([nltk_method4(TWO), nltk_method7(SIX, SIX), nltk_method6(SIX, SIX), floor(TWO)],
     [nltk_method4(TWO, 5), nltk_method7(SIX, SIX, 5), nltk_method6(SIX, SIX, 5),
      floor(TWO, 0.1)]),
    ([check_choice("rule", "first", LENGTH_RULES), check_choice("scale", 1, (1, 100))],
     [None, None]),
    # A row that does not trim looks at the end of a line
    (Bleu("tensor2tensor")(*OPEN_END).value, 1),
    (Bleu("tensor2tensor", strip=True)(*OPEN_END).value < 1, True),
]


@pytest.mark.parametrize("place", range(len(EQUAL)))
def test_what_is_found_is_what_it_ought_to_be(place: int) -> None:
    found, expected = EQUAL[place]
    assert found == expected


NO_LISTS: list[tuple[Any, type[Exception], str]] = [
    ("the cat", TypeError, "references must be a list of token lists"),
    (["the cat"], TypeError,
     r"references\[0\] must be a list of tokens, not the str 'the cat'; split it"),
    ([CAT, [1]], TypeError, r"references\[1\]\[0\] must be a string"),
    ([5], TypeError, r"references\[0\] must be a list or tuple of tokens, not int"),
    ([], ValueError, "no reference: pass at least one"),
]
NEGATIVE = "lengths count tokens and cannot be negative"
REFUSED: list[tuple[Any, tuple[Any, ...], type[Exception], str]] = [
    (max_reference_counts, (wrong,), kind, fault) for wrong, kind, fault in NO_LISTS
] + [
    (counter, (CAT, wrong), kind, fault)
    for counter in (naive_precision, clipped_counts, clipped_precision)
    for wrong, kind, fault in NO_LISTS
] + [
    (call, (of, wrong), kind, fault)
    for call, of in ((ngrams, CAT), (ngram_total, 3))
    for wrongs, kind, fault in (((True, 1.0, "1", None), TypeError, "order must be an int"),
                                ((0, -1), ValueError, "order must be at least 1"))
    for wrong in wrongs
] + [
    (rule, given, ValueError, fault)
    for rule in LENGTH_RULES.values()
    for given, fault in (((3, []), "no reference: at least one length is needed"),
                         ((-1, [3]), NEGATIVE), ((3, [4, -1]), NEGATIVE))
] + [
    (log_brevity_penalty, pair, ValueError, NEGATIVE) for pair in ((-1, 3), (3, -1), (-0.5, 0))
] + [
    (partial(Bleu, scale=scale), (), ValueError, "no scale")
    for scale in (0, 2, 99, 101, True)
] + [
    (check_choice, ("scale", wrong, (1, 100)), ValueError,
     f"^no scale {wrong!r}: choose from 1, 100$") for wrong in (True, 1.0, 2, "1", None)
] + [
    (ngrams, ("a b", 1), TypeError, r"^tokens must be a list of tokens, not the str 'a b'"),
    (ngrams, (b"a b", 1), TypeError, "not the bytes b'a b'; decode it first"),
    (ngrams, (["a", 1], 1), TypeError, r"^tokens\[1\] must be a string, not int: 1"),
    (check_choice, ("rule", "Frist", LENGTH_RULES), ValueError,
     "^no rule 'Frist': did you mean 'first'. There are '"),
    (check_choice, ("rule", "xyz", LENGTH_RULES), ValueError,
     "^no rule 'xyz': choose from 'closest', 'first', 'shor"),
    (check_choice, ("choice", "tw", [1, "two"]), ValueError,
     "^no choice 'tw': did you mean 'two'. There are 1, '"),
]


@pytest.mark.parametrize(("call", "given", "kind", "fault"), REFUSED)
def test_what_is_wrong_is_refused(
    call: Any, given: tuple[Any, ...], kind: type[Exception], fault: str
) -> None:
    with pytest.raises(kind, match=fault):
        call(*given)


# Penalties ----------------------------------------------------------------------------------------

PENALTIES: dict[str, Callable[[float, float], float]] = {
    "standard": lambda c, r: 1 - r / c,
    "ratio": lambda c, r: 1 - 1 / (c / r),
    "shifted": lambda c, r: 1 - 1 / ((c + 1e-15) / (r + 1e-9)),
    "plus one": lambda c, r: 1 - (r + 1) / (c + 1),
    "single": lambda c, r: single(1 - single(r / c)),
    "strict ratio": lambda c, r: 1 - 1 / (c / r),
    "single ratio": lambda c, r: 1 - 1 / single(c / r),
    "strict": lambda c, r: 1 - r / c,
    "referenced": lambda c, r: 1 - r / c,
    "none": lambda c, r: 0.0,
}
OF_NOTHING = {  # Of no candidate against a reference, and against none
    "shifted": (1 - 1 / (1e-15 / (2 + 1e-9)), 1 - 1 / (1e-15 / 1e-9)),
    "plus one": (-2.0, 0.0),
    "strict": (-math.inf, -math.inf),
    "strict ratio": (-math.inf, -math.inf),
    "referenced": (-math.inf, -math.inf),
    "none": (0.0, 0.0),
}


@pytest.mark.parametrize("name", LOG_PENALTIES)
def test_penalty_of_every_length(name: str) -> None:
    penalty, formula = LOG_PENALTIES[name], PENALTIES[name]
    lengths = [*product(range(1, 8), repeat=2)]
    at_most = operator.le if name == "shifted" else operator.lt
    assert [penalty(*pair) for pair in lengths] == [
        formula(*pair) if at_most(*pair) else 0.0 for pair in lengths]
    assert penalty(3, 0) == (-math.inf if name == "referenced" else 0)
    assert (penalty(0, 2), penalty(0, 0)) == OF_NOTHING.get(name, (-math.inf, 0.0))


@pytest.mark.parametrize("unmatched", UNMATCHED)
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_nothing_has_a_score_by_every_smoother(smoothing: str, unmatched: str) -> None:
    metric = Bleu(smoothing=smoothing, unmatched=unmatched)
    for candidate, reference in (("", ""), ("", "a"), ("a", "")):
        assert 0 <= metric([candidate], [[reference]]).value < math.inf
