"""Polishing a tree: each subtree gives way to the best one of two levels that has no more leaves."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright import _core
from treewright.base.progress import Watcher
from treewright.growth.ahead.checks import check_rows
from treewright.growth.ahead.first import LEAF, SAME, solved
from treewright.growth.ahead.loop import GREEDY, verbs_of, verbs_root
from treewright.growth.ahead.nodes import Node, grown_nodes, large_sets, nodes_of_answer
from treewright.growth.ahead.problem import MOST_LEVELS, Asked, problem_of_question
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.route import route_columns
from treewright.table import Rows
from treewright.tree import Tree

LEVELS = 2


def polished(
    tree: Tree, question: Question, rows: Rows, settings: Settings, listener: Watcher | None
) -> dict[str, Any] | None:
    """Return the arrays of the polished tree; None where nothing changes.

    From the leaves up each subtree, of any depth, is replaced by the best one of at most two levels and as
    many leaves, if that costs less, or the same with fewer leaves. What is replaced is the best of its kind,
    and what is not was beaten by none: going through the tree again would change nothing.
    """
    check_rows(question, rows, settings)
    sets = large_sets(tree, tree.schema, MOST_LEVELS)
    polisher = _Polisher(problem_of_question(question, rows, settings, more_sets=sets), listener)
    asked = polisher.asked
    root = grown_nodes(asked, tree, route_columns(tree, asked.columns, asked.n_rows).node)
    is_smaller = sum(1 for _ in _inner(root)) < int((tree.column >= 0).sum())
    polisher.polish(root, 0)
    if polisher.n_large:
        question.about[GREEDY] = polisher.n_large
    return laid_out(asked, root) if polisher.n_replaced or is_smaller else None


def _inner(node: Node) -> Any:
    """Yield the nodes that ask."""
    if node.branches:
        yield node
        for branch in node.branches:
            yield from _inner(branch)


class _Polisher:
    def __init__(self, asked: Asked, listener: Watcher | None) -> None:
        self.asked, self.settings, self.listener = asked, asked.settings, listener
        self.n_replaced = self.n_large = 0

    def goes_on(self, *_: float) -> bool:
        if self.listener is not None:
            self.listener(1.0)
        return True

    def polish(self, node: Node, depth: int) -> None:
        """Polish what is below a node, and then the node."""
        if not node.branches:
            return
        for branch in node.branches:
            self.polish(branch, depth + 1)
        if len(node.rows) > self.settings.lookahead_rows:
            self.n_large += 1
            return
        solver, most = self.asked.solver, self.settings.max_depth
        levels = LEVELS if most is None else min(LEVELS, most - depth)
        alone, n_leaves = solver.leaf(node.rows), len(node.leaves())
        solver.set_leaf_price(LEAF * alone)
        own = sum(solver.leaf(leaf.rows) for leaf in node.leaves()) + n_leaves * LEAF * alone
        answer = solved(self.asked, node.rows, levels, n_leaves, own - SAME * alone, self.goes_on)
        if not answer["has_tree"]:
            return
        better = nodes_of_answer(self.asked, answer, node.rows)
        node.column, node.place, node.left = better.column, better.place, better.left
        node.missing, node.branches = better.missing, better.branches
        self.n_replaced += 1


def laid_out(asked: Asked, root: Node) -> dict[str, Any]:
    """Return the arrays of a tree of nodes, its tests judged and its rows divided by the verbs of growth."""
    verbs = verbs_of(asked.question)
    whole = verbs_root(verbs, asked.question)
    waiting: list[tuple[Node, _core.Node, int]] = [(root, whole, verbs.add(whole))]
    while waiting:
        node, held, number = waiting.pop()
        if not node.branches:
            continue
        left = None if asked.coded[node.column].form == "cut" else list(node.left or ())
        offer = verbs.judged(held, node.column, node.place, left, node.missing, len(node.branches))
        if asked.settings.ledger:
            offers, _ = verbs.decide(held, verbs.search(held), whole)
            verbs.keep_offers(number, verbs.instead(offers, offer))
        children, missing, largest = verbs.apply(held, offer)
        numbers = [verbs.add(child, number) for child in children]
        verbs.split(number, offer, missing, largest, numbers[0])
        firsts = {int(np.min(branch.rows)): branch for branch in node.branches}
        waiting += [
            (firsts[int(np.min(child.rows))], child, place)
            for child, place in zip(children, numbers, strict=True)
        ]
    return verbs.tree()
