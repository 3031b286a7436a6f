"""The module for Hugging Face evaluate: offline, from several processes, by every dialect."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from calls import by_two
from data import example

from bleu_nb import DIALECTS, corpus_bleu
from bleu_nb.adapters import evaluate_module_path
from bleu_nb.adapters.evaluate import keys_of

MISSING = "evaluate is not installed here: `make frameworks` brings it"
SYSTEM, ONE, OTHER = (
    example(name)[:9]
    for name in ("kestrel", "reference_1", "reference_2"))
GROUPS: list[list[str | None]] = [
    [one, None if place % 3 == 1 else other]
    for place, (one, other) in enumerate(zip(ONE, OTHER, strict=True))]


@pytest.fixture(scope="module")
def evaluate(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The framework, with an empty folder for what it keeps, and without a network."""
    home = tmp_path_factory.mktemp("home")
    with patch.dict(os.environ, HF_HOME=str(home), HF_HUB_OFFLINE="1"):
        framework = pytest.importorskip("evaluate", reason=MISSING)
    with (patch.object(framework.config, "HF_MODULES_CACHE", home / "modules"),
          patch.object(framework.config, "HF_METRICS_CACHE", home / "metrics")):
        yield framework


@pytest.fixture(scope="module")
def bleu(evaluate: Any) -> Any:
    """The module, loaded as a user does."""
    return evaluate.load(evaluate_module_path())


OFFLINE = """
import json, socket, sys
def refuse(*_):
    raise AssertionError("a connection")
socket.socket.connect = refuse
import evaluate, bleu_nb
rank, given = int(sys.argv[1]), json.loads(sys.argv[2])
bleu = evaluate.load(bleu_nb.adapters.evaluate_module_path(), num_process=2, process_id=rank,
                     experiment_id="two")
own = slice(1) if rank == 0 else slice(1, None)
bleu.add_batch(predictions=given[0][own], references=given[1][own])
print(json.dumps(bleu.compute(dialect="nltk", smoothing="nltk-7")))
"""


@pytest.mark.usefixtures("evaluate")
def test_two_processes_are_one_offline_in_an_empty_home(tmp_path: Path) -> None:
    assert by_two(OFFLINE, json.dumps([SYSTEM, GROUPS]), HF_HOME=str(tmp_path),
                  HF_HUB_OFFLINE="1") == [
        keys_of(corpus_bleu(SYSTEM, GROUPS, "nltk", smoothing="nltk-7")), None]


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_is_an_option(bleu: Any, name: str) -> None:
    try:
        wanted = keys_of(corpus_bleu(SYSTEM, GROUPS, name))
    except ValueError:  # This dialect takes one number of references
        with pytest.raises(ValueError, match="references"):
            bleu.compute(predictions=SYSTEM, references=GROUPS, dialect=name)
    else:
        found = bleu.compute(predictions=SYSTEM, references=GROUPS, dialect=name)
        assert json.loads(json.dumps(found)) == found == wanted


def test_its_keys_are_those_of_sacrebleu(bleu: Any) -> None:
    sacrebleu = pytest.importorskip("sacrebleu")
    theirs = sacrebleu.corpus_bleu(SYSTEM, [ONE, OTHER])
    found = bleu.compute(
        predictions=SYSTEM, references=[*map(list, zip(ONE, OTHER, strict=True))])
    for name in ("score", "counts", "totals", "precisions", "bp", "sys_len", "ref_len"):
        assert found[name] == getattr(theirs, name), name
    assert found["length_ratio"] == theirs.sys_len / theirs.ref_len


@pytest.mark.parametrize(("name", "told"), [
    ("smooth_method", "smoothing="), ("tokenize", "tokenizer="),
    ("use_effective_order", "effective_order="), ("force", "nothing")])
def test_names_of_evaluates_own_modules_say_what_to_pass(bleu: Any, name: str, told: str) -> None:
    with pytest.raises(TypeError, match=f"no option '{name}': pass {told}"):
        bleu.compute(predictions=SYSTEM, references=GROUPS, **{name: True})


def test_no_reference_token_gives_no_ratio(bleu: Any) -> None:
    found = bleu.compute(predictions=["a"], references=[""])
    assert (found["ref_len"], found["length_ratio"]) == (0, 0.0)


@pytest.mark.parametrize("name", ["sacrebleu", "huggingface"])
def test_bleu_is_never_above_1(name: str) -> None:
    score = corpus_bleu(["the boat came late"], [["the boat came late"]], name)
    assert keys_of(score)["bleu"] == 1
    assert keys_of(score)["score"] == score.value  # As the tool, which may say 100.00000000000004
