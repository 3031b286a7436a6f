"""What benchmarks share: rounds and ratios, processes, and the one form of a record.

A record says where and how it was measured, and holds tables: a title, and rows. A row is a dict:
the heads of its columns, and text, numbers or spreads (a median, the lowest and the highest). A
row with a `goal` says what was aimed at; `why` is what stands in its way.
"""

import gc
import inspect
import math
import os
import platform
import re
import resource
import subprocess
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
VERSIONS = ("bleu_nb", "numpy", "numba", "bleuscore", "sacrebleu", "nltk", "torch", "torchmetrics",
            "torchtext", "pytorch-ignite", "fast-bleu")
QUIET = {"OMP_WAIT_POLICY": "PASSIVE", "OPENBLAS_NUM_THREADS": "1"}  # Read when libraries load
COMMAND = """
import atexit, sys
from bleu_nb.__main__ import start

@atexit.register
def tell():
    try:
        with open("/proc/self/status") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
    except OSError:
        import resource
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        peak = peak // 1024 if sys.platform == "darwin" else peak
    sys.stderr.write(f"\\npeak {peak}\\n")

sys.exit(start())
"""  # The command as it is installed, and the most memory that it held
Call = Callable[[], Any]
Spread = dict[str, float]
Row = dict[str, Any]
Tables = dict[str, list[Row]]


def say(what: str) -> None:
    """Tell what is being measured, on standard error."""
    sys.stderr.write(f"{what}\n")
    sys.stderr.flush()


def cpu_seconds() -> float:
    """What this process and those that it waited for have taken of the processor."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


@dataclass
class Times:
    """What one call took in every round."""

    wall: list[float] = field(default_factory=list)  # Seconds
    cpu: list[float] = field(default_factory=list)  # Seconds, of all threads and processes
    loads: list[float] = field(default_factory=list)  # Of the machine, before and after
    results: list[Any] = field(default_factory=list)  # What it returned

    def run(self, call: Call) -> None:
        """Call once and note what it took; Python's collector is off meanwhile, as in timeit."""
        self.loads.append(os.getloadavg()[0])
        gc.collect()
        gc.disable()
        try:
            cpu, wall = cpu_seconds(), time.perf_counter()
            result = call()
            self.wall.append(time.perf_counter() - wall)
            self.cpu.append(cpu_seconds() - cpu)
        finally:
            gc.enable()
        self.loads.append(os.getloadavg()[0])
        self.results.append(result)


def interleaved(
    calls: Mapping[str, Call], rounds: int, before: Callable[[str], object] = say
) -> dict[str, Times]:
    """Time every call once a round: A B C, A B C, and so on."""
    times = {name: Times() for name in calls}
    gc.collect()
    gc.freeze()  # What was prepared stays: the collector need not look at it between calls
    for number in range(1, 1 + rounds):
        for name, call in calls.items():
            before(f"round {number} of {rounds}: {name}")
            times[name].run(call)
    gc.unfreeze()
    return times


def spread(values: Sequence[float]) -> Spread:
    """Median, lowest and highest."""
    return {"median": median(values), "low": min(values), "high": max(values)}


def ratios(above: Sequence[float], below: Sequence[float]) -> Spread:
    """The spread of the quotients, each of one round."""
    return spread([a / b for a, b in zip(above, below, strict=True)])


def exponent(sizes: Sequence[float], seconds: Sequence[float]) -> float:
    """The power of the size that time grows with: least squares of its logarithm."""
    x, y = list(map(math.log, sizes)), list(map(math.log, seconds))
    middle_x, middle_y = math.fsum(x) / len(x), math.fsum(y) / len(y)
    above = math.fsum((a - middle_x) * (b - middle_y) for a, b in zip(x, y, strict=True))
    return round(above / math.fsum((a - middle_x) ** 2 for a in x), 3)


def process(*command: str, **environment: str) -> Call:
    """A call that runs a command, and tells what it printed and, if it says so, its peak memory."""
    kept = {name: value for name, value in os.environ.items() if name not in QUIET}

    def call() -> dict[str, Any]:
        done = subprocess.run(
            command, env={**kept, **environment}, capture_output=True, check=False, text=True)
        said, *peak = re.split(r"\npeak (\d+)\n$", done.stderr)
        if done.returncode:
            raise RuntimeError(f"a process failed: {' '.join(command)}\n{said}")
        return {"printed": done.stdout, "peak": int(peak[0]) / 2**10 if peak else None}

    return call


def bleu_nb(*arguments: Any, first: str = "", **environment: str) -> Call:
    """The same of `bleu-nb`, in a process that does something first."""
    return process(sys.executable, "-c", first + COMMAND, *map(str, arguments), **environment)


def machine() -> dict[str, Any]:
    """What matters about this machine, and nothing that tells which one it is."""
    cpu = platform.processor() or platform.machine()
    if (info := Path("/proc/cpuinfo")).exists():
        lines = info.read_text(encoding="utf-8").splitlines()
        cpu = next((x.partition(":")[2].strip() for x in lines if x.startswith("model name")), cpu)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {"cpu": cpu, "cores": CORES, "memory_gibibytes": round(memory / 2**30, 1),
            "system": f"{platform.system()} {platform.machine()}"}


def versions() -> dict[str, str]:
    """The versions of what is timed and of what that runs on, where installed."""
    found = {}
    for name in VERSIONS:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def record(part: Callable[[Namespace], Tables], options: Namespace) -> dict[str, Any]:
    """Measure a part, whose docstring is how it measures."""
    before, tables = os.getloadavg()[0], part(options)
    return {
        "machine": machine(), "python": platform.python_version(), "versions": versions(),
        "text": options.text, "rounds": options.rounds, "load": [before, os.getloadavg()[0]],
        "method": " ".join(str(inspect.getdoc(part)).split()), "tables": tables,
    }


def goal(what: str, now: Any, measure: str, aim: float, most: bool = False) -> Row:
    """What is aimed at, at least or at most, and whether it is met."""
    found = now["median"] if isinstance(now, dict) else now
    met = found is not None and (found <= aim if most else found >= aim)
    return {"what": what, "now": now, "measure": measure, "goal": f"{'≤' if most else '≥'} {aim:g}",
            "met": "met" if met else "not told" if found is None else "MISSED"}


def shown(value: Any) -> str:
    """A cell: three digits or so of what was measured, and of a spread its ends as well."""
    if isinstance(value, dict):
        each = [shown(value[key]) for key in ("median", "low", "high")]
        return "1" if {*each} == {"1"} else "{} ({} to {})".format(*each)
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if not isinstance(value, float):
        return {None: "", True: "yes", False: "no"}.get(value, str(value))
    if value == round(value, 4):
        return f"{value:,.10g}"  # It was rounded before
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def grid(rows: Sequence[Row]) -> list[list[str]]:
    """The heads of a table, and its cells; what stands in the way of goals is told below it."""
    heads = [head for head in dict.fromkeys(head for row in rows for head in row) if head != "why"]
    return [heads, *([shown(row.get(head)) for head in heads] for row in rows)]


def reasons(rows: Sequence[Row]) -> list[str]:
    """What stands in the way of the goals of a table."""
    return list(dict.fromkeys(row["why"] for row in rows if row.get("why")))


def where(report: Mapping[str, Any]) -> str:
    """The machine, its load, what ran on it, and the text."""
    said = []
    if machine := report.get("machine"):
        said.append("{cpu}, {cores} cores, {memory_gibibytes:.0f} GiB, {system}".format(**machine))
    if load := report.get("load"):
        said.append("load {:.1f} to {:.1f}".format(*load))
    if python := report.get("python"):
        said.append(f"Python {python}")
    said += [f"{name} {number}" for name, number in report["versions"].items()]
    rounds = f" {report['rounds']:,} rounds." if report.get("rounds") else ""
    return f"{', '.join(said)}. Text: {report['text']}.{rounds}"


def in_text(report: Mapping[str, Any]) -> str:
    """A record for a terminal."""
    parts = [f"{where(report)}\n{report['method']}\n"]
    for title, rows in report["tables"].items():
        if rows:
            parts += [f"{title}\n", aligned(grid(rows)), *(f"{why}\n" for why in reasons(rows))]
    return "\n".join(parts) + "\n"


def aligned(cells: Sequence[Sequence[str]]) -> str:
    """A table in columns: the first to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    rows = ("  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]).rstrip()
            for first, *others in cells)  # fmt: skip
    return "\n".join(rows) + "\n"
