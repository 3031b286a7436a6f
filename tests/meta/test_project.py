"""What is generated equals its notebook, and what is written by hand keeps the house rules."""

import ast
import dataclasses
import inspect
import json
import re
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import book
import prepare
import pytest
from fastcore.docments import docments
from fastcore.nbio import nb2str
from fastcore.xtras import working_directory
from nbdev.clean import clean_nb
from nbdev.config import get_config
from nbdev.doclinks import nbdev_export

import bleu_nb
from bleu_nb.dialects.table import Usual

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bleu_nb"
NOTEBOOKS = book.notebooks()
MODULES = book.modules()
BY_HAND = {"__init__.py", "_lazy.py", "adapters/_forwarded.py",
           "adapters/exact_bleu/__init__.py", "adapters/exact_bleu/exact_bleu.py",
           *(path.relative_to(PACKAGE).as_posix()   # Modules with the names of another tool's
             for tool in ("nltk", "sacrebleu")
             for path in (PACKAGE / "adapters" / tool).rglob("*.py")
             if path.name not in ("bleu_score.py", "drop_in.py"))}
CODE_COLUMNS = 79


def named(path: Path) -> str:
    """A notebook's name, for test ids."""
    return path.stem


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh export of all notebooks, in a folder of its own."""
    copy = tmp_path_factory.mktemp("export")
    shutil.copytree(ROOT / "nbs", copy / "nbs")
    (copy / "bleu_nb").mkdir()
    for name in ("pyproject.toml", "bleu_nb/__init__.py"):
        shutil.copy(ROOT / name, copy / name)
    with working_directory(copy):
        nbdev_export.__wrapped__(path="nbs")
    return copy / "bleu_nb"


def test_the_modules_are_what_the_notebooks_export(exported: Path) -> None:
    here, fresh = ({path.relative_to(package).as_posix(): path.read_text(encoding="utf-8")
                    for path in package.rglob("*.py") if path.name != "__init__.py"}
                   for package in (PACKAGE, exported))
    assert not [name for name in (here | fresh).keys() - BY_HAND
                if here.get(name) != fresh.get(name)], "stale: run python tools/prepare.py"


def test_each_folder_says_what_its_modules_export() -> None:
    folders = prepare.render_folders()
    assert {path.parent.name for path in folders} == {
        name.partition(".")[0] for name in MODULES if "." in name}
    assert {path: path.read_text(encoding="utf-8") for path in folders} == folders


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_notebook_is_clean_and_folds_what_is_not_the_lesson(path: Path) -> None:
    text, allowed = path.read_text(encoding="utf-8"), "allowed_cell_metadata_keys"
    notebook = json.loads(text)
    clean_nb(notebook, **{allowed: get_config(path=path)[allowed]})
    assert text == nb2str(notebook) == prepare.folded(text)
    # JupyterLab shows the first line of a folded cell; an export's directive has to be the first
    assert not book.on_path(path) or not [
        cell["id"] for cell in json.loads(text)["cells"]
        if "".join(cell["source"]).startswith("#| code-fold")]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_notebook_stores_no_errors_or_warnings_and_pictures_as_images(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    assert not [each for each in outputs
                if each["output_type"] == "error" or each.get("name") == "stderr"]
    found = [each.get("data", {}) for each in outputs]
    assert {kind for each in found for kind in each} <= {"text/plain", "text/html"}
    html = "".join(line for each in found for line in each.get("text/html", ""))
    assert "<svg" not in html and len(book.pictures(html)) == html.count("<img ")


def code(path: Path) -> str:
    """All code of a notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_notebook_code_is_plain_python_that_fits_the_page(path: Path) -> None:
    assert not [line for line in code(path).splitlines() if len(line) > CODE_COLUMNS]
    assert not re.search(r"^#\| *eval: *false", code(path), re.MULTILINE)
    assert book.module_of(path) or not re.search(r"^#\| *export", code(path), re.MULTILINE)


def test_readme_equals_its_notebook() -> None:
    text, figures = prepare.render_readme()
    assert prepare.README.read_text(encoding="utf-8") == text
    assert {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
            for path in prepare.NOTEBOOKS.glob(prepare.FIGURES)} == figures


def test_ruff_is_content() -> None:
    done = subprocess.run([sys.executable, "-m", "ruff", "check", "."], cwd=ROOT,
                          capture_output=True, text=True)
    assert not done.returncode, done.stdout


@pytest.mark.parametrize("name", MODULES)
def test_no_public_name_is_that_of_a_module(name: str) -> None:
    folder, _, own = name.rpartition(".")
    beside = {each.rpartition(".")[2] for each in MODULES if each.rpartition(".")[0] == folder}
    folders = {each.partition(".")[0] for each in MODULES}
    module = import_module(f"bleu_nb.{name}")
    assert not set(module.__all__) & (beside | folders)
    assert not set(bleu_nb.__all__) & (folders | {own})


def used(source: str) -> set[str]:
    """The names that a source mentions beside those that it defines."""
    nodes = [*ast.walk(ast.parse(source))]
    return {getattr(node, "id", getattr(node, "attr", "")) for node in nodes
            if isinstance(getattr(node, "ctx", None), ast.Load)} | {
        alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_what_a_user_may_call_is_used_by_somebody() -> None:
    mentioned = set().union(*(used(code(path)) for path in NOTEBOOKS))
    for module in MODULES:
        unused = {*import_module(f"bleu_nb.{module}").__all__} - mentioned
        assert not unused, f"these of {module} are used nowhere: let them be `exporti`"


ROW = re.compile(r"^\| \[[^\]]+\]\((\S+)\) \|.*\|(?: `bleu_nb\.([\w.]+)`| )? ?\|$", re.MULTILINE)


def test_readme_fits_two_screens_and_leads_to_the_path_and_every_folder() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    abouts = [path for path in NOTEBOOKS if "_about_" in path.stem][1:]
    assert text.count("\n") <= 150 and len(text.encode()) <= 9000
    pages = [path.relative_to(ROOT).as_posix()
             for path in (*filter(book.on_path, NOTEBOOKS), *abouts)]
    absent = [page for page in pages if f"]({page})" not in text]
    assert not absent, ("add a link to the section Tutorial of nbs/index.ipynb, then run python "
                        f"tools/prepare.py index: {absent}")


@pytest.mark.parametrize(
    "about", [path for path in NOTEBOOKS if "_about_" in path.stem], ids=named)
def test_a_folder_begins_with_a_page_that_names_its_chapters_and_modules(about: Path) -> None:
    first, *chapters = sorted(about.parent.glob("*.ipynb"))
    assert about == first
    rows = ROW.findall("\n".join(book.sources(about)))
    wanted = [(path.name, book.module_of(path)) for path in chapters]
    assert rows == wanted, (f"edit the table of chapters in {about.relative_to(ROOT).as_posix()}: "
                            f"lacks {[row for row in wanted if row not in rows]}, "
                            f"has too many {[row for row in rows if row not in wanted]}")


STARRED = re.compile(r"^\*(\w+) : .+\n +(.+)", re.MULTILINE)    # Which docments does not read


def comments_of(thing: Any) -> dict[str, str]:
    """What describes each parameter of a function or of a dataclass: a comment or its docstring."""
    comments = {}
    for each in reversed(getattr(thing, "__mro__", (thing, object))[:-1]):  # Fields of bases, too
        comments |= {name: said for name, said in docments(each, returns=False).items() if said}
    return comments | dict(STARRED.findall(inspect.getdoc(thing) or ""))


def parameters_of(thing: Any) -> list[str]:
    """The parameters that have a name of their own, without the options of a dialect."""
    return [name for name, each in inspect.signature(thing).parameters.items()
            if each.kind is not each.VAR_KEYWORD and not isinstance(each.default, Usual)]


@pytest.mark.parametrize("name", MODULES)
def test_each_parameter_is_described(name: str) -> None:
    """ruff asks for a docstring of each name, tests/docs for more of the public API."""
    module = import_module(f"bleu_nb.{name}")
    for thing in map(vars(module).get, module.__all__):
        if getattr(thing, "__module__", "") == module.__name__ and (
                inspect.isfunction(thing) or dataclasses.is_dataclass(thing)):
            said = comments_of(thing)
            assert not [each for each in parameters_of(thing) if not said.get(each)]
