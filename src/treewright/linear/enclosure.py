"""Weights that exist near rounded ones: a square system in floats with a proven bound.

If R is nearly the inverse of B, so that |I - R B| <= e < 1, then B is regular and the exact solution of
B w = c is no further from a rounded one than |R (c - B w)| / (1 - e). Every sum on the way is bounded too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.linear.exact import UNIT, Matrix


class Enclosed(NamedTuple):
    """Weights of rows, and how far the exact ones are away at most."""

    rows: NDArray[np.intp]
    weights: NDArray[np.float64]
    error: float


def enclosed(
    a: Matrix, c: NDArray[np.float64], radius: NDArray[np.float64], rows: NDArray[np.intp]
) -> Enclosed | None:
    """Return positive weights with sum weight_j a_j = c for all c within `radius`; None if unproven.

    >>> found = enclosed(np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([2.0, 1.0]), np.zeros(2), np.arange(2))
    >>> found.weights, found.error < 1e-14
    (array([1.5, 0.5]), True)
    """
    basis, size = a[rows].T, np.abs(a[rows].T)
    m = basis.shape[0]
    if basis.shape != (m, m) or m == 0:
        return None
    with np.errstate(all="ignore"):
        try:
            inverse = np.linalg.inv(basis)
        except np.linalg.LinAlgError:
            return None
        weights = inverse @ c
        unit = (m + 4) * UNIT
        rest = np.abs(c - basis @ weights) + unit * (size @ np.abs(weights) + np.abs(c)) + radius
        off = np.abs(np.eye(m) - inverse @ basis) + unit * (np.abs(inverse) @ size + np.eye(m))
        shrink = float(off.sum(axis=1).max()) * (1 + m * unit)
        reach = float((np.abs(inverse) @ rest).max()) * (1 + m * unit)
        error = reach / (1 - shrink) * (1 + unit) if shrink < 0.5 else np.inf
    if not np.isfinite(error) or not (weights > error).all():
        return None
    return Enclosed(rows, weights, float(error))
