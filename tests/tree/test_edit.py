from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import tree as oracle
from tests.tree.strategies import twins
from treewright.tree import collapse
from treewright.tree.example import tennis


@given(twins(), st.data())
def test_collapse_agrees_with_recursion(twin, data):
    nested, tree = twin
    chosen = data.draw(st.sets(st.integers(0, tree.n_nodes - 1)))
    expected = oracle.to_tree(oracle.collapse(nested, chosen), tree.target, about=tree.about)
    found = collapse(tree, chosen)
    for name in oracle.GROWN:
        got, want = getattr(found, name), getattr(expected, name)
        # a leaf of the tree itself is left as it was
        np.testing.assert_array_equal(got, want, err_msg=name)
    assert found.about == tree.about
    if tree.ledger is not None:
        assert [record["node"] for record in found.ledger] == list(range(found.n_nodes))


@given(twins(), st.data())
def test_nested_choices_fall_with_the_outer_one(twin, data):
    _, tree = twin
    i = data.draw(st.integers(0, tree.n_nodes - 1))
    assert tree.collapse(range(i, tree.end[i])) == tree.collapse(i)
    assert tree.collapse(np.int64(i)) == tree.collapse(np.array([i, i])) == tree.collapse(iter([i]))


def test_collapse_of_a_leaf_or_of_nothing_is_the_same_tree():
    tree = tennis()
    assert tree.collapse(2) is tree
    assert tree.collapse([]) is tree
    assert tree.collapse(np.array([], dtype=int)) is tree


def test_the_collapsed_node_is_a_leaf_with_its_own_statistics():
    tree = tennis().collapse(1)
    assert tree.is_leaf(1)
    leaf = tree.node(1)
    assert (leaf.prediction, leaf.n_rows, leaf.errors, leaf.answer) == ("No", 5, 2.0, "= Sunny")
    assert tennis().n_nodes == 8


@pytest.mark.parametrize("wrong", [-1, 8, [0, 8], np.array([8]), np.array(-1)])
def test_a_node_that_is_not_there(wrong):
    with pytest.raises(IndexError, match="nodes are 0 to 7"):
        tennis().collapse(wrong)


@pytest.mark.parametrize("wrong", [True, 1.0, "1", None, [[1]], np.array([[1, 2]]), np.array([1.0]), [True]])
def test_a_node_is_a_whole_number(wrong):
    with pytest.raises(TypeError, match="whole number"):
        tennis().collapse(wrong)


def test_large_trees(big_tree):
    found = big_tree.collapse(np.arange(1000, big_tree.n_nodes, 7))
    assert 1000 < found.n_nodes < big_tree.n_nodes
