"""Test set-up: notebooks are collected as tests, and property tests repeat the same examples."""

import gc
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from data import sacrebleu_adding_left_to_right

try:
    from hypothesis import settings
    from notebooks import NotebookFile
except ModuleNotFoundError as error:
    raise pytest.UsageError(
        f"the tests need the package {error.name!r}, which is not installed: install bleu_nb with "
        "its extra 'dev' (pip install -e \".[dev]\")") from None

pytest_plugins = ["browser", "playground"]
# What a run without arguments leaves out, and the command that runs it.
STAGES = {
    "make check-site": "the site in a browser, in print and in JupyterLab (tests/site)",
    "make frameworks": "cells, and tests of adapters, that need a framework",
    "make check-release": "a fresh clone, the wheel, every documented command, nbdev's own, types "
                          "(tests/release)",
    "make check-long": "tests marked slow (whole sets, memory, interrupts), twenty times as many "
                       "examples, and every recorded evaluation",
}
LONGEST = ("test_command.py", "test_counts.py", "test_engines.py", "test_project.py",
           "test_golden.py", "test_compare.py", "test_explanation.py", "test_every_page.py",
           "test_package.py", "test_documented_commands.py")
EXAMPLES = {"ci": 30, "long": 2000}

for profile, examples in EXAMPLES.items():
    settings.register_profile(profile, max_examples=examples, derandomize=True, deadline=None)
gc.disable()    # Until all tests are collected, which makes much that stays
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
LONG = PROFILE == "long"
settings.load_profile(PROFILE)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> NotebookFile | None:
    """Collect the notebooks of the book."""
    is_chapter = file_path.suffix == ".ipynb" and "nbs" in file_path.parts
    return NotebookFile.from_parent(parent, path=file_path) if is_chapter else None


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Set up workers, where there are any: their order is ours, and a run ends when one dies."""
    if hasattr(config.option, "maxworkerrestart"):
        config.option.loadscopereorder = False
        if config.option.maxworkerrestart is None:  # It may wait forever for the one in its place
            config.option.maxworkerrestart = "0"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run ask for the slow tests of the oldest versions that the package allows."""
    parser.addoption("--oldest", action="store_true", help="only tests of the oldest versions")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest, so that no worker is alone with it at the end."""
    asked = config.getoption("oldest")
    quick = config.args_source is pytest.Config.ArgsSource.TESTPATHS and not (
        config.option.markexpr or LONG)
    left_out = [item for item in items if ("oldest" in item.keywords) != asked
                or (quick and "slow" in item.keywords)]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in {*left_out}]
    items.sort(key=lambda item: item.path.name not in LONGEST)


def pytest_collection_finish() -> None:
    """Look for garbage from now on, but not among the tests."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Undo what tools do to the whole process when they are imported.

    sacreBLEU's command makes a closed pipe end it, and lighteval switches gradients off.
    """
    if hasattr(signal, "SIGPIPE"):  # Windows has none
        signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    if torch := sys.modules.get("torch"):
        torch.set_grad_enabled(True)


@pytest.fixture(scope="module")
def sacrebleu() -> Iterator[Any]:
    """sacreBLEU's metrics, with the bits that they have on every Python up to 3.11."""
    with sacrebleu_adding_left_to_right() as metrics:
        yield metrics


def pytest_unconfigure(config: pytest.Config) -> None:
    """Say in the last lines what a run of everything has left out."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    everything = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    if reporter and everything and not (hasattr(config, "workerinput") or config.option.markexpr):
        reporter.line("Not run by this command:")
        for command, what in STAGES.items():
            reporter.line(f"  {command}: {what}")
