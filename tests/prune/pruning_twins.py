"""Random trees to prune: nested twins whose counts add up, and any at all."""

from __future__ import annotations

import random
from typing import Any

from hypothesis import strategies as st

from tests.oracle import tree as oracle
from treewright.tree import Tree

shapes = st.recursive(st.just([]), lambda child: st.lists(child, min_size=2, max_size=4), max_leaves=20)
binary_shapes = st.recursive(st.just([]), lambda child: st.tuples(child, child).map(list), max_leaves=20)

# Dyadic, so that sums are exact and a tie is a tie.
_COUNTS = (0, 0, 0, 1, 1, 2, 3, 5, 8, 0.5, 1.25, 1000)


@st.composite
def twins(
    draw: st.DrawFn, shape: Any = shapes, is_classifier: bool = True, adds_up: bool | None = None
) -> tuple[oracle.Nested, Tree]:
    """A nested tree and its Tree; where it adds up, a node has the counts of its children."""
    source = random.Random(draw(st.integers(0, 2**32)))
    nested = oracle.filled(draw(shape), source, is_classifier)
    for node in oracle.in_preorder(nested):
        if is_classifier:
            node.stats = [float(source.choice(_COUNTS)) for _ in oracle.CLASSES.categories]
        node.score = node.score if not node.children else source.choice([0.1, 0.2, 0.3, node.score])
    if (source.random() < 0.7 if adds_up is None else adds_up) and is_classifier:
        _add_up(nested)
    if sum(nested.stats) == 0:
        nested.stats = [1.0] * len(nested.stats)
    target = oracle.CLASSES if is_classifier else oracle.NUMBER
    return nested, oracle.to_tree(nested, target)


def _add_up(node: oracle.Nested) -> None:
    for child in node.children:
        _add_up(child)
    if node.children:
        node.stats = [sum(counts) for counts in zip(*(c.stats for c in node.children), strict=True)]
    if sum(node.stats):
        node.label = node.stats.index(max(node.stats))


def as_tree(nested: oracle.Nested, like: Tree) -> Tree:
    """Return a nested tree as a Tree for the same target."""
    return oracle.to_tree(nested, like.target, about=like.about)
