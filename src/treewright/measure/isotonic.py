"""The rising curve nearest to given values: pool adjacent violators (Ayer and others 1955)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def rising(values: NDArray[Any], weights: NDArray[Any]) -> Floats:
    """Return the never falling values of least squared distance from given ones, weighted.

    >>> rising(np.array([1.0, 3.0, 2.0, 4.0]), np.ones(4)).tolist()
    [1.0, 2.5, 2.5, 4.0]
    """
    mean: list[float] = []
    weight: list[float] = []
    size: list[int] = []
    for value, heavy in zip(values.tolist(), weights.tolist(), strict=True):
        mean.append(value)
        weight.append(heavy)
        size.append(1)
        while len(mean) > 1 and mean[-2] >= mean[-1]:  # one falls: they become one block
            last, heavy_last, n = mean.pop(), weight.pop(), size.pop()
            total = weight[-1] + heavy_last
            if total > 0:
                mean[-1] = (mean[-1] * weight[-1] + last * heavy_last) / total
            weight[-1] = total
            size[-1] += n
    return np.repeat(mean, size)
