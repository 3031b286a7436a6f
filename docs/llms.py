"""`llms.txt`: the pages of the site as a list of links, for programs that read text."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

TOCTREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
CAPTION = re.compile(r"^:caption: (.+)$", re.MULTILINE)
TITLE = re.compile(r"<h1>(.*?)<a class=\"headerlink\"", re.DOTALL)
DESCRIPTION = re.compile(r'<meta name="description" content="([^"]*)">')
TAG = re.compile(r"<[^>]*>")
FIRST = "Start"  # The group that has no caption


def groups(front_page: str) -> Iterator[tuple[str, list[str]]]:
    """Each group of the sidebar with its pages, from the text of the front page."""
    for block in TOCTREE.findall(front_page):
        caption = CAPTION.search(block)
        names = [line.partition("<")[2].rstrip(">") or line for line in block.splitlines()
                 if line and not line.startswith(":")]
        yield caption[1] if caption else FIRST, names


def line_of(site: Path, page: str) -> str:
    """A page as a link, with its description."""
    html = (site / f"{page}.html").read_text(encoding="utf-8")
    title = TITLE.search(html)
    description = DESCRIPTION.search(html)
    assert title and description, page
    return (f"- [{unescape(TAG.sub('', title[1])).strip()}]({page}.html): "
            f"{unescape(description[1])}")


def written(site: Path, front_page: str) -> str:
    """The text of `llms.txt`, whose links are relative to it."""
    html = (site / "index.html").read_text(encoding="utf-8")
    description = DESCRIPTION.search(html)
    assert description
    parts = [f"# bleu_nb\n\n> {unescape(description[1])}\n"]
    for caption, pages in groups(front_page):
        parts.append("\n".join([f"## {caption}\n", *(line_of(site, each) for each in pages), ""]))
    return "\n".join(parts)
