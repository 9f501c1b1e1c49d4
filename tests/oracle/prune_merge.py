"""The recursive twin of merging: leaves that say the same as their parent, until none is left."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracle.prune_nested import as_leaf, with_children
from tests.oracle.tree import Nested


def merge(node: Nested, are_alike: Callable[[Nested, Nested], bool]) -> Nested:
    if not node.children:
        return node
    children = [merge(child, are_alike) for child in node.children]
    if all(not child.children and are_alike(child, node) for child in children):
        return as_leaf(node)
    return with_children(node, children)
