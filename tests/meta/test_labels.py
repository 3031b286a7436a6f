"""References to chapters lead to the chapter that they name, and names in prose exist."""

import ast
import builtins
import inspect
import json
import keyword
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import book
import extras
import pytest

import bleu_nb
from bleu_nb import derivation

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = {book.number_of(path): path for path in book.notebooks() if book.number_of(path)}
LINK = re.compile(r"\[(?:chapters? )?(\d{1,2}\.\d{1,2})(?:[ ,][^\]]*)?\]\(([^)#\s]+?)(?:#[^)]*)?\)",
                  re.IGNORECASE)
NUMBER = r"(\d{1,2}\.\d{1,2})"
# "chapter 1.4", "chapters 3.1 to 3.3", "(2.9)", "(1.3, 1.4)"
IN_WORDS = re.compile(rf"\bchapters? {NUMBER}(?:(?:,| to| and|, and) {NUMBER})*", re.IGNORECASE)
IN_BRACKETS = re.compile(rf"\((?:see )?{NUMBER}(?:(?:,| to| and) {NUMBER})*\)")
LIKE_A_CHAPTER = re.compile(r"([1-9]|1[01])\.([1-9]|1\d)$")


def comments(code: str) -> str:
    """The comments and docstrings of some code."""
    told = re.findall(r"#(?!\|).*$|^ *\"{1,3}.*$", code, re.MULTILINE)
    return "\n".join(told)


def texts() -> Iterator[tuple[str, str]]:
    """Where a person may read of a chapter: a name of the place, and its text."""
    for path in book.notebooks():
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            source = "".join(cell["source"])
            prose = cell["cell_type"] == "markdown"
            yield f"{path.stem} {cell['id']}", source if prose else comments(source)
    files = [*ROOT.glob("docs/*.md"), *ROOT.glob("docs/*.py"), *ROOT.glob("tools/*.py"),
             *ROOT.glob("tests/*/*.py"), *ROOT.glob("benchmarks/*.py"),
             *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "settings.ini",
                                        "tests/README.md", "tools/README.md"))]
    for path in files:
        text = path.read_text("utf-8")
        yield path.relative_to(ROOT).as_posix(), text if path.suffix != ".py" else comments(text)


def numbers_in(text: str) -> Iterator[str]:
    """Each chapter that a text mentions by its number."""
    for found in IN_WORDS.finditer(text):
        yield from re.findall(NUMBER, found[0])
    for found in IN_BRACKETS.finditer(text):
        yield from (each for each in re.findall(NUMBER, found[0]) if LIKE_A_CHAPTER.match(each))


def test_a_mentioned_chapter_exists() -> None:
    wrong = [f"{place}: chapter {number}" for place, text in texts()
             for number in numbers_in(text)
             if number not in NUMBERS]
    assert not wrong, "\n".join(["these chapters do not exist:", *wrong])


def test_a_link_leads_to_the_chapter_of_its_label() -> None:
    wrong = [f"{place}: [{label}]({target})" for place, text in texts()
             for label, target in LINK.findall(text)
             if target.endswith(".ipynb") and (
                 label not in NUMBERS or NUMBERS[label].name != Path(target).name)]
    assert not wrong, "\n".join(["these labels and targets differ:", *wrong])


def test_the_tutorial_is_numbered_without_gaps_in_reading_order() -> None:
    pages = [path.stem for path in book.notebooks() if book.on_path(path)]
    assert [int(page[:2]) for page in pages] == [*range(len(pages))]
    shown = (ROOT / "docs" / "index.md").read_text("utf-8")
    listed = re.findall(r"^(\d\d_\w+)$", shown, re.MULTILINE)
    assert listed == pages, "edit the contents *Learn* in docs/index.md"
    for path in book.notebooks():
        if path == book.about(path):
            rows = re.findall(r"^\| \[\d+\.(\d+) ", "\n".join(markdown(path)), re.MULTILINE)
            assert rows == [str(n) for n in range(1, len(rows) + 1)], f"edit {path.name}"


# -- Names in prose -------------------------------------------------------------------------------

FILE = re.compile(r"\.(md|txt|gz|py|pyi|ipynb|ini|toml|json|html|css|js|npz|perl|pl|cff)$")
NAME = re.compile(r"(?<!`)`([A-Za-z_]\w*(?:\.\w+)*)(?:\([^`]*\))?`(?!`)")
LIBRARIES = ("nltk.translate.bleu_score", "nltk.util", "sacrebleu", "sacrebleu.metrics",
             "sacrebleu.metrics.bleu", "sacrebleu.significance", "torchtext.data.metrics",
             "numpy", "math", "collections", "functools", "operator", "fastcore.test",
             "unicodedata", "fractions", "decimal", "struct", "statistics", "random", "itertools")
PACKAGES = {path.parent.name for path in (ROOT / "bleu_nb").glob("*/__init__.py")}
EXTERNAL = {    # Name -> the tool, or the text, that it belongs to
    "nice": "a command of Unix",
    "LATIN1": "an encoding of iconv",
    "all_reduce": "torch.distributed",
    "COCOEvalCap": "pycocoevalcap",
    "n2": "a name to avoid, in the house style",
}


def markdown(path: Path) -> list[str]:
    """The prose of a notebook."""
    return ["".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"]
            if cell["cell_type"] == "markdown"]


def words_of(code: str) -> set[str]:
    """Each name, attribute and parameter of some code, and the names in strings without spaces."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(book.without_directives(code))):
        for field in ("id", "attr", "arg", "name", "asname", "module"):
            found |= {*re.findall(r"\w+", str(getattr(node, field, "")))}
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and (
                not re.search(r"\s", node.value)):
            found |= {*re.findall(r"[A-Za-z_]\w*", node.value)}
    return found


@cache
def known() -> frozenset[str]:
    """The names that a page may use without saying where they come from."""
    found = {*dir(builtins), *keyword.kwlist, *sys.stdlib_module_names}
    found |= {*extras.settings().sections()}
    for path in (ROOT / "bleu_nb").rglob("*.py"):
        found |= words_of(path.read_text("utf-8")) | {path.stem}
    for path in (*ROOT.glob("tools/*.py"), *ROOT.glob("tests/*/*.py")):
        found |= words_of(path.read_text("utf-8")) | {path.stem}
    for name in ("settings.ini", "pyproject.toml", "Makefile"):
        found |= {*re.findall(r"\w+", (ROOT / name).read_text("utf-8"))}
    for name in LIBRARIES:
        try:
            library = import_module(name)
        except (ImportError, OSError):
            continue
        found |= {*dir(library), *name.split(".")}
        for each in vars(library).values():
            found |= {*dir(each)} if isinstance(each, type) else set()
    return frozenset(found)


@cache
def is_missing(name: str) -> bool:
    """Whether a dotted name begins with something of ours or of Python that has no such part."""
    first, *rest = name.split(".")
    found: Any
    if first in PACKAGES:
        found = import_module(f"bleu_nb.{first}")
    elif first == "bleu_nb" or first in sys.stdlib_module_names:
        found = import_module(first)
    else:
        found = getattr(bleu_nb, first, getattr(derivation, first, getattr(builtins, first, None)))
    if not (inspect.ismodule(found) or inspect.isclass(found)):
        return False    # A variable of the page, or something of another tool
    for part in rest:
        if not hasattr(found, part) and inspect.ismodule(found):
            with suppress(ImportError):
                import_module(f"{found.__name__}.{part}")
        if not hasattr(found, part) and part not in getattr(found, "__annotations__", ()):
            return True
        found = getattr(found, part, None)
    return False


def unknown(text: str, code: str) -> set[str]:
    """The names in backticks of which some part is neither known nor in the code of the page."""
    here = {*re.findall(r"\w+", code)}
    variables = {*re.findall(r"\b(\w+) = ", code)}
    found = set()
    for name in NAME.findall(text):
        if FILE.search(name):
            continue
        parts = name.split(".")
        exists = {*parts} <= known() | here | {*EXTERNAL}
        if not exists or (parts[0] not in variables and is_missing(name)):
            found.add(name)
    return found


@pytest.mark.parametrize("name", ["derivation.bleu.combine", "Bleu.from_text", "math.exq"])
def test_a_part_that_is_missing_is_noticed(name: str) -> None:
    assert is_missing(name)


PAGES = [*book.notebooks(), *ROOT.glob("docs/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("path", PAGES, ids=[path.stem for path in PAGES])
def test_a_name_in_prose_exists(path: Path) -> None:
    if path.suffix == ".ipynb":
        prose, code = "\n".join(markdown(path)), "\n".join(book.sources(path))
    else:
        blocks = re.split(r"^ *```.*$", path.read_text("utf-8"), flags=re.MULTILINE)
        prose, code = "\n".join(blocks[::2]), "\n".join(blocks[1::2])
    wrong = unknown(prose, code)
    assert not wrong, (f"{path.name} mentions {', '.join(sorted(wrong))}: correct the name, or add "
                       "it to EXTERNAL if it belongs to another tool")
