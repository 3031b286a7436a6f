"""How fast on what kind of text? Ours and others on the same segments, in interleaved rounds.

    python benchmarks/kinds.py            # fifteen kinds of text: some minutes
    python benchmarks/kinds.py --quick    # the same on little text, to see that it works

Prints tables, and writes kinds.json beside this file; a quick run only where `--out` says.
"""

import argparse
import math
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from random import Random
from statistics import median
from string import ascii_lowercase
from typing import Any

from command import add_data, command, options_of, tell
from contenders import CONTENDERS, CORES
from corpora import DATA, SEED, Corpus, Segment, corpus, perturbed, systems_of, unspaced
from run import against, agree, machine, per_segment, say, sentences, versions
from tables import in_text, kinds_grids
from timing import interleaved, ratios, spread

RECORD = Path(__file__).resolve().parent / "kinds.json"
SEGMENTS, QUICK_SEGMENTS = 20_000, 60
SENTENCES, QUICK_SENTENCES = 1_000, 20
SYSTEMS = 16
LONG, LONGEST = 8, 400  # Lines that are joined to a long one
SHORT = 8  # Words
SLOW = 400_000  # Characters that a slow contender is timed on
PROBE = 10  # Lines that show who is there, and compile numba's code
METHOD = {
    "timed": (
        "Timed is the call alone, from text in memory to the score; who is slow is timed on the "
        "first segments only, and compared per segment."
    ),
    "words": "nltk gets words, split at blanks before, which is not timed; its score is another.",
    "caches": "sacreBLEU's caches of lines are emptied before each call, as in a new process.",
    "tokenizer": "Compared are those that have the tokenizer; bleuscore has 13a alone.",
    "systems": "16 systems: ours prepares the references once; a peer is called 16 times.",
    "sentences": "Sentences: one call each, other lines in every round, no line twice.",
    "warm_up": f"Everybody scores {PROBE} lines before.",
    "checked": (
        "Before they are timed, all engines of bleu_nb must give the same bits on what each is "
        "timed on, and sacreBLEU 12 of their digits; so must bleuscore where every order has a "
        "match: it does not smooth, and gives 0 elsewhere."
    ),
    "load": "The load of the machine in the last minute is stored, before and after each kind.",
}
SCRIPTS = (  # English lines in them: what a byte costs depends on the letters alone
    ("hebrew", "English in Hebrew letters", "".join(map(chr, range(0x5D0, 0x5EB))), " "),
    ("ukrainian", "English in Ukrainian letters", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", " "),
    ("thai", "English in Thai letters, no blanks", "".join(map(chr, range(0xE01, 0xE2F))), ""),
    ("emoji", "English with an emoji in each blank", ascii_lowercase, " \U0001f600 "),
)
NOBODY = {"median": math.inf}  # No peer is there
Call = Callable[[], tuple[float, ...]]  # A score for each system


@dataclass(frozen=True)
class Kind:
    """One kind of text: what systems made of it, and a reference for each line."""

    name: str
    title: str
    systems: list[list[str]]
    references: list[str]
    tokenizer: str = "13a"
    spaced: bool = True  # Are words between blanks?

    def __len__(self) -> int:
        return len(self.systems) * len(self.references)

    def part(self, lines: int) -> "Kind":
        """Its first lines, of every system."""
        few = [each[:lines] for each in self.systems]
        return replace(self, systems=few, references=self.references[:lines])

    @property
    def characters(self) -> float:
        """The mean length of a line, of systems and references alike."""
        sides = [*self.systems, self.references]
        return sum(len(line) for side in sides for line in side) / sum(map(len, sides))


@dataclass(frozen=True)
class Rival:
    """One row of a table."""

    prepare: Callable[[Kind], Call]  # Not timed; ImportError: it is absent
    title: str
    peer: bool = False
    slow: bool = False  # Is it timed on less?
    fits: Callable[[Kind], bool] = lambda kind: True

    def timed_on(self, kind: Kind, most: int) -> int:
        """How many lines of a kind it is timed on."""
        lines = len(kind.references)
        if not self.slow:
            return lines
        few = int(most / kind.characters / (1 + len(kind.systems)))
        return min(lines, max(PROBE, few))


def ours(engine: str, threads: int | None = None) -> Callable[[Kind], Call]:
    """An engine of this package; references of several systems are prepared once."""

    def prepare(kind: Kind) -> Call:
        from bleu_nb import Bleu

        if engine == "numba":
            import_module("numba")
        groups = [[line] for line in kind.references]
        named = {str(place): each for place, each in enumerate(kind.systems)}
        metric = Bleu(engine=engine, threads=threads, tokenizer=kind.tokenizer)
        if len(named) == 1:
            return lambda: (metric(named["0"], groups).value,)
        return lambda: tuple(
            counts.score().value for counts in metric.count_systems(named, groups).values()
        )

    return prepare


def sacrebleu(kind: Kind) -> Call:
    """sacreBLEU, once for each system."""
    from sacrebleu import corpus_bleu

    streams, name = [kind.references], kind.tokenizer
    return lambda: tuple(corpus_bleu(each, streams, tokenize=name).score for each in kind.systems)


def bleuscore(kind: Kind) -> Call:
    """bleuscore, once for each system, told to take the closest reference length."""
    from bleuscore import compute

    groups = [[line] for line in kind.references]
    return lambda: tuple(
        100 * compute(groups, each, ref_len_method="closest")["bleu"] for each in kind.systems
    )


def nltk(kind: Kind) -> Call:
    """nltk on words, once for each system."""
    from nltk.translate.bleu_score import corpus_bleu

    groups = [[line.split()] for line in kind.references]
    words = [[line.split() for line in each] for each in kind.systems]
    return lambda: tuple(100 * corpus_bleu(groups, each) for each in words)


RIVALS = {
    "auto": Rival(ours("auto"), "bleu_nb: as it chooses"),
    "numba-all": Rival(ours("numba", CORES), "bleu_nb: numba, every core"),
    "numba-1": Rival(ours("numba", 1), "bleu_nb: numba, one thread"),
    "numpy-all": Rival(ours("numpy", CORES), "bleu_nb: numpy, every core"),
    "numpy-1": Rival(ours("numpy", 1), "bleu_nb: numpy, one thread"),
    "bits": Rival(ours("bits"), "bleu_nb: plain Python", slow=True),
    "bleuscore": Rival(
        bleuscore, "bleuscore (Rust), every core", True, fits=lambda kind: kind.tokenizer == "13a"
    ),
    "sacrebleu": Rival(sacrebleu, "sacreBLEU", True, True),
    "nltk": Rival(nltk, "nltk, from words", True, True, fits=lambda kind: kind.spaced),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print and write."""
    options = parsed(arguments)
    base = DATA[options.data](SEED)
    some = [CONTENDERS[name] for name in ("bleuscore", "sacrebleu", "nltk")]
    report: dict[str, Any] = {
        "machine": machine(),
        "python": platform.python_version(),
        "versions": versions(some),
        "data": {"name": options.data, "seed": SEED},
        "method": {"rounds": options.rounds, **METHOD},
        "contenders": {name: rival.title for name, rival in RIVALS.items()},
        "kinds": [],
        "rows": [],
        "sentence": [],
        "absent": [],
    }
    present = who_is_there(base, report["absent"])
    for kind in kinds(options.data, base, options.segments):
        rows, facts = timed(kind, present, options)
        report["rows"] += rows
        report["kinds"].append(facts)
    report["kinds"].sort(key=lambda kind: not kind["slower"])  # What is lost is told first
    forget()
    fresh = distinct(base, options.rounds * options.sentences)
    number = len(fresh) // options.rounds
    report["sentence"] = sentences(fresh, 1, options.rounds, number)
    report["targets"] = targets(report)
    return tell(report, options.out, in_text(report, kinds_grids(report)))


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with defaults that depend on `--quick`."""
    parser = command(__doc__, RECORD)
    add_data(parser)
    options = options_of(parser, arguments, RECORD, 5)
    quick = options.quick
    options.segments = QUICK_SEGMENTS if quick else SEGMENTS
    options.sentences = QUICK_SENTENCES if quick else SENTENCES
    return options


def kinds(data: str, base: list[Segment], number: int) -> Iterator[Kind]:
    """Every kind of text, one after the other."""
    few = Kind(
        "distinct", "distinct lines",
        [[one for one, _ in base[:number]]], [group[0] for _, group in base[:number]],
    )  # fmt: skip
    yield few
    again = corpus(data, number, 1)
    yield Kind("perturbed", "repeated, perturbed", [again.candidates], again.sides[1])
    yield replace(
        few, name="short", title=f"the first {SHORT} words of a line",
        systems=[[first_words(line) for line in few.systems[0]]],
        references=[first_words(line) for line in few.references],
    )  # fmt: skip
    sides = [one for one, _ in base], [group[0] for _, group in base]
    for name, lines in (("long", LONG), ("longest", LONGEST)):
        one, other = ([*joined(side, lines)][: -(-2 * number // lines)] for side in sides)
        yield Kind(name, f"{lines} lines in one", [one], other)
    for name, title, letters, blank in SCRIPTS:
        yield replace(
            few, name=name, title=title, spaced=bool(blank),
            systems=[in_letters(side, letters, blank) for side in few.systems],
            references=in_letters(few.references, letters, blank),
        )  # fmt: skip
    yield many_systems(data, base, number // SYSTEMS)
    for name, title, pair, letters, tokenizers in (
        ("chinese", "Chinese", "wmt21/en-zh", range(0x4E00, 0x5600), ("zh",)),
        ("japanese", "Japanese", "wmt21/en-ja", range(0x3041, 0x3090), ("char", "13a", "ja-mecab")),
        ("russian", "Russian", "wmt21/en-ru", range(0x430, 0x450), ("13a", "intl")),
    ):
        text = translated(data, pair, "".join(map(chr, letters)), number)
        for tokenizer in tokenizers:
            if tokenizer != "ja-mecab" or has_mecab():
                spaced = name == "russian"
                yield Kind(f"{name}-{tokenizer}", title, *text, tokenizer, spaced)


def first_words(line: str) -> str:
    """The words that make a short line."""
    return " ".join(line.split(" ")[:SHORT])


def joined(side: list[str], lines: int) -> Iterator[str]:
    """Long lines, of neighbours."""
    for start in range(0, len(side) - lines + 1, lines):
        yield " ".join(side[start : start + lines])


def in_letters(side: list[str], letters: str, blank: str) -> list[str]:
    """The same lines with other letters, and something else between the words."""
    table = {ord(" "): blank}
    for place, letter in enumerate(ascii_lowercase):
        table[ord(letter)] = table[ord(letter.upper())] = letters[place % len(letters)]
    return [line.translate(table) for line in side]


def many_systems(data: str, base: list[Segment], lines: int) -> Kind:
    """Real systems on one evaluation set, or references perturbed for each."""
    title = f"{SYSTEMS} systems"
    if data == "wmt":
        systems, references = systems_of("wmt17/en-de")
        texts = [systems[name] for name in sorted(systems)][:SYSTEMS]
        return Kind("systems", title, texts, references).part(lines)
    draw = Random(f"{SEED} systems")
    references = [group[0] for _, group in base[:lines]]
    texts = [[perturbed(line, draw) for line in references] for _ in range(SYSTEMS)]
    return Kind("systems", title, texts, references)


def translated(
    data: str, pair: str, letters: str, number: int
) -> tuple[list[list[str]], list[str]]:
    """What all systems made of a set, shuffled, or made-up lines of these letters."""
    if data == "wmt":
        systems, references = systems_of(pair)
        rows = [
            (line, [reference])
            for name in sorted(systems)
            for line, reference in zip(systems[name], references, strict=True)
        ]
        draw = Random(f"{SEED} order")
        rows = sorted(rows, key=lambda row: draw.random())[:number]
    else:
        rows = unspaced(letters, SEED, number)
    return [[one for one, _ in rows]], [group[0] for _, group in rows]


def has_mecab() -> bool:
    """Whether both this package and sacreBLEU find MeCab and its dictionary."""
    try:
        return all(map(import_module, ("MeCab", "ipadic")))
    except ImportError:
        return False


def distinct(base: list[Segment], number: int) -> Corpus:
    """Segments of which no line is another's, on either side."""
    seen: set[str] = set()
    rows: list[Segment] = []
    for candidate, group in base:
        if len(rows) < number and candidate != group[0] and seen.isdisjoint([candidate, group[0]]):
            seen |= {candidate, group[0]}
            rows.append((candidate, group[:1]))
    return Corpus([one for one, _ in rows], [group for _, group in rows])


def who_is_there(base: list[Segment], absent: list[dict[str, str]]) -> dict[str, Rival]:
    """Who can be imported and scores a few lines; the others, and why, in the list."""
    probe = Kind("probe", "", [[one for one, _ in base[:PROBE]]], [g[0] for _, g in base[:PROBE]])
    present = {}
    for name, rival in RIVALS.items():
        try:
            rival.prepare(probe)()
        except (ImportError, OSError) as error:
            absent.append({"contender": name, "reason": str(error)})
        else:
            present[name] = rival
    return present


def timed(
    kind: Kind, present: dict[str, Rival], options: argparse.Namespace
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """A row for each contender on one kind of text, and what the kind is."""
    fit = {name: rival for name, rival in present.items() if rival.fits(kind)}
    most = SLOW if options.segments == SEGMENTS else SLOW // 200
    sizes = {name: rival.timed_on(kind, most) for name, rival in fit.items()}
    for rival in fit.values():
        rival.prepare(kind.part(PROBE))()
    check(kind, fit, sizes)
    calls = {name: rival.prepare(kind.part(sizes[name])) for name, rival in fit.items()}
    before = os.getloadavg()[0]
    times = interleaved(calls, options.rounds, before_a_call(kind.name))
    load = [before, os.getloadavg()[0]]
    segments = {name: lines * len(kind.systems) for name, lines in sizes.items()}
    wall = {name: per_segment(times[name].wall, segments[name]) for name in fit}
    peers = [name for name in fit if fit[name].peer]
    peer = min(peers, key=lambda name: median(wall[name]), default=None)
    rows = [
        {
            "kind": kind.name,
            "contender": name,
            "timed_segments": segments[name],
            "microseconds_per_segment": spread(wall[name]),
            "cpu_microseconds_per_segment": median(per_segment(times[name].cpu, segments[name])),
            "rounds": wall[name],
            "ratio_to_peer": ratios(wall[peer], wall[name]) if peer else None,
            "ratio_to_sacrebleu": against(wall, "sacrebleu", name),
            "ratio_to_bleuscore": against(wall, "bleuscore", name),
            "scores": times[name].results[0],
        }
        for name in fit
    ]
    return rows, {
        "name": kind.name,
        "title": kind.title,
        "tokenizer": kind.tokenizer,
        "segments": len(kind),
        "systems": len(kind.systems),
        "characters": kind.characters,
        "peer": peer,
        "slower": [
            row["contender"]
            for row in rows
            if not fit[row["contender"]].peer and (row["ratio_to_peer"] or NOBODY)["median"] < 1
        ],
        "load": load,
    }


def check(kind: Kind, fit: dict[str, Rival], sizes: dict[str, int]) -> None:
    """Stop unless all engines agree on what anybody is timed on, and sacreBLEU with them."""
    exact = [name for name in fit if name != "nltk"]
    for lines in sorted({*sizes.values()}):
        part = kind.part(lines)
        scores = {name: fit[name].prepare(part)() for name in exact if sizes[name] >= lines}
        for place in range(len(kind.systems)):
            each = {name: found[place] for name, found in scores.items()}
            what = f"the first {lines:,} lines of {kind.name}, system {place}"
            if theirs := each.pop("bleuscore", 0):  # 0: it does not smooth
                agree({"bits": next(iter(each.values())), "sacrebleu": theirs}, what)
            agree(each, what)


def before_a_call(kind: str) -> Callable[[str], None]:
    """What is done before each call: nobody remembers a line."""

    def prepare(what: str) -> None:
        forget()
        say(f"{kind}, {what}")

    return prepare


def forget() -> None:
    """Empty the caches of sacreBLEU's tokenizers."""
    for name in [each for each in sys.modules if each.startswith("sacrebleu.tokenizers.")]:
        for found in [*vars(sys.modules[name]).values()]:
            for method in vars(found).values() if isinstance(found, type) else ():
                if clear := getattr(method, "cache_clear", None):
                    clear()


def targets(report: dict[str, Any]) -> list[dict[str, Any]]:
    """What was aimed at, beside what was measured."""
    rows = {(row["kind"], row["contender"]): row for row in report["rows"]}
    found = {
        f"{name}, on distinct lines": (rows.get(("distinct", name)), "ratio_to_bleuscore", least)
        for name, least in (("numba-all", 10), ("numpy-all", 3))
    }
    timed = {row["engine"]: row for row in report["sentence"]}
    for name, least in (("numba", 10), ("bits", 5)):
        found[f"sentence_bleu, {name}"] = timed.get(name), "ratio_to_sacrebleu", least
    return [
        {
            "what": what,
            "measure": measure,
            "at_least": least,
            "median": row[measure]["median"],
            "met": row[measure]["median"] >= least,
        }
        for what, (row, measure, least) in found.items()
        if row and row[measure]
    ]


if __name__ == "__main__":
    sys.exit(main())
