"""Partitions on Dask: any partitioning, two processes, one of them killed, and real systems."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import book
import pytest
from commands import python
from data import MANIFEST, WMT, lines, needs
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("dask", reason="dask is not installed here: `make frameworks` brings it")
pytest.importorskip("distributed", reason="distributed is not installed here: `make frameworks`")

import dask
import numpy as np
from dask import bag, delayed
from distributed import Client, LocalCluster

from bleu_nb import Bleu, corpus_bleu
from bleu_nb.adapters.dask import (
    PoissonSums,
    _values_of,
    _weights,
    dask_bleu,
    poisson_bootstrap,
)
from bleu_nb.files.reading import example_path
from bleu_nb.significance.intervals import delta_difference, ends_of, resample_scores

ROOT = Path(__file__).resolve().parents[2]
CHAPTER = book.notebook("11_dask")
KESTREL, FIRST, SECOND = (
    example_path(f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for name in ("kestrel", "reference_1", "reference_2")
)
HUMANS = [*map(list, zip(FIRST, SECOND, strict=True))]
SEGMENTS = [*zip(KESTREL, HUMANS, range(len(KESTREL)), strict=True)]
SECONDS = 120  # That anything on the cluster may take
MANY = settings(max_examples=60, deadline=None)
MARKED = pytest.mark.filterwarnings("ignore:the first segment begins with a byte order mark")


# Any partitioning ---------------------------------------------------------------------------------

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=7).map(" ".join)
CORPORA = st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3),
                             st.integers(0, 2**64 - 1)), min_size=1, max_size=12)  # fmt: skip


def scattered(draw: st.DataObject, corpus: list[Any]) -> list[list[Any]]:
    """The segments in any order, in any partitions, some of which are empty."""
    mixed = draw.draw(st.permutations(corpus))
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(mixed)), max_size=5)))
    edges = [0, *cuts, len(mixed)]
    return [mixed[start:end] for start, end in pairwise(edges)]


@MANY
@given(CORPORA, st.integers(0, 2**64 - 1), st.integers(1, 40), st.data())
@pytest.mark.parametrize("name", ["sacrebleu", "ignite", "nltk"])
def test_no_partitioning_changes_a_bit(
    name: str, corpus: Any, seed: int, trials: int, data: st.DataObject
) -> None:
    parts = [delayed(each) for each in scattered(data, corpus)]
    with dask.config.set(scheduler="sync"):
        score, drawn = dask.compute(
            dask_bleu(parts, name), poisson_bootstrap(parts, name, trials=trials, seed=seed)
        )
    candidates, references, numbers = map(list, zip(*corpus, strict=True))
    whole = PoissonSums.of(Bleu(name).count(candidates, references), numbers, trials, seed)
    assert drawn.sums.dtype == np.int64
    assert (drawn.sums == whole.sums).all()
    usual = corpus_bleu(candidates, references, name)
    assert replace(score, value=usual.value) == usual
    tolerance = 1e-13 * usual.scale if whole.dialect.average == "segments" else 0
    assert abs(score.value - usual.value) <= tolerance


@MANY
@given(CORPORA, st.data())
def test_sums_are_those_of_the_segments_as_often_as_they_weigh(
    corpus: Any, data: st.DataObject
) -> None:
    candidates, references, numbers = map(list, zip(*corpus, strict=True))
    counts = Bleu().count(candidates, references)
    drawn = PoissonSums.of(counts, numbers, 6, 3)
    trial = data.draw(st.integers(0, 5))
    weights = _weights(3, np.array(numbers, np.uint64), 6)[:, trial].tolist()
    places = [place for place, often in enumerate(weights) for _ in range(often)]
    segments, *row = drawn.sums[1 + trial].tolist()
    assert segments == len(places)
    if places:
        pooled = counts.take(places).pooled()[0]
        assert row == [*pooled.matches, *pooled.totals, pooled.candidate_length,
                       pooled.reference_length]  # fmt: skip
    else:
        assert not any(row)


def test_weights_are_the_same_wherever_they_were_made() -> None:
    """Recorded once: they are integers, so no machine and no version has others."""
    drawn = _weights(12345, np.array([0, 1, 10**10, 2**64 - 1], np.uint64), 9)
    assert drawn.tolist() == [
        [1, 0, 1, 1, 1, 1, 1, 2, 1],
        [2, 2, 5, 2, 0, 1, 1, 3, 1],
        [0, 1, 0, 3, 0, 0, 1, 1, 1],
        [1, 0, 0, 1, 0, 0, 0, 0, 0],
    ]


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    from bleu_nb.significance import resampling

    counts = Bleu().count(KESTREL, HUMANS)
    whole = PoissonSums.of(counts, range(12), 31)
    monkeypatch.setattr(resampling, "BLOCK", 70)
    assert (PoissonSums.of(counts, range(12), 31).sums == whole.sums).all()


def test_what_was_counted_differently_does_not_add() -> None:
    counts = Bleu().count(KESTREL, HUMANS)
    one = PoissonSums.of(counts, range(12), 20)
    tokens = Bleu().count([line.split() for line in KESTREL], [[r.split() for r in each]
                                                               for each in HUMANS])  # fmt: skip
    for other, what in (
        (PoissonSums.of(counts, range(12), 21), "number of trials"),
        (PoissonSums.of(counts, range(12), 20, 6), "seed"),
        (PoissonSums.of(tokens, range(12), 20), "text and token lists"),
        (PoissonSums.of(Bleu(lowercase=True).count(KESTREL, HUMANS), range(12), 20), "lowercase"),
        (replace(one, version="1"), "version of the tokenizer"),
    ):
        with pytest.raises(ValueError, match=what):
            one + other
        with pytest.raises(ValueError, match=what):
            one.difference(other)
    with pytest.raises(TypeError, match="unsupported operand"):
        one + 1  # type: ignore[operator]


def test_what_gives_no_resamples_is_refused_before_anything_is_drawn() -> None:
    counts = Bleu().count(KESTREL, HUMANS)
    for draw in (lambda trials: PoissonSums.of(counts, range(12), trials),
                 lambda trials: poisson_bootstrap(bag.from_sequence([]), trials=trials)):
        with pytest.raises(ValueError, match="trials must be at most 1,000,000"):
            draw(1_000_001)


def test_an_interval_of_one_resample_says_so_and_any_share_is_shown() -> None:
    counts = Bleu().count(KESTREL, [*zip(FIRST, SECOND, strict=True)])
    found = PoissonSums.of(counts, range(12), 1).interval(Fraction(19, 20))  # type: ignore[arg-type]
    assert found and found.confidence == 0.95 and "95 %" in repr(found)
    assert found.warning == "unreliable: only 1 resample"


# Frames -------------------------------------------------------------------------------------------


def test_a_data_frame_is_scored_where_pandas_is() -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frames = pytest.importorskip("dask.dataframe")
    table = pandas.DataFrame({"mt": KESTREL, "a": FIRST, "b": SECOND, "line": range(12)})
    table.loc[3, "b"] = None
    humans = [[one, None if place == 3 else other] for place, (one, other) in enumerate(HUMANS)]
    data = frames.from_pandas(table, npartitions=3)
    names = {"columns": ("mt", "a", "b")}
    with dask.config.set(scheduler="sync"):
        assert dask_bleu(data, **names).compute() == corpus_bleu(KESTREL, humans)
        drawn = poisson_bootstrap(data, **names, number="line", trials=30).compute()
        whole = PoissonSums.of(Bleu().count(KESTREL, humans), range(12), 30)
        assert (drawn.sums == whole.sums).all()
        for missing in (float("nan"), None, pandas.NA):
            part = delayed(table.astype(object).assign(b=missing))
            one = dask_bleu([part], **names).compute()
            assert one == corpus_bleu(KESTREL, [[each] for each in FIRST])


TOKENS = [each.split() for each in KESTREL]
OTHERS = [each.split() for each in FIRST]


def collections(path: Path) -> dict[str, Callable[[], Any]]:
    """Ways to a data frame of Dask with lists of tokens."""
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frames = pytest.importorskip("dask.dataframe")
    table = pandas.DataFrame({"mt": TOKENS, "human": OTHERS, "line": range(12)})
    parts = [table[:5], table[5:]]
    table.to_parquet(path / "tokens.parquet")
    return {
        "from_pandas": lambda: frames.from_pandas(table, npartitions=3),
        "arrays": lambda: frames.from_pandas(
            table.assign(mt=table["mt"].map(np.array)), npartitions=2),
        "from_delayed": lambda: frames.from_delayed([*map(delayed, parts)], meta=table[:0]),
        "from_map": lambda: frames.from_map(lambda at: parts[at], [0, 1], meta=table[:0]),
        "read_parquet": lambda: frames.read_parquet(path / "tokens.parquet"),
    }  # fmt: skip


@pytest.mark.parametrize("way", ["from_pandas", "arrays", "from_delayed", "from_map",
                                 "read_parquet"])
@pytest.mark.parametrize("converts", [None, True, False])
def test_lists_in_a_data_frame_are_tokens_or_refused(
    way: str, converts: bool | None, tmp_path: Path
) -> None:
    make = collections(tmp_path)[way]
    names = {"columns": ("mt", "human")}
    with dask.config.set({"dataframe.convert-string": converts}):
        data = make()
    with dask.config.set(scheduler="sync"):
        if converts is False or way == "read_parquet":
            usual = corpus_bleu(TOKENS, [[each] for each in OTHERS])
            assert dask_bleu(data, **names).compute() == usual
        else:
            for call in (dask_bleu, poisson_bootstrap):
                with pytest.raises(TypeError, match=r"'mt' holds lists as text, .*convert-string"):
                    call(data, **names, **({"number": "line"} if call is not dask_bleu else {})
                         ).compute()  # fmt: skip


def test_text_that_is_written_like_lists_can_be_scored() -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    frames = pytest.importorskip("dask.dataframe")
    code = ["[1, 2]", "['a', 'b']"]
    data = frames.from_pandas(pandas.DataFrame({"mt": code, "human": code}), npartitions=1)
    names = {"columns": ("mt", "human")}
    with dask.config.set(scheduler="sync"):
        with pytest.raises(TypeError, match=r"pass data\.astype"):
            dask_bleu(data, **names).compute()
        usual = corpus_bleu(code, [[each] for each in code])
        assert dask_bleu(data.astype(object), **names).compute() == usual


# Two processes ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """Two workers on this machine, each a process with one thread."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as cluster, Client(cluster, set_as_default=False) as client:  # fmt: skip
        yield client


def gated(folder: str, place: int, wait: bool) -> list[Any]:
    """One segment; a note that it was read; some wait until a gate is open."""
    with open(Path(folder, f"read {place}"), "a") as notes:
        notes.write("x")
    end = time.monotonic() + SECONDS
    while wait and not Path(folder, "gate").exists() and time.monotonic() < end:
        time.sleep(0.02)
    return [SEGMENTS[place]]


def until(what: Any) -> Any:
    """Wait for something to be true, not for ever."""
    end = time.monotonic() + SECONDS
    while not (found := what()):
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.02)
    return found


@pytest.mark.parametrize("call", [dask_bleu, poisson_bootstrap])
def test_a_worker_that_dies_with_finished_parts_changes_nothing(
    call: Any, client: Client, tmp_path: Path
) -> None:
    parts = [delayed(gated)(str(tmp_path), place, place == 11) for place in range(12)]
    client.wait_for_workers(2, timeout=SECONDS)
    future = client.compute(call(parts))
    until((tmp_path / "read 11").exists)  # One worker waits at the gate, the other counts the rest

    def finished() -> dict[str, int]:
        return {address: sum("gated" not in key for key in keys)
                for address, keys in client.has_what().items()}  # fmt: skip

    until(lambda: max(finished().values(), default=0) > 0)
    held = finished()
    victim = max(held, key=lambda address: held[address])
    assert held[victim], "no worker holds what it has counted"
    pids = client.run(os.getpid)
    os.kill(pids[victim], signal.SIGKILL)
    until(lambda: victim not in client.scheduler_info()["workers"])
    (tmp_path / "gate").touch()
    found = future.result(timeout=SECONDS)
    read = [len((tmp_path / f"read {place}").read_text()) for place in range(12)]
    assert min(read) >= 1
    assert max(read[:11]) > 1, "nothing that was finished was counted again"
    if call is dask_bleu:
        assert found == corpus_bleu(KESTREL, HUMANS)
    else:
        whole = PoissonSums.of(Bleu().count(KESTREL, HUMANS), range(12))
        assert (found.sums == whole.sums).all()


def test_workers_that_count_alike_are_told_from_others(client: Client) -> None:
    with pytest.raises(TypeError, match="some segments were text"):
        mixed = [delayed([("a", ["b"])]), delayed([(["a"], [["b"]])])]
        client.compute(dask_bleu(mixed)).result(timeout=SECONDS)
    with pytest.raises(ValueError, match="cannot leave this process"):
        dask_bleu([delayed([])], tokenizer=str.split)


# What a reader pastes -----------------------------------------------------------------------------


def recipes() -> list[str]:
    """The fenced code of the chapter."""
    return re.findall(r"```python\n(.*?)```", "\n".join(book.sources(CHAPTER)), re.DOTALL)


def test_the_recipe_for_two_processes_runs(tmp_path: Path) -> None:
    [text] = [each for each in recipes() if "LocalCluster" in each]
    script = tmp_path / "recipe.py"  # Its workers import it
    script.write_text(text, encoding="utf-8")
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True,
                          timeout=SECONDS, check=True, cwd=tmp_path)  # fmt: skip
    score = corpus_bleu(
        ["the boat came", "the lamp was lit at dusk"],
        [["the boat came late"], ["the lamp was lit at dusk"]],
    )
    assert done.stdout.strip() == str(score)


def test_the_module_needs_neither_dask_nor_numpy() -> None:
    code = """
import sys
from importlib.machinery import PathFinder
class Others(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        absent = name.partition(".")[0] in ("numpy", "dask", "distributed")
        return None if absent else super().find_spec(name, path, target)
sys.meta_path[:] = [Others if each is PathFinder else each for each in sys.meta_path]
from bleu_nb.adapters.dask import dask_bleu
try:
    dask_bleu([1])
except ImportError as error:
    print(error)
"""
    assert "install bleu_nb with its extra 'dask'" in python(code)


# Real systems -------------------------------------------------------------------------------------

SYSTEMS = ("LIUM-NMT.4900", "online-A.0")
TRIALS = 10_000


def real(system: str) -> Any:
    """What a system of WMT 2017 has counted."""
    folder = "wmt17/en-de"
    references = [[line] for line in lines(f"{folder}/ref.A.txt")]
    return Bleu().count(lines(f"{folder}/sys.{system}.txt"), references)


@needs(MANIFEST)
@MARKED
def test_intervals_are_those_of_the_bootstrap_up_to_simulation_error() -> None:
    if not (WMT / "wmt17/en-de").exists():
        pytest.skip("wmt17/en-de is not there")
    both = []
    for system in SYSTEMS:
        counts = real(system)
        both.append((counts, PoissonSums.of(counts, range(len(counts)), TRIALS)))
        score, values, warning = _values_of(both[-1][1])
        assert score == counts.score().value and not warning
        # The share of ours below a quantile of theirs: two shares, each of variance q(1-q)/B
        low, high = ends_of(resample_scores(counts, TRIALS, 12345), 0.95)
        error = math.sqrt(2 * 0.025 * 0.975 / TRIALS)
        for share in (sum(each < low for each in values), sum(each > high for each in values)):
            assert abs(share / TRIALS - 0.025) < 4 * error
        # A standard deviation of B normal numbers has a relative error of 1/sqrt(2B)
        own = both[-1][1].interval()
        assert abs(own.error / counts.interval().error - 1) < 4 / math.sqrt(2 * TRIALS)
    (one, first), (other, second) = both
    found, slopes = first.difference(second), delta_difference(one, other)
    assert found.score == slopes.score
    assert abs(found.error / slopes.error - 1) < 4 / math.sqrt(2 * TRIALS)


# The benchmark ------------------------------------------------------------------------------------


def test_the_benchmark_runs_and_is_exact(tmp_path: Path) -> None:
    import cluster

    assert cluster.main(["--quick", "--out", str(tmp_path / "cluster.json")]) == 0
    report = json.loads((tmp_path / "cluster.json").read_text(encoding="utf-8"))
    assert report["segments"] == 200
    assert report["equal"] == {"score": True, "resamples": True}
    assert [len(row["segments_a_second"]) for row in report["rows"]] == [2, 2]


def test_the_plan_on_paper_is_made_of_what_was_measured() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "cluster.json").read_text(encoding="utf-8"))
    assert recorded["equal"] == {"score": True, "resamples": True}
    [plan] = [text for text in book.sources(CHAPTER) if "state_of_resamples =" in text]
    counted, resampled, state, more, text = (
        int(number.replace("_", ""))
        for number in re.findall(r"(?<![\w*])\d[\d_]*", plan.partition("everything")[0])
    )
    speeds = [row["segments_a_second"]["1"]["median"] for row in recorded["rows"]]
    assert [counted, resampled] == [float(f"{each:.1e}") for each in speeds]
    assert [state, more] == [
        float(f"{recorded['state_bytes'][name]:.1e}") for name in ("score", "resamples")
    ]
    assert text == round(recorded["bytes_of_text"] / recorded["segments"])


def test_what_the_chapter_says_of_two_workers_was_measured() -> None:
    recorded = json.loads((ROOT / "benchmarks" / "cluster.json").read_text(encoding="utf-8"))
    [text] = [each for each in book.sources(CHAPTER) if "not measured" in each]
    [longer] = re.findall(r"a segment takes ([\d.]+) times as long", text)
    faster = re.findall(r"were ([\d.]+) times as fast as one at the score, and ([\d.]+)", text)
    [most] = re.findall(r"held less than (\d+) MiB", text)
    speeds = [row["segments_a_second"]["1"]["median"] for row in recorded["rows"]]
    gains = [row["two_workers_are_times_faster"]["median"] for row in recorded["rows"]]
    assert longer == f"{speeds[0] / speeds[1]:.1f}"
    assert faster == [tuple(f"{each:.1f}" for each in gains)]
    peaks = [peak for row in recorded["memory_mebibytes"] for peak in row["peak"]]
    assert int(most) - 10 <= max(peaks) < int(most)
    # "A machine that did nothing else": fewer than one process was waiting for each core
    assert max(recorded["load"].values()) < recorded["machine"]["cores"]
