"""One tree of a forest with other leaves, in the few bytes in which forests keep their trees."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.forest.compact import LEAF, WALKED, packed
from treewright.forest.forest import Forest
from treewright.tree import Tree

Floats = NDArray[np.float64]


def repacked(tree: Tree, stats: Floats, forest: Forest, number: int) -> dict[str, Any]:
    """Return the arrays of a tree of a forest with other leaves: their statistics, in the order of nodes.

    >>> import treewright as tw
    >>> forest = tw.forest.grow(tw.example("tennis"), "PlayTennis", 2)
    >>> arrays = repacked(forest.tree(0), forest.tree(0).stats[forest.tree(0).kind == 0], forest, 0)
    >>> int(arrays["leaf_weight"].sum())
    14
    """
    leaf = tree.kind == LEAF
    found: dict[str, Any] = {name: np.asarray(getattr(tree, name)) for name in WALKED}
    row, column = np.nonzero(stats)
    of_classes = {
        "leaf_start": np.searchsorted(row, np.arange(len(stats) + 1)),
        "leaf_class": column,
        "leaf_weight": stats[row, column],
    }
    found |= {
        "tree_start": np.array([0, tree.n_nodes]),
        "leaf_rows": tree.n_rows[leaf],
        "leaf_label": tree.label[leaf],
        "gain": tree.gain if len(forest.arrays["gain"]) else np.empty(0),
        "importance": forest.arrays["importance"][number],
        **(of_classes if tree.is_classifier else {"leaf_weight": stats.ravel()}),
    }
    return packed(found, len(forest.schema), forest.is_classifier)
