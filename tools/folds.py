"""Which code of a chapter steps back, and the words that say what a fold holds.

Code that draws a picture or a table stands folded below it, and what only checks is quiet.
"""

import ast
import builtins
import json
import re
import symtable
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any

import book

from bleu_nb import display

LONG = 25  # Lines; code that is longer is folded, unless it is the lesson
LONGEST = 60  # Lines; the lesson too is folded where it is longer
MOST = {"drawing": 3, "check": 4, "imports": 0}  # Lines; such code is folded where it is longer
HEADING = re.compile(r"^#{2,3} +(.+)$", re.MULTILINE)
SECTION = re.compile(r"^## ", re.MULTILINE)
TITLE = re.compile(r"<(caption|title)\b[^>]*>(.*?)</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
CHECKS = {"test_eq", "test_close", "test_ne", "expect_fail"}
ANSWERS = "Exercises"  # The section whose code checks the answers
BESIDE = ("bleu_nb.display", "fastcore.test")  # Modules that draw or check
TEACHES_DRAWING = "08_display"  # The folder whose lesson is the code that draws


def is_folded(source: str, role: str = "") -> bool:
    """Whether a code cell, with its directives, shows only a name until a reader opens it."""
    directives, code = book.directives(source), book.without_directives(source)
    most = MOST.get(role, LONGEST if "exports" in directives else LONG)
    return (bool(directives & book.FOLDED) or lines_without_docstrings(code) > most
            or imports_beside(code))


def lines_without_docstrings(code: str) -> int:
    """The number of lines of code, without docstrings of several lines."""
    documented = (ast.FunctionDef, ast.ClassDef)
    return len(code.splitlines()) - sum(
        (each.body[0].end_lineno or 0) - each.body[0].lineno for each in ast.walk(ast.parse(code))
        if isinstance(each, documented) and ast.get_docstring(each))


def imports_beside(code: str) -> bool:
    """Whether code only imports, and something that draws or checks."""
    body = ast.parse(code).body
    return bool(body) and all(map(book.imports_only, body)) and any(
        str(getattr(each, "module", "")).startswith(BESIDE) for each in body)


def role_of(source: str, html: str, later: set[str], teaches_drawing: bool = False) -> str:
    """What a code cell is beside the lesson: "imports", a "drawing", a "check", or nothing.

    It is given the HTML that the cell shows, and the names that later cells use.
    """
    code = book.without_directives(source)
    body = ast.parse(code).body
    if book.is_imports(source):
        return "imports"
    if book.directives(source) & book.EXPORTED or not body:
        return ""
    defines = any(isinstance(each, (ast.FunctionDef, ast.ClassDef)) for each in body)
    if html:
        draws = called(body[-1]) in display.__all__ and not (defines or teaches_drawing)
        return "drawing" if is_folded(source, "drawing" * draws) else ""
    checks = not defines and is_check(body[-1]) and not assigned(code) & later
    return "check" if checks else ""


def roles_of(cells: Sequence[Mapping[str, Any]], path: Path) -> Iterator[str]:
    """What each cell of a notebook is beside the lesson.

    Where drawing is the lesson, no code is set below what it draws. On the front page the imports
    are part of the example.
    """
    sources = ["".join(each["source"]) if each["cell_type"] == "code" else "" for each in cells]
    later = used_below([book.without_directives(each) for each in sources])
    for cell, source, used in zip(cells, sources, later, strict=True):
        role = role_of(source, html_of(cell), used, path.parent.name == TEACHES_DRAWING)
        yield "" if role == "imports" and path.stem == "index" else role


def html_of(cell: Mapping[str, Any]) -> str:
    """The HTML that a cell shows."""
    return "".join("".join(each.get("data", {}).get("text/html", ""))
                   for each in cell.get("outputs", ()))


def lines_before_section(path: Path) -> int:
    """The lines of code that the page of a notebook shows before its first section."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    lines = 0
    for cell, role in zip(cells, roles_of(cells, path), strict=True):
        source = "".join(cell["source"])
        if cell["cell_type"] == "code":
            if not (book.directives(source) & book.HIDDEN or is_folded(source, role)):
                lines += len(book.without_directives(source).strip().splitlines())
        elif SECTION.search(source):
            break
    return lines


def called(node: ast.AST) -> str:
    """The name of the function that a statement or an expression calls, if it does."""
    call = node.value if isinstance(node, ast.Expr) else node
    name = call.func if isinstance(call, ast.Call) else call
    return str(getattr(name, "attr", getattr(name, "id", ""))) if name is not call else ""


def is_check(statement: ast.stmt) -> bool:
    """Whether a statement asserts, or is a loop or another block that ends so."""
    if isinstance(statement, ast.With) and any(
            called(each.context_expr) in CHECKS for each in statement.items):
        return True
    if isinstance(statement, (ast.For, ast.With, ast.If, ast.Try)):
        return is_check(statement.body[-1])
    return isinstance(statement, ast.Assert) or called(statement) in CHECKS


def assigned(code: str) -> set[str]:
    """The names that code binds for the cells below it."""
    table = symtable.symtable(code, "cell", "exec")
    return {each.get_name() for each in table.get_symbols()
            if each.is_assigned() or each.is_imported()} - bound_inside(code)


def bound_inside(code: str) -> set[str]:
    """The names that only comprehensions bind: from Python 3.12 on tables have these, too."""
    tree = ast.parse(code)
    inside = [name for each in ast.walk(tree) if isinstance(each, ast.comprehension)
              for name in ast.walk(each.target)]
    names = [each for each in ast.walk(tree)
             if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    return {each.id for each in names} - {each.id for each in names if each not in inside}


def used(code: str) -> set[str]:
    """The names that code takes from the cells above it."""
    tables = [symtable.symtable(code, "cell", "exec")]
    for table in tables:
        tables += table.get_children()
    return {each.get_name() for table in tables for each in table.get_symbols()
            if each.is_referenced() and each.is_global()} - assigned(code) - bound_inside(code)


def used_below(sources: list[str]) -> list[set[str]]:
    """For each cell's code, what it binds that a cell below it uses before it is bound anew."""
    wanted: set[str] = set()
    found = []
    for code in reversed(sources):
        found.append(wanted)
        wanted = (wanted - assigned(code)) | used(code)
    return found[::-1]


def title_of(html: str) -> str:
    """What a picture or a table is called."""
    title = TITLE.search(html)
    return " ".join(unescape(TAG.sub("", title[2])).split()) if title else ""


def section_of(markdown: str, before: str) -> str:
    """The heading that the next cell stands under."""
    headings = HEADING.findall(markdown)
    return headings[-1] if headings else before


class Folds:
    """The folds of one page: no two that hold different things are named alike."""

    def __init__(self) -> None:
        self.named: dict[str, str] = {}  # what a fold says -> what it holds

    def name(self, source: str, section: str, role: str = "", title: str = "") -> str:
        """What such a cell holds, in a few words, with its length; drawings have a title."""
        code = book.without_directives(source)
        what = holds(code, bool(book.directives(source) & book.EXPORTED), section, role)
        if self.named.setdefault(what, code) != code and title:
            what = what.replace("this", f"“{title}”")
        if self.named.setdefault(what, code) != code:
            what = self.apart(what, code)
            self.named[what] = code
        return what

    def apart(self, what: str, code: str) -> str:
        """A name that is taken, with what tells this cell from the other."""
        told = f"{what}, with {listed(names_used(code)[:3])}"
        number = 2
        while self.named.get(told, code) != code:
            told, number = f"{what}, part {number}", number + 1
        return told


def holds(code: str, exported: bool, section: str, role: str = "") -> str:
    """The imports, the definitions with what they do, what draws, or what is checked."""
    tree = ast.parse(code)
    length = len(code.strip().splitlines())
    lines = f"({length} line{'s' * (length != 1)})"
    if role == "drawing":
        return f"the code that draws this {lines}"
    if role == "check":
        return f"{what_is_checked(code, section)} {lines}"
    defined = [each for each in tree.body if isinstance(
        each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    names = [each.name for each in defined]
    assigned = [target.id for each in tree.body
                if isinstance(each, (ast.Assign, ast.AnnAssign))
                for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
                if isinstance(target, ast.Name)]
    if role == "imports" or all(map(book.imports_only, tree.body)):
        also = [f"`{each}`" for each in assigned] or ["a filter of warnings"] * any(
            map(book.filters_warnings, tree.body))
        return f"{joined(['the imports', *also])} {lines}"
    if not exported and section == ANSWERS:
        return f"the checks of the answers {lines}"
    if not names and assigned and not exported:
        some = [*dict.fromkeys(assigned)][:3]
        return f"what {listed(some)} {'are' if some[1:] else 'is'} {lines}"
    if not names and not assigned:
        return f"the code under “{section}” {lines}" if section else f"the code {lines}"
    told = f"{listed(names or assigned)} {lines}"
    if len(names) == 1 and (says := ast.get_docstring(defined[0])):
        told += f": {says.splitlines()[0].rstrip('.')}"
    return told


def what_is_checked(code: str, section: str) -> str:
    """The functions that a check calls, or else the heading that it stands under."""
    if section == ANSWERS:
        return "the answers"
    plain = CHECKS | assigned(code) | {*dir(builtins)}
    names = [name for name in names_used(code) if name not in plain]
    return listed(names[:3]) if names else f"“{section}”" if section else "what stands above"


def names_used(code: str) -> list[str]:
    """What a cell imports, or the functions that it calls, in order."""
    found: list[str] = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found += [each.asname or each.name for each in node.names]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.append(node.func.id)
    return [*dict.fromkeys(found)]


def listed(names: list[str]) -> str:
    """Names of code as a sentence lists them."""
    return joined([f"`{name}`" for name in names])


def joined(words: list[str]) -> str:
    """Words with commas, and an "and" before the last."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
