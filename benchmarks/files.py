"""How long do whole commands take? Files in, a score out, beside `wc -w` of the same files.

    python benchmarks/files.py            # 3,000, 100,000 and 1,000,000 segments: some minutes
    python benchmarks/files.py --giant    # and the memory that two files of 3 GB each need
    python benchmarks/files.py --quick    # the same on little text, to see that it works

Prints tables, and writes files.json beside this file; a quick run only where `--out` says.
"""

import argparse
import gzip
import os
import platform
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import cycle, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from command import add_data, command, options_of, tell
from corpora import DATA, SEED, Segment, lines
from processes import first_numba_score, peak_of
from run import agree_in_print, machine, say, versions
from tables import files_grids, in_text
from timing import Times, interleaved, ratios, spread

RECORD = Path(__file__).resolve().parent / "files.json"
SIZES, QUICK_SIZES = (3_000, 100_000, 1_000_000), (20, 40, 80)
IDENTIFYING = 3  # Rounds of `identify` are enough
GIANT, QUICK_GIANT = 3 * 10**9, 10**6  # Bytes of each file, at least
COMMAND = [sys.executable, "-m", "bleu_nb"]
WITHOUT_NUMBA = [
    sys.executable,
    "-c",
    "import sys; sys.modules['numba'] = None\nfrom bleu_nb.cli.command import main\n"
    "sys.exit(main())",
]
METHOD = {
    "timed": "Timed are whole processes, from start to exit; the files are in the page cache.",
    "text": (
        "All systems into English of all evaluation sets, distinct lines shuffled, one reference; "
        "again from the start where they are too few. Made-up sentences where the sets are absent."
    ),
    "wc": "`LC_ALL=C.UTF-8 wc -w` of both files in one process.",
    "gz": "`zcat` of both files, packed by gzip, in one process; `score` of the packed files, and "
    "of the plain ones, by the engine that it chooses.",
    "numpy": "By numpy alone: `--engine numpy`; `identify` in a process that finds no numba.",
    "numba": "numba's compiled code is kept from before.",
    "checked": "Every engine must print the same score before a time is stored.",
    "load": "The load of the machine in the last minute, before and after each process.",
    "memory": "The most memory that a process held (VmHWM), with what it maps of its libraries.",
}
Calls = dict[str, Callable[[], Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    options = parsed(arguments)
    base = DATA[options.data](SEED)
    report: dict[str, Any] = {
        "machine": machine(),
        "python": platform.python_version(),
        "versions": versions([]),
        "data": {"name": options.data, "seed": SEED, "segments": len(base)},
        "method": {"rounds": options.rounds, "identify": options.identifying, **METHOD},
        "sizes": options.sizes,
        "rows": [],
        "memory": [],
        "numba": {},
        "absent": [],
    }
    with TemporaryDirectory() as folder:
        small, middle, large = (
            write_pair(Path(folder), base, size, str(size)) for size in options.sizes
        )
        there = has_numba(small, report)
        for size, paths in zip(options.sizes[::-1], (large, middle), strict=False):
            for engine in ["numpy", *["numba"] * there]:
                report["memory"].append(memory_row(paths, size, engine))
        for size, calls, rounds in (
            (options.sizes[2], on_large(large, there, report), options.rounds),
            (options.sizes[1], on_middle(middle, there), options.rounds),
            (options.sizes[0], on_small(small), options.rounds),
            (options.sizes[0], identifying(small, there), options.identifying),
        ):
            report["rows"] += timed(calls, rounds, size)
        if there and not options.quick:
            report["numba"] = first_numba_score()
        if options.giant:
            paths, size = repeated(large, options.sizes[2], options.giant)
            report["memory"].insert(0, memory_row(paths, size, "numba" if there else "numpy"))
    report["targets"] = targets(report)
    return tell(report, options.out, in_text(report, files_grids(report)))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with defaults that depend on `--quick`."""
    parser = command(__doc__, RECORD)
    add_data(parser)
    parser.add_argument("--giant", action="store_true",
                        help="also the memory for two files of 3 GB each")
    options = options_of(parser, arguments, RECORD, 5)
    quick = options.quick
    options.sizes = QUICK_SIZES if quick else SIZES
    options.identifying = min(IDENTIFYING, options.rounds)
    options.giant = (QUICK_GIANT if quick else GIANT) * options.giant
    return options


def write_pair(folder: Path, base: list[Segment], number: int, name: str) -> list[Path]:
    """A file of candidates and one of their first references."""
    paths = [folder / f"{name}.candidates", folder / f"{name}.references"]
    rows = list(islice(cycle(base), number))
    sides = [one for one, _ in rows], [group[0] for _, group in rows]
    for path, side in zip(paths, sides, strict=True):
        path.write_bytes("\n".join([*side, ""]).encode())
    return paths


def repeated(paths: Sequence[Path], segments: int, least: int) -> tuple[list[Path], int]:
    """Files of so many bytes at least, made of these again and again, in a row."""
    times = -(-least // min(path.stat().st_size for path in paths))
    found = [path.with_suffix(f"{path.suffix}.giant") for path in paths]
    for path, giant in zip(paths, found, strict=True):
        piece = path.read_bytes()
        with giant.open("wb") as file:
            for _ in range(times):
                file.write(piece)
    return found, segments * times


def has_numba(paths: Sequence[Path], report: dict[str, Any]) -> bool:
    """Whether the compiled engine works here; its first run compiles."""
    done = subprocess.run(
        [*COMMAND, "score", *map(str, paths), "--engine", "numba"],
        capture_output=True, check=False, text=True,
    )  # fmt: skip
    if done.returncode:
        reason = done.stderr.strip().splitlines()[-1]
        report["absent"].append({"contender": "numba", "reason": reason})
    return not done.returncode


def process(command: Sequence[str], **environment: str) -> Callable[[], dict[str, Any]]:
    """A call that runs a command and tells what it printed and what it cost."""

    def call() -> dict[str, Any]:
        before, cpu = os.getloadavg()[0], children()
        done = subprocess.run(
            command, env={**os.environ, **environment}, capture_output=True, check=False, text=True
        )
        if done.returncode:
            raise RuntimeError(f"a process failed: {' '.join(command)}\n{done.stderr}")
        return {
            "printed": done.stdout,
            "cpu": children() - cpu,
            "load": [before, os.getloadavg()[0]],
        }

    return call


def children() -> float:
    """Seconds of CPU that all processes took that were started here and are over."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def score(paths: Sequence[Path], engine: str = "auto") -> Callable[[], dict[str, Any]]:
    """`bleu-nb score`, by an engine if one is named."""
    options = [] if engine == "auto" else ["--engine", engine]
    return process([*COMMAND, "score", *map(str, paths), *options])


def on_large(paths: Sequence[Path], numba: bool, report: dict[str, Any]) -> Calls:
    """The largest files: counting their words, and scoring them."""
    calls: Calls = {}
    if shutil.which("wc"):
        calls["wc -w"] = process(["wc", "-w", *map(str, paths)], LC_ALL="C.UTF-8")
    else:
        report["absent"].append({"contender": "wc -w", "reason": "there is no such command"})
    if numba:
        calls["score, numba"] = score(paths, "numba")
    calls |= {"score, numpy": score(paths, "numpy"), "score": score(paths)}
    packed = [*map(gzipped, paths)]
    if shutil.which("zcat"):
        calls["zcat"] = process(["sh", "-c", 'zcat "$@" > /dev/null', "zcat", *map(str, packed)])
    else:
        report["absent"].append({"contender": "zcat", "reason": "there is no such command"})
    return {**calls, "score, .gz": score(packed)}


def gzipped(path: Path) -> Path:
    """The same file, packed."""
    packed = path.with_name(f"{path.name}.gz")
    packed.write_bytes(gzip.compress(path.read_bytes(), 6))
    return packed


def on_middle(paths: Sequence[Path], numba: bool) -> Calls:
    """Files where importing numba may or may not repay itself."""
    calls: Calls = {"score": score(paths), "score, numpy": score(paths, "numpy")}
    if numba:
        calls["score, numba"] = score(paths, "numba")
        calls["import numba"] = process([sys.executable, "-c", "import numba"])
    return calls


def on_small(paths: Sequence[Path]) -> Calls:
    """What should feel instant."""
    files = [*map(str, paths)]
    return {
        "python -c pass": process([sys.executable, "-c", "pass"]),
        "bleu-nb --help": process([*COMMAND, "--help"]),
        "dialects": process([*COMMAND, "dialects"]),
        "score": score(paths),
        "explain": process([*COMMAND, "explain", "--from", "nltk", "--to", "sacrebleu", *files]),
    }


def identifying(paths: Sequence[Path], numba: bool) -> Calls:
    """Every known setting, for a score that one of them gives."""
    reported = process([*COMMAND, "score", *map(str, paths), "--score-only"])()["printed"].strip()
    rest = ["identify", "--reported", reported, *map(str, paths)]
    calls: Calls = {"identify": process([*COMMAND, *rest])} if numba else {}
    return {**calls, "identify, numpy": process([*WITHOUT_NUMBA, *rest])}


def timed(calls: Calls, rounds: int, segments: int) -> list[dict[str, Any]]:
    """A row for each command on one pair of files."""
    times = interleaved(calls, rounds, lambda what: say(f"{segments:,} segments, {what}"))
    check(times)
    words = times.get("wc -w")
    return [
        {
            "segments": segments,
            "what": name,
            "seconds": spread(each.wall),
            "cpu_seconds": spread([result["cpu"] for result in each.results]),
            "ratio_to_wc": ratios(each.wall, words.wall) if words else None,
            "rounds": each.wall,
            "load": [result["load"] for result in each.results],
        }
        for name, each in times.items()
    ]


def check(times: Mapping[str, Times]) -> None:
    """Stop if two runs that score, or two that identify, printed something else."""
    for verb in ("score", "identify"):
        said = {
            name: {result["printed"] for result in each.results}
            for name, each in times.items()
            if name.startswith(verb)
        }
        if said and len(set.union(*said.values())) != 1:
            raise SystemExit(f"not stored, because commands print different scores: {said}")


def memory_row(paths: Sequence[Path], segments: int, engine: str) -> dict[str, Any]:
    """The most memory that scoring held; small files must have the score of the definition."""
    say(f"memory on {segments:,} segments: {engine}")
    row = {"segments": segments, "engine": engine, **peak_of(paths, "--engine", engine)}
    if segments <= QUICK_SIZES[-1]:
        from bleu_nb import corpus_bleu

        one, other = map(lines, paths)
        agree_in_print(row["printed"], corpus_bleu(one, [[x] for x in other]).value)
    return row


def targets(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What was aimed at, beside what was measured."""
    small, middle, large = report["sizes"]
    aims = [
        (large, "score, numba", "ratio_to_wc", 1.1),
        (large, "score, numpy", "ratio_to_wc", 3.5),
        (middle, "score", "seconds", 0.7),
        (small, "score", "seconds", 0.12),
        (small, "explain", "seconds", 0.2),
        (small, "identify, numpy", "seconds", 3.0),
        (small, "identify", "seconds", 2.0),
    ]
    rows = {(row["segments"], row["what"]): row for row in report["rows"]}
    return [
        {
            "segments": segments,
            "what": what,
            "measure": measure,
            "at_most": most,
            "median": found["median"],
            "met": found["median"] <= most,
        }
        for segments, what, measure, most in aims
        if (found := rows.get((segments, what), {}).get(measure))
    ]


if __name__ == "__main__":
    sys.exit(main())
