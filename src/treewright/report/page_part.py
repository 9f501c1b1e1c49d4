"""The part of a tree that a page has room for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.evaluate.families import best_first_order
from treewright.tree import Tree

Ints = NDArray[Any]

MOST_NODES = 20_000  # of a page: about 3 MB


def page_part(tree: Tree, most: int = MOST_NODES) -> Tree:
    """Return the tree, or the part of it with at most so many nodes that best-first growth opens first.

    >>> from treewright.tree.example import tennis
    >>> page_part(tennis()) == tennis(), page_part(tennis(), most=5).n_nodes
    (True, 4)
    """
    return tree if tree.n_nodes <= most else _after(tree, *_growth(tree), most)


def _growth(tree: Tree) -> tuple[Ints, Ints]:
    """Return the inner nodes in the order of growth, and the nodes there are after each of them, from 1."""
    order = np.array(best_first_order(tree), dtype=np.int64)
    return order, np.cumsum([1, *tree.branch_counts[order].tolist()])


def _after(tree: Tree, order: Ints, sizes: Ints, budget: float) -> Tree:
    """Return the largest tree of this growth with at most so many nodes."""
    n_open = max(int(np.searchsorted(sizes, budget, side="right")) - 1, 0)
    rank = np.full(tree.n_nodes + 1, len(order))  # when a node is opened; leaves never are
    rank[order] = np.arange(len(order))
    rank[-1] = -1  # what the root hangs on
    # Only the nodes where the smaller tree ends: they may be few among very many.
    ends = ~tree.leaf_mask & (rank[:-1] >= n_open) & (rank[tree.parents] < n_open)
    return tree.collapse(np.flatnonzero(ends)) if ends.any() else tree
