"""Can a plane part two classes? The plane, or a point that lies in both hulls, with a proof either way.

    separable   a plane has all rows of one class on one side and all of the other on the other side
    touch       the hulls share points at their rims only: a plane has the classes on its sides, rows on it
    overlap     the hulls share inner points: only a plane with all rows on it has them on its sides

Proofs are exact: floats are fractions, and signs and sums are checked as such (`exact.py`). Where fractions
would take minutes (many columns), weights are proven to exist within a bound (`enclosure.py`). Two more words
are for tables that defeat both: `meet` (the hulls share a point; at the rim or inside is not known) and
`undecided`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.linear.cone import FIRST, SLACK, Answer, Rounded, exact_answer, rounded_answer
from treewright.linear.enclosure import Enclosed, enclosed
from treewright.linear.exact import (
    UNIT,
    Matrix,
    as_floats,
    column_sums,
    fractions_of,
    near_one,
    nearest_float,
    signs,
    units,
)
from treewright.linear.proof import Certificate, Floats, Separation
from treewright.linear.support import weights_of, work
from treewright.linear.two_classes import checked_rows, twins

EXACT_FIRST = 32  # up to this many equations fractions are quick; beyond, a bound is tried before them
LARGEST_WORK = 1.5e6  # fractions are not tried beyond this: they would take more than about ten seconds


def separate(x: Any, y: Any, bias: bool = True) -> Separation:
    """Return a plane between two classes, or the proof that there is none.

    `x` is a matrix of finite numbers and `y` says of each row whether it is positive: truth values, 1 and 0,
    or 1 and -1. With `bias=False` the plane goes through the origin and positive rows may lie on it, as in
    the lecture's program (w . x >= 0 and w . x <= -eps); then the certificate is a point in the hull of the
    negative rows and in the cone of the positive ones, and only the weights of negative rows sum to one.

    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> separate(corners, [0, 0, 0, 1]).coef.tolist(), separate(corners, [0, 0, 0, 1]).intercept
    ([2.0, 2.0], -3.0)
    >>> print(separate(corners, [0, 1, 1, 0]))
    not separable: the hulls overlap; both hulls contain (0.5, 0.5), exactly; weights on 4 rows
    >>> print(separate([[0], [1], [1], [2]], [0, 0, 1, 1]))
    not separable: the hulls touch; both hulls contain (1), exactly; weights on 2 rows
    """
    rows = checked_rows(x, y)
    order = rows.order
    problem = Problem(rows.x[order], rows.is_positive[order], bias)
    found = _plane_or_proof(problem)
    if isinstance(found, Separation):
        return found
    return _inseparable(problem, _certificate(problem, found, order), order)


def _plane_or_proof(problem: Problem) -> Separation | Answer | Enclosed | Rounded:
    """Return a plane, or weights that exclude it; without a bias a strict plane, then the lecture's."""
    twin = _twins(problem)
    if twin is not None:
        return twin
    found = _answered(problem, np.ones(len(problem.x)), is_strict=True)
    if problem.bias or isinstance(found, Separation):
        return found
    return _answered(problem, (~problem.is_positive).astype(np.float64), is_strict=False)


# ---- the rows as columns of a cone ----------------------------------------------------------------


class Problem:
    """Rows in a fixed order, and the same rows brought near one for floats."""

    def __init__(self, x: Matrix, is_positive: NDArray[np.bool_], bias: bool) -> None:
        self.x, self.is_positive, self.bias = x, is_positive, bias
        self.side = np.where(is_positive, 1.0, -1.0)
        half = x / 2  # a difference of two floats may be twice the largest float
        low, high = half.min(axis=0), half.max(axis=0)
        middle = low / 2 + high / 2 if bias else np.zeros(x.shape[1])
        reach = np.maximum(np.abs(high - middle), np.abs(low - middle))
        self.centre = 2 * middle
        self.exponent = np.where(reach > 0, np.frexp(reach)[1] + 1, 0)
        self.near = self._signed(np.ldexp(half - middle, 1 - self.exponent))
        # (x, 1) of positive rows and -(x, 1) of the others: a plane is right where it is positive.
        self.signed = self._signed(x)

    def _signed(self, x: Matrix) -> Matrix:
        return self.side[:, None] * (np.column_stack([x, np.ones(len(x))]) if self.bias else x)

    def plane_of(self, near: Floats) -> list[Fraction]:
        """Return, in the units of the table, exactly the plane that was found for the rows near one."""
        n = self.x.shape[1]
        units_of = zip(near[:n], self.exponent, strict=True)
        coef = [Fraction(float(w)) / Fraction(2) ** int(e) for w, e in units_of]
        if not self.bias:
            return coef
        moved = sum((w * Fraction(float(c)) for w, c in zip(coef, self.centre, strict=True)), Fraction(0))
        return [*coef, Fraction(float(near[n])) - moved]

    def first(self, a: Matrix) -> NDArray[np.intp]:
        """Return rows to begin with: of each class those nearest to the other, and some from everywhere."""
        score = a @ a.mean(axis=0)
        spread = np.linspace(0, len(a) - 1, min(len(a), FIRST // 4)).astype(np.intp)
        sides = (np.flatnonzero(self.is_positive), np.flatnonzero(~self.is_positive))
        nearest = [among[np.argsort(score[among], kind="stable")[: FIRST // 2]] for among in sides]
        return np.unique(np.concatenate([spread, *nearest]))

    def is_right(self, plane: list[Fraction], is_strict: bool) -> bool:
        """Whether all rows are on their sides: strictly, or with positive rows on the plane."""
        found = signs(self.signed, plane)
        if is_strict:
            return bool((found > 0).all())
        return bool((found >= 0).all() and (found[~self.is_positive] > 0).all())

    def parts(self, plane: Floats) -> tuple[Floats, float]:
        """Return weights and bias."""
        return (plane[:-1], float(plane[-1])) if self.bias else (plane, 0.0)


def _twins(problem: Problem) -> Answer | None:
    """Return the weights of two equal rows of different classes: the plainest proof; or None."""
    first = twins(problem.x, problem.is_positive)
    return None if first is None else Answer({first: Fraction(1), first + 1: Fraction(1)}, None)


def _answered(problem: Problem, counted: Floats, is_strict: bool) -> Separation | Answer | Enclosed | Rounded:
    """Return a plane, or weights that exclude it: is (0, 1) in the cone of the rows (signed, counted)?"""
    near = np.column_stack([problem.near, counted])
    target = np.zeros(near.shape[1])
    target[-1] = 1.0
    rounded = rounded_answer(near, target, problem.first(near))
    plane = problem.plane_of(rounded.plane[:-1])
    if rounded.distance > 0 and problem.is_right(plane, is_strict):
        return _separable(problem, plane, is_strict)
    a = np.column_stack([problem.signed, counted])
    found = _proven(a, [0] * (len(target) - 1) + [1], rounded)
    if isinstance(found, Answer) and found.plane is not None:
        plane = list(found.plane[:-1])
        _sure(problem.is_right(plane, is_strict), "the exact plane has a row on the wrong side")
        return _separable(problem, plane, is_strict)
    return found


def _proven(a: Matrix, target: list[int], rounded: Rounded) -> Answer | Enclosed | Rounded:
    """Return the exact answer; where it would take long, weights within a bound; else what there was."""
    n = a.shape[1]
    support = rounded.support
    if rounded.distance <= SLACK and work(a[support], len(support)) <= LARGEST_WORK:
        weights = weights_of(a, target, units(a), support)
        if weights is not None:
            return Answer(weights, None)
    if n > EXACT_FIRST:
        scaled, exponent = near_one(a)
        shift = [s - int(e) for s, e in zip(units(a), exponent, strict=True)]
        c = np.array([float(value * Fraction(2) ** s) for value, s in zip(target, shift, strict=True)])
        rows = np.sort(np.array(support, dtype=np.intp))
        found = enclosed(scaled, c, np.abs(c) * UNIT, rows)
        if found is not None:
            return found
        if work(a[rounded.part], n) > LARGEST_WORK:
            return rounded
    return exact_answer(a, target, rounded.part, support)


# ---- a plane --------------------------------------------------------------------------------------


def _separable(problem: Problem, plane: list[Fraction], is_strict: bool) -> Separation:
    """Return the plane: midway between the classes and scaled to scores of 1 and -1 where floats allow it."""
    strictly = is_strict or problem.is_right(plane, True)
    for floats in _float_planes(problem, plane):
        if np.isfinite(floats).all() and problem.is_right(fractions_of(floats), is_strict):
            coef, intercept = problem.parts(floats)
            exact = tuple(fractions_of(floats))
            return Separation("separable", problem.bias, "exact", coef, intercept, exact, strictly)
    coef, intercept = problem.parts(as_floats(plane))
    return Separation(
        "separable", problem.bias, "exact", coef, intercept, tuple(plane), strictly, is_rounded=True
    )


def _float_planes(problem: Problem, plane: list[Fraction]) -> Iterator[Floats]:
    """Yield planes in floats that are likely to be right, the nicest first."""
    if problem.bias:
        weights = as_floats(plane)[:-1]
        with np.errstate(all="ignore"):
            score = problem.x @ weights
            low, high = score[problem.is_positive].min(), score[~problem.is_positive].max()
            canonical = np.append(weights, -(low / 2 + high / 2)) * (2 / (low - high))
        yield _short(canonical)
        yield canonical
    # A gap of a few units in the last place may lie between the floats of one scale and not of another.
    for top in (0, 1000):
        for k in (1, 3, 5, 7, 11, 13):
            yield as_floats([value * k for value in plane], top)


def _short(plane: Floats) -> Floats:
    """Return the plane in 12 digits of its largest weight: more are of no use to a reader."""
    if not np.isfinite(plane).all() or not plane.any():
        return plane
    unit = 10.0 ** (np.floor(np.log10(np.abs(plane).max())) - 11)
    if not 1e-290 < unit < 1e290:
        return plane
    return np.asarray(np.array([float(f"{value:.12g}") for value in np.round(plane / unit) * unit]) + 0.0)


# ---- no plane -------------------------------------------------------------------------------------


def _inseparable(problem: Problem, certificate: Certificate, order: NDArray[np.intp]) -> Separation:
    """Return the certificate, and whether the hulls only touch."""
    shared: dict[str, Any] = {
        "has_bias": problem.bias,
        "proof": certificate.proof,
        "certificate": certificate,
    }
    if certificate.proof == "bounded":
        return Separation("undecided", **shared)
    inner = _inner(problem)
    if isinstance(inner, Rounded):
        return Separation("meet", **shared)
    if isinstance(inner, Enclosed):
        return Separation("overlap", **shared)
    if inner.plane is None:
        extra = {int(order[i]): weight for i, weight in (inner.weights or {}).items()}
        return Separation("overlap", interior=extra, **shared)
    floats = as_floats(inner.plane)
    coef, intercept = problem.parts(floats)
    is_rounded = bool((signs(problem.signed, fractions_of(floats)) < 0).any())
    shared |= {"coef": coef, "intercept": intercept, "exact_plane": inner.plane, "is_rounded": is_rounded}
    return Separation("touch", **shared)


def _inner(problem: Problem) -> Answer | Enclosed | Rounded:
    """Return weights above 1 for all rows that balance, or a plane with the classes on its sides.

    (1 + weight) on every row, all positive, with the sum 0: a point inside both hulls (Stiemke, 1915). So the
    question is whether minus the sum of the signed rows lies in their cone.
    """
    near = problem.near
    rounded = rounded_answer(near, -near.mean(axis=0), problem.first(near))
    a = problem.signed
    return _proven(a, [-total for total in column_sums(a, units(a))], rounded)


def _certificate(
    problem: Problem, found: Answer | Enclosed | Rounded, order: NDArray[np.intp]
) -> Certificate:
    if isinstance(found, Answer):
        return _exact_certificate(problem, found.weights or {}, order)
    if isinstance(found, Rounded):
        return _bounded(problem, found.weights, order)
    weights = np.zeros(len(problem.x))
    weights[found.rows] = found.weights
    total = float(weights[~problem.is_positive].sum())
    plain = np.zeros(len(weights))
    plain[order] = weights / total
    point = (np.where(problem.is_positive, 0.0, weights) / total) @ problem.x
    # The exact total is 1/2 (or 1 through the origin); the one in floats is no further off than all weights.
    error = found.error / total * (2 + len(found.rows)) + 4 * UNIT
    return Certificate(plain, point, "enclosed", float(error))


def _exact_certificate(
    problem: Problem, weights: Mapping[int, Fraction], order: NDArray[np.intp]
) -> Certificate:
    """Return the weights as shares of each class, checked by putting them in."""
    of_negative = sum((w for i, w in weights.items() if not problem.is_positive[i]), Fraction(0))
    shares = {i: w / of_negative for i, w in weights.items()}
    sides = [{i: w for i, w in shares.items() if problem.is_positive[i] == side} for side in (True, False)]
    point, other = (_combined(problem.x, side) for side in sides)
    totals = [sum(side.values(), Fraction(0)) for side in sides]
    is_one = totals[1] == 1 and (totals[0] == 1 or not problem.bias)
    _sure(is_one and all(w > 0 for w in shares.values()), "the weights of a class are not convex")
    _sure(point == other, "put in, the weights give two points")
    plain = np.zeros(len(problem.x))
    for i, weight in shares.items():
        plain[order[i]] = nearest_float(weight)
    exact = {int(order[i]): shares[i] for i in sorted(shares, key=lambda i: int(order[i]))}
    return Certificate(plain, np.array([float(v) for v in point]), "exact", 0.0, exact, tuple(point))


def _sure(is_so: bool, otherwise: str) -> None:
    """Let nothing go out that did not pass its check."""
    if not is_so:
        raise ArithmeticError(f"The proof failed its check: {otherwise}. Please report the table.")


def _combined(x: Matrix, weights: Mapping[int, Fraction]) -> list[Fraction]:
    """Return the sum of weighted rows, exactly."""
    total = [Fraction(0)] * x.shape[1]
    for i, weight in weights.items():
        total = [t + weight * Fraction(float(value)) for t, value in zip(total, x[i], strict=True)]
    return total


def _bounded(problem: Problem, weights: Floats, order: NDArray[np.intp]) -> Certificate:
    """Return rounded weights, and how far apart the two points are at most."""
    side = problem.is_positive
    positive, negative = np.where(side, weights, 0.0), np.where(side, 0.0, weights)
    if not negative.any() or (problem.bias and not positive.any()):  # HiGHS gave up: any two points will do
        positive, negative = side / side.sum(), ~side / (~side).sum()
    alpha = positive / (positive.sum() if problem.bias else negative.sum())
    beta = negative / negative.sum()
    with np.errstate(over="ignore"):
        point = alpha @ problem.x
        rest = np.abs(point - beta @ problem.x)
        slack = (np.count_nonzero(alpha + beta) + 8) * UNIT * ((alpha + beta) @ np.abs(problem.x))
        error = float(np.linalg.norm(rest + slack) * (1 + 1e-10))
    plain = np.zeros(len(problem.x))
    plain[order] = alpha + beta
    return Certificate(plain, point, "bounded", error)
