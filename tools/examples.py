"""Which sentences a chapter scores, splits or draws: found in its code, without running it.

The site links each of them to the playground, filled in. A notebook holds no address.
"""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from html import escape
from itertools import repeat
from textwrap import shorten
from typing import Any, NamedTuple
from urllib.parse import urlencode

from book import without_directives

# Functions that take a candidate and its references, and where the candidate stands.
SCORES = {
    "naive_precision": 0, "clipped_precision": 0, "clipped_counts": 0, "count_segment": 0,
    "sentence_bleu": 0, "alignment": 0, "explain_segment": 1,
}  # fmt: skip
PICTURES = {"alignment", "explain_segment", "draw_score"}
OF_A_SCORE = {"build_score": 1, "draw_score": 0}  # Of what has been counted, and where it stands
COUNTS = {"ngrams", "ngram_counts", "runs"}  # Functions of the tokens of one sentence
CHOOSES = {"sentence_bleu", "alignment"}  # Take a dialect and other choices as well
# Chapter 00_by_hand has its references in two names, where its functions find them.
BY_HAND = {"drawn": ("first", "second")}
PROGRAM = "bleu"  # The reader's: of a sentence up to chapter 1.3, of a corpus, in 1.6 of text
TOKENS = "papineni"  # The dialect that takes tokens as they stand
LETTERS = {"dialect": "d", "tokenizer": "t", "max_order": "o", "smoothing": "s",
           "smoothing_value": "v", "lowercase": "l"}
METHODS = {"split", "lower", "upper", "replace", "strip", "splitlines", "join"}


class Unknown(Exception):
    """A value that only running the code would tell."""


class Example(NamedTuple):
    """A candidate with its references, one a line, and what else fills the playground's form."""

    candidate: str
    references: str
    choices: tuple[tuple[str, str], ...] = ()  # Letters of the playground's address
    pictured: bool = False

    @property
    def link(self) -> str:
        """The playground's address with this example."""
        told = {"c": self.candidate, "r": self.references, **dict(self.choices)}
        return f"playground.html#{urlencode(told)}"

    @property
    def title(self) -> str:
        """The candidate, cut to what a line holds, as HTML."""
        return escape(shorten(self.candidate, 60, placeholder=" …"))


def value_of(node: ast.expr, known: Mapping[str, Any]) -> Any:
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
        return chosen(value_of(node.value, known), node.slice, known)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return joined(value_of(node.left, known), value_of(node.right, known))
    if isinstance(node, ast.Call):
        return answer_of(node, known)
    raise Unknown


def chosen(values: Any, key: ast.expr, known: Mapping[str, Any]) -> Any:
    """One element, or a slice, of a list or a dictionary."""
    try:
        if isinstance(key, ast.Slice):
            ends = [value_of(end, known) if end else None for end in (key.lower, key.upper)]
            return values[slice(*ends)]
        return values[value_of(key, known)]
    except (LookupError, TypeError):
        raise Unknown from None


def joined(left: Any, right: Any) -> Any:
    """Two texts or two lists in one."""
    if type(left) is type(right) and isinstance(left, (str, list)):
        return left + right
    raise Unknown


def answer_of(node: ast.Call, known: Mapping[str, Any]) -> Any:
    """What a call returns: a text by its method, a chapter's own value, or a scored example."""
    if isinstance(node.func, ast.Attribute):
        text = value_of(node.func.value, known)
        if node.func.attr in METHODS and isinstance(text, str) and not node.keywords:
            arguments = [value_of(each, known) for each in node.args]
            try:
                return getattr(text, node.func.attr)(*arguments)
            except TypeError:
                raise Unknown from None
    elif isinstance(node.func, ast.Name):
        function = known.get(node.func.id)
        if isinstance(function, ast.FunctionDef) and isinstance(function.body[-1], ast.Return):
            returned = function.body[-1].value
            if returned and all(isinstance(each, ast.Expr) for each in function.body[:-1]):
                return value_of(returned, {**known, **bound(function, node, known)})
        if found := [*example_of(node, known)]:
            return found[0]
    raise Unknown


def bound(
    function: ast.FunctionDef, call: ast.Call, known: Mapping[str, Any]
) -> dict[str, Any]:
    """The parameters of a function, as far as a call says plainly what they are."""
    values = {}
    for parameter, argument in zip(function.args.args, call.args, strict=False):
        try:
            values[parameter.arg] = value_of(argument, known)
        except Unknown:
            continue
    return values


def examples(source: str, known: dict[str, Any]) -> Iterator[Example]:
    """Each pair that a cell scores or draws, and each sentence that it splits.

    `known` is what earlier cells assigned and defined, and is brought up to date.
    """
    for statement in ast.parse(without_directives(source)).body:
        if isinstance(statement, ast.FunctionDef):
            known[statement.name] = statement
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            continue
        yield from examples_in(statement, known)
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                remember(target, statement.value, known)


def examples_in(code: ast.AST, known: Mapping[str, Any]) -> Iterator[Example]:
    """The examples of the calls in some code, and in the chapter's functions that it calls."""
    for node in ast.walk(code):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield from example_of(node, known)
            function = known.get(node.func.id)
            told = node.func.id in (*SCORES, PROGRAM)
            if isinstance(function, ast.FunctionDef) and not told:
                inside = {name: each for name, each in known.items() if each is not function}
                for statement in function.body:
                    yield from examples_in(statement, {**inside, **bound(function, node, known)})


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


def example_of(call: ast.Call, known: Mapping[str, Any]) -> Iterator[Example]:
    """The example of one call, if its arguments are plain text or plain tokens."""
    name = getattr(call.func, "id", "")
    try:
        if name in SCORES:
            start = SCORES[name]
            pair = [value_of(each, known) for each in call.args[start:start + 2]]
            yield from pair_of(*pair, choices_of(call, known), name in PICTURES)
        elif name in BY_HAND:
            references = [known[each] for each in BY_HAND[name]]
            yield from pair_of(value_of(call.args[0], known), references, {})
        elif name == PROGRAM:
            candidate, references = (value_of(each, known) for each in call.args[:2])
            third = getattr(call.args[2], "id", "") if call.args[2:] else ""
            splits = {"t": tokenizers()[third]} if third in tokenizers() else {}
            if is_list_of(references, str):
                references = [references]
            elif splits or not call.args[2:]:
                [candidate], [references] = candidate, references
            yield from pair_of(candidate, references, splits)
        elif name in OF_A_SCORE:
            if isinstance(scored := value_of(call.args[OF_A_SCORE[name]], known), Example):
                yield scored._replace(pictured=name in PICTURES)
        elif name in COUNTS:
            if isinstance(tokens := value_of(call.args[0], known), list):
                yield from pair_of(tokens, [tokens], {})
        elif name in tokenizers():
            text = value_of(call.args[0], known)
            yield from pair_of(text, [text], {"t": tokenizers()[name]})
    except (Unknown, LookupError, TypeError, ValueError):
        return


def choices_of(call: ast.Call, known: Mapping[str, Any]) -> dict[str, str]:
    """What a call chooses, as the playground's address says it; Unknown where it cannot."""
    told = {keyword.arg: value_of(keyword.value, known) for keyword in call.keywords}
    if getattr(call.func, "id", "") == "count_segment":
        return {"o": str(told["max_order"])} if "max_order" in told else {}
    if getattr(call.func, "id", "") not in CHOOSES:
        return {}
    if getattr(call.func, "id", "") == "alignment":
        told.pop("max_order", None)  # Of the picture, not of the score
        if call.args[3:]:
            raise Unknown
    elif call.args[2:]:
        told["dialect"] = value_of(call.args[2], known)
    plain = all(isinstance(each, (str, int, float)) for each in told.values())
    if not plain or not {*told} <= {*LETTERS}:
        raise Unknown
    return {LETTERS[str(key)]: str(value).lower() if isinstance(value, bool) else str(value)
            for key, value in told.items()}


@cache
def tokenizers() -> dict[str, str]:
    """The name of each tokenizer that the playground offers, by its function's."""
    from bleu_nb.dialects.more_tokenizers import TOKENIZERS

    return {entry.function.__name__: name for name, entry in TOKENIZERS.items()
            if hasattr(entry.function, "__name__")}


def pair_of(
    candidate: Any, references: Any, choices: dict[str, str], pictured: bool = False
) -> Iterator[Example]:
    """The pair that two values are, if both are plain text or both plain tokens."""
    if isinstance(candidate, str) and candidate and is_list_of(references, str):
        if all("\n" not in text for text in (candidate, *references)):
            yield Example(candidate, "\n".join(references), (*choices.items(),), pictured)
    elif is_list_of(candidate, str) and is_list_of(references, list) and all(
        is_list_of(each, str) for each in references
    ):
        sentences = [" ".join(each) for each in (candidate, *references)]
        if [each.split() for each in sentences] == [candidate, *references]:
            told = (("d", TOKENS), *choices.items())
            yield Example(sentences[0], "\n".join(sentences[1:]), told, pictured)


def is_list_of(value: Any, kind: type) -> bool:
    """Whether it is a list that holds something, and nothing of another kind."""
    return (
        bool(value) and isinstance(value, list) and all(x and isinstance(x, kind) for x in value)
    )
