"""Files that say themselves what their columns are: Parquet, DuckDB, JSON lines, all read by DuckDB.

They are taken at their word: text stays text, and only null is a gap unless the caller names other marks.
"""

from __future__ import annotations

import glob
import json
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.table.frames import from_codes
from treewright.table.raw import Raw, from_numpy, not_exact, nothing, refuse
from treewright.table.schema import Kind

from .cells import fetch, fetch_words, literal, quoted
from .duck import run
from .judge import Rule, Verdict, judge, judge_stored
from .loaded import Loaded, Wanted
from .marks import without_marks
from .source import Source, is_json_array
from .tables import one_table

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def load_parquet(
    connection: DuckDBPyConnection,
    source: Source,
    wanted: Wanted,
    stack: ExitStack,  # noqa: ARG001
) -> Loaded:
    """Return the columns of a Parquet file."""
    paths = ", ".join(literal(glob.escape(str(path))) for path in (source.path, *source.others))
    scan = f"read_parquet([{paths}])"
    return _columns_of(connection, source, wanted, scan, "Parquet")


def load_duckdb(
    connection: DuckDBPyConnection,
    source: Source,
    wanted: Wanted,
    stack: ExitStack,  # noqa: ARG001
) -> Loaded:
    """Return the columns of a table or view in a DuckDB file."""
    with _errors_name(source):
        connection.execute(f"attach {literal(str(source.path))} as source (read_only)")
        rows = connection.execute(
            "select table_schema, table_name from information_schema.tables where table_catalog = 'source' "
            "order by all"
        ).fetchall()
    known = {name if schema == "main" else f"{schema}.{name}": (schema, name) for schema, name in rows}
    name = one_table(source, list(known))
    scan = f"source.{quoted(known[name][0])}.{quoted(known[name][1])}"
    return _columns_of(connection, source, wanted, scan, f"table {name!r} of a DuckDB file")


def _columns_of(
    connection: DuckDBPyConnection, source: Source, wanted: Wanted, scan: str, words: str
) -> Loaded:
    with _errors_name(source):
        rows = connection.execute(f"describe select * from {scan}").fetchall()
    types = {row[0]: row[1] for row in rows}

    def look(name: str) -> Verdict:
        with _errors_name(source):
            return _look(_Column(connection, scan, name, quoted(name), types[name], wanted))

    return Loaded(list(types), look, {"types": types}, words)


@dataclass(frozen=True)
class _Column:
    """One column of a typed table: where it is, and what its type is called."""

    connection: DuckDBPyConnection
    scan: str
    name: str
    sql: str
    type: str
    wanted: Wanted

    def fetch(self, cast: str = "{}") -> np.ma.MaskedArray[Any, Any]:
        return fetch(self.connection, self.scan, cast.format(self.sql))

    @property
    def rule(self) -> Rule:
        marks = self.wanted.own_marks
        return self.wanted.rule_for(self.name, Rule(marks, blank_is_gap="" in marks))


def _look(column: _Column) -> Verdict:
    family = column.type.partition("(")[0]
    if column.type.endswith("]") or family in ("STRUCT", "MAP", "UNION", "JSON", "VARIANT"):
        refuse(column.name, "lists or records")
    if family in ("VARCHAR", "UUID"):
        return _texts(column)
    reader = _READERS.get(family)
    found = reader(column) if reader else from_numpy(column.name, column.fetch())
    return Verdict(
        without_marks(found, column.wanted.own_marks), f"stored as {column.type.strip(chr(34)):.40}"
    )


def _texts(column: _Column) -> Verdict:
    words = fetch_words(column.connection, column.scan, f"{column.sql}::varchar")
    asked = column.wanted.kind_of(column.name)
    why = f"stored as text ({column.type})"
    return judge_stored(column.name, words, column.rule, asked, lambda row: f"row {row + 1:,}", why)


def _integers(column: _Column) -> Raw:
    changed = (
        f"abs({column.sql}::hugeint) > 9007199254740992 and {column.sql}::double::hugeint <> {column.sql}"
    )
    wrong = column.connection.execute(
        f"select {column.sql} from {column.scan} where {changed} limit 1"
    ).fetchone()
    if wrong is not None and column.wanted.kind_of(column.name) in (None, Kind.numeric):
        raise ValueError(not_exact(column.name, wrong[0]))
    if wrong is not None:
        cells = column.fetch("{}::varchar")
        return from_numpy(column.name, cells)
    return _floats(column)


def _floats(column: _Column) -> Raw:
    return from_numpy(column.name, column.fetch("{}::double"))


def _truths(column: _Column) -> Raw:
    return from_numpy(column.name, column.fetch())


def _dates(column: _Column) -> Raw:
    values = np.ma.filled(column.fetch("{}::timestamp"), np.datetime64("NaT"))
    return from_numpy(column.name, values.astype("M8[D]") if column.type == "DATE" else values)


def _enum(column: _Column) -> Raw:
    """Return an ENUM: it declares its values and their order, also those no row has."""
    (values,) = column.connection.execute(
        f"select enum_range(any_value({column.sql})) from {column.scan}"
    ).fetchone() or (None,)
    codes = np.ma.filled(column.fetch("enum_code({})").astype(np.int32), -1)
    if values is None:
        return nothing(len(codes))
    return from_codes(column.name, codes, values, None)


def _nulls(column: _Column) -> Raw:
    return nothing(len(column.fetch()))


_READERS: dict[str, Callable[[_Column], Raw]] = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER"), _floats),
    **dict.fromkeys(("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT"), _integers),
    **dict.fromkeys(("FLOAT", "DOUBLE", "DECIMAL"), _floats),
    **dict.fromkeys(("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), _dates),
    "TIMESTAMP WITH TIME ZONE": _dates,
    "BOOLEAN": _truths,
    "ENUM": _enum,
    '"NULL"': _nulls,
}


class _errors_name:  # noqa: N801
    """Turns what DuckDB says of a file into a ValueError that names the file."""

    def __init__(self, source: Source) -> None:
        self._source = source

    def __enter__(self) -> None:
        return

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        import duckdb

        if isinstance(error, duckdb.Error) and not isinstance(error, duckdb.InterruptException):
            reason = " ".join(str(error).split("\n")[0].split())
            raise ValueError(
                f"{self._source} cannot be read ({self._source.format}): {reason:.300}"
            ) from None


# --- JSON ---------------------------------------------------------------------------------------------------


def load_json(
    connection: DuckDBPyConnection,
    source: Source,
    wanted: Wanted,
    stack: ExitStack,  # noqa: ARG001
) -> Loaded:
    """Return the columns of a file of JSON objects: one a line, or one array of them."""
    packing = "gzip" if source.is_packed else "uncompressed"
    scan = (
        f"read_json_objects({literal(glob.escape(str(source.path)))}, format='auto', "
        f"compression='{packing}', maximum_object_size=268435456)"
    )
    with _errors_name(source):
        (text,) = connection.execute(f"select json_group_structure(json) from {scan}").fetchone() or (None,)
    types = json.loads(text) if text else None
    words, each = ("JSON array", "entry") if is_json_array(source) else ("JSON lines", "line")
    if not isinstance(types, dict) or not types:
        raise ValueError(
            f"{source} cannot be read as {words}: each {each} is to be an object such as "
            '{"age": 39, "job": "clerk"}, with the columns as its names.'
        )
    chosen = list(dict.fromkeys(wanted.chosen(list(types))))
    _extract(connection, source, wanted, scan, chosen)
    places = {name: f"c{i}" for i, name in enumerate(chosen)}

    def look(name: str) -> Verdict:
        return _look_json(connection, name, places[name], types[name], wanted)

    plain = {name: kind if isinstance(kind, str) else "nested" for name, kind in types.items()}
    return Loaded(list(types), look, {"types": plain}, words)


def _extract(
    connection: DuckDBPyConnection, source: Source, wanted: Wanted, scan: str, names: list[str]
) -> None:
    """Fill the table `cells` with the values as JSON writes them: numbers keep every digit."""
    paths = [f"/{name.replace('~', '~0').replace('/', '~1')}" for name in names]
    listed = ", ".join(map(literal, paths))
    kept = ", ".join(f"l[{i + 1}] as c{i}" for i in range(len(names)))
    with _errors_name(source):
        run(
            connection,
            f"create or replace table cells as select {kept} from "
            f"(select json_extract_string(json, [{listed}]) as l from {scan})",
            watcher=wanted.progress,
        )


def _look_json(connection: DuckDBPyConnection, name: str, place: str, kind: Any, wanted: Wanted) -> Verdict:
    def line_of(row: int) -> str:
        return f"row {row + 1:,}"

    if not isinstance(kind, str):
        refuse(name, "lists or records")
    words = fetch_words(connection, "cells", place)
    asked = wanted.kind_of(name)
    said = wanted.own_marks
    if kind == "JSON":  # not one type: judged as the cells of a CSV file are
        return judge(name, words, Rule(frozenset(wanted.missing)), asked, line_of)
    if kind == "BOOLEAN" and asked is None:
        truth = np.array([*(int(text == "true") for text in words.texts), -1], dtype=np.int32)
        return Verdict(Raw(Kind.boolean, truth[words.codes]), "true or false")
    if kind == "VARCHAR":
        rule = wanted.rule_for(name, Rule(said, blank_is_gap="" in said))
        return judge_stored(name, words, rule, asked, line_of, "text in quotes")
    return judge(name, words, Rule(said), asked, line_of)
