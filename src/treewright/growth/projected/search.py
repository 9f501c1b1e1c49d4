"""The best sum of a node: proposed in three ways, judged by the core, paid for, made readable."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth.projected import coordinate, tidy
from treewright.growth.projected.ahead import Ahead, best_ahead, scaled
from treewright.growth.projected.counting import Cells, Counted, Judged, counting_tests, settled
from treewright.growth.projected.field import Field, Floats, Sum
from treewright.growth.projected.fitted import fitted_sums
from treewright.growth.projected.judge import Ints, Judge, Worth, price
from treewright.growth.projected.planes import FITS, plane_sums
from treewright.growth.projected.sparse import sparse_sums

MOST_ROWS = 4000  # that a sum is searched on; the best few are judged by all rows
MOST_COUNTED = 1500  # that conditions are searched on
FINALISTS = 4
LEAST_LEAD = 0.02  # of its value: by so much two levels must be better than one and the next


class Found(NamedTuple):
    """A sum, what it comes to in the rows, and what it is worth, columns paid for.

    The cut is given where it is not simply the best one.
    """

    sum: Sum
    worth: float
    cut: float | None = None
    values: Floats | None = None


def best_sum(judge: Judge, rows: Ints, units: Ints, path: int) -> Found | None:
    """Return the best test on several columns among the rows of a node; None where there is none."""
    settings = judge.settings
    most = settings.linear_attributes
    if settings.splits != "linear":
        return _best_count(judge, rows, units, settings.splits == "conjunction")
    whole = judge.field(rows, units)
    if len(whole.terms) < 2 or most < 2 or price(1.0, 2, settings.linear_penalty, judge.amount(units)) <= 0:
        return None
    step = -(-len(rows) // MOST_ROWS)
    some = np.arange(0, len(rows), step)
    field = whole if step == 1 else whole.take(some)
    judging = _Judging(judge, field, rows[some], units[some])
    pool = _Pool(judging)
    search = settings.linear_search
    goal = judge.target[rows[some]]
    k = len(judge.question.target.categories) if judge.is_classifier else 0
    if search in ("fitted", "all"):
        pool.add(list(fitted_sums(field, goal, k, most)))
    if search in FITS:
        pool.add(list(plane_sums(field, goal, k, most, FITS[search])))
    if search in ("random", "all"):
        pool.add(
            list(sparse_sums(field, judge.schema.names, settings.linear_tries, most, settings.seed, path))
        )
    if search in ("coordinate", "all"):
        pool.add(_searched(judging, pool, path))
    finalists = [found.sum for found in pool.best(FINALISTS)]
    if not finalists:
        return None
    if step > 1:
        judging = _Judging(judge, whole, rows, units)
    return _settled(judging, finalists)


def _best_count(judge: Judge, rows: Ints, units: Ints, is_conjunction: bool) -> Found | None:
    """Return the best test that counts conditions, without those it can do without; None if there is none."""
    settings = judge.settings
    if settings.linear_attributes < 2 or price(1.0, 2, settings.linear_penalty, judge.amount(units)) <= 0:
        return None
    some = np.arange(0, len(rows), -(-len(rows) // MOST_COUNTED))

    def judged_on(chosen: Ints) -> Judged:
        return lambda columns: judge.worth(rows[chosen], units[chosen], columns)

    cells = Cells.of(judge, rows[some])
    found = counting_tests(cells, judged_on(some), settings.linear_attributes, is_conjunction)
    everywhere = np.arange(len(rows))
    tests = settled(found, Cells.of(judge, rows), judged_on(everywhere))
    best: Found | None = None
    for test in tests:
        proposed = test.as_sum(is_conjunction)
        worth = price(test.score, len(proposed), settings.linear_penalty, judge.amount(units))
        if np.isfinite(test.score) and len(proposed) > 1 and (best is None or worth > best.worth):
            best = Found(proposed, worth, values=_values(test, proposed))
    return best


def _values(test: Counted, found: Sum) -> Floats:
    """Return what a count of conditions comes to in every row, as a sum of its terms."""
    total = test.n_holding - sum(each.weight < 0 for each in test.literals)
    return np.where(total < found.floor, found.floor, total)


class Near(NamedTuple):
    """The best single test: which rows it sends left, and how many columns it asks about."""

    goes_left: NDArray[np.bool_]
    n_columns: int


def far_sum(judge: Judge, rows: Ints, units: Ints, path: int, near: Near | None) -> Found | None:
    """Return the plane of most gain in two levels, if that is more than what follows the best single test."""
    whole = judge.field(rows, units)
    plane = best_ahead(judge, whole, rows, units, [], path)
    if plane is None:
        return None
    ahead = Ahead(judge, whole, rows, units)

    def after_price(goes_left: NDArray[np.bool_], n_columns: int) -> float:
        value, _ = ahead.value(goes_left, ahead.axes, is_fine=True)
        return price(value, n_columns, judge.settings.linear_penalty, judge.amount(units))

    worth = after_price(whole.sum_of(plane.sum) <= plane.cut, len(plane.sum))
    if near is not None and not worth > after_price(*near) * (1 + LEAST_LEAD):
        return None
    return Found(whole.spelled(plane.sum), worth, plane.cut, whole.sum_of(plane.sum))


def _settled(judging: _Judging, finalists: list[Sum]) -> Found | None:
    """Return the best of the last few, without the columns and digits it can do without."""
    whole = judging.field
    worths = judging.worths(finalists)
    best = int(np.argmax(worths))
    if not np.isfinite(worths[best]):
        return None
    found, worth = tidy.pruned(finalists[best], worths[best], judging.worths, whole)
    found, worth = tidy.rounded(found, worth, judging.worths)
    return Found(whole.spelled(found), worth, values=whole.sum_of(found))


class _Judging:
    """The core's judgement of sums on the rows at hand."""

    def __init__(self, judge: Judge, field: Field, rows: Ints, units: Ints) -> None:
        self.judge, self.field, self.rows, self.units = judge, field, rows, units
        self.n_rows = judge.amount(units)

    def columns(self, columns: list[Floats]) -> Worth:
        return self.judge.worth(self.rows, self.units, columns)

    def worths(self, sums: list[Sum]) -> list[float]:
        found = self.columns([self.field.sum_of(s) for s in sums])
        pairs = zip(found.score.tolist(), sums, strict=True)
        return [self.price(score, len(s)) if np.isfinite(score) else -np.inf for score, s in pairs]

    def price(self, score: float, n_columns: int) -> float:
        return price(score, n_columns, self.judge.settings.linear_penalty, self.n_rows)


class _Pool:
    """All sums proposed so far, with their worth; equals stand in the order of proposal."""

    def __init__(self, judging: _Judging) -> None:
        self.judging = judging
        self.found: list[Found] = []

    def add(self, sums: list[Sum]) -> None:
        self.found.extend(map(Found, sums, self.judging.worths(sums)))

    def best(self, n: int) -> list[Found]:
        able = [found for found in self.found if np.isfinite(found.worth)]
        return sorted(able, key=lambda found: -found.worth)[:n]


def _searched(judging: _Judging, pool: _Pool, path: int) -> list[Sum]:
    """Return sums by coordinate search: from the best column, the best sums so far, and by chance."""
    settings, field = judging.judge.settings, judging.field
    starts = [_axis_start(judging)]
    starts += [scaled(field, found.sum) for found in pool.best(2)]
    n_random = max(1, settings.linear_tries // 5)
    drawn = sparse_sums(
        field, judging.judge.schema.names, n_random, settings.linear_attributes, settings.seed, path ^ 1
    )
    starts += [scaled(field, found) for found in drawn]
    better = coordinate.improved(field, starts, judging.columns, judging.price, settings.linear_attributes)
    return [found for weights in better if (found := field.in_units(weights)) is not None]


def _axis_start(judging: _Judging) -> Floats:
    field = judging.field
    scores = judging.columns([np.ascontiguousarray(column) for column in field.values]).score
    start = np.zeros(len(field.terms))
    start[int(np.argmax(scores))] = 1.0
    return start
