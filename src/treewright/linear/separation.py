"""Can a plane part two classes? The plane, or a point that lies in both hulls, with a proof either way.

Three answers are possible, and each comes with what proves it:

    separable   a plane with all rows of one class on one side and all of the other strictly on the other
    touch       the hulls share points, but only at their rims: a plane has the classes on its two sides, and rows on it
    overlap     the hulls share inner points: no plane has the classes on its two sides, except one that holds all rows

Proofs are exact: floats are fractions, and signs and sums are checked as such (`exact.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from treewright.linear.cone import FIRST, Answer, Rounded, exact_answer, rounded_answer
from treewright.linear.exact import UNIT, Matrix, as_floats, column_sums, fractions_of, signs, units
from treewright.linear.two_classes import checked_rows

Floats = NDArray[np.float64]
Verdict = Literal["separable", "touch", "overlap"]

# From this many columns on, exact weights would take minutes: they are given rounded, with a bound on the error.
EXACT_COLUMNS = 100


@dataclass(frozen=True)
class Certificate:
    """A point in both hulls, with the weights of the rows that make it: why no plane separates.

    `weights` has one number a row and sums to one in each class. Where `proof` is "exact", `exact_weights` and
    `exact_point` are fractions and the two hulls meet in that point exactly. Where it is "bounded", the two points
    are at most `error` apart (Euclidean), so that no plane has a margin of more than half of that.
    """

    weights: Floats
    point: Floats
    proof: Literal["exact", "bounded"]
    error: float
    exact_weights: Mapping[int, Fraction] | None = None
    exact_point: tuple[Fraction, ...] | None = None

    def __str__(self) -> str:
        place = ", ".join(f"{value:g}" for value in self.point)
        rows = int(np.count_nonzero(self.weights))
        within = "exactly" if self.proof == "exact" else f"within {self.error:.2g}"
        return f"both hulls contain ({place}), {within}; weights on {rows} rows"


@dataclass(frozen=True)
class Separation:
    """The answer to "does a plane separate the classes?", with its proof.

    `coef` and `intercept` are a plane: for "separable" one with `y (w . x + b) > 0` for all rows (scaled so that
    the nearest rows of both classes have the score 1 and -1); for "touch" one with `>= 0`; for "overlap" there is
    none. `exact_plane` is the plane as fractions (w, then b), for which this was checked without rounding.
    `is_rounded` says that the floats nearest to it do not pass the same check.
    """

    verdict: Verdict
    has_bias: bool
    proof: Literal["exact", "bounded"]
    coef: Floats | None = None
    intercept: float | None = None
    exact_plane: tuple[Fraction, ...] | None = None
    is_strict: bool = False
    is_rounded: bool = False
    certificate: Certificate | None = None
    interior: Mapping[int, Fraction] | None = (
        None  # what rows weigh above 1 where weights on all rows balance
    )

    @property
    def is_separable(self) -> bool:
        """Whether a plane puts every row on the side of its class."""
        return self.verdict == "separable"

    def __str__(self) -> str:
        if self.is_separable:
            strictly = "strictly " if self.is_strict else ""
            return f"separable: a plane has all rows {strictly}on their sides ({self.proof} proof)"
        why = {"touch": "the hulls touch", "overlap": "the hulls overlap"}[self.verdict]
        return f"not separable: {why}; {self.certificate}"


def separate(x: Any, y: Any, bias: bool = True) -> Separation:
    """Return a plane between two classes, or the proof that there is none.

    `x` is a matrix of finite numbers and `y` says of each row whether it is positive: truth values, 1 and 0, or
    1 and -1. With `bias=False` the plane goes through the origin and positive rows may lie on it, as in the
    lecture's program (w . x >= 0 and w . x <= -eps); then the certificate is a point that is in the hull of the
    negative rows and in the cone of the positive ones.

    >>> corners = [[0, 0], [0, 1], [1, 0], [1, 1]]
    >>> separate(corners, [0, 0, 0, 1]).coef.tolist(), separate(corners, [0, 0, 0, 1]).intercept
    ([2.0, 2.0], -3.0)
    >>> print(separate(corners, [0, 1, 1, 0]))
    not separable: the hulls overlap; both hulls contain (0.5, 0.5), exactly; weights on 4 rows
    >>> print(separate([[0], [1], [1], [2]], [0, 0, 1, 1]))
    not separable: the hulls touch; both hulls contain (1), exactly; weights on 2 rows
    """
    rows = checked_rows(x, y)
    order = _order(rows.x, rows.is_positive)  # the answer does not depend on the order of rows
    problem = _Problem(rows.x[order], rows.is_positive[order], bias)
    found = _strictly(problem)
    if isinstance(found, Answer) and not bias:
        found = _as_in_the_lecture(problem)
    if isinstance(found, Separation):
        return found
    return _inseparable(problem, found, order)


# ---- the rows as columns of a cone ----------------------------------------------------------------


class _Problem:
    """Sorted rows, and the same rows brought near one for floats."""

    def __init__(self, x: Matrix, is_positive: NDArray[np.bool_], bias: bool) -> None:
        self.x, self.is_positive, self.bias = x, is_positive, bias
        self.side = np.where(is_positive, 1.0, -1.0)
        low, high = x.min(axis=0, initial=np.inf), x.max(axis=0, initial=-np.inf)
        self.centre = (low / 2 + high / 2) if bias else np.zeros(x.shape[1])
        half = np.maximum(np.abs(high / 2 - self.centre / 2), np.abs(low / 2 - self.centre / 2))
        # x - centre may be twice the largest float: half of everything is subtracted.
        self.exponent = np.where(half > 0, np.frexp(half)[1] + 1, 0)
        near = np.ldexp(x / 2 - self.centre / 2, 1 - self.exponent)
        self.near = self.side[:, None] * (np.column_stack([near, np.ones(len(x))]) if bias else near)

    @property
    def signed(self) -> Matrix:
        """The rows (x, 1) of positive rows, and -(x, 1) of the others: a plane is right where it is positive."""
        whole = np.column_stack([self.x, np.ones(len(self.x))]) if self.bias else self.x
        return self.side[:, None] * whole

    def plane_of(self, near: Floats) -> list[Fraction]:
        """Return a plane in the units of the table, exactly the one that was found for the rows near one."""
        n = self.x.shape[1]
        coef = [Fraction(float(w)) / Fraction(2) ** int(e) for w, e in zip(near, self.exponent, strict=False)]
        if not self.bias:
            return coef[:n]
        moved = sum((w * Fraction(float(c)) for w, c in zip(coef, self.centre, strict=True)), Fraction(0))
        return [*coef, Fraction(float(near[n])) - moved]

    def first(self, a: Matrix) -> NDArray[np.intp]:
        """Return rows to begin with: of each class those nearest to the other, and some from everywhere."""
        n = len(a)
        score = a @ a.mean(axis=0)
        found = [np.linspace(0, n - 1, min(n, FIRST // 4)).astype(np.intp)]
        for among in (np.flatnonzero(self.is_positive), np.flatnonzero(~self.is_positive)):
            found.append(among[np.argsort(score[among], kind="stable")[: FIRST // 2]])
        return np.unique(np.concatenate(found))


def _order(x: Matrix, is_positive: NDArray[np.bool_]) -> NDArray[np.intp]:
    return np.lexsort((is_positive, *x.T[::-1]))


def _strictly(problem: _Problem) -> Separation | Answer | Rounded:
    """Return a plane that is strictly right, or the weights that exclude it: 0 in the hull of the signed rows."""
    return _answered(problem, np.ones(len(problem.x)), is_strict=True)


def _as_in_the_lecture(problem: _Problem) -> Separation | Answer | Rounded:
    """Return a plane that is right and may hold positive rows, or the weights that exclude it."""
    return _answered(problem, (~problem.is_positive).astype(np.float64), is_strict=False)


def _answered(problem: _Problem, counted: Floats, is_strict: bool) -> Separation | Answer | Rounded:
    """Ask whether (0, 1) lies in the cone of the rows (signed, counted)."""
    near = np.column_stack([problem.near, counted])
    target = np.zeros(near.shape[1])
    target[-1] = 1.0
    rounded = rounded_answer(near, target, problem.first(near))
    plane = problem.plane_of(rounded.plane[:-1])
    if rounded.distance > 0 and _is_right(problem, plane, is_strict):
        return _separable(problem, plane, is_strict)
    if near.shape[1] > EXACT_COLUMNS:
        return rounded
    a = np.column_stack([problem.signed, counted])
    answer = exact_answer(a, [0] * problem.signed.shape[1] + [1], rounded.part, rounded.support)
    if answer.plane is None:
        return answer
    plane = list(answer.plane[:-1])
    assert _is_right(problem, plane, is_strict), "an exact plane is right"
    return _separable(problem, plane, is_strict)


def _is_right(problem: _Problem, plane: list[Fraction], is_strict: bool) -> bool:
    """Whether all rows are on their sides: strictly, or with positive rows on the plane; without rounding."""
    found = signs(problem.signed, plane)
    if is_strict:
        return bool((found > 0).all())
    return bool((found >= 0).all() and (found[~problem.is_positive] > 0).all())


def _separable(problem: _Problem, plane: list[Fraction], is_strict: bool) -> Separation:
    """Return the plane: midway between the classes and scaled to scores of 1 and -1 where floats allow it."""
    shared: dict[str, Any] = {"verdict": "separable", "has_bias": problem.bias, "proof": "exact"}
    shared["is_strict"] = is_strict or bool((signs(problem.signed, plane) > 0).all())
    for floats in _float_planes(problem, plane):
        exact = fractions_of(floats)
        if np.isfinite(floats).all() and _is_right(problem, exact, is_strict):
            coef, intercept = _parts(problem, floats)
            return Separation(coef=coef, intercept=intercept, exact_plane=tuple(exact), **shared)
    coef, intercept = _parts(problem, as_floats(plane))
    return Separation(coef=coef, intercept=intercept, exact_plane=tuple(plane), is_rounded=True, **shared)


def _float_planes(problem: _Problem, plane: list[Fraction]) -> list[Floats]:
    """Return planes in floats that are likely to be right, the nicest first."""
    plain = as_floats(plane)
    # A gap of a few units in the last place may lie between the floats of one scale and not of another.
    others = [as_floats([value * k for value in plane]) for k in (1, 3, 5, 7, 11, 13)]
    if not problem.bias:
        return others
    with np.errstate(all="ignore"):
        score = problem.x @ plain[:-1]
        low, high = score[problem.is_positive].min(), score[~problem.is_positive].max()
        canonical = np.append(plain[:-1], -(low / 2 + high / 2)) * (2 / (low - high))
    return [canonical, *others]


def _parts(problem: _Problem, plane: Floats) -> tuple[Floats, float]:
    return (plane[:-1], float(plane[-1])) if problem.bias else (plane, 0.0)


# ---- no plane -------------------------------------------------------------------------------------


def _inseparable(problem: _Problem, found: Answer | Rounded, order: NDArray[np.intp]) -> Separation:
    """Return the certificate, and whether the hulls only touch."""
    if isinstance(found, Rounded):
        certificate = _bounded(problem, found.weights, order)
        return Separation("overlap", problem.bias, "bounded", certificate=certificate)
    certificate = _exact_certificate(problem, found, order)
    inner = _inner(problem)
    shared: dict[str, Any] = {"has_bias": problem.bias, "proof": "exact", "certificate": certificate}
    if inner.plane is None:
        extra = {int(order[i]): weight for i, weight in (inner.weights or {}).items()}
        return Separation("overlap", interior=extra, **shared)
    coef, intercept = _parts(problem, as_floats(inner.plane))
    is_rounded = not bool((signs(problem.signed, fractions_of(as_floats(inner.plane))) >= 0).all())
    shared |= {"coef": coef, "intercept": intercept, "exact_plane": inner.plane, "is_rounded": is_rounded}
    return Separation("touch", **shared)


def _inner(problem: _Problem) -> Answer:
    """Return weights above 1 for all rows that balance, or a plane with the classes on its sides.

    (1 + weight) on every row, all positive, with the sum 0: a point inside both hulls (Stiemke, 1915). So the
    question is whether minus the sum of the signed rows lies in their cone.
    """
    near = problem.near
    rounded = rounded_answer(near, -near.mean(axis=0), problem.first(near))
    a = problem.signed
    target = [-total for total in column_sums(a, units(a))]
    return exact_answer(a, target, rounded.part, rounded.support)


def _exact_certificate(problem: _Problem, answer: Answer, order: NDArray[np.intp]) -> Certificate:
    """Return the weights as fractions of each class, checked by putting them in."""
    weights = answer.weights or {}
    of_negative = sum((w for i, w in weights.items() if not problem.is_positive[i]), Fraction(0))
    shares = {i: w / of_negative for i, w in weights.items()}
    points = [_combined(problem.x, {i: w for i, w in shares.items() if problem.is_positive[i] == side})
              for side in (True, False)]  # fmt: skip
    totals = [sum((w for i, w in shares.items() if problem.is_positive[i] == side), Fraction(0))
              for side in (True, False)]  # fmt: skip
    is_proven = points[0] == points[1] and totals[1] == 1 and (totals[0] == 1 or not problem.bias)
    assert is_proven and all(w > 0 for w in shares.values()), "weights put in give one point"
    plain = np.zeros(len(problem.x))
    for i, weight in shares.items():
        plain[order[i]] = float(weight)
    point = np.array([float(value) for value in points[0]])
    exact = {int(order[i]): weight for i, weight in shares.items()}
    return Certificate(plain, point, "exact", 0.0, exact, tuple(points[0]))


def _combined(x: Matrix, weights: Mapping[int, Fraction]) -> list[Fraction]:
    """Return the sum of weighted rows, exactly."""
    total = [Fraction(0)] * x.shape[1]
    for i, weight in weights.items():
        total = [t + weight * Fraction(float(value)) for t, value in zip(total, x[i], strict=True)]
    return total


def _bounded(problem: _Problem, weights: Floats, order: NDArray[np.intp]) -> Certificate:
    """Return rounded weights, and how far apart the two points are at most."""
    side = problem.is_positive
    shares = np.where(side, weights, 0.0), np.where(side, 0.0, weights)
    divisor = (shares[0].sum() if problem.bias else shares[1].sum(), shares[1].sum())
    alpha, beta = shares[0] / divisor[0], shares[1] / divisor[1]
    point = alpha @ problem.x
    rest = np.abs(point - beta @ problem.x)
    size = (alpha + beta) @ np.abs(problem.x)
    slack = (np.count_nonzero(weights) + 8) * UNIT * size  # of two sums, of the shares, of the difference
    plain = np.zeros(len(problem.x))
    plain[order] = alpha + beta
    return Certificate(plain, point, "bounded", float(np.linalg.norm(rest + slack) * (1 + 1e-10)))
