"""How fast? Every contender on the same text in one run, interleaved, as ratios.

    python benchmarks/run.py            # everything: 3,000, 100,000 and 1,000,000 segments
    python benchmarks/run.py --quick    # the same on little text, to see that it works

Prints tables, and writes what they are made of beside this file as results.json; a quick run only
where `--out` says. `tables.py` prints them again.
"""

import argparse
import json
import math
import os
import platform
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from typing import Any

from command import add_data, command, options_of, whole_number
from contenders import CONTENDERS, CORES, Call, Contender
from corpora import SEED, Corpus, corpus
from processes import first_numba_score, peak_memory, start_up
from tables import as_text
from timing import Times, exponent, interleaved, ratios

import bleu_nb
from bleu_nb import Bleu

SIZES, QUICK_SIZES = (3_000, 100_000, 1_000_000), (200, 1_000)
SENTENCES, QUICK_SENTENCES = 2_000, 50
STARTS, QUICK_STARTS = 15, 3
PROBE = 50  # Segments that show who is there
CHECKED = 100_000  # Segments on which sacreBLEU's score is asked for, at most
TOLERANCE = 1e-12  # From Python 3.12 on sacreBLEU adds in another order than before

METHOD = {
    "timed": (
        "Timed is the call alone, from text in memory to the score; who is slow is timed on the "
        "first segments only, as said, and compared per segment."
    ),
    "tokens": "From tokens: the text was tokenised before, by 13a, which is not timed.",
    "warm_up": f"Everybody scores {PROBE} segments before, which compiles numba's code.",
    "collector": "Python's garbage collector is off during a call and runs before it.",
    "openmp": "OMP_WAIT_POLICY is PASSIVE: fast-bleu's idle threads sleep instead of spinning.",
    "ratio_to_sacrebleu": "sacreBLEU's time per segment over the contender's: times faster",
    "ratio_to_bleuscore": "bleuscore's time per segment over the contender's: times faster",
    "ratio_to_split": "the contender's time per segment over that of len(line.split())",
    "checked": (
        f"Before they are timed, sacreBLEU and all engines of bleu_nb must agree, on {CHECKED:,} "
        "segments at most; afterwards, all engines that scored the same text must."
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write; the report is written after each corpus."""
    options = parsed(arguments)
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")  # Read when a library is loaded
    selected = [CONTENDERS[name] for name in options.contenders]
    report = facts(options)
    report["import"] = start_up(options.starts)
    known: dict[tuple[int, int], Any] = {}
    for references in options.references:
        most = max(*options.segments, options.rounds * options.sentences)
        whole = corpus(options.data, most, references)
        present, report["absent"] = who_is_there(selected, whole.part(0, PROBE))
        if not options.quick and any(each.name.startswith("numba") for each in present):
            report["import"].setdefault("numba", first_numba_score())
        report["data"]["words_a_line"] = words_a_line(whole.part(0, SIZES[0]))
        report["sentence"] += sentences(whole, references, options.rounds, options.sentences)
        for segments in sorted(options.segments):
            part = whole.part(0, segments)
            check(present, part, references, known)
            say(f"{segments:,} segments, {references} references")
            rows = timed_rows(present, part, references, options.rounds)
            report["rows"] += rows
            report["memory"].append(on_files(part, rows))
            report["scaling"] = scaling(report["rows"])
            if options.out:
                write(report, options.out)
    sys.stdout.write(as_text(report))
    return 0


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with defaults that depend on `--quick`."""
    parser = command(__doc__, Path(__file__).parent)
    add_data(parser)
    add = parser.add_argument
    add("--segments", type=whole_number, nargs="+", metavar="N", help="sizes of the corpora")
    add("--references", type=whole_number, nargs="+", metavar="N", default=[1, 4])
    add("--contenders", type=names, default=list(CONTENDERS), help=", ".join(CONTENDERS))
    options = options_of(parser, arguments, Path(__file__).parent, 5, 2)
    quick = options.quick
    options.segments = options.segments or (QUICK_SIZES if quick else SIZES)
    options.sentences = QUICK_SENTENCES if quick else SENTENCES
    options.starts = QUICK_STARTS if quick else STARTS
    return options


def names(text: str) -> list[str]:
    """Names of contenders with commas between them."""
    chosen = text.split(",")
    if unknown := [name for name in chosen if name not in CONTENDERS]:
        known = ", ".join(CONTENDERS)
        raise argparse.ArgumentTypeError(f"no such contender: {', '.join(unknown)}; known: {known}")
    return chosen


def facts(options: argparse.Namespace) -> dict[str, Any]:
    """The head of a report, with room for what will be measured."""
    chosen = [CONTENDERS[name] for name in options.contenders]
    return {
        "machine": machine(),
        "python": platform.python_version(),
        "versions": versions(chosen),
        "data": {"name": options.data, "seed": SEED},
        "method": {"rounds": options.rounds, **METHOD},
        "contenders": {
            each.name: {"title": each.title, "exact": each.exact, "most_segments": each.most}
            for each in chosen
        },
        "absent": [],
        "rows": [],
        "scaling": [],
        "memory": [],
        "sentence": [],
        "import": {},
    }


def machine() -> dict[str, Any]:
    """What matters about this machine, and nothing that tells which one it is."""
    cpu = platform.processor() or platform.machine()
    if (info := Path("/proc/cpuinfo")).exists():
        lines = info.read_text(encoding="utf-8").splitlines()
        cpu = next((x.partition(":")[2].strip() for x in lines if x.startswith("model name")), cpu)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cpu": cpu,
        "cores": CORES,
        "memory_gibibytes": round(memory / 2**30, 1),
        "system": f"{platform.system()} {platform.machine()}",
    }


def versions(contenders: Sequence[Contender]) -> dict[str, str]:
    """The versions of what is timed and of what that runs on, where installed."""
    wanted = ["numpy", "numba", *(each.distribution for each in contenders), "torch"]
    found = {"bleu_nb": bleu_nb.__version__}
    for name in filter(None, dict.fromkeys(wanted)):
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def who_is_there(
    contenders: Sequence[Contender], probe: Corpus
) -> tuple[list[Contender], list[dict[str, str]]]:
    """Who can be imported and scores a few segments, and who is absent and why."""
    present, absent = [], []
    for contender in contenders:
        try:
            contender.prepare(probe)()
        except (ImportError, OSError) as error:  # OSError: a shared library does not load
            absent.append({"contender": contender.name, "reason": str(error)})
        else:
            present.append(contender)
    return present, absent


def check(
    contenders: Sequence[Contender],
    corpus: Corpus,
    references: int,
    known: dict[tuple[int, int], Any],
) -> None:
    """Stop unless sacreBLEU and whoever must equal it agree on what they will be timed on.

    A smaller corpus is a part of a larger one, so that a score asked for before is `known`.
    """
    exact = [each for each in contenders if each.exact]
    for number in sorted({min(CHECKED, each.timed_on(len(corpus))) for each in exact}):
        part = corpus.part(0, number)
        scores: dict[str, Any] = {}
        for each in exact:
            if each.name == "sacrebleu":
                if (references, number) not in known:
                    say(f"checking {number:,} segments: {each.name}")
                    known[references, number] = each.prepare(part)()
                scores[each.name] = known[references, number]
            elif each.timed_on(len(corpus)) >= number:
                say(f"checking {number:,} segments: {each.name}")
                scores[each.name] = each.prepare(part)()
        agree(scores, f"the first {number:,} segments with {references} references")


def agree(scores: dict[str, float], what: str) -> None:
    """Stop with all scores if two of them differ: ours in any bit, sacreBLEU's in 12 digits."""
    engines = {score for name, score in scores.items() if name != "sacrebleu"}
    theirs = scores.get("sacrebleu")
    close = theirs is None or all(math.isclose(x, theirs, rel_tol=TOLERANCE) for x in engines)
    if len(engines) > 1 or not close:
        raise SystemExit(f"not timed, because scores differ on {what}: {scores}")


def timed_rows(
    contenders: Sequence[Contender], corpus: Corpus, references: int, rounds: int
) -> list[dict[str, Any]]:
    """A row for each contender on one corpus."""
    sizes = {each.name: each.timed_on(len(corpus)) for each in contenders}
    calls = {each.name: each.prepare(corpus.part(0, sizes[each.name])) for each in contenders}
    times = interleaved(calls, rounds, say)
    for size in set(sizes.values()):
        agree(
            {
                f"{name}, round {number}": score
                for name in calls
                if sizes[name] == size and CONTENDERS[name].exact and name != "sacrebleu"
                for number, score in enumerate(times[name].results, 1)
            },
            f"{size:,} segments with {references} references",
        )
    each_takes = {name: per_segment(times[name].wall, sizes[name]) for name in calls}
    return [
        {
            "contender": name,
            "references": references,
            "segments": len(corpus),
            "timed_segments": sizes[name],
            "microseconds_per_segment": median(each_takes[name]),
            "cpu_microseconds_per_segment": median(per_segment(times[name].cpu, sizes[name])),
            "rounds": each_takes[name],
            "ratio_to_sacrebleu": against(each_takes, "sacrebleu", name),
            "ratio_to_bleuscore": against(each_takes, "bleuscore", name),
            "ratio_to_split": against(each_takes, name, "split"),
            "score": times[name].results[0],
        }
        for name in calls
    ]


def per_segment(seconds: Sequence[float], segments: int) -> list[float]:
    """Microseconds per segment."""
    return [1e6 * each / segments for each in seconds]


def against(times: dict[str, list[float]], above: str, below: str) -> dict[str, float] | None:
    """The ratios of two contenders' times, where both were timed."""
    return ratios(times[above], times[below]) if above in times and below in times else None


def scaling(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The exponents of all who were timed on the whole of at least two corpora."""
    growth: dict[tuple[str, int], list[tuple[int, float]]] = {}
    for row in rows:
        if row["timed_segments"] == row["segments"]:
            seconds = row["segments"] * row["microseconds_per_segment"] / 1e6
            key = row["contender"], row["references"]
            growth.setdefault(key, []).append((row["segments"], seconds))
    return [
        {
            "contender": name,
            "references": references,
            "segments": [size for size, _ in points],
            "exponent": exponent(*zip(*points, strict=True)),
        }
        for (name, references), points in growth.items()
        if len(points) > 1
    ]


def sentences(corpus: Corpus, references: int, rounds: int, number: int) -> list[dict[str, Any]]:
    """Sentence BLEU, on other segments in every round: sacreBLEU has none of them in its caches."""
    try:
        from sacrebleu import sentence_bleu as theirs
    except ImportError:
        return []
    ours = {"bits": Bleu(engine="bits").sentence}
    parts = [corpus.part(place * number, (place + 1) * number) for place in range(rounds)]

    def one_by_one(score: Any, name: str) -> Call:
        rest: Iterator[Corpus] = iter(parts)

        def call() -> Any:
            part = next(rest)
            pairs = zip(part.candidates, part.references, strict=True)
            return [getattr(score(*pair), name) for pair in pairs]

        return call

    calls = {name: one_by_one(score, "value") for name, score in ours.items()}
    calls["sacrebleu"] = one_by_one(theirs, "score")
    times: dict[str, Times] = interleaved(calls, rounds, say)
    for same in zip(*(each.results for each in times.values()), strict=True):
        for place, scores in enumerate(zip(*same, strict=True)):
            agree(dict(zip(times, scores, strict=True)), f"sentence {place}")
    return [
        {
            "engine": name,
            "references": references,
            "segments": number,
            "microseconds": median(per_segment(times[name].wall, number)),
            "sacrebleu_microseconds": median(per_segment(times["sacrebleu"].wall, number)),
            "ratio_to_sacrebleu": ratios(times["sacrebleu"].wall, times[name].wall),
        }
        for name in ours
    ]


def on_files(corpus: Corpus, rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Memory and time of the command, which must print the score that was timed."""
    say(f"the command on {len(corpus):,} segments")
    facts = peak_memory(corpus)
    for row in rows:
        whole = row["timed_segments"] == len(corpus)
        if whole and CONTENDERS[row["contender"]].exact:
            agree_in_print(facts["printed"], row["score"])
    return facts


def agree_in_print(printed: str, score: float) -> None:
    """Stop if the command printed another score."""
    if f" = {score:.2f} " not in printed:
        raise SystemExit(f"the command printed {printed!r} for a score of {score}")


def words_a_line(corpus: Corpus) -> float:
    """The mean number of words, of candidates and references together."""
    lengths = [len(line.split()) for side in corpus.sides for line in side]
    return sum(lengths) / len(lengths)


def write(report: dict[str, Any], folder: Path) -> None:
    """Write the report as JSON, from which `tables.py` makes all tables."""
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(report, indent=1, ensure_ascii=False)
    (folder / "results.json").write_text(f"{text}\n", encoding="utf-8")


def say(what: str) -> None:
    """Tell who is being timed, on standard error."""
    sys.stderr.write(f"{what}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    sys.exit(main())
