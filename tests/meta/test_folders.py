"""The folders are the plan: what each imports and exports, and what is there without one."""

import ast
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import book
import pytest
from commands import python

import bleu_nb
from bleu_nb import Bleu, Counts

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bleu_nb"
COUNTS = ROOT / "tests" / "recorded" / "counts"
SCORES = json.loads((COUNTS / "scores.json").read_text(encoding="utf-8"))
FOLDERS = sorted(path.name for path in book.NOTEBOOKS.iterdir() if path.name[0].isdigit())
NAMES = [name[3:] for name in FOLDERS]  # From the ground up
MODULES = book.modules()
# Inside their methods, results import what draws or writes them, and `Counts` their interval
HOOKS = {("derivation.score_line", "display.tables"),
         ("derivation.bleu", "display.tables"),
         ("diagnosis.explanation", "display.explanation_charts"),
         ("diagnosis.identification", "display.explanation_charts"),
         ("significance.compare", "display.tables"),
         ("significance.compare", "display.significance_charts"),
         ("scoring.counts", "significance.intervals")}
DROP_INS = ("adapters.nltk", "adapters.sacrebleu")  # By their names
NEEDS_NUMPY = {  # No other does
    *(name for name in MODULES if name.startswith(("engines.num", "pairs."))),
    "scoring.chunks", "significance.tests", "significance.compare",
}  # fmt: skip


def imports(module: str, types: bool = True) -> Iterator[str]:
    """Full names of what a module imports, at its top and in functions, perhaps for types."""
    path = (PACKAGE / module.replace(".", "/")).with_suffix(".py")
    tree = ast.parse(path.read_text(encoding="utf-8"))
    tree.body = [node for node in tree.body if types or not (
        isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = ["", f"bleu_nb.{module.partition('.')[0]}.", "bleu_nb."][node.level]
            base = f"{above}{node.module or ''}".rstrip(".")
            yield from (f"{base}.{alias.name}" for alias in node.names)


def imported(module: str, types: bool = True) -> set[str]:
    """The modules of the package's folders among them."""
    parts = [name.split(".") for name in imports(module, types)]
    return {".".join(each[1:3]) for each in parts if each[0] == "bleu_nb" and each[1] in NAMES}


@pytest.mark.parametrize("module", [name for name in MODULES if name.startswith("derivation.")])
def test_first_chapters_need_only_python(module: str) -> None:
    for name in imports(module):
        assert name.partition(".")[0] in sys.stdlib_module_names or name.startswith(
            ("bleu_nb.derivation.", "bleu_nb.display."))


@pytest.mark.parametrize("module", [name for name in MODULES if "." in name])
def test_a_module_imports_from_folders_below_and_from_its_own(module: str) -> None:
    here = NAMES.index(module.partition(".")[0])
    above = {each for each in imported(module) if NAMES.index(each.partition(".")[0]) > here}
    assert {(module, each) for each in above} <= HOOKS


def test_one_page_says_what_each_module_decides() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = "".join(re.findall(r"^\| (`\w+\..*?) \|", text, re.MULTILINE))
    assert sorted(re.findall(r"`(\w+\.\w+)`", rows)) == [name for name in MODULES if "." in name]


def test_nothing_imports_a_drop_in() -> None:
    importers = {module for module in MODULES if imported(module) & {*DROP_INS}}
    assert importers == {"cli.command"}     # To run sacreBLEU's own command


@pytest.mark.parametrize("folder", NAMES)
def test_no_folder_imports_in_a_circle(folder: str) -> None:
    left = {module: imported(module, types=False) - {module} for module in MODULES
            if module.startswith(f"{folder}.")}
    while left:
        free = [module for module, needs in left.items() if not needs & left.keys()]
        assert free, f"a circle: {sorted(left)}"
        for module in free:
            del left[module]


def test_one_chapter_opens_a_module_and_later_ones_of_its_folder_go_on() -> None:
    opened = {""}
    for path in sorted(book.notebooks(), key=lambda path: path.name):   # As nbdev exports them
        module, text = book.module_of(path), "\n".join(book.sources(path))
        opens = "#| default_exp" in text
        assert opens == (module not in opened)      # A second opener would overwrite the first
        opened.add(module)
        assert {*re.findall(r"^#\| *export[si]?\b *(.*)$", text, re.MULTILINE)} <= {
            "" if opens else module}
        assert module in ("", "__main__") or module.partition(".")[0] == path.parent.name[3:]


@pytest.mark.parametrize("name", ["", *(f".{name}" for name in NAMES)])
def test_a_folder_exports_what_its_modules_do(name: str) -> None:
    package = import_module(f"bleu_nb{name}")
    assert package.__doc__ and package.__all__
    for public in package.__all__:
        assert getattr(package, public) is vars(package)[public] and public in dir(package)
    below = NAMES if not name else [
        module.partition(".")[2] for module in MODULES if module.startswith(f"{name[1:]}.")]
    for module in below:
        assert getattr(package, module).__name__ == f"bleu_nb{name}.{module}"
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        _ = package.no_such_name


def test_the_face_has_about_twenty_names() -> None:
    assert 18 <= len(bleu_nb.__all__) <= 24


# An editable install finds the checkout's folders even where they are missing
ALONE = ("import sys\n"
         "sys.meta_path = [each for each in sys.meta_path if 'editable' not in repr(each)]\n"
         "from importlib.util import find_spec\n"
         "assert (find_spec('bleu_nb.engines') is None) == (sys.argv[1:2] == ['bare'])\n")


def run(code: str, *arguments: str, place: Path = ROOT) -> str:
    """What a fresh interpreter prints."""
    return python(ALONE + code, *arguments, cwd=place,
                  env={**os.environ, "PYTHONPATH": str(place)})


WITHOUT_NUMPY = """
import sys
from importlib import import_module
sys.modules["numpy"] = None
for name in sys.argv[1:]:
    try:
        import_module("bleu_nb." + name)
    except ImportError as error:
        assert "import of numpy halted" in str(error), name
        print(name)
from bleu_nb import corpus_bleu, derivation, diagnosis, dialects
for package in (derivation, dialects, diagnosis):
    [getattr(package, name) for name in package.__all__]
print(corpus_bleu(["a b c d e"], [["a b c d f"]]).value)
"""


def test_only_some_modules_need_numpy() -> None:
    *found, score = python(WITHOUT_NUMPY, *MODULES).split()
    assert {*found} == NEEDS_NUMPY
    assert float(score) == pytest.approx(66.874, abs=0.001)


def test_a_folder_is_found_without_importing_it() -> None:
    code = f"import bleu_nb\nprint(*(getattr(bleu_nb, name).__name__ for name in {NAMES}))"
    assert run(code).split() == [f"bleu_nb.{name}" for name in NAMES]


def test_importing_scores_does_not_import_views() -> None:
    run("import sys, bleu_nb; assert 'bleu_nb.display.charts' not in sys.modules")


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
    bare, whole = run(code, "bare", place=without_engines), run(code)
    assert bare.split()[0] == "definition"
    assert bare.split()[1:] == whole.split()[1:]


def test_an_engine_that_is_not_there_is_named(without_engines: Path) -> None:
    code = ("from bleu_nb import Bleu\n"
            "try: Bleu(engine='bits')\n"
            "except ImportError as error: print(error)")
    assert "engine 'bits' needs bleu_nb.engines.bits" in run(
        code, "bare", place=without_engines)


# -- Files that an older version wrote -----------------------------------------------------------


@pytest.mark.parametrize("name", SCORES)
def test_counts_of_an_older_version_are_read(name: str) -> None:
    assert Counts.load(COUNTS / f"{name}.npz").score().value.hex() == SCORES[name]


def test_counts_by_averages_of_lengths_say_why_they_are_not_read() -> None:
    path = COUNTS / "average-length.npz"
    for load in (Counts.load, Bleu.load):
        with pytest.raises(ValueError, match=(
                r"average-length.npz' holds counts by reference_length='average', and averages of "
                "reference lengths were removed in this version: count the text again")):
            load(path)


def test_a_metric_of_an_older_version_is_read() -> None:
    loaded = Bleu.load(COUNTS / "metric.npz")
    assert loaded.unspecified == (
        "version 1.4.9: the rules of 1.5.1 are used", "max_order: 4 is used")
