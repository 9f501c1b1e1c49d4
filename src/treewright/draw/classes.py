"""Class weights as a picture shows them: all of a few classes; of many, the top three and the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

MANY = 8  # classes from which on a bar has the top three only
TOP = 3
OTHERS = 10**6  # the number of "others": no class has its colour


def top_classes(weights: NDArray[np.float64]) -> list[tuple[int, float]]:
    """Return classes with their weights, in class order; where there are many, the rest is one, at the end.

    >>> top_classes(np.array([2.0, 0.0, 1.0]))
    [(0, 2.0), (2, 1.0)]
    >>> top_classes(np.array([5.0, 1, 4, 1, 3, 1, 1, 1, 1])) == [(0, 5.0), (2, 4.0), (4, 3.0), (OTHERS, 6.0)]
    True
    """
    codes = np.flatnonzero(weights)
    if len(weights) <= MANY or len(codes) <= TOP + 1:
        return [(int(code), float(weights[code])) for code in codes]
    top = np.sort(codes[np.argsort(-weights[codes], kind="stable")[:TOP]])
    rest = float(weights.sum() - weights[top].sum())
    return [*((int(code), float(weights[code])) for code in top), (OTHERS, rest)]
