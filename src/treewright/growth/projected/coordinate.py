"""Sums by search: one weight at a time takes its best value (Murthy, Kasif, Salzberg 1994).

The plane  w.x = c  and the weight of column j, all x > 0:   w.x <= c   <=>   w_j <= u,  where
u = w_j + (c - w.x) / x_j  is known of each row. So the best w_j is the best cut of the column u, which
the core finds exactly, by the criterion of growth. The same for c: the best cut of w.x.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treewright.growth.projected.field import Field, Floats
from treewright.growth.projected.judge import Worth

MOST_STEPS = 12
WIDEST = 24  # columns that are tried at every step
LEAST_RISE = 1e-6  # of the score: a step must be worth it


@dataclass
class _Plane:
    """A plane on its way: weights of the scaled and shifted columns, the cut, and what it is worth."""

    weights: Floats
    cut: float
    price: float
    is_moving: bool = True


def improved(
    field: Field,
    starts: list[Floats],
    worth: Callable[[list[Floats]], Worth],
    price: Callable[[float, int], float],
    most: int,
) -> list[Floats]:
    """Return weights on scaled columns that no change of one weight makes better, one set a start.

    `worth` is the core's judgement of columns, `price` a score less what a number of columns costs.
    """
    shifted = _positive(field)
    cuts = worth([_along(shifted, start) for start in starts])
    planes = [
        _Plane(start.copy(), float(cut), price(float(score), int(np.count_nonzero(start))))
        for start, score, cut in zip(starts, cuts.score, cuts.cut, strict=True)
        if np.isfinite(score)
    ]
    for _ in range(MOST_STEPS):
        moving = [plane for plane in planes if plane.is_moving]
        if not moving:
            break
        offers = [_offers(shifted, plane, most) for plane in moving]
        found = worth([column for offer in offers for _, column in offer])
        first = 0
        for plane, offer in zip(moving, offers, strict=True):
            part = slice(first, first + len(offer))
            _step(plane, [j for j, _ in offer], Worth(*(figures[part] for figures in found)), price)
            first += len(offer)
    return [plane.weights for plane in planes]


def _positive(field: Field) -> Floats:
    """Return the scaled columns, each shifted to start at 1; NaN where a value is missing."""
    shifted = field.scaled - field.scaled.min(axis=0) + 1.0
    for j, column in enumerate(field.values):
        shifted[~np.isfinite(column), j] = np.nan
    return np.asarray(shifted)


def _along(shifted: Floats, weights: Floats) -> Floats:
    total = np.zeros(len(shifted))
    for j, weight in enumerate(weights.tolist()):
        if weight != 0:
            total = total + weight * shifted[:, j]
    return total


def _offers(shifted: Floats, plane: _Plane, most: int) -> list[tuple[int, Floats]]:
    """Return what can change: the weight of a column (its u), or the cut (-1, and the sum itself)."""
    along = _along(shifted, plane.weights)
    used = np.flatnonzero(plane.weights)
    able = used if len(used) >= most else np.arange(shifted.shape[1])
    if len(able) > WIDEST:
        able = np.union1d(used, able[:: -(-len(able) // WIDEST)])
    with np.errstate(over="ignore", invalid="ignore"):
        columns = [(int(j), plane.weights[j] + (plane.cut - along) / shifted[:, j]) for j in able]
    return [(-1, along), *columns]


def _step(plane: _Plane, moved: list[int], found: Worth, price: Callable[[float, int], float]) -> None:
    """Take the best change, if it is one for the better."""
    best, chosen = plane.price, None
    now = plane.weights.tolist()
    n_used = sum(weight != 0 for weight in now)
    for j, score, cut in zip(moved, found.score.tolist(), found.cut.tolist(), strict=True):
        if not math.isfinite(score):
            continue
        n_columns = n_used if j < 0 else n_used - (now[j] != 0) + (cut != 0)
        worth = price(score, n_columns)
        if worth > best + LEAST_RISE * abs(best):
            best, chosen = worth, (j, cut)
    if chosen is None:
        plane.is_moving = False
        return
    j, cut = chosen
    plane.price = best
    if j < 0:
        plane.cut = cut
        return
    plane.weights[j] = cut
    if not plane.weights.any():
        plane.is_moving = False
