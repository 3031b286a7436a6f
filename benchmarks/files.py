"""How long do whole commands take on files, how much do they hold, and how do both grow?"""

import gzip
import math
import shutil
import sys
from argparse import Namespace
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from itertools import cycle, islice, pairwise, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from corpora import DATA, SEED, Segment, perturbed
from measuring import (
    Call,
    Row,
    Tables,
    Times,
    bleu_nb,
    exponent,
    goal,
    interleaved,
    process,
    ratios,
    say,
    spread,
)

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

PIECE = 1_000_000  # Segments; a larger file is made of such pieces
SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, PIECE, 10 * PIECE)
FEW = (3_000, 100_000, PIECE)
QUICK = (20, 40, 80)
GIANT = 20 * PIECE  # Two files of 3 GB each
CAPS = {  # Row -> most seconds that a run may be expected to take
    "score, numba": 300, "score, numpy": 300, "score": 300, "score, bits": 60,
    "score, definition": 60, "compare": 60, "explain": 60, "identify": 60,
}  # fmt: skip
LONG = 10  # Seconds; of what is expected to take longer, one round
AIM, LITTLE = 1.02, 0.1
BOTH = ("candidates", "references")
WITHOUT_NUMBA = "import sys; sys.modules['numba'] = None\n"
COMMANDS = "Whole commands by segments"
GROWTH = "Growth of whole commands: segments to the power of"
REPAID = "numba repays its start"
Calls = dict[str, Call]


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
            len(line.encode()) + 1 for name in BOTH for line in self.sides[name]) / len(base)

    def write(self, segments: int, names: Iterable[str] = BOTH) -> list[Path]:
        """Files of so many segments: the lines again and again."""
        paths = [self.folder / f"{segments}.{name}" for name in names]
        for file, name in zip(paths, names, strict=True):
            lines = islice(cycle(self.sides[name]), min(segments, PIECE))
            piece = "".join(f"{line}\n" for line in lines).encode()
            with file.open("wb") as whole:
                for _ in range(-(-segments // PIECE)):
                    whole.write(piece)
        return paths

    def missing_room(self, segments: int) -> str:
        """What to say if the disk has too little room for such files; empty if it has enough."""
        needed = 2 * self.letters * segments  # A third file, and some to spare
        free = shutil.disk_usage(self.folder).free
        return (f"{needed / 2**30:.1f} GiB of disk are needed, {free / 2**30:.1f} are free"
                if free < needed else "")  # fmt: skip


def has_numba(paths: Sequence[Path], absent: list[Row]) -> bool:
    """Whether the compiled engine works here; its first run compiles."""
    try:
        bleu_nb("score", *paths, "--engine", "numba")()
    except RuntimeError as error:
        absent.append({"what": "numba", "why not": str(error).strip().splitlines()[-1]})
    return not absent


def rows_of(times: Mapping[str, Times], segments: int) -> list[Row]:
    """A row for each command on files of one size, all of which must print the same."""
    for verb in ("score", "identify"):
        said = {name: {result["printed"] for result in each.results}
                for name, each in times.items() if name.startswith(verb)}
        if said and len(set.union(*said.values())) != 1:
            raise SystemExit(f"not stored, because commands print different scores: {said}")
    rows = []
    for name, each in times.items():
        peaks = [result["peak"] for result in each.results if result["peak"]]
        rows.append({
            "segments": segments, "what": name, "seconds": spread(each.wall),
            "of CPU": spread(each.cpu), "peak, MiB": spread(peaks) if peaks else None,
            "load": spread(each.loads),
        })
    return rows


def files(options: Namespace) -> Tables:
    """Whole commands beside `wc -w` of the same files.

    Timed are whole processes, from start to exit; the files are in the page cache, and numba's
    compiled code is kept from before. The text: all systems into English of all evaluation sets,
    distinct lines shuffled, one reference; again from the start where they are too few.
    `LC_ALL=C.UTF-8 wc -w` of both files in one process; `zcat` of both files, packed by gzip, in
    one process; `score` of the packed files, and of the plain ones, by the engine that it chooses.
    By numpy alone: `--engine numpy`; `identify` in a process that finds no numba. Every engine
    must print the same score before a time is stored. The load of the machine in the last minute
    is that before and after each process. Memory is the most that a process held (VmHWM), with
    what it maps of its libraries.
    """
    tables: Tables = {"Goals": [], "Memory of the command": [], "Not timed": []}
    absent = tables["Not timed"]
    sizes = QUICK if options.quick else FEW
    with TemporaryDirectory() as folder:
        texts = Texts(Path(folder), DATA[options.data](SEED))
        few, middle, many = (texts.write(size) for size in sizes)
        numba = has_numba(few, absent)
        found = {}
        for size, calls in (
            (sizes[2], on_many(many, numba, absent)), (sizes[1], on_middle(middle, numba)),
            (sizes[0], on_few(few, numba)),
        ):
            times = interleaved(calls, options.rounds, lambda what, n=size: say(f"{n:,}, {what}"))
            rows = tables[f"Whole commands, {size:,} segments"] = rows_of(times, size)
            for row in rows:
                if "wc -w" in times:
                    row["time ÷ wc -w"] = ratios(times[row["what"]].wall, times["wc -w"].wall)
                found[size, row["what"]] = row
        engines = ["numpy", *["numba"] * numba]
        held = [(PIECE if options.quick else GIANT, engines[-1])] * options.large
        for size, engine in [*held, *product(sizes[:0:-1], engines)]:
            one, paths = Times(), texts.write(size)
            one.run(bleu_nb("score", *paths, "--engine", engine))
            tables["Memory of the command"].append({
                "segments": size, "engine": engine,
                "files, MiB": sum(path.stat().st_size for path in paths) / 2**20,
                "peak, MiB": one.results[0]["peak"], "seconds": one.wall[0]})
    aims = [
        (2, "score, numba", "time ÷ wc -w", 1.1), (2, "score, numpy", "time ÷ wc -w", 3.5),
        (1, "score", "seconds", 0.7), (0, "score", "seconds", 0.12), (0, "explain", "seconds", 0.2),
        (0, "identify, numpy", "seconds", 3.0), (0, "identify", "seconds", 2.0),
    ]
    tables["Goals"] = [
        goal(f"{sizes[place]:,}: {what}", row[measure]["median"], measure, most, True)
        for place, what, measure, most in aims
        if measure in (row := found.get((sizes[place], what), {}))]
    return tables


def on_many(paths: Sequence[Path], numba: bool, absent: list[Row]) -> Calls:
    """The largest files: counting their words, scoring them, and both of packed ones."""
    packed = [path.with_name(f"{path.name}.gz") for path in paths]
    for plain, small in zip(paths, packed, strict=True):
        small.write_bytes(gzip.compress(plain.read_bytes(), 6))
    unpack = ("sh", "-c", 'zcat "$@" > /dev/null', "zcat", *map(str, packed))
    others = {"wc -w": process("wc", "-w", *map(str, paths), LC_ALL="C.UTF-8"),
              "zcat": process(*unpack)}
    for name in [name for name in others if not shutil.which(name.split()[0])]:
        absent.append({"what": name, "why not": "there is no such command"})
        del others[name]
    return {
        **others, **by_engine(paths, ["numba"] * numba + ["numpy"]),
        "score": bleu_nb("score", *paths), "score, .gz": bleu_nb("score", *packed),
    }


def by_engine(paths: Sequence[Path], engines: Sequence[str]) -> Calls:
    """`score` by some engines."""
    return {f"score, {engine}": bleu_nb("score", *paths, "--engine", engine) for engine in engines}


def on_middle(paths: Sequence[Path], numba: bool) -> Calls:
    """Files where importing numba may or may not repay itself."""
    alone = {"import numba": process(sys.executable, "-c", "import numba")} if numba else {}
    return {"score": bleu_nb("score", *paths),
            **by_engine(paths, ["numpy", *["numba"] * numba]), **alone}


def on_few(paths: Sequence[Path], numba: bool) -> Calls:
    """What should feel instant; and every known setting, for a score that one of them gives."""
    asked = arguments_of("identify", paths, shown_score(paths))
    found = {"identify": bleu_nb(*asked)} if numba else {}
    return {
        "python -c pass": process(sys.executable, "-c", "pass"),
        "bleu-nb --help": bleu_nb("--help"), "dialects": bleu_nb("dialects"),
        "score": bleu_nb("score", *paths), "explain": bleu_nb(*arguments_of("explain", paths)),
        **found, "identify, numpy": bleu_nb(*asked, first=WITHOUT_NUMBA),
    }


def shown_score(paths: Sequence[Path]) -> str:
    """The score that the command prints."""
    printed: str = bleu_nb("score", *paths[:2], "--score-only")()["printed"]
    return printed.strip()


def arguments_of(name: str, paths: Sequence[Path], reported: str = "") -> list[Any]:
    """The command line of a row."""
    verb, _, engine = name.partition(", ")
    candidates, references, *other = paths
    if verb == "compare":
        return [verb, candidates, *other, "--references", references]
    more = {
        "score": ["--engine", engine] if engine else [],
        "explain": ["--from", "nltk", "--to", "sacrebleu"],
        "identify": ["--reported", reported],
    }[verb]
    return [verb, *more, candidates, references]


def growth(options: Namespace) -> Tables:
    """Every engine and command on files of a thousand to ten million segments.

    Timed are whole processes, from start to exit; the files are in the page cache, and numba's
    compiled code is kept from before. One round of what is expected to take more than 10 seconds,
    by its time for a segment at the size before; by the same expectation, no run is started that
    takes longer than its row may. The text: all systems into English of all evaluation sets,
    distinct lines shuffled, one reference; again from the start where they are too few. `score`
    chooses its engine itself unless one is named; `compare` tests two systems by its usual test,
    the second made of the first by changing one word in eight; `explain` goes from nltk to
    sacrebleu; `identify` is given the score that the command prints. Memory is the most that a
    process held (VmHWM), with what it maps of its libraries. Powers: how what is beyond the
    smallest size grows, over the last tenfold of sizes: least squares of its logarithm against
    that of the segments beyond the smallest size; 0 where the largest size takes less than 1.1
    times what the smallest takes. Where numba repays its start, its whole process becomes faster
    than numpy's: the logarithm of the ratio of their times, on a line against that of the
    segments, between two sizes. Every engine must print the same score before a time is stored.
    The load of the machine in the last minute is that before and after each process.
    """
    tables: Tables = {GROWTH: [], REPAID: [], COMMANDS: [], "Not run": [], "Not timed": []}
    rows = tables[COMMANDS]
    with TemporaryDirectory() as folder:
        texts = Texts(Path(folder), DATA[options.data](SEED))
        sizes = QUICK if options.quick else SIZES
        there = has_numba(texts.write(sizes[0]), tables["Not timed"])
        known = dict.fromkeys([name for name in CAPS if there or "numba" not in name], 0.0)
        for size in sizes:
            for name, reason in stopped(known, size, texts.missing_room(size)).items():
                tables["Not run"].append({"what": name, "segments": size, "why not": reason})
                del known[name]
            paths = texts.write(size, [*texts.sides] if "compare" in known else [*texts.sides][:2])
            said = shown_score(paths) if "identify" in known else ""
            calls = {name: bleu_nb(*arguments_of(name, paths, said)) for name in known}
            times: dict[str, Times] = {}
            for rounds, long in ((options.rounds, False), (1, True)):
                some = {name: call for name, call in calls.items()
                        if (known[name] * size > LONG) is long}
                times |= interleaved(some, rounds, lambda what, n=size: say(f"{n:,}, {what}"))
            rows += rows_of(times, size)
            known = {name: spread(each.wall)["median"] / size for name, each in times.items()}
    tables[GROWTH], tables[REPAID] = powers(rows), break_even(rows, texts.letters)
    return tables


def stopped(known: Mapping[str, float], size: int, missing: str) -> dict[str, str]:
    """The rows that end before a size, each with the reason."""
    if missing:
        return dict.fromkeys(known, missing)
    return {
        name: f"would take about {each * size:,.0f} s, and may take {CAPS[name]}"
        for name, each in known.items()
        if each * size > CAPS[name]
    }


Points = list[tuple[int, float]]


def points_of(rows: Sequence[Row], measure: str) -> dict[str, Points]:
    """For each row its sizes, the smallest first, and the median at each."""
    found: dict[str, Points] = {}
    for row in rows:
        found.setdefault(row["what"], []).append((row["segments"], row[measure]["median"]))
    return found


def powers(rows: Sequence[Row]) -> list[Row]:
    """The powers of every row's time and memory, and whether they are small enough."""
    return [
        {"up to": points[-1][0], **goal(what, power(points), f"power of {said}", AIM, True)}
        for measure, said in (("seconds", "time"), ("peak, MiB", "memory"))
        for what, points in points_of(rows, measure).items()
    ]


def power(points: Points) -> float | None:
    """The power with which what is beyond the smallest size grows; None if it cannot be told."""
    (first, least), (last, most) = points[0], points[-1]
    if len(points) > 1 and most < (1 + LITTLE) * least:
        return 0.0
    beyond = [(size - first, value - least) for size, value in points[1:] if 10 * size >= last]
    if len(beyond) < 2 or min(value for _, value in beyond) <= 0:
        return None
    return exponent(*zip(*beyond, strict=True))


def break_even(rows: Sequence[Row], letters: float) -> list[Row]:
    """From how many segments numba is faster than numpy, and is chosen; empty: not in the sizes."""
    times = points_of(rows, "seconds")
    slow, fast = (dict(times.get(f"score, {engine}", [])) for engine in ("numpy", "numba"))
    gaps = [(math.log(size), math.log(fast[size] / slow[size])) for size in slow if size in fast]
    crossed = [x + (later - x) * gap / (gap - end)
               for (x, gap), (later, end) in pairwise(gaps) if gap > 0 >= end]  # fmt: skip
    if not crossed:
        return []
    segments, chosen = round(math.exp(crossed[-1])), chosen_from(letters)
    return [{"measured from": segments, "chosen from": chosen, "letters a segment": letters,
             "within a factor of 2": 0.5 <= segments / chosen <= 2}]


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


def drawn(tables: Tables) -> Svg:
    """The figure, from a record alone."""
    seconds, peaks = (points_of(tables[COMMANDS], key) for key in ("seconds", "peak, MiB"))
    names = [name for name in LOOKS if name in seconds]
    shapes = [each for place, name in enumerate(names) for each in key(place, name)]
    at = tables[REPAID][0] if tables[REPAID] else {}
    ticks = decades([size for row in seconds.values() for size, _ in row])
    for title, values, top, room in (
        ("seconds, of the whole process", seconds, 160.0, 24),
        ("peak memory, in MiB", peaks, 442.0, 0),
    ):
        sides = decades([value for row in values.values() for _, value in row])
        axes = Axes(ticks, sides, RIGHT, LEFT, top, top + 200)
        shapes += [label(8, top - 14 - room, title, "muted"), *frame(axes)]
        shapes += crossing(axes, at["measured from"], bool(room)) if at else []
        shapes += [
            line(name, [(axes.x(math.log10(x)), axes.y(math.log10(y))) for x, y in values[name]])
            for name in names
        ]
    return figure(shapes, WIDTH, 696, "Time and memory of commands by segments", "\n".join(
        described(at, seconds, peaks)))  # fmt: skip


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
    at: Row, seconds: Mapping[str, Points], peaks: Mapping[str, Points]
) -> list[str]:
    """The figure in words."""
    words = ["Both axes are logarithmic. What each command took on its smallest and largest files:"]
    for name, row in seconds.items():
        ends = "; ".join(
            f"{size:,} segments: {time:.2g} s, {peak:,.0f} MiB"
            for (size, time), (_, peak) in ((row[at], peaks[name][at]) for at in (0, -1)))
        words.append(f"{LOOKS[name][0]}: {ends}")
    if at:
        words.append(f"numba's process is the faster one from {at['measured from']:,} segments; "
                     f"the command chooses it from {at['chosen from']:,}.")  # fmt: skip
    return words
