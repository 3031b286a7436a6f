"""The drop-in for nltk: nltk's own tests with the import changed, its recorded answers, and nltk.

Both need nltk: what is not counted here is its own.

Where nltk is installed, `PYTHONPATH=tests/helpers python tests/adapters/test_nltk.py` records
what it answers to the calls in `recorded/nltk.json`.
"""

import ast
import doctest
import os
import random
import subprocess
import sys
import warnings
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calls import answer, cloned, read, rewritten, write
from commands import python
from data import RECORDED, oracle
from hypothesis import given
from hypothesis import strategies as st
from noted import noted

from bleu_nb.adapters import nltk as ours
from bleu_nb.dialects.input_checks import InputNote, TextNote

ROOT = Path(__file__).resolve().parents[2]
RECORD = RECORDED / "nltk.json"
MODULE = "nltk.translate.bleu_score"
HERE = f"bleu_nb.adapters.{MODULE}"
# Should a test reach for nltk's own function: it may count where there is nothing to count
BLOCKED = f"""
import {MODULE} as theirs
own = theirs.corpus_bleu

def count(groups, hypotheses, *values, **named):
    if any(hypotheses):
        raise RuntimeError("nltk counted")
    return own(groups, hypotheses, *values, **named)

theirs.corpus_bleu = count
"""

# nltk's tests -------------------------------------------------------------------------------------


def has_data() -> bool:
    """Whether nltk finds the evaluation that one of its tests reads."""
    try:
        oracle("nltk").data.find("models/wmt15_eval/ref.ru")
    except LookupError:
        return False
    return True


def test_its_unit_tests(tmp_path: Path) -> None:
    """All of them; one reads data that nltk downloads, and is left out where they are not there."""
    path = "nltk/nltk/test/unit/translate/test_bleu.py"
    text = rewritten(path, (f"from {MODULE} import", f"from {HERE} import"))
    (tmp_path / "test_bleu.py").write_text(BLOCKED + text, encoding="utf-8")
    oracle(MODULE)
    left_out = [] if has_data() else [
        "--deselect", "test_bleu.py::TestBLEUvsMteval13a::test_corpus_bleu"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_bleu.py", *left_out],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert f"{text.count('    def test_') - bool(left_out)} passed" in done.stdout


def ran(name: str, text: str, names: dict[str, Any]) -> int:
    """How many examples a text holds, all of which must be as they say."""
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    said: list[str] = []
    runner.run(doctest.DocTestParser().get_doctest(text, names, name, None, 0), out=said.append)
    assert not runner.failures, "".join(said)
    return runner.tries


def test_its_doctest() -> None:
    text = rewritten("nltk/nltk/test/bleu.doctest",
                     ("from nltk.translate import", "from bleu_nb.adapters.nltk.translate import"),
                     (f"from {MODULE} import", f"from {HERE} import"))
    assert ran("bleu.doctest", text, {}) == 4


def test_the_examples_in_its_documentation() -> None:
    tree = ast.parse(cloned("nltk/nltk/translate/bleu_score.py").read_text(encoding="utf-8"))
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    texts = [ast.get_docstring(node) or "" for node in ast.walk(tree)
             if isinstance(node, documented)]
    assert sum(ran(MODULE, text, vars(ours).copy()) for text in texts) > 80


# Its answers --------------------------------------------------------------------------------------

CAT = "'the cat sat on a big soft mat'.split()"
MATS = "['the cat sat on the soft mat'.split(), 'a cat on a soft mat'.split()]"
SMOOTH = "smoothing_function=SmoothingFunction"
HAND = (
    *(f"sentence_bleu({MATS}, {CAT}, {more})" for more in (
        "", "(1,)", "[(1,)]", "[(0.5, 0.5), (0.2,) * 5]", "[0.25] * 4", "()", "[]", "[(), (1,)]",
        "(0.1, 0.3, 0.5, 0.1)", "(1.5, -0.5)", "(0, 0, 0, 1)", "(0.33,) * 3", "3", "None",
        "weights=[(1, 0), (0, 1)]", "(0.25,) * 4, None, True", "('a',)")),
    *(f"sentence_bleu({MATS}, {CAT}[:{size}], {more})" for size in (0, 1, 2, 3) for more in (
        "", "auto_reweigh=True", "[0.25] * 4, auto_reweigh=True",
        *(f"{SMOOTH}().method{method}" for method in range(8)))),
    *(f"sentence_bleu({MATS}, {CAT}, (0.2,) * 5, {SMOOTH}({numbers}).method{method})"
      for method, numbers in enumerate((
          "", "0.25", "", "", "k=3", "alpha=2", "alpha=5.0", "k=0.5"))),
    f"sentence_bleu({MATS}, {CAT}, (0.2,) * 5, lambda p_n, **last: "
    "[each or last['hyp_len'] / 100 for each in p_n])",
    f"sentence_bleu({MATS}, {CAT}, (0.2,) * 5, lambda p_n, **last: "
    "[0.0 if each < 0.3 else each for each in p_n])",
    f"sentence_bleu({MATS}, {CAT}, (0.2,) * 5, lambda p_n, **last: "
    "SmoothingFunction().method5(SmoothingFunction().method4(p_n, **last), **last))",
    f"corpus_bleu([{MATS}, [['no']]], [{CAT}, ['no']])",
    f"corpus_bleu([{MATS}, [['no']]], [{CAT}, ['no']], {SMOOTH}().method7)",
    f"corpus_bleu([{MATS}], [{CAT}, {CAT}])", "corpus_bleu([], [])", "corpus_bleu([], [], ())",
    "corpus_bleu([[['a']]], [[]])", "corpus_bleu([[['a']]], [['b']], [(1,), (0.5, 0.5)])",
    "corpus_bleu([[[]]], [[]])", "corpus_bleu([[[]]], [['a']])",
    "sentence_bleu([], ['a'])", "sentence_bleu([], [])", "sentence_bleu(None, ['a'])",
    "sentence_bleu([None], ['a'])", "sentence_bleu([['a']], None)", "sentence_bleu([3], ['a'])",
    "sentence_bleu([['a']], (each for each in 'ab'))", "sentence_bleu([[['a']]], [['a']])",
    "sentence_bleu(['the cat sat'], 'the cat sat')", "sentence_bleu(['the', 'cat'], ['the'])",
    "sentence_bleu('the cat', 'the cat')", "corpus_bleu(['ab'], ['ab'])",
    "sentence_bleu([['the cat sat']], ['the cat sat'])", "sentence_bleu([b'abcd'], b'abce')",
    "sentence_bleu([[1, 2, 3, 4, '5']], [1, 2.0, 3, 4, 5])", "sentence_bleu([(1, 1)], (True, 1))",
    "sentence_bleu([[('a', 'DT'), ('b', 'NN')]], [('a', 'DT'), ('b', 'VB')], (1,))",
    "sentence_bleu(({'a': 1, 'b': 2},), {'a': 3}, (1,))",
    "sentence_bleu({('a', 'b')}, ('a', 'b'), (0.5, 0.5))",
    *(f"modified_precision({MATS}, {CAT}, {n}).{part}" for n in (1, 2, 3, 4, 5, 9)
      for part in ("numerator", "denominator")),
    "modified_precision([], [], 1).denominator", "modified_precision([], ['a'], 1)",
    "modified_precision([], ['a'], 2).numerator", "modified_precision([['a']], ['a'], n=1) + 1",
    f"closest_ref_length({MATS}, 7)", f"closest_ref_length(iter({MATS}), hyp_len=2)",
    "closest_ref_length([], 2)", "closest_ref_length(references=['abc'], hyp_len=2)",
    *(f"brevity_penalty({human}, {own})" for human in (0, 3, 7) for own in (0, 3, 5)),
    "brevity_penalty(closest_ref_len=12, hyp_len=11)",
    "[*map(float, SmoothingFunction().method2([modified_precision([['a']], ['a'], 1)] * 2))]",
    "SmoothingFunction(1, 2, 3).epsilon, SmoothingFunction(1, 2, 3).alpha",
    f"SmoothingFunction().method6([1], {MATS}, {CAT})",
)  # fmt: skip


def drawn() -> Iterator[str]:
    """Calls on corpora of few words."""
    draw = random.Random(2014)

    def tokens() -> str:
        return f"list('{''.join(draw.choices('abc', k=draw.randint(0, 9)))}')"

    for number in range(96):
        size = draw.randint(1, 4)
        groups = [f"[{', '.join(tokens() for _ in range(draw.randint(1, 3)))}]"
                  for _ in range(size)]
        outputs = [tokens() for _ in range(size)]
        orders = draw.randint(1, 6)
        yield (f"corpus_bleu([{', '.join(groups)}], [{', '.join(outputs)}], "
               f"(1 / {orders},) * {orders}, {SMOOTH}().method{number % 8})")


@pytest.mark.parametrize("tool", [HERE, MODULE])
def test_answers_are_as_recorded(tool: str) -> None:
    found = read(RECORD)
    assert [call for call, _ in found] == [*HAND, *drawn()]
    names = vars(ours if tool == HERE else oracle(MODULE))
    other = [call for call, told in found if answer(call, names) != told]
    compares = [call for call in HAND if "each < 0.3" in call]  # From 3.12 on, nltk's cannot
    assert other == compares * (sys.version_info >= (3, 12))


def test_all_but_two_functions_are_its_own() -> None:
    theirs = oracle(MODULE)
    for name in ("SmoothingFunction", "Fraction", "modified_precision", "closest_ref_length",
                 "brevity_penalty"):
        assert getattr(ours, name) is getattr(theirs, name)


def test_a_smoother_of_a_program_gets_what_nltks_gets() -> None:
    theirs, told = oracle(MODULE), []

    class Kept(theirs.SmoothingFunction):  # type: ignore[name-defined, misc]
        def method1(self, p_n: Any, *values: Any, **named: Any) -> Any:
            told.append(([(type(each), each.numerator, each.denominator) for each in p_n],
                         values, named))
            return super().method1(p_n, *values, **named)

    corpus = [[["a", "b", "c"]], [["d"]]], [["a", "b", "b", "b"], ["d"]]
    assert ours.corpus_bleu(*corpus, smoothing_function=Kept().method1) == theirs.corpus_bleu(
        *corpus, smoothing_function=Kept().method1)
    assert told[0] == told[1]


@pytest.mark.parametrize("code", [
    "from bleu_nb.adapters.nltk.translate.bleu_score import corpus_bleu as found",
    "import bleu_nb.adapters.nltk.translate.bleu_score as other; found = other.corpus_bleu",
    "import bleu_nb.adapters.nltk.translate.bleu_score\n"
    "found = bleu_nb.adapters.nltk.translate.bleu_score.corpus_bleu",
    "from bleu_nb.adapters.nltk.translate import bleu_score; found = bleu_score.corpus_bleu",
    "from bleu_nb.adapters import nltk; found = nltk.translate.bleu_score.corpus_bleu",
    "from bleu_nb.adapters.nltk import corpus_bleu as found",
])
def test_its_module_has_every_name_that_nltks_has(code: str) -> None:
    python(f"{code}\nassert found.__module__ == 'bleu_nb.adapters.nltk'")


def test_without_nltk_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nltk.translate", None)
    monkeypatch.delitem(sys.modules, "bleu_nb.adapters.nltk")
    with pytest.raises(ImportError, match="install bleu_nb with its extra 'nltk'"):
        import_module("bleu_nb.adapters.nltk")


corpora = st.lists(
    st.tuples(st.lists(st.sampled_from("abc"), max_size=9),
              st.lists(st.lists(st.sampled_from("abc"), max_size=9), min_size=1, max_size=3)),
    min_size=1, max_size=4)  # fmt: skip


@given(corpora, st.integers(0, 7), st.integers(1, 6), st.booleans())
def test_nltk_on_any_corpus(
    corpus: list[tuple[Any, Any]], method: int, orders: int, reweigh: bool
) -> None:
    hypotheses, groups = map(list, zip(*corpus, strict=True))
    call = (f"corpus_bleu({groups}, {hypotheses}, [(1 / {orders},) * {orders}, (0.25,) * 4], "
            f"{SMOOTH}().method{method}, {reweigh})")  # fmt: skip
    assert answer(call, vars(ours)) == answer(call, vars(oracle(MODULE)))


def test_nltk_on_a_large_corpus() -> None:
    draw = random.Random(5)
    hypotheses = [draw.choices("abcdefgh", k=draw.randint(0, 12)) for _ in range(1200)]
    groups = [[each[::-1], draw.choices("abcdefgh", k=8)] for each in hypotheses]
    for weights in ((0.25,) * 4, [(0.5, 0.5), (0.1,) * 10]):
        assert ours.corpus_bleu(groups, hypotheses, weights) == oracle(MODULE).corpus_bleu(
            groups, hypotheses, weights)


# Notes --------------------------------------------------------------------------------------------

OUTPUTS = [["a", "b", "c", "d"], ["e", "f", "g", "h"]]
STREAMS = [OUTPUTS, [[*each[:3], "x"] for each in OUTPUTS]]


class Tensor:
    """A number in a tensor, which is equal to itself and to nothing else."""

    def __init__(self, value: int) -> None:
        self.value = value

    def tolist(self) -> int:
        return self.value


NONSENSE: list[tuple[str, tuple[Any, ...], str]] = [
    ("sentence_bleu", (["the cat"], "the cat"), "each character of a string"),
    ("sentence_bleu", (["the", "cat"], ["the", "cat"]), "each character of a string"),
    ("corpus_bleu", ([["a", "b"]], [["a", "b"]]), "each character of a string"),
    ("sentence_bleu", ([["the cat sat"]], ["the cat sat"]), "holds several words"),
    ("corpus_bleu", (STREAMS, OUTPUTS), "look like streams"),
    ("corpus_bleu", ([[["the cat"]]] * 1200, [["the cat"]] * 1200), "holds several words"),
    *(("sentence_bleu", sides, "are lists or tensors") for sides in (
        ([[Tensor(each) for each in range(5)]], [Tensor(each) for each in range(5)]),
        ([[Tensor(1)]], ["a", "b"]))),
]


@pytest.mark.filterwarnings("ignore:\\nThe hypothesis contains")
@pytest.mark.parametrize(("name", "values", "says"), NONSENSE)
def test_nonsense_is_noted_and_can_be_an_error(
    name: str, values: tuple[Any, ...], says: str
) -> None:
    with pytest.warns(InputNote, match=says) as told:
        mine = getattr(ours, name)(*values)
    assert mine == getattr(oracle(MODULE), name)(*values)
    assert [each.filename for each in told if each.category is InputNote] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputNote)
        with pytest.raises(InputNote, match=says):
            getattr(ours, name)(*values)


def test_tensors_and_nested_lists_are_told_with_the_cure() -> None:
    torch = pytest.importorskip("torch")
    tokens = torch.arange(5)
    for wrong in (([tokens], tokens), ([[*tokens]], [*tokens])):
        [note] = noted(lambda sides=wrong: ours.sentence_bleu(*sides), InputNote)
        assert "tolist()" in str(note.message)
    assert ours.sentence_bleu([tokens.tolist()], tokens.tolist()) == 1
    with pytest.warns(InputNote, match="one list of strings"), pytest.raises(TypeError):
        ours.sentence_bleu([[["a", "b", "c", "d"]]], [["a", "b", "c", "d"]])


def test_what_is_meant_is_not_noted() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", InputNote)
        ours.sentence_bleu([[1, 2, 3, 4]], [1, 2, 3, 4])
        ours.sentence_bleu([["New York", "is", "a", "city"]], ["New York", "is", "a", "city"])
        ours.sentence_bleu([("a", "b", "c", "d")], ("a", "b", "c", "d"))
        assert ours.sentence_bleu([np.arange(5)], np.arange(5)) == 1
        assert ours.sentence_bleu([np.array([*"abcd"])], np.array([*"abcd"])) == 1


@pytest.mark.parametrize("smoothing", [
    ours.SmoothingFunction.method1, ours.SmoothingFunction.method7, ours.SmoothingFunction,
    ours.SmoothingFunction()])
def test_a_smoothing_method_without_its_instance_is_an_error_with_the_cure(smoothing: Any) -> None:
    tokens = ["a", "b", "c", "d"]
    for tool, said in ((ours, r"SmoothingFunction\(\)\.method1"), (oracle(MODULE), "")):
        with pytest.raises(TypeError, match=said):
            tool.sentence_bleu([tokens], tokens, smoothing_function=smoothing)
        assert tool.sentence_bleu([tokens], ["x"], smoothing_function=smoothing) == 0
    assert ours.sentence_bleu(
        [tokens], tokens, smoothing_function=ours.SmoothingFunction().method1) == 1


def test_an_empty_reference_that_gives_the_length_is_noted() -> None:
    short, long = ["a", "b", "c", "d", "e"], list("abcdefghijklmnop")
    with pytest.warns(TextNote, match="of several references an empty one"):
        assert ours.sentence_bleu([long, []], short) == 1
    assert not noted(lambda: ours.sentence_bleu([short, []], short))


def test_notes_of_changing_text_are_shown_once() -> None:
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        for number in range(5):
            warnings.warn("the caller's own", stacklevel=1)
            ours.corpus_bleu([[[f"the cat {number}"]]], [[f"the cat {number}"]],
                             smoothing_function=ours.SmoothingFunction().method1)
    assert [str(each.message)[:10] for each in told] == ["the caller", "each token"]
    assert f"the cat {0}" in told[1].message.detail


def test_each_order_without_a_match_is_warned_of_as_by_nltk() -> None:
    told = []
    for tool in (ours, oracle(MODULE)):
        with pytest.warns(UserWarning, match="0 counts of 3-gram overlaps") as noted:
            tool.sentence_bleu([["a", "b", "c"]], ["a", "b", "x"])
        told.append([(str(each.message), each.category, each.filename) for each in noted])
    assert told[0] == told[1] and len(told[0]) == 2


if __name__ == "__main__":
    write(RECORD, [*HAND, *drawn()], vars(oracle(MODULE)), "nltk")
