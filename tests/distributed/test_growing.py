"""`tw.grow(..., engine=...)`: from files and frames to the tree that memory gives, pruned as asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import pytest

import treewright as tw
from tests.distributed import dying
from tests.distributed.runners import BlocksRunner
from tests.distributed.test_dask import cluster
from tests.grow.engines import differences, first_difference
from tests.tables import table, target
from treewright.distributed import LocalRunner
from treewright.shards.shard import ChangedError

ENGINES: list[Any] = [LocalRunner(2), BlocksRunner(2)]


@pytest.fixture(scope="module")
def client() -> Iterator[distributed.Client]:
    with cluster(2) as found:
        yield found


def folder_of(name: str, place: Path, n_parts: int) -> Path:
    """Write a table as Parquet files, in an order that is not that of its rows."""
    place.mkdir(exist_ok=True)
    frame = table(name).to_pandas()
    for i in range(n_parts):
        frame.iloc[i::n_parts].to_parquet(place / f"part-{n_parts - i}.parquet", index=False)
    return place


def check(found: tw.Tree, expected: tw.Tree) -> None:
    """The trees must not differ in one bit, and be shown by the same numbers."""
    assert not differences(expected, found), first_difference(expected, found)
    assert expected == found
    assert str(expected) == str(found)
    about = dict(found.about)
    assert about.pop("growth")["rows"] > 0  # tells the engine, and is no part of what the tree is
    assert {word: said for word, said in expected.about.items() if word != "growth"} == about


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("iris", {}),
        ("hypothyroid", {"recipe": "cart", "prune": "none", "max_depth": 3}),
        ("hypothyroid", {"recipe": "c4.5", "prune": "none", "max_depth": 3}),
        ("abalone", {"max_depth": 4, "prune": tw.prune.CostComplexity(alpha=0.01)}),
        ("mushroom", {"class_weight": "balanced"}),
        ("credit_g", {"missing": "drop", "prune": "pessimistic", "min_leaf": 5}),
    ],
)
def test_files_grow_the_tree_of_the_table(name: str, told: dict[str, Any], tmp_path: Path) -> None:
    place = folder_of(name, tmp_path / name, 3)
    expected = tw.grow(tw.read(place), target(name), warns=False, **told)
    for engine in ENGINES:
        check(tw.grow(place, target(name), engine=engine, **told), expected)


def test_files_on_dask(client: distributed.Client, tmp_path: Path) -> None:
    place = folder_of("iris", tmp_path / "iris", 5)
    check(tw.grow(str(place / "*.parquet"), "class", engine=client), tw.grow(tw.read(place), "class"))


def test_a_dask_frame(client: distributed.Client) -> None:
    frames = pytest.importorskip("dask.dataframe")
    frame = table("iris").to_pandas()
    expected = tw.grow(frame, "class")
    check(tw.grow(frames.from_pandas(frame, npartitions=4), "class", engine=client), expected)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adult", "hypothyroid", "abalone", "mushroom"])
@pytest.mark.parametrize("recipe", ["plain", "c4.5", "cart"])
def test_recipes_on_dask(name: str, recipe: str, client: distributed.Client, tmp_path: Path) -> None:
    if recipe == "c4.5" and name == "abalone":
        pytest.skip("c4.5 grows classes")
    told: dict[str, Any] = {"recipe": recipe, "prune": "none", "max_depth": 5}
    place = folder_of(name, tmp_path / name, 7)
    expected = tw.grow(tw.read(place), target(name), warns=False, **told)
    check(tw.grow(place, target(name), engine=client, **told), expected)


def test_weights(tmp_path: Path) -> None:
    frame = table("iris").to_pandas().assign(w=[0.25 + (i % 7) / 3 for i in range(150)])
    for i in range(3):
        frame.iloc[50 * i : 50 * i + 50].to_parquet(tmp_path / f"{i}.parquet", index=False)
    expected = tw.grow(frame, "class", weights="w")
    check(tw.grow(tmp_path, "class", weights="w", engine=LocalRunner()), expected)


def test_progress_is_told_and_stops_growth(tmp_path: Path) -> None:
    heard: list[float] = []
    place = folder_of("iris", tmp_path, 2)
    tw.grow(place, "class", engine=LocalRunner(), progress=heard.append, max_depth=3)
    assert heard[0] == 0
    assert heard == sorted(heard)
    assert heard[-1] == 1

    def stop(share: float) -> None:
        raise InterruptedError("enough")

    with pytest.raises(InterruptedError, match="enough"):
        tw.grow(place, "class", engine=LocalRunner(), progress=stop)


@pytest.mark.slow
@pytest.mark.parametrize("steps", [["summary"], ["amounts"], ["place"], ["summary", "count"]])
def test_workers_die_while_files_are_read(steps: list[str], tmp_path: Path) -> None:
    name, missing = ("credit_g", "drop") if "amounts" in steps else ("hypothyroid", "learned")
    place, signs = folder_of(name, tmp_path / "files", 5), tmp_path / "signs"
    signs.mkdir()
    told: dict[str, Any] = {"max_depth": 3, "missing": missing}
    expected = tw.grow(tw.read(place), target(name), warns=False, **told)
    with cluster(2, processes=True) as client:
        runner = dying.DyingRunner(client, signs, steps)
        check(tw.grow(place, target(name), engine=runner, **told), expected)
    assert sorted(path.name for path in signs.iterdir()) == sorted(steps)


# ---- refusals ------------------------------------------------------------------------------------------


class _Touching(LocalRunner):
    """An engine on which a file changes after the shards were listed."""

    def __init__(self, path: Path, at: int) -> None:
        super().__init__()
        self.path, self.left = path, at

    def place(self, shards: Any, payload: bytes) -> Any:
        self.left -= 1
        if self.left == 0:
            folder_of("iris", self.path.parent, 2)
        return super().place(shards, payload)


@pytest.mark.parametrize("at", [1, 2])
def test_a_shard_that_changes_is_named(at: int, tmp_path: Path) -> None:
    place = folder_of("iris", tmp_path / "iris", 3)
    with pytest.raises(ChangedError, match=r"part-[12]\.parquet' has changed"):
        tw.grow(place, "class", engine=_Touching(place / "part-1.parquet", at))


def test_ways_to_prune_that_ask_rows_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="prune='cost_complexity' asks rows"):
        tw.grow(folder_of("iris", tmp_path, 1), "class", "cart", engine=LocalRunner())


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"engine": "dask"}, "is no engine"),
        ({"target": ["a"], "engine": LocalRunner()}, "target is the name of a column, not a list"),
        ({"weights": [1.0], "engine": LocalRunner()}, "weights is the name of a column, not a list"),
        ({"target": "y", "engine": LocalRunner()}, "no column 'y'"),
    ],
)
def test_refusals(told: dict[str, Any], words: str, tmp_path: Path) -> None:
    place = folder_of("iris", tmp_path, 1)
    with pytest.raises((TypeError, ValueError), match=words):
        tw.grow(place, **{"target": "class", **told})
