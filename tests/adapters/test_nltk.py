"""The drop-in for nltk: nltk's own tests with the import changed, and what both answer.

Both need nltk: what is not counted here is its own.
"""

import ast
import os
import pickle
import pkgutil
import pydoc
import random
import subprocess
import sys
import warnings
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

import numpy as np
import pytest
from calls import answer
from commands import python
from data import oracle
from hypothesis import given
from hypothesis import strategies as st
from noted import noted

from bleu_nb.adapters import nltk as ours
from bleu_nb.dialects.input_checks import InputNote, TextNote

calls: Any = import_module("nltk_calls")
PROGRAMS = 500
ROOT = Path(__file__).resolve().parents[2]
MODULE = "nltk.translate.bleu_score"
TESTS = (Path(os.environ.get("BLEU_NB_TOOLS", "."))
         / "nltk" / "nltk" / "test" / "unit" / "translate" / "test_bleu.py")
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


@pytest.mark.skipif(not TESTS.exists(), reason=(
    "no clone of nltk: BLEU_NB_TOOLS names the folder that holds one"))  # fmt: skip
def test_its_unit_tests(tmp_path: Path) -> None:
    """All but one, which reads data that nltk downloads."""
    text = TESTS.read_text(encoding="utf-8")
    assert f"from {MODULE} import" in text
    text = text.replace(f"from {MODULE} import", f"from bleu_nb.adapters.{MODULE} import")
    (tmp_path / "test_bleu.py").write_text(BLOCKED + text, encoding="utf-8")
    oracle(MODULE)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_bleu.py",
         "--deselect", "test_bleu.py::TestBLEUvsMteval13a::test_corpus_bleu"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert f"{text.count('    def test_') - 1} passed" in done.stdout


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


def test_answers_are_those_of_nltk() -> None:
    theirs = vars(oracle(MODULE))
    assert [call for call in HAND if answer(call, vars(ours)) != answer(call, theirs)] == []


def test_all_but_two_functions_are_its_own() -> None:
    theirs = oracle(MODULE)
    for name in ("SmoothingFunction", "Fraction", "modified_precision", "closest_ref_length",
                 "brevity_penalty"):
        assert getattr(ours, name) is getattr(theirs, name)


def test_a_smoother_of_a_program_gets_what_nltks_gets() -> None:
    told, corpus = [], ([[["a", "b", "c"]], [["d"]]], [["a", "b", "b", "b"], ["d"]])

    def kept(p_n: Any, *values: Any, **named: Any) -> Any:
        told.append(([(type(each), each.numerator, each.denominator) for each in p_n],
                     values, named))
        return ours.SmoothingFunction().method1(p_n, *values, **named)

    mine, theirs = (tool.corpus_bleu(*corpus, smoothing_function=kept)
                    for tool in (ours, oracle(MODULE)))
    assert mine == theirs and told[0] == told[1]


@pytest.mark.parametrize("code", [
    "from bleu_nb.adapters.nltk.translate.bleu_score import corpus_bleu as found",
    "import bleu_nb.adapters.nltk.translate.bleu_score as other; found = other.corpus_bleu",
    "import bleu_nb.adapters.nltk.translate.bleu_score\n"
    "found = bleu_nb.adapters.nltk.translate.bleu_score.corpus_bleu",
    "from bleu_nb.adapters.nltk.translate import bleu_score; found = bleu_score.corpus_bleu",
    "from bleu_nb.adapters import nltk; found = nltk.translate.bleu_score.corpus_bleu",
    "from bleu_nb.adapters.nltk import corpus_bleu as found",
    "from bleu_nb.adapters.nltk import bleu_score; found = bleu_score.corpus_bleu",
    "from bleu_nb.adapters.nltk import bleu as found",
    "from bleu_nb.adapters.nltk.translate import bleu as found",
    "from bleu_nb.adapters.nltk import *; found = bleu",
    "from bleu_nb.adapters.nltk.translate.bleu_score import *; found = sentence_bleu",
])
def test_its_module_has_every_name_that_nltks_has(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    names: dict[str, Any] = {}
    for name in [each for each in sys.modules if each.startswith("bleu_nb.adapters.nltk")]:
        monkeypatch.delitem(sys.modules, name)  # As if it were imported for the first time
    monkeypatch.delattr("bleu_nb.adapters.nltk")
    exec(code, names)
    assert names["found"].__module__ == "bleu_nb.adapters.nltk.translate.bleu_score"


# Names --------------------------------------------------------------------------------------------

NAMES = ["nltk.translate", *(each.name for each in pkgutil.iter_modules(
    oracle("nltk.translate").__path__, "nltk.translate."))]
OURS = {"bleu", "bleu_score", "corpus_bleu", "sentence_bleu", "translate"}


@pytest.mark.parametrize("name", NAMES)
def test_each_module_of_nltk_translate_is_a_file_with_the_names_of_nltk(name: str) -> None:
    mine, theirs = import_module(f"bleu_nb.adapters.{name}"), import_module(name)
    assert mine.__file__ and find_spec(mine.__name__) is mine.__spec__
    path = Path(mine.__file__)
    if name != MODULE:      # That one has annotations
        stub = path.with_suffix(".pyi").read_text(encoding="utf-8")
        assert f"from {name} import *\n" in stub and "def __getattr__" in stub
    if name not in ("nltk.translate", MODULE):
        [docstring] = ast.parse(path.read_text(encoding="utf-8")).body
        assert isinstance(docstring, ast.Expr) and f"`{name}`" in ast.unparse(docstring)
    assert {*dir(theirs)} <= {*dir(mine)}
    for each in [each for each in dir(theirs) if not each.startswith("__")]:
        found = getattr(mine, each)
        if f"{name}.{each}" in sys.modules:
            assert found is sys.modules[f"bleu_nb.adapters.{name}.{each}"]
        elif not hasattr(found, "__file__"):
            assert (found is getattr(theirs, each)) == (each not in OURS)


def test_no_file_is_left_over() -> None:
    folder = Path(ours.__file__).parent
    assert {path.relative_to(folder).as_posix() for path in folder.rglob("*.py")} == {
        "__init__.py", "translate/__init__.py",
        *(f"{name.removeprefix('nltk.').replace('.', '/')}.py" for name in NAMES[1:])}


def test_nltk_itself_has_the_names_of_nltk() -> None:
    nltk, told = oracle("nltk"), {}
    assert {*dir(nltk)} <= {*dir(ours)}
    exec("from bleu_nb.adapters.nltk import *", told)
    for each in [each for each in dir(nltk) if not each.startswith("_")]:
        assert (getattr(ours, each) is getattr(nltk, each)) == (each not in OURS)
        assert told[each] is getattr(ours, each)
    with pytest.raises(AttributeError, match="module 'nltk' has no attribute 'no_such_name'"):
        _ = ours.no_such_name


def test_what_is_ours_is_so_by_every_name() -> None:
    module = ours.translate.bleu_score
    assert ours.bleu is ours.translate.bleu is ours.sentence_bleu is module.sentence_bleu
    assert ours.bleu_score is module and ours.corpus_bleu is module.corpus_bleu
    assert oracle("nltk").bleu is oracle(MODULE).sentence_bleu is not ours.bleu
    for name in ("sentence_bleu", "corpus_bleu", "SmoothingFunction", "Fraction"):
        found = getattr(module, name)
        assert pickle.loads(pickle.dumps(found)) is found
        assert name in pydoc.plain(pydoc.render_doc(module))
    smooth = ours.SmoothingFunction(epsilon=0.3)
    assert vars(pickle.loads(pickle.dumps(smooth))) == vars(smooth)


@pytest.mark.parametrize("name", [
    "brevity_penalty", "closest_ref_length", "modified_precision", "SmoothingFunction"])
def test_what_a_program_assigns_in_the_module_is_called(name: str) -> None:
    sides = [["the", "cat", "sat", "on"], [*"abcdefg"]], ["the", "cat", "sits"]
    module = oracle(MODULE)
    change = calls.REPLACED[name](getattr(module, name))
    usual = ours.sentence_bleu(*sides)
    with patch(f"bleu_nb.adapters.{MODULE}.{name}", change):
        assert getattr(module, name) is getattr(ours.translate.bleu_score, name) is change
        assert ours.sentence_bleu(*sides) == module.sentence_bleu(*sides) != usual
    assert ours.sentence_bleu(*sides) == usual


def test_a_name_of_the_drop_in_is_assigned_here_alone() -> None:
    module = ours.translate.bleu_score
    with patch.object(module, "corpus_bleu", lambda *sides: 7):
        assert module.sentence_bleu([["a"]], ["a"]) == 7    # As in nltk
        assert oracle(MODULE).sentence_bleu([["a"]], ["b"]) == 0
    assert module.sentence_bleu([["a"]], ["b"]) == 0


def test_random_programs_see_what_they_see_with_nltk() -> None:
    different = []
    for seed in range(PROGRAMS):
        program = calls.make_program(random.Random(seed))
        seen = [repr(calls.run(tool, program)) for tool in ("nltk", ours.__name__)]
        if seen[0] != seen[1]:
            different.append((seed, program, seen))
    assert not different


def test_importing_it_changes_nothing_of_nltk() -> None:
    python("""if True:
        import nltk.translate.bleu_score, sys
        before = {name: (type(each), {**vars(each)}) for name, each in sys.modules.items()
                  if name.partition(".")[0] == "nltk"}
        from bleu_nb.adapters.nltk import *
        from bleu_nb.adapters.nltk.translate.bleu_score import sentence_bleu
        import bleu_nb.adapters.nltk.translate.gleu_score
        sentence_bleu([["a", "b", "c", "d"]], ["a", "b", "c", "d"])
        assert before == {name: (type(each), {**vars(each)}) for name, each in sys.modules.items()
                          if name.partition(".")[0] == "nltk"}
        """)


OLD = """
from fractions import Fraction

class SmoothingFunction:
    pass

brevity_penalty = closest_ref_length = modified_precision = None
"""


def test_an_old_nltk_is_refused_by_its_version(tmp_path: Path) -> None:
    """Up to 3.8 nltk's fractions are Python's, which reduces 2/4."""
    folder = tmp_path / "nltk" / "translate"
    folder.mkdir(parents=True)
    (tmp_path / "nltk" / "__init__.py").write_text('__version__ = "3.8.1"\n', encoding="utf-8")
    (folder / "__init__.py").write_text("from . import bleu_score\n", encoding="utf-8")
    (folder / "bleu_score.py").write_text(OLD, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "import bleu_nb.adapters.nltk.translate.bleu_score"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])},
        capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("ImportError: this module needs nltk 3.9.1 or newer, but nltk 3.8.1 "
                           "is installed")
    assert "install bleu_nb with its extra 'nltk'" in last and "'nltk-3.8'" in last


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


@pytest.mark.parametrize("weights", [(0.25,) * 4, [(0.5, 0.5), (0.1,) * 10]])
def test_nltk_on_a_large_corpus(weights: Any) -> None:
    draw = random.Random(5)
    hypotheses = [draw.choices("abcdefgh", k=draw.randint(0, 12)) for _ in range(1200)]
    sides = [[each[::-1], draw.choices("abcdefgh", k=8)] for each in hypotheses], hypotheses
    assert ours.corpus_bleu(*sides, weights) == oracle(MODULE).corpus_bleu(*sides, weights)


# Notes --------------------------------------------------------------------------------------------

OUTPUTS = [["a", "b", "c", "d"], ["e", "f", "g", "h"]]
STREAMS = [OUTPUTS, [[*each[:3], "x"] for each in OUTPUTS]]


class Tensor(NamedTuple):
    """A number in a tensor, which is equal to itself alone."""

    tolist: Any
    __eq__, __hash__ = object.__eq__, object.__hash__


SHORT, LONG = ["a", "b", "c", "d", "e"], list("abcdefghijklmnop")
NONSENSE: list[tuple[str, tuple[Any, ...], str]] = [
    ("sentence_bleu", (["the cat"], "the cat"), "each character of a string"),
    ("sentence_bleu", (["the", "cat"], ["the", "cat"]), "each character of a string"),
    ("corpus_bleu", ([["a", "b"]], [["a", "b"]]), "each character of a string"),
    ("sentence_bleu", ([["the cat sat"]], ["the cat sat"]), "contains several words"),
    ("corpus_bleu", (STREAMS, OUTPUTS), "look like streams"),
    ("corpus_bleu", ([[["the cat"]]] * 1200, [["the cat"]] * 1200), "contains several words"),
    *(("sentence_bleu", sides, r"are lists or tensors.*tolist\(\)") for sides in (
        ([[Tensor(lambda: 1) for _ in range(5)]], [Tensor(lambda: 1) for _ in range(5)]),
        ([[Tensor(lambda: 1)]], ["a", "b"]))),
    ("sentence_bleu", ([LONG, []], SHORT), "one of several references is empty"),
]


@pytest.mark.filterwarnings("ignore:\\nThe hypothesis contains")
@pytest.mark.parametrize(("name", "values", "says"), NONSENSE)
def test_nonsense_is_noted_and_can_be_an_error(
    name: str, values: tuple[Any, ...], says: str
) -> None:
    mine, theirs = getattr(ours, name), getattr(oracle(MODULE), name)
    with pytest.warns((InputNote, TextNote), match=says) as told:
        assert mine(*values) == theirs(*values)
    assert {each.filename for each in told
            if issubclass(each.category, (InputNote, TextNote))} == {__file__}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((InputNote, TextNote), match=says):
            mine(*values)


def test_nested_lists_are_told_with_the_cure() -> None:
    with pytest.warns(InputNote, match="one list of strings"), pytest.raises(TypeError):
        ours.sentence_bleu([[["a", "b", "c", "d"]]], [["a", "b", "c", "d"]])


@pytest.mark.parametrize(("reference", "hypothesis"), [
    ([1, 2, 3, 4], [1, 2, 3, 4]),
    (["New York", "is", "a", "city"], ["New York", "is", "a", "city"]),
    (("a", "b", "c", "d"), ("a", "b", "c", "d")), (np.arange(5), np.arange(5)),
    (np.array([*"abcd"]), np.array([*"abcd"]))])
def test_what_is_meant_is_not_noted(reference: Any, hypothesis: Any) -> None:
    assert not noted(partial(ours.sentence_bleu, [reference], hypothesis))
    assert ours.sentence_bleu([reference], hypothesis) == 1


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
    mine, theirs = (
        [(str(each.message), each.category, each.filename) for each in noted(
            lambda tool=tool: tool.sentence_bleu([["a", "b", "c"]], ["a", "b", "x"]))]
        for tool in (ours, oracle(MODULE)))
    assert mine == theirs and len(mine) == 2 and "3-gram" in mine[0][0]
