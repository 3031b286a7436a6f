"""How fast are BLEU and its bootstrap on processes of Dask? One worker and two, from files.

    python benchmarks/cluster.py           # 10 files of 1,000 lines
    python benchmarks/cluster.py --quick   # 4 files of 50 lines: does it work?

Each partition is a file, which the worker that has it reads, so text never moves. Both clusters
stand at the same time and take turns, so that a ratio is of one round. Prints, and writes
cluster.json beside this file; a quick run only where `--out` says. Needs the extra `dask`.
"""

import argparse
import os
import pickle
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from command import command, options_of, tell
from corpora import corpus
from run import machine, say, versions
from timing import interleaved, ratios, spread

from bleu_nb import corpus_bleu
from bleu_nb.adapters.dask import PoissonSums, dask_bleu, poisson_bootstrap

RECORD = Path(__file__).with_name("cluster.json")
WORKERS = (1, 2)
METHOD = {
    "timed": (
        "From the call to the result: workers read their files, count, and merge. Segments a "
        "second are those of all workers together, by the clock."
    ),
    "load": (
        "The mean number of waiting processes of the last minute, before and after, of all that "
        "runs on this machine: above the number of its cores, others took part of the time."
    ),
    "memory": (
        "The most that a worker ever held, in MiB: before is after a first small partition, so it "
        "holds Python, Dask, numpy and the engine. Linux only."
    ),
    "state": "Bytes that a partition sends to the merge, of any number of segments, pickled.",
    "checked": "Both clusters' scores and sums are those of one process, to the last bit.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    options = parsed(arguments)
    before = os.getloadavg()[0]
    with TemporaryDirectory() as folder, ExitStack() as stack:
        paths, segments = written(Path(folder), options)
        clients = {number: stack.enter_context(cluster(number)) for number in WORKERS}
        report = measured(paths, segments, clients, options)
    report["load"] = {"before": round(before, 1), "after": round(os.getloadavg()[0], 1)}
    return tell(report, options.out, as_text(report))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with defaults that depend on `--quick`."""
    parser = command(__doc__, RECORD, "little text and few draws")
    options = options_of(parser, arguments, RECORD, 3)
    quick = options.quick
    options.files, options.lines = (4, 50) if quick else (10, 1_000)
    options.trials = 50 if quick else 1_000
    return options


def written(folder: Path, options: argparse.Namespace) -> tuple[list[Path], list[Any]]:
    """Files of tab-separated lines, and all that is in them."""
    whole = corpus("generated", options.lines, 1)
    segments, paths = [], []
    for number in range(options.files):
        # The same text in each file, turned, so that generating it takes no minutes
        turn = number * options.lines // options.files
        pairs = [*zip(whole.candidates, whole.sides[1], strict=True)]
        pairs = pairs[turn:] + pairs[:turn]
        paths.append(folder / f"{number}.tsv")
        paths[-1].write_text("".join(f"{a}\t{b}\n" for a, b in pairs), encoding="utf-8")
        segments += pairs
    return paths, segments


def load(path: Path, start: int) -> list[tuple[str, list[str], int]]:
    """The segments of a file, with their numbers in the corpus."""
    pairs = (line.split("\t") for line in path.read_text(encoding="utf-8").splitlines())
    return [(candidate, [reference], start + place)
            for place, (candidate, reference) in enumerate(pairs)]  # fmt: skip


@contextmanager
def cluster(workers: int) -> Iterator[Any]:
    """A client of so many processes on this machine."""
    from distributed import Client, LocalCluster

    with LocalCluster(
        n_workers=workers, threads_per_worker=1, host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # None would take port 8787, which others may have
    ) as started, Client(started, set_as_default=False) as client:  # fmt: skip
        yield client


def peak() -> float | None:
    """The most that this process held, in MiB; Linux only."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def measured(
    paths: list[Path], segments: list[Any], clients: dict[int, Any], options: argparse.Namespace
) -> dict[str, Any]:
    """Everything but the load."""
    import dask
    import distributed

    parts = [dask.delayed(load)(path, place * options.lines) for place, path in enumerate(paths)]
    calls: dict[str, Callable[[Any], Any]] = {
        "score": partial(dask_bleu),
        f"{options.trials:,} resamples": partial(poisson_bootstrap, trials=options.trials),
    }
    for client in clients.values():  # Imports, and what an engine compiles
        for call in calls.values():
            client.gather([client.submit(load, paths[0], 0, pure=False)])
            client.compute(call([parts[0]] * 2 * len(clients))).result()
    before = {number: list(client.run(peak).values()) for number, client in clients.items()}
    rows = []
    for name, call in calls.items():
        timed = {
            str(number): lambda call=call, client=client: client.compute(call(parts)).result()
            for number, client in clients.items()
        }
        say(name)
        times = interleaved(timed, options.rounds)
        rows.append({
            "name": name,
            "segments_a_second": {
                number: spread([len(segments) / each for each in found.wall])
                for number, found in times.items()
            },
            "two_workers_are_times_faster": ratios(times["1"].wall, times["2"].wall),
        })  # fmt: skip
    after = {number: list(client.run(peak).values()) for number, client in clients.items()}
    return {
        "machine": machine(), "python": platform.python_version(),
        "versions": versions([]) | {"dask": dask.__version__,
                                    "distributed": distributed.__version__},
        "segments": len(segments), "partitions": len(paths), "trials": options.trials,
        "bytes_of_text": sum(path.stat().st_size for path in paths),
        "rounds": options.rounds, "method": METHOD, "rows": rows,
        "memory_mebibytes": [
            {"workers": number, "before": before[number], "peak": after[number]}
            for number in clients
        ],
        **checked(parts, segments, clients, options),
    }  # fmt: skip


def checked(
    parts: list[Any], segments: list[Any], clients: dict[int, Any], options: argparse.Namespace
) -> dict[str, Any]:
    """Whether all are equal, and how much a partition sends."""
    from bleu_nb import Bleu
    from bleu_nb.adapters.reducer import Reducer

    candidates, references = [pair[0] for pair in segments], [[pair[1]] for pair in segments]
    score = corpus_bleu(candidates, references)
    counts = Bleu().count(candidates, references)
    alone = PoissonSums.of(counts, range(len(counts)), trials=options.trials)
    sums = [client.compute(poisson_bootstrap(parts, trials=options.trials)).result().sums
            for client in clients.values()]  # fmt: skip
    reducer = Reducer()
    numbers = reducer.count(candidates, references)
    return {
        "equal": {
            "score": all(client.compute(dask_bleu(parts)).result() == score
                         for client in clients.values()),
            "resamples": all((each == alone.sums).all() for each in sums),
        },
        "state_bytes": {"score": len(pickle.dumps((numbers, {reducer.marks}))),
                        "resamples": len(pickle.dumps(alone))},
    }  # fmt: skip


def as_text(report: dict[str, Any]) -> str:
    """Everything, a line each."""
    lines = [f"{report['segments']:,} segments in {report['partitions']} partitions, "
             f"load {report['load']}, equal: {report['equal']}"]  # fmt: skip
    for row in report["rows"]:
        told = ", ".join(
            f"{number} workers {found['median']:,.0f} segments a second "
            f"({found['low']:,.0f} to {found['high']:,.0f})"
            for number, found in row["segments_a_second"].items()
        )
        faster = row["two_workers_are_times_faster"]["median"]
        lines.append(f"{row['name']}: {told}; {faster:.2f} times faster")
    lines += [f"memory: {each}" for each in report["memory_mebibytes"]]
    return "\n".join([*lines, f"state: {report['state_bytes']}", ""])


if __name__ == "__main__":
    sys.exit(main())
