"""The folders are the plan: what each imports and exports, and what is there without one."""

import ast
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator
from graphlib import TopologicalSorter
from importlib import import_module
from importlib.util import resolve_name
from pathlib import Path
from typing import Any

import book
import pytest
from commands import python

from bleu_nb import Bleu, Counts

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bleu_nb"
COUNTS = ROOT / "tests" / "recorded" / "counts"
SCORES = json.loads((COUNTS / "scores.json").read_text(encoding="utf-8"))
FOLDERS = sorted(path.name for path in book.NOTEBOOKS.iterdir() if path.name[0].isdigit())
NAMES = [name[3:] for name in FOLDERS]  # From the ground up
MODULES = book.modules()
NEEDS_NUMPY = {  # No other does
    *(name for name in MODULES if name.startswith(("engines.num", "pairs."))),
    "scoring.chunks", "significance.tests", "significance.compare",
}  # fmt: skip


def tree_of(module: str) -> ast.Module:
    """The syntax tree of a module."""
    path = (PACKAGE / module.replace(".", "/")).with_suffix(".py")
    return ast.parse(path.read_text(encoding="utf-8"))


def imports(module: str, types: bool = True) -> set[str]:
    """Full names of what a module imports, at its top and in functions, perhaps for types."""
    tree = tree_of(module)
    found = ([node for node, _ in placed(tree)] if not types else
             [node for node in ast.walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom))])
    package = f"bleu_nb.{module}".rpartition(".")[0]
    return {name for node in found for name in names_of(node, package)}


def imported(module: str, types: bool = True) -> set[str]:
    """The modules of the package's folders among them."""
    parts = [name.split(".") for name in imports(module, types)]
    return {".".join(each[1:3]) for each in parts if each[0] == "bleu_nb" and each[1] in NAMES}


def names_of(node: ast.Import | ast.ImportFrom, package: str) -> list[str]:
    """Full names of what an import statement imports."""
    base = getattr(node, "module", None) or ""
    level = getattr(node, "level", 0)
    base = resolve_name(f"{'.' * level}{base}", package) if level else base
    return [f"{base}.{alias.name}" if base else alias.name for alias in node.names]


def placed(tree: ast.AST, place: tuple[str, ...] = ()) -> Iterator[
        tuple[ast.Import | ast.ImportFrom, str]]:
    """Every import of a module, except for types, with the class and functions around it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            yield node, ".".join(place)
        elif isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            for other in node.orelse:
                yield from placed(ast.Module([other], []), place)
        else:
            name = getattr(node, "name", None)
            yield from placed(node, (*place, name) if isinstance(node, (
                ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) else place)


def imports_upwards(tree: ast.Module, module: str) -> list[str]:
    """The imports that break the rule in `docs/architecture.md`, each with its place.

    A module imports from its own folder and from folders with lower numbers. Two kinds of method
    import from a higher folder: `_repr_html_` and `to_...` from `display`, and `Counts.interval`
    from `significance`. An import below `if TYPE_CHECKING:` is only for types.
    """
    folder, found = module.partition(".")[0], []
    below = {*NAMES[:NAMES.index(folder) + 1], "__version__"}
    for node, place in placed(tree):
        method = re.fullmatch(r"\w+\.(_repr_html_|to_\w+)", place)
        above = {"display"} if method else {"significance"} if (
            (module, place) == ("scoring.counts", "Counts.interval")) else set()
        found += [f"{module}, line {node.lineno}, in {place or 'the module'}: {name}"
                  for name in names_of(node, f"bleu_nb.{folder}")
                  if re.match(r"bleu_nb\b", name)
                  and f"{name}..".split(".")[1] not in below | above]
    return found


@pytest.mark.parametrize("module", [name for name in MODULES if "." in name])
def test_a_module_imports_from_folders_below_and_from_its_own(module: str) -> None:
    """The first chapters need only Python."""
    assert not imports_upwards(tree_of(module), module)
    assert not module.startswith("derivation.") or not [
        name for name in imports(module) if name.partition(".")[0] not in sys.stdlib_module_names
        and not name.startswith(("bleu_nb.derivation.", "bleu_nb.display."))]


@pytest.mark.parametrize(("source", "broken"), [
    ("from bleu_nb import display", True),
    ("import bleu_nb.display.tables", True),
    ("from bleu_nb.display.tables import Table", True),
    ("from ..display import tables", True),
    ("from bleu_nb.scoring.counts import Counts", False),
    ("from bleu_nb import engines, __version__", False),
    ("from bleu_nb import compare_systems", True),
    ("import bleu_nb", True),
    ("from .. import significance", True),
    ("from .buffers import as_column", False),
    ("if TYPE_CHECKING:\n from bleu_nb.display.tables import Table", False),
    ("if TYPE_CHECKING:\n pass\nelse:\n from bleu_nb.display.tables import Table", True),
    ("def to_table(a):\n from bleu_nb.display.tables import Table", True),
    ("class A:\n def to_table(a):\n  from bleu_nb.display.tables import Table", False),
    ("class A:\n def _repr_html_(a):\n  from bleu_nb import display", False),
    ("class A:\n def __repr__(a):\n  from bleu_nb import display", True),
    ("class A:\n def to_table(a):\n  from bleu_nb.significance import tests", True),
    ("class A:\n from bleu_nb import display\n def to_table(a): pass", True),
    ("class Counts:\n def interval(a):\n  from bleu_nb.significance import intervals", False),
    ("class Counts:\n def interval(a):\n  from bleu_nb.display import tables", True),
    ("class Counts:\n def score(a):\n  from bleu_nb.significance import intervals", True),
])
def test_the_rule_allows_two_kinds_of_method_and_nothing_else(source: str, broken: bool) -> None:
    assert bool(imports_upwards(ast.parse(source), "scoring.counts")) == broken


def test_one_page_says_what_each_module_decides() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = "".join(re.findall(r"^\| (`\w+\..*?) \|", text, re.MULTILINE))
    listed, made = re.findall(r"`(\w+\.[\w.]+)`", rows), [name for name in MODULES if "." in name]
    assert sorted(listed) == made, (
        "edit the table of modules in docs/architecture.md: "
        f"lacks {sorted({*made} - {*listed})}, has too many {sorted({*listed} - {*made})}")


@pytest.mark.parametrize("folder", NAMES)
def test_no_folder_imports_in_a_circle(folder: str) -> None:
    graph = TopologicalSorter({module: imported(module, types=False) - {module}
                               for module in MODULES if module.startswith(f"{folder}.")})
    graph.prepare()  # Refuses a circle


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
    assert package.__doc__ and package.__all__ and {*package.__all__} <= {*dir(package)}
    for public in package.__all__:
        assert getattr(package, public) is vars(package)[public]
    below = NAMES if not name else [
        module.split(".")[1] for module in MODULES if module.startswith(f"{name[1:]}.")]
    for module in below:
        assert getattr(package, module).__name__ == f"bleu_nb{name}.{module}"
    with pytest.raises(AttributeError, match="no attribute 'no_such_name'"):
        _ = package.no_such_name
    assert name or 18 <= len(package.__all__) <= 24, "the face has about twenty names"


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
from importlib.util import resolve_name
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
    assert {*found} == NEEDS_NUMPY, (
        f"edit NEEDS_NUMPY in tests/meta/test_folders.py: {sorted({*found} ^ NEEDS_NUMPY)}")
    assert float(score) == pytest.approx(66.874, abs=0.001)


@pytest.mark.parametrize(("imported", "loaded"), [
    ("bleu_nb.significance, bleu_nb.pairs, bleu_nb.adapters", {
        "bleu_nb._lazy", "bleu_nb.significance", "bleu_nb.pairs", "bleu_nb.adapters"}),
    ("bleu_nb", {"bleu_nb._lazy"}),
])
def test_a_folder_loads_nothing_before_it_is_asked(imported: str, loaded: set[str]) -> None:
    code = (f"import sys, {imported}\n"
            "print(*(name for name in sys.modules if name.startswith(('numpy', 'bleu_nb.'))))\n"
            f"assert [getattr(bleu_nb, name).__name__ for name in {NAMES}] == "
            f"['bleu_nb.' + name for name in {NAMES}]")
    assert {*run(code).split()} == loaded


# -- Engines are engines -------------------------------------------------------------------------


def test_without_engines_the_definition_counts(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "bleu_nb",
                    ignore=shutil.ignore_patterns("__pycache__", "engines"))
    code = ("from bleu_nb import Bleu, corpus_bleu, sentence_bleu\n"
            "from bleu_nb.scoring.registry import choose_engine\n"
            "from bleu_nb import explain, identify\n"
            "texts = ['the boat came late', 'they lit the lamp'] * 700\n"
            "humans = [['the boat came very late'], ['they lit a lamp']] * 700\n"
            "print(choose_engine(10**6, 10**6), corpus_bleu(texts, humans).value.hex(),\n"
            "      sentence_bleu(texts[0], humans[0]).value.hex(),\n"
            "      sum(Bleu().count(texts, humans).values()).hex(),\n"
            "      len(explain(texts[:9], humans[:9], 'nltk', 'sacrebleu').parts))\n"
            "try: Bleu(engine='bits')\n"
            "except ImportError as error: print(error)")
    bare, whole = run(code, "bare", place=tmp_path), run(code)
    assert bare.split()[0] == "definition" and bare.split()[1:5] == whole.split()[1:5]
    assert "engine 'bits' needs bleu_nb.engines.bits" in bare


# -- Files that an older version wrote -----------------------------------------------------------


@pytest.mark.parametrize("name", SCORES)
def test_counts_of_an_older_version_are_read(name: str) -> None:
    assert Counts.load(COUNTS / f"{name}.npz").score().value.hex() == SCORES[name]


@pytest.mark.parametrize("load", [Counts.load, Bleu.load])
def test_counts_by_averages_of_lengths_say_why_they_are_not_read(load: Any) -> None:
    with pytest.raises(ValueError, match=(
            r"average-length.npz' contains counts with reference_length='average', an option "
            "that was removed in this version: count the text again")):
        load(COUNTS / "average-length.npz")


def test_a_metric_of_an_older_version_is_read() -> None:
    loaded = Bleu.load(COUNTS / "metric.npz")
    assert loaded.unspecified == (
        "version 1.4.9: the rules of 1.5.1 are used", "max_order: 4 is used")
