"""How fast does whom count text in memory: on corpora, on kinds of text, and step by step?"""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from itertools import product
from math import isclose
from pathlib import Path
from random import Random
from statistics import fmean, median
from string import ascii_lowercase
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from corpora import DATA, SEED, Corpus, Segment, corpus, perturbed, systems_of, unspaced
from measuring import (
    CORES,
    Call,
    Row,
    Tables,
    Times,
    bleu_nb,
    exponent,
    goal,
    interleaved,
    process,
    ratios,
    say,
    shown,
    spread,
)

SIZES, QUICK_SIZES = (3_000, 100_000, 1_000_000), (30, 60)
KINDS, QUICK_KINDS = 20_000, 60  # Segments of a kind
STARTS, QUICK_STARTS = 15, 1
SYSTEMS = 16
LONG, LONGEST = 8, 400  # Lines that are joined to a long one
SHORT = 8  # Words
PROBE = 10  # Lines that show who is there, and compile numba's code
USUAL = 153  # Characters of a line
WHY = {  # Engine -> what stands in the way of its goals, and what it would cost
    "numpy": "numpy: splitting takes two fifths of the time, finding and crediting n-grams a "
    "third, each spread over dozens of array calls that read and write whole arrays, none of them "
    "above a tenth: fewer passes need compiled code, which is the engine numba. Where lines have "
    "no blanks, tokens are long, and Python names long ones one by one.",
    "numba": "numba: two fifths of the time are not its own loops, but joining, encoding and "
    "listing the lines, one thread at a time.",
}
SCRIPTS = (  # English lines in them: what a byte costs depends on the letters alone
    ("hebrew", "English in Hebrew letters", "".join(map(chr, range(0x5D0, 0x5EB))), " "),
    ("ukrainian", "English in Ukrainian letters", "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", " "),
    ("thai", "English in Thai letters, no blanks", "".join(map(chr, range(0xE01, 0xE2F))), ""),
    ("emoji", "English with an emoji in each blank", ascii_lowercase, " \U0001f600 "),
)
LANGUAGES = (
    ("chinese", "Chinese", "wmt21/en-zh", range(0x4E00, 0x5600), ("zh",)),
    ("japanese", "Japanese", "wmt21/en-ja", range(0x3041, 0x3090), ("char", "13a", "ja-mecab")),
    ("russian", "Russian", "wmt21/en-ru", range(0x430, 0x450), ("13a", "intl")),
)


@dataclass(frozen=True)
class Text:
    """What systems made of some segments, and the references of each."""

    name: str
    title: str
    systems: list[list[str]]
    references: list[list[str]]
    tokenizer: str = "13a"
    spaced: bool = True  # Are words between blanks?

    def __len__(self) -> int:
        return len(self.systems) * len(self.references)

    @property
    def sides(self) -> list[list[str]]:
        """Every system, then the references, as files are."""
        return [*self.systems, *map(list, zip(*self.references, strict=True))]

    def part(self, lines: int) -> "Text":
        """Its first lines, of every system."""
        few = [each[:lines] for each in self.systems]
        return replace(self, systems=few, references=self.references[:lines])

    @cached_property
    def characters(self) -> float:
        """The mean length of a line, of systems and references alike."""
        return fmean(len(line) for side in self.sides for line in side)


@dataclass(frozen=True)
class Contender:
    """Who is timed: it prepares its input, and returns the call to time."""

    prepare: Callable[[Text], Call]  # Not timed; ImportError: it is absent
    title: str
    exact: bool = False  # Must it give sacreBLEU's score?
    peer: bool = False
    most: int | None = None  # It is timed on so many first segments of usual length
    fits: Callable[[Text], bool] = lambda text: True

    def timed_on(self, text: Text) -> int:
        """How many lines of a text it is timed on."""
        lines = len(text.references)
        usual = max(1, round(text.characters / USUAL))
        return min(lines, max(PROBE, (self.most or lines * usual) // usual // len(text.systems)))


def floor(take: Callable[[list[str]], object]) -> Callable[[Text], Call]:
    """What nobody who looks at every line can do without; it has no score."""

    def prepare(text: Text) -> Call:
        sides = text.sides
        return lambda: [None for side in sides if take(side)][:1]

    return prepare


def ours(engine: str, threads: int | None = None) -> Callable[[Text], Call]:
    """An engine of this package; references of several systems are prepared once."""

    def prepare(text: Text) -> Call:
        from bleu_nb import Bleu

        if engine == "numba":
            import_module("numba")
        named = {str(place): each for place, each in enumerate(text.systems)}
        metric = Bleu(engine=engine, threads=threads, tokenizer=text.tokenizer)
        if len(named) == 1:
            return lambda: [metric(named["0"], text.references).value]
        return lambda: [counts.score().value for counts in metric.count_systems(
            named, text.references).values()]

    return prepare


def sacrebleu(text: Text) -> Call:
    """sacreBLEU."""
    from sacrebleu import corpus_bleu

    streams = text.sides[len(text.systems):]
    return lambda: [corpus_bleu(each, streams, tokenize=text.tokenizer).score
                    for each in text.systems]


def bleuscore(text: Text) -> Call:
    """bleuscore, told to take the closest reference length, as sacreBLEU does."""
    from bleuscore import compute

    return lambda: [100 * compute(text.references, each, ref_len_method="closest")["bleu"]
                    for each in text.systems]


def torchmetrics(text: Text) -> Call:
    """The imitation of sacreBLEU in torchmetrics."""
    from torchmetrics.functional.text import sacre_bleu_score

    return lambda: [100 * sacre_bleu_score(each, text.references).item() for each in text.systems]


def tokens(line: str) -> list[str]:
    """The 13a tokens of a line."""
    return [*import_module("bleu_nb").tokenize(line)]


def on_tokens(
    module: str, score: Callable[..., float], split: Callable[[str], list[str]] = tokens
) -> Callable[[Text], Call]:
    """A tool that gets tokens, made before."""

    def prepare(text: Text) -> Call:
        tool = import_module(module)
        groups = [[split(line) for line in group] for group in text.references]
        systems = [[split(line) for line in each] for each in text.systems]
        return lambda: [100 * score(tool, each, groups) for each in systems]

    return prepare


def fast_bleu(tool: Any, candidates: list[list[str]], groups: list[list[list[str]]]) -> float:
    """fast-bleu knows one list of references for all: a new object for each segment."""
    rows = zip(candidates, groups, strict=True)
    return sum(tool.BLEU(group).get_score([each])[4][0] for each, group in rows) / len(candidates)


NLTK = ("nltk.translate.bleu_score", lambda tool, each, groups: tool.corpus_bleu(groups, each))
CONTENDERS = {
    "bytes": Contender(floor(lambda side: "\n".join(side).encode()),
                       "floor: joining the lines and encoding them"),
    "split": Contender(floor(lambda side: [len(line.split()) for line in side]),
                       "floor: len(line.split()) of every line"),
    "auto": Contender(ours("auto"), "bleu_nb: as it chooses", True),
    "numba-all": Contender(ours("numba", CORES), "bleu_nb: numba, every core", True),
    "numba-1": Contender(ours("numba", 1), "bleu_nb: numba, one thread", True),
    "numpy-all": Contender(ours("numpy", CORES), "bleu_nb: numpy, every core", True),
    "numpy-1": Contender(ours("numpy", 1), "bleu_nb: numpy, one thread", True),
    "bits": Contender(ours("bits"), "bleu_nb: plain Python", True, most=100_000),
    "definition": Contender(ours("definition"), "bleu_nb: the definition", True, most=5_000),
    "bleuscore": Contender(bleuscore, "bleuscore (Rust), every core", True, True, 100_000,
                           lambda text: text.tokenizer == "13a"),
    "sacrebleu": Contender(sacrebleu, "sacreBLEU", True, True, 5_000),
    "tokens": Contender(on_tokens(*NLTK), "nltk, from tokens", most=5_000),
    "nltk": Contender(on_tokens(*NLTK, str.split), "nltk, from words", peer=True, most=5_000,
                       fits=lambda text: text.spaced),
    "torchmetrics": Contender(torchmetrics, "torchmetrics", most=3_000),
    "torchtext": Contender(
        on_tokens("torchtext.data.metrics", lambda tool, *given: tool.bleu_score(*given)),
        "torchtext, from tokens", most=3_000),
    "fast-bleu": Contender(
        on_tokens("fast_bleu", fast_bleu), "fast-bleu (C++): mean sentence BLEU, from tokens",
        most=3_000),
}  # fmt: skip
ON_KINDS = ("auto", "numba-all", "numba-1", "numpy-all", "numpy-1", "bits",
            "bleuscore", "sacrebleu", "nltk")
ON_CORPORA = tuple(name for name in CONTENDERS if name not in ("auto", "nltk"))
BESIDE = {"times faster than sacreBLEU": "sacrebleu", "than bleuscore": "bleuscore",
          "time ÷ split()": "split"}
Facts = tuple[list[Row], dict[str, list[float]], str | None]


def who_is_there(names: Sequence[str], base: list[Segment], absent: list[Row]) -> list[str]:
    """Who can be imported and scores a few lines; the others, and why, in the list."""
    ones, others = zip(*base[:PROBE], strict=True)
    probe = Text("probe", "", [[*ones]], [*others])
    present = []
    for name in names:
        try:
            CONTENDERS[name].prepare(probe)()
        except (ImportError, OSError) as error:  # OSError: a shared library does not load
            absent.append({"what": CONTENDERS[name].title, "why not": str(error)})
        else:
            present.append(name)
    return present


def check(text: Text, sizes: Mapping[str, int]) -> None:
    """Stop unless whoever must agree does, on what anybody is timed on."""
    exact = [name for name in sizes if CONTENDERS[name].exact]
    for lines in sorted({sizes[name] for name in exact}):
        part = text.part(lines)
        scores = {name: CONTENDERS[name].prepare(part)() for name in exact if sizes[name] >= lines}
        for place in range(len(text.systems)):
            agree({name: found[place] for name, found in scores.items()},
                  f"the first {lines:,} lines of {text.title}, system {place}")


def agree(scores: Mapping[str, float], what: str) -> None:
    """Stop with all scores if two of them differ: ours in any bit, others in 12 digits."""
    engines = [score for name, score in scores.items() if not CONTENDERS[name].peer]
    theirs = [score for name, score in scores.items() if CONTENDERS[name].peer
              and (score or name != "bleuscore")]  # Which does not smooth, and gives 0
    close = (isclose(one, other, rel_tol=1e-12) for one, other in product(engines, theirs))
    if len({*engines}) > 1 or not all(close):
        raise SystemExit(f"not timed, because scores differ on {what}: {scores}")


def timed(
    text: Text, names: Sequence[str], rounds: int, beside: Mapping[str, str],
    before: Callable[[str], object] = say,
) -> Facts:
    """A row for each contender on one text; microseconds a segment; and the fastest peer."""
    sizes = {name: CONTENDERS[name].timed_on(text) for name in names if CONTENDERS[name].fits(text)}
    check(text, sizes)
    calls = {name: CONTENDERS[name].prepare(text.part(lines)) for name, lines in sizes.items()}
    times = interleaved(calls, rounds, lambda what: before(f"{text.title}, {what}"))
    segments = {name: lines * len(text.systems) for name, lines in sizes.items()}
    wall, cpu = ({name: [1e6 * each / segments[name] for each in getattr(times[name], clock)]
                  for name in sizes} for clock in ("wall", "cpu"))
    peers = [name for name in sizes if CONTENDERS[name].peer]
    peer = min(peers, key=lambda name: median(wall[name]), default=None)
    rows = []
    for name, found in times.items():
        score = found.results[0][0]
        others = {head: peer if other == "peer" else other for head, other in beside.items()}
        rows.append({
            "what": CONTENDERS[name].title, "µs a segment": spread(wall[name]),
            "µs of CPU": median(cpu[name]),
            **{head: against(wall, *((name, other) if "÷" in head else (other, name)))
               for head, other in others.items()},
            "timed on": segments[name], "score": None if score is None else round(score, 4),
        })
    return rows, wall, peer


def against(wall: Mapping[str, list[float]], above: str | None, below: str | None) -> Any:
    """The ratios of two contenders' times, where both were timed."""
    return ratios(wall[above], wall[below]) if above in wall and below in wall else None


def corpora(options: Namespace) -> Tables:
    """Every tool on the same text, real translations repeated and perturbed.

    Timed is the call alone, from text in memory to the score; who is slow is timed on the first
    segments only, as said, and compared per segment. From tokens: the text was tokenised before,
    by 13a, which is not timed. Before they are timed, all must give the same score, ours the same
    bits. Everybody scores some segments before, which compiles numba's code. Python's garbage
    collector is off during a call and runs before it. Ratios are of one round each.
    """
    tables: Tables = {}
    held, words, absent = list[Row](), list[Row](), list[Row]()
    names = who_is_there(ON_CORPORA, DATA[options.data](SEED), absent)
    growth: dict[tuple[str, int], dict[int, float]] = {}
    sizes = QUICK_SIZES if options.quick else SIZES
    for references in (1, 4):
        whole = corpus(options.data, max(sizes), references)
        for size in sizes:
            some = whole.part(0, size)
            title = f"{size:,} segments, {references} reference{'s' * (references > 1)}"
            text = Text(title, title, [some.candidates], some.references)
            tables[title], *_ = timed(text, names, options.rounds, BESIDE)
            held.append(on_files(some, tables[title]))
            for row in tables[title]:
                if row["timed on"] == size:
                    growth.setdefault((row["what"], references), {})[size] = (
                        size * row["µs a segment"]["median"])
        words.append({"references": references, "words a line": fmean(
            len(line.split()) for side in whole.part(0, SIZES[0]).sides for line in side)})
    powers = [
        {"what": what, "references": references, "sizes": ", ".join(map(shown, points)),
         "power": exponent([*points], [*points.values()])}
        for (what, references), points in growth.items() if len(points) > 1]
    numba = "numba-1" in names and not options.quick
    return {
        **tables, "Growth: time is segments to the power of": powers, "The text": words,
        "The command on files": held, "Not timed": absent,
        "Start": start(QUICK_STARTS if options.quick else STARTS, numba)}


def on_files(text: Corpus, rows: Sequence[Row]) -> Row:
    """Memory and time of the command, which must print the score that was timed."""
    with TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{place}.txt" for place in range(len(text.sides))]
        for path, side in zip(paths, text.sides, strict=True):
            path.write_bytes("".join(f"{line}\n" for line in side).encode())
        one = Times()
        one.run(bleu_nb("score", *paths))
        size = sum(path.stat().st_size for path in paths) / 2**20
    printed = one.results[0]["printed"]
    for row in rows:
        same = f" = {row['score'] or 0:.2f} " in printed
        if row["what"].startswith("bleu_nb") and row["timed on"] == len(text) and not same:
            raise SystemExit(f"the command printed {printed!r} for a score of {row['score']}")
    return {"segments": len(text), "references": len(paths) - 1, "files, MiB": size,
            "peak, MiB": one.results[0]["peak"], "seconds": one.wall[0]}


def start(rounds: int, numba: bool) -> list[Row]:
    """What it costs to begin: Python, the package, and numba twice, compiling and not."""
    importing = "from bleu_nb import corpus_bleu"  # `import bleu_nb` alone imports next to nothing
    scoring = (f"{importing}\ncorpus_bleu(['the cat sat on the mat .'] * 100, "
               "[['the cat sat on a mat .']] * 100, engine='numba')")
    process(sys.executable, "-c", importing)()  # Writes the bytecode, if it is not there yet
    times = interleaved({"bare": process(sys.executable, "-c", "pass"),
                         "more": process(sys.executable, "-c", importing)}, rounds)
    bare, more = (times[name].wall for name in ("bare", "more"))
    rows = [
        {"what": "Python itself", "ms": 1000 * median(bare)},
        {"what": "from bleu_nb import corpus_bleu, beyond that", "ms": spread(
            [1000 * (b - a) for a, b in zip(bare, more, strict=True)])},
    ]
    for _ in range(2 * numba):
        with TemporaryDirectory() as folder:
            first = Times()
            for what in ("compiling", "compiled before"):
                first.run(process(sys.executable, "-c", scoring, NUMBA_CACHE_DIR=folder))
                rows.append({"what": f"a process to its first numba score, {what}",
                             "ms": 1000 * first.wall[-1]})
    return rows


def kinds(options: Namespace) -> Tables:
    """Engines and peers on distinct lines, short and long ones, other scripts, and many systems.

    Timed is the call alone, from text in memory to the score; who is slow is timed on the first
    segments only, and compared per segment. nltk gets words, split at blanks before, which is not
    timed; its score is another. sacreBLEU's caches of lines are emptied before each call, as in a
    new process. Compared are those that have the tokenizer; bleuscore has 13a alone. 16 systems:
    ours prepares the references once; a peer is called 16 times. Before they are timed, all
    engines must give the same bits on what each is timed on, and sacreBLEU 12 of their digits; so
    must bleuscore where every order has a match: it does not smooth, and gives 0 elsewhere.
    """
    overview = "Times as fast as the fastest peer; where one of ours is slower first"
    tables: Tables = {"Goals": [], overview: [], "Not timed": []}
    base = [(one, group[:1]) for one, group in DATA[options.data](SEED)]
    names = who_is_there(ON_KINDS, base, tables["Not timed"])
    for text in texts(options.data, base, QUICK_KINDS if options.quick else KINDS):
        title = (f"{text.title}: {len(text):,} segments, {text.tokenizer}, "
                 f"{text.characters:.0f} characters a line")
        rows, wall, peer = timed(text, names, options.rounds, {"times the fastest peer": "peer"},
                                 forget)
        tables[title] = sorted(rows, key=lambda row: row["µs a segment"]["median"])
        fast = {name: ratios(wall[peer], wall[name])["median"] if peer else None for name in wall}
        tables[overview].append({"text": f"{text.title}, {text.tokenizer}", "fastest peer": peer,
                                 **fast})
    tables["Goals"] = kinds_goals(tables[overview])
    tables[overview].sort(key=lambda row: not any(
        (row.get(name) or 1) < 1 for name in ON_KINDS if not CONTENDERS[name].peer))
    return tables


def kinds_goals(rows: Sequence[Row]) -> list[Row]:
    """What is aimed at beside bleuscore, or beside the fastest where it has no such tokenizer."""
    aims = []
    if rows[0]["fastest peer"] == "bleuscore":
        aims = [goal(f"{name}, on {rows[0]['text']}", rows[0][name], "times as fast as bleuscore",
                     least) for name, least in (("numba-all", 10), ("numpy-all", 3))]
    numpy = [row["numpy-all"] for row in rows if row["fastest peer"]]
    if numpy:
        peer = "times as fast as the fastest peer"
        aims += [goal("numpy-all, median of the kinds of text", median(numpy), peer, 2.5),
                 goal("numpy-all, the kind where it is slowest", min(numpy), peer, 2)]
    return [{**aim, "why": WHY.get(aim["what"][:5], "") if aim["met"] == "MISSED" else ""}
            for aim in aims]


def forget(what: str = "") -> None:
    """Empty the caches of sacreBLEU's tokenizers: nobody remembers a line."""
    for name in [each for each in sys.modules if each.startswith("sacrebleu.tokenizers.")]:
        for found in [*vars(sys.modules[name]).values()]:
            for method in vars(found).values() if isinstance(found, type) else ():
                if clear := getattr(method, "cache_clear", None):
                    clear()
    say(what)


def texts(data: str, base: list[Segment], number: int) -> Iterator[Text]:
    """Every kind of text, one after the other."""
    ones, others = [one for one, _ in base], [group[0] for _, group in base]

    def text(name: str, title: str, ones: list[str], others: list[str], **more: Any) -> Text:
        return Text(name, title, [ones], [[line] for line in others], **more)

    few = ones[:number], others[:number]
    yield text("distinct", "distinct lines", *few)
    again = corpus(data, number, 1)
    yield text("perturbed", "repeated, perturbed", *again.sides)
    yield text("short", f"the first {SHORT} words of a line", *(
        [" ".join(line.split(" ")[:SHORT]) for line in side] for side in few))
    for name, lines in (("long", LONG), ("longest", LONGEST)):
        yield text(name, f"{lines} lines in one", *(
            [*joined(side, lines)][: -(-2 * number // lines)] for side in (ones, others)))
    for name, title, letters, blank in SCRIPTS:
        yield text(name, title, *(in_letters(side, letters, blank) for side in few),
                   spaced=bool(blank))
    yield many_systems(data, base, number // SYSTEMS)
    for name, title, pair, letters, tokenizers in LANGUAGES:
        rows = translated(data, pair, "".join(map(chr, letters)), number)
        for tokenizer in tokenizers:
            if tokenizer != "ja-mecab" or has_mecab():
                yield text(f"{name}-{tokenizer}", title, [one for one, _ in rows],
                           [group[0] for _, group in rows],
                           tokenizer=tokenizer, spaced=name == "russian")


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


def many_systems(data: str, base: list[Segment], lines: int) -> Text:
    """Real systems on one evaluation set, or references perturbed for each."""
    if data == "wmt":
        named, references = systems_of("wmt17/en-de")
        systems = [named[name] for name in sorted(named)][:SYSTEMS]
    else:
        draw, references = Random(f"{SEED} systems"), [group[0] for _, group in base[:lines]]
        systems = [[perturbed(line, draw) for line in references] for _ in range(SYSTEMS)]
    groups = [[each] for each in references]
    return Text("systems", f"{SYSTEMS} systems", systems, groups).part(lines)


def translated(data: str, pair: str, letters: str, number: int) -> list[Segment]:
    """What all systems made of a set, shuffled, or made-up lines of these letters."""
    if data != "wmt":
        return unspaced(letters, SEED, number)
    systems, references = systems_of(pair)
    rows = [(line, [reference]) for name in sorted(systems)
            for line, reference in zip(systems[name], references, strict=True)]
    draw = Random(f"{SEED} order")
    return sorted(rows, key=lambda row: draw.random())[:number]


def has_mecab() -> bool:
    """Whether both this package and sacreBLEU find MeCab and its dictionary."""
    try:
        return all(map(import_module, ("MeCab", "ipadic")))
    except ImportError:
        return False


Calls = dict[str, Call]


def steps(options: Namespace) -> Tables:
    """Each step of chapters 3.1 to 4.7 beside the one before, which they show in figures.

    All are timed side by side, on two thousand segments: how many times as fast as the first of a
    row. A profile is in percent of the whole.
    """
    with TemporaryDirectory() as folder:
        groups = calls_of(corpus(options.data, 100 if options.quick else 2000, 1), Path(folder))
        times = interleaved({f"{group}: {name}": call for group, some in groups.items()
                             for name, call in some.items()}, options.rounds)
    tables: Tables = {}
    for group, some in groups.items():
        found = {name: times[f"{group}: {name}"].wall for name in some}
        if "profile" in group:
            parts = {name: median(each) for name, each in found.items()}
            row = {name: 100 * part / sum(parts.values()) for name, part in parts.items()}
        else:
            slow = next(iter(found.values()))
            row = {name: ratios(slow, each)["median"] for name, each in found.items()}
        tables[group] = [{name: float(f"{number:.3g}") for name, number in row.items()}]
    return tables


def calls_of(text: Corpus, folder: Path) -> dict[str, Calls]:
    """What is timed: for each figure, the slow way first."""
    from bleu_nb import DIALECTS, corpus_bleu, tokenize
    from bleu_nb.derivation import count_segment
    from bleu_nb.dialects.definition import build_score
    from bleu_nb.dialects.input_checks import check_sentence
    from bleu_nb.engines import numba_counts as compiled
    from bleu_nb.engines import numpy_counts as arrays
    from bleu_nb.engines.bits import count_bits, count_matches, split_13a
    from bleu_nb.scoring.chunks import list_streams

    lines = [line for side in text.sides for line in side]
    tokens = [tokenize(line) for line in lines]
    number, rules = len(text), arrays.BYTE_RULES["13a"]
    pairs = [(line, [other]) for line, other in zip(
        tokens[:number], tokens[number:], strict=True)]
    data = arrays.lines_as_bytes(lines, rules)
    keys, ends = arrays.text_keys(data, rules)
    layout = arrays.Layout.of(ends, number)
    named = arrays.name_pairs(keys, layout.owner)
    matches = arrays.count_rows(named, layout, 4).reshape(1, number, 4)
    sentences = list(zip(text.candidates, text.references, strict=True))
    row, counted = DIALECTS["sacrebleu"], [count_bits(*pair) for pair in pairs]

    def whole(engine: str) -> Call:
        return lambda: corpus_bleu(text.candidates, text.references, engine=engine, threads=1)

    slow_tokens = {"chapter 1.6": lambda: [tokenize(line) for line in lines]}
    slow_counts = {"definition": lambda: [count_segment(*pair) for pair in pairs]}
    bits = {"bits": lambda: [count_bits(*pair) for pair in pairs]}
    encoded = {"check": lambda: list_streams([text.candidates], text.references),
               "join, encode": lambda: arrays.lines_as_bytes(lines, rules)}
    return {
        "profile": {
            "tokens": slow_tokens["chapter 1.6"],
            "n-grams": slow_counts["definition"],
            "score": lambda: corpus_bleu(["a b c d"], [["a b c d e"]], engine="definition"),
        },
        "sentence": slow_counts | bits,
        "words": slow_tokens | {"marks first": lambda: [split_13a(line) for line in lines]},
        "columns": slow_counts | bits | {"columns": lambda: arrays.make_tables(
            *arrays.token_keys(tokens), present=np.ones((1, number), bool))},
        "bytes": slow_tokens | {"bytes": lambda: arrays.text_keys(
            arrays.lines_as_bytes(lines, rules), rules)},
        "compiled tokens": {
            "numpy": lambda: arrays.text_keys(data, rules),
            "numba": lambda: compiled.text_keys(data, rules),
        },
        "compiled counts": {
            "numpy": lambda: arrays.count_keys(keys, ends, number, 4),
            "numba": lambda: compiled.count_keys(keys, ends, number, 4),
        },
        "numpy profile": encoded | {
            "tokens": lambda: arrays.text_keys(data, rules),
            "names": lambda: arrays.name_pairs(keys, layout.owner),
            "rows of bits": lambda: arrays.count_rows(named, layout, 4),
            "longer lines": lambda: arrays.count_longer(keys, named, layout, matches),
        },
        "compiled profile": encoded | {
            "tokens": lambda: compiled.text_keys(data, rules),
            "matches": lambda: compiled.count_keys(keys, ends, number, 4),
        },
        **on_two_files(text, folder),
        "sentence profile": {
            "check": lambda: [check_sentence(*pair) for pair in sentences],
            "tokens": lambda: [split_13a(line) for line in lines],
            "matches": lambda: [count_matches(*pair) for pair in pairs],
            "score": lambda: [build_score(row, stats, stats, True, "") for stats in counted],
        },
        "whole": {engine: whole(engine) for engine in ("definition", "bits", "numpy", "numba")},
    }


def on_two_files(text: Corpus, folder: Path) -> dict[str, Calls]:
    """A corpus as two files, forty times over: the steps to counts, and one thread and two."""
    from bleu_nb import file_bleu
    from bleu_nb.engines import numba_counts as compiled
    from bleu_nb.engines.numpy_counts import BYTE_RULES, make_tables, text_in
    from bleu_nb.files.reading import Source, cut_blocks, decode_lines, read_blocks

    paths, rules = [folder / name for name in ("candidates", "references")], BYTE_RULES["13a"]
    for path, lines in zip(paths, text.sides, strict=True):
        path.write_bytes(b"".join(f"{line}\n".encode() for line in lines) * 40)
    blocks = [*read_blocks([*map(str, paths)])]
    data = [text_in(b"".join(block.texts), rules) for block in blocks]
    keys = [(compiled.text_keys(each, rules), block.lines)
            for each, block in zip(data, blocks, strict=True)]
    counted = [compiled.count_keys(*made, size, 4) for made, size in keys]

    def cut() -> None:
        with paths[0].open("rb") as ours, paths[1].open("rb") as theirs:
            _ = [*cut_blocks([Source(ours.read), Source(theirs.read)])]

    def tables() -> None:
        for (made, size), matches in zip(keys, counted, strict=True):
            make_tables(*made, np.ones((1, size), bool), counter=lambda *_, found=matches: found)

    def score(engine: str, threads: int) -> Call:
        return lambda: file_bleu(str(paths[0]), [str(paths[1])], engine=engine, threads=threads)

    return {
        "file profile": {
            "read, cut": cut,
            "check": lambda: [decode_lines(each, "") for block in blocks for each in block.texts],
            "join, entities": lambda: [text_in(b"".join(block.texts), rules) for block in blocks],
            "tokens": lambda: [compiled.text_keys(each, rules) for each in data],
            "matches": lambda: [compiled.count_keys(*made, size, 4) for made, size in keys],
            "columns": tables,
        },
        **{f"threads, {engine}": {"one": score(engine, 1), "two": score(engine, 2)}
           for engine in ("numpy", "numba")},
    }
