"""Our tree beside scikit-learn's on the same rows: where they part, and what each split was worth there."""

from fractions import Fraction
from math import fsum, log2

import numpy as np


def impurity(tree, criterion):
    """Training impurity per row of one of our trees."""
    stats, weight = tree.stats[tree.leaf_mask], tree.weights[tree.leaf_mask]
    if criterion == "squared_error":
        return stats[:, 2].sum() / tree.weights[0]
    p = stats / weight[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        each = (
            1 - (p * p).sum(axis=1)
            if criterion == "gini"
            else -np.where(p > 0, p * np.log2(p), 0).sum(axis=1)
        )
    return (each * weight).sum() / tree.weights[0]


def sklearn_impurity(tree):
    """Training impurity per row of one of scikit-learn's trees."""
    leaf = tree.children_left < 0
    return (tree.impurity[leaf] * tree.weighted_n_node_samples[leaf]).sum() / tree.weighted_n_node_samples[0]


def partings(ours, theirs, X, y, criterion):
    """Yield (our cost, their cost) of the children at every node where the trees first go apart.

    Costs are exact fractions for gini and squared error. A tree that stops where the other goes on pays the
    node's own cost. Where both make the same two sets of rows, the walk goes on below.
    """
    mine, other = ours.tree_, theirs.tree_
    their_sides = X.astype(np.float32)
    pending = [(0, 0, np.arange(len(X)))]
    while pending:
        i, j, rows = pending.pop()
        stops = (mine.is_leaf(i), other.children_left[j] < 0)
        if all(stops):
            continue
        left = None if stops[0] else X[rows, mine.column[i]] <= mine.cut[i]
        right = None if stops[1] else their_sides[rows, other.feature[j]] <= other.threshold[j]
        if left is not None and right is not None:
            if np.array_equal(left, right):
                a, b = mine.children(i)
                pending += [
                    (a, other.children_left[j], rows[left]),
                    (b, other.children_right[j], rows[~left]),
                ]
                continue
            if np.array_equal(left, ~right):
                a, b = mine.children(i)
                pending += [
                    (a, other.children_right[j], rows[left]),
                    (b, other.children_left[j], rows[~left]),
                ]
                continue
        yield tuple(_cost(y[rows], side, criterion) for side in (left, right))


def _cost(y, side, criterion):
    parts = (y,) if side is None else (y[side], y[~side])
    if criterion == "squared_error":
        return sum(_squares(part) for part in parts)
    counts = [np.unique(part, return_counts=True)[1].tolist() for part in parts]
    if criterion == "gini":
        return sum(sum(c) - Fraction(sum(n * n for n in c), sum(c)) for c in counts)
    return fsum(n * log2(sum(c) / n) for c in counts for n in c)


def _squares(part):
    exact = [Fraction(v) for v in part.tolist()]
    return sum(v * v for v in exact) - sum(exact) ** 2 / len(exact)
