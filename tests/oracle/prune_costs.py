"""What mistakes cost at the nodes of a tree, in plain Python: the figures behind pruning with costs."""

from __future__ import annotations

import math
from typing import Any


def prices(tree: Any) -> list[list[float]]:
    """Return costs divided by what a mistake costs on average at the root."""
    costs = [[float(c) for c in row] for row in tree.about["costs"]]
    scale = tree.about.get("class_scale") or [1.0] * len(costs)
    root = [float(w) * float(s) for w, s in zip(tree.stats[0], scale, strict=True)]
    k = len(costs)
    mean = sum(root[i] * costs[i][j] for i in range(k) for j in range(k)) / (k - 1) / sum(root)
    return [[c / mean for c in row] for row in costs]


def weights(tree: Any, node: int) -> list[float]:
    """Return the class weights of a node, with priors."""
    scale = tree.about.get("class_scale") or [1.0] * tree.stats.shape[1]
    return [float(w) * float(s) for w, s in zip(tree.stats[node], scale, strict=True)]


def as_leaf(tree: Any, node: int) -> float:
    """Return the priced errors of a node as a leaf."""
    said = int(tree.label[node])
    return sum(w * row[said] for w, row in zip(weights(tree, node), prices(tree), strict=True))


def pessimistic(tree: Any, node: int) -> tuple[float, float, float]:
    """Return n'(t), n'(T) and the standard error of a node."""
    leaves = [t for t in range(node, int(tree.end[node])) if tree.kind[t] == 0]
    whole = sum(as_leaf(tree, t) + 0.5 for t in leaves)
    n, most = sum(weights(tree, node)), max(max(row) for row in prices(tree))
    return as_leaf(tree, node) + 0.5, whole, math.sqrt(whole * max(most * n - whole, 0.0) / n) if n else 0.0
