"""The training rows once more: whoever asks about them must bring the same ones, in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.forest.draws import fingerprint
from treewright.forest.forest import Forest
from treewright.forest.walker import table_for
from treewright.growth.checks import any_gap
from treewright.route.route import readable
from treewright.table import Rows, Table, align, coded
from treewright.table.rows import check_weights
from treewright.tree.policy import gap_policy

Floats = NDArray[np.float64]


class Training(NamedTuple):
    """The rows a forest was grown on, in its own codes and as the core reads them."""

    rows: Rows
    grown_on: NDArray[np.bool_]  # which of the rows that were given they are

    @property
    def weights(self) -> Floats:
        """What each row counts."""
        return np.ones(self.rows.n_rows) if self.rows.weights is None else self.rows.weights


def training_of(forest: Forest, table: Table, weights: Any = None) -> Training:
    """Return the training table in the forest's codes; another table is refused."""
    table = table_for(forest, table)
    if forest.target.name not in table.schema:
        raise ValueError(f"The table has no column {forest.target.name!r}, which the forest predicts.")
    goal, answers = table.column(forest.target.name)
    if goal.kind != forest.target.kind or goal.categories != forest.target.categories:
        raise ValueError(
            f"Column {goal.name!r} is not the target the forest was grown on: its classes differ."
        )
    given = table.column(weights)[1] if isinstance(weights, str) else weights
    return training_of_columns(forest, align(table, forest.schema.columns), answers, given)


def training_of_columns(
    forest: Forest, columns: Sequence[NDArray[Any]], answers: NDArray[Any], weights: Any = None
) -> Training:
    """Return coded columns and answers as the forest's training rows, or refuse them."""
    n_rows = len(answers)
    counted = np.ones(n_rows) if weights is None else check_weights(weights, n_rows)
    cells = coded(forest.schema.columns, list(columns))
    grown_on = counted > 0
    if gap_policy(forest.about).drops_rows:
        grown_on &= ~any_gap(forest.schema, tuple(cells), n_rows)
    found = answers[grown_on]
    wanted = forest.about["n_rows"]
    if len(found) != wanted or fingerprint(found) != forest.about["rows"]:
        raise ValueError(
            f"These are not the rows the forest was grown on ({wanted} rows, in their order): "
            f"found {len(found)} rows{' with other answers' if len(found) == wanted else ''}. "
            "What is asked needs the training table, and its weights if there were some."
        )
    given = Rows(forest.schema, tuple(readable(forest.schema, cells)), forest.target, answers, counted)
    return Training(given if grown_on.all() else given.take(grown_on), grown_on)
