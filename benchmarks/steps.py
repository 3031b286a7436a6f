"""Time each step of chapters 3.1 to 4.7 against the one before; they show the record."""

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from corpora import DATA, MANIFEST, Corpus, corpus
from run import machine
from timing import Times, interleaved, ratios

from bleu_nb import (
    DIALECTS,
    Bleu,
    corpus_bleu,
    file_bleu,
    tokenize,
)
from bleu_nb.derivation import count_segment
from bleu_nb.dialects.definition import build_score
from bleu_nb.dialects.input_checks import check_sentence
from bleu_nb.engines import numba_counts as compiled
from bleu_nb.engines.bits import count_bits, count_matches, split_13a
from bleu_nb.engines.numpy_counts import (
    BYTE_RULES,
    Layout,
    Rules,
    count_keys,
    count_longer,
    count_rows,
    lines_as_bytes,
    make_tables,
    name_pairs,
    text_in,
    text_keys,
    token_keys,
)
from bleu_nb.files.reading import Block, Source, cut_blocks, decode_lines, read_blocks
from bleu_nb.scoring.chunks import list_streams

# Parts of one whole
PROFILES = ("profile", "numpy profile", "compiled profile", "sentence profile", "file profile")
RECORD = Path(__file__).with_name("steps.json")
Calls = dict[str, Callable[[], Any]]


def main() -> None:
    """Time all steps side by side, and write their ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--out", type=Path, default=RECORD)
    options = parser.parse_args()
    data = "wmt" if MANIFEST.exists() and "wmt" in DATA else "generated"
    with TemporaryDirectory() as folder:
        steps = calls(corpus(data, options.segments, references=1), Path(folder))
        named = {
            f"{group}: {name}": call for group, some in steps.items() for name, call in some.items()
        }
        times = interleaved(named, options.rounds)
    record = {
        "machine": machine(),
        "data": data,
        "segments": options.segments,
        "rounds": options.rounds,
        **{
            group: (shares if group in PROFILES else speeds)(group, list(some), times)
            for group, some in steps.items()
        },
    }
    options.out.write_text(json.dumps(record, indent=1, ensure_ascii=False) + "\n", "utf-8")


class Files:
    """A corpus as two files, forty times over, and the steps from them to a score."""

    def __init__(self, text: Corpus, folder: Path) -> None:
        self.paths = [folder / name for name in ("candidates", "references")]
        for path, lines in zip(self.paths, text.sides, strict=True):
            path.write_bytes(b"".join(f"{line}\n".encode() for line in lines) * 40)
        self.names = [*map(str, self.paths)]
        self.blocks = [*read_blocks(self.names)]

    def cut(self) -> list[Block]:
        """From the disk to blocks."""
        with self.paths[0].open("rb") as ours, self.paths[1].open("rb") as theirs:
            return [*cut_blocks([Source(ours.read), Source(theirs.read)])]

    def profile(self) -> Calls:
        """The steps of one thread, each from what the one before made."""
        rules = BYTE_RULES["13a"]
        texts = [b"".join(block.texts) for block in self.blocks]
        data = [text_in(text, rules) for text in texts]
        keys = [compiled.text_keys(text, rules) for text in data]
        sizes = [block.lines for block in self.blocks]
        counted = [
            compiled.count_keys(*made, size, 4) for made, size in zip(keys, sizes, strict=True)
        ]

        def tables() -> None:
            for made, size, matches in zip(keys, sizes, counted, strict=True):
                make_tables(
                    *made, np.ones((1, size), bool), counter=lambda *_, found=matches: found
                )

        return {
            "read, cut": self.cut,
            "check": lambda: [
                decode_lines(text, "") for block in self.blocks for text in block.texts
            ],
            "join, entities": lambda: [
                text_in(b"".join(block.texts), rules) for block in self.blocks
            ],
            "tokens": lambda: [compiled.text_keys(text, rules) for text in data],
            "matches": lambda: [
                compiled.count_keys(*made, size, 4) for made, size in zip(keys, sizes, strict=True)
            ],
            "columns": tables,
        }

    def threads(self, engine: str) -> Calls:
        """The whole way on one thread, and on two."""

        def score(threads: int) -> Callable[[], Any]:
            return lambda: file_bleu(
                self.names[0], self.names[1:], engine=engine, threads=threads
            )

        return {"one": score(1), "two": score(2)}


def calls(text: Corpus, folder: Path) -> dict[str, Calls]:
    """What is timed: for each figure, the slow way first."""
    lines = [line for side in text.sides for line in side]
    tokens = [tokenize(line) for line in lines]
    number = len(text)
    groups = [[reference] for reference in tokens[number:]]
    pairs = list(zip(tokens[:number], groups, strict=True))
    rules = BYTE_RULES["13a"]
    data = lines_as_bytes(lines, rules)
    keys, ends = text_keys(data, rules)
    present = np.ones((1, number), bool)
    sentences = list(zip(text.candidates, text.references, strict=True))
    files = Files(text, folder)
    row, counted = DIALECTS["sacrebleu"], [count_bits(*pair) for pair in pairs]

    def one_by_one(score: Callable[..., Any]) -> Callable[[], Any]:
        return lambda: [score(*pair) for pair in sentences]

    def whole(engine: str) -> Callable[[], Any]:
        return lambda: corpus_bleu(text.candidates, text.references, engine=engine, threads=1)

    slow_tokens = {"chapter 1.6": lambda: [tokenize(line) for line in lines]}
    slow_counts = {"definition": lambda: [count_segment(*pair) for pair in pairs]}
    bits = {"bits": lambda: [count_bits(*pair) for pair in pairs]}
    return {
        "profile": {
            "tokens": slow_tokens["chapter 1.6"],
            "n-grams": slow_counts["definition"],
            "score": lambda: corpus_bleu(["a b c d"], [["a b c d e"]], engine="definition"),
        },
        "sentence": slow_counts | bits,
        "words": slow_tokens | {"marks first": lambda: [split_13a(line) for line in lines]},
        "one sentence": {
            "definition": one_by_one(Bleu(engine="definition").sentence),
            "plain": one_by_one(Bleu(engine="bits").sentence),
        },
        "columns": slow_counts
        | bits
        | {"columns": lambda: make_tables(*token_keys(tokens), present=present)},
        "bytes": slow_tokens | {"bytes": lambda: text_keys(lines_as_bytes(lines, rules), rules)},
        "compiled tokens": {
            "numpy": lambda: text_keys(data, rules),
            "numba": lambda: compiled.text_keys(data, rules),
        },
        "compiled counts": {
            "numpy": lambda: count_keys(keys, ends, number, 4),
            "numba": lambda: compiled.count_keys(keys, ends, number, 4),
        },
        "numpy profile": numpy_profile(text, rules),
        "compiled profile": {
            "check": lambda: list_streams([text.candidates], text.references),
            "join, encode": lambda: lines_as_bytes(lines, rules),
            "tokens": lambda: compiled.text_keys(data, rules),
            "matches": lambda: compiled.count_keys(keys, ends, number, 4),
        },
        "file profile": files.profile(),
        "threads, numpy": files.threads("numpy"),
        "threads, numba": files.threads("numba"),
        "sentence profile": {
            "check": lambda: [check_sentence(*pair) for pair in sentences],
            "tokens": lambda: [split_13a(line) for line in lines],
            "matches": lambda: [count_matches(*pair) for pair in pairs],
            "score": lambda: [build_score(row, stats, stats, True, "") for stats in counted],
        },
        "whole": {engine: whole(engine) for engine in ("definition", "bits", "numpy", "numba")},
    }


def numpy_profile(text: Corpus, rules: Rules) -> Calls:
    """The steps of the engine numpy on one thread, each from what the one before made."""
    lines = [line for side in text.sides for line in side]
    data, number = lines_as_bytes(lines, rules), len(text)
    keys, ends = text_keys(data, rules)
    layout = Layout.of(ends, number)
    named = name_pairs(keys, layout.owner)
    matches = count_rows(named, layout, 4).reshape(1, number, 4)
    return {
        "check": lambda: list_streams([text.candidates], text.references),
        "join, encode": lambda: lines_as_bytes(lines, rules),
        "tokens": lambda: text_keys(data, rules),
        "names": lambda: name_pairs(keys, layout.owner),
        "rows of bits": lambda: count_rows(named, layout, 4),
        "longer lines": lambda: count_longer(keys, named, layout, matches),
    }


def speeds(group: str, names: list[str], times: dict[str, Times]) -> dict[str, float]:
    """How many times as fast as the first each is: the median of the rounds' ratios."""
    slow = times[f"{group}: {names[0]}"].wall
    return {
        name: rounded(ratios(slow, times[f"{group}: {name}"].wall)["median"]) for name in names
    }


def shares(group: str, names: list[str], times: dict[str, Times]) -> dict[str, float]:
    """What part of the whole each takes, in percent."""
    parts = {name: median(times[f"{group}: {name}"].wall) for name in names}
    whole = sum(parts.values())
    return {name: rounded(100 * part / whole) for name, part in parts.items()}


def rounded(number: float) -> float:
    """Three digits: more would be noise."""
    return float(f"{number:.3g}")


if __name__ == "__main__":
    main()
