"""Monotone trees, the plain way: bounds that nodes inherit, and branches in the order of their column."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from .node import Pieces, Study, stats_of


def value_of(study: Study, pieces: Pieces) -> float:
    """Return what a node says: the share of class 1, or the mean."""
    stats = stats_of(study, pieces)
    return float(stats[1] / stats.sum()) if study.n_classes else float(stats[1])


def direction_of(study: Study, column: int) -> int:
    """Return +1, -1, or 0 for a column that is free."""
    return (study.settings.monotone or {}).get(study.columns[column].name, 0)


def keeps_order(study: Study, test: Any, groups: tuple[Pieces, ...], slack: float = 1e-12) -> bool:
    """Say whether branches lie inside the bounds of their node, and in the order of a monotone column.

    Values are rounded: a `slack` below 0 asks whether they do so clearly.
    """
    if not study.settings.monotone or study.n_classes == 1:
        return True
    for group in groups:
        if len(group.rows) == 0:
            if study.n_classes and not (group.low <= 0 and group.high >= 1):  # it is sure of its class
                return False
        elif not is_between(group.low, value_of(study, group), group.high, slack):
            return False
    sign = direction_of(study, test.column)
    if sign == 0 or test.cut == np.inf:
        return True
    return is_between(-np.inf, sign * value_of(study, groups[0]), sign * value_of(study, groups[1]), slack)


def is_between(low: float, value: float, high: float, slack: float) -> bool:
    """Say whether a value lies between two others, up to a slack."""
    slack *= 1 + abs(value)
    return low - slack <= value <= high + slack


def with_bounds(study: Study, pieces: Pieces, test: Any, parts: list[Pieces]) -> list[Pieces]:
    """Return the branches with the bounds they inherit: the middle between the sides of a monotone cut."""
    sign = direction_of(study, test.column) if study.n_classes != 1 else 0
    parts = [replace(part, low=pieces.low, high=pieces.high) for part in parts]
    if sign == 0 or test.cut == np.inf:
        return parts
    middle = (value_of(study, parts[0]) + value_of(study, parts[1])) / 2
    sides = ("high", "low") if sign > 0 else ("low", "high")
    return [replace(part, **{side: middle}) for part, side in zip(parts, sides, strict=False)] + parts[2:]
