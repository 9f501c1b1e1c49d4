"""The rows of small nodes brought together: in one pass into buckets on the disk, then bucket by bucket."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.growth.sourced.source import Gathered, Ints

from .folder import naming_full_disk
from .store import Reader

if TYPE_CHECKING:
    from .source import SpoolSource

Chunk = list[NDArray[Any]]  # the place of the node of each row, its target, weight, and values by column


class Buckets:
    """Rows by node; nodes share a bucket as long as memory holds it. A single bucket stays in memory."""

    def __init__(self, source: SpoolSource, sizes: Ints) -> None:
        self.source, self.sizes = source, sizes
        most = max(1, source.budget.for_rows // source.bytes_of_row)
        self.of_node = _filled(sizes, most)  # the bucket of each node
        self.n_buckets = int(self.of_node[-1]) + 1 if len(sizes) else 0
        self.held: list[Chunk] = []
        self.folder: Path | None = None
        self.kinds: list[np.dtype[Any]] = []
        self.n_bytes = 0
        self._lock = threading.Lock()
        self._readers = threading.local()
        self._all_readers: list[Reader] = []

    def __enter__(self) -> Buckets:
        if self.n_buckets > 1:
            self.folder = self.source.spool.folder / "buckets"
            self.folder.mkdir(exist_ok=True)
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        for reader in self._all_readers:
            self.n_bytes += reader.n_bytes
            reader.close()
        if self.folder is not None:
            shutil.rmtree(self.folder, ignore_errors=True)

    def _reader(self) -> Reader:
        if not hasattr(self._readers, "one"):
            self._readers.one = Reader(self.source.spool)
            with self._lock:
                self._all_readers.append(self._readers.one)
        reader: Reader = self._readers.one
        return reader

    def add(
        self, block: int, place: NDArray[np.int64], row: NDArray[Any], weight: NDArray[np.int64] | None
    ) -> None:
        """Add rows of a block, each with the place of its node."""
        if not len(place):
            return
        source, reader = self.source, self._reader()
        counted = source.view.counted(reader, block, source.question.exponent, source.is_whole)
        weight = np.ones(len(row), dtype=np.int64) if weight is None else weight
        chunk: Chunk = [place, counted.target[row], weight]
        chunk += [reader.values(block, column)[row] for column in source.columns]
        if self.n_buckets <= 1:
            with self._lock:
                self.kinds = [part.dtype for part in chunk]
                self.held.append(chunk)
            return
        bucket = self.of_node[place]
        order = np.argsort(bucket, kind="stable")
        starts = np.searchsorted(bucket[order], np.arange(self.n_buckets + 1)).tolist()
        for number in range(self.n_buckets):
            some = order[starts[number] : starts[number + 1]]
            if len(some):
                self._write(number, [part[some] for part in chunk])

    def _write(self, bucket: int, chunk: Chunk) -> None:
        assert self.folder is not None
        with self._lock, naming_full_disk(self.folder), open(self.folder / str(bucket), "ab") as file:
            self.kinds = [part.dtype for part in chunk]
            np.array([len(chunk[0])], dtype=np.int64).tofile(file)
            for part in chunk:
                part.tofile(file)
                self.n_bytes += part.nbytes

    def _read(self, bucket: int) -> list[Chunk]:
        if self.folder is None:
            return self.held
        found, path = [], self.folder / str(bucket)
        if not path.exists():
            return []
        with open(path, "rb") as file:
            while len(head := np.fromfile(file, dtype=np.int64, count=1)):
                found.append([np.fromfile(file, dtype=kind, count=int(head[0])) for kind in self.kinds])
        path.unlink()
        return found

    def gathered(self) -> Iterator[Gathered]:
        """Yield the rows of each node, in the order of the nodes."""
        for bucket, nodes in groupby(range(len(self.sizes)), key=self.of_node.__getitem__):
            chunks = self._read(int(bucket))
            together = [np.concatenate(parts) for parts in zip(*chunks, strict=True)] if chunks else []
            chunks.clear()
            yield from self._of_nodes(list(nodes), together)

    def _of_nodes(self, nodes: Sequence[int], together: Chunk) -> Iterator[Gathered]:
        if not together:  # no row of them counts
            return
        order = np.argsort(together[0], kind="stable")
        starts = np.searchsorted(together[0][order], [*nodes, nodes[-1] + 1]).tolist()
        for i in range(len(nodes)):
            rows = order[starts[i] : starts[i + 1]]
            target, weight, *values = (part[rows] for part in together[1:])
            yield Gathered(tuple(map(_plain, values)), target, weight)


def _filled(sizes: Ints, most: int) -> Ints:
    """Return the bucket of each node: nodes in their order, as many as a bucket holds.

    >>> _filled(np.array([3, 3, 5, 1]), 6).tolist()
    [0, 0, 1, 1]
    """
    found, bucket, filled = [], 0, 0
    for size in sizes.tolist():
        if filled and filled + size > most:
            bucket, filled = bucket + 1, 0
        filled += size
        found.append(bucket)
    return np.array(found, dtype=np.int64)


def _plain(values: NDArray[Any]) -> NDArray[Any]:
    """Return a column as tables have it."""
    if values.dtype != np.uint8:
        return values
    codes = values.astype(np.int32)
    codes[values == 255] = -1
    return codes
