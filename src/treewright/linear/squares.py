"""Columns whose squares are floats: what sums of squares ask for."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

LEAST, MOST = 1e-140, 1e140  # of the largest number of a column, its sign apart


def check_squares(x: NDArray[np.float64], names: Sequence[str] | None = None) -> None:
    """Refuse a column of numbers so large or so small that their squares leave the range of floats.

    >>> check_squares(np.array([[1.0, 1e300], [0.0, 2.0]]), ["a", "b"])
    Traceback (most recent call last):
    ValueError: Column 'b' holds numbers up to 1e+300, whose squares leave the range of floats; scale it.
    """
    largest = np.maximum(x.max(axis=0, initial=0.0), -x.min(axis=0, initial=0.0))
    beyond = (largest > MOST) | ((largest < LEAST) & (largest > 0))
    if beyond.any():
        place = int(beyond.argmax())
        name = f"{place} of x" if names is None else repr(names[place])
        raise ValueError(
            f"Column {name} holds numbers up to {largest[place]:.3g}, whose squares leave the range of "
            "floats; scale it."
        )
