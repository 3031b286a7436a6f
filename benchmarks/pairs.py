"""How fast are all pairs, self-BLEU and minimum Bayes risk? Beside loops, and fast-bleu."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from corpora import DATA, SEED, corpus, perturbed, segments
from measuring import COMMAND, Row, Tables, exponent, interleaved, process, ratios, say, spread

TOLD, _, _ = COMMAND.partition("sys.exit")
SELF_BLEU = f"""{TOLD}
import time
from bleu_nb import self_bleu
self_bleu(["a b", "a b c"])
start = time.perf_counter()
with open(sys.argv[1], encoding="utf-8") as lines:
    self_bleu(line.rstrip("\\n") for line in lines)
print(time.perf_counter() - start)
"""


def pairs(options: Namespace) -> Tables:
    """All pairs, self-BLEU and minimum Bayes risk.

    Timed is the way from lines of text to all scores, tokenising included, in one process.
    sacreBLEU's `sentence_score` and this package's `sentence_bleu` are timed on some of the same
    pairs, with tokenised lines in sacreBLEU's cache, in turns with ours; their time is per pair,
    and their scores must be those of the table. Self-BLEU: each size reads a file in a process of
    its own; a million with `--large`. fast-bleu's `SelfBLEU` gets words split before, ours lines,
    where it is installed; it passes one length too few, so that its mean may be another.
    """
    from bleu_nb import mbr, self_bleu

    quick, data = options.quick, options.data
    samples, rows, columns = (16, 40, 10) if quick else (1024, 8_000, 2_000)
    natural = corpus(data, rows + columns, 1).candidates
    one_source = sampled(data, samples, 3)
    tables = [
        beside_loops("samples of one source", one_source, one_source, options),
        beside_loops("natural lines", natural[:rows], natural[rows:], options),
        beside_loops("unrelated lines", *unrelated(data, samples), options),
    ]
    number, each = (3, 8) if quick else (100, 256)
    sources = [sampled(data, each, seed) for seed in range(number)]
    times = interleaved({"self_bleu": lambda: self_bleu(natural[:rows]),
                         "mbr": lambda: mbr(sources)}, 1)
    sizes = [50, 100] if quick else [10_000, 30_000, 100_000, *[1_000_000] * options.large]
    grown = [of_a_file(data, size) for size in sizes]
    return {
        "All pairs": tables,
        "Self-BLEU": [{"sentences": rows, "seconds": times["self_bleu"].wall[0],
                       **beside_fast_bleu(natural[:rows])}, *grown],
        "Self-BLEU grows with sentences to the power of": [
            {"sentences": ", ".join(f"{size:,}" for size in sizes),
             "power": exponent(sizes, [row["seconds"] for row in grown])}],
        "Minimum Bayes risk": [
            {"sources": number, "samples of each": each, "seconds": times["mbr"].wall[0]}],
    }


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


def beside_loops(name: str, lines: list[str], others: list[str], options: Namespace) -> Row:
    """The table of all pairs, in turns with loops over some of them."""
    import sacrebleu

    from bleu_nb import pairwise_bleu, sentence_bleu

    draws, metric = Random(1), sacrebleu.BLEU(effective_order=True)
    some = [(draws.randrange(len(lines)), draws.randrange(len(others)))
            for _ in range(20 if options.quick else 5_000)]

    def theirs() -> list[float]:
        return [metric.sentence_score(lines[i], [others[j]]).score for i, j in some]

    theirs()  # Its caches
    times = interleaved({
        "ours": lambda: pairwise_bleu(lines, others),
        "sacreBLEU": theirs,
        "sentence_bleu": lambda: [sentence_bleu(lines[i], [others[j]]).value for i, j in some],
    }, options.rounds, lambda what: say(f"{name}, {what}"))
    table = times["ours"].results[0]
    ours = [table[i, j] for i, j in some]
    close = all(abs(a - b) < 1e-9
                for a, b in zip(ours, times["sacreBLEU"].results[0], strict=True))
    if not close or ours != times["sentence_bleu"].results[0]:
        raise SystemExit(f"not stored, because scores differ: {name}")
    counts = {"ours": len(lines) * len(others), "sacreBLEU": len(some), "sentence_bleu": len(some)}
    each = {who: [1e6 * wall / counts[who] for wall in found.wall] for who, found in times.items()}
    return {
        "lines": name, "pairs": f"{len(lines):,} x {len(others):,}",
        "seconds": spread(times["ours"].wall),
        **{f"µs a pair, {who}": spread(found) for who, found in each.items()},
        "times faster than sacreBLEU": ratios(each["sacreBLEU"], each["ours"]),
    }


def beside_fast_bleu(lines: list[str]) -> Row:
    """Self-BLEU by fast-bleu, in turns with ours; nothing where it is not installed."""
    from bleu_nb import self_bleu

    try:
        import fast_bleu
    except ImportError:
        return {}
    tokens = [line.split() for line in lines]
    times = interleaved({
        "ours": lambda: self_bleu(lines, dialect="fast-bleu").value,
        "theirs": lambda: fast_bleu.SelfBLEU(tokens, {4: (0.25,) * 4}).get_score()[4],
    }, 1)
    means = times["ours"].results[0], sum(times["theirs"].results[0]) / len(lines)
    return {"as fast-bleu": times["ours"].wall[0], "fast-bleu": times["theirs"].wall[0],
            "equal": abs(means[0] - means[1]) < 1e-9}


def outputs(data: str, seed: int = SEED) -> Iterator[str]:
    """An endless list of natural lines."""
    for candidate, _ in segments(DATA[data](seed), 0, seed):
        yield candidate


def of_a_file(data: str, size: int) -> Row:
    """Self-BLEU of so many sentences, in a process of its own."""
    say(f"self-BLEU of {size:,}")
    with TemporaryDirectory() as folder:
        path = Path(folder) / "lines"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(f"{' '.join(line.split())}\n" for line in islice(outputs(data), size))
        done: Any = process(sys.executable, "-c", SELF_BLEU, str(path))()
    return {"sentences": size, "seconds": float(done["printed"]), "peak, MiB": done["peak"]}
