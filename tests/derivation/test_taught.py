"""The functions that chapters 1.1 to 1.6 teach are the functions that the package runs."""

import ast
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from types import FrameType
from typing import Any

import book
import pytest
from lessons import cells

import bleu_nb.derivation
from bleu_nb import corpus_bleu, sentence_bleu
from bleu_nb.derivation import (
    BleuStats,
    add_k,
    count_segment,
    exponential,
    floor,
    score_stats,
    smooth_matched,
    sum_stats,
    tokenize_13a,
    tokenize_char,
    tokenize_none,
)
from bleu_nb.derivation.bleu import list_credits

CHAPTERS = ["01_ngrams", "02_precision", "03_brevity", "04_bleu", "05_smoothing",
            "06_tokenization"]
NOT_IN_A_SCORE = {"naive_precision", "clipped_precision"}   # A corpus adds counts up instead
METHODS = {"none": list_credits, "floor": floor, "add-k": add_k, "exp": exponential}
TOKENIZERS = {"none": tokenize_none, "char": tokenize_char, "13a": tokenize_13a}
STEPS = ["count_segment", "sum_stats", "smooth_matched", "score_stats"]
CANDIDATES = ["The cat sat on the mat.", "A dog barked, at 7.30", "It slept"]
REFERENCES = [["The cat is on the mat.", "There is a cat on the mat."],
              ["The dog barked at 7.30 p.m.", "At 7.30, a dog barked"], ["It slept."]]


def exported(name: str) -> Iterator[tuple[str, str]]:
    """Each function that a chapter exports, with the source of its cell."""
    for kind, source in cells(name):
        if kind == "code" and book.directives(source) & book.EXPORTED:
            for each in ast.parse(book.without_directives(source)).body:
                if isinstance(each, ast.FunctionDef):
                    yield each.name, source


TAUGHT = {name for chapter in CHAPTERS for name, _ in exported(chapter)}


@contextmanager
def calls() -> Iterator[list[str]]:
    """The names of functions of the package's first folder that are called meanwhile."""
    found: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        module = frame.f_globals.get("__name__", "")
        if event == "call" and module.startswith("bleu_nb.derivation."):
            found.append(frame.f_code.co_name)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)


def composed(tokenize: Callable[[str], list[str]], method: Callable[..., Any], scale: int) -> float:
    """The score of the example, from the functions of the chapters alone."""
    segments: list[BleuStats] = []
    for candidate, references in zip(CANDIDATES, REFERENCES, strict=True):
        segments.append(count_segment(tokenize(candidate), [*map(tokenize, references)]))
    stats = sum_stats(segments)
    return score_stats(stats, smooth_matched(stats, method), scale=scale).value


@pytest.mark.parametrize("name", CHAPTERS)
def test_no_exported_function_of_the_tutorial_is_folded(name: str) -> None:
    folded = [function for function, source in exported(name)
              if book.directives(source) & book.FOLDED]
    assert not folded, f"remove `#| code-fold` or `#| export` from the cells of {folded}"


@pytest.mark.parametrize("name", CHAPTERS)
def test_what_a_chapter_teaches_can_be_imported(name: str) -> None:
    public = {function for function, source in exported(name)
              if "exports" in book.directives(source)}
    assert public
    assert public <= {*bleu_nb.derivation.__all__}


@pytest.mark.parametrize("name", CHAPTERS)
def test_the_checks_end_with_a_visible_cell_that_calls_nltk_and_torchtext(name: str) -> None:
    """It ends with the values that were compared, not with an assertion."""
    sources = [source for _, source in cells(name)]
    [start] = [n for n, source in enumerate(sources) if source.startswith("## Checked against")]
    end = sources.index("## Summary")
    *_, (kind, last) = cells(name)[start:end]
    assert kind == "code", f"move the visible check of {name} to the end of its section"
    assert not book.directives(last) & (book.FOLDED | book.HIDDEN)
    assert re.search(r"from nltk\b", last), "import nltk where readers see it"
    assert re.search(r"^    from torchtext\b", last, re.MULTILINE)
    assert "test_close(" in last or "test_eq(" in last
    value = ast.parse(last).body[-1]
    assert isinstance(value, ast.Expr)
    assert not isinstance(value.value, ast.Call)


def test_the_definition_engine_calls_every_taught_function() -> None:
    with calls() as found:
        for smoothing in METHODS:
            for tokenizer in TOKENIZERS:
                corpus_bleu(CANDIDATES, REFERENCES, engine="definition", smoothing=smoothing,
                            tokenizer=tokenizer)
    assert {*found} >= TAUGHT - NOT_IN_A_SCORE
    assert not NOT_IN_A_SCORE & {*found}


@pytest.mark.parametrize("dialect", ["sacrebleu", "papineni"])
def test_the_definition_engine_calls_the_steps_in_order(dialect: str) -> None:
    with calls() as found:
        corpus_bleu(CANDIDATES, REFERENCES, dialect, engine="definition")
    tokenizer = next(name for name in found if name.startswith("tokenize_"))
    places = [found.index(step) for step in (tokenizer, *STEPS)]
    assert all(earlier < later for earlier, later in pairwise(places))
    assert [found.count(step) for step in STEPS] == [len(CANDIDATES), 1, 1, 1]


@pytest.mark.parametrize("engine", ["definition", "bits", "numpy", "numba"])
@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@pytest.mark.parametrize("smoothing", METHODS)
def test_every_engine_equals_the_functions_of_the_tutorial(
    smoothing: str, tokenizer: str, engine: str
) -> None:
    for dialect, scale in (("sacrebleu", 100), ("papineni", 1)):
        score = corpus_bleu(CANDIDATES, REFERENCES, dialect, engine=engine, tokenizer=tokenizer,
                            smoothing=smoothing)
        expected = composed(TOKENIZERS[tokenizer], METHODS[smoothing], scale)
        assert score.value.hex() == expected.hex()


@pytest.mark.parametrize("engine", ["auto", "bits", "numpy"])
def test_any_engine_uses_the_taught_penalty_mean_and_smoothing(engine: str) -> None:
    with calls() as found:
        corpus_bleu(CANDIDATES, REFERENCES, engine=engine)
        sentence_bleu(CANDIDATES[0], REFERENCES[0])
    assert {"score_stats", "brevity_penalty", "geometric_mean", "exponential"} <= {*found}
