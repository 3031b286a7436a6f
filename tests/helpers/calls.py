"""What tests of adapters share: a tool's own tests with the import changed, calls, processes.

A clone of each tool is in the folder that `BLEU_NB_TOOLS` names.
"""

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
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


def by_two(code: str, *arguments: str, **variables: str) -> list[Any]:
    """What each of two processes prints last, in JSON; the first argument is its number."""
    running = [subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", code, str(rank), *arguments], cwd=ROOT, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **variables, **{
            name: str(rank) for name in ("RANK", "LOCAL_RANK")}, "WORLD_SIZE": "2"})
        for rank in range(2)]
    said = [each.communicate(timeout=300) for each in running]
    assert not any(each.returncode for each in running), said
    return [json.loads(out.splitlines()[-1]) for out, _ in said]
