"""The plane with the widest margin, with bounds that prove how wide: by the nearest points.

    half of |sum alpha x - sum beta x|  >=  the widest margin  >=  the least y (w . x + b) / |w| of a plane

The left side holds for any convex weights and the right side for any plane; where they agree, both are best.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.notebook import Shown
from treewright.base.numbers import count, number
from treewright.linear.exact import UNIT, fractions_of
from treewright.linear.kernels import Kernel
from treewright.linear.nearest import Kernelled, Nearest, Plain, nearest_points
from treewright.linear.proof import Certificate, Floats, Separation
from treewright.linear.separation import separate
from treewright.linear.two_classes import Rows, checked_rows, twins

_ON_MARGIN = 1e-9  # of the margin: a row that is off it by less lies on it
LARGEST_GRAM = 5_000  # rows of a hard margin with a kernel: 200 MB of products


@dataclass(frozen=True, repr=False)
class Margin(Shown):
    """The plane w . x + b = 0 of widest margin, scaled so that the nearest rows have the scores 1 and -1.

    `support` are all rows on the margin, some with a multiplier of 0. `bounds` holds the widest margin
    there is: the first is that of this plane, the second is half the distance of two points of the hulls;
    rounding is accounted for. `multipliers` are those of the support rows in the dual program; `gap` is the
    difference of the two programs, |w|^2 / 2 and sum multipliers - |sum multiplier y x|^2 / 2. With a kernel
    `coef` is None and the score of a row is sum multiplier y K(support, row) + b.

    >>> found = max_margin([[1], [3]], [0, 1])
    >>> found.coef, found.intercept, found.support, found.multipliers.round(9)
    (array([1.]), -2.0, array([0, 1]), array([0.5, 0.5]))
    """

    coef: Floats | None
    intercept: float
    bounds: tuple[float, float]
    support: NDArray[np.intp]
    multipliers: Floats
    gap: float
    n_steps: int
    separation: Separation | None = None  # None where it was not asked: of a soft margin

    def __str__(self) -> str:
        head = f"Widest margin {number(self.margin)}, held by {count(len(self.support), 'support row')}"
        if self.coef is None:
            return f"{head}; bias {number(self.intercept)}."
        values = ", ".join(number(value) for value in self.coef[:8].tolist())
        more = f" and {len(self.coef) - 8} more" if len(self.coef) > 8 else ""
        return f"{head}.\nWeights {values}{more}; bias {number(self.intercept)}."

    @property
    def margin(self) -> float:
        """The distance of the nearest rows from the plane; `bounds` say how sure that is."""
        if self.coef is None or not np.isfinite(self.coef).all():
            return self.bounds[0]
        largest = float(np.abs(self.coef).max(initial=0.0))
        size = largest * float(np.linalg.norm(self.coef / largest)) if largest > 0 else 0.0
        return min(max(1 / size, self.bounds[0]), self.bounds[1]) if size > 0 else self.bounds[0]


@dataclass(frozen=True, repr=False)
class NoMargin(Shown):
    """Why there is no plane to have a margin.

    >>> max_margin([[0], [1], [2]], [0, 1, 0]).certificate.point
    array([1.])
    """

    separation: Separation

    def __str__(self) -> str:
        return f"No margin: {self.separation}"

    @property
    def certificate(self) -> Certificate | None:
        """The point in both hulls."""
        return self.separation.certificate


def max_margin(x: Any, y: Any, kernel: Kernel | None = None, bias: bool = True) -> Margin | NoMargin:
    """Return the plane of widest margin, or the proof that no plane separates.

    >>> found = max_margin([[1, 5], [1, 3], [3, 4], [3, 2]], [0, 0, 1, 1])
    >>> found.coef.round(12) + 0.0, round(found.intercept, 12), round(found.margin, 12)
    (array([1., 0.]), -2.0, 1.0)
    >>> print(max_margin([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1]).certificate)
    both hulls contain (0.5, 0.5), exactly; weights on 4 rows
    """
    rows = checked_rows(x, y)
    if kernel is not None:
        return _by_kernel(rows, kernel)
    separation = separate(rows.x, rows.is_positive, bias)
    if not (separation.is_separable and separation.is_strict):
        return NoMargin(separation)
    return _by_plane(rows, bias, separation)


def _by_plane(rows: Rows, bias: bool, separation: Separation) -> Margin:
    x = rows.x
    half = x / 2
    centre = half.min(axis=0) / 2 + half.max(axis=0) / 2 if bias else np.zeros(x.shape[1])
    exponent = int(np.frexp(np.abs(half - centre).max(initial=0.0))[1]) + 1 if x.size else 0
    # All cells within one, by one power of two for all: margins keep their ratio.
    near = np.ldexp(half - centre, 1 - exponent)
    if bias:
        found = nearest_points(Plain(near), rows.is_positive)
        weights = found.weights
    else:
        found = nearest_points(Plain(rows.side[:, None] * near), rows.is_positive, from_origin=True)
        weights = found.weights * rows.side
    used = np.flatnonzero(weights)
    w = weights[used] @ near[used]
    slack = (len(used) + 4) * UNIT * (np.abs(weights[used]) @ np.abs(near[used]))
    upper = float(np.linalg.norm(np.abs(w) + slack)) * (1 + 1e-14) / (2 if bias else 1)
    best = _scored(near, rows, w, bias)
    if separation.coef is not None:  # near the digits of floats the program's plane may be the wider one
        other = _scored(near, rows, separation.coef, bias)
        best = max(best, other, key=lambda scored: scored.lower)
    nearest = _on_margin(rows, near @ best.w + best.b, best.reach)
    return _margin(best, upper, weights, nearest, exponent, centre, bias, found, separation)


@dataclass(frozen=True)
class _Scored:
    """A direction, the bias that puts the plane midway, and the margin that the plane has at least."""

    w: Floats
    b: float
    reach: float  # half the room between the classes along w
    lower: float


def _scored(near: Floats, rows: Rows, w: Floats, bias: bool) -> _Scored:
    size = float(np.abs(w).max(initial=0.0))
    if size == 0 or not np.isfinite(size):
        return _Scored(w, 0.0, 0.0, -np.inf)
    w = w / size
    score = near @ w
    error = (near.shape[1] + 6) * UNIT * (np.abs(near) @ np.abs(w)) + 1e-300
    if bias:
        low, high = score[rows.is_positive].min(), score[~rows.is_positive].max()
        sure = (score - error)[rows.is_positive].min() - (score + error)[~rows.is_positive].max()
        b, reach, sure = -(low + high) / 2, (low - high) / 2, sure / 2
    else:
        b, reach, sure = 0.0, (rows.side * score).min(), (rows.side * score - error).min()
    return _Scored(w, float(b), float(reach), float(sure / np.linalg.norm(w)) * (1 - 1e-14))


def _margin(
    best: _Scored,
    upper: float,
    weights: Floats,
    nearest: NDArray[np.intp],
    exponent: int,
    centre: Floats,
    bias: bool,
    found: Nearest,
    separation: Separation,
) -> Margin:
    """Return everything in the units of the table."""
    support = np.union1d(np.flatnonzero(weights), nearest)
    lower, upper = np.float64(max(best.lower, 0.0)), np.float64(upper)
    with np.errstate(all="ignore"):
        bounds = float(np.ldexp(lower, exponent)), float(np.ldexp(upper, exponent))
        coef = np.ldexp(best.w / np.float64(best.reach), -exponent)
        intercept = float(best.b / np.float64(best.reach) - coef @ (2 * centre))
        share = np.abs(weights[support])
        # Two points at the distance 2 upper: 2 alpha / (2 upper)^2; a point and the origin: alpha / upper^2.
        multipliers = np.ldexp(share / ((2 if bias else 1) * upper**2), -2 * exponent)
        gap = float(np.ldexp((1 / lower - 1 / upper) * (1 / lower + 1 / upper) / 2, -2 * exponent))
    if lower == 0 and separation.coef is not None and separation.intercept is not None:
        # A margin below the digits of floats: the plane is right, as was proven; how wide is not known.
        coef, intercept, gap = separation.coef, separation.intercept, np.inf
    return Margin(coef, intercept, bounds, support, multipliers, gap, found.n_steps, separation)


def _on_margin(rows: Rows, scores: Floats, reach: float) -> NDArray[np.intp]:
    """Return the rows whose score is no further from the plane than the margin, but for rounding.

    A row may lie on the margin without a multiplier: the plane is held by the others, and by it as well.
    """
    if not reach > 0:
        return np.empty(0, dtype=np.intp)
    return np.flatnonzero(rows.side * scores <= reach * (1 + _ON_MARGIN))


def _shared_row(rows: Rows) -> Separation | None:
    """Return the proof that a row of both classes is: after any map it is one point. None: no such row."""
    order = rows.order
    first = twins(rows.x[order], rows.is_positive[order])
    if first is None:
        return None
    pair = sorted(order[first : first + 2].tolist())
    point, weights = rows.x[pair[0]], np.zeros(len(rows.x))
    weights[pair] = 1.0
    exact = dict.fromkeys(pair, Fraction(1)), tuple(fractions_of(point))
    return Separation("meet", certificate=Certificate(weights, point, "exact", 0.0, *exact))


def _by_kernel(rows: Rows, kernel: Kernel) -> Margin | NoMargin:
    if len(rows.x) > LARGEST_GRAM:
        raise ValueError(
            f"A hard margin with a kernel needs all products of {len(rows.x):,} rows; {LARGEST_GRAM:,} "
            "is the most. Give a C (soft margin), or fewer rows."
        )
    if (met := _shared_row(rows)) is not None:
        return NoMargin(met)
    with np.errstate(all="ignore"):
        gram = kernel.matrix(rows.x, rows.x)
    if not np.isfinite(gram).all():
        raise ValueError(
            "Products of rows are larger than any float; scale the columns, or use a smaller gamma."
        )
    found = nearest_points(Kernelled(gram), rows.is_positive)
    square = max(float(found.weights @ found.scores), 0.0)
    support = used = np.flatnonzero(found.weights)
    size = float(np.abs(found.weights[support]) @ np.sqrt(np.diag(gram)[support]))
    rounding = (len(support) + 4) ** 2 * UNIT * size**2  # of the products of all support rows
    low, high = found.scores[rows.is_positive].min(), found.scores[~rows.is_positive].max()
    slack = (len(support) + 4) * UNIT * size * float(np.sqrt(np.diag(gram).max()))
    reach = (low - high) / 2
    if reach <= slack or square <= rounding:
        weights = np.abs(found.weights)
        point = np.where(rows.is_positive, weights, 0.0) @ rows.x
        certificate = Certificate(weights, point, "bounded", float(np.sqrt(square + rounding)))
        return NoMargin(Separation("undecided", True, "bounded", certificate=certificate))
    lower = float((reach - slack) / np.sqrt(square + rounding))
    upper = float(np.sqrt(square + rounding) / 2)
    support = np.union1d(used, _on_margin(rows, found.scores - (low + high) / 2, reach))
    multipliers = np.abs(found.weights[support]) / reach
    gap = (1 / lower - 1 / upper) * (1 / lower + 1 / upper) / 2
    intercept = float(-(low + high) / 2 / reach)
    separation = Separation("separable", True, "bounded", is_strict=True)
    return Margin(
        None, intercept, (lower, upper), support, multipliers, float(gap), found.n_steps, separation
    )
