"""What chapters show of real evaluation sets: BLEU beside people's judgement, and tools' defaults.

`python benchmarks/chapters.py` reads the sets beside the checkout (`BLEU_NB_DATA` names another
folder) and writes `agreement.json` and `defaults.json` into the package: numbers and the names of
systems, none of their text. Chapters 1.7 to 1.10 show them: how far the scores of systems agree
with what people gave them, and what common tools make of one real file, each as it comes, with
what each choice is worth.
"""

import csv
import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from statistics import correlation
from typing import Any

from corpora import ROOT, lines
from corpora import WMT as DATA

from bleu_nb import Bleu, __version__, explain

MEASURED = ROOT / "bleu_nb" / "measured"
SETS = {  # Set: reference, tokenizer, further people's translations by the names their judges used
    "wmt21/en-de": ("A", "13a", {"C": ("translator-C", "ref-C"), "D": ("ref-D",)}),
    "wmt21/en-ru": ("A", "13a", {"B": ("translator-B",)}),
    "wmt21/en-zh": ("A", "zh", {"B": ("translator-B",)}),
    "wmt21/zh-en": ("A", "13a", {}),
    "wmt22/cs-en": ("B", "13a", {"C": ("HUMAN-C",)}),
}
JUDGEMENTS = {  # What people were asked: its name in `human.tsv`
    "adequacy": "DA-z",
    "errors": "MQM-mean-of-seg",
}
SOURCE = (
    "Conference on Machine Translation (WMT), news tasks of 2021 and 2022: repositories "
    "wmt-conference/wmt21-news-systems and wmt-conference/wmt22-news-systems; "
    "google/wmt-mqm-human-evaluation for the marked errors (MQM)"
)


def read_judgements(path: Path) -> dict[str, dict[str, float]]:
    """What people gave each system: for each question, by the system's name."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["level"] == "sys"]
    return {
        question: {row["system"]: float(row["score"]) for row in rows if row["metric"] == metric}
        for question, metric in JUDGEMENTS.items()
    }


def translations(folder: Path, people: dict[str, Any]) -> Iterator[tuple[str, Path, list[str]]]:
    """Each system and each person: its name, its file, and the names that judges knew it by."""
    for path in sorted(folder.glob("sys.*.txt")):
        name = path.name.removeprefix("sys.").removesuffix(".txt")
        yield name, path, [name]
    for letter, names in people.items():
        yield f"person {letter}", folder / f"ref.{letter}.txt", [*names]


def measure(name: str) -> dict[str, Any]:
    """The scores of one set beside what people said."""
    letter, tokenizer, people = SETS[name]
    folder = DATA / name
    judged = read_judgements(folder / "human.tsv")
    metric = Bleu(tokenizer=tokenizer)
    references = [[line] for line in lines(folder / f"ref.{letter}.txt")]
    rows: list[dict[str, Any]] = []
    for system, path, known in translations(folder, people):
        row = {"system": system, "bleu": metric(lines(path), references).value}
        for question, scores in judged.items():
            found = [scores[each] for each in known if each in scores]
            row[question] = found[0] if found else None
        if any(row[question] is not None for question in judged):
            rows.append(row)
    return {
        "set": name, "reference": letter, "segments": len(references),
        "signature": metric(lines(path), references).signature.partition("|bleu_nb:")[0],
        "systems": sorted(rows, key=lambda row: -row["bleu"]),
        "agreement": {
            question: agree(rows, question) for question in judged
            if sum(row[question] is not None for row in rows) > 2
        },
    }  # fmt: skip


def agree(rows: list[dict[str, Any]], question: str) -> dict[str, Any]:
    """Correlation, and the pairs that both order alike, over the machines that people judged."""
    pairs = [
        (row["bleu"], row[question])
        for row in rows
        if row[question] is not None and not row["system"].startswith("person")
    ]
    alike = [(a[0] - b[0]) * (a[1] - b[1]) > 0 for a, b in combinations(pairs, 2)]
    return {
        # The last digits depend on the Python: from 3.12 on, its `sum` compensates
        "systems": len(pairs), "correlation": round(correlation(*zip(*pairs, strict=True)), 12),
        "pairs": len(alike), "ordered_alike": sum(alike),
    }  # fmt: skip


ONE_MACHINE = ("wmt21/en-de", "Facebook-AI", "ACD")  # With the letters of its references


def by_reference() -> dict[str, Any]:
    """One machine's text against each person's translation, and against all of them."""
    name, system, letters = ONE_MACHINE
    candidate = lines(DATA / name / f"sys.{system}.txt")
    people = {each: lines(DATA / name / f"ref.{each}.txt") for each in letters}
    scores = {
        each: Bleu()(candidate, [[line] for line in text]).value for each, text in people.items()
    }
    together = [[*group] for group in zip(*people.values(), strict=True)]
    scores[letters] = Bleu()(candidate, together).value
    return {"set": name, "system": system, "bleu": scores}


SET, SYSTEM, REFERENCE = "wmt17/en-de", "uedin-nmt.4722", "A"
TOOLS = [
    "sacrebleu", "multi-bleu", "multi-bleu-detok", "mteval-v14", "nltk", "torchtext",
    "torchmetrics", "ignite", "huggingface", "keras-hub", "tensor2tensor", "coco", "compare-mt",
    "google-bleu",
]  # fmt: skip


def worth(tool: str) -> dict[str, Any]:
    """A tool's score on 0 to 100, and what separates it from sacreBLEU's, largest first."""
    candidates = lines(DATA / SET / f"sys.{SYSTEM}.txt")
    references = [[line] for line in lines(DATA / SET / f"ref.{REFERENCE}.txt")]
    score = Bleu(tool)(candidates, references)
    parts = explain(candidates, references, "sacrebleu", tool).parts
    return {
        "tool": tool,
        "bleu": score.value * 100 / score.scale,
        "signature": score.signature.partition("|bleu_nb:")[0],
        "parts": [[part.points, part.choice, part.shown] for part in parts],
    }


def main() -> None:
    """Measure all, and write it down."""
    head = {"command": "python benchmarks/chapters.py"}
    package = {"package": f"bleu_nb {__version__}"}
    for name, record in {
        "agreement": {
            **head, "source": SOURCE, **package, "sets": [measure(name) for name in SETS],
            "one machine": by_reference()},
        "defaults": {
            **head, "source": f"WMT {SET}, system {SYSTEM}, reference {REFERENCE}",
            "segments": len(lines(DATA / SET / f"ref.{REFERENCE}.txt")), **package,
            "tools": [worth(tool) for tool in TOOLS]},
    }.items():
        text = json.dumps(record, indent=1, ensure_ascii=False)
        (MEASURED / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
