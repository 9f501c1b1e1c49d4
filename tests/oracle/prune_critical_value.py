"""The recursive twin of critical value pruning."""

from __future__ import annotations

from tests.oracle.prune_nested import as_leaf, inner, with_children
from tests.oracle.tree import Nested


def critical_value(node: Nested, kappa: float, measure: str = "score") -> Nested:
    """Return the copy without the tests below kappa that have no better one under them."""
    if all(getattr(test, measure) < kappa for test in inner(node)):
        return as_leaf(node)
    return with_children(node, [critical_value(child, kappa, measure) for child in node.children])
