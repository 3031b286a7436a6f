"""Two looks: what is read from top to bottom, and what is looked up."""

import os

from docutils import nodes
from sphinx.application import Sphinx

OWN = {"index", "playground"}  # Pages that are neither


def look_of(page: str, source: str) -> str:
    """A notebook tells a story, so it is read; what is written for the site is looked up."""
    return "" if page in OWN else "read" if source.endswith(".ipynb") else "looked-up"


def dress(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Give a page's text the class of its look, for `looks.css`."""
    look = look_of(page, os.fspath(app.env.doc2path(page)))
    for section in [*doctree.findall(nodes.section)][:1] if look else ():
        section["classes"].append(look)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the looks."""
    app.connect("doctree-resolved", dress)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
