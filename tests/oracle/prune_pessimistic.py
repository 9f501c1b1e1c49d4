"""The recursive twin of pessimistic pruning, in exact fractions: no square root, no rounding."""

from __future__ import annotations

from fractions import Fraction

from tests.oracle.prune_nested import as_leaf, leaves, n_errors, weight, with_children
from tests.oracle.tree import Nested

HALF = Fraction(1, 2)


def pessimistic(node: Nested, standard_errors: int = 1, strict: bool = False) -> Nested:
    """Return the pruned copy, from the root down; what lies under a new leaf is not looked at."""
    if not node.children:
        return node
    if _prunes(node, standard_errors, strict):
        return as_leaf(node)
    return with_children(node, [pessimistic(child, standard_errors, strict) for child in node.children])


def _prunes(node: Nested, standard_errors: int, strict: bool) -> bool:
    subtree = sum((n_errors(leaf) + HALF for leaf in leaves(node)), Fraction(0))
    excess = n_errors(node) + HALF - subtree
    n = weight(node)
    squared = standard_errors**2 * subtree * max(n - subtree, 0) / n if n else Fraction(0)
    # excess <= sqrt(squared)
    if strict:
        return excess < 0 or excess**2 < squared
    return excess <= 0 or excess**2 <= squared
