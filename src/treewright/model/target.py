"""The column to predict as it is meant: classes or numbers, with rows that have an answer only."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, sentence
from treewright.base.data_warning import DataWarning, callers_level
from treewright.base.names import choice
from treewright.base.numbers import count
from treewright.table import Schema, Table, table_with_target, warn_of
from treewright.table.schema import Column
from treewright.table.suspects import parted

FEW = 10  # different whole numbers that are taken for names of classes
ROWS_EACH = 10  # rows that there must be for each of them


class Goal(NamedTuple):
    """A table with its target as it is to be predicted, and what was done about it, in words."""

    table: Table
    name: str
    notes: tuple[str, ...]
    left_out: tuple[str, ...] = ()  # columns

    @property
    def is_classifier(self) -> bool:
        """True for classes."""
        return not self.table.schema[self.name].is_numeric


def goal_of(data: Any, target: Any, task: str | None = None) -> Goal:
    """Return the table to learn from; few different whole numbers are classes unless `task` says "numbers".

    >>> goal = goal_of({"x": range(40), "y": [0, 1] * 20}, "y")
    >>> goal.is_classifier, goal.notes
    (True, ("y is taken as 2 classes; task='numbers' takes it as numbers.",))
    """
    if task is not None:
        choice("task", task, ("classes", "numbers"))
    table, name = table_with_target(data, target, "fit")
    table, n_gaps = rows_with_answers(table, name)
    column, values = table.column(name)
    notes = []
    if n_gaps:
        notes.append(f"{count(n_gaps, 'row')} without {name} {'is' if n_gaps == 1 else 'are'} left out.")
    if not column.is_numeric and task == "numbers":
        raise ValueError(
            f"The target {name!r} is {column.kind}, such as {column.categories[0]!r}; task='numbers' needs "
            "numbers. Leave it out, or read the column as numbers."
        )
    if column.is_numeric and (task == "classes" or (task is None and are_class_numbers(column, values))):
        table = as_classes(table, name)
        if task is None:
            n = len(table.schema[name].categories)
            notes.append(f"{name} is taken as {n} classes; task='numbers' takes it as numbers.")
    return Goal(table, name, tuple(notes))


def are_class_numbers(column: Column, values: NDArray[Any]) -> bool:
    """Return whether numbers look like names of classes: few different whole ones, each in some rows.

    >>> are_class_numbers(Column("y", "numeric"), np.array([0.0, 1.0] * 5))
    True
    """
    if not column.is_numeric:
        return False
    different = np.unique(values)
    is_few = len(different) == 2 or len(different) <= min(FEW, len(values) // ROWS_EACH)
    return is_few and bool((different == np.floor(different)).all())


def rows_with_answers(table: Table, name: str) -> tuple[Table, int]:
    """Return the rows that have a value in a column, and how many have none.

    >>> rows_with_answers(Table.from_dict({"x": [1, 2], "y": ["a", None]}), "y")
    (Table(1 row; x: numeric, y: nominal (1)), 1)
    """
    column, values = table.column(name)
    has_gap = np.isnan(values) if column.is_numeric else values < 0
    n_gaps = int(np.count_nonzero(has_gap))
    if n_gaps == table.n_rows:
        raise ValueError(f"The target {name!r} is missing in every row; choose another column.")
    return (table.take(~has_gap) if n_gaps else table), n_gaps


def as_classes(table: Table, name: str) -> Table:
    """Return a table in which a column of numbers is one of classes, each named by its number.

    >>> as_classes(Table.from_dict({"y": [1.0, 0.5, None]}), "y").labels("y").tolist()
    ['1', '0.5', None]
    """
    _, values = table.column(name)
    found, codes = Table.from_dict({name: values}, kinds={name: "nominal"}).column(name)
    place = table.schema.index(name)
    columns = [*table.schema.columns[:place], found, *table.schema.columns[place + 1 :]]
    return Table(Schema(tuple(columns)), (*table.values[:place], codes, *table.values[place + 1 :]))


def without_suspects(
    goal: Goal, keep: Iterable[str] | str, weights: Any, groups: Any = None, order: Any = None
) -> Goal:
    """Return the goal without columns that nothing can be learned from; a warning says it, once.

    >>> import warnings
    >>> goal = goal_of({"n": range(200), "x": [1, 2] * 100, "y": ["a", "b"] * 100}, "y")
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     without_suspects(goal, (), None).left_out
    ('n',)
    """
    named = [keep] if isinstance(keep, str) else list(keep)
    for name in named:
        goal.table.column(name)  # an unknown one is refused
    weighing = [one for one in (weights, groups, order) if isinstance(one, str)]
    certain, others = parted(goal.table, goal.name, [*named, *weighing])
    notes = list(goal.notes)
    if certain:
        listed = ", ".join(f"{finding.column} ({finding.what})" for finding in certain)
        names = [finding.column for finding in certain]
        uses = " uses it." if len(names) == 1 else " uses them."
        notes.append(sentence(f"Left out: {listed}; ", ask("keep", names), uses))
        warnings.warn(notes[-1], DataWarning, stacklevel=callers_level())
        goal = goal._replace(table=goal.table.drop(names))
    warn_of(others, stacklevel=callers_level() + 1)
    return goal._replace(notes=tuple(notes), left_out=tuple(finding.column for finding in certain))
