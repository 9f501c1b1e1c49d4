"""The plane of two columns, numbers or categories: what part of it is shown, and where rows and cells lie."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.paint import Axis
from treewright.table import Column, Table

Floats = NDArray[np.float64]
_ROOM = 0.12  # beyond the rows, of their spread
_MOST_NAMES = 40


@dataclass(frozen=True)
class Side:
    """One column as an axis: its ends, and where on it the cells of a grid end.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"a": [1.0, 3.0], "b": ["x", "y"]})
    >>> [side_of(table, i).axis().names for i in (0, 1)]
    [(), ('x', 'y')]
    """

    column: Column
    name: str
    low: float
    high: float

    @property
    def is_numbers(self) -> bool:
        """Whether these are numbers, not categories."""
        return self.column.is_numeric

    def axis(self) -> Axis:
        """Return the axis of a chart."""
        if self.is_numbers:
            return Axis(self.name, self.low, self.high)
        return Axis.of_names(self.name, self.column.categories)

    def edges(self, n: int, cuts: Sequence[float] = ()) -> Floats:
        """Return where cells end: at categories, else in n equal steps, or at these cuts alone.

        >>> import treewright as tw
        >>> side_of(tw.Table.from_dict({"a": [1.0, 3.0]}), 0).edges(2).round(2).tolist()
        [0.76, 2.0, 3.24]
        """
        if not self.is_numbers:
            return np.arange(len(self.column.categories) + 1, dtype=np.float64) - 0.5
        if n:
            return np.linspace(self.low, self.high, n + 1)
        inner = sorted({float(cut) for cut in cuts if self.low < cut < self.high})
        return np.array([self.low, *inner, self.high])

    def cells(self, places: Floats) -> Any:
        """Return values of the column at places on the axis: numbers, or names of categories."""
        if self.is_numbers:
            return np.ascontiguousarray(places)
        return np.array(self.column.categories, dtype=object)[np.rint(places).astype(int)]


def side_of(table: Table, i: int) -> Side:
    """Return a column of a table as an axis; a ValueError where it has no place in a picture.

    >>> import treewright as tw
    >>> side_of(tw.Table.from_dict({"a": [1.0, float("nan")]}), 0)
    Traceback (most recent call last):
    ValueError: Column 'a' holds gaps or infinite numbers, which have no place in a picture; leave them out.
    """
    column, values = table.schema.columns[i], np.asarray(table.values[i])
    if column.is_numeric:
        if not np.isfinite(values).all():
            raise ValueError(
                f"Column {column.name!r} holds gaps or infinite numbers, which have no place in a picture; "
                "leave them out."
            )
        first, last = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
        room = _ROOM * (last - first) if last > first else 0.5
        return Side(column, column.name, first - room, last + room)
    n = len(column.categories)
    if (values < 0).any():
        raise ValueError(
            f"Column {column.name!r} holds gaps, which have no place in a picture; leave them out."
        )
    if not 0 < n <= _MOST_NAMES:
        raise ValueError(
            f"Column {column.name!r} has {n} categories; a picture shows 1 to {_MOST_NAMES} on an axis."
        )
    return Side(column, column.name, -0.5, n - 0.5)


def places_of(sides: Sequence[Side], table: Table) -> Floats:
    """Return where rows lie, one a row of the array; those at one place side by side around it.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"a": ["x", "x", "x", "x"], "b": [1.0, 1.0, 1.0, 2.0]})
    >>> places_of([side_of(table, 0), side_of(table, 1)], table)[:, 0].round(2).tolist()
    [-0.13, 0.0, 0.13, 0.0]
    """
    found = np.column_stack([np.asarray(values, dtype=np.float64) for values in table.values])
    names = [i for i, side in enumerate(sides) if not side.is_numbers]
    if not names or not len(found):
        return found
    keys = found.copy()
    for i, side in enumerate(sides):
        if side.is_numbers:  # numbers that could not be told apart on the page
            keys[:, i] = np.rint((keys[:, i] - side.low) / (side.high - side.low) * 60)
    _, group = np.unique(keys, axis=0, return_inverse=True)
    order = np.argsort(group, kind="stable")
    sizes = np.bincount(group)
    rank = np.empty(len(found), dtype=int)
    rank[order] = np.arange(len(found)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    n = sizes[group]
    across = np.ceil(np.sqrt(n)) if len(names) == 2 else n
    down = np.ceil(n / across)
    column, row = rank % across, rank // across
    for axis, place, most in ((names[0], column, across), (names[-1], row, down)):
        if axis == names[0] and place is row:
            continue
        step = np.minimum(0.13, 0.76 / np.maximum(most, 1))
        found[:, axis] += (place - (most - 1) / 2) * step
    return found
