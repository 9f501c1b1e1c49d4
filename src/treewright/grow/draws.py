"""Keyed draws as arrays: the same numbers for any order of visit, from no stream."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from treewright import _core

# Growth counts trees from 0 up; whoever else draws has a key of its own at the other end (folds: 2**32 - 1).
RULES = 2**32 - 2


def uniforms(seed: int, key: int, path: int, n: int) -> NDArray[np.float64]:
    """Return n numbers between 0 and 1 for items 0, 1, 2, ...

    >>> uniforms(0, RULES, 0, 3).round(3).tolist() == uniforms(0, RULES, 0, 5).round(3).tolist()[:3]
    True
    """
    return np.array([_core.draw(seed % 2**64, key, path, item) / 2**64 for item in range(n)])
