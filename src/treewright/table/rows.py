"""Rows to learn from: coded columns, a coded target, a weight each; and what is said of the classes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import harmless

from .schema import Column, Schema
from .table import Table

Floats = NDArray[np.float64]
Some = TypeVar("Some", bound="Rows")


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows in the codes of a schema, with the answers to learn; `weights` None: every row counts 1.

    >>> import treewright as tw
    >>> rows = Rows.of(tw.example("tennis"), "PlayTennis")
    >>> rows.n_rows, rows.schema.names, rows.answers[:4].tolist()  # the class "Yes" comes first
    (14, ('Outlook', 'Temperature', 'Humidity', 'Wind'), [1, 1, 0, 0])
    """

    schema: Schema
    columns: tuple[NDArray[Any], ...]
    target: Column
    answers: NDArray[Any]
    weights: Floats | None = None

    @classmethod
    def of(cls, table: Table, target: str, weights: Any = None) -> Rows:
        """Return the rows of a table; `weights` is one number per row, or the name of a column.

        >>> import treewright as tw
        >>> Rows.of(tw.Table.from_dict({"x": [1, 2], "w": [3, 4], "y": ["a", "b"]}), "y", "w").weights
        array([3., 4.])
        """
        goal, answers = table.column(target)
        named = [weights] if isinstance(weights, str) else []
        if table.n_columns == 1 + sum(name in table.names for name in named):
            raise ValueError(
                f"The table has no column but the target {target!r}; add columns to predict it from."
            )
        counted, features = row_weights(table, weights), table.drop([target, *named])
        return cls(features.schema, features.values, goal, answers, counted)

    def __repr__(self) -> str:
        kind = type(self).__name__
        return harmless(f"{kind}({self.n_rows} rows of {len(self.schema)} columns, for {self.target.name})")

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.answers)

    @property
    def is_classifier(self) -> bool:
        """True when the target has classes."""
        return not self.target.is_numeric

    def take(self: Some, rows: NDArray[Any]) -> Some:
        """Return some rows: by number, which may be repeated, or by a mask.

        >>> import treewright as tw
        >>> Rows.of(tw.example("tennis"), "PlayTennis").take(np.array([2, 2])).answers.tolist()
        [0, 0]
        """
        weights = None if self.weights is None else self.weights[rows]
        columns = tuple(column[rows] for column in self.columns)
        return replace(self, columns=columns, answers=self.answers[rows], weights=weights)

    def all_but(self: Some, rows: NDArray[Any]) -> Some:
        """Return the rows with other numbers than these.

        >>> import treewright as tw
        >>> Rows.of(tw.example("tennis"), "PlayTennis").all_but(np.arange(1, 14)).answers
        array([1], dtype=int32)
        """
        is_left = np.ones(self.n_rows, dtype=bool)
        is_left[rows] = False
        return self.take(np.flatnonzero(is_left))

    def weighing(self: Some, weights: Floats | None) -> Some:
        """Return the same rows with other weights.

        >>> import treewright as tw
        >>> Rows.of(tw.example("tennis"), "PlayTennis").weighing(np.ones(14)).weights[:2]
        array([1., 1.])
        """
        return replace(self, weights=weights)


@dataclass(frozen=True, eq=False)
class ClassTerms:
    """What is said of the classes: `class_weight` ("balanced" or by class), `priors`, `costs` of mistakes.

    >>> ClassTerms().is_empty, ClassTerms(priors=[0.5, 0.5]).is_empty
    (True, False)
    """

    class_weight: Any = None
    priors: Any = None
    costs: Any = None

    @property
    def is_empty(self) -> bool:
        """True when nothing is said."""
        return all(said is None for said in (self.class_weight, self.priors, self.costs))

    def without_weight(self) -> ClassTerms:
        """Return the same for rows whose weights have the class's in them already.

        >>> ClassTerms(class_weight="balanced", priors=[0.5, 0.5]).without_weight()
        ClassTerms(class_weight=None, priors=[0.5, 0.5], costs=None)
        """
        return replace(self, class_weight=None)


NO_TERMS = ClassTerms()


def row_weights(table: Table, weights: Any) -> Floats | None:
    """Return the weights of rows: given one by one, or as the name of a column; None: all count 1."""
    if weights is None:
        return None
    if not isinstance(weights, str):
        return check_weights(weights, table.n_rows)
    column, values = table.column(weights)
    if not column.is_numeric:
        raise ValueError(
            f"Column {weights!r} holds the weights but is {column.kind}; weights must be numbers."
        )
    return check_weights(values, table.n_rows)


def check_weights(weights: Any, n_rows: int) -> Floats:
    """Return row weights as float64: finite, not negative, one per row.

    >>> check_weights([1, 2], 2)
    array([1., 2.])
    """
    try:
        found = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as trouble:
        raise ValueError(f"The weights are not numbers: {trouble}.") from trouble
    if found.shape != (n_rows,):
        raise ValueError(
            f"There are weights of the shape {found.shape} for {n_rows} rows; give one number per row."
        )
    bad = ~np.isfinite(found) | (found < 0)
    if np.any(bad):
        row = int(np.flatnonzero(bad)[0])
        raise ValueError(f"The weight of row {row} is {found[row]}; weights must be finite and at least 0.")
    return found
