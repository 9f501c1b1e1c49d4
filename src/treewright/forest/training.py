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
from treewright.table import Table, align, coded
from treewright.table.rows import check_weights

Floats = NDArray[np.float64]


class TrainingRows(NamedTuple):
    """TrainingRows in the forest's own codes, their answers, and which of them it was grown on."""

    cells: list[NDArray[Any]]
    answers: NDArray[Any]
    weights: Floats
    grown_on: NDArray[np.bool_]

    def trained(self) -> TrainingRows:
        """Return the rows the forest was grown on alone."""
        if self.grown_on.all():
            return self
        on = self.grown_on
        return TrainingRows([column[on] for column in self.cells], self.answers[on], self.weights[on], on[on])


def rows_of(forest: Forest, table: Table, weights: Any = None) -> TrainingRows:
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
    return rows_of_columns(forest, align(table, forest.schema.columns), answers, given)


def rows_of_columns(
    forest: Forest, columns: Sequence[NDArray[Any]], answers: NDArray[Any], weights: Any = None
) -> TrainingRows:
    """Return coded columns and answers as the forest's training rows, or refuse them."""
    n_rows = len(answers)
    counted = np.ones(n_rows) if weights is None else check_weights(weights, n_rows)
    cells = coded(forest.schema.columns, list(columns))
    grown_on = counted > 0
    if forest.about.get("missing") == "drop":
        grown_on &= ~any_gap(forest.schema, tuple(cells), n_rows)
    found = answers[grown_on]
    wanted = forest.about["n_rows"]
    if len(found) != wanted or fingerprint(found) != forest.about["rows"]:
        raise ValueError(
            f"These are not the rows the forest was grown on ({wanted} rows, in their order): "
            f"found {len(found)} rows{' with other answers' if len(found) == wanted else ''}. "
            "What is asked needs the training table, and its weights if there were some."
        )
    return TrainingRows(readable(forest.schema, cells), answers, counted, grown_on)
