"""What planes say of rows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright.linear.exact import fractions_of, signs

Floats = NDArray[np.float64]
LARGEST = float(np.finfo(np.float64).max)


def scores_of(x: Floats, coef: Floats, intercept: Floats) -> Floats:
    """Return w . x + b, a column for each plane; beyond the largest float that one, of the right sign.

    >>> scores_of(np.array([[1.0], [4.0]]), np.array([[2.0]]), np.array([-3.0])).ravel()
    array([-1.,  5.])
    >>> scores_of(np.array([[1e300, 1e300]]), np.array([[1e200, -2e200]]), np.array([0.0]))
    array([[-1.79769313e+308]])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        scores = np.asarray(x @ coef.T + intercept)
    rows = np.flatnonzero(~np.isfinite(scores).all(axis=1))
    if len(rows):
        scores[rows] = _scaled(x[rows], coef, intercept)
    return scores


def divides(x: Floats, is_positive: NDArray[np.bool_], coef: Floats, intercept: float) -> bool:
    """Return whether positive rows have scores from 0 on, and all others below: without rounding.

    >>> divides(np.array([[1.0], [4.0]]), np.array([False, True]), np.array([2.0]), -8.0)
    True
    """
    plane = np.append(coef, intercept)
    if not np.isfinite(plane).all():
        return False
    found = signs(np.column_stack([x, np.ones(len(x))]), fractions_of(plane))
    return bool(((found >= 0) == is_positive).all())


def _scaled(x: Floats, coef: Floats, intercept: Floats) -> Floats:
    """Return the scores by way of rows and planes that powers of two bring near one."""
    of_row = np.frexp(np.abs(x).max(axis=1, initial=0.0))[1][:, None]
    of_plane = np.frexp(np.abs(coef).max(axis=1, initial=0.0))[1]
    with np.errstate(over="ignore"):
        near = np.ldexp(x, -of_row) @ np.ldexp(coef, -of_plane[:, None]).T
        near += np.ldexp(np.broadcast_to(intercept, near.shape), -(of_row + of_plane))
        return np.asarray(np.clip(np.ldexp(near, of_row + of_plane), -LARGEST, LARGEST))
