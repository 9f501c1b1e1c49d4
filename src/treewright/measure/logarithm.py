"""Logarithms to any base; the usual ones exactly."""

from __future__ import annotations

import math
import numbers
from typing import Any

import numpy as np

from treewright.measure.given import Floats

_EXACT: dict[float, Any] = {2.0: np.log2, math.e: np.log, 10.0: np.log10}


def log(values: Floats, base: float) -> Floats:
    """Return the logarithm of each value to a base.

    >>> log(np.array([8.0, 0.5]), 2)
    array([ 3., -1.])
    """
    if isinstance(base, bool) or not isinstance(base, numbers.Real):
        raise TypeError(
            f"base={base!r} must be a number, not {type(base).__name__}; natural logarithms: math.e."
        )
    size = float(base)
    if not (math.isfinite(size) and size > 1):
        raise ValueError(f"base={base!r} must be a finite number above 1; 2 gives bits, math.e nats.")
    with np.errstate(divide="ignore"):
        if size in _EXACT:
            return np.asarray(_EXACT[size](values))
        return np.asarray(np.log(values) / math.log(size))
