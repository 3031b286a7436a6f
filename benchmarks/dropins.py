"""Drop-ins beside our own calls, many references beside nltk, a reward beside loops over tools.

Timed is the CPU time of one thread, on tokens between blanks; everything is made before.
"""

import argparse
import platform
import random
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from itertools import cycle, product
from pathlib import Path
from typing import Any

from command import command, options_of, tell
from corpora import WMT, Corpus, corpus
from run import machine, say, versions
from timing import interleaved, ratios, spread

from bleu_nb import corpus_bleu, sentence_bleu
from bleu_nb.adapters import nltk
from bleu_nb.adapters.trl import BleuReward

RECORD = Path(__file__).resolve().parent / "dropins.json"
METHOD = {
    "corpus": "One call for all lines, each with two references.",
    "sentences": "One call for each of a third of the lines.",
    "reward": "Another batch of 64 completions each time, eight a prompt, with two references, "
    "after 30,000 completions.",
    "loops": "One call a completion: BLEU(effective_order=True).sentence_score of sacreBLEU, and "
    "sentence_bleu of nltk with method 3, of words between blanks.",
    "references": "One sentence of tokens against 4 to 2,000 references of as many tokens, a fifth "
    "of them the sentence's own, by sentence_bleu of nltk, its drop-in, and our own.",
    "ratios": "Quotients of CPU time, each of one round of a run with all of them.",
    "equal": "The drop-ins give the score of our own calls, and the reward sacreBLEU's.",
}
BATCH = 64
MANY = {(4, 25): 100, (4, 150): 20, (8, 70): 20, (60, 25): 10, (500, 25): 2, (2_000, 25): 1}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    options = parsed(arguments)
    warnings.simplefilter("ignore")
    data = "generated" if options.quick or not WMT.exists() else "wmt"
    text = corpus(data, options.segments, 2)
    calls = {**dropins(text), **rewards(text), **references(text)}
    values = {name: call() for name, call in calls.items()}
    times = {name: each.cpu for name, each in interleaved(calls, options.rounds, say).items()}
    report = {
        "machine": machine(), "python": platform.python_version(),
        "versions": versions([]), "data": data, "segments": options.segments,
        "rounds": options.rounds, "method": METHOD, "equal": equal(values),
        "cpu_seconds": {name: spread(each) for name, each in times.items()},
        "times_our_own": {name: ratios(times[name], times[f"our {name}"])
                          for name in times if f"our {name}" in times},
        "times_the_reward": {name: ratios(times[name], times["reward"])
                             for name in times if name.startswith("loop")},
        "times_as_fast_as_nltk": {name: ratios(times[f"nltk's, {what}"], times[name])
                                  for name, (_, what) in named(times).items()},
    }  # fmt: skip
    return tell(report, options.out, as_text(report))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with defaults that depend on `--quick`."""
    parser = command(__doc__, RECORD, "generated text, and little of it")
    options = options_of(parser, arguments, RECORD, 9)
    options.segments = 192 if options.quick else 3_000
    return options


def dropins(text: Corpus) -> dict[str, Callable[[], Any]]:
    """A corpus and single sentences, by each drop-in and by our own function."""
    words = [line.split() for line in text.candidates]
    groups = [[line.split() for line in group] for group in text.references]
    third = [*zip(words, groups, strict=True)][: len(words) // 3]
    return {
        "nltk, corpus": lambda: nltk.corpus_bleu(groups, words),
        "our nltk, corpus": lambda: corpus_bleu(words, groups, "nltk", threads=1).value,
        "nltk, sentences": lambda: [nltk.sentence_bleu(group, line) for line, group in third],
        "our nltk, sentences": lambda: [
            sentence_bleu(line, group, "nltk").value for line, group in third],
    }  # fmt: skip


def rewards(text: Corpus) -> dict[str, Callable[[], Any]]:
    """A batch of completions by the reward, and by loops."""
    import sacrebleu

    bleu_score: Any = import_module("nltk.translate.bleu_score")
    groups = [text.references[place - place % 8] for place in range(len(text))]
    starts = range(0, len(text) - BATCH + 1, BATCH)
    batches = [(text.candidates[at : at + BATCH], groups[at : at + BATCH]) for at in starts]
    reward, judge = BleuReward(threads=1), sacrebleu.BLEU(effective_order=True)
    smooth = bleu_score.SmoothingFunction().method3
    for _ in range(10):  # A training that goes on for some time
        reward(text.candidates, references=groups)

    def each_time(score: Callable[[list[str], list[list[str]]], Any]) -> Callable[[], Any]:
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
    }  # fmt: skip


def references(text: Corpus) -> dict[str, Callable[[], Any]]:
    """One sentence against few long references, or many, by nltk, its drop-in and our own."""
    bleu_score: Any = import_module("nltk.translate.bleu_score")
    words = [word for line in text.candidates for word in line.split()]
    tools: dict[str, Callable[[Any, Any], float]] = {
        "nltk's": bleu_score.sentence_bleu, "the drop-in's": nltk.sentence_bleu,
        "ours": lambda group, line: sentence_bleu(line, group, "nltk").value}  # fmt: skip

    def calls(tool: str, number: int, length: int, times: int) -> Callable[[], Any]:
        draw = random.Random(number)
        line = draw.choices(words, k=length)
        group = [[word if draw.random() < 0.2 else draw.choice(words) for word in line]
                 for _ in range(number)]  # fmt: skip
        return lambda: [tools[tool](group, line) for _ in range(times)]

    return {f"{tool}, {number} of {length}": calls(tool, number, length, times)
            for tool, ((number, length), times) in product(tools, MANY.items())}  # fmt: skip


def named(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The tool and the size of each row that stands beside one of nltk."""
    parts = {name: (name.partition(", ")[0], name.partition(", ")[2]) for name in names}
    return {name: each for name, each in parts.items() if each[0] in ("the drop-in's", "ours")}


def equal(values: dict[str, Any]) -> bool:
    """Whether what should be one score is."""
    return bool(
        values["reward"] == values["loop over sacreBLEU"]
        and all(values[f"nltk, {part}"] == values[f"our nltk, {part}"]
                for part in ("corpus", "sentences"))
        and all(values[name] == values[f"nltk's, {what}"]
                for name, (_, what) in named(values).items()))  # fmt: skip


def as_text(report: dict[str, Any]) -> str:
    """A line each."""
    lines = [f"{report['data']}, {report['segments']:,} segments"]
    for name, each in report["cpu_seconds"].items():
        lines.append(f"{name}: {each['median'] * 1e3:.2f} ms")
    for which in ("times_our_own", "times_the_reward", "times_as_fast_as_nltk"):
        for name, each in report[which].items():
            lines.append(f"{name}: {each['median']:.2f} {which.replace('_', ' ')} "
                         f"({each['low']:.2f} to {each['high']:.2f})")  # fmt: skip
    return "\n".join([*lines, f"equal: {report['equal']}", ""])


if __name__ == "__main__":
    sys.exit(main())
