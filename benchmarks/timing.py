"""Time calls in interleaved rounds, and compare them round by round."""

import gc
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any


@dataclass
class Times:
    """What one call took in every round."""

    wall: list[float] = field(default_factory=list)  # Seconds
    cpu: list[float] = field(default_factory=list)  # Seconds, of all threads
    results: list[Any] = field(default_factory=list)  # What it returned

    def run(self, call: Callable[[], Any]) -> None:
        """Call once and note what it took; Python's collector is off meanwhile, as in timeit."""
        gc.collect()
        gc.disable()
        try:
            cpu, wall = time.process_time(), time.perf_counter()
            result = call()
            self.wall.append(time.perf_counter() - wall)
            self.cpu.append(time.process_time() - cpu)
        finally:
            gc.enable()
        self.results.append(result)


def interleaved(
    calls: Mapping[str, Callable[[], Any]],
    rounds: int,
    progress: Callable[[str], object] = lambda name: None,
) -> dict[str, Times]:
    """Time every call once a round: A B C, A B C, and so on."""
    times = {name: Times() for name in calls}
    gc.collect()
    gc.freeze()  # What was prepared stays: the collector need not look at it between calls
    for number in range(1, 1 + rounds):
        for name, call in calls.items():
            progress(f"round {number} of {rounds}: {name}")
            times[name].run(call)
    gc.unfreeze()
    return times


def spread(values: Sequence[float]) -> dict[str, float]:
    """Median, lowest and highest."""
    return {"median": median(values), "low": min(values), "high": max(values)}


def ratios(above: Sequence[float], below: Sequence[float]) -> dict[str, float]:
    """The spread of the quotients, each of one round."""
    return spread([a / b for a, b in zip(above, below, strict=True)])


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The power of the size that time grows with: least squares of its logarithm."""
    x, y = list(map(math.log, sizes)), list(map(math.log, seconds))
    middle_x, middle_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    pairs = zip(x, y, strict=True)
    above = math.fsum((a - middle_x) * (b - middle_y) for a, b in pairs)
    return above / math.fsum((a - middle_x) ** 2 for a in x)
