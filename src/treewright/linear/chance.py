"""Logistic regression on the blackboard: sigma, the likelihood, its gradient, and the update row by row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def sigma(z: Any) -> Floats:
    """Return the logistic function 1 / (1 + e^-z), without overflow for any z.

    >>> sigma([0.0, -1000.0, 1000.0]).tolist()
    [0.5, 0.0, 1.0]
    """
    values = np.asarray(z, dtype=np.float64)
    small = np.exp(-np.abs(values))
    found: Floats = np.where(values >= 0, 1.0, small) / (1.0 + small)
    return found


def log_likelihood(x: Any, y: Any, weights: Any) -> float:
    """Return the log-likelihood: sum of y ln sigma(w.x) + (1 - y) ln(1 - sigma(w.x)).

    `x` are rows of numbers (with a column of ones for a bias), `y` zeros and ones.

    >>> round(log_likelihood([[1.0, 0.0], [1.0, 1.0]], [0, 1], [0.0, 0.0]), 6)
    -1.386294
    """
    rows, answers, w = _checked(x, y, weights)
    z = (2 * answers - 1) * (rows @ w)
    return -float(np.logaddexp(0.0, -z).sum())


def likelihood_gradient(x: Any, y: Any, weights: Any) -> Floats:
    """Return the gradient of the log-likelihood: sum of (y - sigma(w.x)) x.

    >>> likelihood_gradient([[1.0, 0.0], [1.0, 1.0]], [0, 1], [0.0, 0.0]).tolist()
    [0.0, 0.5]
    """
    rows, answers, w = _checked(x, y, weights)
    found: Floats = (answers - sigma(rows @ w)) @ rows
    return found


@dataclass(frozen=True)
class OneUpdate:
    """One update by one row: its number, the chance it had, and the weights after it.

    >>> one_by_one([[1.0, 2.0]], [1], [0.0, 0.0])[0].weights
    (0.5, 1.0)
    """

    row: int
    chance: float
    weights: tuple[float, ...]


def one_by_one(x: Any, y: Any, start: Any, *, step: float = 1.0, passes: int = 1) -> tuple[OneUpdate, ...]:
    """Return the updates w + step (y - sigma(w.x)) x, row by row in their order, so many times over all rows.

    >>> [update.row for update in one_by_one([[1.0], [2.0]], [0, 1], [0.0], passes=2)]
    [0, 1, 0, 1]
    """
    rows, answers, w = _checked(x, y, start)
    if isinstance(step, bool) or not (isinstance(step, (int, float)) and np.isfinite(step) and step > 0):
        raise ValueError(f"step={step!r} must be a finite number above 0.")
    if isinstance(passes, bool) or not isinstance(passes, int) or passes < 1:
        raise ValueError(f"passes={passes!r} must be a whole number of at least 1.")
    found = []
    for _ in range(passes):
        for i, (row, answer) in enumerate(zip(rows, answers, strict=True)):
            chance = float(sigma(row @ w))
            w = w + step * (answer - chance) * row
            found.append(OneUpdate(i, chance, tuple(w.tolist())))
    return tuple(found)


def _checked(x: Any, y: Any, weights: Any) -> tuple[Floats, Floats, Floats]:
    rows, answers, w = (np.asarray(given, dtype=np.float64) for given in (x, y, weights))
    if rows.ndim != 2 or answers.shape != (len(rows),) or w.shape != (rows.shape[1],):
        raise ValueError(
            f"x is {rows.shape}, y {answers.shape}, weights {w.shape}; give rows x columns, a 0 or 1 "
            "for each row and a weight for each column."
        )
    if not np.isin(answers, (0.0, 1.0)).all():
        raise ValueError("y must be zeros and ones.")
    if not (np.isfinite(rows).all() and np.isfinite(w).all()):
        raise ValueError("x and weights must be finite numbers.")
    return rows, answers, w
