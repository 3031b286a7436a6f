"""How often an interval holds the true score, where the truth is known.

`python benchmarks/interval_coverage.py` takes the segments of a real evaluation set (beside the
checkout; `BLEU_NB_DATA` names another folder) for the whole language, draws test sets from them,
and counts how many intervals hold the score of the whole, and on which side of the others it lies.
It writes `interval_coverage.json`: numbers and the names of systems, none of their text. Chapter
5.2 shows them. (Not `coverage`: numba
would take a module of that name for the package.)
"""

import argparse
import json
import math
import time
from collections.abc import Iterator
from itertools import islice
from statistics import mean
from typing import Any

import numpy as np
from agreement import DATA, ROOT, read_lines

from bleu_nb import Bleu, __version__
from bleu_nb.scoring.counts import Counts
from bleu_nb.significance.intervals import Interval, delta_difference, ends_of
from bleu_nb.significance.tests import (
    draw_as_sacrebleu,
    draw_resamples,
    score_in_single,
    score_sums,
    sum_draws,
    units_of,
)

RECORD = ROOT / "benchmarks" / "interval_coverage.json"
POPULATIONS = {  # Low, middle and high BLEU: set, system, references
    "low": ("comparemt_ted/xx-ja", "sys2", "A"),
    "middle": ("wmt17/en-de", "LIUM-NMT.4900", ""),
    "high": ("wmt22/cs-en", "Online-W", "BC"),
}
PAIR = ("wmt17/en-de", "LIUM-NMT.4900", "online-B.0")
LINES = 25  # Of a block, in place of documents, whose ends the data does not tell
SEGMENTS = (5, 10, 20, 50, 100, 500, 3004)
RUNS = 10_000  # Test sets for the delta method
RESAMPLED_RUNS = 4_000  # For the methods that draw 1,000 resamples of each
LARGE = 1_000  # Segments from which on a quarter of the runs must do
TRIALS = 1_000
TOGETHER = 50  # Test sets that share one draw of resamples
SEED = 20_261_122


def count(name: str, system: str, letters: str) -> Counts:
    """What sacreBLEU's BLEU counts of a system of a set, against some of its references."""
    folder = DATA / name
    paths = [folder / f"ref.{each}.txt" for each in letters] or sorted(folder.glob("ref*.txt"))
    references = [list(group) for group in zip(*map(read_lines, paths), strict=True)]
    return Bleu().count(read_lines(folder / f"sys.{system}.txt"), references)


def draw_sets(counts: Counts, segments: int, runs: int) -> Iterator[Counts]:
    """Test sets of so many segments, drawn with replacement."""
    dice = np.random.Generator(np.random.PCG64([SEED, segments, len(counts)]))
    for _ in range(runs):
        yield counts.take(dice.integers(0, len(counts), segments).tolist())


Ends = list[tuple[float, float]]  # Of intervals


def share(ends: Ends, truth: float) -> dict[str, Any]:
    """How many hold the truth, with the standard error of a simulation so long."""
    covered = sum(low <= truth <= high for low, high in ends) / len(ends)
    return {
        "covered": round(covered, 4),
        "error": round(math.sqrt(covered * (1 - covered) / len(ends)), 4),
        "runs": len(ends),
    }


def sides(ends: Ends, truth: float) -> dict[str, float]:
    """How often the truth lies above an interval, which ends too early, and how often below."""
    return {
        "above": round(sum(high < truth for _, high in ends) / len(ends), 4),
        "below": round(sum(truth < low for low, _ in ends) / len(ends), 4),
    }


def on_logits(found: Interval) -> tuple[float, float]:
    """The ends that the same standard error has on the logit scale: never outside BLEU's."""
    score = (found.score or 0) / found.scale
    if not 0 < score < 1:
        return found.low, found.high
    middle, reach = math.log(score / (1 - score)), found.half_width / found.scale
    reach /= score * (1 - score)
    low, high = (found.scale / (1 + math.exp(-each)) for each in (middle - reach, middle + reach))
    return low, high


def cover_by_slopes(
    counts: Counts, truth: float, segments: int, runs: int
) -> dict[str, dict[str, Any]]:
    """How often the delta method holds the truth, on two scales, and how often it says no."""
    found = [each.interval() for each in draw_sets(counts, segments, runs)]
    reliable = sum(each is not None and each.reliable for each in found)
    never = (math.nan, math.nan)  # A score of 0 has no interval
    plain = [(each.low, each.high) if each else never for each in found]
    logit = [on_logits(each) if each else never for each in found]
    return {
        "delta": {
            **share(plain, truth), **sides(plain, truth),
            "unreliable": round(1 - reliable / runs, 4),
            "half_width": round(sum(each.half_width for each in found if each) / runs, 3),
        },
        "logit": {**share(logit, truth), **sides(logit, truth)},
    }  # fmt: skip


def cover_by_draws(
    counts: Counts, truth: float, segments: int, runs: int
) -> dict[str, dict[str, Any]]:
    """The same for percentiles and for sacreBLEU's interval; some test sets share a draw."""
    ends: dict[str, Ends] = {"percentile": [], "sacrebleu": []}
    sets = map(units_of, draw_sets(counts, segments, runs))
    for start in range(0, runs, TOGETHER):
        some = [*islice(sets, TOGETHER)]
        for name, draw in (("percentile", draw_resamples), ("sacrebleu", draw_as_sacrebleu)):
            sums = sum_draws(some, draw(SEED + start, TRIALS, segments))
            for units, drawn in zip(some, sums, strict=True):
                score = score_sums if name == "percentile" else score_in_single
                scores = sorted(score(units.dialect, drawn).tolist())
                low, high = ends_of(scores, 0.95)
                if name == "sacrebleu":
                    middle, half = mean(scores), 0.5 * (high - low)
                    low, high = middle - half, middle + half
                ends[name].append((low, high))
    return {name: share(each, truth) for name, each in ends.items()}


def measure(level: str, segments: int, runs: int, resampled: int) -> dict[str, Any]:
    """All methods on test sets of one size from one population."""
    counts = count(*POPULATIONS[level])
    truth, start = counts.score().value, time.perf_counter()
    cell = {
        "level": level, "set": POPULATIONS[level][0], "system": POPULATIONS[level][1],
        "bleu": round(truth, 2), "population": len(counts), "segments": segments,
        "matches": round(counts.pooled()[0].matches[-1] / len(counts) * segments, 1),
        "methods": {
            **cover_by_slopes(counts, truth, segments, runs),
            **cover_by_draws(counts, truth, segments, resampled),
        },
    }  # fmt: skip
    print(f"{time.perf_counter() - start:.0f} s", json.dumps(cell), flush=True)
    return cell


def measure_pair() -> dict[str, Any]:
    """Two systems on one set: the errors of scores and difference, by lines and by blocks."""
    name, first, second = PAIR
    one, other = count(name, first, ""), count(name, second, "")
    blocks = [place // LINES for place in range(len(one))]
    return {
        "set": name, "systems": [first, second], "segments": len(one),
        "scores": [each.score().value for each in (one, other)],
        **errors_of(one, other, None),
        "blocks": {"lines": LINES, **errors_of(one, other, blocks)},
    }  # fmt: skip


def errors_of(one: Counts, other: Counts, blocks: list[int] | None) -> dict[str, Any]:
    """Standard errors of two scores, and of their difference."""
    found = [
        one.interval(documents=blocks), other.interval(documents=blocks),
        delta_difference(one, other, groups=blocks),
    ]  # fmt: skip
    errors = [each.error for each in found if each]
    return {"errors": errors[:2], "error": errors[2]}


def main() -> None:
    """Measure all, and write it down."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=RUNS, help="test sets for the delta method")
    parser.add_argument(
        "--resampled", type=int, default=RESAMPLED_RUNS, help="test sets for the other methods"
    )
    options = parser.parse_args()
    record = {
        "command": "python benchmarks/interval_coverage.py",
        "package": f"bleu_nb {__version__}",
        "signature": "sacreBLEU's default; intervals of 95 %",
        "drawn": f"segments with replacement, numpy's PCG64, seed {SEED}; {TRIALS} resamples of "
        f"each test set, {TOGETHER} test sets on the same resamples",
        "pair": measure_pair(),
        "coverage": [
            measure(level, segments, options.runs // part, options.resampled // part)
            for level in POPULATIONS for segments in SEGMENTS
            for part in [4 if segments >= LARGE else 1]
        ],
    }  # fmt: skip
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
