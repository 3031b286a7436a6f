"""Corpora in pieces, on threads, from files and pipes: the same bits in bounded memory."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from itertools import chain, pairwise, product, repeat
from operator import length_hint
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from commands import python
from data import PEAK
from hypothesis import given
from hypothesis import strategies as st
from strategies import (
    ARRAYS,
    ENGINES,
    NUMBA,
    SHORT,
    Corpus,
    a_corpus,
    exact,
    in_chunks,
)

from bleu_nb import DIALECTS, Bleu, corpus_bleu
from bleu_nb.dialects.input_checks import PIECE, PIECE_CHARACTERS, InputNote
from bleu_nb.scoring.chunks import CHUNK, map_ahead
from bleu_nb.scoring.metric import engine_for
from bleu_nb.scoring.registry import choose_engine

NEEDS_NUMBA = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")


@contextmanager
def in_pieces(segments: int, letters: int = PIECE_CHARACTERS) -> Iterator[None]:
    """Let the pieces of a stream be so small that even a few segments make many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bleu_nb.dialects.input_checks.PIECE", segments)
        patch.setattr("bleu_nb.dialects.input_checks.PIECE_CHARACTERS", letters)
        yield


def cut(corpus: Corpus, places: Iterable[int]) -> list[Corpus]:
    """A corpus in parts."""
    size = len(corpus[0])
    ends = sorted({0, size, *(place for place in places if place < size)})
    return [(corpus[0][start:end], corpus[1][start:end]) for start, end in pairwise(ends)]


# Adding up ---------------------------------------------------------------------------------------

FLOATS: dict[str, dict[str, Any]] = {
    "integers only": {},
    "ignite": {"dialect": "ignite"},
    "fast-bleu": {"dialect": "fast-bleu"},
    "mean of sentences": {"dialect": "codexglue-smooth", "lowercase": False},
    "last segment": {"dialect": "nltk", "smoothing": "nltk-5"},
    "last segment, order 6": {"dialect": "nltk", "smoothing": "nltk-7", "max_order": 6},
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@given(
    corpus=SHORT,
    row=st.sampled_from([*FLOATS]),
    places=st.sets(st.integers(1, 5)),
    size=st.integers(1, 3),
    threads=st.sampled_from([1, 2, 5]),
)
def test_pieces_add_up_to_the_same_bits(
    engine: str, corpus: Corpus, row: str, places: set[int], size: int, threads: int
) -> None:
    slow = Bleu(engine="definition", **FLOATS[row])
    fast = Bleu(engine=engine, threads=threads, **FLOATS[row])
    slow.update(*corpus)
    expected = exact(slow(*corpus))
    with in_chunks(size, 20), in_pieces(size + 1, 40):
        assert exact(fast(*corpus)) == exact(fast(*map(iter, corpus))) == expected
        for part in cut(corpus, places):
            fast.update(*part)
        assert exact(fast.compute()) == exact(slow.compute()) == expected
        fast(corpus[0][::-1], corpus[1][::-1])     # A call leaves what was seen alone
        assert fast.seen == slow.seen
        fast.reset()
        with pytest.raises(ValueError, match="an empty corpus: pass at least one candidate"):
            fast.compute()
        fast.update(iter(corpus[0]), corpus[1])
        assert fast.seen == slow.seen


Mistake = tuple[Callable[[], tuple[Any, Any]], type[Exception], str]
BROKEN: dict[str, Mistake] = {
    "text after token lists": (
        lambda: (["a"], [["a"]]), TypeError, "text after token lists: pass all",
    ),
    **{f"no candidates in {form.__name__}": (
        lambda form=form: (form([]), form([])), ValueError, "an empty corpus: pass at least one")
        for form in (list, iter)},
    "text in the middle": (
        lambda: ([["a"], "b"], [[["a"]], [["b"]]]), TypeError,
        "candidates[1] is a string, but candidates[0] is a list of tokens",
    ),
    "None for a candidate": (
        lambda: ([["a"], None], [[["a"]], [["b"]]]), TypeError, "candidates[1] is missing (None or",
    ),
    "no reference": (
        lambda: ([["a"], ["b"]], [[["a"]], []]), ValueError, "references[1] holds no reference: p",
    ),
    "no reference in a stream": (
        lambda: (iter([["a"], ["b"]]), iter([[["a"]], [None]])), ValueError, "references[1] holds",
    ),
    **{f"a reference that is {group!r}": (
        lambda group=group: (iter([["a"], ["b"]]), iter([[["a"]], group])), TypeError, "references")
        for group in (3, None, "a", b"a", {"a"}, {"a": 1})},
    "failing stream": (
        lambda: ((1 // 0 for _ in "a"), [[["a"]]]), ZeroDivisionError, "by zero",
    ),
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", BROKEN)
def test_a_failed_update_changes_nothing(engine: str, name: str) -> None:
    corpus, error, message = BROKEN[name]
    metric = Bleu(engine=engine)
    metric.update([["a"]] * 5, [[["a"]]] * 5)
    before = metric.seen
    for size in (1, PIECE):
        with in_pieces(size), pytest.raises(error, match=re.escape(message)):
            metric.update(*corpus())
        assert metric.seen == before


# Several systems ---------------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ["definition", *ENGINES])
def test_references_of_sixteen_systems_are_tokenised_once(engine: str) -> None:
    split = Mock(side_effect=str.split)
    outputs, groups = a_corpus(50)
    systems = {f"{turn}": outputs[turn:] + outputs[:turn] for turn in range(16)}
    Bleu(engine=engine, tokenizer=split).count_systems(systems, groups)
    assert sorted(line for (line,), _ in split.call_args_list) == sorted(
        [*outputs * 16, *chain(*groups)])


# Iterators ---------------------------------------------------------------------------------------

Form = Callable[[list[Any]], Any]
FORMS: dict[str, tuple[Form, Form]] = {
    "lists": (list, list),
    "tuples": (tuple, lambda groups: tuple(map(tuple, groups))),
    "iterators": (iter, iter),
    "candidates from a generator": (lambda outputs: (each for each in outputs), list),
    "references from a generator": (list, lambda groups: (each for each in groups)),
    "groups from generators": (iter, lambda groups: map(iter, groups)),
    "a list of iterators": (list, lambda groups: [iter(group) for group in groups]),
    "maps": (lambda outputs: map(str, outputs), lambda groups: map(tuple, groups)),
    "arrays of text": (lambda outputs: np.array(outputs, object), list),
}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("form", FORMS)
def test_iterators_score_as_lists(engine: str, form: str) -> None:
    corpus = a_corpus(60)
    candidates, references = FORMS[form]
    metric = Bleu(engine=engine)
    with in_pieces(7):
        for call in (metric, metric.count):
            made = call(candidates(corpus[0]), references(corpus[1]))
            assert made == call(*corpus)
        metric.update(candidates(corpus[0]), references(corpus[1]))
    assert exact(metric.compute()) == exact(corpus_bleu(*corpus, engine="definition"))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("size", [1, 2, 3, PIECE])
@pytest.mark.parametrize(("form", "other"), [(iter, iter), (list, iter), (iter, list)])
def test_streams_of_different_length_are_refused(
    engine: str, size: int, form: Form, other: Form
) -> None:
    metric, texts = Bleu(engine=engine), [*"abcdef"]
    for fewer, more in product(range(6), range(6)):
        if fewer != more:
            ended = "candidates" if fewer < more else "references"
            told = f"in number, and the {ended} ended first"
            for use in (metric, metric.update):
                with in_pieces(size), pytest.raises(ValueError, match=told):
                    use(form(texts[:fewer]), other([[text] for text in texts[:more]]))
    assert metric.seen == Bleu().seen


def test_a_stream_is_read_no_further_than_a_piece_ahead() -> None:
    texts = repeat("a b c d", 1 << 40)

    def stop(done: int, _: int | None) -> None:
        assert (1 << 40) - length_hint(texts) - done < PIECE + CHUNK // 64
        if done > 3 * PIECE:
            raise StopAsyncIteration

    with pytest.raises(StopAsyncIteration):
        Bleu(engine="numpy")(texts, repeat(["a b c d"]), stop)
    assert (1 << 40) - length_hint(texts) < 6 * PIECE


# Progress and threads ----------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("call", "streamed"), [
    ("__call__", False), ("__call__", True), ("update", False), ("update", True),
    ("count", False), ("count_systems", False),
])
def test_progress_grows_up_to_the_total(
    engine: str, call: str, streamed: bool, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bleu_nb.scoring.chunks.CHUNK", 40_000)
    outputs, groups = a_corpus(1300)
    told: list[tuple[int, int | None]] = []
    metric = Bleu(engine=engine, threads=2)
    metric.update(["a"] * 3, [["a"]] * 3)
    some: Any = {"one": outputs, "same": outputs} if call == "count_systems" else outputs
    with in_pieces(550):
        getattr(metric, call)(*(map(iter, (some, groups)) if streamed else (some, groups)),
                              progress=lambda *both: told.append(both))
    done = [number for number, _ in told]
    assert len(done) > 2 and done == sorted({*done}) and done[-1] == 1300
    assert {total for _, total in told} == {None if streamed else 1300}


@pytest.mark.parametrize("threads", [2, 5])
def test_whoever_stops_early_leaves_no_thread_and_no_work(threads: int) -> None:
    work, before = Mock(side_effect=lambda number: time.sleep(0.01)), threading.active_count()
    results = map_ahead(work, range(100), threads)
    next(results)
    assert before < threading.active_count() <= before + threads
    results.close()
    assert threading.active_count() == before
    assert work.call_count <= 1 + 2 * threads


def test_an_interrupt_while_a_thread_starts_is_what_the_caller_sees(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threading.Thread, "start", Mock(side_effect=KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        next(map_ahead(abs, range(100), 3))


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
def test_results_before_an_error_come_first_and_their_order_is_kept(threads: int) -> None:
    def failing(number: int) -> int:
        time.sleep(0.01 * (number % 2 == 0))
        return 20 // (5 - number)

    before, found = threading.active_count(), list[int]()
    with pytest.raises(ZeroDivisionError):
        found.extend(map_ahead(failing, range(9), threads))
    assert found == [*map(failing, range(5))]
    with pytest.raises(ZeroDivisionError):      # Where the items come from
        list(map_ahead(abs, map(failing, range(9)), threads))
    assert threading.active_count() == before


def test_a_process_may_end_amid_the_results() -> None:
    assert python(
        "from bleu_nb.scoring.chunks import map_ahead; "
        "results = map_ahead(abs, range(99), 2); print(next(results))", quiet=True) == "0\n"


@pytest.mark.parametrize(("name", "value", "told"), [
    *(("threads", value, "threads must be 1 or more, or None for one per core")
      for value in (0, -1, True, False, 1.5, "2", [2])),
    *(("engine", value, r"no engine .* 'bits', 'numpy', 'numba'")
      for value in ("Numpy", "", None, 1, "c")),
])  # fmt: skip
def test_wrong_threads_and_engines_are_refused(name: str, value: Any, told: str) -> None:
    for call in (Bleu, lambda **choice: corpus_bleu(["a"], [["a"]], **choice)):
        with pytest.raises(ValueError, match=told):
            call(**{name: value})


def choice(
    segments: int, batch: int = 0, there: str = "numpy numba", started: str = "", **more: Any
) -> str:
    """The engine where some modules can be imported and some engines are loaded."""
    return choose_engine(
        segments, batch or segments, started=started.split(),
        has=lambda module: module.startswith("bleu_nb.") or module in there.split(), **more)


@pytest.mark.parametrize(("engine", "choices"), [
    ("bits", {"segments": 1}), ("bits", {"segments": 2_000}), ("numpy", {"segments": 3_000}),
    ("numpy", {"segments": 90_000}), ("numba", {"segments": 200_000}),
    ("numpy", {"segments": 200_000, "there": "numpy"}),
    ("bits", {"segments": 200_000, "there": ""}),
    ("bits", {"segments": 200_000, "there": "numba"}),
    ("numpy", {"segments": 300, "letters": 3_000}), ("bits", {"segments": 9_000, "letters": 30}),
    ("numpy", {"segments": 32, "started": "numpy"}), ("bits", {"segments": 8, "started": "numpy"}),
    ("numba", {"segments": 32, "started": "numpy numba"}),
    ("bits", {"segments": 2, "started": "numpy numba"}),
    ("numba", {"segments": 100_000, "batch": 10}),
    ("bits", {"segments": 100_000, "batch": 10, "there": "numpy"}),
    ("numba", {"segments": 16, "text": False, "started": "numpy numba"}),
    ("numpy", {"segments": 64, "text": False, "started": "numpy"}),
    ("bits", {"segments": 16, "text": False, "started": "numpy"}),
    ("bits", {"segments": 5_000, "text": False}), ("numpy", {"segments": 7_000, "text": False}),
])  # fmt: skip
def test_the_engine_that_is_done_first(engine: str, choices: dict[str, Any]) -> None:
    assert choice(**choices) == engine


@pytest.mark.parametrize(("dialect", "loaded", "batch", "text", "engine"), [
    ("sacrebleu", True, 32, True, "numpy"), ("sacrebleu", True, 8, True, "bits"),
    ("sacrebleu", True, 32, False, "bits"), ("sacrebleu", False, 32, True, "bits"),
    ("google-bleu", True, 32, True, "definition"), ("mteval-v13a", True, 32, True, "bits"),
])
def test_a_batch_of_text_is_counted_in_arrays_where_these_are_loaded(
    dialect: str, loaded: bool, batch: int, text: bool, engine: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bleu_nb.scoring.metric.choose_engine", partial(
        choose_engine, started={"numpy"} if loaded else ()))
    row = DIALECTS[dialect]
    assert engine_for(row, "auto", 1_000, batch, text) == engine
    assert engine_for(row, "definition", 1_000, batch, text) == "definition"


IMPORT = """
import sys, threading
from importlib import import_module
from importlib.machinery import PathFinder
from bleu_nb import Bleu, corpus_bleu, sentence_bleu

name, first = sys.argv[1:]
begun, over = threading.Event(), threading.Event()

class Slow:
    "Finds one module, and lets its import stand still at its first line."
    def find_spec(self, wanted, path=None, target=None):
        if wanted != name:
            return None
        spec = PathFinder.find_spec(wanted, path)
        run = spec.loader.exec_module
        def wait(module):
            begun.set()
            over.wait(2)
            run(module)
        spec.loader.exec_module = wait
        return spec

def scores():
    return [repr(each.value) for each in (
        counts.score(), corpus_bleu(*corpus), sentence_bleu("a b c d e", ["a b c d f"]))]

corpus = ["a b c d e"] * 150, [["a b c d f"]] * 150
counts = Bleu().count(*corpus)
expected = scores()
if first:
    import_module(first)
sys.meta_path.insert(0, Slow())
worker = threading.Thread(target=import_module, args=[name])
worker.start()
assert begun.wait(60) and name in sys.modules
found = scores()
over.set()
worker.join()
assert found == scores() == expected, (found, expected)
"""


@pytest.mark.slow
@pytest.mark.parametrize(("name", "first"), [
    ("numpy", ""), ("bleu_nb.scoring.chunks", ""),
    pytest.param("bleu_nb.engines.numba_counts", "", marks=NEEDS_NUMBA),
])  # fmt: skip
def test_what_another_thread_is_importing_changes_no_score(name: str, first: str) -> None:
    python(IMPORT, name, first)


UNCOMPILED = """
import random
from bleu_nb import Bleu, corpus_bleu

rng = random.Random(1)
words = ["a", "the", "ma\u00f1ana", "x.5", "3-4", "averylongtokenindeed", "&lt;", "."]
def line():
    return " ".join(rng.choices(words, k=rng.randint(0, 9)))
for _ in range(9):
    candidates, references = [line() for _ in range(5)], [[line(), line()] for _ in range(5)]
    for corpus in ((candidates, references), (
            [each.split() for each in candidates],
            [[each.split() for each in group] for group in references])):
        found = Bleu(engine="numba").count(*corpus)
        assert found.sentences() == Bleu(engine="definition").count(*corpus).sentences()
few, many = (corpus_bleu(candidates * times, references * times) for times in (1, 40_000))
assert many.stats.matches == tuple(40_000 * each for each in few.stats.matches)
"""


@NEEDS_NUMBA
def test_what_numba_may_not_compile_is_counted_all_the_same() -> None:
    python(UNCOMPILED, env={**os.environ, "NUMBA_DISABLE_JIT": "1"})


COMPILE = """
import sys, tempfile
if sys.argv[2] == "nowhere":
    def refuse(*arguments, **named):
        raise OSError("read-only")
    tempfile.TemporaryFile = refuse
from bleu_nb.cli.command import main
sys.exit(main(["score", sys.argv[1], sys.argv[1], "--engine=numba", "--score-only"]))
"""


@pytest.mark.slow
@NEEDS_NUMBA
@pytest.mark.parametrize("folder", ["there", "nowhere"])
def test_who_waits_for_numba_to_compile_is_told(folder: str, tmp_path: Path) -> None:
    text, cache = tmp_path / "a", tmp_path / "cache"
    text.write_text("the cat sat on the mat\n")
    note = "numba compiles its loops on first use, which takes several seconds"
    for told in (f"bleu-nb: warning: {note}\n", "")[:2 if folder == "there" else 1]:
        done = subprocess.run(
            [sys.executable, "-c", COMPILE, text, folder], capture_output=True, text=True,
            env={**os.environ, "NUMBA_CACHE_DIR": str(cache)}, check=True)
        assert (done.stdout, done.stderr) == ("100.00\n", told)
    assert any(cache.rglob("*.nbi")) == (folder == "there")


UNLOADABLE = """
import sys

class Refusing:
    "Finds numba, and fails as llvmlite does where its library finds no room."
    def find_spec(self, name, path=None, target=None):
        if name == "numba":
            raise OSError("Could not find/load shared object file 'libllvmlite.so'")

if sys.argv[1] == "absent":
    sys.modules["numba"] = None
else:
    sys.meta_path.insert(0, Refusing())
from bleu_nb import corpus_bleu
try:
    corpus_bleu(["a"], [["a"]], engine="numba")
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize(("how", "told"), [
    ("absent", "needs numba: install bleu_nb with its extra 'fast'"),
    ("broken", "cannot load its compiler, often because of too little memory: use engine='numpy', "
               "which needs less"),
])  # fmt: skip
def test_a_compiler_that_cannot_be_loaded_is_told_as_that(how: str, told: str) -> None:
    assert python(UNLOADABLE, how).strip() == f"the engine 'numba' {told}"


FULL = """
import sys
from bleu_nb.cli import command as cli

def run(argv, rows):
    raise MemoryError(*argv)

cli.run = run
sys.stderr = sys.stdout
sys.stdout = open(sys.argv[1], "w")
cli.main(sys.argv[2:])
"""


@pytest.mark.parametrize(("reason", "told"), [
    ([], ""), (["Unable to allocate 348. KiB"], " (Unable to allocate 348. KiB)")])
def test_a_command_without_memory_says_what_needs_less(
    reason: list[str], told: str, tmp_path: Path
) -> None:
    assert python(FULL, tmp_path / "out", *reason) == (
        f"bleu-nb: error: not enough memory{told}: pass --engine=bits, which needs the least, if "
        "the command has this option\n")


# Memory ------------------------------------------------------------------------------------------

SCORE_STREAM = (
    """
import sys
from bleu_nb import corpus_bleu
engine, kind, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
words = "the cat sat on the mat, and it was 3.5 years old (internationally)".split() * 300

def line(number, length):
    return " ".join([str(number), *words[number % 13 : number % 13 + length]])

def stream():
    for number in range(size):
        if kind == "tokens":
            yield line(number, 40).split()
        elif kind == "giant words":
            yield " ".join(f"{4 * number + place}{'x' * 2500}" for place in range(4))
        else:
            yield line(number, 20 if kind == "text" else 3000)

score = corpus_bleu(stream(), ([other] for other in stream()), engine=engine)
assert score.value > 99.99, score
"""
    + PEAK
)
SCORE_FILES = (
    """
import sys
from bleu_nb.cli.command import main
assert main(["score", *sys.argv[1:]]) == 0
"""
    + PEAK
)

MORE = 32  # Mebibytes that a stream may take beyond one of a tenth of its length
# A tenth of each is more than a piece.
SIZES = {"text": 200_000, "tokens": 60_000, "documents": 2_000, "giant words": 6_000}

has_peak = pytest.mark.skipif(
    not Path("/proc/self/status").exists() and find_spec("resource") is None,
    reason="this system does not tell how much memory a process held",
)


@pytest.mark.slow
@has_peak
@pytest.mark.parametrize(
    ("engine", "kind"),
    [
        *(("numpy", kind) for kind in SIZES),
        pytest.param("numba", "text", marks=NUMBA.marks),
        ("bits", "giant words"),
    ],
)
def test_a_stream_takes_the_memory_of_a_piece(engine: str, kind: str) -> None:
    short, long = (
        float(python(SCORE_STREAM, engine, kind, size))
        for size in (SIZES[kind] // 10, SIZES[kind])
    )
    assert long < short + MORE


@pytest.mark.slow
@has_peak
@pytest.mark.parametrize("piped", [False, True], ids=["files", "standard input"])
def test_files_take_the_memory_of_a_piece(piped: bool, tmp_path: Path) -> None:
    path, peaks = tmp_path / "text", []
    for size in (SIZES["text"] // 10, SIZES["text"]):
        path.write_text("".join(f"{number} {'the old cat ' * 9}\n" for number in range(size)))
        # `input` reaches the process through a pipe
        streams = {"input": path.read_text()} if piped else {}
        score, peak = python(SCORE_FILES, "-" if piped else path, path, "--engine=numpy",
                             "--score-only", **streams).splitlines()
        assert score == "100.00"
        peaks.append(float(peak))
    assert peaks[1] < peaks[0] + MORE


@pytest.mark.parametrize("engine", ARRAYS)
def test_a_note_on_the_layout_comes_once_however_many_chunks_there_are(engine: str) -> None:
    words = [f"{number ** 5} {number ** 7} {number ** 9} {number ** 2}" for number in range(20, 60)]
    with in_chunks(2, 1 << 22), pytest.warns(InputNote) as heard:
        corpus_bleu(words, [words] * 40, engine=engine)     # 40 streams of 40 lines
    assert len(heard) == 1
