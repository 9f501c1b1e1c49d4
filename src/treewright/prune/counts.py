"""What pruning counts at the nodes of a tree, and how it compares what it counted."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Tree
from treewright.tree.policy import gap_policy
from treewright.tree.weights import ClassWeights

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]

# Two costs that differ by less than this share of their size are equal: rounding must not decide a tie.
EQUAL = 1e-12


class UnsuitableError(ValueError):
    """A pruning method was given a tree it has no meaning for.

    >>> raise UnsuitableError("mdl is for classes")
    Traceback (most recent call last):
    treewright.prune.counts.UnsuitableError: mdl is for classes
    """


def need_classes(tree: Tree, method: str, instead: str = "regularised, critical_value or merge") -> None:
    """Refuse a tree that predicts numbers, or answers with models, for a method that counts errors."""
    need_plain(tree, method)
    if not tree.is_classifier:
        raise UnsuitableError(
            f"{method} counts errors of classes, but this tree predicts the number {tree.target.name!r}. "
            f"For regression trees use {instead}."
        )


def need_plain(tree: Tree, method: str) -> None:
    """Refuse a tree whose nodes answer with models, for a method that reads the errors of classes or means.

    >>> from treewright.tree.example import tennis
    >>> need_plain(tennis(), "mdl")
    """
    if tree.has_models:
        raise UnsuitableError(
            f"{method} reads what the classes or means of nodes get wrong, but the nodes of this tree answer "
            "with models. Use reduced_error, cost_complexity, error_complexity or critical_value."
        )


def class_weights(tree: Tree, stats: Floats | None = None) -> Floats:
    """Return the weight of each class at every node: class weights are in it, and priors where there are.

    `stats` are other rows than all that came to each node.

    >>> from treewright.tree.example import tennis
    >>> class_weights(tennis())[0].tolist()
    [5.0, 9.0]
    """
    scale, held = tree.about.get("class_scale"), tree.stats if stats is None else stats
    return held if scale is None else held * np.asarray(scale, dtype=np.float64)


def errors_under(counts: Floats | ClassWeights, label: NDArray[Any]) -> Floats:
    """Return the weight of the classes other than `label`, row by row.

    >>> errors_under(np.array([[3.0, 2.0, 1.0], [0.0, 0.0, 0.0]]), np.array([0, 1])).tolist()
    [3.0, 0.0]
    """
    if isinstance(counts, ClassWeights):
        return counts.without(label)
    others = counts.copy()  # summed without the label, not as a difference: that would lose digits
    others[np.arange(len(label)), label] = 0.0
    return np.asarray(others.sum(axis=1))


def errors(tree: Tree) -> Floats:
    """Return the training errors that every node makes as a leaf with its own label.

    >>> from treewright.tree.example import tennis
    >>> errors(tennis()).tolist()
    [5.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]
    """
    return errors_under(class_weights(tree), tree.label)


def rows_stay(tree: Tree) -> Truths:
    """Return at which nodes a training row may have ended though the node asks.

    That is where surrogates place gaps, none of them had an answer, and no branch weighs more.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4, None], "y": list("aabbb")})
    >>> rows_stay(tw.grow(table, "y", missing="surrogate")).tolist()
    [True, False, False]
    """
    asks_surrogates = gap_policy(tree.about).way == "surrogate"
    return np.asarray(asks_surrogates & ~tree.leaf_mask & (tree.missing < 0))


def staying_stats(tree: Tree) -> Floats:
    """Return the class weights, or weight and squared deviations, of the training rows that stay at a node.

    Deviations are from the node's mean, which is what such rows are told; the second figure is 0.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4, None], "y": list("aabbb")})
    >>> staying_stats(tw.grow(table, "y", missing="surrogate")).tolist()
    [[0.0, 1.0], [0.0, 0.0], [0.0, 0.0]]
    """
    if not rows_stay(tree).any():
        return _nothing(tree.stats)
    stats = tree.stats.copy()
    child = np.flatnonzero(tree.parents >= 0)
    above = tree.parents[child]
    gone = tree.stats[child]
    if not tree.is_classifier:
        apart = gone[:, 1] - tree.stats[above, 1]
        gone = np.stack([gone[:, 0], np.zeros(len(child)), gone[:, 2] + gone[:, 0] * apart**2], axis=1)
        stats[:, 1] = 0.0
    np.subtract.at(stats, above, gone)
    stats[~rows_stay(tree)] = 0.0
    weight = stats.sum(axis=1) if tree.is_classifier else stats[:, 0]
    stats[weight <= EQUAL * tree.weights] = 0.0  # rounding
    return np.maximum(stats, 0.0)


def _nothing(stats: Any) -> Floats:
    """Return zeros for all class weights, as these are held."""
    if isinstance(stats, ClassWeights):
        none = np.zeros(0, np.int32)
        nothing: Any = ClassWeights(np.zeros(len(stats) + 1, np.int64), none, np.zeros(0), stats.n_classes)
        return nothing  # type: ignore[no-any-return]
    return np.zeros_like(stats)


def staying_share(tree: Tree) -> Floats:
    """Return the share of a node's training rows, by weight, that stay there.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4, None, None], "y": list("aabbba")})
    >>> staying_share(tw.grow(table, "y", missing="surrogate")).round(3).tolist()
    [0.333, 0.0, 0.0]
    """
    staying = staying_stats(tree)
    weight = staying.sum(axis=1) if tree.is_classifier else staying[:, 0]
    return np.divide(weight, tree.weights, out=np.zeros_like(weight), where=tree.weights > 0)


def at_most(a: Any, b: Any) -> Any:
    """Return whether a <= b, where what differs by rounding only is equal.

    >>> at_most(np.array([0.1 + 0.2, 0.31]), 0.3).tolist()
    [True, False]
    """
    return a <= b + EQUAL * np.maximum(np.abs(a), np.abs(b))


def bits(counts: Floats | ClassWeights) -> Floats:
    """Return N times the entropy of every row of class weights, in bits.

    >>> bits(np.array([[9.0, 5.0], [4.0, 0.0], [0.0, 0.0]])).round(6).tolist()
    [13.164003, 0.0, 0.0]
    """
    if isinstance(counts, ClassWeights):
        share = counts.weight / counts.sum(axis=1)[counts.owner]
        return np.asarray(
            -np.bincount(counts.owner, counts.weight * np.log2(share), len(counts)) + 0.0, dtype=np.float64
        )
    total = counts.sum(axis=1, keepdims=True)
    share = np.divide(counts, total, out=np.ones_like(counts), where=counts > 0)
    return np.asarray(-(counts * np.log2(share)).sum(axis=1)) + 0.0  # + 0.0: no minus zero
