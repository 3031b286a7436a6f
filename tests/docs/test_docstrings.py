"""The docstrings of the public API are complete, and their examples print what they show."""

import ast
import dataclasses
import doctest
import inspect
import os
import re
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import book
import pytest

import bleu_nb
from bleu_nb.dialects.table import CHOICES, Dialect, Usual

os.environ |= {"KERAS_BACKEND": "torch"}
# The examples of these need a framework, which may be missing.
NEEDS = {
    "evaluation_set": "sacrebleu",
    "adapters.ignite": "ignite",
    "adapters.keras": "keras",
    "adapters.lm_eval.register": "lm_eval",
    "adapters.lm_eval.bleu_metric": "lighteval",
    "adapters.nltk.translate.bleu_score": "nltk",
    "adapters.sacrebleu": "sacrebleu",
    "adapters.torchmetrics": "torchmetrics",
}
ADAPTERS = [*(name for name in book.modules() if name.startswith("adapters.")),
            "adapters.sacrebleu.compat"]
MANUAL_ENTRY = re.compile(r"^- ([^:]*): ", re.MULTILINE)  # `name`, `name`: what they are
HEADING = re.compile(r"^(\w+)\n-+\n", re.MULTILINE)
ENTRY = re.compile(r"^(\S+)(?: : (.+))?\n((?:    .+\n?)+)", re.MULTILINE)
COMMENT = re.compile(r"\S +# (?!type:)")
LESSON = "bleu_nb.derivation."  # Chapters 1.1 to 1.6 document these names


def names() -> Iterator[str]:
    """Every documented name: `corpus_bleu`, or `adapters.trl.BleuReward`, and each member."""
    for name in bleu_nb.__all__:
        thing = getattr(bleu_nb, name)
        if callable(thing) and not thing.__module__.startswith(LESSON):
            yield from with_members(name, thing)
    for module in ADAPTERS:
        path = Path(bleu_nb.__file__).parent / f"{module.replace('.', '/')}.py"
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:  # A module whose framework is missing cannot be imported
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node.name in exported(tree):
                yield f"{module}.{node.name}"
                for each in node.body if isinstance(node, ast.ClassDef) else ():
                    if isinstance(each, ast.FunctionDef) and is_public(each.name):
                        yield f"{module}.{node.name}.{each.name}"


def exported(tree: ast.Module) -> list[str]:
    """The `__all__` of a module, or all its functions."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return [str(name) for name in ast.literal_eval(node.value)]
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def with_members(name: str, thing: Any) -> Iterator[str]:
    """A name, and the members of a class that users call or read."""
    yield name
    for member, value in vars(thing).items() if inspect.isclass(thing) else ():
        if is_public(member) and isinstance(value, (
                property, classmethod, staticmethod, type(is_public))):
            yield f"{name}.{member}"


def is_public(member: str) -> bool:
    """Whether users call a method."""
    return member == "__call__" or not member.startswith("_")


NAMES = [*names()]


def find(name: str) -> Any:
    """The function, class or property of that name; skip where its framework is missing."""
    for stem, framework in NEEDS.items():
        if f"{name}.".startswith(f"{stem}."):
            pytest.importorskip(framework, reason=f"{framework} is not installed here")
    if not name.startswith("adapters."):
        first, _, member = name.partition(".")
        return member_of(getattr(bleu_nb, first), member)
    module = max((each for each in ADAPTERS if name.startswith(f"{each}.")), key=len)
    first, _, member = name.removeprefix(f"{module}.").partition(".")
    return member_of(getattr(import_module(f"bleu_nb.{module}"), first), member)


def member_of(thing: Any, member: str) -> Any:
    """A member as its class holds it, without the wrapper of a class method; or the thing."""
    found = vars(thing)[member] if member else thing
    return getattr(found, "__func__", found)


def parameters(thing: Any) -> dict[str, inspect.Parameter]:
    """What a caller passes, as a docstring names it; all options of a dialect are `**choices`."""
    called = vars(thing).get("__init__", thing) if inspect.isclass(thing) else thing
    found: dict[str, inspect.Parameter] = {}
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    for each in inspect.signature(called).parameters.values():
        if each.name in ("self", "cls"):
            continue
        if isinstance(each.default, Usual):
            found["**choices"] = each
        else:
            found[stars.get(each.kind, "") + each.name] = each
    return found


def sections(thing: Any) -> dict[str, str]:
    """The parts of a docstring by their headings; the first has none."""
    first, *parts = HEADING.split(inspect.getdoc(thing) or "")
    return {"": first, **dict(zip(parts[::2], parts[1::2], strict=True))}


def described(thing: Any) -> dict[str, tuple[str, str]]:
    """Name -> type and description of each parameter of a docstring."""
    found = ENTRY.findall(sections(thing).get("Parameters", ""))
    return {name: (kind, " ".join(words.split())) for name, kind, words in found}


@pytest.mark.parametrize("name", NAMES)
def test_a_docstring_describes_each_parameter_and_the_result(name: str) -> None:
    thing = find(name)
    summary, *_ = sections(thing)[""].splitlines()
    assert summary.endswith(".") and len(summary) < 80
    if isinstance(thing, property):
        return
    if not inspect.isclass(thing) or "__init__" in vars(thing):
        # Of a dataclass in the order of its fields; some of them go by name only
        expected = [each.name for each in dataclasses.fields(thing)] if (
            dataclasses.is_dataclass(thing)) else [*parameters(thing)]
        assert [*described(thing)] == expected and {*expected} == {*parameters(thing)}
    for key, (kind, words) in described(thing).items():
        assert (kind or key.startswith("*")) and words.endswith("."), key
    if not inspect.isclass(thing):
        returned = inspect.signature(thing).return_annotation
        assert ("Returns" in sections(thing)) == (returned not in (None, "None"))


@pytest.mark.parametrize("name", NAMES)
def test_a_docstring_states_the_defaults_of_the_signature(name: str) -> None:
    thing = find(name)
    for key, (kind, _) in described(thing).items():
        value, stated = parameters(thing)[key].default, kind.partition("default ")[2]
        if value is inspect.Parameter.empty or key == "**choices":
            assert not stated
        elif callable(value):
            assert stated == value.__name__
        else:
            assert ast.literal_eval(stated) == value


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_print_what_they_show(name: str) -> None:
    thing = find(name)
    if isinstance(thing, property):
        return
    shown = sections(thing).get("Examples", "")
    assert ">>> " in shown or (inspect.isclass(thing) and not described(thing))
    assert_examples_print(shown, dict(vars(import_module(thing.__module__))), name)


def assert_examples_print(shown: str, names: dict[str, Any], name: str) -> None:
    """Run the examples of a docstring, which see these names."""
    example = doctest.DocTestParser().get_doctest(shown, names, name, None, None)
    told: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=told.append)
    assert not told, "".join(told)


@pytest.mark.parametrize("name", book.modules())
def test_the_docstring_of_a_module_is_a_short_manual(name: str) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"{NEEDS[name]} is not installed here")
    module = import_module(f"bleu_nb.{name}")
    assert module.__doc__
    summary, *paragraphs = module.__doc__.split("\n\n")
    assert summary.endswith(".") and len(paragraphs) >= 2
    listed = [each for line in MANUAL_ENTRY.findall(module.__doc__)
              for each in re.findall(r"`(\w+)`", line)]
    assert listed
    assert not [each for each in listed if not hasattr(module, each)]
    assert_examples_print(module.__doc__, {}, name)


RESULTS = ("significance.", "pairs.", "display.")  # Their classes, tables and charts


@pytest.mark.parametrize("name", [each for each in book.modules() if each.startswith(RESULTS)])
def test_the_examples_of_results_and_charts_print_what_they_show(name: str) -> None:
    module = import_module(f"bleu_nb.{name}")
    examples = [each for each in doctest.DocTestFinder().find(module) if each.examples]
    assert examples
    for example in examples:
        assert_examples_print(str(example.docstring), dict(vars(module)), example.name)


@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_is_documented_once(name: str) -> None:
    thing = find(name)
    if described(thing):
        fields = dataclasses.is_dataclass(thing)
        own = vars(thing)["__init__"] if inspect.isclass(thing) and not fields else thing
        [node] = ast.parse(textwrap.dedent(inspect.getsource(own))).body
        assert isinstance(node, (ast.FunctionDef, ast.ClassDef))
        lines = inspect.getsource(own).splitlines()
        places = [each.lineno for each in node.body if isinstance(each, ast.AnnAssign)
                  ] if fields else range(1, node.body[0].lineno)
        assert not [lines[place - 1] for place in places if COMMENT.search(lines[place - 1])]


def test_only_the_dialect_describes_its_options() -> None:
    assert {*CHOICES} <= {*described(Dialect)}
    for name in bleu_nb.__all__:
        thing = getattr(bleu_nb, name)
        if callable(thing) and "**choices" in parameters(thing):
            assert described(thing)["**choices"][1].endswith("See `Dialect`.")


def test_help_on_a_score_fits_the_screen() -> None:
    assert len((inspect.getdoc(bleu_nb.corpus_bleu) or "").splitlines()) <= 50
