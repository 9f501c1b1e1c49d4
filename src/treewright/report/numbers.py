"""Arrays as short lists of JSON numbers that mean the same bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def plain(values: NDArray[Any]) -> list[Any]:
    """Return numbers for JSON: whole ones without a point, null for NaN, infinities as words of JavaScript.

    >>> plain(np.array([2.0, 0.1, np.nan, np.inf, -np.inf, -0.0]))
    [2, 0.1, None, 'Infinity', '-Infinity', 0]
    """
    return [one(value) for value in np.asarray(values).tolist()]


def one(value: float) -> Any:
    """Return one number for JSON.

    >>> one(3.0), one(0.25)
    (3, 0.25)
    """
    if isinstance(value, (bool, int)):
        return int(value)
    if value != value:
        return None
    if value in (np.inf, -np.inf):
        return "Infinity" if value > 0 else "-Infinity"
    return int(value) if value.is_integer() and abs(value) < 2**53 else value
