"""The path of one row: the nodes it passes, and what it answers at each of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from treewright.explain.change import cell_words
from treewright.explain.row import columns_of, row_of
from treewright.predict import route_columns
from treewright.tree import Tree
from treewright.tree.check import SUM


class RowPath(NamedTuple):
    """The share of a row that passes each node on its way, and its value where a node asks for one column."""

    shares: dict[int, float]
    values: dict[int, str]


NO_PATH = RowPath({}, {})


def is_row_number(row: Any) -> bool:
    """Return whether a row is given by its number.

    >>> is_row_number(3), is_row_number(np.int64(3)), is_row_number({"x": 3})
    (True, True, False)
    """
    return isinstance(row, (int, np.integer)) and not isinstance(row, bool)


def row_path(tree: Tree, row: Any, table: Any = None) -> RowPath:
    """Return the path of a row: a dict, a Series, a frame of one row, a list, or a row number with its table.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> row_path(tree, {"Outlook": "Sunny", "Humidity": "High", "Wind": "Weak"})
    RowPath(shares={0: 1.0, 1: 1.0, 2: 1.0}, values={0: 'Sunny', 1: 'High'})
    """
    one = row_of(tree, row, table)
    routed = route_columns(tree, columns_of(tree.schema, [one.cells]), 1)
    ends = dict(zip(routed.part_node.tolist(), routed.part_weight.tolist(), strict=True))
    shares: dict[int, float] = {}
    for end, share in (ends or {int(routed.node[0]): 1.0}).items():
        for node in tree.path_to(end):
            shares[int(node)] = shares.get(int(node), 0.0) + share
    inner = [node for node in sorted(shares) if tree.end[node] > node + 1 and tree.kind[node] != SUM]
    names = {node: tree.schema.columns[int(tree.column[node])].name for node in inner}
    ordered = {node: float(np.round(shares[node], 12)) for node in sorted(shares)}
    return RowPath(ordered, {node: cell_words(one.shown[name]) for node, name in names.items()})
