"""The text that is scored: real translations or made-up ones, repeated and perturbed."""

import json
import os
from bisect import bisect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, islice
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
WMT = Path(os.environ.get("BLEU_NB_DATA") or ROOT.parent / "shared" / "wmt").resolve()
MANIFEST = WMT / "MANIFEST.json"
SEED = 7

Segment = tuple[str, list[str]]  # A candidate and its references


@dataclass(frozen=True)
class Corpus:
    """Candidates, and the references of each."""

    candidates: list[str]
    references: list[list[str]]

    def __len__(self) -> int:
        return len(self.candidates)

    def part(self, start: int, stop: int) -> "Corpus":
        """Some of its segments, in the same order."""
        return Corpus(self.candidates[start:stop], self.references[start:stop])

    @cached_property
    def sides(self) -> list[list[str]]:
        """The candidates, then a list for each reference: as files are, and sacreBLEU's streams."""
        return [self.candidates, *map(list, zip(*self.references, strict=True))]


def corpus(data: str, number: int, references: int, seed: int = SEED) -> Corpus:
    """The first segments of an endless corpus; fewer segments or references are a part of more."""
    base = DATA[data](seed)
    rows = list(islice(segments(base, references, seed), number))
    return Corpus([candidate for candidate, _ in rows], [group for _, group in rows])


def segments(base: list[Segment], references: int, seed: int) -> Iterator[Segment]:
    """The base again and again, every text of it perturbed anew each time.

    Each side draws from a generator of its own, so that it is the same beside any number of others.
    Where a segment has fewer references than asked for, they are perturbed in turn.
    """
    draws = [Random(f"{seed} side {side}") for side in range(1 + references)]
    while True:
        for candidate, group in base:
            first, *others = draws
            texts = (group[place % len(group)] for place in range(references))
            yield perturbed(candidate, first), list(map(perturbed, texts, others))


def perturbed(text: str, draw: Random) -> str:
    """One word in eight, at least one, replaced by another of the text, dropped, or doubled."""
    words = text.split(" ")
    for _ in range(max(1, len(words) // 8)):
        kind, place = draw.random(), below(len(words), draw)
        if kind < 0.4:
            words[place] = words[below(len(words), draw)]
        elif kind < 0.7 and len(words) > 1:
            del words[place]
        else:
            words.insert(below(len(words), draw), words[place])
    return " ".join(words)


def below(number: int, draw: Random) -> int:
    """A whole number from 0; `random` alone draws the same on every Python."""
    return int(draw.random() * number)


def wmt(seed: int) -> list[Segment]:
    """Every system's output into English with its references, shuffled."""
    facts = json.loads(MANIFEST.read_text(encoding="utf-8"))["sets"]
    rows: list[Segment] = []
    for pair in sorted(facts):
        files = sorted((WMT / pair).glob("ref.*.txt"))
        if not pair.endswith("-en") or facts[pair]["refs"][0].endswith(".tsv"):
            continue
        groups = list(zip(*map(lines, files), strict=True))
        for system in sorted(facts[pair]["systems"]):
            candidates = lines(WMT / pair / f"sys.{system}.txt")
            rows += [
                (candidate, list(group))
                for candidate, group in zip(candidates, groups, strict=True)
                if candidate.strip() and all(group)
            ]
    draw = Random(f"{seed} order")
    return sorted(rows, key=lambda row: draw.random())


def systems_of(pair: str) -> tuple[dict[str, list[str]], list[str]]:
    """What every system made of an evaluation set, and its reference A."""
    files = sorted((WMT / pair).glob("sys.*.txt"))
    return {path.name.split(".")[1]: lines(path) for path in files}, lines(WMT / pair / "ref.A.txt")


def lines(path: Path) -> list[str]:
    """The lines of a file, split at line feeds only."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def generated(seed: int, number: int = 30_000) -> list[Segment]:
    """Made-up sentences as candidates, and each one perturbed as its reference."""
    draw = Random(f"{seed} sentences")
    words = vocabulary(draw)
    shares = list(accumulate(1 / (rank + 2.7) for rank in range(1, 1 + len(words))))
    texts = [sentence(words, shares, draw) for _ in range(number)]
    return [(text, [perturbed(perturbed(text, draw), draw)]) for text in texts]


def vocabulary(draw: Random, size: int = 20_000) -> list[str]:
    """Made-up words, the frequent ones shorter; one in forty has a letter beyond ASCII."""
    syllables = [a + b for a in "bdfgklmnprstvw" for b in ("a", "e", "i", "o", "u", "er", "in")]
    words: dict[str, None] = {}
    while len(words) < size:
        number = 1 + below(2 + len(words).bit_length() // 5, draw)
        word = "".join(syllables[below(len(syllables), draw)] for _ in range(number))
        words[word.replace("e", "é") if draw.random() < 0.025 else word] = None
    return list(words)


def sentence(words: list[str], shares: list[float], draw: Random) -> str:
    """Five to about forty words in Zipf's proportions, with what a tokenizer has to look at."""
    text = [
        words[bisect(shares, draw.random() * shares[-1])]
        for _ in range(5 + below(20, draw) + below(20, draw))
    ]
    for place, word in enumerate(text):
        kind = draw.random()
        if kind < 0.06:
            text[place] = f"{word},"
        elif kind < 0.09:
            text[place] = NUMBERS[below(len(NUMBERS), draw)].format(below(2000, draw), word)
        elif kind < 0.12:
            text[place] = MARKS[below(len(MARKS), draw)].format(word)
        elif kind < 0.16:
            text[place] = word.title()
    return " ".join(text).capitalize() + ".?!."[below(4, draw)]


def unspaced(letters: str, seed: int, number: int) -> list[Segment]:
    """Made-up sentences without blanks, and each one with other letters as its reference."""
    draw = Random(f"{seed} {letters}")
    shares = list(accumulate(1 / (rank + 2.7) for rank in range(1, 1 + len(letters))))
    rows: list[Segment] = []
    for _ in range(number):
        text = [letters[bisect(shares, draw.random() * shares[-1])] for _ in range(20)]
        other = [letters[below(len(letters), draw)] if draw.random() < 0.1 else x for x in text]
        rows.append(("".join(text) + "。", ["".join(other) + "。"]))
    return rows


NUMBERS = ("{0}", "{0}.5", "1,{0}", "${0}", "{0}%", "{0}-{1}", "{0}.", "3:{0}")
MARKS = (
    '"{0}"',
    "({0})",
    "{0}'s",
    "{0}-{0}",
    "{0};",
    "{0}:",
    "“{0}”",
    "{0}/s",
    "&amp; {0}",
    "– {0}",
)
DATA = {"wmt": wmt, "generated": generated}
