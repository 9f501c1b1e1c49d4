"""The nodes that rows pass on their way down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.predict import Routed
from treewright.tree import Tree

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix


def paths(tree: Tree, routed: Routed) -> csr_matrix:
    """Return a sparse matrix, rows x nodes, with a 1 at every node a row passes, in whole or in part.

    >>> import treewright as tw
    >>> from treewright.predict import route_table
    >>> table = tw.Table.from_dict({"degrees": [10, 20, 30], "play": ["no", "yes", "yes"]})
    >>> tree = tw.grow(table, target="play")
    >>> paths(tree, route_table(tree, table)).toarray().tolist()
    [[1, 1, 0], [1, 0, 1], [1, 0, 1]]
    """
    from scipy.sparse import csr_matrix  # on first use

    n_rows = len(routed.node)
    start, passed = _to_each_node(tree)
    whole = np.ones(n_rows, dtype=bool)
    whole[routed.part_row] = False
    row = np.concatenate([np.flatnonzero(whole), routed.part_row])
    node = np.concatenate([routed.node[whole], routed.part_node])
    length = start[node + 1] - start[node]
    # The slices start[node] : start[node+1], one after the other.
    place = np.arange(length.sum()) + np.repeat(start[node] - np.cumsum(length) + length, length)
    found = csr_matrix(
        (np.ones(len(place), dtype=np.int64), (np.repeat(row, length), passed[place])),
        shape=(n_rows, tree.n_nodes),
    )
    found.sum_duplicates()  # the parts of a divided row share the beginning of their way
    found.data[:] = 1
    return found


def _to_each_node(tree: Tree) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return slices and what they hold: the way from the root to each node, both included."""
    depth, parent = tree.depths, tree.parents
    start = np.concatenate([[0], np.cumsum(depth + 1)])
    passed = np.empty(start[-1], dtype=np.int64)
    node, at = np.arange(tree.n_nodes), np.arange(tree.n_nodes)
    while len(node):
        passed[start[node] + depth[at]] = at
        going = parent[at] >= 0
        node, at = node[going], parent[at[going]]
    return start, passed
