"""What the playground says of two systems: how far they are apart, and whether that is chance."""

import math
from collections.abc import Generator, Mapping, Sequence
from typing import Any

from bridge_files import Corpus, counted, ends_of, metric_for, read_corpus, segment
from bridge_sentence import WRONG
from bridge_swaps import SEED, TRIALS, Test, randomize
from bridge_verdict import difference

from bleu_nb.display.tables import digits_for, show_p, show_range
from bleu_nb.scoring.counts import Counts
from bleu_nb.significance.intervals import Interval, delta_difference

BARS = 25  # Of the picture of what chance does; odd, so that one stands around 0
MOVED = 3  # Segments that gain most, and that lose most


def interval_between(one: Counts, other: Counts) -> Interval | str:
    """The interval of a difference, or why there is none."""
    try:
        return delta_difference(one, other) or "beside a score of 0 there is no interval"
    except WRONG as error:
        return str(error)


def gap_of(one: Counts, other: Counts, gap: Interval | str) -> dict[str, Any]:
    """The difference with its interval, or why that has none."""
    first, second = one.score(), other.score()
    far, digits = second.value - first.value, digits_for(first)
    found = {"value": repr(far), "digits": digits, "scale": first.scale}
    if isinstance(gap, str):
        return {**found, "shown": show_range(far, None, digits, "+"), "none": gap}
    shown = show_range(far, gap, digits, "+")
    return {
        **found, "shown": shown, "low": repr(gap.low), "high": repr(gap.high),
        "half": repr(gap.half_width), "warning": gap.warning,
    }  # fmt: skip


def by_segment(corpus: Corpus, one: Counts, other: Counts) -> dict[str, Any]:
    """On how many segments the second is better, as good and worse, and on which most."""
    try:
        first, second = one.values(), other.values()
    except WRONG as error:
        return {"none": str(error)}
    moved = [b - a for a, b in zip(first, second, strict=True)]
    wins, losses = sum(each > 0 for each in moved), sum(each < 0 for each in moved)

    def told(place: int) -> dict[str, Any]:
        both = segment(corpus, place, second, 1)
        return {**both, "before": repr(first[place]), "moved": repr(moved[place]),
                "instead": corpus.systems[0][place]}

    up, down = ends_of(moved)
    return {
        "wins": wins, "losses": losses, "ties": len(moved) - wins - losses,
        "gains": [told(place) for place in up[:MOVED] if moved[place] > 0],
        "drops": [told(place) for place in down[:MOVED] if moved[place] < 0],
    }  # fmt: skip


def chance(test: Test) -> dict[str, Any]:
    """How often chance gave which difference: bars from -reach to reach."""
    reach = max(abs(test.difference), *map(abs, test.drawn)) or 1.0
    bars, beyond = [0] * BARS, [0] * BARS
    for each in test.drawn:
        place = min(BARS - 1, math.floor((each / reach + 1) / 2 * BARS))
        bars[place] += 1
        beyond[place] += abs(each) >= abs(test.difference)
    return {"reach": repr(reach), "bars": bars, "beyond": beyond}


def pair_steps(
    request: Mapping[str, Any], blobs: Sequence[Any]
) -> Generator[tuple[int, int], None, dict[str, Any]]:
    """Two systems side by side, tested by random swaps."""
    metric = metric_for(request)
    corpus = read_corpus(request, blobs, metric.dialect.reading)
    one = yield from counted(metric, corpus, 0)
    other = yield from counted(metric, corpus, 1)
    between = interval_between(one, other)
    told = {"gap": gap_of(one, other, between), "segments": by_segment(corpus, one, other)}
    try:
        test = yield from randomize(one, other)
    except WRONG as error:
        why = "there is only one line" if len(one) == 1 else str(error)
        return {**told, "none": str(error),
                "verdict": [f"Which of the two is better cannot be tested: {why}."]}
    noise = math.sqrt(test.p_value * (1 - test.p_value) / TRIALS)
    return {
        **told, "p": repr(test.p_value), "shown": show_p(test.p_value, noise, TRIALS),
        "verdict": difference(corpus.names, [one.score(), other.score()], len(one), between,
                              test.p_value),
        "reached": test.reached, "trials": TRIALS, "seed": SEED, "chance": chance(test),
    }  # fmt: skip
