"""The package builds, installs into an empty environment, and its command runs there."""

import ast
import json
import os
import re
import shutil
import sys
import tarfile
import zipfile
from configparser import ConfigParser
from email.parser import HeaderParser
from pathlib import Path
from typing import NamedTuple

import book
import prepare
import pytest
from clean_checkout import clone, require_pip, run
from data import WMT

import bleu_nb

ROOT = Path(__file__).resolve().parents[2]


class Built(NamedTuple):
    """The two distributions, and the programs of an environment that holds only the wheel."""

    sdist: Path
    wheel: Path
    programs: Path


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Build from a copy without what git ignores, and install the wheel."""
    folder = tmp_path_factory.mktemp("package")
    require_pip(folder / "probe")
    shutil.copytree(ROOT, folder / "copy", ignore=shutil.ignore_patterns(*prepare.ignored()))
    run(sys.executable, "-m", "build", folder / "copy", "--outdir", folder / "dist")
    [sdist], [wheel] = (folder / "dist").glob("*.tar.gz"), (folder / "dist").glob("*.whl")
    run(sys.executable, "-m", "venv", folder / "venv")
    programs = folder / "venv" / "bin"
    run(programs / "python", "-m", "pip", "install", wheel)
    return Built(sdist, wheel, programs)


def test_the_command_runs_with_only_numpy_beside_it(built: Built) -> None:
    listing = json.loads(run(built.programs / "python", "-m", "pip", "list", "--format", "json"))
    installed = {package["name"].replace("-", "_") for package in listing}
    assert installed - {"pip", "setuptools"} == {"bleu_nb", "numpy"}
    assert "usage: bleu-nb" in run(built.programs / "bleu-nb", "--help")
    assert "BLEU|nrefs:2|" in run(built.programs / "bleu-nb", "example")


def test_every_folder_is_installed(built: Built) -> None:
    code = ("import bleu_nb.adapters, bleu_nb.cli, bleu_nb.pairs, bleu_nb.significance\n"
            "import pathlib, sys\n"
            "from importlib import import_module\n"
            "assert 'site-packages' in bleu_nb.__file__\n"
            "[getattr(bleu_nb, name) for name in bleu_nb.__all__]\n"
            "[import_module(name) for name in sys.argv[1:]]\n"
            "print(pathlib.Path(bleu_nb.adapters.evaluate_module_path())\n"
            "      .read_text(encoding='utf-8'))")
    browser = {
        f"{node.module}"
        for path in (ROOT / "docs" / "playground").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("bleu_nb")
    }  # fmt: skip
    assert "bleu_nb.scoring.counts" in browser
    assert "class ExactBleu" in run(
        built.programs / "python", "-I", "-c", code, *sorted(browser))


MODULES = """
import bleu_nb, sys
from importlib import import_module
from pkgutil import walk_packages

found = walk_packages(bleu_nb.__path__, "bleu_nb.", lambda name: None)
for name in {*(each.name for each in found), *sys.argv[1:]}:
    try:
        import_module(name)
        print(f"{name}:")
    except ImportError as error:
        print(f"{name}:{error}")
"""


def test_every_module_is_imported_or_names_its_extra(built: Built) -> None:
    made = [f"bleu_nb.{each}" for each in book.modules()]
    lines = run(built.programs / "python", "-I", "-c", MODULES, *made).splitlines()
    told = dict(line.split(":", 1) for line in lines)
    without = {name: error for name, error in told.items() if error}
    assert without.keys() == {
        "bleu_nb.adapters.exact_bleu.exact_bleu", "bleu_nb.adapters.nltk",
        "bleu_nb.adapters.nltk.translate.bleu_score",
        "bleu_nb.adapters.sacrebleu", "bleu_nb.adapters.sacrebleu.drop_in",
        "bleu_nb.engines.numba_counts"}
    assert not [error for error in without.values()
                if not re.search(r"install bleu_nb with its extra '[\w-]+'$", error)]


def test_the_wheel_is_complete(built: Built) -> None:
    modules = {path.relative_to(ROOT).as_posix() for kind in ("*.py", "*.pyi")
               for path in (ROOT / "bleu_nb").rglob(kind)}
    assert "bleu_nb/adapters/exact_bleu/exact_bleu.py" in modules
    with zipfile.ZipFile(built.wheel) as wheel:
        names = set(wheel.namelist())
        [metadata] = [name for name in names if name.endswith(".dist-info/METADATA")]
        headers = HeaderParser().parsestr(wheel.read(metadata).decode())
    assert {name for name in names if name.endswith((".py", ".pyi"))} == modules
    data = {"example": "*.txt", "measured": "*.json"}  # What chapters read, downloaded alone too
    assert {"bleu_nb/py.typed", "bleu_nb/measured/agreement.json", *(
        path.relative_to(ROOT).as_posix() for folder, kind in data.items()
        for path in (ROOT / "bleu_nb" / folder).glob(kind))} <= names
    assert headers["Version"] == bleu_nb.__version__


def test_an_index_would_take_both(built: Built) -> None:
    pytest.importorskip("twine", reason="twine is not installed here")
    said = run(sys.executable, "-m", "twine", "check", "--strict", built.sdist, built.wheel)
    assert said.count("PASSED") == 2


def test_the_sdist_holds_what_its_build_reads(built: Built) -> None:
    with tarfile.open(built.sdist) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    assert names >= {"settings.ini", "setup.py", "pyproject.toml", "README.md", "LICENSE",
                      "bleu_nb/adapters/exact_bleu/exact_bleu.py",
                      "bleu_nb/measured/agreement.json", "bleu_nb/measured/defaults.json"}


# Recorded answers of other tools, and what numpy counts against the definition and recorded digits.
COMPARISONS = "recorded_answers or numpy and not (bytes_ or hostile or all_of_unicode or megabyte)"


@pytest.mark.oldest
@pytest.mark.skipif(sys.version_info >= (3, 13), reason="numpy 1.26 has no build for Python 3.13")
@pytest.mark.parametrize("numba", [False, True], ids=["numpy 1.26", "numpy 1.26 and numba"])
def test_numpy_1_gives_the_same_digits(built: Built, tmp_path: Path, numba: bool) -> None:
    python = tmp_path / "venv" / "bin" / "python"
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    package = f"{built.wheel}[fast]" if numba else built.wheel
    run(python, "-m", "pip", "install", package, "numpy==1.26.4", "pytest", "hypothesis")
    assert run(python, "-c", "import numpy; print(numpy.__version__)").strip() == "1.26.4"
    shutil.copytree(ROOT / "tests", tmp_path / "tests")
    settings = ["--noconftest", "--hypothesis-profile=ci", "-q", "-k", COMPARISONS,
                "-o", f"pythonpath=helpers {ROOT / 'tools'}"]
    own = {n: v for n, v in os.environ.items() if not n.startswith(("PYTEST_", "PYTHONPATH"))}
    run(python, "-m", "pytest", *settings, "dialects/test_golden.py", "engines/test_engines.py",
        cwd=tmp_path / "tests", env={**own, "BLEU_NB_DATA": str(WMT)})


def test_mypy_is_content() -> None:
    run(sys.executable, "-m", "mypy", cwd=ROOT)


def test_the_path_runs_in_the_environment_of_a_reader(tmp_path: Path) -> None:
    """*Run all* in every page of the path, with the extra `learn`, in which there is no torch."""
    require_pip(tmp_path / "probe")
    folder = clone(tmp_path / "clone")
    programs = tmp_path / "venv" / "bin"
    run(sys.executable, "-m", "venv", tmp_path / "venv")
    run(programs / "python", "-m", "pip", "install", f"{folder}[learn]")
    assert "torch" not in run(programs / "python", "-m", "pip", "list")
    pages = [path for path in sorted((folder / "nbs" / "01_derivation").glob("*.ipynb"))
             if book.on_path(path)]
    assert len(pages) == 13
    run(programs / "jupyter", "execute", "--inplace", *pages)
    outputs = {page.stem: [output for cell in json.loads(page.read_text("utf-8"))["cells"]
                           for output in cell.get("outputs", [])] for page in pages}
    said = [stem for stem, found in outputs.items() if "nothing to compare" in json.dumps(found)]
    assert not said, "a library that is absent shows its recorded answer"


def test_what_is_not_installed_is_an_extra_that_there_is() -> None:
    settings = ConfigParser()
    settings.read(ROOT / "settings.ini", encoding="utf-8")
    calls = [node for path in (ROOT / "bleu_nb").rglob("*.py")
             for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
             if isinstance(node, ast.Call)]
    named = {call.args[-1].value for call in calls if call.args
             and getattr(call.func, "id", "") in ("with_extra", "base_from", "import_tool")
             and isinstance(call.args[-1], ast.Constant)}
    assert {"fast", "lm-eval", "sacrebleu", "torchmetrics"} <= named
    assert named <= {*settings["extras"]}


def test_no_page_installs_from_an_index_that_lacks_the_package() -> None:
    pages = [ROOT / "README.md", *(ROOT / "nbs").rglob("*.ipynb"), *(ROOT / "docs").glob("*.md"),
             *(ROOT / "bleu_nb").rglob("*.py")]  # fmt: skip
    wrong = "pip install bleu_nb", "pip install bleu-nb", "bleu_nb["
    assert not [(path.name, each) for path in pages for each in wrong
                if each in path.read_text(encoding="utf-8")]
