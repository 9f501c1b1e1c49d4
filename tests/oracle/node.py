"""The pieces of rows at a node. A piece is a row and the part of its weight that came here."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .criteria import answer_and_loss, class_weights
from .plain import is_missing, is_numeric, kind_of
from .settings import Settings

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class Study:
    """What every node of a growth looks at: table, target, settings. No classes: the target is numeric."""

    table: Any
    y: NDArray[Any]
    n_classes: int
    settings: Settings
    total_weight: float | None = None  # of all rows grown on; None: each row weighs one
    root_variance: float = 1.0  # of a numeric target, over all rows grown on

    @property
    def columns(self) -> tuple[Any, ...]:
        """The feature columns."""
        return tuple(self.table.schema.columns)


@dataclass(frozen=True)
class Pieces:
    """Rows and their weights at one node, and the columns that may not be tested (again) here."""

    rows: Rows
    weights: Floats
    used: frozenset[int] = frozenset()
    low: float = -np.inf  # what nodes below may say at least, and at most: monotone.py
    high: float = np.inf

    @property
    def weight(self) -> float:
        """The weight of the node."""
        return float(self.weights.sum())

    def part(self, mask: Bools) -> Pieces:
        """Return the pieces under a mask."""
        return replace(self, rows=self.rows[mask], weights=self.weights[mask])


def all_pieces(study: Study, weights: NDArray[Any] | None) -> Pieces:
    """Return the pieces of the root: every row, less those with gaps when the policy drops them."""
    n_rows = len(study.y)
    rows = np.arange(n_rows)
    full = np.ones(n_rows) if weights is None else np.asarray(weights, dtype=np.float64)
    if study.settings.missing in ("drop", "error"):
        gaps = np.zeros(n_rows, dtype=bool)
        for column, values in zip(study.columns, study.table.values, strict=True):
            gaps |= is_missing(column, values)
        if study.settings.missing == "error" and gaps.any():
            raise ValueError("The table has missing values and the policy is 'error'.")
        rows = rows[~gaps]
    return Pieces(rows, full[rows])


def values_at(study: Study, pieces: Pieces, column: int) -> NDArray[Any]:
    """Return a column's values for the pieces."""
    values: NDArray[Any] = study.table.values[column][pieces.rows]
    return values


def gaps_at(study: Study, pieces: Pieces, column: int) -> Bools:
    """Return which pieces have no value in a column."""
    return is_missing(study.columns[column], values_at(study, pieces, column))


def stats_of(study: Study, pieces: Pieces) -> Floats:
    """Return class weights, or (weight, answer, loss) of a numeric target: mean and squares by default."""
    y = study.y[pieces.rows]
    if study.n_classes:
        return class_weights(y, pieces.weights, study.n_classes)
    total = pieces.weight
    if not total > 0:
        return np.array([total, np.nan, 0.0])
    return np.array([total, *answer_and_loss(study.settings.criterion, y, pieces.weights)])


def variance_of(study: Study, pieces: Pieces) -> float:
    """Return the variance of a numeric target; 1 for classes, and of nothing."""
    if study.n_classes or not pieces.weight > 0:
        return 1.0
    y = study.y[pieces.rows]
    mean = float(np.average(y, weights=pieces.weights))
    return float(np.average((y - mean) ** 2, weights=pieces.weights))


def size_of(study: Study, pieces: Pieces) -> float:
    """Return the size of a node or branch as limits measure it: rows, or weight where rows are divided."""
    return pieces.weight if study.settings.sized_by_weight else float(len(pieces.rows))


def is_pure(study: Study, pieces: Pieces) -> bool:
    """Say whether there is nothing left to separate."""
    return len(np.unique(study.y[pieces.rows[pieces.weights > 0]])) <= 1


def common_value(study: Study, pieces: Pieces, column: int) -> float | None:
    """Return the category of most weight (first on ties) or the lower weighted median; None of nothing."""
    known = pieces.part(~gaps_at(study, pieces, column))
    values = values_at(study, known, column)
    if len(values) == 0:
        return None
    by_rank = kind_of(study.columns[column]) == "ordinal" and study.settings.ordinal_median
    if not is_numeric(study.columns[column]) and not by_rank:
        return float(np.argmax(np.bincount(values, weights=known.weights)))
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(known.weights[order])
    return float(values[order][np.searchsorted(reached, 0.5 * reached[-1] * (1 - 1e-12))])
