"""The columns of a node that can be added up, scaled there, and sums of them in the units of the table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.table import Column, Schema
from treewright.tree import terms
from treewright.tree.terms import IS, Term

Floats = NDArray[np.float64]
IMPACT = 9  # the form of a term that stands for all categories of a column, until growth is done with it
IMPACT_ROWS = 5.0  # of the node's average, that are added to the rows of a category
IMPACT_DIGITS = 3
MOST_CATEGORIES = 20  # of a column that have an indicator: those with most rows


class Sum(NamedTuple):
    """A sum of terms, ascending, each with a weight in the units of the table.

    Where a `floor` is set, sums below count as much as it: so a conjunction is cut at nothing but all of it.
    """

    terms: tuple[Term, ...]
    weights: tuple[float, ...]
    floor: float = -np.inf

    def __len__(self) -> int:
        """Return how many numbers it takes to say it: categories of one weight are one."""
        pairs = zip(self.terms, self.weights, strict=True)
        return len({(t.column, w) if t.form == IS else t for t, w in pairs})


class Field(NamedTuple):
    """The rows of a node in the terms that vary there: as they are, and scaled to mean 0 and spread 1."""

    terms: list[Term]
    values: list[Floats]  # NaN is a gap
    scaled: Floats  # rows x terms; a gap is 0
    spread: Floats  # what a term was divided by
    weight: Floats  # of the rows, together 1
    amount: float  # of rows that this weight stands for: one of weight 2 is two
    impacts: Mapping[int, Mapping[int, float]] = {}  # of the categories of a column
    places: Mapping[Term, int] = {}  # of the terms

    def sum_of(self, found: Sum) -> Floats:
        """Return the value of a sum in every row, added up as the core does."""
        pairs = zip(found.terms, found.weights, strict=True)
        total = terms.sums_of([(self.values[self.places[t]], w) for t, w in pairs])
        return total if found.floor == -np.inf else np.where(total < found.floor, found.floor, total)

    def in_units(self, scaled_weights: Floats) -> Sum | None:
        """Return the sum that weights on scaled terms mean; None where it has fewer than two."""
        used = [(i, weight) for i, weight in enumerate(scaled_weights.tolist()) if weight != 0]
        if len(used) < 2 or not all(math.isfinite(weight) for _, weight in used):
            return None
        spread = self.spread.tolist()
        lead, most = max(used, key=lambda pair: abs(pair[1]))  # the term that tells most has weight 1
        unit = most / spread[lead]
        if unit == 0 or not math.isfinite(unit):
            return None
        pairs = sorted((self.terms[i], weight / spread[i] / unit) for i, weight in used)
        weights = tuple(weight for _, weight in pairs)
        if not all(math.isfinite(weight) and weight != 0 for weight in weights):
            return None
        return Sum(tuple(term for term, _ in pairs), weights)

    def take(self, rows: NDArray[Any]) -> Field:
        """Return the same field for some of its rows."""
        weight = self.weight[rows]
        values = [column[rows] for column in self.values]
        amount = self.amount * float(weight.sum())
        scaled = self.scaled[rows]
        return self._replace(values=values, scaled=scaled, weight=weight / weight.sum(), amount=amount)

    def spelled(self, found: Sum) -> Sum:
        """Return a sum with every category by itself where one term stood for all of a column."""
        pairs: list[tuple[Term, float]] = []
        for term, weight in zip(found.terms, found.weights, strict=True):
            if term.form != IMPACT:
                pairs.append((term, weight))
                continue
            own = ((Term(term.column, IS, code), weight * x) for code, x in self.impacts[term.column].items())
            pairs += [(each, w) for each, w in own if w != 0]
        pairs.sort()
        return Sum(tuple(term for term, _ in pairs), tuple(weight for _, weight in pairs), found.floor)


class Coding(NamedTuple):
    """How categories enter sums: "none", "indicator" or "impact" on what each row is to come to."""

    way: str = "none"
    goal: Floats | None = None


def field_of(
    schema: Schema,
    cells: list[NDArray[Any]],
    rows: NDArray[Any],
    units: NDArray[Any],
    unit: float = 1.0,
    order: list[int] | None = None,
    coding: Coding = Coding(),  # noqa: B008  # a value that is never changed
) -> Field:
    """Return the field of a node: its terms with two finite values there.

    `order` is that of the columns in the field; None: as in the table.

    >>> from treewright.table import Column, Kind
    >>> schema = Schema((Column("a", Kind.numeric), Column("b", Kind.numeric)))
    >>> cells = [np.array([1.0, 3.0]), np.array([5.0, 5.0])]
    >>> field = field_of(schema, cells, np.array([0, 1]), np.array([1, 1]))
    >>> field.terms, field.scaled.tolist()
    ([Term(column=0, form=0, at=0.0)], [[-1.0], [1.0]])
    """
    weight = units / units.sum()
    amount = float(units.sum()) * unit
    impacts: dict[int, dict[int, float]] = {}
    found, values, scaled, spreads = [], [], [], []
    for i in range(len(schema)) if order is None else order:
        column, cell = schema.columns[i], cells[i][rows]
        for term, x in _terms_of(column, i, cell, weight, amount, coding, impacts):
            pair = _scaled(x, weight)
            if pair is not None:
                found.append(term)
                values.append(x)
                scaled.append(pair[0])
                spreads.append(pair[1])
    grid = np.stack(scaled, axis=1) if scaled else np.zeros((len(rows), 0))
    places = {term: i for i, term in enumerate(found)}
    return Field(found, values, grid, np.array(spreads), weight, amount, impacts, places)


def _scaled(x: Floats, weight: Floats) -> tuple[Floats, float] | None:
    """Return values with mean 0 and spread 1, and that spread; None where they do not vary."""
    known = np.isfinite(x)
    if not known.any():
        return None
    share = np.where(known, weight, 0.0)
    safe = np.where(known, x, 0.0)
    largest = float(np.abs(safe).max())
    if not 1e-100 < largest < 1e100:
        return None
    mean = float((share * safe).sum() / share.sum())
    away = np.where(known, safe - mean, 0.0)
    spread = float(np.sqrt((share * away**2).sum() / share.sum()))
    return (away / spread, spread) if spread > 1e-9 * largest else None


def _terms_of(
    column: Column, place: int, cells: NDArray[Any], weight: Floats, amount: float,
    coding: Coding, impacts: dict[int, dict[int, float]],
) -> Iterator[tuple[Term, Floats]]:  # fmt: skip
    """Yield the terms that a column may be in a sum, each with its values."""
    if terms.is_ordered(column):
        yield Term(place), terms.values_of(column, cells)
    elif coding.way == "indicator":
        held = np.bincount(cells[cells >= 0], weight[cells >= 0], len(column.categories))
        heaviest = np.argsort(-held, kind="stable")[:MOST_CATEGORIES]
        for code in sorted(int(c) for c in heaviest if held[c] > 0):
            yield Term(place, IS, float(code)), indicator(cells, code)
    elif coding.way == "impact" and coding.goal is not None:
        of_code = _impacts(cells, weight * amount, coding.goal, len(column.categories))
        impacts[place] = {c: float(x) for c, x in enumerate(of_code.tolist()) if x != 0}
        yield Term(place, IMPACT), np.where(cells < 0, np.nan, of_code[np.maximum(cells, 0)])


def indicator(cells: NDArray[Any], code: int) -> Floats:
    """Return 1 where a category is `code`, 0 where it is another, NaN where it is missing.

    >>> indicator(np.array([2, 0, -1]), 2)
    array([ 1.,  0., nan])
    """
    return np.where(cells < 0, np.nan, (cells == code).astype(np.float64))


def _impacts(cells: NDArray[Any], weight: Floats, goal: Floats, n_categories: int) -> Floats:
    """Return by how much the goal is above its mean in each category, drawn towards it where rows are few."""
    known = cells >= 0
    total = float(weight[known].sum())
    if not total > 0:
        return np.zeros(n_categories)
    mean = float((weight[known] * goal[known]).sum()) / total
    held = np.bincount(cells[known], weight[known], n_categories)
    above = np.bincount(cells[known], weight[known] * (goal[known] - mean), n_categories)
    spread = float(np.sqrt((weight[known] * (goal[known] - mean) ** 2).sum() / total)) or 1.0
    found = above / (held + IMPACT_ROWS) / spread
    return np.array([float(f"{x:.{IMPACT_DIGITS - 1}e}") for x in found.tolist()])


def grouped(found: Sum) -> list[list[int]]:
    """Return the places of the terms that are said together: categories of a column that weigh the same.

    >>> grouped(Sum((Term(0), Term(1, IS, 0), Term(1, IS, 2)), (1.0, -1.0, -1.0)))
    [[0], [1, 2]]
    """
    keys = [
        (term.column, weight) if term.form == IS else (i,)
        for i, (term, weight) in enumerate(zip(found.terms, found.weights, strict=True))
    ]
    order = sorted(range(len(keys)), key=lambda i: [keys.index(keys[i]), i])
    return [list(group) for _, group in groupby(order, key=lambda i: keys[i])]
