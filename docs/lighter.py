"""Pages without what they hold twice: glyphs of formulas, and colours of code that is plain."""

import re
from html import escape
from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from sphinx.application import Sphinx

# Names, punctuation and spaces of code have the colour of the code around them, in every scheme.
PLAIN = re.compile(r'<span class="(?:n|p|w)">([^<]*)</span>')
GLYPH = re.compile(r'href="#(mj-[\w-]+)"')
LOCAL = re.compile(r"MJX-\d+-TEX-")
NAMESPACE = re.compile(r"\{[^}]*\}")
SPACE_BETWEEN = re.compile(r">\s+<")
PROMPT = re.compile(r'<p class="(?:collapsed|expanded) admonition-title">[^<]*</p>')
QUOTED = re.compile(r"`([^`]+)`")
HIDDEN = 'style="position:absolute" width="0" height="0" aria-hidden="true"'

GLYPHS: dict[str, str] = {}  # id -> the path of each glyph that a formula has used


def as_used(svg: str) -> str:
    """A formula that points to its glyphs, which are noted, instead of holding them."""
    root = ElementTree.fromstring(svg)
    for path in root.iterfind("{*}defs/{*}path"):
        GLYPHS[LOCAL.sub("mj-", path.attrib["id"])] = path.attrib["d"]
    return written(root)


def written(element: ElementTree.Element) -> str:
    """An element as HTML writes it; groups and attributes that draw nothing are left out."""
    tag = NAMESPACE.sub("", element.tag)
    if tag == "defs":
        return ""
    attributes = ""
    for name, value in element.attrib.items():
        short = NAMESPACE.sub("", name).replace("href", "xlink:href")
        if not short.startswith("data-") and short not in ("role", "focusable"):
            attributes += f' {short}="{escape(LOCAL.sub("mj-", value))}"'
    inside = escape((element.text or "").strip()) + "".join(map(written, element))
    if tag == "g" and not attributes:
        return inside
    return f"<{tag}{attributes}>{inside}</{tag}>" if inside else f"<{tag}{attributes}/>"


def spoken(mathml: str) -> str:
    """A formula for a screen reader, without the spaces that only a person would look at."""
    return SPACE_BETWEEN.sub("><", mathml)


def with_glyphs(body: str, beside: str) -> str:
    """The page, and below it each glyph that it or the text beside it uses.

    Links and anchors of a page are taken away for paper; glyphs are written otherwise than those.
    """
    used = sorted({*GLYPH.findall(body), *GLYPH.findall(beside)})
    if not used:
        return body
    paths = "".join(f"<path id='{name}' d=\"{GLYPHS[name]}\"/>" for name in used)
    return f"{body}<svg {HIDDEN}><defs>{paths}</defs></svg>"


def as_code(words: re.Match[str]) -> str:
    """The words of a fold, with the names in them as code."""
    return QUOTED.sub(r"<code>\1</code>", words[0])


def lighten(app: Sphinx, page: str, template: str, context: dict[str, Any],
            doctree: nodes.document | None) -> None:
    """Take out of a page, in place, what it holds twice."""
    if "body" in context:
        body = PROMPT.sub(as_code, PLAIN.sub(r"\1", context["body"]))
        context["body"] = with_glyphs(body, str(context.get("toc", "")))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register what is done to every page."""
    app.connect("html-page-context", lighten)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
