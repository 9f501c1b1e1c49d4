"""A model of one node, and the rows it is fitted on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.table import Column
from treewright.tree import terms

Floats = NDArray[np.float64]
NARROW = 1e-9  # of its largest value: a column that spreads less is constant


class Model(NamedTuple):
    """bias + weights x columns, in the units of the table, and what it costs on the rows it was fitted on.

    Without columns it is the node's own answer. For classes there is a sum for each class but the first.
    """

    columns: tuple[int, ...]
    weights: Floats  # columns x sums
    bias: Floats
    loss: float
    gaps: Floats  # columns x sums: what a missing value adds; NaN where there was none

    @classmethod
    def none(cls, target: Column, bias: float, loss: float = 0.0) -> Model:
        """Return the model without columns."""
        width = terms.model_width(target)
        bias = bias if target.is_numeric else 0.0
        return cls((), np.zeros((0, width)), np.full(width, bias), loss, np.zeros((0, width)))


class NodeRows(NamedTuple):
    """The rows of a node: its columns with an order by place, the answers and the weights."""

    columns: dict[int, Floats]
    answers: NDArray[Any]
    weight: Floats

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.answers)

    def scaled(self) -> Scaled:
        """Return the columns that vary here, with mean 0 and spread 1.

        Of a column with gaps there are two: its values, with the mean in place of gaps, and 1 at gaps.
        """
        share = self.weight / self.weight.sum()
        found: list[_Feature] = []
        for i, column in self.columns.items():
            is_missing = np.isnan(column)
            if np.isinf(column).any() or is_missing.all():
                continue
            if is_missing.any():
                centre = float((share * np.where(is_missing, 0.0, column)).sum() / share[~is_missing].sum())
                found += _feature(i, np.where(is_missing, centre, column), share, centre)
                found += _feature(i, is_missing.astype(np.float64), share, np.nan, is_gap=True)
            else:
                found += _feature(i, column, share, np.nan)
        z = np.stack([f.z for f in found], axis=1) if found else np.zeros((self.n_rows, 0))
        return Scaled(
            np.array([f.place for f in found], dtype=np.int64),
            z,
            np.array([f.mean for f in found]),
            np.array([f.spread for f in found]),
            share,
            np.array([f.fill for f in found]),
            np.array([f.is_gap for f in found], dtype=bool),
        )


class _Feature(NamedTuple):
    place: int
    z: Floats
    mean: float
    spread: float
    fill: float  # what a gap counts as; NaN where there is none
    is_gap: bool


def _feature(place: int, column: Floats, share: Floats, fill: float, is_gap: bool = False) -> list[_Feature]:
    """Return a column scaled; nothing where it does not vary."""
    largest = float(np.abs(column).max())
    if not 1e-100 < largest < 1e100:
        return []
    centre = float((share * column).sum())
    away = column - centre
    width = float(np.sqrt((share * away**2).sum()))
    return [_Feature(place, away / width, centre, width, fill, is_gap)] if width > NARROW * largest else []


class Scaled(NamedTuple):
    """Columns scaled in a node: places, values, and what scaled them."""

    place: NDArray[np.int64]
    z: Floats
    mean: Floats
    spread: Floats
    share: Floats  # of the weight, by row
    fill: Floats  # what a gap counts as; NaN where there is none
    is_gap: NDArray[np.bool_]  # of columns that are 1 where a value is missing

    def most_telling(self, goals: Floats, most: int) -> Scaled:
        """Return the columns that go best with the goals (rows x goals, centred), at most so many."""
        if len(self.place) <= most:
            return self
        along = np.einsum("ij,ik->jk", self.z * self.share[:, None], goals)
        chosen = np.sort(np.argsort(-(along**2).sum(axis=1), kind="stable")[:most])
        return Scaled(
            self.place[chosen],
            self.z[:, chosen],
            self.mean[chosen],
            self.spread[chosen],
            self.share,
            self.fill[chosen],
            self.is_gap[chosen],
        )

    def in_units(self, used: NDArray[np.int64], weights: Floats, bias: Floats) -> Terms:
        """Return weights and bias for the columns as they are, from those for scaled ones."""
        own = weights / self.spread[used][:, None]
        bias = bias - np.einsum("j,jk->k", self.mean[used], own)
        columns = np.unique(self.place[used])
        row = np.searchsorted(columns, self.place[used])
        found = Terms(
            columns,
            np.zeros((len(columns), own.shape[1])),
            bias,
            np.full((len(columns), own.shape[1]), np.nan),
        )
        for j, i in enumerate(row.tolist()):
            held = found.gaps[i]
            added = own[j] if self.is_gap[used[j]] else own[j] * self.fill[used[j]]
            if not self.is_gap[used[j]]:
                found.weights[i] = own[j]
            if np.isfinite(added).all():
                found.gaps[i] = np.where(np.isnan(held), 0.0, held) + added
        return found


class Terms(NamedTuple):
    """A model in the units of the table: columns, their weights, the bias, and what gaps add."""

    columns: NDArray[np.int64]
    weights: Floats
    bias: Floats
    gaps: Floats

    def of(self, rows: NodeRows) -> Floats:
        """Return what the sums come to in rows, added up as prediction adds."""
        total = np.tile(self.bias, (rows.n_rows, 1))
        for i, column in enumerate(self.columns.tolist()):
            values = rows.columns[column][:, None]
            total = total + np.where(np.isnan(values), self.gaps[i], values * self.weights[i])
        return total

    @property
    def is_finite(self) -> bool:
        """True where all numbers are finite, but for gaps that nothing is said of."""
        numbers = (self.weights, self.bias, self.gaps[~np.isnan(self.gaps)])
        return all(bool(np.isfinite(x).all()) for x in numbers)
