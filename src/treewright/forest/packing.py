"""Trees that were grown one by one as the arrays of a forest: what the core packs where it grows them all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.forest import compact
from treewright.forest.one import TOLD
from treewright.tree import Tree

Array = NDArray[Any]


def packed(trees: Sequence[Tree]) -> dict[str, Array]:
    """Return the arrays of a forest of these trees, which are alike in columns, target and settings.

    >>> import treewright as tw
    >>> tennis = tw.example("tennis")
    >>> arrays = packed([tw.grow(tennis, "PlayTennis"), tw.grow(tennis, "PlayTennis", max_depth=1)])
    >>> arrays["tree_size"].tolist()
    [13, 3]
    """
    is_classifier = not trees[0].target.is_numeric
    parts = [_of_tree(tree, is_classifier) for tree in trees]
    found: dict[str, Array] = {}
    for name in parts[0]:
        found[name] = (_ends if name.endswith("_start") else np.concatenate)([part[name] for part in parts])
    sizes = np.array([len(tree.end) for tree in trees], dtype=np.int64)
    found["tree_start"] = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    if trees[0].about["criterion"] in TOLD:  # gains can be told from the leaves
        found["gain"] = np.empty(0)
    return compact.packed(found, len(trees[0].schema), is_classifier)


def _ends(starts: Sequence[Array]) -> Array:
    """Return where things begin, one tree's behind the other's."""
    counts = np.concatenate([np.diff(start) for start in starts])
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def _of_tree(tree: Tree, is_classifier: bool) -> dict[str, Array]:
    found = {name: np.asarray(getattr(tree, name)) for name in compact.WALKED}
    stats = np.asarray(tree.stats)
    leaf = np.flatnonzero(tree.kind == compact.LEAF)
    weight = np.add.accumulate(stats, axis=1)[:, -1] if is_classifier else stats[:, 0]
    inner = np.flatnonzero(tree.kind != compact.LEAF)
    found["gain"] = tree.gain
    found["importance"] = np.bincount(
        tree.column[inner], tree.gain[inner] * weight[inner] / weight[0], minlength=len(tree.schema)
    )
    found["leaf_label"], found["leaf_rows"] = tree.label[leaf], tree.n_rows[leaf]
    of_leaf = stats[leaf]
    if not is_classifier:
        return found | {"leaf_weight": of_leaf.ravel()}
    row, own = np.nonzero(of_leaf)
    counts = np.bincount(row, minlength=len(leaf))
    found["leaf_start"] = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    return found | {"leaf_class": own.astype(np.int32), "leaf_weight": of_leaf[row, own]}
