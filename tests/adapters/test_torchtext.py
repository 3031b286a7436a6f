"""The drop-in for torchtext: its test with the import changed, its recorded answers, and itself.

Where torchtext is installed, `PYTHONPATH=tests/helpers python tests/adapters/test_torchtext.py`
records what it answers to the calls in `recorded/torchtext_calls.json`.
"""

import ast
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from calls import answer, read, rewritten, write
from data import RECORDED, oracle
from hypothesis import given
from hypothesis import strategies as st

from bleu_nb.adapters import torchtext as ours
from bleu_nb.dialects.inputs import InputNote

ROOT = Path(__file__).resolve().parents[2]
RECORD = RECORDED / "torchtext_calls.json"
MODULE = "torchtext.data.metrics"
HERE = "bleu_nb.adapters.torchtext"
BLOCKED = "import sys\nsys.modules['torchtext'] = None\n"  # No import of it can succeed
ROUNDING = 1.2e-7  # A step of single precision at 1

A, B = "['My', 'full', 'pytorch', 'test']", "['Another', 'Sentence']"
GROUPS = f"[{A}, ['Completely', 'Different']], [['No', 'Match']]"
HAND = (
    f"bleu_score([{A}, {B}], [{GROUPS}])", f"bleu_score(({A}, {B}), ({GROUPS}))",
    f"bleu_score(candidate_corpus=[{A}], references_corpus=[[{A}]], max_n=2, weights=[0.5, 0.5])",
    f"bleu_score([{A}], [[{A} + ['!'], ['Different']]])",
    *(f"bleu_score([{A}, {B}], [{GROUPS}], {more})" for more in (
        "1", "1, [1]", "2, [0.5]", "2, [1, -1]", "3, (0.33, 0.33, 0.33)", "4, [0, 0, 0, 1]",
        "0, []", "5, [0.2] * 5", "2, [0.0, 0.0]", "weights=None")),
    f"bleu_score([{A}], [{GROUPS}])", "bleu_score([], [])", "bleu_score([[]], [[[]]])",
    "bleu_score([['a', 'b', 'c']], [[['a', 'b', 'c', 'd']]])", "bleu_score([['a']], [[]], 1, [1])",
    "bleu_score([['a']], [[['a', 'b'], []]], 1, [1])", "bleu_score([1], [[['a']]], 1, [1])",
    "bleu_score([['a']], [[None]], 1, [1])", "bleu_score([[1]], [[[1]]], 1, [1])",
    "bleu_score(['abcd'], [['abcd', 'abce']])", "bleu_score(['the cat'], [['the cat']])",
    "bleu_score([['New York']], [[['York']]])", "bleu_score(['a', 'b'], ['a', 'b'], 1, [1])",
    "bleu_score([['New York', 'is']], [[['New York', 'is']]], 3, [1 / 3] * 3)",
    "bleu_score([['New York']], [[['New York']]], 2, [0.5] * 2)", "bleu_score(None, None)",
    "bleu_score((each for each in 'ab'), [['a'], ['b']])",
)  # fmt: skip


def drawn() -> Iterator[str]:
    """Calls on corpora of few words."""
    draw = random.Random(2018)

    def tokens() -> str:
        return f"list('{''.join(draw.choices('abc', k=draw.randint(3, 30)))}')"

    for number in range(60):
        size, orders = draw.randint(1, 3), number % 4 + 1
        groups = [f"[{', '.join(tokens() for _ in range(draw.randint(1, 3)))}]"
                  for _ in range(size)]
        outputs = ", ".join(tokens() for _ in range(size))
        weights = [round(draw.random(), 3) for _ in range(orders)]
        yield f"bleu_score([{outputs}], [{', '.join(groups)}], {orders}, {weights})"


def test_its_own_test(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed here")
    folder = "text/test/torchtext_unittest"
    text = rewritten(
        f"{folder}/data/test_metrics.py", (f"from {MODULE} import", f"from {HERE} import"),
        ("from ..common.torchtext_test_case import", "from torchtext_test_case import"))
    case = rewritten(f"{folder}/common/torchtext_test_case.py")
    (tmp_path / "test_metrics.py").write_text(BLOCKED + text, encoding="utf-8")
    (tmp_path / "torchtext_test_case.py").write_text(case, encoding="utf-8")
    if not find_spec("expecttest"):  # A base of torch's own test case, which adds what is not used
        (tmp_path / "expecttest.py").write_text("from unittest import TestCase\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_metrics.py"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout


@pytest.mark.parametrize("tool", [HERE, MODULE])
def test_answers_are_as_recorded(tool: str) -> None:
    """To the last bit where its torch is there, else to a step of single precision."""
    found = read(RECORD)
    assert [call for call, _ in found] == [*HAND, *drawn()]
    names = vars(ours if tool == HERE else oracle(MODULE))
    for call, told in found:
        mine = answer(call, names)
        if mine != told:
            assert abs(ast.literal_eval(mine) - ast.literal_eval(told)) <= ROUNDING, call


corpora = st.lists(
    st.tuples(st.lists(st.sampled_from("abc"), max_size=9),
              st.lists(st.lists(st.sampled_from("abc"), max_size=9), min_size=1, max_size=3)),
    min_size=1, max_size=4)  # fmt: skip


@given(corpora, st.lists(st.floats(-2, 2, width=32), min_size=1, max_size=5))
def test_torchtext_on_any_corpus(corpus: list[tuple[Any, Any]], weights: list[float]) -> None:
    candidates, groups = map(list, zip(*corpus, strict=True))
    call = f"bleu_score({candidates}, {groups}, {len(weights)}, {weights})"
    assert answer(call, vars(ours)) == answer(call, vars(oracle(MODULE)))


@pytest.mark.parametrize(("values", "says"), [
    ((["cats"], [["cats"]]), "each character of a string"),
    (([["New York"] * 2], [[["New York"] * 2]], 4, [0.25] * 4), "holds several words|at spaces"),
    (([["a", "New York"]], [[["a"]]], 3, [0.25] * 3), "splits tokens at spaces"),
])  # fmt: skip
def test_nonsense_is_noted_and_can_be_an_error(values: tuple[Any, ...], says: str) -> None:
    with pytest.warns(InputNote, match=says) as told:
        ours.bleu_score(*values)
    assert [each.filename for each in told if each.category is InputNote] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputNote)
        with pytest.raises(InputNote, match=says):
            ours.bleu_score(*values)


def test_without_torch_it_is_the_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(ours, "_with_torch", ours._with_torch.__wrapped__)
    from bleu_nb import corpus_bleu

    draw = random.Random(7)
    for _ in range(50):
        candidates = [draw.choices("abcd", k=20)]
        groups = [[draw.choices("abcd", k=20) for _ in range(2)]]
        assert ours.bleu_score(candidates, groups) == corpus_bleu(
            candidates, groups, dialect="torchtext").value  # fmt: skip


if __name__ == "__main__":
    write(RECORD, [*HAND, *drawn()], vars(oracle(MODULE)), "torchtext", "torch")
