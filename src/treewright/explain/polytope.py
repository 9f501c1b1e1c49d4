"""The nearest point of a leaf that sums of columns cut out of space: a linear program.

A box with planes through it is a polytope, and what a move costs is piecewise linear in each column. So the
least change is the optimum of a linear program, with whole numbers where a column moves by these. HiGHS
solves it with a small margin at every plane; the point counts only if its sums, added up as the core adds
them, lie on the sides asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from treewright.explain.axis import Axis, Codes, Numbers
from treewright.tree.terms import VALUE, Term

MARGINS = (1e-9, 1e-8, 1e-7, 1e-6)  # of a plane whose largest coefficient is 1, tried in turn
TOLERANCE = 1e-10  # the least that HiGHS takes
_SHORTEST = 9  # digits of a value that is moved to, if so few are enough


class Plane(NamedTuple):
    """A sum of terms and the side of its cut: 0 at most, 1 above."""

    terms: tuple[tuple[Term, float], ...]
    cut: float
    side: int

    def holds(self, point: Mapping[int, float]) -> bool:
        """Return whether a point lies on the side, its terms added up as the core adds them."""
        total = 0.0
        for term, weight in self.terms:
            total += weight * term.of_one(point[term.column])
        return total == total and int(not total <= self.cut) == self.side


def own_point(axes: Mapping[int, Axis], box: Mapping[int, Any], planes: Sequence[Plane]) -> dict[int, float]:
    """Return the nearest values of a box in the columns that planes look at, each column by itself."""
    columns = {term.column for plane in planes for term, _ in plane.terms}
    return {c: float(axes[c].nearest(box.get(c, axes[c].everything))) for c in columns}


def nearest_point(
    axes: Mapping[int, Axis], box: Mapping[int, Any], planes: Sequence[Plane]
) -> dict[int, float] | None:
    """Return the point of a box on the right side of all planes that costs least; None where there is none.

    Only columns of numbers move; of the others the box has settled what the planes need.

    >>> from treewright.table import Column, Kind
    >>> axes = {c: Numbers(Column(name, Kind.numeric), 0.0, 1.0, 1.0) for c, name in enumerate("xy")}
    >>> plane = Plane(((Term(0), 1.0), (Term(1), 2.0)), 4.0, 1)
    >>> {c: round(x, 6) for c, x in nearest_point(axes, {}, [plane]).items()}
    {0: 0.0, 1: 2.0}
    """
    point = own_point(axes, box, planes)
    if all(plane.holds(point) for plane in planes):
        return point
    free = sorted({t.column for p in planes for t, _ in p.terms if isinstance(axes[t.column], Numbers)})
    for margin in MARGINS:
        found = _solved(axes, box, planes, point, free, margin)
        if found is None:
            return None
        moved = _short(axes, box, planes, point, {**point, **found})
        if moved is not None:
            return moved
    return None


def crossings(axes: Mapping[int, Axis], plane: Plane) -> Iterator[tuple[int, float]]:
    """Yield the columns of numbers that alone can lead to the other side of a plane, and how far they go.

    >>> from treewright.table import Column, Kind
    >>> axes = {c: Numbers(Column(name, Kind.numeric), 0.0, 1.0, 1.0) for c, name in enumerate("xy")}
    >>> plane = Plane(((Term(0), 1.0), (Term(1), 2.0)), 4.0, 0)
    >>> [(c, round(x, 6)) for c, x in crossings(axes, plane)]
    [(0, 4.0), (1, 2.0)]
    """
    other = plane._replace(side=1 - plane.side)
    columns = [t.column for t, _ in plane.terms if t.form == VALUE and isinstance(axes[t.column], Numbers)]
    for column in columns:
        fixed = {t.column: axes[t.column].own for t, _ in plane.terms if t.column != column}
        point = nearest_point(axes, fixed, [other])
        if point is not None:
            yield column, point[column]


def _solved(
    axes: Mapping[int, Axis],
    box: Mapping[int, Any],
    planes: Sequence[Plane],
    point: Mapping[int, float],
    free: list[int],
    margin: float,
) -> dict[int, float] | None:
    """Return the optimum, as values by column.

    The variables are by how much each column moves up and down, in units of its price.
    """
    from scipy.optimize import linprog  # on first use

    n = len(free)
    start, unit, price, low, high = (np.zeros(n) for _ in range(5))
    for i, column in enumerate(free):
        start[i], unit[i], price[i], low[i], high[i] = _variable(axes[column], box.get(column), point[column])
    rows, bounds = [], []
    for plane in planes:
        weights = _of_columns(plane, free)
        total = math.fsum(w * term.of_one(point[term.column]) for term, w in plane.terms)
        row, rest = weights * unit, plane.cut - total
        sign = 1.0 if plane.side == 0 else -1.0
        size = float(np.abs(row).max(initial=0.0)) or 1.0
        rows.append(sign * row / size)
        bounds.append(sign * rest / size - margin * max(1.0, abs(rest) / size))
    matrix = np.array(rows)
    found = linprog(
        np.concatenate([price, price]),
        A_ub=np.hstack([matrix, -matrix]),
        b_ub=np.array(bounds),
        bounds=[(0.0, max(h, 0.0)) for h in high] + [(0.0, max(-x, 0.0)) for x in low],
        integrality=np.tile([int(_is_whole(axes[c])) for c in free], 2),
        method="highs",
        options={"primal_feasibility_tolerance": TOLERANCE, "dual_feasibility_tolerance": TOLERANCE},
    )
    if found.x is None or found.status != 0:
        return None
    moves = found.x[:n] - found.x[n:]
    moves[np.abs(moves) < TOLERANCE] = 0.0
    return {
        column: float(start[i] + (round(moves[i]) if _is_whole(axes[column]) else moves[i] * unit[i]))
        for i, column in enumerate(free)
    }


def _is_whole(axis: Axis) -> bool:
    return isinstance(axis, Numbers) and axis.is_whole and axis.is_known


def _variable(axis: Any, region: Any, at: float) -> tuple[float, float, float, float, float]:
    """Return where a column stands, its unit, what a unit costs, and how far it can move down and up."""
    low, high, _ = axis.everything if region is None else region
    is_free = axis.is_gap or math.isinf(axis.value)  # once it has a value, any costs the same
    price = 0.0 if is_free else axis.price
    unit = 1.0 if _is_whole(axis) or not price > 0 else 1.0 / price
    return at, unit, price * unit, (low - at) / unit, (high - at) / unit


def _of_columns(plane: Plane, free: list[int]) -> Any:
    """Return the weights of the columns that may move."""
    place = {column: i for i, column in enumerate(free)}
    weights = np.zeros(len(free))
    for term, weight in plane.terms:
        if term.form == VALUE and term.column in place:
            weights[place[term.column]] += weight
    return weights


def _short(
    axes: Mapping[int, Axis],
    box: Mapping[int, Any],
    planes: Sequence[Plane],
    point: Mapping[int, float],
    found: Mapping[int, float],
) -> dict[int, float] | None:
    """Return a point in few digits that lies on the sides asked for, beside the one found, or that one."""
    for digits in range(_SHORTEST, 18):
        for way in (0, 1):
            near = {c: _rounded(axes[c], box, c, point[c], x, digits, way) for c, x in found.items()}
            if all(plane.holds(near) for plane in planes):
                return near
    return None


def _rounded(
    axis: Axis, box: Mapping[int, Any], c: int, own: float, x: float, digits: int, way: int
) -> float:
    """Return a value with so many digits inside its region; `way` 1: rounded away from where it stands."""
    if isinstance(axis, Codes) or x == own:
        return x
    region: Any = box.get(c, axis.everything)
    low, high, _ = region
    near = float(f"{x:.{digits - 1}e}") if digits < 17 else x
    if way and abs(near - own) < abs(x - own) and digits < 17:
        near += math.copysign(float(f"{abs(x):.0e}") * 10.0 ** (1 - digits), x - own)
    return float(min(max(near, low), high))
