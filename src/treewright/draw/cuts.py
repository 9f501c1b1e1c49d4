"""The cuts of a tree over two columns of numbers, as lines: between them are the rectangles of its leaves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Tree

Floats = NDArray[np.float64]
CUT = 1  # the kind of a node that asks x <= cut


def cuts(tree: Tree, low: Floats, high: Floats) -> list[Floats] | None:
    """Return the line of every cut, from end to end of the rectangle it divides, inside the given corners.

    None where a node asks something else than x <= cut. Cuts outside have no line.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"a": [1, 2, 3], "b": [1, 1, 1], "y": ["n", "n", "p"]}), target="y")
    >>> [line.tolist() for line in cuts(tree, np.array([0.0, 0.0]), np.array([4.0, 2.0]))]
    [[[2.5, 0.0], [2.5, 2.0]]]
    """
    is_leaf = tree.leaf_mask
    if (tree.kind[~is_leaf] != CUT).any():
        return None
    found: list[Floats] = []
    open_nodes = [(0, np.array([low, high], dtype=np.float64))]
    while open_nodes:
        node, corners = open_nodes.pop()
        if is_leaf[node]:
            continue
        column, cut = int(tree.column[node]), float(tree.cut[node])
        below, above = corners.copy(), corners.copy()
        below[1, column], above[0, column] = min(corners[1, column], cut), max(corners[0, column], cut)
        if corners[0, column] < cut < corners[1, column] and (corners[0] < corners[1]).all():
            line = corners.copy()
            line[:, column] = cut
            found.append(line)
        first = node + 1
        open_nodes += [(int(tree.end[first]), above), (first, below)]
    return found
