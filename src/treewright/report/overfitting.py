"""The overfitting curve of a tree: its errors from one leaf to all of it, opened best first."""

from __future__ import annotations

from typing import Any

from treewright.base.progress import Watcher
from treewright.evaluate.overfitting import lowest
from treewright.evaluate.score import mean_score
from treewright.prune.heldout import losses
from treewright.prune.sample import Sample
from treewright.report.numbers import one
from treewright.report.sizes import training_risk
from treewright.report.upper import opened
from treewright.tree import Tree

N_POINTS = 40


def overfitting(tree: Tree, judges: Sample | None, progress: Watcher | None = None) -> dict[str, Any] | None:
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
    trees = opened(tree, N_POINTS)
    test = []
    for place, part in enumerate(trees, start=1):
        test.append(mean_score(losses(part, judges), judges.weights))
        if progress is not None:
            progress(place / len(trees))
    leaves = [part.n_leaves for part in trees]
    return {
        "leaves": leaves,
        "nodes": [part.n_nodes for part in trees],
        "training": [one(training_risk(part)) for part in trees],
        "test": [one(score.value) for score in test],
        "spread": [one(score.standard_error) for score in test],
        "lowest": lowest(test, leaves),
    }
