"""Where people wait: one segment a call, a small command, large files, the second core, adapters.

`python benchmarks/loops.py N FOLDER TEXT`, which the part `loops` calls, is one round of it.
"""

import json
import os
import random
import subprocess
import sys
import warnings
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import cycle, islice, product
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from corpora import DATA, SEED, Corpus, Segment, corpus
from measuring import (
    Call,
    Row,
    Spread,
    Tables,
    Times,
    goal,
    interleaved,
    process,
    ratios,
    say,
    spread,
)

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


WAITS = "Where people wait"
BATCH = 64
KEPT = {(1, 1): 20, (1, 16): 20, (1, 500): 20, (60, 1): 1, (60, 16): 1, (60, 40): 1}  # Calls
MANY = {(4, 25): 100, (4, 150): 20, (8, 70): 20, (60, 25): 10, (500, 25): 2, (2_000, 25): 1}
Pairs = Sequence[tuple[str, str]]
Found = dict[str, list[float]]  # Row -> our time and the other's


def loops(options: Namespace) -> Tables:
    """Where people wait, and perhaps how long they waited with another copy of the package.

    One segment a call, each pair new and sacreBLEU's caches cleared, but for the rows that say
    repeated; CPU time of both in the same process, side by side. Whole processes of 3,000 lines;
    CPU time. Two files to the printed score by numba, compiled before, over `wc -w` of both in a
    UTF-8 locale; elapsed time. Elapsed time on one thread over that on two, of text in memory;
    told only if the load of the machine, this one included, is less than its cores. Each round is
    a process of its own for each copy of the package, in turn. The profile is of one call of
    corpus_bleu with 25 words, in hundredths.
    """
    here = Path(str(find_spec("bleu_nb").origin)).parents[1]  # type: ignore[union-attr]
    copies = {"now": here, **({"before": options.before} if options.before else {})}
    rounds: dict[str, list[Found]] = {name: [] for name in copies}
    loads = []
    with TemporaryDirectory() as folder:
        for name, number in (("few", 60 if options.quick else 3_000),
                             ("many", 400 if options.quick else 1_000_000)):
            for kind, lines in zip("hr", corpus(options.data, number, 1).sides, strict=True):
                text = "".join(f"{line}\n" for line in lines)
                (Path(folder) / f"{name}.{kind}").write_text(text, "utf-8")
        for number, (name, place) in product(range(options.rounds), copies.items()):
            loads.append(os.getloadavg()[0])
            say(f"round {number + 1} of {options.rounds}: {name}")
            typed = [sys.executable, __file__, str(number), folder, options.data]
            answer = subprocess.run(
                [*typed, *["--quick"] * options.quick], check=True, stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": str(place)})
            rounds[name].append(json.loads(answer.stdout))
    profiled = [
        {"part": name.partition(": ")[2], "share": ratios(*zip(*(
            (100 * each[name][0], each[name][1]) for each in rounds["now"]), strict=True))}
        for name in rounds["now"][0] if name.startswith("profile")]
    return {WAITS: rows_of(rounds, max(loads)),
            "Of one call of corpus_bleu, 25 words, in hundredths": profiled}


def one_round(number: int, files: Path, data: str, quick: bool) -> Found:
    """Every row once, on pairs that other rounds do not have."""
    warnings.simplefilter("ignore")
    text, calls = corpus(data, 800 if quick else 40_000, 1), 5 if quick else 100
    found: Found = {}
    for bucket, (low, high) in BUCKETS.items():
        pairs = {(line, group[0]): 0 for line, group in zip(
            text.candidates, text.references, strict=True) if low <= len(line.split()) <= high}
        some = [*pairs][number * calls:][:calls] or [*pairs][:calls]
        if some:
            found |= one_by_one(bucket, some)
        if some and bucket == "25 words":
            found |= profile(some)
    return found | commands(files) | cores(text.part(0, min(len(text), 20_000)))


def timed(call: Call, clock: str = "cpu") -> float:
    """Seconds of a call, without Python's collector."""
    times = Times()
    times.run(call)
    taken: float = getattr(times, clock)[0]
    return taken


def one_by_one(bucket: str, pairs: Pairs) -> Found:
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
    found: Found = {}
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


def profile(pairs: Pairs) -> Found:
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


def commands(folder: Path) -> Found:
    """Whole processes: 3,000 lines beside sacreBLEU's command, many lines beside `wc -w`."""
    few, many = ([str(folder / f"{name}.{kind}") for kind in "hr"] for name in ("few", "many"))

    def run(*typed: str) -> Call:
        return process(*typed, LC_ALL="C.UTF-8")

    python = [sys.executable, "-m"]
    return {
        "3,000 lines, command": [
            timed(run(*python, "bleu_nb", "score", *few)),
            timed(run(*python, "sacrebleu", few[1], "-i", few[0], "-b"))],
        "large files, command": [
            timed(run(*python, "bleu_nb", "score", *many, "--engine", "numba"), "wall"),
            timed(run("wc", "-w", *many), "wall")],
    }


def cores(text: Corpus) -> Found:
    """Two threads beside one, of text in memory."""
    from bleu_nb import corpus_bleu

    def run(engine: str, threads: int) -> Call:
        return lambda: corpus_bleu(text.candidates, text.references, engine=engine,
                                   threads=threads)  # fmt: skip

    found = {}
    for engine in ("numba", "numpy"):
        run(engine, 2)()
        found[f"second core, {engine}"] = [
            timed(run(engine, threads), "wall") for threads in (2, 1)]
    return found


def rows_of(rounds: dict[str, list[Found]], load: float) -> list[Row]:
    """A row for each that was measured: before, now, the goal, and whether it is met."""
    rows = []
    for name in rounds["now"][0]:
        if name.startswith("profile"):
            continue
        measure, aim = OTHERS.get(name) or (FASTER, goal_of(name))
        most = "wc" in measure
        both: dict[str, Spread] = {
            copy: ratios(*[*zip(*(each[name] for each in some), strict=True)][:: 1 if most else -1])
            for copy, some in rounds.items()}
        row = goal(name, both["now"], measure, aim, most)
        if "core" in name and load >= (os.cpu_count() or 1) and row["met"] == "MISSED":
            row["met"] = "not told"
        first, _, _ = name.partition(",")
        why = next(f"{start}: {WHY[start]}" for start in sorted(WHY, reverse=True)
                   if name.startswith(start) or first == start)
        rows.append({"what": name, "before": both.get("before"), **row,
                     "why": why if row["met"] == "MISSED" else ""})
    return rows


def goal_of(name: str) -> float:
    """What is aimed at for a loop."""
    if name.startswith("none"):
        return NONE_GOAL
    return next(goals[not name.endswith("5 to 14 words")]
                for call, goals in CALLS.items() if name.startswith(call))  # fmt: skip


def sentences(options: Namespace) -> Tables:
    """Sentence BLEU of this package and of sacreBLEU, one call a segment.

    One call each, other segments in every round: sacreBLEU has none of them in its caches. First
    the repeated and perturbed text, then real lines, no line twice. The scores of both must be
    equal.
    """
    number = 20 if options.quick else 2_000
    base = DATA[options.data](SEED)
    rows = [one_sentence(f"repeated, {references} reference{'s' * (references > 1)}",
                         corpus(options.data, options.rounds * number, references), options.rounds)
            for references in (1, 4)]
    rows.append(one_sentence("no line twice", distinct(base, options.rounds * number // 2),
                             options.rounds))
    return {
        "Goals": [goal("sentence_bleu, bits", rows[-1]["times faster"], FASTER, 5)],
        "Sentence BLEU, one call a segment": rows}


def one_sentence(what: str, text: Corpus, rounds: int) -> Row:
    """Both on one text, a part of it each round."""
    from sacrebleu import sentence_bleu as theirs

    from bleu_nb import Bleu

    number = len(text) // rounds

    def each(score: Callable[..., Any], name: str) -> Call:
        rest = zip(text.candidates, text.references, strict=True)
        return lambda: [getattr(score(*pair), name) for pair in islice(rest, number)]

    times = interleaved({"bits": each(Bleu(engine="bits").sentence, "value"),
                         "sacreBLEU": each(theirs, "score")}, rounds)
    ours, others = times.values()
    if any(abs(a - b) > 1e-9 for some in zip(ours.results, others.results, strict=True)
           for a, b in zip(*some, strict=True)):
        raise SystemExit(f"not timed, because scores differ: {what}")
    return {"text": what, "a round": number,
            **{f"µs, {name}": median(each.wall) * 1e6 / number for name, each in times.items()},
            "times faster": ratios(others.wall, ours.wall)}


def distinct(base: list[Segment], number: int) -> Corpus:
    """Segments of which no line is another's, on either side."""
    seen: set[str] = set()
    rows: list[Segment] = []
    for candidate, group in base:
        if len(rows) < number and candidate != group[0] and seen.isdisjoint([candidate, group[0]]):
            seen |= {candidate, group[0]}
            rows.append((candidate, group[:1]))
    return Corpus([one for one, _ in rows], [group for _, group in rows])


def beside(calls: dict[str, Call], pairs: Sequence[tuple[str, str]], rounds: int) -> Tables:
    """CPU time of calls, and quotients of two of them."""
    times = interleaved(calls, rounds)
    return {
        "CPU time": [{"what": name, "ms": spread([1e3 * each for each in found.cpu])}
                     for name, found in times.items()],
        "Quotients": [{"time of": one, "over that of": other,
                       "times": ratios(times[one].cpu, times[other].cpu)} for one, other in pairs],
    }


def tokens(options: Namespace) -> Tables:
    """Lists of tokens, and one sentence after the other where numba is loaded.

    CPU time of one thread, other packages beside ours in the same process, after a first call of
    each. Corpus: 30,000 segments with one reference, as text, and split at blanks into lists of
    strings, tuples of strings and lists of integers; sacreBLEU's dialect with the tokenizer none.
    nltk: the same lists by nltk's corpus_bleu and by that of its drop-in. Sentences: 2,000 pairs
    of text, which sacreBLEU's caches hold, by its metrics and by our functions. The scores of both
    are equal, or nothing is timed.
    """
    import sacrebleu

    from bleu_nb import Bleu, sentence_bleu
    from bleu_nb.adapters import nltk

    warnings.simplefilter("ignore")
    theirs: Any = import_module("nltk.translate.bleu_score")
    text = corpus(options.data, 300 if options.quick else 30_000, 1)
    words = [line.split() for line in text.candidates]
    groups = [[line.split() for line in group] for group in text.references]
    numbers: dict[str, int] = {}

    def as_integers(line: list[str]) -> list[int]:
        return [numbers.setdefault(word, len(numbers)) for word in line]

    forms: dict[str, tuple[Any, Any]] = {
        "text": (text.candidates, text.references),
        "lists of strings": (words, groups),
        "tuples of strings": ([*map(tuple, words)], [[*map(tuple, group)] for group in groups]),
        "lists of integers": ([*map(as_integers, words)],
                              [[*map(as_integers, group)] for group in groups]),
    }
    calls: dict[str, Call] = {}
    for engine in ("numpy", "numba"):
        metric = Bleu(tokenizer="none", engine=engine, threads=1)
        for what, pair in forms.items():
            calls[f"{engine}, {what}"] = partial(metric, *pair)
    pairs = [*zip(text.candidates, text.references, strict=True)][:2_000]
    sentence, alone = sacrebleu.BLEU(effective_order=True), sacrebleu.BLEU()
    ours = Bleu()
    calls |= {
        "nltk, corpus": lambda: theirs.corpus_bleu(groups, words),
        "our nltk, corpus": lambda: nltk.corpus_bleu(groups, words),
        "sacreBLEU, sentences": lambda: [
            sentence.sentence_score(*pair).score for pair in pairs],
        "ours, sentences": lambda: [sentence_bleu(*pair).value for pair in pairs],
        "sacreBLEU, corpora of one": lambda: [
            alone.corpus_score([line], [group]).score for line, group in pairs],
        "ours, corpora of one": lambda: [ours([line], [group]).value for line, group in pairs],
    }
    same = [("nltk, corpus", "our nltk, corpus"), ("sacreBLEU, sentences", "ours, sentences"),
            ("sacreBLEU, corpora of one", "ours, corpora of one")]
    for first, second in same:
        if calls[first]() != calls[second]():
            raise SystemExit(f"not timed, because scores differ: {first}, {second}")
    found = beside(calls, same, options.rounds)
    for row in found["CPU time"]:
        number = len(pairs) if row["what"].endswith(("sentences", "of one")) else len(text)
        row["µs a segment"] = row["ms"]["median"] * 1e3 / number
    return found


def dropins(options: Namespace) -> Tables:
    """Drop-ins beside our own calls, many references beside nltk, a reward beside loops over tools.

    Timed is the CPU time of one thread, on tokens between blanks; everything is made before.
    Corpus: one call for 3,000 lines, each with two references. Sentences: one call for each of a
    third of the lines. Reward: another batch of 64 completions each time, eight a prompt, with two
    references, after 30,000 completions. Loops: one call a completion,
    BLEU(effective_order=True).sentence_score of sacreBLEU, and sentence_bleu of nltk with method
    3, of words between blanks. References: one sentence of tokens against 4 to 2,000 references of
    as many tokens, a fifth of them the sentence's own, by sentence_bleu of nltk, its drop-in, and
    our own. Kept references: BLEU(references=...) of sacreBLEU and of its drop-in, for 1 and 60
    segments with 1 to 500 references; new candidates at each call, which no cache holds, or the
    same ones in each round, after two calls. Processes: Python that imports sacreBLEU or its
    drop-in, makes a metric, or scores two sentences. The drop-ins give the score of our own calls
    or of the tool, and the reward sacreBLEU's, or nothing is timed.
    """
    warnings.simplefilter("ignore")
    text = corpus(options.data, 192 if options.quick else 3_000, 2)
    calls = {**of_nltk(text), **rewards(text), **references(text), **kept_references(text)}
    kept = [(f"sacreBLEU, {what}", f"our sacreBLEU, {what}") for what in kept_names()]
    same = [("reward", "loop over sacreBLEU"), *kept,
            *((f"nltk, {part}", f"our nltk, {part}") for part in ("corpus", "sentences")),
            *((f"nltk's, {n} of {m}", f"{who}, {n} of {m}")
              for who, (n, m) in product(("the drop-in's", "ours"), MANY))]
    if differ := [pair for pair in same if calls[pair[0]]() != calls[pair[1]]()]:
        raise SystemExit(f"not timed, because scores differ: {differ}")
    loop = [(other, "reward") for other in ("loop over sacreBLEU", "loop over nltk")]
    started = [(f"sacreBLEU, process: {what}", f"our sacreBLEU, process: {what}")
               for what in PROCESSES]
    return beside(calls | processes(), [*same[1:], *loop, *started], options.rounds)


PROCESSES = {"import": "", "metric": "sacrebleu.BLEU()",
             "first score": "sacrebleu.corpus_bleu(['a b c d', 'a b'], [['a b c d e', 'a c']])"}


def processes() -> dict[str, Call]:
    """Whole processes that import sacreBLEU or its drop-in, and begin to use it."""
    tools = {"sacreBLEU": "import sacrebleu",
             "our sacreBLEU": "from bleu_nb.adapters import sacrebleu"}
    return {f"{tool}, process: {what}": process(sys.executable, "-c", f"{start}; {code}")
            for what, code in PROCESSES.items() for tool, start in tools.items()}


def kept_names() -> list[str]:
    """The cases of kept references."""
    return [f"{segments} with {number} kept, {which}" for segments, number in KEPT
            for which in ("new", "repeated")]


def kept_references(text: Corpus) -> dict[str, Call]:
    """References that are given once to the metric of sacreBLEU, and to that of its drop-in."""
    import sacrebleu

    from bleu_nb.adapters import sacrebleu as ours

    lines = [line for group in text.references for line in group]
    tools = {"sacreBLEU": sacrebleu, "our sacreBLEU": ours}

    def calls(tool: str, segments: int, number: int, times: int) -> list[Call]:
        draw = random.Random(number)
        streams = [draw.choices(lines, k=segments) for _ in range(number)]
        metrics = [tools[tool].BLEU(effective_order=True, references=streams) for _ in range(2)]
        candidates = cycle(text.candidates)
        first = [[*islice(candidates, segments)] for _ in range(times)]
        for metric, _ in product(metrics, range(2)):  # The drop-in counts n-grams in the second
            metric.corpus_score(first[0], None)

        def score(metric: Any, systems: Iterator[list[str]]) -> list[float]:
            return [metric.corpus_score(next(systems), None).score for _ in range(times)]

        new, known = iter(lambda: [*islice(candidates, segments)], None), cycle(first)
        return [lambda: score(metrics[0], new), lambda: score(metrics[1], known)]

    return {f"{tool}, {segments} with {number} kept, {which}": call
            for tool, ((segments, number), times) in product(tools, KEPT.items())
            for which, call in zip(("new", "repeated"), calls(tool, segments, number, times),
                                   strict=True)}


def of_nltk(text: Corpus) -> dict[str, Call]:
    """A corpus and single sentences, by the drop-in and by our own function."""
    from bleu_nb import corpus_bleu, sentence_bleu
    from bleu_nb.adapters import nltk

    words = [line.split() for line in text.candidates]
    groups = [[line.split() for line in group] for group in text.references]
    third = [*zip(words, groups, strict=True)][: len(words) // 3]
    return {
        "nltk, corpus": lambda: nltk.corpus_bleu(groups, words),
        "our nltk, corpus": lambda: corpus_bleu(words, groups, "nltk", threads=1).value,
        "nltk, sentences": lambda: [nltk.sentence_bleu(group, line) for line, group in third],
        "our nltk, sentences": lambda: [
            sentence_bleu(line, group, "nltk").value for line, group in third],
    }


def rewards(text: Corpus) -> dict[str, Call]:
    """A batch of completions by the reward, and by loops."""
    import sacrebleu

    from bleu_nb.adapters.trl import BleuReward

    bleu_score: Any = import_module("nltk.translate.bleu_score")
    groups = [text.references[place - place % 8] for place in range(len(text))]
    starts = range(0, len(text) - BATCH + 1, BATCH)
    batches = [(text.candidates[at : at + BATCH], groups[at : at + BATCH]) for at in starts]
    reward, judge = BleuReward(threads=1), sacrebleu.BLEU(effective_order=True)
    smooth = bleu_score.SmoothingFunction().method3
    for _ in range(10):  # A training that goes on for some time
        reward(text.candidates, references=groups)

    def each_time(score: Callable[[list[str], list[list[str]]], Any]) -> Call:
        """Another batch at each call: no cache of the tools holds its completions."""
        turns = cycle(batches)
        return lambda: score(*next(turns))

    return {
        "reward": each_time(lambda texts, some: reward(texts, references=some)),
        "loop over sacreBLEU": each_time(lambda texts, some: [
            judge.sentence_score(line, group).score / 100
            for line, group in zip(texts, some, strict=True)]),
        "loop over nltk": each_time(lambda texts, some: [
            bleu_score.sentence_bleu([each.split() for each in group], line.split(),
                                     smoothing_function=smooth)
            for line, group in zip(texts, some, strict=True)]),
    }


def references(text: Corpus) -> dict[str, Call]:
    """One sentence against few long references, or many, by nltk, its drop-in and our own."""
    from bleu_nb import sentence_bleu
    from bleu_nb.adapters import nltk

    bleu_score: Any = import_module("nltk.translate.bleu_score")
    words = [word for line in text.candidates for word in line.split()]
    tools: dict[str, Callable[[Any, Any], float]] = {
        "nltk's": bleu_score.sentence_bleu, "the drop-in's": nltk.sentence_bleu,
        "ours": lambda group, line: sentence_bleu(line, group, "nltk").value}

    def calls(tool: str, number: int, length: int, times: int) -> Call:
        draw = random.Random(number)
        line = draw.choices(words, k=length)
        group = [[word if draw.random() < 0.2 else draw.choice(words) for word in line]
                 for _ in range(number)]
        return lambda: [tools[tool](group, line) for _ in range(times)]

    return {f"{tool}, {number} of {length}": calls(tool, number, length, times)
            for tool, ((number, length), times) in product(tools, MANY.items())}


def adapters(options: Namespace) -> Tables:
    """What an adapter adds to counting, beside the metrics of the frameworks themselves.

    A corpus comes in batches of 32, as in a validation loop. Timed is the CPU time of one thread,
    of all updates and then one result; batches are made before. Counting: `Bleu.count` of the same
    batches, by the same engine. Tokens are words between blanks, as lists of strings and as lists
    of their numbers. torchmetrics' value is compared with ours before anything is timed.
    """
    import torch
    from ignite.metrics import Bleu as IgniteBleu
    from torchmetrics.text import SacreBLEUScore

    from bleu_nb import Bleu
    from bleu_nb.adapters.reducer import Reducer
    from bleu_nb.adapters.torchmetrics import BleuMetric

    torch.set_num_threads(1)
    whole = corpus(options.data, 96 if options.quick else 3_000, 1)
    texts = [(whole.candidates[at : at + 32], whole.references[at : at + 32])
             for at in range(0, len(whole), 32)]
    words = [([line.split() for line in some],
              [[line.split() for line in group] for group in groups]) for some, groups in texts]
    known: dict[str, int] = {}
    numbers = [([[known.setdefault(word, len(known)) for word in line] for line in some],
                [[[known.setdefault(word, len(known)) for word in line] for line in group]
                 for group in groups]) for some, groups in words]
    plain, reducer = Bleu(threads=1), Reducer()

    def updated(metric: Any, batches: list[Any], turn: Callable[[Any, Any], Any]) -> Call:
        def call() -> float:
            metric.reset()
            for batch in batches:
                turn(metric, batch)
            return float(metric.compute())

        return call

    def torchlike(metric: Any, some: list[Any] = texts) -> Call:
        return updated(metric, some, lambda metric, batch: metric.update(*batch))

    def by_ignite(given: list[Any]) -> Call:
        metric = IgniteBleu(ngram=4, smooth="no_smooth", average="micro")
        return updated(metric, given, lambda metric, batch: metric.update(batch))

    def by_reducer(given: list[Any]) -> Call:
        return lambda: reducer.score([sum(each) for each in zip(*(
            reducer.count(*batch) for batch in given), strict=True)]).value

    calls = {
        "counting": lambda: sum(len(plain.count(*batch)) for batch in texts),
        "BleuMetric": torchlike(BleuMetric()),
        "torchmetrics SacreBLEUScore": torchlike(SacreBLEUScore()),
        "Reducer, tokens": by_reducer(words), "ignite Bleu": by_ignite(words),
        "Reducer, ids": by_reducer(numbers), "ignite Bleu, ids": by_ignite(numbers),
    }
    if abs(calls["torchmetrics SacreBLEUScore"]() * 100 - calls["BleuMetric"]()) > 1e-3:
        raise SystemExit("not timed, because torchmetrics' score differs")
    for name, some in (("one batch", texts[:1]), ("all", texts)):
        metric = BleuMetric(compute_with_cache=False)
        torchlike(metric, some)()
        calls[f"compute after {name}"] = metric.compute
    return beside(calls, [
        ("BleuMetric", "counting"), ("torchmetrics SacreBLEUScore", "BleuMetric"),
        ("ignite Bleu", "Reducer, tokens"), ("ignite Bleu, ids", "Reducer, ids")], options.rounds)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(
        one_round(int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], "--quick" in sys.argv)))
