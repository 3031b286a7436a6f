"""Explanations add up for every pair of dialects."""

import html
import json
import math
import random
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from itertools import accumulate, combinations, pairwise, permutations
from typing import Any

import pytest
from data import GOLDEN, read_json
from hypothesis import settings

from bleu_nb import DIALECTS, Bleu, BleuStats
from bleu_nb.derivation.score_line import say_number
from bleu_nb.diagnosis.causes import Setting, Texts, read_setting
from bleu_nb.diagnosis.explanation import (
    Explanation,
    differing,
    explain,
    mix,
    parts_between,
)
from bleu_nb.dialects.definition import on_100
from bleu_nb.dialects.input_checks import check_corpus
from bleu_nb.display.explanation_charts import steps_on_scale, waterfall
from bleu_nb.scoring.counts import counts_of

LONG = settings.get_current_profile_name() == "long"
PAIRS = list(combinations(DIALECTS, 2))
CANDIDATES = ["The cat sat on the mat.", "", "it was asleep", "A dog, 7:30!"]
REFERENCES = [["the cat is on the mat", "A cat sat."], ["No."], ["It slept."], ["A dog at 7:30."]]


def cases() -> list[dict[str, Any]]:
    """The recorded corpora."""
    return read_json(GOLDEN)["cases"]


def sample() -> Iterator[tuple[dict[str, Any], tuple[str, str]]]:
    """Two pairs of dialects for each corpus; in a long run all, some 25 minutes."""
    chance = random.Random(7)
    for case in cases():
        for pair in PAIRS if LONG else chance.sample(PAIRS, 2):
            yield case, pair


def check_sum(found: Explanation) -> None:
    """The parts sum to the whole difference."""
    assert abs(math.fsum(part.points for part in found.parts) - found.difference) <= 1e-12


@pytest.mark.slow
def test_parts_sum_to_the_difference_on_recorded_corpora() -> None:
    for case, (first, second) in sample():
        found = explain(case["hyps_raw"], case["refs_raw"], first, second)
        check_sum(found)
        assert found.first_score == Bleu(first)(case["hyps_raw"], case["refs_raw"])
        assert found.second_score == Bleu(second)(case["hyps_raw"], case["refs_raw"])


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("first", DIALECTS)
def test_parts_sum_to_the_difference_for_every_pair(first: str, step: int) -> None:
    """Each with the half of the others that follow it in a ring: no pair is tried twice."""
    names = [*DIALECTS, *DIALECTS][[*DIALECTS].index(first) + 1:][:len(DIALECTS) // 2]
    for second in names[::step]:
        there = explain(CANDIDATES, REFERENCES, first, second)
        back = explain(CANDIDATES, REFERENCES, second, first)
        check_sum(there)
        points = {part.choice: part.points for part in back.parts}
        assert {part.choice for part in there.parts} == set(points)
        for part in there.parts:
            assert part.points == pytest.approx(-points[part.choice], rel=0, abs=1e-12)


@pytest.mark.parametrize("name", DIALECTS)
def test_equal_dialects_leave_nothing_to_explain(name: str) -> None:
    found = explain(CANDIDATES, REFERENCES, name, name)
    assert (found.parts, found.difference) == ((), 0)
    assert repr(found) and found._repr_html_()


def test_rows_counted_to_different_orders_add_up() -> None:
    deep = Bleu("sacrebleu", max_order=7, smoothing="nltk-5", lowercase=True)
    flat = Bleu("nltk", weights=(0.7, 0.3), average="segments")
    six = Bleu("papineni", max_order=6)
    for pair in ((deep, flat), (flat, six), ("google-bleu", six)):
        check_sum(explain(CANDIDATES, REFERENCES, *pair))


def test_token_lists_are_explained() -> None:
    tokens = [text.split() for text in CANDIDATES]
    groups = [[text.split() for text in group] for group in REFERENCES]
    found = explain(tokens, groups, "nltk", "sacrebleu")
    check_sum(found)
    assert {part.choice: part.points for part in found.parts}["tokenisation"] == 0
    with pytest.raises(ValueError, match=r"cannot be compared here.*lower-case your tokens"):
        explain(tokens, groups, "mteval-v13a", "sacrebleu")


def test_function_as_tokenizer_is_named() -> None:
    found = explain(CANDIDATES, REFERENCES, Bleu(tokenizer=str.split), "sacrebleu")
    check_sum(found)
    assert json.loads(found.to_json())["parts"][0]["changes"]["tokenizer"][1] == "13a"


@pytest.mark.parametrize("first", ["tensor2tensor", "sacrebleu-1", "mteval-v13a-intl"])
def test_a_waterfall_stays_on_the_scale(first: str) -> None:
    """Whole parts that lead below 0 or above 100 in one order are drawn in another."""
    line, human, left = "冬天，船每月来一次。", "冬天，船每月只来一次。", 0
    for second in DIALECTS:
        found = explain([line], [[human]], first, second)
        start = on_100(found.first_score)
        steps = steps_on_scale(found.parts, start)
        assert sorted(part.choice for part, *_ in steps) == sorted(
            part.choice for part in found.parts)
        ends = [start, *(end for *_, end in steps)]
        assert [*pairwise(ends)] == [(begin, end) for _, begin, end in steps]
        assert min(ends) >= -1e-9 and max(ends) <= 100 + 1e-9, second
        largest_first = accumulate((part.points for part in found.parts), initial=start)
        left += any(not -1e-9 <= end <= 100 + 1e-9 for end in largest_first)
        _, *ticks = re.findall(r'class="bn-muted" text-anchor="middle">([^<]+)<',
                               waterfall(found).markup)
        assert 0 <= float(ticks[0]) < float(ticks[-1]) <= 100
        assert (f"from {ticks[0]}<" in waterfall(found).markup) == (float(ticks[0]) > 0)
    assert left, "no order had to be changed"


def test_explanation_survives_json() -> None:
    found = explain(CANDIDATES, REFERENCES, "nltk", "codexglue-smooth")
    for part, each in zip(json.loads(found.to_json())["parts"], found.parts, strict=True):
        assert [tuple(move["tokens"][0]) for move in part["moved"]] == [
            tuple(move.tokens[0]) for move in each.moved
        ]


@pytest.mark.parametrize("text", ["</text><script>alert(1)</script>", "\x07\u202e&<", "x" * 300])
def test_hostile_text_stays_text(text: str) -> None:
    row = replace(DIALECTS["nltk"], name=re.sub(r"[^ -~]", "", text))
    found = explain([f"{text} a,b", "c d e f."], [[f"{text} a b"], ["c d e f ."]], row)
    picture = waterfall(found)
    root = ET.fromstring(picture.markup)
    assert {each.tag.rpartition("}")[2] for each in root.iter()} <= {
        *("svg", "title", "desc", "style", "text", "rect", "path", "polyline")
    }
    assert "<script" not in picture.markup
    assert "\x07" not in html.unescape(picture.markup)
    assert "\x07" not in repr(found) and "\u202e" not in repr(found)


@pytest.mark.parametrize("second", DIALECTS)
def test_table_fits_a_narrow_terminal(second: str) -> None:
    found = explain(CANDIDATES, REFERENCES, "nltk", second)
    assert max(map(len, repr(found).splitlines())) <= 60


def test_parts_come_by_their_size_and_progress_ends_with_every_mixture() -> None:
    told: list[tuple[int, int]] = []
    found = explain(CANDIDATES, REFERENCES, "nltk", "sacrebleu", lambda *each: told.append(each))
    sizes = [abs(part.points) for part in found.parts]
    assert len(sizes) > 2
    assert sizes == sorted(sizes, reverse=True)
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
    before, after = metric.count(*corpus), other.count(*corpus).arrays()
    [part] = explain(*corpus, metric, other).parts
    assert len(part.moved) <= 3 and bool(part.moved) == (corpus != SHORT)
    for moved in part.moved:
        orders = metric.dialect.max_order
        assert {len(each.totals) for each in moved.stats} == {orders}
        rows = [*map(before.stats_at, range(len(before)))]
        rows[moved.segment] = BleuStats(
            tuple(after["matches"][moved.segment].tolist()),
            tuple(after["totals"][moved.segment].tolist()),
            int(after["candidate_lengths"][moved.segment]),
            int(after["reference_lengths"][moved.segment]),
        )
        if moved.segment < len(rows) - 1:       # Some smoothers look at the last one
            swapped = counts_of(metric.dialect, rows).score()
            change = on_100(swapped) - on_100(before.score())
            assert moved.points == pytest.approx(change, abs=1e-9)


@pytest.mark.parametrize("first", ["mteval-v13a", "sacrebleu-1"])
def test_a_line_moves_a_mean_by_its_part_of_it(first: str) -> None:
    pooled, mean = Bleu(first), Bleu(first, average="segments")
    for ends, sign in (((pooled, mean), 1), ((mean, pooled), -1)):
        [part] = explain(CANDIDATES, REFERENCES, *ends).parts
        assert part.choice == "pooling" and len(part.moved) == 3
        for moved in part.moved:
            alone = mean([CANDIDATES[moved.segment]], [REFERENCES[moved.segment]])
            whole = pooled(CANDIDATES, REFERENCES)
            assert moved.points == pytest.approx(
                sign * (on_100(alone) - on_100(whole)) / len(CANDIDATES), abs=1e-9)


def test_no_choice_is_named_that_has_no_effect() -> None:
    """A scale alone changes no score on the scale of 100, unless the scores are rounded."""
    names = {name for part in explain(CANDIDATES, REFERENCES, "nltk", "sacrebleu").parts
             for name, *_ in part.changes}
    assert names == {"tokenizer", "least_total", "smoothing", "arithmetic"}
    rounded = Bleu("nltk", digits=2)
    for pair in ((rounded, "sacrebleu"), (rounded, Bleu("nltk", digits=2, scale=100))):
        [part] = [part for part in explain(CANDIDATES, REFERENCES, *pair).parts
                  if part.choice == "arithmetic"]
        assert ("scale" in [name for name, *_ in part.changes]) == (pair[1] != "sacrebleu")


def test_a_line_of_many_has_a_number_that_is_not_0() -> None:
    lines = [f"{number}, {number % 7} the cat sat" for number in range(3000)]
    humans = [[f"{number} the cat sat {number % 5}"] for number in range(3000)]
    found = explain(lines, humans, "nltk", "sacrebleu")
    part = found.parts[0]
    assert [0 < abs(move.points) < 0.005 for move in part.moved] == [True] * 3
    told = re.findall(r"alone: ([+−][0.]+[1-9]),", " ".join(str(found).split()))
    assert told and "alone: 0.0" not in str(found) + found.to_markdown()


def test_a_row_that_cannot_score_at_all_is_named_without_a_choice() -> None:
    lower = Bleu("sacrebleu", lowercase=True)
    with pytest.raises(ValueError, match="with no choice of 'nltk' gives no score"):
        explain([["a"]], [[["a"]]], lower, "nltk")


def test_a_table_has_as_many_decimals_as_asked_for() -> None:
    found = explain(CANDIDATES, REFERENCES, "nltk", "sacrebleu-1")
    for digits in (0, 1, 5):
        rows = found.to_markdown(digits).splitlines()[2:]
        for row, part in zip(rows, found.parts, strict=True):
            points = say_number(part.points, digits, sign=True)
            assert row.startswith(f"| {points} | {part.choice} |")
            for move in part.moved[:abs(part.points) >= 0.005]:
                shown = say_number(move.points, max(digits, 1), sign=True)
                assert f"line {move.segment + 1} alone: {shown}, " in row or not digits
        assert found.to_latex(digits).count("\\\n") == len(rows) + 1
    assert found.to_markdown() == found.to_markdown(2)


def test_words_of_a_table_are_no_formula_in_latex() -> None:
    found = explain(["a& b c_d e f"], [["a& b c_d e g"]], "nltk", "sacrebleu")
    first, *_ = (row for row in found.to_latex(1).splitlines() if "line 1" in row)
    points, *words = first.split(" & ")
    assert points.lstrip().startswith("$") and not any(each.startswith("$") for each in words)
    assert r"$\rightarrow$" in first and r"\&" in first and r"c\_d" in first


TOGETHER = [
    "reference 1 alone", "lower-cased text", "references without their first line",
    "the second half of the lines"]  # fmt: skip
ORDERS = [each for number in range(3) for each in permutations(TOGETHER, number)]
PLACES = {"the": "well", "a": "Long", "the red": "there", "a red": "well there", "no": "badly",
          "one": "LONG"}  # fmt: skip
LOST = [f"The cat sat on {place} Mat and slept {time}." for place, time in PLACES.items()]
FOUND = [[line + more, f"Its {line}"] for line, more in zip(
    [line.replace("Mat", "mat") for line in LOST], ["", ".", " too", "!", "?", ""], strict=True)]


def setting(dialect: str, steps: tuple[str, ...]) -> Setting:
    """A dialect on steps, in the words in which a command takes them."""
    return read_setting(dialect + (f" on {' and '.join(steps)}" if steps else ""))


def by_hand(dialect: str, steps: tuple[str, ...]) -> float:
    """What a dialect gives for text to which the steps were done one by one."""
    lines, groups = [*LOST], [[*group] for group in FOUND]
    for step in steps:
        if step == "reference 1 alone":
            groups = [group[:1] for group in groups]
        elif step == "lower-cased text":
            lines = [*map(str.lower, lines)]
            groups = [[*map(str.lower, group)] for group in groups]
        elif step == "references without their first line":
            lines, groups = lines[:len(groups) - 1], groups[1:]
        else:
            half = len(lines) // 2
            lines, groups = lines[half:], groups[half:]
    return on_100(Bleu(dialect)(lines, groups))


@pytest.mark.parametrize("first", ORDERS, ids=" and ".join)
def test_steps_on_either_side_lead_from_one_end_to_the_other(first: tuple[str, ...]) -> None:
    """Also where both settings have them, and where their order differs: they do not commute."""
    for second in ORDERS:
        one, other = setting("nltk", first), setting("sacrebleu", second)
        parts = parts_between(one, other)
        assert mix(one, other, ()).steps == one.steps
        assert mix(one, other, parts).steps == other.steps
        assert not differing(mix(one, other, parts).dialect, other.dialect)
        assert {f"no longer {step}" for step in {*first} - {*second}} <= {*parts}
        assert {*second} - {*first} <= {*parts}
        left = {*parts} - {"tokenisation", "zero matches", "short segments", "arithmetic",
                           "missing orders"}
        assert all(step.removeprefix("no longer ") in {*first, *second} for step in left)
        if {*first} == {*second}:
            assert len(left) == (0 if first == second else 2)
        elif len(first) + len(second) < 4:
            found = explain(LOST, FOUND, str(one), str(other))
            check_sum(found)
            assert on_100(found.first_score) == by_hand("nltk", first)
            assert on_100(found.second_score) == by_hand("sacrebleu", second)
            assert {part.choice for part in found.parts} == {*parts}
            kept = {*TOGETHER[:2]} | {f"no longer {step}" for step in TOGETHER[:2]}
            for part in found.parts:  # Lines of a text that keeps all of them are named
                assert part.choice in kept or {*first} <= kept or not part.moved
                assert part.choice not in {*TOGETHER[2:]} or not part.moved


def test_a_step_alone_is_worth_what_it_changes() -> None:
    for before, after, name in (((), TOGETHER[1:2], "lower-cased text"),
                                (TOGETHER[1:2], (), "no longer lower-cased text"),
                                (TOGETHER[:1], TOGETHER[:2], "lower-cased text"),
                                (TOGETHER[:2], TOGETHER[:1], "no longer lower-cased text")):
        [part] = explain(LOST, FOUND, setting("nltk", (*before,)),
                         setting("nltk", (*after,))).parts
        change = by_hand("nltk", (*after,)) - by_hand("nltk", (*before,))
        assert (part.choice, part.changes) == (name, ())
        assert part.points == pytest.approx(change, rel=0, abs=1e-12) and abs(change) > 1


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk", "sacrebleu, mean of the sentence scores"])
@pytest.mark.parametrize(("before", "after"), [
    ((), (0,)), ((), (1,)), ((0,), ()), ((1,), (0, 1)), ((0, 1), (1,))])
def test_the_line_that_a_step_moves_most_is_put_in_place(
    dialect: str, before: tuple[int, ...], after: tuple[int, ...]
) -> None:
    one, other = (setting(dialect, tuple(TOGETHER[each] for each in some))
                  for some in (before, after))
    metric, texts = Bleu(one.dialect), Texts(check_corpus(LOST, FOUND))
    old, new = texts, texts
    for step in one.steps:
        old = step(old)
    for step in other.steps:
        new = step(new)
    whole = on_100(metric(*zip(*old.pairs, strict=True)))
    alone = []
    for place in range(len(LOST)):
        pairs = [*old.pairs]
        pairs[place] = new.pairs[place]
        alone.append(on_100(metric(*zip(*pairs, strict=True))) - whole)
    [part] = explain(LOST, FOUND, one, other).parts
    changed = [each for each in alone if abs(each) > 1e-9]  # One reference may do for 13a
    assert len(part.moved) == min(3, len(changed)) and (changed or dialect != "nltk")
    assert [abs(move.points) for move in part.moved] == pytest.approx(
        sorted(map(abs, changed), reverse=True)[:3], rel=0, abs=1e-9)
    for move in part.moved:
        assert move.points == pytest.approx(alone[move.segment], rel=0, abs=1e-9)
    assert ("most: line" in repr(explain(LOST, FOUND, one, other))) is bool(changed)


def test_steps_in_another_order_are_explained() -> None:
    cut, half = "references without their first line", "the second half of the lines"
    found = explain(LOST, FOUND, setting("nltk", (cut, half)), setting("nltk", (half, cut)))
    check_sum(found)
    assert found.difference == by_hand("nltk", (half, cut)) - by_hand("nltk", (cut, half))
    assert abs(found.difference) > 0.5
    assert {part.choice for part in found.parts} in ({half, f"no longer {half}"},
                                                     {cut, f"no longer {cut}"})


@pytest.mark.parametrize(("second", "told"), [
    ({"reference_length": "shortest"}, "reference length 6 → 3"),
    ({"lowercase": True}, "The → the"), ({"least_total": 1}, "2/2 1/1 0/0 0/0 → 2/2 1/1 0/1 0/1"),
    ({"penalty": "none"}, "5/6 4/5 3/4 2/3 matched, 6 for 7 tokens"),
])  # fmt: skip
def test_a_line_says_what_changed_in_it(second: dict[str, Any], told: str) -> None:
    lines = ["The cat sat here on the mat", "a b" if "lowercase" not in second else "The b"]
    groups = [["the cat sat here on the mat"], ["a b c d e f", "a b c d e f g"]]
    if "reference_length" in second:
        lines[1], groups[1] = "a b c d e", ["a b c d e f", "a b c"]
    if "penalty" in second:
        lines[0] = "The cat sat here on the"
    first = Bleu("nltk", least_total=0)
    [part] = explain(lines, groups, first, Bleu(first.dialect, **second)).parts
    assert told in [move.reason() for move in part.moved]
