"""The margin of a plane that somebody gives: how far the nearest row is from it, on its right side or not."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.linear.two_classes import checked_rows


def plane_margin(x: Any, y: Any, coef: Any, intercept: float = 0.0) -> float:
    """Return the least y (w . x + b) / |w|: how far the nearest row is, below 0 on the wrong side.

    `y` are two classes, the larger one on the side where w . x + b is positive. Of several planes that divide
    the rows the one with the largest margin is the best; `max_margin` finds the best there is.

    >>> X, y = [[1, 5], [1, 3], [3, 4], [3, 2]], [0, 0, 1, 1]
    >>> plane_margin(X, y, [1, 0], -2), plane_margin(X, y, [1, 0], -1.5), plane_margin(X, y, [-1, 0], 2)
    (1.0, 0.5, -1.0)
    """
    rows = checked_rows(x, y)
    weights = np.asarray(coef, dtype=np.float64)
    if weights.shape != (rows.x.shape[1],) or not (np.isfinite(weights).all() and np.isfinite(intercept)):
        raise ValueError(
            f"The plane has {weights.size} weights for {rows.x.shape[1]} columns; give a finite one for each."
        )
    size = float(np.linalg.norm(weights))
    if size == 0:
        raise ValueError("All weights are 0: that is no plane.")
    return float((rows.side * (rows.x @ weights + float(intercept))).min() / size)
