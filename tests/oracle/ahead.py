"""The slow twin of look-ahead: at every node each first test is tried, with every subtree below it.

It follows a finished tree (so that one odd choice does not make all nodes below look wrong) and asks at each
node whether any first test has a better best subtree, and of a leaf whether any subtree were better.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tests.oracle.optimal import Array, Trial, leaf_cost, least_below, tests

TINY = (
    1e-6  # the price of a leaf, of what the table costs as one: of subtrees that cost the same the smallest
)


def judge_lookahead(trial: Trial, tree: Any, leaves: Array, levels: int, max_depth: int = 10**6) -> int:
    """Check a tree grown with look-ahead; return how many nodes ask. `leaves` is the leaf of each row."""
    whole = np.arange(len(trial.y))
    price = TINY * max(1e-9, leaf_cost(trial, whole))
    priced, n_asked = replace(trial, leaf_price=price), 0
    for node, depth, rows in _nodes(tree, leaves):
        below = min(levels, max_depth - depth)
        alone = leaf_cost(trial, rows) + price
        if below == 0:
            assert tree.column[node] < 0, f"node {node} asks below the deepest level"
            continue
        best = min((_value(priced, branches, below) for branches in tests(priced, rows)), default=np.inf)
        if tree.column[node] < 0:
            assert best >= alone - price / 2, f"node {node} is a leaf: {alone}, and a subtree costs {best}"
            continue
        n_asked += 1
        own = _value(priced, [_rows(tree, leaves, child) for child in _children(tree, node)], below)
        assert own <= min(best, alone) + price / 2 or best >= alone - price / 2, (
            f"node {node} asks {tree.column[node]}, whose best subtree costs {own}; another's costs {best}"
        )
    return n_asked


def judge_polished(trial: Trial, tree: Any, leaves: Array, max_depth: int = 10**6) -> None:
    """Check that no subtree of two levels with as many leaves is better than the one that is there."""
    whole = np.arange(len(trial.y))
    price = TINY * max(1e-9, leaf_cost(trial, whole))
    priced = replace(trial, leaf_price=price)
    for node, depth, rows in _nodes(tree, leaves):
        below = [i for i in range(node, int(tree.end[node])) if tree.column[i] < 0]
        own = sum(leaf_cost(trial, _rows(tree, leaves, leaf)) + price for leaf in below)
        best = least_below(priced, rows, min(2, max_depth - depth), len(below))
        assert own <= best + price / 2, f"the subtree of node {node} costs {own}, and {best} is possible"


def _value(trial: Trial, branches: list[Array], levels: int) -> float:
    return sum(least_below(trial, rows, levels - 1) for rows in branches)


def _nodes(tree: Any, leaves: Array) -> Iterator[tuple[int, int, Array]]:
    """Yield every node that has rows: its place, its depth and its rows."""
    for node, depth in enumerate(tree.depths.tolist()):
        rows = _rows(tree, leaves, node)
        if len(rows):
            yield node, depth, rows


def _rows(tree: Any, leaves: Array, node: int) -> Array:
    return np.flatnonzero((leaves >= node) & (leaves < tree.end[node]))


def _children(tree: Any, node: int) -> Iterator[int]:
    child = node + 1
    while child < tree.end[node]:
        yield child
        child = int(tree.end[child])
