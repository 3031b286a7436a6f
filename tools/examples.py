"""Which sentences a chapter scores: found in its code, without running it.

The site links each of them to the playground, filled in. A notebook holds no address.
"""

import ast
from collections.abc import Iterator
from html import escape
from itertools import repeat
from textwrap import shorten
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from book import without_directives

SCORES = {  # Functions whose first two arguments are a candidate and its references
    "naive_precision", "clipped_precision", "clipped_counts", "count_segment", "sentence_bleu",
}  # fmt: skip
CHOOSES = "sentence_bleu"  # Takes choices as well
TOKENS = "papineni"  # The dialect that takes tokens as they stand


class Unknown(Exception):
    """A value that only running the code would tell."""


def value_of(node: ast.expr, known: dict[str, Any]) -> Any:
    """What an expression of plain text and lists is worth; `known` holds names seen before."""
    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name) and node.id in known:
        return known[node.id]
    if isinstance(node, (ast.List, ast.Tuple)):
        return [value_of(each, known) for each in node.elts]
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return {
            key.value: value_of(each, known) for key, each in pairs if isinstance(key, ast.Constant)
        }
    if isinstance(node, ast.Subscript):
        return chosen(value_of(node.value, known), value_of(node.slice, known))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        text = value_of(node.func.value, known)
        if node.func.attr == "split" and not node.args and isinstance(text, str):
            return text.split()
    raise Unknown


def chosen(values: Any, key: Any) -> Any:
    """One element of a list or a dictionary."""
    try:
        return values[key]
    except (LookupError, TypeError):
        raise Unknown from None


def examples(source: str, known: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Candidate, references (one a line) and dialect of each pair that a cell scores.

    `known` is what earlier cells assigned, and is brought up to date.
    """
    for statement in ast.parse(without_directives(source)).body:
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            continue
        for node in ast.walk(statement):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SCORES:
                if node.func.id == CHOOSES and (node.keywords or node.args[2:]):
                    continue  # By other choices than the playground would start with
                yield from example(node.args[:2], known)
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                remember(target, statement.value, known)


def remember(target: ast.expr, value: ast.expr, known: dict[str, Any]) -> None:
    """Note what a name is worth, or forget it where that cannot be told."""
    if isinstance(target, ast.Tuple):
        parts = value.elts if isinstance(value, ast.Tuple) else repeat(ast.Constant(...))
        for name, part in zip(target.elts, parts, strict=False):
            remember(name, part, known)
    elif isinstance(target, ast.Name):
        known.pop(target.id, None)
        try:
            known[target.id] = value_of(value, known)
        except Unknown:
            return


def example(arguments: list[ast.expr], known: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """The pair that two arguments are, if they are plain text or plain tokens."""
    try:
        candidate, references = (value_of(each, known) for each in arguments)
    except (Unknown, ValueError):
        return
    if isinstance(candidate, str) and is_list_of(references, str):
        yield candidate, "\n".join(references), ""
    elif is_list_of(candidate, str) and is_list_of(references, list) and all(
        is_list_of(each, str) for each in references
    ):
        yield " ".join(candidate), "\n".join(map(" ".join, references)), TOKENS


def is_list_of(value: Any, kind: type) -> bool:
    """Whether it is a list that holds something, and nothing of another kind."""
    return (
        bool(value) and isinstance(value, list) and all(x and isinstance(x, kind) for x in value)
    )


def title(link: str) -> str:
    """The candidate of such an address, cut to what a line holds, as HTML."""
    [candidate] = parse_qs(urlsplit(link).fragment)["c"]
    return escape(shorten(candidate, 60, placeholder=" …"))


def link(candidate: str, references: str, dialect: str) -> str:
    """The playground's address with such an example."""
    told = {"c": candidate, "r": references} | ({"d": dialect} if dialect else {})
    return f"playground.html#{urlencode(told)}"
