"""What an adapter adds to counting, beside the metrics of the frameworks themselves.

A corpus comes in batches, as in a validation loop. Timed are all updates and one result.
"""

import argparse
import platform
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import version
from itertools import count
from pathlib import Path
from typing import Any

from command import command, options_of, tell
from corpora import WMT, corpus
from run import machine, say, versions
from timing import interleaved, ratios, spread

from bleu_nb import Bleu
from bleu_nb.adapters.reducer import Reducer

RECORD = Path(__file__).resolve().parent / "adapters.json"
METHOD = {
    "timed": "All updates of a corpus in batches, then one result; batches are made before.",
    "threads": "One each.",
    "times_faster": "Quotients of CPU time, each of one round of a run with all of them.",
    "counting": "`Bleu.count` of the same batches, by the same engine.",
    "tokens": "Words between blanks, as lists of strings and as lists of their numbers.",
    "checked": "torchmetrics' value is compared with ours before anything is timed.",
}
Batch = tuple[list[Any], list[Any]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    options = parsed(arguments)
    data = "generated" if options.quick or not WMT.exists() else "wmt"
    texts = batches(data, options.segments, options.batch)
    words, numbers = split(texts), numbered(split(texts))
    calls = contests(texts, words, numbers)
    values = {name: call() for name, call in calls.items()}
    times = interleaved(calls, options.rounds, say)
    cpu = {name: each.cpu for name, each in times.items()}
    report = {
        "machine": machine(), "python": platform.python_version(),
        "versions": found_versions(), "data": data,
        "segments": options.segments, "batch": options.batch, "rounds": options.rounds,
        "method": METHOD,
        "equal": abs(values["torchmetrics SacreBLEUScore"] * 100 - values["BleuMetric"]) < 1e-3,
        "cpu_seconds": {name: spread(each) for name, each in cpu.items()},
        "times_counting": ratios(cpu["BleuMetric"], cpu["counting"]),
        "times_faster": {
            "than torchmetrics, text": ratios(
                cpu["torchmetrics SacreBLEUScore"], cpu["BleuMetric"]),
            "than ignite, tokens": ratios(cpu["ignite Bleu"], cpu["Reducer, tokens"]),
            "than ignite, ids": ratios(cpu["ignite Bleu, ids"], cpu["Reducer, ids"]),
        },
        "compute": compute(texts, options.rounds),
    }  # fmt: skip
    return tell(report, options.out, as_text(report))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with defaults that depend on `--quick`."""
    parser = command(__doc__, RECORD, "generated text, and little of it")
    options = options_of(parser, arguments, RECORD, 5)
    options.segments, options.batch = (96, 32) if options.quick else (3_000, 32)
    return options


def found_versions() -> dict[str, str]:
    """The versions of what is timed."""
    return versions([]) | {name: version(name) for name in ("torchmetrics", "pytorch-ignite")}


def batches(data: str, segments: int, size: int) -> list[Batch]:
    """A corpus as a validation loop brings it."""
    whole = corpus(data, segments, 1)
    return [
        (whole.candidates[at : at + size], whole.references[at : at + size])
        for at in range(0, segments, size)
    ]


def split(texts: list[Batch]) -> list[Batch]:
    """The same as lists of words."""
    return [
        ([each.split() for each in some], [[line.split() for line in group] for group in groups])
        for some, groups in texts
    ]


def numbered(words: list[Batch]) -> list[Batch]:
    """The same as numbers of a vocabulary."""
    numbers: dict[str, int] = {}
    fresh = count()

    def as_ids(line: list[str]) -> list[int]:
        return [numbers[word] if word in numbers else numbers.setdefault(word, next(fresh))
                for word in line]  # fmt: skip

    return [
        ([*map(as_ids, some)], [[*map(as_ids, group)] for group in groups])
        for some, groups in words
    ]


def contests(
    texts: list[Batch], words: list[Batch], numbers: list[Batch]
) -> dict[str, Callable[[], float]]:
    """What is timed; each returns a value."""
    import torch
    from ignite.metrics import Bleu as IgniteBleu
    from torchmetrics.text import SacreBLEUScore

    from bleu_nb.adapters.torchmetrics import BleuMetric

    torch.set_num_threads(1)
    plain, reducer = Bleu(threads=1), Reducer()

    def torchlike(metric: Any) -> Callable[[], float]:
        def call() -> float:
            metric.reset()
            for batch in texts:
                metric.update(*batch)
            return float(metric.compute())

        return call

    def by_ignite(given: list[Batch]) -> Callable[[], float]:
        metric = IgniteBleu(ngram=4, smooth="no_smooth", average="micro")

        def call() -> float:
            metric.reset()
            for batch in given:
                metric.update(batch)
            return float(metric.compute())

        return call

    def by_reducer(given: list[Batch]) -> Callable[[], float]:
        def call() -> float:
            rows = [reducer.count(*batch) for batch in given]
            return reducer.score([sum(each) for each in zip(*rows, strict=True)]).value

        return call

    return {
        "counting": lambda: float(sum(len(plain.count(*batch)) for batch in texts)),
        "BleuMetric": torchlike(BleuMetric()),
        "torchmetrics SacreBLEUScore": torchlike(SacreBLEUScore()),
        "Reducer, tokens": by_reducer(words), "ignite Bleu": by_ignite(words),
        "Reducer, ids": by_reducer(numbers), "ignite Bleu, ids": by_ignite(numbers),
    }  # fmt: skip


def compute(texts: list[Batch], rounds: int) -> dict[str, Any]:
    """Seconds of a result after one batch, and after all."""
    from bleu_nb.adapters.torchmetrics import BleuMetric

    calls = {}
    for name, some in (("one batch", texts[:1]), ("all", texts)):
        metric = BleuMetric(compute_with_cache=False)
        for batch in some:
            metric.update(*batch)
        calls[name] = metric.compute
    times = interleaved(calls, max(rounds, 3))
    return {name: spread(each.wall) for name, each in times.items()}


def as_text(report: dict[str, Any]) -> str:
    """A line each."""
    lines = [f"{report['data']}, {report['segments']:,} segments in batches of {report['batch']}"]
    for name, each in report["cpu_seconds"].items():
        lines.append(f"{name}: {each['median']:.3f} s")
    for name, each in {"of counting": report["times_counting"], **report["times_faster"]}.items():
        lines.append(
            f"{name}: {each['median']:.2f} times "
            f"({each['low']:.2f} to {each['high']:.2f})")  # fmt: skip
    for name, each in report["compute"].items():
        lines.append(f"compute after {name}: {each['median'] * 1e3:.2f} ms")
    return "\n".join([*lines, f"equal: {report['equal']}", ""])


if __name__ == "__main__":
    sys.exit(main())
