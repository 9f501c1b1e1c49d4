"""The worth of trees on the rows they were grown on, from leaves alone: one yardstick for every library.

An exact tree leaves the impurity that exhaustive search leaves, unless two cuts tie: which of them is taken
changes what can be had below. So where two trees differ they are walked side by side, and at each node where
they first part both cuts are weighed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.compare import Verdict

EQUAL = 1e-9  # relative


def impurity(leaves: NDArray[np.integer], y: NDArray[Any], criterion: str) -> float:
    """Return the impurity per row that leaves hold: gini, entropy in bits, or squared error.

    >>> round(impurity(np.array([3, 3, 7, 7]), np.array([0, 1, 1, 1]), "gini"), 3)
    0.25
    """
    leaf = np.unique(leaves, return_inverse=True)[1].ravel()
    if criterion == "squared_error":
        return _squared_error(leaf, y)
    n_classes = int(y.max()) + 1
    counts = np.bincount(leaf * n_classes + y, minlength=(int(leaf.max()) + 1) * n_classes)
    counts = counts.reshape(-1, n_classes).astype(np.float64)
    sizes = counts.sum(axis=1, keepdims=True)
    if criterion == "gini":
        return float((sizes[:, 0] - (counts * counts / sizes).sum(axis=1)).sum()) / len(y)
    with np.errstate(divide="ignore", invalid="ignore"):
        return -float(np.where(counts > 0, counts * np.log2(counts / sizes), 0.0).sum()) / len(y)


def _squared_error(leaf: NDArray[np.integer], y: NDArray[np.floating]) -> float:
    means = np.bincount(leaf, weights=y) / np.bincount(leaf)
    return float(((y - means[leaf]) ** 2).sum()) / len(y)


class Cuts(NamedTuple):
    """A binary tree of cuts: `x[column] <= cut` goes to the left; column is negative in a leaf."""

    column: NDArray[np.integer]
    cut: NDArray[np.float64]
    left: NDArray[np.integer]
    right: NDArray[np.integer]


class Parting(NamedTuple):
    """A node of the same rows that two trees cut otherwise: the impurity of its rows that each leaves."""

    n_rows: int
    ours: float
    theirs: float

    @property
    def excess(self) -> float:
        return (self.ours - self.theirs) / (max(self.ours, self.theirs) or 1.0)  # both may be pure


@dataclass(frozen=True)
class Training:
    """The rows that trees are grown on and judged by."""

    X: NDArray[np.float32]
    y: NDArray[Any]
    criterion: str

    def impurity(self, leaves: NDArray[np.integer]) -> float:
        return impurity(leaves, self.y, self.criterion)


def partings(training: Training, ours: Cuts, theirs: Cuts) -> Iterator[Parting]:
    """Yield the nodes at which two trees first go apart."""
    pending = [(0, 0, np.arange(len(training.X)))]
    while pending:
        i, j, rows = pending.pop()
        mine, other = _left_rows(training, ours, i, rows), _left_rows(training, theirs, j, rows)
        if ours.column[i] < 0 and theirs.column[j] < 0:
            continue
        if np.array_equal(mine, other):
            pending += [
                (ours.left[i], theirs.left[j], rows[mine]),
                (ours.right[i], theirs.right[j], rows[~mine]),
            ]
        elif np.array_equal(mine, ~other):
            pending += [
                (ours.left[i], theirs.right[j], rows[mine]),
                (ours.right[i], theirs.left[j], rows[~mine]),
            ]
        else:
            y, criterion = training.y[rows], training.criterion
            yield Parting(len(rows), impurity(mine, y, criterion), impurity(other, y, criterion))


def _left_rows(training: Training, tree: Cuts, node: int, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    if tree.column[node] < 0:
        return np.ones(len(rows), dtype=bool)
    return training.X[rows, tree.column[node]] <= tree.cut[node]


def judge(training: Training, ours: tuple[float, Cuts], theirs: tuple[float, Cuts]) -> Verdict:
    """Return whether our tree is as good as the other; where it is not, whether ties are the reason."""
    (mine, my_cuts), (other, their_cuts) = ours, theirs
    if abs(mine - other) <= EQUAL * max(mine, other):
        return Verdict("impurity: equal")
    difference = f"{(mine - other) / max(mine, other):+.2g}"
    apart = list(partings(training, my_cuts, their_cuts))
    worse = [parting for parting in apart if parting.excess > EQUAL]
    if worse:
        first = max(worse, key=lambda parting: parting.n_rows)
        return Verdict(
            f"impurity: WORSE than exhaustive search at {len(worse)} nodes, first at one of "
            f"{first.n_rows:,} rows ({first.excess:.2g} more); of the whole tree: {difference}",
            is_failure=True,
        )
    better = sum(parting.excess < -EQUAL for parting in apart)
    if better:
        return Verdict(f"impurity: differs by {difference}: our cut is the better one at {better} nodes")
    return Verdict(f"impurity: differs by {difference}: ties at {len(apart)} nodes")
