"""Recorded answers, real evaluation sets beside the checkout, and live sacreBLEU.

`recorded/wmt.json` holds the names of what is in the evaluation sets, so that a test on them is
counted as skipped, once for each, where they are absent. `python tests/helpers/data.py` writes it.
"""

import gzip
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest

import bleu_nb
from bleu_nb.dialects.formula_variants import add_up

ROOT = Path(__file__).resolve().parents[2]
WMT = Path(os.environ.get("BLEU_NB_DATA") or ROOT.parent / "shared" / "wmt").resolve()
MANIFEST = WMT / "MANIFEST.json"
WORKED_EXAMPLES = WMT.parent / "worked-examples.json"
PACKAGE = Path(bleu_nb.__file__).parent
RECORDED = ROOT / "tests" / "recorded"
GOLDEN = RECORDED / "golden.json.gz"
FILES = RECORDED / "files.json.gz"
VERSIONS = RECORDED / "versions.json.gz"
NAMES = RECORDED / "wmt.json"

# The most memory that a process ever held. Linux counts a new process's `ru_maxrss` from what its
# parent held, so there it is asked for its own.
PEAK = """
try:
    with open("/proc/self/status") as file:
        peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024
except (OSError, StopIteration):
    import resource, sys
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    peak = peak / 1024 ** (2 if sys.platform == "darwin" else 1)
print(peak)
"""


def needs(path: Path) -> pytest.MarkDecorator:
    """A mark that skips a test where a file is absent, and says where it was looked for."""
    place = os.path.relpath(path, ROOT)
    return pytest.mark.skipif(
        not path.exists(), reason=f"{place} is not there; BLEU_NB_DATA names the data folder"
    )


def oracle(module: str) -> Any:
    """A module of another tool; the test that asks for it is skipped where it does not load."""
    try:
        return import_module(module)
    except (ImportError, OSError) as error:
        pytest.skip(f"the oracle, {module}, cannot be imported here: {error}")


@cache
def read_json(path: Path) -> Any:
    """The content of a JSON file, packed or not."""
    packed = path.suffix == ".gz"
    with gzip.open(path, "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as file:
        return json.load(file)


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of a file of the evaluation sets, split at line feeds only."""
    return tuple((WMT / name).read_bytes().decode().removesuffix("\n").split("\n"))


def example(name: str) -> list[str]:
    """The lines of a file of the package's example."""
    return (PACKAGE / "example" / f"{name}.txt").read_text("utf-8").splitlines()


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
    """What the manifest says of each pair; without it there is nothing to ask for."""
    return read_json(MANIFEST)["sets"]


def names_in(manifest: dict[str, Any]) -> dict[str, Any]:
    """The names in a manifest that tests are made from, pair by pair."""
    pairs: dict[str, Any] = {}
    for pair, facts in manifest["sets"].items():
        evaluated: dict[str, set[str]] = {}
        for each in facts["evaluations"]:
            evaluated.setdefault(each["hyp"], set()).update({each["opts"].get("tok")} - {None})
        pairs[pair] = {
            **{name: facts[name] for name in ("default_tok", "refs", "systems")},
            "evaluated": {file: sorted(evaluated[file]) for file in sorted(evaluated)},
            "published": [
                {"index": index, "hyp": each["hyp"], "tok": each["tok"]}
                for index, each in enumerate(facts.get("published", []))
                if each["metric"] == "BLEU"
            ],
        }
    return {"pack": manifest["pack"], "pairs": pairs}


@cache
def names() -> dict[str, Any]:
    """The names of what is in each pair: from the data if they are there, else as stored."""
    return (names_in(read_json(MANIFEST)) if MANIFEST.exists() else read_json(NAMES))["pairs"]


def systems(tokenizer: str = "13a") -> list[System]:
    """Every system of the pairs with that default tokenizer, with all references."""
    return [
        System(pair, name, tokenizer, reference_files(facts))
        for pair, facts in names().items()
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


@contextmanager
def sacrebleu_adding_left_to_right() -> Iterator[Any]:
    """sacreBLEU's metrics, adding as on Python 3.10 and 3.11: from 3.12 on, `sum` compensates."""
    module = oracle("sacrebleu")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sacrebleu.metrics.bleu.sum", add_up, raising=False)
        yield module.metrics


if __name__ == "__main__":
    text = json.dumps(names_in(read_json(MANIFEST)), ensure_ascii=False, separators=(",", ":"))
    NAMES.write_text(f"{text}\n", encoding="utf-8")
