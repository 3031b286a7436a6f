"""What the tests of drop-ins share: a tool's own tests with the import changed, and recorded calls.

A clone of each tool is in the folder that `BLEU_NB_TOOLS` names. A record maps a call, as it is
written in a program, to the answer's `repr`, or to the name of the exception.
"""

import json
import os
import warnings
from collections.abc import Iterable, Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

TOOLS = os.environ.get("BLEU_NB_TOOLS", "")


def cloned(path: str) -> Path:
    """A file of a clone; the test that asks for it is skipped where it is missing."""
    found = Path(TOOLS) / path
    if not TOOLS or not found.exists():
        pytest.skip(f"BLEU_NB_TOOLS names no folder with {path}")
    return found


def rewritten(path: str, *changes: tuple[str, str]) -> str:
    """The text of a file of a clone, in which each import was found and changed."""
    text = cloned(path).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text, f"{path} has no {old!r} any more"
        text = text.replace(old, new)
    return text


def answer(call: str, names: Mapping[str, Any]) -> str:
    """What a call of a tool returns, or raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return repr(eval(call, {**names}))
        except Exception as error:
            return type(error).__name__


def write(record: Path, calls: Iterable[str], names: Mapping[str, Any], *packages: str) -> None:
    """Keep what a tool answers."""
    made_with = {name: version(name).partition("+")[0] for name in packages}
    rows = ",\n".join(json.dumps([call, answer(call, names)]) for call in calls)
    record.write_text(
        f'{{"made_with": {json.dumps(made_with)}, "calls": [\n{rows}\n]}}\n', encoding="utf-8")


def read(record: Path) -> list[tuple[str, str]]:
    """Each recorded call with its answer."""
    calls = json.loads(record.read_text(encoding="utf-8"))["calls"]
    return [(call, told) for call, told in calls]
