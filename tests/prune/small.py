"""Trees of one test with given counts, for values on paper."""

from __future__ import annotations

from tests.oracle.tree import Nested, to_tree
from treewright.table import Column, Kind
from treewright.tree import Tree

TWO = Column("play", Kind.nominal, ("yes", "no"))


def one_test(*children: tuple[float, ...], **more: float) -> Tree:
    """Return the tree of one test on colour with these class counts in its branches."""
    leaves = [_node(counts) for counts in children]
    root = _node([sum(counts) for counts in zip(*children, strict=True)])
    root.children, root.column, root.kind, root.largest = leaves, 1, 2, 0
    root.codes = [(i, i) for i in range(len(leaves))]
    root.score, root.gain = more.get("score", 0.5), more.get("gain", 0.5)
    return to_tree(root, TWO)


def _node(counts: tuple[float, ...] | list[float]) -> Nested:
    return Nested(list(map(float, counts)), list(counts).index(max(counts)), int(sum(counts)))
