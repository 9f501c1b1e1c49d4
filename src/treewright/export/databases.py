"""SQL run by the databases themselves: DuckDB and SQLite in this process, PostgreSQL where one answers."""

from __future__ import annotations

import math
import os
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from treewright.export.calculate import calculation_of
from treewright.export.cells import Cells, is_number
from treewright.export.format import Answers, Job, MissingToolError
from treewright.table import Column, Kind
from treewright.table.sql import literal, moment, quoted

_TABLE, _ORDER = "rows to answer", "number of the row"
_ROWS = 500  # in one INSERT
_MOMENTS = {Kind.date: "TIMESTAMP", Kind.time: "TIME"}
_FIRST, _LAST = -719162.0, 2932896.0  # 0001-01-01 and 9999-12-31 in days since 1970

Execute = Callable[[str], list[tuple[Any, ...]]]


def representable(cells: Cells, options: Mapping[str, Any]) -> Cells:  # noqa: ARG001 (all formats are asked so)
    """Return rows as a database holds them: moments to the step of their column, in the years it has.

    MySQL has no endless number; of all others a number is the double that it is.

    >>> import treewright as tw
    >>> column = tw.table.Column("day", tw.table.Kind.date)
    >>> representable(Cells((column,), ([17920.5, 1e308],)), {}).values
    ([17920.0, None],)
    """
    found = [
        [_held(column, cell) for cell in values] if _is_moment(column) else values
        for column, values in zip(cells.columns, cells.values, strict=True)
    ]
    return Cells(cells.columns, tuple(found))


def _is_moment(column: Column) -> bool:
    return column.notation is not None and column.notation.kind in _MOMENTS


def _held(column: Column, cell: float | None) -> float | None:
    is_clock = column.notation is not None and column.notation.kind is Kind.time
    low, high = (0.0, 1.0) if is_clock else (_FIRST, _LAST)
    if cell is None or not low <= cell < high or column.notation is None:
        return None
    floor = float(column.notation.floor(cell))
    return floor if floor >= low else None


def answers(jobs: Sequence[Job]) -> list[Answers]:
    """Return what the database of each job's dialect answers; without one it is DuckDB."""
    return [_answered(job) for job in jobs]


def _answered(job: Job) -> Answers:
    dialect = job.options.get("dialect") or "duckdb"
    if dialect not in _RUNNING:
        raise ValueError(
            f"There is no {dialect!r} here to run SQL. The dialects that are run: {', '.join(_RUNNING)}."
        )
    calculation = calculation_of(job.model)
    rows = _RUNNING[dialect](lambda execute: _answers_in(execute, job, dialect))
    labels = [row[0] for row in rows]
    if not calculation.classes:
        labels = [None if label is None else float(label) for label in labels]
    refused = np.array([label is None for label in labels])
    width = len(calculation.chances)
    chances = [[np.nan if p is None else float(p) for p in row[1 : 1 + width]] for row in rows]
    leaves = None
    if calculation.leaf is not None:
        leaves = np.array([-1 if row[-1] is None else int(row[-1]) for row in rows])
    return Answers(labels, np.array(chances) if width else None, leaves, refused)


def _answers_in(execute: Execute, job: Job, dialect: str) -> list[tuple[Any, ...]]:
    types = [quoted(_ORDER, dialect) + " INTEGER"]
    types += [f"{quoted(c.name, dialect)} {_type(c, dialect)}" for c in job.cells.columns]
    execute(f"CREATE TEMPORARY TABLE {quoted(_TABLE, dialect)} ({', '.join(types)})")
    columns = job.cells.columns
    for first in range(0, job.cells.n_rows, _ROWS):
        rows = []
        for i in range(first, min(first + _ROWS, job.cells.n_rows)):
            row = zip(columns, job.cells.row(i), strict=True)
            rows.append(f"({i}, {', '.join(_cell(column, cell, dialect) for column, cell in row)})")
        execute(f"INSERT INTO {quoted(_TABLE, dialect)} VALUES {', '.join(rows)}")
    wanted = {"answer": "all", "table": _TABLE}
    order = quoted(_ORDER, dialect)
    found = execute(f"{job.write(**wanted)}\nORDER BY {order}")  # type: ignore[str-bytes-safe]
    return [row[1 + len(columns) :] for row in found]


def _type(column: Column, dialect: str) -> str:
    if not is_number(column):
        return "TEXT"
    if not _is_moment(column) or column.notation is None:
        return "DOUBLE PRECISION" if dialect != "duckdb" else "DOUBLE"
    return "TEXT" if dialect == "sqlite" else _MOMENTS[column.notation.kind]


def _cell(column: Column, cell: Any, dialect: str) -> str:
    if cell is None or not is_number(column):
        return literal(cell, dialect)
    if _is_moment(column) and column.notation is not None:
        return moment(column.text_of(cell), column.notation.kind.value, dialect)
    return literal(-0.0 if cell == 0 and math.copysign(1, cell) < 0 else cell, dialect)


# ---- where it is run -----------------------------------------------------------------------------------


def _in_duckdb(work: Callable[[Execute], list[Any]]) -> list[Any]:
    import duckdb

    connection = duckdb.connect()
    try:
        return work(lambda sql: connection.execute(sql).fetchall())
    finally:
        connection.close()


def _in_sqlite(work: Callable[[Execute], list[Any]]) -> list[Any]:
    connection = sqlite3.connect(":memory:")
    try:
        return work(lambda sql: connection.execute(sql).fetchall())
    finally:
        connection.close()


def _in_postgres(work: Callable[[Execute], list[Any]]) -> list[Any]:
    """Run in the PostgreSQL that the environment names, as for `psql`: PGHOST, PGUSER, ..."""
    try:
        import psycopg
    except ImportError:
        raise MissingToolError("psycopg", "psycopg", "python3-psycopg") from None
    if "PGHOST" not in os.environ:
        raise MissingToolError("postgres", "A PostgreSQL named by PGHOST", "postgresql")
    with psycopg.connect() as connection:

        def execute(sql: str) -> list[tuple[Any, ...]]:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

        found = work(execute)
        connection.rollback()
        return found


_RUNNING = {"duckdb": _in_duckdb, "sqlite": _in_sqlite, "postgres": _in_postgres, "ansi": _in_duckdb}
