"""Weights that belong to groups, and two columns counted against each other: what every measure sums over.

    table      yes  no         cells   weight  row  column
    Sunny        2   3                      2    0       0
    Overcast     4   0                      3    0       1
                                            4    1       0

Cells without weight are not there: 0 log 0 = 0, and two columns of a million labels each are no larger than
their rows. Many tables at once (leading axes) number their rows and columns through.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import choice
from treewright.measure.given import (
    GIVEN,
    MISSING,
    Codes,
    Floats,
    amounts,
    cells,
    check_size,
    check_totals,
    codes,
    column,
    gaps_refused,
    row_weights,
)


def sums(values: Floats, group: Codes, n_groups: int) -> Floats:
    """Return the sum of the values of each group.

    >>> sums(np.array([1.0, 2.0, 4.0]), np.array([0, 0, 1]), 2)
    array([3., 4.])
    """
    return np.asarray(np.bincount(group, values, n_groups), dtype=np.float64)


class Groups(NamedTuple):
    """Weights and the group of each; all groups have weight, or none is asked of them."""

    weight: Floats
    group: Codes
    n_groups: int

    def sums(self, values: Floats) -> Floats:
        """Return the sum of one value per weight, by group."""
        return sums(values, self.group, self.n_groups)

    @property
    def totals(self) -> Floats:
        """The weight of each group."""
        return self.sums(self.weight)

    @property
    def shares(self) -> Floats:
        """Each weight's share of its group."""
        return self.weight / self.totals[self.group]


class Distributions(NamedTuple):
    """Distributions along one axis, as groups, and the shape of the others."""

    groups: Groups
    shape: tuple[int, ...]


def distributions(
    p: Any, given: str | None, weights: Any, missing: str, axis: int, name: str = "p"
) -> Distributions:
    """Return what was given as distributions: numbers along an axis, or the labels of one column."""
    if given is not None:
        choice("given", given, GIVEN)
    choice("missing", missing, MISSING)
    found = cells(p, name)
    if given == "labels" or (given is None and found.dtype.kind not in "iuf"):
        return Distributions(Groups(*label_weights(p, weights, missing, name)), ())
    if weights is not None:
        raise ValueError(
            f"weights= is for a column of labels; {name} was taken as {given or 'counts or probabilities'}. "
            "Labels that are numbers are given with given='labels'."
        )
    return _flat(along(found, name, given, axis))


def along(found: NDArray[Any], name: str, given: str | None, axis: int) -> Floats:
    """Return checked counts or probabilities with the axis of the distribution last."""
    sizes = amounts(found, name, given)
    if not isinstance(axis, (int, np.integer)) or not -sizes.ndim <= axis < sizes.ndim:
        raise ValueError(f"axis={axis} is not an axis of {name}, which has {sizes.ndim}.")
    sizes = np.moveaxis(sizes, axis, -1)
    if not sizes.shape[-1]:
        raise ValueError(f"{name} has no outcomes along axis {axis}.")
    with np.errstate(over="ignore"):
        totals = sizes.sum(axis=-1)
    if not np.isfinite(totals).all():
        raise ValueError(f"{name} adds up to more than float64 can hold; scale it down.")
    check_totals(totals, name, given)
    return sizes


def _flat(sizes: Floats) -> Distributions:
    flat = sizes.reshape(-1, sizes.shape[-1])
    group, _ = kept = np.nonzero(flat)
    return Distributions(Groups(flat[kept], group.astype(np.int64), len(flat)), sizes.shape[:-1])


def label_weights(p: Any, weights: Any, missing: str, name: str) -> tuple[Floats, Codes, int]:
    """Return the weight of each label of a column, all in one group."""
    coded, n_labels = codes(column(p, name))
    sizes = row_weights(weights, len(coded))
    gaps = (coded < 0) & (sizes > 0)
    if gaps.any() and missing == "error":
        raise gaps_refused(name, int(gaps.sum()), len(coded), "missing='drop' or 'own_branch'")
    by_label = sums(sizes, coded + 1, n_labels + 1)  # the gaps first
    if missing != "own_branch":
        by_label = by_label[1:]  # shared out in proportion, gaps change nothing
    by_label = by_label[by_label > 0]
    if not len(by_label):
        raise ValueError(f"{name} holds gaps only: there is nothing to measure.")
    return by_label, np.zeros(len(by_label), dtype=np.int64), 1


# ---- two columns ---------------------------------------------------------------------------------------


class Joint(NamedTuple):
    """Tables of counts, branches x classes: the cells that have weight, and where they are."""

    weight: Floats
    row: Codes
    column: Codes
    table_of_row: Codes
    table_of_column: Codes
    shape: tuple[int, ...]  # of the tables

    @property
    def n_tables(self) -> int:
        """How many tables there are."""
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def in_rows(self) -> Groups:
        """The cells of each row: the classes in a branch."""
        return Groups(self.weight, self.row, len(self.table_of_row))

    @property
    def in_tables(self) -> Groups:
        """The cells of each table."""
        return Groups(self.weight, self.table_of_row[self.row], self.n_tables)

    @property
    def rows(self) -> Groups:
        """The weight of the branches of each table."""
        return _with_weight(self.in_rows.totals, self.table_of_row, self.n_tables)

    @property
    def columns(self) -> Groups:
        """The weight of the classes of each table."""
        totals = sums(self.weight, self.column, len(self.table_of_column))
        return _with_weight(totals, self.table_of_column, self.n_tables)

    def shaped(self, by_table: Floats) -> Any:
        """Return a number, or an array in the shape of the leading axes."""
        return shaped(by_table, self.shape)


def shaped(flat: Floats, shape: tuple[int, ...]) -> Any:
    """Return an array of this shape; a plain float where it has no axes."""
    return float(flat[0]) if shape == () else flat.reshape(shape)


def _with_weight(totals: Floats, group: Codes, n_groups: int) -> Groups:
    kept = totals > 0
    return Groups(totals[kept], group[kept], n_groups)


def joint(x: Any, y: Any, weights: Any, missing: str) -> Joint:
    """Return two columns counted against each other, or a table of counts as it is (y is None)."""
    choice("missing", missing, MISSING)
    if y is None:
        if weights is not None:
            raise ValueError("weights= is for two columns; a table of counts has its weights in it.")
        return _of_table(cells(x, "x"))
    return _of_columns(column(x, "x"), column(y, "y"), weights, missing)


def _of_table(found: NDArray[Any]) -> Joint:
    if found.ndim < 2:
        raise ValueError(
            f"One column of {len(found)} cells was given; give two, (x, y), or a table of counts: "
            "branches as rows, classes as columns."
        )
    sizes = amounts(found, "x")
    *lead, b, k = sizes.shape
    flat = sizes.reshape(math.prod(lead), b, k)
    with np.errstate(over="ignore"):
        totals = sizes.sum(axis=(-1, -2))
    check_totals(totals, "x", None)
    if totals.size:
        check_size(np.array([totals.min()]), "The smallest table")
        check_size(np.array([totals.max()]), "The largest table")
    table, row, place = kept = np.nonzero(flat)
    of_row = np.repeat(np.arange(len(flat), dtype=np.int64), b)
    of_column = np.repeat(np.arange(len(flat), dtype=np.int64), k)
    return Joint(flat[kept], table * b + row, table * k + place, of_row, of_column, tuple(lead))


def _of_columns(x: NDArray[Any], y: NDArray[Any], weights: Any, missing: str) -> Joint:
    if len(x) != len(y):
        raise ValueError(f"x has {len(x)} rows and y has {len(y)}; two columns of a table are equally long.")
    (row, b), (place, k) = codes(x), codes(y)
    sizes = row_weights(weights, len(x))
    counts = sizes > 0
    for name, coded in (("x", row), ("y", place)):
        gaps = int(((coded < 0) & counts).sum())
        if gaps and missing == "error":
            others = "missing='drop', 'own_branch' or 'fractional'"
            raise gaps_refused(name, gaps, len(x), others)
    if missing == "own_branch":
        row, place, b, k = np.where(row < 0, b, row), np.where(place < 0, k, place), b + 1, k + 1
    known = counts & (row >= 0) & (place >= 0)
    if not known.any():
        raise ValueError("No row has both x and y: there is nothing to measure.")
    pairs, inverse = np.unique(row[known] * k + place[known], return_inverse=True)
    table = _single(sums(sizes[known], inverse, len(pairs)), pairs, b, k)
    if missing == "fractional" and not known[counts].all():
        return _shared_out(table, row[counts], place[counts], sizes[counts])
    return table


def _single(weight: Floats, pairs: Codes, b: int, k: int) -> Joint:
    zeros = np.zeros(max(b, k), dtype=np.int64)
    return Joint(weight, pairs // k, pairs % k, zeros[:b], zeros[:k], ())


def _shared_out(known: Joint, row: Codes, place: Codes, sizes: Floats) -> Joint:
    """Return the table with the rows that have a gap divided among its cells, as the known rows are divided.

    A gap in x goes to the branches by their weight, one in y to the classes by theirs, one in both to the
    cells by theirs.
    """
    b, k = len(known.table_of_row), len(known.table_of_column)
    total = known.weight.sum()
    in_row = known.in_rows.totals / total
    in_class = sums(known.weight, known.column, k) / total
    only_x, only_y = (row < 0) & (place >= 0), (row >= 0) & (place < 0)
    gap_x = sums(sizes[only_x], place[only_x], k)
    gap_y = sums(sizes[only_y], row[only_y], b)
    both = sizes[(row < 0) & (place < 0)].sum()
    classes, branches = np.flatnonzero(gap_x), np.flatnonzero(gap_y)
    weight = [known.weight * (1 + both / total)]
    weight += [np.outer(in_row, gap_x[classes]).ravel(), np.outer(gap_y[branches], in_class).ravel()]
    pairs = [known.row * k + known.column]
    pairs += [
        np.add.outer(np.arange(b) * k, classes).ravel(),
        np.add.outer(branches * k, np.arange(k)).ravel(),
    ]
    found, inverse = np.unique(np.concatenate(pairs), return_inverse=True)
    filled = sums(np.concatenate(weight), inverse, len(found))
    kept = filled > 0
    return _single(filled[kept], found[kept], b, k)
