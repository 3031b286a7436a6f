"""The integers of `Reducer`: any split, any order, and two processes that only add."""

import ast
import json
import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from calls import by_two
from commands import python
from hypothesis import assume, given
from hypothesis import strategies as st
from lessons import cells
from strategies import a_corpus

from bleu_nb import DIALECTS, Bleu, corpus_bleu
from bleu_nb.adapters.reducer import Reducer, check_marks, marks_of
from bleu_nb.dialects.input_checks import check_corpus, pairs_if_valid

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
    ("sacrebleu", {"average": "segments"}), ("fast-bleu", {}),
    ("codexglue-smooth", {})]))  # fmt: skip
def test_any_split_in_any_order_is_the_whole(corpus: Any, draw: Any, row: Any) -> None:
    reducer = Reducer(row[0], **row[1])
    assume(isinstance(corpus[0][0], str) or not reducer.dialect.lowercase)  # Else it refuses them
    whole, values = reducer.batch(*columns(corpus))
    assert (len(whole), len(values)) == (
        len(reducer.zero), 0 if reducer.dialect.pools else len(corpus))
    assert all(type(each) is int and 0 <= each < 2**63 for each in [*whole, *values])
    shuffled = draw.sample(corpus, len(corpus))
    cut = [0, *sorted(draw.choices(range(len(corpus) + 1), k=2)), len(corpus)]
    (first, one), (second, two), (third, three) = (
        reducer.batch(*columns(shuffled[start:end])) for start, end in pairwise(cut))
    for rows in ([added([first, second]), third], [first, added([third, second])],
                 [first, second, third, [*reducer.zero]]):
        assert reducer.score(added(rows), [*three, *one, *two]) == reducer.score(whole, values)
    if reducer.dialect.pools:
        assert reducer.count(*columns(corpus)) == whole
        assert row[1] or reducer.score(whole) == corpus_bleu(*columns(corpus), row[0])


@given(corpora)
def test_a_mean_of_sentences_is_the_exact_sum_rounded_once(corpus: Any) -> None:
    row = replace(DIALECTS["sacrebleu"], average="segments")
    reducer, metric = Reducer(row), Bleu(row)
    score, usual = reducer.score(*reducer.batch(*columns(corpus))), metric(*columns(corpus))
    assert replace(score, value=usual.value) == usual
    alone = replace(row, average="pooled", scale=1, effective_order="never")
    values = [Bleu(alone).sentence(*pair).value for pair in corpus]
    assert score.value == math.fsum(values) * 100 / len(values)
    assert math.isclose(score.value, usual.value, rel_tol=1e-13, abs_tol=1e-300)


def test_what_is_averaged_cannot_be_counted_as_sums() -> None:
    reducer = Reducer("ignite")
    with pytest.raises(ValueError, match="averages the scores of segments, which cannot be added"):
        reducer.count(["a"], [["a"]])
    numbers, values = reducer.batch(["a", "b"], [["a"], ["b"]])
    for wrong in ([], values[:1], [*values, 0]):
        with pytest.raises(ValueError, match="ignite needs 2 segment scores for 2 segments, not"):
            reducer.score(numbers, wrong)


def test_a_reducer_leaves_the_choice_of_engines_to_others() -> None:
    python("""
from bleu_nb.adapters.reducer import Reducer
from bleu_nb.scoring.registry import STARTED
reducer = Reducer()
reducer.count(["the lamp was lit"], [["the lamp was lit"]])
assert not STARTED
batch = ["the lamp was lit at dusk " * 12] * 64, [["the lamp was lit at dawn " * 12]] * 64
for _ in range(100):    # What pays for numpy in the long run is counted by it
    reducer.count(*batch)
assert STARTED >= {"numpy"}
""")


def test_marks_differ_where_choices_do() -> None:
    rows = [Reducer("nltk"), Reducer(), Reducer(lowercase=True), Reducer(max_order=3)]
    assert len({each.marks for each in rows}) == len(rows)
    check_marks(rows[0].marks, [*marks_of(DIALECTS["nltk"])])
    with pytest.raises(TypeError, match=r"such as len\(data\), not"):
        Reducer(segments=3.0)  # type: ignore[arg-type]


odd = st.one_of(texts, tokens, ids, st.sampled_from([
    None, b"a", float("nan"), 3, ["a b", "c d"], ["a", 1], [True], "\ud800", "\ufeffa",
    ("a",)]))  # fmt: skip


@given(st.lists(odd, max_size=4), st.lists(st.one_of(odd, st.lists(odd, max_size=3)), max_size=4))
def test_pairs_that_are_valid_at_once_pass_all_checks(candidates: Any, references: Any) -> None:
    found = pairs_if_valid(candidates, references, True)
    if found:
        checked = check_corpus(candidates, references)
        spelled = [
            ([*map(str, each)] if isinstance(each, list) else each,
             [[*map(str, line)] if isinstance(line, list) else line for line in group])
            for each, group in found]  # fmt: skip
        assert spelled == checked


def said_by_two(tmp_path: Path, code: str, *needs: str) -> list[Any]:
    """What each of two processes writes down."""
    for name in needs:
        pytest.importorskip(
            name, reason=f"{name} is not installed here: `make frameworks` brings it",
            exc_type=ImportError)  # fmt: skip
    by_two(f"{code}\nprint(0)", str(tmp_path), MASTER_ADDR="127.0.0.1", MASTER_PORT="29500")
    return [json.loads((tmp_path / f"{rank}.json").read_text("utf-8")) for rank in range(2)]


def snippets() -> dict[str, str]:
    """The strings of the chapter that its processes run, by name."""
    code = "\n".join(source for kind, source in cells("02_processes") if kind == "code")
    return {each.targets[0].id: each.value.value for each in ast.parse(code).body
            if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name)
            and isinstance(each.value, ast.Constant)}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("name", "segments", "needs", "choices"), [
    ("adding", 301, ["torch"], {}),
    ("adding", 1, ["torch"], {}),
    ("gathering", 301, ["torch"], {"dialect": "nltk", "smoothing": "nltk-7"}),
    ("gathering", 1, ["torch"], {"dialect": "nltk", "smoothing": "nltk-7"}),
    ("accelerated", 301, ["torch", "accelerate"], {}),
    ("gathered", 301, ["torch", "accelerate"], {}),
    ("filled", 301, ["torch", "accelerate"], {})])
def test_each_loop_of_the_chapter_is_one_process(
    name: str, segments: int, needs: list[str], choices: Any, tmp_path: Path
) -> None:
    loops, data = snippets(), [*zip(*a_corpus(segments, 4), strict=True)]
    answer = "said" if name == "filled" else "[score.value, score.signature]"
    first, second = said_by_two(tmp_path, "\n".join([
        loops["start"], f"data = {data}", loops[name].replace("batch_size=4", "batch_size=16"),
        f"answer = {answer}", loops["stop"]]), *needs)  # fmt: skip
    whole = corpus_bleu(*columns(data), **choices)
    if name == "filled":    # By a loader that repeats segments, which is noticed
        error, wrong = first
        assert error.startswith("320 segments were counted, but the data have 301, so some")
        assert first == second and wrong != whole.value
    else:
        assert first == second == [whole.value, whole.signature]
