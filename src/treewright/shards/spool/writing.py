"""Shards coded once into a spool: first the values as they come, then the cell of each number."""

from __future__ import annotations

import hashlib
import json
import os
import secrets
import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.progress import Watcher, part_of
from treewright.shards.layout import Layout, layout_of
from treewright.shards.listing import Listing
from treewright.shards.readers import FORMATS
from treewright.shards.shard import Shard
from treewright.table.files.duck import connected

from .budget import Budget
from .edges import MOST_EDGES, sampled_edges
from .folder import InUse, check_room, naming_full_disk, one_at_a_time, scratch
from .passes import each_block
from .store import CELLS, ENDS, GAP_BYTE, MANIFEST, N_CELLS, VALUES, VERSION, Reader, Spool, Stored

SAMPLE = 1 << 16  # rows that say where cells begin
KEPT = "rows-"  # what the folder of a spool that is kept begins with


@contextmanager
def spooled(
    listing: Listing, budget: Budget, place: str | os.PathLike[str] | None = None, tell: Watcher | None = None
) -> Iterator[Spool]:
    """Give the rows of shards as a spool; `place` is a folder to keep it in, and to find it in next time.

    Without a place it lies where temporary files do, and is gone afterwards.

    >>> import treewright as tw
    >>> from treewright.shards import shards_of
    >>> tennis = tw.example("tennis")
    >>> listing = shards_of([tennis.take(range(9)), tennis.take(range(9, 14))])
    >>> with spooled(listing, Budget.of("1GB")) as spool:
    ...     spool.n_rows, spool.n_blocks, spool.bytes_of_row
    (14, 1, 5)
    """
    if place is None:
        with scratch() as folder:
            yield _written(listing, folder, budget, "", tell)
        return
    kept = Path(place)
    kept.mkdir(parents=True, exist_ok=True)
    sign = _sign(listing)
    home = kept / f"{KEPT}{sign[:16]}"
    with InUse(home) as used:
        if (found := _fitting(home, sign, budget)) is not None:
            yield found
            return
        with scratch(kept) as folder:
            written = _written(listing, folder, budget, sign, tell)
            with one_at_a_time(home):
                if Spool.opened(home, sign) is None or used.is_alone():
                    _replace(folder, home)
                    used.share()
            yield _fitting(home, sign, budget) or written  # others may read what does not serve here


def _fitting(home: Path, sign: str, budget: Budget) -> Spool | None:
    """Return the spool that is kept, if it is of these rows and its blocks are not too long."""
    found = Spool.opened(home, sign)
    if found is None or found.longest_block > budget.rows_of_block(found.bytes_of_row):
        return None
    return found


def _replace(folder: Path, home: Path) -> None:
    """Put the files of a spool where it is kept; one of other rows goes if nobody reads it."""
    for old in home.parent.glob(f"{KEPT}*"):
        if old != home and (old / MANIFEST).is_file():
            with InUse(old) as other:
                if other.is_alone():
                    shutil.rmtree(old, ignore_errors=True)
    (home / MANIFEST).unlink(missing_ok=True)
    for name in (VALUES, CELLS, ENDS, MANIFEST):  # that last: with it a spool is whole
        os.replace(folder / name, home / name)


def _sign(listing: Listing) -> str:
    """Return what tells these rows, read in this way, from all others; nothing does for rows in memory."""
    if not all(shard.mark for shard in listing.shards):
        return secrets.token_hex(32)
    shards = [(shard.name, shard.part, shard.first, shard.stop, shard.mark.hex()) for shard in listing.shards]
    told = json.dumps([VERSION, shards, repr(listing.way)])
    return hashlib.sha256(told.encode()).hexdigest()


def _written(listing: Listing, folder: Path, budget: Budget, sign: str, tell: Watcher | None) -> Spool:
    layout = layout_of(listing, tell=part_of(tell, 0.0, 0.4))
    width = sum(Stored.of(coding).n_bytes for coding in layout.codings)
    check_room(folder, layout.n_rows * width)
    with naming_full_disk(folder):
        spool, samples = _with_values(listing, layout, folder, budget, part_of(tell, 0.4, 0.8))
        _code(spool, samples, budget.n_threads)
    spool.save(sign)
    if tell is not None:
        tell(1.0)
    return spool


# ---- values --------------------------------------------------------------------------------------------


def _with_values(
    listing: Listing, layout: Layout, folder: Path, budget: Budget, tell: Watcher | None
) -> tuple[Spool, list[NDArray[Any]]]:
    """Write values, and the bytes of categories; return the spool, its cells still open, and samples."""
    width = sum(Stored.of(coding).n_bytes for coding in layout.codings)
    most = budget.rows_of_block(width)
    sample_rows = max(256, min(SAMPLE, budget.for_sums // (8 * len(layout.codings))))
    starts: list[int] = [0]
    samples: list[list[NDArray[Any]]] = [[] for _ in layout.codings]
    ends = np.full((len(layout.codings), 3, N_CELLS), np.nan)
    ends[:, 1], ends[:, 2] = np.inf, -np.inf
    spool = Spool(folder, layout, ends, starts)
    with open(folder / VALUES, "wb") as values, open(folder / CELLS, "wb") as cells:
        for block in _blocks(listing, layout, most):
            n = len(block[0])
            _write(spool, block, values, cells)
            chosen = np.random.default_rng(starts[-1]).integers(0, n, -(-n * sample_rows // layout.n_rows))
            for column, stored in enumerate(spool.stored):
                if stored.value.startswith("<f"):
                    samples[column].append(block[column][chosen])
            spool.starts.append(spool.starts[-1] + n)
            if tell is not None:
                tell(min(1.0, spool.starts[-1] / layout.n_rows))
            starts = spool.starts
    return spool, [np.concatenate(some) if some else np.zeros(0) for some in samples]


def _blocks(listing: Listing, layout: Layout, most: int) -> Iterator[list[NDArray[Any]]]:
    """Yield the rows of all shards, `most` at a time, in their order."""
    names = layout.schema.names
    waiting: list[list[NDArray[Any]]] = []
    n_waiting = 0
    with connected() as connection:
        for shard in listing.shards:
            for rows in _stretches(shard, most):
                waiting.append(layout.values(connection, shard, names, rows))
                n_waiting += len(waiting[-1][0])
                if n_waiting >= most:
                    together = _together(waiting)
                    whole = n_waiting - n_waiting % most
                    for first in range(0, whole, most):
                        yield [column[first : first + most] for column in together]
                    waiting, n_waiting = [[column[whole:] for column in together]], n_waiting - whole
    if n_waiting:
        yield _together(waiting)


def _together(pieces: Sequence[list[NDArray[Any]]]) -> list[NDArray[Any]]:
    return [np.concatenate(columns) for columns in zip(*pieces, strict=True)]


def _stretches(shard: Shard, most: int) -> Iterator[tuple[int, int] | None]:
    """Yield the rows of a shard that are read at once; None: all of them."""
    n = shard.n_rows
    if n is None or n <= 2 * most or not FORMATS[shard.format].has_rows:
        yield None
        return
    for first in range(0, n, most):
        yield first, min(first + most, n)


def _write(spool: Spool, block: list[NDArray[Any]], values: BinaryIO, cells: BinaryIO) -> None:
    n = len(block[0])
    for column, stored in zip(block, spool.stored, strict=True):
        if stored.value:
            values.write(np.ascontiguousarray(column.astype(stored.value, copy=False)).data)
            if stored.has_cells:
                cells.seek(n, os.SEEK_CUR)  # a hole, until edges are known
        else:
            codes = column.astype(np.uint8)
            codes[column < 0] = GAP_BYTE
            cells.write(codes.data)
    cells.truncate(cells.tell())


# ---- cells ---------------------------------------------------------------------------------------------


def _code(spool: Spool, samples: Sequence[NDArray[Any]], n_threads: int) -> None:
    """Write the cell of each number; learn the least and greatest value of each cell."""
    numbers = [c for c, stored in enumerate(spool.stored) if stored.value.startswith("<f")]
    for column in numbers:
        edges = sampled_edges(np.asarray(samples[column], dtype=np.float64))
        assert len(edges) <= MOST_EDGES
        spool.ends[column, 0, : len(edges)] = edges
    lock = threading.Lock()
    with open(spool.folder / CELLS, "rb+", buffering=0) as file:

        def begin() -> tuple[Reader, NDArray[np.float64]]:
            return Reader(spool), spool.ends[:, 1:].copy()

        def step(held: tuple[Reader, NDArray[np.float64]], block: int) -> None:
            reader, ends = held
            n = spool.rows_of(block)
            for column in numbers:
                values, found = reader.values(block, column), np.empty(n, dtype=np.uint8)
                _core.spool_cells(values, spool.edges(column), found, ends[column, 0], ends[column, 1])
                with lock:
                    file.seek(spool.starts[block] * spool.cell_start[-1] + spool.cell_start[column] * n)
                    file.write(found.data)

        for reader, ends in each_block(spool.n_blocks, n_threads, begin, step):
            reader.close()
            spool.ends[:, 1] = np.minimum(spool.ends[:, 1], ends[:, 0])
            spool.ends[:, 2] = np.maximum(spool.ends[:, 2], ends[:, 1])
