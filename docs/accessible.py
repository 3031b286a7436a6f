"""What the theme writes and a reader with a keyboard or a screen reader needs otherwise."""

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

# What the theme, Sphinx or MyST-NB writes -> what each page says instead.
BETTER = {
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="All pages">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<summary aria-label="Toggle hidden content">': "<summary>",
    '<article role="main" id="furo-main-content">':
        '<article role="main" id="furo-main-content" tabindex="-1">',
    "<dl>\n<dd><em": '<dl role="presentation">\n<dd><em',  # A signature on several lines
    '<div id="search-results"></div>': '<h1>Search</h1>\n<div id="search-results"></div>',
}
TICK = re.compile(r'(<input class="task-list-item-checkbox") disabled="disabled"([^>]*>)'
                  r"(.*?)(?=</p>)", re.DOTALL)
NO_HEAD = '<th class="head"><p></p></th>'  # The corner of a table
STYLE = re.compile(r"<style>\.b.*?</style>\n?", re.DOTALL)  # Of figures; one of each is enough


def improve(page: str) -> tuple[str, set[str]]:
    """A page with all of that, and what was found in it."""
    found = {theirs for theirs in BETTER if theirs in page}
    for theirs in found:
        page = page.replace(theirs, BETTER[theirs])
    page = page.replace(NO_HEAD, "<td></td>")
    page = TICK.sub(r"<label>\1\2<span>\3</span></label>", page)
    seen: set[str] = set()

    def once(style: re.Match[str]) -> str:
        """A style sheet where it comes first."""
        new = style[0].strip() not in seen
        seen.add(style[0].strip())
        return style[0] if new else ""

    return STYLE.sub(once, page), found


def improve_all(app: Sphinx, error: Exception | None) -> None:
    """Rewrite each page once all are written; what is found nowhere has changed its form."""
    if error or app.builder.format != "html":
        return
    found: set[str] = set()
    for path in Path(app.outdir).rglob("*.html"):
        page, here = improve(path.read_text(encoding="utf-8"))
        path.write_text(page, encoding="utf-8")
        found |= here
    if missing := sorted({*BETTER} - found):
        raise ExtensionError(f"no page has {missing[0]}: does the theme write it otherwise now?")


def setup(app: Sphinx) -> dict[str, Any]:
    """Register what runs last."""
    app.connect("build-finished", improve_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
