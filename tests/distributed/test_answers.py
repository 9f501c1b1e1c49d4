"""Answers for the partitions of a Dask data frame."""

from __future__ import annotations

from typing import Any

import dask
import dask.dataframe
import pytest

import treewright as tw
from tests.tables import table, target


@pytest.fixture(autouse=True)
def sync() -> Any:
    with dask.config.set(scheduler="sync"):
        yield


@pytest.mark.parametrize(
    ("name", "kind"),
    [("hypothyroid", kind) for kind in ("tree", "forest", "rules")]
    + [("abalone", kind) for kind in ("tree", "forest")],
)
def test_each_partition_answers_as_the_whole(name: str, kind: str) -> None:
    rows = table(name).take(range(0, 600, 3))
    tree = tw.grow(rows, target(name), max_depth=4, warns=False)
    models = {
        "tree": lambda: tree,
        "forest": lambda: tw.forest.grow(rows, target(name), 3),
        "rules": lambda: tw.rules.from_tree(tree),
    }
    model: Any = models[kind]()
    frame = rows.to_pandas()
    pieces = dask.dataframe.from_pandas(frame, npartitions=4)
    answers = tw.distributed.predict(model, pieces)
    assert answers.npartitions == pieces.npartitions
    assert answers.compute().tolist() == model.predict(rows).tolist()
    assert answers.compute().index.equals(frame.index)


def test_an_empty_partition_has_no_answers() -> None:
    frame = table("iris").to_pandas()
    tree = tw.grow(frame, "class")
    pieces = dask.dataframe.from_pandas(frame, npartitions=3)
    some = pieces[pieces["petallength"] > 6.5]
    assert len(tw.distributed.predict(tree, some).compute()) == int((frame["petallength"] > 6.5).sum())


def test_a_table_in_memory_is_refused() -> None:
    tree = tw.grow(table("iris"), "class")
    with pytest.raises(TypeError, match="takes a Dask data frame, not Table"):
        tw.distributed.predict(tree, table("iris"))
