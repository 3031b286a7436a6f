"""How do the time and memory of commands grow with their files, from 1,000 to 10,000,000 segments?

    python benchmarks/growth.py                     # some fifteen minutes, and 4 GB of disk
    python benchmarks/growth.py --largest 100,000   # fewer sizes
    python benchmarks/growth.py --quick             # the same on little text, to see that it works
    python benchmarks/growth.py --draw              # the figure again, from what is stored

Prints a table, and writes growth.json and the figure growth.svg beside this file; a quick run only
where `--out` says.
"""

import argparse
import json
import math
import os
import platform
import shutil
import sys
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import cycle, islice, pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from command import add_data, command, options_of, tell, whole_number
from corpora import DATA, SEED, Segment, perturbed
from files import check, has_numba, repeated
from processes import run_command
from run import machine, say, versions
from tables import growth_grids, in_text
from timing import Times, exponent, interleaved, spread

from bleu_nb.display.charts import (
    Axes,
    Svg,
    draw_key,
    figure,
    foot_axis,
    label,
    lines_down,
    path,
    shape,
    text_width,
)
from bleu_nb.scoring.registry import choose_engine

RECORD = Path(__file__).resolve().parent / "growth.json"
PIECE = 1_000_000  # Segments; a larger file is made of such pieces
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, PIECE, 10 * PIECE)
QUICK_SIZES = (20, 40, 80)
CAPS = {  # Row -> most seconds that a run may be expected to take
    "score, numba": 300, "score, numpy": 300, "score": 300, "score, bits": 60,
    "score, definition": 60, "compare": 60, "explain": 60, "identify": 60,
}  # fmt: skip
LONG = 10  # Seconds; of what is expected to take longer, one round
AIM, LITTLE = 1.02, 0.1
METHOD = {
    "timed": "Timed are whole processes, from start to exit; the files are in the page cache, and "
    "numba's compiled code is kept from before.",
    "once": f"One round of what is expected to take more than {LONG} seconds, by its time for a "
    "segment at the size before.",
    "stopped": "By the same expectation, no run is started that takes longer than its row may.",
    "text": (
        "All systems into English of all evaluation sets, distinct lines shuffled, one reference; "
        "again from the start where they are too few. Made-up sentences where the sets are absent."
    ),
    "rows": "`score` chooses its engine itself unless one is named; `compare` tests two systems by "
    "its usual test, the second made of the first by changing one word in eight; `explain` goes "
    "from nltk to sacrebleu; `identify` is given the score that the command prints.",
    "memory": "The most memory that a process held (VmHWM), with what it maps of its libraries.",
    "exponents": "How what is beyond the smallest size grows, over the last tenfold of sizes: "
    "least squares of its logarithm against that of the segments beyond the smallest size. "
    f"0 where the largest size takes less than {1 + LITTLE:g} times what the smallest takes.",
    "break-even": "Where numba's whole process becomes faster than numpy's: the logarithm of the "
    "ratio of their times, on a line against that of the segments, between two sizes.",
    "checked": "Every engine must print the same score before a time is stored.",
    "load": "The load of the machine in the last minute, before and after each process.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; or draw only."""
    options = parsed(arguments)
    if options.draw:
        return write_figure(json.loads(RECORD.read_text(encoding="utf-8")), RECORD)
    base = DATA[options.data](SEED)
    report: dict[str, Any] = {
        "machine": machine(),
        "python": platform.python_version(),
        "versions": versions([]),
        "data": {"name": options.data, "seed": SEED, "segments": len(base)},
        "method": {"rounds": options.rounds, "caps": CAPS, **METHOD},
        "sizes": options.sizes,
        "rows": [],
        "stopped": [],
        "absent": [],
    }
    with TemporaryDirectory() as folder:
        measure(report, Texts(Path(folder), base))
    report["growth"] = growth(report["rows"])
    report["break_even"] = break_even(report["rows"], report["letters"])
    tell(report, options.out, in_text(report, growth_grids(report)))
    return write_figure(report, options.out)


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with defaults that depend on `--quick`."""
    parser = command(__doc__, RECORD)
    add_data(parser)
    parser.add_argument("--largest", type=whole_number, default=SIZES[-1], metavar="SEGMENTS",
                        help=f"leave out larger sizes than this (default: {SIZES[-1]:,})")
    parser.add_argument("--draw", action="store_true",
                        help="measure nothing: make the figure again")
    options = options_of(parser, arguments, RECORD, 3)
    sizes = QUICK_SIZES if options.quick else SIZES
    options.sizes = [size for size in sizes if size <= options.largest]
    if len(options.sizes) < 2:
        parser.error(f"--largest must be at least {sizes[1]:,}: growth needs two sizes")
    return options


class Texts:
    """Files of candidates, of their references, and of another system."""

    def __init__(self, folder: Path, base: Sequence[Segment]) -> None:
        draw = Random(f"{SEED} another system")
        self.folder = folder
        self.sides = {
            "candidates": [candidate for candidate, _ in base],
            "references": [group[0] for _, group in base],
            "other": [perturbed(candidate, draw) for candidate, _ in base],
        }
        self.letters = sum(
            len(line.encode()) + 1 for name in ("candidates", "references")
            for line in self.sides[name]) / len(base)

    def write(self, segments: int, names: Iterable[str]) -> list[Path]:
        """Files of so many segments."""
        if segments > PIECE:
            pieces = [self.folder / f"{PIECE}.{name}" for name in names]
            least = min(piece.stat().st_size for piece in pieces)
            return repeated(pieces, PIECE, segments // PIECE * least)[0]
        paths = [self.folder / f"{segments}.{name}" for name in names]
        for file, name in zip(paths, names, strict=True):
            lines = islice(cycle(self.sides[name]), segments)
            file.write_bytes("".join(f"{line}\n" for line in lines).encode())
        return paths

    def missing_room(self, segments: int) -> str:
        """What to say if the disk has too little room for such files; empty if it has enough."""
        needed = 2 * self.letters * segments  # A third file, and some to spare
        free = shutil.disk_usage(self.folder).free
        return (f"{needed / 2**30:.1f} GiB of disk are needed, {free / 2**30:.1f} are free"
                if free < needed else "")  # fmt: skip


def measure(report: dict[str, Any], texts: Texts) -> None:
    """Add what every row takes, size by size, as far as its runs are short enough."""
    there = has_numba(texts.write(report["sizes"][0], ("candidates", "references")), report)
    known = dict.fromkeys([name for name in CAPS if there or "numba" not in name], 0.0)
    report["letters"] = texts.letters
    for size in report["sizes"]:
        for name, reason in stopped(known, size, texts.missing_room(size)).items():
            report["stopped"].append({"what": name, "segments": size, "reason": reason})
            del known[name]
        if not known:
            return
        paths = texts.write(size, [*texts.sides] if "compare" in known else [*texts.sides][:2])
        reported = shown_score(paths) if "identify" in known else ""
        calls = {name: call(arguments_of(name, paths, reported)) for name in known}
        long = {name for name in known if known[name] * size > LONG}
        times = timed(calls, long, report["method"]["rounds"], f"{size:,} segments")
        check(times)
        rows = [row_of(name, size, times[name]) for name in calls]
        report["rows"] += rows
        known = {row["what"]: row["seconds"]["median"] / size for row in rows}


def timed(
    calls: Mapping[str, Callable[[], Any]], long: Collection[str], rounds: int, where: str
) -> dict[str, Times]:
    """Several rounds of some calls, and one round of those that are long."""
    short = {name: each for name, each in calls.items() if name not in long}
    once = {name: each for name, each in calls.items() if name in long}

    def progress(what: str) -> None:
        say(f"{where}, {what}")

    return {**interleaved(short, rounds, progress), **interleaved(once, 1, progress)}


def stopped(known: Mapping[str, float], size: int, missing: str) -> dict[str, str]:
    """The rows that end before a size, each with the reason."""
    if missing:
        return dict.fromkeys(known, missing)
    return {
        name: f"would take about {each * size:,.0f} s, and may take {CAPS[name]}"
        for name, each in known.items()
        if each * size > CAPS[name]
    }


def arguments_of(name: str, paths: Sequence[Path], reported: str) -> list[str]:
    """The command line of a row."""
    verb, _, engine = name.partition(", ")
    candidates, references, *other = map(str, paths)
    more = {
        "score": ["--engine", engine] if engine else [],
        "compare": [*other, "--references"],
        "explain": ["--from", "nltk", "--to", "sacrebleu"],
        "identify": ["--reported", reported],
    }[verb]
    if verb == "compare":
        return [verb, candidates, *more, references]
    return [verb, *more, candidates, references]


def shown_score(paths: Sequence[Path]) -> str:
    """The score that the command prints."""
    printed: str = run_command("score", *map(str, paths[:2]), "--score-only")["printed"]
    return printed


def call(arguments: Sequence[str]) -> Callable[[], dict[str, Any]]:
    """A call that runs the command, and tells what it printed and held, and the load."""

    def run() -> dict[str, Any]:
        before, done = os.getloadavg()[0], run_command(*arguments)
        return {**done, "load": [before, os.getloadavg()[0]]}

    return run


def row_of(name: str, segments: int, times: Times) -> dict[str, Any]:
    """What is stored of a command on files of one size."""
    return {
        "what": name,
        "segments": segments,
        "seconds": spread(times.wall),
        "peak_mebibytes": spread([result["peak_mebibytes"] for result in times.results]),
        "rounds": times.wall,
        "load": [result["load"] for result in times.results],
    }


Points = list[tuple[int, float]]


def points_of(rows: Sequence[dict[str, Any]], measure: str) -> dict[str, Points]:
    """For each row its sizes, the smallest first, and the median at each."""
    found: dict[str, Points] = {}
    for row in rows:
        found.setdefault(row["what"], []).append((row["segments"], row[measure]["median"]))
    return found


def growth(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The exponents of every row, and whether they are small enough."""
    seconds, peaks = (points_of(rows, measure) for measure in ("seconds", "peak_mebibytes"))
    found = []
    for name in seconds:
        both = power(seconds[name]), power(peaks[name])
        met = [each is not None and each <= AIM for each in both]
        found.append({
            "what": name, "largest": seconds[name][-1][0],
            "seconds": both[0], "memory": both[1], "at_most": AIM, "met": all(met),
        })  # fmt: skip
    return found


def power(points: Points) -> float | None:
    """The power with which what is beyond the smallest size grows; None if it cannot be told."""
    (first, least), (last, most) = points[0], points[-1]
    if len(points) > 1 and most < (1 + LITTLE) * least:
        return 0.0
    beyond = [(size - first, value - least) for size, value in points[1:] if 10 * size >= last]
    if len(beyond) < 2 or min(value for _, value in beyond) <= 0:
        return None
    return exponent(*zip(*beyond, strict=True))


def break_even(rows: Sequence[dict[str, Any]], letters: float) -> dict[str, Any] | None:
    """From how many segments numba is faster than numpy, and is chosen; None: not in the sizes."""
    times = points_of(rows, "seconds")
    slow, fast = (dict(times.get(f"score, {engine}", [])) for engine in ("numpy", "numba"))
    gaps = [(math.log(size), math.log(fast[size] / slow[size])) for size in slow if size in fast]
    crossed = [x + (later - x) * gap / (gap - end)
               for (x, gap), (later, end) in pairwise(gaps) if gap > 0 >= end]  # fmt: skip
    if not crossed:
        return None
    segments, chosen = round(math.exp(crossed[-1])), chosen_from(letters)
    ratio = segments / chosen
    return {"segments": segments, "chosen_from": chosen, "ratio": ratio,
            "within_a_factor_of_2": 0.5 <= ratio <= 2}  # fmt: skip


def chosen_from(letters: float) -> int:
    """The fewest segments of so many bytes for which a process would choose numba."""

    def chosen(segments: int) -> bool:
        return choose_engine(
            segments, segments, True, letters, lambda module: True, ()) == "numba"  # fmt: skip

    return 1 + bisect_left(range(1, SIZES[-1]), True, key=chosen)


WIDTH, LEFT, RIGHT = 400.0, 52.0, 362.0  # In pixels
LOOKS = {  # Row -> name, colour, dash pattern, mark, width
    "score": ("score, as it chooses", "rule", "", "", 9),
    "score, numba": ("score, numba", "blue", "", "m-3-3h6v6h-6z", 2),
    "score, numpy": ("score, numpy", "red", "", "m-3.5-3.5l7 7m-7 0l7-7", 2),
    "score, bits": ("score, bits", "green", "", "m0-4l4 7h-8z", 2),
    "score, definition": ("score, definition", "pink", "", "m0-4v8m-4-4h8", 2),
    "compare": ("compare", "ink", "7 4", "", 1.5),
    "explain": ("explain", "ink", "2 3", "", 1.5),
    "identify": ("identify", "ink", "9 3 2 3", "", 1.5),
}


def drawn(report: Mapping[str, Any]) -> Svg:
    """The figure, from a record alone."""
    seconds, peaks = (points_of(report["rows"], key) for key in ("seconds", "peak_mebibytes"))
    names = [name for name in LOOKS if name in seconds]
    shapes = [each for place, name in enumerate(names) for each in key(place, name)]
    at = report["break_even"]
    ticks = decades([size for row in seconds.values() for size, _ in row])
    for title, values, top, room in (
        ("seconds, of the whole process", seconds, 160.0, 24),
        ("peak memory, in MiB", peaks, 442.0, 0),
    ):
        sides = decades([value for row in values.values() for _, value in row])
        axes = Axes(ticks, sides, RIGHT, LEFT, top, top + 200)
        shapes += [label(8, top - 14 - room, title, "muted"), *frame(axes)]
        shapes += crossing(axes, at["segments"], bool(room)) if at else []
        shapes += [
            line(name, [(axes.x(math.log10(x)), axes.y(math.log10(y))) for x, y in values[name]])
            for name in names
        ]
    return figure(shapes, WIDTH, 696, "Time and memory of commands by segments", "\n".join(
        described(report, seconds, peaks)))  # fmt: skip


def decades(values: Sequence[float]) -> list[float]:
    """Powers of ten that enclose some values, as logarithms."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return [float(each) for each in range(low, max(high, low + 1) + 1)]


def frame(axes: Axes) -> list[str]:
    """Both axes of a panel, in powers of ten."""
    said = {tick: f"{10**tick:,.0f}" if tick < 6 else f"{10 ** (tick - 6):g} million"
            for tick in axes.x_ticks}  # fmt: skip
    shapes = lines_down(axes)
    for tick in axes.y_ticks:
        y = axes.y(tick)
        shapes += [path([(axes.left, y), (axes.right, y)], "rule"),
                   label(axes.left - 8, y + 4.5, f"{10**tick:,.5g}", "muted", "end")]  # fmt: skip
    return [*shapes, *foot_axis(axes, "segments", said)]


def crossing(axes: Axes, segments: int, labelled: bool) -> list[str]:
    """The number of segments from which numba repays its start."""
    told = f"numba repays its start from {float(f'{segments:.2g}'):,.0f} segments"
    x, half = axes.x(math.log10(segments)), text_width(told, 6.8) / 2
    middle = min(max(x, 8 + half), WIDTH - 8 - half)
    return [path([(x, axes.top), (x, axes.bottom)], "muted", 1.5, "1 3"),
            *[label(middle, axes.top - 10, told, "ink", "middle")] * labelled]  # fmt: skip


def key(place: int, name: str) -> list[str]:
    """A row's look and name, in two columns."""
    x, y = 8 + 200.0 * (place % 2), 18 + 24.0 * (place // 2)
    return draw_key(
        [LOOKS[name][0]], y, lambda number, x, y: line(
            name, [(x, y - 4.5), (x + 26, y - 4.5)], [(x + 13, y - 4.5)]), x, 26)  # fmt: skip


def line(
    name: str, points: Sequence[tuple[float, float]],
    marked: Sequence[tuple[float, float]] | None = None,
) -> str:
    """A line in the look of its row, with its mark at every point, or at other ones."""
    _, colour, dash, mark, width = LOOKS[name]
    drawn = path(points, colour, width, dash)
    marks = "".join(f"M{x:.5g} {y:.5g}{mark}" for x, y in marked or points)
    return drawn + shape(marks, colour, width=1.5) if mark else drawn


def described(
    report: Mapping[str, Any], seconds: Mapping[str, Points], peaks: Mapping[str, Points]
) -> list[str]:
    """The figure in words."""
    words = ["Both axes are logarithmic. What each command took on its smallest and largest files:"]
    for name, row in seconds.items():
        ends = "; ".join(
            f"{size:,} segments: {time:.2g} s, {peak:,.0f} MiB"
            for (size, time), (_, peak) in ((row[at], peaks[name][at]) for at in (0, -1)))
        words.append(f"{LOOKS[name][0]}: {ends}")
    if at := report["break_even"]:
        words.append(f"numba's process is the faster one from {at['segments']:,} segments; the "
                     f"command chooses it from {at['chosen_from']:,}.")  # fmt: skip
    return words


def write_figure(report: Mapping[str, Any], out: Path | None) -> int:
    """Draw a record beside its file, if it has one; the status of the end."""
    if out:
        out.with_suffix(".svg").write_text(f"{drawn(report).markup}\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
