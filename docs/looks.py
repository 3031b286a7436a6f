"""Two looks: what is read from top to bottom, and what is looked up; and a sidebar of few lines."""

import os
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

OWN = {"index", "playground"}  # Pages that are neither
CAPTION = '<p class="caption" role="heading">'


def look_of(page: str, source: str) -> str:
    """A notebook tells a story, so it is read; what is written for the site is looked up."""
    return "" if page in OWN else "read" if source.endswith(".ipynb") else "looked-up"


def dress(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Give a page's text the class of its look, for `looks.css`."""
    look = look_of(page, os.fspath(app.env.doc2path(page)))
    for section in [*doctree.findall(nodes.section)][:1] if look else ():
        section["classes"].append(look)


def fold_groups(app: Sphinx, page: str, template: str, context: dict[str, Any],
                doctree: nodes.document | None) -> None:
    """Fold each group of the sidebar but that of the page, else *Use*, under its caption."""
    first, *groups = context["furo_navigation_tree"].split(CAPTION)
    held = next((group for group in groups if 'class="current' in group), groups[1])
    for group in groups:
        caption, pages = group.split("</p>", 1)
        first += (f'<details class="group"{" open" if group is held else ""}><summary>{CAPTION}'
                  f"{caption}</p></summary>{pages}</details>\n")
    context["furo_navigation_tree"] = first


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the looks, and what follows the theme's own sidebar."""
    app.connect("doctree-resolved", dress)
    app.connect("html-page-context", fold_groups, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
