"""The notebook collector finds every fault that is planted, and hides none."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fastcore.nbio import mk_cell, new_nb, write_nb
from pytest_runs import BROKEN, ROOT, reported

WITHOUT_TORCH = "import sys; sys.modules['torch'] = None\n"
IMPORTS = "from fastcore.test import test_eq"


def code(cell_id: str, source: str, **data: str) -> dict:
    """A code cell with at most one stored output: kind (text, html, svg) -> content."""
    kinds = {"text": "text/plain", "html": "text/html", "svg": "image/svg+xml"}
    bundle = {kinds[name]: content for name, content in data.items()}
    output = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
    return mk_cell(source, id=cell_id, outputs=[output | {"data": bundle}] if bundle else [])


DRAWING = """class Line:
    def __repr__(self): return "a line"
    def _repr_svg_(self): return "<svg/>"
Line()"""

NOTEBOOKS = {
    "right": [
        code("aa01", IMPORTS),
        mk_cell("## Two & *two*", cell_type="markdown"),
        code("aa02", "four = 2 + 2"),
        code("aa03", "test_eq(four, 4)\nfour", text="4"),
        mk_cell("## Errors", cell_type="markdown"),
        code("aa05", "def helper():\n    assert False"),
        code("aa06", "assert four == 4"),
        code("aa07", "object()", text="<object>"),
        code("aa08", DRAWING, svg="<svg>another</svg>", text="a line"),
    ],
    "wrong": [
        code("bb01", IMPORTS),
        mk_cell("## Sums", cell_type="markdown"),
        code("bb02", "total = 1 + 1\ntest_eq(total, 3)"),
        code("bb03", "test_eq(total, 2)"),
    ],
    "stale": [
        code("cc01", "assert True\n1 + 1", text="3"),
        code("cc02", "2 + 2"),
        code("cc03", "3 + 3", text="6"),
    ],
    "last": [code("ff01", "assert True\n1 + 1", text="3")],
    "setup": [
        code("dd01", "ready = 1"),
        code("dd02", "import no_such_module\nneeded = 2"),
        code("dd03", "assert ready"),
        code("dd04", "derived = needed + 1"),
        code("dd05", "assert derived"),
        code("dd06", "assert ready"),
        code("dd07", "def half():\n    return 1 / 0"),
        code("dd08", "assert half()"),
        code("dd09", "1 +"),
    ],
    "oracle": [
        code("ee01", "order = [1]"),
        code("ee02", "from torchtext.data.utils import ngrams_iterator"),
        code("ee03", "found = [order for order in ngrams_iterator(['a'], 1)]"),
        code("ee04", "assert found", text="stale"),
        code("ee05", "assert order"),
        code("ee06", "found = order", text="stale only if it ran"),
        code("ee07", "assert found == [1]"),
        code("ee08", "from torch import nonsense\nassert True"),
    ],
    "broken": [
        code("gg01", "from ignite.metrics import Bleu"),
        code("gg02", "assert Bleu"),
        code("gg03", "def score():\n    from ignite.metrics import Bleu\n    return Bleu"),
        code("gg04", "assert score()"),
        code("gg05", "try:\n    import ignite\nexcept OSError:\n    ignite = None\n"
                     "assert not ignite"),
        code("gg06", "for _ in range(2):\n    try:\n        from ignite.metrics import Bleu\n"
                     "    except (ImportError, OSError):\n        pass\n    assert True"),
        code("gg07", "import ignite\nassert True"),
        code("gg08", "open('no such file')\nassert True"),
        code("gg09", "import broken_module\nassert True"),
        code("gg10", "try:\n    import no_such_module\nexcept ImportError:\n    pass\n"
                     "assert True"),
        code("gg11", "assert True"),
    ],
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of small notebooks, some with planted faults, no torch, and a broken ignite."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "nbs").mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "broken_module.py").write_text("raise OSError('a module of our own')\n")
    (folder / "conftest.py").write_text(
        WITHOUT_TORCH + BROKEN.format(package="ignite") + (ROOT / "conftest.py").read_text())
    for name, cells in NOTEBOOKS.items():
        write_nb(new_nb(cells), folder / "nbs" / f"{name}.ipynb")
    return folder


@pytest.fixture(scope="module")
def reports(project: Path) -> dict[str, tuple[str, str]]:
    """One run over all of them."""
    return reported(project)


STATUSES = {  # Of each check, named after its heading and its cell
    "right": {"two-two-aa03": "passed", "errors-aa06": "passed", "outputs": "passed"},
    # A wrong value fails only its own check
    "wrong": {"sums-bb02": "failure", "sums-bb03": "passed", "outputs": "passed"},
    "stale": {"stale-cc01": "passed", "outputs": "failure"},
    # Set-up that fails, fails the next check and those that need it
    "setup": {"setup-dd03": "failure", "setup-dd05": "failure", "setup-dd06": "passed",
              "setup-dd08": "failure", "outputs": "failure"},
    # Checks that need a missing oracle are skipped
    "oracle": {"oracle-ee04": "skipped", "oracle-ee05": "passed", "oracle-ee07": "passed",
               "oracle-ee08": "skipped", "outputs": "failure"},
    # So are checks that need an oracle which raises OSError; another OSError is a failure
    "broken": {"broken-gg02": "skipped", "broken-gg04": "skipped", "broken-gg05": "skipped",
               "broken-gg06": "skipped", "broken-gg07": "skipped", "broken-gg08": "failure",
               "broken-gg09": "failure", "broken-gg10": "skipped", "broken-gg11": "passed",
               "outputs": "passed"},
}


@pytest.mark.parametrize("notebook", STATUSES)
def test_each_check_has_its_status(
    reports: dict[str, tuple[str, str]], notebook: str
) -> None:
    assert {name.partition("::")[2]: status for name, (status, _) in reports.items()
            if name.startswith(f"{notebook}::")} == STATUSES[notebook]


@pytest.mark.parametrize(("item", "said", "not_said"), [
    ("wrong::sums-bb02", ["AssertionError in cell bb02 of wrong.ipynb", "    1  total = 1 + 1",
                          "Cell bb02, line 2, in <module>", "AssertionError: ==:\n2\n3"],
     ["site-packages", "IPython", "\x1b"]),
    # Stale outputs are shown beside the new ones
    ("stale::outputs", ["cell cc01, stored", "\n-3\n+2", "cell cc02, now", "\n+4",
                        "python tools/prepare.py"], ["cc03"]),
    ("setup::setup-dd03", ["cell dd02", "No module named 'no_such_module'"], []),
    ("setup::setup-dd05",
     ["cell dd04 needs `needed`, lost in cell dd02", "no_such_module"], ["needs `derived`"]),
    ("setup::setup-dd08", ["Cell dd08, line 1", "Cell dd07, line 2, in half"], []),
    ("setup::outputs", ["cell dd09", "SyntaxError"], []),
    ("oracle::oracle-ee04", ["oracle not installed here", "torch"], []),
    ("oracle::outputs", ["ee06"], ["ee04"]),
    ("broken::broken-gg04", ["oracle not installed here: ignite does not load"], []),
    ("broken::broken-gg09", ["cell gg09", "a module of our own"], []),
])
def test_a_report_says_what_is_wrong(
    reports: dict[str, tuple[str, str]], item: str, said: list[str], not_said: list[str]
) -> None:
    _, message = reports[item]
    assert not [each for each in said if each not in message]
    assert not [each for each in not_said if each in message]


def test_a_check_runs_alone_after_what_it_needs(project: Path) -> None:
    found = reported(project, "nbs/right.ipynb::errors-aa06", "nbs/last.ipynb::outputs")
    assert {name: status for name, (status, _) in found.items()} == {
        "right::errors-aa06": "passed", "last::outputs": "failure"}


def run_after(code: str) -> "subprocess.CompletedProcess[str]":
    """A quick test file of the project, run in a Python in which some code ran before."""
    code += ("; import sys, pytest; "
             "sys.exit(pytest.main(['-p', 'no:cacheprovider', 'tests/meta/test_changelog.py']))")
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})


def test_a_run_without_the_signals_of_posix_passes() -> None:
    done = run_after("import signal; signal.__dict__.pop('SIGPIPE', None)")
    assert not done.returncode and " passed" in done.stdout, done.stdout


def test_a_run_without_the_extra_dev_names_it() -> None:
    done = run_after("import sys; sys.modules['hypothesis'] = None")
    assert done.returncode and "the tests need the package 'hypothesis'" in done.stderr
    assert "its extra 'dev'" in done.stderr
