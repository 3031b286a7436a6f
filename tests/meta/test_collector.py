"""The notebook collector finds every fault that is planted, and hides none."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest
from fastcore.nbio import mk_cell, new_nb, write_nb

ROOT = Path(__file__).resolve().parents[2]

WITHOUT_TORCH = "import sys; sys.modules['torch'] = None\n"
IMPORTS = "from fastcore.test import test_eq"


@dataclass(frozen=True)
class Report:
    """What pytest said about one item."""

    status: str
    message: str


def code(cell_id: str, source: str, **data: str) -> dict:
    """A code cell with at most one stored output: kind (text, html, svg) -> content."""
    kinds = {"text": "text/plain", "html": "text/html", "svg": "image/svg+xml"}
    bundle = {kinds[name]: content for name, content in data.items()}
    output = {"output_type": "execute_result", "execution_count": None, "metadata": {}}
    return mk_cell(source, id=cell_id, outputs=[output | {"data": bundle}] if bundle else [])


def heading(text: str) -> dict:
    """A markdown cell with a heading."""
    return mk_cell(f"## {text}", cell_type="markdown")


DRAWING = """class Line:
    def __repr__(self): return "a line"
    def _repr_svg_(self): return "<svg/>"
Line()"""

NOTEBOOKS = {
    "right": [
        code("aa01", IMPORTS),
        heading("Two & *two*"),
        code("aa02", "four = 2 + 2"),
        code("aa03", "test_eq(four, 4)\nfour", text="4"),
        heading("Errors"),
        code("aa04", "#| eval: false\nassert False"),
        code("aa05", "def helper():\n    assert False"),
        code("aa06", "assert four == 4"),
        code("aa07", "object()", text="<object>"),
        code("aa08", DRAWING, svg="<svg>another</svg>", text="a line"),
    ],
    "wrong": [
        code("bb01", IMPORTS),
        heading("Sums"),
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
}


def pytest_reports(folder: Path, *arguments: str) -> dict[str, Report]:
    """Run pytest in a folder: item -> report, the notebook's name before the item's."""
    path = f"pythonpath={ROOT / 'tests' / 'helpers'} {ROOT / 'tools'}"
    options = ["-p", "no:cacheprovider", "-o", path, "--junitxml=log.xml"]
    command = [sys.executable, "-m", "pytest", *options, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    reports = {}
    for case in ElementTree.parse(folder / "log.xml").iter("testcase"):
        notebook = case.get("classname", "").split(".")[-2]
        problem = next(iter(case), None)
        found = Report("passed", "")
        if problem is not None:
            found = Report(problem.tag, f"{problem.get('message')}\n{problem.text}")
        reports[f"{notebook}::{case.get('name')}"] = found
    return reports


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project of small notebooks, some with planted faults, and no torch."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "nbs").mkdir()
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text(WITHOUT_TORCH + (ROOT / "conftest.py").read_text())
    for name, cells in NOTEBOOKS.items():
        write_nb(new_nb(cells), folder / "nbs" / f"{name}.ipynb")
    return folder


@pytest.fixture(scope="module")
def reports(project: Path) -> dict[str, Report]:
    """One run over all of them."""
    return pytest_reports(project)


def of(reports: dict[str, Report], notebook: str) -> dict[str, str]:
    """Item -> status, in the order of the run."""
    items = ((key.partition("::"), report.status) for key, report in reports.items())
    return {item: status for (name, _, item), status in items if name == notebook}


def assert_says(report: Report, parts: Iterable[str]) -> None:
    """The report's message holds all parts."""
    for part in parts:
        assert part in report.message


def test_checks_are_named_after_heading_and_cell(reports: dict[str, Report]) -> None:
    names = ["two-two-aa03", "errors-aa06", "outputs"]
    assert of(reports, "right") == dict.fromkeys(names, "passed")


def test_a_wrong_value_fails_only_its_own_check(reports: dict[str, Report]) -> None:
    statuses = {"sums-bb02": "failure", "sums-bb03": "passed", "outputs": "passed"}
    assert of(reports, "wrong") == statuses
    failure = reports["wrong::sums-bb02"]
    assert_says(failure, ["AssertionError in cell bb02 of wrong.ipynb", "    1  total = 1 + 1"])
    assert_says(failure, ["Cell bb02, line 2, in <module>", "AssertionError: ==:\n2\n3"])
    for noise in ("site-packages", "IPython", "\x1b"):
        assert noise not in failure.message


def test_stale_outputs_are_shown_beside_the_new_ones(reports: dict[str, Report]) -> None:
    assert of(reports, "stale") == {"stale-cc01": "passed", "outputs": "failure"}
    failure = reports["stale::outputs"]
    assert_says(failure, ["cell cc01, stored", "\n-3\n+2", "cell cc02, now", "\n+4"])
    assert_says(failure, ["python tools/prepare.py"])
    assert "cc03" not in failure.message


def test_failing_setup_fails_the_next_check_and_those_that_need_it(
    reports: dict[str, Report],
) -> None:
    assert of(reports, "setup") == {
        "setup-dd03": "failure",
        "setup-dd05": "failure",
        "setup-dd06": "passed",
        "setup-dd08": "failure",
        "outputs": "failure",
    }
    assert_says(reports["setup::setup-dd03"], ["cell dd02", "No module named 'no_such_module'"])
    blocked = reports["setup::setup-dd05"]
    assert_says(blocked, ["needs `derived`", "needs `needed`, lost in cell dd02", "no_such_module"])
    assert_says(reports["setup::setup-dd08"], ["Cell dd08, line 1", "Cell dd07, line 2, in half"])
    assert_says(reports["setup::outputs"], ["cell dd09", "SyntaxError"])


def test_checks_that_need_a_missing_oracle_are_skipped(reports: dict[str, Report]) -> None:
    assert of(reports, "oracle") == {
        "oracle-ee04": "skipped",
        "oracle-ee05": "passed",
        "oracle-ee07": "passed",
        "oracle-ee08": "skipped",
        "outputs": "failure",
    }
    assert_says(reports["oracle::oracle-ee04"], ["oracle not installed here", "torch"])
    assert "ee04" not in reports["oracle::outputs"].message
    assert "ee06" in reports["oracle::outputs"].message


def test_a_check_runs_alone_after_what_it_needs(project: Path) -> None:
    right, last = "nbs/right.ipynb::errors-aa06", "nbs/last.ipynb::outputs"
    statuses = {key: report.status for key, report in pytest_reports(project, right, last).items()}
    assert statuses == {"right::errors-aa06": "passed", "last::outputs": "failure"}


@pytest.mark.parametrize("time", ["once", "again"])
def test_a_test_cannot_make_closed_pipes_deadly_for_the_next(time: str) -> None:
    assert signal.getsignal(signal.SIGPIPE) is signal.SIG_IGN, time
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)


@pytest.mark.slow
def test_a_run_ends_when_a_worker_dies(tmp_path: Path) -> None:
    for name in ("deadly", "other"):
        (tmp_path / f"test_{name}.py").write_text(
            f"import os\ndef test_one():\n    {name!r} == 'deadly' and os._exit(1)\n")
    command = [sys.executable, "-m", "pytest", "-p", "conftest", "-n", "2", str(tmp_path)]
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers"), str(ROOT / "tools")])
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode and "worker restarting disabled" in done.stdout, done
    assert "test_deadly.py::test_one" in done.stdout


def test_a_run_of_everything_says_what_it_leaves_out(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = tests\nmarkers = slow: a\n")
    (tmp_path / "conftest.py").write_text((ROOT / "conftest.py").read_text())
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_some.py").write_text(
        "import pytest\n@pytest.mark.slow\ndef test_slow(): pass\ndef test_quick(): pass\n")
    paths = os.pathsep.join([str(ROOT), str(ROOT / "tests" / "helpers"), str(ROOT / "tools")])
    said = {}
    for arguments in ((), ("-n", "2"), ("-m", "slow"), ("tests/test_some.py",)):
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *arguments], cwd=tmp_path, text=True,
            env={**os.environ, "PYTHONPATH": paths}, capture_output=True, timeout=120)
        assert not done.returncode, done.stdout + done.stderr
        said[arguments] = done.stdout.splitlines()
    for arguments in ((), ("-n", "2")):
        *_, title, _, _, release, _ = said[arguments]
        assert title == "Not run by this command:"
        assert release.startswith("  make check-release: ")
        assert any("1 passed" in line for line in said[arguments])
    assert "1 passed, 1 deselected" in said["-m", "slow"][-1]
    assert "2 passed" in said["tests/test_some.py",][-1]
