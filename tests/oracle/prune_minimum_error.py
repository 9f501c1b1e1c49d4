"""The recursive twin of minimum-error pruning, in exact fractions."""

from __future__ import annotations

from fractions import Fraction

from tests.oracle.prune_nested import as_leaf, weight, with_children
from tests.oracle.tree import Nested


def minimum_error(root: Nested, m: Fraction | None = None) -> Nested:
    """Return the pruned copy; m=None is Niblett and Bratko's estimate."""
    k = len(root.stats)
    total = weight(root)
    if m is None:
        return _pruned(root, Fraction(k), [Fraction(1, k)] * k)[1]
    return _pruned(root, m, [Fraction(n) / total for n in root.stats])[1]


def _pruned(node: Nested, m: Fraction, prior: list[Fraction]) -> tuple[Fraction, Nested]:
    """Return the expected error of the pruned node, and the node."""
    n = weight(node)
    static = Fraction(0)  # nothing is known, and it weighs nothing
    if n + m:
        static = 1 - max((Fraction(c) + m * p) / (n + m) for c, p in zip(node.stats, prior, strict=True))
    if not node.children:
        return static, node
    below = [_pruned(child, m, prior) for child in node.children]
    shares = [weight(child) for child in node.children]
    backed_up = (
        sum((w / n * error for w, (error, _) in zip(shares, below, strict=True)), Fraction(0))
        if n
        else static
    )
    if static <= backed_up:
        return static, as_leaf(node)
    return backed_up, with_children(node, [child for _, child in below])
