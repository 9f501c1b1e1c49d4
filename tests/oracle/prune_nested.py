"""What the recursive twins of pruning share: nested nodes and exact counts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from tests.oracle.tree import Nested


def as_leaf(node: Nested) -> Nested:
    """Return the node with nothing below it."""
    return Nested(node.stats, node.label, node.n_rows) if node.children else node


def with_children(node: Nested, children: list[Nested]) -> Nested:
    """Return the node with other children behind its test."""
    return replace(node, children=children)


def leaves(node: Nested) -> Iterator[Nested]:
    """Yield the leaves below a node."""
    if not node.children:
        yield node
    for child in node.children:
        yield from leaves(child)


def inner(node: Nested) -> Iterator[Nested]:
    """Yield the nodes that ask something."""
    if node.children:
        yield node
    for child in node.children:
        yield from inner(child)


def weight(node: Nested) -> Fraction:
    """Return the weight of a node with class weights."""
    return sum(map(Fraction, node.stats), Fraction(0))


def n_errors(node: Nested, label: int | None = None) -> Fraction:
    """Return the weight that is not of the node's label, or of another's."""
    right = node.label if label is None else label
    return sum((Fraction(n) for c, n in enumerate(node.stats) if c != right), Fraction(0))


def is_at_most(a: float, b: float) -> bool:
    """Return whether a <= b but for rounding; logarithms are not exact."""
    return a <= b or math.isclose(a, b, rel_tol=1e-12, abs_tol=0)
