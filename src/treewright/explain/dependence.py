"""Partial dependence: what a model says on average when one column of all rows is set to a value.

Friedman, Greedy function approximation: a gradient boosting machine, Annals of Statistics 29 (2001), 8.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.draws import DEPENDENCE, row_draws
from treewright.base.lines import Words, aligned, harmless
from treewright.base.notebook import Shown
from treewright.base.numbers import number, percent
from treewright.table import Table, table_of

Floats = NDArray[np.float64]


@dataclass(frozen=True, repr=False)
class Dependence(Shown):
    """The mean answer by value of a column: one column per class, or one of numbers.

    `values` are numbers, or the categories in their order.

    >>> found = Dependence("x", (1.0, 2.0), (), np.array([[3.0], [4.0]]))
    >>> found.column, found.values
    ('x', (1.0, 2.0))
    """

    column: str
    values: tuple[Any, ...]
    classes: tuple[str, ...]
    means: Floats

    def in_short(self) -> str:
        """Return the column and how many of its values are tried.

        >>> Dependence("x", (1.0, 2.0), (), np.array([[3.0], [4.0]]))
        Dependence(x at 2 values)
        """
        return harmless(f"{self.column} at {len(self.values)} values")

    def __str__(self) -> str:
        shown = [number(value) if isinstance(value, float) else str(value) for value in self.values]
        columns = [Words(self.column, shown, "<" if any(isinstance(v, str) for v in self.values) else ">")]
        for place, name in enumerate(self.classes or ("mean",)):
            word = (lambda share: percent(share, 1)) if self.classes else number
            columns.append(Words(name, [word(value) for value in self.means[:, place].tolist()]))
        return "\n".join(aligned(columns))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the values and the mean answers as columns.

        >>> Dependence("x", (1.0, 2.0), (), np.array([[3.0], [4.0]])).to_dict()
        {'x': [1.0, 2.0], 'mean': [3.0, 4.0]}
        """
        names = self.classes or ("mean",)
        return {self.column: list(self.values)} | {
            name: self.means[:, place].tolist() for place, name in enumerate(names)
        }


def partial_dependence(
    model: Any, table: Any, column: str, *, points: int = 20, rows: int = 500, seed: int = 0
) -> Dependence:
    """Return the mean prediction of a model over rows of a table, with one column set to value after value.

    Numbers take `points` quantiles of the column, categories each its value. Of a large table `rows` rows
    are drawn.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "z": [5, 5, 6, 6], "y": [1.0, 1.0, 3.0, 3.0]})
    >>> found = partial_dependence(tw.forest.grow(table, target="y", n_trees=5, bootstrap=False), table, "x")
    >>> found.values[0], found.values[-1], bool(found.means[0, 0] <= found.means[-1, 0])
    (1.0, 4.0, True)
    """
    table = table_of(table, who="partial_dependence")
    about, values = table.column(column)
    kept = _drawn(table.n_rows, rows, seed)
    sample = table.take(kept)
    known = np.unique(values[np.isfinite(values)] if about.is_numeric else values[values >= 0])
    if not len(known):
        raise ValueError(f"Column {column!r} has no value in these rows, so nothing depends on it.")
    if about.is_numeric and len(known) > points:
        grid = np.unique(
            np.quantile(values[np.isfinite(values)], np.linspace(0, 1, points), method="nearest")
        )
    else:
        grid = known
    means = [_mean(model, sample, column, value) for value in grid]
    shown = grid.tolist() if about.is_numeric else [about.categories[code] for code in grid.tolist()]
    return Dependence(column, tuple(shown), tuple(model.classes), np.array(means))


def _drawn(n: int, most: int, seed: int) -> NDArray[np.int64]:
    """Return which rows are asked: all, or some that are drawn, in their order."""
    if n <= most:
        return np.arange(n)
    order = np.argsort(row_draws(seed, DEPENDENCE, 0, n), kind="stable")
    return np.sort(order[:most])


def _mean(model: Any, sample: Table, column: str, value: Any) -> Floats:
    arrays = [
        np.full(sample.n_rows, value, dtype=array.dtype) if about.name == column else array
        for about, array in zip(sample.schema.columns, sample.values, strict=True)
    ]
    changed = Table(sample.schema, tuple(arrays))
    if model.classes:
        return np.asarray(model.predict_proba(changed).mean(axis=0))
    return np.array([float(np.mean(model.predict(changed)))])
