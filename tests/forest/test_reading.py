"""Proximities, disagreement, the tree nearest to the forest, and the small tree that stands for it."""

from importlib import import_module

import numpy as np
import pytest

import treewright as tw
from tests.forest.samples import random_table


def test_proximity_is_the_share_of_trees_with_a_common_leaf():
    table = random_table(3, 60, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=9)
    leaves = forest.leaves(table)
    wanted = (leaves[:, None, :] == leaves[None, :, :]).mean(axis=2)
    found = tw.forest.proximity(forest, table, rows=[5, 0, 59])
    np.testing.assert_allclose(found.toarray(), wanted[[5, 0, 59]])
    mask = np.arange(60) < 3
    np.testing.assert_allclose(tw.forest.proximity(forest, table, rows=mask).toarray(), wanted[:3])
    near = tw.forest.proximity(forest, table, least=0.5)
    np.testing.assert_allclose(near.toarray(), np.where(wanted >= 0.5 - 1e-12, wanted, 0))
    assert near.nnz == (wanted >= 0.5 - 1e-12).sum()
    assert (near != near.T).nnz == 0
    assert tw.forest.proximity(forest, table, rows=[]).shape == (0, 60)


def test_proximity_in_parts_is_the_same(monkeypatch):
    table = random_table(3, 50)
    forest = tw.forest.grow(table, "y", n_trees=5)
    whole = tw.forest.proximity(forest, table, least=0.0).toarray()
    monkeypatch.setattr(import_module("treewright.forest.proximity"), "CELLS", 100)
    np.testing.assert_array_equal(tw.forest.proximity(forest, table, least=0.0).toarray(), whole)


def test_all_against_all_is_asked_for_on_purpose():
    table = random_table(3, 50)
    forest = tw.forest.grow(table, "y", n_trees=2)
    with pytest.raises(ValueError, match=r"can take 50\^2 entries. Name rows=\[...\], or"):
        tw.forest.proximity(forest, table)
    with pytest.raises(ValueError, match="least=2 must be a share"):
        tw.forest.proximity(forest, table, least=2)
    with pytest.raises(IndexError, match="the rows are 0 to 49"):
        tw.forest.proximity(forest, table, rows=[50])
    with pytest.raises(ValueError, match="must be row numbers"):
        tw.forest.proximity(forest, table, rows=["first"])


@pytest.mark.parametrize("is_classes", [True, False])
def test_disagreement(is_classes):
    table = random_table(3, 80, is_classes, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=8)
    found = tw.forest.disagreement(forest, table)
    if is_classes:
        wanted = 1 - forest.votes(table).max(axis=1) / 8
    else:
        wanted = np.std([forest.tree(i).predict(table) for i in range(8)], axis=0)
    np.testing.assert_allclose(found, wanted, atol=1e-12)
    assert (found > 0).any()


@pytest.mark.parametrize("is_classes", [True, False])
def test_the_nearest_tree_agrees_most(is_classes):
    table = random_table(3, 100, is_classes, gaps=0.1)
    forest = tw.forest.grow(table, "y", n_trees=10)
    found = tw.forest.nearest_tree(forest, table, n_threads=2)
    goal = forest.predict(table)
    if is_classes:
        each = [(forest.tree(i).predict(table) == goal).mean() for i in range(10)]
    else:
        lost = [((forest.tree(i).predict(table) - goal) ** 2).sum() for i in range(10)]
        each = [1 - x / ((goal - goal.mean()) ** 2).sum() for x in lost]
    assert found.number == int(np.argmax(each))
    assert found.fidelity == pytest.approx(max(each))
    assert found.tree == forest.tree(found.number)


@pytest.mark.parametrize("is_classes", [True, False])
def test_a_small_tree_stands_for_the_forest(is_classes):
    table = random_table(3, 400, is_classes, gaps=0.1)
    train, kept_back = table.take(np.arange(250)), table.take(np.arange(250, 400))
    forest = tw.forest.grow(train, "y", n_trees=40)
    sizes = [tw.forest.surrogate_tree(forest, train, n).fidelity for n in (1, 4, 16)]
    assert sizes == sorted(sizes)
    found = tw.forest.surrogate_tree(forest, train, 6, validation=kept_back)
    assert found.tree.n_leaves <= 6
    said, goal = found.tree.predict(kept_back), forest.predict(kept_back)
    if is_classes:
        assert found.fidelity == (said == goal).mean() > 0.5
    else:
        wanted = 1 - ((said - goal) ** 2).sum() / ((goal - goal.mean()) ** 2).sum()
        assert found.fidelity == pytest.approx(wanted)
        assert wanted > 0.4
    assert found.number is None


def test_a_surrogate_takes_rows_with_unknown_categories():
    table = random_table(3, 100)
    forest = tw.forest.grow(table, "y", n_trees=10)
    cells = table.to_dict()
    cells["k"][:5] = ["new"] * 5
    strange = tw.Table.from_dict(cells, ordinal={"size": ["S", "M", "L"]})
    assert 0 < tw.forest.surrogate_tree(forest, strange, 5).fidelity <= 1
