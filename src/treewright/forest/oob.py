"""Out of bag: every row judged by the trees that have not seen it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import figure
from treewright.base.notebook import Shown
from treewright.base.numbers import count, number, percent
from treewright.forest.draws import times_drawn
from treewright.forest.forest import Forest
from treewright.forest.training import Training, training_of, training_of_columns
from treewright.forest.vote import is_majority, labels
from treewright.forest.walker import Ballots, voted
from treewright.table import Table
from treewright.tree.losses import row_losses

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class OutOfBag(Shown):
    """What trees say of rows they were not grown on; rows that every tree has seen have no say.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": range(40), "y": ["a"] * 20 + ["b"] * 20})
    >>> said = tw.forest.out_of_bag(tw.forest.grow(table, target="y", n_trees=50), table)
    >>> said
    OutOfBag(error 2.5 % ± 2.5 on 40 rows, 0 never out of bag)
    """

    classes: tuple[str, ...]  # empty for numbers
    predicted: NDArray[Any]  # class numbers (-1: no tree may say), or numbers (NaN)
    shares: Floats  # rows x classes: the mean of the trees that may say; rows x 1 for numbers
    n_votes: NDArray[np.int32]  # how many trees may say
    error: float  # share of wrong classes, or mean loss of the criterion, over rows that have a say
    standard_error: float
    score: float  # accuracy, or the share of variance that is explained

    @property
    def n_never_out(self) -> int:
        """How many rows every tree was grown on: they are in none of the figures."""
        return int(np.count_nonzero(self.n_votes == 0))

    @property
    def labels(self) -> NDArray[Any]:
        """Predicted class names, None where no tree may say."""
        return np.asarray(np.array([*self.classes, None], dtype=object)[self.predicted])

    def among(self, kept: NDArray[np.bool_]) -> OutOfBag:
        """Return the same spread over more rows: those that are kept had a part in growing.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": range(40), "y": ["a"] * 20 + ["b"] * 20})
        >>> said = tw.forest.out_of_bag(tw.forest.grow(table, target="y", n_trees=50), table)
        >>> said.among(np.arange(50) < 40).n_votes[40:].max()
        np.int32(0)
        """
        n = len(kept)
        nothing: Any = -1 if self.classes else np.nan
        predicted = np.full(n, nothing, self.predicted.dtype)
        shares = np.full((n, self.shares.shape[1]), np.nan)
        n_votes = np.zeros(n, np.int32)
        predicted[kept], shares[kept], n_votes[kept] = self.predicted, self.shares, self.n_votes
        return replace(self, predicted=predicted, shares=shares, n_votes=n_votes)

    def __repr__(self) -> str:
        n = len(self.n_votes) - self.n_never_out
        figures = figure(self.error, self.standard_error, is_share=bool(self.classes))
        return f"OutOfBag(error {figures} on {n} rows, {self.n_never_out} never out of bag)"

    def __str__(self) -> str:
        n = count(len(self.n_votes) - self.n_never_out, "row")
        if self.classes:
            head = f"Out-of-bag error {figure(self.error, self.standard_error, is_share=True)} on {n}"
        else:
            loss = f"{number(self.error)} ± {number(self.standard_error, 3)}"
            head = f"Out-of-bag error (mean loss) {loss}, root {number(math.sqrt(self.error))}, on {n}"
            head += f"; {percent(self.score, 1)} of the variance explained"
        never = f"; {count(self.n_never_out)} more were seen by every tree" if self.n_never_out else ""
        return f"{head}, each judged by the trees that were grown without it{never}."


def out_of_bag(
    forest: Forest, table: Table, *, weights: Any = None, vote: str = "mean", n_threads: int = 1
) -> OutOfBag:
    """Return what the trees say of training rows they have not seen, and the error of that.

    `table` is the table the forest was grown on, `weights` its weights; any other is refused.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> said = tw.forest.out_of_bag(tw.forest.grow(table, target="PlayTennis", n_trees=100), table)
    >>> said.n_never_out, len(said.labels)
    (0, 14)
    """
    return _judged(forest, training_of(forest, table, weights), vote, n_threads)


def out_of_bag_columns(
    forest: Forest,
    columns: Sequence[NDArray[Any]],
    answers: NDArray[Any],
    weights: Floats | None = None,
    *,
    vote: str = "mean",
    n_threads: int = 1,
) -> OutOfBag:
    """Return the same for coded columns."""
    return _judged(forest, training_of_columns(forest, columns, answers, weights), vote, n_threads)


def _judged(forest: Forest, training: Training, vote: str, n_threads: int) -> OutOfBag:
    if not forest.about["n_draws"]:
        raise ValueError("No row is out of bag: the forest was grown with bootstrap=False on all rows.")
    rows = training.rows

    def is_out(tree: int) -> NDArray[np.bool_]:
        return np.asarray(times_drawn(forest, tree) == 0)

    ballots = voted(forest, list(rows.columns), rows.n_rows, n_threads, is_majority(vote), is_out)
    said = _of(forest, ballots, rows.answers)
    return said if training.grown_on.all() else said.among(training.grown_on)


def _of(forest: Forest, ballots: Ballots, answers: NDArray[Any]) -> OutOfBag:
    has_say = ballots.n_votes > 0
    n = max(1, int(np.count_nonzero(has_say)))
    shares = ballots.mean
    predicted: NDArray[Any]
    if forest.is_classifier:
        predicted = np.full(len(answers), -1, np.int64)
        predicted[has_say] = labels(forest, shares[has_say])
        error = float(np.count_nonzero(predicted[has_say] != answers[has_say]) / n)
        spread = math.sqrt(error * (1 - error) / n)
        return OutOfBag(forest.classes, predicted, shares, ballots.n_votes, error, spread, 1 - error)
    predicted = shares[:, 0]
    lost = row_losses(forest.about.get("loss", "squared"), answers[has_say], predicted[has_say])
    error = float(lost.mean()) if len(lost) else math.nan
    spread = float(lost.std(ddof=1) / math.sqrt(n)) if n > 1 else math.nan
    variance = float(answers[has_say].var()) if len(lost) else 0.0
    squares = float(((answers[has_say] - predicted[has_say]) ** 2).mean()) if len(lost) else math.nan
    score = 1 - squares / variance if variance > 0 else math.nan
    return OutOfBag((), predicted, shares, ballots.n_votes, error, spread, score)
