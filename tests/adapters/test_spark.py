"""The recipe for Spark in any partitions, where Java, pyspark, pandas and pyarrow are."""

import os
import shutil
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import recipes

pytest.importorskip("pyspark", reason="pyspark is not installed here: `pip install pyspark`")
pytest.importorskip("pandas", reason="pandas is not installed here: Spark hands out its frames")
pytest.importorskip("pyarrow", reason="pyarrow is not installed here: Spark makes frames with it")

from bleu_nb import corpus_bleu
from bleu_nb.files.reading import example_path

pytestmark = pytest.mark.skipif(shutil.which("java") is None, reason="there is no Java here")

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


@pytest.mark.parametrize("partitions", [1, 3, 20])
def test_the_recipe_equals_one_process(spark: Any, partitions: int) -> None:
    [code] = [each.code for each in recipes.recipes("use_frameworks") if "pyspark" in each.needs]
    made = '["output", "human"])'
    assert code.count(made) == 1
    names: dict[str, Any] = {"__name__": "__main__", "candidates": KESTREL, "references": HUMANS}
    exec(code.replace(made, f"{made}.repartition({partitions})"), names)
    whole = corpus_bleu(KESTREL, HUMANS)
    assert sum(names["others"], names["first"]).score() == whole
