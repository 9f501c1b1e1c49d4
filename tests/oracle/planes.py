"""Planes between two classes by elimination: the blackboard's way, in fractions, for a handful of rows.

A set of inequalities v . a > 0 or >= 0 loses one unknown after the other: of every two inequalities in which
it has opposite signs, the sum without it stays (Fourier, 1826; Motzkin, 1936). What is left in the end says
yes or no.
"""

from __future__ import annotations

from fractions import Fraction

Inequality = tuple[tuple[Fraction, ...], bool]  # v . a >= 0; True: > 0


def has_solution(inequalities: list[Inequality]) -> bool:
    left = {_scaled(a, is_strict) for a, is_strict in inequalities}
    n = len(inequalities[0][0])
    for k in range(n):
        above = [i for i in left if i[0][k] > 0]
        below = [i for i in left if i[0][k] < 0]
        left = {i for i in left if i[0][k] == 0}
        for a, a_strict in above:
            for b, b_strict in below:
                summed = tuple(x * -b[k] + y * a[k] for x, y in zip(a, b, strict=True))
                left.add(_scaled(summed, a_strict or b_strict))
    return not any(is_strict for _, is_strict in left)  # 0 > 0


def _scaled(a: tuple[Fraction, ...], is_strict: bool) -> Inequality:
    size = max((abs(x) for x in a), default=Fraction(0))
    return (tuple(x / size for x in a) if size else a), is_strict


def verdict(x: list[list[float]], y: list[bool], bias: bool = True) -> str:
    """Return "separable", "touch" or "overlap"; without a bias in the lecture's sense."""
    ones = [Fraction(1)] if bias else []
    signed = [
        (tuple((1 if side else -1) * value for value in [*map(Fraction, row), *ones]), side)
        for row, side in zip(x, y, strict=True)
    ]
    if has_solution([(a, bias or not side) for a, side in signed]):
        return "separable"
    total = tuple(sum(values, Fraction(0)) for values in zip(*(a for a, _ in signed), strict=True))
    if has_solution([*((a, False) for a, _ in signed), (total, True)]):
        return "touch"
    return "overlap"
