"""Paired tests of systems that are counted already, one run each."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest
from data import sacrebleu_adding_left_to_right

from bleu_nb.significance.compare import summarize
from bleu_nb.significance.tests import (
    TESTS,
    Plan,
    Sample,
    Units,
    differ,
    draw_samples,
    sum_draws,
)

WORDS = ["the", "a", "cat", "dog", "sat", "on", "mat", ",", ".", "in", "of", "7", "Paris"]


def texts(seed: int, segments: int, longest: int = 14, shortest: int = 3) -> list[str]:
    """Sentences of a small vocabulary, so that some n-grams match."""
    source = random.Random(seed)
    return [" ".join(source.choices(WORDS, k=source.randint(shortest, longest)))
            for _ in range(segments)]


def spoilt(sentences: Sequence[str], seed: int, share: float) -> list[str]:
    """The same sentences, a share of their words replaced."""
    source = random.Random(seed)
    return [
        " ".join(source.choice(WORDS) if source.random() < share else word for word in line.split())
        for line in sentences
    ]


def by_sacrebleu(
    systems: Mapping[str, Sequence[str]], streams: Sequence[Sequence[str]], kind: str, seed: int,
    trials: int, **choices: Any,
) -> list[tuple[Any, ...]]:  # fmt: skip
    """Score, p, mean and half-width of every system, as sacreBLEU's own test finds them."""
    with sacrebleu_adding_left_to_right() as metrics, pytest.MonkeyPatch.context() as patch:
        from sacrebleu.significance import PairedTest

        patch.setenv("SACREBLEU_SEED", str(seed))
        named = [(name, list(each)) for name, each in systems.items()]
        metric = metrics.BLEU(force=True, **choices)
        found = PairedTest(named, {"BLEU": metric}, streams, kind, n_samples=trials)()
    return [(each.score, each.p_value, each.mean, each.ci) for each in found[1]["BLEU"]]


class Outcome(NamedTuple):
    """What a test finds of a system beside the first."""

    score: float
    difference: float
    p_value: float
    mean: float | None
    half_width: float | None
    drawn: Any


def sample_units(
    systems: Sequence[Units], test: str, trials: int | None = None, seed: int | None = 12345,
    report: Any = None, **choices: Any,
) -> list[Sample]:  # fmt: skip
    """The systems in the draws of a test."""
    kind = TESTS[test]
    plan = Plan(kind, trials or kind.trials, seed, 0.95, len(systems[0]), **choices)
    named = {str(place): [units] for place, units in enumerate(systems)}
    return draw_samples(named, plan, report)


def compare_units(systems: Sequence[Units], test: str, *settings: Any) -> list[Outcome]:
    """Every system beside the first; also the first itself."""
    samples, found = sample_units(systems, test, *settings), []
    for sample in samples:
        difference, drawn = differ(samples[0], sample)
        p_value = TESTS[test].p_value
        assert p_value is not None
        found.append(Outcome(sample.value, difference, p_value(difference, drawn),
                             *summarize(sample.scores, 0.95), drawn))
    return found


def all_swaps(units: int) -> Any:
    """Every way to swap so many units."""
    return np.array([*product((0, 1), repeat=units)])


def count_reached(one: Units, other: Units) -> int:
    """In how many of all swaps the difference is at least as large, by the sums of the test."""
    swaps = all_swaps(len(one))
    samples = sample_units([one, other], "randomization", 1)
    sums = sum_draws([one, other], iter([swaps]))
    found, drawn = differ(*(
        replace(sample, sums=[each]) for sample, each in zip(samples, sums, strict=True)))
    return int((abs(drawn) >= abs(found)).sum())
