"""The shards of each format: how rows of it are read. One row of the table at the end is one format."""

from __future__ import annotations

import glob
import json
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from treewright.table.files.cells import literal, quoted, texts_of, words_of
from treewright.table.files.delimited import cells_of
from treewright.table.files.source import Source
from treewright.table.files.tables import one_table
from treewright.table.frames import frame_columns
from treewright.table.kind import Kind
from treewright.table.raw import EXACT, Raw, nothing, refuse
from treewright.table.table import Table

from .found import JUDGED, STORED, Found, of_words
from .shard import Shard
from .typed import read_typed
from .way import Way

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Columns = dict[str, Found]


class Format(NamedTuple):
    """How shards of a format are read, and their columns named."""

    names: Callable[[DuckDBPyConnection, Shard, Way], list[str]]
    # Reads rows `first` to `stop` of a shard, counted within it; the columns of these names.
    read: Callable[[DuckDBPyConnection, Shard, Sequence[str], Way, int, int], Columns]
    has_rows: bool  # whether some rows can be read alone; else a shard is read as one


@contextmanager
def naming(shard: Shard) -> Iterator[None]:
    """Turn what DuckDB says of a shard into a ValueError that names it."""
    import duckdb

    try:
        yield
    except duckdb.InterruptException:
        raise
    except duckdb.Error as error:
        reason = " ".join(str(error).split("\n")[0].split())
        raise ValueError(f"The shard {shard} cannot be read ({shard.format}): {reason:.300}") from None


# ---- Parquet and DuckDB ----------------------------------------------------------------------------------


def _parquet_scan(shard: Shard) -> str:
    return f"read_parquet({literal(glob.escape(shard.name))}, file_row_number=true)"


def _types(connection: DuckDBPyConnection, scan: str) -> dict[str, str]:
    rows = connection.execute(f"describe select * from {scan}").fetchall()
    return {row[0]: row[1] for row in rows}


def _parquet_types(connection: DuckDBPyConnection, shard: Shard) -> dict[str, str]:
    with naming(shard):
        return _types(connection, f"read_parquet({literal(glob.escape(shard.name))})")


def _parquet_names(connection: DuckDBPyConnection, shard: Shard, _way: Way) -> list[str]:
    return list(_parquet_types(connection, shard))


def _read_parquet(
    connection: DuckDBPyConnection, shard: Shard, names: Sequence[str], way: Way, first: int, stop: int
) -> Columns:
    start, end = shard.first + first, shard.first + stop
    types = _checked(_parquet_types(connection, shard), shard, names)
    where = f"where file_row_number >= {start} and file_row_number < {end}"
    with naming(shard):
        return read_typed(connection, _parquet_scan(shard), where, types, names, way)


def _checked(types: Mapping[str, str], shard: Shard, names: Sequence[str]) -> Mapping[str, str]:
    lacking = [name for name in names if name not in types]
    if lacking:
        raise ValueError(
            f"The shard {shard} has no column {lacking[0]!r}, which the first one has. All shards need the "
            f"same columns; its own are {', '.join(map(repr, list(types)[:8]))}."
        )
    return types


@contextmanager
def _attached(connection: DuckDBPyConnection, shard: Shard) -> Iterator[str]:
    connection.execute(f"attach if not exists {literal(shard.name)} as source (read_only)")
    try:
        schema, table = shard.detail
        yield f"source.{quoted(schema)}.{quoted(table)}"
    finally:
        connection.execute("detach source")


def _duckdb_names(connection: DuckDBPyConnection, shard: Shard, _way: Way) -> list[str]:
    with naming(shard), _attached(connection, shard) as scan:
        return list(_types(connection, scan))


def _read_duckdb(
    connection: DuckDBPyConnection, shard: Shard, names: Sequence[str], way: Way, first: int, stop: int
) -> Columns:
    with naming(shard), _attached(connection, shard) as scan:
        types = _checked(_types(connection, scan), shard, names)
        where = (
            ""
            if shard.stop == -1
            else f"where rowid >= {shard.first + first} and rowid < {shard.first + stop}"
        )
        return read_typed(connection, scan, where, types, names, way)


def tables_of(connection: DuckDBPyConnection, source: Source) -> tuple[str, str, bool, int]:
    """Return the schema and name of the table that a DuckDB source means, whether it is one, and its rows."""
    path = literal(str(source.path))
    connection.execute(f"attach if not exists {path} as source (read_only)")
    try:
        rows = connection.execute(
            "select table_schema, table_name, table_type from information_schema.tables "
            "where table_catalog = 'source' order by all"
        ).fetchall()
        known = {
            name if schema == "main" else f"{schema}.{name}": (schema, name, kind)
            for schema, name, kind in rows
        }
        schema, name, kind = known[one_table(source, list(known))]
        scan = f"source.{quoted(schema)}.{quoted(name)}"
        is_table = "TABLE" in kind.upper()
        query = f"select {'coalesce(max(rowid) + 1, 0)' if is_table else 'count(*)'} from {scan}"
        (count,) = connection.execute(query).fetchone() or (0,)
        return schema, name, is_table, int(count)
    finally:
        connection.execute("detach source")


# ---- text ------------------------------------------------------------------------------------------------


@contextmanager
def _block(shard: Shard, head: bytes = b"") -> Iterator[Source]:
    """Yield the bytes of a shard as a file of its own; a whole file is the file itself."""
    if shard.first == 0 and shard.stop == -1:
        yield shard.detail
        return
    with tempfile.TemporaryDirectory(prefix="treewright-") as folder:
        place = Path(folder) / "block"
        with open(shard.name, "rb") as file, place.open("wb") as out:
            out.write(head)
            file.seek(shard.first)
            left = shard.stop - shard.first
            while left > 0 and (some := file.read(min(left, 1 << 22))):
                out.write(some)
                left -= len(some)
        yield Source(place, shard.detail.format, named=Path(shard.name))


def _text_names(_connection: DuckDBPyConnection, _shard: Shard, way: Way) -> list[str]:
    return list(way.names)


def _read_text(
    connection: DuckDBPyConnection, shard: Shard, names: Sequence[str], way: Way, _first: int, _stop: int
) -> Columns:
    wanted = replace(way.wanted, columns=list(names), ignore=())
    places = {name: place for place, name in enumerate(way.names)}
    numeric = {places[name] for name in names if places[name] in way.numeric and name not in way.as_words}
    head = b"" if shard.first == 0 else head_of(shard)
    with _block(shard, head) as source, ExitStack() as stack:
        found_names, cells = cells_of(connection, source, wanted, numeric, stack)
        if tuple(found_names) != way.names:  # a block without a line of names has those of its place
            raise ValueError(
                f"The shard {shard} has the columns {', '.join(found_names[:8])}; the first one has "
                f"{', '.join(way.names[:8])}. All shards need the same columns, in one order."
            )
        found = {name: cells(name) for name in names}
    return {
        name: Found(Raw(Kind.numeric, values), why="every cell is a number")
        if isinstance(values, np.ndarray)
        else of_words(values, JUDGED)
        for name, values in found.items()
    }


def head_of(shard: Shard) -> bytes:
    """Return the line of names of a file of text; empty where it has none."""
    n_bytes = getattr(shard.held, "n_bytes", 0)
    with open(shard.name, "rb") as file:
        return file.read(n_bytes)


class Head(NamedTuple):
    """The bytes at the top of a file of text that hold the names of its columns."""

    n_bytes: int


# ---- JSON ------------------------------------------------------------------------------------------------

_JSON_NUMBERS = ("BIGINT", "UBIGINT", "HUGEINT", "UHUGEINT", "DOUBLE")


def _json_scan(source: Source) -> str:
    packing = "gzip" if source.is_packed else "uncompressed"
    return (
        f"read_json_objects({literal(glob.escape(str(source.path)))}, format='auto', "
        f"compression='{packing}', maximum_object_size=268435456)"
    )


def _json_types(connection: DuckDBPyConnection, shard: Shard, scan: str) -> dict[str, Any]:
    with naming(shard):
        (text,) = connection.execute(f"select json_group_structure(json) from {scan}").fetchone() or (None,)
    types = json.loads(text) if text else None
    if not isinstance(types, dict):
        raise ValueError(f"The shard {shard} holds no JSON objects, one a line, with the columns as names.")
    return types


def _json_names(connection: DuckDBPyConnection, shard: Shard, _way: Way) -> list[str]:
    with _block(shard) as source:
        return list(_json_types(connection, shard, _json_scan(source)))


def _read_json(
    connection: DuckDBPyConnection, shard: Shard, names: Sequence[str], way: Way, _first: int, _stop: int
) -> Columns:
    with _block(shard) as source:
        scan = _json_scan(source)
        types = _json_types(connection, shard, scan)
        paths = ", ".join(literal(f"/{name.replace('~', '~0').replace('/', '~1')}") for name in names)
        kept = ", ".join(f"l[{i + 1}] as c{i}" for i in range(len(names)))
        query = f"select {kept} from (select json_extract_string(json, [{paths}]) as l from {scan})"
        with naming(shard):
            arrays = connection.execute(query).fetchnumpy()
    return {
        name: _of_json(name, np.ma.asarray(arrays.pop(f"c{i}")), types.get(name, "NULL"), way)
        for i, name in enumerate(names)
    }


def _of_json(name: str, cells: Any, kind: Any, way: Way) -> Found:
    if not isinstance(kind, str):
        refuse(name, "lists or records")
    words = words_of(texts_of(cells))
    if name in way.as_words or kind == "JSON":
        return of_words(words, JUDGED)
    if kind == "NULL":
        return Found(nothing(len(words.codes)), why="no cell has a value")
    if kind == "BOOLEAN":
        truth = np.array([*(int(text == "true") for text in words.texts), -1], dtype=np.int32)
        return Found(Raw(Kind.boolean, truth[words.codes]), why="true or false")
    if kind in _JSON_NUMBERS and not way.wanted.own_marks:
        sizes = np.array([*map(float, words.texts), np.nan])
        if not (np.abs(sizes[:-1]) >= EXACT).any():
            return Found(Raw(Kind.numeric, sizes[words.codes]), why="every cell is a number")
    return of_words(
        words, STORED if kind == "VARCHAR" else JUDGED, "text in quotes" if kind == "VARCHAR" else ""
    )


# ---- Arrow, frames, and what is read whole -----------------------------------------------------------------


def _arrow(shard: Shard) -> Any:
    """Return a frame whose rows are read when they are asked for, as far as the library can."""
    if find_spec("pyarrow") is not None:
        memory = import_module("pyarrow").memory_map(shard.name)
        reader = import_module("pyarrow.ipc")
        with open(shard.name, "rb") as file:
            is_file = file.read(6) == b"ARROW1"
        return reader.open_file(memory).read_all() if is_file else reader.open_stream(memory).read_all()
    if find_spec("polars") is not None:
        return import_module("polars").read_ipc(shard.name)
    raise ValueError(
        f"{shard} is an Arrow file; to read it, pyarrow or polars is needed, and neither is installed. "
        "Install one (pip install pyarrow), or write the table as Parquet."
    )


def _arrow_names(_connection: DuckDBPyConnection, shard: Shard, _way: Way) -> list[str]:
    return [name for name, _ in frame_columns(_arrow(shard))]


def _read_arrow(
    _connection: DuckDBPyConnection, shard: Shard, names: Sequence[str], _way: Way, first: int, stop: int
) -> Columns:
    frame = _arrow(shard)[first:] if stop == -1 else _arrow(shard)[first:stop]
    return _of_frame(frame, shard, names, "as the file declares")


def _of_frame(frame: Any, shard: Shard, names: Sequence[str], why: str) -> Columns:
    finders = dict(frame_columns(frame))
    _checked(dict.fromkeys(finders, ""), shard, names)
    found = {}
    for name in names:
        raw = finders[name]()
        is_text = raw.kind is Kind.nominal and not raw.declared
        found[name] = Found(raw, STORED if is_text and shard.format == "arrow" else "as is", why)
    return found


def _held_names(_connection: DuckDBPyConnection, shard: Shard, _way: Way) -> list[str]:
    held = shard.held
    return list(held.names) if isinstance(held, Table) else [name for name, _ in frame_columns(held)]


def _read_held(
    _connection: DuckDBPyConnection, shard: Shard, names: Sequence[str], _way: Way, first: int, stop: int
) -> Columns:
    if not isinstance(shard.held, Table):
        return _of_frame(shard.held, shard, names, "as the frame has it")
    table = shard.held
    found = {}
    for name in names:
        column, values = table.column(name)
        categories = () if column.is_numeric or column.kind is Kind.boolean else column.categories
        some = values[first:stop] if stop >= 0 else values
        is_code = not column.is_numeric
        found[name] = Found(
            Raw(column.kind, some, categories, declared=is_code, notation=column.notation), why="a table"
        )
    return found


def _whole_names(_connection: DuckDBPyConnection, shard: Shard, way: Way) -> list[str]:
    return list(_whole(shard, way).names)


def _read_whole(
    connection: DuckDBPyConnection, shard: Shard, names: Sequence[str], way: Way, first: int, stop: int
) -> Columns:
    return _read_held(connection, replace(shard, held=_whole(shard, way)), names, way, first, stop)


def _whole(shard: Shard, way: Way) -> Table:
    from treewright.table import read

    wanted = way.wanted
    missing = wanted.missing if wanted.missing_is_said else None
    return read(
        shard.name, kinds=way.kinds or None, missing=missing, columns=wanted.columns, ignore=wanted.ignore
    )


FORMATS: dict[str, Format] = {
    "parquet": Format(_parquet_names, _read_parquet, has_rows=True),
    "duckdb": Format(_duckdb_names, _read_duckdb, has_rows=True),
    "text": Format(_text_names, _read_text, has_rows=False),
    "json": Format(_json_names, _read_json, has_rows=False),
    "arrow": Format(_arrow_names, _read_arrow, has_rows=False),
    "frame": Format(_held_names, _read_held, has_rows=False),
    "whole": Format(_whole_names, _read_whole, has_rows=False),
}


def read_shard(
    connection: DuckDBPyConnection,
    shard: Shard,
    names: Sequence[str],
    way: Way,
    rows: tuple[int, int] | None = None,
) -> Columns:
    """Return columns of a shard, or of some of its rows; a shard that has changed is refused by name."""
    shard.check()
    first, stop = rows if rows is not None else (0, -1 if shard.stop == -1 else shard.stop - shard.first)
    return FORMATS[shard.format].read(connection, shard, names, way, first, stop)
