"""The chapter's recipe on Spark, where Java, pyspark, pandas and pyarrow are."""

import os
import re
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import book
import pytest

pytest.importorskip("pyspark", reason="pyspark is not installed here: `pip install pyspark`")
pytest.importorskip("pandas", reason="pandas is not installed here: Spark hands out its frames")
pytest.importorskip("pyarrow", reason="pyarrow is not installed here: Spark makes frames with it")

import numpy as np

from bleu_nb import Bleu, corpus_bleu
from bleu_nb.adapters.dask import PoissonSums, _walks
from bleu_nb.files.reading import example_path

pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java here")

CHAPTER = book.notebook("11_dask")
KESTREL, REFERENCE = (
    example_path(f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for name in ("kestrel", "reference_1")
)
HUMANS = [[each] for each in REFERENCE]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    """Spark on this machine, with two threads that start processes of Python."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable  # For its workers
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    yield session
    session.stop()


def plan() -> str:
    """What the chapter shows."""
    prose = "\n".join(book.sources(CHAPTER))
    [text] = [each for each in re.findall(r"```python\n(.*?)```", prose, re.DOTALL)
              if "mapInPandas" in each]  # fmt: skip
    return text


@pytest.mark.parametrize("partitions", [1, 3, 20])
def test_the_recipe_equals_one_process(spark: Any, partitions: int) -> None:
    rows = [*zip(KESTREL, REFERENCE, range(len(KESTREL)), strict=True)]
    frame = spark.createDataFrame(rows, ["candidate", "reference", "number"])
    names: dict[str, Any] = {"__name__": "__main__", "frame": frame.repartition(partitions)}
    exec(plan(), names)
    whole = PoissonSums.of(Bleu().count(KESTREL, HUMANS), range(len(KESTREL)))
    assert names["score"] == corpus_bleu(KESTREL, HUMANS)
    assert (names["drawn"].sums == whole.sums).all()
    assert names["interval"] == whole.interval()


@pytest.mark.parametrize("start", [0, 1, 1234567, 2**63 - 1])
def test_words_are_those_of_the_generator_that_java_has(
    spark: Any, start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from bleu_nb.adapters import dask as with_dask

    splittable = spark._jvm.java.util.SplittableRandom(start)
    theirs = [splittable.nextLong() % 2**64 for _ in range(5)]
    scrambled = with_dask._scrambled
    monkeypatch.setattr(  # A walk from the start itself, not from where seed and number lead
        with_dask, "_scrambled", lambda words: scrambled(words) if words.ndim == 2 else words
    )
    key = np.array([with_dask._STEP], np.uint64)
    numbers = np.array([start], np.uint64) - key
    assert _walks(0, numbers, 5).tolist() == [theirs]
