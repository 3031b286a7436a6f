"""The folders are the plan: what each imports and exports, and what is there without one."""

import ast
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import book
import pytest

import bleu_nb
from bleu_nb import Bleu, Counts

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bleu_nb"
RECORDED = ROOT / "tests" / "recorded"
FOLDERS = sorted(path.name for path in book.NOTEBOOKS.iterdir() if path.name[0].isdigit())
NAMES = [name[3:] for name in FOLDERS]  # From the ground up
MODULES = sorted(filter(None, map(book.module_of, book.notebooks())))
# Through these two a result finds its picture, and `Counts` their interval
HOOKS = {("derivation.text_safety", "display.pages"),
         ("scoring.counts", "significance.intervals")}
PLAIN = ["derivation", "dialects", "diagnosis"]  # Need no numpy, nor do these of scoring:
PLAIN_SCORING = ["registry", "buffers", "counts", "count_scores", "storage", "metric"]


def imported(module: str, types: bool = True) -> Iterator[str]:
    """What a module imports of the package, at its top and in functions, perhaps for types."""
    path = (PACKAGE / module.replace(".", "/")).with_suffix(".py")
    folder = module.partition(".")[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    if not types:
        tree.body = [node for node in tree.body if not (
            isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")]
    for node in ast.walk(tree):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = ["", f"bleu_nb.{folder}.", "bleu_nb."][node.level] + (node.module or "")
            names = [f"{base.rstrip('.')}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "bleu_nb" and parts[1] in NAMES:
                yield ".".join(parts[1:3])


@pytest.mark.parametrize("module", [name for name in MODULES if "." in name])
def test_a_module_imports_from_folders_below_and_from_its_own(module: str) -> None:
    here = NAMES.index(module.partition(".")[0])
    above = {each for each in imported(module) if NAMES.index(each.partition(".")[0]) > here}
    assert {(module, each) for each in above} <= HOOKS


@pytest.mark.parametrize("folder", NAMES)
def test_no_folder_imports_in_a_circle(folder: str) -> None:
    left = {module: {*imported(module, types=False)} - {module} for module in MODULES
            if module.startswith(f"{folder}.")}
    while left:
        free = [module for module, needs in left.items() if not needs & left.keys()]
        assert free, f"a circle: {sorted(left)}"
        for module in free:
            del left[module]


def test_a_notebook_makes_a_module_of_its_folder() -> None:
    assert len(book.notebooks()) > 95
    for path in book.notebooks():
        module = book.module_of(path)
        assert not module or module == "__main__" or (
            module.split(".") == [path.parent.name[3:], path.stem[3:]]
            or path.stem in ("01_ngrams", "07_start"))


@pytest.mark.parametrize("folder", NAMES)
def test_a_folder_exports_what_its_modules_do(folder: str) -> None:
    package = import_module(f"bleu_nb.{folder}")
    assert package.__doc__ and package.__all__
    for name in package.__all__:
        thing = getattr(package, name)
        assert thing is vars(package)[name] and name in dir(package)
    for module in MODULES:
        if module.startswith(f"{folder}."):
            assert getattr(package, module.partition(".")[2]).__name__ == f"bleu_nb.{module}"
    assert getattr(bleu_nb, folder) is package
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        _ = package.no_such_name


def test_the_face_has_about_twenty_names() -> None:
    assert 18 <= len(bleu_nb.__all__) <= 24


# An editable install finds the checkout's folders even where they are missing
ALONE = ("import sys\n"
         "sys.meta_path = [each for each in sys.meta_path if 'editable' not in repr(each)]\n"
         "from importlib.util import find_spec\n"
         "assert (find_spec('bleu_nb.engines') is None) == (sys.argv[1:2] == ['bare'])\n")


def run(code: str, *arguments: str, **environment: str) -> str:
    """What a fresh interpreter prints."""
    here = {"PYTHONPATH": str(ROOT), **environment}
    done = subprocess.run([sys.executable, "-c", ALONE + code, *arguments], cwd=here["PYTHONPATH"],
                          env={**os.environ, **here}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_what_must_do_without_numpy_does() -> None:
    code = (
        "import sys; sys.modules['numpy'] = None\n"
        "from importlib import import_module\n"
        f"for folder in {PLAIN}:\n"
        "    package = import_module(f'bleu_nb.{folder}')\n"
        "    [getattr(package, name) for name in package.__all__]\n"
        f"[import_module(f'bleu_nb.scoring.{{name}}') for name in {PLAIN_SCORING}]\n"
        "from bleu_nb import corpus_bleu\n"
        "print(corpus_bleu(['a b c d e'], [['a b c d f']]).value)")
    assert float(run(code)) == pytest.approx(66.874, abs=0.001)


def test_a_folder_is_found_without_importing_it() -> None:
    code = f"import bleu_nb\nprint(*(getattr(bleu_nb, name).__name__ for name in {NAMES}))"
    assert run(code).split() == [f"bleu_nb.{name}" for name in NAMES]


def test_a_folder_loads_nothing_before_it_is_asked() -> None:
    code = ("import sys, bleu_nb.significance, bleu_nb.pairs, bleu_nb.adapters\n"
            "print(*(name for name in sys.modules if name.startswith(('numpy', 'bleu_nb.'))))")
    assert set(run(code).split()) == {
        "bleu_nb._lazy", "bleu_nb.significance", "bleu_nb.pairs", "bleu_nb.adapters"}


# -- Engines are engines -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def without_engines(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package in which the folder of engines is missing."""
    copy = tmp_path_factory.mktemp("without")
    shutil.copytree(PACKAGE, copy / "bleu_nb",
                    ignore=shutil.ignore_patterns("__pycache__", "engines"))
    return copy


def test_without_engines_the_definition_counts(without_engines: Path) -> None:
    code = ("from bleu_nb import Bleu, corpus_bleu, sentence_bleu\n"
            "from bleu_nb.scoring.registry import choose_engine\n"
            "from bleu_nb import explain, identify\n"
            "texts = ['the boat came late', 'they lit the lamp'] * 700\n"
            "humans = [['the boat came very late'], ['they lit a lamp']] * 700\n"
            "print(choose_engine(10**6, 10**6), corpus_bleu(texts, humans).value.hex(),\n"
            "      sentence_bleu(texts[0], humans[0]).value.hex(),\n"
            "      sum(Bleu().count(texts, humans).values()).hex(),\n"
            "      len(explain(texts[:9], humans[:9], 'nltk', 'sacrebleu').parts))\n")
    bare, whole = run(code, "bare", PYTHONPATH=str(without_engines)), run(code)
    assert bare.split()[0] == "definition"
    assert bare.split()[1:] == whole.split()[1:]


def test_an_engine_that_is_not_there_is_named(without_engines: Path) -> None:
    code = ("from bleu_nb import Bleu\n"
            "try: Bleu(engine='bits')\n"
            "except ImportError as error: print(error)")
    assert "engine 'bits' needs bleu_nb.engines.bits" in run(
        code, "bare", PYTHONPATH=str(without_engines))


# -- Files that an older version wrote -----------------------------------------------------------


@pytest.mark.parametrize("name", json.loads((RECORDED / "counts" / "scores.json").read_text()))
def test_counts_of_an_older_version_are_read(name: str) -> None:
    recorded = json.loads((RECORDED / "counts" / "scores.json").read_text())[name]
    assert Counts.load(RECORDED / "counts" / f"{name}.npz").score().value.hex() == recorded


def test_a_metric_of_an_older_version_is_read() -> None:
    loaded = Bleu.load(RECORDED / "counts" / "metric.npz")
    assert loaded.unspecified == (
        "version 1.4.9: the rules of 1.5.1 are used", "max_order: 4 is used")
