"""Nodes of a tree that the search found, or that growth made: each with its test and its rows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.growth.ahead.problem import Asked
from treewright.table import Schema
from treewright.tree import Tree
from treewright.tree.check import CUT

Ints = NDArray[np.int32]


@dataclass(eq=False)
class Node:
    """Rows, what they cost as a leaf, and a test with its branches where the node asks one."""

    rows: Ints
    cost: float
    column: int = -1
    place: int = -1  # of a cut: the last code on the left
    left: tuple[int, ...] | None = None  # of a test by categories: those on the left; None: one branch each
    missing: int = -1
    branches: list[Node] = field(default_factory=list)

    def leaves(self) -> list[Node]:
        """Return the leaves under the node, from left to right."""
        return [leaf for branch in self.branches for leaf in branch.leaves()] if self.branches else [self]

    def value(self, leaf_price: float) -> float:
        """Return what the tree under the node costs."""
        return sum(leaf.cost + leaf_price for leaf in self.leaves())


def nodes_of_answer(asked: Asked, answer: dict[str, Any], rows: Ints | None = None) -> Node:
    """Return the root of the tree in the answer of the core, for all rows or some."""
    n_branches, end = answer["n_branches"], answer["end"]

    def grow(i: int, rows: Ints) -> Node:
        node = Node(rows, asked.cost(rows))
        if n_branches[i] == 0:
            return node
        node.column = asked.order[int(answer["column"][i])]
        coded = asked.coded[node.column]
        node.missing = int(answer["gap"][i])
        branch = _branches(node, coded.form, answer, i, asked)
        at = i + 1
        for b in range(int(n_branches[i])):
            node.branches.append(grow(at, rows[branch == b]))
            at = int(end[at])
        return node

    return grow(0, np.arange(asked.n_rows, dtype=np.int32) if rows is None else rows)


def _branches(node: Node, form: str, answer: dict[str, Any], i: int, asked: Asked) -> NDArray[Any]:
    """Set what the node asks, and return the branch of each of its rows."""
    coded = asked.coded[node.column]
    codes = coded.codes[node.rows]
    if form == "cut":
        node.place = int(answer["place"][i])
        branch = np.where(codes <= node.place, 0, 1)
    elif form == "sets":
        which = int(answer["set"][i])
        node.left = tuple(coded.sets[which]) if which >= 0 else tuple(range(len(coded.values)))
        branch = np.where(np.isin(codes, node.left), 0, 1)
    else:
        branch = codes.copy()
    return np.where(codes < 0, node.missing, branch)


def grown_nodes(asked: Asked, tree: Tree, leaves: NDArray[Any]) -> Node:
    """Return the root of a tree that growth made, less idle tests; `leaves` is the leaf of each row."""

    def grow(i: int) -> Node:
        inside = (leaves >= i) & (leaves < tree.end[i])
        node = Node(np.flatnonzero(inside).astype(np.int32), 0.0)
        node.cost = asked.cost(node.rows)
        if tree.column[i] < 0:
            return node
        node.column = int(tree.column[i])
        coded = asked.coded[node.column]
        node.missing = int(tree.missing[i]) if (coded.codes[node.rows] < 0).any() else -1
        if tree.kind[i] == CUT:
            node.place = int(np.searchsorted(coded.values, tree.cut[i], side="right")) - 1
        elif coded.form == "sets":
            some = slice(tree.code_start[i], tree.code_start[i + 1])
            node.left = tuple(tree.code[some][tree.code_branch[some] == 0].tolist())
        at = i + 1
        while at < tree.end[i]:
            node.branches.append(grow(at))
            at = int(tree.end[at])
        price = asked.leaf_price
        if node.value(price) >= node.cost + price:
            node.branches, node.column = [], -1
        return node

    return grow(0)


def large_sets(tree: Any, schema: Schema, most: int) -> list[tuple[int, tuple[int, ...]]]:
    """Return the tests by subsets of columns with more than so many levels: the column, and who goes left.

    `tree` is a Tree, or anything that has the arrays of its tests.
    """
    found = []
    for i in np.flatnonzero(tree.kind == 2):
        some = slice(tree.code_start[i], tree.code_start[i + 1])
        is_wide = len(schema.columns[int(tree.column[i])].categories) > most
        if is_wide and tree.code_branch[some].max() == 1:
            left = tree.code[some][tree.code_branch[some] == 0].tolist()
            found.append((int(tree.column[i]), tuple(left)))
    return found
