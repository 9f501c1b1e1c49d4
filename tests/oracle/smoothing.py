"""Probabilities along the path, and rising curves, as they are written down: in plain Python."""

from __future__ import annotations

from typing import Any


def hierarchical(tree: Any, node: int, shrinkage: float) -> list[float]:
    """Return the root's shares and, along the path, each change of shares / (1 + lambda / rows above)."""
    path = [node]
    while path[0] != 0:
        path.insert(0, int(tree.parents[path[0]]))
    held = [[float(weight) for weight in tree.stats[t]] for t in path]
    shares = [[weight / sum(row) for weight in row] for row in held]
    found = list(shares[0])
    for step in range(1, len(path)):
        divisor = 1 + shrinkage / sum(held[step - 1])
        for c in range(len(found)):
            found[c] += (shares[step][c] - shares[step - 1][c]) / divisor
    return found


def rising(values: list[float], weights: list[float]) -> list[float]:
    """Return the rising curve by the min-max formula: least over ends, greatest mean over beginnings."""

    def mean(first: int, last: int) -> float:
        total = sum(weights[first : last + 1])
        return (
            sum(v * w for v, w in zip(values[first : last + 1], weights[first : last + 1], strict=True))
            / total
        )

    n = len(values)
    return [min(max(mean(a, b) for a in range(i + 1)) for b in range(i, n)) for i in range(n)]
