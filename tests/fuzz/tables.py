"""Files of data: a table comes back whose rows and cells hang together, or a ValueError that says why."""

from __future__ import annotations

import io
import json
import os
import tempfile
from typing import Any

import numpy as np

import treewright as tw

Rng = np.random.Generator

_WORDS = [
    "a", "b", "yes", "no", "NA", "", " ", "?", "nan", "inf", "-inf", "1e999", "1", "0", "-1",
    "3.5", "1,5", "1.234,56 €", "$12", "12%", "(5)", "2024-02-30", "2024-02-29", "12:30",
    "31.12.1999", "2024-13-01", "1:61", "99999999999999999999", "0x1f", "007", "1_000", '"',
    '""', "'", "a,b", "a;b", "a\tb", "a\nb", "\\", "\\N", "\x00", "\x1b[2J", "\u202e", "é",
    "日本", "🌳", "=1+1", "#", "--", "NULL", "true", "Wahr", "x" * 500,
]  # fmt: skip
_NAMES = [
    "a",
    "b",
    "a",
    "",
    " ",
    "x y",
    "y",
    "1",
    "1.5",
    '"q"',
    "a,b",
    "\ufeffa",
    "🌳",
    "A",
    "select",
    "n\x00",
]
_ENDS = ["\n", "\r\n", "\r", "\n\n"]


def case(number: int) -> None:
    """Write one file, read it."""
    rng = np.random.default_rng([number, 2])
    make, suffixes = _MAKERS[rng.integers(len(_MAKERS))]
    content = make(rng)
    if rng.random() < 0.35:
        content = spoiled(content, rng)
    check(content, str(rng.choice(suffixes)), rng)


def check(content: bytes, suffix: str, rng: Rng | None = None) -> None:
    """Read a file of data, and look at all that came of it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "data" + suffix)
        with open(path, "wb") as file:
            file.write(content)
        try:
            table = tw.read(path)
        except ValueError as refused:
            _told(refused)
            return
        for name in table.names:
            assert len(table.labels(name)) == table.n_rows
            assert len(table.schema[name].categories) == len(set(table.schema[name].categories))
        assert str(table).encode()
        assert repr(table).encode()
        again = tw.Table.from_dict({name: table.labels(name).tolist() for name in table.names[:3]})
        assert again.n_rows == table.n_rows or not table.names
        if rng is not None and table.n_rows and len(table.names) > 1 and rng.random() < 0.4:
            grown(table, table.names[rng.integers(len(table.names))])


def grown(table: tw.Table, target: str) -> None:
    """Grow on a column; what cannot be grown on is a ValueError."""
    try:
        tree = tw.grow(table, target, max_depth=3)
    except ValueError as refused:
        _told(refused)
        return
    assert len(tree.predict(table)) == table.n_rows
    assert str(tree).encode()


def _told(refused: ValueError) -> None:
    """Check that an error says something, and nothing that steers a terminal."""
    assert str(refused).encode()
    assert "\x1b" not in str(refused)


def _cells(rng: Rng, n_rows: int) -> list[Any]:
    """Return one column of texts: mostly of a sort, with a few odd ones."""
    way = rng.integers(4)
    if way == 0:
        found = [str(x) for x in rng.integers(-5, 1000, n_rows)]
    elif way == 1:
        found = [f"{x:.3f}" for x in rng.normal(size=n_rows)]
    elif way == 2:
        few = rng.choice(_WORDS, 3)
        found = [str(x) for x in rng.choice(few, n_rows)]
    else:
        found = [str(x) for x in rng.choice(_WORDS, n_rows)]
    for at in np.flatnonzero(rng.random(n_rows) < 0.05):
        found[at] = str(rng.choice(_WORDS))
    return found


def _columns(rng: Rng) -> dict[str, list[Any]]:
    n_rows = int(rng.choice([0, 1, 2, 5, 30, 200]))
    names = [str(name) for name in rng.choice(_NAMES, int(rng.integers(1, 6)))]
    return {f"{name}{i}" if name in names[:i] else name: _cells(rng, n_rows) for i, name in enumerate(names)}


def csv(rng: Rng) -> bytes:
    """Return lines with some separator, quoted or not, long or short, in some encoding."""
    columns, separator, end = _columns(rng), str(rng.choice(list(",;\t| "))), str(rng.choice(_ENDS))
    quote = rng.random() < 0.7

    def cell(text: str) -> str:
        is_odd = any(sign in text for sign in f'{separator}"\r\n')
        return '"' + text.replace('"', '""') + '"' if quote and (is_odd or rng.random() < 0.1) else text

    lines = [separator.join(map(cell, columns))] if rng.random() < 0.9 else []
    for row in zip(*columns.values(), strict=True):
        cells = list(map(cell, row))
        if rng.random() < 0.03:
            cells = cells[: int(rng.integers(len(cells) + 1))] if rng.random() < 0.5 else [*cells, "more"]
        lines.append(separator.join(cells))
    encoding = str(rng.choice(["utf-8", "utf-8", "utf-8", "utf-16", "latin-1", "utf-8-sig"]))
    return end.join(lines).encode(encoding, "replace") + (b"" if rng.random() < 0.3 else end.encode())


def json_lines(rng: Rng) -> bytes:
    """Return objects, one a line or in one list, whose cells may be of any type."""
    columns = _columns(rng)
    odd = [None, True, 1, 1.5, [], [1], {"a": 1}, "x", 10**30]
    rows = []
    for row in zip(*columns.values(), strict=True):
        cells = dict(zip(columns, row, strict=True))
        if rng.random() < 0.1:
            cells[str(rng.choice(list(cells)))] = odd[rng.integers(len(odd))]
        rows.append(cells)
    if rng.random() < 0.5:
        return json.dumps(rows).encode()
    return b"\n".join(json.dumps(row).encode() for row in rows)


def parquet(rng: Rng) -> bytes:
    """Return a Parquet file of some types."""
    import pyarrow as pa
    from pyarrow import parquet

    columns: dict[str, Any] = {}
    n = int(rng.choice([0, 1, 20]))
    for name in _columns(rng):
        way = rng.integers(6)
        columns[name] = [
            pa.array(rng.normal(size=n)),
            pa.array(rng.integers(0, 9, n)),
            pa.array([str(x) for x in rng.choice(_WORDS, n)]),
            pa.array(rng.random(n) < 0.5),
            pa.array(rng.integers(0, 2**40, n), pa.timestamp("us")),
            pa.array([[1, 2]] * n),
        ][way]
    target = io.BytesIO()
    parquet.write_table(pa.table(columns), target)
    return target.getvalue()


def spoiled(content: bytes, rng: Rng) -> bytes:
    """Return the bytes with some flipped, put in, taken out."""
    found = bytearray(content)
    for _ in range(int(rng.choice([1, 2, 10]))):
        at = int(rng.integers(len(found) + 1))
        way = rng.integers(4)
        if way == 0:
            found[at : at + 1] = bytes([rng.integers(256)])
        elif way == 1:
            found[at:at] = rng.integers(0, 256, int(rng.integers(1, 5))).astype(np.uint8).tobytes()
        elif way == 2:
            del found[at : at + int(rng.integers(1, 30))]
        else:
            del found[at:]
    return bytes(found)


_MAKERS = [
    (csv, [".csv", ".csv", ".tsv", ".txt"]),
    (csv, [".csv"]),
    (json_lines, [".jsonl", ".json", ".ndjson"]),
    (parquet, [".parquet"]),
]
