"""Best-first growth on a finished tree, the plain way: again and again, open the leaf that takes off most."""

from __future__ import annotations

from typing import Any


def opened(tree: Any) -> list[int]:
    """Return the inner nodes in the order of opening, by looking at all waiting nodes each time."""
    order: list[int] = []
    waiting, age = [0], {0: 0}
    while True:
        ready = [node for node in waiting if not tree.is_leaf(node)]
        if not ready:
            return order
        best = max(ready, key=lambda node: (tree.gain[node] * tree.weights[node], -age[node]))
        order.append(best)
        waiting.remove(best)
        for child in tree.children(best):
            age[child] = len(age)
            waiting.append(child)
