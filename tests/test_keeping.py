"""What is saved is whole or not there, and what is loaded could have been counted."""

import io
import json
import os
import stat
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_streams import PEAK

from bleu_nb import DIALECTS, Bleu
from bleu_nb.bleu import BleuStats
from bleu_nb.columns import StatsTable
from bleu_nb.scoring import Tally
from bleu_nb.smoothing import SMOOTHINGS, smooth
from bleu_nb.streams import check_counts, load_table, save_table, save_tally

OUTPUTS = ["the cat sat on the mat", "a dog", "", "it was asleep , I think"]
HUMANS = [["the cat sat on a mat", "a cat"], ["a dog barked"], ["x"], ["it slept , I think"]]
LINUX = pytest.mark.skipif(sys.platform != "linux", reason="asks for devices and limits of Linux")


def a_metric(**choices: Any) -> Bleu:
    """A metric that has seen four segments."""
    metric = Bleu(choices.pop("dialect", "sacrebleu"), **choices)
    metric.update(OUTPUTS, HUMANS)
    return metric


def run(program: str, *arguments: str) -> str:
    """What a Python program prints; it must not complain."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip()


def save(kind: str, path: Path | str, lines: int = 1) -> None:
    """Save a metric or a table."""
    metric = a_metric()
    if kind == "metric":
        metric.save(str(path))
    else:
        save_table(metric.table(OUTPUTS * lines, HUMANS * lines), path)


def load(kind: str, path: Path | str) -> Any:
    """Load a metric or a table."""
    return Bleu.load(str(path)) if kind == "metric" else load_table(path)


KINDS = pytest.mark.parametrize("kind", ["metric", "table"])

# Whole or not there -------------------------------------------------------------------------------

FULL_DISK = """
import resource, signal, sys
import numpy as np
from bleu_nb import Bleu
from bleu_nb.columns import StatsTable
from bleu_nb.streams import save_table
kind, path = sys.argv[1:]
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500))
lengths = np.random.default_rng(0).integers(9, 99, 9999)
column = lengths[:, None]
try:
    if kind == "metric":
        Bleu(max_order=100).save(path)
    else:
        save_table(StatsTable(column, column, lengths, lengths), path)
except OSError as error:
    print(type(error).__name__, error.strerror)
"""


@LINUX
@KINDS
def test_a_full_disk_leaves_the_file_of_before(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    save(kind, path)
    before = path.read_bytes()
    assert run(FULL_DISK, kind, str(path)) == "OSError File too large"
    assert path.read_bytes() == before
    assert os.listdir(tmp_path) == ["kept.npz"]
    path.unlink()
    assert run(FULL_DISK, kind, str(path)) == "OSError File too large"
    assert os.listdir(tmp_path) == []


@LINUX
@KINDS
def test_a_device_gives_the_error_of_the_system(kind: str) -> None:
    with pytest.raises(OSError, match="No space left on device"):
        save(kind, "/dev/full")
    assert stat.S_ISCHR(os.stat("/dev/full").st_mode)


@LINUX
def test_standard_output_takes_a_metric(tmp_path: Path) -> None:
    program = "from bleu_nb import Bleu; Bleu().save('/dev/stdout')"
    path = tmp_path / "told.npz"
    with path.open("wb") as file:
        before = os.fstat(file.fileno()).st_ino
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
    assert (path.stat().st_ino, Bleu.load(str(path)).tally) == (before, Tally())
    piped = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    path.write_bytes(piped.stdout)
    assert Bleu.load(str(path)).tally == Tally()


@KINDS
def test_whoever_loads_while_another_saves_sees_a_whole_file(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    save(kind, path)
    done = threading.Event()

    def saving() -> None:
        for number in range(60):
            save(kind, path, 1 + number % 7)
        done.set()

    thread = threading.Thread(target=saving)
    thread.start()
    try:
        loads = 0
        while not done.is_set():
            load(kind, path)
            loads += 1
    finally:
        thread.join()
    assert loads > 5
    assert os.listdir(tmp_path) == ["kept.npz"]


@KINDS
@pytest.mark.skipif(os.name != "posix", reason="asks for links and mode bits")
def test_links_and_mode_bits_stay(kind: str, tmp_path: Path) -> None:
    folder, path = tmp_path / "links", tmp_path / "kept.npz"
    folder.mkdir()
    link = folder / "link.npz"
    link.symlink_to(path)
    save(kind, link)    # The link leads nowhere yet
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~current_umask()
    path.chmod(0o640)
    save(kind, link)
    assert link.is_symlink() and os.listdir(folder) == ["link.npz"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) in (["links", "kept.npz"], ["kept.npz", "links"])
    load(kind, link)


def current_umask() -> int:
    """The mode bits that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


@KINDS
def test_a_place_that_cannot_be_written_is_named(kind: str, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "kept.npz"
    with pytest.raises(FileNotFoundError) as error:
        save(kind, nowhere)
    assert error.value.filename == str(nowhere)
    with pytest.raises((IsADirectoryError, PermissionError)):
        save(kind, tmp_path)
    assert os.listdir(tmp_path) == []


# Numbers of other libraries -----------------------------------------------------------------------


def test_numbers_of_numpy_are_saved(tmp_path: Path) -> None:
    row = replace(
        DIALECTS["sacrebleu"], max_order=np.int64(3), smoothing="floor",
        smoothing_value=0.5, digits=2)  # fmt: skip
    row = replace(row, weights=(np.float32(0.5), np.float64(0.25), 0.25))
    metric = Bleu(row)
    metric.update(OUTPUTS, HUMANS)
    metric.save(str(tmp_path / "kept.npz"))
    loaded = Bleu.load(str(tmp_path / "kept.npz"))
    assert (loaded.dialect, loaded.tally) == (metric.dialect, metric.tally)
    assert type(loaded.dialect.max_order) is int
    loaded.merge(metric)


def test_a_choice_that_no_file_can_hold_is_refused(tmp_path: Path) -> None:
    row = DIALECTS["sacrebleu"]
    object.__setattr__(row := replace(row), "digits", {1})
    with pytest.raises(ValueError, match="cannot be saved: pass a number, a string or None"):
        save_tally(row, Tally(), tmp_path / "kept.npz")
    object.__setattr__(row := replace(row, digits=None), "name", "x" * (1 << 22))
    with pytest.raises(ValueError, match="bytes cannot be saved: give its row shorter names"):
        save_tally(row, Tally(), tmp_path / "kept.npz")
    assert os.listdir(tmp_path) == []


# Counts that could be -----------------------------------------------------------------------------

LINES = st.lists(st.sampled_from(["", "a", "a b", "a b a", "b a b c d", "a a a a a a"]), min_size=1)


@given(
    lines=LINES,
    more=LINES,
    choices=st.fixed_dictionaries({
        "max_order": st.integers(1, 6), "least_total": st.sampled_from([0, 1]),
        "end_token": st.booleans(), "counting": st.sampled_from(["clipped", "google"]),
        "reference_length": st.sampled_from(["closest", "average", "shortest"]),
        "average": st.sampled_from(["pooled", "segments"]),
        "smoothing": st.sampled_from(["none", "exp", "floor", "add-k", "mteval"]),
    }),
)  # fmt: skip
def test_what_was_counted_is_loaded(
    lines: list[str], more: list[str], choices: dict[str, Any],
    tmp_path_factory: pytest.TempPathFactory,
) -> None:  # fmt: skip
    path = str(tmp_path_factory.getbasetemp() / "counted.npz")
    metric, other = Bleu(tokenizer="none", **choices), Bleu(tokenizer="none", **choices)
    metric.update(lines, [[line[1:], "a b c", line] for line in lines])
    other.update(more, [["b", line[2:]] for line in more])
    for _ in range(2):
        metric.save(path)
        loaded = Bleu.load(path)
        assert (loaded.dialect, loaded.tally) == (metric.dialect, metric.tally)
        metric.merge(other)
    if choices["counting"] == "clipped":
        table = metric.table(lines, [[line[1:], "a b c"] for line in lines])
        save_table(table, path)
        assert [*load_table(path)] == [*table]


@pytest.mark.parametrize(("least", "ended"), [*product([0, 1], [False, True])])
def test_totals_are_accepted_if_some_corpus_has_them(least: int, ended: bool) -> None:
    row = replace(DIALECTS["sacrebleu"], least_total=least, end_token=ended)
    for orders, segments in product((1, 2, 3), (1, 2, 3)):
        there = set()
        for lengths in combinations_with_replacement(range(int(ended), 7), segments):
            totals = tuple(
                sum(max(least, length - order) for length in lengths)
                if least else sum(max(0, length - order) for length in lengths)
                for order in range(orders))  # fmt: skip
            there.add((sum(lengths), totals))
        for length, *totals in product(range(6), repeat=orders + 1):
            stats = BleuStats((0,) * orders, tuple(totals), length, 3)
            accepted = True
            try:
                check_counts(row, stats, segments, orders)
            except ValueError:
                accepted = False
            assert accepted == ((length, tuple(totals)) in there), (segments, length, totals)


def test_precisions_of_smoothers_without_a_number_are_at_most_1() -> None:
    for name, smoother in SMOOTHINGS.items():
        if smoother.value is None and not smoother.uses_last:
            for length, matched in product(range(7), repeat=2):
                totals = tuple(max(0, length - order) for order in range(4))
                matches = tuple(min(matched, total) for total in totals)
                credits = smooth(BleuStats(matches, totals, length, 3), name)
                assert all(credit <= total for credit, total in credits), name


def archive(**arrays: Any) -> bytes:
    """The bytes of an npz file."""
    file = io.BytesIO()
    np.savez_compressed(file, **{name: np.asarray(value) for name, value in arrays.items()})
    return file.getvalue()


def state(metric: Bleu) -> dict[str, Any]:
    """A metric as a file holds it."""
    tally = {**asdict(metric.tally), "numbers": sorted(metric.tally.numbers)}
    return {"dialect": asdict(metric.dialect), "tally": tally}


def with_stats(**changes: Any) -> dict[str, Any]:
    """A change of the sum of the statistics."""
    return {"stats": {**state(a_metric())["tally"]["stats"], **changes}}


def with_last(**changes: Any) -> dict[str, Any]:
    """A change of the last segment's statistics."""
    return {"last": {**state(a_metric())["tally"]["last"], **changes}}


IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "matches above totals": with_stats(matches=[10**9, 6, 4, 2]),
    "one match too many": with_stats(matches=[15, 6, 4, 2]),
    "negative matches": with_stats(matches=[-1, 6, 4, 2]),
    "half a match": with_stats(matches=[7.5, 6, 4, 2]),
    "true matches": with_stats(matches=[True, 1, 1, 1]),
    "text as matches": with_stats(matches="1234"),
    "totals that rise": with_stats(totals=[14, 11, 12, 6]),
    "totals that fall too fast": with_stats(totals=[14, 9, 8, 7]),
    "totals that are not the length": with_stats(totals=[15, 11, 8, 6]),
    "an order too few": with_stats(matches=[9, 4, 1], totals=[14, 11, 9]),
    "an order too many": with_stats(matches=[9, 4, 1, 0, 0], totals=[14, 11, 9, 7, 5]),
    "a negative length": with_stats(candidate_length=-14),
    "a negative reference": with_stats(reference_length=-1),
    "half a reference": with_stats(reference_length=14.5),
    "an endless reference": with_stats(reference_length=float("inf")),
    "a reference that is no number": with_stats(reference_length=float("nan")),
    "more tokens than there are": with_stats(reference_length=1 << 60),
    "a reference in words": with_stats(reference_length="14"),
    "a last segment above the whole": with_last(totals=[99, 98, 97, 96], candidate_length=99),
    "a last segment that is longer": with_last(reference_length=1000),
    "a last segment with matches": with_last(matches=[7, 5, 3, 2]),
    "no segments": {"segments": 0},
    "fewer segments": {"segments": 1, "numbers": [1]},
    "segments in parts": {"segments": 4.0},
    "negative segments": {"segments": -4},
    "no statistics": {"stats": None},
    "no last segment": {"last": None},
    "no numbers of references": {"numbers": []},
    "no references": {"numbers": [0, 2]},
    "more numbers than segments": {"numbers": [1, 2, 3, 4, 5]},
    "references in parts": {"numbers": [1.5]},
    "neither text nor tokens": {"tokenized": None},
    "text and tokens": {"tokenized": 1},
    "a sum of scores": {"values": 3.0},
    "no sum of scores": {"values": "0"},
    "another field": {"colour": "blue"},
}


def written(told: dict[str, Any], path: Path) -> str:
    """The path of a file that holds a metric as it is told."""
    path.write_bytes(archive(bleu_nb_metric=json.dumps(told)))
    return str(path)


def test_the_changes_below_change_a_file_that_is_read(tmp_path: Path) -> None:
    metric = a_metric()
    assert metric.tally.stats == BleuStats((11, 6, 3, 1), (14, 11, 8, 6), 14, 15)
    assert Bleu.load(written(state(metric), tmp_path / "kept.npz")).tally == metric.tally


@pytest.mark.parametrize("kind", IMPOSSIBLE)
def test_a_metric_that_could_not_be_is_refused(kind: str, tmp_path: Path) -> None:
    told = state(a_metric())
    told["tally"].update(IMPOSSIBLE[kind])
    with pytest.raises(ValueError, match="pass a file that bleu_nb saved"):
        Bleu.load(written(told, tmp_path / "kept.npz"))


@pytest.mark.parametrize("values", [-0.1, 4.5, float("nan"), float("inf")])
def test_a_mean_that_could_not_be_is_refused(values: float, tmp_path: Path) -> None:
    told = state(a_metric(average="segments"))
    told["tally"]["values"] = values
    with pytest.raises(ValueError, match="pass a file that bleu_nb saved"):
        Bleu.load(written(told, tmp_path / "kept.npz"))


@pytest.mark.parametrize("changes", [
    with_stats(matches=[5], totals=[4], candidate_length=4, reference_length=4),
    with_stats(matches=[4], totals=[50], candidate_length=0, reference_length=0),
    with_stats(matches=[4], totals=[50], candidate_length=4, reference_length=5),
    with_stats(matches=[4], totals=[9], candidate_length=10, reference_length=10),
    with_stats(matches=[4, 1], totals=[9, 9], candidate_length=4, reference_length=4),
])  # fmt: skip
def test_a_pot_that_could_not_be_is_refused(changes: dict[str, Any], tmp_path: Path) -> None:
    told = state(a_metric(dialect="google-bleu"))
    Bleu.load(written(told, tmp_path / "kept.npz"))
    told["tally"].update(changes)
    with pytest.raises(ValueError, match="pass a file that bleu_nb saved"):
        Bleu.load(written(told, tmp_path / "kept.npz"))


def columns(**changes: Any) -> dict[str, np.ndarray[Any, Any]]:
    """The columns of a table, some of them changed."""
    table = {
        name: np.array(getattr(Bleu().table(OUTPUTS, HUMANS), name))
        for name in StatsTable.__dataclass_fields__
    }
    for name, change in changes.items():
        table[name] = change(table[name])
    return table


def put(row: Any, value: float) -> Any:
    """A change of one number of a column."""

    def change(column: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        column[row] = value
        return column

    return change


NO_TABLES: dict[str, dict[str, Any]] = {
    "a match too many": {"matches": put((1, 0), 3)},
    "a match of nothing": {"matches": put((2, 0), 1)},
    "negative matches": {"matches": put((0, 0), -1)},
    "a total too high": {"totals": put((0, 0), 7)},
    "a total too low": {"totals": put((0, 0), 5)},
    "a length too low": {"candidate_lengths": put(0, 5)},
    "negative lengths": {"candidate_lengths": put(2, -1)},
    "lengths that add up to too much": {"reference_lengths": put(2, 1 << 53)},
    "negative references": {"reference_lengths": put(2, -1)},
    "a reference that is no number": {"reference_lengths": lambda c: c + float("nan")},
    "a row too few": {"matches": lambda c: c[:-1]},
    "a length too few": {"candidate_lengths": lambda c: c[:-1]},
    "a reference too few": {"reference_lengths": lambda c: c[:-1]},
    "an order too few": {"totals": lambda c: c[:, :-1]},
    "no orders": {"totals": lambda c: c[:, :0], "matches": lambda c: c[:, :0]},
    "columns in columns": {"candidate_lengths": lambda c: c[:, None]},
    "floats as matches": {"matches": lambda c: c.astype(float)},
    "text as lengths": {"candidate_lengths": lambda c: c.astype(str)},
    "objects": {"reference_lengths": lambda c: c.astype(object)},
    "imaginary references": {"reference_lengths": lambda c: c.astype(complex)},
}


@pytest.mark.parametrize("kind", NO_TABLES)
def test_a_table_that_could_not_be_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "table.npz"
    path.write_bytes(archive(**columns()))
    assert len(load_table(path)) == 4
    path.write_bytes(archive(**columns(**NO_TABLES[kind])))
    with pytest.raises(ValueError, match="pass a file that bleu_nb saved"):
        load_table(path)
    before = path.read_bytes()
    with pytest.raises(ValueError):
        save_table(StatsTable(**columns(**NO_TABLES[kind])), path)
    assert path.read_bytes() == before


def test_a_table_may_lift_its_totals_all_alike(tmp_path: Path) -> None:
    for least in (1, 2):
        path = tmp_path / "table.npz"
        path.write_bytes(archive(**columns(totals=lambda c, least=least: np.maximum(c, least))))
        assert load_table(path).totals.min() == least
    path.write_bytes(archive(**columns(totals=put((2, 0), 1))))
    with pytest.raises(ValueError, match="pass a file that bleu_nb saved"):
        load_table(path)


# Files that claim more than they are --------------------------------------------------------------

LOADING = """
import sys
from bleu_nb import Bleu
from bleu_nb.streams import load_table
load = Bleu.load if sys.argv[1] == "metric" else load_table
try:
    load(sys.argv[2])
except ValueError as error:
    assert "pass a file that bleu_nb saved" in str(error)
else:
    raise SystemExit("it was read")
""" + PEAK  # fmt: skip


def bombs() -> Iterator[tuple[str, str, dict[str, bytes]]]:
    """Archives of a few kilobytes that unpack to hundreds of megabytes."""
    zeros = bytes(300 << 20)

    def head(shape: tuple[int, ...], kind: str) -> bytes:
        file = io.BytesIO()
        text = {"descr": kind, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(file, text)
        return file.getvalue()

    yield "metric", "a long text", {"bleu_nb_metric": head((), "<U78643200") + zeros}
    yield "metric", "many texts", {"bleu_nb_metric": head((39321600,), "<U2") + zeros}
    yield "metric", "more than it says", {"bleu_nb_metric": head((), "<U2") + zeros}
    yield "table", "one long column", {
        "matches": head((9, 4), "<i8") + bytes(288), "totals": head((9, 4), "<i8") + bytes(288),
        "candidate_lengths": head((39321600,), "<i8") + zeros,
        "reference_lengths": head((9,), "<i8") + bytes(72)}  # fmt: skip
    yield "table", "more than it says", {
        "matches": head((9, 4), "<i8") + zeros, "totals": head((9, 4), "<i8") + bytes(288),
        "candidate_lengths": head((9,), "<i8") + bytes(72),
        "reference_lengths": head((9,), "<i8") + bytes(72)}  # fmt: skip
    yield "table", "wide numbers", {
        "matches": head((9, 4), "<U2097152") + zeros[: 36 << 23],
        "totals": head((9, 4), "<i8") + bytes(288),
        "candidate_lengths": head((9,), "<i8") + bytes(72),
        "reference_lengths": head((9,), "<i8") + bytes(72)}  # fmt: skip


def test_a_file_that_claims_gigabytes_is_refused_in_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "kept.npz"
    for kind in ("metric", "table"):
        save("table" if kind == "metric" else "metric", path)
        usual = float(run(LOADING, kind, str(path)))
        for each, name, members in bombs():
            if each == kind:
                with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
                    for member, data in members.items():
                        file.writestr(f"{member}.npy", data)
                assert path.stat().st_size < 1 << 20
                assert float(run(LOADING, kind, str(path))) < usual + 20, name
