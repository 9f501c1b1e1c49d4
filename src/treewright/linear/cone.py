"""Is a point in a cone? Weights that give it, or a plane between the two: one of them exists (Farkas, 1902).

    either   sum_j weight_j a_j = c   with weights >= 0
    or       v . a_j >= 0 for all j   and   v . c < 0

All questions on separability are this question with other columns. HiGHS gives a rounded answer to a part of
the columns, the part grows by those that contradict, and the simplex method in whole numbers starts from that
answer and ends with one that is exactly right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from treewright.linear.exact import Matrix, Whole, integers, signs, units

FIRST = 200  # rows of the first part
SLACK = 1e-9  # a float contradiction below it is left to exact arithmetic


@dataclass(frozen=True)
class Rounded:
    """An answer in floats: the distance left, the plane, and which rows carry weight."""

    distance: float
    plane: NDArray[np.float64]
    weights: NDArray[np.float64]
    part: NDArray[np.intp]  # the rows of the last part, ascending

    @property
    def support(self) -> list[int]:
        """Rows with weight, heaviest first."""
        order = np.argsort(-self.weights, kind="stable")
        return [int(i) for i in order if self.weights[i] > 0]


@dataclass(frozen=True)
class Answer:
    """An exact answer: weights of rows, or a plane."""

    weights: dict[int, Fraction] | None
    plane: tuple[Fraction, ...] | None


# ---- in floats ------------------------------------------------------------------------------------


def rounded_answer(a: Matrix, c: NDArray[np.float64], first: NDArray[np.intp]) -> Rounded:
    """Return HiGHS's answer for the rows `a` and the point `c`, reached with as few of the rows as it takes.

    The linear program is the feasibility form made elastic: the least sum of |c - sum weight_j a_j|. It
    always has a solution; the sum is 0 where weights exist, and else the dual values are the plane.
    """
    part = np.unique(first)
    while True:
        weights, plane, distance = _elastic(a[part], c)
        score = a @ plane
        if distance <= SLACK or not (worst := np.flatnonzero(score < -SLACK)).size or len(part) == len(a):
            whole = np.zeros(len(a))
            whole[part] = weights
            return Rounded(distance, plane, whole, part)
        n_more = max(FIRST, len(part))
        if len(worst) > n_more:
            worst = worst[np.argsort(score[worst], kind="stable")[:n_more]]
        part = np.union1d(part, worst)


def _elastic(a: Matrix, c: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
    """Return weights, plane and distance by HiGHS."""
    from scipy import sparse  # loaded on first use: trees do without
    from scipy.optimize import linprog

    n, m = a.shape
    cost = np.concatenate([np.zeros(n), np.ones(2 * m)])
    unit = sparse.identity(m, format="csc")  # sparse: whole, two of 10,000 columns would take 1.6 GB
    columns = sparse.hstack([sparse.csc_matrix(a.T), unit, -unit], format="csc")
    found = linprog(cost, A_eq=columns, b_eq=c, bounds=(0, None), method="highs")
    if found.x is None:  # HiGHS gave up: nothing is known, exact arithmetic starts from nothing
        return np.zeros(n), np.zeros(m), float(np.abs(c).sum())
    return np.maximum(found.x[:n], 0.0), -np.asarray(found.eqlin.marginals), max(float(found.fun), 0.0)


# ---- in whole numbers -----------------------------------------------------------------------------


def exact_answer(a: Matrix, c: Sequence[int], part: NDArray[np.intp], support: Sequence[int]) -> Answer:
    """Return the exact answer for the point `c`, given in the units of the columns (`units`).

    `part` and `support` say where to begin; they change the time, never the truth.

    >>> square = np.array([[1.0, 1.0], [1.0, -1.0]])
    >>> exact_answer(square, [2, 1], np.array([0, 1]), []).weights
    {0: Fraction(3, 2), 1: Fraction(1, 2)}
    >>> exact_answer(square, [1, 2], np.array([0]), []).plane
    (Fraction(1, 1), Fraction(-1, 1))
    """
    shift = units(a)
    rows = [int(i) for i in part]
    simplex = Simplex(list(integers(a[rows], shift).whole), list(c))
    place = {row: j for j, row in enumerate(rows)}
    simplex.begin([place[row] for row in support if row in place])
    while True:
        weights = simplex.solve()
        if weights is not None:
            return Answer({rows[j]: weight for j, weight in sorted(weights.items())}, None)
        plane = [p / Fraction(2) ** s for p, s in zip(simplex.plane(), shift, strict=True)]
        against = np.flatnonzero(signs(a, plane) < 0)
        if not against.size:
            return Answer(None, tuple(plane))
        more = against[: max(FIRST, len(rows))]
        rows += [int(i) for i in more]
        simplex.add(list(integers(a[more], shift).whole))


class Simplex:
    """Phase one of the simplex method without rounding (Edmonds, 1967): inverse / det inverts the basis.

    The basis begins with one artificial column a row, of cost 1; the rows given cost 0. `det` stays positive
    and every division leaves no rest.
    """

    def __init__(self, columns: list[Whole], target: list[int]) -> None:
        self.columns = columns
        self.target = np.array(target, dtype=object)
        m = len(target)
        self.sign = [-1 if value < 0 else 1 for value in target]
        self.basis: list[int] = [-1 - k for k in range(m)]  # -1 - k: the artificial column of row k
        self.inverse = np.zeros((m, m), dtype=object)
        for k in range(m):
            self.inverse[k, k] = self.sign[k]
        self.det = 1

    def add(self, columns: list[Whole]) -> None:
        """Take more columns."""
        self.columns += columns

    def begin(self, support: Sequence[int]) -> None:
        """Bring columns into the basis, as many as fit with weights that are not negative."""
        for j in support:
            entry = self.inverse.dot(self.columns[j])
            free = [r for r, b in enumerate(self.basis) if b < 0 and entry[r] != 0]
            if free:
                self._pivot(max(free, key=lambda r: abs(entry[r])), j, entry)
        while True:
            level = self.inverse.dot(self.target)
            bad = [r for r, b in enumerate(self.basis) if b >= 0 and level[r] < 0]
            if not bad:
                break
            self._drop(min(bad, key=lambda r: level[r]))
        for r, b in enumerate(self.basis):
            if b < 0 and level[r] < 0:
                self.inverse[r] = -self.inverse[r]
                self.sign[-1 - b] = -self.sign[-1 - b]

    def _drop(self, r: int) -> None:
        """Put an artificial column in the place of a basic one."""
        used = {-1 - b for b in self.basis if b < 0}
        k = next(k for k in range(len(self.basis)) if k not in used and self.inverse[r, k] != 0)
        self.sign[k] = 1
        self._pivot(r, -1 - k, self.inverse[:, k].copy())

    def solve(self) -> dict[int, Fraction] | None:
        """Return the weights that give the target, or None; then `plane` says why not."""
        stuck = 0  # pivots without progress; after a few, Bland's rule, which cannot cycle
        while True:
            level = self.inverse.dot(self.target)
            artificial = [r for r, b in enumerate(self.basis) if b < 0]
            if all(level[r] == 0 for r in artificial):
                pairs = zip(self.basis, level, strict=True)
                return {j: Fraction(int(x), self.det) for j, x in pairs if j >= 0 and x != 0}
            j = self._entering(artificial, is_bland=stuck > 20)
            if j is None:
                return None
            entry = self.inverse.dot(self.columns[j])
            r = self._leaving(level, entry)
            stuck = stuck + 1 if level[r] == 0 else 0
            self._pivot(r, j, entry)

    def plane(self) -> list[Fraction]:
        """Return v with v . column >= 0 for all columns and v . target < 0, after `solve` gave None."""
        artificial = [r for r, b in enumerate(self.basis) if b < 0]
        return [Fraction(-int(value), self.det) for value in self.inverse[artificial].sum(axis=0)]

    def _entering(self, artificial: list[int], is_bland: bool) -> int | None:
        price = self.inverse[artificial].sum(axis=0)
        basic = set(self.basis)
        best, best_worth = None, 0
        for j, column in enumerate(self.columns):
            worth = price.dot(column)
            if worth > best_worth and j not in basic:
                if is_bland:
                    return j
                best, best_worth = j, worth
        return best

    def _leaving(self, level: Whole, entry: Whole) -> int:
        """Return the row of the least level / entry; among equals an artificial, then the first."""
        found = None
        for r in range(len(entry)):
            if entry[r] <= 0:
                continue
            if found is None:
                found = r
                continue
            left, right = level[r] * entry[found], level[found] * entry[r]
            if left < right or (left == right and self.basis[r] < self.basis[found]):
                found = r
        assert found is not None, "the sum of artificial levels has a floor"
        return found

    def _pivot(self, r: int, j: int, entry: Whole) -> None:
        """Let column j, which is `entry / det` in the basis, take the place of the r-th basic column."""
        pivot = int(entry[r])
        row = self.inverse[r].copy()
        change = entry.copy()
        change[r] = 0
        self.inverse = (self.inverse * pivot - np.outer(change, row)) // self.det
        self.inverse[r] = row
        self.det = pivot
        if pivot < 0:
            self.inverse, self.det = -self.inverse, -pivot
        self.basis[r] = j
