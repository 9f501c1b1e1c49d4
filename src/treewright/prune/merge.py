"""Siblings that predict alike become one leaf: tests that change no answer go."""

from __future__ import annotations

import numpy as np

from treewright.base.names import choice
from treewright.predict import shares
from treewright.prune.counts import Truths, UnsuitableError, need_plain
from treewright.tree import Tree

ALIKE = ("labels", "probabilities")


def merge(tree: Tree, by: str = "labels", tolerance: float = 1e-12) -> Tree:
    """Return the tree without tests whose leaves all predict what their parent would.

    `by="labels"` compares the predicted classes (the means, for numbers, within `tolerance`);
    `by="probabilities"` the class probabilities, each within `tolerance`. From the leaves up: merged leaves
    may merge again with theirs. With "labels" every predicted label stays as it was, but the probabilities
    behind it become the parent's, so this is never done unless asked for. An empty leaf is sure of its label.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 1, 1, 2, 2, 2], "y": ["a", "a", "a", "a", "a", "b"]})
    >>> tree = tw.grow(table, target="y")
    >>> tree.n_leaves, merge(tree).n_leaves, merge(tree, by="probabilities").n_leaves
    (2, 1, 2)
    """
    choice("by", by, ALIKE)
    need_plain(tree, "merge")
    if by == "probabilities" and not tree.is_classifier:
        raise UnsuitableError(
            f"by='probabilities' is for classes, but this tree predicts the number {tree.target.name!r}; "
            "by='labels' compares its means"
        )
    if not tolerance >= 0:
        raise ValueError(f"tolerance={tolerance!r} must be a number of at least 0")
    # A test goes when no node below it says anything else than its own parent. Counting exact integers over
    # the interval i+1 .. end[i]-1 answers that for all nodes at once.
    unlike = np.concatenate([[0], np.cumsum(~_like_parent(tree, by, tolerance))])
    alike_below = unlike[tree.end] == unlike[np.arange(tree.n_nodes) + 1]
    return tree.collapse(np.flatnonzero(alike_below & ~tree.leaf_mask))


def _like_parent(tree: Tree, by: str, tolerance: float) -> Truths:
    """Return for every node whether it predicts what its parent predicts; the root is not asked."""
    parent = np.maximum(tree.parents, 0)
    if by == "probabilities":
        chance = shares(tree)
        return np.asarray((np.abs(chance - chance[parent]) <= tolerance).all(axis=1))
    if tree.is_classifier:
        return np.asarray(tree.label == tree.label[parent])
    mean = tree.stats[:, 1]
    return np.asarray(np.abs(mean - mean[parent]) <= tolerance)
