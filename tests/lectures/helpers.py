"""Plain ways to the numbers of the lectures, by the public names; the walks themselves are not asked."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import treewright as tw
from treewright.lectures.lesson import Lesson

TENNIS = """
S H H W -
S H H S -
O H H W +
R M H W +
R C N W +
R C N S -
O C N S +
S M H W -
S C N W +
R M N W +
S M N S +
O M H S +
O H N W +
R M H S -
"""
LETTERS = (
    {"S": "Sunny", "O": "Overcast", "R": "Rainy"},
    {"H": "Hot", "M": "Mild", "C": "Cool"},
    {"H": "High", "N": "Normal"},
    {"S": "Strong", "W": "Weak"},
    {"+": "Yes", "-": "No"},
)


@cache
def walks() -> dict[str, Lesson]:
    """Return every walk by its name, walked once for all tests that only read."""
    return {lesson.name: lesson for lesson in tw.lectures.all()}


def n_in_common(table: tw.Table, rows: list[list[str]]) -> int:
    """Return how many rows of a slide our table has at the same place; all or it is another table."""
    ours = zip(*(table.labels(name) for name in table.names), strict=True)
    return sum(list(a) == b for a, b in zip(ours, rows, strict=True))


def counts(table: tw.Table, column: str, target: str, rows: Any = None) -> dict[str, np.ndarray]:
    """Return the class counts of each category that some row has, counted by NumPy."""
    chosen = np.ones(table.n_rows, bool) if rows is None else rows
    answers, values = table.labels(target)[chosen], table.labels(column)[chosen]
    classes = table.schema[target].categories
    return {
        category: np.array([np.sum((values == category) & (answers == c)) for c in classes])
        for category in table.schema[column].categories
        if (values == category).any()
    }


def gains(tree: tw.Tree, node: int = 0) -> dict[str, float]:
    """Return the gain of every column considered at a node."""
    return {c["column"]: c["gain"] for c in tree.candidates(node) if c["gain"] is not None}


def fraction(part: Any, whole: Any) -> str:
    return f"{int(part)}/{int(whole)}"


def listed(values: Any) -> str:
    from treewright.lectures.slide import shown

    return ", ".join(shown(float(v)) for v in values)


def n_wrong(tree: tw.Tree, table: tw.Table) -> int:
    return int((tree.predict(table) != table.labels(tree.target.name)).sum())
