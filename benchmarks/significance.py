"""How fast are tests, how often do they reject a true null, and do intervals hold the truth?"""

import logging
import math
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from itertools import combinations, islice
from pathlib import Path
from random import Random
from statistics import mean
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from corpora import SEED, WMT, corpus, lines, perturbed
from measuring import Call, Row, Tables, Times, bleu_nb, interleaved, process, ratios, say, spread

from bleu_nb import Bleu
from bleu_nb.derivation.bleu import BleuStats
from bleu_nb.scoring.counts import Counts
from bleu_nb.significance.compare import p_normal, summarize
from bleu_nb.significance.intervals import (
    Interval,
    delta_difference,
    ends_of,
    slopes_of,
    standard_error,
)
from bleu_nb.significance.tests import (
    TESTS,
    Plan,
    Sample,
    Units,
    count_draws,
    differ,
    draw_as_sacrebleu,
    draw_resamples,
    draw_samples,
    draw_swaps,
    score_in_single,
    score_sums,
    sum_draws,
    units_of,
)

SET = "wmt17/en-de"
FIRST = ["LIUM-NMT.4900", "online-A.0", "online-B.0", "online-F.0", "online-G.0"]
DRAWS = 12345  # Seed of all draws, as sacreBLEU has it
PAIRS = {  # Of calibration: two systems for each null
    "swapped": ("LIUM-NMT.4900", "online-B.0"),
    "equal": ("PROMT-Rule-based.4735", "online-G.0"),
}
SIZES, TRIALS = (3004, 500, 100, 20, 12, 8), 999  # 999: p can be .05 and .01 exactly
LEVELS = (0.05, 0.01)
NULL_SEED = 20260101
POPULATIONS = {  # Of coverage: low, middle and high BLEU: set, system, references
    "low": ("comparemt_ted/xx-ja", "sys2", "A"),
    "middle": (SET, "LIUM-NMT.4900", ""),
    "high": ("wmt22/cs-en", "Online-W", "BC"),
}
PAIR = (SET, "LIUM-NMT.4900", "online-B.0")
LINES = 25  # Of a block, in place of documents, whose ends the data does not tell
SEGMENTS = (5, 10, 20, 50, 100, 500, 3004)
RESAMPLED = 0.4  # Of the runs, for the methods that draw 1,000 resamples of each
LARGE = 1_000  # Segments from which on a quarter of the runs must do
RESAMPLES, TOGETHER = 1_000, 50  # Of each test set; test sets that share one draw of them
DRAWN_SEED = 20_261_122


def significance(options: Namespace) -> Tables:
    """Paired tests of systems of WMT 2017 (wmt17/en-de), 3,004 segments, beside sacreBLEU's.

    Timed are the draws, the sums, the scores and p, from counted statistics; sacreBLEU's
    `PairedTest` gets its own statistics from a store instead of counting. One thread each:
    sacreBLEU has no more, and numpy's products get one as well. The whole commands are `bleu-nb
    compare --test sacrebleu-bs` and `-ar` beside `sacrebleu --paired-bs` and `--paired-ar`: start,
    reading, counting, draws and output, by the usual number of threads; bytecode of both is
    compiled before. Scores, p, means and half-widths of both are compared before they are timed.
    How many times faster is told by CPU time, which others on the machine disturb less than the
    clock, and by the clock. The last rows stand beside nothing: sacreBLEU has no such tests.
    """
    few, many = (20, 40) if options.quick else (1_000, 10_000)
    systems, references = texts(options)
    counts = [Bleu().count(each, [[line] for line in references]) for each in systems]
    units, stored = [*map(units_of, counts)], Statistics(systems[:5], references)
    rows = []
    for name, number, kind, trials in (
        (f"paired bootstrap, 2 systems, {few:,} resamples", 2, "bs", few),
        (f"randomisation, 5 systems, {many:,} swaps", 5, "ar", many),
    ):
        calls: dict[str, Call] = {
            "ours": lambda n=number, kind=kind, trials=trials: by_us(
                units[:n], f"sacrebleu-{kind}", trials),
            "sacreBLEU": lambda n=number, kind=kind, trials=trials: stored.test(n, kind, trials)}
        ours, theirs = ([[*filter(None, map(float, filter(None, row)))] for row in call()]
                        for call in calls.values())
        if ours != theirs:
            raise SystemExit(f"not stored, because results differ from sacreBLEU's: {name}")
        rows.append(both(name, interleaved(calls, options.rounds)))
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{place}.txt" for place in range(6)]
        for path, text in zip(paths, [*systems[:5], references], strict=True):
            path.write_bytes("".join(f"{line}\n" for line in text).encode())
        *files, human = map(str, paths)
        for kind, trials in (("bs", few), ("ar", many)):
            commands = {
                "ours": bleu_nb("compare", *files, "--ref", human, "--test", f"sacrebleu-{kind}",
                                "--trials", trials),
                "sacreBLEU": process(sys.executable, "-m", "sacrebleu", human, "-i", *files,
                                     f"--paired-{kind}", f"--paired-{kind}-n", str(trials))}
            interleaved(commands, 1)  # Compiles what is not compiled yet
            rows.append(both(f"whole command, --paired-{kind}, {len(files)} systems",
                             interleaved(commands, options.rounds)))
    pairs = len(systems) * (len(systems) - 1) // 2
    alone = interleaved({
        f"our bootstrap, 2 systems, {few:,} resamples": lambda: try_units(
            units[:2], "bootstrap", few),
        f"our randomisation, 5 systems, {many:,} swaps": lambda: try_units(
            units[:5], "randomization", many),
        f"{pairs} pairs, {many:,} swaps": lambda: all_pairs(units, many),
    }, options.rounds)
    rows += [{"what": name, "s of CPU, ours": spread(each.cpu), "s, ours": spread(each.wall)}
             for name, each in alone.items()]
    return {"Tests": rows}


def both(name: str, times: dict[str, Times]) -> Row:
    """Seconds of both, and how many times faster we are."""
    ours, theirs = times.values()
    return {
        "what": name,
        **{f"s of CPU, {who}": spread(each.cpu) for who, each in times.items()},
        **{f"s, {who}": spread(each.wall) for who, each in times.items()},
        "times faster": ratios(theirs.cpu, ours.cpu),
        "by the clock": ratios(theirs.wall, ours.wall),
    }


def texts(options: Namespace) -> tuple[list[list[str]], list[str]]:
    """The systems' lines, and the references."""
    if options.data == "generated":
        whole = corpus("generated", 60 if options.quick else 3_004, 1)
        draws = [Random(f"{SEED} system {k}") for k in range(6 if options.quick else 16)]
        systems = [[perturbed(line, draw) for line in whole.candidates] for draw in draws]
        return systems, whole.sides[1]
    found = sorted(path.name[4:-4] for path in (WMT / SET).glob("sys.*.txt"))
    names = [*FIRST, *(name for name in found if name not in FIRST)]
    return [lines(WMT / SET / f"sys.{name}.txt") for name in names], lines(WMT / SET / "ref.A.txt")


class Statistics:
    """sacreBLEU's statistics of every system, and its metric, which looks them up."""

    def __init__(self, systems: list[list[str]], references: list[str]) -> None:
        import sacrebleu

        logging.getLogger("sacrebleu").setLevel(logging.ERROR)
        self.systems, self.references = systems, references
        self.metric = sacrebleu.BLEU(force=True)
        count = self.metric._extract_corpus_statistics
        stored = {id(each): count(each, [references]) for each in systems}
        self.metric._extract_corpus_statistics = lambda lines, _: stored[id(lines)]

    def test(self, number: int, kind: str, trials: int) -> list[Any]:
        """Score, p, mean and half-width of each system, as sacreBLEU finds them."""
        from sacrebleu.significance import PairedTest

        named = [(str(k), each) for k, each in enumerate(self.systems[:number])]
        test = PairedTest(named, {"BLEU": self.metric}, [self.references], kind, n_samples=trials)
        return [(each.score, each.p_value, each.mean, each.ci) for each in test()[1]["BLEU"]]


def by_us(units: Sequence[Units], test: str, trials: int) -> list[Any]:
    """The same, from counts."""
    found = try_units(units, test, trials)
    return [(each.value, p, *summarize(each.scores, 0.95)) for each, p in found]


def sample_units(systems: Sequence[Units], test: str, trials: int) -> list[Sample]:
    """The systems in the draws of a test."""
    plan = Plan(TESTS[test], trials, DRAWS, 0.95, len(systems[0]))
    return draw_samples({str(k): [each] for k, each in enumerate(systems)}, plan)


def try_units(
    systems: Sequence[Units], test: str, trials: int
) -> list[tuple[Sample, float | None]]:
    """Every system beside the first, with its p."""
    base, *others = sample_units(systems, test, trials)
    p_value: Any = TESTS[test].p_value
    return [(base, None), *((each, p_value(*differ(base, each))) for each in others)]


def all_pairs(systems: list[Units], trials: int) -> list[float]:
    """p of each system against each other, by one draw for all."""
    samples = sample_units(systems, "randomization", trials)
    p_value: Any = TESTS["randomization"].p_value
    return [p_value(*differ(one, other)) for one, other in combinations(samples, 2)]


def calibration(options: Namespace) -> Tables:
    """How often does each test of two systems reject, where there is nothing to find? Chapter 5.3
    shows it.

    Samples of segments are drawn, with replacement, from two populations in which the null is
    true. Swapped: two systems of one evaluation set (wmt17/en-de), each segment's outputs swapped
    by a fair coin. This is the null that randomisation is made for. Equal: two other systems, not
    swapped. A segment is drawn with a probability that leans a little (the tilt) to those on which
    the worse system does well, so that the BLEU of the two is the same in the population. The
    systems stay as different as they are. In every run all tests see the same sample, 999 trials
    each; those that swap share their swaps, and those that draw segments again share these draws.
    Every run has draws of its own. (So `sacrebleu-bs` has the draws and the double precision of
    the others here; its formula for p is its own. `multeval` has one run.) Told is how many runs
    were rejected.
    """
    options.text = f"WMT {SET}, seed {NULL_SEED}"
    pairs = {null: pair_of(*names) for null, names in PAIRS.items()}
    tilt, weights = tilted(*pairs["equal"])
    chances = {"swapped": np.full(len(weights), 1 / len(weights)), "equal": weights}
    return {
        "Populations": [
            {"null": null, "systems": ", ".join(PAIRS[null]),
             "tilt": tilt if null == "equal" else None,
             **{f"BLEU {place}": population_bleu(each, chances[null])
                for place, each in enumerate(pair, 1)}} for null, pair in pairs.items()],
        "Rejected": [row for size in ([100] if options.quick else SIZES)
                     for row in simulate(pairs, chances, size, options.rounds)],
    }


def pair_of(*names: str) -> list[Units]:
    """The segments of two systems, counted as sacreBLEU counts."""
    return [units_of(count(SET, name, "A")) for name in names]


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
    pairs: dict[str, list[Units]], chances: dict[str, Any], size: int, runs: int
) -> list[Row]:
    """All runs of one size, under both nulls."""
    rejected: dict[tuple[str, str], list[int]] = {}
    bounds = {null: np.cumsum(each) for null, each in chances.items()}
    for run in range(runs):
        source = np.random.Generator(np.random.PCG64([NULL_SEED, size, run]))
        samples = {null: sample(pair, bounds[null], size, null == "swapped", source)
                   for null, pair in pairs.items()}  # fmt: skip
        for null, found in p_values(samples, size, source).items():
            for name, p in found.items():
                counts = rejected.setdefault((null, name), [0] * len(LEVELS))
                rejected[null, name] = [n + (p <= level)
                                        for n, level in zip(counts, LEVELS, strict=True)]
    return [{"null": null, "segments": size, "runs": runs, "test": name,
             **{f"p ≤ {level}": int(n) for level, n in zip(LEVELS, counts, strict=True)}}
            for (null, name), counts in rejected.items()]


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


def coverage(options: Namespace) -> Tables:
    """How often an interval holds the true score, where the truth is known. Chapter 5.2 shows it.

    The segments of a real evaluation set are taken for the whole language, test sets are drawn
    from them with replacement (numpy's PCG64, seed 20261122), and intervals of 95 % counted that
    hold the score of the whole, and the sides of the others. For percentiles and sacreBLEU's
    interval there are 1,000 resamples of each test set, 50 test sets on the same resamples. BLEU
    is sacreBLEU's default.
    """
    options.text = f"WMT, seed {DRAWN_SEED}"
    return {"Two systems": pair_rows(), "Coverage": [
        row for level in POPULATIONS for size in ([20] if options.quick else SEGMENTS)
        for row in covered(level, size, options.rounds // (4 if size >= LARGE else 1))]}


def count(name: str, system: str, letters: str) -> Counts:
    """What sacreBLEU's BLEU counts of a system of a set, against some of its references."""
    folder = WMT / name
    paths = [folder / f"ref.{each}.txt" for each in letters] or sorted(folder.glob("ref*.txt"))
    references = [list(group) for group in zip(*map(lines, paths), strict=True)]
    return Bleu().count(lines(folder / f"sys.{system}.txt"), references)


def draw_sets(counts: Counts, segments: int, runs: int) -> Iterator[Counts]:
    """Test sets of so many segments, drawn with replacement."""
    dice = np.random.Generator(np.random.PCG64([DRAWN_SEED, segments, len(counts)]))
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
            sums = sum_draws(some, draw(DRAWN_SEED + start, RESAMPLES, segments))
            for units, drawn in zip(some, sums, strict=True):
                score = score_sums if name == "percentile" else score_in_single
                scores = sorted(score(units.dialect, drawn).tolist())
                low, high = ends_of(scores, 0.95)
                if name == "sacrebleu":
                    middle, half = mean(scores), 0.5 * (high - low)
                    low, high = middle - half, middle + half
                ends[name].append((low, high))
    return {name: share(each, truth) for name, each in ends.items()}


def covered(level: str, segments: int, runs: int) -> list[Row]:
    """All methods on test sets of one size from one population."""
    name, system, letters = POPULATIONS[level]
    counts = count(name, system, letters)
    truth, matches = counts.score().value, counts.pooled()[0].matches[-1]
    say(f"{level}, {segments:,} segments")
    methods = {**cover_by_slopes(counts, truth, segments, runs),
               **cover_by_draws(counts, truth, segments, round(RESAMPLED * runs))}
    return [{"level": level, "set": name, "system": system, "bleu": round(truth, 2),
             "population": len(counts), "segments": segments,
             "matches": round(matches / len(counts) * segments, 1), "method": method, **found}
            for method, found in methods.items()]


def pair_rows() -> list[Row]:
    """Two systems on one set: the errors of scores and difference, by lines and by blocks."""
    name, *systems = PAIR
    one, other = (count(name, system, "") for system in systems)
    rows = []
    for lines_of_block in (1, LINES):
        blocks = [place // LINES for place in range(len(one))] if lines_of_block > 1 else None
        found = [one.interval(documents=blocks), other.interval(documents=blocks),
                 delta_difference(one, other, groups=blocks)]
        values = [one.score().value, other.score().value]
        rows += [{"what": what, "lines of a block": lines_of_block, "score": value,
                  "standard error": each.error} for what, value, each in zip(
                      [*systems, "difference"], [*values, values[1] - values[0]], found,
                      strict=True) if each]
    return rows
