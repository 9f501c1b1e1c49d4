"""What the models of nodes say of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.tree import Tree, terms

Floats = NDArray[np.float64]
Columns = Sequence[NDArray[Any]] | NDArray[Any]


def sums(
    tree: Tree, columns: Columns, rows: NDArray[Any], nodes: NDArray[Any]
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return what the model of each node comes to for each row (pairs x sums), and where it says something.

    A model without columns says nothing of its own, and none does of a row with a gap in one of its columns
    that it has no word for, or whose sum is beyond the largest float: there the node answers.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": [2, 4, 6, 8]})
    >>> tree = tw.grow(table, target="y", leaves="linear", max_depth=0)
    >>> found, says = sums(tree, [np.array([5.0, np.nan])], np.array([0, 1]), np.array([0, 0]))
    >>> found[0].round(3).tolist(), says.tolist()
    ([10.0], [True, False])
    """
    found = tree.model_bias[nodes]
    says = np.zeros(len(nodes), dtype=bool)
    order = np.argsort(nodes, kind="stable")
    present, first = np.unique(nodes[order], return_index=True)
    last = np.append(first, len(nodes))[1:]
    for node, begin, end in zip(present.tolist(), first.tolist(), last.tolist(), strict=True):
        span = slice(int(tree.model_start[node]), int(tree.model_start[node + 1]))
        if span.start == span.stop:
            continue
        mine = order[begin:end]
        total = np.tile(tree.model_bias[node], (len(mine), 1))
        places = tree.model_column[span].tolist()
        for place, weights, gap in zip(places, tree.model_weight[span], tree.model_gap[span], strict=True):
            values = _values(tree, columns, place, rows[mine])[:, None]
            with np.errstate(over="ignore", invalid="ignore"):
                total = total + np.where(np.isnan(values), gap, values * weights)
        known = np.isfinite(total).all(axis=1)
        found[mine[known]] = total[known]
        says[mine] = known
    return found, says


def _values(tree: Tree, columns: Columns, place: int, rows: NDArray[Any]) -> Floats:
    cells = columns[rows, place] if isinstance(columns, np.ndarray) else columns[place][rows]
    return terms.values_of(tree.schema.columns[place], cells)


def means(tree: Tree, columns: Columns, rows: NDArray[Any], nodes: NDArray[Any]) -> Floats:
    """Return the number that each node predicts for each row.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": [2, 4, 6, 8]})
    >>> tree = tw.grow(table, target="y", leaves="linear", max_depth=0)
    >>> means(tree, [np.array([5.0, np.nan])], np.array([0, 1]), np.array([0, 0])).round(3).tolist()
    [10.0, 5.0]
    """
    found, says = sums(tree, columns, rows, nodes)
    return np.where(says, found[:, 0], tree.stats[nodes, 1])


def chances(tree: Tree, columns: Columns, rows: NDArray[Any], nodes: NDArray[Any], plain: Floats) -> Floats:
    """Return the class probabilities of each row in each node; `plain` is what the nodes say by themselves.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aaabbabb")})
    >>> tree = tw.grow(table, target="y", leaves="logistic", max_depth=0)
    >>> x, rows, root = [np.array([0.0, 7.0])], np.array([0, 1]), np.array([0, 0])
    >>> chances(tree, x, rows, root, np.full((2, 2), 0.5)).argmax(axis=1).tolist()
    [0, 1]
    """
    found, says = sums(tree, columns, rows, nodes)
    score = np.concatenate([np.zeros((len(found), 1)), found], axis=1)
    with np.errstate(over="ignore"):
        grown = np.exp(score - score.max(axis=1, keepdims=True))
    return np.where(says[:, None], grown / grown.sum(axis=1, keepdims=True), plain)
