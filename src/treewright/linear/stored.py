"""Plain values of linear models on their way back: each of the type that was written, or a ValueError."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

NUMBER, WHOLE, TRUTH, TEXT, LIST = (int, float), (int,), (bool,), (str,), (list, tuple)
_FRACTION = re.compile(r"-?[0-9]{1,4300}(?:/[0-9]{1,4300})?")  # 4300: what Python turns into a number


def entries(plain: Any, kinds: Mapping[str, tuple[type, ...]], what: str) -> dict[str, Any]:
    """Return the entries that are wanted, each of a type it may have; `type(None)` among them allows null.

    >>> entries({"rows": 3}, {"rows": WHOLE}, "a fit")
    {'rows': 3}
    >>> entries({"rows": True}, {"rows": WHOLE}, "a fit")
    Traceback (most recent call last):
    ValueError: 'rows' of a fit is True (bool).
    """
    if not isinstance(plain, Mapping):
        raise ValueError(f"An object is stored for {what}; found {plain!r:.60}.")
    found = {}
    for name, types in kinds.items():
        if name not in plain:
            raise ValueError(f"The entry {name!r} of {what} is absent.")
        value = found[name] = plain[name]
        if not is_of(value, types):
            raise ValueError(f"{name!r} of {what} is {value!r:.60} ({type(value).__name__}).")
    return found


def is_of(value: Any, types: tuple[type, ...]) -> bool:
    """Say whether a value is of one of the types; a truth is no number.

    >>> is_of(1, NUMBER), is_of(True, NUMBER), is_of(True, TRUTH)
    (True, False, True)
    """
    return isinstance(value, types) and (bool in types or not isinstance(value, bool))


def or_none(types: tuple[type, ...]) -> tuple[type, ...]:
    """Return the types, with null among them."""
    return (*types, type(None))


def floats(value: Any, n_axes: int, what: str) -> NDArray[np.float64]:
    """Return lists of numbers as an array with as many axes as it was written with.

    >>> floats([[1, 2.5]], 2, "the weights")
    array([[1. , 2.5]])
    >>> floats([["1"]], 2, "the weights")
    Traceback (most recent call last):
    ValueError: the weights must be lists of numbers, 2 deep; found [['1']].
    """
    found = np.array(value) if isinstance(value, (list, tuple)) else None
    is_empty = found is not None and found.size == 0 and found.ndim <= n_axes
    if found is None or not (is_empty or (found.dtype.kind in "iuf" and found.ndim == n_axes)):
        raise ValueError(f"{what} must be lists of numbers, {n_axes} deep; found {value!r:.60}.")
    found = found.astype(np.float64)
    return found if found.ndim == n_axes else found.reshape(found.shape + (0,) * (n_axes - found.ndim))


def fraction(text: Any) -> Fraction:
    """Return the fraction that a text spells; a power of ten is none, since it may not fit into memory.

    >>> fraction("-2/3")
    Fraction(-2, 3)
    >>> fraction("1e999999999")
    Traceback (most recent call last):
    ValueError: '1e999999999' is no fraction of whole numbers.
    """
    if not isinstance(text, str) or not _FRACTION.fullmatch(text):
        raise ValueError(f"{text!r:.60} is no fraction of whole numbers.")
    try:
        return Fraction(text)
    except ZeroDivisionError:
        raise ValueError(f"{text!r:.60} divides by zero.") from None
