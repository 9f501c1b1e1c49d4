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

    @classmethod
    def none(cls, target: Column, bias: float, loss: float = 0.0) -> Model:
        """Return the model without columns."""
        width = terms.model_width(target)
        bias = bias if target.is_numeric else 0.0
        return cls((), np.zeros((0, width)), np.full(width, bias), loss)


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
        """Return the columns without a gap that vary here, with mean 0 and spread 1."""
        share = self.weight / self.weight.sum()
        place, grid, mean, spread = [], [], [], []
        for i, column in self.columns.items():
            if not np.isfinite(column).all():
                continue
            largest = float(np.abs(column).max())
            if not 1e-100 < largest < 1e100:
                continue
            centre = float((share * column).sum())
            away = column - centre
            width = float(np.sqrt((share * away**2).sum()))
            if width > NARROW * largest:
                place.append(i)
                grid.append(away / width)
                mean.append(centre)
                spread.append(width)
        z = np.stack(grid, axis=1) if grid else np.zeros((self.n_rows, 0))
        return Scaled(np.array(place, dtype=np.int64), z, np.array(mean), np.array(spread), share)


class Scaled(NamedTuple):
    """Columns scaled in a node: places, values, and what scaled them."""

    place: NDArray[np.int64]
    z: Floats
    mean: Floats
    spread: Floats
    share: Floats  # of the weight, by row

    def most_telling(self, goals: Floats, most: int) -> Scaled:
        """Return the columns that go best with the goals (rows x goals, centred), at most so many."""
        if len(self.place) <= most:
            return self
        along = np.einsum("ij,ik->jk", self.z * self.share[:, None], goals)
        chosen = np.sort(np.argsort(-(along**2).sum(axis=1), kind="stable")[:most])
        return Scaled(
            self.place[chosen], self.z[:, chosen], self.mean[chosen], self.spread[chosen], self.share
        )

    def in_units(self, used: NDArray[np.int64], weights: Floats, bias: Floats) -> tuple[Floats, Floats]:
        """Return weights and bias for the columns as they are, from those for scaled ones."""
        own = weights / self.spread[used][:, None]
        return own, bias - np.einsum("j,jk->k", self.mean[used], own)
