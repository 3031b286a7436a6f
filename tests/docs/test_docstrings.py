"""The docstrings of the public API are complete, and their examples print what they show."""

import ast
import doctest
import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import book
import pytest
from fastcore.docscrape import NumpyDocString

import bleu_nb
from bleu_nb.dialects.table import CHOICES, Dialect, Usual

# The examples of these need a framework, which may be missing.
NEEDS = {
    "evaluation_set": "sacrebleu",
    "adapters.ignite": "ignite",
    "adapters.keras": "keras",
    "adapters.lm_eval.register": "lm_eval",
    "adapters.lm_eval.bleu_metric": "lighteval",
    "adapters.nltk": "nltk",
    "adapters.sacrebleu": "sacrebleu",
    "adapters.torchmetrics": "torchmetrics",
}
ADAPTERS = [name for name in book.modules() if name.startswith("adapters.")]
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
    """The `__all__` of a module."""
    [value] = [node.value for node in tree.body if isinstance(node, ast.Assign)
               and ast.unparse(node.targets[0]) == "__all__"]
    return [str(name) for name in ast.literal_eval(value)]


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
    module, _, rest = name.rpartition(".") if name.startswith("adapters.") else ("", "", name)
    for stem, framework in NEEDS.items():
        if f"{name}.".startswith(f"{stem}."):
            pytest.importorskip(framework, reason=f"{framework} is not installed here")
    if not name.startswith("adapters."):
        first, _, member = name.partition(".")
        return member_of(getattr(bleu_nb, first), member)
    module, rest = ".".join(name.split(".")[:2]), name.split(".")[2:]
    return member_of(getattr(import_module(f"bleu_nb.{module}"), rest[0]), ".".join(rest[1:]))


def member_of(thing: Any, member: str) -> Any:
    """A member as its class holds it, without the wrapper of a class method; or the thing."""
    found = vars(thing)[member] if member else thing
    return getattr(found, "__func__", found)


def parameters(thing: Any) -> dict[str, inspect.Parameter]:
    """What a caller passes, as a docstring names it; all options of a dialect are `**choices`."""
    called = vars(thing).get("__init__", thing) if inspect.isclass(thing) else thing
    found, stars = {}, {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    for each in inspect.signature(called).parameters.values():
        if each.name in ("self", "cls"):
            continue
        if isinstance(each.default, Usual):
            found["**choices"] = each
        else:
            found[stars.get(each.kind, "") + each.name] = each
    return found


def parsed(thing: Any) -> NumpyDocString:
    """The sections of a docstring."""
    return NumpyDocString(inspect.getdoc(thing) or "")


@pytest.mark.parametrize("name", NAMES)
def test_a_docstring_describes_each_parameter_and_the_result(name: str) -> None:
    thing, doc = find(name), parsed(find(name))
    summary = " ".join(doc["Summary"])
    assert summary.endswith(".") and len(summary) < 80
    if isinstance(thing, property):
        return
    if not inspect.isclass(thing) or parameters(thing) and thing.__module__.startswith("bleu_nb"):
        told = {each.name: each for each in doc["Parameters"]}
        if "__init__" in vars(thing) or not inspect.isclass(thing) or doc["Parameters"]:
            assert [*told] == [*parameters(thing)]
        for key, each in told.items():
            assert each.type or key.startswith("*")
            assert each.desc and " ".join(each.desc).endswith(".")
    if not inspect.isclass(thing):
        returns = inspect.signature(thing).return_annotation
        assert bool(doc["Returns"]) == (returns not in (None, "None"))


@pytest.mark.parametrize("name", NAMES)
def test_a_docstring_states_the_defaults_of_the_signature(name: str) -> None:
    thing = find(name)
    if isinstance(thing, property):
        return
    for each in parsed(thing)["Parameters"]:
        value = parameters(thing)[each.name].default
        stated = re.search(r"default (.+)$", each.type)
        if value is inspect.Parameter.empty or each.name == "**choices":
            assert not stated
        elif callable(value):
            assert stated and stated[1] == value.__name__
        else:
            assert stated and ast.literal_eval(stated[1]) == value


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_print_what_they_show(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    thing = find(name)
    if isinstance(thing, property):
        return
    doc = inspect.getdoc(thing) or ""
    assert ">>> " in doc or not parsed(thing)["Parameters"] and inspect.isclass(thing)
    monkeypatch.setenv("KERAS_BACKEND", "torch")
    module = import_module(thing.__module__)
    example = doctest.DocTestParser().get_doctest(doc, dict(vars(module)), name, None, None)
    told: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=told.append)
    assert not told, "".join(told)


@pytest.mark.parametrize("name", NAMES)
def test_a_parameter_is_documented_once(name: str) -> None:
    thing = find(name)
    if not isinstance(thing, property) and parsed(thing)["Parameters"]:
        called: Callable[..., Any] = vars(thing).get("__init__", thing) if (
            inspect.isclass(thing)) else thing
        head = inspect.getsource(called).partition('"""')[0].partition(":\n        ")[0]
        assert not [line for line in head.splitlines() if "  # " in line and "type:" not in line]


def test_only_the_dialect_describes_its_options() -> None:
    told = {each.name: each for each in parsed(Dialect)["Parameters"]}
    assert {*CHOICES} <= {*told}
    for name in bleu_nb.__all__:
        if callable(thing := getattr(bleu_nb, name)) and "**choices" in parameters(thing):
            assert "See `Dialect`." in (inspect.getdoc(thing) or "")
    assert len((inspect.getdoc(bleu_nb.corpus_bleu) or "").splitlines()) <= 60
