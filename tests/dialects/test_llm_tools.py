"""Tools for language models: answers of their functions, and what their names are answered with."""

import math
import re
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from data import MANIFEST, RECORDED, lines, needs, read_json

from bleu_nb import corpus_bleu, sentence_bleu
from bleu_nb.dialects.table import OTHER_NAMES

RECORD = read_json(RECORDED / "llm_tools.json.gz")
FILES = {
    "e2e/mr-en": ("sys.zhaw1", "ref.01", "ref.02", "ref.03", "ref.04"),
    "wmt21/zh-en": ("sys.Online-W", "ref.A")}
Score = Callable[[str, list[str]], Any]


def by_nltk(candidate: str, references: list[str], **options: Any) -> Any:
    """nltk's score of tokens that `word_tokenize` gives for single sentences."""
    return sentence_bleu(candidate, references, "nltk", tokenizer="treebank", **options)


def of_characters(candidate: str, references: list[str]) -> Any:
    """What LlamaFactory averages."""
    return sentence_bleu([*candidate], [[*references[0]]], "nltk", smoothing="nltk-3",
                         scale=100, digits=4)


ONLY = {"bleu1": (1, 0, 0, 0), "bleu4": (0, 0, 0, 1)}
TOOLS: dict[str, tuple[Score, float]] = {   # Our score, and the largest relative difference
    "promptfoo": (partial(sentence_bleu, dialect="promptfoo"), 5e-16),
    "bleu-score": (lambda candidate, references: sentence_bleu(
        candidate, references[:1], "papineni", tokenizer="single-space"), 4e-16),
    "azure-ai-evaluation": (lambda candidate, references: by_nltk(
        candidate, references[:1], smoothing="nltk-4"), 0),
    "deepeval bleu1": (partial(by_nltk, weights=ONLY["bleu1"]), 0),
    "deepeval bleu4": (partial(by_nltk, weights=ONLY["bleu4"]), 0),
    "helm bleu_4": (lambda candidate, references: by_nltk(
        candidate, references[:1], weights=ONLY["bleu4"]), 0),
    "evalscope bleu-4": (lambda candidate, references: by_nltk(
        candidate, references[:1], weights=ONLY["bleu4"]), 0),
    "llamafactory": (of_characters, 0),
    "lightyear": (lambda candidate, references: sentence_bleu(
        candidate, references[:1], lowercase=True), 0),
}
BY_WORDS = ("azure", "deepeval", "helm", "evalscope")   # These tokenize with nltk


def check(name: str, pairs: list[tuple[str, list[str]]], start: int) -> None:
    """Compare the answers to some pairs, which begin at a place of the record."""
    score, most = TOOLS[name]
    stop, compared = start + len(pairs), 0
    for (candidate, references), theirs, single in zip(
            pairs, RECORD["answers"][name][start:stop], RECORD["one sentence"][start:stop],
            strict=True):
        if theirs is None or (name.startswith(BY_WORDS) and not single):
            continue
        value = score(candidate, references).value
        compared += 1
        assert math.isclose(value, theirs, rel_tol=most, abs_tol=0), (candidate, references)
    assert compared > 50


def real_pairs() -> list[tuple[str, list[str]]]:
    """The 200 pairs of the evaluation sets."""
    pairs = []
    for folder, place in RECORD["real"]:
        candidate, *references = [lines(f"{folder}/{name}.txt")[place] for name in FILES[folder]]
        pairs.append((candidate, [each for each in references if each]))
    return pairs


@pytest.mark.parametrize("name", TOOLS)
def test_hostile_pairs_have_the_recorded_score(name: str) -> None:
    check(name, RECORD["hostile"], len(RECORD["real"]))


@needs(MANIFEST)
@pytest.mark.parametrize("name", TOOLS)
def test_real_pairs_have_the_recorded_score(name: str) -> None:
    check(name, real_pairs(), 0)


@needs(MANIFEST)
@pytest.mark.parametrize(("start", "stop", "theirs"), RECORD["unitxt"])
def test_unitxt_pools_with_effective_order(start: int, stop: int, theirs: float) -> None:
    pairs = [*real_pairs(), *RECORD["hostile"]][start:stop]
    candidates, references = zip(*pairs, strict=True)
    assert corpus_bleu([*candidates], [*references], effective_order="always", scale=1,
                       digits=2).value == theirs


@pytest.mark.parametrize(("name", "options"), [
    ("llamafactory", {"scale": 100, "smoothing": "nltk-3", "average": "segments"}),
    ("deepeval", {"weights": (0, 0, 0, 1), "average": "segments", "tokenizer": "nltk-word"}),
    ("azure", {"smoothing": "nltk-4", "average": "segments", "tokenizer": "nltk-word"}),
    ("unitxt", {"effective_order": "always", "scale": 1, "digits": 2}),
    ("bleu-score", {"tokenizer": "single-space"}), ("bleu-2", {"max_order": 2})])
def test_a_name_is_answered_with_the_options_that_were_compared(
    name: str, options: dict[str, Any]
) -> None:
    answer = OTHER_NAMES["dialect"][name]
    found = {key: eval(value) for key, value in re.findall(
        r"(\w+)=(\([^)]*\)|'[^']*'|\d+)", answer)}
    assert found == options
