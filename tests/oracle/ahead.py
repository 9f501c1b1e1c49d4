"""The slow twin of look-ahead: at every node each first test is tried, with every subtree below it.

Rows without a value go where the policy for gaps sends them, in every test of every subtree: where surrogates
stand in, to the heavier side while looking ahead (either, where both weigh the same), for surrogates are
found for tests that stay. Where rows are divided, a node is a weight for each row of the table.

It follows a finished tree (so that one odd choice does not make all nodes below look wrong) and asks at each
node whether any first test has a better best subtree, and of a leaf whether any subtree were better.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from tests.oracle.optimal import Array, Trial, leaf_cost, least_below, left_sides, placed, tests

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
        own = min(_value(priced, sides, below) for sides in _branches(priced, tree, leaves, node, rows))
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


def _branches(trial: Trial, tree: Any, leaves: Array, node: int, rows: Array) -> list[list[Array]]:
    """Return the branches of a test as look-ahead may take them."""
    if trial.missing != "surrogate":
        return [[_rows(tree, leaves, child) for child in _children(tree, node)]]
    (kind, values), left = trial.columns[tree.column[node]], _goes_left(trial, tree, node)[rows]
    known = ~np.isnan(values[rows])
    sides = rows[left & known], rows[~left & known]
    if known.all():
        return [list(sides)]
    return list(placed(trial, kind, values, *sides, rows[~known]))


def _goes_left(trial: Trial, tree: Any, node: int) -> Array:
    """Return which rows with a value a test sends left."""
    values = trial.columns[tree.column[node]][1]
    if tree.kind[node] != 2:
        return np.asarray(values <= tree.cut[node])
    some = slice(tree.code_start[node], tree.code_start[node + 1])
    return np.isin(values, tree.code[some][tree.code_branch[some] == 0])


# ---- rows in part: a node is a weight for each row of the table ------------------------------------------


def judge_divided(trial: Trial, tree: Any, levels: int, max_depth: int = 10**6) -> int:
    """Check a tree grown with look-ahead, or polished (levels 0), whose gaps are divided."""
    price = TINY * max(1e-9, leaf_cost(trial, np.arange(len(trial.y))))
    priced, n_asked = replace(trial, leaf_price=price), 0
    waiting = [(0, 0, np.asarray(trial.weights, dtype=float))]
    while waiting:
        node, depth, weights = waiting.pop()
        below, alone = min(levels or 2, max_depth - depth), _leaf(priced, weights)
        asks, branches = tree.column[node] >= 0, []
        if asks:
            n_asked += 1
            branches = _shares(weights, _values(trial, tree, node), _goes_left(trial, tree, node))
            waiting += zip(_children(tree, node), [depth + 1] * 2, branches, strict=True)
        if levels == 0:
            n_leaves = int((tree.column[node : tree.end[node]] < 0).sum())
            own, best = (
                _cost_below(priced, tree, node, weights),
                least_divided(priced, weights, below, n_leaves),
            )
            assert own <= best + price / 2, f"the subtree of node {node} costs {own}, and {best} is possible"
            continue
        tests = divided_tests(priced, weights) if below else []
        best = min(
            (sum(least_divided(priced, w, below - 1) for w in sides) for sides in tests), default=np.inf
        )
        if not asks:
            assert best >= alone - price / 2, f"node {node} is a leaf: {alone}, and a subtree costs {best}"
            continue
        own = sum(least_divided(priced, w, below - 1) for w in branches)
        assert own <= min(best, alone) + price / 2 or best >= alone - price / 2, (
            f"node {node} asks {tree.column[node]}, whose best subtree costs {own}; another's costs {best}"
        )
    return n_asked


def least_divided(trial: Trial, weights: Array, depth: int, leaves: int = 4) -> float:
    """Return the least cost of any tree for rows of which so much is there."""
    best = _leaf(trial, weights)
    if depth == 0 or leaves < 2:
        return best
    for left, right in divided_tests(trial, weights):
        for own in range(1, leaves):
            both = (
                least_divided(trial, left, depth - 1, own),
                least_divided(trial, right, depth - 1, leaves - own),
            )
            best = min(best, sum(both))
            if depth == 1:
                break
    return best


def divided_tests(trial: Trial, weights: Array) -> Iterator[list[Array]]:
    """Yield what goes down both branches of every test: known rows whole, gaps in proportion to these."""
    for kind, values in trial.columns:
        known = np.flatnonzero((weights > 0) & ~np.isnan(values))
        for left in left_sides(trial, kind, values, known):
            held = [weights[side].sum() for side in (left, np.setdiff1d(known, left))]
            if min(held) >= trial.min_leaf - 1e-9:
                yield _shares(weights, values, np.isin(np.arange(len(values)), left))


def _shares(weights: Array, values: Array, is_left: Array) -> list[Array]:
    known = ~np.isnan(values)
    held = [weights[known & side].sum() for side in (is_left, ~is_left)]
    return [
        np.where(known, weights * side, weights * part / sum(held))
        for side, part in zip((is_left, ~is_left), held, strict=True)
    ]


def _values(trial: Trial, tree: Any, node: int) -> Array:
    return trial.columns[tree.column[node]][1]


def _leaf(trial: Trial, weights: Array) -> float:
    there = replace(trial, weights=weights)
    return leaf_cost(there, np.flatnonzero(weights > 0)) + trial.leaf_price


def _cost_below(trial: Trial, tree: Any, node: int, weights: Array) -> float:
    if tree.column[node] < 0:
        return _leaf(trial, weights)
    branches = _shares(weights, _values(trial, tree, node), _goes_left(trial, tree, node))
    children = zip(_children(tree, node), branches, strict=True)
    return sum(_cost_below(trial, tree, child, part) for child, part in children)


# ---- nodes of rows ---------------------------------------------------------------------------------------


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
