"""From the leaves of many trees to one answer: a mean of probabilities, a majority, a mean."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import choice
from treewright.forest import walker
from treewright.forest.walker import Ballots
from treewright.predict.calibration import calibrated
from treewright.table import Table, warn_unseen
from treewright.tree.policy import unseen_policy

if TYPE_CHECKING:
    from treewright.forest.forest import Forest

Floats = NDArray[np.float64]
VOTES = ("mean", "majority")


def predict(forest: Forest, table: Table, vote: str = "mean", n_threads: int = 1) -> NDArray[Any]:
    """Return the predicted class names, or numbers."""
    ballots = of_table(forest, table, vote, n_threads)
    if not forest.is_classifier:
        return ballots.mean[:, 0]
    return np.array(forest.classes, dtype=object).take(labels(forest, ballots.mean))


def predict_proba(forest: Forest, table: Table, vote: str = "mean", n_threads: int = 1) -> Floats:
    """Return class probabilities, rows x classes."""
    _need_classes(forest)
    return calibrated(forest.about, of_table(forest, table, vote, n_threads).mean)


def votes(forest: Forest, table: Table, n_threads: int = 1) -> NDArray[np.int64]:
    """Return how many trees name each class."""
    _need_classes(forest)
    return of_table(forest, table, "majority", n_threads).sum.astype(np.int64)


def leaves(forest: Forest, table: Table, n_threads: int = 1) -> NDArray[np.int32]:
    """Return the node each row ends in, rows x trees."""
    table = walker.table_for(forest, table)
    return walker.arrived(forest, walker.cells_of(forest, table), table.n_rows, n_threads)


def of_table(forest: Forest, table: Table, vote: str = "mean", n_threads: int = 1) -> Ballots:
    """Return the votes on the rows of a table."""
    table = walker.table_for(forest, table)
    cells = walker.cells_of(forest, table)
    used = range(len(forest.schema))
    warn_unseen(table, forest.schema.columns, cells, used, unseen_policy(forest.about).sentence)
    return walker.voted(forest, cells, table.n_rows, n_threads, is_majority(vote))


def is_majority(vote: Any) -> bool:
    """Return whether trees name one class each, of the word for how they vote.

    >>> is_majority("mean"), is_majority("majority")
    (False, True)
    """
    choice("vote", vote, VOTES)
    return bool(vote == "majority")


def labels(forest: Forest, shares: Floats) -> NDArray[np.intp]:
    """Return class numbers: the largest share, or the least cost; the first of equals but for rounding."""
    costs = forest.about.get("costs")
    worth = shares if costs is None else -(shares @ np.asarray(costs, dtype=np.float64))
    enough = worth[:, 0].copy()
    for c in range(1, worth.shape[1]):  # column by column: along rows it takes ten times as long
        np.maximum(enough, worth[:, c], out=enough)
    enough -= 1e-12
    found, is_open = np.zeros(len(worth), np.intp), np.ones(len(worth), bool)
    for c in range(worth.shape[1]):
        is_open &= worth[:, c] < enough
        found += is_open
    return found


def _need_classes(forest: Forest) -> None:
    if not forest.is_classifier:
        raise ValueError(
            f"The forest predicts the number {forest.target.name!r}; votes and probabilities are for classes."
        )
