"""Numbers that differ, and whether `identify` says why.

`python benchmarks/discrepancies.py` reads the cases in `discrepancies.json`, and the evaluation
sets that they name beside the checkout (`BLEU_NB_DATA` names another folder), asks `identify`
where each printed number comes from, and writes down what it said. With `--make SEED` it first
makes two hundred new cases: real tools (sacreBLEU, nltk, torchtext, torchmetrics, bleuscore, and
Moses' scripts in the folder that `BLEU_NB_TOOLS` names) score real systems after real mistakes,
half of the cases with one cause and half with two. The record holds names and numbers, no text.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from agreement import DATA, ROOT, read_lines

from bleu_nb import __version__, identify
from bleu_nb.diagnosis.causes import Setting, read_setting
from bleu_nb.diagnosis.identification import Identification, Match, matters

RECORD = ROOT / "benchmarks" / "discrepancies.json"
MOSES = Path(os.environ.get("BLEU_NB_TOOLS", ".")) / "mosesdecoder" / "scripts"
LANGUAGES = {"zh": "zh", "ja": "ja-mecab"}  # Target language -> sacreBLEU's tokenizer
FIRST = 3  # Answers that a reader looks at


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
    name, split = draw.choice([("13a", split_13a), ("Moses", split_moses)])
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

# Tools: files -> a score from 0 to 100.
Tool = Callable[[Files], float]


def sacrebleu(**options: Any) -> Tool:
    """sacreBLEU with options, and else with the tokenizer of the language."""

    def score(files: Files) -> float:
        from sacrebleu.metrics import BLEU

        chosen = {"tokenize": LANGUAGES.get(files.language, "13a"), **options}
        bleu = BLEU(force=True, **chosen)
        return float(bleu.corpus_score(files.candidates, [*files.references.values()]).score)

    return score


def sacrebleu_mean(files: Files) -> float:
    """The mean of sacreBLEU's sentence scores."""
    from sacrebleu.metrics import BLEU

    bleu = BLEU(effective_order=True, tokenize=LANGUAGES.get(files.language, "13a"))
    groups = zip(*files.references.values(), strict=True)
    scores = [
        bleu.sentence_score(line, [*group]).score
        for line, group in zip(files.candidates, groups, strict=True)
    ]
    return sum(scores) / len(scores)


def words_of(files: Files) -> tuple[list[list[str]], list[list[list[str]]]]:
    """Tokens between spaces: candidates, and the references of each segment."""
    groups = zip(*files.references.values(), strict=True)
    references = [[line.split() for line in group] for group in groups]
    return [line.split() for line in files.candidates], references


def nltk(files: Files) -> float:
    """nltk's corpus score of words between spaces."""
    from nltk.translate.bleu_score import corpus_bleu

    candidates, references = words_of(files)
    return 100 * float(corpus_bleu(references, candidates))


def nltk_mean(method: int) -> Tool:
    """The mean of nltk's sentence scores with a smoother."""

    def score(files: Files) -> float:
        from nltk.translate.bleu_score import SmoothingFunction, sentence_bleu

        smooth = getattr(SmoothingFunction(), f"method{method}")
        scores = [
            float(sentence_bleu(group, line, smoothing_function=smooth))
            for line, group in zip(*words_of(files), strict=True)
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
    ("nltk", nltk, 3),
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


def spell(value: float, draw: random.Random) -> str:
    """A score as papers print it: mostly two decimals, sometimes one, now and then on 0 to 1."""
    return draw.choices([f"{value:.2f}", f"{value:.1f}", f"{value / 100:.4f}"], [5, 4, 1])[0]


def make_case(draw: random.Random, causes: int) -> dict[str, Any] | None:
    """A printed number with one cause or two; None if nothing came of it."""
    manifest = json.loads((DATA / "MANIFEST.json").read_text(encoding="utf-8"))["sets"]
    name = draw.choice([each for each in manifest if manifest[each].get("systems")])
    system = draw.choice(manifest[name]["systems"])
    if not (DATA / name / f"sys.{system}.txt").exists():
        return None
    files = load(name, system)
    letters = [*files.references]
    if len(letters) > 4:  # Eight references are seldom used at once
        letters = letters[: draw.choice([2, 3, 4, len(letters)])]
    if not letters:
        return None
    files = given = load(name, system, letters)
    tool, score = "sacrebleu", sacrebleu()
    kinds = draw.choice(["mistake", "tool"] if causes == 1 else ["both", "both", "mistakes"])
    if kinds in ("tool", "both"):
        usual = [each for each in TOOLS if files.language not in LANGUAGES
                 or (each[0].startswith("sacrebleu, ") and "lowercase" not in each[0])]
        [(tool, score, _)] = draw.choices(usual, [weight for *_, weight in usual])
    default = LANGUAGES.get(files.language)
    tool = f"{tool}, tokenizer {default}" if default and "tokenizer" not in tool else tool
    steps: list[str] = []
    for _ in range({"mistake": 1, "both": 1, "mistakes": 2}.get(kinds, 0)):
        [mistake] = draw.choices([*MISTAKES], [*MISTAKES.values()])
        made = mistake(files, draw)
        if made is None or made[1] in steps:
            return None
        files, step = made
        steps.append(step)
    value, before = score(files), sacrebleu()(given)
    if abs(value - before) < 0.05:
        return None
    setting = tool + (f" on {' and '.join(steps)}" if steps else "")
    return {"set": name, "system": system, "references": letters, "setting": setting,
            "causes": causes, "printed": spell(value, draw), "default": round(before, 2)}


def make_cases(seed: int, number: int) -> list[dict[str, Any]]:
    """As many cases with one cause as with two."""
    draw, cases = random.Random(seed), list[dict[str, Any]]()
    while len(cases) < number:
        case = make_case(draw, 1 if len(cases) < number // 2 else 2)
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


def is_named(setting: Setting, match: Match) -> bool:
    """Whether an answer names a setting, or one that is equal in effect."""
    return plainly(setting) in map(plainly, (match.setting, *match.others, *match.beside))


def judge(case: Mapping[str, Any]) -> dict[str, Any]:
    """What `identify` says of a case, and at which place the cause stands."""
    files = load(case["set"], case["system"], case["references"])
    groups = [*zip(*files.references.values(), strict=True)]
    start = time.perf_counter()
    found: Identification = identify(
        files.candidates, groups, case["printed"], source=files.source or None
    )
    seconds = time.perf_counter() - start
    setting = read_setting(case["setting"])
    place = next(
        (at for at, match in enumerate(found.matches, 1) if is_named(setting, match)), None
    )
    return {**case, "place": place, "answers": len(found.matches), "sure": found.sure,
            "first": str(found.matches[0]) if found.matches else None,
            "seconds": round(seconds, 2), "lines": len(files.candidates)}


def summary(cases: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """How often the cause stands first, and in the first lines."""
    sure = [case for case in cases if case["sure"]]
    return {
        "cases": len(cases),
        "first": sum(case["place"] == 1 for case in cases),
        f"first {FIRST}": sum((case["place"] or 99) <= FIRST for case in cases),
        "sure": len(sure),
        "sure and wrong": sum(case["place"] != 1 for case in sure),
        "slowest": max(case["seconds"] for case in cases),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Judge the recorded cases, or new ones."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--make", metavar="SEED", type=int, help="make cases with the real tools")
    parser.add_argument("--number", type=int, default=200, help="how many (default: 200)")
    parser.add_argument("--only-make", action="store_true", help="do not judge them")
    parser.add_argument("--out", type=Path, default=RECORD, help="where to write")
    options = parser.parse_args(arguments)
    if options.make is None:
        cases = json.loads(options.out.read_text(encoding="utf-8"))["cases"]
    else:
        cases = make_cases(options.make, options.number)
    report: dict[str, Any] = {"package": f"bleu_nb {__version__}", "cases": cases}
    if not options.only_make:
        judged = [judge(case) for case in cases]
        report["cases"] = judged
        report["summary"] = {
            "all": summary(judged),
            **{f"{n} cause{'s' * (n > 1)}": summary(some) for n in (1, 2)
               if (some := [case for case in judged if case["causes"] == n])}}
        print(json.dumps(report["summary"], indent=1))
    text = json.dumps(report, indent=1, ensure_ascii=False)
    options.out.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
