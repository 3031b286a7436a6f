"""How fast are tests of differences? Beside sacreBLEU's, on the same statistics, as ratios.

    python benchmarks/significance.py           # systems of WMT 2017, where they are there
    python benchmarks/significance.py --quick   # generated text, few draws: does it work?

First without counting: sacreBLEU is handed the statistics that it counted before, and ours are
counts. Then whole commands are timed, each in a process of its own. Each round runs everybody
once, one after the other; a ratio is of one round. Prints, and writes significance.json beside
this file; a quick run only where `--out` says.
"""

import argparse
import logging
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # Read when numpy is loaded

import numpy as np
from agreement import DATA, read_lines
from command import command, options_of, tell
from corpora import SEED, corpus, perturbed
from processes import python
from run import machine, say, versions
from timing import exponent, interleaved, ratios, spread

from bleu_nb import Bleu
from bleu_nb.scoring.counts import Counts
from bleu_nb.significance.compare import summarize
from bleu_nb.significance.tests import TESTS, Plan, Sample, Units, differ, draw_samples, units_of

RECORD = Path(__file__).with_name("significance.json")
DRAWS = 12345  # Seed of all draws, as sacreBLEU has it
SET = "wmt17/en-de"
FIRST = ["LIUM-NMT.4900", "online-A.0", "online-B.0", "online-F.0", "online-G.0"]
MEMORY = """
import sys
import numpy as np
from bleu_nb import Bleu
from bleu_nb.significance.tests import Units
from bleu_nb.significance.tests import TESTS, Plan, differ, draw_samples
def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) // 1024
segments, trials = map(int, sys.argv[1:])
source, dialect = np.random.default_rng(1), Bleu().dialect
totals = source.integers(4, 40, (segments, 1)) - np.arange(4)
systems = [Units(dialect, np.hstack([source.integers(0, totals + 1), totals, totals[:, :1],
                                     totals[:, :1] + 1])) for _ in range(2)]
start = peak()
plan = Plan(TESTS["sacrebleu-bs"], trials, 12345, 0.95, segments)
differ(*draw_samples({name: [each] for name, each in zip("AB", systems)}, plan))
print(start, peak())
"""
COMMAND_MEMORY = """
import sys
from bleu_nb.cli.command import main
status = main(sys.argv[1:])
with open("/proc/self/status") as file:
    peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) // 1024
sys.stdout.write(f"\\n{peak}\\n")
sys.exit(status)
"""
METHOD = {
    "timed": (
        "Timed are the draws, the sums, the scores and p, from counted statistics. sacreBLEU's "
        "`PairedTest` gets its own statistics from a store instead of counting."
    ),
    "threads": "One each: sacreBLEU has no more, and numpy's products get one as well.",
    "times_faster": (
        "By CPU time, which others on the machine disturb less than the clock; by the clock "
        "likewise in `times_faster_by_the_clock`."
    ),
    "collector": "Python's garbage collector is off during a call and runs before it.",
    "commands": (
        "`bleu-nb compare --test sacrebleu-bs` and `-ar` beside `sacrebleu --paired-bs` and "
        "`--paired-ar`: start, reading, counting, draws and output, by the usual number of "
        "threads. Bytecode of both is compiled before."
    ),
    "checked": "Scores, p, means and half-widths of both are compared before they are timed.",
    "memory": (
        "Peak of a new process that resamples two systems; `before` is with the statistics in "
        "memory. `sacrebleu_would_hold` are its indices and gathered rows of one system. "
        "`command_peak` is of all of `bleu-nb compare --test sacrebleu-bs`, text included."
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    options = parsed(arguments)
    names, systems, references = texts(options)
    metric = Bleu()
    say(f"{len(systems)} systems, {len(references):,} segments")
    counts = [metric.count(each, [[line] for line in references]) for each in systems]
    stored = statistics(systems[:5], references)
    report: dict[str, Any] = {
        "machine": machine(), "python": platform.python_version(), "versions": versions([])
        | {"sacrebleu": stored["version"]}, "data": names[0], "systems": names[1:],
        "segments": len(references), "rounds": options.rounds, "method": METHOD,
    }  # fmt: skip
    calls = contests(counts, stored, options)
    for name, (ours, theirs) in calls.items():
        same = [tuple(map(float, filter(None, row))) for row in ours()] == [
            tuple(map(float, filter(None, row))) for row in theirs()
        ]
        if not same:
            raise SystemExit(f"not stored, because results differ from sacreBLEU's: {name}")
        report.setdefault("equal", {})[name] = same
    report["rows"] = [measured(name, *both, options.rounds) for name, both in calls.items()]
    report["alone"] = alone(counts, options)
    report["scaling"] = scaling(counts[:2], options)
    report["commands"] = commands(systems[:5], references, options)
    report["memory"] = memory(*options.memory) | command_memory(
        systems[:2], references, *options.memory
    )
    return tell(report, options.out, as_text(report))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with defaults that depend on `--quick`."""
    parser = command(__doc__, RECORD, "generated text and few draws")
    options = options_of(parser, arguments, RECORD, 5)
    quick = options.quick
    options.draws = (20, 40) if quick else (1_000, 10_000)
    options.sizes = (50, 100) if quick else (3_000, 12_000, 48_000)
    options.memory = (1_000, 50) if quick else (100_000, 1_000)
    return options


def texts(options: argparse.Namespace) -> tuple[list[str], list[list[str]], list[str]]:
    """Names (of the data, then of the systems), the systems' lines, and the references."""
    folder = DATA / SET
    if options.quick or not folder.exists():
        whole = corpus("generated", 60 if options.quick else 3_004, 1)
        draws = [Random(f"{SEED} system {k}") for k in range(6 if options.quick else 16)]
        systems = [[perturbed(line, draw) for line in whole.candidates] for draw in draws]
        return ["generated", *map(str, range(len(draws)))], systems, whole.sides[1]

    found = sorted(path.name[4:-4] for path in folder.glob("sys.*.txt"))
    names = [*FIRST, *(name for name in found if name not in FIRST)]
    return (
        [f"WMT {SET}", *names],
        [read_lines(folder / f"sys.{name}.txt") for name in names],
        read_lines(folder / "ref.A.txt"),
    )


def statistics(systems: list[list[str]], references: list[str]) -> dict[str, Any]:
    """sacreBLEU's statistics of every system, and its metric, which looks them up."""
    import sacrebleu

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    metric = sacrebleu.BLEU(force=True)
    stored = {id(each): metric._extract_corpus_statistics(each, [references]) for each in systems}
    metric._extract_corpus_statistics = lambda lines, _: stored[id(lines)]
    return {"systems": systems, "references": references, "metric": metric,
            "version": sacrebleu.__version__}  # fmt: skip


def by_sacrebleu(stored: dict[str, Any], number: int, kind: str, trials: int) -> list[Any]:
    """Score, p, mean and half-width of each system, as sacreBLEU finds them."""
    from sacrebleu.significance import PairedTest

    named = [(str(k), each) for k, each in enumerate(stored["systems"][:number])]
    found = PairedTest(
        named, {"BLEU": stored["metric"]}, [stored["references"]], kind, n_samples=trials
    )()
    return [(each.score, each.p_value, each.mean, each.ci) for each in found[1]["BLEU"]]


def by_us(counts: Sequence[Counts], test: str, trials: int) -> list[Any]:
    """The same, from counts."""
    found = try_units([units_of(each) for each in counts], test, trials)
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


Contest = tuple[Callable[[], list[Any]], Callable[[], list[Any]]]


def contests(
    counts: list[Counts], stored: dict[str, Any], options: argparse.Namespace
) -> dict[str, Contest]:
    """What is timed: ours, then theirs."""
    few, many = options.draws
    wanted = {
        f"paired bootstrap, 2 systems, {few:,} resamples": (2, "bs", few),
        f"randomisation, 5 systems, {many:,} swaps": (5, "ar", many),
    }
    return {
        name: (
            lambda n=n, kind=kind, trials=trials: by_us(counts[:n], f"sacrebleu-{kind}", trials),
            lambda n=n, kind=kind, trials=trials: by_sacrebleu(stored, n, kind, trials),
        )
        for name, (n, kind, trials) in wanted.items()
    }


def measured(name: str, ours: Any, theirs: Any, rounds: int) -> dict[str, Any]:
    """Seconds of both, and how many times faster we are."""
    say(name)
    times = interleaved({"ours": ours, "sacrebleu": theirs}, rounds)
    return {
        "name": name,
        "seconds": {who: spread(each.wall) for who, each in times.items()},
        "cpu_seconds": {who: spread(each.cpu) for who, each in times.items()},
        "times_faster": ratios(times["sacrebleu"].cpu, times["ours"].cpu),
        "times_faster_by_the_clock": ratios(times["sacrebleu"].wall, times["ours"].wall),
    }


def alone(counts: list[Counts], options: argparse.Namespace) -> list[dict[str, Any]]:
    """What sacreBLEU has nothing beside: our own tests, and all pairs."""
    few, many = options.draws
    systems = [units_of(each) for each in counts]
    pairs = len(systems) * (len(systems) - 1) // 2
    calls: dict[str, Callable[[], Any]] = {
        f"our bootstrap, 2 systems, {few:,} resamples": lambda: try_units(
            systems[:2], "bootstrap", few
        ),
        f"our randomisation, 5 systems, {many:,} swaps": lambda: try_units(
            systems[:5], "randomization", many
        ),
        f"{pairs} pairs, {many:,} swaps": lambda: all_pairs(systems, many),
    }
    times = interleaved(calls, options.rounds, say)
    return [{"name": name, "seconds": spread(each.wall), "cpu_seconds": spread(each.cpu)}
            for name, each in times.items()]  # fmt: skip


def all_pairs(systems: list[Units], trials: int) -> list[float]:
    """p of each system against each other, by one draw for all."""
    samples = sample_units(systems, "randomization", trials)
    p_value: Any = TESTS["randomization"].p_value
    return [p_value(*differ(one, other)) for one, other in combinations(samples, 2)]


def scaling(counts: list[Counts], options: argparse.Namespace) -> list[dict[str, Any]]:
    """The power of segments and of trials that time grows with; 1 is linear."""
    few = options.draws[0]
    units = [units_of(each) for each in counts]

    def repeated(size: int) -> list[Units]:
        return [Units(each.dialect, np.resize(each.columns, (size, each.columns.shape[1])))
                for each in units]  # fmt: skip

    rows = []
    for test in ("randomization", "bootstrap", "sacrebleu-bs"):
        by = {
            "segments": [(size, (repeated(size), test, few)) for size in options.sizes],
            "trials": [(k * few, (repeated(options.sizes[0]), test, k * few)) for k in (1, 4, 16)],
        }
        for what, calls in by.items():
            times = interleaved(
                {str(size): lambda call=call: try_units(*call) for size, call in calls},
                options.rounds,
            )
            seconds = [min(each.cpu) for each in times.values()]
            rows.append({
                "test": test, "grows": what, "sizes": [size for size, _ in calls],
                "cpu_seconds": seconds, "exponent": exponent([size for size, _ in calls], seconds),
            })  # fmt: skip
    return rows


def memory(segments: int, trials: int) -> dict[str, Any]:
    """The most that a new process held, in MiB; Linux only."""
    if not Path("/proc/self/status").exists():
        return {}
    before, peak = map(int, python(MEMORY, str(segments), str(trials))[1].split())
    gathered = trials * segments * (8 + 40) / 2**20
    return {"segments": segments, "trials": trials, "systems": 2, "before_mebibytes": before,
            "peak_mebibytes": peak, "sacrebleu_would_hold_mebibytes": round(gathered)}  # fmt: skip


def write_lines(folder: Path, systems: list[list[str]], references: list[str]) -> list[str]:
    """Files of the systems, then of the references."""
    paths = []
    for place, lines in enumerate([*systems, references]):
        paths.append(folder / f"{place}.txt")
        paths[-1].write_bytes("".join(f"{line}\n" for line in lines).encode())
    return [*map(str, paths)]


def commands(
    systems: list[list[str]], references: list[str], options: argparse.Namespace
) -> list[dict[str, Any]]:
    """Whole commands of both, for both of sacreBLEU's tests."""
    rows = []
    with TemporaryDirectory() as folder:
        *files, human = write_lines(Path(folder), systems, references)
        for kind, trials in zip(("bs", "ar"), map(str, options.draws), strict=True):
            rows.append(commanded(f"--paired-{kind}, {len(files)} systems", {
                "ours": ["bleu_nb", "compare", *files, "--ref", human,
                         "--test", f"sacrebleu-{kind}", "--trials", trials],
                "sacrebleu": ["sacrebleu", human, "-i", *files, f"--paired-{kind}",
                              f"--paired-{kind}-n", trials],
            }, options.rounds))  # fmt: skip
    return rows


def commanded(name: str, both: dict[str, list[str]], rounds: int) -> dict[str, Any]:
    """Seconds of two commands in turns, and how many times faster we are."""
    say(name)
    seconds: dict[str, dict[str, list[float]]] = {
        kind: {who: [] for who in both} for kind in ("wall", "cpu")
    }
    for number in range(1 + rounds):
        for who, arguments in both.items():
            wall, cpu = timed_command(arguments)
            if number:  # The first run compiles what is not compiled yet
                seconds["wall"][who].append(wall)
                seconds["cpu"][who].append(cpu)
    faster = {kind: ratios(each["sacrebleu"], each["ours"])
              for kind, each in seconds.items() if min(each["ours"])}  # fmt: skip
    return {
        "name": name,
        "seconds": {who: spread(each) for who, each in seconds["wall"].items()},
        "cpu_seconds": {who: spread(each) for who, each in seconds["cpu"].items()},
        "times_faster": faster.get("cpu"),
        "times_faster_by_the_clock": faster["wall"],
    }


def timed_command(arguments: list[str]) -> tuple[float, float]:
    """Seconds by the clock and of CPU (0 where children's are not known) of `python -m` ..."""
    environment = {name: value for name, value in os.environ.items()
                   if name not in ("PYTHONDONTWRITEBYTECODE", "OPENBLAS_NUM_THREADS")}  # fmt: skip
    before, start = os.times(), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", *arguments], env=environment, capture_output=True, check=True
    )
    wall, after = time.perf_counter() - start, os.times()
    return wall, (after.children_user - before.children_user
                  + after.children_system - before.children_system)  # fmt: skip


def command_memory(
    systems: list[list[str]], references: list[str], segments: int, trials: int
) -> dict[str, Any]:
    """The most that `bleu-nb compare` holds, in MiB, for text of so many lines; Linux only."""
    if not Path("/proc/self/status").exists():
        return {}
    with TemporaryDirectory() as folder:
        *files, human = write_lines(Path(folder), *(
            [[*np.resize(np.array(each, object), segments)] for each in systems],
            [*np.resize(np.array(references, object), segments)]))  # fmt: skip
        _, told, _ = python(COMMAND_MEMORY, "compare", *files, "--ref", human, "--test",
                            "sacrebleu-bs", "--trials", str(trials))  # fmt: skip
    return {"command_peak_mebibytes": int(told.split()[-1])}


def as_text(report: dict[str, Any]) -> str:
    """Everything, a line each."""
    lines = [f"{report['data']}, {report['segments']:,} segments, {report['rounds']} rounds"]
    for row in report["rows"]:
        ours, theirs, faster = (
            row["cpu_seconds"]["ours"],
            row["cpu_seconds"]["sacrebleu"],
            row["times_faster"],
        )
        lines.append(
            f"{row['name']}: {ours['median']:.3f} s, sacreBLEU {theirs['median']:.2f} s, "
            f"{faster['median']:.1f} times ({faster['low']:.1f} to {faster['high']:.1f}), "
            f"equal: {report['equal'][row['name']]}"
        )
    for row in report["commands"]:
        ours, theirs = row["seconds"]["ours"], row["seconds"]["sacrebleu"]
        faster, clock = row["times_faster"], row["times_faster_by_the_clock"]
        lines.append(
            f"whole command, {row['name']}: {ours['median']:.2f} s, sacreBLEU "
            f"{theirs['median']:.2f} s, {clock['median']:.1f} times ({clock['low']:.1f} to "
            f"{clock['high']:.1f}) by the clock"
            + (f", {faster['median']:.1f} times by CPU time" if faster else "")
        )
    lines += [f"{row['name']}: {row['seconds']['median']:.3f} s" for row in report["alone"]]
    lines += [f"{row['test']} by {row['grows']}: power {row['exponent']:.2f}"
              for row in report["scaling"]]  # fmt: skip
    return "\n".join([*lines, f"memory: {report['memory']}", ""])


if __name__ == "__main__":
    sys.exit(main())
