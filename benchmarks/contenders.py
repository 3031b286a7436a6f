"""Who is timed: each contender prepares its input, and returns the call to time."""

import os
from collections.abc import Callable
from dataclasses import dataclass

from corpora import Corpus

Call = Callable[[], float | None]  # What is timed; a score on a scale of 100


@dataclass(frozen=True)
class Contender:
    """One row of the table."""

    name: str  # On the command line
    prepare: Callable[[Corpus], Call]  # Not timed; ImportError: it is absent
    title: str  # In tables: what is timed
    distribution: str | None = None  # The package whose version is told
    exact: bool = False  # Must it give sacreBLEU's score?
    most: int | None = None  # It is timed on so many first segments

    def timed_on(self, segments: int) -> int:
        """How many segments of a corpus it is timed on."""
        return min(segments, self.most or segments)


def read_bytes(corpus: Corpus) -> Call:
    """Floor: the bytes that a file of each side would hold."""

    def call() -> None:
        for side in corpus.sides:
            "\n".join(side).encode()

    return call


def split_lines(corpus: Corpus) -> Call:
    """Floor: the number of words of every line."""

    def call() -> None:
        for side in corpus.sides:
            for line in side:
                len(line.split())

    return call


def sacrebleu(corpus: Corpus) -> Call:
    """sacreBLEU with its defaults."""
    from sacrebleu import corpus_bleu

    candidates, *streams = corpus.sides
    return lambda: corpus_bleu(candidates, streams).score


def nltk(corpus: Corpus) -> Call:
    """nltk on tokens."""
    from nltk.translate.bleu_score import corpus_bleu

    candidates, references = tokenized(corpus)
    return lambda: 100 * corpus_bleu(references, candidates)


def torchtext(corpus: Corpus) -> Call:
    """torchtext on tokens."""
    from torchtext.data.metrics import bleu_score

    candidates, references = tokenized(corpus)
    return lambda: 100 * bleu_score(candidates, references)


def torchmetrics(corpus: Corpus) -> Call:
    """The imitation of sacreBLEU in torchmetrics."""
    from torchmetrics.functional.text import sacre_bleu_score

    return lambda: 100 * sacre_bleu_score(corpus.candidates, corpus.references).item()


def bleuscore(corpus: Corpus) -> Call:
    """bleuscore, told to take the closest reference length, as sacreBLEU does."""
    from bleuscore import compute

    candidates, references = corpus.candidates, corpus.references
    return lambda: 100 * compute(references, candidates, ref_len_method="closest")["bleu"]


def fast_bleu(corpus: Corpus) -> Call:
    """fast-bleu, which knows one list of references for all: a new object for each segment."""
    from fast_bleu import BLEU

    rows = list(zip(*tokenized(corpus), strict=True))

    def call() -> float:
        scores = [BLEU(group).get_score([candidate])[4][0] for candidate, group in rows]
        return 100 * sum(scores) / len(scores)

    return call


def tokenized(corpus: Corpus) -> tuple[list[list[str]], list[list[list[str]]]]:
    """The 13a tokens of candidates and references."""
    from bleu_nb import tokenize

    return (
        [list(tokenize(text)) for text in corpus.candidates],
        [[list(tokenize(text)) for text in group] for group in corpus.references],
    )


def ours(engine: str, threads: int = 1) -> Callable[[Corpus], Call]:
    """An engine of this package."""

    def prepare(corpus: Corpus) -> Call:
        from bleu_nb import corpus_bleu

        if engine == "numba":
            import numba  # noqa: F401  The engine needs it: absent without

        candidates, references = corpus.candidates, corpus.references
        return lambda: corpus_bleu(candidates, references, engine=engine, threads=threads).value

    return prepare


CORES = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1

ROWS = (
    Contender("bytes", read_bytes, "floor: joining the lines and encoding them"),
    Contender("split", split_lines, "floor: len(line.split()) of every line"),
    Contender("numba-all", ours("numba", CORES), "bleu_nb: numba, every core", exact=True),
    Contender("numba-1", ours("numba"), "bleu_nb: numba, one thread", exact=True),
    Contender("numpy-all", ours("numpy", CORES), "bleu_nb: numpy, every core", exact=True),
    Contender("numpy-1", ours("numpy"), "bleu_nb: numpy, one thread", exact=True),
    Contender("bits", ours("bits"), "bleu_nb: plain Python", exact=True, most=100_000),
    Contender("definition", ours("definition"), "bleu_nb: the definition", exact=True, most=5_000),
    Contender("bleuscore", bleuscore, "bleuscore (Rust), every core", "bleuscore", most=100_000),
    Contender("sacrebleu", sacrebleu, "sacreBLEU", "sacrebleu", exact=True, most=5_000),
    Contender("nltk", nltk, "nltk, from tokens", "nltk", most=5_000),
    Contender("torchmetrics", torchmetrics, "torchmetrics", "torchmetrics", most=3_000),
    Contender("torchtext", torchtext, "torchtext, from tokens", "torchtext", most=3_000),
    Contender(
        "fast-bleu",
        fast_bleu,
        "fast-bleu (C++): mean sentence BLEU, from tokens",
        "fast-bleu",
        most=3_000,
    ),
)
CONTENDERS = {row.name: row for row in ROWS}
