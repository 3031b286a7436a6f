"""Results that no corpus gives, to be drawn."""

from collections.abc import Mapping
from dataclasses import replace

from bleu_nb import sentence_bleu
from bleu_nb.significance import ComparedSystem, Interval, SystemsComparison


def comparison_with(systems: Mapping[str, tuple[float, Interval | None]]) -> SystemsComparison:
    """A comparison without a baseline of systems that have these scores and intervals."""
    score = sentence_bleu("a b c d", ["a b c e"])
    return SystemsComparison(
        tuple(ComparedSystem(name, replace(score, value=value), interval)
              for name, (value, interval) in systems.items()),
        "randomization", 100, 1, 0.95, "a|b", 12)
