"""Exact weights of the few rows that carry them: as many equations as rows, and the rest checked."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from treewright.linear.exact import Matrix, Whole, bits, integers, near_one


def weights_of(
    a: Matrix, target: Sequence[int], shift: Sequence[int], rows: Sequence[int]
) -> dict[int, Fraction] | None:
    """Return positive weights of exactly these rows that give the target, or None where there are none.

    >>> a = np.array([[1.0, 1.0, 2.0], [1.0, -1.0, 0.0]])
    >>> weights_of(a, [2, 1, 3], [0, 0, 0], [0, 1])
    {0: Fraction(3, 2), 1: Fraction(1, 2)}
    >>> weights_of(a, [2, 1, 4], [0, 0, 0], [0, 1]) is None
    True
    """
    chosen = a[list(rows)]
    if not 0 < len(rows) <= a.shape[1]:
        return None
    equations = _independent(chosen)
    if equations is None:
        return None
    whole = integers(chosen, shift).whole
    right = np.array(target, dtype=object)
    found = solved(whole[:, equations].T, right[equations])
    if found is None or not all(weight > 0 for weight in found):
        return None
    if any(sum((w * int(v) for w, v in zip(found, column, strict=True)), Fraction(0)) != goal
           for column, goal in zip(whole.T, right, strict=True)):  # fmt: skip
        return None
    return dict(zip(rows, found, strict=True))


def work(a: Matrix, n: int) -> float:
    """Return how much it is to solve n equations in the numbers of a matrix, in operations of 64 bits."""
    return float(n) ** 3 * (1 + n * bits(a) / 300)


def _independent(chosen: Matrix) -> NDArray[np.intp] | None:
    """Return as many equations as rows, by floats the most independent ones."""
    from scipy.linalg import qr  # loaded on first use: trees do without

    scaled, _ = near_one(chosen)
    triangle, order = qr(scaled, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(triangle))
    return np.asarray(order[: len(chosen)]) if diagonal.min() > 0 else None


def solved(matrix: Whole, right: Whole) -> list[Fraction] | None:
    """Return the exact solution of a square system in whole numbers (Bareiss, 1968); None if singular.

    >>> solved(np.array([[2, 1], [1, 3]], dtype=object), np.array([3, 4], dtype=object))
    [Fraction(1, 1), Fraction(1, 1)]
    """
    table = np.column_stack([matrix, right]).astype(object)
    n, last = len(table), 1
    for k in range(n):
        pivot = next((i for i in range(k, n) if table[i, k] != 0), None)
        if pivot is None:
            return None
        table[[k, pivot]] = table[[pivot, k]]
        others = [i for i in range(n) if i != k]
        top = table[k].copy()
        table[others] = (table[others] * top[k] - np.outer(table[others, k], top)) // last
        last = top[k]
    return [Fraction(int(table[i, n]), int(table[i, i])) for i in range(n)]
