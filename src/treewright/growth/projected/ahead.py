"""Two levels at once: a test that gains nothing by itself, but whose branches can then be told apart.

No first cut of a checkerboard gains anything, so a search that looks at one test alone goes astray. Here a
test is worth what it gains together with the best test in each of its branches. Many starts are looked at;
the best are improved in turns: given the tests of the branches, every row is better off in one of the two,
and the test between them is fitted to these two super-classes, which gives new branches (the alternating
optimisation of Carreira-Perpinan and Tavallali 2018, on two levels).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth.projected import coordinate, tidy
from treewright.growth.projected.field import Field, Floats, Sum
from treewright.growth.projected.fitted import fitted_sums
from treewright.growth.projected.judge import Ints, Judge, Worth
from treewright.growth.projected.sparse import sparse_sums

QUANTILES = np.arange(1, 12) / 12
MOST_ROWS = 1000  # that starts are compared on
N_REFINED = 6
MOST_ROUNDS = 8
LEAST_ROWS = 16
CARE_BITS = 20  # of how much better off a row is, in whole numbers for the core

Truths = NDArray[np.bool_]


class Plane(NamedTuple):
    """A sum, where it is cut, and what the two levels below gain together."""

    sum: Sum
    cut: float
    value: float


class _Part(NamedTuple):
    """One side of a test: its own best test, as a side for every row of the node, and the gain."""

    goes_left: Truths
    gain: float


class Ahead:
    """The rows of a node, and what two levels gain there."""

    def __init__(self, judge: Judge, field: Field, rows: Ints, units: Ints) -> None:
        self.judge, self.field, self.rows, self.units = judge, field, rows, units
        self.target = judge.target[rows]
        self.settings = judge.settings
        self.weight = judge.weight_of(rows, units)
        self.axes = [np.ascontiguousarray(column) for column in field.values]

    def value(self, left: Truths, columns: list[Floats], is_fine: bool) -> tuple[float, list[_Part]]:
        """Return what a test and the best tests of its branches gain together, and those tests.

        `columns` are looked at in the branches; where `is_fine`, a coordinate search goes on from the best.
        """
        own = self.judge.worth(self.rows, self.units, [left.astype(np.float64)]).gain[0]
        if not np.isfinite(own):
            return -np.inf, []
        parts = [self._part(side, columns, is_fine) for side in (left, ~left)]
        shares = (self.judge.weight_of(self.rows[s], self.units[s]) / self.weight for s in (left, ~left))
        return float(own + sum(w * part.gain for w, part in zip(shares, parts, strict=True))), parts

    def _part(self, mine: Truths, columns: list[Floats], is_fine: bool) -> _Part:
        rows, units = self.rows[mine], self.units[mine]

        def worth(given: list[Floats]) -> Worth:
            return self.judge.worth(rows, units, given)

        found = worth([column[mine] for column in columns])
        best = int(np.argmax(found.gain))
        if not np.isfinite(found.gain[best]):
            return _Part(np.ones(len(mine), dtype=bool), 0.0)
        side, gain = columns[best] <= found.cut[best], float(found.gain[best])
        if is_fine and gain > 0:
            side, gain = self._finer(mine, worth, side, gain)
        return _Part(side, gain)

    def _finer(self, mine: Truths, worth: Any, side: Truths, gain: float) -> tuple[Truths, float]:
        field = self.field.take(np.flatnonzero(mine))
        k = len(self.judge.question.target.categories) if self.judge.is_classifier else 0
        starts = [
            scaled(field, s)
            for s in fitted_sums(field, self.target[mine], k, self.settings.linear_attributes)
        ][:2]
        starts.append(_toward(field, side[mine]))
        better = coordinate.improved(field, starts, worth, self.price, self.settings.linear_attributes)
        sums = [s for weights in better if (s := field.in_units(weights)) is not None]
        found = worth([field.sum_of(s) for s in sums])
        if not sums or not found.gain.max() > gain:
            return side, gain
        best = int(np.argmax(found.gain))
        return self.field.sum_of(sums[best]) <= found.cut[best], float(found.gain[best])

    def price(self, score: float, n_columns: int) -> float:
        """Return a score less a little for every further column: of equals the simplest."""
        return score - abs(score) * (n_columns - 1) * self.settings.linear_penalty * 0.1

    def better_side(self, left: Truths, parts: list[_Part]) -> Floats:
        """Return by how much each row is better off in the left branch: what its leaf there says of it."""
        fit = [self._fit(side, part) for side, part in zip((left, ~left), parts, strict=True)]
        return np.asarray(fit[0] - fit[1])

    def _fit(self, mine: Truths, part: _Part) -> Floats:
        leaf = part.goes_left.astype(np.int64)
        weight = np.where(mine, self.units, 0).astype(np.float64)
        if self.judge.is_classifier:
            k = len(self.judge.question.target.categories)
            counts = np.bincount(leaf * k + self.target, weight, 2 * k).reshape(2, k)
            share = (counts + 1e-9) / (counts.sum(axis=1, keepdims=True) + k * 1e-9)
            return np.asarray(share[leaf, self.target])
        y = self.target / max(float(np.abs(self.target).max()), 1.0)
        total = np.bincount(leaf, weight, 2)
        mean = np.bincount(leaf, weight * y, 2) / np.where(total > 0, total, 1.0)
        return np.asarray(-((y - mean[leaf]) ** 2))


def best_ahead(
    judge: Judge, whole: Field, rows: Ints, units: Ints, sums: list[Sum], path: int
) -> Plane | None:
    """Return the plane that gains most together with the best tests of its branches, if there is one."""
    if len(rows) < LEAST_ROWS or len(whole.terms) < 2:
        return None
    some = np.arange(0, len(rows), -(-len(rows) // MOST_ROWS))
    ahead = Ahead(judge, whole.take(some), rows[some], units[some])
    settings = judge.settings
    tried = [
        *sums,
        *sparse_sums(whole, judge.schema.names, settings.linear_tries, 2, settings.seed, path ^ 2),
    ]
    columns = [*ahead.axes, *(ahead.field.sum_of(s) for s in tried)]
    starts = _starts(ahead, columns)
    best: Plane | None = None
    for left in starts[:N_REFINED]:
        found = _refined(ahead, left, columns)
        if found is not None and (best is None or found.value > best.value * (1 + 1e-9)):
            best = found
    return best


def _starts(ahead: Ahead, columns: list[Floats]) -> list[Truths]:
    """Return which rows go left, for the most promising of many cuts."""
    found: list[tuple[float, int, Truths]] = []
    seen: set[bytes] = set()
    for column in columns:
        known = column[np.isfinite(column)]
        if not len(known):
            continue
        for cut in np.quantile(known, QUANTILES, method="lower").tolist():
            left = column <= cut
            key = np.packbits(left).tobytes()
            if key in seen:
                continue
            seen.add(key)
            value, _ = ahead.value(left, columns, is_fine=False)
            if np.isfinite(value):
                found.append((-value, len(found), left))
    return [left for _, _, left in sorted(found, key=lambda f: f[:2])]


def _refined(ahead: Ahead, left: Truths, columns: list[Floats]) -> Plane | None:
    best: Plane | None = None
    value, parts = ahead.value(left, columns, is_fine=True)
    for _ in range(MOST_ROUNDS):
        if not np.isfinite(value):
            break
        plane = _between(ahead, ahead.better_side(left, parts))
        if plane is None:
            break
        left = ahead.field.sum_of(plane.sum) <= plane.cut
        value, parts = ahead.value(left, columns, is_fine=True)
        if best is not None and not value > best.value * (1 + 1e-6):
            break
        best = Plane(plane.sum, plane.cut, value)
    return best


def _between(ahead: Ahead, better: Floats) -> Plane | None:
    """Return the plane between rows that are better off left and those that are better off right."""
    care = np.abs(better)
    if not care.max() > 0:
        return None
    whole = np.rint(care / care.max() * 2.0**CARE_BITS * ahead.field.weight / ahead.field.weight.max())
    at = np.flatnonzero(whole >= 1)
    side = (better[at] < 0).astype(np.int32)
    if len(at) < 2 or side.min() == side.max():
        return None
    units, field = whole[at].astype(np.int64), ahead.field.take(at)
    field = field._replace(weight=units / units.sum())

    def worth(given: list[Floats]) -> Worth:
        return ahead.judge.sides(side, units, given)

    most = ahead.settings.linear_attributes
    sums = list(fitted_sums(field, side, 2, most))
    starts = [scaled(field, s) for s in sums] or [np.eye(len(field.terms))[0]]
    better_ones = coordinate.improved(field, starts, worth, ahead.price, most)
    sums += [s for weights in better_ones if (s := field.in_units(weights)) is not None]
    if not sums:
        return None

    def judged(given: list[Sum]) -> list[float]:
        found = worth([field.sum_of(s) for s in given])
        return [ahead.price(float(score), len(s)) for score, s in zip(found.score, given, strict=True)]

    worths = judged(sums)
    best = int(np.argmax(worths))
    found, _ = tidy.rounded(*tidy.pruned(sums[best], worths[best], judged, field), judged)
    cut = worth([field.sum_of(found)]).cut[0]
    return Plane(found, float(cut), 0.0) if np.isfinite(cut) else None


def scaled(field: Field, found: Sum) -> Floats:
    """Return the weights of a sum on scaled columns, the largest of them 1."""
    weights = np.zeros(len(field.terms))
    place = {term: i for i, term in enumerate(field.terms)}
    for term, weight in zip(found.terms, found.weights, strict=True):
        weights[place[term]] = weight * field.spread[place[term]]
    return np.asarray(weights / np.abs(weights).max())


def _toward(field: Field, left: Truths) -> Floats:
    """Return the column along which two sides lie furthest apart, as a start."""
    gap = (
        np.abs(field.scaled[left].mean(axis=0) - field.scaled[~left].mean(axis=0))
        if 0 < left.sum() < len(left)
        else np.ones(len(field.terms))
    )
    start = np.zeros(len(field.terms))
    start[int(np.argmax(gap))] = 1.0
    return start
