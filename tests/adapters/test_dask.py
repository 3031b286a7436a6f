"""The recipe for Dask: any partitioning, two processes, one of them killed."""

import os
import signal
import time
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import recipes
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("dask", reason="dask is not installed here: `make frameworks` brings it")
pytest.importorskip("distributed", reason="distributed is not installed here: `make frameworks`")

import dask
from dask import bag, delayed
from distributed import Client, LocalCluster

from bleu_nb import Bleu, corpus_bleu
from bleu_nb.files.reading import example_path

KESTREL, FIRST, SECOND = (
    example_path(f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for name in ("kestrel", "reference_1", "reference_2")
)
HUMANS = [*map(list, zip(FIRST, SECOND, strict=True))]
SEGMENTS = [*zip(KESTREL, HUMANS, strict=True)]
SECONDS = 120  # That anything on the cluster may take
WORDS = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=7).map(" ".join)
CORPORA = st.lists(st.tuples(WORDS, st.lists(WORDS, min_size=1, max_size=3)), min_size=1,
                   max_size=12)  # fmt: skip


@cache
def recipe() -> dict[str, Any]:
    """The names that the recipe defines, as pasted into a session."""
    [code] = [each.code for each in recipes.recipes("use_frameworks") if "dask" in each.needs]
    names: dict[str, Any] = {"__name__": "__main__", "candidates": KESTREL, "references": HUMANS}
    exec(code, names)
    return names


def scattered(draw: st.DataObject, corpus: list[Any]) -> list[list[Any]]:
    """The segments in order, in any partitions, some of which are empty."""
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(corpus)), max_size=20)))
    edges = [0, *cuts, len(corpus)]
    return [corpus[start:end] for start, end in pairwise(edges)]


@settings(max_examples=80, deadline=None)
@given(CORPORA, st.data())
@pytest.mark.parametrize("name", ["sacrebleu", "ignite", "nltk"])
def test_no_partitioning_changes_a_bit(name: str, corpus: Any, data: st.DataObject) -> None:
    parts = bag.from_delayed([delayed(each) for each in scattered(data, corpus)])
    names = recipe()
    names["bleu"] = Bleu(name, threads=1)
    with dask.config.set(scheduler="sync"):
        counts = parts.reduction(names["count"], names["add"]).compute()
    candidates, references = map(list, zip(*corpus, strict=True))
    assert counts.score() == corpus_bleu(candidates, references, name)
    assert counts.columns() == Bleu(name).count(candidates, references).columns()


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


@pytest.mark.parametrize("name", ["sacrebleu", "ignite"])
def test_a_worker_that_dies_with_finished_parts_changes_nothing(
    name: str, client: Client, tmp_path: Path
) -> None:
    names = recipe()
    names["bleu"] = Bleu(name, threads=1)
    parts = bag.from_delayed([
        delayed(gated)(str(tmp_path), place, place == 11) for place in range(12)])
    client.wait_for_workers(2, timeout=SECONDS)
    future = client.compute(parts.reduction(names["count"], names["add"]))
    until((tmp_path / "read 11").exists)  # One worker waits at the gate, the other counts the rest

    def finished() -> dict[str, int]:
        return {address: sum("gated" not in str(key) for key in keys)
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
    assert found.score() == corpus_bleu(KESTREL, HUMANS, name)


def test_what_was_counted_otherwise_does_not_add(client: Client) -> None:
    names = recipe()
    names["bleu"] = Bleu(threads=1)
    mixed = bag.from_delayed([delayed([("a", ["b"])]), delayed([(["a"], [["b"]])])])
    with pytest.raises(TypeError, match="token lists after text"):
        client.compute(mixed.reduction(names["count"], names["add"])).result(timeout=SECONDS)
