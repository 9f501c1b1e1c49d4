"""Rows that a tree has not grown on: what they cost, row by row and at every node on their way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.predict import Routed, route_table, values
from treewright.predict.vote import labels
from treewright.prune.counts import Floats
from treewright.table import Table, align
from treewright.tree import Tree

Ints = NDArray[np.int64]


def answers(tree: Tree, table: Table) -> NDArray[Any]:
    """Return the true answers of a table: class numbers of the tree (-2: a class it never met), or numbers.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2], "y": ["a", "b"]}), target="y")
    >>> answers(tree, tw.Table.from_dict({"x": [1, 2, 3], "y": ["b", "a", "c"]})).tolist()
    [1, 0, -2]
    """
    if not isinstance(table, Table):
        raise TypeError(f"This takes a treewright.Table with the target, not {type(table).__name__}")
    if tree.target.name not in table.schema:
        raise ValueError(
            f"The table has no column {tree.target.name!r}, the target of this tree; pruning needs the true "
            f"answers. Its columns are {', '.join(map(repr, table.names[:8]))}."
        )
    found: NDArray[Any] = align(table, [tree.target])[0]
    gaps = found == -1 if tree.is_classifier else np.isnan(found)
    if gaps.any():
        raise ValueError(
            f"Column {tree.target.name!r} is the target and is missing in row {int(np.argmax(gaps))} "
            f"({int(gaps.sum())} rows in all); leave such rows out"
        )
    return found


def losses(tree: Tree, table: Table) -> Floats:
    """Return what the tree's answer costs in each row: 1 for an error (or its cost), the squared error.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> losses(tw.grow(table, target="PlayTennis", recipe="stump"), table).sum().tolist()
    4.0
    """
    routed = route_table(tree, table)
    given = labels(tree, routed) if tree.is_classifier else values(tree, routed)
    return _loss(tree, answers(tree, table), given)


def _loss(tree: Tree, truth: NDArray[Any], given: NDArray[Any]) -> Floats:
    if not tree.is_classifier:
        return np.asarray((truth - given) ** 2)
    costs = tree.about.get("costs")
    if costs is None:
        return np.asarray(truth != given, dtype=np.float64)
    # A class that training never had costs what the dearest mistake of that answer does.
    matrix = np.asarray(costs, dtype=np.float64)
    return np.asarray(np.where(truth < 0, matrix.max(axis=0)[given], matrix[truth, given]))


class NodeLosses(NamedTuple):
    """The losses that rows would cause at every node they pass, were it a leaf: their sum and squares.

    >>> NodeLosses(np.array([1.0]), np.array([1.0]), 4).n_rows
    4
    """

    total: Floats
    squares: Floats
    n_rows: int


def node_losses(tree: Tree, table: Table) -> NodeLosses:
    """Return the losses of a table's rows at every node they pass; a divided row counts by its parts.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> node_losses(tree, table).total.tolist()
    [5.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]
    """
    truth = answers(tree, table)
    given = tree.label if tree.is_classifier else tree.stats[:, 1]
    total, squares = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    for row, node, weight in upwards(tree, route_table(tree, table)):
        loss = _loss(tree, truth[row], given[node])
        total += np.bincount(node, weight * loss, tree.n_nodes)
        squares += np.bincount(node, weight * loss**2, tree.n_nodes)
    return NodeLosses(total, squares, table.n_rows)


def upwards(tree: Tree, routed: Routed) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Yield rows, the node each is at, and the weight of the part: level by level, deepest first.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]})
    >>> tree = tw.grow(table, target="y")
    >>> [(row.tolist(), node.tolist()) for row, node, _ in upwards(tree, route_table(tree, table))]
    [([0, 1, 2], [1, 2, 2]), ([0, 1, 2], [0, 0, 0])]
    """
    is_whole = np.ones(len(routed.node), dtype=bool)
    is_whole[routed.part_row] = False
    row = np.concatenate([np.flatnonzero(is_whole), routed.part_row])
    node = np.concatenate([routed.node[is_whole], routed.part_node]).astype(np.int64)
    weight = np.concatenate([np.ones(int(is_whole.sum())), routed.part_weight])
    # Sorted by depth, those on the way are always the last of the rows.
    order = np.argsort(tree.depths[node], kind="stable")
    row, node, weight = row[order], node[order], weight[order]
    depth = tree.depths[node]
    for level in range(int(depth[-1]) if len(depth) else -1, -1, -1):
        first = int(np.searchsorted(depth, level))
        yield row[first:], node[first:], weight[first:]
        node[first:] = tree.parents[node[first:]]
