"""The rectangles of a tree that cuts two columns of numbers."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Tree

Floats = NDArray[np.float64]
CUT = 1  # the kind of a node that asks x <= cut


def boxes(tree: Tree, low: Floats, high: Floats) -> list[Floats] | None:
    """Return the rectangle of every leaf as left, right, bottom, top, inside the given corners.

    None where a node asks something else than x <= cut. Leaves outside have none.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"a": [1, 2, 3], "b": [1, 1, 1], "y": ["n", "n", "p"]}), target="y")
    >>> [box.tolist() for box in boxes(tree, np.array([0.0, 0.0]), np.array([4.0, 2.0]))]
    [[0.0, 2.5, 0.0, 2.0], [2.5, 4.0, 0.0, 2.0]]
    """
    inner = ~tree.leaf_mask
    if (tree.kind[inner] != CUT).any():
        return None
    found: list[Floats] = []
    open_nodes = [(0, np.array([low[0], high[0], low[1], high[1]], dtype=np.float64))]
    while open_nodes:
        node, box = open_nodes.pop()
        if tree.leaf_mask[node]:
            if box[0] < box[1] and box[2] < box[3]:
                found.append(box)
            continue
        side, cut = 2 * int(tree.column[node]), float(tree.cut[node])
        left, right = box.copy(), box.copy()
        left[side + 1], right[side] = min(box[side + 1], cut), max(box[side], cut)
        first = node + 1
        open_nodes += [(int(tree.end[first]), right), (first, left)]
    return found
