"""The lecture's loop: of all nodes, prune the one that helps most; again, until all would do harm."""

from __future__ import annotations

import heapq

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Tree, walk

Floats = NDArray[np.float64]


def best_first(
    tree: Tree, as_leaf: Floats, own: Floats, *, per_leaf: float, ties: str = "prune", root_too: bool = False
) -> list[int]:
    """Return the nodes to make leaves, in the order of the loop.

    Pruning a node lowers the cost by the errors of its subtree less those of the node as a leaf, and by
    `per_leaf` for each leaf that goes. The largest gain is taken first, ties go to the larger subtree; the
    loop ends when every prune would raise the cost (`ties="keep"`: or leave it).

    >>> from treewright.tree.example import tennis
    >>> errors = np.array([5.0, 2, 0, 0, 0, 2, 1, 2])
    >>> own = np.array([0.0, 0, 0, 0, 0, 0, 1, 2])
    >>> best_first(tennis(), errors, own, per_leaf=0.0)
    [5]
    """
    loop = _Loop(tree, as_leaf, own, per_leaf)
    slack = 1e-9 * max(1.0, float(as_leaf[0]))
    queue = [loop.entry(node) for node in np.flatnonzero(tree.kind).tolist() if node or root_too]
    heapq.heapify(queue)
    chosen = []
    while queue:
        entry = heapq.heappop(queue)
        node = entry[2]
        if loop.is_gone(node) or entry != loop.entry(node):
            continue  # a node above or below was pruned since; a newer entry is in the queue
        if -entry[0] < (-slack if ties == "prune" else slack):
            break
        chosen.append(node)
        queue_again = loop.prune(node)
        for above in queue_again:
            if above or root_too:
                heapq.heappush(queue, loop.entry(above))
    return chosen


class _Loop:
    """The tree as it is pruned: errors, leaves and nodes under every node."""

    def __init__(self, tree: Tree, as_leaf: Floats, own: Floats, per_leaf: float) -> None:
        self.parent, self.end = tree.parents.tolist(), tree.end.tolist()
        self.leaf = as_leaf.tolist()
        self.below = walk.subtree_sums(tree.end, own).tolist()
        self.n_leaves = walk.leaf_counts(tree.end).tolist()
        self.n_nodes = (tree.end - np.arange(tree.n_nodes)).tolist()
        self.per_leaf = per_leaf
        self.gone = bytearray(tree.n_nodes)

    def entry(self, node: int) -> tuple[float, int, int]:
        """Return the place of a node in the queue: gain, then size, both largest first; then its number."""
        gain = self.below[node] - self.leaf[node] + self.per_leaf * (self.n_leaves[node] - 1)
        return (-round(gain, 9), -self.n_nodes[node], node)

    def is_gone(self, node: int) -> bool:
        return bool(self.gone[node])

    def prune(self, node: int) -> list[int]:
        """Make a node a leaf; return the nodes above it."""
        for inside in range(node, self.end[node]):
            self.gone[inside] = 1
        errors, leaves = self.below[node] - self.leaf[node], self.n_leaves[node] - 1
        nodes = self.n_nodes[node] - 1
        above = []
        at = node
        while at >= 0:
            self.below[at] -= errors
            self.n_leaves[at] -= leaves
            self.n_nodes[at] -= nodes
            if at != node:
                above.append(at)
            at = self.parent[at]
        return above
