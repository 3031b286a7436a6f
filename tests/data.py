"""Real evaluation sets and recorded answers beside the checkout, and live sacreBLEU."""

import gzip
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
WMT = Path(os.environ.get("BLEU_NB_DATA") or ROOT.parent / "shared" / "wmt").resolve()
MANIFEST = WMT / "MANIFEST.json"
GOLDEN = WMT.parent / "golden" / "golden.json.gz"
WORKED_EXAMPLES = WMT.parent / "worked-examples.json"


def needs(path: Path) -> pytest.MarkDecorator:
    """A mark that skips a test where a file is absent, and says where it was looked for."""
    place = os.path.relpath(path, ROOT)
    return pytest.mark.skipif(
        not path.exists(), reason=f"{place} is not there; BLEU_NB_DATA names the data folder"
    )


def oracle(module: str) -> Any:
    """A module of another tool; the test that asks for it is skipped where it is missing."""
    reason = f"the oracle, {module}, cannot be imported here"
    return pytest.importorskip(module, reason=reason, exc_type=ImportError)


@cache
def read_json(path: Path) -> Any:
    """The content of a JSON file, packed or not; None where the file is absent."""
    if not path.exists():
        return None
    packed = path.suffix == ".gz"
    with gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as file:
        return json.load(file)


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of a file of the evaluation sets, split at line feeds only."""
    return tuple((WMT / name).read_bytes().decode().removesuffix("\n").split("\n"))


@dataclass(frozen=True)
class System:
    """One system's output with the references that it is scored against."""

    pair: str
    name: str
    tokenizer: str
    reference_files: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.pair}-{self.name}"

    @property
    def candidates(self) -> tuple[str, ...]:
        """One candidate a segment."""
        return lines(f"{self.pair}/sys.{self.name}.txt")

    @property
    def references(self) -> list[list[str]]:
        """The references of each segment."""
        return references(self.pair, self.reference_files)


def sets() -> dict[str, Any]:
    """What the manifest says of each pair; nothing where it is absent."""
    return (read_json(MANIFEST) or {"sets": {}})["sets"]


def systems(tokenizer: str = "13a") -> list[System]:
    """Every system of the pairs with that default tokenizer, with all references."""
    return [
        System(pair, name, tokenizer, reference_files(facts))
        for pair, facts in sets().items()
        if facts["default_tok"] == tokenizer
        for name in facts["systems"]
    ]


def reference_files(facts: dict[str, Any]) -> tuple[str, ...]:
    """The names of all reference files of a pair."""
    return tuple(ref if ref.endswith(".tsv") else f"ref.{ref}.txt" for ref in facts["refs"])


def references(pair: str, files: Sequence[str]) -> list[list[str]]:
    """The references of each segment: a table's row, or one line of each file."""
    if files[0].endswith(".tsv"):
        return [line.split("\t") for line in lines(f"{pair}/{files[0]}")]
    return [list(group) for group in zip(*(lines(f"{pair}/{f}") for f in files), strict=True)]


def streams(groups: Iterable[Sequence[Any]]) -> list[list[Any]]:
    """References as sacreBLEU takes them; None stands for one that a segment lacks."""
    return [list(stream) for stream in zip_longest(*groups)]


def plain_sum(values: Iterable[float]) -> float:
    """Add from left to right, as `sum` does before Python 3.12."""
    total: float = 0
    for value in values:
        total += value
    return total


@contextmanager
def sacrebleu_adding_left_to_right() -> Iterator[None]:
    """Let sacreBLEU add as on Python 3.10 and 3.11: from 3.12 on, `sum` compensates rounding."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sacrebleu.metrics.bleu.sum", plain_sum, raising=False)
        yield
