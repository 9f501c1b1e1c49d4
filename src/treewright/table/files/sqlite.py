"""Tables of SQLite files, through Python's own sqlite3: DuckDB would have to download an extension for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.table.found import Found, from_cells, label
from treewright.table.schema import Kind

from .cells import quoted, words_of
from .judge import Rule, Seen, judge
from .loaded import Loaded, Wanted
from .numbers import number_of
from .source import Source
from .tables import one_table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_BLOCK = 50_000


def load(
    connection: DuckDBPyConnection,  # noqa: ARG001
    source: Source,
    wanted: Wanted,
    stack: ExitStack,  # noqa: ARG001
) -> Loaded:
    """Return the columns of a table or view in a SQLite file."""
    try:
        with closing(sqlite3.connect(f"{source.path.absolute().as_uri()}?mode=ro", uri=True)) as database:
            rows = database.execute(
                "select name from sqlite_master where type in ('table', 'view') and name not like 'sqlite_%' "
                "order by name"
            )
            name = one_table(source, [row[0] for row in rows])
            names, cells = _cells(database, name, wanted)
    except sqlite3.Error as error:
        raise ValueError(f"{source} cannot be read as a SQLite file: {error}.") from None

    def look(column: str) -> Seen:
        return _look(column, cells[column], wanted)

    return Loaded(names, look, {"table": name}, f"table {name!r} of a SQLite file")


def _cells(
    database: sqlite3.Connection, table: str, wanted: Wanted
) -> tuple[list[str], dict[str, list[Any]]]:
    (n_rows,) = database.execute(f"select count(*) from {quoted(table)}").fetchone()
    names = [row[0] for row in database.execute(f"select * from {quoted(table)} limit 0").description or ()]
    chosen = list(dict.fromkeys(wanted.chosen(names)))
    if not chosen:
        return names, {}
    cells: list[list[Any]] = [[] for _ in chosen]
    cursor = database.execute(f"select {', '.join(map(quoted, chosen))} from {quoted(table)}")
    while rows := cursor.fetchmany(_BLOCK):
        for column, part in zip(cells, zip(*rows, strict=True), strict=True):
            column.extend(part)
        if wanted.progress is not None:
            wanted.progress(min(len(cells[0]) / max(n_rows, 1), 1.0))
    return names, dict(zip(chosen, cells, strict=True))


def _look(name: str, cells: Sequence[Any], wanted: Wanted) -> Seen:
    """Return what a column holds by its cells: SQLite keeps a type for each of them, not for the column."""
    asked = wanted.asked(name)
    said = frozenset(wanted.missing) if wanted.missing_is_said else frozenset[str]()
    types = {type(cell) for cell in cells} - {type(None)}
    if types <= {int, float} and asked in (None, Kind.numeric):
        return Seen(_without(from_cells(name, cells), said), "every cell is a number")
    if bytes in types:
        return Seen(from_cells(name, [c for c in cells if isinstance(c, bytes)]), "")  # refuses
    is_mixed = len(types - {float}) > 1 or types == {str, float}
    rule = Rule(frozenset(wanted.missing)) if is_mixed else Rule(said, blank_is_gap="" in said)
    words = words_of([None if cell is None else label(cell) for cell in cells])
    seen = judge(name, words, rule, asked or (None if is_mixed else Kind.nominal), lambda r: f"row {r + 1:,}")
    return seen if asked or is_mixed else Seen(seen.found, "text")


def _without(found: Found, marks: frozenset[str]) -> Found:
    sizes = [size for size in map(number_of, marks) if size is not None]
    if not sizes:
        return found
    gaps = np.isin(found.values.astype(np.float64), sizes)
    missing = gaps if found.missing is None else gaps | found.missing
    values = np.where(gaps, np.nan, found.values) if found.values.dtype.kind == "f" else found.values
    return Found(Kind.numeric, values, missing=None if values.dtype.kind == "f" else missing)
