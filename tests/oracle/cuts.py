"""Cuts of a numeric column by trying everything: recursion, lists and whole-number arithmetic."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction

Row = tuple[float, Hashable]


def entropy(labels: Sequence[Hashable]) -> float:
    """Return the entropy of labels in bits."""
    n = len(labels)
    return math.fsum(-c / n * math.log2(c / n) for c in Counter(labels).values())


def halves(rows: Sequence[Row], cut: float) -> tuple[list[Row], list[Row]]:
    """Return the rows at most at a cut, and those above."""
    return [r for r in rows if r[0] <= cut], [r for r in rows if r[0] > cut]


def gain(rows: Sequence[Row], cut: float) -> float:
    """Return the information gain of a cut."""
    parts = [[label for _, label in part] for part in halves(rows, cut)]
    left = sum(len(part) / len(rows) * entropy(part) for part in parts)
    return entropy([label for _, label in rows]) - left


def cuts_of(rows: Sequence[Row]) -> list[float]:
    """Return every midpoint of neighbouring values."""
    values = sorted({value for value, _ in rows})
    return [a + (b - a) / 2 for a, b in itertools.pairwise(values)]


def boundaries(rows: Sequence[Row]) -> list[float]:
    """Return the cuts whose neighbouring values are not both pure in one class."""
    found = []
    for cut in cuts_of(rows):
        low, high = halves(rows, cut)
        below = {label for value, label in low if value == max(v for v, _ in low)}
        above = {label for value, label in high if value == min(v for v, _ in high)}
        if len(below | above) > 1:
            found.append(cut)
    return found


def mdlp_accepts(rows: Sequence[Row], cut: float, by_cuts: bool) -> bool:
    """Return whether Fayyad and Irani's criterion accepts a cut."""
    n = len(rows)
    low, high = ([label for _, label in part] for part in halves(rows, cut))
    both = [*low, *high]
    k, k1, k2 = (len(set(part)) for part in (both, low, high))
    delta = math.log2(3**k - 2) - (k * entropy(both) - k1 * entropy(low) - k2 * entropy(high))
    places = len(cuts_of(rows)) if by_cuts else n - 1
    return gain(rows, cut) > (math.log2(places) + delta) / n


def kononenko_accepts(rows: Sequence[Row], cut: float) -> bool:
    """Return whether Kononenko's criterion accepts a cut, by counting in whole numbers."""
    low, high = ([label for _, label in part] for part in halves(rows, cut))
    k = len({*low, *high})

    def ways(labels: Sequence[Hashable]) -> int:
        orders = math.factorial(len(labels))
        for count in Counter(labels).values():
            orders //= math.factorial(count)
        return math.comb(len(labels) + k - 1, k - 1) * orders

    return Fraction(ways([*low, *high])) > len(cuts_of(rows)) * ways(low) * ways(high)


def recursive(rows: Sequence[Row], accepts: Callable[[Sequence[Row], float], bool]) -> list[float]:
    """Return the cuts of the best cut, and of both sides, while they are accepted."""
    places = cuts_of(rows)
    if not places or len({label for _, label in rows}) < 2:
        return []
    gains = [gain(rows, cut) for cut in places]
    best = next(cut for cut, worth in zip(places, gains, strict=True) if worth >= max(gains) - 1e-10)
    if not accepts(rows, best):
        return []
    low, high = halves(rows, best)
    return [*recursive(low, accepts), best, *recursive(high, accepts)]


def equal_frequency(values: Sequence[float], bins: int) -> list[float]:
    """Return for each share the cut that comes nearest to it, the lower of two."""
    n, chosen = len(values), set()
    places = cuts_of([(value, 0) for value in values])
    for i in range(1, bins):
        if places:
            below = {cut: sum(value <= cut for value in values) for cut in places}
            chosen.add(min(places, key=lambda cut: (abs(Fraction(n * i, bins) - below[cut]), cut)))
    return sorted(chosen)
