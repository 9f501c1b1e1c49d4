"""Which node is next, where growth is driven from Python: the orders of the core's `frontier.hpp`."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

Node = TypeVar("Node")


def depth_first(root: Node, grow: Callable[[Node], Iterable[Node]]) -> None:
    """Call `grow` for the root and for the branches it returns, all below a node before the next beside it.

    >>> depth_first("r", lambda node: print(node) or ([node + "0", node + "1"] if len(node) < 2 else []))
    r
    r0
    r1
    """
    stack = [root]
    while stack:
        stack.extend(reversed(list(grow(stack.pop()))))


class BestFirst(Generic[Node]):
    """Nodes that wait for their split, under a budget of leaves.

    >>> waiting = BestFirst(max_leaves=4)
    >>> waiting.push("small", gain=1.0, place=0, n_branches=2)
    >>> waiting.push("wide", gain=3.0, place=1, n_branches=5)
    >>> waiting.push("large", gain=2.0, place=2, n_branches=3)
    >>> waiting.run(lambda node: print("split", node), lambda node: print("leave", node))
    leave wide
    split large
    split small
    """

    def __init__(self, max_leaves: int) -> None:
        self.max_leaves = max_leaves
        self.n_leaves = 1
        self._heap: list[tuple[float, int, int, Node]] = []

    @property
    def room(self) -> int:
        """How many branches the next split may have: it takes the place of one leaf."""
        return self.max_leaves - self.n_leaves + 1

    def push(self, node: Node, gain: float, place: int, n_branches: int) -> None:
        """Let a node wait by what its split takes off in all; of equal ones the first place is first."""
        heapq.heappush(self._heap, (-gain, place, n_branches, node))

    def run(self, split: Callable[[Node], object], refuse: Callable[[Node], object]) -> None:
        """Split the best node where the budget allows its branches, else refuse it; both may push more."""
        while self._heap:
            _, _, n_branches, node = heapq.heappop(self._heap)
            if n_branches > self.room:
                refuse(node)
                continue
            self.n_leaves += n_branches - 1
            split(node)
