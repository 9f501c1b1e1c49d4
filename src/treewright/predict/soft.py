"""Soft thresholds (Quinlan 1993): near the cut of a number a row goes both ways, in parts.

    right   1                 ____        the cut is where half of a row goes either way; below the lower
            ½            __--             bound all of it goes left, above the upper one right
            0  ______--
                   low  cut  high

The bounds are where moving the cut, and nothing else, would raise the training errors of the node by one
standard error. They stand in `about["soft"]`; the tree itself stays as it is, and `tree.predict` answers as
before.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.predict.vote import aligned, chances, labels
from treewright.route import Routed, route_columns
from treewright.table import table_of
from treewright.tree import Tree
from treewright.tree.check import CUT
from treewright.tree.edit import alter, remaining

Floats = NDArray[np.float64]


class Bounds(NamedTuple):
    """Of a node: the value below which all goes left, and that above which all goes right."""

    node: int
    low: float
    high: float


def softened(tree: Tree, table: Any) -> Tree:
    """Return the tree with the bounds of its cuts of numbers, found on the rows that it was grown on.

    >>> import treewright as tw
    >>> table = tw.example("iris")
    >>> tree = softened(tw.grow(table, "class", "c4.5"), table)
    >>> [(b.node, round(b.low, 3), round(b.high, 3)) for b in bounds_of(tree)][:2]
    [(0, 0.415, 0.706), (2, 1.508, 1.718)]
    """
    if not tree.is_classifier:
        raise ValueError(
            f"Soft thresholds count errors of classes; this tree predicts the number {tree.target.name!r}."
        )
    table = table_of(table, tree.schema.columns, "softened")
    if tree.target.name not in table.names:
        raise ValueError(f"The table has no column {tree.target.name!r}: give the rows of training.")
    column, codes = table.column(tree.target.name)
    wanted = np.array([*(_place(tree, name) for name in column.categories), -1, -1])[codes]
    _, columns = aligned(tree, table, "softened")
    found = []
    routed = route_columns(tree, columns, table.n_rows)
    row, node = routed.pairs()
    for at in np.flatnonzero((tree.kind == CUT) & _is_number(tree)).tolist():
        here = np.unique(row[(node >= at) & (node < tree.end[at])])
        x = np.asarray(columns[int(tree.column[at])], dtype=np.float64)[here]
        here, x = here[np.isfinite(x)], x[np.isfinite(x)]
        if len(here):
            found.append([at, *_bounds(tree, at, [c[here] for c in columns], x, wanted[here])])
    return alter(tree, about={**tree.about, "soft": found})


def bounds_of(tree: Tree) -> list[Bounds]:
    """Return the bounds that `softened` has found; none of another tree.

    A node that pruning has made a leaf since has none any more.

    >>> from treewright.tree.example import tennis
    >>> bounds_of(tennis())
    []
    """
    known = [Bounds(int(node), float(low), float(high)) for node, low, high in tree.about.get("soft", ())]
    return [b for b in known if b.node < tree.n_nodes and tree.kind[b.node] == CUT and b.low <= b.high]


def predict_soft(tree: Tree, table: Any) -> NDArray[Any]:
    """Return the predicted class names, with soft thresholds.

    >>> import treewright as tw
    >>> table = tw.example("iris")
    >>> tree = softened(tw.grow(table, "class", "c4.5"), table)
    >>> int((predict_soft(tree, table) != table.labels("class")).sum())
    4
    """
    routed, columns = _routed(tree, table, "predict_soft")
    return np.array(tree.classes, dtype=object).take(labels(tree, routed, columns))


def predict_proba_soft(tree: Tree, table: Any, probabilities: str = "raw") -> Floats:
    """Return class probabilities with soft thresholds, columns in the order of `tree.classes`.

    >>> import treewright as tw
    >>> table = tw.example("iris")
    >>> tree = softened(tw.grow(table, "class", "c4.5"), table)
    >>> float(predict_proba_soft(tree, table).sum(axis=1).round(9).min())
    1.0
    """
    routed, columns = _routed(tree, table, "predict_proba_soft")
    return chances(tree, routed, probabilities, columns)


def _place(tree: Tree, name: str) -> int:
    return tree.classes.index(name) if name in tree.classes else -1


def _is_number(tree: Tree) -> NDArray[np.bool_]:
    numeric = np.array([column.is_numeric for column in tree.schema.columns] + [False])
    return np.asarray(numeric[tree.column] & np.isfinite(tree.cut))


# ---- bounds ----------------------------------------------------------------------------------------------


def _bounds(
    tree: Tree, node: int, columns: list[NDArray[Any]], x: Floats, wanted: NDArray[Any]
) -> tuple[float, float]:
    """Return the values between which the cut may move: one standard error of errors away."""
    wrong = [_wrong(tree, child, columns, wanted) for child in tree.children(node)[:2]]
    order = np.argsort(x, kind="stable")
    x, left, right = x[order], wrong[0][order], wrong[1][order]
    errors = np.concatenate([[right.sum()], np.cumsum(left) + right.sum() - np.cumsum(right)])
    is_end = np.append(x[1:] > x[:-1], True)  # a cut lies behind the last of equal values
    values = x[is_end]
    at = errors[1:][is_end]  # errors with the cut at each value
    cut = float(tree.cut[node])
    place = int(np.searchsorted(values, cut, side="right")) - 1
    now = float(at[place]) if place >= 0 else float(errors[0])
    n = float(len(x))
    most = now + math.sqrt((now + 0.5) * (n - now + 0.5) / (n + 1))
    low = _reached(values[: place + 1][::-1], at[: place + 1][::-1], most, float(values[0]))
    high = _reached(values[max(place, 0) :], at[max(place, 0) :], most, float(values[-1]))
    return min(low, cut), max(high, cut)


def _reached(values: Floats, errors: Floats, most: float, end: float) -> float:
    """Return where errors reach `most` on the way along some values, between two of them in a line."""
    over = np.flatnonzero(errors >= most)
    if not len(over):
        return end
    i = int(over[0])
    if i == 0:
        return float(values[0])
    share = (most - errors[i - 1]) / (errors[i] - errors[i - 1])
    return float(values[i - 1] + share * (values[i] - values[i - 1]))


def _wrong(tree: Tree, node: int, columns: list[NDArray[Any]], wanted: NDArray[Any]) -> Floats:
    """Return which rows the subtree of a node gets wrong."""
    kept = np.arange(node, int(tree.end[node]))
    part = remaining(tree, kept, ~tree.leaf_mask[kept], tree.end[kept] - node)
    said = labels(part, route_columns(part, columns, len(wanted)), columns)
    return np.asarray(said != wanted, dtype=np.float64)


# ---- rows down a soft tree -------------------------------------------------------------------------------


def _routed(tree: Tree, data: Any, who: str) -> tuple[Routed, list[NDArray[Any]]]:
    """Return where rows end, in parts near the cuts."""
    soft = {bounds.node: bounds for bounds in bounds_of(tree)}
    if not soft:
        raise ValueError("The tree has no soft thresholds; softened(tree, table) finds them.")
    table, columns = aligned(tree, data, who)
    rows: list[NDArray[np.int64]] = []
    nodes: list[NDArray[np.int64]] = []
    weights: list[Floats] = []
    stack = [(0, np.arange(table.n_rows), np.ones(table.n_rows))]
    while stack:
        node, row, share = stack.pop()
        if tree.is_leaf(node):
            rows.append(row)
            nodes.append(np.full(len(row), node))
            weights.append(share)
            continue
        children = tree.children(node)
        for place, mine, part in _branches(tree, node, columns, row, share, soft.get(node)):
            if place == 0:
                rows.append(mine)  # it stays at the node
                nodes.append(np.full(len(mine), node))
                weights.append(part)
            elif len(mine):
                stack.append((children[place - 1], mine, part))
    all_rows, all_nodes, all_weights = np.concatenate(rows), np.concatenate(nodes), np.concatenate(weights)
    order = np.lexsort((all_nodes, all_rows))
    return _as_parts(all_rows[order], all_nodes[order], all_weights[order], table.n_rows), columns


def _branches(
    tree: Tree, node: int, columns: list[NDArray[Any]], row: NDArray[np.int64], share: Floats, soft: Any
) -> list[tuple[int, NDArray[np.int64], Floats]]:
    """Return the places that rows go on to (0: they stay; 1, 2, ...: the branches), each with its rows."""
    children = tree.children(node)
    kept = np.array([node, *children])
    stump = remaining(tree, kept, np.arange(len(kept)) == 0, np.array([len(kept), *range(2, len(kept) + 1)]))
    is_soft = np.zeros(len(row), dtype=bool)
    found: list[tuple[int, NDArray[np.int64], Floats]] = []
    if soft is not None:
        x = np.asarray(columns[int(tree.column[node])], dtype=np.float64)[row]
        is_soft = np.isfinite(x)
        right = _right(x[is_soft], soft, float(tree.cut[node]))
        for place, part in ((1, 1.0 - right), (2, right)):
            goes = part > 0
            found.append((place, row[is_soft][goes], (share[is_soft] * part)[goes]))
    others = np.flatnonzero(~is_soft)
    if len(others):
        routed = route_columns(stump, [c[row[others]] for c in columns], len(others))
        pair_row, pair_node = routed.pairs()
        held = np.ones(len(pair_row))
        held[len(pair_row) - len(routed.part_weight) :] = routed.part_weight
        for place in range(len(kept)):
            mine = np.flatnonzero(pair_node == place)
            found.append((place, row[others][pair_row[mine]], share[others][pair_row[mine]] * held[mine]))
    return [part for part in found if len(part[1])]


def _right(x: Floats, soft: Bounds, cut: float) -> Floats:
    """Return the share of each row that goes right."""
    places, shares = [soft.low, cut, soft.high], [0.0, 0.5, 1.0]
    found = np.interp(x, places, shares)
    found[x < soft.low], found[x > soft.high] = 0.0, 1.0
    is_hard = (soft.low == cut) & (x <= cut) | (soft.high == cut) & (x > cut)
    return np.where(is_hard, (x > cut).astype(np.float64), found)


def _as_parts(row: NDArray[np.int64], node: NDArray[np.int64], weight: Floats, n_rows: int) -> Routed:
    """Return the ends of rows as the router gives them: the heaviest, and the parts of divided ones."""
    counts = np.bincount(row, minlength=n_rows)
    is_divided = counts[row] > 1
    order = np.lexsort((node, -weight, row))
    first = np.unique(row[order], return_index=True)[1]
    heaviest = node[order][first].astype(np.int32)
    parts = row[is_divided], node[is_divided].astype(np.int32), weight[is_divided]
    return Routed(heaviest, *parts)
