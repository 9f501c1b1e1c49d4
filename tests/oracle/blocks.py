"""Folds of whole groups, and folds in order of time, row by row in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from tests.oracle.folds import hashed

GROUPS = 2**32 - 11  # what is drawn for


def grouped(units: Sequence[int], classes: Sequence[int], n_folds: int, seed: int) -> list[int]:
    """Return the fold of each row: groups by size, then by their draws, each where it raises least.

    What it raises: the sum over classes, and all rows, of squared shares (rows of the fold / rows in all).
    """
    sizes, totals = Counter(units), Counter(classes)
    order = sorted(sizes, key=lambda unit: (-sizes[unit], hashed(seed, unit, GROUPS, 0)))
    n_folds = min(n_folds, len(sizes))
    held: list[list[int]] = [[] for _ in range(n_folds)]  # rows of each fold

    def price(rows: list[int]) -> float:
        counts = Counter(classes[row] for row in rows)
        return sum((counts[c] / totals[c]) ** 2 for c in totals) + (len(rows) / len(units)) ** 2

    for unit in order:
        rows = [row for row, of in enumerate(units) if of == unit]
        raised = [round(price(fold + rows) - price(fold) - price(rows), 12) for fold in held]
        held[raised.index(min(raised))] += rows
    return [next(k for k, fold in enumerate(held) if row in fold) for row in range(len(units))]


def ordered(units: Sequence[int], n_folds: int) -> list[int]:
    """Return the fold of each row: blocks of equal size by time, one time by its middle; first -1."""
    n, blocks = len(units), []
    for unit in units:
        before, same = sum(other < unit for other in units), sum(other == unit for other in units)
        blocks.append(int((before + same / 2) * (n_folds + 1) / n + 1e-12))
    used = sorted(set(blocks))
    return [used.index(block) - 1 for block in blocks]
