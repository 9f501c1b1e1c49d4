"""Intervals between cuts: their names, and the interval each number lies in.

edges            54       85
intervals  <= 54 | (54, 85] | > 85          a number equal to an edge belongs to the lower interval
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.measure.given import Floats, cells

WHOLE = "all"  # the name of the only interval


def number(x: float) -> str:
    """Return the shortest text that means exactly this number; whole numbers without '.0'.

    >>> number(77.5), number(54.0), number(0.1 + 0.2), number(-0.0), number(1e300)
    ('77.5', '54', '0.30000000000000004', '0', '1e+300')
    """
    x = float(x)
    if x.is_integer() and abs(x) < 1e16:
        return str(int(x))
    return repr(x)


def interval_names(edges: Any) -> tuple[str, ...]:
    """Return the names of the intervals between ascending edges, lowest first.

    >>> interval_names([54, 85]), interval_names([])
    (('<= 54', '(54, 85]', '> 85'), ('all',))
    """
    words = [number(edge) for edge in checked_edges(edges).tolist()]
    if not words:
        return (WHOLE,)
    inner = (f"({low}, {high}]" for low, high in itertools.pairwise(words))
    return (f"<= {words[0]}", *inner, f"> {words[-1]}")


def intervals(x: Any, edges: Any) -> NDArray[np.int32]:
    """Return the number of the interval each value lies in, from 0 up; -1 where the value is missing.

    The outer intervals reach to infinity.

    >>> intervals([40, 54, 60, None, 1000], [54, 85]).tolist()
    [0, 0, 1, -1, 2]
    """
    values = measured(x, "x", is_bounded=False)
    found = np.searchsorted(checked_edges(edges), values, side="left").astype(np.int32)
    found[np.isnan(values)] = -1
    return found


def checked_edges(edges: Any, name: str = "edges") -> Floats:
    """Return edges as float64, if they are finite and ascending."""
    if isinstance(edges, str) or not np.iterable(edges):
        raise TypeError(f"{name} must be a list of numbers; found {edges!r:.100}.")
    found = np.asarray(edges if isinstance(edges, np.ndarray) else list(edges))
    if not found.size:
        return np.empty(0)
    if found.ndim != 1 or found.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be a list of numbers; found {edges!r:.100}.")
    sizes = found.astype(np.float64)
    if not np.isfinite(sizes).all():
        raise ValueError(
            f"{name} holds {sizes[~np.isfinite(sizes)][0]}; the outer intervals are open anyway."
        )
    if not (sizes[1:] > sizes[:-1]).all():
        raise ValueError(f"{name} must rise from one to the next; found {edges!r:.100}.")
    return sizes


def measured(x: Any, name: str, is_bounded: bool = True) -> Floats:
    """Return a column of numbers as float64, NaN where missing; refuse infinite ones where they matter."""
    found = cells(x, name)
    if found.ndim != 1:
        raise ValueError(f"{name} must be a column of one dimension; its shape is {found.shape}.")
    if found.dtype.kind == "O" and all(cell is None for cell in found.tolist()):
        found = np.full(len(found), np.nan)
    if found.dtype.kind not in "iuf":
        raise TypeError(f"{name} must be numbers; found {found.dtype}. Only numbers lie in intervals.")
    values = found.astype(np.float64)
    if is_bounded and np.isinf(values).any():
        row = int(np.flatnonzero(np.isinf(values))[0])
        raise ValueError(f"{name} is {values[row]} in row {row}; cuts are found among finite numbers.")
    return values


def midpoints(low: Floats, high: Floats) -> Floats:
    """Return low + (high - low) / 2, and low where that rounds to high or one of the two is infinite.

    `<= cut` must part the two.

    >>> midpoints(np.array([1.0, -1e308, 1.0]), np.array([2.0, 1e308, np.inf]))
    array([1.5, 0. , 1. ])
    """
    with np.errstate(over="ignore", invalid="ignore"):
        gap = high - low
        middle = np.where(np.isfinite(gap), low + gap / 2, low / 2 + high / 2)
    return np.asarray(np.where((middle >= high) | ~np.isfinite(middle), low, middle))
