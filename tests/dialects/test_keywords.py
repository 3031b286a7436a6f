"""Choices as keywords: one list for type checkers, one for help, and both are the fields'."""

import importlib
import inspect
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import book
import pytest

import bleu_nb
from bleu_nb import Bleu, Dialect, corpus_bleu, list_dialects, sentence_bleu
from bleu_nb.dialects.more_tokenizers import TOKENIZERS
from bleu_nb.dialects.table import (
    CHOICES,
    DIALECTS,
    OTHER_NAMES,
    Choices,
    Usual,
)

MODULES = book.modules()
PAIR = ["a b c d e"], [["a b c d f"]]
# `**choices` of these is no choice of a dialect, or not only
OTHERS = {"BleuMetric", "score_texts", "recall_dialect"}


def public() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every function that a user may call, and the constructor of every class."""
    for module in MODULES:
        loaded = importlib.import_module(f"bleu_nb.{module}")
        for name in loaded.__all__:
            thing = getattr(loaded, name)
            if inspect.isfunction(thing):
                yield name, thing
            elif inspect.isclass(thing) and inspect.isfunction(vars(thing).get("__init__")):
                yield name, vars(thing)["__init__"]


TAKERS = [pytest.param(thing, id=name) for name, thing in public()
          if "__signature__" in vars(thing)]


@pytest.mark.parametrize("function", TAKERS)
def test_a_signature_has_the_fields_of_a_dialect(function: Callable[..., Any]) -> None:
    shown = inspect.signature(function).parameters
    own = function.__code__.co_varnames[:function.__code__.co_argcount
                                        + function.__code__.co_kwonlyargcount]
    left = [each for each in fields(Dialect) if each.name in CHOICES and each.name not in own]
    assert [*shown][-len(left):] == [each.name for each in left]
    for each in left:
        keyword = shown[each.name]
        assert keyword.kind is keyword.KEYWORD_ONLY
        assert (keyword.annotation, keyword.default) == (each.type, each.default)
        assert repr(keyword.default) == repr(each.default)
    assert not [each for each in shown.values() if each.kind is each.VAR_KEYWORD]


def test_every_function_that_takes_choices_says_so() -> None:
    assert len(TAKERS) > 15
    takers = {param.id for param in TAKERS}
    for module in MODULES:
        text = (Path(bleu_nb.__file__).parent / f"{module.replace('.', '/')}.py").read_text(
            encoding="utf-8")
        for name in re.findall(
                r"^def (\w+)\((?:(?!^def ).)*?\*\*choices: Unpack", text, re.DOTALL | re.MULTILINE):
            loaded = importlib.import_module(f"bleu_nb.{module}")
            assert name in takers or name in OTHERS or name not in loaded.__all__, name


def test_types_are_those_of_the_fields() -> None:
    assert [*Choices.__annotations__] == [*CHOICES]
    assert Choices.__optional_keys__ == {*CHOICES}


def test_a_default_that_is_passed_changes_nothing() -> None:
    bound = inspect.signature(corpus_bleu).bind(*PAIR, dialect="nltk")
    bound.apply_defaults()
    assert len(bound.kwargs) > 20
    assert corpus_bleu(*bound.args, **bound.kwargs) == corpus_bleu(*PAIR, dialect="nltk")
    bound = inspect.signature(sentence_bleu).bind("a b", ["a b"], "nltk")
    bound.apply_defaults()
    assert sentence_bleu(*bound.args, **bound.kwargs).signature.startswith("nrefs:1")
    assert Bleu("nltk", tokenizer=Usual("13a", "")).dialect == DIALECTS["nltk"]  # type: ignore[arg-type]


@pytest.mark.parametrize("name", OTHER_NAMES["choice"])
def test_a_name_of_another_tool_says_what_to_pass(name: str) -> None:
    with pytest.raises(TypeError, match=f"^no choice '{name}': pass (.+)") as caught:
        Bleu(**{name: 1})  # type: ignore[arg-type]
    passed = re.search(r"pass (\w+)=", str(caught.value))
    assert passed is None or passed[1] in CHOICES
    assert name not in CHOICES


THEIR_NAMES = {  # Every keyword of these that ours lack, but for those of other jobs
    "sacrebleu": ["tokenize", "smooth_method", "smooth_value", "max_ngram_order", "trg_lang",
                  "force", "use_effective_order", "references"],
    "nltk": ["smoothing_function", "auto_reweigh", "list_of_references", "hypotheses",
             "hypothesis"],
    "torchmetrics": ["n_gram", "smooth", "tokenize", "preds", "target"],
    "huggingface": ["predictions", "smooth"],
}


@pytest.mark.parametrize("name", [each for names in THEIR_NAMES.values() for each in names])
def test_names_of_the_common_tools_are_known(name: str) -> None:
    assert name in OTHER_NAMES["choice"]


def test_keywords_of_sacrebleu_and_nltk_are_taken_or_explained() -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    nltk = pytest.importorskip("nltk.translate.bleu_score")
    theirs = {*inspect.signature(sacrebleu.BLEU).parameters} | {
        *inspect.signature(sacrebleu.corpus_bleu).parameters} | {
        *inspect.signature(nltk.corpus_bleu).parameters}
    assert theirs - {*OTHER_NAMES["choice"]} - {*CHOICES} == set()


@pytest.mark.parametrize("name", OTHER_NAMES["dialect"])
def test_a_tool_by_another_name_says_its_dialect(name: str) -> None:
    assert name not in DIALECTS
    for typed in (name, name.upper()):
        with pytest.raises(ValueError, match=f"^no dialect '{typed}': did you mean '") as caught:
            corpus_bleu(*PAIR, dialect=typed)
        assert str(caught.value).split("did you mean '")[1].split("'")[0] in DIALECTS
        assert str(caught.value).endswith(f"shows all {len(DIALECTS)}")
    for quoted in re.findall("tokenizer.*'([^']+)'", OTHER_NAMES["dialect"][name]):
        assert quoted in TOKENIZERS


@pytest.mark.parametrize(("name", "near"), [
    ("NLTK", "'nltk'"), ("sacreBLEU", "'sacrebleu'"), ("fairsek", "'fairseq'"),
    ("mteval-v13", "'mteval-v13a'"), ("google_bleu", "'google-bleu'"), ("moses", "'multi-bleu'"),
])
def test_an_unknown_dialect_has_the_nearest_and_no_long_list(name: str, near: str) -> None:
    with pytest.raises(ValueError, match=f"^no dialect '{name}': did you mean {near}") as caught:
        sentence_bleu("a", ["a"], name)
    assert len(str(caught.value)) < 160
    with pytest.raises(ValueError, match=r"^no dialect 'zzzzz': list_dialects\(\)"):
        Bleu("zzzzz")


@pytest.mark.parametrize(("given", "told"), [
    ({"lowercse": True}, "did you mean 'lowercase'"),
    ({"tokenise": "13a"}, "did you mean 'tokenizer'"),
    ({"zzz": 1}, "choose from 'reading', 'tokenizer'"),
])
def test_an_unknown_name_is_a_type_error_with_the_nearest(
    given: dict[str, Any], told: str
) -> None:
    for call in (lambda: corpus_bleu(*PAIR, **given), lambda: sentence_bleu("a", ["a"], **given)):
        with pytest.raises(TypeError, match=told):
            call()


def test_no_signature_is_long_by_a_default() -> None:
    assert len(str(inspect.signature(list_dialects))) < 150
    long = [name for name, thing in public() for each in inspect.signature(
        thing).parameters.values() if len(repr(each.default)) > 200]
    assert not long


def help_of(name: str) -> str:
    """What `help` prints of a name in a new process."""
    code = f"import pydoc, bleu_nb; print(pydoc.plain(pydoc.render_doc(bleu_nb.{name})))"
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          encoding="utf-8", check=True).stdout


@pytest.mark.parametrize(("name", "said"), [
    ("corpus_bleu", ["candidates: One per segment", "threads: None: one per core",
                     "lowercase: ignore case", "tokenizer: how text becomes tokens: 13a, none",
                     "lowercase: bool = False"]),
    ("Bleu", ["engine: Or a name in `ENGINES`", "strip: trim the end of a line first",
              "signature: Of sacreBLEU or bleu_nb, or a line with one"]),
    ("Dialect", ["name: Without", "scale: the highest score: 1, 100"]),
    ("compare_systems", ["correction: Or \"none\"", "average: of segments"]),
    ("tokenize", ["Parameters:"]),
    ("BleuScore", ["brevity_penalty: From 0 to 1"]),
])
def test_help_shows_the_comments_beside_parameters(name: str, said: list[str]) -> None:
    shown = help_of(name)
    assert not [each for each in said if each not in shown]
    choices = shown.partition("Choices, with")[2].partition("Methods defined")[0]
    choices = re.split(r"\n \|  \w+\(", choices)[0]     # Up to the next method
    assert all(len(line) < 80 for line in choices.splitlines()[:80] if "(" not in line)
    assert shown.count("Parameters:\n        candidates: One per segment") <= 5


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


def check_types(text: str, place: Path, command: list[str]) -> tuple[int, str]:
    """What a type checker says of a client: its status, and its lines."""
    (place / "client.py").write_text(text, encoding="utf-8")
    root = str(Path(bleu_nb.__file__).parents[1])   # No checker follows an editable install
    done = subprocess.run([*command, "client.py"], cwd=place, capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": root, "PYTHONPATH": root})
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_mypy_accepts_a_client_and_refuses_misspelt_calls(version: str, tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", f"--python-version={version}",
               "--follow-imports=silent"]
    status, said = check_types(CLIENT, tmp_path, command)
    assert not status, said
    status, said = check_types(MISSPELT, tmp_path, command)
    assert status and {int(line) for line in re.findall(r"client.py:(\d+): error", said)} == {
        4, 5, 6, 7, 8, 9}, said
    assert 'Unexpected keyword argument "lowercse"' in said


@pytest.mark.skipif(not shutil.which("pyright"), reason="pyright is not installed")
@pytest.mark.parametrize("version", ["3.10", "3.13"])
def test_pyright_accepts_a_client_and_refuses_misspelt_calls(version: str, tmp_path: Path) -> None:
    command = ["pyright", "--pythonversion", version, "--pythonpath", sys.executable]
    status, said = check_types(CLIENT, tmp_path, command)
    assert not status, said
    status, said = check_types(MISSPELT, tmp_path, command)
    assert status and {int(line) for line in re.findall(r"client.py:(\d+):\d+ - error", said)} == {
        4, 5, 6, 7, 8, 9}, said
