"""What trees with models in their nodes cost: a row is judged by the model of the node it is at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.predict import model, shares
from treewright.predict.vote import cheapest
from treewright.prune.sample import Sample, Spread
from treewright.table import coded
from treewright.tree import Tree

Floats = NDArray[np.float64]


def losses(tree: Tree, sample: Sample, rows: NDArray[Any], nodes: NDArray[Any], price: Floats) -> Floats:
    """Return what the model of each node costs for each row; `price` is by true class (never met: last).

    >>> import treewright as tw
    >>> from treewright.prune.sample import sample_of
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": [2, 4, 6, 8]})
    >>> tree = tw.grow(table, target="y", leaves="linear", max_depth=0)
    >>> sample, root, no_price = sample_of(tree, table), np.zeros(4, int), np.zeros((0, 0))
    >>> losses(tree, sample, np.arange(4), root, no_price).round(6).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    columns = coded(tree.schema.columns, sample.columns) if tree.schema.binned else list(sample.columns)
    answers = sample.answers[rows]
    if not tree.is_classifier:
        return np.asarray((answers - model.means(tree, columns, rows, nodes)) ** 2)
    plain = shares(tree, "raw", nodes.astype(np.int32))
    said = cheapest(tree, model.chances(tree, columns, rows, nodes, plain))
    _, says = model.sums(tree, columns, rows, nodes)
    label = np.where(says, said, tree.label[nodes])
    return np.asarray(price[np.where(answers < 0, -1, answers), label])


def leaf_errors(tree: Tree, sample: Sample, parts: Spread, price: Floats) -> tuple[Floats, Floats]:
    """Return per node the loss of a sample with the node as a leaf, and that of the rows that stop in it."""
    row, node, weight = parts
    here = np.zeros(tree.n_nodes)
    here += np.bincount(node, weight * losses(tree, sample, row, node, price), tree.n_nodes)
    whole = np.zeros(tree.n_nodes)
    while len(node):  # every row at every node on its way, one level up at a time
        whole += np.bincount(node, weight * losses(tree, sample, row, node, price), tree.n_nodes)
        goes_on = node > 0
        row, weight, node = row[goes_on], weight[goes_on], tree.parents[node[goes_on]]
    return whole, here
