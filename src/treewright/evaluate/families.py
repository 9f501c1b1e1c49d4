"""Families of trees from small to large: by nodes, depth, leaf size, alpha, lambda or confidence."""

from __future__ import annotations

import heapq
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.evaluate.learner import Grower
from treewright.growth import RECIPES
from treewright.prune.cost_complexity import cost_complexity_path
from treewright.prune.error_based import error_based
from treewright.prune.regularised import regularised
from treewright.prune.risk import scaled
from treewright.tree import Tree

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Family:
    """One way to let trees grow in size: what varies, the values worth trying, and the trees at each value.

    >>> FAMILIES["depth"].label
    'depth of the tree'
    """

    label: str
    values: Callable[[Tree, int], Sequence[float]]  # the tree grown on all rows, and how many at most
    trees: Callable[[Grower, Ints, Sequence[float]], list[Tree]]


def best_first_order(tree: Tree) -> list[int]:
    """Return the inner nodes in the order in which best-first growth opens them: most impurity taken off.

    Of equal ones the node that was there first. With two-way tests the first k - 1 of them are the tests
    of the tree that `max_leaves=k` grows.

    >>> from treewright.tree.example import tennis
    >>> best_first_order(tennis())
    [0, 1, 5]
    """
    inner = ~tree.leaf_mask
    weight = scaled(tree, "score_scale").sum(axis=1) if tree.is_classifier else tree.weights
    worth = np.where(inner, tree.gain * weight, 0.0).tolist()
    order: list[int] = []
    n_made = 1
    waiting = [(-worth[0], 0, 0)] if inner[0] else []  # less urgent later, then the one made later
    while waiting:
        _, _, node = heapq.heappop(waiting)
        order.append(node)
        for child in tree.children(node):
            if inner[child]:
                heapq.heappush(waiting, (-worth[child], n_made, child))
            n_made += 1
    return order


def by_nodes(tree: Tree, budgets: Sequence[float]) -> list[Tree]:
    """Return for each budget the largest best-first tree with at most so many nodes.

    >>> from treewright.tree.example import tennis
    >>> [part.n_nodes for part in by_nodes(tennis(), [1, 5, 8])]
    [1, 4, 8]
    """
    order = best_first_order(tree)
    sizes = np.cumsum([1, *(int(tree.branch_counts[node]) for node in order)])
    found = []
    for budget in budgets:
        n_open = max(int(np.searchsorted(sizes, budget, side="right")) - 1, 0)
        found.append(tree.collapse(order[n_open:]) if n_open < len(order) else tree)
    return found


def _node_budgets(tree: Tree, most: int) -> Sequence[float]:
    order = best_first_order(tree)
    sizes = np.cumsum([1, *(int(tree.branch_counts[node]) for node in order)])
    return [float(size) for size in thinned(sizes, most)]


def _by_depth(grower: Grower, rows: Ints, values: Sequence[float]) -> list[Tree]:
    tree = grower.fit(rows)
    return [tree.collapse(np.flatnonzero(tree.depths == int(depth))) for depth in values]


def _by_leaf_size(grower: Grower, rows: Ints, values: Sequence[float]) -> list[Tree]:
    # C4.5's size is that of two branches; others ask it of every leaf.
    name = "min_branch" if "min_branch" in RECIPES[grower.recipe] else "min_leaf"
    return [grower.with_options(**{name: size}).fit(rows) for size in values]


def _by_alpha(grower: Grower, rows: Ints, values: Sequence[float]) -> list[Tree]:
    path = cost_complexity_path(grower.fit(rows))
    return [path.tree_at(alpha) for alpha in values]


def _by_confidence(grower: Grower, rows: Ints, values: Sequence[float]) -> list[Tree]:
    tree = grower.fit(rows)
    evidence = grower.evidence(tree, rows)
    return [error_based(tree, evidence, confidence=confidence) for confidence in values]


def lambdas(tree: Tree, most: int) -> Sequence[float]:
    """Return prices of a leaf from nothing to where one leaf is left, in equal ratios.

    >>> from treewright.tree.example import tennis
    >>> [regularised(tennis(), price).n_leaves for price in lambdas(tennis(), 4)]
    [5, 5, 5, 1]
    """
    largest = regularised(tree, 0.0).n_leaves
    if largest == 1:
        return (0.0,)
    # No impurity is above this, and at such a price no second leaf pays.
    k = tree.stats.shape[1]
    high = float(tree.weights[0]) * math.log2(k) if tree.is_classifier else float(tree.stats[0, 2])
    while regularised(tree, high / 2).n_leaves == 1:
        high /= 2
    low = high / 2
    while low > 1e-6 * high and regularised(tree, low).n_leaves < largest:
        low /= 2
    return (0.0, *np.geomspace(low, high, most - 1).tolist())


def _by_lambda(grower: Grower, rows: Ints, values: Sequence[float]) -> list[Tree]:
    tree = grower.fit(rows)
    return [regularised(tree, price) for price in values]


CONFIDENCES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        "nodes": Family(
            "size of the tree (number of nodes)",
            _node_budgets,
            lambda grower, rows, values: by_nodes(grower.fit(rows), values),
        ),
        "depth": Family(
            "depth of the tree",
            lambda tree, most: [float(d) for d in thinned(np.arange(tree.depth + 1), most)],
            _by_depth,
        ),
        "leaf_size": Family(
            "least size of a leaf",
            lambda tree, most: [float(s) for s in _sizes(float(tree.weights[0]), most)],
            _by_leaf_size,
        ),
        "alpha": Family(
            "alpha, the price of a leaf",
            lambda tree, most: [
                float(a) for a in thinned(cost_complexity_path(tree).alpha[::-1], most)[::-1]
            ],
            _by_alpha,
        ),
        "lambda": Family("lambda, the price of a leaf", lambdas, _by_lambda),
        "confidence": Family("confidence of error-based pruning", lambda *_: CONFIDENCES, _by_confidence),
    }
)


def thinned(values: NDArray[Any], most: int) -> NDArray[Any]:
    """Return at most so many of the values, the first and the last among them, denser at the beginning.

    >>> thinned(np.arange(100), 5).tolist()
    [0, 2, 9, 31, 99]
    """
    if len(values) <= most:
        return values
    places = np.unique(np.rint(np.geomspace(1, len(values), most)).astype(np.int64)) - 1
    return np.asarray(values[places])


def _sizes(weight: float, most: int) -> NDArray[np.float64]:
    largest = max(1.0, weight // 2)
    return np.unique(np.rint(np.geomspace(1, largest, min(most, 20))))


def as_numbers(values: Iterable[Any]) -> list[float]:
    """Return values as numbers; an error names what is none.

    >>> as_numbers([1, 0.5])
    [1.0, 0.5]
    """
    found = list(values)
    for value in found:
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
            raise ValueError(f"values holds {value!r:.100}, which is no number.")
    return [float(value) for value in found]
