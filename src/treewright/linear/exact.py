"""Floats as the exact numbers they are: whole numbers with a power of two for each column.

Every float64 is a whole number times a power of two, so a table of floats is a table of whole numbers, a
scalar product of floats is a whole number, and its sign can be known and not only believed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Whole = NDArray[np.object_]  # Python's whole numbers, of any size

UNIT = 2.0**-52
TINY = 2.0**-1000  # below it a product of floats may lose digits; such rows are looked at exactly


@dataclass(frozen=True)
class Integers:
    """A matrix of floats: `whole[:, k] * 2**shift[k]`, exactly."""

    whole: Whole
    shift: tuple[int, ...]


def units(x: Matrix) -> tuple[int, ...]:
    """Return, for each column, the largest power of two of which all its numbers are multiples.

    >>> units(np.array([[0.5, 3.0], [0.75, 6.0]]))
    (-2, 0)
    """
    mantissas, exponents = _mantissas(x)
    return tuple(_unit(m, e) for m, e in zip(mantissas.T, exponents.T, strict=True))


def integers(x: Matrix, shift: Sequence[int] | None = None) -> Integers:
    """Return the floats as whole numbers of units: of the largest that will do, or of those given.

    >>> integers(np.array([[0.5, 3.0], [0.75, 6.0]]))
    Integers(whole=array([[2, 3],
           [3, 6]], dtype=object), shift=(-2, 0))
    """
    shift = units(x) if shift is None else tuple(shift)
    mantissas, exponents = _mantissas(x)
    up = exponents - np.array(shift, dtype=np.int64)[None, :]
    whole = np.empty(x.shape, dtype=object)
    for place in np.ndindex(x.shape):
        mantissa, by = int(mantissas[place]), int(up[place])
        whole[place] = mantissa << by if by >= 0 else mantissa >> -by
    return Integers(whole, shift)


def _mantissas(x: Matrix) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return mantissas of 53 bits and exponents: x = mantissa * 2**exponent."""
    parts, exponents = np.frexp(x)
    return np.ldexp(parts, 53).astype(np.int64), exponents.astype(np.int64) - 53


def _unit(mantissas: NDArray[np.int64], exponents: NDArray[np.int64]) -> int:
    filled = mantissas != 0
    if not filled.any():
        return 0
    m = mantissas[filled]
    zeros = np.log2((m & -m).astype(np.float64)).astype(np.int64)  # whole powers of two: exact
    return int((exponents[filled] + zeros).min())


def column_sums(x: Matrix, shift: Sequence[int]) -> list[int]:
    """Return the exact sum of each column, in units of `2**shift`.

    >>> column_sums(np.array([[1e16], [1.0], [-1e16]]), [0])
    [1]
    """
    mantissas, exponents = _mantissas(x)
    found = []
    for column, exponent, unit in zip(mantissas.T, exponents.T, shift, strict=True):
        total = Fraction(0)
        for e in np.unique(exponent):
            among = column[exponent == e]
            # Two halves of 27 bits: neither sum can leave 64 bits below 2**36 rows.
            high, low = among >> 26, among & (2**26 - 1)
            whole = (int(high.sum()) << 26) + int(low.sum())
            total += whole * Fraction(2) ** (int(e) - unit)
        found.append(int(total))
    return found


def fractions_of(numbers: NDArray[np.float64] | Sequence[float]) -> list[Fraction]:
    """Return floats as fractions."""
    return [Fraction(float(number)) for number in numbers]


def nearest_float(number: Fraction) -> float:
    """Return the nearest float; infinity beyond the largest.

    >>> nearest_float(Fraction(1, 3)), nearest_float(Fraction(-(10**400)))
    (0.3333333333333333, -inf)
    """
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def bits(x: Matrix) -> int:
    """Return how many bits the largest number has, in units of its column.

    >>> bits(np.array([[0.5, 3.0], [0.75, 6.0]]))
    3
    """
    mantissas, exponents = _mantissas(x)
    above = np.where(mantissas == 0, 0, exponents + 53 - np.array(units(x), dtype=np.int64)[None, :])
    return int(above.max(initial=0))


def near_one(a: Matrix) -> tuple[Matrix, NDArray[np.int64]]:
    """Return the matrix with columns brought near one by powers of two, and their exponents.

    >>> near_one(np.array([[3.0, 0.0], [-6.0, 0.0]]))
    (array([[ 0.375,  0.   ],
           [-0.75 ,  0.   ]]), array([3, 0]))
    """
    exponent = np.frexp(np.abs(a).max(axis=0, initial=0.0))[1].astype(np.int64)
    return np.ldexp(a, -exponent[None, :]), exponent


def as_floats(numbers: Sequence[Fraction], top: int = 0) -> NDArray[np.float64]:
    """Return fractions of any size as floats with a common factor that brings the largest near `2**top`.

    >>> as_floats([Fraction(10**400), Fraction(10**400, 4)]).round(3)
    array([1.707, 0.427])
    """
    largest = max((abs(number) for number in numbers), default=Fraction(0))
    if largest == 0:
        return np.zeros(len(numbers))
    size = largest.numerator.bit_length() - largest.denominator.bit_length()
    scale = Fraction(2) ** (top - size)
    return np.array([float(number * scale) for number in numbers])


def signs(a: Matrix, v: Sequence[Fraction]) -> NDArray[np.int8]:
    """Return the sign of every `a[i] . v`: by floats where their error cannot matter, else exactly.

    >>> signs(np.array([[1.0, 1e-300], [1.0, -1.0], [-1.0, 0.5]]), fractions_of([0.0, 1.0])).tolist()
    [1, -1, 1]
    >>> signs(np.array([[0.1, 0.2, -0.3]]), fractions_of([1.0, 1.0, 1.0])).tolist()
    [1]
    """
    near, exponent = near_one(a)  # exact, but for what becomes too small to be seen
    scaled = [f * Fraction(2) ** int(e) for f, e in zip(v, exponent, strict=True)]
    floats = as_floats(scaled)
    with np.errstate(under="ignore"):
        score, size = near @ floats, np.abs(near) @ np.abs(floats)
    # Any order of summation errs by less than (m + 1) units of the sum of sizes; v itself by one more unit.
    sure = np.abs(score) > (a.shape[1] + 4) * UNIT * size + a.shape[1] * TINY
    found = np.sign(score).astype(np.int8)
    rows = np.flatnonzero(~sure)
    if len(rows):
        found[rows] = _exact_signs(a[rows], v)
    return found


def _exact_signs(a: Matrix, v: Sequence[Fraction]) -> NDArray[np.int8]:
    whole, shift = (ints := integers(a)).whole, ints.shift
    of_units = [f * Fraction(2) ** s for f, s in zip(v, shift, strict=True)]
    common = math.lcm(*(f.denominator for f in of_units)) if of_units else 1
    plain = np.array([int(f * common) for f in of_units], dtype=object)
    scores: Any = whole.dot(plain) if len(plain) else np.zeros(len(a), dtype=object)
    return np.array([(s > 0) - (s < 0) for s in scores], dtype=np.int8)
