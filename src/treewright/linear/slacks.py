"""The plane with the least sum of slacks (Bennett, Mangasarian, 1992): for tables that no plane separates.

Least sum of c_i xi_i with y_i (w . x_i + b) >= 1 - xi_i and xi >= 0, where c_i is one over the size of the
row's class, so that a large class does not outvote a small one. It is solved by its dual, which has one
equation for each column instead of one inequality for each row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright.linear.proof import Floats
from treewright.linear.separation import Problem
from treewright.linear.two_classes import checked_rows

MANY = 5_000  # rows from which on the interior-point method is the quicker


@dataclass(frozen=True)
class Slacks:
    """A plane, the sum of slacks it leaves, and how far that is from the least there is."""

    coef: Floats
    intercept: float
    total: float
    gap: float


def least_slacks(x: Any, y: Any, bias: bool = True) -> Slacks:
    """Return the plane with the least sum of slacks.

    >>> found = least_slacks([[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1])
    >>> found.coef.round(9), round(found.total, 9), abs(found.gap) < 1e-9
    (array([0.66666667]), 1.333333333, True)
    """
    from scipy.optimize import linprog  # loaded on first use: trees do without

    rows = checked_rows(x, y)
    problem = Problem(rows.x, rows.is_positive, bias)
    price = np.where(rows.is_positive, 1 / rows.is_positive.sum(), 1 / (~rows.is_positive).sum())
    found = linprog(
        -np.ones(len(price)),
        A_eq=problem.near.T,
        b_eq=np.zeros(problem.near.shape[1]),
        bounds=np.column_stack([np.zeros(len(price)), price]),
        method="highs-ipm" if len(price) > MANY else "highs-ds",
    )
    if found.x is None:
        raise RuntimeError(f"HiGHS found no plane with least slacks: {found.message}")
    near = np.asarray(found.eqlin.marginals)
    total = float(price @ np.maximum(0.0, 1.0 + problem.near @ near))
    near = -near
    with np.errstate(all="ignore"):
        coef = np.ldexp(near[: rows.x.shape[1]], -problem.exponent)
        moved = np.ldexp(near[: rows.x.shape[1]], -problem.exponent) * problem.centre
    intercept = float(near[-1] - moved.sum()) if bias else 0.0
    return Slacks(coef, intercept, total, total + float(found.fun))
