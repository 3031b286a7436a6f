"""The playground's test of two systems: the draws, the sums and the p of the package."""

import random
import re
from itertools import islice
from typing import Any

import bridge_swaps
import numpy as np
import pytest
from draws import compare_units

from bleu_nb import DIALECTS, Bleu, compare_systems
from bleu_nb.scoring.counts import Counts
from bleu_nb.significance.tests import draw_swaps, sum_draws, units_of

WORDS = ["the", "a", "boat", "came", "once", "in", "winter", "month", "only", "of", "and", "sea"]


def outcome(steps: Any) -> Any:
    """What a generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


def counted(seed: int, number: int, **choices: Any) -> list[Counts]:
    """Two systems with two references, some segments empty, some equal."""
    dice = random.Random(seed)

    def sentence(least: int, most: int) -> str:
        return " ".join(dice.choices(WORDS, k=dice.randint(least, most)))

    def noisy(text: str, share: float) -> str:
        return " ".join(word if dice.random() < share else dice.choice(WORDS)
                        for word in text.split())

    human = [[sentence(1, 12), sentence(3, 9)] for _ in range(number)]
    one, other = ([noisy(group[0], share) for group in human] for share in (0.7, 0.6))
    one[0], other[1] = "", one[1]
    return [Bleu(**choices).count(each, human) for each in (one, other)]


@pytest.mark.parametrize(("units", "seed"), [(2, 12345), (12, 0), (63, 1), (64, 2), (65, 2**40),
                                            (300, 2**127 + 5)])
def test_swaps_are_the_packages(units: int, seed: int) -> None:
    theirs = [int("".join(map(str, row[::-1])), 2)
              for block in draw_swaps(seed, 150, units) for row in block.tolist()]
    assert [*islice(bridge_swaps.swaps(seed, units), 150)] == theirs


@pytest.mark.parametrize("choices", [*({"dialect": name} for name in DIALECTS), *(
    {"dialect": "sacrebleu", **choices} for choices in (
        {"smoothing": "add-k"}, {"smoothing": "none"}, {"reference_length": "shortest"},
        {"average": "segments"}, {"effective_order": "always", "max_order": 6}, {"digits": 1}))])
def test_p_is_the_packages(choices: dict[str, Any]) -> None:
    mine, theirs = counted(3, 40, **choices)
    expected = compare_systems({"one": mine}, {"other": theirs}, trials=500).systems[1]
    found = outcome(bridge_swaps.randomize(mine, theirs, trials=500))
    assert (found.p_value, found.difference) == (expected.p_value, expected.difference)


def test_sums_are_the_packages() -> None:
    counts = counted(8, 25)
    ones, others = sum_draws([*map(units_of, counts)], draw_swaps(12345, 100, 25))
    planes = bridge_swaps.planes_of(*map(bridge_swaps.columns_of, counts))
    moved = [bridge_swaps.moved_by(planes, swap)
             for swap in islice(bridge_swaps.swaps(12345, 25), 100)]
    assert np.array_equal(np.array(moved), others - ones)


def test_ties_count_and_one_is_added() -> None:
    counts = counted(2, 8, dialect="nltk")
    found = outcome(bridge_swaps.randomize(*counts, iter(range(256)), 256))
    assert found.reached >= 2, "to swap nothing and to swap all are as far apart"
    assert found.p_value == (found.reached + 1) / 257
    same = outcome(bridge_swaps.randomize(counts[0], counts[0], trials=50))
    assert (same.difference, same.p_value, same.reached) == (0, 1, 50)


def test_other_draws_give_the_same_within_their_error() -> None:
    counts, dice = counted(4, 60), random.Random(1)
    draws = (dice.getrandbits(60) for _ in range(4000))
    free = outcome(bridge_swaps.randomize(*counts, draws, 4000)).p_value
    p = outcome(bridge_swaps.randomize(*counts, trials=4000)).p_value
    assert abs(free - p) < 5 * (2 * p * (1 - p) / 4000) ** 0.5


@pytest.mark.parametrize(("metric", "lines"), [
    (Bleu(), 1), (Bleu("nltk", smoothing="nltk-5"), 4)])
def test_what_cannot_be_tested_is_refused_in_the_packages_words(metric: Bleu, lines: int) -> None:
    counts = [metric.count([text] * lines, [["a b c"]] * lines) for text in ("a b", "b c")]
    with pytest.raises(ValueError) as theirs:
        compare_units([*map(units_of, counts)], "randomization")
    with pytest.raises(ValueError, match=f"^{re.escape(str(theirs.value))}$"):
        outcome(bridge_swaps.randomize(*counts))
