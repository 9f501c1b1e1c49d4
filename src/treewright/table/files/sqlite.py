"""Tables of SQLite files, through Python's own sqlite3: DuckDB would have to download an extension for it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

from treewright.table.raw import from_cells, label
from treewright.table.schema import Kind

from .cells import quoted, words_of
from .judge import Rule, Verdict, judge, judge_stored
from .loaded import Loaded, Wanted
from .marks import without_marks
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

    def look(column: str) -> Verdict:
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


def _look(name: str, cells: Sequence[Any], wanted: Wanted) -> Verdict:
    """Return what a column holds by its cells: SQLite keeps a type for each of them, not for the column."""
    asked = wanted.kind_of(name)
    said = wanted.own_marks
    types = {type(cell) for cell in cells} - {type(None)}
    if types <= {int, float} and asked in (None, Kind.numeric):
        return Verdict(without_marks(from_cells(name, cells), said), "every cell is a number")
    if bytes in types:
        return Verdict(from_cells(name, [c for c in cells if isinstance(c, bytes)]), "")  # refuses
    is_mixed = len(types - {float}) > 1 or types == {str, float}
    words = words_of([None if cell is None else label(cell) for cell in cells])
    if is_mixed:
        return judge(name, words, wanted.rule_for(name, Rule(frozenset(wanted.missing))), asked, _row)
    rule = wanted.rule_for(name, Rule(said, blank_is_gap="" in said))
    return judge_stored(name, words, rule, asked, _row, "text")


def _row(row: int) -> str:
    return f"row {row + 1:,}"
