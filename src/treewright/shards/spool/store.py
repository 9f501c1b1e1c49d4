"""The files of a spool: rows in blocks, in each column after column; and how some columns are read.

    values   block | block | ...     block = [column 0: n numbers of 4 or 8 bytes] [column 1: ...] ...
    cells    block | block | ...     block = [column 0: n bytes] [column 1: n bytes] ...

A number has its value and the byte of its cell; a category with at most 254 fellows a byte alone, which is
its code; others have their code as a value. A gap is NaN, or 255, or -1.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from treewright.shards.layout import Coding, Layout
from treewright.shards.way import Way
from treewright.table import Column, Schema

VALUES, CELLS, ENDS, MANIFEST = "values", "cells", "ends.npy", "manifest.json"
N_CELLS = 255  # that a byte can tell from a gap
GAP_BYTE = 255
VERSION = 1


@dataclass(frozen=True)
class Stored:
    """How a column lies in a spool: the type of its values, "" for none, and whether it has bytes."""

    value: str
    has_cells: bool

    @classmethod
    def of(cls, coding: Coding) -> Stored:
        """Return how a column is stored."""
        if coding.column.is_numeric:
            return cls("<f4" if coding.is_single else "<f8", True)
        if len(coding.column.categories) <= N_CELLS - 1:
            return cls("", True)
        return cls("<i4", False)

    @property
    def n_bytes(self) -> int:
        """The bytes of a cell, all told."""
        return self.value_bytes + self.has_cells

    @property
    def value_bytes(self) -> int:
        """The bytes of a value."""
        return np.dtype(self.value).itemsize if self.value else 0


class Spool:
    """Rows that were coded into files: what is known of their columns, and where each block lies."""

    def __init__(
        self, folder: Path, layout: Layout, ends: NDArray[np.float64], starts: Sequence[int]
    ) -> None:
        self.folder, self.layout = folder, layout
        self.starts = list(starts)  # the first row of each block, and the number of all rows
        self.stored = [Stored.of(coding) for coding in layout.codings]
        self.ends = ends  # columns x (edges, least, greatest) x cells; edges that are none are NaN
        values, cells = [0], [0]
        for stored in self.stored:
            values.append(values[-1] + stored.value_bytes)
            cells.append(cells[-1] + stored.has_cells)
        self.value_start, self.cell_start = values, cells

    @property
    def n_rows(self) -> int:
        """The rows."""
        return self.starts[-1]

    @property
    def n_blocks(self) -> int:
        """The blocks."""
        return len(self.starts) - 1

    @property
    def bytes_of_row(self) -> int:
        """The bytes of a row in all files."""
        return self.value_start[-1] + self.cell_start[-1]

    @cached_property
    def place(self) -> dict[str, int]:
        """The number of each column, by name."""
        return {name: place for place, name in enumerate(self.layout.schema.names)}

    def edges(self, column: int) -> NDArray[np.float64]:
        """Return the edges between the cells of a column of numbers."""
        edges = self.ends[column, 0]
        return np.ascontiguousarray(edges[~np.isnan(edges)])

    @property
    def longest_block(self) -> int:
        """The rows of the longest block."""
        return max(map(self.rows_of, range(self.n_blocks)), default=0)

    def rows_of(self, block: int) -> int:
        """Return how many rows a block has."""
        return self.starts[block + 1] - self.starts[block]

    # ---- what tells one spool from another -----------------------------------------------------------

    def save(self, sign: str) -> None:
        """Write what is known of the columns; the last file of a spool that is whole."""
        np.save(self.folder / ENDS, self.ends, allow_pickle=False)
        told = {
            "version": VERSION,
            "sign": sign,
            "starts": self.starts,
            "schema": self.layout.schema.to_dict(),
            "columns": [_told(coding) for coding in self.layout.codings],
        }
        (self.folder / MANIFEST).write_text(json.dumps(told))

    @classmethod
    def opened(cls, folder: Path, sign: str) -> Spool | None:
        """Return the spool in a folder, if there is one of these rows, and it is whole."""
        try:
            told = json.loads((folder / MANIFEST).read_text())
            if (told["version"], told["sign"]) != (VERSION, sign):
                return None
            schema = Schema.from_dict(told["schema"])
            codings = tuple(
                _coding(column, more) for column, more in zip(schema.columns, told["columns"], strict=True)
            )
            layout = Layout(codings, Way(), told["starts"][-1], {})
            ends = np.load(folder / ENDS, allow_pickle=False)
            found = cls(folder, layout, ends, told["starts"])
            is_whole = ends.shape == (len(codings), 3, N_CELLS) and all(
                (folder / name).stat().st_size == found.n_rows * width
                for name, width in ((VALUES, found.value_start[-1]), (CELLS, found.cell_start[-1]))
            )
        except (OSError, ValueError, KeyError, TypeError, IndexError):
            return None
        return found if is_whole else None


def _told(coding: Coding) -> dict[str, Any]:
    """Return what a spool keeps of a coding: the cells of each code, not of each word."""
    counts = None
    if coding.counts is not None and coding.values is not None and not coding.column.is_numeric:
        n = len(coding.column.categories)
        counts = np.bincount(coding.values + 1, coding.counts, n + 1)[1:].astype(np.int64).tolist()
    return {
        "counts": counts,
        "n_gaps": coding.n_gaps,
        "is_single": coding.is_single,
        "least": coding.least,
        "greatest": coding.greatest,
    }


def _coding(column: Column, told: dict[str, Any]) -> Coding:
    counts = told.pop("counts")
    if counts is None:
        return Coding(column, **told)
    values = np.arange(len(counts), dtype=np.int32)
    return Coding(column, counts=tuple(counts), values=values, **told)


class Reader:
    """Reads columns of blocks into arrays that serve again for the next block; one for each thread."""

    def __init__(self, spool: Spool) -> None:
        self.spool, self.n_bytes = spool, 0
        self._files: dict[str, BinaryIO] = {}
        self._buffers: dict[tuple[str, int], NDArray[Any]] = {}

    def close(self) -> None:
        """Close the files."""
        for file in self._files.values():
            file.close()
        self._files.clear()

    def values(self, block: int, column: int) -> NDArray[Any]:
        """Return the values of a column; of one that has bytes alone, these."""
        stored = self.spool.stored[column]
        if not stored.value:
            return self.cells(block, column)
        return self._read(VALUES, self.spool.value_start, block, column, np.dtype(stored.value))

    def cells(self, block: int, column: int) -> NDArray[Any]:
        """Return the bytes of a column."""
        return self._read(CELLS, self.spool.cell_start, block, column, np.dtype(np.uint8))

    def plain(self, block: int, column: int) -> NDArray[Any]:
        """Return a column as tables have it: numbers with NaN for gaps, or codes with -1; a fresh array."""
        found = self.values(block, column)
        if found.dtype == np.uint8:
            codes = found.astype(np.int32)
            codes[found == GAP_BYTE] = -1
            return codes
        return found.copy()

    def _read(
        self, name: str, starts: Sequence[int], block: int, column: int, kind: np.dtype[Any]
    ) -> NDArray[Any]:
        n, first = self.spool.rows_of(block), self.spool.starts[block]
        key = (name, column)
        if key not in self._buffers:
            self._buffers[key] = np.empty(self.spool.longest_block, dtype=kind)
        found = self._buffers[key][:n]
        if name not in self._files:
            self._files[name] = open(self.spool.folder / name, "rb", buffering=0)  # noqa: SIM115
        file = self._files[name]
        file.seek(first * starts[-1] + starts[column] * n)
        view, done = memoryview(found.view(np.uint8)), 0  # type: ignore[arg-type]
        while done < len(view):
            if not (more := file.readinto(view[done:])):  # type: ignore[attr-defined]
                raise ValueError(f"The file {file.name!r} of the spool ends too soon; it was cut short.")
            done += more
        self.n_bytes += done
        return found
