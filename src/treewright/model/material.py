"""What a model is made of: a table with its target, checked, and which of its rows hang together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.numbers import count
from treewright.evaluate.parts import names_among
from treewright.model.again import Again
from treewright.model.target import Goal, goal_of, without_suspects
from treewright.prune.dealing import check_not_target, units_by_name
from treewright.table import Rows, Table
from treewright.table.rows import row_weights

Ints = NDArray[np.int64]


class Material(NamedTuple):
    """A table to learn from without the columns that are no features, and what says how it was prepared.

    >>> import treewright as tw
    >>> found = Material.of(tw.example("tennis"), "PlayTennis", groups="Outlook")
    >>> found.table.names, found.units["groups"][:4].tolist()
    (('Temperature', 'Humidity', 'Wind', 'PlayTennis'), [0, 0, 1, 2])
    """

    whole: Goal  # with all columns
    goal: Goal
    table: Table  # without the columns of groups or order
    units: Mapping[str, Ints]  # groups or order, one number per row
    named: Mapping[str, Any]  # as they were given
    target: Any
    task: str | None
    keep: Any

    @classmethod
    def of(
        cls,
        data: Any,
        target: Any,
        task: str | None = None,
        keep: Iterable[str] | str = (),
        weights: Any = None,
        groups: Any = None,
        order: Any = None,
    ) -> Material:
        """Return what was given, checked: `tw.fit` and `tw.tune` begin so."""
        whole = goal_of(data, target, task)
        check_not_target(whole.name, groups, order)
        goal = without_suspects(whole, keep, weights, groups, order)
        units = units_by_name(goal.table, groups, order)
        _check_counted(goal.table, weights, units)
        table = goal.table.drop(names_among(groups, order))
        return cls(whole, goal, table, units, {"groups": groups, "order": order}, target, task, keep)

    def again(self, test: Any = None) -> Again:
        """Return what the call that grows the tree again begins with.

        >>> import treewright as tw
        >>> Material.of(tw.example("tennis"), "PlayTennis").again().target
        "'PlayTennis'"
        """
        return Again.of(self.whole, self.goal, self.target, self.task, test, self.keep, self.named)


def _check_counted(table: Table, weights: Any, units: Mapping[str, Ints]) -> None:
    """Refuse groups or times of which all but one hold rows of weight 0, which are no rows."""
    counted = row_weights(table, weights)
    if counted is None or not counted.any():
        return
    for name, unit in units.items():
        if len(np.unique(unit[counted > 0])) < 2:
            what = "time" if name == "order" else "group"
            raise ValueError(
                f"{name}= has only one {what} whose rows have a weight above 0; folds need at least two."
            )


def rows_to_choose_on(table: Table, target: str, weights: Any, least: int) -> Rows:
    """Return coded rows; an error where there are too few for folds.

    >>> import treewright as tw
    >>> rows_to_choose_on(tw.Table.from_dict({"x": [1.0], "y": ["a"]}), "y", None, 2)
    Traceback (most recent call last):
    ValueError: The table has 1 row with an answer; a choice needs at least 2.
    """
    rows = Rows.of(table, target, weights)
    n = rows.n_rows if rows.weights is None else int(np.count_nonzero(rows.weights))
    if n < least and (n or not rows.n_rows):
        had = "an answer" if rows.weights is None else "an answer and a weight above 0"
        raise ValueError(f"The table has {count(n, 'row')} with {had}; a choice needs at least {least}.")
    return rows
