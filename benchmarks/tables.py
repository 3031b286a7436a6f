"""Reports as text for a terminal and as Markdown, from the same tables.

python benchmarks/tables.py     # prints what the records of time hold
"""

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

Grid = list[list[str]]  # Rows of cells, the first row being the heading

HEADING = [
    "contender",
    "µs a segment",
    "µs of CPU",
    "times faster than sacreBLEU",
    "than bleuscore",
    "time ÷ split()",
    "score",
]
AGAINST = ("ratio_to_sacrebleu", "ratio_to_bleuscore", "ratio_to_split")


def as_text(report: dict[str, Any]) -> str:
    """The report for a terminal."""
    return document(report, "{}\n".format, aligned)


def document(
    report: dict[str, Any], heading: Callable[[str], str], table: Callable[[Grid], str]
) -> str:
    """All that was measured: a heading and a table each, and what was left out."""
    parts = [about(report)]
    for title, grid in grids(report):
        if len(grid) > 1:
            parts += [heading(title), table(grid)]
    parts += [f"Not timed: {each['contender']}: {each['reason']}\n" for each in report["absent"]]
    return "\n".join(parts)


def about(report: dict[str, Any]) -> str:
    """Where and how it was measured, in a paragraph."""
    data, method = report["data"], report["method"]
    return (
        f"{where(report)} Text: {data['name']}, seed "
        f"{data['seed']}, {data['words_a_line']:.1f} words a line. "
        f"Medians of {method['rounds']} interleaved rounds, and in brackets the lowest and the "
        "highest; ratios are taken round by round, of times per segment. "
        f"{' '.join(method[key] for key in ('timed', 'tokens', 'warm_up', 'collector'))}\n"
    )


def where(report: dict[str, Any]) -> str:
    """The machine, and the versions of what ran on it."""
    machine = report["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    return (
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gibibytes']:.0f} GiB, "
        f"{machine['system']}; Python {report['python']}; {versions}."
    )


def grids(report: dict[str, Any]) -> list[tuple[str, Grid]]:
    """Every table with its title."""
    blocks = dict.fromkeys((row["segments"], row["references"]) for row in report["rows"])
    return [
        *((title(*block), speeds(report, *block)) for block in blocks),
        ("Growth: time is segments to the power of", scaling(report)),
        ("Sentence BLEU, one call a segment", sentences(report["sentence"])),
        ("The command on files", memory(report["memory"])),
        ("Start", start(report["import"])),
    ]


def title(segments: int, references: int) -> str:
    """A table's title."""
    return f"{segments:,} segments, {references} reference{'s' * (references > 1)}"


def speeds(report: dict[str, Any], segments: int, references: int) -> Grid:
    """The contenders on one corpus."""
    rows = [
        row
        for row in report["rows"]
        if (row["segments"], row["references"]) == (segments, references)
    ]
    grid = [HEADING]
    for row in rows:
        name = report["contenders"][row["contender"]]["title"]
        if row["timed_segments"] < segments:
            name += f" (first {row['timed_segments']:,})"
        score = "" if row["score"] is None else f"{row['score']:.4f}"
        times = row["microseconds_per_segment"], row["cpu_microseconds_per_segment"]
        against = (spread(row[key]) for key in AGAINST)
        grid.append([name, *map(digits, times), *against, score])
    return grid


def scaling(report: dict[str, Any]) -> Grid:
    """The exponents."""
    return [
        ["contender", "references", "sizes", "exponent"],
        *(
            [
                report["contenders"][row["contender"]]["title"],
                str(row["references"]),
                ", ".join(f"{size:,}" for size in row["segments"]),
                f"{row['exponent']:.3f}",
            ]
            for row in report["scaling"]
        ),
    ]


def sentences(rows: Sequence[dict[str, Any]]) -> Grid:
    """Sentence BLEU of this package and of sacreBLEU."""
    return [
        ["engine", "references", "a round", "µs, bleu_nb", "µs, sacreBLEU", "times faster"],
        *(
            [
                row.get("engine", "bits"),
                str(row["references"]),
                f"{row['segments']:,}",
                digits(row["microseconds"]),
                digits(row["sacrebleu_microseconds"]),
                spread(row["ratio_to_sacrebleu"]),
            ]
            for row in rows
        ),
    ]


def memory(rows: Sequence[dict[str, Any]]) -> Grid:
    """What the command held and how long it took, on files."""
    return [
        ["segments", "references", "files, MiB", "peak, MiB", "seconds"],
        *(
            [
                f"{row['segments']:,}",
                str(row["references"]),
                digits(row["file_mebibytes"]),
                digits(row["peak_mebibytes"]),
                digits(row["seconds"]),
            ]
            for row in rows
        ),
    ]


def start(facts: dict[str, Any]) -> Grid:
    """What it costs to begin."""
    grid = [
        ["what", "ms"],
        ["Python itself", digits(facts["python_milliseconds"])],
        ["from bleu_nb import corpus_bleu, beyond that", spread(facts["import_milliseconds"])],
    ]
    if "numba" in facts:
        cold, warm = (1000 * facts["numba"][key] for key in ("compiling_seconds", "cached_seconds"))
        grid.append(["a process to its first numba score, compiling", digits(cold)])
        grid.append(["the same, compiled before", digits(warm)])
    return grid


def digits(number: float | None) -> str:
    """Three digits or so."""
    if number is None:
        return ""
    return f"{number:.2f}" if number < 10 else f"{number:.1f}" if number < 100 else f"{number:,.0f}"


def spread(values: dict[str, float] | None) -> str:
    """A median with its range; a contender beside itself is 1."""
    if values is None:
        return ""
    if set(values.values()) == {1.0}:
        return "1"
    return "{} ({} to {})".format(*(digits(values[key]) for key in ("median", "low", "high")))


def aligned(grid: Grid) -> str:
    """A table in columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*grid, strict=True)]
    rows = (
        "  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]).rstrip()
        for first, *others in grid
    )
    return "\n".join(rows) + "\n"


def main() -> int:
    """Print all tables, from what is stored."""
    stored = Path(__file__).resolve().parent / "results.json"
    sys.stdout.write(as_text(json.loads(stored.read_text(encoding="utf-8"))))
    for name, grids_of in (
        ("loops", loops_grids), ("files", files_grids), ("growth", growth_grids),
        ("kinds", kinds_grids)):  # fmt: skip
        record = Path(__file__).resolve().parent / f"{name}.json"
        report = json.loads(record.read_text(encoding="utf-8"))
        sys.stdout.write(in_text(report, grids_of(report)))
    return 0


def in_text(report: dict[str, Any], tables: Sequence[tuple[str, Grid]]) -> str:
    """A report on files or on kinds of text for a terminal."""
    method = {name: text for name, text in report["method"].items() if isinstance(text, str)}
    parts = [
        f"{where(report)} Text: "
        f"{report['data']['name']}, seed {report['data']['seed']}. Medians of "
        f"{report['method']['rounds']} interleaved rounds, and in brackets the lowest and the "
        f"highest. {' '.join(method.values())}\n"
    ]
    for name, grid in tables:
        if len(grid) > 1:
            parts += [f"{name}\n", aligned(grid)]
    parts += [f"Not timed: {each['contender']}: {each['reason']}\n" for each in report["absent"]]
    return "\n".join(parts) + "\n"


def files_grids(report: dict[str, Any]) -> list[tuple[str, Grid]]:
    """The tables of whole commands, what was aimed at first."""
    sizes = dict.fromkeys(row["segments"] for row in report["rows"])
    return [
        ("Whole commands: targets", targets(report["targets"])),
        *((f"Whole commands, {size:,} segments", processes(report, size)) for size in sizes),
        ("Memory of the command", held(report["memory"])),
        ("A process to its first numba score", first_use(report["numba"])),
    ]


def targets(rows: Sequence[dict[str, Any]]) -> Grid:
    """What was aimed at, what was measured, and whether that is enough."""
    grid = [["what", "measured", "target", "reached"]]
    for row in rows:
        unit = {
            "seconds": " s",
            "ratio_to_wc": " × wc -w",
            "ratio_to_bleuscore": " × as fast as bleuscore",
            "ratio_to_sacrebleu": " × as fast as sacreBLEU",
        }[row["measure"]]
        aim = f"≤ {row['at_most']:g}" if "at_most" in row else f"≥ {row['at_least']:g}"
        size = f"{row['segments']:,}: " if "segments" in row else ""
        verdict = "yes" if row["met"] else "not yet"
        grid.append([f"{size}{row['what']}", digits(row["median"]) + unit, aim + unit, verdict])
    return grid


def processes(report: dict[str, Any], segments: int) -> Grid:
    """What the commands on one size of files took."""
    grid = [["what", "seconds", "of CPU", "time ÷ wc -w", "load"]]
    for row in report["rows"]:
        if row["segments"] == segments:
            loads = [load for both in row["load"] for load in both]
            cells = spread(row["seconds"]), digits(row["cpu_seconds"]["median"])
            load = f"{min(loads):.1f} to {max(loads):.1f}"
            grid.append([row["what"], *cells, spread(row["ratio_to_wc"]), load])
    return grid


def held(rows: Sequence[dict[str, Any]]) -> Grid:
    """What the command held on files of different sizes."""
    return [
        ["segments", "engine", "files, MiB", "peak, MiB", "seconds"],
        *(
            [
                f"{row['segments']:,}",
                row["engine"],
                *(digits(row[key]) for key in ("file_mebibytes", "peak_mebibytes", "seconds")),
            ]
            for row in sorted(rows, key=lambda row: (row["engine"], row["segments"]))
        ),
    ]


def first_use(facts: dict[str, float]) -> Grid:
    """What numba costs in a new process."""
    names = {"compiling_seconds": "compiling", "cached_seconds": "compiled before"}
    return [["", "seconds"], *([names[name], digits(facts[name])] for name in facts)]


def growth_grids(report: dict[str, Any]) -> list[tuple[str, Grid]]:
    """The tables of how commands grow: exponents, where numba repays its start, and all times."""
    sizes = dict.fromkeys(row["segments"] for row in report["rows"])
    cells = {
        (row["what"], row["segments"]): f"{digits(row['seconds']['median'])} s, "
        f"{digits(row['peak_mebibytes']['median'])} MiB"
        for row in report["rows"]
    }
    return [
        ("Growth of whole commands: segments to the power of", powers(report["growth"])),
        ("numba repays its start", repaid(report["break_even"])),
        (
            "Whole commands by segments",
            [
                ["what", *(f"{size:,}" for size in sizes)],
                *(
                    [row["what"], *(cells.get((row["what"], size), "") for size in sizes)]
                    for row in report["growth"]
                ),
            ],
        ),
        (
            "Not run",
            [
                ["what", "segments", "why"],
                *(
                    [each["what"], f"{each['segments']:,}", each["reason"]]
                    for each in report["stopped"]
                ),
            ],
        ),
    ]


def powers(rows: Sequence[dict[str, Any]]) -> Grid:
    """The exponents of time and memory; none where it cannot be told."""
    grid = [["what", "up to", "time", "memory", "target", "reached"]]
    for row in rows:
        both = ("" if row[key] is None else f"{row[key]:.3f}" for key in ("seconds", "memory"))
        told = None not in (row["seconds"], row["memory"])
        verdict = "yes" if row["met"] else "not yet" if told else "not told"
        aim = f"≤ {row['at_most']:g}"
        grid.append([row["what"], f"{row['largest']:,}", *both, aim, verdict])
    return grid


def repaid(found: dict[str, Any] | None) -> Grid:
    """Where numba is measured to be the faster one, and where it is chosen."""
    grid = [["measured from", "chosen from", "within a factor of 2"]]
    if found:
        verdict = "yes" if found["within_a_factor_of_2"] else "NO"
        grid.append([f"{found['segments']:,}", f"{found['chosen_from']:,}", verdict])
    return grid


def kinds_grids(report: dict[str, Any]) -> list[tuple[str, Grid]]:
    """The tables of kinds of text, what was aimed at first."""
    return [
        ("Kinds of text: targets", targets(report["targets"])),
        ("Times as fast as the fastest peer; where one of ours is slower first", rivals(report)),
        *(
            (
                f"{kind['title']}: {kind['segments']:,} segments, {kind['tokenizer']}, "
                f"{kind['characters']:.0f} characters a line",
                one_kind(report, kind["name"]),
            )
            for kind in report["kinds"]
        ),
        ("Sentence BLEU, one call a segment, no line twice", sentences(report["sentence"])),
    ]


def loops_grids(report: dict[str, Any]) -> list[tuple[str, Grid]]:
    """Where people wait, before and now, with what was aimed at; and why it is missed."""
    low, high = report["load"]
    grid = [["what", "before", "now", "measure", "target", ""]]
    for row in report["rows"]:
        aim = f"≤ {row['at_most']:g}" if "at_most" in row else f"≥ {row['at_least']:g}"
        verdict = "met" if row["met"] else "MISSED" if row["told"] else "not told"
        both = spread(row["before"]), spread(row["now"])
        grid.append([row["what"], *both, row["measure"], aim, verdict])
    parts = [[name, spread(each)] for name, each in report["profile"].items()]
    missed = dict.fromkeys(row["why"] for row in report["rows"] if row["why"])
    return [
        (f"Where people wait (load of the machine {low:.1f} to {high:.1f})", grid),
        ("Of one call of corpus_bleu, 25 words, in hundredths", [["part", "share"], *parts]),
        ("What stands in the way", [["where a target is missed"], *([why] for why in missed)]),
    ]


def rivals(report: dict[str, Any]) -> Grid:
    """How many times as fast as the fastest peer each engine is, on each kind of text."""
    present = dict.fromkeys(row["contender"] for row in report["rows"] if row["ratio_to_peer"])
    grid = [["text", "fastest peer", *present]]
    for kind in report["kinds"]:
        rows = {
            row["contender"]: row["ratio_to_peer"]
            for row in report["rows"]
            if row["kind"] == kind["name"] and row["ratio_to_peer"]
        }
        cells = (digits(rows[name]["median"]) if name in rows else "" for name in present)
        grid.append([f"{kind['title']}, {kind['tokenizer']}", kind["peer"] or "", *cells])
    return grid


def one_kind(report: dict[str, Any], kind: str) -> Grid:
    """Everybody on one kind of text, the fastest first."""
    rows = [row for row in report["rows"] if row["kind"] == kind]
    grid = [["contender", "µs a segment", "of CPU", "times the fastest peer", "timed on", "score"]]
    for row in sorted(rows, key=lambda row: row["microseconds_per_segment"]["median"]):
        grid.append(
            [
                report["contenders"][row["contender"]],
                spread(row["microseconds_per_segment"]),
                digits(row["cpu_microseconds_per_segment"]),
                spread(row["ratio_to_peer"]),
                f"{row['timed_segments']:,}",
                f"{row['scores'][0]:.4f}",
            ]
        )
    return grid


if __name__ == "__main__":
    sys.exit(main())
