"""A tree judged by rows: scores, the confusion matrix, and what came to each node."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.evaluate.answers import Answers
from treewright.evaluate.confusion import confusion
from treewright.evaluate.measures import scores
from treewright.evaluate.score import Score
from treewright.predict import own_chances, route_columns, values
from treewright.predict.vote import labels
from treewright.prune.sample import Sample, spread
from treewright.report.nodes import sparse
from treewright.report.numbers import one, plain
from treewright.tree import Tree
from treewright.tree.losses import MEASURES, loss_of
from treewright.tree.walk import subtree_sums

CLASS_SCORES = ("accuracy", "balanced_accuracy", "f1", "brier")
NUMBER_SCORES = ("rmse", "mae", "r2")
NEVER_MET = "(not among the classes of the tree)"


def judged(tree: Tree, rows: Sample) -> dict[str, Any]:
    """Return the confusion matrix with the scores of each class, and the weight of rows by node.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="stump")
    >>> judged(tree, sample_of(tree, table))["confusion"]
    [[6, 3], [1, 4]]
    """
    said = answers_of(tree, rows)
    parts = spread(tree, rows)
    told: dict[str, Any] = {
        "rows": rows.n_rows,
        "weight": one(float(rows.weights.sum())),
        "is_divided": len(parts.row) > rows.n_rows,
    }
    if not tree.is_classifier:
        return told | _numbers_by_node(tree, rows, parts)
    matrix = confusion(said)
    told["classes"] = list(said.classes)
    told["confusion"] = [plain(np.array(row)) for row in matrix.counts]
    told["by_class"] = [
        [_pair(c.precision), _pair(c.recall), _pair(c.f1), one(c.support)] for c in matrix.per_class()
    ]
    k = len(said.classes)
    here = np.zeros((tree.n_nodes, k))  # of rows that end in the node
    truth = np.where(rows.answers < 0, k - 1, rows.answers)
    np.add.at(here, (parts.node, truth[parts.row]), parts.weight)
    return told | {"ends": sparse(here), "came": sparse(_sums(tree, here))}


def _own_first(measure: str) -> tuple[str, ...]:
    """Return the scores of numbers, the one of the criterion's loss first."""
    return tuple(dict.fromkeys((measure, *NUMBER_SCORES)))


def scores_of(tree: Tree, rows: Sample) -> dict[str, list[Any]]:
    """Return the scores of a tree on rows, each with its standard error.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> scores_of(tree, sample_of(tree, table))["accuracy"]
    [1, 0]
    """
    names = CLASS_SCORES if tree.is_classifier else _own_first(MEASURES[loss_of(tree)])
    return {name: _pair(score) for name, score in scores(answers_of(tree, rows), names).items()}


def answers_of(tree: Tree, rows: Sample) -> Answers:
    """Return what a tree says of rows in its own codes, beside the right answers.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="stump")
    >>> answers_of(tree, sample_of(tree, table))
    Answers(14 rows of 2 classes)
    """
    columns = list(rows.columns)
    routed = route_columns(tree, columns, rows.n_rows)
    if not tree.is_classifier:
        return Answers(rows.answers, values(tree, routed, columns), rows.weights, loss=loss_of(tree))
    truth, classes, shares = (
        rows.answers.astype(np.int64),
        tree.classes,
        own_chances(tree, routed, None, columns),
    )
    if (truth < 0).any():
        truth = np.where(truth < 0, len(classes), truth)
        classes = (*classes, NEVER_MET)
        shares = np.column_stack([shares, np.zeros(len(shares))])
    return Answers(truth, labels(tree, routed, columns).astype(np.int64), rows.weights, classes, shares)


def _pair(score: Score) -> list[Any]:
    return [one(score.value), one(score.standard_error)]


def _sums(tree: Tree, here: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return sums over subtrees; whole weights are summed as integers, which is exact."""
    if (here == np.rint(here)).all():
        return np.asarray(subtree_sums(tree.end, here.astype(np.int64)), dtype=np.float64)
    return np.asarray(subtree_sums(tree.end, here))


def _numbers_by_node(tree: Tree, rows: Sample, parts: Any) -> dict[str, Any]:
    """Return the weight, the mean and the spread of the right answers of the rows that came to each node."""
    truth = rows.answers[parts.row]
    middle = float(truth.mean())  # about the mean, so that a large mean costs no digits
    powers = [(truth - middle) ** power for power in range(3)]
    here = np.column_stack([np.bincount(parts.node, parts.weight * p, tree.n_nodes) for p in powers])
    weight, first, second = np.asarray(subtree_sums(tree.end, here)).T
    some = weight > 0
    mean = np.divide(first, weight, out=np.zeros_like(first), where=some)
    square = np.divide(second, weight, out=np.zeros_like(second), where=some)
    return {
        "came": {
            "weight": plain(weight),
            "mean": plain(np.where(some, mean + middle, np.nan)),
            "spread": plain(np.sqrt(np.maximum(square - mean**2, 0.0))),
        }
    }
