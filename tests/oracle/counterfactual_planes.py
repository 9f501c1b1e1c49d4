"""The least change in trees with sums of columns, by brute force: every corner that their planes make.

For each choice of categories the tests are lines in the plane of two columns of numbers, and what a move
costs bends only along the lines through the row itself. So the least cost of any region lies at a point where
two of these lines meet. Each such point is tried, and eight more close around it, for what lies just beyond.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from .counterfactual import Shown, answers
from .reading import test_at

NEAR = 1e-7


def lines_of(tree: Any, row: Shown, numbers: list[str]) -> list[tuple[float, float, float]]:
    """Return all tests as lines a x + b y = c, for the categories of a row; and the lines through the row."""
    place = {tree.schema.index(name): k for k, name in enumerate(numbers)}
    found = {(1.0, 0.0, float(row[numbers[0]])), (0.0, 1.0, float(row[numbers[1]]))}
    for node in range(len(tree.end)):
        test = test_at(tree, node)
        if test is None:
            continue
        if not test.terms:
            found |= {_axis(place[test.column], test.cut)} if test.column in place else set()
            continue
        slope, rest = [0.0, 0.0], float(test.cut)
        for column, weight, form, at in test.terms:
            if column not in place:
                code = tree.schema.columns[column].categories.index(row[tree.schema.names[column]])
                rest -= weight * [code, code == at, code <= at, code > at][form]
            elif form == 0:
                slope[place[column]] += weight
            else:
                found.add(_axis(place[column], at))
        if any(slope):
            found.add((slope[0], slope[1], rest))
    return sorted(found)


def _axis(k: int, at: float) -> tuple[float, float, float]:
    return (1.0, 0.0, float(at)) if k == 0 else (0.0, 1.0, float(at))


def candidates(tree: Any, row: Shown, numbers: list[str]) -> list[Shown]:
    """Return every row that may be the nearest of a region."""
    nominal = [c for c in tree.schema.columns if not c.is_numeric and c.name in row]
    found = [dict(row)]
    for chosen in itertools.product(*(c.categories for c in nominal)):
        moved = dict(row) | dict(zip([c.name for c in nominal], chosen, strict=True))
        for (a, b, c), (d, e, f) in itertools.combinations(lines_of(tree, moved, numbers), 2):
            flat = a * e - b * d
            if abs(flat) < 1e-12:
                continue
            x, y = (c * e - b * f) / flat, (a * f - c * d) / flat
            for i, j in itertools.product((-1, 0, 1), repeat=2):
                near = (x + i * NEAR * max(1.0, abs(x)), y + j * NEAR * max(1.0, abs(y)))
                found.append(moved | dict(zip(numbers, near, strict=True)))
    return found


def least(tree: Any, row: Shown, is_wanted: Any, prices: dict[str, float]) -> float | None:
    """Return the least cost of a wanted answer, to within the width of the try; None where there is none."""
    numbers = [c.name for c in tree.schema.columns if c.is_numeric]
    rows = candidates(tree, row, numbers)
    costs = [cost(row, other, prices) for other in rows]
    good = [c for c, said in zip(costs, answers(tree, rows), strict=True) if is_wanted(said)]
    return min(good, default=None)


def cost(before: Shown, after: Shown, prices: dict[str, float]) -> float:
    """Return what a change costs: the price of each unit of a number, 1 for another category."""
    return float(
        np.sum([
            prices[name] * abs(after[name] - value) if name in prices else float(after[name] != value)
            for name, value in before.items()
        ])
    )  # fmt: skip
