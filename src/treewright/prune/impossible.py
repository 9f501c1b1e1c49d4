"""Branches that no row can come to, because a test above has sent their categories elsewhere.

A test on groups of categories (C4.5's -s) may ask a column again further down. The categories that the first
test sent elsewhere have a branch of their own there, empty; the program leaves them out once it prunes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.tree import Tree
from treewright.tree.check import VALUES
from treewright.tree.edit import alter, remaining


def without_impossible(tree: Tree) -> Tree:
    """Return the tree without empty leaves whose categories a test above has sent another way.

    A test that is left with a single branch gives its place to that branch.

    >>> from treewright.tree.example import tennis
    >>> without_impossible(tennis()) == tennis()
    True
    """
    if tree.about.get("splits") != "grouped":
        return tree
    found = _Kept(tree)
    found.visit_all()
    if len(found.kept) == tree.n_nodes:
        return tree
    kept = np.array(found.kept)
    part = remaining(
        tree,
        kept,
        np.array(found.asks),
        np.array(found.end),
        largest=np.array(found.largest, dtype=np.int32),
        missing=tree.missing[kept],
    )
    start = np.concatenate([[0], np.cumsum([len(codes) for codes in found.codes])])
    pairs = [pair for codes in found.codes for pair in codes]
    return alter(
        part,
        code_start=start.astype(np.int64),
        code=np.array([code for code, _ in pairs], dtype=np.int32),
        code_branch=np.array([branch for _, branch in pairs], dtype=np.int32),
    )


class _Kept:
    """The nodes that are kept, in preorder, and what of them differs."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.kept: list[int] = []
        self.asks: list[bool] = []
        self.end: list[int] = []
        self.largest: list[int] = []
        self.codes: list[list[tuple[int, int]]] = []

    def visit_all(self) -> None:
        """Keep what is possible, from the root down."""
        stack: list[tuple[int, dict[int, set[int]] | None]] = [(0, {})]
        while stack:
            node, possible = stack.pop()
            if possible is None:
                self.end[node] = len(self.kept)  # the place of a node whose branches are done
                continue
            below = self._visit(node, possible)
            if below and below[0][0] != node:
                stack.append((len(self.kept) - 1, None))
            stack.extend(reversed([(child, left) for _, child, left in below]))

    def _visit(self, node: int, possible: dict[int, set[int]]) -> list[tuple[int, int, dict[int, set[int]]]]:
        """Keep a node, or nothing where a single branch takes its place; return what comes next.

        `possible` are the categories that tests above have left of their columns. What comes next is a branch
        each: the node itself where that takes its place, the branch, and what is possible there.
        """
        tree, children = self.tree, self.tree.children(node)
        if tree.kind[node] != VALUES:
            self._keep(node, [], int(tree.largest[node]))
            return [(-1, child, possible) for child in children]
        column = int(tree.column[node])
        span = slice(int(tree.code_start[node]), int(tree.code_start[node + 1]))
        pairs = list(zip(tree.code[span].tolist(), tree.code_branch[span].tolist(), strict=True))
        left = possible.get(column)
        going = [b for b, child in enumerate(children) if not self._is_impossible(child, b, pairs, left)]
        if len(going) == 1:
            return [(node, children[going[0]], possible)]
        renamed = {branch: i for i, branch in enumerate(going)}
        told = [(code, renamed[branch]) for code, branch in pairs if branch in renamed]
        self._keep(node, told, renamed.get(int(tree.largest[node]), 0))
        found = []
        for branch in going:
            mine = {code for code, at in pairs if at == branch}
            below = {**possible, column: mine if left is None else mine & left}
            found.append((-1, children[branch], below))
        return found

    def _keep(self, node: int, codes: list[tuple[int, int]], largest: int) -> None:
        self.kept.append(node)
        self.asks.append(not self.tree.is_leaf(node))
        self.end.append(len(self.kept))
        self.largest.append(largest)
        self.codes.append(codes)

    def _is_impossible(self, child: int, branch: int, pairs: Any, left: set[int] | None) -> bool:
        if left is None or not self.tree.is_leaf(child) or float(self.tree.weights[child]) > 0:
            return False
        return not any(code in left for code, at in pairs if at == branch)
