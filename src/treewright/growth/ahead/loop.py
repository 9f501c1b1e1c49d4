"""The loop: open a node, look ahead, decide, divide its rows; depth first, or best first by leaves."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from treewright import _core
from treewright.base.progress import Watcher
from treewright.growth.ahead.checks import check_rows
from treewright.growth.ahead.first import LEAF, SAME, best_subtree, value_of
from treewright.growth.ahead.nodes import large_sets
from treewright.growth.ahead.part import Part, alone_of, by_rule, part_at
from treewright.growth.ahead.problem import MOST_LEVELS, Asked, problem_of_question
from treewright.growth.frontier import BestFirst, depth_first
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.table import Rows

ANY = 1 << 40  # branches, where no budget of leaves limits them
GREEDY = "lookahead_greedy"  # in a tree's `about`: how many nodes were too large to look ahead


@dataclass(eq=False)
class Open:
    """A node that waits, and what was decided of it."""

    held: _core.Node
    number: int
    offer: _core.Offer | None = None
    saved: float = 0.0  # by its best subtree, for each leaf that it adds


def grow_ahead(
    question: Question, rows: Rows, settings: Settings, greedy: dict[str, Any], listener: Watcher | None
) -> dict[str, Any]:
    """Return the arrays of a tree whose tests are chosen by the best subtrees below them, as the core does.

    `greedy` are those of the tree without look-ahead: of categories too many to try all subsets, the ones
    that it asks are tried besides.
    """
    check_rows(rows, settings)
    sets = large_sets(SimpleNamespace(**greedy), question.schema, MOST_LEVELS)
    growth = _Growth(problem_of_question(question, rows, settings, more_sets=sets), listener)
    root = growth.opened(verbs_root(growth.verbs, question), -1)
    if settings.max_leaves is None:
        growth.all_of(root)
    else:
        growth.best_of(root, settings.max_leaves)
    if growth.n_greedy:
        question.about[GREEDY] = growth.n_greedy
    return growth.verbs.tree()


def verbs_of(question: Question) -> _core.Growth:
    """Return the verbs of growth for a question."""
    made: _core.Growth = question.put_to(
        _core.Growth.of_classes if question.is_classifier else _core.Growth.of_numbers
    )
    return made


def verbs_root(verbs: _core.Growth, question: Question) -> _core.Node:
    """Return the node of all rows."""
    return verbs.open(np.arange(len(question.units), dtype=np.int32), question.units)


class _Growth:
    def __init__(self, asked: Asked, listener: Watcher | None) -> None:
        self.asked, self.settings, self.listener = asked, asked.settings, listener
        self.verbs = verbs_of(asked.question)
        self.levels = int(asked.settings.lookahead)
        self.root: _core.Node | None = None
        self.n_greedy = self.n_settled = 0

    def opened(self, held: _core.Node, parent: int) -> Open:
        if self.root is None:
            self.root = held
        return Open(held, self.verbs.add(held, parent))

    # ---- the two frontiers -----------------------------------------------------------------------------

    def all_of(self, root: Open) -> None:
        """Open every node, depth first."""

        def grow(node: Open) -> list[Open]:
            if self.decide(node, ANY):
                return self.divide(node)
            self.settle(node)
            return []

        depth_first(root, grow)

    def best_of(self, root: Open, max_leaves: int) -> None:
        """Open the node next whose best subtree takes off most for each leaf, until the budget is spent."""
        frontier = BestFirst[Open](max_leaves)

        def enqueue(nodes: list[Open]) -> None:
            for node in nodes:
                if self.decide(node, frontier.room):
                    assert node.offer is not None
                    frontier.push(node, node.saved, node.number, node.offer.n_branches)

        def look_again(node: Open) -> None:
            """For a test with fewer branches."""
            self.verbs.make_leaf(node.number)
            enqueue([node])

        enqueue([root])
        frontier.run(lambda node: enqueue(self.divide(node)), look_again)

    def settle(self, node: Open) -> None:
        self.n_settled += node.held.n_rows
        self.goes_on()

    def goes_on(self, *_: float) -> bool:
        """Tell how far growth is; whoever listens may end it by what he raises."""
        if self.listener is not None:
            self.listener(min(1.0, self.n_settled / max(1, self.asked.n_rows)))
        return True

    # ---- one node --------------------------------------------------------------------------------------

    def decide(self, node: Open, room: int) -> bool:
        """Find the test of a node; False where it stays a leaf."""
        verbs, held = self.verbs, node.held
        node.offer = None
        if verbs.is_finished(held) or (room < 2 and not self.settings.ledger):
            return False
        offers, chosen = verbs.decide(held, verbs.search(held), self.root, room=room)
        greedy = None if chosen is None else offers[chosen]
        node.offer = greedy
        if room >= 2:
            node.offer, node.saved = self.looked_ahead(held, greedy, room)
        if self.settings.ledger:
            if node.offer is not None and node.offer is not greedy:
                offers = verbs.instead(offers, node.offer)
            verbs.keep_offers(node.number, offers)
        return node.offer is not None

    def looked_ahead(
        self, held: _core.Node, greedy: _core.Offer | None, room: int
    ) -> tuple[_core.Offer | None, float]:
        """Return the test of the best subtree, and what that takes off for each leaf; of equals greedy's."""
        levels = self.levels_for(held, room)
        if levels < 2:
            return greedy, self.saved_by(held, greedy)
        there = part_at(self.asked, held)
        is_tight = room < 1 << levels
        ahead = best_subtree(there, levels, room if is_tight else 0, self.goes_on)
        if ahead.column < 0:
            return greedy, self.saved_by(held, greedy)
        if greedy is not None and not is_tight:
            price = LEAF * ahead.alone
            own = min(
                sum(value_of(part, levels - 1, price, self.goes_on) for part in branches)
                for branches in self.below(there, held, greedy)
            )
            if own <= ahead.value + SAME * ahead.alone:
                return greedy, ahead.saved
        test = (ahead.column, ahead.place, ahead.left, ahead.missing, ahead.n_branches)
        offer = self.verbs.judged(held, *test)
        return (offer, ahead.saved) if offer.is_possible else (greedy, self.saved_by(held, greedy))

    def levels_for(self, held: _core.Node, room: int) -> int:
        """Return how far to look: not below the depth of the tree, and not where there are too many rows."""
        settings = self.settings
        levels = self.levels if room > 2 else 1
        if settings.max_depth is not None:
            levels = min(levels, settings.max_depth - held.depth)
        if levels > 1 and held.n_rows > settings.lookahead_rows:
            self.n_greedy += 1
            return 1
        return levels

    def saved_by(self, held: _core.Node, offer: _core.Offer | None) -> float:
        """Return what one test takes off, for each leaf that it adds; asked where leaves are counted."""
        if offer is None or self.settings.max_leaves is None:
            return 0.0
        below = sum(alone_of(part_at(self.asked, child)) for child in self.verbs.apply(held, offer)[0])
        return (alone_of(part_at(self.asked, held)) - below) / (offer.n_branches - 1)

    def below(self, there: Part, held: _core.Node, offer: _core.Offer) -> list[list[Part]]:
        """Return the branches of a test as look-ahead may take them: without surrogates."""
        if self.asked.gap_way == "heavier":
            return by_rule(there, offer)
        return [[part_at(self.asked, child) for child in self.verbs.apply(held, offer)[0]]]

    def divide(self, node: Open) -> list[Open]:
        """Return the branches of a node, each with its rows, put into the tree."""
        assert node.offer is not None
        children, missing, largest = self.verbs.apply(node.held, node.offer)
        opened = [self.opened(child, node.number) for child in children]
        self.verbs.split(node.number, node.offer, missing, largest, opened[0].number)
        return opened
