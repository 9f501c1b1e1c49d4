"""The columns of a node that can be added up, scaled there, and sums of them in the units of the table."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.table import Schema
from treewright.tree import terms

Floats = NDArray[np.float64]


class Sum(NamedTuple):
    """A sum of columns: their places, ascending, and a weight for each, in the units of the table."""

    columns: tuple[int, ...]
    weights: tuple[float, ...]

    def __len__(self) -> int:
        return len(self.columns)


class Field(NamedTuple):
    """The rows of a node in the columns that vary there: as they are, and scaled to mean 0 and spread 1."""

    columns: list[int]  # their places in the table
    values: list[Floats]  # NaN is a gap
    scaled: Floats  # rows x columns; a gap is 0
    spread: Floats  # what a column was divided by
    weight: Floats  # of the rows, together 1
    amount: float  # of rows that this weight stands for: one of weight 2 is two

    def sum_of(self, found: Sum) -> Floats:
        """Return the value of a sum in every row, added up as the core does."""
        place = {column: i for i, column in enumerate(self.columns)}
        pairs = zip(found.columns, found.weights, strict=True)
        return terms.sums_of([(self.values[place[c]], w) for c, w in pairs])

    def in_units(self, scaled_weights: Floats) -> Sum | None:
        """Return the sum that weights on scaled columns mean; None where it is of fewer than two columns."""
        used = np.flatnonzero(scaled_weights)
        if len(used) < 2:
            return None
        weights = scaled_weights[used] / self.spread[used]
        lead = weights[np.argmax(np.abs(scaled_weights[used]))]  # the column that tells most has weight 1
        weights = weights / lead
        if not np.isfinite(weights).all() or (weights == 0).any():
            return None
        pairs = sorted(zip((self.columns[i] for i in used), weights.tolist(), strict=True))
        return Sum(tuple(column for column, _ in pairs), tuple(weight for _, weight in pairs))

    def take(self, rows: NDArray[Any]) -> Field:
        """Return the same field for some of its rows."""
        weight = self.weight[rows]
        values = [column[rows] for column in self.values]
        amount = self.amount * float(weight.sum())
        return Field(self.columns, values, self.scaled[rows], self.spread, weight / weight.sum(), amount)


def field_of(
    schema: Schema,
    cells: list[NDArray[Any]],
    rows: NDArray[Any],
    units: NDArray[Any],
    unit: float = 1.0,
    order: list[int] | None = None,
) -> Field:
    """Return the field of a node: its columns with an order that have two finite values there.

    `order` is that of the columns in the field; None: as in the table.

    >>> from treewright.table import Column, Kind
    >>> schema = Schema((Column("a", Kind.numeric), Column("b", Kind.numeric)))
    >>> cells = [np.array([1.0, 3.0]), np.array([5.0, 5.0])]
    >>> field = field_of(schema, cells, np.array([0, 1]), np.array([1, 1]))
    >>> field.columns, field.scaled.tolist()
    ([0], [[-1.0], [1.0]])
    """
    weight = units / units.sum()
    columns, values, scaled, spreads = [], [], [], []
    for i in range(len(schema)) if order is None else order:
        column = schema.columns[i]
        if not terms.is_ordered(column):
            continue
        x = terms.values_of(column, cells[i][rows])
        known = np.isfinite(x)
        if not known.any():
            continue
        share = np.where(known, weight, 0.0)
        safe = np.where(known, x, 0.0)
        largest = float(np.abs(safe).max())
        if not 1e-100 < largest < 1e100:
            continue
        mean = float((share * safe).sum() / share.sum())
        away = np.where(known, safe - mean, 0.0)
        spread = float(np.sqrt((share * away**2).sum() / share.sum()))
        if not spread > 1e-9 * largest:
            continue
        columns.append(i)
        values.append(x)
        scaled.append(away / spread)
        spreads.append(spread)
    grid = np.stack(scaled, axis=1) if scaled else np.zeros((len(rows), 0))
    return Field(columns, values, grid, np.array(spreads), weight, float(units.sum()) * unit)
