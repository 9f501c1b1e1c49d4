"""Where the rows of each block are in the tree: in memory while that is small, else in files of the spool."""

from __future__ import annotations

import secrets
import shutil
import threading
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core

from .folder import naming_full_disk
from .store import Spool

Arrays = tuple[NDArray[Any], NDArray[Any] | None, NDArray[Any] | None]  # node, weight, row: None where whole


class Places:
    """The node of each row, or piece of one, block by block, and how many batches of moves it has seen."""

    def __init__(self, spool: Spool, n_bytes: int) -> None:
        self.spool = spool
        self._done = [0] * spool.n_blocks
        self._held: dict[int, Arrays] = {}
        self._free = n_bytes
        self._folder = spool.folder / f"places-{secrets.token_hex(4)}"  # made when it is needed
        self._lock = threading.Lock()

    def n_done(self, block: int) -> int:
        """Return how many batches the rows of a block have gone through."""
        return self._done[block]

    def rows(
        self, block: int, n_rows: int, left_out: NDArray[np.bool_] | None, units: NDArray[np.int64] | None
    ) -> Any:
        """Return the rows of a block where they are; at first at the root, less those that are left out."""
        if not self._done[block]:
            node = np.zeros(n_rows, dtype=np.int32)
            if left_out is not None:
                node[left_out] = -1
            return _core.SpoolRows(node, units, None)
        node, weight, row = self._held.get(block) or self._read(block)
        return _core.SpoolRows(node, units if row is None else weight, row)

    def keep(self, block: int, rows: Any, n_done: int) -> None:
        """Keep where the rows of a block are now."""
        node, weight, row = rows.arrays()
        arrays: Arrays = (node, None, None) if row is None else (node, weight, row)
        with self._lock:
            if (before := self._held.pop(block, None)) is not None:
                self._free += _size(before)
            is_held = _size(arrays) <= self._free
            if is_held:
                self._free -= _size(arrays)
                self._held[block] = arrays
        if not is_held:
            self._write(block, arrays)
        self._done[block] = n_done

    def close(self) -> None:
        """Remove the files."""
        shutil.rmtree(self._folder, ignore_errors=True)
        self._held.clear()

    def _path(self, block: int) -> Path:
        return self._folder / str(block)

    def _write(self, block: int, arrays: Arrays) -> None:
        node, weight, row = arrays
        self._folder.mkdir(exist_ok=True)
        with naming_full_disk(self.spool.folder), open(self._path(block), "wb") as file:
            np.array([len(node), row is not None], dtype=np.int64).tofile(file)
            for part in (node, weight, row):
                if part is not None:
                    part.tofile(file)

    def _read(self, block: int) -> Arrays:
        with open(self._path(block), "rb") as file:
            n, has_pieces = np.fromfile(file, dtype=np.int64, count=2).tolist()
            node = np.fromfile(file, dtype=np.int32, count=n)
            if not has_pieces:
                return node, None, None
            weight = np.fromfile(file, dtype=np.int64, count=n)
            return node, weight, np.fromfile(file, dtype=np.int32, count=n)


def _size(arrays: Arrays) -> int:
    return sum(part.nbytes for part in arrays if part is not None)
