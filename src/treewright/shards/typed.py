"""Rows of Parquet files and DuckDB tables, some columns at a time, without any Arrow library."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.table.files.cells import quoted, texts_of, words_of
from treewright.table.files.marks import without_marks
from treewright.table.frames import from_codes
from treewright.table.kind import Kind
from treewright.table.raw import EXACT, Raw, from_numpy, not_exact, nothing, refuse

from .found import STORED, Found, of_words
from .way import Way

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_AT_ONCE = 64  # columns of one statement

_NUMBERS = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER"), "{}::double"),
    **dict.fromkeys(("BIGINT", "UBIGINT", "FLOAT", "DOUBLE"), "{}"),
    **dict.fromkeys(("DECIMAL", "HUGEINT", "UHUGEINT"), "{}::double"),
}
_MOMENTS = ("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", "TIMESTAMP WITH TIME ZONE")
_NESTED = ("STRUCT", "MAP", "UNION", "JSON", "VARIANT")


def read_typed(
    connection: DuckDBPyConnection,
    scan: str,
    where: str,
    types: Mapping[str, str],
    names: Sequence[str],
    way: Way,
) -> dict[str, Found]:
    """Return columns of the rows of a table that fulfil a condition; `types` are DuckDB's words."""
    found = {}
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        listed = ", ".join(
            f"{_expression(name, types[name]).format(quoted(name))} as c{i}" for i, name in enumerate(some)
        )
        arrays = connection.execute(f"select {listed} from {scan} {where}").fetchnumpy()
        for i, name in enumerate(some):
            cells = np.ma.asarray(arrays.pop(f"c{i}"))
            found[name] = _found(connection, scan, name, types[name], cells, way)
    return found


def _family(kind: str) -> str:
    return kind.partition("(")[0]


def _expression(name: str, kind: str) -> str:
    """Return the SQL of a column's cells as they are fetched."""
    family = _family(kind)
    if kind.endswith("]") or family in _NESTED:
        refuse(name, "lists or records")
    if family in _NUMBERS:
        return _NUMBERS[family]
    if family in _MOMENTS:
        return "{}::timestamp"
    if family in ("VARCHAR", "UUID"):
        return "{}::varchar"
    return "enum_code({})::integer" if family == "ENUM" else "{}"


def _found(connection: DuckDBPyConnection, scan: str, name: str, kind: str, cells: Any, way: Way) -> Found:
    """Return what fetched cells are."""
    family, marks = _family(kind), way.wanted.own_marks
    if family in ("VARCHAR", "UUID"):
        why = f"stored as text ({kind})"
        return of_words(words_of(texts_of(cells)), STORED, why)
    why = f"stored as {kind.strip(chr(34)):.40}"
    if family in _NUMBERS:
        return Found(without_marks(_numbers(name, family, cells), marks), why=why)
    if family in _MOMENTS:
        values = np.ma.filled(cells, np.datetime64("NaT"))
        return Found(from_numpy(name, values.astype("M8[D]") if kind == "DATE" else values), why=why)
    if family == "ENUM":
        return Found(without_marks(_enum(connection, scan, name, cells), marks), why=why)
    if family == '"NULL"':
        return Found(nothing(len(cells)), why=why)
    return Found(without_marks(from_numpy(name, cells), marks), why=why)


def _numbers(name: str, family: str, cells: Any) -> Raw:
    """Return numbers; those of 32 bits stay so, and whole ones that float64 would change are refused."""
    if cells.dtype.kind in "iu":
        gaps = np.ma.getmaskarray(cells)
        return Raw(Kind.numeric, np.where(gaps, 0, cells.data).astype(cells.dtype), missing=gaps)
    values = np.ma.filled(cells, np.nan)
    if family in ("HUGEINT", "UHUGEINT") and len(large := values[np.abs(values) >= EXACT]):
        raise ValueError(not_exact(name, int(large[0])))
    return Raw(Kind.numeric, values)


def _enum(connection: DuckDBPyConnection, scan: str, name: str, cells: Any) -> Raw:
    query = f"select enum_range(any_value({quoted(name)})) from {scan}"
    (values,) = connection.execute(query).fetchone() or (None,)
    codes = np.ma.filled(cells.astype(np.int32), -1)
    return nothing(len(codes)) if values is None else from_codes(name, codes, values, None)
