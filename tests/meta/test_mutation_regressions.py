"""Faults that were planted in the package and that no other test noticed, each with its answer."""

import io
import math
import struct
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from bleu_nb import Bleu, sentence_bleu
from bleu_nb.cli.terminal import with_bar
from bleu_nb.derivation.bleu import BleuScore, BleuStats, count_segment, geometric_mean
from bleu_nb.derivation.brevity import brevity_penalty, log_brevity_penalty
from bleu_nb.derivation.counting import ngram_counts, ngram_total, ngrams
from bleu_nb.derivation.formula import combine, penalised_mean, renormalise, score_stats
from bleu_nb.derivation.precision import (
    clipped_counts,
    clipped_precision,
    max_reference_counts,
    naive_precision,
    share,
)
from bleu_nb.derivation.smoothing import add_k, floor
from bleu_nb.derivation.validation import check_choice
from bleu_nb.dialects.arithmetic import LOG_PENALTIES
from bleu_nb.dialects.length_rules import LENGTH_RULES
from bleu_nb.dialects.smoothers import (
    SMOOTHINGS,
    nltk_method4,
    nltk_method4_before,
    nltk_method6,
    nltk_method7,
    smooth,
)
from bleu_nb.dialects.table import UNMATCHED
from bleu_nb.files.reading import known_length


def single(number: float) -> float:
    """The nearest number in single precision."""
    return struct.unpack("f", struct.pack("f", number))[0]


# Counts and lengths -------------------------------------------------------------------------------

CAT = ["the", "cat", "the", "cat"]
ONES = {("the",): 2, ("cat",): 2}


def test_n_grams_of_every_order_are_counted() -> None:
    for found, expected in (
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
        ([share(0, 0), share(1, 1), share(1, 2)], [0, 1, Fraction(1, 2)]),
        ([precision(*of) for precision in (naive_precision, clipped_precision)
          for of in ((["a"], [["a", "a"]], 2), ([], [["a"]]))], [0] * 4),
    ):
        assert found == expected


COUNTERS: list[Callable[..., object]] = [
    naive_precision, max_reference_counts, clipped_counts, clipped_precision,
]  # fmt: skip


@pytest.mark.parametrize("counter", COUNTERS)
def test_what_is_no_list_of_references_is_refused(counter: Callable[..., object]) -> None:
    given = () if counter is max_reference_counts else (CAT,)
    for wrong, message in (
        ("the cat", "references must be a list of token lists"),
        (["the cat"], r"references\[0\] must be a list of tokens, not the str 'the cat'; split it"),
        ([CAT, [1]], r"references\[1\]\[0\] must be a string"),
        ([5], r"references\[0\] must be a list or tuple of tokens, not int"),
    ):
        with pytest.raises(TypeError, match=message):
            counter(*given, wrong)
    with pytest.raises(ValueError, match="no reference: pass at least one"):
        counter(*given, [])


@pytest.mark.parametrize(("call", "given", "kind", "fault"), [
    (ngrams, ("a b", 1), TypeError, r"^tokens must be a list of tokens, not the str 'a b'"),
    (ngrams, (b"a b", 1), TypeError, "not the bytes b'a b'; decode it first"),
    (ngrams, (["a", 1], 1), TypeError, r"^tokens\[1\] must be a string, not int: 1"),
    *((call, (of, wrong), kind, fault)
      for call, of in ((ngrams, CAT), (ngram_total, 3))
      for wrongs, kind, fault in (((True, 1.0, "1", None), TypeError, "order must be an int"),
                                  ((0, -1), ValueError, "order must be at least 1"))
      for wrong in wrongs),
])
def test_what_is_no_sentence_or_order_is_refused(
    call: Any, given: Any, kind: type[Exception], fault: str
) -> None:
    with pytest.raises(kind, match=fault):
        call(*given)


def test_every_rule_picks_its_length() -> None:
    lengths = {"closest": 3, "first": 5, "shortest": 2, "average": 4.75, "closest-9999": 3}
    assert {name: rule(4, [5, 3, 9, 2]) for name, rule in LENGTH_RULES.items()} == lengths
    for rule in LENGTH_RULES.values():
        assert rule(0, [0]) == 0 and rule(1, [1]) == 1
        with pytest.raises(ValueError, match="no reference: at least one length is needed"):
            rule(3, [])
        for lengths_below in ((-1, [3]), (3, [4, -1])):
            with pytest.raises(ValueError, match="lengths count tokens and cannot be negative"):
                rule(*lengths_below)


def test_penalties_of_the_paper() -> None:
    penalties = {(0, 0): 0, (3, 0): 0, (3, 3): 0, (4, 3): 0, (0, 1): -math.inf,
                 (0, 0.5): -math.inf, (1, 2): -1, (2, 3): -0.5}
    assert {pair: log_brevity_penalty(*pair) for pair in penalties} == penalties
    assert brevity_penalty(0.5, 1) == math.exp(-1)
    for pair in ((-1, 3), (3, -1), (-0.5, 0)):
        with pytest.raises(ValueError, match="lengths count tokens and cannot be negative"):
            log_brevity_penalty(*pair)


def test_a_choice_is_one_of_those_there_are() -> None:
    check_choice("rule", "first", LENGTH_RULES)
    check_choice("scale", 1, (1, 100))
    for name, wrong, there, fault in (
        *(("scale", wrong, (1, 100), f"^no scale {wrong!r}: choose from 1, 100$")
          for wrong in (True, 1.0, 2, "1", None)),
        ("rule", "Frist", LENGTH_RULES, "^no rule 'Frist': did you mean 'first'. There are '"),
        ("rule", "xyz", LENGTH_RULES, "^no rule 'xyz': choose from 'closest', 'first', 'shor"),
        ("choice", "tw", [1, "two"], "^no choice 'tw': did you mean 'two'. There are 1, '"),
    ):
        with pytest.raises(ValueError, match=fault):
            check_choice(name, wrong, there)


# Weights of the orders that are left --------------------------------------------------------------


def test_weights_of_missing_orders_are_shared_out() -> None:
    found = sentence_bleu("a b", ["a c b"], smoothing="floor", weights=(0.7, 0.1, 0.1, 0.1))
    assert found.value == pytest.approx(100 * math.exp(1 - 3 / 2) * 0.1 ** (0.1 / 0.8), rel=1e-12)
    assert f"{found.value:.2f}" == "45.48"


def test_weights_sum_to_one_again() -> None:
    sums: dict[Any, Any] = {(0.75, 0.25): (0.75, 0.25), (0.75, 0.25, 0.0): (0.75, 0.25, 0.0),
                            (0.375, 0.125): [0.75, 0.25], (0.0, 0.0): None}
    assert {weights: renormalise(weights) for weights in sums} == sums


# The line of a score ------------------------------------------------------------------------------

LENGTHS = BleuStats((3, 1), (4, 3), 4, 5)


def test_a_score_reads_as_in_sacrebleu() -> None:
    plain = BleuScore(0.5, (0.75, 1 / 3), 0.77, LENGTHS)
    assert plain.scale == 1 and plain.signature == ""
    lengths = "(BP = 0.770 ratio = 0.800 hyp_len = 4 ref_len = 5)"
    assert plain.line() == f"{plain}" == repr(plain) == f"BLEU = 0.5000 0.750/0.333 {lengths}"
    assert plain.line(1) == f"BLEU = 0.5 0.750/0.333 {lengths}"
    whole = BleuScore(50.0, (75.0, 100 / 3), 0.77, LENGTHS, 100, "tok:13a")
    assert whole.line() == f"BLEU = 50.00 75.0/33.3 {lengths} tok:13a"
    assert (f"{whole:.3f}", float(whole)) == ("50.000", 50.0)
    nothing = BleuScore(0.0, (), 1.0, BleuStats((), (), 3, 0))
    assert "ratio = 0.000" in nothing.line()


def test_statistics_are_scored_by_default_as_the_paper_does() -> None:
    found = score_stats(LENGTHS)
    expected = math.exp(1 - 5 / 4) * math.sqrt(3 / 4 * 1 / 3)
    assert found.value == pytest.approx(expected, rel=1e-15)
    assert (found.scale, found.precisions) == (1, (3 / 4, 1 / 3))
    short, skip = BleuStats((2, 0), (2, 0), 2, 2), {"skip_missing": True}
    assert [score_stats(short, **choices).value for choices in (
        {}, skip, {**skip, "weights": (0.5, 0.5)})] == [0, 1, 1]
    assert score_stats(LENGTHS, scale=100).precisions == (75, 100 / 3)
    for scale in (0, 2, 99, 101, True):
        with pytest.raises(ValueError, match="no scale"):
            score_stats(LENGTHS, scale=scale)


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


def test_every_penalty_is_checked() -> None:
    assert list(PENALTIES) == list(LOG_PENALTIES)


@pytest.mark.parametrize("name", PENALTIES)
def test_penalty_of_every_length(name: str) -> None:
    penalty, formula = LOG_PENALTIES[name], PENALTIES[name]
    for reference in range(1, 8):
        for candidate in range(1, 8):
            short = formula(candidate, reference) if candidate < reference else 0.0
            if name == "shifted" and candidate == reference:
                short = formula(candidate, reference)
            assert penalty(candidate, reference) == short
    assert penalty(3, 0) == (-math.inf if name == "referenced" else 0)
    assert (penalty(0, 2), penalty(0, 0)) == OF_NOTHING.get(name, (-math.inf, 0.0))


# Smoothers ----------------------------------------------------------------------------------------

TWO = BleuStats((1, 0, 0, 0), (2, 1, 1, 1), 2, 2)
ONE = BleuStats((1, 0, 0, 0), (1, 1, 1, 1), 1, 1)
NONE = BleuStats((0, 0, 0, 0), (1, 1, 1, 1), 1, 1)
SIX = BleuStats((4, 2, 1, 0, 0), (6, 5, 4, 3, 2), 6, 6)


@pytest.mark.parametrize("over_total", [False, True])
def test_method_4_of_old_starts_at_two_tokens(over_total: bool) -> None:
    steps = [place + 5 / math.log(2) for place in (1, 2, 3)]
    rest = [(step, 1) if over_total else (1, step) for step in steps]
    assert nltk_method4_before(TWO, 2, over_total) == [(1, 2), *rest]
    assert nltk_method4_before(ONE, 1, over_total) == [(1, 1)] * 4
    assert nltk_method4_before(NONE, 1, over_total) == [(1, 1)] * 4


def test_methods_4_and_7_take_the_number_of_the_paper() -> None:
    assert (SMOOTHINGS["nltk-4"].value, SMOOTHINGS["nltk-7"].value) == (5, 5)
    assert nltk_method4(TWO) == nltk_method4(TWO, 5) != nltk_method4(TWO, 6)
    assert nltk_method7(SIX, SIX) == nltk_method7(SIX, SIX, 5) != nltk_method7(SIX, SIX, 6)
    credit = 1 / (2 * 5 / math.log(2))
    assert nltk_method4(TWO)[1] == (credit, 1)


def test_smoothers_have_defaults_of_their_own() -> None:
    assert floor(TWO) == floor(TWO, 0.1)
    assert floor(TWO)[1] == (0.1, 1)
    assert add_k(TWO) == [(1, 2), (1, 2), (1, 2), (1, 2)]
    assert add_k(BleuStats((0, 0), (0, 0), 0, 3)) == []
    assert add_k(BleuStats((1, 0), (1, 0), 1, 3), 0) == [(1, 1)]
    assert nltk_method6(SIX, SIX) == nltk_method6(SIX, SIX, 5) != nltk_method6(SIX, SIX, 6)



def test_the_value_of_method_6_may_be_read_as_a_float() -> None:
    """A signature and a command line hold 5.0 for 5: the same score to the last digit."""
    corpus = ["a b c d e f g", "a b c"], [["a b c d x f g"], ["a b d"]]
    score = Bleu(smoothing="nltk-6")(*corpus)
    assert Bleu.from_signature(score.signature)(*corpus).value == score.value
    assert Bleu(smoothing="nltk-6", smoothing_value=5.0)(*corpus).value == score.value
    assert nltk_method6(SIX, SIX, 5.0) == nltk_method6(SIX, SIX)


@pytest.mark.parametrize("unmatched", UNMATCHED)
@pytest.mark.parametrize("smoothing", SMOOTHINGS)
def test_nothing_has_a_score_by_every_smoother(smoothing: str, unmatched: str) -> None:
    metric = Bleu(smoothing=smoothing, unmatched=unmatched)
    for candidate, reference in (("", ""), ("", "a"), ("a", "")):
        assert 0 <= metric([candidate], [[reference]]).value < math.inf

TAKEN = {name: each.value for name, each in SMOOTHINGS.items() if each.value is not None}


@pytest.mark.parametrize("name", TAKEN)
def test_a_number_left_out_is_the_default(name: str) -> None:
    stats = BleuStats((4, 2, 1, 0), (6, 5, 4, 3), 6, 6)
    assert smooth(stats, name, None, SIX) == smooth(stats, name, TAKEN[name], SIX)
    other = smooth(stats, name, TAKEN[name] + 1, SIX)
    assert smooth(stats, name, None, SIX) != other


# Scores of segments as bare numbers ---------------------------------------------------------------

OUTPUTS = ["the cat sat on a mat", "a dog", "", "it was on the mat , I think"]
HUMANS = [["the cat sat on the mat"], ["a dog barked"], ["x"], ["it was on a mat , he said"]]


@pytest.mark.parametrize("choices", [
    {"average": "segments"}, {"average": "segments", "digits": 3}, {"smoothing": "nltk-5"},
    {"smoothing": "nltk-7", "least_total": 1}, {"smoothing": "floor"},
])  # fmt: skip
def test_values_are_those_of_sentences(choices: dict[str, Any]) -> None:
    metric = Bleu(engine="numpy" if "nltk" not in str(choices) else "auto", **choices)
    expected = [metric.sentence(*pair).value for pair in zip(OUTPUTS, HUMANS, strict=True)]
    assert metric.count(OUTPUTS, HUMANS).values() == expected
    assert Bleu(engine="numpy", **choices).count(OUTPUTS, HUMANS).values() == expected


def test_a_row_that_does_not_trim_looks_at_the_end_of_a_line() -> None:
    line, reference = "it was in 1999. ", [["it was in 1999 ."]]
    assert Bleu("tensor2tensor")([line], reference).value == 1
    assert Bleu("tensor2tensor", strip=True)([line], reference).value < 1


def test_a_mean_of_nothing_is_nothing() -> None:
    assert [*map(geometric_mean, ([], [0.5, 0.0], [0.25]))] == [0, 0, 0.25]


def test_weights_that_lie_on_missing_orders_count_the_others_alike() -> None:
    row = count_segment([*"abc"], [[*"abd"]])
    alike = score_stats(row, [(2, 3), (1, 2)], skip_missing=True)
    assert alike.value == pytest.approx((2 / 3 * 1 / 2) ** 0.5)
    missing = score_stats(row, [(2, 3), (1, 2)], (0, 0, 0.5, 0.5), skip_missing=True)
    assert missing.value == alike.value


def test_a_missing_order_counts_as_0_unless_told_otherwise() -> None:
    assert combine([(1, 1)], 2, 0.0, penalised_mean) == (0.0, [1.0, 0.0])
    assert combine([(1, 1)], 2, 0.0, penalised_mean, skip_missing=True) == (1.0, [1.0, 0.0])


# Files and terminals ------------------------------------------------------------------------------


def test_files_of_unequal_length_are_refused_before_they_are_scored(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    for path, text in ((one, "a\nb\n"), (two, "a\nb\nc\n"), (three, "a\nb")):
        path.write_text(text, encoding="utf-8")
    assert known_length([str(one), str(three)]) == 2
    with pytest.raises(ValueError, match="lines"):
        known_length([str(one), str(two)])


def test_a_bar_is_seen_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        seen = ""

        def isatty(self) -> bool:
            return True

        def flush(self) -> None:
            self.seen = self.getvalue()

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with with_bar(4, delay=0) as show:
        show(1, None)
        assert "25%" in terminal.seen and terminal.seen == terminal.getvalue()
    assert terminal.seen == terminal.getvalue()
