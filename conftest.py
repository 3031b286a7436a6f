"""Test set-up: notebooks are collected as tests, and property tests repeat the same examples."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from data import sacrebleu_adding_left_to_right
from hypothesis import settings
from notebooks import NotebookFile

pytest_plugins = ["browser", "playing"]
EXAMPLES = {"ci": 100, "long": 2000}

for profile, examples in EXAMPLES.items():
    settings.register_profile(profile, max_examples=examples, derandomize=True, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> NotebookFile | None:
    """Collect the notebooks of the book."""
    is_chapter = file_path.suffix == ".ipynb" and file_path.parent.name == "nbs"
    return NotebookFile.from_parent(parent, path=file_path) if is_chapter else None


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """End a run whose worker has died: pytest-xdist may wait forever for the one in its place."""
    if hasattr(config.option, "maxworkerrestart") and config.option.maxworkerrestart is None:
        config.option.maxworkerrestart = "0"


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Let a closed pipe be an error again: sacreBLEU's command makes it end the whole process."""
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)


@pytest.fixture(scope="module")
def sacrebleu() -> Iterator[Any]:
    """sacreBLEU's metrics, with the bits that they have on every Python up to 3.11."""
    with sacrebleu_adding_left_to_right() as metrics:
        yield metrics
