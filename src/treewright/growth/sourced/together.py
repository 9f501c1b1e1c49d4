"""Several sources as one: their answers added up, and checked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np

from treewright.growth.sourced.source import (
    Ask,
    Cells,
    Draw,
    Gathered,
    Ints,
    Keys,
    Move,
    Source,
    Stretches,
    added,
    joined,
)


class IntegrityError(RuntimeError):
    """Rows were lost or counted twice on their way: what parts answered does not add up to the node.

    >>> issubclass(IntegrityError, RuntimeError)
    True
    """


class Together:
    """Parts of a table that answer as the whole table would.

    >>> import treewright as tw
    >>> from treewright.growth.sourced import Together, cut_into_parts, grow_from
    >>> parts, question, settings = cut_into_parts(tw.example("tennis"), "PlayTennis", 3, splits="multiway")
    >>> grow_from(Together(parts), question, settings).n_leaves
    6
    """

    def __init__(self, parts: Sequence[Source]) -> None:
        if not parts:
            raise ValueError("A source needs at least one part; there are none.")
        self.parts = list(parts)

    def start(self, lot: Draw | None = None) -> None:
        """Bring all rows back to the root: each as it is, or those that a draw says."""
        for part in self.parts:
            part.start(lot)

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        """Return what lies in the cells of each ask."""
        return [added(of_parts) for of_parts in zip(*(part.count(asks) for part in self.parts), strict=True)]

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        """Return a cell for each value in the stretches, ascending."""
        return [joined(of_parts) for of_parts in zip(*(part.look(asks) for part in self.parts), strict=True)]

    def squares(self, asks: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return the sum of squares of each ask."""
        return [sum(of_parts) for of_parts in zip(*(part.squares(asks) for part in self.parts), strict=True)]

    def present(self, node: int, column: int) -> Keys:
        """Return the keys of a column in a node, ascending, each once."""
        return reduce(np.union1d, (part.present(node, column) for part in self.parts))

    def largest_at_most(self, column: int, x: float) -> float:
        """Return the greatest value of a column among all rows that is not above x; else -inf."""
        return max(part.largest_at_most(column, x) for part in self.parts)

    def apply(self, moves: Sequence[Move]) -> None:
        """Divide nodes among their children."""
        for part in self.parts:
            part.apply(moves)

    def gather(self, nodes: Sequence[int]) -> list[Gathered]:
        """Return the rows of each node themselves."""
        return [put_together(rows) for rows in zip(*(part.gather(nodes) for part in self.parts), strict=True)]

    def tally(self, moves: Sequence[Move], n_nodes: int) -> Ints:
        """Return the figures of each node of a tree (nodes x width)."""
        return np.asarray(np.sum([part.tally(moves, n_nodes) for part in self.parts], axis=0), dtype=np.int64)


def put_together(parts: Sequence[Gathered]) -> Gathered:
    """Return the rows of several parts as one."""
    values = tuple(np.concatenate(columns) for columns in zip(*(rows.values for rows in parts), strict=True))
    target, weight = (
        np.concatenate([getattr(rows, name) for rows in parts]) for name in ("target", "weight")
    )
    return Gathered(values, target, weight)
