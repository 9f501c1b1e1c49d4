"""The nearest points of two hulls: Wolfe's finite method (1976) on differences of rows.

The hull of all differences p - q is never written out: the difference that lies furthest in a direction is
that of one row of each class. A corral is a few differences, independent of each other, whose shares are all
positive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Pair = tuple[int, int]  # rows of the two classes; -1 stands for the origin

MAX_STEPS = 100_000
STOP = 2e-16  # relative gap at which there is nothing left to gain in floats


class Space(Protocol):
    """Where the rows lie: as they are, or after the map of a kernel."""

    def scores(self, weights: Floats) -> Floats:
        """Return the scalar product of every row with the weighted sum of all rows."""

    def least(self, pairs: list[Pair]) -> Floats:
        """Return the shares, of sum 1, of the least point in the plane through differences."""


@dataclass(frozen=True)
class Plain:
    """Rows as they are."""

    x: Floats

    def scores(self, weights: Floats) -> Floats:
        """Return the scalar product of every row with the weighted sum of all rows."""
        rows = np.flatnonzero(weights)
        return np.asarray(self.x @ (weights[rows] @ self.x[rows]))

    def least(self, pairs: list[Pair]) -> Floats:
        """Return the shares of the point of least norm in the plane through differences."""
        first, second = (np.array(side) for side in zip(*pairs, strict=True))
        differences = np.where(first[:, None] >= 0, self.x[first], 0.0) - np.where(
            second[:, None] >= 0, self.x[second], 0.0
        )
        scale = float(np.abs(differences).max()) or 1.0
        # Least |D'u|^2 + (sum u - 1)^2 has the same direction as the shares (Wolfe), and no squared
        # condition.
        system = np.vstack([differences.T / scale, np.ones(len(pairs))])
        right = np.zeros(len(system))
        right[-1] = 1.0
        return _of_sum_one(np.asarray(np.linalg.lstsq(system, right, rcond=1e-15)[0], dtype=np.float64))


@dataclass(frozen=True)
class Kernelled:
    """Rows after the map of a kernel, by their scalar products."""

    gram: Floats

    def scores(self, weights: Floats) -> Floats:
        """Return the scalar product of every row with the weighted sum of all rows."""
        rows = np.flatnonzero(weights)
        return np.asarray(self.gram[:, rows] @ weights[rows])

    def least(self, pairs: list[Pair]) -> Floats:
        """Return the shares of the point of least norm in the plane through differences."""
        i, j = (np.array(side) for side in zip(*pairs, strict=True))
        g = self.gram
        between = g[np.ix_(i, i)] - g[np.ix_(i, j)] - g[np.ix_(j, i)] + g[np.ix_(j, j)]
        scale = float(np.abs(np.diag(between)).max()) or 1.0
        return _of_sum_one(_solved(between / scale + 1.0, np.ones(len(pairs))))


def _solved(matrix: Floats, right: Floats) -> Floats:
    """Return the solution by elimination, many times as quick; by least squares where digits were lost."""
    try:
        found = np.asarray(np.linalg.solve(matrix, right), dtype=np.float64)
    except np.linalg.LinAlgError:
        found = np.full(len(right), np.inf)
    if np.abs(found).max() < 1e3 and np.abs(matrix @ found - right).max() < 1e-12:
        return found
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=1e-15)[0], dtype=np.float64)


def _of_sum_one(shares: Floats) -> Floats:
    total = shares.sum()
    return np.asarray(shares / total) if total > 0 else np.full(len(shares), 1 / len(shares))


@dataclass(frozen=True)
class Nearest:
    """Weights (1 in sum for positive rows, -1 for the others), and all scores with their sum."""

    weights: Floats
    scores: Floats
    n_steps: int


def nearest_points(space: Space, is_positive: NDArray[np.bool_], from_origin: bool = False) -> Nearest:
    """Return the nearest points of two hulls; `from_origin`: of the hull of all rows and the origin.

    >>> rows = Plain(np.array([[0.0], [1.0], [3.0], [5.0]]))
    >>> found = nearest_points(rows, np.array([False, False, True, True]))
    >>> found.weights, found.scores
    (array([ 0., -1.,  1.,  0.]), array([ 0.,  2.,  6., 10.]))
    """
    n = len(is_positive)
    first = np.arange(n) if from_origin else np.flatnonzero(is_positive)
    second = np.flatnonzero(~is_positive)

    def furthest(scores: Floats) -> Pair:
        i = int(first[scores[first].argmin()])
        return i, -1 if from_origin else int(second[scores[second].argmax()])

    pairs, shares = [furthest(np.zeros(n))], np.ones(1)
    best, best_gap, last = None, np.inf, np.inf
    for n_steps in range(MAX_STEPS):
        weights = _weights(pairs, shares, n)
        scores = space.scores(weights)
        pair = furthest(scores)
        square = max(float(weights @ scores), 0.0)
        reach = float(scores[pair[0]] - (0.0 if from_origin else scores[pair[1]]))
        # What the distance is at most, less what it is at least, which is never below 0.
        gap = np.sqrt(square) - max(reach, 0.0) / np.sqrt(square) if square > 0 else 0.0
        if best is None or gap < best_gap:
            best, best_gap = Nearest(weights, scores, n_steps), gap
        if square - reach <= STOP * square or square >= last or pair in pairs:
            break  # the second and third: rounding has the last word
        last = square
        pairs, shares = _settled(space, [*pairs, pair], np.append(shares, 0.0))
    assert best is not None
    return best


def _settled(space: Space, pairs: list[Pair], shares: Floats) -> tuple[list[Pair], Floats]:
    """Return the corral in which the point of least norm of their hull lies, with its shares."""
    while True:
        goal = space.least(pairs)
        falls = np.flatnonzero(goal <= 0)
        if not len(falls):
            return pairs, goal
        # Go towards the goal until the first share is used up; its difference leaves.
        steps = shares[falls] / np.maximum(shares[falls] - goal[falls], 1e-300)
        step = float(steps.min())
        shares = (1 - step) * shares + step * goal
        shares[falls[steps <= step]] = 0.0
        stays = shares > 0
        pairs = [pair for pair, stay in zip(pairs, stays, strict=True) if stay]
        shares = shares[stays] / shares[stays].sum()


def _weights(pairs: list[Pair], shares: Floats, n_rows: int) -> Floats:
    found = np.zeros(n_rows)
    for (i, j), share in zip(pairs, shares, strict=True):
        found[i] += share
        if j >= 0:
            found[j] -= share
    return found
