"""The tree at every size: the weakest-link path, with the errors of each tree on it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.progress import Watcher
from treewright.evaluate.overfitting import unit_of
from treewright.evaluate.score import Score, mean_score
from treewright.prune.cost_complexity import (
    CostComplexityPath,
    JudgedPath,
    cost_complexity_path,
    cross_validated,
    validated,
)
from treewright.prune.heldout import losses
from treewright.prune.risk import node_risk, total_weight
from treewright.prune.sample import Sample, spread
from treewright.report.numbers import one, plain
from treewright.tree import Tree
from treewright.tree.losses import loss_of


def sizes(
    tree: Tree,
    judges: Sample | None = None,
    training: Sample | None = None,
    *,
    folds: Any = None,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Watcher | None = None,
) -> dict[str, Any]:
    """Return the steps of the path, the step from which on each node is a leaf, and errors by step.

    Step 0 is the tree as it stands; the others are the trees of the weakest-link path that are smaller.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> told = sizes(tw.grow(table, target="y"))
    >>> told["leaves"], told["step"], told["training"]
    ([4, 2, 1], [2, 1, 0, 1, 0, 0, 0], [0, 0.125, 0.5])
    """
    path = cost_complexity_path(tree)
    first = int(path.n_leaves[0] == tree.n_leaves)  # is the first tree of the path the tree as it stands?
    found = {
        "unit": unit_of(tree.is_classifier, tree.about.get("costs") is not None, loss_of(tree)),
        "step": _steps(path, first).tolist(),
        "alpha": plain(np.concatenate([[0.0], path.alpha[first:]])),
        "leaves": [tree.n_leaves, *path.n_leaves[first:].tolist()],
        "training": plain(np.concatenate([[training_risk(tree)], path.risk[first:]])),
        "test": None,
        "folds": None,
        "marks": None,
    }
    if judges is not None:
        test = held_out(path, judges)
        whole = mean_score(losses(tree, judges), judges.weights)
        found |= {"test": _errors(test, first, whole), "marks": _marks(test, first, "test")}
    if folds is not None and training is not None:
        options = {"folds": folds, "seed": seed, "n_jobs": n_jobs, "progress": progress}
        held = cross_validated(tree, training, **options)
        found |= {"folds": _errors(held, first, None), "marks": _marks(held, first, "folds")}
    return found


def held_out(path: CostComplexityPath, judges: Sample) -> JudgedPath:
    """Return the path with the error that each of its trees makes on rows, by what it says of each row.

    `validated` counts the parts of a row that gaps divide one by one; the answer is what they say together.
    So rows that the largest tree divides are asked tree by tree, the others all at once.

    >>> import treewright as tw
    >>> from treewright.prune import sample_of
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> held_out(cost_complexity_path(tree), sample_of(tree, table)).error.round(4).tolist()
    [0.0, 0.125, 0.5]
    """
    is_divided = np.bincount(spread(path.tree, judges).row, minlength=judges.n_rows) > 1
    if not is_divided.any():
        return validated(path, judges)
    first, second = np.zeros(len(path)), np.zeros(len(path))
    rest, some = judges.take(np.flatnonzero(~is_divided)), judges.take(np.flatnonzero(is_divided))
    if (weight := float(rest.weights.sum())) > 0:
        known = validated(path, rest)
        first += weight * known.error
        second += weight * (weight * known.standard_error**2 + known.error**2)
    for step, alpha in enumerate(path.alpha.tolist()):
        loss = losses(path.tree_at(alpha), some)
        first[step] += float((some.weights * loss).sum())
        second[step] += float((some.weights * loss**2).sum())
    total = float(judges.weights.sum())
    mean = first / total
    return JudgedPath(path, mean, np.sqrt(np.maximum(second / total - mean**2, 0.0) / total))


def _steps(path: CostComplexityPath, first: int) -> NDArray[np.int64]:
    """Return for each node the step from which on it is a leaf or gone; 0 in leaves."""
    step = np.searchsorted(path.alpha, path.price) + 1 - first
    return np.where(path.tree.kind != 0, step, 0)


def training_risk(tree: Tree) -> float:
    """Return the error that a tree makes on the rows it was grown on, in the unit of the path.

    >>> from treewright.tree.example import tennis
    >>> training_risk(tennis()), round(training_risk(tennis().collapse(0)), 3)
    (0.0, 0.357)
    """
    total = total_weight(tree)
    return float(node_risk(tree)[tree.leaf_ids].sum()) / total if total > 0 else 0.0


def _errors(judged: JudgedPath, first: int, whole: Score | None) -> dict[str, list[Any]]:
    """Return errors and standard errors by step; of the tree as it stands where it is known."""
    start = Score(float(judged.error[0]), float(judged.standard_error[0])) if first else whole
    begin = (None, None) if start is None else (one(start.value), one(start.standard_error))
    return {
        "error": [begin[0], *plain(judged.error[first:])],
        "spread": [begin[1], *plain(judged.standard_error[first:])],
    }


def _marks(judged: JudgedPath, first: int, by: str) -> dict[str, Any]:
    """Return the steps of the lowest error and of the smallest tree within one standard error of it."""
    lowest, one_se = (judged.chosen(is_one_se) + 1 - first for is_one_se in (False, True))
    return {"by": by, "lowest": lowest, "one_se": one_se}
