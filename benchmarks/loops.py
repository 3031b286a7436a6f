"""Where people wait: one segment a call, a small command, large files, the second core.

python benchmarks/loops.py                     # beside sacreBLEU and `wc -w`
python benchmarks/loops.py --before FOLDER     # and beside another copy of the package
"""

import argparse
import gc
import json
import os
import platform
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from command import command, options_of, tell
from corpora import SEED, WMT, Corpus, corpus
from run import machine, versions
from tables import in_text, loops_grids
from timing import ratios

RECORD = Path(__file__).resolve().parent / "loops.json"
METHOD = {
    "loops": "One segment a call, each pair new and sacreBLEU's caches cleared, but for the rows "
    "that say repeated; CPU time of both in the same process, side by side.",
    "commands": "Whole processes of 3,000 lines; CPU time.",
    "files": "Two files to the printed score by numba, compiled before, over `wc -w` of both "
    "in a UTF-8 locale; elapsed time.",
    "cores": "Elapsed time on one thread over that on two, of text in memory; told only if the "
    "load of the machine is less than one beside it.",
    "rounds": "Each round is a process of its own for each copy of the package, in turn.",
}
BUCKETS = {"5 to 14 words": (5, 14), "15 to 24 words": (15, 24), "25 words": (23, 27),
           "40 to 60 words": (40, 60)}  # fmt: skip
CALLS = {"corpus_bleu": (2, 3), "sentence_bleu": (4, 4), "drop-in corpus_bleu": (2, 3),
         "kept drop-in, repeated": (1, 1)}  # Goals of short text, and of longer text  # fmt: skip
NONE = ("corpus_bleu", "drop-in corpus_bleu")  # Timed with the tokenizer none, too
NONE_GOAL = 1.5
OTHERS = {  # Name -> how it is measured, what is aimed at
    "3,000 lines, command": ("times as fast as sacreBLEU", 3.5),
    "large files, command": ("times the time of wc -w", 1.5),
    "second core, numba": ("times as fast as one", 1.7),
    "second core, numpy": ("times as fast as one", 1.5),
}
FASTER = "times as fast as sacreBLEU"
WHY = {  # Begin of a row's name -> what stands in the way, and what it would cost
    "corpus_bleu": "splitting, counting and the formula, timed alone, are the share of the call "
    "that the profile shows; the rest are checks, the signature, the objects of the result, and "
    "what some sixty functions take where the processor has not just run them. A formula for the "
    "usual dialect alone was tried and saves a tenth, as a second formula to keep equal; a call "
    "of numba costs more than this whole call.",
    "sentence_bleu": "as for corpus_bleu, and four times leaves hardly more than splitting and "
    "counting take.",
    "drop-in": "the metric object, its checks, the formula and the text of the result are "
    "sacreBLEU's own, which people replace, and asking whether they have been takes time, too.",
    "kept drop-in": "sacreBLEU looks up what it has split before, and we split again.",
    "none": "nothing is split by rules here, which sacreBLEU does slowly; counting and all that "
    "is around it decide.",
    "3,000 lines": "a third of the CPU time is numpy's import, and a third our own modules, where "
    "the classes that dataclasses makes cost most: less needs fewer of them, or no numpy, and then "
    "counting takes what its import took.",
    "large files": "a sixth of the CPU time is reading and checking UTF-8, which holds the "
    "interpreter's lock, as numba's import does, so that neither overlaps the other; half is "
    "compiled. A compiled check of bytes could run on the other core.",
    "second core, numba": "two fifths of the time hold the interpreter's lock: reading, joining, "
    "and the columns of counts.",
    "second core, numpy": "each array call takes the interpreter's lock again, dozens of times a "
    "chunk, and longer arrays leave the cache (chunks of twice the size take longer): more needs "
    "processes.",
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; or be one round of it."""
    options = parsed(arguments)
    if options.worker:
        sys.stdout.write(json.dumps(one_round(options)))
        return 0
    here = Path(str(find_spec("bleu_nb").origin)).parents[1]  # type: ignore[union-attr]
    copies = {"now": here, **({"before": options.before} if options.before else {})}
    rounds: dict[str, list[dict[str, list[float]]]] = {name: [] for name in copies}
    loads = []
    with TemporaryDirectory() as folder:
        write_files(Path(folder), options)
        for number in range(options.rounds):
            for name, place in copies.items():
                loads.append(os.getloadavg()[0])
                sys.stderr.write(f"round {number + 1} of {options.rounds}: {name}\n")
                rounds[name].append(ask(options, number, place, folder))
    report = {
        "machine": machine(), "python": platform.python_version(), "versions": versions([]),
        "data": {"name": options.data, "seed": SEED, "segments": options.segments},
        "method": {"rounds": options.rounds, **METHOD}, "absent": [],
        "load": [min(loads), max(loads)],
        "rows": rows_of(rounds, max(loads)), "profile": profile_of(rounds["now"]),
    }  # fmt: skip
    return tell(report, options.out, in_text(report, loops_grids(report)))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with defaults that depend on `--quick`."""
    parser = command(__doc__, RECORD, "generated text, and little of it")
    add = parser.add_argument
    add("--before", type=Path, metavar="FOLDER", help="that holds another folder bleu_nb")
    add("--worker", type=int, metavar="N", help=argparse.SUPPRESS)
    add("--files", help=argparse.SUPPRESS)
    options = options_of(parser, arguments, RECORD, 7)
    options.worker = "--worker" in (sys.argv if arguments is None else arguments)
    options.data = "generated" if options.quick or not WMT.exists() else "wmt"
    options.segments = 400 if options.quick else 1_000_000
    options.calls = 5 if options.quick else 100
    return options


def ask(options: argparse.Namespace, number: int, place: Path, folder: str) -> Any:
    """What one round of a copy of the package measures."""
    typed = [sys.executable, __file__, "--worker", str(number), "--files", folder]
    answer = subprocess.run(
        [*typed, *["--quick"] * options.quick], check=True, stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(place)})  # fmt: skip
    return json.loads(answer.stdout)


def write_files(folder: Path, options: argparse.Namespace) -> None:
    """Files for the commands: 3,000 lines, and many."""
    for name, number in (("few", 60 if options.quick else 3_000), ("many", options.segments)):
        text = corpus(options.data, number, 1)
        for kind, lines in zip("hr", text.sides, strict=True):
            (folder / f"{name}.{kind}").write_text("".join(f"{line}\n" for line in lines), "utf-8")


def one_round(options: argparse.Namespace) -> dict[str, list[float]]:
    """Row -> our time and the other's."""
    warnings.simplefilter("ignore")
    number = int(sys.argv[sys.argv.index("--worker") + 1])
    text = corpus(options.data, 800 if options.quick else 40_000, 1)
    found: dict[str, list[float]] = {}
    for bucket, (low, high) in BUCKETS.items():
        pairs = {(line, group[0]): 0 for line, group in zip(
            text.candidates, text.references, strict=True) if low <= len(line.split()) <= high}
        some = [*pairs][number * options.calls:][:options.calls] or [*pairs][:options.calls]
        if some:
            found |= loops(bucket, some)
        if some and bucket == "25 words":
            found |= profile(some)
    files = Path(options.files)
    return found | commands(files) | cores(text.part(0, min(len(text), 20_000)))


def timed(call: Callable[[], Any], clock: Callable[[], float] = time.process_time) -> float:
    """Seconds of a call, without Python's collector."""
    gc.collect()
    gc.disable()
    start = clock()
    call()
    taken = clock() - start
    gc.enable()
    return taken


def loops(bucket: str, pairs: Sequence[tuple[str, str]]) -> dict[str, list[float]]:
    """Our calls beside sacreBLEU's, on some pairs."""
    import sacrebleu

    import bleu_nb
    from bleu_nb.adapters import sacrebleu as ours

    kept, theirs = ours.BLEU(), sacrebleu.BLEU()
    calls: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
        "corpus_bleu": (lambda h, r, **o: bleu_nb.corpus_bleu([h], [[r]], **o).value,
                        lambda h, r, **o: sacrebleu.corpus_bleu([h], [[r]], **o).score),
        "sentence_bleu": (lambda h, r: bleu_nb.sentence_bleu(h, [r]).value,
                          lambda h, r: sacrebleu.sentence_bleu(h, [r]).score),
        "drop-in corpus_bleu": (lambda h, r, **o: ours.corpus_bleu([h], [[r]], **o).score,
                                lambda h, r, **o: sacrebleu.corpus_bleu([h], [[r]], **o).score),
        "kept drop-in, repeated": (lambda h, r: kept.corpus_score([h], [[r]]).score,
                                   lambda h, r: theirs.corpus_score([h], [[r]]).score),
    }  # fmt: skip
    found = {}
    for name, (mine, other) in calls.items():
        for tokenizer in ("13a", "none") if name in NONE else ("13a",):
            changed = {} if tokenizer == "13a" else {"tokenize": tokenizer}
            own = {"tokenizer": tokenizer} if changed and name == "corpus_bleu" else changed
            if {mine(*pair, **own) for pair in pairs[:3]} != {
                    other(*pair, **changed) for pair in pairs[:3]}:
                raise SystemExit(f"not timed, because scores differ: {name}")
            if "repeated" in name:
                _ = [one(*pair) for pair in pairs for one in (mine, other)]
            else:
                clear(theirs)
            both = [timed(lambda one=one, how=how: [one(*pair, **how) for pair in pairs])
                    for one, how in ((mine, own), (other, changed))]  # fmt: skip
            what = name if tokenizer == "13a" else f"none, {name}"
            found[f"{what}, {bucket}"] = [each / len(pairs) for each in both]
    return found


def clear(metric: Any) -> None:
    """Clear the caches of sacreBLEU's tokenizers, which hold the pairs that were checked."""
    kinds = {type(metric.tokenizer), type(metric.tokenizer._post_tokenizer)}
    for kind in kinds:
        kind.__call__.cache_clear()


def profile(pairs: Sequence[tuple[str, str]]) -> dict[str, list[float]]:
    """The parts of one call of `corpus_bleu`, without the layers between them."""
    from bleu_nb import DIALECTS, corpus_bleu
    from bleu_nb.derivation.bleu import closest_length
    from bleu_nb.dialects.definition import build_score
    from bleu_nb.engines.bits import count_from_bits, split_13a

    dialect = DIALECTS["sacrebleu"]
    tokens = [(split_13a(line), [split_13a(other)]) for line, other in pairs]
    rows = [count_from_bits([line], group, 4, closest_length, 0)[0] for line, group in tokens]
    whole = timed(lambda: [corpus_bleu([line], [[other]]) for line, other in pairs])
    parts = {
        "split": timed(lambda: [(split_13a(line), split_13a(other)) for line, other in pairs]),
        "count": timed(lambda: [
            count_from_bits([line], group, 4, closest_length, 0) for line, group in tokens]),
        "formula, result": timed(lambda: [
            build_score(dialect, row, row, False, "") for row in rows]),
    }  # fmt: skip
    return {f"profile: {name}": [part, whole] for name, part in parts.items()}


def commands(folder: Path) -> dict[str, list[float]]:
    """Whole processes: 3,000 lines beside sacreBLEU's command, many lines beside `wc -w`."""
    few, many = ([str(folder / f"{name}.{kind}") for kind in "hr"] for name in ("few", "many"))
    python = [sys.executable, "-m"]

    def cpu() -> float:
        now = os.times()
        return now.children_user + now.children_system

    def run(*typed: str) -> Callable[[], Any]:
        return lambda: subprocess.run(typed, check=True, capture_output=True,
                                      env={**os.environ, "LC_ALL": "C.UTF-8"})  # fmt: skip

    ours = run(*python, "bleu_nb", "score", *many, "--engine", "numba")
    return {
        "3,000 lines, command": [
            timed(run(*python, "bleu_nb", "score", *few), cpu),
            timed(run(*python, "sacrebleu", few[1], "-i", few[0], "-b"), cpu)],
        "large files, command": [
            timed(ours, time.perf_counter), timed(run("wc", "-w", *many), time.perf_counter)],
    }  # fmt: skip


def cores(text: Corpus) -> dict[str, list[float]]:
    """Two threads beside one, of text in memory."""
    from bleu_nb import corpus_bleu

    def run(engine: str, threads: int) -> Callable[[], Any]:
        return lambda: corpus_bleu(text.candidates, text.references, engine=engine,
                                   threads=threads)  # fmt: skip

    found = {}
    for engine in ("numba", "numpy"):
        run(engine, 2)()
        found[f"second core, {engine}"] = [
            timed(run(engine, threads), time.perf_counter) for threads in (2, 1)]
    return found


def rows_of(
    rounds: dict[str, list[dict[str, list[float]]]], load: float
) -> list[dict[str, Any]]:
    """A row for each that was measured: before, now, the goal, and whether it is met."""
    rows = []
    for name in rounds["now"][0]:
        if name.startswith("profile"):
            continue
        measure, goal = OTHERS.get(name) or (FASTER, goal_of(name))
        most = "wc" in measure

        def spread(some: Sequence[dict[str, list[float]]], name: str = name,
                   turn: int = 1 if most else -1) -> dict[str, float]:
            return ratios(*[*zip(*(each[name] for each in some), strict=True)][::turn])

        now = spread(rounds["now"])
        before = spread(rounds["before"]) if rounds.get("before") else None
        met = now["median"] <= goal if most else now["median"] >= goal
        told = "core" not in name or load < (os.cpu_count() or 1) - 1 or met
        first, _, _ = name.partition(",")
        why = next(f"{start}: {WHY[start]}" for start in sorted(WHY, reverse=True)
                   if name.startswith(start) or first == start)
        rows.append({
            "what": name, "measure": measure, "before": before, "now": now,
            "at_most" if most else "at_least": goal, "met": met, "told": told,
            "why": "" if met or not told else why,
        })  # fmt: skip
    return rows


def goal_of(name: str) -> float:
    """What is aimed at for a loop."""
    if name.startswith("none"):
        return NONE_GOAL
    return next(goals[not name.endswith("5 to 14 words")]
                for call, goals in CALLS.items() if name.startswith(call))  # fmt: skip


def profile_of(rounds: Sequence[dict[str, list[float]]]) -> dict[str, dict[str, float]]:
    """The share of each part in a call, in hundredths."""
    names = [name for name in rounds[0] if name.startswith("profile")]
    return {name.partition(": ")[2]: ratios(*zip(*(
        (100 * each[name][0], each[name][1]) for each in rounds), strict=True))
        for name in names}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
