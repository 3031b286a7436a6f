"""What is saved is whole or not there, and what is loaded could have been counted."""

import io
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
import threading
import warnings
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, replace
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from commands import python
from data import PEAK
from hypothesis import given
from hypothesis import strategies as st
from strategies import a_corpus, exact

from bleu_nb import DIALECTS, Bleu
from bleu_nb.derivation.bleu import BleuStats
from bleu_nb.scoring.counts import COLUMNS, Counts, counts_of
from bleu_nb.scoring.storage import MOST_UNPACKED, write_atomically

OUTPUTS = ["the cat sat on the mat", "a dog", "", "it was asleep , I think"]
HUMANS = [["the cat sat on a mat", "a cat"], ["a dog barked"], ["x"], ["it slept , I think"]]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="asks for devices and limits of Linux")
POSIX = pytest.mark.skipif(os.name != "posix", reason="asks for links, pipes and mode bits")
REFUSED = "does not contain counts: pass a file that bleu_nb saved"


def a_metric(**choices: Any) -> Bleu:
    """A metric that has seen four segments."""
    metric = Bleu(choices.pop("dialect", "sacrebleu"), **choices)
    metric.update(OUTPUTS, HUMANS)
    return metric


COUNTED = Bleu().count(OUTPUTS, HUMANS)
KINDS = pytest.mark.parametrize(("save", "load"), [
    (lambda path, times=1: a_metric().save(str(path)), Bleu.load),
    (lambda path, times=1: Bleu().count(OUTPUTS * times, HUMANS * times).save(path), Counts.load),
], ids=["metric", "counts"])

# Whole or not there -------------------------------------------------------------------------------

FULL_DISK = """
import random, resource, signal, sys
from bleu_nb import Bleu
kind, path = sys.argv[1:]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
texts = [random.choice("abc ") * random.randrange(99) for _ in range(999)]
try:
    if kind == "metric":
        Bleu(max_order=100).save(path)
    else:
        Bleu().count(texts, [[text] for text in texts]).save(path)
except OSError as error:
    print(type(error).__name__, error.strerror)
"""


@LINUX
@pytest.mark.parametrize("kind", ["metric", "counts"])
@pytest.mark.parametrize("before", [[], ["kept.npz"]])
def test_a_full_disk_leaves_the_file_of_before(
    kind: str, before: list[str], tmp_path: Path
) -> None:
    for name in before:
        COUNTED.save(tmp_path / name)
    assert python(FULL_DISK, kind, tmp_path / "kept.npz", quiet=True) == (
        "OSError File too large\n")
    assert os.listdir(tmp_path) == before
    assert all(Counts.load(tmp_path / name) == COUNTED for name in before)


@LINUX
@KINDS
def test_a_device_gives_the_error_of_the_system(save: Any, load: Any) -> None:
    with pytest.raises(OSError, match="No space left on device"):
        save("/dev/full")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@LINUX
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_takes_a_metric(name: str, tmp_path: Path) -> None:
    path, program = tmp_path / "told.npz", f"from bleu_nb import Bleu; Bleu().save('{name}')"
    with path.open("wb") as file:
        before = os.fstat(file.fileno()).st_ino
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
    assert path.stat().st_ino == before and Bleu.load(str(path)).seen == Bleu().seen
    piped = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert zipfile.is_zipfile(io.BytesIO(piped.stdout))


@KINDS
def test_whoever_loads_while_another_saves_sees_a_whole_file(
    save: Any, load: Any, tmp_path: Path
) -> None:
    path, loads = tmp_path / "kept.npz", 0
    save(path)
    with ThreadPoolExecutor(1) as pool:
        saved = pool.submit(lambda: [save(path, 1 + number % 7) for number in range(40)])
        while not saved.done():
            load(path)
            loads += 1
    assert saved.result() and loads > 5
    assert os.listdir(tmp_path) == ["kept.npz"]


@KINDS
@POSIX
def test_links_and_mode_bits_stay(save: Any, load: Any, tmp_path: Path) -> None:
    folder, path, usual = tmp_path / "links", tmp_path / "kept.npz", tmp_path / "usual"
    folder.mkdir()
    usual.touch()
    (link := folder / "link.npz").symlink_to(path)
    save(link)    # The link leads nowhere yet
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(usual.stat().st_mode)
    path.chmod(0o640)
    save(link)
    assert link.is_symlink() and os.listdir(folder) == ["link.npz"] and load(link)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert {*os.listdir(tmp_path)} == {"links", "kept.npz", "usual"}


@pytest.mark.parametrize("use", [a_metric().save, COUNTED.save, Bleu.load, Counts.load])
def test_a_place_that_is_not_there_is_named(use: Any, tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as error:
        use(tmp_path / "nowhere" / "kept.npz")
    assert error.value.filename == str(tmp_path / "nowhere" / "kept.npz")
    with pytest.raises((IsADirectoryError, PermissionError)):
        use(tmp_path)
    assert os.listdir(tmp_path) == []


@contextmanager
def a_umask(mask: int) -> Iterator[None]:
    """Take mode bits from every file that is made in the body."""
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


@POSIX
@pytest.mark.parametrize("mask", [0, 0o022, 0o077])
@pytest.mark.parametrize("old", [None, 0o600, 0o640, 0o666, 0o200])
def test_a_private_file_is_private_while_it_is_rewritten(
    old: int | None, mask: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, first, change = tmp_path / "kept.npz", [], os.chmod
    if old is not None:
        path.touch()
        path.chmod(old)

    def look(name: str, mode: int) -> None:
        first.append(stat.S_IMODE(os.stat(name).st_mode))
        change(name, mode)

    monkeypatch.setattr(os, "chmod", look)
    wanted = 0o666 & ~mask if old is None else old
    with a_umask(mask), write_atomically(path) as file:
        [made] = {*os.listdir(tmp_path)} - {path.name}
        assert re.fullmatch(r"\.kept\.npz\.bleu_nb-[0-9a-f]{16}\.tmp", made)
        assert stat.S_IMODE((tmp_path / made).stat().st_mode) == wanted
        file.write(b"new")
    assert stat.S_IMODE(path.stat().st_mode) == wanted and os.listdir(tmp_path) == [path.name]
    assert first == ([] if old is None else [0o600 & ~mask])


@POSIX
@pytest.mark.parametrize("refusal", [None, PermissionError(1, "Operation not permitted"),
                                     AttributeError("Windows has no such function")], ids=repr)
def test_the_owner_stays_where_that_is_allowed(
    refusal: Exception | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "chown", chown := Mock(side_effect=refusal))
    (path := tmp_path / "kept.npz").touch()
    was = path.stat()
    COUNTED.save(path)
    assert chown.call_args.args[1:] == (was.st_uid, was.st_gid) and Counts.load(path) == COUNTED


def test_a_file_that_may_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though its folder would allow that."""
    def refuse(name: Any, mode: str = "r", **more: Any) -> Any:
        if name == path:
            raise PermissionError(13, "Permission denied", str(name))
        return open(name, mode, **more)

    (path := tmp_path / "kept.npz").write_text("old")
    monkeypatch.setattr("bleu_nb.scoring.storage.open", refuse, raising=False)
    with pytest.raises(PermissionError), write_atomically(path) as file:
        file.write(b"new")
    assert path.read_text() == "old" and os.listdir(tmp_path) == ["kept.npz"]


def test_all_is_on_the_disk_before_the_old_file_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(os.fstat(file).st_size))
    with write_atomically(tmp_path / "kept.npz") as file:
        file.write(b"new")
    assert synced == [3]


@POSIX
def test_a_link_in_the_place_of_the_temporary_file_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (victim := tmp_path / "victim").write_text("whole")
    monkeypatch.setattr(os, "urandom", bytes)
    (tmp_path / f".kept.npz.bleu_nb-{bytes(8).hex()}.tmp").symlink_to(victim)
    with pytest.raises(FileExistsError):
        COUNTED.save(tmp_path / "kept.npz")
    assert victim.read_text() == "whole" and not (tmp_path / "kept.npz").exists()


@pytest.mark.parametrize("error", [
    KeyboardInterrupt(), SystemExit(), OSError("full"), FileNotFoundError(2, "lost", "other"),
], ids=repr)  # fmt: skip
@pytest.mark.parametrize("place", ["body", "chmod", "fsync", "replace"])
@pytest.mark.parametrize("before", [[], ["kept.npz"]])
def test_what_fails_at_any_moment_leaves_the_file_of_before(
    before: list[str], place: str, error: BaseException, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in before:
        (tmp_path / name).write_text("old")
    monkeypatch.setattr(os, place, Mock(side_effect=error), raising=False)
    with pytest.raises(type(error)) as raised, write_atomically(tmp_path / "kept.npz") as file:
        file.write(b"new")
        if place == "body" or (place == "chmod" and not before):    # A new file needs none
            raise error
    assert raised.value is error
    assert os.listdir(tmp_path) == before
    assert all((tmp_path / name).read_text() == "old" for name in before)


def test_an_error_names_the_file_that_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not the temporary file, which exists no more."""
    def refuse(made: str, place: Any) -> None:
        raise PermissionError(1, "Operation not permitted", made, None, str(place))

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError) as error:
        COUNTED.save(tmp_path / "kept.npz")
    assert (error.value.filename, error.value.filename2) == (str(tmp_path / "kept.npz"), None)
    assert os.listdir(tmp_path) == []


def test_a_file_may_have_the_longest_name(tmp_path: Path) -> None:
    for name in ("a" * 255, "\u6d77" * 85):
        path = tmp_path / name
        COUNTED.save(path)
        assert Counts.load(path) == COUNTED
    assert len(os.listdir(tmp_path)) == 2


@POSIX
def test_a_pipe_is_opened_once_and_written_directly(tmp_path: Path) -> None:
    """Its reader took the end of a first opening for the end of the file."""
    os.mkfifo(pipe := tmp_path / "pipe")
    saving = threading.Thread(target=COUNTED.save, args=(pipe,), daemon=True)
    saving.start()
    kept = tmp_path / "kept.npz"
    kept.write_bytes(pipe.read_bytes())
    assert Counts.load(kept) == COUNTED
    saving.join(60)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and {*os.listdir(tmp_path)} == {"pipe", "kept.npz"}


@LINUX
@pytest.mark.skipif(not os.access("/dev/shm", os.W_OK), reason="needs /dev/shm")
def test_a_file_in_shared_memory_is_replaced() -> None:
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        (path := Path(folder, "kept.npz")).write_text("old")
        with pytest.raises(KeyError), write_atomically(path):
            raise KeyError
        assert path.read_text() == "old"


# What was counted is loaded -----------------------------------------------------------------------

CHOICES: dict[str, dict[str, Any]] = {
    "weights": {"weights": (0.1, 0.3, 0.6), "arithmetic": "weighted"},
    "last segment": {"dialect": "nltk", "smoothing": "nltk-5"},
    "last segment, averaged": {"dialect": "nltk", "smoothing": "nltk-7", "average": "segments"},
    "google-bleu, averaged": {"dialect": "google-bleu", "average": "segments"},
    **{name: {"dialect": name} for name in DIALECTS},
}


@pytest.mark.parametrize("name", CHOICES)
def test_a_metric_is_loaded_as_it_was_saved(name: str, tmp_path: Path) -> None:
    metric, path = Bleu(**CHOICES[name]), tmp_path / "kept.npz"
    metric.merge(Bleu(**CHOICES[name]))     # The sum of nothing had a last segment
    assert metric.seen == Bleu(**CHOICES[name]).seen
    outputs, groups = a_corpus(40)
    for part in (slice(0, 25), slice(25, 40)):
        metric.save(str(path))
        metric = Bleu.load(path)
        metric.update(outputs[part], groups[part])
    assert metric.dialect == Bleu(**CHOICES[name]).dialect and [*tmp_path.iterdir()] == [path]
    assert exact(metric.compute()) == exact(Bleu(**CHOICES[name])(outputs, groups))


LINES = st.lists(st.sampled_from(["", "a", "a b", "a b a", "b a b c d", "a a a a a a"]), min_size=1)


@given(lines=LINES, choices=st.one_of(st.sampled_from([*CHOICES.values()]), st.fixed_dictionaries({
    "tokenizer": st.just("none"),
    "max_order": st.integers(1, 6), "least_total": st.sampled_from([0, 1]),
    "end_token": st.booleans(), "counting": st.sampled_from(["clipped", "google"]),
    "reference_length": st.sampled_from(["closest", "shortest"]),
    "average": st.sampled_from(["pooled", "segments"]),
    "smoothing": st.sampled_from(["none", "exp", "floor", "add-k", "mteval", "nltk-5"]),
})))  # fmt: skip
def test_counts_are_loaded_as_they_were_saved(
    lines: list[str], choices: dict[str, Any], tmp_path_factory: pytest.TempPathFactory,
) -> None:
    path = str(tmp_path_factory.getbasetemp() / "counted.npz")
    metric = Bleu(**choices)
    metric.update(lines, [[line[1:], "a b c", line] for line in lines])
    counts = metric.count(lines, [["b", line[2:]] for line in lines])
    for each in (
            counts, counts.take([0, 0, -1]), counts[:0], counts_of(counts.dialect, []), metric.seen,
            *(some.pooled() for some in (counts, counts[:0])
              if metric.dialect.average == "pooled")):
        each.save(path)
        assert (loaded := Counts.load(path)) == each
        assert {getattr(loaded, name).format for name in COLUMNS} == {"q"}


@pytest.mark.parametrize("metric", [
    a_metric(engine="bits", threads=3), a_metric(engine="numpy"), a_metric(threads=1),
    Bleu.from_signature("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0")], ids=str)
def test_a_metric_remembers_how_it_counts(metric: Bleu, tmp_path: Path) -> None:
    """Engine and threads were forgotten, and what a signature leaves open."""
    metric.save(tmp_path / "kept.npz")
    loaded = Bleu.load(tmp_path / "kept.npz")
    assert (loaded.engine, loaded.threads, loaded.unspecified) == (
        metric.engine, metric.threads, metric.unspecified)


# With and without numpy ---------------------------------------------------------------------------

BARE = """
import sys
sys.modules["numpy"] = None
from bleu_nb import Bleu, Counts
metric = Bleu()
metric.update(["the boat came late", "a"] * 30, [["the boat came very late"], ["b"]] * 30)
for use in (metric.save, metric.seen.save, Bleu.load, Counts.load):
    try:
        use(sys.argv[1])
    except ImportError as error:
        print(error)
counts = metric.count(["the boat came late"], [["the boat came very late"]])
print(metric.compute().value, (counts + metric.seen).score().value, counts.values())
"""


def test_without_numpy_there_are_counts_but_no_files(tmp_path: Path) -> None:
    """As in a browser, which has numpy only where it was loaded."""
    COUNTED.save(tmp_path / "kept.npz")
    *told, scores = python(BARE, tmp_path / "kept.npz", quiet=True).splitlines()
    assert told == ["saving and loading counts requires numpy: install it (in a browser, "
                    "await pyodide.loadPackage('numpy'))"] * 4
    metric, counts = Bleu(), Bleu().count(["the boat came late"], [["the boat came very late"]])
    metric.update(["the boat came late", "a"] * 30, [["the boat came very late"], ["b"]] * 30)
    assert scores == (f"{metric.compute().value} {(counts + metric.seen).score().value} "
                      f"{counts.values()}")


@pytest.mark.parametrize("name", ["last segment", "ignite", "google-bleu", "sacrebleu"])
def test_numpy_reads_what_was_saved(name: str, tmp_path: Path) -> None:
    counts, path = Bleu(**CHOICES[name]).count(OUTPUTS * 300, HUMANS * 300), tmp_path / "kept.npz"
    counts.save(path)
    with np.load(path) as file:
        for column, wanted in columns(counts).items():
            assert file[column].dtype == np.int64 and np.array_equal(file[column], wanted)


def test_a_choice_that_no_file_can_hold_is_refused(tmp_path: Path) -> None:
    object.__setattr__(row := replace(DIALECTS["sacrebleu"]), "digits", {1})
    with pytest.raises(ValueError, match=r"counts whose digits is \{1\} cannot be saved or sent"):
        counts_of(row, []).save(tmp_path / "kept.npz")
    assert os.listdir(tmp_path) == []


# Counts that could be -----------------------------------------------------------------------------


Change = Callable[[Any], Any]


def about(counts: Counts, **changes: Any) -> bytes:
    """What a file says of counts, some of it changed."""
    return json.dumps({
        "dialect": asdict(counts.dialect), "last": counts.last and asdict(counts.last),
        "tokenized": counts.tokenized, "version": counts.version,
        "pooled_segments": counts.pooled_segments, **changes,
    }).encode()  # fmt: skip


def told_in(path: Path) -> Any:
    """What a file says of its counts."""
    with zipfile.ZipFile(path) as members:
        return json.loads(members.read("about.json"))


def columns(counts: Counts, **changes: Change) -> dict[str, Any]:
    """The columns of counts as arrays, some of them changed."""
    arrays = {**counts.arrays(), "reference_numbers": np.asarray(counts.reference_numbers)}
    return {name: changes.get(name, np.asarray)(np.array(array)) for name, array in arrays.items()}


def archive(text: bytes | None, **arrays: Any) -> bytes:
    """The bytes of a file, as numpy writes it."""
    file = io.BytesIO()
    np.savez_compressed(file, **{name: np.asarray(value) for name, value in arrays.items()})
    if text is not None:
        with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as more:
            more.writestr("about.json", text)
    return file.getvalue()


def put(row: Any, value: float) -> Change:
    """A change of one number of a column."""

    def change(column: Any) -> Any:
        column[row] = value
        return column

    return change


POT = Bleu("google-bleu").count(OUTPUTS, HUMANS)    # N-grams of all orders in one pot
SUM = a_metric().seen
LAST = asdict(SUM.last)


def a_last(**changes: Any) -> dict[str, Any]:
    """A change of the last segment."""
    return {"last": {**LAST, **changes}}


ROWS: dict[str, dict[str, Change]] = {
    "a match too many": {"matches": put((1, 0), 3)},
    "a match of nothing": {"matches": put((2, 0), 1)},
    "negative matches": {"matches": put((0, 0), -1)},
    "negative lengths": {"candidate_lengths": put(2, -1)},
    "lengths that add up to too much": {"reference_lengths": put(2, 1 << 53)},
    "lengths that wrap around": {"reference_lengths": put(slice(None), 1 << 62)},
    "negative references": {"reference_lengths": put(2, -1)},
    "references that are floats": {"reference_lengths": lambda c: c.astype(float)},
    "a row too few": {"matches": lambda c: c[:-1]},
    "a length too few": {"candidate_lengths": lambda c: c[:-1]},
    "a reference too few": {"reference_lengths": lambda c: c[:-1]},
    "a number too few": {"reference_numbers": lambda c: c[:-1]},
    "a number too many": {"reference_numbers": lambda c: np.append(c, 1)},
    "no references": {"reference_numbers": put(0, 0)},
    "numbers in a column": {"reference_numbers": lambda c: c[:, None]},
    "one number of references": {"reference_numbers": lambda c: c[0]},
    "an order too few": {"totals": lambda c: c[:, :-1]},
    "an order too few in both": {name: lambda c: c[:, :-1] for name in ("matches", "totals")},
    "no orders": {name: lambda c: c[:, :0] for name in ("matches", "totals")},
    "rows that are cut otherwise": {
        name: lambda c: c.reshape(-1, 2) for name in ("matches", "totals")},
    "columns in columns": {"candidate_lengths": lambda c: c[:, None]},
    "rows in one column": {"matches": lambda c: c.ravel()},
    "one number": {"candidate_lengths": lambda c: c[0]},
    "floats as matches": {"matches": lambda c: c.astype(float)},
    "small integers": {"matches": lambda c: c.astype(np.int8)},
    "text as lengths": {"candidate_lengths": lambda c: c.astype(str)},
    "objects": {"reference_lengths": lambda c: c.astype(object)},
    "imaginary references": {"reference_lengths": lambda c: c.astype(complex)},
}  # fmt: skip
SUMS: dict[str, dict[str, Any]] = {
    "matches above totals": {"matches": put((0, 0), 10**9)},
    "one match too many": {"matches": put((0, 0), 15)},
    "negative matches": {"matches": put((0, 0), -1)},
    "an order too few": {name: lambda c: c[:, :3] for name in ("matches", "totals")},
    "a negative length": {"candidate_lengths": put(0, -14)},
    "a negative reference": {"reference_lengths": put(0, -1)},
    "more tokens than there are": {"reference_lengths": put(0, 1 << 60)},
    "no references": {"reference_numbers": put(0, 0)},
    "a last segment in text": a_last(matches="5321"),
    "a last segment with half a match": a_last(matches=[4.5, 3, 2, 1]),
    "a last segment with fewer orders": a_last(matches=[5, 3], totals=[6, 5]),
    "a last segment of nothing": a_last(reference_length=None),
    "a last segment of half a length": a_last(reference_length=4.5),
    "a last segment without end": a_last(reference_length=1e400),
    "no last segment": {"last": None},
    "an empty last segment": {"last": {}},
    "no segments": {"pooled_segments": 0},
    "segments in parts": {"pooled_segments": 4.0},
    "negative segments": {"pooled_segments": -4},
    "true segments": {"pooled_segments": True},
    "segments in words": {"pooled_segments": "4"},
    "rows after all": {"pooled_segments": None},
    "text and tokens": {"tokenized": 1},
    "neither text nor tokens": {"tokenized": "no"},
    "half a token list": {"tokenized": 0.0},
    "a version that is none": {"version": None},
    "a version of numbers": {"version": 2},
    "choices of another version": {"dialect": {"colour": "blue"}},
    "no choices": {"dialect": {}},
    "a name of choices": {"dialect": "sacrebleu"},
    "choices that do not exist": {"dialect": {**asdict(DIALECTS["nltk"]), "smoothing": "x"}},
    "a tokenizer that is none": {"dialect": {**asdict(DIALECTS["nltk"]), "tokenizer": None}},
    "orders without end": {"dialect": {**asdict(DIALECTS["nltk"]), "max_order": 10**9}},
    "weights in words": {"dialect": {**asdict(DIALECTS["nltk"]), "weights": "0.5"}},
    "a mean of scores": {"dialect": {**asdict(Bleu(average="segments").dialect)}},
    "a pot": {"dialect": asdict(DIALECTS["google-bleu"])},
}
POTS: dict[str, dict[str, Change]] = {
    "more matches than n-grams": {"matches": put((0, 0), 31)},
    "negative matches": {"matches": put((0, 0), -1)},
    "two pots": {name: lambda c: np.repeat(c, 2, axis=1) for name in ("matches", "totals")},
}
NOTHING = Bleu().count(["", ""], [[""], [""]]).pooled()
FEW = Bleu("nltk").count(["a b", "a", "c d", "e"], [["a b"], ["a"], ["c d"], ["e"]]).pooled()
SHORT = Bleu("nltk").count(["a", "a b c d e f g"], [["a"], ["a b c d e f g"]])[:1]
IMPOSSIBLE: list[tuple[Counts, dict[str, Any]]] = [
    *((COUNTED, change) for change in ROWS.values()),
    *((SUM, change) for change in SUMS.values()),
    *((each, change) for change in POTS.values() for each in (POT[:2], POT[:1].pooled())),
    # Segments that are all there have no last one; empty ones that were added have one, too
    *((COUNTED, {"last": last}) for last in ({}, 0, "", [], LAST)), (NOTHING, {"last": None}),
]


def changed(counts: Counts, changes: dict[str, Any]) -> bytes:
    """The bytes of a file of counts, some of what it says or holds changed."""
    held = {name: change for name, change in changes.items() if name in COLUMNS}
    told = {name: change for name, change in changes.items() if name not in COLUMNS}
    return archive(about(counts, **told), **columns(counts, **held))


def test_the_changes_above_change_files_that_are_read(tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    for counts in (SUM, COUNTED, POT.pooled(), POT, COUNTED[:0].pooled(), NOTHING, FEW, SHORT):
        for change in ({}, {"matches": lambda c: c.astype(">i8")}, {"matches": np.asfortranarray}):
            path.write_bytes(changed(counts, change))
            assert Counts.load(path) == counts
            assert Bleu.load(path).seen == counts.pooled()
    assert SUM[0] == BleuStats((11, 6, 3, 1), (14, 11, 8, 6), 14, 15)
    assert SUM.last == BleuStats((4, 2, 1, 0), (6, 5, 4, 3), 6, 5)


@pytest.mark.parametrize("shape", [(10**12, 4), (10**12,), (2**62, 2**62), (3, -4)], ids=str)
def test_a_column_that_claims_more_numbers_than_it_holds_is_refused(
    shape: tuple[int, ...], tmp_path: Path
) -> None:
    (tmp_path / "kept.npz").write_bytes(changed(SUM, {}))
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<i8", "fortran_order": False, "shape": shape})
    with (zipfile.ZipFile(tmp_path / "kept.npz") as old,
          zipfile.ZipFile(tmp_path / "claims.npz", "w") as new):
        for name in old.namelist():
            claimed = header.getvalue() + bytes(64) if name == "matches.npy" else old.read(name)
            new.writestr(name, claimed)
    with pytest.raises(ValueError, match=REFUSED):
        Counts.load(tmp_path / "claims.npz")


@pytest.mark.parametrize("told", [
    {"engine": "fast"}, {"engine": ["bits"]}, {"engine": None}, {"engine": 5}, {"threads": 0},
    {"threads": "2"}, {"threads": True}, {"threads": 1.5}, {"unspecified": 5}, {"unspecified": [1]},
    {"unspecified": [None]}, {"unspecified": None}, {"unspecified": "a"}, {"unspecified": {"a": 1}},
], ids=str)  # fmt: skip
def test_a_metric_that_could_not_be_made_is_refused(told: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    path.write_bytes(changed(SUM, told))
    with pytest.raises(ValueError, match=REFUSED):
        Bleu.load(path)
    assert Counts.load(path) == SUM         # Which do not ask who counted them


JSON = [None, True, 0, 2, 1.5, 10**400, "", "a", [], ["a"], [0.25] * 4, [None], {}, {"a": [1]}]


@pytest.mark.parametrize("name", ["sacrebleu", "ignite", "google-bleu"])
def test_what_a_file_says_is_refused_or_means_what_it_says(name: str, tmp_path: Path) -> None:
    """A source that was a list was loaded, and no score could be computed."""
    metric, path, loaded = a_metric(**CHOICES[name]), tmp_path / "kept.npz", 0
    metric.save(path)
    said = told_in(path)
    ways = [*said.items(), *(((part, name), value) for part in ("dialect", "last")
                             for name, value in (said[part] or {}).items())]
    for (way, _), value in product(ways, JSON):
        part, key = way if isinstance(way, tuple) else ("", way)
        told = {**said, **({part: {**said[part], key: value}} if part else {key: value})}
        path.write_bytes(archive(json.dumps(told).encode(), **columns(metric.seen)))
        try:
            found = Bleu.load(path)
        except ValueError as error:
            assert REFUSED in str(error)
            continue
        loaded += 1
        assert hash(found.dialect) and exact(found.compute())
        found.save(path)
        assert told_in(path) == told
    assert loaded > 5


@pytest.mark.parametrize("label", ["BLEU", "BLEU of characters"])
def test_a_file_tells_a_label_of_its_own_only(label: str, tmp_path: Path) -> None:
    """An earlier version, which has no labels, reads the others."""
    dialect, path = replace(DIALECTS["sacrebleu"], label=label), tmp_path / "kept.npz"
    Bleu(dialect).count(["a b"], [["a b"]]).save(path)
    told = told_in(path)["dialect"]
    assert told.get("label", "BLEU") == label and ("label" in told) == (label != "BLEU")
    assert Bleu.load(path).dialect == dialect


# Files of something else --------------------------------------------------------------------------


def a_file(packed: int = zipfile.ZIP_DEFLATED, /, **changes: bytes | None) -> bytes:
    """The bytes of a file, with some members changed or left out."""
    with zipfile.ZipFile(io.BytesIO(changed(COUNTED, {}))) as old:
        members = {name: old.read(name) for name in old.namelist()}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packed) as new:
        for name, data in {**members, **changes}.items():
            if data is not None:
                new.writestr(name, data)
    return made.getvalue()


def a_head(text: str) -> bytes:
    """The beginning of an array that says something of itself."""
    line = text.encode("latin-1") + b"\n"
    return b"\x93NUMPY\x01\x00" + len(line).to_bytes(2, "little") + line


np.save(_made := io.BytesIO(), np.arange(3))
ARRAY = _made.getvalue()
SAYS = "{'descr': '<i8', 'fortran_order': False, 'shape': %s, }"
WHOLE = a_file()
OTHERS: dict[str, bytes] = {
    "text": b"not an archive",
    "nothing": b"",
    "one array": ARRAY,
    "start of an archive": b"PK\x03\x04" + bytes(20),
    "cut archive": WHOLE[: len(WHOLE) // 2],
    "archive cut at its end": WHOLE[:-3],
    "packed by bzip2": a_file(zipfile.ZIP_BZIP2),
    "packed by LZMA": a_file(zipfile.ZIP_LZMA),
    "other arrays": archive(None, one=[1, 2], two=[3]),
    "no columns": archive(b"{}"),
    "no text": a_file(**{"about.json": None}),
    "no JSON": a_file(**{"about.json": b"{"}),
    "JSON of something else": a_file(**{"about.json": b"[]"}),
    "JSON without choices": a_file(**{"about.json": b"{}"}),
    "JSON that is deep": a_file(**{"about.json": b"[" * 100_000}),
    "JSON with a long number": a_file(**{"about.json": b"9" * 100_000}),
    "bytes that are no text": a_file(**{"about.json": b'{"dialect": "\xff"}'}),
    "no matches": a_file(**{"matches.npy": None}),
    "empty matches": a_file(**{"matches.npy": b""}),
    "matches of text": a_file(**{"matches.npy": b"1, 2, 3"}),
    "version 2.0": a_file(**{"matches.npy": b"\x93NUMPY\x02\x00" + bytes(80)}),
    "dashes without end": a_file(**{"matches.npy": a_head("-" * 60_000 + "1")}),
    "brackets without end": a_file(**{"matches.npy": a_head("(" * 60_000)}),
    "a head that calls": a_file(**{"matches.npy": a_head("__import__('os').abort()")}),
    "a negative shape": a_file(**{"matches.npy": a_head(SAYS % "(-4, 4)")}),
    "a shape of text": a_file(**{"matches.npy": a_head(SAYS % "'44'")}),
    "a shape of three": a_file(**{"matches.npy": a_head(SAYS % "(1, 1, 1)") + bytes(8)}),
    "no shape": a_file(**{"matches.npy": a_head(SAYS % "()") + bytes(8)}),
    "other digits": a_file(**{"matches.npy": a_head(SAYS % "(\xb2, 4)") + bytes(64)}),
    "a shape without end": a_file(**{"matches.npy": a_head(SAYS % f"({'9' * 5000}, 4)")}),
    "fewer numbers than said": a_file(**{"matches.npy": a_head(SAYS % "(4, 4)") + bytes(120)}),
    "more numbers than said": a_file(**{"matches.npy": a_head(SAYS % "(4, 4)") + bytes(136)}),
}


with zipfile.ZipFile(TWICE := io.BytesIO(WHOLE), "a") as _file, warnings.catch_warnings():
    warnings.simplefilter("ignore")     # Of the duplicate name
    _file.writestr("about.json", about(COUNTED))
OTHERS |= {
    **{f"counts that could not be, {place}": changed(*each)
       for place, each in enumerate(IMPOSSIBLE)},
    "two files": changed(POT, {}) + WHOLE,
    "text before": b"counts\n" + WHOLE,
    "bytes after": WHOLE + b"\n",
    "zeros after": WHOLE + bytes(22),
    "a comment": WHOLE[:-2] + b"\2\0ok",
    "a member twice": TWICE.getvalue(),
    "a member too many": a_file(**{"more.npy": ARRAY}),
}


@pytest.mark.parametrize("kind", OTHERS)
def test_a_file_that_holds_no_counts_is_refused(kind: str, tmp_path: Path) -> None:
    """It is read as neither counts nor metric, and the error names it."""
    path = tmp_path / "other.npz"
    path.write_bytes(OTHERS[kind])
    for read in (Bleu.load, Counts.load):
        with pytest.raises(ValueError, match=REFUSED) as error:
            read(path)
        assert repr(str(path)) in str(error.value)


DAMAGE = st.lists(st.one_of(
    st.tuples(st.just("change"), st.integers(0, len(WHOLE) - 1), st.binary(min_size=1, max_size=4)),
    st.tuples(st.just("insert"), st.integers(0, len(WHOLE)), st.binary(min_size=1, max_size=40)),
    st.tuples(st.just("remove"), st.integers(0, len(WHOLE) - 1), st.integers(1, len(WHOLE))),
), min_size=1, max_size=3)  # fmt: skip


@given(damage=DAMAGE)
def test_a_damaged_file_is_refused_or_loads_the_same(
    damage: list[Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Dates and the like do not matter."""
    data = WHOLE
    for kind, place, value in damage:
        if kind == "remove":
            data = data[:place] + data[place + value:]
        else:
            after = place + len(value) if kind == "change" else place
            data = data[:place] + value + data[after:]
    path = tmp_path_factory.getbasetemp() / "damaged.npz"
    path.write_bytes(data)
    try:
        assert Counts.load(path) == COUNTED
    except ValueError as error:
        assert REFUSED in str(error)


@given(counts=st.sampled_from([COUNTED, SUM, POT]), name=st.sampled_from(COLUMNS), data=st.data())
def test_other_numbers_are_refused_or_have_scores(
    counts: Counts, name: str, data: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A file with whole checksums, which somebody wrote on purpose."""
    column = columns(counts)[name].ravel()
    place = data.draw(st.integers(0, len(column) - 1))
    value = data.draw(st.integers(-3, 20) | st.integers(-1 << 63, (1 << 63) - 1))
    path = tmp_path_factory.getbasetemp() / "changed.npz"
    path.write_bytes(changed(counts, {
        name: lambda c: put(place, value)(c.ravel()).reshape(c.shape)}))
    try:
        loaded = Counts.load(path)
    except ValueError as error:
        assert REFUSED in str(error)
    else:
        assert min(getattr(loaded, name)) >= 0 and loaded.segments == counts.segments
        assert loaded.score().value >= 0 and loaded.pooled().score().value >= 0


@pytest.mark.parametrize("path", [None, 5, b"kept.npz", ["kept.npz"], ""])
def test_what_names_no_file_is_refused(path: Any) -> None:
    error, words = (ValueError, "the path of a file is empty") if path == "" else (
        TypeError, "the path of a file must be a string or a Path, not")
    for use in (Bleu.load, Counts.load, Bleu().save, Bleu().count(["a"], [["a"]]).save):
        with pytest.raises(error, match=words):
            use(path)


# Files that claim more than they are --------------------------------------------------------------

LOADING = """
import sys
from bleu_nb import Bleu, Counts
for path in sys.argv[1:]:
    for load in (Bleu.load, Counts.load):
        try:
            load(path)
        except ValueError as error:
            assert "pass a file that bleu_nb saved" in str(error)
        else:
            raise SystemExit(f"{path} was read")
""" + PEAK  # fmt: skip


def bombs() -> Iterator[tuple[str, bytes]]:
    """Archives of a few kilobytes that unpack to hundreds of megabytes."""
    zeros = bytes(300 << 20)
    many = len(zeros) // 8
    large = a_head(SAYS % f"({many},)") + zeros
    counts = Bleu().count(OUTPUTS, HUMANS)
    zero = {name: np.zeros((len(zeros) >> 5, 4)[:array.ndim], array.dtype)
            for name, array in columns(counts).items() if name != "reference_numbers"}
    zero["reference_numbers"] = np.zeros(0, int)
    yield "rows of nothing", archive(about(counts), **zero)
    yield "a long text", a_file(**{"about.json": b'{"dialect": "' + zeros})
    yield "one long column", a_file(**{"candidate_lengths.npy": large})
    yield "many numbers of references", a_file(**{"reference_numbers.npy": large})
    yield "more than it says", a_file(**{"matches.npy": a_head(SAYS % "(4, 4)") + zeros})
    yield "wide rows", a_file(**{"matches.npy": a_head(SAYS % f"(4, {many // 4})") + zeros})
    lies = a_file(**{"about.json": b"{" + b" " * len(zeros)})
    claims = [number.to_bytes(4, "little") for number in (len(zeros) + 1, 100)]
    assert lies.count(claims[0]) == 2   # In the archive's list, and before the member
    yield "more than it claims", lies.replace(*claims)
    yield "wide numbers", a_file(**{
        "matches.npy": a_head(SAYS.replace("<i8", f"<U{many // 8}") % "(4, 4)") + zeros})


@pytest.mark.slow
def test_a_file_that_claims_gigabytes_is_refused_in_little_memory(tmp_path: Path) -> None:
    paths = []
    for name, data in [("usual", OTHERS["no JSON"]), *bombs()]:
        paths.append(tmp_path / name)
        paths[-1].write_bytes(data)
        assert len(data) < 1 << 20
    usual, most = (float(python(LOADING, *some, quiet=True)) for some in (paths[:1], paths))
    assert most < usual + 20


def test_what_is_saved_is_not_packed_too_densely_to_be_read(tmp_path: Path) -> None:
    column = memoryview(bytes(MOST_UNPACKED)).cast("q")
    lengths = column[:len(column) // 4]
    counts = Counts(DIALECTS["sacrebleu"], column, column, lengths, lengths, lengths[:0])
    with pytest.raises(ValueError, match=r"segments cannot be saved: .*counts\.pooled\(\)"):
        counts.save(tmp_path / "kept.npz")
    assert os.listdir(tmp_path) == []
