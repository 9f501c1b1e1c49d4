"""The recursive twin of error-based pruning: the four steps of the specification (3.3), word for word.

For trees that divide the rows with a gap and have a branch for every category (C4.5's own), and for trees on
tables without gaps.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.stats import norm

Z = [(0, 4.0), (0.001, 3.09), (0.005, 2.58), (0.01, 2.33), (0.05, 1.65), (0.10, 1.28), (0.20, 0.84),
     (0.40, 0.25), (1.00, 0.00)]  # fmt: skip


@dataclass
class Twin:
    """A node by its children."""

    label: int
    column: int = -1
    cut: float = math.nan
    branch_of: dict[int, int] = field(default_factory=dict)
    children: list[Twin] = field(default_factory=list)
    counts: Any = None


def from_tree(tree: Any, i: int = 0) -> Twin:
    """Return the nested form of a Tree."""
    node = Twin(int(tree.label[i]), int(tree.column[i]), float(tree.cut[i]))
    node.counts = np.zeros(len(tree.classes))
    known = slice(tree.code_start[i], tree.code_start[i + 1])
    node.branch_of = dict(zip(tree.code[known].tolist(), tree.code_branch[known].tolist(), strict=True))
    node.children = [from_tree(tree, c) for c in tree.children(i)]
    return node


def extra(n: float, e: float, confidence: float, z: str, kind: Any = np.float64) -> float:
    """Return the extra errors X(n, e); the share of errors is rounded to `kind`."""
    if e < 1e-6:
        return n * (1 - confidence ** (1 / n))
    if e < 0.9999:
        none, one = extra(n, 0, confidence, z, kind), extra(n, 1, confidence, z, kind)
        return none + e * (one - none)
    if e + 0.5 >= n - 1e-9:  # a step: sums that are equal but for rounding are on one side of it
        return (0.67 if z == "table" else 1.0) * (n - e)
    deviate = float(
        np.interp(confidence, *zip(*Z, strict=True)) if z == "table" else norm.ppf(1 - confidence)
    )
    s, half = deviate**2, e + 0.5
    share = kind((half + s / 2 + math.sqrt(s * (half * (1 - half / n) + s / 4))) / (n + s))
    return float(kind(n) * share - kind(e))


class Pruner:
    """Prunes a nested tree, given the rows that grew it."""

    def __init__(
        self,
        columns: Any,
        answers: Any,
        weights: Any,
        n_classes: int,
        *,
        confidence: float = 0.25,
        z: str = "table",
        slack: float = 0.1,
        single: bool = False,
        scale: Any = None,
        costs: Any = None,
    ) -> None:
        self.columns, self.answers, self.n_classes = columns, answers, n_classes
        self.confidence, self.z, self.slack = confidence, z, slack
        self.scale = [1.0] * n_classes if scale is None else scale
        self.costs = 1.0 - np.eye(n_classes) if costs is None else costs
        self.kind = np.float32 if single else np.float64  # of every weight and every sum
        self.weights = np.asarray(weights, dtype=self.kind)

    def prune(self, node: Twin, rows: Any = None, weights: Any = None) -> tuple[Twin, float]:
        """Return the pruned node and its estimate, for the rows that reach it."""
        rows = np.arange(len(self.answers)) if rows is None else rows
        weights = self.weights if weights is None else weights
        self.count(node, rows, weights)
        if not node.children:
            return node, self.leaf_estimate(node.counts)
        parts, known = self.divide(node, rows, weights)
        subtree = self.kind(0)
        for b, (part, weight) in enumerate(parts):
            if known[b] > 0:
                node.children[b], estimate = self.prune(node.children[b], part, weight)
                subtree += self.kind(estimate)
        leaf = self.leaf_estimate(node.counts)
        largest = max(range(len(known)), key=lambda b: (round(float(known[b]), 6), b))
        raised = self.estimate(node.children[largest], rows, weights)
        slack = self.kind(self.slack)
        if leaf <= raised + slack and leaf <= subtree + slack:
            return Twin(node.label, counts=node.counts), leaf
        if raised <= subtree + slack:
            return self.prune(node.children[largest], rows, weights)
        return node, subtree

    def estimate(self, node: Twin, rows: Any, weights: Any) -> Any:
        """Return the sum of leaf estimates below a node, without pruning."""
        if not node.children:
            return self.leaf_estimate(self.counts(rows, weights))
        parts, known = self.divide(node, rows, weights)
        total = self.kind(0)
        for b, (part, weight) in enumerate(parts):
            if known[b] > 0:
                total += self.estimate(node.children[b], part, weight)
        return total

    def divide(self, node: Twin, rows: Any, weights: Any) -> tuple[list[Any], list[Any]]:
        values = self.columns[node.column][rows]
        if values.dtype.kind == "f":
            branch = np.where(np.isnan(values), -1, np.where(values <= node.cut, 0, 1))
        elif node.branch_of:
            branch = np.array([node.branch_of.get(v, -1) for v in range(-1, values.max() + 1)])[values + 1]
        else:  # an ordinal column, cut by rank
            branch = np.where(values < 0, -1, np.where(values <= node.cut, 0, 1))
        n = len(node.children)
        known = [self.sum(weights[branch == b]) for b in range(n)]
        total = self.kind(sum(known))
        gap, gap_weight = rows[branch < 0], weights[branch < 0]
        parts = []
        for b in range(n):
            share = gap_weight * self.kind(known[b] / total) if known[b] > 0 else gap_weight[:0]
            more = gap if known[b] > 0 else gap[:0]
            here = branch == b
            parts.append((np.concatenate([rows[here], more]), np.concatenate([weights[here], share])))
        return parts, known

    def sum(self, weights: Any) -> Any:
        return weights.cumsum(dtype=self.kind)[-1] if len(weights) else self.kind(0)

    def counts(self, rows: Any, weights: Any) -> Any:
        return np.array([self.sum(weights[self.answers[rows] == c]) for c in range(self.n_classes)])

    def count(self, node: Twin, rows: Any, weights: Any) -> None:
        """Note what a node holds, and the class that says (3.14.3)."""
        node.counts = self.counts(rows, weights)
        if node.counts.sum() > 0:
            node.label = self.label(node.counts)

    def label(self, counts: Any) -> int:
        """Return the class of least cost (of most weight, where none are given), the first of equal ones."""
        prices = [
            sum(float(counts[c]) * self.scale[c] * self.costs[c][said] for c in range(self.n_classes))
            for said in range(self.n_classes)
        ]
        return next(c for c, price in enumerate(prices) if price <= min(prices) + 1e-9 * (1 + sum(prices)))

    def leaf_estimate(self, counts: Any) -> Any:
        n = float(counts.sum())
        if n == 0:
            return self.kind(0)
        label = self.label(counts)
        e = float(sum(count for c, count in enumerate(counts) if c != label))
        return self.kind(e + extra(n, e, self.confidence, self.z, self.kind))


def n_nodes(node: Twin) -> int:
    """Return the number of nodes."""
    return 1 + sum(map(n_nodes, node.children))


def leaves(node: Twin) -> list[Twin]:
    """Return the leaves, left to right."""
    return [leaf for child in node.children for leaf in leaves(child)] if node.children else [node]
