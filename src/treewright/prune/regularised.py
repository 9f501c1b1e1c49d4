"""The regularised cost of the lectures: impurity of the leaves, and a price per leaf."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from treewright.prune.backward import no_dearer_as_leaf
from treewright.prune.base import Evidence, Method
from treewright.prune.counts import (
    Floats,
    UnsuitableError,
    bits,
    need_plain,
    staying_share,
    staying_stats,
)
from treewright.prune.risk import node_risk, priced_weights, staying_risk
from treewright.tree import Tree
from treewright.tree.losses import loss_of


def regularised(tree: Tree, lambda_: float, impurity: str | None = None) -> Tree:
    """Return the smallest pruning of least cost C(T) = sum over leaves of N H + `lambda_` x leaves.

    H is the entropy in bits ("entropy", for classes), the Gini index ("gini"), the share of errors
    ("error"), or for numbers the loss of the tree's criterion ("squared_error": the variance;
    "absolute_error", "poisson": the mean loss); None is entropy or the tree's own loss. The unit of
    `lambda_` follows: bits per leaf, errors per leaf, ... One split into b branches stays when it gains more
    than lambda (b - 1) in all. It is cost-complexity pruning on impurity with alpha = lambda_ / N. Training
    rows that stay at a node, since no surrogate placed them, cost what the node's answer costs them (of
    entropy and Gini index: their share of N H) whether it asks or not.

    N is weight, as in the tree's `stats`: class weights and parts of rows count as what they weigh, priors
    multiply them. Where the tree has costs, "error" is what the errors cost, in the unit of the costs, and in
    entropy and Gini index a class counts by what mistakes on it cost (altered priors).

    >>> from treewright.tree.example import tennis
    >>> [regularised(tennis(), lambda_).n_leaves for lambda_ in (0, 3.2, 3.3)]
    [5, 5, 1]
    """
    if math.isnan(lambda_) or lambda_ < 0:
        raise ValueError(f"lambda_={lambda_!r} must be a number of at least 0: the price of a leaf")
    need_plain(tree, "regularised")
    if lambda_ == math.inf:
        return tree.collapse(0)
    if impurity is None:
        impurity = "entropy" if tree.is_classifier else NUMBER_IMPURITIES[loss_of(tree)]
    whole = _impurities(tree, impurity)
    return tree.collapse(no_dearer_as_leaf(tree, whole + lambda_, _staying(tree, impurity, whole)))


def _impurities(tree: Tree, impurity: str) -> Floats:
    """Return N H at every node."""
    known = CLASS_IMPURITIES
    if not tree.is_classifier:
        known = {NUMBER_IMPURITIES[loss_of(tree)]: lambda tree: tree.stats[:, 2]}
    if impurity not in known:
        what = "classes" if tree.is_classifier else "a number"
        raise UnsuitableError(
            f"impurity={impurity!r} is not for a tree that predicts {what} ({tree.target.name!r}); "
            f"use {' or '.join(map(repr, known))}"
        )
    return known[impurity](tree)


def _staying(tree: Tree, impurity: str, whole: Floats) -> Floats:
    """Return the part of N H that training rows keep which stay at a node that asks."""
    if impurity == "error":
        return staying_risk(tree)
    if impurity == "squared_error":
        return staying_stats(tree)[:, 2]
    return staying_share(tree) * whole


def _gini(tree: Tree) -> Floats:
    counts = priced_weights(tree)
    total = counts.sum(axis=1)
    # N (1 - sum p^2) as a sum of n_c (N - n_c) / N
    pairs = (counts * (total[:, None] - counts)).sum(axis=1)
    return np.asarray(np.divide(pairs, total, out=np.zeros_like(total), where=total > 0))


CLASS_IMPURITIES: dict[str, Callable[[Tree], Floats]] = {
    "entropy": lambda tree: bits(priced_weights(tree)),
    "gini": _gini,
    "error": node_risk,
}
# Of numbers a tree knows the loss it was grown by, and no other.
NUMBER_IMPURITIES = {"squared": "squared_error", "absolute": "absolute_error", "poisson": "poisson"}


@dataclass(frozen=True)
class Regularised(Method):
    """Pruning by regularised cost with its options, to be called with a tree.

    >>> from treewright.tree.example import tennis
    >>> Regularised(lambda_=5.0)(tennis()).n_leaves
    1
    """

    name: ClassVar[str] = "regularised"

    lambda_: float = 1.0  # in bits: a leaf must save one
    impurity: str | None = None

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:  # noqa: ARG002  (needs none)
        """Return the pruned tree; see the function of this name."""
        return regularised(tree, self.lambda_, self.impurity)
