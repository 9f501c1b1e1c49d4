"""SQL run by the databases themselves: in this process, or where the environment says that one answers."""

from __future__ import annotations

import json
import math
import os
import sqlite3
import tempfile
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from itertools import compress
from typing import Any

import numpy as np

from treewright.export.calculate import calculation_of
from treewright.export.cells import Cells, is_number
from treewright.export.format import Answers, Job, MissingPackageError, MissingToolError
from treewright.table import Column, Kind
from treewright.table.sql import literal, moment, quoted

_TABLE, _ORDER = "rows_to_answer", "number_of_the_row"
_ROWS = 500  # in one INSERT
_MOMENTS = {Kind.date: "TIMESTAMP", Kind.time: "TIME"}
_FIRST, _LAST = -719162.0, 2932896.0  # 0001-01-01 and 9999-12-31 in days since 1970

Execute = Callable[[str], list[tuple[Any, ...]]]


def representable(cells: Cells, options: Mapping[str, Any]) -> Cells:
    """Return rows as a database holds them: moments to the step of their column, in the years it has.

    MySQL has no endless number; of all others a number is the double that it is.

    >>> import treewright as tw
    >>> column = tw.table.Column("day", tw.table.Kind.date)
    >>> representable(Cells((column,), ([17920.5, 1e308],)), {}).values
    ([17920.0, None],)
    """
    is_finite = options.get("dialect") == "mysql"
    found = []
    for column, values in zip(cells.columns, cells.values, strict=True):
        if _is_moment(column):
            found.append([_held(column, cell) for cell in values])
        elif is_finite and is_number(column):
            found.append([None if cell is not None and math.isinf(cell) else cell for cell in values])
        else:
            found.append(values)
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
    columns = job.cells.columns
    is_there = [bool(column.name) or dialect == "sqlite" for column in columns]  # others have no such names
    named = [column for column, is_kept in zip(columns, is_there, strict=True) if is_kept]
    types = [quoted(_ORDER, dialect) + " INTEGER"]
    types += [f"{quoted(c.name, dialect)} {_type(c, dialect)}" for c in named]
    temporary, engine = _CREATED.get(dialect, ("TEMPORARY TABLE", ""))
    execute(f"CREATE {temporary} {quoted(_TABLE, dialect)} ({', '.join(types)}){engine}")
    for first in range(0, job.cells.n_rows, _ROWS):
        rows = []
        for i in range(first, min(first + _ROWS, job.cells.n_rows)):
            row = compress(zip(columns, job.cells.row(i), strict=True), is_there)
            rows.append(f"({i}, {', '.join(_cell(column, cell, dialect) for column, cell in row)})")
        execute(f"INSERT INTO {quoted(_TABLE, dialect)} VALUES {', '.join(rows)}")
    wanted = {"answer": "all", "table": _TABLE}
    order = quoted(_ORDER, dialect)
    found = execute(f"{job.write(**wanted)}\nORDER BY {order}")  # type: ignore[str-bytes-safe]
    return [row[1 + len(named) :] for row in found]


# How tables are made, and the types of texts and numbers, where it is not as in the standard.
_CREATED = {"clickhouse": ("TEMPORARY TABLE", " ENGINE = Memory"), "spark": ("TABLE", " USING parquet")}
_TYPES = {
    "duckdb": ("TEXT", "DOUBLE"),
    "mysql": ("TEXT CHARACTER SET utf8mb4 COLLATE utf8mb4_bin", "DOUBLE"),
    "clickhouse": ("Nullable(String)", "Nullable(Float64)"),
    "spark": ("STRING", "DOUBLE"),
}
_OF_MOMENTS = {
    "sqlite": {},
    "clickhouse": {Kind.date: "Nullable(DateTime64(6))"},
    "mysql": {Kind.date: "DATETIME(6)", Kind.time: "TIME(6)"},
    "bigquery": {Kind.date: "DATETIME", Kind.time: "TIME"},
}


def _type(column: Column, dialect: str) -> str:
    words, numbers = _TYPES.get(dialect, ("TEXT", "DOUBLE PRECISION"))
    if not is_number(column):
        return words
    if not _is_moment(column) or column.notation is None:
        return numbers
    return _OF_MOMENTS.get(dialect, _MOMENTS).get(column.notation.kind, words)


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


def _in_mysql(work: Callable[[Execute], list[Any]]) -> list[Any]:
    """Run in the MySQL or MariaDB that the environment names: MYSQL_UNIX_PORT or MYSQL_HOST, MYSQL_PWD."""
    try:
        import pymysql
    except ImportError:
        raise MissingPackageError("pymysql", "mysql") from None
    where = {"unix_socket": "MYSQL_UNIX_PORT", "host": "MYSQL_HOST", "password": "MYSQL_PWD", "user": "USER"}
    found = {name: os.environ[variable] for name, variable in where.items() if variable in os.environ}
    if not {"unix_socket", "host"} & set(found):
        raise MissingToolError("mysqld", "A MySQL named by MYSQL_UNIX_PORT or MYSQL_HOST", "mariadb-server")
    connection = pymysql.connect(**found, database=os.environ.get("MYSQL_DATABASE", "test"))
    try:
        cursor = connection.cursor()

        def execute(sql: str) -> list[tuple[Any, ...]]:
            cursor.execute(sql)
            return list(cursor.fetchall())

        return work(execute)
    finally:
        connection.close()


def _in_clickhouse(work: Callable[[Execute], list[Any]]) -> list[Any]:
    """Run in the ClickHouse that chdb has inside."""
    try:
        sessions: Any = import_module("chdb.session")
    except ImportError:
        raise MissingPackageError("chdb", "clickhouse") from None
    connection = sessions.Session()

    def execute(sql: str) -> list[tuple[Any, ...]]:
        settings = "SETTINGS output_format_json_quote_denormals = 1, max_query_size = 100000000"
        is_query = sql.lstrip().startswith("SELECT")
        said = connection.query(f"{sql}\n{settings}" if is_query else sql, "JSONCompactEachRow")
        lines = said.bytes().decode().splitlines() if is_query else []
        return [tuple(json.loads(line)) for line in lines]

    try:
        return work(execute)
    finally:
        connection.close()


def _in_spark(work: Callable[[Execute], list[Any]]) -> list[Any]:
    """Run in a Spark of this machine, in a folder of its own."""
    try:
        from pyspark.sql import SparkSession
    except ImportError:
        raise MissingPackageError("pyspark", "spark") from None
    with tempfile.TemporaryDirectory() as folder:
        builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
        builder = builder.config("spark.sql.warehouse.dir", f"{folder}/warehouse")
        session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
        try:
            return work(lambda sql: [tuple(row) for row in session.sql(sql).collect()])
        finally:
            session.stop()  # its tables go with the folder


_RUNNING = {
    "duckdb": _in_duckdb,
    "sqlite": _in_sqlite,
    "postgres": _in_postgres,
    "ansi": _in_duckdb,
    "mysql": _in_mysql,
    "clickhouse": _in_clickhouse,
    "spark": _in_spark,
}
