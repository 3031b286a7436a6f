"""What numba keeps on disk may be damaged, full or out of reach, and the score is the same."""

import re
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import pytest
from commands import ENVIRONMENT, RUN

pytest.importorskip("numba", reason="numba is not installed")

from numba.core.errors import TypingError

from bleu_nb.engines import numba_counts
from bleu_nb.engines.numba_counts import CacheNote, LoopCache, caching

LOOP = """
from bleu_nb.engines.numba_counts import compile_loop

@compile_loop
def double(number):
    return 2 * number
"""
Load = Callable[[], Any]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder for numba's cache, of which nothing was told yet."""
    numba_counts.warn_once.cache_clear()
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path / "cache"))
    yield tmp_path / "cache"
    numba_counts.warn_once.cache_clear()


@pytest.fixture
def load(folder: Path) -> Load:
    """Import a compiled loop as a new process would, which knows what is on disk only."""
    path = folder.parent / "loop.py"
    path.write_text(LOOP)

    def new() -> Any:
        spec = spec_from_file_location("loop", path)
        assert spec and spec.loader
        spec.loader.exec_module(module := module_from_spec(spec))
        return module.double

    return new


def hits(loop: Any) -> int:
    """How many of its compiled functions were loaded, after a call."""
    assert loop(21) == 42
    return sum(loop.stats.cache_hits.values())


def files(folder: Path, ending: str) -> list[Path]:
    return sorted(folder.rglob(f"*.{ending}"))


def damage(folder: Path, ending: str, change: Callable[[bytes], bytes]) -> None:
    """Change the only file that has this ending."""
    [path] = files(folder, ending)
    path.write_bytes(change(path.read_bytes()))


def test_compiled_code_is_loaded_without_a_warning(folder: Path, load: Load) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [hits(load()), hits(load())] == [0, 1]
    assert len(files(folder, "nbi")) == len(files(folder, "nbc")) == 1
    assert load().targetoptions["nogil"]    # For threads (chapter 4.7)


RANDOM = Random(5)
SHORTENED: dict[str, Callable[[bytes], bytes]] = {
    "shortened": lambda data: data[:-20],
    "empty": lambda data: b"",
    "random": lambda data: RANDOM.randbytes(len(data)),
}
DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    **SHORTENED,
    "AttributeError": lambda data: b"cos\nno_such_name\n.",
    "ModuleNotFoundError": lambda data: b"cno_such_module\nname\n.",
    "UnicodeDecodeError": lambda data: b"X\x02\0\0\0\xff\xfe.",
}


@pytest.mark.parametrize(("ending", "kind"), [
    *(("nbi", kind) for kind in DAMAGES), *(("nbc", kind) for kind in SHORTENED)])
def test_a_damaged_file_is_named_once_and_replaced(
    ending: str, kind: str, folder: Path, load: Load
) -> None:
    hits(load())
    damage(folder, ending, DAMAGES[kind])
    with pytest.warns(CacheNote) as told:
        assert hits(load()) == 0
    [place] = {str(path.parent) for path in files(folder, ending)}
    assert [str(each.message) for each in told] == [
        "numba's cache of compiled code was damaged, so its loops are compiled again: if this "
        f"warning is repeated, delete {place!r}"]
    assert told[0].filename == __file__     # Where the loop was called
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert hits(load()) == 1
        damage(folder, ending, DAMAGES[kind])   # Of which this process has told
        assert hits(load()) == 0


def test_the_folder_may_be_deleted(folder: Path, load: Load) -> None:
    hits(load())
    shutil.rmtree(folder)
    assert [hits(load()), hits(load())] == [0, 1]


def test_a_warning_that_is_made_an_error_is_raised_once(folder: Path, load: Load) -> None:
    hits(load())
    damage(folder, "nbi", DAMAGES["empty"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", CacheNote)
        with pytest.raises(CacheNote, match="was damaged"):
            load()(21)
        assert [hits(load()), hits(load())] == [0, 1]


@contextmanager
def a_full_disk() -> Iterator[None]:
    """No file may grow beyond ten bytes in the body."""
    resource = pytest.importorskip("resource", reason="needs POSIX")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_is_told_once(folder: Path, load: Load) -> None:
    with pytest.warns(CacheNote) as told, a_full_disk():
        found = [hits(load()), hits(load())]
    assert found == [0, 0] and [path.name for path in folder.rglob("*") if path.is_file()] == []
    [place] = map(str, folder.iterdir())
    assert [str(each.message) for each in told] == [
        "numba cannot use its cache of compiled code (File too large), so each process compiles "
        f"again: delete {place!r}, or set NUMBA_CACHE_DIR to another folder"]
    assert [hits(load()), hits(load())] == [0, 1]   # Now there is room


def test_a_damaged_file_on_a_full_disk(folder: Path, load: Load) -> None:
    hits(load())
    damage(folder, "nbi", DAMAGES["empty"])
    with pytest.warns(CacheNote) as told, a_full_disk():
        found = [hits(load()), hits(load())]
    assert found == [0, 0]
    assert [re.split("[(,]", str(each.message))[0] for each in told] == [
        "numba cannot use its cache of compiled code ",
        "numba's cache of compiled code was damaged"]


def test_a_file_that_cannot_be_read_is_told(folder: Path, load: Load) -> None:
    hits(load())
    [path] = files(folder, "nbi")
    path.unlink()
    path.mkdir()
    with pytest.warns(CacheNote, match="cannot use its cache") as told:
        assert hits(load()) == 0
    assert len(told) == 1


@pytest.mark.parametrize("kept", [True, False])
def test_a_place_that_is_no_folder_is_not_used(
    kept: bool, folder: Path, load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    """numba looks for another place, and there may be none."""
    folder.write_text("a file")
    if not kept:
        monkeypatch.setattr(caching.CacheImpl, "_locator_classes", [])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert [hits(load()), hits(load())] == [0, int(kept)]


def test_an_error_of_the_loop_itself_is_raised(load: Load) -> None:
    with pytest.raises(TypingError):
        load()(None)
    with pytest.raises(KeyboardInterrupt):
        LoopCache(load().py_func).attempt(Mock(side_effect=KeyboardInterrupt))


@pytest.mark.slow
def test_the_command_scores_with_a_damaged_cache(tmp_path: Path) -> None:
    text, cache = tmp_path / "a", tmp_path / "cache"
    text.write_text("the cat sat on the mat\n")

    def score() -> list[str]:
        done = subprocess.run(
            [sys.executable, "-c", RUN, "score", text, text, "--engine=numba", "--score-only"],
            capture_output=True, text=True, env={**ENVIRONMENT, "NUMBA_CACHE_DIR": str(cache)})
        assert (done.returncode, done.stdout) == (0, "100.00\n")
        return re.findall("note: numba(.{5})", done.stderr)

    assert (score(), score()) == ([" comp"], [])
    for path in (*files(cache, "nbi")[::2], *files(cache, "nbc")[1::2]):
        path.write_bytes(path.read_bytes()[:-20])
    assert (score(), score()) == (["'s ca", " comp"], [])
