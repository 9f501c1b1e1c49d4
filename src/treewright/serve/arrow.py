"""Arrow streams from strangers: looked at message by message before anything of their size is made."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treewright.serve.refused import Refused

_DICTIONARY_BATCH, _RECORD_BATCH = 2, 3  # Arrow's Message.fbs: kinds of messages
_PLAIN = ("is_integer", "is_floating", "is_boolean", "is_string", "is_large_string", "is_temporal", "is_null")


def cells_of_stream(
    body: bytes, needed: Sequence[str], check_rows: Callable[[int], None]
) -> tuple[dict[str, Sequence[Any]], int]:
    """Return the cells of the columns `needed` of an Arrow stream, and the number of rows.

    >>> import pyarrow as pa
    >>> sink = pa.BufferOutputStream()
    >>> table = pa.table({"x": [1, None], "y": ["a", "b"]})
    >>> with pa.ipc.new_stream(sink, table.schema) as stream:
    ...     stream.write_table(table)
    >>> cells_of_stream(sink.getvalue().to_pybytes(), ["x"], lambda n_rows: None)
    ({'x': [1, None], 'y': ()}, 2)
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise Refused(
            415, "This server reads no Arrow: pyarrow is not installed there. Send JSON or CSV."
        ) from None
    try:
        _refuse_packed(pa, body)
        with pa.ipc.open_stream(pa.BufferReader(body)) as stream:
            _check_columns(pa, stream.schema, needed)
            batches, n_rows = [], 0
            for batch in stream:
                n_rows += batch.num_rows
                check_rows(n_rows + (not n_rows))
                batch.validate(full=True)
                batches.append(batch)
        check_rows(n_rows)
        table = pa.Table.from_batches(batches)
        cells: dict[str, Sequence[Any]] = dict.fromkeys(table.column_names, ())
        cells |= {name: table.column(name).to_pylist() for name in needed if name in cells}
    except (pa.ArrowException, OSError, struct.error, ValueError, IndexError) as reason:
        said = " ".join(str(reason).split())
        raise Refused(400, f"The body is no Arrow stream: {said.rstrip('.'):.200}.") from None
    return cells, n_rows


def _check_columns(pa: Any, schema: Any, needed: Sequence[str]) -> None:
    names = schema.names
    if len(set(names)) < len(names):
        raise Refused(400, "The Arrow stream has two columns of one name; name each column once.")
    for name in needed:
        kind = schema.field(name).type if name in names else pa.null()
        value = kind.value_type if pa.types.is_dictionary(kind) else kind
        if not any(getattr(pa.types, test)(value) for test in _PLAIN):
            raise Refused(
                400,
                f"Column {name!r} of the Arrow stream is {kind!s:.60}; send numbers, texts, truths or dates.",
            )


def _refuse_packed(pa: Any, body: bytes) -> None:
    """Refuse compressed batches: how large they become is known only when it is too late."""
    for message in pa.ipc.MessageReader.open_stream(pa.BufferReader(body)):
        if _is_packed(message.metadata.to_pybytes()):
            raise Refused(415, "The Arrow stream is compressed; send it without compression.")


def _is_packed(message: bytes) -> bool:
    """Return whether a message of Arrow holds compressed buffers: a flatbuffer, read by hand."""
    root = _table_at(message, 0)
    kind = _field(message, root, 1)
    header = _field(message, root, 2)
    if kind is None or header is None or message[kind] not in (_DICTIONARY_BATCH, _RECORD_BATCH):
        return False
    batch = _table_at(message, header)
    if message[kind] == _DICTIONARY_BATCH:
        data = _field(message, batch, 1)
        if data is None:
            return False
        batch = _table_at(message, data)
    return _field(message, batch, 3) is not None


def _table_at(message: bytes, place: int) -> int:
    return place + int(struct.unpack_from("<I", message, place)[0])


def _field(message: bytes, table: int, number: int) -> int | None:
    """Return where a field of a table stands; None where it is left out."""
    layout = table - struct.unpack_from("<i", message, table)[0]
    entry = 4 + 2 * number
    if entry >= struct.unpack_from("<H", message, layout)[0]:
        return None
    offset = int(struct.unpack_from("<H", message, layout + entry)[0])
    return table + offset if offset else None


def stream_of(columns: Mapping[str, Sequence[Any]]) -> bytes:
    """Return columns as an Arrow stream.

    >>> cells_of_stream(stream_of({"prediction": ["a", "b"]}), ["prediction"], lambda n_rows: None)
    ({'prediction': ['a', 'b']}, 2)
    """
    try:
        import pyarrow as pa
    except ImportError:
        raise Refused(
            406, "This server writes no Arrow: pyarrow is not installed there. Ask for JSON."
        ) from None
    table = pa.table({name: list(cells) for name, cells in columns.items()})
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return bytes(sink.getvalue().to_pybytes())
