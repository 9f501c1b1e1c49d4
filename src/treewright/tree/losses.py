"""What a tree of numbers gets wrong: the loss of the criterion that it was grown by.

`stats` of such a tree holds, per node, its weight, its answer and its training rows' loss with that answer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from treewright.tree.tree import Tree

Floats = NDArray[np.float64]

DEGREES = {"squared": 2, "absolute": 1, "poisson": 1}  # of a loss in the unit of the target
TITLES = {
    "squared": "mean squared error",
    "absolute": "mean absolute error",
    "poisson": "mean Poisson deviance",
}
ANSWERS = {"squared": "mean", "absolute": "median", "poisson": "mean"}
MEASURES = {"squared": "rmse", "absolute": "mae", "poisson": "poisson_deviance"}  # of `treewright.evaluate`


def loss_of(tree: Tree) -> str:
    """Return the name of the loss: "squared" unless the tree's `about` says otherwise.

    >>> import treewright as tw
    >>> loss_of(tw.grow(tw.Table.from_dict({"x": [1, 2], "y": [3.0, 4.0]}), "y"))
    'squared'
    """
    return str(tree.about.get("loss", "squared"))


def counts_errors(tree: Tree) -> bool:
    """Return whether the error of a tree is a share of rows: it has classes, and mistakes cost the same.

    >>> import treewright as tw
    >>> counts_errors(tw.grow(tw.example("tennis"), "PlayTennis"))
    True
    """
    return tree.is_classifier and tree.about.get("costs") is None


def row_losses(loss: str, truth: Any, given: Any) -> Floats:
    """Return what each answer costs.

    >>> [row_losses(loss, [3.0, 0.0], [1.0, 1.0]).round(4).tolist() for loss in DEGREES]
    [[4.0, 1.0], [2.0, 1.0], [2.5917, 2.0]]
    """
    truth, given = np.asarray(truth, dtype=np.float64), np.asarray(given, dtype=np.float64)
    return _ROWS[loss](truth, given)


def spread(tree: Tree, nodes: Any = slice(None)) -> Floats:
    """Return how far the training rows of nodes lie from their answers, in the target's unit.

    The root of the mean squared error; the mean distance from a median; for counts, the root of the answer
    times the mean deviance (a variance that is in proportion to the mean).

    >>> import treewright as tw
    >>> spread(tw.grow(tw.Table.from_dict({"x": [1, 1], "y": [3.0, 5.0]}), "y")).tolist()
    [1.0]
    """
    weight, answer, lost = np.atleast_2d(tree.stats[nodes]).T
    with np.errstate(over="ignore"):
        mean = np.divide(lost, weight, out=np.zeros_like(lost), where=weight > 0)
    loss = loss_of(tree)
    if loss == "absolute":
        return np.asarray(mean)
    return np.asarray(np.sqrt(mean * answer if loss == "poisson" else mean))


def _poisson(truth: Floats, given: Floats) -> Floats:
    # y ln y is 0 at 0. An answer of 0 is only right for 0: what else comes there has no likelihood.
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.where(truth > 0, truth * np.log(truth / given), 0.0)
    return np.asarray(2.0 * (logs - truth + given))


_ROWS: dict[str, Callable[[Floats, Floats], Floats]] = {
    "squared": lambda truth, given: (truth - given) ** 2,
    "absolute": lambda truth, given: np.abs(truth - given),
    "poisson": _poisson,
}
