"""explain and identify forget no choice, and no fault of ours passes for an absence."""

from contextlib import suppress
from dataclasses import replace
from typing import Any
from unittest.mock import Mock

import pytest
from noted import watch

from bleu_nb import DIALECTS, Bleu
from bleu_nb.diagnosis import many_dialects as many_rows
from bleu_nb.diagnosis.explanation import differing, explain
from bleu_nb.diagnosis.identification import all_lines, identify, settings
from bleu_nb.diagnosis.many_dialects import Scorer
from bleu_nb.dialects.formula_variants import SMOOTHINGS
from bleu_nb.dialects.input_checks import check_corpus
from bleu_nb.dialects.table import CHOICES, Dialect
from bleu_nb.engines import bits as engine
from bleu_nb.scoring import counts as scoring_counts

OUTPUTS = ["The cat sat on the mat, a cat.", "", "it", "A dog, 7:30! And  a CAT", "x y z v w\n"]
HUMANS = [
    *(["the cat is on the mat", "A cat sat, a cat sat on the mat ."], ["No."], ["It slept ."]),
    *(["A dog at 7:30. And a cat"], ["x y u v w t"]),
]
OTHERS: dict[str, Any] = {
    "reading": "unicode", "tokenizer": "none", "lowercase": True, "casing": "after", "strip": False,
    "max_order": 3,
    "reference_length": "shortest", "least_total": 1, "end_token": True, "counting": "google",
    "weights": (0.1, 0.2, 0.3, 0.4), "reweigh": True, "smoothing": "floor",
    "smoothing_value": 0.7, "unmatched": "smoothed", "effective_order": "always",
    "penalty": "plus one", "arithmetic": "weighted", "average": "segments", "scale": 1,
    "digits": 1,
}  # fmt: skip
BASES = [
    DIALECTS["sacrebleu"],
    replace(DIALECTS["nltk"], lowercase=True, digits=2, scale=100, tokenizer="13a"),
    replace(DIALECTS["sacrebleu"], average="segments", smoothing="floor", effective_order="never"),
    replace(DIALECTS["sacrebleu"], max_order=6, smoothing="add-k", arithmetic="weighted"),
]


def changed(row: Dialect, name: str) -> Dialect:
    """A row with one choice changed."""
    value = OTHERS[name]
    if value == getattr(row, name):
        value = getattr(Dialect("another", "1"), name)
    if name == "weights":
        share = 1 / row.max_order
        value = (share / 2, *[share] * (row.max_order - 2), share * 1.5)
    return replace(row, **{name: value})


@pytest.mark.parametrize("base", BASES, ids=str)
def test_a_corpus_that_was_scored_before_scores_as_a_new_one(base: Dialect) -> None:
    scorer = Scorer(check_corpus(OUTPUTS, HUMANS), 6)
    known: dict[Dialect, float] = {}
    for row in (base, changed(base, "average"), changed(base, "reference_length")):
        for name in CHOICES:
            with suppress(ValueError):  # It cannot be changed alone
                other = changed(row, name)
                score = Bleu(other)(OUTPUTS, HUMANS)
                known[other] = score.value * 100 / score.scale
    for row in [*known, *reversed(known)]:
        assert scorer.value(row) == pytest.approx(known[row], abs=1e-9), row
    assert len({*known.values()}) > 20


def test_a_scale_counts_where_scores_are_rounded() -> None:
    plain = DIALECTS["sacrebleu"]
    first = replace(plain, digits=2)
    second = replace(first, scale=1)
    assert differing(first, second) == {"arithmetic": (("scale", 100, 1),)}
    found = explain(OUTPUTS, HUMANS, first, second)
    assert found.parts[0].points == found.difference != 0
    assert len(settings([first, second, plain])) > len(settings([first])) + 2
    assert settings([plain]) == settings([plain, replace(plain, scale=1)])
    assert not explain(OUTPUTS, HUMANS, plain, replace(plain, scale=1)).parts


THIRDS = ("fast-bleu", "codexglue-smooth", "ignite-nltk_smooth2", "torchmetrics", "nltk")


@pytest.mark.parametrize("name", DIALECTS)
def test_an_explanation_by_arrays_is_the_one_by_segments(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last bit."""
    other = next(
        each for each in (THIRDS[len(name) % len(THIRDS)], "coco")
        if DIALECTS[each].average != DIALECTS[name].average or each == "coco")  # fmt: skip
    found = explain(OUTPUTS, HUMANS, name, other)
    for threshold in ("FOR_NUMPY", "FOR_LOADED_NUMPY"):
        monkeypatch.setattr(scoring_counts, threshold, 1)
    fast = explain(OUTPUTS, HUMANS, name, other)
    assert fast.to_json() == found.to_json() and (fast.first_score, fast.second_score) == (
        found.first_score, found.second_score)  # fmt: skip


@pytest.mark.parametrize("pair", [("fast-bleu", "coco"), ("ignite", "sacrebleu"),
                                  ("nltk", "sacrebleu"), ("nltk-3.4", "codebleu")])  # fmt: skip
def test_explain_scores_no_segment_by_itself(
    pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of segments took ten times as long to score as to count."""
    calls = [watch(monkeypatch, module, "value_of") for module in (scoring_counts, many_rows)]
    names = differing(*map(DIALECTS.__getitem__, pair))
    explain(["a b c d e", "x y z", "a b"] * 400, [["a b c d f"], ["x z"], ["b"]] * 400, *pair)
    assert sum(map(len, calls)) <= 2 ** len(names)


@pytest.mark.parametrize("step", [1, -1])
def test_rows_of_other_orders_that_count_alike_keep_their_orders(step: int) -> None:
    found = explain(["a"], [["a"]], *("google-bleu", Bleu("google-bleu", max_order=2))[::step])
    assert [found.difference, *(part.points for part in found.parts)] == [0, 0]


# Planted faults -----------------------------------------------------------------------------------


FAULTS = [
    IndexError("list index out of range"), ZeroDivisionError("division by zero"),
    KeyError("exp"), TypeError("no number"), ValueError("math domain error"),
    OverflowError("math range error"), AttributeError("no total"),
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS, ids=repr)
def test_a_fault_in_a_smoother_is_raised(
    fault: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, smoothing in SMOOTHINGS.items():
        monkeypatch.setitem(SMOOTHINGS, name, replace(smoothing, credits=Mock(side_effect=fault)))
    for call, asked in ((identify, [20]), (explain, ["nltk", "torchmetrics"])):
        with pytest.raises(type(fault)):
            call(OUTPUTS, HUMANS, *asked)  # type: ignore[operator]


TOKENS = [line.split() for line in OUTPUTS], [[line.split() for line in group] for group in HUMANS]
NO_TRIGRAM = "nltk's method 6 needs a trigram that matches"
NO_DATA = ("tokenizer 'nltk-word' needs nltk's data 'punkt_tab', which is not installed: "
           "run python -m nltk.downloader punkt_tab")   # On some machines


@pytest.mark.parametrize(("sides", "number", "dialects", "reasons"), [
    ((OUTPUTS, HUMANS), "99.9876", None, {NO_TRIGRAM}),
    ((OUTPUTS, HUMANS), "99.9876", [Bleu("google-bleu", smoothing="nltk-5")],
     {"nltk's methods 5 and 7 need counts up to order 5"}),
    (TOKENS, 20, ["mteval-v13a", Bleu("nltk", smoothing="nltk-6")],
     {"lowercase is for text: lowercase your tokens first", NO_TRIGRAM}),
    # With fewer digits, so unusual a tokenizer is not tried
    ((OUTPUTS, HUMANS), "20.123456", ["papineni"], {"the tokenizer 'zh' needs an extra"})])
def test_settings_without_a_score_are_counted_with_their_reason(
    sides: Any, number: Any, dialects: Any, reasons: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, missing = engine.tokens_of, Mock(side_effect=ImportError(*reasons))
    if any("extra" in each for each in reasons):
        monkeypatch.setattr(engine, "tokens_of", lambda row, text: (
            missing if row.tokenizer == "zh" else whole)(row, text))
    found = identify(*sides, number, dialects)
    without = {*found.without} - {NO_DATA}
    assert without == reasons and (found.tried > 1000 or dialects)
    told = "".join("".join(all_lines(found)).split())
    for reason, times in found.without.items():
        guesses = "1 guess has" if times == 1 else f"{times} guesses have"
        assert f"{guesses} no score: {reason}".replace(" ", "") in told


@pytest.mark.parametrize("step", [1, -1])
def test_another_way_of_counting_names_the_segments_that_it_moves(step: int) -> None:
    row = DIALECTS["papineni"]
    [part] = explain(OUTPUTS, HUMANS, *(row, replace(row, counting="google"))[::step]).parts
    assert part.choice == "way of counting" and part.moved
