"""Columns of a DuckDB table as arrays: numbers as they are, texts as codes into their distinct values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from treewright.table import sql
from treewright.table.raw import MISSING

from .judge import Words

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_MANY = 50_000  # distinct words
AT_ONCE = 64  # columns


quoted = partial(sql.quoted, dialect="duckdb")
literal = partial(sql.literal, dialect="duckdb")


def fetch(connection: DuckDBPyConnection, table: str, expression: str) -> np.ma.MaskedArray[Any, Any]:
    """Return an expression over the rows of a table, in their order, gaps masked."""
    return np.ma.asarray(connection.execute(f"select {expression} as c from {table}").fetchnumpy()["c"])


def fetch_columns(
    connection: DuckDBPyConnection, table: str, names: Sequence[str]
) -> Iterator[np.ma.MaskedArray[Any, Any]]:
    """Yield columns of a table as `fetch` does, some at a time: a statement is slow if a table is wide."""
    for start in range(0, len(names), AT_ONCE):
        some = names[start : start + AT_ONCE]
        found = connection.execute(f"select {', '.join(some)} from {table}").fetchnumpy()
        for name in some:
            yield np.ma.asarray(found.pop(name))


def fetch_words(connection: DuckDBPyConnection, table: str, expression: str) -> Words:
    """Return a column of text. DuckDB finds and numbers a few distinct words quickly, Python very many."""
    count = f"select approx_count_distinct({expression}) from {table}"
    if (connection.execute(count).fetchone() or (0,))[0] > _MANY:
        return words_of(texts_of(fetch(connection, table, expression)))
    connection.execute("drop type if exists words")
    connection.execute(
        f"create type words as enum (select distinct {expression} as w from {table} "
        "where w is not null order by w)"
    )
    texts = [text for (text,) in connection.execute("select unnest(enum_range(null::words))").fetchall()]
    codes = fetch(connection, table, f"enum_code(({expression})::words)" if texts else "null::integer")
    return Words(texts, np.ma.filled(codes.astype(np.int32), MISSING))


def texts_of(cells: np.ma.MaskedArray[Any, Any]) -> list[str | None]:
    """Return fetched texts as a list, None for gaps.

    >>> texts_of(np.ma.array(["a", "b"], mask=[False, True], dtype=object))
    ['a', None]
    """
    found = np.array(cells.data, dtype=object)
    found[np.ma.getmaskarray(cells)] = None  # NumPy would fill in a "?"
    return cast("list[str | None]", found.tolist())


def words_of(cells: Sequence[str | None]) -> Words:
    """Return texts as codes into the distinct ones, in the order of their bytes.

    >>> words_of(["b", None, "a"])
    Words(texts=['a', 'b'], codes=array([ 1, -1,  0], dtype=int32))
    """
    texts = sorted(cast("set[str]", set(cells) - {None}))
    place: dict[str | None, int] = {text: code for code, text in enumerate(texts)}
    place[None] = MISSING
    return Words(texts, np.fromiter(map(place.__getitem__, cells), np.int32, len(cells)))
