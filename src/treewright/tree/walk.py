"""Ways through a preorder tree, from its one array `end`; no recursion, so depth has no limit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

#   node    0   1   2   3   4         0
#   end     5   2   5   4   5        / \
#   depth   0   1   1   2   2       1   2       node i owns i .. end[i]-1; its first child is i+1,
#   parent -1   0   0   2   2          / \      the next child begins where that one ends
#                                     3   4

# Interval sums cost the sum of all subtree sizes; beyond this many additions levels are summed instead.
_INTERVAL_WORK = 50_000_000


def depths(end: Array) -> NDArray[np.int64]:
    """Return the depth of every node; the root has depth 0.

    >>> depths(np.array([5, 2, 5, 4, 5])).tolist()
    [0, 1, 1, 2, 2]
    """
    # Ancestors of i: the nodes opened before i, less those that have closed by then.
    n = len(end)
    closed = np.cumsum(np.bincount(end, minlength=n + 1))[:n]
    return np.arange(n, dtype=np.int64) - closed


def parents(end: Array) -> NDArray[np.int64]:
    """Return the parent of every node; -1 for the root.

    >>> parents(np.array([5, 2, 5, 4, 5])).tolist()
    [-1, 0, 0, 2, 2]
    """
    return parents_by_depth(depths(end))


def parents_by_depth(depth: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return parents from preorder depths: the last node before i that is one level higher."""
    n = len(depth)
    ids = np.arange(n, dtype=np.int64)
    order = np.argsort(depth, kind="stable")
    keys = depth[order] * n + order  # ascending: by level, inside a level by node
    parent = np.full(n, -1, dtype=np.int64)
    parent[1:] = order[np.searchsorted(keys, (depth[1:] - 1) * n + ids[1:], side="right") - 1]
    return parent


def branch_of(parent: Array) -> NDArray[np.int64]:
    """Return for every node which branch of its parent it is; -1 for the root.

    >>> branch_of(np.array([-1, 0, 0, 2, 2])).tolist()
    [-1, 0, 1, 0, 1]
    """
    n = len(parent)
    order = np.argsort(parent, kind="stable")
    first = np.searchsorted(parent[order], parent[order], side="left")
    branch = np.empty(n, dtype=np.int64)
    branch[order] = np.arange(n) - first
    branch[0] = -1
    return branch


def branch_counts(parent: Array) -> NDArray[np.int64]:
    """Return the number of branches of every node.

    >>> branch_counts(np.array([-1, 0, 0, 2, 2])).tolist()
    [2, 0, 2, 0, 0]
    """
    return np.bincount(parent[1:], minlength=len(parent)).astype(np.int64)


def children(end: Array, node: int) -> tuple[int, ...]:
    """Return the children of a node in branch order, found by hopping.

    >>> children(np.array([5, 2, 5, 4, 5]), 2)
    (3, 4)
    """
    found = []
    child, stop = node + 1, int(end[node])
    while child < stop:
        found.append(child)
        child = int(end[child])
    return tuple(found)


def path(parent: Array, node: int) -> tuple[int, ...]:
    """Return the nodes from the root down to a node, both included.

    >>> path(np.array([-1, 0, 0, 2, 2]), 3)
    (0, 2, 3)
    """
    steps = []
    while node >= 0:
        steps.append(node)
        node = int(parent[node])
    return tuple(reversed(steps))


def leaf_mask(end: Array) -> NDArray[np.bool_]:
    """Return True where a node is a leaf.

    >>> leaf_mask(np.array([5, 2, 5, 4, 5])).tolist()
    [False, True, False, True, True]
    """
    mask: NDArray[np.bool_] = end == np.arange(1, len(end) + 1)
    return mask


def leaf_counts(end: Array) -> NDArray[np.int64]:
    """Return the number of leaves under every node; 1 for a leaf.

    >>> leaf_counts(np.array([5, 2, 5, 4, 5])).tolist()
    [3, 1, 2, 1, 1]
    """
    counts: NDArray[np.int64] = subtree_sums(end, leaf_mask(end).astype(np.int64))
    return counts


def subtree_sums(end: Array, values: Array) -> Array:
    """Return for every node the sum of `values` over the nodes it owns, itself included.

    Integers are summed as differences of prefix sums, which is exact. Floats are summed interval by
    interval: differences of float prefix sums lose digits and once gave decreasing pruning prices.

    >>> subtree_sums(np.array([5, 2, 5, 4, 5]), np.array([0.0, 1.0, 0.0, 0.25, 0.5])).tolist()
    [1.75, 1.0, 0.75, 0.25, 0.5]
    """
    n = len(end)
    if len(values) != n:
        raise ValueError(f"subtree_sums needs one value per node: {n} nodes, {len(values)} values.")
    if not np.issubdtype(values.dtype, np.floating):
        before = np.zeros((n + 1, *values.shape[1:]), dtype=np.int64)
        np.cumsum(values, axis=0, out=before[1:])
        return before[end] - before[:-1]
    if int(np.sum(end, dtype=np.int64)) - n * (n - 1) // 2 > _INTERVAL_WORK:
        return _sums_by_level(end, values)
    padded = np.concatenate([values, np.zeros((1, *values.shape[1:]), dtype=values.dtype)])
    bounds = np.column_stack([np.arange(n), end]).ravel()
    return np.add.reduceat(padded, bounds, axis=0)[::2]


def _sums_by_level(end: Array, values: Array) -> Array:
    """Sum children into parents, last node first: linear however deep the tree is."""
    parent = parents(end).tolist()
    total = values.copy()
    for node in range(len(parent) - 1, 0, -1):
        total[parent[node]] += total[node]
    return total
