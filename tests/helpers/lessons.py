"""What a chapter holds, and what it defines for its reader alone."""

import json
import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import book

TITLED_DEF = re.compile(r"(#.*\n)?def ")  # A fold begins with what is in it


def taught(stem: str, *names: str) -> list[Callable[..., Any]]:
    """The functions of these names that the cells of a chapter define."""
    path = book.notebook(stem)
    known = dict(vars(import_module(f"bleu_nb.{book.module_of(path)}")))
    for source in book.sources(path):
        source = book.without_directives(source)
        if source.startswith("from ") or TITLED_DEF.match(source):
            exec(source, known)
    return [known[name] for name in names]


def cells(stem: str) -> list[tuple[str, str]]:
    """Kind and source of each cell of a chapter."""
    return [(cell["cell_type"], "".join(cell["source"]))
            for cell in json.loads(book.notebook(stem).read_text("utf-8"))["cells"]]


def ran(stem: str) -> dict[str, Any]:
    """What a page defines once all of it has run."""
    names: dict[str, Any] = {}
    for kind, source in cells(stem):
        if kind == "code":
            exec(source, names)
    return names
