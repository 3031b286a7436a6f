"""What a page says of itself where it is found or linked to, and the styles that only it needs."""

import re
from html import escape, unescape
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

# Pages that bring a style sheet and a script of their own
OWN = {name: name for name in ("dialects", "search")} | {"index": "front"}
LONGEST = 200       # Characters of a description
SITE = "bleu_nb: BLEU, derived and computed"
MARKUP = re.compile(r"<[^>]+>")
MADE = {"genindex": "Every name and every term of bleu_nb, in alphabetical order.",
        "py-modindex": "Every module of bleu_nb, in alphabetical order.",
        "index": "A Python package and a command for BLEU: sacreBLEU’s score to the last bit, that "
                 "of other tools, one score in five steps, and a check of printed numbers.",
        "speed": "How many times as fast as sacreBLEU BLEU is counted and scored, as measured.",
        "search": "Search the chapters, the API and the table of dialects of bleu_nb."}


def description(doctree: nodes.document) -> str:
    """The question under a page's title, or else its first sentences."""
    quotes = [quote for quote in doctree.findall(nodes.block_quote)
              if isinstance(quote.parent, nodes.section)
              and isinstance(quote.parent.parent, nodes.document)]
    paragraphs = (quotes[0] if quotes else doctree).findall(nodes.paragraph)
    told = [" ".join(each.astext().split()) for each in paragraphs]
    return shortened(next((text for text in told if text), ""))


def shortened(text: str) -> str:
    """As many whole sentences as there is room for, or as many words."""
    if len(text) <= LONGEST:
        return text
    end = max(text.rfind(mark, 0, LONGEST) for mark in (". ", "? ", ": "))
    return text[:end + 1] if end > 40 else f"{text[:text.rindex(' ', 0, LONGEST)]} …"


def tell(app: Sphinx, page: str, template: str, context: dict[str, Any],
         doctree: nodes.document | None) -> None:
    """Add a page's description, the tags that a preview is made of, and its own styles."""
    if name := OWN.get(page):
        app.add_css_file(f"{name}.css")
        app.add_js_file(f"{name}.js", type="module")
    title = " ".join(MARKUP.sub("", str(context.get("title", ""))).split()) or SITE
    told = MADE.get(page) or (description(doctree) if doctree is not None else "")
    tags = [("property", "og:title", title), ("property", "og:type", "website"),
            ("property", "og:site_name", SITE), ("name", "twitter:card", "summary")]
    if told:
        tags = [("name", "description", told), ("property", "og:description", told), *tags]
    if address := context.get("pageurl"):
        tags.append(("property", "og:url", str(address)))
    context["metatags"] = context.get("metatags", "") + "".join(
        f'\n<meta {kind}="{key}" content="{quoted(value)}">' for kind, key, value in tags)


def quoted(text: str) -> str:
    """Text as the value of an attribute; Sphinx has escaped titles already."""
    return escape(unescape(text))


def setup(app: Sphinx) -> dict[str, bool]:
    """Have every page described."""
    app.connect("html-page-context", tell)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
