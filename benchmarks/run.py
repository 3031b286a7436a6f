"""Measure how fast what is, each beside others: prints tables, and keeps them beside this file.

    python benchmarks/run.py                   # all parts, each in a process of its own: hours
    python benchmarks/run.py loops pairs       # some
    python benchmarks/run.py --quick           # little text and one round: does it work?
    python benchmarks/run.py --show            # measures nothing: prints what is kept, draws growth

What was aimed at comes first, of all parts in one table. `--quick` keeps nothing, unless `--out`
says where.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corpora import DATA, MANIFEST, SEED
from measuring import QUIET, Row, aligned, grid, in_text, record

HERE = Path(__file__).resolve().parent
PARTS = {  # Name -> module, rounds, and rounds of a quick run
    "corpora": ("engines", 5, 1), "kinds": ("engines", 5, 1), "steps": ("engines", 7, 1),
    "files": ("files", 5, 1), "growth": ("files", 3, 1), "loops": ("loops", 7, 1),
    "sentences": ("loops", 5, 1), "tokens": ("loops", 9, 1), "dropins": ("loops", 9, 1),
    "adapters": ("loops", 5, 1),
    "significance": ("significance", 5, 1), "calibration": ("significance", 10_000, 3),
    "coverage": ("significance", 10_000, 20), "pairs": ("pairs", 3, 1),
    "discrepancies": ("discrepancies", 1, 1),
}  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, keep and print."""
    typed = sys.argv[1:] if arguments is None else arguments
    options = parsed(typed)
    with TemporaryDirectory() as scratch:
        folder = options.out or (Path(scratch) if options.quick else HERE)
        if not options.show and len(options.parts) == 1:
            measure(*options.parts, options, folder)
        for name in options.parts if not options.show and len(options.parts) > 1 else ():
            again = [each for each in typed if each not in PARTS]
            subprocess.run([sys.executable, __file__, name, *again, "--out", str(folder)],
                           check=True, stdout=subprocess.DEVNULL)
        reports = {name: kept(folder / f"{name}.json") for name in options.parts}
        if "growth" in reports:
            figure = import_module("files").drawn(reports["growth"]["tables"]).markup
            (folder / "growth.svg").write_text(f"{figure}\n", encoding="utf-8")
    if aims := goals(reports):
        sys.stdout.write(f"Goals\n\n{aligned(grid(aims))}\n")
    sys.stdout.writelines(map(in_text, reports.values()))
    return 0


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options, with the text that depends on `--quick`."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("parts", nargs="*", metavar="part", help=f"of {', '.join(PARTS)}")
    add("--quick", action="store_true", help="little text and one round")
    add("--show", action="store_true", help="measure nothing; print what is kept")
    add("--rounds", type=int, metavar="N", help="at least 5 for a median worth its name")
    add("--data", choices=DATA, help="default: wmt where BLEU_NB_DATA or ../shared/wmt is there")
    add("--before", type=Path, metavar="FOLDER", help="another copy, for loops")
    add("--large", action="store_true", help="also files of 3 GB, and a million sentences")
    add("--out", type=Path, metavar="FOLDER", help="default: beside this file; none with --quick")
    options = parser.parse_args(arguments)
    if unknown := {*options.parts} - {*PARTS}:
        parser.error(f"no such part: {', '.join(sorted(unknown))}; known: {', '.join(PARTS)}")
    real = MANIFEST.exists() and not options.quick
    options.parts = options.parts or [*PARTS]
    options.data = options.data or ("wmt" if real else "generated")
    options.text = f"{options.data}, seed {SEED}"
    return options


def measure(name: str, options: argparse.Namespace, folder: Path) -> None:
    """Measure a part, and keep its record."""
    os.environ.update(QUIET)
    module, many, few = PARTS[name]
    options.rounds = options.rounds or (few if options.quick else many)
    path = folder / f"{name}.json"
    if name == "discrepancies":
        if options.quick:
            cases = json.loads((HERE / path.name).read_text(encoding="utf-8"))["cases"][:2]
            path.write_text(json.dumps({"cases": cases}), encoding="utf-8")
        with redirect_stdout(sys.stderr):
            import_module(module).main(["--out", str(path)])
        return
    report = record(getattr(import_module(module), name), options)
    path.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def kept(path: Path) -> dict[str, Any]:
    """A record; that of `identify` holds cases, and what was summed up of them."""
    report: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if "tables" in report:
        return report
    rows = [{"cases": name, "number": found.pop("cases"), **found, **found["seconds"]}
            for name, found in report["summary"].items()]
    odds = [{"cases": row["cases"], "stated odds": band, **found} for row in rows
            for band, found in row.pop("odds").items() if band != "Brier"]
    for row in rows:
        del row["seconds"]
    tables = {"Answers": rows, "How often first answers were right, by stated odds": odds}
    return {"versions": {}, "text": report["package"],
            "method": import_module("discrepancies").__doc__, "tables": tables}


def goals(reports: Mapping[str, Mapping[str, Any]]) -> list[Row]:
    """What was aimed at in all parts."""
    heads = ("what", "now", "measure", "goal", "met")
    return [{"part": name, **{head: row[head] for head in heads}}
            for name, report in reports.items() for rows in report["tables"].values()
            for row in rows if "goal" in row]


if __name__ == "__main__":
    sys.exit(main())
