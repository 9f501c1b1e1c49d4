"""A table as bare as possible: columns by name and kind, values as arrays, with treewright's field names."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
MISSING = -1


@dataclass(frozen=True)
class PlainColumn:
    """One column: numeric (no categories), or nominal, ordinal, boolean with declared categories."""

    name: str
    kind: str
    categories: tuple[str, ...] = ()


@dataclass(frozen=True)
class PlainSchema:
    """The columns of a table, in order."""

    columns: tuple[PlainColumn, ...]


@dataclass(frozen=True)
class PlainTable:
    """Columns and their values: float64 with NaN for numeric ones, int32 codes with -1 for the others."""

    schema: PlainSchema
    values: tuple[NDArray[Any], ...]

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.values[0]) if self.values else 0

    def take(self, rows: Sequence[int] | NDArray[Any] | slice) -> PlainTable:
        """Return the table of these rows."""
        return PlainTable(self.schema, tuple(values[rows] for values in self.values))


def kind_of(column: Any) -> str:
    """Return the kind of a column as a word, for plain columns and for treewright's own."""
    return str(getattr(column.kind, "value", column.kind))


def is_numeric(column: Any) -> bool:
    """Say whether the column holds numbers."""
    return kind_of(column) == "numeric"


def is_missing(column: Any, values: NDArray[Any]) -> NDArray[np.bool_]:
    """Return a mask of the rows where the column has no value."""
    return np.isnan(values) if is_numeric(column) else values < 0


def code(words: Sequence[str | None], categories: Sequence[str]) -> Ints:
    """Return the code of each word in `categories`, -1 where there is none."""
    place = {word: i for i, word in enumerate(categories)}
    return np.array([MISSING if word is None else place[word] for word in words], dtype=np.int32)


def read_shared(name: str, folder: Path) -> tuple[PlainTable, PlainColumn, NDArray[Any], int | None]:
    """Return (features, target column, target, rows of the published training part) of a shared table."""
    about = json.loads((folder / f"{name}.json").read_text())
    path = folder / about["file"]
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    columns, arrays = [], []
    for column in about["columns"]:
        words = [row[header.index(column["name"])] or None for row in rows]
        if column["kind"] == "numeric":
            columns.append(PlainColumn(column["name"], "numeric"))
            arrays.append(np.array([np.nan if w is None else float(w) for w in words]))
        else:
            kind = "ordinal" if column["kind"] == "ordinal" else "nominal"
            columns.append(PlainColumn(column["name"], kind, tuple(column["values"])))
            arrays.append(code(words, column["values"]))
    place = [column.name for column in columns].index(about["target"])
    target, y = columns.pop(place), arrays.pop(place)
    split = about.get("fixed_split", {}).get("train_rows")
    return PlainTable(PlainSchema(tuple(columns)), tuple(arrays)), target, y, split
