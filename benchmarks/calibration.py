"""How often does each test of two systems reject, where there is nothing to find?

`python benchmarks/calibration.py` reads the evaluation sets beside the checkout (`BLEU_NB_DATA`
names another folder) and writes `calibration.json`, which chapter 5.3 shows. It takes about half an
hour; `--quick` makes a few runs and writes only where `--out` says.

Samples of segments are drawn, with replacement, from two populations in which the null is true:

* *swapped*: two systems of one evaluation set, each segment's outputs swapped by a fair coin. This
  is the null that randomisation is made for.
* *equal*: two other systems, not swapped. A segment is drawn with a probability that leans a
  little to those on which the worse system does well (`tilted`), so that the BLEU of the two is
  the same in the population. The systems stay as different as they are.

In every run all tests see the same sample; those that swap share their swaps, and those that draw
segments again share these draws. Every run has draws of its own. (So `sacrebleu-bs` has the draws
and the double precision of the others here; its formula for p is its own. `multeval` has one run.)
"""

import argparse
import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from agreement import DATA, ROOT, read_lines

from bleu_nb import Bleu, __version__
from bleu_nb.derivation.bleu import BleuStats
from bleu_nb.significance.compare import p_normal
from bleu_nb.significance.intervals import slopes_of, standard_error
from bleu_nb.significance.tests import (
    TESTS,
    Units,
    count_draws,
    draw_swaps,
    score_sums,
    sum_draws,
    units_of,
)

RECORD = ROOT / "benchmarks" / "calibration.json"
SET = "wmt17/en-de"
PAIRS = {
    "swapped": ("LIUM-NMT.4900", "online-B.0"),
    "equal": ("PROMT-Rule-based.4735", "online-G.0"),
}
SIZES, RUNS, TRIALS = (3004, 500, 100, 20, 12, 8), 10_000, 999  # 999: p can be .05 and .01 exactly
LEVELS = (0.05, 0.01)
SEED = 20260101
EVERY = 500  # Runs after which the record is written


def main(arguments: Sequence[str] | None = None) -> int:
    """Simulate, largest samples first, and write what is known so far again and again."""
    options = parsed(arguments)
    pairs = {null: pair_of(*names) for null, names in PAIRS.items()}
    tilt, weights = tilted(*pairs["equal"])
    chances = {"swapped": np.full(len(weights), 1 / len(weights)), "equal": weights}
    report = {
        "command": "python benchmarks/calibration.py",
        "source": f"WMT {SET}",
        "package": f"bleu_nb {__version__}, numpy {np.__version__}",
        "pairs": PAIRS,
        "seed": SEED,
        "trials": TRIALS,
        "tilt": tilt,
        "bleu": {null: [population_bleu(each, chances[null]) for each in pair]
                 for null, pair in pairs.items()},
        "settings": [],
    }  # fmt: skip
    for size in options.sizes:
        simulate(pairs, chances, size, options, report)
    sys.stdout.write(as_text(report))
    return 0


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=None, help="of every setting")
    parser.add_argument("--sizes", type=int, nargs="+", default=None, help="segments of a sample")
    parser.add_argument("--quick", action="store_true", help="few runs of small samples")
    parser.add_argument("--out", type=Path, default=None, help="default: beside this file")
    options = parser.parse_args(arguments)
    options.runs = options.runs or (20 if options.quick else RUNS)
    options.sizes = options.sizes or ((100,) if options.quick else SIZES)
    options.out = options.out or (None if options.quick else RECORD)
    return options


def pair_of(*names: str) -> list[Units]:
    """The segments of two systems, counted as sacreBLEU counts."""
    references = [[line] for line in read_lines(DATA / SET / "ref.A.txt")]
    lines = (read_lines(DATA / SET / f"sys.{name}.txt") for name in names)
    return [units_of(Bleu().count(each, references)) for each in lines]


def population_bleu(units: Units, chances: Any) -> float:
    """BLEU of a population, which is that of the mean segment."""
    matches, totals, candidate, reference = split(chances @ units.columns)
    penalty = min(0.0, 1 - reference / candidate)
    return float(100 * math.exp(penalty + np.log(matches / totals).mean()))


def split(sums: Any) -> tuple[Any, Any, float, float]:
    """Matches, totals and the two lengths of a sum."""
    return sums[:4], sums[4:8], sums[8], sums[9]


def influences(columns: Any, sums: Any) -> Any:
    """How much every segment of a population moves its score: BLEU's slopes times its numbers."""
    matches, totals, candidate, reference = split(sums)
    short = float(candidate < reference)
    slopes = np.concatenate([
        1 / (4 * matches), -1 / (4 * totals),
        [short * reference / candidate**2, -short / candidate],
    ])  # fmt: skip
    penalty = min(0.0, 1 - reference / candidate)
    return columns @ slopes * 100 * math.exp(penalty + np.log(matches / totals).mean())


def tilted(one: Units, other: Units) -> tuple[float, Any]:
    """The least lean that makes the BLEU of two systems equal, and the chance of every segment.

    A chance is proportional to exp(lean x how far the segment moves the difference of the scores).
    """
    moved = [influences(each.columns, each.columns.sum(axis=0)) for each in (one, other)]
    ahead = (moved[1] - moved[0]) / (moved[1] - moved[0]).std()

    def chances(lean: float) -> Any:
        weights = np.exp(lean * ahead)
        return weights / weights.sum()

    low, high = -1.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        at = chances(middle)
        if population_bleu(other, at) > population_bleu(one, at):
            high = middle
        else:
            low = middle
    return middle, at


def simulate(
    pairs: dict[str, list[Units]],
    chances: dict[str, Any],
    size: int,
    options: argparse.Namespace,
    report: dict[str, Any],
) -> None:
    """All runs of one size, under both nulls; the report is written as they come."""
    rejected = {null: {name: [0] * len(LEVELS) for name in TESTS} for null in pairs}
    bounds = {null: np.cumsum(each) for null, each in chances.items()}
    places = {null: len(report["settings"]) + k for k, null in enumerate(pairs)}
    report["settings"] += [{}] * len(pairs)
    for run in range(options.runs):
        source = np.random.Generator(np.random.PCG64([SEED, size, run]))
        samples = {null: sample(pair, bounds[null], size, null == "swapped", source)
                   for null, pair in pairs.items()}  # fmt: skip
        for null, found in p_values(samples, size, source).items():
            for name, p in found.items():
                for place, level in enumerate(LEVELS):
                    rejected[null][name][place] += p <= level
        if (run + 1) % EVERY == 0 or run + 1 == options.runs:
            for null, counts in rejected.items():
                report["settings"][places[null]] = {
                    "null": null, "segments": size, "runs": run + 1,
                    "rejected": {name: dict(zip(map(str, LEVELS), each, strict=True))
                                 for name, each in counts.items()},
                }  # fmt: skip
            if options.out:
                options.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def sample(
    pair: Sequence[Units], bounds: Any, size: int, swap: bool, source: np.random.Generator
) -> list[Units]:
    """Segments of a population, both systems on the same; perhaps swapped by a coin each."""
    drawn = np.minimum(np.searchsorted(bounds, source.random(size)), len(bounds) - 1)
    one, other = (each.columns[drawn] for each in pair)
    if swap:
        coin = source.integers(2, size=(size, 1), dtype=bool)
        one, other = np.where(coin, other, one), np.where(coin, one, other)
    return [Units(pair[0].dialect, each) for each in (one, other)]


def p_values(
    samples: dict[str, list[Units]], size: int, source: np.random.Generator
) -> dict[str, dict[str, float]]:
    """p of every test on every sample; all share the draws, which fit samples of one size."""
    systems = [each for pair in samples.values() for each in pair]
    swaps = sum_draws(systems, draw_swaps(int(source.integers(2**63)), TRIALS, size))
    drawn = source.integers(0, size, size=(TRIALS, size), dtype=np.uint16)
    again = sum_draws(systems, iter([count_draws(drawn, size)]))
    found = {}
    for place, (null, (one, other)) in enumerate(samples.items()):
        dialect, wholes = one.dialect, [each.columns.sum(axis=0) for each in (one, other)]
        first, second = 2 * place, 2 * place + 1
        mixed = wholes[0] + swaps[second] - swaps[first]
        scores = score_sums(dialect, np.concatenate([
            mixed, sum(wholes) - mixed, again[first], again[second], wholes,
        ]))  # fmt: skip
        ours, theirs, one_again, other_again = scores[:-2].reshape(4, TRIALS)
        difference = float(scores[-1] - scores[-2])
        differences = {"swaps": theirs - ours, "resamples": other_again - one_again}
        differences["choice"] = differences["resamples"]
        found[null] = {
            name: test.p_value(difference, differences[test.draws])
            for name, test in TESTS.items() if test.p_value
        }  # fmt: skip
        moved = [each.columns @ slopes_of(dialect, BleuStats(
            tuple(whole[:4].tolist()), tuple(whole[4:8].tolist()), int(whole[8]), int(whole[9])
        )) for each, whole in zip((one, other), wholes, strict=True)]  # fmt: skip
        found[null]["delta"] = p_normal(difference, standard_error((moved[1] - moved[0]).tolist()))
    return found


def as_text(report: dict[str, Any]) -> str:
    """Percent rejected at each level, a line for every setting and test."""
    lines = []
    for each in report["settings"]:
        lines.append(f"{each['null']}, {each['segments']} segments, {each['runs']} runs")
        for name, counts in each["rejected"].items():
            shares = [count / each["runs"] for count in counts.values()]
            lines.append(f"  {name:15}" + "".join(
                f"{100 * share:7.2f} ± {100 * math.sqrt(share * (1 - share) / each['runs']):.2f}"
                for share in shares
            ))  # fmt: skip
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
