"""Paired tests of systems that are counted already, one run each."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from bleu_nb.significance.compare import summarize
from bleu_nb.significance.paired_tests import TESTS, Plan, Sample, differ, draw_samples
from bleu_nb.significance.resampling import Units


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
