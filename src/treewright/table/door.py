"""The door: whatever holds a table becomes a Table; what does not, is told what would."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any

import numpy as np

from treewright.base.numbers import count

from .frames import is_frame, is_series
from .read import read
from .schema import Column, Schema
from .table import Table

TAKEN = (
    "a treewright.Table, a pandas or polars frame, an Arrow table, a dict of columns, a list of dicts, "
    "a NumPy array of rows and columns, or the path of a file"
)


def table_of(data: Any, like: Sequence[Column] = (), who: str = "This") -> Table:
    """Return a Table of whatever holds one: a frame, Arrow, a dict, a list of dicts, an array, a path.

    `like`: the columns of a model, in order. An array of as many columns takes their names, and a single row
    may be a dict of cells or a Series.

    >>> table_of({"Wind": ["Weak", "Strong"], "degrees": [21, 18]})
    Table(2 rows; Wind: nominal (2), degrees: numeric)
    >>> table_of([{"Wind": "Weak"}, {"Wind": "Strong", "degrees": 18}]).to_dict()
    {'Wind': ['Weak', 'Strong'], 'degrees': [None, 18.0]}
    >>> table_of(17)
    Traceback (most recent call last):
    TypeError: This takes a treewright.Table, a pandas or polars frame, an Arrow table, a dict of columns, ...
    """
    if isinstance(data, Table):
        return data
    if isinstance(data, (str, PathLike)):
        return read(data)
    if isinstance(data, Mapping):
        return _of_mapping(data)
    if hasattr(data, "collect_schema") and hasattr(data, "collect"):  # polars: a frame that is not read yet
        data = data.collect()
    if is_frame(data):
        return Table.from_frame(data)
    names = getattr(getattr(data, "dtype", None), "names", None)
    if names and np.ndim(data) == 0:  # a record
        return Table.from_dict({name: [data[name]] for name in names})
    if names:  # an array of records
        return Table.from_dict({name: data[name] for name in names})
    if is_series(data):
        return _of_series(data, like, who)
    if isinstance(data, (list, tuple)) and data and all(isinstance(row, Mapping) for row in data):
        return _of_records(data)
    if isinstance(data, (list, tuple)) or hasattr(data, "__array__") or hasattr(data, "toarray"):
        return _of_array(data, like)
    raise TypeError(f"{who} takes {TAKEN}, not {type(data).__name__}.")


def table_with_target(data: Any, target: Any, who: str = "grow") -> tuple[Table, str]:
    """Return a Table and the name of its target: a column by name or place, or one answer per row.

    >>> table_with_target([[1, "a"], [2, "b"]], -1)
    (Table(2 rows; x0: numeric, x1: nominal (2)), 'x1')
    >>> table_with_target({"x": [1, 2]}, ["a", "b"])
    (Table(2 rows; x: numeric, target: nominal (2)), 'target')
    """
    table = table_of(data, who=who)
    if isinstance(target, str):
        return table, target
    if isinstance(target, (int, np.integer)) and not isinstance(target, bool):
        if not -table.n_columns <= target < table.n_columns:
            raise ValueError(
                f"target={target!r} is the place of a column; the table has {table.n_columns}, from 0 to "
                f"{table.n_columns - 1} (-1 is the last)."
            )
        return table, table.names[int(target)]
    return _with_answers(table, target)


def _with_answers(table: Table, answers: Any) -> tuple[Table, str]:
    """Return the table with a column of answers, as in `fit(X, y)` of other libraries."""
    added = _answers(answers)
    name = added.names[0]
    if name in table.schema:
        raise ValueError(
            f"The table has a column {name!r} already, and the answers have the same name. Give the name "
            f"alone, target={name!r}, or leave the column out of the table."
        )
    if added.n_rows != table.n_rows:
        raise ValueError(f"There are {added.n_rows} answers for {table.n_rows} rows; give one per row.")
    return Table(Schema((*table.schema.columns, *added.schema.columns)), (*table.values, *added.values)), name


def _answers(answers: Any) -> Table:
    """Return answers as a table of one column; they may come as a frame or an array of one, too."""
    if is_frame(answers) and (found := table_of(answers)).n_columns == 1:
        return found
    if isinstance(answers, np.ndarray) and answers.ndim == 2 and answers.shape[1] == 1:
        answers = answers[:, 0]
    is_column = is_series(answers) or isinstance(answers, (list, tuple)) or np.ndim(answers) == 1
    if answers is None or not is_column:
        words = repr(answers) if answers is None or np.ndim(answers) == 0 else f"a {type(answers).__name__}"
        raise TypeError(f"target={words:.60} is no column: give its name, its place, or one answer per row.")
    given = getattr(answers, "name", None)
    return Table.from_dict({given if isinstance(given, str) and given else "target": answers})


def _of_mapping(data: Mapping[Any, Any]) -> Table:
    """Return the table of a dict of columns, or of one row: a dict of cells."""
    if data and not any(_is_column(cells) for cells in data.values()):
        return _of_records([data])
    return Table.from_dict(data)


def _is_column(cells: Any) -> bool:
    return hasattr(cells, "__iter__") and not isinstance(cells, (str, bytes))


def _of_records(rows: Sequence[Mapping[Any, Any]]) -> Table:
    names = dict.fromkeys(str(name) for row in rows for name in row)
    plain = [{str(name): cell for name, cell in row.items()} for row in rows]
    return Table.from_dict({name: [row.get(name) for row in plain] for name in names})


def _of_series(series: Any, like: Sequence[Column], who: str) -> Table:
    """Return one row, labelled by the names of columns; a bare column is refused."""
    labels = [str(label) for label in getattr(series, "index", ())] if hasattr(series, "items") else []
    if like and set(labels) & {column.name for column in like}:
        return Table.from_dict({label: [cell] for label, cell in zip(labels, series.tolist(), strict=True)})
    raise TypeError(f"{who} takes {TAKEN}; a {type(series).__name__} is one column. Use its .to_frame().")


def _of_array(data: Any, like: Sequence[Column]) -> Table:
    """Return the table of an array; one with as many columns as a model takes its names."""
    if isinstance(data, (list, tuple)):
        width = len(data[0]) if data and isinstance(data[0], (list, tuple, np.ndarray)) else 0
    else:
        data = np.asarray(data) if isinstance(data, np.matrix) else data
        width = int(np.shape(data)[1]) if np.ndim(data) == 2 else 0
    wanted = [column.name for column in like]
    if width == len(wanted) > 0:
        return Table.from_arrays(data, wanted)
    table = Table.from_arrays(data)
    if any(name not in table.schema for name in wanted):
        shown = ", ".join(map(repr, wanted[:8])) + (" ..." if len(wanted) > 8 else "")
        raise ValueError(
            f"The array has {count(width, 'column')}; the model was grown on {len(wanted)}: {shown}. "
            "Give these, in this order, or a frame with names."
        )
    return table
