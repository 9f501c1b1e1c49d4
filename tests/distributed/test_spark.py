"""Spark as the engine, where it is installed: `pip install 'treewright[spark]'`, and a Java."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import treewright as tw
from tests.distributed import frames
from tests.distributed.test_growing import check, folder_of
from tests.tables import target
from treewright.distributed import SparkRunner
from treewright.shards.shard import ChangedError

REAL = pytest.param(
    "spark",
    marks=[
        pytest.mark.slow,
        pytest.mark.skipif(shutil.which("java") is None, reason="Spark needs a Java, and there is none"),
        pytest.mark.filterwarnings("ignore:PySpark does not yet:FutureWarning"),
    ],
)


@pytest.fixture(scope="module", params=["frames", REAL])
def session(request: pytest.FixtureRequest) -> Iterator[Any]:
    if request.param == "frames":
        yield frames.SparkSession()
        return
    sql = pytest.importorskip(
        "pyspark.sql", reason="pyspark is not installed: pip install 'treewright[spark]'"
    )
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    built = (
        sql.SparkSession.builder.master("local[2]")
        .appName("treewright")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.log.level", "OFF")
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    yield built
    built.stop()


@pytest.mark.parametrize(
    ("name", "recipe", "told"),
    [
        ("iris", "plain", {}),
        ("hypothyroid", "c4.5", {"max_depth": 4}),
        ("hypothyroid", "cart", {"max_depth": 3}),
        ("abalone", "plain", {"max_depth": 4}),
        ("mushroom", "plain", {}),
    ],
)
def test_the_same_tree(name: str, recipe: str, told: dict[str, Any], session: Any, tmp_path: Path) -> None:
    files, given = folder_of(name, tmp_path, 5), {"prune": "none", **told}
    expected = tw.grow(tw.read(files), target(name), recipe, warns=False, **given)
    found = tw.grow(files, target(name), recipe, engine=SparkRunner(session, 2), **given)
    assert found.about["growth"]["engine"] == "SparkRunner"
    check(found, expected)


def test_the_same_forest(session: Any, tmp_path: Path) -> None:
    files = folder_of("iris", tmp_path, 4)
    expected = tw.forest.grow(tw.read(files), "class", 3)
    assert tw.forest.grow(files, "class", 3, engine=SparkRunner(session, 2)) == expected


def test_partials_are_brought_together_on_the_cluster(session: Any, tmp_path: Path) -> None:
    files = folder_of("iris", tmp_path, 9)
    runner = SparkRunner(session, n_slots=5)
    real, fans = runner.map_reduce, []

    def narrow(handle: Any, verb: str, payload: bytes, fan_in: int = 8) -> bytes:
        fans.append(handle.n_blocks)
        return real(handle, verb, payload, fan_in=2)

    runner.map_reduce = narrow  # type: ignore[method-assign]
    check(
        tw.grow(files, "class", engine=runner, max_depth=2),
        tw.grow(tw.read(files), "class", max_depth=2, warns=False),
    )
    assert set(fans) == {9}


def test_what_workers_find_wrong_is_said_here(session: Any, tmp_path: Path) -> None:
    files = folder_of("iris", tmp_path, 3)

    class Touching(SparkRunner):
        def place(self, shards: Any, payload: bytes) -> Any:
            folder_of("iris", tmp_path, 2)
            return super().place(shards, payload)

    with pytest.raises(ChangedError, match=r"part-[12]\.parquet' has changed"):
        tw.grow(files, "class", engine=Touching(session, 2))


def test_blocks_are_given_back(session: Any, tmp_path: Path) -> None:
    tw.grow(folder_of("iris", tmp_path, 3), "class", engine=SparkRunner(session, 2), max_depth=1)
    if isinstance(session, frames.SparkSession):
        assert session.n_kept == 0
    else:
        assert session.sparkContext._jsc.getPersistentRDDs().size() == 0


def test_slots_are_the_partitions_that_spark_makes(session: Any) -> None:
    if not isinstance(session, frames.SparkSession):
        assert SparkRunner(session).slots() == 2
    assert SparkRunner(session, 7).slots() == 7
