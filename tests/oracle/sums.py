"""The blackboard version of judging sums of columns: every cut tried, impurities in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any


def impurity(answers: list[Any], weights: list[Fraction], is_classifier: bool) -> Fraction:
    """Return weight times gini, or the squared deviations from the mean."""
    total = sum(weights, Fraction(0))
    if not total:
        return Fraction(0)
    if is_classifier:
        held: dict[Any, Fraction] = {}
        for answer, weight in zip(answers, weights, strict=True):
            held[answer] = held.get(answer, Fraction(0)) + weight
        return total - sum((w * w for w in held.values()), Fraction(0)) / total
    numbers = [Fraction(answer) for answer in answers]
    mean = sum((w * y for w, y in zip(weights, numbers, strict=True)), Fraction(0)) / total
    return sum((w * (y - mean) ** 2 for w, y in zip(weights, numbers, strict=True)), Fraction(0))


def gain(left: list[bool], answers: list[Any], weights: list[Fraction], is_classifier: bool) -> Fraction:
    """Return the impurity that a division takes off, per unit of weight."""
    rest = impurity(answers, weights, is_classifier)
    for side in (True, False):
        mine = [i for i, goes in enumerate(left) if bool(goes) is side]
        rest -= impurity([answers[i] for i in mine], [weights[i] for i in mine], is_classifier)
    return rest / sum(weights, Fraction(0))


def best_gain(
    values: list[float], answers: list[Any], weights: list[Fraction], is_classifier: bool
) -> Fraction | None:
    """Return the gain of the best cut between two neighbouring values; None where there is only one value."""
    cuts = sorted(set(values))[:-1]
    gains = [gain([v <= cut for v in values], answers, weights, is_classifier) for cut in cuts]
    return max(gains) if gains else None


def sum_of(columns: list[list[float]], weights: list[float]) -> list[float]:
    """Return w1 x1 + w2 x2 + ... of every row, added up in this order."""
    found = []
    for cells in zip(*columns, strict=True):
        total = 0.0
        for cell, weight in zip(cells, weights, strict=True):
            total = total + weight * cell
        found.append(total)
    return found
