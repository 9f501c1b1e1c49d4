"""Forests whose tests are on several columns: against single trees, in any order, on threads, in files."""

from __future__ import annotations

import dataclasses
import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest

import treewright as tw
from tests.forest.samples import random_table
from treewright import _core
from treewright.base.draws import COLUMNS_TRIED, item_named
from treewright.explain.importance import impurity_decrease
from treewright.forest.draws import times_drawn

FEW: dict[str, Any] = {"splits": "linear", "linear_search": "fitted", "linear_penalty": 0.01, "min_leaf": 3}
WAYS = [FEW, {"splits": "conjunction", "max_depth": 2}, {"splits": "m_of_n", "max_depth": 2}]


@pytest.mark.parametrize("words", WAYS, ids=lambda words: str(words["splits"]))
@pytest.mark.parametrize("is_classes", [True, False])
def test_its_trees_are_those_of_the_rows_they_drew(words: dict[str, Any], is_classes: bool) -> None:
    table = random_table(1, 90, is_classes, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=3, seed=4, max_columns="all", **words)
    assert forest.has_sums
    for i in range(3):
        times = times_drawn(forest, i).astype(float)
        alike = {"min_leaf": 1.0 if is_classes else 5.0, **words}
        one = tw.grow(table, "y", weights=times, seed=4, tree=i, prune="none", **alike)
        mine = forest.tree(i)
        for name in ("end", "term_column", "term_weight", "term_at", "n_rows"):
            np.testing.assert_array_equal(getattr(mine, name), getattr(one, name))
        np.testing.assert_array_equal(mine.cut, one.cut)
        np.testing.assert_allclose(mine.stats, one.stats, rtol=1e-9, atol=1e-9)
        own = forest.arrays["importance"][i]
        np.testing.assert_allclose(own / own.sum(), impurity_decrease(one), atol=1e-9)


def _drawn(seed: int, names: tuple[str, ...], most: int, path: int = 0) -> set[str]:
    """Return the columns of a node by the rule: the lowest hashes of its path and their names."""
    keys = {name: _core.draw(seed, COLUMNS_TRIED, path ^ item_named(name), 0) for name in names}
    return set(sorted(names, key=keys.__getitem__)[:most])


def test_a_node_asks_about_the_columns_drawn_for_it() -> None:
    table = random_table(2, 200)
    asked = set()
    for seed in range(8):
        tree = tw.forest.grow(table, "y", n_trees=1, seed=seed, max_columns=2, max_depth=1, **FEW).tree(0)
        terms = tree.term_column.tolist() or [int(tree.column[0])]
        mine = {tree.schema.names[place] for place in terms}
        assert mine <= _drawn(seed, tree.schema.names, 2)
        asked |= mine
    assert len(asked) >= 4


def test_columns_that_do_not_vary_are_drawn_past() -> None:
    rng = np.random.default_rng(0)
    flat = {f"flat{i}": [1.0] * 60 for i in range(12)}
    x = rng.normal(size=60)
    table = tw.Table.from_dict({**flat, "x": x, "y": np.where(x > 0, "a", "b").tolist()})
    forest = tw.forest.grow(table, "y", n_trees=5, max_columns=1, **FEW)
    assert all(forest.tree(i).n_leaves > 1 for i in range(5))


def test_threads_parts_and_orders_do_not_matter() -> None:
    table = random_table(3, 120, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=6, seed=1, **FEW)
    assert forest.has_sums
    threads = tw.forest.grow(table, "y", n_trees=6, seed=1, n_threads=3, **FEW)
    assert [t.to_text() for t in map(threads.tree, range(6))] == [
        t.to_text() for t in map(forest.tree, range(6))
    ]
    parts = [tw.forest.grow(table, "y", n_trees=3, seed=1, first=i, **FEW) for i in (0, 3)]
    assert tw.forest.join(*parts) == forest
    turned = table.select([*table.names[:-1][::-1], "y"])
    again = tw.forest.grow(turned, "y", n_trees=6, seed=1, **FEW)
    np.testing.assert_array_equal(again.predict_proba(table), forest.predict_proba(table))


def test_figures_files_and_damage(tmp_path: Any) -> None:
    table = random_table(5, 120, gaps=0.05)
    forest = tw.forest.grow(table, "y", n_trees=12, seed=2, **FEW)
    assert tw.forest.out_of_bag(forest, table).score > 0.4
    assert tw.forest.impurity(forest).value.min() >= 0
    assert tw.forest.permutation_importance(forest, table).value.argmax() in (0, 1, 2)
    assert forest.leaves(table).shape == (120, 12)
    forest.save(tmp_path / "a.forest")
    again = tw.load(tmp_path / "a.forest")
    assert again == forest
    np.testing.assert_array_equal(again.predict_proba(table), forest.predict_proba(table))
    plain = tw.forest.grow(table, "y", n_trees=2)
    assert not any(len(plain.arrays[name]) for name in ("term_column", "term_weight", "term_form", "term_at"))
    for name, value in (("term_column", 77), ("term_form", 9), ("term_weight", np.nan), ("term_count", -1)):
        odd = np.array(forest.arrays[name], np.float64 if name == "term_weight" else np.int32)
        odd[np.flatnonzero(forest.arrays["term_count"])[0] if name == "term_count" else 0] = value
        with pytest.raises(ValueError, match=r"Not a forest: .*term_"):
            dataclasses.replace(forest, arrays={**forest.arrays, name: odd})


def test_estimators() -> None:
    table = random_table(6, 150)
    cells = pd.DataFrame(table.drop("y").to_dict())
    y = table.labels("y")
    words = {"splits": "linear", "n_estimators": 6, "random_state": 0}
    model = tw.RandomForestClassifier(**words, oob_score=True).fit(cells, y)
    assert model.forest_.has_sums
    assert model.oob_score_ > 0.3
    assert model.feature_importances_.sum() == pytest.approx(1)
    more = tw.RandomForestClassifier(**{**words, "n_estimators": 3}, warm_start=True).fit(cells, y)
    more.set_params(n_estimators=6).fit(cells, y)
    assert (more.predict_proba(cells) == model.predict_proba(cells)).all()
    balanced = tw.RandomForestClassifier(**words, class_weight="balanced_subsample").fit(cells, y)
    assert balanced.forest_.has_sums
    numbers = random_table(7, 100, is_classes=False)
    cells, y = pd.DataFrame(numbers.drop("y").to_dict()), numbers.to_dict()["y"]
    regressor = tw.RandomForestRegressor(**words).fit(cells, y)
    assert regressor.forest_.about["splits"] == "linear"
    assert regressor.score(cells, y) > 0.5


@pytest.mark.parametrize("format", ["sql", "python", "onnx"])
def test_what_is_written_answers_the_same(format: str) -> None:  # noqa: A002 (the word says it)
    table = random_table(9, 120, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=4, max_depth=3, **FEW)
    assert forest.has_sums
    found = tw.export.verify(forest, format, table, n_rows=300)
    assert (found.different, found.refused) == (0, None)


def test_progress_is_told_and_stops_growth() -> None:
    table = random_table(8, 80)
    heard: list[float] = []
    tw.forest.grow(table, "y", n_trees=4, progress=heard.append, **FEW)
    assert heard[-1] == 1.0
    assert all(a <= b for a, b in itertools.pairwise(heard))

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tw.forest.grow(table, "y", n_trees=4, progress=stop, **FEW)
