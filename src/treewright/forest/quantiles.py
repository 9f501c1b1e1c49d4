"""Quantiles and intervals from the training rows in the leaves (Meinshausen 2006)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.forest.draws import times_drawn
from treewright.forest.forest import Forest
from treewright.forest.training import Training, training_of, training_of_columns
from treewright.forest.walker import Cells, arrivals, cells_of, table_for
from treewright.table import Table

Floats = NDArray[np.float64]
BLOCK = 1 << 22  # training rows in leaves that are looked at together


@dataclass(frozen=True, eq=False)
class Quantiles:
    """Which training rows lie in which leaf of each tree, by answer: what quantiles need beside the forest.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [0] * 10, "y": list(range(10))})
    >>> forest = tw.forest.grow(table, target="y", n_trees=2, bootstrap=False)
    >>> known = tw.forest.Quantiles.of(forest, table)
    >>> known.predict(forest, table, [0.1, 0.5])[0].tolist()
    [0.0, 4.0]
    """

    values: Floats  # the distinct answers, ascending
    start: NDArray[np.int64]  # of every leaf of the forest: where its rows begin
    rank: NDArray[Any]  # of each row in a leaf: the place of its answer among `values`
    weight: NDArray[Any]  # what it counted there: weight x times drawn

    @classmethod
    def of(cls, forest: Forest, table: Table, *, weights: Any = None, n_threads: int = 1) -> Quantiles:
        """Return what a forest for numbers needs to give quantiles, from the table it was grown on.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [0] * 10, "y": list(range(10))})
        >>> forest = tw.forest.grow(table, target="y", n_trees=2, bootstrap=False)
        >>> len(tw.forest.Quantiles.of(forest, table).rank)
        20
        """
        return _of_training(forest, training_of(forest, table, weights), n_threads)

    def predict(
        self, forest: Forest, table: Table, quantiles: ArrayLike = (0.05, 0.5, 0.95), n_threads: int = 1
    ) -> Floats:
        """Return quantiles of the answer for each row of a table, rows x quantiles.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [0] * 10, "y": list(range(10))})
        >>> forest = tw.forest.grow(table, target="y", n_trees=2, bootstrap=False)
        >>> tw.forest.Quantiles.of(forest, table).predict(forest, table.take([0]))
        array([[0., 4., 9.]])
        """
        table = table_for(forest, table)
        return self.of_cells(forest, cells_of(forest, table), table.n_rows, quantiles, n_threads)

    def interval(self, forest: Forest, table: Table, coverage: float = 0.9, n_threads: int = 1) -> Floats:
        """Return bounds between which a new answer lies with this probability, rows x 2.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [0] * 10, "y": list(range(10))})
        >>> forest = tw.forest.grow(table, target="y", n_trees=2, bootstrap=False)
        >>> tw.forest.Quantiles.of(forest, table).interval(forest, table.take([0]), coverage=0.6)
        array([[1., 7.]])
        """
        return self.predict(forest, table, interval_bounds(coverage), n_threads)

    def of_cells(
        self, forest: Forest, cells: Cells, n_rows: int, quantiles: ArrayLike, n_threads: int = 1
    ) -> Floats:
        """Return quantiles for rows in the forest's own codes.

        >>> import treewright as tw
        >>> table = tw.Table.from_dict({"x": [0] * 10, "y": list(range(10))})
        >>> forest = tw.forest.grow(table, target="y", n_trees=2, bootstrap=False)
        >>> tw.forest.Quantiles.of(forest, table).of_cells(forest, [np.zeros(1)], 1, [0.5])
        array([[4.]])
        """
        wanted = checked_quantiles(quantiles)
        leaf = np.empty((n_rows, forest.n_trees), np.int64)
        for first, nodes in arrivals(forest, cells, n_rows, n_threads):
            for j in range(nodes.shape[1]):
                leaf[:, first + j] = leaf_numbers(forest, first + j)[nodes[:, j]]
        if n_rows and leaf.min() < 0:
            raise ValueError("A row stopped above the leaves, where no quantiles are kept; see unseen=.")
        found = np.empty((n_rows, len(wanted)))
        each = self.start[leaf + 1] - self.start[leaf]
        step = max(1, int(BLOCK // max(1.0, each.sum() / max(1, n_rows))))
        for begin in range(0, n_rows, step):
            rows = slice(begin, min(n_rows, begin + step))
            found[rows] = self._block(leaf[rows], each[rows], wanted)
        return found

    def _block(self, leaf: NDArray[np.int64], each: NDArray[np.int64], wanted: Floats) -> Floats:
        """Return the quantiles of some rows: the answers in their leaves, each leaf with weight one."""
        n_rows = len(leaf)
        flat, size = leaf.ravel(), each.ravel()
        place = np.arange(size.sum()) + np.repeat(self.start[flat] - np.cumsum(size) + size, size)
        owner = np.repeat(np.arange(len(flat)), size)
        weight = self.weight[place].astype(np.float64)
        weight /= np.bincount(owner, weight, len(flat))[owner]
        key = (owner // leaf.shape[1]) * len(self.values) + self.rank[place]
        order = np.argsort(key, kind="stable")
        key, weight = key[order], np.cumsum(weight[order])
        row = key // len(self.values)
        last = np.searchsorted(row, np.arange(n_rows), side="right")
        first = np.concatenate([[0], last[:-1]])
        before = np.where(first > 0, weight[first - 1], 0.0)
        total = weight[last - 1] - before
        goal = before[:, None] + total[:, None] * np.maximum(wanted - 1e-12, 0.0)
        at = np.searchsorted(weight, goal.ravel() - 1e-12 * np.repeat(total, len(wanted))).reshape(goal.shape)
        at = np.clip(at, first[:, None], last[:, None] - 1)
        return np.asarray(self.values[key[at] % len(self.values)])


def quantiles_of(
    forest: Forest,
    columns: Sequence[NDArray[Any]],
    answers: NDArray[Any],
    weights: Floats | None,
    n_threads: int = 1,
) -> Quantiles:
    """Return the same for coded columns."""
    return _of_training(forest, training_of_columns(forest, columns, answers, weights), n_threads)


def _of_training(forest: Forest, training: Training, n_threads: int) -> Quantiles:
    if forest.is_classifier:
        raise ValueError(
            f"The forest predicts the classes of {forest.target.name!r}; quantiles are of numbers."
        )
    rows, weights = training.rows, training.weights
    values, rank = np.unique(rows.answers, return_inverse=True)
    smallest = np.min_scalar_type(max(1, len(values) - 1))
    starts, ranks, counted = [np.zeros(1, np.int64)], [], []
    for first, nodes in arrivals(forest, rows.columns, rows.n_rows, n_threads):
        for j in range(nodes.shape[1]):
            times = times_drawn(forest, first + j)
            drawn = np.flatnonzero(times)
            leaf = leaf_numbers(forest, first + j)[nodes[drawn, j]] - forest.starts["leaf"][first + j]
            if len(leaf) and leaf.min() < 0:
                raise ValueError("A training row stopped above the leaves, where no quantiles are kept.")
            order = np.argsort(leaf, kind="stable")
            n_leaves = int(forest.starts["leaf"][first + j + 1] - forest.starts["leaf"][first + j])
            starts.append(np.cumsum(np.bincount(leaf, minlength=n_leaves)))
            ranks.append(rank[drawn][order].astype(smallest))
            counted.append(_small((times[drawn] * weights[drawn])[order]))
    offset = np.cumsum([0, *(len(part) for part in ranks)])
    start = np.concatenate([starts[0], *(part + offset[t] for t, part in enumerate(starts[1:]))])
    return Quantiles(values, start.astype(np.int64), np.concatenate(ranks), np.concatenate(counted))


def _small(weight: Floats) -> NDArray[Any]:
    is_whole = np.array_equal(weight, np.rint(weight)) and weight.max(initial=0) < 2**16
    return weight.astype(np.min_scalar_type(int(weight.max(initial=1)))) if is_whole else weight


def leaf_numbers(forest: Forest, tree: int) -> NDArray[np.int64]:
    """Return the number, among all leaves of the forest, of each node of a tree; -1 for inner nodes."""
    bounds = forest.starts["node"]
    is_leaf = forest.arrays["kind"][bounds[tree] : bounds[tree + 1]] == 0
    return np.where(is_leaf, np.cumsum(is_leaf) - 1 + forest.starts["leaf"][tree], -1)


def interval_bounds(coverage: float) -> Floats:
    """Return the two quantiles that leave out the same share on both sides.

    >>> interval_bounds(0.8).round(3).tolist()
    [0.1, 0.9]
    """
    is_number = isinstance(coverage, (int, float, np.integer, np.floating)) and not isinstance(coverage, bool)
    if not is_number or not 0 < coverage < 1:
        raise ValueError(f"coverage={coverage!r} must be a share above 0 and below 1.")
    return np.array([(1 - coverage) / 2, (1 + coverage) / 2])


def checked_quantiles(quantiles: ArrayLike) -> Floats:
    """Return quantiles as an array; each lies between 0 and 1."""
    try:
        wanted = np.atleast_1d(np.asarray(quantiles, dtype=np.float64))
    except (TypeError, ValueError):
        raise ValueError(f"quantiles={quantiles!r} are not numbers between 0 and 1.") from None
    if wanted.ndim != 1 or not ((wanted >= 0) & (wanted <= 1)).all():
        raise ValueError(f"quantiles={quantiles!r} must be numbers between 0 and 1.")
    return wanted
