"""Numbers that differ, and whether `identify` says why.

`python benchmarks/discrepancies.py` reads the cases in `discrepancies.json`, and the evaluation
sets that they name beside the checkout (`BLEU_NB_DATA` names another folder), asks `identify`
where each printed number comes from, and writes down what it said. With `--make SEED` it first
makes two hundred new cases: real tools (sacreBLEU, nltk, torchtext, torchmetrics, bleuscore, and
Moses' scripts in the folder that `BLEU_NB_TOOLS` names) score real systems after real mistakes,
half of the cases with one cause and half with two. `--field N` makes N more, of the mistakes that
people report; some of them `identify` has no words for. `--unknown N` makes N numbers that
`identify` cannot name: half of them have a cause that is not listed, and half are made up. The
record holds names and numbers, no text. `--vary` changes each constant of the search in turn,
judges forty of the cases again, and writes `constants.json`, which chapter 6.8 shows.
"""

import argparse
import html
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean, median, quantiles
from typing import Any, NamedTuple

from corpora import ROOT
from corpora import WMT as DATA
from corpora import lines as read_lines

from bleu_nb import __version__, identify
from bleu_nb.diagnosis import causes, guesses, identification, reported, sampling
from bleu_nb.diagnosis.causes import Setting, read_setting
from bleu_nb.diagnosis.guesses import matters
from bleu_nb.diagnosis.identification import Identification, Match, short_lines

RECORD = ROOT / "benchmarks" / "discrepancies.json"
MOSES = Path(os.environ.get("BLEU_NB_TOOLS", ".")) / "mosesdecoder" / "scripts"
LANGUAGES = {"zh": "zh", "ja": "ja-mecab"}  # Target language -> sacreBLEU's tokenizer
FIRST = 3  # Answers that a reader looks at
BANDS = (0.0, 0.5, 0.8, 0.95, 1.0)  # Of stated odds
FEW = 100  # Lines of a first try, for which all references may be given to every segment
VARIED: Mapping[str, tuple[Any, Any]] = {  # Constant -> half of it or less, and twice or more
    "ERRORS": (3, 12), "SAMPLES": ((400, 3200), (1600, 12800)), "SUBSAMPLES": (4, 16),
    "LEAST_ERROR": (0.01, 0.04), "ROUGH_POINTS": (0.8, 3.2), "ROUGH_PART": (0.2, 0.8),
    "ROUGH_TIMES": (1.25, 5.0), "FEW": (0.05, 0.2), "LIKELY": (5e-4, 2e-3), "LEAST": (5e-5, 2e-4),
    "LEAST_OF_TWO": (1e-4, 4e-4), "LEAST_LEFT": (2.5e-5, 1e-4), "RARE": (0.0015, 0.006),
    "UNKNOWN": (0.25, 1.0), "SPREAD": (10.0, 40.0), "STORED": (5e-4, 2e-3),
    "OFTEN_DONE": (0.005, 0.02), "LEAST_USUAL": (5e-4, 2e-3), "LEAST_LOST": (0.002, 0.008),
    "BY_CHANCE": (0.005, 0.02), "UNEVEN": (25, 100), "OTHERWISE": (0.05, 0.2),
    "SETTLED": (0.8, 0.95), "ENOUGH": (3, 10), "COUNTED": (30, 480), "USUAL_LINES": (2500, 10_000),
    "NO_CHANCE": (1e-4, 1e-2), "DIGITS": (3, 5), "MOST_DIGITS": (10, 14),
    "MANY_LINES": (50_000, 200_000), "NEAREST": (0.005, 0.02), "CUT": (0.02, 0.1),
    "OTHER_SCALE": (0.1, 1.0), "CHANCE": (0.4, 1.6), "NEAR": (0.25, 1.0),
    "LOST_CHANCE": (0.06, 0.24), "FEW_DIGITS": (1, 4),
}  # fmt: skip


class Files(NamedTuple):
    """What is scored: one line a segment."""

    candidates: list[str]
    references: dict[str, list[str]]  # Name -> lines
    source: list[str]  # Empty if there is none
    language: str  # Of the translation


def load(name: str, system: str, references: Sequence[str] | None = None) -> Files:
    """The files of a system; references with an empty line are left out."""
    folder = DATA / name
    candidates = read_lines(folder / f"sys.{system}.txt")
    streams = {path.name.split(".")[1]: read_lines(path) for path in folder.glob("ref.*.txt")}
    whole = {
        letter: lines
        for letter, lines in sorted(streams.items())
        if len(lines) == len(candidates) and all(map(str.strip, lines))
    }
    source = folder / "src.txt"
    lines = read_lines(source) if source.exists() else []
    return Files(
        candidates,
        {letter: whole[letter] for letter in references or whole},
        lines if len(lines) == len(candidates) else [],
        name.partition("-")[2][:2],
    )


# What people do to files: (files, random numbers) -> the files that were scored, and how `identify`
# would say so; None where it cannot happen to these files.
Mistake = Callable[[Files, random.Random], tuple[Files, str] | None]


def on_lines(files: Files, change: Callable[[list[str]], list[str]]) -> Files:
    """The files with one change of all sides."""
    return files._replace(
        candidates=change(files.candidates),
        references={letter: change(lines) for letter, lines in files.references.items()},
        source=change(files.source),
    )


def one_reference(files: Files, draw: random.Random) -> tuple[Files, str] | None:
    """A score of one reference where there are several."""
    letters = [*files.references]
    if len(letters) < 2:
        return None
    at = draw.randrange(len(letters))
    only = {letters[at]: files.references[letters[at]]}
    return files._replace(references=only), f"reference {at + 1} alone"


def one_less(files: Files, draw: random.Random) -> tuple[Files, str] | None:
    """A score without one of the references."""
    letters = [*files.references]
    if len(letters) < 3:
        return None
    at = draw.randrange(len(letters))
    rest = {key: lines for key, lines in files.references.items() if key != letters[at]}
    return files._replace(references=rest), f"all references but number {at + 1}"


def first_lines(files: Files, draw: random.Random) -> tuple[Files, str] | None:
    """A score of the first lines only."""
    number = draw.choice([100, 500, 1000, 1000, 1000, 2000])
    if number >= len(files.candidates):
        return None
    return on_lines(files, lambda lines: lines[:number]), f"the first {number} lines"


def lost_line(files: Files, draw: random.Random) -> tuple[Files, str]:
    """A line that both sides lost."""
    if draw.random() < 0.5:
        return on_lines(files, lambda lines: lines[1:]), "all lines but the first"
    return on_lines(files, lambda lines: lines[:-1]), "all lines but the last"


def lost_beside(files: Files, draw: random.Random) -> tuple[Files, str]:
    """A first line that one side lost; the tool cuts the other one."""
    ours, theirs = files.candidates, files.references
    if draw.random() < 0.5:
        short = {letter: lines[:-1] for letter, lines in theirs.items()}
        return (
            files._replace(candidates=ours[1:], references=short),
            "candidates without their first line",
        )
    late = {letter: lines[1:] for letter, lines in theirs.items()}
    return (
        files._replace(candidates=ours[:-1], references=late),
        "references without their first line",
    )


def swapped(files: Files, _: random.Random) -> tuple[Files, str]:
    """Candidates for references, and the first reference for candidates."""
    letter, *_ = files.references
    sides = {"system": files.candidates}
    return (
        files._replace(candidates=files.references[letter], references=sides),
        "reference 1 swapped with the candidates",
    )


def source_scored(files: Files, _: random.Random) -> tuple[Files, str] | None:
    """The source as if it were a translation."""
    if not files.source:
        return None
    return files._replace(candidates=files.source), "the source in place of the candidates"


def lower_cased(files: Files, draw: random.Random) -> tuple[Files, str]:
    """Files in small letters, or the candidates only."""
    small = [line.lower() for line in files.candidates]
    if draw.random() < 0.5:
        return files._replace(candidates=small), "lower-cased candidates"
    return on_lines(files, lambda lines: [line.lower() for line in lines]), "lower-cased text"


def tokenised(files: Files, draw: random.Random) -> tuple[Files, str] | None:
    """Files that a tokenizer wrote, or the candidates only."""
    if files.language in LANGUAGES:
        return None
    name, split = draw.choice([("13a", split_13a), (moses_name(files.language), split_moses)])
    candidates = split(files.candidates, files.language)
    if draw.random() < 0.5:
        return files._replace(candidates=candidates), f"candidates tokenised as {name}"
    references = {
        letter: split(lines, files.language) for letter, lines in files.references.items()
    }
    both = files._replace(candidates=candidates, references=references)
    return both, f"text tokenised as {name}"


def split_13a(lines: list[str], _: str) -> list[str]:
    """Lines as sacreBLEU's tokenizer 13a writes them."""
    from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

    return [*map(Tokenizer13a(), lines)]


def moses_name(language: str) -> str:
    """How `identify` calls Moses' tokenizer of a language."""
    known = {"de": " for German", "fr": " for French"}
    return f"Moses{known.get(language, '')}"


def split_moses(lines: list[str], language: str) -> list[str]:
    """Lines as Moses' tokenizer writes them."""
    script = MOSES / "tokenizer" / "tokenizer.perl"
    asked = ["perl", str(script), "-l", language, "-q"]
    text = "".join(line + "\n" for line in lines)
    made = subprocess.run(asked, input=text, capture_output=True, encoding="utf-8", check=True)
    return made.stdout.removesuffix("\n").split("\n")


MISTAKES: Mapping[Mistake, float] = {
    one_reference: 5, one_less: 2, first_lines: 4, lost_line: 2, lost_beside: 2, swapped: 2,
    source_scored: 1.5, lower_cased: 3, tokenised: 3,
}  # fmt: skip

# Mistakes that people report. Of a line: what it becomes.
Edit = Callable[[str], str]


def edited(change: Edit, says: str, *sides: str) -> Mistake:
    """A change of the lines of one of some sides, in languages with spaces; {} is the side."""

    def mistake(files: Files, draw: random.Random) -> tuple[Files, str] | None:
        if files.language in LANGUAGES:
            return None
        side = draw.choice(sides)
        both = on_lines(files, lambda lines: [*map(change, lines)])
        candidates = files.candidates if side == "references" else both.candidates
        references = files.references if side == "candidates" else both.references
        made = files._replace(candidates=candidates, references=references)
        return made, says.format(side)

    return mistake


def lost_anywhere(files: Files, draw: random.Random) -> tuple[Files, str]:
    """A line that both sides lost, or one side; the tool cuts the other one."""
    at = draw.randrange(1, len(files.candidates) - 1)
    lost = on_lines(files, lambda lines: lines[:at] + lines[at + 1:])
    cut = on_lines(files, lambda lines: lines[:-1])
    side = draw.choice(["text", "candidates", "references"])
    if side == "text":
        return lost, f"all lines but number {at + 1}"
    ours, theirs = (lost, cut) if side == "candidates" else (cut, lost)
    return ours._replace(references=theirs.references), f"{side} without line {at + 1}"


def joined(files: Files, _: random.Random) -> tuple[Files, str]:
    """All lines as one."""
    made = on_lines(files, lambda lines: [" ".join(lines)] if lines else [])
    return made, "the lines joined to one"


def moses_text(files: Files, _: random.Random) -> tuple[Files, str] | None:
    """Files that Moses' tokenizer wrote, by the rules of their language."""
    if files.language in LANGUAGES:
        return None
    both = on_lines(files, lambda lines: split_moses(lines, files.language))
    return both._replace(source=files.source), f"text tokenised as {moses_name(files.language)}"


def revised(files: Files, draw: random.Random) -> tuple[Files, str] | None:
    """Another version of one side, in which some lines lack a word: nothing can tell."""
    share = draw.choice([0.02, 0.1, 0.5])
    other = edited(
        lambda line: line.partition(" ")[2] if draw.random() < share else line,
        "another version of the {}", "candidates", "references")
    return other(files, draw)


SIDES = ("candidates", "references")
QUOTES = str.maketrans("“”„«»‘’‚", "\"\"\"\"\"'''")
FIELD_MISTAKES: Mapping[Mistake, float] = {
    edited(lambda line: re.sub(r"\s*[.]$", "", line), "{} without final full stops", *SIDES): 5,
    edited(lambda line: re.sub(r"[^\w\s]", "", line), "{} without punctuation", *SIDES, "text"): 3,
    edited(lambda line: line.translate(QUOTES), "{} with straight quotes", *SIDES): 2,
    edited(lambda line: line + " </s>", "{} with </s>", "candidates", "text"): 1,
    edited(lambda line: re.sub(r"(\S)-(\S)", r"\1 ##AT##-##AT## \2", line),
           "{} with split hyphens", "text"): 1,
    **{edited(lambda line, most=most: " ".join(line.split()[:most]),
              f"{{}} cut at {most} tokens", "candidates"): 0.5 for most in (16, 20, 32, 50)},
    lost_anywhere: 4, joined: 1, moses_text: 3, revised: 2,
}  # fmt: skip

# Traces in the files at hand, which those that were scored did not have:
# files -> the files at hand, those that were scored, and how `identify` would say so.
Trace = Callable[[Files], tuple[Files, Files, str]]


def marked(mark: Edit, says: str, clean: Edit = str) -> Trace:
    """Candidates at hand with a mark."""
    return lambda files: (
        files._replace(candidates=[*map(mark, files.candidates)]),
        files._replace(candidates=[*map(clean, files.candidates)]), f"candidates {says}")


def lost_at_hand(files: Files) -> tuple[Files, Files, str]:
    """A line that only the candidates at hand lost; it was not scored."""
    at = len(files.candidates) // 3
    scored = on_lines(files, lambda lines: lines[:at] + lines[at + 1:])
    return files._replace(candidates=scored.candidates), scored, f"references without line {at + 1}"


def longer(side: str, line: str, at: int) -> Trace:
    """A line more on one side at hand: at 0 a header, at the end an empty one."""

    def trace(files: Files) -> tuple[Files, Files, str]:
        more = on_lines(files, lambda lines: [line, *lines] if at == 0 else [*lines, line])
        given = {side: getattr(more, side)}
        return files._replace(**given), files, "" if at else f"{side} without their first line"

    return trace


TRACES: Mapping[str, Trace] = {
    "@@": marked(lambda line: re.sub(r"(\w{5})(?=\w{2})", r"\1@@ ", line),
                 "with BPE pieces joined"),
    "▁": marked(lambda line: re.sub(r"(\w{5})(?=\w{2})", r"\1 ", "▁" + line.replace(" ", " ▁")),
               "with SentencePiece pieces joined"),
    "</s>": marked(lambda line: line + " </s>", "without special tokens"),
    "<unk>": marked(lambda line: re.sub(r"\w{13,}", "<unk>", line), "without <unk>",
                    lambda line: re.sub(r"\w{13,}", "", line)),
    "##AT##-##AT##": marked(lambda line: re.sub(r"(\w)-(\w)", r"\1 ##AT##-##AT## \2", line),
                            "without split hyphens"),
    "&apos;": marked(html.escape, "without HTML entities"),
    "header": longer("candidates", "hypothesis", 0),
    "blank": longer("candidates", "", -1),
    "blank reference": longer("references", "", -1),
    "lost": lost_at_hand,
}

# Tools: files -> a score from 0 to 100.
Tool = Callable[[Files], float]


def sacrebleu(turned: bool = False, **options: Any) -> Tool:
    """sacreBLEU with options, and else with the tokenizer of the language.

    Turned: the references of each segment are passed as if they were a file.
    """

    def score(files: Files) -> float:
        from sacrebleu.metrics import BLEU

        chosen = {"tokenize": LANGUAGES.get(files.language, "13a"), **options}
        bleu = BLEU(force=True, **chosen)
        streams = [*files.references.values()]
        given = [[*group] for group in zip(*streams, strict=True)] if turned else streams
        return float(bleu.corpus_score(files.candidates, given).score)

    return score


def sacrebleu_mean(files: Files, best: bool = False) -> float:
    """The mean of sacreBLEU's sentence scores, or of those with the best reference."""
    from sacrebleu.metrics import BLEU

    bleu = BLEU(effective_order=True, tokenize=LANGUAGES.get(files.language, "13a"))
    groups = zip(*files.references.values(), strict=True)
    scores = [
        max(bleu.sentence_score(line, some).score
            for some in ([[each] for each in group] if best else [[*group]]))
        for line, group in zip(files.candidates, groups, strict=True)
    ]
    return sum(scores) / len(scores)


def sacrebleu_best(files: Files) -> float:
    """The mean of sentence scores with the best of several references."""
    return sacrebleu_mean(files, best=True) if len(files.references) > 1 else math.nan


def batches(score: Tool, size: int) -> Tool:
    """The mean of a score over batches."""
    return lambda files: fmean(
        score(on_lines(files, lambda lines, at=at: lines[at : at + size]))
        for at in range(0, len(files.candidates), size))


def each_reference(score: Tool) -> Tool:
    """The mean of a score over several references."""
    return lambda files: math.nan if len(files.references) < 2 else fmean(
        score(files._replace(references={letter: lines}))
        for letter, lines in files.references.items())


def words_of(files: Files) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Tokens between spaces: candidates, and the references of each segment."""
    groups = zip(*files.references.values(), strict=True)
    references = [[line.split() for line in group] for group in groups]
    return [line.split() for line in files.candidates], references


def strings_of(files: Files) -> tuple[list[Any], list[Any]]:
    """Strings where nltk expects tokens."""
    return files.candidates, [*zip(*files.references.values(), strict=True)]


def flat_of(files: Files) -> tuple[list[Any], list[Any]]:
    """One reference where nltk expects a list of them."""
    candidates, references = words_of(files)
    return candidates, [group[0] for group in references]


def all_of(files: Files) -> tuple[list[Any], list[Any]]:
    """All references for every segment; none if there are many."""
    candidates, references = words_of(files)
    few = candidates if len(candidates) <= FEW else []
    return few, [[each for group in references for each in group]] * len(few)


Shape = Callable[[Files], tuple[list[Any], list[Any]]]


def nltk(shape: Shape = words_of, **options: Any) -> Tool:
    """nltk's corpus score, of words between spaces if not of another shape."""

    def score(files: Files) -> float:
        from nltk.translate.bleu_score import corpus_bleu

        candidates, references = shape(files)
        if not candidates:
            return math.nan
        return 100 * float(corpus_bleu(references, candidates, **options))

    return score


def nltk_mean(method: int, shape: Shape = words_of) -> Tool:
    """The mean of nltk's sentence scores with a smoother."""

    def score(files: Files) -> float:
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

        smooth = getattr(SmoothingFunction(), f"method{method}")
        scores = [
            float(sentence_bleu(group, line, smoothing_function=smooth))
            for line, group in zip(*shape(files), strict=True)
        ]
        return 100 * sum(scores) / len(scores)

    return score


def script(name: str, *options: str) -> Tool:
    """One of Moses' scripts, whose score has two decimals."""

    def score(files: Files) -> float:
        with tempfile.TemporaryDirectory() as folder:
            stem = Path(folder, "reference")
            for number, lines in enumerate(files.references.values()):
                text = "".join(line + "\n" for line in lines)
                Path(f"{stem}{number}").write_text(text, encoding="utf-8", newline="")
            asked = ["perl", str(MOSES / "generic" / name), *options, str(stem)]
            text = "".join(line + "\n" for line in files.candidates)
            made = subprocess.run(asked, input=text, capture_output=True, encoding="utf-8")
        return float(made.stdout.partition(" = ")[2].partition(",")[0])

    return score


def torchtext(files: Files) -> float:
    """torchtext's score of words between spaces."""
    from torchtext.data.metrics import bleu_score

    return 100 * float(bleu_score(*words_of(files)))


def torchmetrics(files: Files) -> float:
    """torchmetrics' score of text."""
    from torchmetrics.functional.text import bleu_score

    groups = [[*group] for group in zip(*files.references.values(), strict=True)]
    return 100 * float(bleu_score(files.candidates, groups))


def bleuscore(files: Files) -> float:
    """bleuscore's score of text."""
    from bleuscore import compute

    groups = [[*group] for group in zip(*files.references.values(), strict=True)]
    return 100 * float(compute(groups, files.candidates, 4, False, "shortest")["bleu"])


TOOLS: Sequence[tuple[str, Tool, float]] = [  # As `identify` says it, the tool, how often
    ("sacrebleu, lowercase yes", sacrebleu(lowercase=True), 3),
    ("sacrebleu, tokenizer none", sacrebleu(tokenize="none"), 3),
    ("sacrebleu, tokenizer intl", sacrebleu(tokenize="intl"), 3),
    ("sacrebleu, tokenizer char", sacrebleu(tokenize="char"), 1),
    ("sacrebleu, max order 2", sacrebleu(max_ngram_order=2), 1),
    ("sacrebleu, max order 3", sacrebleu(max_ngram_order=3), 1),
    ("sacrebleu, effective order always, average segments", sacrebleu_mean, 3),
    ("nltk", nltk(), 3),
    ("nltk, smoothing nltk-1, average segments", nltk_mean(1), 2),
    ("nltk, smoothing nltk-2, average segments", nltk_mean(2), 0.5),
    ("nltk, smoothing nltk-3, average segments", nltk_mean(3), 0.5),
    ("nltk, smoothing nltk-4, average segments", nltk_mean(4), 1),
    ("nltk, smoothing nltk-7, average segments", nltk_mean(7), 0.5),
    ("multi-bleu", script("multi-bleu.perl"), 3),
    ("multi-bleu, lowercase yes", script("multi-bleu.perl", "-lc"), 1),
    ("multi-bleu-detok", script("multi-bleu-detok.perl"), 1),
    ("torchtext", torchtext, 1),
    ("torchmetrics", torchmetrics, 1),
    ("bleuscore", bleuscore, 0.7),
]


FIELD_TOOLS: Sequence[tuple[str, Tool, float]] = [
    ("sacrebleu on references as segments", sacrebleu(turned=True), 3),
    ("sacrebleu on the mean over references", each_reference(sacrebleu()), 2),
    ("sacrebleu, effective order always, average segments on the best reference of each segment",
     sacrebleu_best, 2),
    ("nltk on the mean over references", each_reference(nltk()), 1),
    *((f"{name} on the mean over batches of {size}", batches(score, size), 0.8)
      for name, score in (("sacrebleu", sacrebleu()), ("nltk", nltk()))
      for size in (8, 16, 32, 64)),
    ("nltk on strings in place of tokens", nltk(strings_of), 2),
    ("nltk, smoothing nltk-1, average segments on strings in place of tokens",
     nltk_mean(1, strings_of), 1),
    ("nltk, smoothing nltk-1, average segments on one reference in place of a list",
     nltk_mean(1, flat_of), 1),
    ("nltk on all references for every segment", nltk(all_of), 8),
    *((f"nltk, weights {weights}", nltk(weights=weights), 0.8)
      for weights in ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0))),
    ("nltk, max order 3 on three weights of 0.33", nltk(weights=(0.33, 0.33, 0.33)), 2),
]  # fmt: skip


def spell(value: float, draw: random.Random) -> str:
    """A score with two decimals or four, now and then from 0 to 1; or as Python prints it."""
    forms = f"{value:.2f}", f"{value / 100:.4f}", f"{value:.4f}", repr(value / 100)
    return draw.choices(forms, [5, 3, 1, 1] if value != round(value, 2) else [5, 3, 0, 0])[0]


# Numbers whose cause is not listed, or that were made up: (files, random numbers) -> 0 to 100
def another_system(files: Files, draw: random.Random) -> float:
    """The score of a system whose words partly differ, as another run of a model gives."""
    share = draw.choice([0.05, 0.15, 0.3])
    words = [word for line in files.candidates for word in line.split()]
    lines = [
        " ".join(draw.choice(words) if draw.random() < share else word for word in line.split())
        for line in files.candidates]
    return sacrebleu()(files._replace(candidates=lines))


def lost_words(files: Files, draw: random.Random) -> float:
    """The score of candidates in which some lines lack their last words."""
    share, most = draw.choice([0.1, 0.3, 0.6]), draw.choice([1, 3])
    lines = [" ".join(line.split()[:-most]) if draw.random() < share else line
             for line in files.candidates]
    return sacrebleu()(files._replace(candidates=lines))


def some_lines(files: Files, draw: random.Random) -> float:
    """The score of a random part of the lines."""
    share = draw.choice([0.2, 0.5, 0.8])
    kept = [draw.random() < share for _ in files.candidates]
    return sacrebleu()(on_lines(
        files, lambda lines: [line for line, keep in zip(lines, kept, strict=False) if keep]))


def stemmed(files: Files, draw: random.Random) -> float:
    """The score of text whose words are cut to some letters."""
    letters = draw.choice([4, 5, 6])
    return sacrebleu()(on_lines(files, lambda lines: [
        " ".join(word[:letters] for word in line.split()) for line in lines]))


def without_frequent_words(files: Files, _: random.Random) -> float:
    """The score of text without the words that English uses most."""
    frequent = {"the", "a", "an", "of", "to", "and", "in"}
    return sacrebleu()(on_lines(files, lambda lines: [
        " ".join(word for word in line.split() if word.lower() not in frequent)
        for line in lines]))


def chrf(files: Files, _: random.Random) -> float:
    """The score of another metric."""
    from sacrebleu.metrics import CHRF

    return float(CHRF().corpus_score(files.candidates, [*files.references.values()]).score)


def made_up(_: Files, draw: random.Random) -> float:
    """A number that no tool printed."""
    return draw.uniform(3, 70)


NOT_LISTED = another_system, lost_words, some_lines, stemmed, without_frequent_words, chrf

KINDS = {  # Whether from the field, how many causes -> what they are
    (False, 1): [(MISTAKES,), (TOOLS,)],
    (False, 2): [(MISTAKES, TOOLS), (MISTAKES, TOOLS), (MISTAKES, MISTAKES)],
    (True, 1): [(TRACES,), *[(FIELD_MISTAKES,)] * 3, *[(FIELD_TOOLS,)] * 2],
    (True, 2): [(TRACES, TOOLS), *[(FIELD_MISTAKES, TOOLS)] * 3, *[(MISTAKES, FIELD_TOOLS)] * 2],
}  # fmt: skip


def load_case(case: Mapping[str, Any]) -> Files:
    """The files at hand."""
    files = load(case["set"], case["system"], case["references"])
    files = on_lines(files, lambda lines: lines[: case.get("given")])
    return TRACES[case["trace"]](files)[0] if "trace" in case else files


def draw_system(draw: random.Random) -> tuple[str, str]:
    """A test set and one of its systems."""
    manifest = json.loads((DATA / "MANIFEST.json").read_text(encoding="utf-8"))["sets"]
    name = draw.choice([each for each in manifest if manifest[each].get("systems")])
    return name, draw.choice(manifest[name]["systems"])


def make_case(draw: random.Random, causes: int, field: bool) -> dict[str, Any] | None:
    """A printed number with one cause or two; None if nothing came of it."""
    name, system = draw_system(draw)
    if not (DATA / name / f"sys.{system}.txt").exists():
        return None
    files = load(name, system)
    letters = [*files.references]
    if len(letters) > 4:  # Eight references are seldom used at once
        letters = letters[: draw.choice([2, 3, 4, len(letters)])]
    if not letters:
        return None
    case: dict[str, Any] = {"set": name, "system": system, "references": letters}
    if field:
        case |= {"field": True} | ({"given": FEW} if draw.random() < 0.2 else {})
    files = given = load_case(case)
    tool, score = "sacrebleu", sacrebleu()
    kinds = draw.choice(KINDS[field, causes])
    for tools in (each for each in kinds if isinstance(each, list)):
        usual = [each for each in tools if files.language not in LANGUAGES
                 or (each[0].startswith("sacrebleu") and "lowercase" not in each[0])]
        [(tool, score, _)] = draw.choices(usual, [weight for *_, weight in usual])
    tool, _, last = tool.partition(" on ")  # How the tool was called
    default = LANGUAGES.get(files.language)
    tool = f"{tool}, tokenizer {default}" if default and "tokenizer" not in tool else tool
    steps: list[str] = []
    if TRACES in kinds:
        case["trace"] = draw.choice([*TRACES])
        given, files, step = TRACES[case["trace"]](files)
        steps += [step] * bool(step)    # An empty last line is cut anyway
    for mistakes in (each for each in kinds if each in (MISTAKES, FIELD_MISTAKES)):
        [mistake] = draw.choices([*mistakes], [*mistakes.values()])
        made = mistake(files, draw)
        if made is None or made[0] == files or made[1] in steps:
            return None
        files, step = made
        steps.append(step)
    value = score(files)
    even = len({len(given.candidates), *map(len, given.references.values())}) == 1
    before = sacrebleu()(given) if even else 0.0
    if not (abs(value - before) >= 0.05 and value >= 0.05) or (steps and given == files):
        return None
    steps += [last] * bool(last)
    setting = tool + (f" on {' and '.join(steps)}" if steps else "")
    return {**case, "setting": setting, "causes": causes, "value": value,
            "printed": spell(value, draw), "default": round(before, 2)}


def make_unknown(draw: random.Random, score: Callable[[Files, random.Random], float],
                 ) -> dict[str, Any] | None:
    """A number that `identify` has no words for; None if nothing came of it."""
    name, system = draw_system(draw)
    if not (DATA / name / f"sys.{system}.txt").exists():
        return None
    files = load(name, system)
    letters = [*files.references][:4]
    if not letters or files.language in LANGUAGES:
        return None
    case = {"set": name, "system": system, "references": letters, "unknown": score.__name__}
    files = load_case(case)
    value, before = score(files, draw), sacrebleu()(files)
    if abs(value - before) < 0.05:
        return None
    return {**case, "setting": "", "causes": 0, "value": value,
            "printed": spell(value, draw), "default": round(before, 2)}


def make_unknown_cases(seed: int, number: int) -> list[dict[str, Any]]:
    """As many numbers whose cause is not listed as numbers that were made up."""
    draw, cases = random.Random(seed), list[dict[str, Any]]()
    while len(cases) < number:
        case = make_unknown(
            draw, made_up if len(cases) % 2 else draw.choice(NOT_LISTED))
        if case:
            cases.append(case)
            print(len(cases), case["unknown"], case["printed"], file=sys.stderr)
    return cases


def make_cases(seed: int, number: int, field: bool = False) -> list[dict[str, Any]]:
    """As many cases with one cause as with two."""
    draw, cases = random.Random(seed), list[dict[str, Any]]()
    while len(cases) < number:
        case = make_case(draw, 1 if len(cases) < number // 2 else 2, field)
        if case:
            cases.append(case)
            print(len(cases), case["setting"], case["printed"], file=sys.stderr)
    return cases


def plainly(setting: Setting) -> tuple[Any, frozenset[str]]:
    """A setting; text that was lower-cased is what a tool does that ignores case."""
    steps = frozenset(map(str, setting.steps))
    small = setting.dialect.lowercase or "lower-cased text" in steps
    dialect = replace(setting.dialect, lowercase=small, casing="before")
    idle = {"lower-cased text", "lower-cased candidates", "lower-cased references"}
    return matters(dialect), steps - idle if small else steps


def is_named(case: Mapping[str, Any], match: Match) -> bool:
    """Whether an answer names the cause, or one that is equal in effect on these files."""
    if "unknown" in case:
        return False
    value = case.get("value", 0.0)
    if value != round(value, 4) and abs(match.value - value) < 1e-6:
        return True
    try:
        setting = read_setting(case["setting"])
    except ValueError:  # There are no words for it yet
        return False
    return plainly(setting) in map(plainly, (match.setting, *match.others, *match.beside))


def judge(case: Mapping[str, Any]) -> dict[str, Any]:
    """What `identify` says of a case, at which place the cause stands, and the processor time."""
    files = load_case(case)
    groups = [*zip(*files.references.values(), strict=True)]
    start = time.process_time()
    try:
        found: Identification | None = identify(
            files.candidates, groups, case["printed"], source=files.source or None
        )
        error = {}
    except ValueError as refusal:
        found, error = None, {"error": str(refusal)}
    seconds = time.process_time() - start
    matches = found.matches if found else ()
    place = next((at for at, match in enumerate(matches, 1) if is_named(case, match)), None)
    return {**case, "place": place, "answers": len(matches), "sure": bool(found and found.sure),
            "odds": round(matches[0].probability, 4) if matches else None,
            "first": str(matches[0]) if matches else None, **error,
            "shown": len(short_lines(found)) if found else None,
            "seconds": round(seconds, 2), "lines": len(files.candidates)}


def odds(cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How often first answers were right beside what was said, by bands, and the Brier score."""
    said = [(case["odds"], case["place"] == 1) for case in cases if case["odds"] is not None]
    bands = {f"to {high:.0%}": some for low, high in pairwise(BANDS)
             if (some := [each for each in said if low < each[0] <= high])}
    return {
        **{band: {"answers": len(some), "said": round(fmean(each for each, _ in some), 3),
                  "right": round(fmean(right for _, right in some), 3)}
           for band, some in bands.items()},
        "Brier": round(fmean((each - right) ** 2 for each, right in said), 4) if said else None,
    }


def summary(cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How often the cause stands first, and in the first lines."""
    sure = [case for case in cases if case["sure"]]
    perhaps = [case for case in cases if case["answers"] and not case["sure"]]
    seconds = [case["seconds"] for case in cases]
    return {
        "cases": len(cases),
        "first": sum(case["place"] == 1 for case in cases),
        f"first {FIRST}": sum((case["place"] or 99) <= FIRST for case in cases),
        "sure": len(sure),
        "sure and wrong": sum(case["place"] != 1 for case in sure),
        "perhaps": len(perhaps),
        "perhaps and wrong": sum(case["place"] != 1 for case in perhaps),
        "nothing": sum(not case["answers"] for case in cases),
        "errors": sum("error" in case for case in cases),
        "lines": median(case["shown"] or 0 for case in cases),
        "seconds": {"median": round(median(seconds), 2),
                    "p90": round(quantiles([*seconds, *seconds], n=10)[-1], 2),
                    "slowest": max(seconds)},
        "odds": odds(cases),
    }


def some_of(cases: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Twenty cases of the benchmark and twenty from the field that took less than four seconds."""
    draw = random.Random(5)
    return [case for field in (False, True) for case in draw.sample(
        [each for each in cases if each.get("field", False) is field and each["seconds"] < 4], 20)]


def varied(name: str, value: Any, cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What becomes of some cases if a constant has another value."""
    modules = [each for each in (causes, guesses, identification, reported, sampling)
               if hasattr(each, name)]
    usual = [getattr(each, name) for each in modules]
    for module in modules:
        setattr(module, name, value)
    guesses._list_changes.cache_clear()
    try:
        judged = [judge(case) for case in cases]
    finally:
        for module, before in zip(modules, usual, strict=True):
            setattr(module, name, before)
        guesses._list_changes.cache_clear()
    return {"constant": name, "value": value, **result_of(judged)}


def result_of(judged: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What the cases show of a search."""
    found = summary(judged)
    return {**{key: found[key] for key in ("first", f"first {FIRST}", "sure and wrong")},
            "Brier": found["odds"]["Brier"],
            "seconds": round(sum(case["seconds"] for case in judged), 1)}


def vary(cases: Sequence[Mapping[str, Any]]) -> None:
    """Write what each constant changes."""
    some = some_of(cases)
    usual = result_of([judge(case) for case in some])
    rows = [varied(name, value, some) for name, values in VARIED.items() for value in values]
    text = json.dumps({"cases": len(some), "usual": usual, "varied": rows}, indent=1)
    RECORD.with_name("constants.json").write_text(text + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the recorded cases, or new ones."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--make", metavar="SEED", type=int, help="make cases with the real tools")
    parser.add_argument("--number", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--field", type=int, default=0, help="and how many from the field")
    parser.add_argument("--unknown", type=int, default=0,
                        help="and how many that identify has no words for")
    parser.add_argument("--only-make", action="store_true", help="do not judge them")
    parser.add_argument("--vary", action="store_true", help="change each constant in turn")
    parser.add_argument("--out", type=Path, default=RECORD, help="where to write")
    options = parser.parse_args(arguments)
    if options.make is None:
        cases = json.loads(options.out.read_text(encoding="utf-8"))["cases"]
        if options.vary:
            vary(cases)
            return 0
    else:
        cases = make_cases(options.make, options.number)
        cases += make_cases(options.make, options.field, field=True)
        cases += make_unknown_cases(options.make, options.unknown)
    report: dict[str, Any] = {"package": f"bleu_nb {__version__}", "cases": cases}
    if not options.only_make:
        judged = [judge(case) for case in cases]
        report["cases"] = judged
        known = [case for case in judged if "unknown" not in case]
        groups = {
            "benchmark": [case for case in known if not case.get("field")],
            "field": [case for case in known if case.get("field")],
            "not listed": [case for case in judged
                           if case.get("unknown", "made_up") != "made_up"],
            "made up": [case for case in judged if case.get("unknown") == "made_up"]}
        report["summary"] = {
            "all": summary(judged),
            **{f"{n} cause{'s' * (n > 1)}": summary(some) for n in (1, 2)
               if (some := [case for case in judged if case["causes"] == n])},
            **{name: summary(some) for name, some in groups.items() if some}}
        print(json.dumps(report["summary"], indent=1))
    text = json.dumps(report, indent=1, ensure_ascii=False)
    options.out.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
