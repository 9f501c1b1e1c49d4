"""Reduced-error pruning (Quinlan 1987, "Simplifying decision trees"): rows kept back judge every subtree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, message
from treewright.base.names import choice
from treewright.predict.vote import labels_held
from treewright.prune.counts import UnsuitableError, need_plain
from treewright.prune.greedy import best_first
from treewright.prune.order import need_free
from treewright.prune.risk import leaf_errors
from treewright.prune.sample import Sample, sample_of, spread
from treewright.table import Table
from treewright.tree import Tree, walk
from treewright.tree.losses import loss_of

Floats = NDArray[np.float64]

TIES = ("prune", "keep")
STRATEGIES = ("bottom_up", "greedy")


def reduced_error(
    tree: Tree,
    table: Table | Sample,
    *,
    weights: Any = None,
    ties: str = "prune",
    allow_root: bool | None = None,
    backfit: bool = False,
    strategy: str = "bottom_up",
) -> Tree:
    """Return the smallest of the prunings that make the fewest errors on a table the tree was not grown on.

    One pass from the leaves up: a node becomes a leaf, with the class of its growing rows, where that makes
    no more errors on `table` than the pruned subtree below it. Numbers are judged by the tree's loss.

    Args:
        tree: the tree to prune.
        table: rows that were not used for growing, with the target.
        weights: of these rows: a number each, or the name of a column.
        ties: "prune" where leaf and subtree are equally good, or "keep".
        allow_root: whether the whole tree may become one leaf; by default yes, in the greedy loop no.
        backfit: count these rows in the pruned tree too, as if it had been grown on them.
        strategy: "bottom_up", or "greedy": prune the one node that lowers the errors most, again and again,
            until every further step would raise them. It can end in a worse tree.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> fresh = tw.Table.from_dict({"x": [2, 3, 7], "y": ["a", "a", "b"]})
    >>> pruned = tw.prune.reduced_error(tree, fresh)
    >>> tree.n_leaves, pruned.n_leaves
    (4, 2)
    """
    _check(ties, strategy)
    if backfit:
        need_plain(tree, "backfit")
    sample = sample_of(tree, table, weights)
    root_too = strategy == "bottom_up" if allow_root is None else bool(allow_root)
    if strategy == "greedy":
        chosen = best_first(tree, *leaf_errors(tree, sample), per_leaf=0.0, ties=ties, root_too=root_too)
    else:
        chosen = _bottom_up(tree, *leaf_errors(tree, sample), ties, root_too)
    pruned = tree.collapse(chosen)
    return backfitted(pruned, sample) if backfit else pruned


def _check(ties: str, strategy: str) -> None:
    choice("ties", ties, TIES)
    choice("strategy", strategy, STRATEGIES)


def _bottom_up(tree: Tree, as_leaf: Floats, own: Floats, ties: str, root_too: bool) -> list[int]:
    """Return the nodes to make leaves. `own`: errors of rows that end in the node itself."""
    parent, leaf, below = tree.parents.tolist(), as_leaf.tolist(), own.tolist()
    slack = 1e-9 * max(1.0, leaf[0])  # sums of shares, equal but for rounding
    slack = slack if ties == "prune" else -slack
    chosen = []
    for node in range(tree.n_nodes - 1, -1, -1):
        is_inner = tree.kind[node] != 0
        if is_inner and (node or root_too) and leaf[node] <= below[node] + slack:
            chosen.append(node)
            below[node] = leaf[node]
        if node:
            below[parent[node]] += below[node]
    return chosen


def backfitted(tree: Tree, table: Table | Sample, weights: Any = None) -> Tree:
    """Return the same tests with the statistics of growing and of these rows together.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> backfitted(tree, table).stats[0].tolist()
    [8.0, 8.0]
    """
    need_free(tree.about.get("monotone"), "backfitting", "Judge the tree as it was grown.")
    if not tree.is_classifier and loss_of(tree) != "squared":
        raise message(
            UnsuitableError,
            f"backfit adds up means and squares, but this tree was grown by {tree.about.get('criterion')!r}. "
            "Prune without backfit, or grow with ",
            ask("criterion", "squared_error"),
            ".",
        )
    sample = sample_of(tree, table, weights)
    parts = spread(tree, sample)
    n_rows = tree.n_rows + walk.subtree_sums(tree.end, np.bincount(parts.node, minlength=tree.n_nodes))
    fresh = _fresh_stats(tree, sample, parts.row, parts.node, parts.weight)
    stats = tree.stats + fresh if tree.is_classifier else _pooled(tree.stats, fresh)
    grown = replace(tree, stats=stats, n_rows=n_rows.astype(np.int64))
    label = labels_held(grown) if grown.is_classifier else grown.label
    return replace(grown, label=label, largest=largest_branches(grown))


def refilled(tree: Tree, sample: Sample) -> Tree:
    """Return the tests with the statistics of these rows alone; those that leave a branch empty go.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    >>> tree = tw.grow(table, target="y")
    >>> fresh = tw.Table.from_dict({"x": [0, 1, 6, 7], "y": list("abbb")})
    >>> filled = refilled(tree, sample_of(tree, fresh))
    >>> filled.n_leaves, filled.stats[0].tolist()
    (2, [1.0, 3.0])
    """
    need_plain(tree, "honest growth")
    if not tree.is_classifier and loss_of(tree) != "squared":
        raise UnsuitableError("honest= fills leaves with means and squares; grow with squared_error.")
    parts = spread(tree, sample)
    fresh = _fresh_stats(tree, sample, parts.row, parts.node, parts.weight)
    weight = fresh.sum(axis=1) if tree.is_classifier else fresh[:, 0]
    empty = np.flatnonzero(weight[1:] <= 0) + 1
    if len(empty):
        return refilled(tree.collapse(np.unique(tree.parents[empty])), sample)
    n_rows = walk.subtree_sums(tree.end, np.bincount(parts.node, minlength=tree.n_nodes))
    grown = replace(tree, stats=fresh, n_rows=n_rows.astype(np.int64))
    label = labels_held(grown) if grown.is_classifier else grown.label
    return replace(grown, label=label, largest=largest_branches(grown))


def _fresh_stats(tree: Tree, sample: Sample, row: Any, node: Any, weight: Floats) -> Floats:
    """Return what the sample alone amounts to at every node, in the tree's own form."""
    answers = sample.answers[row]
    if tree.is_classifier:
        if (answers < 0).any():
            raise ValueError("backfit counts the rows in, but some have a class that the tree does not know.")
        k = tree.stats.shape[1]
        own = np.bincount(node * k + answers, weight, tree.n_nodes * k).reshape(-1, k)
        return np.asarray(walk.subtree_sums(tree.end, own))
    centre = tree.stats[0, 1]
    y = answers - centre
    powers = [np.bincount(node, part, tree.n_nodes) for part in (weight, weight * y, weight * y * y)]
    total, first, second = walk.subtree_sums(tree.end, np.stack(powers, axis=1)).T
    mean = np.divide(first, total, out=np.zeros_like(total), where=total > 0)
    return np.stack([total, mean + centre, np.maximum(second - total * mean * mean, 0.0)], axis=1)


def _pooled(old: Floats, new: Floats) -> Floats:
    """Return weight, mean and squared deviations of two groups together (Chan, Golub, LeVeque 1979)."""
    total = old[:, 0] + new[:, 0]
    share = np.divide(new[:, 0], total, out=np.zeros_like(total), where=total > 0)
    apart = new[:, 1] - old[:, 1]
    squares = old[:, 2] + new[:, 2] + apart * apart * old[:, 0] * share
    return np.stack([total, old[:, 1] + apart * share, squares], axis=1)


def largest_branches(tree: Tree) -> NDArray[np.int32]:
    """Return the branch with most weight of every node, the first on ties; -1 in leaves.

    >>> from treewright.tree.example import tennis
    >>> largest_branches(tennis()).tolist()
    [0, 0, -1, -1, -1, 1, -1, -1]
    """
    found = np.full(tree.n_nodes, -1, dtype=np.int32)
    children = np.arange(1, tree.n_nodes)
    # By parent, then heaviest first, then by branch: the first of each parent is the one.
    order = children[np.lexsort((children, -tree.weights[children], tree.parents[children]))]
    owner, first = np.unique(tree.parents[order], return_index=True)
    found[owner] = tree.branches[order[first]]
    return found
