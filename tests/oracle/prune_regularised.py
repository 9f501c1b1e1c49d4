"""Two slow twins of the regularised cost: the recursion, and every pruning there is."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from tests.oracle.prune_nested import as_leaf, is_at_most, leaves, with_children
from tests.oracle.tree import Nested


def impurity(node: Nested, is_classifier: bool) -> float:
    """Return N H: bits for classes, the squared deviations for numbers."""
    if not is_classifier:
        return node.stats[2]
    n = math.fsum(node.stats)
    return math.fsum(c * math.log2(n / c) for c in node.stats if c > 0)


def cost(node: Nested, price: float, is_classifier: bool) -> float:
    """Return C(T)."""
    return math.fsum(impurity(leaf, is_classifier) + price for leaf in leaves(node))


def regularised(node: Nested, price: float, is_classifier: bool) -> Nested:
    """Return the pruned copy, children first."""
    if not node.children:
        return node
    pruned = with_children(node, [regularised(child, price, is_classifier) for child in node.children])
    alone = as_leaf(node)
    change = cost(alone, price, is_classifier), cost(pruned, price, is_classifier)
    return alone if is_at_most(*change) else pruned


def prunings(node: Nested) -> Iterator[Nested]:
    """Yield every tree that collapsing can make of a tree."""
    yield as_leaf(node)
    if node.children:
        for children in itertools.product(*(list(prunings(child)) for child in node.children)):
            yield with_children(node, list(children))
