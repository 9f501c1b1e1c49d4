"""Numbers as they were meant: decimals are whole numbers of some unit, up to the rounding of floats.

0.1, 0.2 and 0.3 lie at equal distances on paper, and not as floats. Exact arithmetic on floats would take
that difference for a fact: rows on one line would not be on one line. So columns that are whole numbers of a
unit, from some origin, are made so.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MOST = 2.0**31  # whole numbers beyond this are no grid
ROUNDING = 2.0**-45  # of the largest number of a column


class Grid(NamedTuple):
    """A matrix as whole numbers of units from an origin, where its columns are; else as it was."""

    whole: Floats
    origin: Floats
    unit: Floats

    def weights(self, of_grid: Floats) -> tuple[Floats, float]:
        """Return weights for the matrix itself, and what they add to the bias."""
        weights = of_grid / self.unit
        return weights, -float(weights @ self.origin)


def grid_of(x: Floats, bias: bool = True) -> Grid:
    """Return the matrix in whole numbers, column by column; without a bias every origin is 0.

    >>> grid_of(np.array([[0.1], [0.3], [0.7]])).whole.ravel().tolist()
    [0.0, 1.0, 3.0]
    """
    whole, origin, unit = np.array(x), np.zeros(x.shape[1]), np.ones(x.shape[1])
    for j in range(x.shape[1]):
        found = _column(x[:, j], bias)
        if found is not None:
            origin[j], unit[j] = found
            whole[:, j] = np.rint((x[:, j] - origin[j]) / unit[j])
    return Grid(whole, origin, unit)


def _column(values: Floats, bias: bool) -> tuple[float, float] | None:
    """Return origin and unit of a column, or None where it has no grid."""
    distinct = np.unique(values if bias else np.append(values, 0.0))
    if len(distinct) < 2:
        return None
    origin = float(distinct[0]) if bias else 0.0
    away = distinct - origin
    unit, noise = float(np.diff(distinct).min()), ROUNDING * float(np.abs(distinct).max())
    for _ in range(60):  # Euclid's way to the unit that all distances share
        if unit <= 4 * noise or np.abs(away).max() / unit > MOST:
            return None
        rest = np.abs(away - unit * np.rint(away / unit))
        if (rest <= 4 * noise).all():
            top = int(np.abs(away).argmax())
            return origin, float(away[top] / np.rint(away[top] / unit))  # the longest distance tells it best
        unit = float(rest[rest > 4 * noise].min())
    return None
