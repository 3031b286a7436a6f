"""Which code of a chapter is folded, and the words that say what a fold holds."""

import ast
import re

import book

LONG = 25  # Lines; code that is longer is folded, unless it is the lesson
LONGEST = 60  # Lines; the lesson too is folded where it is longer
HEADING = re.compile(r"^#{2,3} +(.+)$", re.MULTILINE)
CHECKS = {"test_eq", "test_close", "test_ne", "expect_fail"}
ANSWERS = "Exercises"  # The section whose code checks the answers
EXPORTED = {"export", "exports", "exporti"}


def is_folded(source: str) -> bool:
    """Whether a code cell, with its directives, shows only a name until a reader opens it."""
    directives = book.directives(source)
    lines = len(book.without_directives(source).splitlines())
    most = LONGEST if "exports" in directives else LONG
    return bool(directives & book.FOLDED) or lines > most


def section_of(markdown: str, before: str) -> str:
    """The heading that the next cell stands under."""
    headings = HEADING.findall(markdown)
    return headings[-1] if headings else before


class Folds:
    """The folds of one page: no two that hold different things are named alike."""

    def __init__(self) -> None:
        self.named: dict[str, str] = {}  # what a fold says -> what it holds

    def name(self, source: str, section: str) -> str:
        """What such a cell holds, in a few words, with its length."""
        code = book.without_directives(source)
        what = holds(code, bool(book.directives(source) & EXPORTED), section)
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


def holds(code: str, exported: bool, section: str) -> str:
    """The imports, the definitions with what they do, or the checks of a section."""
    tree = ast.parse(code)
    length = len(code.strip().splitlines())
    lines = f"({length} line{'s' * (length != 1)})"
    if all(map(only_imports, tree.body)):
        return f"the imports {lines}"
    defined = [each for each in tree.body if isinstance(
        each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))]
    names = [each.name for each in defined]
    assigned = [target.id for each in tree.body
                if isinstance(each, (ast.Assign, ast.AnnAssign))
                for target in (each.targets if isinstance(each, ast.Assign) else [each.target])
                if isinstance(target, ast.Name)]
    if not exported and section == ANSWERS:
        return f"the checks of the answers {lines}"
    if not names and assigned and not exported:
        some = [*dict.fromkeys(assigned)][:3]
        return f"what {listed(some)} {'are' if some[1:] else 'is'} {lines}"
    if not names and not assigned:
        return what_runs(tree) + (f" under “{section}” {lines}" if section else f" {lines}")
    told = f"{listed(names or assigned)} {lines}"
    if len(names) == 1 and (says := ast.get_docstring(defined[0])):
        told += f": {says.splitlines()[0].rstrip('.')}"
    return told


def what_runs(tree: ast.Module) -> str:
    """What code does that defines nothing: it checks, or it shows the value of its last line."""
    last = tree.body[-1]
    if isinstance(last, ast.Expr) and not (
            isinstance(last.value, ast.Call) and getattr(last.value.func, "id", "") in CHECKS):
        return "the code"
    return "the checks"


def only_imports(statement: ast.stmt) -> bool:
    """Whether a statement imports, perhaps under a condition or as far as it can."""
    if isinstance(statement, (ast.If, ast.Try)):
        return all(map(only_imports, statement.body))
    return isinstance(statement, (ast.Import, ast.ImportFrom))


def names_used(code: str) -> list[str]:
    """What a cell imports, or the functions that it calls, in order."""
    found: list[str] = []
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found += [each.name for each in node.names]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found.append(node.func.id)
    return [*dict.fromkeys(found)]


def listed(names: list[str]) -> str:
    """Names of code as a sentence lists them."""
    quoted = [f"`{name}`" for name in names]
    return " and ".join([", ".join(quoted[:-1]), quoted[-1]] if len(quoted) > 1 else quoted)
