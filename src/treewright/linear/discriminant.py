"""Fisher's discriminant (1936): a plane for any table, at the cost of one least-squares fit.

The direction in which the class means are furthest apart for the spread within classes; where it is cut is
chosen so that the fewest rows are wrong. It proves nothing: it is what predicts where no plane separates.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from treewright.linear.proof import Floats
from treewright.linear.separation import Problem
from treewright.linear.two_classes import Rows, checked_rows


class Discriminant(NamedTuple):
    """A plane, and the rows on its wrong side."""

    coef: Floats
    intercept: float
    n_wrong: int


def discriminant(x: Any, y: Any, bias: bool = True) -> Discriminant:
    """Return Fisher's plane, cut where the fewest rows are wrong.

    >>> discriminant([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]).n_wrong
    1
    """
    rows = checked_rows(x, y)
    n = rows.x.shape[1]
    problem = Problem(rows.x, rows.is_positive, bias)
    near = (problem.side[:, None] * problem.near)[:, :n]
    # Least squares on targets that sum to zero gives the discriminant's direction.
    goal = np.where(rows.is_positive, 1 / rows.is_positive.sum(), -1 / (~rows.is_positive).sum())
    middle = near.mean(axis=0) if bias else np.zeros(n)
    products = (near - middle).T @ (near - middle)
    w = np.linalg.lstsq(products, (near - middle).T @ goal, rcond=1e-12)[0]
    scores = near @ w
    cut = _best_cut(scores, rows) if bias else 0.0
    n_wrong = int(((scores >= cut) != rows.is_positive).sum())
    with np.errstate(all="ignore"):
        coef = np.ldexp(w, -problem.exponent)
        intercept = -cut - float((coef * problem.centre).sum()) if bias else 0.0
    return Discriminant(coef, intercept, n_wrong)


def _best_cut(scores: Floats, rows: Rows) -> float:
    """Return the cut with the fewest rows on the wrong side, midway between two scores."""
    order = np.argsort(scores, kind="stable")
    ordered, is_positive = scores[order], rows.is_positive[order]
    # wrong[i]: the first i rows are called negative, the others positive.
    wrong = np.concatenate([[0], np.cumsum(is_positive)]) + np.concatenate(
        [np.cumsum(~is_positive[::-1])[::-1], [0]]
    )
    is_cut = np.concatenate([[True], np.diff(ordered) > 0, [True]])
    place = int(np.where(is_cut, wrong, len(wrong) + 1).argmin())
    if place == 0:
        return float(ordered[0]) - 1.0
    if place == len(ordered):
        return float(ordered[-1]) + 1.0
    return float(ordered[place - 1] + ordered[place]) / 2
