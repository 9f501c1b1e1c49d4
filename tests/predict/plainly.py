"""The blackboard version of routing: one row, by recursion, with every policy."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.oracle.missing import UNSEEN, Test
from tests.oracle.reading import children, surrogates_at, test_at
from treewright.table import Kind
from treewright.tree import Tree

GAP = -1
Parts = list[tuple[int, float]]


class RefusalError(Exception):
    """Raised at the node that refuses a row."""


def refusal(tree: Tree, cells: list[Any]) -> int | None:
    """Return the node that refuses one row, None if none does."""
    try:
        ends(tree, cells)
    except RefusalError as error:
        return int(error.args[0])
    return None


def ends(tree: Tree, cells: list[Any], node: int = 0, weight: float = 1.0) -> Parts:
    """Return the nodes one row ends in, each with its share of the row."""
    test = test_at(tree, node)
    if test is None:
        return [(node, weight)]
    below, branch = children(tree, node), answer(tree, test, cells)
    if branch < 0:
        gap, unseen = tree.about.get("missing", "error"), tree.about.get("unseen", "error")
        is_gap = branch == GAP or unseen == "missing"
        way = gap if is_gap else unseen
        if way == "error":
            raise RefusalError(node)
        if way in ("drop", "stop_here"):
            return [(node, weight)]
        if way == "fractional":
            return divided(tree, cells, node, weight)
        branch = by_surrogate(tree, cells, node) if way == "surrogate" else GAP
        if branch < 0:
            branch = int(tree.missing[node]) if is_gap else GAP
        if branch < 0 and way == "surrogate":
            return [(node, weight)]  # ruling 3.14.5: both sides are equally heavy
        if branch < 0:
            branch = int(tree.largest[node])
    return ends(tree, cells, below[branch], weight)


def answer_to_sum(tree: Tree, test: Test, cells: list[Any]) -> int:
    """Return the branch of a sum of values; of those that are not there the first decides."""
    total = 0.0
    for column, weight, form, at in test.terms:
        value = cells[column]
        if tree.schema.columns[column].kind is not Kind.numeric and value < 0:
            return int(GAP if value == GAP else UNSEEN)
        if np.isnan(value):
            return GAP
        total += weight * float([value, value == at, value <= at, value > at][form])
    return GAP if np.isnan(total) else int(total > test.cut)


def answer(tree: Tree, test: Test, cells: list[Any]) -> int:
    """Return the branch of the row's value, GAP or UNSEEN."""
    if test.terms:
        return answer_to_sum(tree, test, cells)
    value = cells[test.column]
    if tree.schema.columns[test.column].kind is Kind.numeric:
        return GAP if np.isnan(value) else test.branch_of(float(value))
    return int(value) if value in (GAP, UNSEEN) else test.branch_of(int(value))


def by_surrogate(tree: Tree, cells: list[Any], node: int) -> int:
    """Return the branch that the first surrogate with an answer gives."""
    for surrogate in surrogates_at(tree, node):
        branch = answer(tree, surrogate.test, cells)
        if branch >= 0:
            return 1 - branch if surrogate.flip else branch
    return GAP


def divided(tree: Tree, cells: list[Any], node: int, weight: float) -> Parts:
    """Return the ends of a row that goes down every branch with weight; it stays where none has any."""
    below = children(tree, node)
    held = [float(tree.weights[child]) for child in below]
    if not 0 < sum(held) < np.inf:
        return [(node, weight)]
    shares = [one / sum(held) for one in held]
    found = [
        end for c, s in zip(below, shares, strict=True) if s > 0 for end in ends(tree, cells, c, weight * s)
    ]
    return found or [(node, weight)]
