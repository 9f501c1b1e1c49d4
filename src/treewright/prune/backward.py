"""Bottom-up pruning in one backward pass: which nodes are no dearer as leaves."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.prune.counts import EQUAL, Floats
from treewright.tree import Tree


def no_dearer_as_leaf(tree: Tree, leaf: Floats, test: Floats | None = None) -> NDArray[np.int64]:
    """Return the inner nodes whose cost as a leaf is at most that of their pruned subtree.

    A subtree costs what its `test` costs and what its children cost, each pruned already. Equal cost prunes.
    The tree of least cost, the smallest of these, is `tree.collapse` of what is returned.

    >>> from treewright.tree.example import tennis
    >>> no_dearer_as_leaf(tennis(), np.array([9.0, 2, 1, 1, 1, 3, 1, 1])).tolist()
    [1]
    """
    # Preorder: children come after their parent, so from the last node on each subtree is settled before it
    # is needed. Plain floats and lists: a step then costs the same however deep the tree is.
    parent: list[int] = tree.parents.tolist()
    is_leaf: list[bool] = tree.leaf_mask.tolist()
    own: list[float] = leaf.tolist()
    below: list[float] = [0.0] * tree.n_nodes if test is None else test.tolist()
    chosen = []
    for node in range(tree.n_nodes - 1, -1, -1):
        cost = own[node]
        if not is_leaf[node]:
            subtree = below[node]
            if cost <= subtree + EQUAL * max(abs(cost), abs(subtree)):
                chosen.append(node)
            else:
                cost = subtree
        if node:
            below[parent[node]] += cost
    return np.array(chosen[::-1], dtype=np.int64)


def greatest_below(tree: Tree, values: NDArray[Any]) -> Floats:
    """Return for every node the greatest of `values` over the nodes it owns, itself included.

    >>> from treewright.tree.example import tennis
    >>> greatest_below(tennis(), np.array([1.0, 0, 5, 0, 0, 2, 0, 3])).tolist()
    [5.0, 5.0, 5.0, 0.0, 0.0, 3.0, 0.0, 3.0]
    """
    parent: list[int] = tree.parents.tolist()
    greatest: list[float] = values.tolist()
    for node in range(tree.n_nodes - 1, 0, -1):
        if greatest[node] > greatest[parent[node]]:
            greatest[parent[node]] = greatest[node]
    return np.array(greatest, dtype=np.float64)
