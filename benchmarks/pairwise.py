"""How fast are all pairs, self-BLEU and minimum Bayes risk? Beside loops.

    python benchmarks/pairwise.py            # about a minute
    python benchmarks/pairwise.py --million  # self-BLEU of a million sentences as well
    python benchmarks/pairwise.py --quick    # little text: does it work?

sacreBLEU's loop is timed on some of the same pairs with its caches warm, in turns with ours, so
that a ratio is of one round. Prints, and writes pairwise.json beside this file; a quick run only
where `--out` says.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import sacrebleu
from command import command, options_of, tell
from corpora import DATA, SEED, WMT, corpus, perturbed, segments
from run import machine, say, versions
from timing import exponent, interleaved, ratios, spread

from bleu_nb import mbr, pairwise_bleu, self_bleu, sentence_bleu

RECORD = Path(__file__).with_name("pairwise.json")
METHOD = {
    "timed": "From lines of text to all scores, tokenising included, in one process.",
    "loops": (
        "sacreBLEU's `sentence_score` and this package's `sentence_bleu` on some of the same "
        "pairs, tokenised lines in sacreBLEU's cache; their time is per pair."
    ),
    "load": (
        "The mean number of waiting processes of the last minute, before and after, of all that "
        "runs on this machine: above the number of its cores, others took part of the time."
    ),
    "self-BLEU": "Each size reads a file in a process of its own; peak memory in MiB (Linux).",
    "checked": "The scores of both loops are those of the table.",
    "fast-bleu": (
        "Its `SelfBLEU` on words split before, ours on lines; where it is installed. `equal` says "
        "whether the means agree to nine digits: it passes one length too few, and may not."
    ),
}
CHILD = """
import json, sys, time
from bleu_nb import self_bleu
self_bleu(["a b", "a b c"])
start = time.perf_counter()
with open(sys.argv[1], encoding="utf-8") as lines:
    value = self_bleu(line.rstrip("\\n") for line in lines).value
seconds = time.perf_counter() - start
with open("/proc/self/status", encoding="utf-8") as status:
    [peak] = [int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM")]
print(json.dumps({"seconds": seconds, "value": value, "peak": peak}))
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    options = parsed(arguments)
    before = os.getloadavg()[0]
    report = measured(options)
    report["load"] = {"before": round(before, 1), "after": round(os.getloadavg()[0], 1)}
    return tell(report, options.out, as_text(report))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with sizes that depend on `--quick`."""
    parser = command(__doc__, RECORD)
    parser.add_argument("--million", action="store_true",
                        help="self-BLEU of a million sentences as well")
    options = options_of(parser, arguments, RECORD, 3)
    quick = options.quick
    options.samples, options.looped = (16, 20) if quick else (1024, 5_000)
    options.shape = (40, 10) if quick else (8_000, 2_000)
    options.sizes = [50, 100] if quick else [10_000, 30_000, 100_000]
    options.sizes += [1_000_000] * options.million
    options.sources, options.each = (3, 8) if quick else (100, 256)
    options.data = "wmt" if WMT.is_dir() else "generated"
    return options


def sampled(data: str, number: int, seed: int) -> list[str]:
    """What a model may say for one source: one text, perturbed anew each time."""
    base = DATA[data](SEED)
    text, draws = base[seed % len(base)][0], Random(seed)
    return [perturbed(perturbed(text, draws), draws) for _ in range(number)]


def unrelated(data: str, number: int) -> tuple[list[str], list[str]]:
    """Different outputs, and as many different references of other segments."""
    rows = {candidate: group[0] for candidate, group in DATA[data](SEED)}
    ours = list(islice(rows, number))
    known = {rows[each] for each in ours}
    others = dict.fromkeys(each for each in rows.values() if each not in known)
    return ours, list(islice(others, number))


def beside_loops(
    name: str, lines: list[str], others: list[str], options: argparse.Namespace
) -> dict[str, Any]:
    """The table of all pairs, in turns with loops over some of them."""
    draws = Random(1)
    some = [(draws.randrange(len(lines)), draws.randrange(len(others)))
            for _ in range(options.looped)]  # fmt: skip
    metric = sacrebleu.BLEU(effective_order=True)

    def theirs() -> list[float]:
        return [metric.sentence_score(lines[i], [others[j]]).score for i, j in some]

    theirs()  # Its caches
    say(name)
    times = interleaved({
        "table": lambda: pairwise_bleu(lines, others),
        "sacrebleu": theirs,
        "sentence_bleu": lambda: [sentence_bleu(lines[i], [others[j]]).value for i, j in some],
    }, options.rounds)  # fmt: skip
    table = times["table"].results[0]
    ours = [table[i, j] for i, j in some]
    pairs = len(lines) * len(others)
    alone = [each / pairs for each in times["table"].wall]
    return {
        "name": name, "rows": len(lines), "columns": len(others),
        "seconds": spread(times["table"].wall),
        "microseconds_a_pair": {
            "pairwise": spread([1e6 * each for each in alone]),
            **{loop: spread([1e6 * each / len(some) for each in times[loop].wall])
               for loop in ("sacrebleu", "sentence_bleu")}},
        "times_faster_than_sacrebleu": ratios(
            [each / len(some) for each in times["sacrebleu"].wall], alone),
        "equal": {
            "sentence_bleu": ours == times["sentence_bleu"].results[0],
            "sacrebleu": all(abs(a - b) < 1e-9 for a, b in
                             zip(ours, times["sacrebleu"].results[0], strict=True))},
    }  # fmt: skip


def beside_fast_bleu(lines: list[str]) -> dict[str, Any] | None:
    """Self-BLEU by fast-bleu, in turns with ours; nothing where it is not installed."""
    try:
        import fast_bleu
    except ImportError:
        return None
    tokens = [line.split() for line in lines]
    times = interleaved({
        "self_bleu": lambda: self_bleu(lines, dialect="fast-bleu").value,
        "fast_bleu": lambda: fast_bleu.SelfBLEU(tokens, {4: (0.25,) * 4}).get_score()[4],
    }, 1)  # fmt: skip
    ours, theirs = (times[name].wall[0] for name in ("self_bleu", "fast_bleu"))
    means = times["self_bleu"].results[0], sum(times["fast_bleu"].results[0]) / len(lines)
    return {"seconds": {"self_bleu": ours, "fast_bleu": theirs}, "times_faster": theirs / ours,
            "equal": abs(means[0] - means[1]) < 1e-9}


def outputs(data: str, seed: int = SEED) -> Iterator[str]:
    """An endless list of natural lines."""
    for candidate, _ in segments(DATA[data](seed), 0, seed):
        yield candidate


def growing(options: argparse.Namespace) -> dict[str, Any]:
    """Self-BLEU of more and more sentences, each in a process of its own."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes:
            say(f"self-BLEU of {size:,}")
            path = Path(folder) / "lines"
            with path.open("w", encoding="utf-8") as file:
                file.writelines(
                    f"{' '.join(line.split())}\n" for line in islice(outputs(options.data), size))
            done = subprocess.run([sys.executable, "-c", CHILD, str(path)],
                                  capture_output=True, text=True, check=True)  # fmt: skip
            found.append({"sentences": size, **json.loads(done.stdout)})
    return {
        "sizes": found,
        "exponent": exponent(options.sizes, [each["seconds"] for each in found]),
    }


def measured(options: argparse.Namespace) -> dict[str, Any]:
    """Everything but the load."""
    rows, columns = options.shape
    natural = corpus(options.data, rows + columns, 1).candidates
    samples = sampled(options.data, options.samples, 3)
    tables = [
        beside_loops("samples of one source", samples, samples, options),
        beside_loops("natural lines", natural[:rows], natural[rows:], options),
        beside_loops("unrelated lines", *unrelated(options.data, options.samples), options),
    ]
    sources = [sampled(options.data, options.each, seed) for seed in range(options.sources)]
    say("the others")
    times = interleaved({
        "self_bleu": lambda: self_bleu(natural[:rows]),
        "mbr": lambda: mbr(sources),
    }, 1)  # fmt: skip
    return {
        "machine": machine(), "python": platform.python_version(), "versions": versions([]),
        "data": options.data, "rounds": options.rounds, "method": METHOD, "tables": tables,
        "self_bleu": {"sentences": rows, "seconds": times["self_bleu"].wall[0],
                      "fast_bleu": beside_fast_bleu(natural[:rows]), **growing(options)},
        "mbr": {"sources": len(sources), "samples": options.each,
                "seconds": times["mbr"].wall[0]},
    }  # fmt: skip


def as_text(report: dict[str, Any]) -> str:
    """The report for people."""
    lines = []
    for row in report["tables"]:
        lines.append(
            f"{row['rows']:,} x {row['columns']:,} {row['name']}: "
            f"{row['seconds']['median']:.2f} s, "
            f"{row['times_faster_than_sacrebleu']['median']:.0f} times sacreBLEU's loop")
    alike, decided = report["self_bleu"], report["mbr"]
    lines.append(f"self-BLEU of {alike['sentences']:,}: {alike['seconds']:.2f} s")
    if beside := alike["fast_bleu"]:
        lines[-1] += f", {beside['times_faster']:.0f} times fast-bleu"
    lines += [f"self-BLEU of {each['sentences']:,}: {each['seconds']:.2f} s, "
              f"{each['peak']:.0f} MiB" for each in alike["sizes"]]  # fmt: skip
    lines.append(f"time grows with the power {alike['exponent']:.2f} of the sentences")
    lines.append(f"mbr of {decided['sources']:,} sources x {decided['samples']}: "
                 f"{decided['seconds']:.2f} s")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
