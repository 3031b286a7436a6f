"""The playground's test of two systems: the p of the package, which is of the same draws."""

import re
from typing import Any

import bridge_swaps
import pytest
from draws import compare_units, spoilt, texts

from bleu_nb import DIALECTS, Bleu, compare_systems
from bleu_nb.scoring.counts import Counts
from bleu_nb.significance.tests import units_of


def outcome(steps: Any) -> Any:
    """What a generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


def counted(seed: int, number: int, **choices: Any) -> list[Counts]:
    """Two systems with two references, some segments empty, some equal."""
    first, second = (texts(each, number, shortest=1) for each in (seed, seed + 1))
    one, other = (spoilt(first, seed, share) for share in (0.3, 0.4))
    one[0], other[1] = "", one[1]
    return [Bleu(**choices).count(each, [*zip(first, second, strict=True)])
            for each in (one, other)]


@pytest.mark.parametrize(("segments", "choices"), [
    *((40, {"dialect": name}) for name in DIALECTS),
    *((40, {"dialect": "sacrebleu", **choices}) for choices in (
        {"smoothing": "add-k"}, {"smoothing": "none"}, {"reference_length": "shortest"},
        {"average": "segments"}, {"effective_order": "always", "max_order": 6}, {"digits": 1})),
    *((segments, {}) for segments in (2, 8, 12, 63, 64, 65, 300)),  # Words of the draws, and ties
])
def test_p_is_the_packages(segments: int, choices: dict[str, Any]) -> None:
    mine, theirs = counted(3, segments, **choices)
    expected = compare_systems({"one": mine}, {"other": theirs}, trials=500).systems[1]
    found = outcome(bridge_swaps.randomize(mine, theirs, trials=500))
    assert (found.p_value, found.difference) == (expected.p_value, expected.difference)


def test_equal_systems_are_as_far_apart_in_every_draw() -> None:
    [counts, _] = counted(2, 8, dialect="nltk")
    same = outcome(bridge_swaps.randomize(counts, counts, trials=50))
    assert (same.difference, same.p_value, same.reached) == (0, 1, 50)


@pytest.mark.parametrize(("metric", "lines"), [
    (Bleu(), 1), (Bleu("nltk", smoothing="nltk-5"), 4)])
def test_what_cannot_be_tested_is_refused_in_the_packages_words(metric: Bleu, lines: int) -> None:
    counts = [metric.count([text] * lines, [["a b c"]] * lines) for text in ("a b", "b c")]
    with pytest.raises(ValueError) as theirs:
        compare_units([*map(units_of, counts)], "randomization")
    with pytest.raises(ValueError, match=f"^{re.escape(str(theirs.value))}$"):
        outcome(bridge_swaps.randomize(*counts))
