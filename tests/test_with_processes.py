"""The integers of `Reducer`: any split, any order, and two processes that only add."""

import json
import math
import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bleu_nb import DIALECTS, Bleu, corpus_bleu
from bleu_nb.engine import plain_pairs
from bleu_nb.inputs import check_corpus
from bleu_nb.reducing import Reducer, check_marks, marks_of, own_share

ROOT = Path(__file__).resolve().parent.parent
HOSTILE = ["", " ", "\t", "a", "a a a", "The boat.", "ein Käfer", "好 的", "\u2028", "\x00",
           "\x85 x",
           "🙂🙂", "i̇İ", "a\nb", "<b>&amp;</b>", "1,000.5", "'s", "a" * 70]  # fmt: skip
texts = st.one_of(st.sampled_from(HOSTILE), st.lists(st.sampled_from("abC."), max_size=8).map(
    " ".join))  # fmt: skip
tokens = st.lists(st.sampled_from(["a", "b", "好", "", "A"]), max_size=7)
ids = st.lists(st.integers(0, 4), max_size=7)


def corpora_of(segment: Any) -> Any:
    """Segments of one kind, each with one to three references."""
    pair = st.tuples(segment, st.lists(segment, min_size=1, max_size=3))
    return st.lists(pair, min_size=1, max_size=10)


corpora = st.one_of(corpora_of(texts), corpora_of(tokens))


def columns(corpus: list[Any]) -> tuple[list[Any], list[Any]]:
    """Candidates, and the references of each."""
    return [pair[0] for pair in corpus], [pair[1] for pair in corpus]


def added(rows: list[Any]) -> list[int]:
    """What a framework does: add, number by number."""
    return [sum(each) for each in zip(*rows, strict=True)]


@given(corpora, st.randoms(use_true_random=False), st.sampled_from([
    ("sacrebleu", {}), ("nltk", {}), ("ignite", {}), ("papineni", {}), ("torcheval", {}),
    ("sacrebleu", {"max_order": 1}), ("sacrebleu", {"smoothing": "floor"}),
    ("multi-bleu", {"reference_length": "average"}), ("sacrebleu", {"average": "segments"}),
    ("multi-bleu", {"reference_length": "average", "average": "segments"})]))  # fmt: skip
def test_any_split_in_any_order_is_the_whole(corpus: Any, draw: Any, row: Any) -> None:
    reducer = Reducer(row[0], **row[1])
    whole = reducer.count(*columns(corpus))
    assert len(whole) == len(reducer.zero)
    assert all(type(each) is int and 0 <= each < 2**63 for each in whole)
    shuffled = draw.sample(corpus, len(corpus))
    cut = sorted(draw.choices(range(len(corpus) + 1), k=2))
    parts = [shuffled[: cut[0]], shuffled[cut[0] : cut[1]], shuffled[cut[1] :]]
    first, second, third = (reducer.count(*columns(part)) for part in parts)
    left = added([added([first, second]), third])
    right = added([first, added([third, second])])
    for rows in (left, right, added([left, [*reducer.zero]])):
        assert reducer.score(rows) == reducer.score(whole)


@given(corpora)
def test_rows_that_pool_equal_the_corpus_score(corpus: Any) -> None:
    for row in ("sacrebleu", "nltk", "papineni"):
        reducer = Reducer(row)
        assert reducer.score(reducer.count(*columns(corpus))) == corpus_bleu(*columns(corpus), row)


@given(corpora)
def test_a_mean_of_sentences_is_the_exact_sum_rounded_once(corpus: Any) -> None:
    row = replace(DIALECTS["sacrebleu"], average="segments")
    reducer, metric = Reducer(row), Bleu(row)
    score = reducer.score(reducer.count(*columns(corpus)))
    usual = metric(*columns(corpus))
    assert replace(score, value=usual.value) == usual
    assert math.isclose(score.value, usual.value, rel_tol=1e-13, abs_tol=1e-300)


@given(st.lists(st.lists(st.integers(0, 40), min_size=1, max_size=5), min_size=1, max_size=8))
def test_averaged_lengths_add_exactly(lengths: list[list[int]]) -> None:
    reducer = Reducer("multi-bleu", reference_length="average")
    groups = [[["a"] * number for number in each] for each in lengths]
    rows = [reducer.count([["a"]], [group]) for group in groups]
    counted = [Bleu(reducer.dialect).count([["a"]], [group])[0] for group in groups]
    exact = sum(Fraction(each.reference_length) for each in counted)
    for order in (rows, rows[::-1]):
        assert reducer.score(added(order)).stats.reference_length == float(exact)


@pytest.mark.parametrize("name", sorted(DIALECTS))
def test_every_row_is_reduced_or_refused(name: str) -> None:
    try:
        reducer = Reducer(name)
    except ValueError as error:
        assert "last segment" in str(error)
        return
    split = Random(name)
    corpus = [([*"abcab"][: 2 + split.randrange(4)], [[*"abca"], [*"bcab"]]) for _ in range(6)]
    if reducer.dialect.lowercase:
        corpus = [(" ".join(each), [*map(" ".join, group)]) for each, group in corpus]
    rows = [reducer.count([candidate], [group]) for candidate, group in corpus]
    split.shuffle(rows)
    assert reducer.score(added(rows)) == reducer.score(reducer.count(*columns(corpus)))


def test_text_and_tokens_are_not_mixed() -> None:
    reducer = Reducer()
    mixed = added([reducer.count(["a"], [["a"]]), reducer.count([["a"]], [[["a"]]])])
    with pytest.raises(TypeError, match="some segments were text"):
        reducer.score(mixed)
    for segment in (["a b"], [["a", "b"]]):
        group = [[each] for each in segment]
        signature = reducer.score(added([reducer.count(segment, group)] * 3)).signature
        assert signature == corpus_bleu(segment * 3, group * 3).signature


def test_an_empty_batch_is_zero_and_an_empty_corpus_is_none() -> None:
    reducer = Reducer()
    for empty in ([], ()):
        assert reducer.count(empty, empty) == [*reducer.zero]
    for bad in (("", ""), ([], [["a"]]), (["a"], []), ({}, {})):
        with pytest.raises((TypeError, ValueError)):
            reducer.count(*bad)
    with pytest.raises(ValueError, match="empty corpus"):
        reducer.score(reducer.zero)
    with pytest.raises(ValueError, match="takes 14 integers, not 3"):
        reducer.score([1, 2, 3])


def test_marks_differ_where_choices_do() -> None:
    rows = [Reducer("nltk"), Reducer(), Reducer(lowercase=True), Reducer(max_order=3)]
    marks = {each.marks for each in rows}
    assert len(marks) == len(rows)
    assert all(len(each) == 8 and {*each} <= {*range(256)} for each in marks)
    assert marks_of(DIALECTS["nltk"]) == rows[0].marks
    check_marks(rows[0].marks, [*rows[0].marks])
    with pytest.raises(ValueError, match="different choices"):
        check_marks(*map(tuple, zip(*[sorted(pair) for pair in zip(
            rows[0].marks, rows[1].marks, strict=True)], strict=True)))  # fmt: skip


@given(st.integers(0, 40), st.integers(1, 9))
def test_shares_without_duplicates_are_the_data(length: int, processes: int) -> None:
    order = [*range(length)]
    per = -(-length // processes)
    padded = (order * (per * processes))[: per * processes] if length else []
    shares = [padded[process::processes] for process in range(processes)]
    own = [share[: own_share(length, process, processes)] for process, share in enumerate(shares)]
    assert sorted(chain.from_iterable(own)) == order


def refusal(call: Any, *arguments: Any) -> Any:
    """What a call returns, or how it refuses."""
    try:
        return call(*arguments)
    except (TypeError, ValueError) as error:
        return type(error), str(error)


odd = st.one_of(texts, tokens, ids, st.sampled_from([
    None, b"a", float("nan"), 3, ["a b", "c d"], ["a", 1], [True], "\ud800", "\ufeffa",
    ("a",)]))  # fmt: skip


@given(st.lists(odd, max_size=4), st.lists(st.one_of(odd, st.lists(odd, max_size=3)), max_size=4))
def test_plain_pairs_are_those_that_checks_let_pass(candidates: Any, references: Any) -> None:
    plain = plain_pairs(candidates, references, True)
    if plain:
        checked = check_corpus(candidates, references)
        spelled = [
            ([*map(str, each)] if isinstance(each, list) else each,
             [[*map(str, line)] if isinstance(line, list) else line for line in group])
            for each, group in plain]  # fmt: skip
        assert spelled == checked


@given(st.one_of(corpora_of(texts), corpora_of(tokens), corpora_of(ids)))
def test_plain_corpora_count_as_by_definition(corpus: Any) -> None:
    rows = [refusal(Bleu(engine=engine).count, *columns(corpus))
            for engine in ("bits", "definition")]
    assert rows[0] == rows[1]


TWO = """
import json, os, sys
import torch
from torch import distributed
from bleu_nb import Bleu
from bleu_nb.reducing import Reducer
rank, folder = int(sys.argv[1]), sys.argv[2]
os.environ.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2",
                  MASTER_ADDR="127.0.0.1", MASTER_PORT="29500")
distributed.init_process_group("gloo", init_method=f"file://{folder}/store", rank=rank,
                               world_size=2)
system = ["the lamp was lit at dusk", "The boat came", "no", "it was late and dark"]
humans = [["the lamp was lit", "a lamp"], ["the boat came late"], ["no"], ["it was late", "x"]]
found = []
for name, choices in (("sacrebleu", {}), ("torcheval", {}), ("ignite", {}),
                      ("multi-bleu", {"reference_length": "average"})):
    reducer = Reducer(name, **choices)
    numbers = torch.tensor(reducer.count(system[rank::2], humans[rank::2]))
    distributed.all_reduce(numbers)
    whole = reducer.score(reducer.count(system, humans))
    found.append(reducer.score(numbers.tolist()) == whole)
parts = [None, None]
distributed.all_gather_object(parts, Bleu("nltk").count(system[rank::2], humans[rank::2]))
found.append((parts[0] + parts[1]).score().value == Bleu("nltk")(system, humans).value)
if len(sys.argv) > 3:
    from accelerate import Accelerator
    accelerator, reducer = Accelerator(cpu=True), Reducer()
    assert accelerator.num_processes == 2
    numbers = torch.tensor(reducer.count(system[rank::2], humans[rank::2]))
    numbers = accelerator.reduce(numbers, "sum")
    found.append(reducer.score(numbers.tolist()) == Bleu()(system, humans))
open(f"{folder}/{rank}.json", "w").write(json.dumps(found))
distributed.destroy_process_group()
"""


@pytest.mark.parametrize("further", [[], ["accelerate"]], ids=["torch", "accelerate"])
def test_two_processes_are_one(tmp_path: Path, further: list[str]) -> None:
    for name in ("torch", *further):
        pytest.importorskip(
            name, reason=f"{name} is not installed here: `make frameworks` brings it",
            exc_type=ImportError)  # fmt: skip
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", TWO, str(rank), str(tmp_path), *further],
            cwd=ROOT, stderr=subprocess.PIPE, text=True, env=dict(os.environ))
        for rank in range(2)
    ]  # fmt: skip
    errors = [each.communicate(timeout=300)[1] for each in running]
    assert [each.returncode for each in running] == [0, 0], "\n".join(errors)
    for rank in range(2):
        found = json.loads((tmp_path / f"{rank}.json").read_text(encoding="utf-8"))
        assert found == [True] * (5 + len(further))


@pytest.mark.parametrize("bad", [0.5, math.nan, math.inf, -1, -1.0, "1", None])
def test_means_are_no_sums(bad: Any) -> None:
    reducer = Reducer()
    numbers = reducer.count(["the boat"], [["the boat"]])
    with pytest.raises(ValueError, match="sums of the columns, not means"):
        reducer.score([*numbers[:-1], bad])
    assert reducer.score([*map(float, numbers)]) == reducer.score(numbers)
