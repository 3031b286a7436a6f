"""What tests of adapters share: answers of a tool, and two processes."""

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


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
