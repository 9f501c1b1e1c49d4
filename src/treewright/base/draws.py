"""Draws for rows, by their numbers or by what they hold: hashes, from no stream."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core

# What is drawn for, beside growth itself, which counts its trees from 0 up. Each has a key of its own.
FOLDS = 2**32 - 1
PARTS = 2**32 - 2
SUBSETS = 2**32 - 3
BOOTSTRAP = 2**32 - 4
CORRUPTED = 2**32 - 5
REPLACED = 2**32 - 6
RULES = 2**32 - 7
SHADOWS = 2**32 - 8
SHUFFLES = 2**32 - 9
PROJECTIONS = 2**32 - 10
GROUPS = 2**32 - 11  # of rows that stay together in folds
BLOCKS = 2**32 - 12  # of held-out rows, by which settings are compared
SETTINGS_TRIED = 2**32 - 13  # the order in which settings are tried
COLUMNS_TRIED = 2**32 - 14  # by a node of a tree with tests on several columns
DEPENDENCE = 2**32 - 16  # rows of a partial dependence
HONEST = 2**32 - 17  # rows that fill the leaves of a tree of a forest


def row_draws(seed: int, purpose: int, item: int, n_rows: int) -> NDArray[np.uint64]:
    """Return 64 bits for every row; neither the order of visit nor the number of rows matters.

    >>> row_draws(7, FOLDS, 0, 3).tolist() == row_draws(7, FOLDS, 0, 5).tolist()[:3]
    True
    """
    return _core.draws(checked_seed(seed), purpose, item % 2**64, n_rows)


def content_draws(
    seed: int, purpose: int, digests: NDArray[np.uint64], items: NDArray[Any] | int = 0
) -> NDArray[np.uint64]:
    """Return 64 bits for every row, keyed by its digest instead of its number, and by an item of each.

    >>> found = content_draws(7, FOLDS, np.array([3, 9, 3], dtype=np.uint64), np.array([0, 0, 1]))
    >>> found.tolist() == [_core.draw(7, FOLDS, digest, item) for digest, item in ((3, 0), (9, 0), (3, 1))]
    True
    """
    words = np.full(len(digests), purpose << 32, dtype=np.uint64) + np.asarray(items, dtype=np.uint64)
    return _core.draws_each(checked_seed(seed), digests, words)


def checked_seed(seed: Any) -> int:
    """Return a seed folded into 64 bits.

    >>> checked_seed(-1) == 2**64 - 1
    True
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)):
        raise TypeError(f"seed={seed!r:.100} must be a whole number.")
    return int(seed) % 2**64


def shares_of(draws: NDArray[np.uint64]) -> NDArray[np.float64]:
    """Return draws as numbers from 0 up to, but without, 1.

    >>> shares_of(np.array([0, 2**63], dtype=np.uint64)).tolist()
    [0.0, 0.5]
    """
    return np.ldexp((draws >> np.uint64(11)).astype(np.float64), -53)


def row_shares(seed: int, purpose: int, item: int, n_rows: int) -> NDArray[np.float64]:
    """Return a number from 0 up to, but without, 1 for every row.

    >>> row_shares(0, FOLDS, 0, 2).round(4).tolist()
    [0.9775, 0.8887]
    """
    return shares_of(row_draws(seed, purpose, item, n_rows))


def item_named(*words: str) -> int:
    """Return the number under which draws for a name are kept: the same wherever the name stands.

    >>> item_named("Wind") == item_named("Wind") != item_named("Win", "d")
    True
    """
    text = "\0".join(words).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "little")
