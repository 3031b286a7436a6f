"""What the tools share about a notebook: its directives, its plumbing, and its pictures."""

import ast
import json
import re
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

DIRECTIVE = re.compile(r"^#\| *([\w-]+).*\n?", re.MULTILINE)
HIDDEN = {"hide", "default_exp"}  # Nothing of such a cell is for readers
NEEDS = re.compile(r"^#\| *needs +(.+)$", re.MULTILINE)
FOLDED = {"export", "code-fold"}  # Readers may open such a cell
IMAGE = re.compile(
    r"<img [^>]*?src='data:image/svg\+xml,([^']*)'(?: data-narrow='([^']*)')?[^>]*>")


def directives(source: str) -> set[str]:
    """The names of a cell's directives."""
    return set(DIRECTIVE.findall(source))


def without_directives(source: str) -> str:
    """The rest of a cell."""
    return DIRECTIVE.sub("", source)


def needed(path: Path) -> list[str]:
    """What a notebook needs beside the package and the oracles: the words of its `#| needs`."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = [match[1] for cell in cells if (match := NEEDS.search("".join(cell["source"])))]
    return [name for each in found for name in each.split()]


def missing(path: Path) -> list[str]:
    """What of that cannot be imported here."""
    return [name for name in needed(path) if find_spec(name) is None]


def is_plumbing(source: str) -> bool:
    """Whether a code cell is not the lesson: it has a directive that says so, or only imports."""
    if directives(source) & (HIDDEN | FOLDED):
        return True
    body = ast.parse(source).body
    return bool(body) and all(isinstance(each, (ast.Import, ast.ImportFrom)) for each in body)


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
