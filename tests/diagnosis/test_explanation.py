"""Explanations add up for every pair of dialects."""

import json
import math
import re
from collections.abc import Callable
from itertools import pairwise, permutations
from typing import Any

import pytest

from bleu_nb import DIALECTS, Bleu
from bleu_nb.derivation.score_line import say_number
from bleu_nb.diagnosis.causes import Setting, read_setting
from bleu_nb.diagnosis.explanation import (
    Explanation,
    differing,
    explain,
    mix,
    parts_between,
)
from bleu_nb.dialects.definition import on_100
from bleu_nb.display.explanation_charts import steps_on_scale, waterfall
from bleu_nb.scoring.counts import counts_of

CANDIDATES = ["The cat sat on the mat.", "", "it was asleep", "A dog, 7:30!"]
REFERENCES = [["the cat is on the mat", "A cat sat."], ["No."], ["It slept."], ["A dog at 7:30."]]


def check_sum(found: Explanation) -> None:
    """The parts sum to the whole difference."""
    assert abs(math.fsum(part.points for part in found.parts) - found.difference) <= 1e-12


@pytest.mark.parametrize("step", [6, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("first", DIALECTS)
def test_parts_sum_to_the_difference_for_every_pair(first: str, step: int) -> None:
    """Each with the half of the others that follow it in a ring: no pair is tried twice."""
    names = [*DIALECTS, *DIALECTS][[*DIALECTS].index(first) + 1:][:len(DIALECTS) // 2]
    for second in names[::step]:
        there, back = (explain(CANDIDATES, REFERENCES, *pair)
                       for pair in ((first, second), (second, first)))
        check_sum(there)
        assert {part.choice: part.points for part in there.parts} == pytest.approx(
            {part.choice: -part.points for part in back.parts}, rel=0, abs=1e-12)


@pytest.mark.parametrize("name", DIALECTS)
def test_equal_dialects_leave_nothing_to_explain_and_tables_fit_a_narrow_terminal(
    name: str
) -> None:
    found = explain(CANDIDATES, REFERENCES, name, name)
    assert (found.parts, found.difference) == ((), 0) and found._repr_html_()
    assert max(map(len, repr(explain(CANDIDATES, REFERENCES, "nltk", name)).splitlines())) <= 60


TOKENS = ([text.split() for text in CANDIDATES],
          [[text.split() for text in group] for group in REFERENCES])
FLAT = Bleu("nltk", weights=(0.7, 0.3), average="segments")
SIX = Bleu("papineni", max_order=6)


@pytest.mark.parametrize(("sides", "first", "second", "idle"), [
    ((CANDIDATES, REFERENCES), Bleu("sacrebleu", max_order=7, smoothing="nltk-5", lowercase=True),
     FLAT, set()),
    ((CANDIDATES, REFERENCES), FLAT, SIX, set()),
    ((CANDIDATES, REFERENCES), "google-bleu", SIX, set()),
    (TOKENS, "nltk", "sacrebleu", {"tokenisation"})],
    ids=["deep and flat", "flat and six", "google and six", "tokens"])
def test_tokens_and_other_orders_are_explained(
    sides: Any, first: Any, second: Any, idle: set[str]
) -> None:
    found = explain(*sides, first, second)
    check_sum(found)
    assert idle <= {part.choice for part in found.parts if part.points == 0}


@pytest.mark.parametrize(("sides", "first", "second", "message"), [
    (TOKENS, "mteval-v13a", "sacrebleu", "cannot be compared on this text.*lowercase your tokens"),
    (([["a"]], [[["a"]]]), Bleu("sacrebleu", lowercase=True), "nltk",
     "on this text: 'sacrebleu, lowercase yes' has no score")], ids=["mixture", "first"])
def test_what_has_no_score_on_the_way_is_refused(
    sides: Any, first: Any, second: Any, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        explain(*sides, first, second)


def test_json_names_a_function_as_tokenizer_and_holds_the_tokens_of_lines() -> None:
    found = explain(CANDIDATES, REFERENCES, Bleu(tokenizer=str.split), "sacrebleu")
    check_sum(found)
    [told], [part] = json.loads(found.to_json())["parts"], found.parts
    assert told["changes"]["tokenizer"][1] == "13a" and part.moved
    assert [each["tokens"] for each in told["moved"]] == [
        [*map(list, each.tokens)] for each in part.moved]


@pytest.mark.parametrize("first", ["tensor2tensor", "sacrebleu-1", "mteval-v13a-intl"])
def test_a_waterfall_stays_on_the_scale(first: str) -> None:
    """Whole parts that lead below 0 or above 100 in one order are drawn in another."""
    line, human = "冬天，船每月来一次。", "冬天，船每月只来一次。"
    for second in DIALECTS:
        found = explain([line], [[human]], first, second)
        start = on_100(found.first_score)
        steps = steps_on_scale(found.parts, start)
        assert sorted(part.choice for part, *_ in steps) == sorted(
            part.choice for part in found.parts)
        ends = [start, *(end for *_, end in steps)]
        assert [*pairwise(ends)] == [(begin, end) for _, begin, end in steps]
        assert min(ends) >= -1e-9 and max(ends) <= 100 + 1e-9, second
        markup = waterfall(found).markup
        _, *ticks = re.findall(r'class="bn-muted" text-anchor="middle">([^<]+)<', markup)
        assert 0 <= float(ticks[0]) < float(ticks[-1]) <= 100
        assert (f"from {ticks[0]}<" in markup) == (float(ticks[0]) > 0)


def test_parts_come_by_their_size_and_progress_ends_with_every_mixture() -> None:
    told: list[tuple[int, int]] = []
    found = explain(CANDIDATES, REFERENCES, "nltk", "sacrebleu", lambda *each: told.append(each))
    sizes = [abs(part.points) for part in found.parts]
    assert len(sizes) > 2 and sizes == sorted(sizes, reverse=True)
    assert told == [(done, 2 ** len(sizes)) for done in range(1, 2 ** len(sizes) + 1)]


ROWS = ["sacrebleu", "nltk", "papineni", Bleu("nltk", smoothing="nltk-5"),
        Bleu("sacrebleu", smoothing="nltk-6", max_order=3), Bleu("nltk-3.2", max_order=2),
        Bleu("sacrebleu", smoothing="nltk-5")]


LONGER = [(CANDIDATES, REFERENCES), (
    ["a b.", "The cat sat.", "it", "A dog, 7:30!", "one, two"],
    [["a b ."], ["the cat sat"], ["It."], ["a dog at 7:30!"], ["one two"]])]
SHORT = ["ab c", "de f"], [["ab c"], ["de g"]]      # Without any 4-gram: all scores are 0


@pytest.mark.parametrize(("first", "corpus"), [
    *((row, corpus) for row in ROWS for corpus in LONGER), (ROWS[-1], SHORT)])
def test_a_moved_segment_moves_the_score_of_the_corpus_by_its_points(
    first: Any, corpus: Any
) -> None:
    metric = first if isinstance(first, Bleu) else Bleu(first)
    other = Bleu(metric.dialect, tokenizer="char")
    before, after = metric.count(*corpus), other.count(*corpus)
    [part] = explain(*corpus, metric, other).parts
    assert len(part.moved) <= 3 and bool(part.moved) == (corpus != SHORT)
    for moved in part.moved:
        assert {len(each.totals) for each in moved.stats} == {metric.dialect.max_order}
        rows = [*map(before.stats_at, range(len(before)))]
        rows[moved.segment] = after.stats_at(moved.segment)
        if moved.segment < len(rows) - 1:       # Some smoothers look at the last one
            assert moved.points == pytest.approx(
                on_100(counts_of(metric.dialect, rows).score()) - on_100(before.score()), abs=1e-9)


@pytest.mark.parametrize("first", ["mteval-v13a", "sacrebleu-1"])
def test_a_line_moves_a_mean_by_its_part_of_it(first: str) -> None:
    pooled, mean = Bleu(first), Bleu(first, average="segments")
    whole = on_100(pooled(CANDIDATES, REFERENCES))
    for ends, sign in (((pooled, mean), 1), ((mean, pooled), -1)):
        [part] = explain(CANDIDATES, REFERENCES, *ends).parts
        assert part.choice == "pooling" and len(part.moved) == 3
        assert [moved.points for moved in part.moved] == pytest.approx([
            sign * (on_100(mean([CANDIDATES[moved.segment]], [REFERENCES[moved.segment]])) - whole)
            / len(CANDIDATES) for moved in part.moved], abs=1e-9)


def test_a_line_of_many_has_a_number_that_is_not_0() -> None:
    lines = [f"{number}, {number % 7} the cat sat" for number in range(3000)]
    humans = [[f"{number} the cat sat {number % 5}"] for number in range(3000)]
    found = explain(lines, humans, "nltk", "sacrebleu")
    assert [0 < abs(move.points) < 0.005 for move in found.parts[0].moved] == [True] * 3
    assert re.search(r"alone: [+−][0.]+[1-9],", " ".join(str(found).split()))
    assert "alone: 0.0" not in str(found) + found.to_markdown()


@pytest.mark.parametrize("digits", [0, 1, 2, 5])
def test_a_table_has_as_many_decimals_as_asked_for(digits: int) -> None:
    found = explain(CANDIDATES, REFERENCES, "nltk", "sacrebleu-1")
    rows = found.to_markdown(digits).splitlines()[2:]
    for row, part in zip(rows, found.parts, strict=True):
        assert row.startswith(f"| {say_number(part.points, digits, sign=True)} | {part.choice} |")
        for move in part.moved[:abs(part.points) >= 0.005]:
            shown = say_number(move.points, max(digits, 1), sign=True)
            assert f"line {move.segment + 1} alone: {shown}, " in row or not digits
    assert found.to_latex(digits).count("\\\n") == len(rows) + 1
    assert digits != 2 or found.to_markdown() == found.to_markdown(digits)


def test_words_of_a_table_are_no_formula_in_latex() -> None:
    found = explain(["a& b c_d e f"], [["a& b c_d e g"]], "nltk", "sacrebleu")
    first, *_ = (row for row in found.to_latex(1).splitlines() if "line 1" in row)
    points, *words = first.split(" & ")
    assert points.lstrip().startswith("$") and not any(each.startswith("$") for each in words)
    assert r"$\rightarrow$" in first and r"\&" in first and r"c\_d" in first


TOGETHER: dict[str, Callable[[Any, Any], tuple[Any, Any]]] = {    # Each as it is done by hand
    "reference 1 alone": lambda lines, groups: (lines, [group[:1] for group in groups]),
    "lower-cased text": lambda lines, groups: (
        [*map(str.lower, lines)], [[*map(str.lower, group)] for group in groups]),
    "references without their first line": lambda lines, groups: (
        lines[:len(groups) - 1], groups[1:]),
    "the second half of the lines": lambda lines, groups: (
        lines[len(lines) // 2:], groups[len(lines) // 2:]),
}  # fmt: skip
ONE, LOWER, CUT, HALF = TOGETHER
ORDERS = [each for number in range(3) for each in permutations(TOGETHER, number)]
PLACES = {"the": "well", "a": "Long", "the red": "there", "a red": "well there", "no": "badly",
          "one": "LONG"}  # fmt: skip
LOST = [f"The cat sat on {place} Mat and slept {time}." for place, time in PLACES.items()]
FOUND = [[line + more, f"Its {line}"] for line, more in zip(
    [line.replace("Mat", "mat") for line in LOST], ["", ".", " too", "!", "?", ""], strict=True)]


def setting(dialect: str, steps: tuple[str, ...]) -> Setting:
    """A dialect on steps, in the words in which a command takes them."""
    return read_setting(dialect + (f" on {' and '.join(steps)}" if steps else ""))


def after(steps: tuple[str, ...]) -> tuple[Any, Any]:
    """Text to which the steps were done one by one."""
    sides: tuple[Any, Any] = (LOST, FOUND)
    for step in steps:
        sides = TOGETHER[step](*sides)
    return sides


@pytest.mark.parametrize("first", ORDERS, ids=" and ".join)
def test_steps_on_either_side_lead_from_one_end_to_the_other(first: tuple[str, ...]) -> None:
    """Also where both settings have them, and where their order differs: they do not commute."""
    for second in ORDERS:
        one, other = setting("nltk", first), setting("sacrebleu", second)
        parts, shared = parts_between(one, other), {*first} & {*second}
        assert mix(one, other, ()).steps == one.steps
        assert mix(one, other, parts).steps == other.steps
        assert not differing(mix(one, other, parts).dialect, other.dialect)
        steps = {*parts} - {*differing(one.dialect, other.dialect)}
        needed = {f"no longer {step}" for step in {*first} - {*second}} | {*second} - {*first}
        assert needed <= steps <= needed | shared | {f"no longer {step}" for step in shared}
        if {*first} == {*second}:
            assert len(steps) == (0 if first == second else 2)
        elif len(first) + len(second) < 4:
            found = explain(LOST, FOUND, str(one), str(other))
            check_sum(found)
            assert [on_100(found.first_score), on_100(found.second_score)] == [
                on_100(Bleu("nltk")(*after(first))), on_100(Bleu("sacrebleu")(*after(second)))]
            assert {part.choice for part in found.parts} == {*parts}
            kept = {ONE, LOWER, f"no longer {ONE}", f"no longer {LOWER}"}
            for part in found.parts:  # Lines of a text that keeps all of them are named
                assert part.choice in kept or {*first} <= kept or not part.moved
                assert part.choice not in {CUT, HALF} or not part.moved


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk", "sacrebleu, mean of the sentence scores"])
@pytest.mark.parametrize(("before", "later"), [
    ((), (ONE,)), ((), (LOWER,)), ((ONE,), ()), ((LOWER,), (ONE, LOWER)), ((ONE, LOWER), (LOWER,))])
def test_the_line_that_a_step_moves_most_is_put_in_place(
    dialect: str, before: tuple[str, ...], later: tuple[str, ...]
) -> None:
    one, other = setting(dialect, before), setting(dialect, later)
    metric = Bleu(one.dialect)
    old, new = ([*zip(*after(steps), strict=True)] for steps in (before, later))
    alone = []
    for place, pair in enumerate(new):
        changed = metric(*zip(*old[:place], pair, *old[place + 1:], strict=True))
        alone.append(on_100(changed) - on_100(metric(*zip(*old, strict=True))))
    found = explain(LOST, FOUND, one, other)
    [part] = found.parts
    moving = [each for each in alone if abs(each) > 1e-9]  # One reference may do for 13a
    assert len(part.moved) == min(3, len(moving)) and (moving or dialect != "nltk")
    assert [abs(move.points) for move in part.moved] == pytest.approx(
        sorted(map(abs, moving), reverse=True)[:3], rel=0, abs=1e-9)
    assert [move.points for move in part.moved] == pytest.approx(
        [alone[move.segment] for move in part.moved], rel=0, abs=1e-9)
    assert ("most: line" in repr(found)) is bool(moving)


SAT, THE = "The cat sat here on the mat", ["the cat sat here on the mat"]


@pytest.mark.parametrize(("lines", "groups", "choices", "told"), [
    ([SAT, "a b c d e"], [THE, ["a b c d e f", "a b c"]], {"reference_length": "shortest"},
     "reference length 6 → 3"),
    ([SAT, "The b"], [THE, ["a b c d e f"]], {"lowercase": True}, "The → the"),
    ([SAT, "a b"], [THE, ["a b c d e f"]], {"least_total": 1}, "2/2 1/1 0/0 0/0 → 2/2 1/1 0/1 0/1"),
    (["The cat sat here on the", "a b"], [THE, ["a b c d e f"]],
     {"penalty": "none", "average": "segments"}, "5/6 4/5 3/4 2/3 matched, 6 for 7 tokens")])
def test_a_line_says_what_changed_in_it(
    lines: Any, groups: Any, choices: dict[str, Any], told: str
) -> None:
    first = Bleu("nltk", least_total=0, average=choices.get("average", "pooled"))
    [part] = explain(lines, groups, first, Bleu(first.dialect, **choices)).parts
    assert told in [move.reason() for move in part.moved]


def test_no_line_is_named_for_an_option_that_changes_no_match() -> None:
    """To recount a line would change nothing."""
    pairs = ["a b c d", "e f"], [["a b c x"], ["e g"]]
    for first in ("sacrebleu, smoothing floor", "sacrebleu, max order 2"):
        found = explain(*pairs, first, "sacrebleu")
        assert abs(found.difference) > 1 and [part.moved for part in found.parts] == [()]
        assert "line" not in repr(found)
