"""Where rows end: a node each, and the parts of rows that gaps divide."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Routed(NamedTuple):
    """Where rows end: a node each (the heaviest for a divided row), and the parts of divided rows.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, None], "y": ["a", "b", "b", "b"]})
    >>> tree = tw.grow(table, target="y", missing="fractional", max_depth=1)
    >>> from treewright.route import route_table
    >>> routed = route_table(tree, table)
    >>> routed.node.tolist(), routed.part_row.tolist(), routed.part_node.tolist()
    ([1, 2, 2, 2], [3, 3], [1, 2])
    >>> routed.part_weight.round(3).tolist()
    [0.333, 0.667]
    """

    node: NDArray[np.int32]
    part_row: NDArray[np.int64]
    part_node: NDArray[np.int32]
    part_weight: NDArray[np.float64]

    def sums(self, per_node: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return per row the value of its node, or the weighted sum over its parts.

        >>> halves = Routed(np.array([1, 2]), np.array([1, 1]), np.array([1, 2]), np.array([0.5, 0.5]))
        >>> halves.sums(np.array([0.0, 10.0, 20.0]))
        array([10., 15.])
        """
        rows = per_node.take(self.node, axis=0)
        if len(self.part_row):
            divided = np.unique(self.part_row)
            rows[divided] = 0
            weight = self.part_weight if per_node.ndim == 1 else self.part_weight[:, None]
            np.add.at(rows, self.part_row, per_node[self.part_node] * weight)
        return rows

    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return rows and nodes: one of each for a whole row, as many as there are parts for a divided one.

        >>> halves = Routed(np.array([1, 2]), np.array([1, 1]), np.array([1, 2]), np.array([0.5, 0.5]))
        >>> [found.tolist() for found in halves.pairs()]
        [[0, 1, 1], [1, 1, 2]]
        """
        if not len(self.part_row):
            return np.arange(len(self.node)), self.node.astype(np.int64)
        whole = np.ones(len(self.node), dtype=bool)
        whole[self.part_row] = False
        rows = np.concatenate([np.flatnonzero(whole), self.part_row])
        return rows, np.concatenate([self.node[whole], self.part_node]).astype(np.int64)

    def sums_of_pairs(self, of_pair: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return per row the value of its pair, or the weighted sum over its parts.

        >>> halves = Routed(np.array([1, 2]), np.array([1, 1]), np.array([1, 2]), np.array([0.5, 0.5]))
        >>> halves.sums_of_pairs(np.array([10.0, 10.0, 20.0]))
        array([10., 15.])
        """
        if not len(self.part_row):
            return of_pair
        rows, _ = self.pairs()
        n_whole = len(rows) - len(self.part_row)
        weight = np.concatenate([np.ones(n_whole), self.part_weight])
        found = np.zeros((len(self.node), *of_pair.shape[1:]))
        np.add.at(found, rows, of_pair * (weight if of_pair.ndim == 1 else weight[:, None]))
        return found
