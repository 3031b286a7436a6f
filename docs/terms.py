"""Words of the glossary, each linked where a chapter uses it first, with its definition at hand."""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

PAGE = "symbols"  # Holds the glossary
GLOSSARY = re.compile(r"^```\{glossary\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
CHAPTER = re.compile(r"\d\d\w*$|usage$")
SENTENCE_END = re.compile(r"(?<=[.])\s.*", re.DOTALL)
UNNAMED = re.compile(r"[^A-Za-z0-9]+")  # What Sphinx replaces in the name of an entry
MARKED = re.compile(r"[$*`]")
# Words with another meaning in plain English: only these uses are meant.
MEANT = {
    "order": r"orders? \d", "weights": r"weights?", "corpus": r"corp(?:us|ora)",
    "precision": r"(?<!single )(?<!double )precisions?",
}
ELSEWHERE = (nodes.title, nodes.reference, nodes.literal, nodes.emphasis, nodes.table,
             nodes.literal_block, nodes.raw, nodes.term)


class Term(nodes.inline):
    """A word that shows its definition."""


@cache
def glossary(path: Path) -> dict[str, tuple[str, str]]:
    """Every word of the glossary, lower-cased: the word its entry starts with, and one sentence."""
    found: dict[str, tuple[str, str]] = {}
    [listed] = GLOSSARY.findall(path.read_text(encoding="utf-8"))
    for entry in listed.strip().split("\n\n"):
        lines = entry.split("\n")
        words = [line for line in lines if not line.startswith(" ")]
        told = " ".join(line.strip() for line in lines[len(words):])
        sentence = SENTENCE_END.sub("", MARKED.sub("", told))
        found.update({word.lower(): (words[0], sentence) for word in words})
    return found


@cache
def pattern(path: Path) -> re.Pattern[str]:
    """Any word of the glossary, longer ones first; one group for each."""
    words = sorted(glossary(path), key=len, reverse=True)
    each = (MEANT.get(word, re.escape(word).replace(r"\ ", r"\s+") + "s?") for word in words)
    return re.compile(r"(?<![\w-])(?:" + "|".join(f"({word})" for word in each) + r")(?![\w-])",
                      re.IGNORECASE)


class LinkTerms(SphinxPostTransform):
    """Link the first use of each word of the glossary in the text of a chapter."""

    default_priority = 200  # When references are resolved
    formats = ("html",)

    def run(self, **kwargs: Any) -> None:
        if not CHAPTER.fullmatch(self.env.docname):
            return
        path = Path(str(self.env.doc2path(PAGE)))
        seen: set[str] = set()
        for text in list(self.document.findall(nodes.Text)):
            above = list(parents(text))
            if not any(isinstance(each, nodes.paragraph) for each in above) or any(
                    isinstance(each, ELSEWHERE) for each in above):
                continue
            parts = list(self.parts(text.astext(), path, seen))
            if len(parts) > 1:
                text.parent.replace(text, parts)

    def parts(self, text: str, path: Path, seen: set[str]) -> Iterator[nodes.Node]:
        """Pieces of text and terms, in order; `seen` is brought up to date."""
        words = sorted(glossary(path), key=len, reverse=True)
        end = 0
        for found in pattern(path).finditer(text):
            entry, says = glossary(path)[words[(found.lastindex or 1) - 1]]
            if entry in seen:
                continue
            seen.add(entry)
            yield nodes.Text(text[end:found.start()])
            target = self.app.builder.get_relative_uri(self.env.docname, PAGE)
            anchor = UNNAMED.sub("-", entry)
            yield Term(found[0], found[0], says=says, uri=f"{target}#term-{anchor}")
            end = found.end()
        yield nodes.Text(text[end:])


def parents(node: nodes.Node) -> Iterator[nodes.Node]:
    """What a node stands in, from the inside out."""
    while node.parent is not None:
        node = node.parent
        yield node


def visit(self: Any, node: Term) -> None:
    """A link to the entry, which chapters.js makes show its definition."""
    self.body.append(f'<a class="term" href="{escape(node["uri"])}" '
                     f'data-says="{escape(node["says"])}">')


def depart(self: Any, node: Term) -> None:
    """The link's end."""
    self.body.append("</a>")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the node and the transform."""
    app.add_node(Term, html=(visit, depart))
    app.add_post_transform(LinkTerms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
