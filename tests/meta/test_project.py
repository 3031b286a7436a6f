"""What is generated equals its notebook, and what is written by hand keeps the house rules."""

import ast
import dataclasses
import inspect
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import get_origin

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
from bleu_nb.dialects.table import CHOICES, Usual

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "bleu_nb"
NOTEBOOKS = book.notebooks()
MODULES = book.modules()
BY_HAND = {"__init__.py", "_docstrings.py", "_lazy.py", "_no_quarto.py",
           "adapters/exact_bleu/__init__.py", "adapters/exact_bleu/exact_bleu.py"}

CODE_COLUMNS = 79


def source_of(module: str) -> Path:
    """The file of a module, named from the package on."""
    return (PACKAGE / module.replace(".", "/")).with_suffix(".py")


def files_in(package: Path) -> set[str]:
    """What is generated in a package, without what a folder's `__init__` says."""
    return {path.relative_to(package).as_posix() for path in package.rglob("*.py")
            if path.name != "__init__.py"} - BY_HAND


def code_cells(path: Path) -> Iterator[tuple[str, str]]:
    """Id and source of each code cell."""
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            yield cell["id"], "".join(cell["source"])


def named(path: Path) -> str:
    """A notebook's name, for test ids."""
    return path.stem


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh export of all notebooks, in a folder of its own."""
    copy = tmp_path_factory.mktemp("export")
    for name in ("nbs", "pyproject.toml"):
        (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, copy / name)
    (copy / "bleu_nb").mkdir()
    shutil.copy(PACKAGE / "__init__.py", copy / "bleu_nb")
    with working_directory(copy):
        nbdev_export.__wrapped__(path="nbs")
    return copy / "bleu_nb"


def test_no_module_is_missing_or_left_over(exported: Path) -> None:
    assert files_in(PACKAGE) == files_in(exported)


@pytest.mark.parametrize("name", ["_modidx", *MODULES])
def test_module_equals_its_export(exported: Path, name: str) -> None:
    path = source_of(name)
    fresh = (exported / path.relative_to(PACKAGE)).read_text(encoding="utf-8")
    assert path.read_text(encoding="utf-8") == fresh


def test_each_folder_says_what_its_modules_export() -> None:
    folders = prepare.render_folders()
    assert {path.parent.name for path in folders} == {
        name.partition(".")[0] for name in MODULES if "." in name}
    for path, text in folders.items():
        assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_notebook_is_clean_and_folds_what_is_not_the_lesson(path: Path) -> None:
    text, allowed = path.read_text(encoding="utf-8"), "allowed_cell_metadata_keys"
    notebook = json.loads(text)
    clean_nb(notebook, **{allowed: get_config(path=path)[allowed]})
    assert text == nb2str(notebook)
    assert text == prepare.folded(text)


@pytest.mark.parametrize("path", [*filter(book.on_path, NOTEBOOKS)], ids=named)
def test_the_first_line_of_a_fold_says_what_is_in_it(path: Path) -> None:
    """JupyterLab shows that line of a folded cell; an export's directive has to be the first."""
    assert not [name for name, source in code_cells(path) if source.startswith("#| code-fold")]


@pytest.mark.parametrize(("source", "is_plumbing"), [
    ("#| default_exp bleu", True), ("#| hide\nx = 1", True), ("#| export\nimport re", True),
    ("#|code-fold: true\nassert x", True), ("import re\nfrom math import log", True),
    ("#| exports\nimport re", True), ("#| exports\ndef f(): pass", False), ("", False),
    ("import re\nre.escape('.')", False), ("x = 'import re'", False), ("# import re", False),
])
def test_imports_and_hidden_cells_are_plumbing(source: str, is_plumbing: bool) -> None:
    assert book.is_plumbing(source) == is_plumbing


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


@pytest.mark.parametrize("path", NOTEBOOKS, ids=named)
def test_notebook_code_is_plain_python_that_fits_the_page(path: Path) -> None:
    cells = dict(code_cells(path))
    assert not [(cell_id, line) for cell_id, source in cells.items()
                for line in source.splitlines() if len(line) > CODE_COLUMNS]
    assert not [cell_id for cell_id, source in cells.items()
                if re.search(r"^#\| *eval: *false", source, re.MULTILINE)]
    code = [node for source in cells.values() for node in ast.walk(ast.parse(source))]
    assert not [node.module for node in code
                if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
    assert not [ast.unparse(node) for node in code
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "print"]
    told = set().union(*map(book.directives, cells.values()))
    assert book.module_of(path) or not told & {"export", "exports", "exporti"}


def test_readme_equals_its_notebook() -> None:
    text, figures = prepare.render_readme()
    assert prepare.README.read_text(encoding="utf-8") == text
    stored = {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in prepare.NOTEBOOKS.glob(prepare.FIGURES)
    }
    assert stored == figures


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


def test_what_a_user_may_call_is_used_by_somebody() -> None:
    lessons = {
        each.id if isinstance(each, ast.Name) else each.attr
        for path in NOTEBOOKS for _, source in code_cells(path)
        if not book.directives(source) & {"export", "exports", "exporti", "default_exp"}
        for each in ast.walk(ast.parse(source)) if isinstance(each, (ast.Name, ast.Attribute))
    }  # fmt: skip
    imported = {
        alias.name
        for module in MODULES
        for each in ast.walk(ast.parse(source_of(module).read_text(encoding="utf-8")))
        if isinstance(each, ast.ImportFrom) for alias in each.names
    }  # fmt: skip
    for module in MODULES:
        public = import_module(f"bleu_nb.{module}").__all__
        tree = ast.parse(source_of(module).read_text(encoding="utf-8"))
        unused = {*public} - lessons - imported - mentioned(tree, {*public})
        assert not unused, f"these of {module} are used nowhere: let them be `exporti`"


def mentioned(tree: ast.Module, public: set[str]) -> set[str]:
    """The names that the definitions of other public names mention."""
    found: set[str] = set()
    for node in tree.body:
        target = getattr(node, "target", None) or getattr(node, "targets", [None])[0]
        own = getattr(node, "name", None) or getattr(target, "id", None)
        if own in public:
            found |= {
                each.id if isinstance(each, ast.Name) else str(each.value).strip("'")
                for each in ast.walk(node)
                if (isinstance(each, ast.Name) and each.id != own)
                or (isinstance(each, ast.Constant) and isinstance(each.value, str))
            }
    return found


TO_RUN = re.compile(r"To run the path,.*?```sh\n(.*?)\n```\n", re.DOTALL)


def test_one_way_to_run_the_path_is_told_and_led_to() -> None:
    [told] = TO_RUN.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    *_, start = told.split(" && ")
    assert start == ".venv/bin/jupyter lab nbs/01_derivation/00_by_hand.ipynb"
    assert "](../../README.md#to-learn)" in "\n".join(book.sources(book.notebook("00_by_hand")))
    site = (ROOT / "tools" / "build_site.py").read_text(encoding="utf-8")
    assert f"<code>{start.removesuffix('01_derivation/00_by_hand.ipynb')}{{name}}</code>" in site
    pages = [*(ROOT / "docs").glob("*.md"), *NOTEBOOKS]
    assert {path.name for path in pages if "jupyter lab" in path.read_text("utf-8")} == {
        "install.md", "index.ipynb"}, "there are only these"


ROW = re.compile(r"^\| \[[^\]]+\]\((\S+)\) \|.*\|(?: `bleu_nb\.([\w.]+)`| )? ?\|$", re.MULTILINE)


def test_readme_fits_two_screens_and_leads_to_the_path_and_every_folder() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.count("\n") <= 150 and len(text.encode()) <= 9000
    learnt = [*filter(book.on_path, book.notebooks())]
    abouts = [path for path in book.notebooks() if "_about_" in path.stem][1:]
    for path in (*learnt, *abouts):
        assert f"]({path.relative_to(ROOT).as_posix()})" in text, path


@pytest.mark.parametrize(
    "about", [path for path in NOTEBOOKS if "_about_" in path.stem], ids=named)
def test_a_folder_begins_with_a_page_that_names_its_chapters_and_modules(about: Path) -> None:
    assert about == sorted(about.parent.glob("*.ipynb"))[0]
    text = "\n".join(book.sources(about))
    chapters = [path for path in sorted(about.parent.glob("*.ipynb")) if path != about]
    assert ROW.findall(text) == [(path.name, book.module_of(path)) for path in chapters]


def undocumented(thing: object) -> Iterator[str]:
    """What of a function or a class says nothing: itself, or parameters of it."""
    name, said = getattr(thing, "__name__", ""), (thing.__doc__ or "").strip()
    if not said or said.startswith(f"{name}("):
        yield name
    if inspect.isfunction(thing) or dataclasses.is_dataclass(thing):
        comments = {}
        for each in reversed(getattr(thing, "__mro__", [thing])):  # Fields may be inherited
            own = docments(each, returns=False) if each is not object else {}
            comments.update({name: said for name, said in own.items() if said})
        if thing is bleu_nb.Dialect:  # A column says what it is in its own metadata
            comments.update({name: choice.says for name, choice in CHOICES.items()})
        parameters = inspect.signature(thing).parameters.values()
        comments.update({each.name: each.default.says for each in parameters
                         if isinstance(each.default, Usual)})
        yield from (f"{name}: {each.name}" for each in parameters
                    if each.kind is not each.VAR_KEYWORD and not comments.get(each.name))


@pytest.mark.parametrize("name", MODULES)
def test_names_are_documented(name: str) -> None:
    """All parameters of what a user may call; elsewhere a name may say it alone."""
    module = import_module(f"bleu_nb.{name}")
    own = [thing for public, thing in vars(module).items() if not public.startswith("_")
           and (inspect.isfunction(thing) or inspect.isclass(thing)) and not get_origin(thing)
           and thing.__module__ == module.__name__]
    assert [each for thing in own for each in undocumented(thing)
            if thing.__name__ in module.__all__ or each == thing.__name__] == []


@pytest.mark.parametrize("name", MODULES)
def test_help_says_what_stands_beside_a_parameter(name: str) -> None:
    module = import_module(f"bleu_nb.{name}")
    for public in module.__all__:
        thing = getattr(module, public)
        if inspect.isfunction(thing) and thing.__module__ == module.__name__:
            shown = " ".join((inspect.getdoc(thing) or "").split())
            for parameter, said in docments(thing, args_kwargs=True).items():
                label = "Returns" if parameter == "return" else parameter
                assert not said or f"{label}: {said}" in shown, (public, parameter)
