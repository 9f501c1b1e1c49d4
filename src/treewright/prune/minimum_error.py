"""Minimum-error pruning: least expected error under Laplace's or the m-estimate (Niblett-Bratko, Cestnik)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from treewright.base.progress import Watcher
from treewright.prune.backward import no_dearer_as_leaf
from treewright.prune.base import Evidence, Method
from treewright.prune.counts import Floats, class_weights, need_classes, staying_stats
from treewright.prune.cross_validation import N_FOLDS, Fold, folds_for, losses_over_folds
from treewright.prune.heldout import losses
from treewright.prune.regrow import Regrow
from treewright.prune.sample import Sample
from treewright.prune.selection import Selection, choose
from treewright.table import Table
from treewright.tree import Tree

GRID = (0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0)


def minimum_error(tree: Tree, m: float | None = None) -> Tree:
    """Return the pruning with the least expected error on new rows.

    The static error of a node with n rows of k classes is 1 - max of (n_c + m prior_c) / (n + m), with the
    class shares at the root as priors (Cestnik and Bratko 1991). With m=None it is
    (n - n_max + k - 1) / (n + k), that is m = k and equal priors (Niblett and Bratko 1986). From the leaves
    up, a node becomes a leaf if its static error is at most the mean of its branches' by weight. Training
    rows that stay at a node, since no surrogate placed them, have its static error either way.

    Counted are the weights of the tree's `stats`: class weights and parts of rows count as what they weigh,
    priors multiply them. Where the tree has costs, the expected cost of the best answer takes the place of
    the error.

    >>> from treewright.tree.example import tennis
    >>> minimum_error(tennis()).n_leaves, minimum_error(tennis().collapse([1, 5]), m=4).n_leaves
    (5, 1)
    """
    need_classes(tree, "minimum_error")
    _check(m)
    static = static_errors(tree, m)
    staying = class_weights(tree, staying_stats(tree)).sum(axis=1)
    return tree.collapse(no_dearer_as_leaf(tree, tree_weights(tree) * static, staying * static))


def static_errors(tree: Tree, m: float | None = None) -> Floats:
    """Return the expected error of every node as a leaf.

    >>> from treewright.tree.example import tennis
    >>> static_errors(tennis())[[0, 1, 4]].round(6).tolist()
    [0.375, 0.428571, 0.166667]
    """
    counts = class_weights(tree)
    k = counts.shape[1]
    if m is None:
        added = np.ones(k)
    else:
        added = m * counts[0] / counts[0].sum()
    filled = counts + added
    total = filled.sum(axis=1)
    # What each answer may cost: the weight of all other classes, summed rather than as a difference.
    costs = tree.about.get("costs")
    price = 1.0 - np.eye(k) if costs is None else np.asarray(costs, dtype=np.float64)
    expected = (filled @ price).min(axis=1)
    # Without rows and with m=0 nothing is known, and nothing weighs.
    return np.asarray(np.divide(expected, total, out=np.zeros_like(total), where=total > 0))


def tree_weights(tree: Tree) -> Floats:
    """Return what every node weighs in a mean over branches.

    >>> from treewright.tree.example import tennis
    >>> tree_weights(tennis()).tolist()
    [14.0, 5.0, 3.0, 2.0, 4.0, 5.0, 2.0, 3.0]
    """
    return np.asarray(class_weights(tree).sum(axis=1))


def choose_m(
    tree: Tree,
    table: Table | Sample,
    grid: Sequence[float] = GRID,
    *,
    folds: Any = N_FOLDS,
    weights: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    regrow: Regrow | None = None,
    progress: Watcher | None = None,
) -> Selection:
    """Return the m of a grid that pruned best in cross-validation, with the errors of all.

    `table` holds the rows the tree was grown on, `weights` their weights (numbers, or the name of a column).
    `folds` is a number (keyed by `seed` and what rows hold, classes in equal shares), the fold of each row,
    or the name of a column. `regrow` makes a tree from row numbers; None grows as this tree was grown.
    `n_jobs` folds are grown at once, `progress` is called with the share that is done. Ties go to the
    larger m.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> choose_m(tree, table, [0, 2, 8], folds=[0, 1] * 7).values
    (0.0, 2.0, 8.0)
    """
    need_classes(tree, "minimum_error")
    values = sorted(set(map(float, grid)))
    if not values:
        raise ValueError("The grid of m is empty; give at least one number")
    for m in values:
        _check(m)

    def judge(fold: Fold) -> tuple[Floats, Floats]:
        loss = np.array([losses(minimum_error(fold.tree, m), fold.held) for m in values])
        return loss @ fold.held.weights, loss**2 @ fold.held.weights

    more = {"folds": folds, "weights": weights, "seed": seed, "n_jobs": n_jobs, "regrow": regrow}
    found = losses_over_folds(judge, tree, table, progress=progress, **more)
    return choose(values, found.total, found.squares, found.weight)


def _check(m: Any) -> None:
    if m is not None and not (isinstance(m, (int, float, np.number)) and math.isfinite(m) and m >= 0):
        raise ValueError(
            f"m={m!r} must be a number of at least 0, or None for Niblett and Bratko's estimate; "
            "choose_m finds one by cross-validation"
        )


@dataclass(frozen=True)
class MinimumError(Method):
    """Minimum-error pruning with its options, to be called with a tree.

    `m` is None (Niblett and Bratko), a number, or "cv": the best of `grid` by cross-validation, for which
    the evidence is the table the tree was grown on.

    >>> from treewright.tree.example import tennis
    >>> MinimumError(m=4)(tennis().collapse([1, 5])).n_leaves
    1
    """

    name: ClassVar[str] = "minimum_error"

    m: float | str | None = None
    grid: tuple[float, ...] = GRID
    folds: Any = field(default=N_FOLDS, compare=False)  # may be one number per row
    seed: int = 0
    groups: Any = field(default=None, compare=False)  # whose rows stay together: a column, or one per row
    order: Any = field(default=None, compare=False)  # in time: each fold is judged by what came before it

    def __post_init__(self) -> None:
        if self.m != "cv":
            _check(self.m)

    @property
    def needs(self) -> str:
        """What the evidence must be: the training table for m="cv", else nothing."""
        return "training" if self.m == "cv" else "nothing"

    def prune(self, tree: Tree, evidence: Evidence) -> Tree:
        """Return the pruned tree; see the function of this name."""
        if self.m != "cv":
            return minimum_error(tree, self.m)  # type: ignore[arg-type]  # checked when it was made
        found = choose_m(
            tree,
            evidence.rows,
            self.grid,
            folds=folds_for(self, tree, evidence),
            weights=evidence.weights,
            seed=self.seed,
            **evidence.over_folds,
        )
        return minimum_error(tree, found.value)
