"""How many rows met a gap on their way down, and what became of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.numbers import count
from treewright.route.route import readable, route_columns, threads
from treewright.route.router import router_of
from treewright.table import align, coded, table_of
from treewright.tree import Tree
from treewright.tree.fields import ROUTED
from treewright.tree.policy import gap_policy, unseen_policy


class GapCounts(NamedTuple):
    """Rows, those of them whose way met a test on a missing value, and what became of these.

    >>> print(GapCounts(100, 7, divided=0, by_surrogate=5, by_branch=2, stopped=0, refused=0))
    7 of 100 rows met a missing value: 5 rerouted by a surrogate, 2 sent along a branch.
    """

    n_rows: int
    met: int
    divided: int = 0
    by_surrogate: int = 0
    by_branch: int = 0
    stopped: int = 0
    refused: int = 0

    def __str__(self) -> str:
        if not self.met:
            return f"None of {count(self.n_rows, 'row')} met a missing value."
        words = {
            "divided": "divided",
            "by_surrogate": "rerouted by a surrogate",
            "by_branch": "sent along a branch",
            "stopped": "stopped at the node",
            "refused": "refused",
        }
        told = [f"{count(n)} {words[name]}" for name, n in zip(words, self[2:], strict=True) if n]
        return f"{count(self.met)} of {count(self.n_rows, 'row')} met a missing value: {', '.join(told)}."


def gap_counts(tree: Tree, table: Any, n_threads: int = 1) -> GapCounts:
    """Return how many rows of a table meet a gap in a tree, and what becomes of them.

    >>> import treewright as tw
    >>> tree = tw.grow({"x": [1, 2, 3, None], "y": ["a", "b", "b", "b"]}, "y", missing="fractional")
    >>> gap_counts(tree, {"x": [1, None, 9]})
    GapCounts(n_rows=3, met=1, divided=1, by_surrogate=0, by_branch=0, stopped=0, refused=0)
    """
    table = table_of(table, tree.schema.columns)
    return gap_counts_of(tree, align(table, tree.schema.columns), table.n_rows, n_threads)


def rows_at_gaps(tree: Tree, table: Any, n_threads: int = 1) -> NDArray[np.bool_]:
    """Return which rows of a table meet a test on a missing value, were it to end their way.

    >>> import treewright as tw
    >>> tree = tw.grow({"x": [1, 2, 3, None], "y": ["a", "b", "b", "b"]}, "y")
    >>> rows_at_gaps(tree, {"x": [1, None]}).tolist()
    [False, True]
    """
    table = table_of(table, tree.schema.columns)
    columns = align(table, tree.schema.columns)
    if tree.schema.binned:
        columns = coded(tree.schema.columns, columns)
    return _stops(tree, columns, table.n_rows, "stop", n_threads)


def gap_counts_of(
    tree: Tree, columns: Sequence[NDArray[Any]] | NDArray[Any], n_rows: int, n_threads: int = 1
) -> GapCounts:
    """Return the same for columns in the tree's own codes.

    >>> import treewright as tw
    >>> tree = tw.grow({"x": [1, 2, 3, None], "y": ["a", "b", "b", "b"]}, "y")
    >>> gap_counts_of(tree, [np.array([1.0, np.nan])], 2).by_branch
    1
    """
    way = gap_policy(tree.about).way
    if tree.schema.binned:
        columns = coded(tree.schema.columns, list(columns.T) if isinstance(columns, np.ndarray) else columns)
    met = _stops(tree, columns, n_rows, "stop", n_threads)
    n = int(met.sum())
    if way == "refuse" or not n:
        return GapCounts(n_rows, n, refused=n)
    ends = route_columns(tree, columns, n_rows, n_threads)
    divided = np.zeros(n_rows, dtype=bool)
    divided[ends.part_row] = True
    stopped = met & ~divided & (tree.kind[ends.node] != 0)
    rerouted = met & ~divided & ~stopped
    by_surrogate = np.zeros(n_rows, dtype=bool)
    if way == "surrogate":
        by_surrogate = rerouted & ~_stops(tree, columns, n_rows, "surrogate", n_threads)
    counts = (met & divided, by_surrogate, rerouted & ~by_surrogate, stopped)
    return GapCounts(n_rows, n, *(int(some.sum()) for some in counts))


def _stops(tree: Tree, columns: Any, n_rows: int, gap: str, n_threads: int) -> NDArray[np.bool_]:
    """Return the rows that end at a node which asks, were gaps to stop there (where no surrogate helps)."""
    arrays = {name: getattr(tree, name) for name in ROUTED}
    arrays["missing"] = np.full(tree.n_nodes, -1, dtype=np.int32)
    is_coded = [not column.is_numeric for column in tree.schema.columns]
    unseen = unseen_policy(tree.about).way
    unseen = unseen if unseen == "as_missing" else "branch"  # only gaps are asked about
    walker = router_of(arrays, tree.weights, is_coded, gap, unseen)
    node, *_ = walker.route(readable(tree.schema, columns), n_rows, threads(n_threads))
    return np.asarray(tree.kind[node] != 0)
