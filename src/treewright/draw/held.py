"""Rows that were not trained on: what they amount to at every node they pass."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.prune.heldout import losses, mean_loss
from treewright.prune.sample import Sample, sample_of, spread
from treewright.table import Table
from treewright.tree import Tree, walk

Floats = NDArray[np.float64]


class Held(NamedTuple):
    """Held-out rows at every node: class weights (the last: classes never met), or weight, mean, spread."""

    stats: Floats
    weights: Floats
    n_rows: int
    loss: float  # the mean over rows: of errors, or of the tree's own loss
    losses: Floats  # the sum of it at every node


def held(tree: Tree, table: Table | Sample) -> Held:
    """Return what the rows of a table amount to at every node; a divided row counts by its parts.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="stump")
    >>> held(tree, table).stats.tolist()
    [[9.0, 5.0, 0.0], [3.0, 4.0, 0.0], [6.0, 1.0, 0.0]]
    """
    sample = sample_of(tree, table)
    parts = spread(tree, sample)
    own = losses(tree, sample)
    loss, _ = mean_loss(own, sample.weights)
    at_nodes = np.zeros(tree.n_nodes)
    np.add.at(at_nodes, parts.node, parts.weight * own[parts.row])
    at_nodes = walk.subtree_sums(tree.end, at_nodes[:, None])[:, 0]
    if tree.is_classifier:
        k = len(tree.classes)
        codes = sample.answers[parts.row]
        stats = np.zeros((tree.n_nodes, k + 1))
        np.add.at(stats, (parts.node, np.where(codes < 0, k, codes)), parts.weight)
        stats = walk.subtree_sums(tree.end, stats)
        return Held(stats, stats.sum(axis=1), sample.n_rows, loss, at_nodes)
    middle = float(tree.stats[0, 1])  # about the root's mean, so that a large mean costs no digits
    answers = np.asarray(sample.answers[parts.row], dtype=np.float64) - middle
    sums = np.zeros((tree.n_nodes, 3))
    for power in range(3):
        np.add.at(sums[:, power], parts.node, parts.weight * answers**power)
    sums = walk.subtree_sums(tree.end, sums)
    weight = np.maximum(sums[:, 0], np.finfo(float).tiny)
    mean = sums[:, 1] / weight
    deviation = np.sqrt(np.maximum(0.0, sums[:, 2] / weight - mean**2))
    stats = np.column_stack([sums[:, 0], mean + middle, deviation])
    return Held(stats, sums[:, 0], sample.n_rows, loss, at_nodes)
