"""Dealing rows into folds by what they hold, row by row in plain Python; written from semantics.md 3.14.9.

A row is a dict from name to cell (a number, a text, None for a gap), with its answer and its weight.
"""

from __future__ import annotations

import math
import struct
from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

MASK = 2**32 - 1
FOLDS, PARTS = 2**32 - 1, 2**32 - 2  # what is drawn for
GAP = struct.unpack("<Q", struct.pack("<d", math.nan))[0] & (2**63 - 1)


class PlainRow(NamedTuple):
    """What a row holds."""

    cells: dict[str, Any]
    answer: Any
    weight: float = 1.0


def philox(counter: list[int], seed: int) -> list[int]:
    """Return Philox4x32-10 (Salmon and others 2011) of four words of 32 bits."""
    keys = [seed & MASK, seed >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [(b >> 32) ^ counter[1] ^ keys[0], b & MASK, (a >> 32) ^ counter[3] ^ keys[1], a & MASK]
        keys = [(keys[0] + 0x9E3779B9) & MASK, (keys[1] + 0xBB67AE85) & MASK]
    return counter


def hashed(seed: int, first: int, upper: int, lower: int) -> int:
    """Return 64 bits for a seed, 64 bits and two times 32."""
    words = philox([first & MASK, first >> 32, lower, upper], seed % 2**64)
    return words[1] << 32 | words[0]


def word(cell: Any) -> int:
    """Return a cell as 64 bits: a number as float64, where -0 is 0; a text by its bytes; any gap."""
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return GAP
    if isinstance(cell, str):
        return int.from_bytes(blake2b(cell.encode(), digest_size=8).digest(), "little")
    number = 0.0 if cell == 0 else float(cell)
    return int(struct.unpack("<Q", struct.pack("<d", number))[0])


def content(row: PlainRow) -> int:
    """Return the digest of a row: cells by name in byte order, then the answer, then the weight."""
    names = sorted(row.cells, key=lambda name: name.encode())
    digest = 0
    for part in [*(row.cells[name] for name in names), row.answer, row.weight]:
        digest = hashed(0, digest, word(part) >> 32, word(part) & MASK)
    return digest


def group(row: PlainRow) -> tuple[bool, bytes]:
    """Return what is spread evenly: the class by its bytes; numbers are one group. No rows come last."""
    if row.weight == 0:
        return True, b""
    return False, row.answer.encode() if isinstance(row.answer, str) else b""


def hashes(rows: Sequence[PlainRow], seed: int, purpose: int = FOLDS) -> list[tuple[int, int]]:
    """Return for every row the hash of (seed, content) and that of (seed, content, number of the copy)."""
    met: Counter[int] = Counter()
    found = []
    for row in rows:
        digest = content(row)
        found.append((hashed(seed, digest, purpose, 0), hashed(seed, digest, purpose, met[digest])))
        met[digest] += 1
    return found


def places(rows: Sequence[PlainRow], seed: int, purpose: int = FOLDS) -> list[int]:
    """Return how many rows stand before each: classes by their bytes, rows in them by their hash."""
    of_copy = [copy for _, copy in hashes(rows, seed, purpose)]
    keys = [(group(row), hashed) for row, hashed in zip(rows, of_copy, strict=True)]
    return [sum(other < key for other in keys) for key in keys]


def large(rows: Sequence[PlainRow], limit: int) -> list[bool]:
    """Return whether each row is of a class of more rows than are sorted."""
    sizes = Counter(map(group, rows))
    return [sizes[group(row)] > limit for row in rows]


def folds(rows: Sequence[PlainRow], n_folds: int, seed: int, limit: int = 2**20) -> list[int]:
    """Return the fold of each row: its place, or in a large class its hash, modulo the number of folds."""
    of_content = [first for first, _ in hashes(rows, seed)]
    k = min(n_folds, max(2, len(rows)))
    parts = zip(large(rows, limit), of_content, places(rows, seed), strict=True)
    return [(drawn if is_large else place) % k for is_large, drawn, place in parts]


def kept_back(rows: Sequence[PlainRow], share: float, seed: int, limit: int = 2**20) -> list[bool]:
    """Return which rows are kept back: where place * share passes a whole number, or the hash is below it."""
    of_content = [first for first, _ in hashes(rows, seed)]
    place = places(rows, seed)
    found = [
        (drawn >> 11) / 2**53 < share if is_large else math.floor((at + 1) * share) > math.floor(at * share)
        for is_large, drawn, at in zip(large(rows, limit), of_content, place, strict=True)
    ]
    return [at == 0 for at in place] if all(found) or not any(found) else found
