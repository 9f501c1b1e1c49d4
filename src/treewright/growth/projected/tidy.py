"""A sum made readable: terms that add nothing go, weights and cut lose the digits that tell nothing."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from treewright.growth.projected.field import Field, Sum, grouped

DIGITS = (1, 2, 3, 4, 5, 6)

Judged = Callable[[list[Sum]], list[float]]  # sums -> what each is worth, columns paid for


def pruned(found: Sum, worth: float, judged: Judged, field: Field) -> tuple[Sum, float]:
    """Return the sum without the columns it does not need, refitted by leaving each out in turn."""
    while len(found) > 2:
        fewer = [without(found, places, field) for places in grouped(found)]
        worths = judged(fewer)
        best = int(np.argmax(worths))
        if not worths[best] >= worth:
            break
        found, worth = fewer[best], worths[best]
    return found, worth


def without(found: Sum, gone: list[int], field: Field) -> Sum:
    """Return the sum without some of its terms; the heaviest of the others has weight 1."""
    left = [i for i in range(len(found.terms)) if i not in gone]
    terms, weights = tuple(found.terms[i] for i in left), [found.weights[i] for i in left]
    spread = dict(zip(field.terms, field.spread.tolist(), strict=True))
    place = {term: k for k, term in enumerate(field.terms)}
    lead = max(range(len(terms)), key=lambda k: (abs(weights[k]) * spread[terms[k]], -place[terms[k]]))
    return Sum(terms, tuple(w / weights[lead] for w in weights))


def rounded(found: Sum, worth: float, judged: Judged) -> tuple[Sum, float]:
    """Return the sum with the fewest digits that are worth as much as all of them.

    >>> from treewright.tree.terms import Term
    >>> third = Sum((Term(0), Term(1)), (1.0, 0.3333333))
    >>> rounded(third, 1.0, lambda sums: [float(s.weights[1] > 0.32) for s in sums])[0].weights
    (1.0, 0.33)
    """
    shorter = [Sum(found.terms, tuple(short(w, digits) for w in found.weights)) for digits in DIGITS]
    for candidate, value in zip(shorter, judged(shorter), strict=True):
        if value >= worth:
            return candidate, value
    return found, worth


def short(x: float, digits: int) -> float:
    """Return a number with so many significant digits.

    >>> short(0.123456, 2), short(-98.7, 1)
    (0.12, -100.0)
    """
    return float(f"{x:.{digits - 1}e}")


def between(low: float, high: float) -> float:
    """Return the shortest number in the middle half between two neighbours, at least low and below high.

    >>> between(3.9123, 4.2), between(0.0, 1.0), between(1.0, 1.0000000000000002)
    (4.0, 0.5, 1.0)
    """
    middle = low + (high - low) / 2
    if not math.isfinite(middle):
        return low
    margin = (high - low) / 4
    for digits in range(1, 17):
        found = short(middle, digits)
        if low + margin <= found <= high - margin and low <= found < high:
            return found
    return middle if low <= middle < high else low
