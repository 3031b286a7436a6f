"""Functions that a chapter defines for its reader alone."""

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
