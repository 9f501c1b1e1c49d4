from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import tree as oracle
from tests.tree.strategies import twins
from treewright.tree import walk


def chain(depth: int) -> np.ndarray:
    """A caterpillar: every inner node has a leaf first, then the rest of the tree."""
    n = 2 * depth + 1
    end = np.full(n, n, dtype=np.int32)
    end[1::2] = np.arange(2, n, 2)
    return end


@given(twins())
def test_walks_agree_with_recursion(twin):
    nested, tree = twin
    nodes = oracle.in_preorder(nested)
    number = {id(node): i for i, node in enumerate(nodes)}
    assert tree.n_nodes == len(nodes)
    assert tree.n_leaves == oracle.n_leaves(nested)
    assert tree.depth == oracle.depth(nested)
    assert tree.leaf_ids.tolist() == [i for i, node in enumerate(nodes) if not node.children]
    assert walk.leaf_counts(tree.end).tolist() == [oracle.n_leaves(node) for node in nodes]
    for i, node in enumerate(nodes):
        children = tuple(number[id(child)] for child in node.children)
        assert tree.children(i) == children
        assert tree.branch_counts[i] == len(children)
        for branch, child in enumerate(children):
            assert (tree.parents[child], tree.parent(child), tree.branches[child]) == (i, i, branch)
            assert tree.depth_of(child) == tree.depth_of(i) + 1
            assert tree.path_to(child) == (*tree.path_to(i), child)


@given(twins(), st.randoms(use_true_random=False))
def test_subtree_sums_are_the_sums_of_the_nodes_below(twin, source):
    _, tree = twin
    floats = np.array([source.uniform(-1e6, 1e6) for _ in range(tree.n_nodes)])
    expected = [floats[i : tree.end[i]].sum() for i in range(tree.n_nodes)]
    np.testing.assert_allclose(walk.subtree_sums(tree.end, floats), expected, rtol=1e-12, atol=1e-6)
    np.testing.assert_allclose(walk._sums_by_level(tree.end, floats), expected, rtol=1e-12, atol=1e-6)
    ones = np.ones((tree.n_nodes, 2), dtype=np.int64)
    sizes = (tree.end - np.arange(tree.n_nodes)).tolist()
    assert walk.subtree_sums(tree.end, ones)[:, 1].tolist() == sizes
    assert walk.subtree_sums(tree.end, ones.astype(float))[:, 0].tolist() == sizes


def test_depth_of_100000_is_no_trouble():
    end = chain(100_000)
    assert walk.depths(end).max() == 100_000
    assert walk.parents(end)[-1] == len(end) - 3
    assert walk.leaf_counts(end)[0] == 100_001
    assert walk.subtree_sums(end, np.ones(len(end)))[0] == len(end)
    assert len(walk.path(walk.parents(end), len(end) - 1)) == 100_001


def test_one_node():
    end = np.array([1], dtype=np.int32)
    assert walk.parents(end).tolist() == [-1]
    assert walk.branch_of(walk.parents(end)).tolist() == [-1]
    assert walk.children(end, 0) == ()
    assert walk.subtree_sums(end, np.array([2.5])).tolist() == [2.5]


def test_sums_need_one_value_per_node():
    with pytest.raises(ValueError, match="3 nodes, 2 values"):
        walk.subtree_sums(np.array([3, 2, 3]), np.zeros(2))
