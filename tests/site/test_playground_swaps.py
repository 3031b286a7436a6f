"""The playground's test of two systems: the draws, the sums and the p of the package."""

import random
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest
from draws import compare_units

from bleu_nb import DIALECTS, Bleu, compare_systems
from bleu_nb.scoring.counts import Counts
from bleu_nb.significance.resampling import draw_swaps, sum_draws, units_of

WORDS = ["the", "a", "boat", "came", "once", "in", "winter", "month", "only", "of", "and", "sea"]


@pytest.fixture(scope="module")
def module(bridge: Any) -> Any:
    """The module with the test."""
    import bridge_swaps

    return bridge_swaps


def outcome(steps: Any) -> Any:
    """What a generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value


def corpus(seed: int, number: int) -> tuple[list[str], list[str], list[list[str]]]:
    """Two systems and two references, some segments empty, some equal."""
    dice = random.Random(seed)

    def sentence(least: int, most: int) -> str:
        return " ".join(dice.choices(WORDS, k=dice.randint(least, most)))

    def noisy(text: str, share: float) -> str:
        return " ".join(word if dice.random() < share else dice.choice(WORDS)
                        for word in text.split())

    human = [[sentence(1, 12), sentence(3, 9)] for _ in range(number)]
    one, other = ([noisy(group[0], share) for group in human] for share in (0.7, 0.6))
    one[0], other[1] = "", one[1]
    return one, other, human


@pytest.mark.parametrize(("units", "seed"), [(2, 12345), (12, 0), (63, 1), (64, 2), (65, 2**40),
                                            (300, 2**127 + 5)])
def test_swaps_are_the_packages(module: Any, units: int, seed: int) -> None:
    theirs = [int("".join(map(str, row[::-1])), 2)
              for block in draw_swaps(seed, 150, units) for row in block.tolist()]
    assert [*islice(module.swaps(seed, units), 150)] == theirs


@pytest.mark.parametrize("name", DIALECTS)
def test_p_is_the_packages(module: Any, name: str) -> None:
    one, other, human = corpus(3, 40)
    mine, theirs = Bleu(name).count(one, human), Bleu(name).count(other, human)
    expected = compare_systems({"one": mine}, {"other": theirs}, trials=500).systems[1]
    found = outcome(module.randomize(mine, theirs, trials=500))
    assert (found.p_value, found.difference) == (expected.p_value, expected.difference)


@pytest.mark.parametrize("choices", [
    {"smoothing": "add-k"}, {"smoothing": "none"}, {"reference_length": "average"},
    {"average": "segments"}, {"effective_order": "always", "max_order": 6}, {"digits": 1},
])
def test_p_is_the_packages_for_other_choices(module: Any, choices: dict[str, Any]) -> None:
    one, other, human = corpus(5, 30)
    counts = [Bleu(**choices).count(each, human) for each in (one, other)]
    [_, expected] = compare_units([*map(units_of, counts)], "randomization", 400, 12345)
    assert outcome(module.randomize(*counts, trials=400)).p_value == expected.p_value


def test_sums_are_the_packages(module: Any) -> None:
    one, other, human = corpus(8, 25)
    counts = [Bleu().count(each, human) for each in (one, other)]
    ones, others = sum_draws([*map(units_of, counts)], draw_swaps(12345, 100, 25))
    planes = module.planes_of(*map(module.columns_of, counts))
    moved = [module.moved_by(planes, swap) for swap in islice(module.swaps(12345, 25), 100)]
    assert np.array_equal(np.array(moved), others - ones)


def every_swap(units: int) -> Iterator[int]:
    return iter(range(1 << units))


def test_ties_count_and_one_is_added(module: Any) -> None:
    one, other, human = corpus(2, 8)
    counts = [Bleu("nltk").count(each, human) for each in (one, other)]
    found = outcome(module.randomize(*counts, every_swap(8), 256))
    assert found.reached >= 2, "to swap nothing and to swap all are as far apart"
    assert found.p_value == (found.reached + 1) / 257
    same = outcome(module.randomize(counts[0], counts[0], trials=50))
    assert (same.difference, same.p_value, same.reached) == (0, 1, 50)


def test_other_draws_give_the_same_within_their_error(module: Any) -> None:
    one, other, human = corpus(4, 60)
    counts = [Bleu().count(each, human) for each in (one, other)]
    dice = random.Random(1)
    free = outcome(module.randomize(*counts, (dice.getrandbits(60) for _ in range(4000)), 4000))
    usual = outcome(module.randomize(*counts, trials=4000))
    p = usual.p_value
    assert abs(free.p_value - p) < 5 * (2 * p * (1 - p) / 4000) ** 0.5


def refused(work: Any) -> str:
    """What somebody says no with."""
    with pytest.raises(ValueError) as caught:
        work()
    return str(caught.value)


def test_what_cannot_be_tested_is_refused_in_the_packages_words(module: Any) -> None:
    def both(metric: Bleu, lines: int) -> list[Counts]:
        return [metric.count([text] * lines, [["a b c"]] * lines) for text in ("a b", "b c")]

    for metric, lines in ((Bleu(), 1), (Bleu("nltk", smoothing="nltk-5"), 4)):
        counts = both(metric, lines)
        theirs = refused(lambda counts=counts: compare_units(
            [*map(units_of, counts)], "randomization"))
        assert refused(lambda counts=counts: outcome(module.randomize(*counts))) == theirs
