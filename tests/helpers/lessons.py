"""What a chapter contains, and what it defines once its cells have run."""

import json
from typing import Any

import book


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
