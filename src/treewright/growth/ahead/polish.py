"""Polishing a tree: each subtree gives way to the best one of two levels that has no more leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from treewright import _core
from treewright.base.progress import Watcher
from treewright.growth.ahead.checks import check_rows
from treewright.growth.ahead.first import LEAF, SAME, solved
from treewright.growth.ahead.loop import GREEDY, verbs_of, verbs_root
from treewright.growth.ahead.nodes import large_sets
from treewright.growth.ahead.part import Part, alone_of, part_at
from treewright.growth.ahead.problem import MOST_LEVELS, Asked, problem_of_question
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.table import Rows
from treewright.tree import Tree
from treewright.tree.check import CUT
from treewright.tree.policy import GAPS

LEVELS = 2


def polished(
    tree: Tree, question: Question, rows: Rows, settings: Settings, listener: Watcher | None
) -> dict[str, Any] | None:
    """Return the arrays of the polished tree; None where nothing changes.

    From the leaves up each subtree, of any depth, is replaced by the best one of at most two levels and as
    many leaves, if that costs less, or the same with fewer leaves. What is replaced is the best of its kind,
    and what is not was beaten by none: going through the tree again would change nothing.
    """
    check_rows(rows, settings)
    sets = large_sets(tree, tree.schema, MOST_LEVELS)
    polisher = _Polisher(problem_of_question(question, rows, settings, more_sets=sets), listener)
    root, order = polisher.of_tree(tree)
    for spot in reversed(order):  # what is below a node before the node
        polisher.polish(spot)
    if polisher.n_large:
        question.about[GREEDY] = polisher.n_large
    return laid_out(polisher.asked, polisher.verbs, root) if polisher.n_replaced else None


@dataclass(eq=False)
class Spot:
    """A node of the tree: what is there, its test and where that leads."""

    held: _core.Node
    part: Part
    alone: float  # its cost as a leaf
    offer: _core.Offer | None = None
    missing: int = -1
    largest: int = 0
    branches: list[Spot] = field(default_factory=list)
    stopped: float = 0.0  # what rows cost that no branch takes
    cost: float = 0.0  # of the leaves under it
    n_leaves: int = 1

    def add_up(self) -> None:
        """Count what is below."""
        if self.branches:
            self.cost = self.stopped + sum(branch.cost for branch in self.branches)
            self.n_leaves = sum(branch.n_leaves for branch in self.branches)
        else:
            self.cost, self.n_leaves = self.alone, 1

    def take(self, other: Spot) -> None:
        """Ask what another asks at the same node."""
        self.offer, self.missing, self.largest = other.offer, other.missing, other.largest
        self.branches, self.stopped = other.branches, other.stopped
        self.add_up()


class _Polisher:
    def __init__(self, asked: Asked, listener: Watcher | None) -> None:
        self.asked, self.settings, self.listener = asked, asked.settings, listener
        self.verbs = verbs_of(asked.question)
        self.n_replaced = self.n_large = 0

    def goes_on(self, *_: float) -> bool:
        if self.listener is not None:
            self.listener(1.0)
        return True

    # ---- nodes and their tests -------------------------------------------------------------------------

    def spot(self, held: _core.Node) -> Spot:
        part = part_at(self.asked, held)
        alone = alone_of(part)
        return Spot(held, part, alone, cost=alone)

    def ask(
        self, spot: Spot, column: int, place: int, left: list[int] | None, gap: int, n: int
    ) -> list[Spot] | None:
        """Give a node a test and return its branches as they were asked; None where some are too small."""
        offer = self.verbs.judged(spot.held, column, place, left, gap, n)
        if not offer.is_possible:
            return None
        children, spot.missing, spot.largest = self.verbs.apply(spot.held, offer)
        spot.offer, spot.branches = offer, [self.spot(child) for child in children]
        if GAPS[self.settings.missing].way == "surrogate":
            placed = np.concatenate([child.rows for child in children])
            stays = np.setdiff1d(spot.part.rows, placed).astype(np.int32)
            spot.stopped = alone_of(Part(self.asked, stays)) if len(stays) else 0.0
        # growth has "known or missing?" with those that are known on the left, whoever asks it otherwise
        codes = self.asked.coded[column].codes[np.asarray(spot.held.rows)]
        known = codes[codes >= 0]
        is_left = (known <= place) if left is None else np.isin(known, left)
        return spot.branches[::-1] if gap == 0 and not is_left.any() else spot.branches

    def of_tree(self, tree: Tree) -> tuple[Spot, list[Spot]]:
        """Return the root of a tree that growth made, and all its nodes, those above before those below."""
        root = self.spot(verbs_root(self.verbs, self.asked.question))
        order, waiting = [], [(root, 0)]
        while waiting:
            spot, i = waiting.pop()
            order.append(spot)
            if tree.column[i] >= 0:
                waiting += zip(self.ask_as(spot, tree, i), _children(tree, i), strict=True)
        return root, order

    def ask_as(self, spot: Spot, tree: Tree, i: int) -> list[Spot]:
        """Ask what a node of a tree asks, and return its branches in the order of the tree."""
        column, place, left = int(tree.column[i]), -1, None
        coded = self.asked.coded[column]
        codes = coded.codes[np.asarray(spot.held.rows)]
        takes = GAPS[self.settings.missing].way == "branch" and (codes < 0).any()
        if tree.kind[i] == CUT:
            place = int(np.searchsorted(coded.values, tree.cut[i], side="right")) - 1
        else:
            some = slice(tree.code_start[i], tree.code_start[i + 1])
            left = tree.code[some][tree.code_branch[some] == 0].tolist()
        n_branches = sum(1 for _ in _children(tree, i))
        branches = self.ask(spot, column, place, left, int(tree.missing[i]) if takes else -1, n_branches)
        assert branches is not None, f"node {i} has a test that its rows do not allow"
        return branches

    def of_answer(self, spot: Spot, answer: dict[str, Any]) -> Spot | None:
        """Return the node with the best tree below it; nothing where its branches turn out too small."""
        root = Spot(spot.held, spot.part, spot.alone)
        order, waiting = [], [(root, 0)]
        while waiting:
            node, i = waiting.pop()
            order.append(node)
            if (n := int(answer["n_branches"][i])) == 0:
                continue
            column, place, left = self.asked.order[int(answer["column"][i])], -1, None
            coded, which = self.asked.coded[column], int(answer["set"][i])
            if coded.form == "cut":
                place = int(answer["place"][i])
            else:
                left = list(coded.sets[which]) if which >= 0 else list(range(len(coded.values)))
            branches = self.ask(node, column, place, left, int(answer["gap"][i]) if self.chooses else -1, n)
            if branches is None:
                return None
            at = i + 1
            for branch in branches:
                waiting.append((branch, at))
                at = int(answer["end"][at])
        for node in reversed(order):
            node.add_up()
        return root

    @property
    def chooses(self) -> bool:
        """Whether a test says where its gaps go."""
        return self.asked.gap_way not in ("heavier", "divided")

    # ---- polishing -------------------------------------------------------------------------------------

    def polish(self, spot: Spot) -> None:
        """Polish a node, when what is below it has been."""
        spot.add_up()
        if not spot.branches:
            return
        if spot.cost >= spot.alone:  # an idle test
            spot.take(Spot(spot.held, spot.part, spot.alone))
            self.n_replaced += 1
            return
        if spot.held.n_rows > self.settings.lookahead_rows:
            self.n_large += 1
            return
        most, price = self.settings.max_depth, LEAF * spot.alone
        levels = LEVELS if most is None else min(LEVELS, most - spot.held.depth)
        limit = spot.cost + spot.n_leaves * price - SAME * spot.alone
        spot.part.asked.solver.set_leaf_price(price)
        answer = solved(spot.part, levels, spot.n_leaves, limit, self.goes_on)
        if not answer["has_tree"]:
            return
        better = self.of_answer(spot, answer)
        # surrogates place rows otherwise than the search, which knows none: it must be better with them, too
        if better is None or better.cost + better.n_leaves * price >= limit:
            return
        spot.take(better)
        self.n_replaced += 1


def _children(tree: Tree, i: int) -> Iterator[int]:
    at = i + 1
    while at < tree.end[i]:
        yield at
        at = int(tree.end[at])


def laid_out(asked: Asked, verbs: _core.Growth, root: Spot) -> dict[str, Any]:
    """Return the arrays of a tree of nodes."""
    waiting: list[tuple[Spot, int]] = [(root, verbs.add(root.held))]
    while waiting:
        spot, number = waiting.pop()
        if spot.offer is None:
            continue
        if asked.settings.ledger:
            offers, _ = verbs.decide(spot.held, verbs.search(spot.held), root.held)
            verbs.keep_offers(number, verbs.instead(offers, spot.offer))
        places = [verbs.add(branch.held, number) for branch in spot.branches]
        verbs.split(number, spot.offer, spot.missing, spot.largest, places[0])
        waiting += zip(spot.branches, places, strict=True)
    return verbs.tree()
