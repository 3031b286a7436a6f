"""How far BLEU agrees with people: the scores of systems beside their judgements.

`python benchmarks/agreement.py` reads the evaluation sets beside the checkout (`BLEU_NB_DATA` names
another folder) and writes `agreement.json` into the package: numbers and the names of systems, none
of their text. Chapters 1.7, 1.8 and 1.10 show them.
"""

import csv
import json
import os
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from statistics import correlation
from typing import Any

from bleu_nb import Bleu, __version__

ROOT = Path(__file__).resolve().parent.parent
DATA = Path(os.environ.get("BLEU_NB_DATA") or ROOT.parent / "shared" / "wmt")
RECORD = ROOT / "bleu_nb" / "measured" / "agreement.json"
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


def read_lines(path: Path) -> list[str]:
    """The segments of a file."""
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


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
    references = [[line] for line in read_lines(folder / f"ref.{letter}.txt")]
    rows: list[dict[str, Any]] = []
    for system, path, known in translations(folder, people):
        row = {"system": system, "bleu": metric(read_lines(path), references).value}
        for question, scores in judged.items():
            found = [scores[each] for each in known if each in scores]
            row[question] = found[0] if found else None
        if any(row[question] is not None for question in judged):
            rows.append(row)
    return {
        "set": name, "reference": letter, "segments": len(references),
        "signature": metric(read_lines(path), references).signature.partition("|bleu_nb:")[0],
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
    candidate = read_lines(DATA / name / f"sys.{system}.txt")
    people = {each: read_lines(DATA / name / f"ref.{each}.txt") for each in letters}
    scores = {
        each: Bleu()(candidate, [[line] for line in lines]).value for each, lines in people.items()
    }
    together = [[*lines] for lines in zip(*people.values(), strict=True)]
    scores[letters] = Bleu()(candidate, together).value
    return {"set": name, "system": system, "bleu": scores}


def main() -> None:
    """Measure all sets, and write them down."""
    record = {
        "command": "python benchmarks/agreement.py",
        "source": SOURCE,
        "package": f"bleu_nb {__version__}",
        "sets": [measure(name) for name in SETS],
        "one machine": by_reference(),
    }
    RECORD.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for each in record["sets"]:
        print(each["set"], each["agreement"])


if __name__ == "__main__":
    main()
