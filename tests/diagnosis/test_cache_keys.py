"""explain and identify forget no choice, and no fault of ours passes for an absence."""

from dataclasses import dataclass, fields, replace
from typing import Any

import pytest

from bleu_nb import DIALECTS, Bleu
from bleu_nb.derivation.bleu import BleuStats
from bleu_nb.diagnosis import explanation
from bleu_nb.diagnosis import many_dialects as many_rows
from bleu_nb.diagnosis.explanation import (
    Moved,
    differing,
    explain,
    group_choices,
    indent,
)
from bleu_nb.diagnosis.identification import identify, settings
from bleu_nb.diagnosis.many_dialects import (
    Scorer,
    choices_at,
    or_double,
    token_key,
)
from bleu_nb.dialects import definition as scoring
from bleu_nb.dialects.formula_variants import SMOOTHINGS, NoScore
from bleu_nb.dialects.input_checks import check_corpus
from bleu_nb.dialects.table import CHOICES, Dialect, choice
from bleu_nb.engines import bits as engine
from bleu_nb.engines.numpy_scores import numpy_supports
from bleu_nb.scoring import counts as count_scores
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
        value = [1 / row.max_order] * row.max_order
        value = (value[0] / 2, *value[1:-1], value[-1] * 1.5)
    return replace(row, **{name: value})


def whole_key(row: Dialect) -> tuple[Any, ...]:
    """All that a cached score hangs on."""
    return token_key(row, 9), choices_at(row, "lengths", "score")


def test_each_choice_has_a_part_and_a_stage_and_is_changed_below() -> None:
    assert set(OTHERS) == set(CHOICES) == {each.name for each in fields(Dialect)[6:]}
    assert {choice.stage for choice in CHOICES.values()} == {"file", "tokens", "lengths", "score"}


@pytest.mark.parametrize("name", CHOICES)
def test_a_choice_that_changes_alone_changes_the_key(name: str) -> None:
    row = DIALECTS["sacrebleu"]
    if name == "reweigh":
        row = replace(row, arithmetic="weighted")
    if name == "smoothing_value":
        row = replace(row, smoothing="floor")
    if name in ("casing", "reading"):   # Nobody asks when to lower-case what is left as it is,
        assert whole_key(changed(row, name)) == whole_key(row)
        row = replace(row, lowercase=True)
    if name == "reading":   # Nor how a file became segments
        return
    assert whole_key(row) == whole_key(replace(row, name="another", version="9", source="here"))
    assert whole_key(changed(row, name)) != whole_key(row)
    same = [token_key(changed(row, name), 9) == token_key(row, 9),
            choices_at(changed(row, name), "score") == choices_at(row, "score")]
    assert same == [CHOICES[name].stage != "tokens", CHOICES[name].stage != "score"]


@dataclass(frozen=True)
class Further(Dialect):
    """A dialect with one more choice."""

    further: int = choice(0, "how much further", "further", "tokens", (0, 1))


def test_a_new_choice_lands_in_its_key() -> None:
    one, other = Further("a", "1"), Further("a", "1", further=1)
    assert token_key(one, 9) != token_key(other, 9)
    assert choices_at(one, "score") == choices_at(other, "score")
    assert choices_at(one, "tokens")[:-1] == choices_at(Dialect("a", "1"), "tokens")


@pytest.mark.parametrize("base", BASES, ids=str)
def test_a_corpus_that_was_scored_before_scores_as_a_new_one(base: Dialect) -> None:
    scorer = Scorer(check_corpus(OUTPUTS, HUMANS), 6)
    rows = [base]
    for row in (base, changed(base, "average"), changed(base, "reference_length")):
        rows += [changed(row, each) for each in CHOICES if possible(row, each)]
    moved = set()
    for row in [*rows, *reversed(rows)]:
        score = Bleu(row)(OUTPUTS, HUMANS)
        assert scorer.value(row) == pytest.approx(score.value * 100 / score.scale, abs=1e-9), row
        moved.add(score.value)
    assert len(moved) > 20


def possible(row: Dialect, name: str) -> bool:
    """Whether a choice can be changed alone."""
    try:
        other = changed(row, name)
        Bleu(other)(OUTPUTS, HUMANS)
    except ValueError:
        return False
    return True


def test_a_scale_counts_where_scores_are_rounded() -> None:
    first = replace(DIALECTS["sacrebleu"], digits=2)
    second = replace(first, scale=1)
    assert differing(first, second) == {"arithmetic": (("scale", 100, 1),)}
    found = explain(OUTPUTS, HUMANS, first, second)
    assert found.parts[0].points == found.difference != 0
    assert len(settings([first, second, replace(first, digits=None)])) > len(settings([first])) + 2
    plain = DIALECTS["sacrebleu"]
    assert settings([plain]) == settings([plain, replace(plain, scale=1)])
    assert not explain(OUTPUTS, HUMANS, plain, replace(plain, scale=1)).parts


def watch(monkeypatch: pytest.MonkeyPatch, module: Any, name: str) -> list[Any]:
    """The arguments of each call of a function, as its module calls it."""
    calls, whole = [], getattr(module, name)

    def watched(*arguments: Any, **choices: Any) -> Any:
        calls.append(arguments)
        return whole(*arguments, **choices)

    monkeypatch.setattr(module, name, watched)
    return calls


@pytest.mark.parametrize("name", ["ignite", "torchmetrics", "keras-hub"])
def test_segments_that_count_alike_are_scored_once(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = replace(DIALECTS[name], tokenizer="none", lowercase=False)
    second = replace(first, tokenizer="13a")
    counts = [Bleu(row).count(OUTPUTS, HUMANS) for row in (first, second)]
    others = sum(one != other for one, other in zip(*counts, strict=True))
    expected = [[Bleu(row)([out], [group]).value for out, group in zip(OUTPUTS, HUMANS, strict=True)
                 ] for row in (first, second)]  # fmt: skip
    scorer = Scorer(check_corpus(OUTPUTS, HUMANS))
    calls = watch(monkeypatch, many_rows, "value_of")
    for _ in range(2):
        for row, values in zip((first, second), expected, strict=True):
            assert scorer.own_scores(row) == [each * 100 / row.scale for each in values]
            if row.average == "segments":
                mean = replace(row, digits=None)
                assert scorer.value(row) == Bleu(mean)(OUTPUTS, HUMANS).value * 100 / row.scale
    assert 0 < others < len(OUTPUTS)
    assert len(calls) <= len(OUTPUTS) + others


def test_a_mean_of_sentence_scores_takes_the_way_of_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(DIALECTS["sacrebleu"], average="segments", digits=3)
    usual = Scorer(check_corpus(OUTPUTS, HUMANS))
    score, values = Bleu(row)(OUTPUTS, HUMANS), Bleu(row).count(OUTPUTS, HUMANS).values()
    expected = usual.value(row), usual.own_scores(row)
    monkeypatch.setattr(count_scores, "FOR_NUMPY", 1)
    monkeypatch.setattr(count_scores, "FOR_LOADED_NUMPY", 1)
    calls = [watch(monkeypatch, module, name) for module, name in (
        (scoring_counts, "value_of"), (many_rows, "value_of"), (scoring_counts, "build_score"))]
    assert Bleu(row)(OUTPUTS, HUMANS) == score
    assert Bleu(row).count(OUTPUTS, HUMANS).values() == values
    assert (expected[0], expected[1]) == (
        (arrays := Scorer(check_corpus(OUTPUTS, HUMANS))).value(row), arrays.own_scores(row))
    assert [*map(len, calls)] == [0, 0, 1]  # Of the pooled sum that stands beside the mean


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
    monkeypatch.setattr(count_scores, "FOR_NUMPY", 1)
    monkeypatch.setattr(count_scores, "FOR_LOADED_NUMPY", 1)
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


def test_rows_of_other_orders_that_count_alike_keep_their_orders() -> None:
    other = Bleu("google-bleu", max_order=2)
    for pair in (("google-bleu", other), (other, "google-bleu")):
        found = explain(["a"], [["a"]], *pair)
        assert [found.difference, *(part.points for part in found.parts)] == [0, 0]


# Planted faults -----------------------------------------------------------------------------------


def test_parts_that_do_not_add_up_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    row = replace(DIALECTS["nltk"], smoothing="nltk-1", average="segments")
    other = replace(row, reweigh=True)
    found = explain(["a b"], [["a b"]], row, other)
    assert found.difference > 30
    assert [part.choice for part in found.parts] == ["orders and weights"]
    monkeypatch.setattr(many_rows, "choices_at", lambda dialect, *stages: choices_at(
        replace(dialect, reweigh=False), *stages))
    with pytest.raises(RuntimeError, match="this is a bug in bleu_nb; please report"):
        explain(["a b"], [["a b"]], row, other)


def test_a_choice_in_no_group_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = {name: names for name, names in group_choices(Dialect).items() if name != "case"}
    monkeypatch.setattr(explanation, "group_choices", lambda kind: parts)
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
    def broken(*_: object) -> Any:
        raise fault

    for name, smoothing in SMOOTHINGS.items():
        planted = replace(smoothing, credits=broken)
        monkeypatch.setitem(SMOOTHINGS, name, planted)
    with pytest.raises(type(fault)):
        identify(OUTPUTS, HUMANS, 20)
    with pytest.raises(type(fault)):
        explain(OUTPUTS, HUMANS, "nltk", "torchmetrics")


def test_settings_without_a_score_are_counted_with_their_reason() -> None:
    whole = identify(OUTPUTS, HUMANS, "99.9876")
    assert whole.tried > 1000 and not whole.matches
    assert set(whole.without) == {"nltk's method 6 needs a trigram that matches"}
    other = identify(OUTPUTS, HUMANS, "99.9876", Bleu("google-bleu", smoothing="nltk-5"))
    assert "nltk's methods 5 and 7 need counts up to order 5" in other.without
    tokens = [line.split() for line in OUTPUTS]
    groups = [[line.split() for line in group] for group in HUMANS]
    split = identify(tokens, groups, 20, ["mteval-v13a", Bleu("nltk", smoothing="nltk-6")])
    assert set(split.without) == {
        "lowercase is for text: lower-case your tokens first",
        "nltk's method 6 needs a trigram that matches",
    }
    told = "".join(repr(split).split())
    for reason, times in split.without.items():
        assert f"{times} guesses have no score: {reason}".replace(" ", "") in told


def test_a_missing_extra_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> Any:
        raise ImportError("the tokenizer 'zh' needs an extra")

    whole = engine.tokens_of
    monkeypatch.setattr(
        engine, "tokens_of",
        lambda row, text: missing() if row.tokenizer == "zh" else whole(row, text))
    found = identify(OUTPUTS, HUMANS, 20, ["papineni"])
    assert found.without == {"the tokenizer 'zh' needs an extra": 1}
    assert "1 guess has no score: the tokenizer" in " ".join(repr(found).split())


def test_single_precision_steps_aside_only_where_it_has_no_number() -> None:
    row = replace(DIALECTS["torchmetrics"], smoothing="nltk-0", unmatched="smoothed")
    stats = Bleu("nltk").count(["a b c d e"], [["a b x d e"]])[0]
    plain = replace(row, arithmetic="plain")

    def score(dialect: Dialect) -> list[float]:
        return [scoring.value_of(dialect, stats, stats, False)[0]]

    assert or_double(row, score) == score(plain)
    assert score(plain)[0] > 0
    with pytest.raises((ValueError, OverflowError)):
        scoring.value_of(row, stats, stats, False)
    assert issubclass(NoScore, ValueError)
    huge = replace(row, smoothing="floor", smoothing_value=1e300)
    assert or_double(huge, score)[0] > 1e37


def test_another_way_of_counting_names_the_segments_that_it_moves() -> None:
    counting = replace(DIALECTS["papineni"], counting="google")
    for pair in ((DIALECTS["papineni"], counting), (counting, DIALECTS["papineni"])):
        [part] = explain(OUTPUTS, HUMANS, *pair).parts
        assert part.choice == "way of counting" and part.moved


def test_a_segment_that_moved_says_why() -> None:
    one, other = BleuStats((5, 3), (7, 6), 7, 8), BleuStats((5, 2), (7, 6), 7, 8)
    longer = replace(one, reference_length=9.5)
    same, split = (["a", "b"], ["a", "b"]), (["a,", "b"], ["a", ",", "b"])
    for tokens, second, reason in (
        (split, other, "a, → a ,"), (same, longer, "reference length 8 → 9.5"),
        (same, other, "5/7 3/6 → 5/7 2/6"), (same, one, "5/7 3/6 matched, 7 for 8 tokens"),
    ):  # fmt: skip
        assert Moved(0, 1.5, tokens, (one, second)).reason() == reason
    assert str(Moved(2, -1.5, same, (one, other))) == "line 3 alone: −1.50, 5/7 3/6 → 5/7 2/6"


def test_a_long_line_is_indented_below_its_number() -> None:
    first, second = indent("word " * 15)
    assert first == " " * 10 + "word " * 9 + "word"
    assert second == " " * 12 + "word " * 4 + "word"
