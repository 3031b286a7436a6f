"""Choices as keywords: one list for type checkers, one for help, and both are the fields'."""

import importlib
import inspect
import math
import os
import pydoc
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import book
import pytest
from data import oracle

import bleu_nb
from bleu_nb import Bleu, Dialect, corpus_bleu, sentence_bleu
from bleu_nb.dialects.more_tokenizers import TOKENIZERS
from bleu_nb.dialects.table import (
    CHOICES,
    COMMON,
    DIALECTS,
    OTHER_NAMES,
    Choices,
    Usual,
)

PAIR = ["a b c d e"], [["a b c d f"]]
# `**choices` of these is no choice of a dialect, or not only
OTHERS = {"BleuMetric", "score_texts", "recall_dialect"}


NAMED = [(name, getattr(module, name))
         for module in (importlib.import_module(f"bleu_nb.{each}") for each in book.modules())
         for name in module.__all__]
CALLED = [(name, vars(each).get("__init__") if inspect.isclass(each) else each)
          for name, each in NAMED]
# Every function that a user may call, and the constructor of every class
PUBLIC = [(name, each) for name, each in CALLED if inspect.isfunction(each)]
TAKERS = {name: thing for name, thing in PUBLIC if "__signature__" in vars(thing)}


@pytest.mark.parametrize("name", TAKERS)
def test_a_signature_has_the_fields_of_a_dialect(name: str) -> None:
    shown, code = inspect.signature(TAKERS[name]).parameters, TAKERS[name].__code__
    own = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    common = {each.name: each for each in fields(Dialect) if each.name in COMMON}
    left = [common[each] for each in COMMON if each not in own]
    *keywords, others = [*shown.values()][-len(left) - 1:]
    assert [(each.name, each.kind, each.annotation, each.default, repr(each.default))
            for each in keywords] == [
        (each.name, inspect.Parameter.KEYWORD_ONLY, each.type, each.default, repr(each.default))
        for each in left]
    assert all(isinstance(each.default, Usual) for each in keywords)
    assert (others.name, others.kind, others.annotation) == (
        "choices", inspect.Parameter.VAR_KEYWORD, Choices)


def test_every_function_that_takes_choices_says_so() -> None:
    assert len(TAKERS) > 15
    assert [name for name, thing in PUBLIC if name not in (*TAKERS, *OTHERS)
            and "Unpack" in str(thing.__annotations__.get("choices"))] == []


def test_types_are_those_of_the_fields() -> None:
    assert [*Choices.__annotations__] == [*CHOICES]
    assert Choices.__optional_keys__ == {*CHOICES}


@pytest.mark.parametrize(("score", "sides"), [(corpus_bleu, PAIR), (sentence_bleu, ("a b", ["a"]))])
def test_a_default_that_is_passed_changes_nothing(score: Any, sides: Any) -> None:
    bound = inspect.signature(score).bind(*sides, dialect="nltk")
    bound.apply_defaults()
    assert {*COMMON} <= {*bound.kwargs}
    usual = {each.name: Usual(each.default) for each in fields(Dialect) if each.name in CHOICES}
    assert score(*bound.args, **bound.kwargs | usual) == score(*sides, dialect="nltk")
    assert Bleu("nltk", tokenizer=Usual("13a")).dialect == DIALECTS["nltk"]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", OTHER_NAMES["choice"])
def test_a_name_of_another_tool_says_what_to_pass(name: str) -> None:
    with pytest.raises(TypeError, match=f"^no option '{name}': pass (.+)") as caught:
        Bleu(**{name: 1})  # type: ignore[arg-type]
    assert {*re.findall(r"pass (\w+)=", str(caught.value))} <= {*CHOICES} - {name}


@pytest.mark.parametrize("name", [     # Of torchmetrics and Hugging Face; nltk's by position
    "trg_lang", "list_of_references", "hypothesis", "n_gram", "smooth", "preds", "target",
    "predictions"])
def test_names_of_the_common_tools_are_known(name: str) -> None:
    assert name in OTHER_NAMES["choice"]


def test_keywords_of_sacrebleu_and_nltk_are_taken_or_explained() -> None:
    sacrebleu, nltk = oracle("sacrebleu"), oracle("nltk.translate.bleu_score")
    for call in (sacrebleu.BLEU, sacrebleu.corpus_bleu, nltk.corpus_bleu):
        assert {*inspect.signature(call).parameters} <= {*OTHER_NAMES["choice"], *CHOICES}


@pytest.mark.parametrize("name", OTHER_NAMES["dialect"])
def test_a_tool_by_another_name_says_its_dialect(name: str) -> None:
    for typed in (name, name.upper()):
        with pytest.raises(ValueError, match=(
                rf"^no dialect '{typed}': did you mean '({'|'.join(DIALECTS)})'.*"
                rf"list all {len(DIALECTS)}$")):
            corpus_bleu(*PAIR, dialect=typed)
    assert {*re.findall("tokenizer.*'([^']+)'", OTHER_NAMES["dialect"][name])} <= {*TOKENIZERS}


@pytest.mark.parametrize(("given", "kind", "told"), [
    *(({"dialect": name}, ValueError, f"^no dialect '{name}': did you mean {near}")
      for name, near in (
        ("NLTK", "'nltk'"), ("sacreBLEU", "'sacrebleu'"), ("fairsek", "'fairseq'"),
        ("mteval-v13", "'mteval-v13a'"), ("google_bleu", "'google-bleu'"),
        ("moses", "'multi-bleu'"))),
    ({"dialect": "zzzzz"}, ValueError, r"^no dialect 'zzzzz': list_dialects\(\)"),
    ({"lowercse": True}, TypeError, "did you mean 'lowercase'"),
    ({"tokenise": "13a"}, TypeError, "did you mean 'tokenizer'"),
    ({"zzz": 1}, TypeError, "choose from 'reading', 'tokenizer'"),
])
@pytest.mark.parametrize("call", [partial(corpus_bleu, *PAIR), partial(sentence_bleu, "a", ["a"])])
def test_an_unknown_name_has_the_nearest_and_no_long_list(
    call: Any, given: dict[str, Any], kind: type[Exception], told: str
) -> None:
    with pytest.raises(kind, match=told) as caught:
        call(**given)
    assert "dialect" not in given or len(str(caught.value)) < 160


@pytest.mark.parametrize("name", ["corpus_bleu", "sentence_bleu", "Bleu", "compare_systems"])
def test_help_shows_the_common_options_in_the_signature_only(name: str) -> None:
    shown = pydoc.plain(pydoc.render_doc(getattr(bleu_nb, name)))
    assert "least_total:" not in shown
    assert "lowercase: bool = False" in shown and "See `Dialect`." in shown
    assert "lowercase : bool, default False" not in shown


@pytest.mark.parametrize("name", ["corpus_bleu", "sentence_bleu", "list_dialects", "tokenize"])
def test_help_fits_in_60_lines_of_100_columns(name: str) -> None:
    shown = pydoc.plain(pydoc.render_doc(getattr(bleu_nb, name))).splitlines()
    assert sum(max(1, math.ceil(len(line) / 100)) for line in shown) <= 60


CLIENT = '''
from collections.abc import Iterator
from pathlib import Path

from bleu_nb import (
    Bleu,
    BleuScore,
    Counts,
    compare_systems,
    corpus_bleu,
    file_bleu,
    mbr,
    rank_systems,
    self_bleu,
    sentence_bleu,
)
from bleu_nb.derivation import brevity_penalty
from bleu_nb.dialects import Choices, SmoothingName, TokenizerName
from bleu_nb.scoring import Counts as Kept
from bleu_nb.significance import Interval


def at_spaces(text: str) -> list[str]:
    return text.split(" ")


def lines(path: Path) -> Iterator[str]:
    yield from path.read_text(encoding="utf-8").splitlines()


candidates = ["the cat sat", "a dog ran"]
references = [["the cat sat down"], ["a dog ran", "one dog ran"]]
tokenizer: TokenizerName = "intl"
smoothing: SmoothingName = "floor"
usual: Choices = {"lowercase": True, "max_order": 2}
score: BleuScore = corpus_bleu(candidates, references, **usual)
number: float = sentence_bleu("the cat", ["the cat"], effective_order="always").value
own = Bleu("nltk", tokenizer=at_spaces, weights=(0.5, 0.5), smoothing=smoothing)
intl = Bleu(tokenizer=tokenizer)
counts: Counts = own.count([["the", "cat"]], [[["the", "cat"]]])
kept: Kept = counts
short: float = brevity_penalty(3, 4)
streamed = corpus_bleu(lines(Path("a")), ([line] for line in lines(Path("b"))), threads=2)
files: str = file_bleu("a.txt", ["b.txt"], scale=1, digits=None).signature
found = compare_systems("A", {"A": candidates, "B": (candidates, candidates)}, references,
                        test="bootstrap", documents=["one", "one"], casing="after")
ranked = rank_systems({"A": counts, "B": counts}, smoothing_value=None)
alike: float = self_bleu(candidates, average="segments").value
best = [each.place for each in mbr([candidates], strip=False, penalty="plus one")]
values = [each.score.value for each in found.systems + ranked.systems]
intervals: list[Interval | None] = [each.interval for each in found.systems]
'''

MISSPELT = """
from bleu_nb import Bleu, compare_systems, corpus_bleu, sentence_bleu
from bleu_nb.derivation import brevity_penalty
corpus_bleu(["a"], [["a"]], lowercse=True)
sentence_bleu("a", ["a"], tokenizer="13b")
Bleu(max_order="4")
compare_systems("A", {"A": ["a"]}, [["a"]], smoothing="expo")
from bleu_nb.scoring import no_such_name
short: str = brevity_penalty(3, 4)
"""


CHECKERS = {
    "mypy": [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent",
             "--python-version"],
    "pyright": ["pyright", "--pythonpath", sys.executable, "--pythonversion"],
}


@pytest.mark.parametrize("version", ["3.10", pytest.param("3.13", marks=pytest.mark.slow)])
@pytest.mark.parametrize("checker", CHECKERS)
def test_a_type_checker_accepts_a_client_and_refuses_misspelt_calls(
    checker: str, version: str, tmp_path: Path
) -> None:
    if not (find_spec("mypy") if checker == "mypy" else shutil.which(checker)):
        pytest.skip(f"{checker} is not installed")
    (tmp_path / "client.py").write_text(CLIENT, encoding="utf-8")
    (tmp_path / "misspelt.py").write_text(MISSPELT, encoding="utf-8")
    root = str(Path(bleu_nb.__file__).parents[1])   # No checker follows an editable install
    done = subprocess.run(
        [*CHECKERS[checker], version, "client.py", "misspelt.py"], cwd=tmp_path, text=True,
        capture_output=True, env={**os.environ, "MYPYPATH": root, "PYTHONPATH": root})
    found = re.findall(r"(\w+).py:(\d+)(?::\d+)?(?: -|:) error", done.stdout)
    assert {*found} == {("misspelt", f"{line}") for line in range(4, 10)}, done.stdout + done.stderr
