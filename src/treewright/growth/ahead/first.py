"""The first test of the best subtree of a few levels, and what another first test would cost beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from treewright.growth.ahead.part import Part, alone_of

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


def best_subtree(part: Part, levels: int, leaves: int, goes_on: GoesOn) -> Ahead:
    """Return the best subtree of so many levels, with at most so many leaves (0: any number)."""
    asked, alone = part.asked, alone_of(part)
    asked.solver.set_leaf_price(LEAF * alone)
    answer = solved(part, levels, leaves, NO_LIMIT, goes_on)
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


def value_of(part: Part, levels: int, price: float, goes_on: GoesOn) -> float:
    """Return what the best subtree of so many levels costs, at a price for each leaf."""
    part.asked.solver.set_leaf_price(price)
    return float(solved(part, levels, 0, NO_LIMIT, goes_on)["upper"])


def solved(part: Part, levels: int, leaves: int, upper: float, goes_on: GoesOn) -> dict[str, Any]:
    """Return the core's answer; an interrupt is passed on."""
    answer: dict[str, Any] = part.asked.solver.best(part.rows, levels, leaves, upper, goes_on)
    if not answer["is_proven"]:
        raise KeyboardInterrupt
    return answer
