"""The slow twin of the search for optimal trees: every tree of a depth, one after the other.

It reads raw values (numbers, codes of categories, NaN where a value is missing) and knows nothing of bounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
MOST_LEVELS = 8


@dataclass(frozen=True, eq=False)
class Trial:
    """A table with a target, and the trees that compete."""

    columns: list[tuple[str, Array]]  # kind ("number", "ordered", "nominal") and values
    n_levels: list[int]  # of categories, declared
    y: Array  # class codes or numbers
    n_classes: int  # 0: numbers
    weights: Array
    criterion: str = "error"
    costs: Array | None = None
    leaf_price: float = 0.0
    splits: str = "binary"
    missing: str = "learned"
    min_leaf: int = 0  # rows of every branch that has some

    @cached_property
    def root_variance(self) -> float:
        """The variance of the whole target."""
        mean = np.average(self.y, weights=self.weights)
        return float(np.average((self.y - mean) ** 2, weights=self.weights))


def least_cost(trial: Trial, depth: int, max_leaves: int | None = None) -> float:
    """Return the least cost of any tree for the whole table."""
    return _least(trial, np.arange(len(trial.y)), depth, max_leaves or 10**6)


def least_below(trial: Trial, rows: Array, depth: int, max_leaves: int | None = None) -> float:
    """Return the least cost of any tree for some rows."""
    return _least(trial, rows, depth, max_leaves or 10**6)


def least_cost_by(trial: Trial, rows: Array, column: int, depth: int, max_leaves: int | None = None) -> float:
    """Return the least cost of any tree for some rows whose first test asks a column, if there is one."""
    leaves = max_leaves or 10**6
    costs = (
        _shared(trial, branches, depth - 1, leaves)
        for branches in tests_of(trial, rows, column)
        if len(branches) <= leaves
    )
    return min(costs, default=float("inf"))


def leaf_cost(trial: Trial, rows: Array) -> float:
    """Return what rows cost as one leaf, without its price."""
    if not len(rows):
        return 0.0
    y, w = trial.y[rows], trial.weights[rows]
    if trial.n_classes:
        counts = np.bincount(y, w, trial.n_classes)
        total = counts.sum()
        if trial.criterion == "error":
            costs = 1.0 - np.eye(trial.n_classes) if trial.costs is None else trial.costs
            return float((counts @ costs).min())
        shares = counts[counts > 0] / total
        if trial.criterion == "gini":
            return float(total * (1 - (shares**2).sum()))
        if trial.criterion == "entropy":
            return float(-total * (shares * np.log2(shares)).sum())
        return float(np.sqrt(counts[0] * counts[1]))
    mean = np.average(y, weights=w)
    if trial.criterion == "poisson":
        return float((w * (y * np.log(y / mean) - y + mean)).sum())
    if trial.criterion == "absolute_error":
        return min(float((w * np.abs(y - answer)).sum()) for answer in y)
    squares = float((w * (y - mean) ** 2).sum())
    if trial.criterion == "squared_error":
        return squares
    weight = float(w.sum())
    return weight * 0.5 * float(np.log(1 + squares / weight / (1e-9 * trial.root_variance)))


def tests(trial: Trial, rows: Array) -> Iterator[list[Array]]:
    """Yield the branches of every test that divides the rows: rows of each."""
    for column in range(len(trial.columns)):
        yield from tests_of(trial, rows, column)


def tests_of(trial: Trial, rows: Array, column: int) -> Iterator[list[Array]]:
    """Yield the same of one column; a test with a branch that is too small is none."""
    values = trial.columns[column][1]
    for branches in _tests_of(trial, rows, column):
        # surrogates judge a test by the rows with a value
        counted = [b[~np.isnan(values[b])] if trial.missing == "surrogate" else b for b in branches]
        if all(len(branch) == 0 or len(branch) >= trial.min_leaf for branch in counted):
            yield branches


def _tests_of(trial: Trial, rows: Array, column: int) -> Iterator[list[Array]]:
    (kind, values), n_levels = trial.columns[column], trial.n_levels[column]
    x = values[rows]
    gaps, known = rows[np.isnan(x)], rows[~np.isnan(x)]
    if trial.splits == "multiway" and kind != "number":
        yield from _each(values, known, gaps, n_levels, trial.missing)
        return
    if len(known) and len(gaps) and trial.missing in ("learned", "own_branch"):
        yield [known, gaps]
    for left in left_sides(trial, kind, values, known):
        right = np.setdiff1d(known, left)
        if not len(gaps):
            yield [left, right]
        elif trial.missing == "own_branch" and kind != "nominal":  # in a subset: one more category
            yield [left, right, gaps]
        elif trial.missing in ("surrogate", "most_common"):
            yield from placed(trial, kind, values, left, right, gaps)
        else:
            yield [np.union1d(left, gaps), right]
            yield [left, np.union1d(right, gaps)]


def placed(
    trial: Trial, kind: str, values: Array, left: Array, right: Array, gaps: Array
) -> Iterator[list[Array]]:
    """Yield both sides of a test when its gaps take the side that the policy names.

    While looking ahead that is, under surrogates, the heavier side; either where both weigh the same.
    """
    if trial.missing == "surrogate":
        weigh = [float(trial.weights[side].sum()) for side in (left, right)]
        may = weigh[0] >= weigh[1] * (1 - 1e-9), weigh[1] >= weigh[0] * (1 - 1e-9)
    else:
        goes_left = common_value(trial, kind, values, np.union1d(left, right)) in values[left]
        may = goes_left, not goes_left
    if may[0]:
        yield [np.union1d(left, gaps), right]
    if may[1]:
        yield [left, np.union1d(right, gaps)]


def common_value(trial: Trial, kind: str, values: Array, known: Array) -> float:
    """Return the category of most weight, the first of equals, or the lower median of numbers."""
    levels = np.unique(values[known])
    weigh = np.array([trial.weights[known[values[known] == level]].sum() for level in levels])
    if kind == "number":
        return float(levels[np.argmax(2 * np.cumsum(weigh) >= weigh.sum() * (1 - 1e-9))])
    return float(levels[np.argmax(weigh.round(9))])


Leaves = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]  # rows of each leaf, and the columns on its way


def all_trees(trial: Trial, depth: int) -> dict[Leaves, float]:
    """Return the cost of every tree for the whole table, by what makes it different from the others.

    Every test pays: a node costs less than it would as a leaf.
    """
    return _all(trial, np.arange(len(trial.y)), depth)


def _all(trial: Trial, rows: Array, depth: int) -> dict[Leaves, float]:
    alone = leaf_cost(trial, rows) + trial.leaf_price
    found: dict[Leaves, float] = {((tuple(rows.tolist()), ()),): alone}
    for column in range(len(trial.columns) if depth else 0):
        for branches in tests_of(trial, rows, column):
            below = [_all(trial, branch, depth - 1) for branch in branches]
            for trees in product(*(part.items() for part in below)):
                cost = sum(one for _, one in trees)
                if cost < alone - 1e-8:
                    leaves = [
                        (held, tuple(sorted({*way, column}))) for part, _ in trees for held, way in part
                    ]
                    found[tuple(sorted(leaves))] = cost
    return found


def _each(values: Array, known: Array, gaps: Array, n_levels: int, missing: str) -> Iterator[list[Array]]:
    branches = [known[values[known] == level] for level in range(n_levels)]
    own = bool(len(gaps)) and missing == "own_branch"
    if sum(len(b) > 0 for b in branches) + (len(gaps) > 0) < 2:
        return
    if own:
        yield [*branches, gaps]
    elif not len(gaps):
        yield branches
    else:
        for home in range(n_levels):
            yield [np.union1d(b, gaps) if i == home else b for i, b in enumerate(branches)]


def left_sides(trial: Trial, kind: str, values: Array, known: Array) -> Iterator[Array]:
    levels = np.unique(values[known])
    if kind != "nominal":
        for cut in levels[:-1]:
            yield known[values[known] <= cut]
        return
    of_table = len(np.unique(values[~np.isnan(values)]))
    most = len(levels) // 2 if trial.splits == "binary" and of_table <= MOST_LEVELS else 1
    for size in range(1, max(1, most) + 1):
        for chosen in combinations(levels, size):
            left = known[np.isin(values[known], chosen)]
            if 0 < len(left) < len(known):
                yield left


def _least(trial: Trial, rows: Array, depth: int, leaves: int) -> float:
    best = leaf_cost(trial, rows) + trial.leaf_price
    if depth == 0 or leaves < 2:
        return best
    for branches in tests(trial, rows):
        if len(branches) <= leaves:
            best = min(best, _shared(trial, branches, depth - 1, leaves))
    return best


def _shared(trial: Trial, branches: list[Array], depth: int, leaves: int) -> float:
    """Return the least cost of branches that share so many leaves."""
    n = len(branches)
    if leaves >= 10**6 - 10:
        return sum(_least(trial, branch, depth, leaves) for branch in branches)
    spare = range(leaves - n + 1)
    costs = [[_least(trial, branch, depth, 1 + more) for more in spare] for branch in branches]
    ways = (way for way in product(spare, repeat=n) if sum(way) == leaves - n)
    return min(sum(costs[b][more] for b, more in enumerate(way)) for way in ways)
