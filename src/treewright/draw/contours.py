"""Lines along which a function of the plane has one value, from its values on a grid (marching squares)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Edge = tuple[int, int, int]  # of the grid: 0 to the right or 1 upwards, row, column
# Corners of a square above the level (1 below left, 2 below right, 4 above right, 8 above left) -> the pairs
# of its sides (0 below, 1 right, 2 above, 3 left) that a line joins.
_JOINED: tuple[tuple[tuple[int, int], ...], ...] = (
    (), ((3, 0),), ((0, 1),), ((3, 1),), ((1, 2),), (), ((0, 2),), ((3, 2),),
    ((2, 3),), ((2, 0),), (), ((2, 1),), ((1, 3),), ((1, 0),), ((0, 3),), (),
)  # fmt: skip


def contour(x: Floats, y: Floats, z: Floats, level: float = 0.0) -> list[Floats]:
    """Return lines, as points, along which z is the level; z[j, i] is the value at (x[i], y[j]).

    >>> x = y = np.array([0.0, 1.0, 2.0])
    >>> [line.tolist() for line in contour(x, y, np.array([[-1.0, 0.0, 1.0]] * 3) - 0.5)]
    [[[1.5, 0.0], [1.5, 1.0], [1.5, 2.0]]]
    """
    above = z > level
    kind = above[:-1, :-1] + 2 * above[:-1, 1:] + 4 * above[1:, 1:] + 8 * above[1:, :-1]
    ends: dict[Edge, list[Edge]] = {}
    for row, column in np.argwhere((kind > 0) & (kind < 15)).tolist():
        sides = ((0, row, column), (1, row, column + 1), (0, row + 1, column), (1, row, column))
        for a, b in _pairs(int(kind[row, column]), z[row : row + 2, column : column + 2], level):
            ends.setdefault(sides[a], []).append(sides[b])
            ends.setdefault(sides[b], []).append(sides[a])
    return [np.array([_point(edge, x, y, z, level) for edge in line]) for line in _chained(ends)]


def _pairs(kind: int, corners: Floats, level: float) -> tuple[tuple[int, int], ...]:
    """Return the sides that lines join; where two opposite corners are above, the middle decides."""
    if kind not in (5, 10):
        return _JOINED[kind]
    is_middle_above = float(corners.mean()) > level
    around_low_left = ((3, 0), (1, 2))  # the lines that cut off the corners below left and above right
    around_others = ((0, 1), (2, 3))
    return around_others if is_middle_above == (kind == 5) else around_low_left


def _chained(ends: dict[Edge, list[Edge]]) -> list[list[Edge]]:
    """Return pieces joined end to end: first the lines that end somewhere, then the rings."""
    found = []
    for start in [*(edge for edge in ends if len(ends[edge]) == 1), *ends]:
        line = [start]
        while ends[line[-1]]:
            ahead = ends[line[-1]].pop()
            ends[ahead].remove(line[-1])
            line.append(ahead)
        if len(line) > 1:
            found.append(line)
    return found


def _point(edge: Edge, x: Floats, y: Floats, z: Floats, level: float) -> tuple[float, float]:
    """Return where on an edge the level lies, by the values at its two ends."""
    is_upward, row, column = edge
    a = float(z[row, column])
    b = float(z[row + 1, column] if is_upward else z[row, column + 1])
    share = (level - a) / (b - a)
    if is_upward:
        return float(x[column]), float(y[row] + share * (y[row + 1] - y[row]))
    return float(x[column] + share * (x[column + 1] - x[column])), float(y[row])
