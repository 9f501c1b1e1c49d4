"""Measures by their definitions, row by row, with dictionaries: what you would put on a blackboard."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Hashable, Sequence

Rows = Sequence[tuple[Hashable, Hashable, float]]  # a label, a class, a weight


def shares(labels: Sequence[Hashable], weights: Sequence[float]) -> dict[Hashable, float]:
    """Return the share of each label that has any."""
    counts: dict[Hashable, float] = defaultdict(float)
    for label, weight in zip(labels, weights, strict=True):
        counts[label] += weight
    total = math.fsum(counts.values())
    return {label: count / total for label, count in counts.items() if count > 0}


def entropy(p: Sequence[float]) -> float:
    """Return -sum p log2 p."""
    return math.fsum(-x * math.log2(x) for x in p if x > 0)


def gini(p: Sequence[float]) -> float:
    """Return the chance that two draws with replacement differ."""
    return math.fsum(a * b for i, a in enumerate(p) for j, b in enumerate(p) if i != j)


def error(p: Sequence[float]) -> float:
    """Return what is not the largest."""
    return 1 - max(p)


IMPURITIES = {"entropy": entropy, "gini": gini, "error": error}


def within(rows: Rows, name: str) -> float:
    """Return the mean impurity of the classes in each branch."""
    total = math.fsum(weight for _, _, weight in rows)
    found = 0.0
    for branch in {x for x, _, weight in rows if weight > 0}:
        part = [(y, weight) for x, y, weight in rows if x == branch]
        size = math.fsum(weight for _, weight in part)
        p = shares([y for y, _ in part], [weight for _, weight in part])
        found += size / total * IMPURITIES[name](list(p.values()))
    return found


def decrease(rows: Rows, name: str) -> float:
    """Return by how much the impurity falls."""
    p = shares([y for _, y, _ in rows], [weight for _, _, weight in rows])
    return IMPURITIES[name](list(p.values())) - within(rows, name)


def mutual_information(rows: Rows) -> float:
    """Return the divergence of the joint distribution from the product of its margins."""
    weights = [weight for _, _, weight in rows]
    joint = shares([(x, y) for x, y, _ in rows], weights)
    px, py = shares([x for x, _, _ in rows], weights), shares([y for _, y, _ in rows], weights)
    return math.fsum(p * math.log2(p / (px[x] * py[y])) for (x, y), p in joint.items())


def chi_square(rows: Rows) -> float:
    """Return sum (n - expected)^2 / expected over every cell, also the empty ones."""
    weights = [weight for _, _, weight in rows]
    total = math.fsum(weights)
    joint = shares([(x, y) for x, y, _ in rows], weights)
    px, py = shares([x for x, _, _ in rows], weights), shares([y for _, y, _ in rows], weights)
    return total * math.fsum(
        (joint.get((x, y), 0.0) - px[x] * py[y]) ** 2 / (px[x] * py[y]) for x in px for y in py
    )
