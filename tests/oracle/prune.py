"""The slow twins of pruning: the textbook's loop, and every pruning of a small tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np


def below(tree: Any, node: int) -> list[int]:
    """Return the leaves under a node."""
    return [i for i in range(node, int(tree.end[node])) if tree.end[i] == i + 1]


def weakest_link_path(tree: Any, risk: Any, tolerance: float = 1e-12) -> list[tuple[float, int, float]]:
    """Return alpha, leaves and risk of every tree of the sequence, by the loop of the specification (3.5).

    `risk` is a function from a tree to what each node costs as a leaf, as a share.
    """
    rows, alpha = [], 0.0
    while True:
        cost = risk(tree)
        links = {}
        for node in range(tree.n_nodes):
            leaves = below(tree, node)
            if len(leaves) > 1:
                links[node] = (cost[node] - sum(cost[i] for i in leaves)) / (len(leaves) - 1)
        weak = [node for node, g in links.items() if g <= alpha + tolerance]
        if weak:
            tree = tree.collapse(weak)
            continue
        rows.append((alpha, tree.n_leaves, float(sum(cost[i] for i in below(tree, 0)))))
        if not links:
            return rows
        alpha = min(links.values())


def prunings(tree: Any, node: int = 0) -> Iterator[list[int]]:
    """Yield every pruning below a node, as the nodes that are its leaves."""
    yield [node]
    children = tree.children(node)
    if not children:
        return
    choices: list[list[int]] = [[]]
    for child in children:
        choices = [chosen + more for chosen in choices for more in prunings(tree, child)]
    yield from choices


def n_prunings(tree: Any, node: int = 0) -> int:
    """Return how many there are."""
    children = tree.children(node)
    return 1 + int(np.prod([n_prunings(tree, child) for child in children], dtype=object)) if children else 1


def errors_as_leaf(tree: Any, columns: Any, answers: Any, weights: Any) -> Any:
    """Return the errors of each node as a leaf, for rows of numbers without gaps, one row after the other."""
    errors = np.zeros(tree.n_nodes)
    for row, (answer, weight) in enumerate(zip(answers, weights, strict=True)):
        node = 0
        while True:
            if tree.is_classifier:
                errors[node] += weight * (tree.label[node] != answer)
            else:
                errors[node] += weight * (tree.stats[node, 1] - answer) ** 2
            if tree.is_leaf(node):
                break
            left, right = tree.children(node)
            node = left if columns[tree.column[node]][row] <= tree.cut[node] else right
    return errors
