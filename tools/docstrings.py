"""What `nbdev-export` makes of the comments beside parameters: lines of the docstring.

`export_procs` in pyproject.toml names `with_comments`. So `help` and editors show what a chapter
says once, beside the parameter, and a docstring in a chapter stays one sentence.
"""

import ast
import re
import textwrap
from collections.abc import Iterator
from io import StringIO
from tokenize import COMMENT, generate_tokens

from fastcore.nbio import NbCell

PARAMETERS, RESULT = MADE = ("Parameters:", "Returns: ")  # How the lines begin that are made
NAME = re.compile(r"\s*(\*{0,2}\w+)")
WIDTH = 79  # Of the text, however far it is indented


def with_comments(cell: NbCell) -> None:
    """Complete, in place, the docstrings of a cell whose definitions a user may call."""
    if {"export", "exports"} & {*cell.directives_}:
        cell.set_source(documented(cell.source))


def documented(source: str) -> str:
    """The code, in which each docstring goes on with the comments beside the parameters."""
    lines = source.splitlines()
    comments = {token.start[0]: token.string.lstrip("# ")
                for token in generate_tokens(StringIO(source).readline) if token.type == COMMENT}
    for thing in reversed([*definitions(ast.parse(source).body)]):  # Lines before stay in place
        named, result = lines_of(thing)
        said = [f"{NAME.match(lines[line - 1])[1]}: {comments[line]}"
                for line in named if line in comments]
        parts = ["\n".join([PARAMETERS, *map(folded, said)])] if said else []
        parts += [f"{RESULT}{comments[result]}"] if result in comments else []
        if parts:
            first, sentence = thing.body[0], ast.get_docstring(thing)
            start, end = first.lineno - 1, first.end_lineno if sentence else first.lineno - 1
            text = "\n\n".join([sentence, *parts] if sentence else parts).replace("\\", r"\\")
            head = '"""' if sentence else '"""\n'
            lines[start:end] = textwrap.indent(
                f'{head}{text}\n"""', " " * first.col_offset).splitlines()
    return "\n".join(lines)


def definitions(body: list[ast.stmt]) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """The functions and classes, and the methods of these, that are not private."""
    for each in body:
        if isinstance(each, ast.FunctionDef | ast.ClassDef) and (
                each.name.endswith("__") or not each.name.startswith("_")):
            yield each
            yield from definitions(each.body) if isinstance(each, ast.ClassDef) else ()


def lines_of(thing: ast.FunctionDef | ast.ClassDef) -> tuple[list[int], int]:
    """The lines of the parameters or fields, and that on which the head says the result."""
    if isinstance(thing, ast.ClassDef):
        return [each.lineno for each in thing.body if isinstance(each, ast.AnnAssign)], 0
    result = thing.returns.end_lineno if thing.returns else 0
    own = {each.lineno for each in ast.walk(thing.args) if isinstance(each, ast.arg)}
    return sorted(own - {thing.lineno, result}), result


def folded(text: str) -> str:
    """A parameter's line, or lines."""
    return textwrap.fill(text, WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8)
