"""Corpora in pieces, on threads, from files and pipes: the same bits in bounded memory."""

import gc
import os
import random
import re
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, pairwise, repeat
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import python
from data import PEAK, ROOT
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
from bleu_nb.cli.command import format_score
from bleu_nb.dialects.input_checks import LISTENER, PIECE, PIECE_CHARACTERS, Note
from bleu_nb.scoring.chunks import CHUNK, map_ahead
from bleu_nb.scoring.metric import engine_for
from bleu_nb.scoring.registry import ENGINES as NAMES
from bleu_nb.scoring.registry import STARTED, choose_engine

NEEDS_NUMBA = pytest.mark.skipif(find_spec("numba") is None, reason="numba is not installed")


@contextmanager
def in_pieces(segments: int, letters: int = PIECE_CHARACTERS) -> Iterator[None]:
    """Let the pieces of a stream be so small that even a few segments make many."""
    with pytest.MonkeyPatch.context() as patch:
        module = import_module("bleu_nb.dialects.input_checks")
        patch.setattr(module, "PIECE", segments)
        patch.setattr(module, "PIECE_CHARACTERS", letters)
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
    slow.update(*corpus)
    fast = Bleu(engine=engine, threads=threads, **FLOATS[row])
    expected = exact(slow(*corpus))
    assert exact(slow.compute()) == expected
    with in_chunks(size, 20), in_pieces(size + 1, 40):
        assert exact(fast(*corpus)) == expected
        assert exact(fast(*map(iter, corpus))) == expected
        for part in cut(corpus, places):
            fast.update(*part)
        assert exact(fast.compute()) == expected
        assert fast.seen == slow.seen
        fast.reset()
        fast.update(iter(corpus[0]), corpus[1])
        assert fast.seen == slow.seen


@pytest.mark.slow
@pytest.mark.parametrize("engine", ARRAYS)
@pytest.mark.parametrize("row", ["ignite", "mean of sentences"])
def test_many_floats_are_added_from_left_to_right(engine: str, row: str) -> None:
    corpus = a_corpus(2500)
    expected = exact(corpus_bleu(*corpus, engine="bits", **FLOATS[row]))
    for threads in (1, 5):
        metric = Bleu(engine=engine, threads=threads, **FLOATS[row])
        assert exact(metric(*corpus)) == expected
        with in_pieces(700):
            assert exact(metric(iter(corpus[0]), iter(corpus[1]))) == expected
        for part in cut(corpus, [1, 2, 900, 1900]):
            metric.update(*part)
        assert exact(metric.compute()) == expected


@pytest.mark.parametrize("engine", ENGINES)
def test_a_call_leaves_the_tally_alone_and_reset_forgets_it(engine: str) -> None:
    metric = Bleu(engine=engine)
    metric.update(*a_corpus(20, seed=1))
    before = metric.seen
    metric(*a_corpus(30, seed=2))
    metric.count(*a_corpus(30, seed=2))
    assert metric.seen == before
    metric.reset()
    assert not metric.seen.segments
    with pytest.raises(ValueError, match="an empty corpus: pass at least one candidate"):
        metric.compute()
    metric.update([["a", "b"]], [[["a", "c"]]])
    assert exact(metric.compute()) == exact(corpus_bleu([["a", "b"]], [[["a", "c"]]]))


Mistake = tuple[Callable[[], tuple[Any, Any]], type[Exception], str]
BROKEN: dict[str, Mistake] = {
    "text after token lists": (
        lambda: (["a"], [["a"]]), TypeError, "text after token lists: pass all",
    ),
    "no candidates": (lambda: ([], []), ValueError, "an empty corpus: pass at least one candidate"),
    "text in the middle": (
        lambda: ([["a"], "b"], [[["a"]], [["b"]]]), TypeError,
        "candidates[1] is a string, but candidates[0] is a list of tokens",
    ),
    "None for a candidate": (
        lambda: ([["a"], None], [[["a"]], [["b"]]]), TypeError, "candidates[1] is missing (None or",
    ),
    "no reference": (
        lambda: ([["a"], ["b"]], [[["a"]], []]), ValueError, "references[1] holds no reference: e",
    ),
    "no reference in a stream": (
        lambda: (iter([["a"], ["b"]]), iter([[["a"]], [None]])), ValueError, "references[1] holds",
    ),
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
    asked: list[str] = []

    def split(line: str) -> list[str]:
        asked.append(line)
        return line.split()

    outputs, groups = a_corpus(50)
    systems = {f"{turn}": outputs[turn:] + outputs[:turn] for turn in range(16)}
    metric = Bleu(engine=engine, tokenizer=split)
    counts = metric.count_systems(systems, groups)
    assert sorted(asked) == sorted([*outputs * 16, *chain(*groups)])
    for name, candidates in systems.items():
        assert counts[name] == metric.count(candidates, groups)


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
@pytest.mark.parametrize("missing", [1, 2, 3, 4, 6])
def test_streams_of_different_length_are_refused(engine: str, missing: int) -> None:
    texts = [*"abcdef"]
    groups = [[text] for text in texts]
    metric = Bleu(engine=engine)
    for size in (1, 2, 3, PIECE):
        with in_pieces(size):
            for form, other in ((iter, iter), (list, iter), (iter, list)):
                for outputs, humans, told in (
                    (texts[:-missing], groups, "candidates end while there are references"),
                    (texts, groups[:-missing], "references end while there are candidates"),
                ):
                    for use in (metric, metric.update):
                        with pytest.raises(ValueError, match=f"in number: the {told} left"):
                            use(form(outputs), other(humans))
    assert metric.seen == Bleu().seen


@pytest.mark.parametrize("engine", ENGINES)
def test_streams_of_arrays_score_as_lists(engine: str) -> None:
    candidates = np.array([[1, 2, 3, 4, 5], [6, 7, 8, 9, 9]])
    references = np.array([[[1, 2, 3, 4, 4], [5, 1, 2, 3, 4]], [[6, 7, 8, 9, 9], [6, 6, 6, 6, 6]]])
    expected = exact(corpus_bleu(candidates.tolist(), references.tolist(), engine="definition"))
    for sides in ((iter(candidates), iter([*references])), (iter(candidates), references),
                  (candidates, map(list, references))):
        assert exact(corpus_bleu(*sides, engine=engine)) == expected


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("group", [3, None, "a", b"a", {"a"}, {"a": 1}])
def test_wrong_groups_in_a_stream_are_named(engine: str, group: Any) -> None:
    with pytest.raises(TypeError, match="references"):
        corpus_bleu(iter(["a", "b"]), iter([["a"], group]), engine=engine)


def test_a_stream_is_read_no_further_than_a_piece_ahead() -> None:
    read = 0

    def texts() -> Iterator[str]:
        nonlocal read
        while True:
            read += 1
            yield "a b c d"

    def stop(done: int, _: int | None) -> None:
        assert read - done < PIECE + CHUNK // 64
        if done > 3 * PIECE:
            raise StopAsyncIteration

    with pytest.raises(StopAsyncIteration):
        Bleu(engine="numpy")(texts(), repeat(["a b c d"]), stop)
    assert read < 6 * PIECE


# Progress and threads ----------------------------------------------------------------------------


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("streamed", [False, True], ids=["list", "stream"])
def test_progress_grows_up_to_the_total(
    engine: str, streamed: bool, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bleu_nb.scoring.chunks.CHUNK", 80_000)
    corpus = a_corpus(2600)
    total = None if streamed else 2600
    metric = Bleu(engine=engine, threads=2)
    metric.update(["a"] * 3, [["a"]] * 3)
    calls: dict[str, list[tuple[int, int | None]]] = {}
    with in_pieces(1100):
        for name in ("__call__", "update"):
            sides = map(iter, corpus) if streamed else corpus
            seen = calls[name] = []
            getattr(metric, name)(*sides, progress=lambda *both, to=seen: to.append(both))
    seen = calls["count"] = []
    metric.count(*corpus, progress=lambda *both: seen.append(both))
    seen = calls["count_systems"] = []
    systems = {"one": corpus[0], "same": corpus[0]}
    metric.count_systems(systems, corpus[1], progress=lambda *both: seen.append(both))
    for name, seen in calls.items():
        done = [number for number, _ in seen]
        assert len(done) > 2
        assert done == sorted({*done})
        assert done[-1] == 2600
        expected = total if name in ("__call__", "update") else 2600
        assert {each for _, each in seen} == {expected}, name


@pytest.mark.parametrize("threads", [2, 5])
def test_whoever_stops_early_leaves_no_thread_and_no_work(threads: int) -> None:
    started: list[int] = []

    def work(number: int) -> int:
        time.sleep(0.01)
        started.append(number)
        return number

    before = threading.active_count()
    results = map_ahead(work, range(100), threads)
    assert next(results) == 0
    assert before < threading.active_count() <= before + threads
    results.close()
    assert threading.active_count() == before
    ended = len(started)
    time.sleep(0.05)
    assert len(started) == ended <= 1 + 2 * threads


def test_an_error_where_items_come_from_is_raised_and_ends_the_threads() -> None:
    def items() -> Iterator[int]:
        yield from range(3)
        raise LookupError("no more")

    before = threading.active_count()
    with pytest.raises(LookupError, match="no more"):
        list(map_ahead(abs, items(), 2))
    assert threading.active_count() == before


def test_an_interrupt_while_a_thread_starts_is_what_the_caller_sees(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(_: threading.Thread) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        next(map_ahead(abs, range(100), 3))


@pytest.mark.parametrize("threads", [1, 2, 3, 5])
def test_results_before_an_error_come_first_and_their_order_is_kept(threads: int) -> None:
    def work(number: int) -> int:
        time.sleep(0.02 if number % 2 == 0 else 0)
        if number == 5:
            raise LookupError(number)
        return number

    found: list[int] = []
    with pytest.raises(LookupError, match="5"):
        found.extend(map_ahead(work, range(9), threads))
    assert found == [*range(5)]


def test_what_was_worked_off_is_let_go() -> None:
    class Chunk:
        """Stands for much memory."""

    seen: list[weakref.ref[Chunk]] = []

    def items() -> Iterator[Chunk]:
        for _ in range(50):
            chunk = Chunk()
            seen.append(weakref.ref(chunk))
            yield chunk
            del chunk

    results = map_ahead(lambda chunk: type(chunk), items(), 2)
    gc.disable()
    try:
        assert [next(results) for _ in range(20)] == [Chunk] * 20
        time.sleep(0.1)
        assert sum(each() is not None for each in seen) <= 1  # The one that was handed over last
    finally:
        gc.enable()
        results.close()


def test_a_process_may_end_amid_the_results() -> None:
    code = ("from bleu_nb.scoring.chunks import map_ahead; "
            "results = map_ahead(abs, range(99), 2); print(next(results))")
    assert python(code, quiet=True) == "0\n"


@pytest.mark.parametrize(("name", "value"), [
    *(("threads", value) for value in (0, -1, True, False, 1.5, "2", [2])),
    *(("engine", value) for value in ("Numpy", "", None, 1, "c")),
])  # fmt: skip
def test_wrong_threads_and_engines_are_refused(name: str, value: Any) -> None:
    told = {"threads": "threads must be 1 or more, or None for one per core",
            "engine": r"no engine .* 'bits', 'numpy', 'numba'"}[name]
    for call in (Bleu, lambda **choice: corpus_bleu(["a"], [["a"]], **choice)):
        with pytest.raises(ValueError, match=told):
            call(**{name: value})


@pytest.mark.parametrize("name", DIALECTS)
def test_rows_that_arrays_cannot_count_say_so(name: str) -> None:
    row = DIALECTS[name]
    if row.counting == "clipped":
        assert Bleu(row, engine="numpy").engine == "numpy"
    else:
        with pytest.raises(ValueError, match=f"'numpy' cannot count for {name}: use engine='auto'"):
            Bleu(row, engine="numpy")
    corpus = a_corpus(9)
    assert exact(Bleu(row)(*corpus)) == exact(Bleu(row, engine="definition")(*corpus))


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
    ("bits", {"segments": 999, "text": False, "started": "numpy numba"}),
    ("bits", {"segments": 3_000, "text": False}), ("numpy", {"segments": 5_000, "text": False}),
])  # fmt: skip
def test_the_engine_that_is_done_first(engine: str, choices: dict[str, Any]) -> None:
    assert choice(**choices) == engine


@given(segments=st.integers(1, 10**7), text=st.booleans(), started=st.sampled_from(["", "numpy"]))
def test_more_to_count_never_needs_a_slower_engine(segments: int, text: bool, started: str) -> None:
    order = [*NAMES]
    one, more = (order.index(choice(number, text=text, started=started))
                 for number in (segments, 2 * segments))
    assert more >= one


@pytest.fixture
def started() -> Iterator[set[str]]:
    """The engines that have counted in this process: none, for the length of a test."""
    before = {*STARTED}
    STARTED.clear()
    yield STARTED
    STARTED.clear()
    STARTED.update(before)


@pytest.mark.parametrize(("dialect", "loaded", "batch", "text", "engine"), [
    ("sacrebleu", True, 32, True, "numpy"), ("sacrebleu", True, 8, True, "bits"),
    ("sacrebleu", True, 32, False, "bits"), ("sacrebleu", False, 32, True, "bits"),
    ("google-bleu", True, 32, True, "definition"), ("mteval-v13a", True, 32, True, "bits"),
])
def test_a_batch_of_text_is_counted_in_arrays_where_these_are_loaded(
    started: set[str], dialect: str, loaded: bool, batch: int, text: bool, engine: str
) -> None:
    started |= {"numpy"} if loaded else set()
    row = DIALECTS[dialect]
    assert engine_for(row, "auto", 1_000, batch, text) == engine
    assert engine_for(row, "definition", 1_000, batch, text) == "definition"


@pytest.mark.slow
@pytest.mark.parametrize(("module", "segments"), [("numba", 200_000), ("numpy", 5_000)])
def test_a_missing_module_is_done_without(module: str, segments: int) -> None:
    score = python(
        f"""import sys
sys.modules["{module}"] = None
from bleu_nb import corpus_bleu
print(repr(corpus_bleu(["a b c d"] * {segments}, [["a b c e"]] * {segments}).value))"""
    )
    bits = corpus_bleu(["a b c d"] * segments, [["a b c e"]] * segments, engine="bits")
    assert score.strip() == repr(bits.value)


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


def test_no_score_asks_what_is_imported() -> None:
    asks = [path.stem for path in sorted((ROOT / "bleu_nb").rglob("*.py"))
            if path.parent.name != "adapters"   # Which stand in for modules of other tools
            and "sys.modules" in path.read_text(encoding="utf-8")]
    assert asks == ["_lazy"]


UNCOMPILED = """
import random
from bleu_nb import Bleu, corpus_bleu

rng = random.Random(1)
words = ["a", "the", "ma\u00f1ana", "x.5", "3-4", "averylongtokenindeed", "&lt;", "."]
def line():
    return " ".join(rng.choices(words, k=rng.randint(0, 9)))
for _ in range(40):
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
    text = tmp_path / "a"
    text.write_text("the cat sat on the mat\n")
    cache = tmp_path / "cache"
    told = []
    for _ in range(2 if folder == "there" else 1):
        done = subprocess.run(
            [sys.executable, "-c", COMPILE, text, folder], capture_output=True, text=True,
            env={**os.environ, "NUMBA_CACHE_DIR": str(cache)}, check=True)
        assert done.stdout == "100.00\n"
        told.append(done.stderr)
    note = "numba compiles its loops for this machine first, which takes some seconds"
    assert told[0] == f"bleu-nb: note: {note}\n"
    assert told[1:] == ([""] if folder == "there" else [])
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
    ("broken", "cannot load its compiler, often for lack of memory: use engine='numpy', which "
               "needs less"),
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
    message = python(FULL, tmp_path / "out", *reason)
    least = "--engine=bits, where a command takes it, needs least"
    assert message == f"bleu-nb: error: memory is not enough for this{told}: {least}\n"


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


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[int, list[Path]]:
    """Candidates and references of a long and a short corpus."""
    folder = tmp_path_factory.mktemp("files")
    draw = random.Random(4)
    words = ["the", "cat", "sat", "on", "a", "mat", ",", "(internationally)", "3.5", "years", "."]
    rows = [" ".join(draw.choices(words, k=25)) for _ in range(1000)]
    made = {}
    for size in (SIZES["text"] // 10, SIZES["text"]):
        made[size] = [folder / f"{size}.{side}.txt" for side in ("candidates", "references")]
        for shift, path in enumerate(made[size]):
            lines = (f"{number} {rows[(number + shift) % 1000]}\n" for number in range(size))
            path.write_text("".join(lines), encoding="utf-8")
    return made


@pytest.mark.slow
@has_peak
@pytest.mark.parametrize("piped", [False, True], ids=["files", "standard input"])
def test_files_take_the_memory_of_a_piece(files: dict[int, list[Path]], piped: bool) -> None:
    peaks, scores = [], []
    for candidates, references in files.values():
        name, streams = str(candidates), {}
        if piped:  # `input` reaches the process through a pipe
            name, streams = "-", {"input": candidates.read_text("utf-8")}
        told = python(SCORE_FILES, name, references, "--engine=numpy", **streams)
        *score, peak = told.splitlines()
        peaks.append(float(peak))
        scores.append(score)
    assert peaks[1] < peaks[0] + MORE
    texts = [path.read_text(encoding="utf-8").splitlines() for path in files[SIZES["text"]]]
    assert scores[1] == [format_score(corpus_bleu(texts[0], [[line] for line in texts[1]]))]


@pytest.mark.parametrize("tokenizer", ["13a", "zh"])    # From bytes, or from strings
@pytest.mark.parametrize("engine", ENGINES)
def test_half_a_character_in_a_later_chunk_is_named_by_its_own_place(
    engine: str, tokenizer: str
) -> None:
    candidates = ["the boat came in"] * 200
    with in_chunks(16, 1 << 22), pytest.raises(
            ValueError, match=r"candidates\[150\] holds half a character"):
        corpus_bleu([*candidates[:150], "the \ud800 boat", *candidates[151:]],
                    [["the boat came in late"]] * 200, engine=engine, tokenizer=tokenizer)


@pytest.mark.parametrize("engine", ARRAYS)
def test_a_note_on_the_layout_comes_once_however_many_chunks_there_are(engine: str) -> None:
    words = [f"{number ** 5} {number ** 7} {number ** 9} {number ** 2}" for number in range(20, 60)]
    heard: list[Note] = []
    before = LISTENER.set(heard.append)
    try:
        with in_chunks(2, 1 << 22):
            corpus_bleu(words, [words] * 40, engine=engine)     # 40 streams of 40 lines
    finally:
        LISTENER.reset(before)
    assert [type(note).__name__ for note in heard] == ["InputNote"]
