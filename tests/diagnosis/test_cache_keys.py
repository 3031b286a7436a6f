"""explain and identify forget no choice, and no fault of ours passes for an absence."""

from contextlib import suppress
from dataclasses import fields, replace
from typing import Any
from unittest.mock import Mock

import pytest
from noted import watch

from bleu_nb import DIALECTS, Bleu
from bleu_nb.diagnosis import explanation
from bleu_nb.diagnosis import many_dialects as many_rows
from bleu_nb.diagnosis.explanation import PARTS, differing, explain, indent
from bleu_nb.diagnosis.identification import identify, settings
from bleu_nb.diagnosis.many_dialects import Scorer, choices_at, or_double, token_key
from bleu_nb.dialects import definition as scoring
from bleu_nb.dialects.formula_variants import SMOOTHINGS
from bleu_nb.dialects.input_checks import check_corpus
from bleu_nb.dialects.table import CHOICES, Dialect
from bleu_nb.engines import bits as engine
from bleu_nb.engines.numpy_scores import numpy_supports
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


def whole_key(row: Dialect) -> tuple[Any, ...]:
    """All that a cached score hangs on."""
    return token_key(row, 9), choices_at(row, "lengths", "score")


def test_each_choice_has_a_part_and_a_stage_and_is_changed_below() -> None:
    assert set(OTHERS) == set(CHOICES) == {each.name for each in fields(Dialect)[6:]}
    assert {choice.stage for choice in CHOICES.values()} == {"file", "tokens", "lengths", "score"}


NEEDED = {  # What a choice is about
    "reweigh": {"arithmetic": "weighted"}, "smoothing_value": {"smoothing": "floor"},
    "casing": {"lowercase": True}}


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_that_changes_alone_changes_the_key(name: str) -> None:
    usual = DIALECTS["sacrebleu"]
    row = replace(usual, **NEEDED.get(name, {}))
    other = changed(row, name)
    assert whole_key(row) == whole_key(replace(row, name="another", version="9", source="here"))
    if name in ("casing", "reading"):   # Nobody asks when to lower-case what is left as it is,
        assert whole_key(changed(usual, name)) == whole_key(usual)
    if name != "reading":   # Nor how a file became segments
        assert whole_key(other) != whole_key(row)
        assert [token_key(other, 9) == token_key(row, 9),
                choices_at(other, "score") == choices_at(row, "score")
                ] == [CHOICES[name].stage != "tokens", CHOICES[name].stage != "score"]


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


@pytest.mark.parametrize("name", ["ignite", "torchmetrics", "keras-hub"])
def test_segments_that_count_alike_are_scored_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = replace(DIALECTS[name], tokenizer="none", lowercase=False)
    second = replace(first, tokenizer="13a")
    counts = [Bleu(row).count(OUTPUTS, HUMANS) for row in (first, second)]
    others = sum(one != other for one, other in zip(*counts, strict=True))
    scorer = Scorer(check_corpus(OUTPUTS, HUMANS))
    calls = watch(monkeypatch, many_rows, "value_of")
    for row in (first, second) * 2:
        assert scorer.own_scores(row) == [
            Bleu(row)([out], [group]).value * 100 / row.scale
            for out, group in zip(OUTPUTS, HUMANS, strict=True)]
        if row.average == "segments":
            mean = Bleu(replace(row, digits=None))(OUTPUTS, HUMANS)
            assert scorer.value(row) == mean.value * 100 / row.scale
    assert 0 < others < len(OUTPUTS)
    assert len(calls) <= len(OUTPUTS) + others


THIRDS = ("fast-bleu", "codexglue-smooth", "ignite-nltk_smooth2", "torchmetrics", "nltk")


@pytest.mark.parametrize("name", DIALECTS)
def test_an_explanation_by_arrays_is_the_one_by_segments(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the last bit, and with no segment scored alone but those that arrays leave out."""
    other = next(
        each for each in (THIRDS[len(name) % len(THIRDS)], "coco")
        if DIALECTS[each].average != DIALECTS[name].average or each == "coco")  # fmt: skip
    found = explain(OUTPUTS, HUMANS, name, other)
    for threshold in ("FOR_NUMPY", "FOR_LOADED_NUMPY"):
        monkeypatch.setattr(scoring_counts, threshold, 1)
    calls = [watch(monkeypatch, scoring_counts, name) for name in ("value_of", "build_score")]
    fast = explain(OUTPUTS, HUMANS, name, other)
    assert fast.to_json() == found.to_json() and (fast.first_score, fast.second_score) == (
        found.first_score, found.second_score)  # fmt: skip
    if all(numpy_supports(DIALECTS[each]) for each in (name, other)):
        assert [*map(len, calls)] == [0, 2]  # Of the sums behind the two scores


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


def test_text_is_counted_once_where_nobody_asks_for_lower_case(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    """The score of multi-bleu was counted once more, as it would lower-case otherwise."""
    calls = watch(monkeypatch, many_rows, "count_parts")
    explain(OUTPUTS, [group[:1] for group in HUMANS], "papineni", "multi-bleu")
    assert sorted(metric.dialect.tokenizer for metric, *_ in calls) == ["ascii-space", "none"]


@pytest.mark.parametrize("step", [1, -1])
def test_rows_of_other_orders_that_count_alike_keep_their_orders(step: int) -> None:
    found = explain(["a"], [["a"]], *("google-bleu", Bleu("google-bleu", max_order=2))[::step])
    assert [found.difference, *(part.points for part in found.parts)] == [0, 0]


# Planted faults -----------------------------------------------------------------------------------


def test_parts_that_do_not_add_up_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(DIALECTS["nltk"], smoothing="nltk-1", average="segments")
    other = replace(row, reweigh=True)
    assert explain(["a b"], [["a b"]], row, other).difference > 30
    monkeypatch.setattr(many_rows, "choices_at", lambda dialect, *stages: choices_at(
        replace(dialect, reweigh=False), *stages))
    with pytest.raises(RuntimeError, match="this is a bug in bleu_nb; please report"):
        explain(["a b"], [["a b"]], row, other)


def test_a_choice_in_no_group_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanation, "PARTS", {**PARTS, "case": ()})
    with pytest.raises(RuntimeError, match="but their parts sum to 0"):
        explain(OUTPUTS, HUMANS, "sacrebleu", Bleu(lowercase=True))


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


@pytest.mark.parametrize(("sides", "number", "dialects", "reasons"), [
    ((OUTPUTS, HUMANS), "99.9876", None, {NO_TRIGRAM}),
    ((OUTPUTS, HUMANS), "99.9876", [Bleu("google-bleu", smoothing="nltk-5")],
     {"nltk's methods 5 and 7 need counts up to order 5"}),
    (TOKENS, 20, ["mteval-v13a", Bleu("nltk", smoothing="nltk-6")],
     {"lowercase is for text: lower-case your tokens first", NO_TRIGRAM}),
    ((OUTPUTS, HUMANS), 20, ["papineni"], {"the tokenizer 'zh' needs an extra"})])
def test_settings_without_a_score_are_counted_with_their_reason(
    sides: Any, number: Any, dialects: Any, reasons: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, missing = engine.tokens_of, Mock(side_effect=ImportError(*reasons))
    if any("extra" in each for each in reasons):
        monkeypatch.setattr(engine, "tokens_of", lambda row, text: (
            missing if row.tokenizer == "zh" else whole)(row, text))
    found = identify(*sides, number, dialects)
    assert {*found.without} == reasons and (found.tried > 1000 or dialects)
    told = "".join(repr(found).split())
    for reason, times in found.without.items():
        guesses = "1 guess has" if times == 1 else f"{times} guesses have"
        assert f"{guesses} no score: {reason}".replace(" ", "") in told


def test_single_precision_steps_aside_only_where_it_has_no_number() -> None:
    row = replace(DIALECTS["torchmetrics"], smoothing="nltk-0", unmatched="smoothed")
    stats = Bleu("nltk").count(["a b c d e"], [["a b x d e"]])[0]

    def score(dialect: Dialect) -> list[float]:
        return [scoring.value_of(dialect, stats, stats, False)[0]]

    assert or_double(row, score) == score(replace(row, arithmetic="plain")) > [0]
    with pytest.raises((ValueError, OverflowError)):
        score(row)
    assert or_double(replace(row, smoothing="floor", smoothing_value=1e300), score)[0] > 1e37


@pytest.mark.parametrize("step", [1, -1])
def test_another_way_of_counting_names_the_segments_that_it_moves(step: int) -> None:
    row = DIALECTS["papineni"]
    [part] = explain(OUTPUTS, HUMANS, *(row, replace(row, counting="google"))[::step]).parts
    assert part.choice == "way of counting" and part.moved


def test_a_long_line_is_indented_below_its_number() -> None:
    assert indent("word " * 15) == [
        f"{'':10}{'word ' * 10}".rstrip(), f"{'':12}{'word ' * 5}".rstrip()]
