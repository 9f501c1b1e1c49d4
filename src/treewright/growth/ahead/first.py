"""The first test of the best subtree of a few levels, and what another first test would cost beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright import _core
from treewright.growth.ahead.nodes import Ints
from treewright.growth.ahead.problem import Asked

# Of what a node costs as one leaf: the price of a leaf, so that of subtrees that cost the same the smallest
# is the best; and what costs may differ by and be the same.
LEAF, SAME = 1e-8, 1e-9
NO_LIMIT = float("inf")

GoesOn = Callable[..., bool]


@dataclass(frozen=True)
class Ahead:
    """The best subtree of a node: what it costs with the prices of its leaves, and its first test."""

    value: float
    alone: float  # what the node costs as one leaf
    n_leaves: int
    column: int  # -1: no subtree is better than a leaf
    place: int
    left: list[int] | None
    missing: int
    n_branches: int

    @property
    def saved(self) -> float:
        """What the subtree takes off for each leaf that it adds."""
        price = LEAF * self.alone
        return (self.alone - self.value + price * self.n_leaves) / max(1, self.n_leaves - 1)


def best_subtree(asked: Asked, rows: Ints, levels: int, leaves: int, goes_on: GoesOn) -> Ahead:
    """Return the best subtree of so many levels, with at most so many leaves (0: any number)."""
    alone = asked.solver.leaf(rows)
    asked.solver.set_leaf_price(LEAF * alone)
    answer = solved(asked, rows, levels, leaves, NO_LIMIT, goes_on)
    n_branches = int(answer["n_branches"][0])
    n_leaves = int((answer["n_branches"] == 0).sum())
    if not n_branches:
        return Ahead(float(answer["upper"]), alone, 1, -1, -1, None, -1, 0)
    column = asked.order[int(answer["column"][0])]
    left: list[int] | None = None
    if asked.coded[column].form == "sets":
        which = int(answer["set"][0])
        every = range(len(asked.coded[column].values))
        left = list(asked.coded[column].sets[which] if which >= 0 else every)
    test = (column, int(answer["place"][0]), left, int(answer["gap"][0]), n_branches)
    return Ahead(float(answer["upper"]), alone, n_leaves, *test)


def value_below(asked: Asked, branches: Iterable[Ints], levels: int, goes_on: GoesOn) -> float:
    """Return what the best subtrees of so many levels cost below a test, at the price that is set."""
    return sum(float(solved(asked, rows, levels, 0, NO_LIMIT, goes_on)["upper"]) for rows in branches)


def solved(
    asked: Asked, rows: Ints, levels: int, leaves: int, upper: float, goes_on: GoesOn
) -> dict[str, Any]:
    """Return the core's answer; an interrupt is passed on."""
    answer: dict[str, Any] = asked.solver.best(rows, levels, leaves, upper, goes_on)
    if not answer["is_proven"]:
        raise KeyboardInterrupt
    return answer


def rows_of(node: _core.Node) -> Ints:
    """Return the rows of a node in their order, whatever way they came."""
    return np.sort(node.rows)
