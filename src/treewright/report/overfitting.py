"""The overfitting curve of a tree: its errors from one leaf to all of it, opened best first."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.evaluate.families import best_first_order, by_nodes, thinned
from treewright.evaluate.overfitting import lowest
from treewright.evaluate.score import mean_score
from treewright.prune.heldout import losses
from treewright.prune.risk import node_risk, total_weight
from treewright.prune.sample import Sample
from treewright.report.numbers import one
from treewright.tree import Tree

N_POINTS = 40


def overfitting(tree: Tree, judges: Sample | None) -> dict[str, Any] | None:
    """Return training and test error by size; None where no rows judge, or the tree is one leaf.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> told = overfitting(tree, sample_of(tree, table))
    >>> told["leaves"], [round(error, 3) for error in told["training"]]
    ([1, 3, 5, 6], [0.357, 0.286, 0.143, 0])
    """
    if judges is None or tree.n_nodes == 1:
        return None
    order = best_first_order(tree)
    budgets = thinned(np.cumsum([1, *(int(tree.branch_counts[node]) for node in order)]), N_POINTS)
    trees = by_nodes(tree, budgets.tolist())
    test = [mean_score(losses(part, judges), judges.weights) for part in trees]
    leaves = [part.n_leaves for part in trees]
    return {
        "leaves": leaves,
        "nodes": [part.n_nodes for part in trees],
        "training": [one(_risk(part)) for part in trees],
        "test": [one(score.value) for score in test],
        "spread": [one(score.standard_error) for score in test],
        "lowest": lowest(test, leaves),
    }


def _risk(tree: Tree) -> float:
    total = total_weight(tree)
    return float(node_risk(tree)[tree.leaf_ids].sum()) / total if total > 0 else 0.0
