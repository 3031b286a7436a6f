"""What the tools share about a notebook: its directives, its plumbing, and its pictures."""

import ast
import json
import re
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from urllib.parse import unquote

NOTEBOOKS = Path(__file__).resolve().parent.parent / "nbs"
MODULE = re.compile(r"^#\| *(?:default_exp|export[si]?) +([\w.]+)", re.MULTILINE)
RULE = re.compile(r"^> (.+)$", re.MULTILINE)
DIRECTIVE = re.compile(r"^#\| *([\w-]+).*\n?", re.MULTILINE)
HIDDEN = {"hide", "default_exp"}  # Nothing of such a cell is for readers
FOLDED = {"export", "code-fold"}  # Readers may open such a cell
EXPORTED = {"export", "exports", "exporti"}
IMAGE = re.compile(
    r"<img [^>]*?src='data:image/svg\+xml,([^']*)'(?: data-narrow='([^']*)')?[^>]*>")


def notebooks() -> list[Path]:
    """Every notebook, in the order of the book; the front page is the last."""
    found = NOTEBOOKS.rglob("[!.]*.ipynb")
    return sorted((path for path in found if path.parent.name != ".ipynb_checkpoints"),
                  key=lambda path: (path.parent == NOTEBOOKS, path.as_posix()))


def notebook(stem: str) -> Path:
    """The notebook of that name, in whatever folder it is."""
    [found] = [path for path in notebooks() if path.stem == stem]
    return found


def number_of(path: Path) -> str:
    """A chapter's number, `4.2` for the second page of folder 04; empty for pages without."""
    page = path.stem.partition("_")[0]
    if path.parent == NOTEBOOKS or page == "00":
        return ""
    return f"{int(path.parent.name.partition('_')[0])}.{int(page)}"


def on_path(path: Path) -> bool:
    """Whether a notebook is one of the pages that a reader walks from the first to the last.

    Of their folder, 1.13 to 1.15 are for whoever builds on its functions.
    """
    return (path.parent.name == "01_derivation" and path.stem != about(path).stem
            and path.stem[:2] not in ("13", "14", "15"))


def about(path: Path) -> Path:
    """The page on what is in a notebook's folder."""
    return path.parent / f"00_about_{path.parent.name.partition('_')[2]}.ipynb"


def beside(path: Path) -> list[Path]:
    """The chapters of a notebook's folder that are not on the path."""
    return [each for each in notebooks() if each.parent == path.parent
            and each.stem != about(path).stem and not on_path(each)]


def module_of(path: Path) -> str:
    """The module that a notebook exports to, from the package on; empty if it exports nothing."""
    found = MODULE.search("\n".join(sources(path)))
    return found[1] if found else ""


def modules() -> list[str]:
    """Every module that is made of notebooks: of one, or of several in their order."""
    return sorted({*map(module_of, notebooks())} - {""})


def defined_in(path: Path) -> Iterator[str]:
    """The names that a notebook defines in its module."""
    for source in sources(path):
        yield from defined_by(source)


def defined_by(source: str) -> Iterator[str]:
    """The names that a cell defines in its module."""
    for node in ast.parse(source).body if directives(source) & EXPORTED else ():
        for each in getattr(node, "targets", [getattr(node, "target", node)]):
            yield getattr(each, "name", "") or getattr(each, "id", "")


def rule_of(path: Path) -> str:
    """The sentence below a notebook's title."""
    found = RULE.search("\n".join(sources(path)))
    if not found:
        raise ValueError(f"{path} has no line that begins with `> ` below its title")
    return found[1]


def sources(path: Path) -> list[str]:
    """The text of each cell."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in cells]


def directives(source: str) -> set[str]:
    """The names of a cell's directives."""
    return set(DIRECTIVE.findall(source))


def without_directives(source: str) -> str:
    """The rest of a cell."""
    return DIRECTIVE.sub("", source)


def is_plumbing(source: str) -> bool:
    """Whether a code cell is not the lesson: it has a directive that says so, or imports."""
    return bool(directives(source) & (HIDDEN | FOLDED)) or is_imports(source)


def is_imports(source: str) -> bool:
    """Whether a code cell imports and, after that, only names or silences what it imports.

    Names count in cells that are exported: elsewhere an assignment belongs to the lesson.
    """
    body = ast.parse(source).body
    imports = [*takewhile(imports_only, body)]
    names = (ast.Assign, ast.AnnAssign) if directives(source) & EXPORTED else ()
    return bool(imports) and all(
        isinstance(each, names) or filters_warnings(each) for each in body[len(imports):])


def imports_only(statement: ast.stmt) -> bool:
    """Whether a statement imports, perhaps under a condition or as far as it can."""
    if isinstance(statement, (ast.If, ast.Try)):
        return all(map(imports_only, statement.body))
    return isinstance(statement, (ast.Import, ast.ImportFrom))


def filters_warnings(statement: ast.stmt) -> bool:
    """Whether a statement calls a function of the module `warnings`."""
    return (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
            and ast.unparse(statement.value.func).startswith("warnings."))


def pictures(html: str) -> list[str]:
    """The SVG of every picture that is stored as an image."""
    return [decoded(image[1]) for image in IMAGE.finditer(html)]


def inline(html: str) -> str:
    """The same HTML, with the SVG itself in the place of every image: for a page and a phone."""
    return IMAGE.sub(both, html)


def both(image: re.Match[str]) -> str:
    """The drawing for a page and, where there is one, that for a phone: the style sheet chooses."""
    wide, narrow = (decoded(each or "") for each in image.groups())
    return f'<div class="bn-wide{" bn-both" * bool(narrow)}">{wide}{narrow}</div>'


def decoded(address: str) -> str:
    """What an image's address holds; of its line breaks, browsers see the encoded ones."""
    return unquote(address.replace("\n", ""), errors="strict")
