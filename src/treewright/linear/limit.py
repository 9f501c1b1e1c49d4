"""What the likelihood tends to where it has no maximum: directions in which it rises for ever.

Along such a direction the scores of some rows run to infinity on their own sides, which a plane divides from
the rest; the other rows lie on that plane and keep what the likelihood of these rows alone says, where a
further plane may divide some, and so on, until what is left has a maximum or nothing is left (Albert and
Anderson 1984; Geyer 2009). A direction is exact: found by the linear program of `cone.py` and checked
without rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.linear import stored
from treewright.linear.basis import Basis
from treewright.linear.climb import Climb, newton
from treewright.linear.cone import exact_answer, rounded_answer
from treewright.linear.exact import as_floats, column_sums, signs, units
from treewright.linear.grid import Grid, grid_of
from treewright.linear.loss import Loss, SeveralClasses, TwoClasses

Floats = NDArray[np.float64]
FAR = 30.0  # how far a divided row is put on its side: another class then has a probability below 1e-13
MOST_CELLS = 30_000_000  # of the matrix that the linear program sees
EXACT_PARAMETERS = 100  # from here on exact arithmetic would take minutes


class Rows(NamedTuple):
    """What is fitted: rows, classes, weights, and which classes a row may still be of."""

    x: Floats
    codes: NDArray[np.intp]
    weight: Floats
    n_classes: int
    reference: int
    bias: bool
    allowed: NDArray[np.bool_] | None = None  # None: all

    @property
    def others(self) -> list[int]:
        """The classes that have weights."""
        return [k for k in range(self.n_classes) if k != self.reference]

    def loss(self, basis: Basis, l2: float) -> Loss:
        """Return minus the penalised log-likelihood in a basis; rows that are settled are left out."""
        rows = self.open_rows()
        x, cost = self.x if rows.all() else self.x[rows], basis.penalty(l2)
        if self.n_classes == 2:
            sign = np.where(self.codes[rows] == self.others[0], 1.0, -1.0)
            if basis.is_plain:
                return TwoClasses(x, sign, self.weight[rows], cost, basis.bias)
            return TwoClasses(basis.design(x), sign, self.weight[rows], cost)
        design = basis.design(x)
        allowed = None if self.allowed is None else self.allowed[rows]
        costs = np.tile(cost, self.n_classes - 1)
        return SeveralClasses(
            design, self.codes[rows], self.weight[rows], costs, self.n_classes, self.reference, allowed
        )

    def open_rows(self) -> NDArray[np.bool_]:
        """Return which rows may still be of more than one class."""
        if self.allowed is None:
            return np.ones(len(self.x), dtype=bool)
        return np.asarray(self.allowed.sum(axis=1) > 1)

    def margins(self, weights: Floats) -> Floats:
        """Return by how much a row's class is ahead of others, given weights (classes x columns, bias)."""
        z = self.x @ weights[:, :-1].T + weights[:, -1]
        return z[np.arange(len(z)), self.codes][:, None] - z

    def pairs(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return rows and classes they may be of, but are not."""
        may = (
            np.ones((len(self.x), self.n_classes), dtype=bool)
            if self.allowed is None
            else self.allowed.copy()
        )
        may[np.arange(len(may)), self.codes] = False
        row, other = np.nonzero(may)
        return row, other

    def without(self, row: NDArray[np.intp], other: NDArray[np.intp]) -> Rows:
        """Return the same rows, which can no longer be of these classes."""
        shape = (len(self.x), self.n_classes)
        allowed = np.ones(shape, dtype=bool) if self.allowed is None else self.allowed.copy()
        allowed[row, other] = False
        return self._replace(allowed=allowed)


@dataclass(frozen=True)
class Divided:
    """Why a likelihood has no maximum: directions of weights along which it rises for ever, outermost first.

    A direction has a row for each class (zeros for the reference), the bias last. `kind` is "complete" where
    all rows are divided from the other classes, else "quasi-complete". `rows` is the number of rows that are
    divided from some class; `proof` is "exact", or "rounded" where a plane was checked in floats only.

    >>> Divided("complete", (np.array([[0.0, 0.0], [1.0, -2.0]]),), 4, "rounded").signs.tolist()
    [[0, 0], [1, -1]]
    """

    kind: Literal["complete", "quasi-complete"]
    directions: tuple[Floats, ...]
    rows: int
    proof: Literal["exact", "rounded"]

    @property
    def signs(self) -> NDArray[np.int8]:
        """For each weight: 1 where it runs to infinity, -1 to minus infinity, 0 where it stays."""
        found = np.zeros(self.directions[0].shape, dtype=np.int8)
        for direction in self.directions:
            size = np.abs(direction) > 1e-12 * np.abs(direction).max()
            found = np.where((found == 0) & size, np.sign(direction), found).astype(np.int8)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain JSON values.

        >>> divided = Divided("complete", (np.array([[0.0, 0.0], [1.0, -2.0]]),), 4, "rounded")
        >>> Divided.from_dict(divided.to_dict()).directions[0].tolist()
        [[0.0, 0.0], [1.0, -2.0]]
        """
        return {
            "kind": self.kind,
            "directions": [d.tolist() for d in self.directions],
            "rows": self.rows,
            "proof": self.proof,
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Divided:
        """Return what `to_dict` wrote.

        >>> Divided.from_dict({"kind": "complete", "directions": [[[1.0]]], "rows": 2, "proof": "exact"}).rows
        2
        """
        kinds = {"kind": stored.TEXT, "directions": stored.LIST, "rows": stored.WHOLE, "proof": stored.TEXT}
        found = stored.entries(plain, kinds, "a likelihood without a maximum")
        directions = tuple(stored.floats(d, 2, "a direction") for d in found["directions"])
        if not directions or len({direction.shape for direction in directions}) > 1:
            raise ValueError("The directions of a likelihood without a maximum must be alike, and some.")
        if found["kind"] not in ("complete", "quasi-complete") or found["proof"] not in ("exact", "rounded"):
            raise ValueError(f"A division is {found['kind']!r:.40}, proof {found['proof']!r:.40}.")
        return cls(found["kind"], directions, found["rows"], found["proof"])


class Limit(NamedTuple):
    """What a likelihood without a maximum tends to."""

    divided: Divided
    climb: Climb  # on the rows that are left
    rows: Rows  # with what they may still be of
    basis: Basis


def limit_of(rows: Rows, basis: Basis, climb: Climb, watch: Callable[[int], None] | None) -> Limit | None:
    """Return what the likelihood tends to, or None where it has a maximum (or nothing can be proven).

    `climb` is where Newton's steps have come to.
    """
    directions: list[Floats] = []
    proofs: set[str] = set()
    left, at = rows, climb
    while True:
        found = _direction(left, basis, at)
        if found is None:
            break
        directions.append(found.weights)
        proofs.add(found.proof)
        left = left.without(found.row, found.other)
        if not left.open_rows().any():
            at = Climb(np.zeros_like(climb.theta), np.zeros(0), 0.0, 0.0, climb.steps, True, True)
            break
        loss = left.loss(basis, 0.0)
        at = newton(loss, np.zeros_like(climb.theta), is_singular=True, stop=is_in_doubt(loss), watch=watch)
        if at.is_proven:
            at = newton(loss, at.theta, is_singular=True, watch=watch)
            break
    if not directions:
        return None
    is_complete = not left.open_rows().any()
    n_divided = int((~left.allowed).any(axis=1).sum()) if left.allowed is not None else 0
    divided = Divided(
        "complete" if is_complete else "quasi-complete",
        tuple(directions),
        n_divided,
        "exact" if proofs == {"exact"} else "rounded",
    )
    return Limit(divided, at, left, basis)


def is_in_doubt(loss: Loss, after: int = 20) -> Callable[[Climb], bool]:
    """Return what stops a climb: every row on its side, or many steps without a proof of a maximum."""

    def stop(climb: Climb) -> bool:
        if climb.is_proven:
            return False
        return len(climb.steps) >= after or bool(loss.margins(climb.scores).min(initial=np.inf) > 0)

    return stop


def stand_in(limit: Limit, weights: Floats) -> Floats:
    """Return finite weights that stand for the limit: every divided row is at least `FAR` on its side.

    `weights` (classes x columns and bias) are those of the rows that are left.
    """
    for direction in reversed(limit.divided.directions):
        way, now = limit.rows.margins(direction), limit.rows.margins(weights)
        moves = way > 1e-9 * way.max()
        weights = weights + direction * float(np.maximum((FAR - now[moves]) / way[moves], 0.0).max())
    return weights


# ---- one direction --------------------------------------------------------------------------------


class _Found(NamedTuple):
    weights: Floats  # classes x columns and bias
    row: NDArray[np.intp]  # pairs of rows and classes that the plane divides
    other: NDArray[np.intp]
    proof: str


def _direction(rows: Rows, basis: Basis, climb: Climb) -> _Found | None:
    """Return a direction in which the likelihood never falls and somewhere rises, with what it divides."""
    row, other = rows.pairs()
    if not len(row):
        return None
    here = all_weights(rows, basis, climb.theta)
    ahead = rows.margins(here)[row, other]
    if ahead.min() > 1e-9 * ahead.max():  # the weights themselves have every row on its side
        return _Found(here, row, other, "rounded")
    grid = grid_of(rows.x[:, basis.kept], rows.bias)
    kept = rows._replace(x=grid.whole)
    n = (rows.n_classes - 1) * (len(basis.kept) + rows.bias)
    if len(row) * n > MOST_CELLS:
        return None
    signed, near = _signed(kept, row, other), _signed(kept._replace(x=_near(kept.x)), row, other)
    start = np.linspace(0, len(row) - 1, min(len(row), 200)).astype(np.intp)
    rounded = rounded_answer(near, -near.mean(axis=0), start)
    if n > EXACT_PARAMETERS:
        plane = np.asarray(np.linalg.lstsq(signed, near @ rounded.plane, rcond=None)[0], np.float64)
        score = signed @ plane
        top = float(score.max(initial=0.0))
        if rounded.distance <= 1e-6 or top <= 0 or score.min() < -1e-9 * top:
            return None
        side, proof = score > 1e-9 * top, "rounded"
    else:
        target = [-total for total in column_sums(signed, units(signed))]
        exact = exact_answer(signed, target, rounded.part, rounded.support).plane
        if exact is None:
            return None
        plane, side, proof = as_floats(exact), signs(signed, exact) > 0, "exact"
    return _Found(_spread_out(rows, basis, grid, plane), row[side], other[side], proof)


def _near(x: Floats) -> Floats:
    """Return columns about zero, of the size of one."""
    centre = x.mean(axis=0)
    size = np.abs(x - centre).max(axis=0, initial=0.0)
    return np.asarray((x - centre) / np.where(size > 0, size, 1.0))


def _signed(rows: Rows, row: NDArray[np.intp], other: NDArray[np.intp]) -> Floats:
    """Return for each pair what weights are multiplied with to give by how much the right class is ahead."""
    whole = np.column_stack([rows.x, np.ones(len(rows.x))]) if rows.bias else rows.x
    place = np.full(rows.n_classes, -1)
    place[rows.others] = np.arange(len(rows.others))
    found = np.zeros((len(row), len(rows.others), whole.shape[1]))
    right, wrong = place[rows.codes[row]], place[other]
    has_right, has_wrong = right >= 0, wrong >= 0
    found[np.flatnonzero(has_right), right[has_right]] += whole[row[has_right]]
    found[np.flatnonzero(has_wrong), wrong[has_wrong]] -= whole[row[has_wrong]]
    return found.reshape(len(row), -1)


def _spread_out(rows: Rows, basis: Basis, grid: Grid, plane: Floats) -> Floats:
    """Return the numbers of a plane as weights of all classes and columns, the bias last."""
    found = np.zeros((rows.n_classes, rows.x.shape[1] + 1))
    parts = plane.reshape(len(rows.others), -1)
    for k, part in zip(rows.others, parts, strict=True):
        found[k, basis.kept], more = grid.weights(part[: len(basis.kept)])
        found[k, -1] = part[-1] + more if rows.bias else 0.0
    return found


def all_weights(rows: Rows, basis: Basis, theta: Floats) -> Floats:
    """Return parameters as weights of all classes and columns, the bias last; zeros for the reference."""
    found = np.zeros((rows.n_classes, rows.x.shape[1] + 1))
    found[rows.others] = basis.weights(theta.reshape(len(rows.others), -1).T).T
    return found
