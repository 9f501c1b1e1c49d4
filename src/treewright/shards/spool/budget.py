"""How much memory growth from a spool may take, and what of it goes where."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from treewright.base.numbers import PLAIN

LEAST = 64_000_000
RESIDENT = 250_000_000  # bytes that Python with its libraries takes before any row is there
MOST_BLOCK_ROWS, LEAST_BLOCK_ROWS = 1 << 17, 1 << 8
UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(i?)B?", re.IGNORECASE)


@dataclass(frozen=True)
class Budget:
    """Bytes that growth may take, all told, and on how many threads; the rest says what goes where.

    >>> Budget.of("2GB").n_bytes, Budget.of("512MiB").n_bytes, Budget.of(3 * 10**8).n_bytes
    (2000000000, 536870912, 300000000)
    >>> Budget.of("2 gigs")
    Traceback (most recent call last):
    ValueError: memory='2 gigs' is no size; write it like '2GB' or '500MB', or as a number of bytes.
    >>> Budget.of("10MB")
    Traceback (most recent call last):
    ValueError: memory='10MB' is too little: Python with its libraries takes more. Give at least 64MB.
    """

    n_bytes: int
    n_threads: int = 1

    @classmethod
    def of(cls, memory: Any, n_threads: int = 1) -> Budget:
        """Return the budget that a size in words, or a number of bytes, means."""
        n_bytes = _bytes_of(memory)
        if n_bytes < LEAST:
            raise ValueError(
                f"memory={memory!r} is too little: Python with its libraries takes more. Give at least "
                f"{LEAST // 10**6}MB."
            )
        return cls(n_bytes, n_threads)

    @property
    def spare(self) -> int:
        """Bytes for rows and sums."""
        return max(self.n_bytes - RESIDENT, self.n_bytes // 8)

    @property
    def for_sums(self) -> int:
        """Bytes of the sums of one pass, on each thread and once more where they merge."""
        return self.spare // (4 * (self.n_threads + 1))

    @property
    def for_places(self) -> int:
        """Bytes that say where each row is; with more they lie on the disk."""
        return self.spare // 8

    @property
    def for_rows(self) -> int:
        """Bytes of rows that are together in memory, with what growth makes of them."""
        return self.spare // 2

    def rows_of_block(self, bytes_of_row: int) -> int:
        """Return how many rows a block has, so that each thread can hold one.

        >>> Budget(2 * 10**9, 2).rows_of_block(100), Budget(2 * 10**9, 2).rows_of_block(5000)
        (131072, 8192)
        """
        fitting = self.spare // (8 * (self.n_threads + 1) * max(1, bytes_of_row))
        rows = MOST_BLOCK_ROWS
        while rows > max(LEAST_BLOCK_ROWS, fitting):
            rows //= 2
        return rows


def _bytes_of(memory: Any) -> int:
    if isinstance(memory, int) and not isinstance(memory, bool):
        return memory
    found = _SIZE.fullmatch(memory.strip()) if isinstance(memory, str) else None
    if found is None:
        raise ValueError(
            f"memory={memory!r:.60} is no size; write it like '2GB' or '500MB', or as a number of bytes."
        )
    number, unit, is_binary = found.groups()
    power = UNITS[unit.upper()]
    if is_binary:
        power = 1 << (10 * list(UNITS).index(unit.upper()))
    return int(float(number) * power)


def size(n_bytes: float) -> str:
    """Return a number of bytes for people.

    >>> size(999), size(2_340_000_000)
    ('999 bytes', '2.34 GB')
    """
    for unit, power in reversed(UNITS.items()):
        if unit and n_bytes >= power:
            return f"{n_bytes / power:.{PLAIN // 2}g} {unit}B"
    return f"{int(n_bytes)} bytes"
