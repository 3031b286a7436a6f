"""Near-duplicates: all pairs that reach a bound and no other, though few are looked at."""

import itertools
import random
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import ABLE, many_lines, sentences

from bleu_nb import DIALECTS, near_duplicates, pairwise_bleu
from bleu_nb.derivation.bleu import BleuStats
from bleu_nb.dialects.definition import leaves_out, value_of
from bleu_nb.dialects.smoothers import SMOOTHINGS
from bleu_nb.dialects.table import dialect_with
from bleu_nb.pairs.duplicates import (
    MONOTONIC_SMOOTHINGS,
    Near,
    check_monotonic,
    find_least,
    rounding_error,
)

SOME = [name for name in ABLE
        if DIALECTS[name].smoothing in MONOTONIC_SMOOTHINGS and not DIALECTS[name].lowercase]


def spell_out(found: list[Near], square: bool) -> dict[tuple[int, int], float]:
    """The score of each pair of places."""
    return {(i, j): near.score for near in found
            for i, j in itertools.product(near.candidates, near.references)
            if not (square and i == j)}


def by_table(lines: Any, others: Any, bound: float, row: Any) -> dict[tuple[int, int], float]:
    """The same from the table of all pairs."""
    table = pairwise_bleu(lines, others, row).tolist()
    return {(i, j): value for i, each in enumerate(table) for j, value in enumerate(each)
            if value >= bound and not (others is None and i == j)}


def agree(lines: Any, others: Any, share: float, row: Any) -> None:
    """Whether both find the same, or the bound is refused with a reason."""
    bound = share * row.scale
    try:
        found = near_duplicates(lines, others, bound, row)
    except ValueError as error:
        assert "without a common token" in str(error)
        return
    with patch.multiple("bleu_nb.pairs.duplicates", WORTH=0, ENOUGH=0):   # Never by a table
        assert near_duplicates(lines, others, bound, row) == found
    with patch("bleu_nb.pairs.duplicates.WORTH", 1 << 40):                # Always
        assert near_duplicates(lines, others, bound, row) == found
    assert spell_out(found, others is None) == by_table(lines, others, bound, row)
    assert found == sorted(found, key=lambda near: (-near.score, near))


@pytest.mark.slow
@given(st.lists(sentences(), min_size=1, max_size=8), st.sampled_from(SOME), st.integers(1, 9),
       st.floats(0.01, 1), st.data())
def test_nothing_is_missed(
    lines: list[list[str]], name: str, order: int, share: float, data: Any,
) -> None:
    row = DIALECTS[name]
    row = replace(row, max_order=order,
                  weights=None if row.weights is None else (1 / order,) * order)
    agree(lines, None, share, row)
    others = data.draw(st.lists(sentences(), min_size=1, max_size=4)) + lines[:2]
    agree(lines, others, share, row)


@pytest.mark.parametrize("smoothing", MONOTONIC_SMOOTHINGS)
@pytest.mark.parametrize("share", [0.05, 0.3, 0.6, 0.95])
def test_similar_lines_of_every_smoothing(smoothing: str, share: float) -> None:
    draw = random.Random(3)
    base = [[f"w{draw.randrange(30)}" for _ in range(draw.randrange(3, 14))] for _ in range(12)]
    lines = [[f"w{draw.randrange(30)}" if draw.random() < rate else word for word in each]
             for each in base for rate in (0, 0.1, 0.3)]
    agree(lines, None, share, dialect_with("nltk", {"smoothing": smoothing}))
    agree(lines, base, share, dialect_with("sacrebleu", {"smoothing": smoothing}))


@pytest.mark.parametrize(("step", "many"), [
    (1, 7), (50, 1), (50, 1 << 15), (1 << 22, 1 << 15), (1 << 22, 7)])
def test_steps_change_nothing(step: int, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = many_lines(80, 30)
    monkeypatch.setattr("bleu_nb.pairs.duplicates.STEP", step)
    monkeypatch.setattr("bleu_nb.pairs.score_matrix.MANY", many)
    for share in (0.2, 0.5):
        agree(lines, None, share, DIALECTS["sacrebleu"])
        agree(lines, lines[:20], share, DIALECTS["codebleu"])


@pytest.mark.parametrize("name", ["codexglue", "codexglue-smooth", "sacrebleu"])
def test_empty_lines_ask_for_nothing(name: str) -> None:
    lines = [*many_lines(9, 9), "", "a b c d e", ""]
    for others in (None, ["", "a b c d e f"]):
        agree(lines, others, 0.6, DIALECTS[name])
    both_empty = near_duplicates(
        ["", "a b c d e f g h", ""], at_least=0.6 * DIALECTS[name].scale, dialect=name)
    assert bool(both_empty) == (name != "sacrebleu")


def test_long_lines_of_any_length_are_compared_at_once() -> None:
    draw = random.Random(1)
    lines = [[f"w{int(draw.paretovariate(0.5)) % 500}" for _ in range(place)]
             for place in range(1, 200)]
    told: list[int] = []
    assert near_duplicates(lines, at_least=60, progress=lambda done, of: told.append(done)) == []
    assert told[-1] == 199 ** 2     # By the table


def test_few_pairs_are_scored() -> None:
    lines = many_lines(1500, 3000)
    scored: list[int] = []
    found = near_duplicates(lines, at_least=60, progress=lambda done, of: scored.append(done))
    assert found and scored == sorted(scored)
    assert scored[-1] < 0.02 * len(lines) ** 2


def rises(row: Any, length: int, other: int) -> bool:
    """Whether one more match never lowers the score, for all matches that there may be."""
    totals = tuple(max(length - shift, row.least_total, 0) for shift in range(4))
    most = [max(min(length, other) - shift, 0) for shift in range(4)]
    values = {}
    for matches in itertools.product(*(range(each + 1) for each in most)):
        stats = BleuStats(matches, totals, length, other)
        values[matches] = value_of(row, stats, stats, leaves_out(row, True))[0]
    slack = rounding_error(row, row.scale)
    return all(values[matches] >= values[less] - slack
               for matches in values for place in range(4) if matches[place]
               for less in [(*matches[:place], matches[place] - 1, *matches[place + 1:])])


@pytest.mark.parametrize("name", SOME)
@pytest.mark.parametrize(("length", "other"), [(1, 3), (4, 4), (5, 4), (4, 6), (6, 3)])
def test_what_is_not_refused_rises(name: str, length: int, other: int) -> None:
    assert rises(DIALECTS[name], length, other)


@pytest.mark.parametrize("smoothing", [*MONOTONIC_SMOOTHINGS])
def test_every_smoothing_that_is_not_refused_rises(smoothing: str) -> None:
    for base in ("sacrebleu", "nltk"):
        row = dialect_with(base, {"smoothing": smoothing})
        check_monotonic(row)
        assert rises(row, 5, 5) and rises(row, 2, 4)
    if MONOTONIC_SMOOTHINGS[smoothing] == 1:
        check_monotonic(replace(row, smoothing_value=1.0))
        assert rises(replace(row, smoothing_value=1.0), 5, 4)
        assert not rises(replace(row, smoothing_value=3.0), 5, 5)
        with pytest.raises(ValueError, match="score more by sharing less"):
            check_monotonic(replace(row, smoothing_value=1.01))


@pytest.mark.parametrize("smoothing", sorted({*SMOOTHINGS} - {*MONOTONIC_SMOOTHINGS}))
def test_other_smoothings_are_refused(smoothing: str) -> None:
    row = dialect_with("nltk", {"smoothing": smoothing})
    assert smoothing != "zeros-skipped" or not rises(row, 5, 5)
    with pytest.raises(ValueError, match="score more by sharing less"):
        near_duplicates(["a", "b"], dialect=row)


@given(st.integers(1, 12), st.integers(1, 12), st.floats(0.05, 1), st.integers(1, 4),
       st.sampled_from(["sacrebleu", "nltk", "codebleu", "papineni"]))
def test_the_least_is_what_the_formula_asks(
    ours: int, theirs: int, share: float, order: int, name: str,
) -> None:
    row = DIALECTS[name]
    bound = share * row.scale
    [least] = find_least(row, bound, np.array([ours]), np.array([theirs]), order).tolist()
    totals = tuple(max(ours - shift, row.least_total, 0) for shift in range(4))
    full = [max(min(ours, theirs) - shift, 0) for shift in range(4)]
    enough = []
    for known in range(full[order - 1] + 1):
        matches = tuple(each if place + 1 < order else min(each, known)
                        for place, each in enumerate(full))
        stats = BleuStats(matches, totals, ours, theirs)
        if value_of(row, stats, stats, leaves_out(row, True))[0] >= bound * (1 - 1e-9):
            enough.append(known)
    assert min(enough, default=1 << 40) == least


def test_equal_lines_are_one_group() -> None:
    found = near_duplicates(["a b", "c", "a  b", "c", "d", "c"], at_least=100)
    assert sorted(each[:2] for each in found) == [((0, 2), (0, 2)), ((1, 3, 5), (1, 3, 5))]
    crossed = near_duplicates(["a b", "c", "a b"], ["c", "c", "x", "a b"], at_least=100)
    assert sorted(each[:2] for each in crossed) == [((0, 2), (3,)), ((1,), (0, 1))]
    assert near_duplicates(["", "", "a"], at_least=1) == []


BAD: list[tuple[tuple[Any, ...], dict[str, Any], type[Exception], str]] = [
    (("a b",), {}, TypeError, "lines must be a list, not the str"),
    (([],), {}, ValueError, "lines is empty"),
    ((["a", None],), {}, TypeError, r"lines\[1\] is missing"),
    ((["a"], [["b"]]), {}, TypeError, r"references\[0\] is not a string, but lines\[0\]"),
    ((["a"], []), {}, ValueError, "references is empty"),
    ((["a", "b"],), {"at_least": 0}, ValueError, "at_least must be above 0, and at most 100"),
    *(((["a", "b"],), {"at_least": wrong}, ValueError, "at_least must be above 0")
      for wrong in (100.5, "60", None, True)),
    ((["a", "b"],), {"at_least": 2, "dialect": "nltk"}, ValueError, "at most 1, the scale of nltk"),
    ((["a", "b"],), {"dialect": "google-bleu"}, ValueError, "does not count clipped"),
    ((["a", "b"],), {"dialect": "nltk-3.2", "at_least": 0.5}, ValueError, "sharing less"),
    ((["a", "b"],), {"smoothing": SMOOTHINGS["exp"]}, ValueError, "sharing less"),
    ((["a", "b"],), {"smoothing": "floor", "unmatched": "smoothed", "at_least": 5}, ValueError,
     "lines of 1 and 1 tokens reach 5 without a common token"),
]


@pytest.mark.parametrize(("given_", "choices", "error", "says"), BAD)
def test_bad_input_is_named(given_: Any, choices: Any, error: Any, says: str) -> None:
    with pytest.raises(error, match=says):
        near_duplicates(*given_, **choices)
