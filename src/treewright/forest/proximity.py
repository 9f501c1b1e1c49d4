"""How alike rows are to a forest: the share of trees in which two end in the same leaf."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.forest.forest import Forest
from treewright.forest.walker import table_for
from treewright.table import Table

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

CELLS = 1 << 24  # of the product that is looked at at once


def proximity(
    forest: Forest,
    table: Table,
    rows: ArrayLike | None = None,
    *,
    least: float | None = None,
    n_threads: int = 1,
) -> csr_matrix:
    """Return a sparse matrix of proximities: of the given rows to all rows of a table, or of all to all.

    Only pairs that share a leaf in some tree (in at least the share `least` of all trees) have an entry.
    All rows against all needs `least`, so that nobody gets an n x n array by surprise.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 8, 9], "y": ["a", "a", "b", "b"]})
    >>> forest = tw.forest.grow(table, target="y", n_trees=4, bootstrap=False)
    >>> tw.forest.proximity(forest, table, rows=[0]).toarray().tolist()
    [[1.0, 1.0, 0.0, 0.0]]
    """
    from scipy.sparse import csr_matrix, vstack  # on first use: forests do without

    table = table_for(forest, table)
    if rows is None and least is None:
        raise ValueError(
            f"Proximities of all {table.n_rows} rows to all can take {table.n_rows}^2 entries. Name "
            "rows=[...], or keep only pairs that are together in a share of the trees with least=0.1 or more."
        )
    if least is not None and not (isinstance(least, (int, float)) and 0 <= least <= 1):
        raise ValueError(f"least={least!r} must be a share of the trees between 0 and 1.")
    member = _members(forest, table, n_threads)
    chosen = np.arange(table.n_rows) if rows is None else _checked(rows, table.n_rows)
    step = max(1, CELLS // max(1, table.n_rows))
    parts = []
    for begin in range(0, len(chosen), step):
        part = (member[chosen[begin : begin + step]] @ member.T).tocsr()
        part.data = part.data / forest.n_trees
        if least is not None:
            part.data[part.data < least - 1e-12] = 0
            part.eliminate_zeros()
        part.sort_indices()
        parts.append(part)
    if not parts:
        return csr_matrix((0, table.n_rows))
    return csr_matrix(vstack(parts, format="csr"))


def _members(forest: Forest, table: Table, n_threads: int) -> csr_matrix:
    """Return rows x nodes of all trees: 1 where a row ends."""
    from scipy.sparse import csr_matrix  # on first use

    nodes = forest.leaves(table, n_threads) + forest.starts["node"][:-1]
    n = table.n_rows
    pointer = np.arange(0, n * forest.n_trees + 1, forest.n_trees)
    ones = np.ones(n * forest.n_trees, np.float64)
    return csr_matrix((ones, nodes.ravel(), pointer), shape=(n, forest.n_nodes))


def _checked(rows: ArrayLike, n_rows: int) -> NDArray[np.intp]:
    found: Any = np.atleast_1d(np.asarray(rows))
    if found.dtype.kind == "b" and found.shape == (n_rows,):
        return np.flatnonzero(found)
    if found.ndim != 1 or (len(found) and found.dtype.kind not in "iu"):
        raise ValueError(f"rows={rows!r:.80} must be row numbers, or a truth per row.")
    if len(found) and not (found.min() >= 0 and found.max() < n_rows):
        raise IndexError(f"rows names a row that is not there; the rows are 0 to {n_rows - 1}.")
    return np.asarray(found, dtype=np.intp)
