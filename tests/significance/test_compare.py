"""Tables of systems and rankings: against tests made by hand, against sacreBLEU, on bad input."""

import re
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import combinations, product
from statistics import NormalDist, fmean, stdev
from typing import Any

import pytest
from data import MANIFEST, lines, names, needs
from draws import compare_units, count_reached, sample_units, spoilt, texts
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("numpy", reason="the draws need numpy")

import numpy as np

from bleu_nb import (
    DIALECTS,
    Bleu,
    BleuStats,
    compare_systems,
    rank_systems,
)
from bleu_nb.dialects.formula_variants import Smoothing
from bleu_nb.display.tables import as_text
from bleu_nb.scoring.counts import Counts, join_counts
from bleu_nb.significance.compare import (
    RESAMPLES,
    SystemsComparison,
    adjust,
    find_clusters,
    share_ranks,
    summarize,
)
from bleu_nb.significance.intervals import delta_difference, detectable
from bleu_nb.significance.tests import (
    TESTS,
    check_trials,
    p_error,
    units_of,
)

SEGMENTS = 30
DRAWN = [name for name, test in TESTS.items() if test.draws]


HUMAN = texts(1, SEGMENTS, shortest=4)
REFERENCES = [[line] for line in HUMAN]
SYSTEMS = {
    name: spoilt(HUMAN, seed, share)
    for name, seed, share in (("A", 2, 0.30), ("B", 3, 0.20), ("C", 4, 0.25), ("D", 5, 0.05))
}
COUNTED = Bleu().count_systems(SYSTEMS, REFERENCES)
OTHERS = {name: SYSTEMS[name] for name in "BCD"}


def compared(test: str = "randomization", **choices: Any) -> SystemsComparison:
    """The four systems beside A."""
    return compare_systems("A", SYSTEMS, REFERENCES, test=test, **choices)


CALLS = (compared, partial(rank_systems, COUNTED))


# One pair, made by hand ---------------------------------------------------------------------------


@pytest.mark.parametrize("test", DRAWN)
def test_every_row_is_that_of_its_pair(test: str) -> None:
    table = compared(test, trials=500)
    assert [each.name for each in table.systems] == [*"ABCD"]
    drawn = compare_units([*map(units_of, COUNTED.values())], test, 500)
    for each, outcome in zip(table.systems[1:], drawn[1:], strict=True):
        one, other = COUNTED["A"], COUNTED[each.name]
        gap = delta_difference(one, other)
        won = Counter((yours > mine) - (yours < mine)
                      for mine, yours in zip(one.values(), other.values(), strict=True))
        assert each == replace(
            each, p_value=outcome.p_value, p_error=p_error(each.p_value, 500),
            difference=other.score().value - one.score().value, difference_interval=gap,
            detectable=detectable(gap.error), interval=other.interval(),
            score=other.score(), wins=won[1], ties=won[0], losses=won[-1])
    assert table.systems[0].difference is table.systems[0].p_value is None
    raw = [each.p_value for each in table.systems[1:]]
    assert [each.p_adjusted for each in table.systems] == [None, *adjust(raw)]
    plain = compared(test, trials=500, correction="none").systems
    assert [each.p_adjusted for each in plain] == [None] * 4
    assert [each.p_value for each in plain[1:]] == raw
    assert table == replace(table, test=test, trials=500, seed=12345, segments=SEGMENTS,
                            documents=None, signature=COUNTED["A"].score().signature)


def test_delta_draws_nothing() -> None:
    table = compared("delta")
    assert (table.trials, table.seed) == (0, None)
    for each in table.systems[1:]:
        beyond = NormalDist().cdf(-abs(each.difference) / each.difference_interval.error)
        assert each.p_value == pytest.approx(2 * beyond)
        assert each.p_error is None


@pytest.mark.parametrize("test", [*TESTS])
def test_the_order_and_the_number_of_systems_change_nothing(test: str) -> None:
    table, row = compared(test), TESTS[test]
    assert table.trials == row.trials
    assert {(each.mean is None, each.half_width is None)
            for each in table.systems} == {(row.draws not in ("resamples", "choice"),) * 2}
    backwards = compare_systems(
        {"A": SYSTEMS["A"]}, dict(reversed(OTHERS.items())), REFERENCES, test=test
    )
    assert {each.name: each for each in table.systems} == {
        each.name: each for each in backwards.systems
    }
    alone = compare_systems({"A": SYSTEMS["A"]}, {"C": SYSTEMS["C"]}, REFERENCES, test=test)
    assert alone.systems[1] == replace(table.systems[2], p_adjusted=alone.systems[1].p_value)


@pytest.mark.parametrize("dialect", ["sacrebleu", "nltk", "ignite"])
@pytest.mark.parametrize("test", [*TESTS])
def test_identical_systems_do_not_differ(test: str, dialect: str) -> None:
    text = SYSTEMS["A"]
    found = compare_systems({"A": text}, {"copy": text}, REFERENCES, dialect, test).systems[1]
    gap = found.difference_interval
    assert (found.difference, gap.low, gap.high, gap.error, found.detectable, found.wins,
            found.ties, found.losses) == (0, 0, 0, 0, None, 0, SEGMENTS, 0)
    strict = test in ("sacrebleu-ar", "sacrebleu-bs", "multeval")
    assert found.p_value == (1 / (TESTS[test].trials + 1) if strict else 1)


# Holm ---------------------------------------------------------------------------------------------


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_the_closure_of_bonferroni(p_values: list[float]) -> None:
    places = range(len(p_values))
    groups = [set(group) for size in places for group in combinations(places, size + 1)]
    slowly = [
        max(
            min(1, len(group) * min(p_values[k] for k in group))
            for group in groups
            if place in group
        )
        for place in places
    ]
    assert adjust(p_values) == pytest.approx(slowly)


# Notes --------------------------------------------------------------------------------------------


def groups(number: int, segments: int = SEGMENTS) -> list[int]:
    """Labels of so many documents."""
    return [place * number // segments for place in range(segments)]


RESAMPLED = [name for name in DRAWN if TESTS[name].draws != "swaps"]
NOTES: list[tuple[dict[str, Any], str, bool]] = [    # Choices, a note, and whether it is there
    *(({"trials": trials, "correction": correction}, f"cant at 0.05: use at least {least} tri",
       trials < least) for correction, least in (("holm", 59), ("none", 19))
      for trials in (least - 1, least)),
    *(({"trials": 5, "test": test}, "smallest possible p", False) for test in ("moses", "koehn")),
    # More trials are no cure for few documents
    *(({"trials": trials, "documents": groups(6)}, "the smallest possible p is 0.0312 (0.0938 "
       f"for 3 pairs), so no difference can be significant at 0.05{cure}", True)
      for trials, cure in ((58, ": use at least 59 trials"), (59, ""))),
    ({"trials": 59, "documents": groups(6)}, "use at least", False),
    *(({"documents": groups(number)}, f"gives no true p below 2/2**{number} = ", number <= 5)
      for number in (5, 6)),
    *(({"documents": groups(number), "test": test, "trials": 50},
       f"only {number} documents: with fewer than 20, p and intervals are imprecise", number < 20)
      for number in (8, 19, 20) for test in DRAWN),
    ({"segments": 4}, "all intervals are unreliable: only 4 segments or documents", True),
    # Swaps need no number of segments to be right
    *(({"segments": number, "test": test}, f"only {number} segments: with fewer than 20, p and "
       f"intervals are imprecise, and {test} finds a difference where there is none more often "
       "than its p claims", number < 20 and TESTS[test].draws != "swaps")
      for number in (8, 19, 20) for test in TESTS),
    *(({"test": test, "trials": trials, "confidence": confidence}, "half-widths of resampled scores"
       f" are unreliable: only {few}", test in RESAMPLED and few != "NONE")
      for test in DRAWN for trials, confidence, few in (
          (1, 0.95, "1 resample"), (39, 0.95, "39 resamples"), (40, 0.99, "40 resamples"))),
    *(({"test": test, "trials": 40}, "half-widths", False) for test in DRAWN),
    *(({"test": test, "seed": 0, "trials": 99}, "sacreBLEU treats the seed 0", test[0] == "s")
      for test in ("sacrebleu-ar", "sacrebleu-bs", "randomization")),
    *(({"test": test, "smoothing": "add-k", "smoothing_value": 0.5, "trials": 99}, "truncates the",
       test == "sacrebleu-ar") for test in ("sacrebleu-ar", "sacrebleu-bs")),
    *(({"test": test, "documents": range(SEGMENTS)}, "not support documents", test[:5] == "sacre")
      for test in TESTS),
]


@pytest.mark.parametrize(("choices", "said", "there"), NOTES)
def test_what_is_too_little_is_noted(choices: dict[str, Any], said: str, there: bool) -> None:
    number = choices.pop("segments", SEGMENTS)
    few = {name: lines[:number] for name, lines in SYSTEMS.items()}
    calls: list[Any] = [partial(compare_systems, "A")]
    if number < SEGMENTS:
        calls.append(rank_systems)
    for call in calls:
        assert there == any(
            said in note for note in call(few, REFERENCES[:number], **choices).notes)


def nearly(number: int, base: str = "A", other: str = "B") -> dict[str, list[str]]:
    """A system, and one that differs from it in some segments."""
    return {base: SYSTEMS[base], "N": [*SYSTEMS[other][:number], *SYSTEMS[base][number:]]}


LONG = [f"the cat sat on mat {place}" for place in range(1100)]
WHY = "; p is small because {} does not count ties"
LEAST = "N differs from {} in only {} of {} segments: if ties count, no p is below {}"
TIES: list[tuple[dict[str, Any], list[str], dict[str, Any], list[str]]] = [
    *((nearly(number), HUMAN, {}, [LEAST.format("A", number, 30, least)] if least else [])
      for number, least in ((1, "1"), (2, "0.5"), (5, "0.0625"), (7, ""))),    # Six differ
    ({"A": LONG, "N": ["the dog sat on mat 0", *LONG[1:]]}, LONG, {"trials": 9},
     [LEAST.format("A", 1, 1100, 1)]),
    ({"D": SYSTEMS["D"], "N": nearly(1, "D", "C")["N"]}, HUMAN, {"test": "sacrebleu-ar"},
     [LEAST.format("D", 1, 30, 1) + WHY.format("sacrebleu-ar")]),
    *(({name: SYSTEMS["A"] for name in "AB"}, HUMAN, {"test": test, "trials": 99},
       [f"B equals A in all segments{WHY.format(test) * strict}"])
      for test, strict in (("sacrebleu-ar", 1), ("multeval", 1), ("randomization", 0))),
    ({"R": (SYSTEMS["B"], SYSTEMS["C"]), "S": (SYSTEMS["B"], SYSTEMS["C"])}, HUMAN,
     {"trials": 50, "documents": groups(10)}, ["S equals R in all documents"]),
    # Chance may leave p below the least there can be, even if ties count
    *((nearly(2, "D", "C"), HUMAN, {"trials": 200, "seed": seed}, [LEAST.format("D", 2, 30, 0.5)])
      for seed in range(5)),
]


@pytest.mark.parametrize(("systems", "human", "choices", "told"), TIES)
def test_ties_are_noted(
    systems: dict[str, Any], human: list[str], choices: dict[str, Any], told: list[str]
) -> None:
    for call, form in ((partial(compare_systems, next(iter(systems))), str),
                       (rank_systems, lambda note: sorted(note.split()))):
        notes = call(systems, [[line] for line in human], **choices).notes
        assert [form(note) for note in notes if "differs" in note or "equals" in note] == [
            *map(form, told)]     # In a ranking, who leads is the base


# sacreBLEU ----------------------------------------------------------------------------------------


def wmt17(*parts: str) -> tuple[dict[str, tuple[str, ...]], list[list[str]]]:
    """Systems of WMT 2017 from English to German: all, or one for each part of a name."""
    pair = "wmt17/en-de"
    known = names()[pair]["systems"]
    chosen = [next(name for name in known if part in name) for part in parts] or known
    return (
        {name: lines(f"{pair}/sys.{name}.txt") for name in chosen},
        [[line] for line in lines(f"{pair}/ref.A.txt")],
    )


@needs(MANIFEST)
@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
def test_the_published_table_comes_out() -> None:
    systems, references = wmt17("LIUM", "online-A", "online-B", "online-F", "online-G")
    counts = Bleu().count_systems(systems, references)
    for test, published in (("sacrebleu-ar", [0.0001, 0.8066, 0.0001, 0.0001]),
                            ("sacrebleu-bs", [0.0010, 0.3077, 0.0010, 0.0010])):
        table = compare_systems(next(iter(systems)), counts, test=test)
        assert [round(each.p_value, 4) for each in table.systems[1:]] == published


@pytest.mark.parametrize("trials", [1, 2, 39, 40, 41, 999, 1000, 1001])
def test_half_widths_are_cut_where_sacrebleu_cuts(trials: int) -> None:
    scores = np.random.default_rng(trials).random(trials)
    ordered, cut = np.sort(scores), trials // 40
    assert summarize(scores, 0.95) == (
        ordered.mean(), 0.5 * (ordered[trials - cut - 1] - ordered[cut]))
    assert summarize(scores[:0], 0.95) == (None, None)
    assert [summarize(np.arange(20.0), share) for share in (0.9, 0.999)] == [
        (9.5, 8.5), (9.5, 9.5)]


# Systems, as they may be passed -------------------------------------------------------------------


def test_texts_counts_and_iterators_are_the_same() -> None:
    table = compared()
    for systems, references in [
        (COUNTED, None),
        ({**SYSTEMS, "B": COUNTED["B"]}, REFERENCES),
        ({name: iter(text) for name, text in SYSTEMS.items()}, iter(REFERENCES)),
        ({name: (text,) for name, text in SYSTEMS.items()}, REFERENCES),
        ({name: {"only": text} for name, text in SYSTEMS.items()}, REFERENCES),
        ({name: np.array(text) for name, text in SYSTEMS.items()}, REFERENCES),
        ({name: tuple(text) for name, text in SYSTEMS.items()}, REFERENCES),
    ]:
        assert compare_systems("A", systems, references) == table
    assert compare_systems({"A": SYSTEMS["A"]}, OTHERS, REFERENCES) == table
    assert compare_systems({"A": COUNTED["A"]}, OTHERS, REFERENCES) == table
    for baseline in (SYSTEMS["A"], COUNTED["A"]):
        found = compare_systems(baseline, OTHERS, REFERENCES)
        assert [each.name for each in found.systems] == ["baseline", *"BCD"]
        assert found.systems[1:] == table.systems[1:]


def test_token_lists_are_systems_and_tuples_of_them_runs() -> None:
    tokens = {name: [line.split() for line in text] for name, text in SYSTEMS.items()}
    references = [[line.split()] for line in HUMAN]
    table = compare_systems("A", tokens, references)
    assert [each.p_value for each in table.systems] == [
        each.p_value for each in compared(tokenizer="none").systems]
    assert "tok:none" in table.signature
    twice = compare_systems(
        "A", {name: (text, text) for name, text in tokens.items()}, references)
    assert [len(each.runs) for each in twice.systems] == [2] * 4
    assert [each.p_value for each in twice.systems] == [each.p_value for each in table.systems]


def test_the_dialect_of_counts_is_theirs_unless_asked() -> None:
    plain = Bleu("multi-bleu").count_systems(SYSTEMS, REFERENCES)
    assert "dialect:multi-bleu" in compare_systems("A", plain, trials=100).signature
    assert compare_systems("A", plain, trials=100) == compare_systems(
        "A", {**SYSTEMS, "D": plain["D"]}, REFERENCES, trials=100)
    other = compare_systems("A", COUNTED, smoothing="floor")
    assert other == compared(smoothing="floor")
    assert other.signature != compared().signature


BAD: list[tuple[dict[str, Any], str]] = [
    ({"others": {**OTHERS, "B": SYSTEMS["B"][:-1]}}, "'B' has 29 segments and 'A' has 30"),
    ({"others": {"B": COUNTED["B"][:7]}}, "'B' has 7 segments and 'A' has 30"),
    ({"baseline": "Z", "others": SYSTEMS}, "no baseline 'Z': choose from 'A', 'B', 'C', 'D'"),
    ({"baseline": {"A": [], "E": []}}, "baseline must contain one system"),
    ({"others": SYSTEMS}, "two systems are called 'A'"),
    ({"others": {}}, "no system to compare with the baseline"),
    ({"baseline": "A", "others": {"A": SYSTEMS["A"]}}, "no system to compare with the baseline"),
    ({"others": [SYSTEMS["B"]]}, "others must be a dict of the candidates of each system"),
    ({"others": {1: SYSTEMS["B"]}}, "the name of a system must be a string, not 1"),
    ({"others": {"B": "one text"}}, "the candidates of 'B' must be a list with one text per "
     "segment, or its runs as a tuple"),
    ({"others": {"B": ()}}, "the candidates of 'B' are empty"),
    ({"others": {"B": [[line.split() for line in SYSTEMS["B"]]] * 2}}, "as a tuple or as a dict"),
    ({"others": {"B": (SYSTEMS["B"], SYSTEMS["B"][1:])}}, "'run 2 of B' has 29 segments"),
    ({"others": {"B": COUNTED["B"].pooled()}}, "'B' were pooled into one row"),
    ({"references": None}, "references are missing: pass one list per segment"),
    ({"references": REFERENCES[1:]}, "candidates and references differ in number, 30 and 29"),
    ({"trials": 0}, "trials must be at least 1, not 0"),
    ({"trials": 10.0}, "trials must be an int"),
    ({"seed": 1.5}, "seed must be an int"),
    ({"seed": -1}, "seed must be"),
    ({"test": "t-test"}, "no test 't-test'"),
    ({"correction": "bonferroni"}, "no correction 'bonferroni': choose from 'holm', 'none'"),
    ({"confidence": 95}, "confidence must be between 0 and 1"),
    ({"confidence": float("nan")}, "confidence must be between 0 and 1"),
    ({"documents": [1] * SEGMENTS}, "all segments belong to one document: pass segments"),
    ({"documents": [1, 2]}, "documents has 2 labels for 30 segments"),
    ({"documents": "x" * SEGMENTS}, "documents must be a list with one label per segment, not "),
    ({"documents": [None, *range(29)]}, "documents[0] is None: pass a label"),
    ({"documents": [*range(29), float("nan")]}, "documents[29] is nan: pass a label"),
    ({"documents": [{}] * SEGMENTS}, "documents[0] must be a string or a number"),
    ({"documents": [([],)] * SEGMENTS}, "documents[0] must be a string or a number"),
    ({"others": {"B": (SYSTEMS["B"],) * 2}, "test": "multeval"},
     "a system has 2 runs, but the test 'multeval' supports one"),
    ({"smoothing": "nltk-5", "dialect": "nltk"}, "a resample has no last segment"),
    ({"dialect": "no such"}, "no such"),
    ({"tokens": "13a"}, "tokens"),
    ({"others": {"b": [None] * SEGMENTS}}, "in 'b': candidates[0] is missing"),
    ({"others": {"B": OTHERS["B"], "b": (SYSTEMS["B"], [None] * SEGMENTS)}},
     "in 'run 2 of b': candidates[0] is missing"),
    # A system called like a run of another is not lost
    ({"others": {"run 2 of b": SYSTEMS["B"], "b": (SYSTEMS["B"], [None] * SEGMENTS)}},
     "in 'run 2 of b"),
    ({"baseline": "a", "others": {}}, "others is empty: pass the baseline and"),
    ({"others": {"B": {"run": b"one text"}}}, "not the bytes b'one text'"),
    ({"others": {"B": tuple(line.split() for line in SYSTEMS["B"])}},
     "a tuple holds runs: pass the candidates of one system as a list"),
    ({"baseline": {"A": tuple([line] for line in HUMAN)}},
     "a tuple holds runs: pass the candidates of one system as a list"),
    ({"others": {"B": [SYSTEMS["B"], SYSTEMS["C"]]}}, "lists of 30 each: pass runs as a tuple"),
    ({"baseline": {"A": [SYSTEMS["A"]] * 2}}, "lists of 30 each: pass runs as a tuple"),
    ({"others": {"B": {"run": []}}}, "'B' has 0 segments and 'A' has 30"),
    ({"baseline": {"A": []}, "others": {"B": []}}, "'A' are empty: pass at least two"),
    ({"baseline": {"A": HUMAN[:1]}, "others": {"B": HUMAN[:1]}},
     "'A' has 1 segment: a test needs at least two"),
    ({"baseline": {"A": COUNTED["A"][:0]}, "others": {"B": COUNTED["B"][:0]}},
     "'A' has 0 segments: a test needs at least two"),
    ({"test": None}, "no test None: choose from"), ({"trials": True}, "trials must be an int"),
    *(({"progress": wrong}, "progress must be a function of two numbers (segments done, all "
       "segments), or None") for wrong in (5, True, 0, "done")),
    ({"systems": {}}, "needs at least two systems, but systems contains 0"),
    ({"systems": {"A": SYSTEMS["A"]}}, "needs at least two systems, but systems contains 1"),
    ({"systems": [*SYSTEMS.values()]}, "systems must be a dict"),
    ({"systems": SYSTEMS, "level": 0}, "level must be between 0 and 1"),
    ({"systems": SYSTEMS, "level": 5}, "level must be between 0 and 1"),
    ({"systems": SYSTEMS, "correction": None}, "no correction None"),
    ({"systems": SYSTEMS, "trials": 0}, "trials must be at least 1"),
    ({"systems": SYSTEMS, "documents": [1] * SEGMENTS}, "one document"),
    ({"systems": SYSTEMS, "seed": "a"}, "seed must be an int"),
    ({"systems": SYSTEMS, "test": "wilcoxon"}, "no test 'wilcoxon'"),
    ({"systems": SYSTEMS, "progress": 5}, "progress must be a function of two numbers"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "said"), BAD, ids=[said for _, said in BAD])
def test_bad_input_is_named(given: dict[str, Any], said: str) -> None:
    usual: dict[str, Any] = {"baseline": {"A": SYSTEMS["A"]}, "others": OTHERS}
    call: Any = rank_systems if "systems" in given else partial(compare_systems, **usual)
    with pytest.raises((ValueError, TypeError), match=re.escape(said)) as caught:
        call(**{"references": REFERENCES, **given})
    assert "sentence_bleu" not in str(caught.value) and "\n" not in str(caught.value)


def test_systems_called_like_runs_are_kept_apart() -> None:
    found = compare_systems(
        {"A": SYSTEMS["A"]}, {"run 1 of K": SYSTEMS["B"], "K": (SYSTEMS["C"], SYSTEMS["D"])},
        REFERENCES, trials=9)  # fmt: skip
    assert [each.score.value for each in found.systems] == [
        COUNTED["A"].score().value, COUNTED["B"].score().value,
        fmean([COUNTED["C"].score().value, COUNTED["D"].score().value]),
    ]  # fmt: skip


def count_by(references: Any = REFERENCES, **choices: Any) -> Counts:
    """System B, counted otherwise than the other systems."""
    return Bleu(**choices).count(SYSTEMS["B"], references)


@pytest.mark.parametrize(("other", "said"), [
    (count_by(lowercase=True), "'B' and 'A' were counted with different options (lowercase)"),
    (count_by(dialect="nltk"), "counted with different options ("),
    (count_by(smoothing="floor"), "counted with different options (smoothing"),
    (Bleu().count([line.split() for line in SYSTEMS["B"]], [[line.split()] for line in HUMAN]),
     "counted with different options (text or tokens"),
    (replace(count_by(), version="mine 2"), "counted with different options (version of the"),
    (count_by([[line, line] for line in HUMAN]), "counted against different references"),
    (count_by([[f"{line} ."] for line in HUMAN]), "counted against different references"),
])
def test_counts_must_be_alike(other: Counts, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        compare_systems({"A": COUNTED["A"]}, {"B": other})


@pytest.mark.parametrize("name", DIALECTS)
def test_lengths_of_one_reference_tell_different_references_in_every_dialect(name: str) -> None:
    """What a refusal rests on: they do not depend on the candidate, however empty it is."""
    systems = {"0": ["a b c", "", "x"], "1": ["", "a", "the cat sat on the mat"],
               "2": ["a a a a a", "b c", "c"]}
    counts = Bleu(name).count_systems(systems, [["a b"], ["c d e"], ["the cat is"]])
    assert compare_systems("0", counts, trials=1).signature


def test_a_score_of_0_has_no_interval_and_no_test_by_slopes() -> None:
    systems = {"A": SYSTEMS["A"], "zero": ["nothing here"] * SEGMENTS}
    table = compare_systems("A", systems, REFERENCES)
    zero = table.systems[1]
    assert (zero.score.value, zero.interval, zero.difference_interval, zero.detectable,
            zero.p_value) == (0, None, None, None, 1 / 10_001)
    assert "zero scores 0, which has no interval" in table.notes
    zeros = {"zero": systems["zero"], "null": ["no such"] + ["x"] * (SEGMENTS - 1)}
    one = "zero scores 0, which has no standard error: omit it, or use the test 'randomization"
    for call, some, said in ((partial(compare_systems, "A"), systems, one),
                             (rank_systems, systems, one), (partial(compare_systems, "zero"), zeros,
                              "zero and null score 0, which has no standard error: omit them")):
        with pytest.raises(ValueError, match=f"^{said}"):
            call(some, REFERENCES, test="delta")
    alike = {"zero": zeros["zero"], "copy": zeros["zero"]}
    assert compare_systems("zero", alike, REFERENCES, test="delta").systems[1].p_value == 1


def test_intervals_that_are_unreliable_for_one_reason_are_noted_together() -> None:
    rare = {**SYSTEMS, "B": ["the cat sat on a mat , of course"] + ["Paris"] * (SEGMENTS - 1)}
    rare["C"] = [f"{line} ." for line in rare["B"]]
    found = compare_systems("A", rare, [[line] for line in ["the cat sat on the", *HUMAN[1:]]])
    warned = {each.name: each.interval.warning for each in found.systems if each.interval}
    assert {name for name, said in warned.items() if said} == {"B", "C"}
    assert [note for note in found.notes if "interval" in note] == (
        [f"the intervals of B, C are {warned['B']}"] if warned["B"] == warned["C"] else
        [f"the interval of {name} is {warned[name]}" for name in "BC"]
    )  # fmt: skip


# Seeds --------------------------------------------------------------------------------------------


def test_seeds_come_from_the_caller_or_the_tool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    assert [compared(test, trials=100, **given).seed for test, given in (
        ("sacrebleu-ar", {}), ("sacrebleu-ar", {"seed": 8}), ("randomization", {})
    )] == [7, 8, 12345]
    assert compared("sacrebleu-ar", trials=100) == compared("sacrebleu-ar", trials=100, seed=7)
    monkeypatch.setenv("SACREBLEU_SEED", "+7")      # As sacreBLEU reads it
    assert compared("sacrebleu-ar", trials=100).seed == 7
    monkeypatch.setenv("SACREBLEU_SEED", "-7")
    with pytest.raises(ValueError, match="SACREBLEU_SEED is '-7': set it to an integer"):
        compared("sacrebleu-ar", trials=100)
    monkeypatch.setenv("SACREBLEU_SEED", "none")
    found = [compared("sacrebleu-ar", trials=100) for _ in range(8)]
    assert {each.seed for each in found} == {None}
    assert len({each.systems[1].p_value for each in found}) > 1
    for each in (found[0], rank_systems(COUNTED, test="sacrebleu-ar", trials=100)):
        assert "100 trials, seed from the system" in repr(each) and "None" not in repr(each)


# Documents ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("dialect", ["sacrebleu", "ignite"])
@pytest.mark.parametrize("number", [2, 3, 5, 8])
def test_documents_are_swapped_whole(number: int, dialect: str) -> None:
    labels = groups(number)
    counted = Bleu(dialect).count_systems(SYSTEMS, REFERENCES)
    table = compare_systems("A", counted, documents=[f"text {label}" for label in labels])
    assert table.documents == number
    for each in table.systems[1:]:
        one, other = counted["A"], counted[each.name]
        reached = count_reached(units_of(one, labels), units_of(other, labels))
        assert each.p_value == pytest.approx(reached / 2**number, abs=5 * each.p_error + 1e-3)
        assert reached >= 2 and each.interval == other.interval(documents=labels)
        assert each.difference_interval.error == delta_difference(one, other, 0.95, labels).error


@pytest.mark.parametrize("test", [*TESTS])
def test_labels_of_documents_are_only_labels(test: str) -> None:
    table = compared(test, documents=groups(15))
    kinds: list[Any] = ["x", ("y", 1), 2.5, b"z", frozenset({1})]
    labels = [(kinds[group % 5], group) for group in groups(15)]
    for each in (labels, np.array(groups(15)), iter(labels)):
        assert compared(test, documents=each) == table
    alone = compared(test, documents=range(SEGMENTS))     # Documents of one segment
    assert (alone.documents, alone.systems) == (SEGMENTS, compared(test).systems)


# Runs ---------------------------------------------------------------------------------------------


RUNS = [spoilt(HUMAN, seed, 0.2) for seed in (11, 12, 13)]


TAKES_RUNS = sorted({*TESTS} - {"multeval"})


@pytest.mark.parametrize("test", TAKES_RUNS)
def test_the_score_of_runs_is_their_mean(test: str) -> None:
    base = {"A": tuple(spoilt(HUMAN, seed, 0.3) for seed in (21, 22, 23))}
    table = compare_systems(base, {"R": tuple(RUNS)}, REFERENCES, test=test)
    found = table.systems[1]
    counts = [Bleu().count(run, REFERENCES) for run in RUNS]
    values = [each.score().value for each in counts]
    assert (found.runs, found.score.value, found.spread) == (
        tuple(values), fmean(values), stdev(values))
    assert found.score.stats == join_counts(counts).score().stats != counts[0].score().stats
    assert found.difference == pytest.approx(
        found.score.value - table.systems[0].score.value, abs=1e-9)
    assert found.interval.low < found.score.value < found.interval.high
    assert any(f"R is the mean of 3 runs, whose scores have a standard deviation of "
               f"{stdev(values):.2f}" in note for note in table.notes)  # fmt: skip


@pytest.mark.parametrize("test", TAKES_RUNS)
def test_copies_of_runs_are_no_evidence_and_their_order_none(test: str) -> None:
    copies = compare_systems(
        {"A": (SYSTEMS["A"],) * 2}, {"B": (SYSTEMS["B"],) * 3}, REFERENCES, test=test
    )
    mine, theirs = copies.systems[1], compared(test).systems[1]
    assert (mine.p_value, mine.wins, mine.ties) == (theirs.p_value, theirs.wins, theirs.ties)
    assert (mine.difference, mine.detectable) == pytest.approx(
        (theirs.difference, theirs.detectable))
    assert any("every run of one is paired" in note for note in copies.notes)
    there, back = (compare_systems({"A": SYSTEMS["A"]}, {"R": runs}, REFERENCES, test=test)
                   for runs in (tuple(RUNS), tuple(RUNS[::-1])))  # fmt: skip
    assert (there.systems[1].p_value, there.systems[1].difference) == (
        back.systems[1].p_value, back.systems[1].difference)
    same = compare_systems({"A": tuple(RUNS)}, {"B": tuple(RUNS[::-1])}, REFERENCES).systems[1]
    assert (same.difference, same.p_value, same.detectable) == (0, 1, None)


@pytest.mark.parametrize("runs", [2, 3])
def test_every_swap_of_runs_is_one_of_all(runs: int) -> None:
    """The p of segments with several runs, by trying out all swaps of six of them."""
    first = [Bleu().count(spoilt(HUMAN, seed, 0.3)[:6], REFERENCES[:6]) for seed in range(40, 42)]
    second = [Bleu().count(run[:6], REFERENCES[:6]) for run in RUNS[:runs]]

    def gap(swapped: tuple[int, ...]) -> Fraction:
        total = Fraction(0)
        for one, other in product(first, second):
            both = one + other
            mixed, rest = (both.take([place + 6 * (each ^ back) for place, each in enumerate(
                swapped)]) for back in (0, 1))
            total += Fraction(rest.score().value) - Fraction(mixed.score().value)
        return total / len(first) / len(second)

    gaps = [gap(swapped) for swapped in product((0, 1), repeat=6)]
    exact = sum(abs(each) >= abs(gaps[0]) - Fraction(1, 10**9) for each in gaps) / len(gaps)
    found = compare_systems({"A": tuple(first)}, {"B": tuple(second)}).systems[1]
    assert found.difference == pytest.approx(float(gaps[0]))
    assert found.p_value == pytest.approx(exact, abs=5 * found.p_error + 1e-3)


def test_runs_resample_together() -> None:
    found = compare_systems(
        {"A": SYSTEMS["A"]}, {"R": tuple(RUNS)}, REFERENCES, test="bootstrap").systems[1]
    units = [units_of(Bleu().count(run, REFERENCES)) for run in (SYSTEMS["A"], *RUNS)]
    base, *runs = (each.scores for each in sample_units(units, "bootstrap"))
    mean = sum(runs) / 3
    assert found.mean == pytest.approx(mean.mean())
    reached = (np.abs(mean - base - found.difference) >= abs(found.difference)).sum()
    assert found.p_value == pytest.approx((reached + 1) / 1001, abs=1 / 1001)


def test_wins_of_runs_compare_means_exactly() -> None:
    base = tuple(spoilt(HUMAN, seed, 0.3) for seed in (21, 22))
    found = compare_systems({"A": base}, {"R": tuple(RUNS)}, REFERENCES).systems[1]
    ours = [Bleu().count(run, REFERENCES).values() for run in base]
    theirs = [Bleu().count(run, REFERENCES).values() for run in RUNS]
    signs = [
        sum(map(Fraction, yours)) / 3 - sum(map(Fraction, mine)) / 2
        for mine, yours in zip(zip(*ours, strict=True), zip(*theirs, strict=True), strict=True)
    ]
    assert (found.wins, found.losses) == (sum(s > 0 for s in signs), sum(s < 0 for s in signs))
    assert found.wins + found.ties + found.losses == SEGMENTS


# What is told, and shown --------------------------------------------------------------------------


@pytest.mark.parametrize("test", DRAWN)
def test_progress_rises_to_the_end(test: str) -> None:
    told: list[tuple[int, int | None]] = []
    compared(test, trials=200, progress=lambda *said: told.append(said))
    drawn = [each for each in told if each[1] != SEGMENTS]
    assert (SEGMENTS, SEGMENTS) in told and drawn[-1] == (200 * 4, 200 * 4)
    assert drawn == sorted(drawn)
    told.clear()
    rank_systems(COUNTED, test=test, trials=200, progress=lambda *said: told.append(said))
    assert told[-1] == (200 * 7 + RESAMPLES, 200 * 7 + RESAMPLES)


def test_more_trials_than_help_are_refused_before_anything_is_drawn() -> None:
    said = "trials must be at most 1,000,000: more trials need memory and hardly improve"
    for test, trials, call in product(DRAWN, (1_000_001, 10**20, 10**5000), CALLS):
        with pytest.raises(ValueError, match=said):
            call(test=test, trials=trials)
    assert check_trials(1_000_000) == 1_000_000
    assert p_error(0.5, 1_000_000) <= 0.0005
    # Nobody is sent to a number that is refused
    for level, cure in ((1e-4, True), (1e-6, False)):
        [note] = [each for each in rank_systems(COUNTED, level=level, trials=9).notes
                  if "no difference can be significant" in each]
        assert ("use at least" in note) == cure


@pytest.mark.parametrize(("confidence", "shown"), [
    (0.999, "99.9"), (0.975, "97.5"), (Fraction(4, 5), "80"),
    (np.float64(0.95), "95"), (np.float32(0.5), "50"), (0.29, "29"),
])  # fmt: skip
def test_confidence_is_shown_exactly_and_is_a_plain_number(confidence: Any, shown: str) -> None:
    ranking = rank_systems(COUNTED, trials=9, confidence=confidence, level=Fraction(1, 20))
    for found in (compared(trials=9, confidence=confidence), ranking):
        assert type(found.confidence) is float and found.confidence == float(confidence)
        assert all(type(each.interval.confidence) is float
                   for each in found.systems if each.interval)  # fmt: skip
        assert f"±: {shown} % interval" in repr(found)
    assert type(ranking.level) is float and ranking.level == 0.05
    assert repr(ranking.level) in repr(ranking)


def test_a_table_is_harmless_on_a_terminal() -> None:
    evil = {"A\x1b[31m\n": SYSTEMS["A"], "B\u202e": [*SYSTEMS["A"][:-1], "the cat"]}
    table = compare_systems("A\x1b[31m\n", evil, REFERENCES, trials=9)
    assert "note: " in repr(table)
    for found in (table, rank_systems(evil, REFERENCES, trials=9)):
        assert "\x1b" not in repr(found) and "\u202e" not in repr(found)
        assert repr(found).splitlines() == as_text(found, 100)


# Rankings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("test", [*TESTS])
def test_every_pair_of_a_ranking_is_that_of_a_table(test: str) -> None:
    found = rank_systems(COUNTED, test=test, trials=300 if TESTS[test].draws else None)
    order = [each.name for each in found.systems]
    assert order == sorted(COUNTED, key=lambda name: -COUNTED[name].score().value)
    for (a, first), (b, second) in combinations(enumerate(order), 2):
        pair = compare_systems(
            first, {first: COUNTED[first], second: COUNTED[second]}, test=test,
            trials=found.trials or None,
        ).systems[1]  # fmt: skip
        assert found.p_values[a][b] == found.p_values[b][a] == pair.p_value
    assert [found.p_values[k][k] for k in range(4)] == [1] * 4
    raw = [found.p_values[a][b] for a, b in combinations(range(4), 2)]
    assert [found.p_adjusted[a][b] for a, b in combinations(range(4), 2)] == adjust(raw)
    plain = rank_systems(COUNTED, test=test, trials=found.trials or None, correction="none")
    assert plain.p_adjusted == plain.p_values == found.p_values
    assert all(each.difference is each.p_value is each.wins is None for each in found.systems)
    assert not [note for note in found.notes if "wins, ties" in note]
    assert plain == rank_systems(dict(reversed(SYSTEMS.items())), REFERENCES, test=test,
                                 trials=found.trials or None, correction="none")


@given(st.integers(1, 6).flatmap(lambda n: st.tuples(
    st.just(n), st.lists(st.sampled_from([0.01, 0.05, 0.3]), min_size=n * n, max_size=n * n),
    st.lists(st.integers(0, 3), min_size=n, max_size=n))))  # fmt: skip
def test_a_boundary_stands_where_all_above_beat_all_below(drawn: Any) -> None:
    number, flat, scores = drawn
    scores = sorted(scores, reverse=True)
    table = tuple(tuple(flat[min(a, b) * number + max(a, b)] for b in range(number))
                  for a in range(number))  # fmt: skip
    clusters = find_clusters(scores, table, 0.05)
    assert clusters[0] == 1
    for place in range(1, number):
        stands = all(
            scores[a] > scores[b] and table[a][b] <= 0.05
            for a in range(place) for b in range(place, number))  # fmt: skip
        assert clusters[place] - clusters[place - 1] == stands


@given(st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=2, max_size=5))
def test_ties_share_the_better_rank(scores: list[list[int]]) -> None:
    shares = share_ranks([np.array(each, float) for each in scores])
    for place, mine in enumerate(scores):
        ranks = [sum(other[k] > mine[k] for other in scores) for k in range(5)]
        assert shares[place] == tuple(ranks.count(rank) / 5 for rank in range(len(scores)))


def test_shares_are_those_of_resamples() -> None:
    found = rank_systems(COUNTED, documents=groups(10))
    units = [units_of(COUNTED[each.name], np.array(groups(10))) for each in found.systems]
    scores = [each.scores for each in sample_units(units, "bootstrap", RESAMPLES)]
    assert found.rank_shares == share_ranks(scores)
    assert found.documents == 10


def test_the_level_and_the_correction_move_boundaries() -> None:
    same = {"A": SYSTEMS["A"], "B": SYSTEMS["A"], "zero": ["nothing"] * SEGMENTS}
    for test in ("randomization", "sacrebleu-ar"):
        ranked = rank_systems(same, REFERENCES, test=test)
        assert ranked.clusters == (1, 1, 2)
        assert ranked.rank_shares == ((1, 0, 0), (1, 0, 0), (0, 0, 1))
    found = [rank_systems(COUNTED, level=level, correction=correction).clusters[-1]
             for level, correction in ((1e-6, "holm"), (0.05, "holm"), (0.05, "none"),
                                       (0.999, "none"))]  # fmt: skip
    assert found == sorted(found) and (found[0], found[-1]) == (1, 4)
    [note] = [each for each in rank_systems(COUNTED, trials=100).notes if "pairs" in each]
    assert "(0.0594 for 6 pairs)" in note and "use at least 119 trials" in note


@needs(MANIFEST)
@pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")
def test_sixteen_systems_have_seven_clusters() -> None:
    counts = Bleu().count_systems(*wmt17())
    start = time.process_time()
    found = rank_systems(counts)
    assert time.process_time() - start < 4, "120 pairs of 10,000 trials"
    pairs = [*combinations(range(16), 2)]
    assert [sum(table[a][b] < 0.05 for a, b in pairs)
            for table in (found.p_values, found.p_adjusted)] == [99, 87]
    assert found.clusters == (1, *[2] * 9, 3, 4, 4, 5, 6, 7)


def test_a_rule_without_a_score_for_a_segment_still_compares_corpora() -> None:
    def harmonic(stats: BleuStats, last: BleuStats, value: float) -> list[tuple[float, float]]:
        return [(match, total) for match, total in zip(stats.matches, stats.totals, strict=True)
                if 1 / match]  # fmt: skip

    row = replace(DIALECTS["sacrebleu"], name="mine", smoothing=Smoothing(harmonic, None, ""))
    found = compare_systems("A", SYSTEMS, REFERENCES, row, trials=50)
    assert found.systems[1].wins is None
    [note] = [note for note in found.notes if "not counted" in note]
    assert note == ("wins, ties and losses are not counted: this dialect has no score for some "
                    "segments")
    assert "None" not in repr(found)
