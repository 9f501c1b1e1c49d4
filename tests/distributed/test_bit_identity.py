"""One model file, whoever grows it: memory, the spool, Dask with one, two and four workers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pytest

import treewright as tw
from tests.distributed.test_dask import cluster
from tests.distributed.test_growing import folder_of
from tests.forest.test_elsewhere import bytes_of as bytes_of_forest
from tests.shards.test_memory import bytes_of as bytes_of_tree
from tests.tables import table, target
from treewright.shards.spool import View

N_PARTS = 9
SLOW = pytest.mark.slow
# What is grown: adult is there whole; c4.5 grows classes.
TREES: list[Any] = [
    ("hypothyroid", "c4.5", {}),
    ("abalone", "cart", {"max_depth": 4}),
    ("mushroom", "plain", {}),
    pytest.param("adult", "plain", {}, marks=SLOW),
    pytest.param("adult", "c4.5", {}, marks=SLOW),
    pytest.param("adult", "cart", {}, marks=SLOW),
    pytest.param("hypothyroid", "plain", {}, marks=SLOW),
    pytest.param("hypothyroid", "cart", {}, marks=SLOW),
    pytest.param("abalone", "plain", {}, marks=SLOW),
    pytest.param("mushroom", "c4.5", {}, marks=SLOW),
    pytest.param("mushroom", "cart", {}, marks=SLOW),
]
FORESTS: list[Any] = [
    ("hypothyroid", "plain", {"max_depth": 4}),
    pytest.param("adult", "plain", {"max_depth": 8}, marks=SLOW),
    pytest.param("hypothyroid", "cart", {"max_depth": 5}, marks=SLOW),
    pytest.param("abalone", "plain", {}, marks=SLOW),
    pytest.param("mushroom", "c4.5", {}, marks=SLOW),
]


@pytest.fixture(scope="module")
def clients() -> Iterator[list[distributed.Client]]:
    """Clusters of one, two and four workers."""
    with cluster(1) as one, cluster(2) as two, cluster(4) as four:
        yield [one, two, four]


@pytest.fixture(autouse=True)
def never_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(View, "fits", lambda *_args, **_told: False)


def shuffled(files: Path) -> list[Path]:
    found = sorted(files.iterdir())
    np.random.default_rng(1).shuffle(found)  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(("name", "recipe", "told"), TREES)
def test_trees(
    name: str, recipe: str, told: dict[str, Any], clients: list[distributed.Client], tmp_path: Path
) -> None:
    goal, file, given = target(name), tmp_path / "model", {"prune": "none", **told}
    files = folder_of(name, tmp_path / "files", N_PARTS)
    wanted = bytes_of_tree(tw.grow(tw.read(files), goal, recipe, warns=False, **given), file)
    for shards in (files, shuffled(files)):
        tree = tw.grow(shards, goal, recipe, memory="500MB", **given)
        assert tree.about["growth"]["engine"] == "spool"
        assert bytes_of_tree(tree, file) == wanted
    for client in clients:
        tree = tw.grow(shuffled(files), goal, recipe, engine=client, **given)
        assert tree.about["growth"]["engine"] == "DaskRunner"
        assert bytes_of_tree(tree, file) == wanted


@pytest.mark.parametrize(("name", "recipe", "told"), FORESTS)
def test_forests(
    name: str, recipe: str, told: dict[str, Any], clients: list[distributed.Client], tmp_path: Path
) -> None:
    goal, file = target(name), tmp_path / "model"
    files = folder_of(name, tmp_path / "files", N_PARTS)
    wanted = bytes_of_forest(tw.forest.grow(tw.read(files), goal, 5, recipe, **told), file)
    for shards in (files, shuffled(files)):
        forest = tw.forest.grow(shards, goal, 5, recipe, memory="500MB", **told)
        assert forest.about["growth"]["engine"] == "spool"
        assert bytes_of_forest(forest, file) == wanted
    for client in clients:
        forest = tw.forest.grow(shuffled(files), goal, 5, recipe, engine=client, **told)
        assert bytes_of_forest(forest, file) == wanted


def test_a_dask_frame_grows_a_forest(clients: list[distributed.Client]) -> None:
    frames = pytest.importorskip("dask.dataframe", reason="needs Dask's data frames")
    frame = table("iris").to_pandas()
    expected = tw.forest.grow(frame, "class", 3)
    pieces = frames.from_pandas(frame, npartitions=4, sort=False)
    assert tw.forest.grow(pieces, "class", 3, engine=clients[1]) == expected
