"""Rows that judge a tree: what they cost, row by row and at every node on their way."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.predict import route_columns, values
from treewright.predict.vote import labels
from treewright.prune.counts import Floats
from treewright.prune.risk import costs
from treewright.prune.risk import losses as losses_at
from treewright.prune.sample import Sample, Spread, spread
from treewright.table import coded
from treewright.tree import Tree
from treewright.tree.losses import loss_of, row_losses

Ints = NDArray[np.int64]


def losses(tree: Tree, sample: Sample) -> Floats:
    """Return what the tree's answer costs in each row: 1 for an error (or its cost), the tree's loss.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="stump")
    >>> losses(tree, sample_of(tree, table)).sum().tolist()
    4.0
    """
    columns = coded(tree.schema.columns, list(sample.columns))
    routed = route_columns(tree, columns, sample.n_rows)
    if not tree.is_classifier:
        return row_losses(loss_of(tree), sample.answers, values(tree, routed, columns))
    price = np.vstack([costs(tree), np.ones(len(tree.classes))])  # the last row: a class never met
    return np.asarray(price[np.where(sample.answers < 0, -1, sample.answers), labels(tree, routed, columns)])


def mean_loss(loss: Floats, weight: Floats) -> tuple[float, float]:
    """Return the mean loss of a row and its standard error: of errors, sqrt(e (1 - e) / n).

    A row of weight 2 counts as two rows. Without weight there is nothing to tell.

    >>> mean_loss(np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4))
    (0.5, 0.25)
    >>> mean_loss(np.array([1.0]), np.zeros(1))
    (nan, nan)
    """
    n = float(weight.sum())
    if not n > 0:
        return math.nan, math.nan
    mean = float((weight * loss).sum()) / n
    # About the mean, so that a large mean costs no digits.
    return mean, math.sqrt(float((weight * (loss - mean) ** 2).sum())) / n


class NodeLosses(NamedTuple):
    """The losses of rows at the nodes of a tree: their sum and the sum of their squares.

    >>> NodeLosses(np.array([1.0]), np.array([1.0])).total
    array([1.])
    """

    total: Floats
    squares: Floats


def node_losses(tree: Tree, sample: Sample, parts: Spread | None = None) -> NodeLosses:
    """Return the losses that rows would cause at every node they pass, were it a leaf; by weight.

    A divided row counts by its parts: `parts` of the sample, or all of them.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> node_losses(tree, sample_of(tree, table)).total.tolist()
    [5.0, 2.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0]
    """
    total, squares = np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    for row, node, weight in upwards(tree, spread(tree, sample) if parts is None else parts):
        found = losses_here(tree, sample, Spread(row, node, weight))
        total += found.total
        squares += found.squares
    return NodeLosses(total, squares)


def losses_here(tree: Tree, sample: Sample, parts: Spread) -> NodeLosses:
    """Return the losses of parts of rows at the nodes where they are.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="stump")
    >>> sample = sample_of(tree, table)
    >>> losses_here(tree, sample, spread(tree, sample)).total.tolist()  # Humidity: 3 and 1 errors
    [0.0, 3.0, 1.0]
    """
    loss = losses_at(tree, sample, parts.row, parts.node)
    total, squares = (
        np.bincount(parts.node, parts.weight * loss**power, tree.n_nodes).astype(np.float64)
        for power in (1, 2)
    )
    return NodeLosses(total, squares)


def upwards(tree: Tree, parts: Spread) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Yield rows, the node each is at, and the weight of the part: level by level, deepest first.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]})
    >>> tree = tw.grow(table, target="y")
    >>> parts = spread(tree, sample_of(tree, table))
    >>> [(row.tolist(), node.tolist()) for row, node, _ in upwards(tree, parts)]
    [([0, 1, 2], [1, 2, 2]), ([0, 1, 2], [0, 0, 0])]
    """
    # Sorted by depth, those on the way are always the last of the rows.
    order = np.argsort(tree.depths[parts.node], kind="stable")
    row, node, weight = parts.row[order], parts.node[order], parts.weight[order]
    depth = tree.depths[node]
    for level in range(int(depth[-1]) if len(depth) else -1, -1, -1):
        first = int(np.searchsorted(depth, level))
        yield row[first:], node[first:], weight[first:]
        node[first:] = tree.parents[node[first:]]
