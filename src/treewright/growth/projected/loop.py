"""The loop: open the next node, decide on its test, divide its rows."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.draws import PROJECTIONS
from treewright.base.progress import Watcher
from treewright.growth.frontier import BestFirst, depth_first
from treewright.growth.projected import tidy
from treewright.growth.projected.judge import Ints, Judge, has_gap
from treewright.growth.projected.layout import Asked, Open, arrays_of
from treewright.growth.projected.search import Found, Near, best_sum, far_sum
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.route.router import router_of
from treewright.tree.policy import GAPS

BETTER = 1e-9  # of the score: by so much a sum must be better than a column


def grow_projected(
    question: Question, values: tuple[NDArray[Any], ...], settings: Settings, listener: Watcher | None
) -> dict[str, Any]:
    """Return the arrays of a tree whose tests may be on several columns, as the core returns them."""
    judge = Judge(question, values, settings)
    growth = _Growth(judge, settings, listener)
    root = growth.root()
    if settings.max_leaves is None:
        growth.all_of(root)
    else:
        growth.best_of(root, settings.max_leaves)
    has_gaps = [has_gap(cells) for cells in judge.cells]
    return arrays_of(root, np.array(has_gaps, dtype=np.uint8))


class _Growth:
    def __init__(self, judge: Judge, settings: Settings, listener: Watcher | None) -> None:
        self.judge, self.settings, self.listener = judge, settings, listener
        self.is_coded = np.array([not c.is_numeric for c in judge.schema.columns], dtype=np.uint8)
        self.gap_way = GAPS[settings.missing].way
        self.n_settled, self.n_rows = 0, len(judge.units)
        # For surrogates, and for a ledger without what was only tried.
        self.looks_again = self.gap_way == "surrogate" or settings.ledger

    def root(self) -> Open:
        rows = np.arange(self.n_rows)
        alone = self.judge.ask(rows, self.judge.units, [])
        tree = self.settings.tree
        path = _core.draw(self.settings.seed % 2**64, PROJECTIONS, tree, 0) if tree else 0
        return Open.of(alone, 0, rows, self.judge.units, depth=0, path=path)

    def all_of(self, root: Open) -> None:
        """Open every node, depth first."""

        def grow(node: Open) -> list[Open]:
            if self.decide(node):
                return self.divide(node)
            self.settle(len(node.rows))
            return []

        depth_first(root, grow)

    def best_of(self, root: Open, max_leaves: int) -> None:
        """Open the node whose test takes off most impurity next, until the budget of leaves is spent."""
        frontier, seen = BestFirst[Open](max_leaves), count()

        def enqueue(nodes: list[Open]) -> None:
            for node in nodes:
                if self.decide(node):
                    assert node.asked is not None
                    gain = node.asked.gain * self.judge.weight_of(node.rows, node.units)
                    frontier.push(node, gain, next(seen), node.asked.n_branches)

        def leave(node: Open) -> None:
            node.asked = None

        enqueue([root])
        frontier.run(lambda node: enqueue(self.divide(node)), leave)

    def settle(self, n: int) -> None:
        self.n_settled += n
        if self.listener is not None:
            self.listener(min(1.0, self.n_settled / max(1, self.n_rows)))

    def decide(self, node: Open) -> bool:
        """Find the test of a node; False where it stays a leaf."""
        settings = self.settings
        if settings.max_depth is not None and node.depth >= settings.max_depth:
            return False
        if not len(node.rows):
            return False
        judge = node.judge = self.judge.at_node(node.rows, node.path)
        alone = judge.ask(node.rows, node.units, [], keeps_ledger=True)
        if not len(alone["ledger_node"]):
            return False  # a limit on sizes or shares: nothing was looked at
        is_split = len(alone["end"]) > 1
        is_open = not is_split or judge.may_beat(alone, node.units)
        found = best_sum(judge, node.rows, node.units, node.path) if is_open else None
        if settings.lookahead == 2:
            found = self._look_ahead(node, alone if is_split else None, found)
        if found is not None and found.cut is None and is_split and not self._wins(found, alone):
            found = None
        if found is None and not is_split and not settings.ledger:
            return False
        node.asked = self._ask_again(node, found, alone)
        return node.asked.n_branches > 0

    def _look_ahead(self, node: Open, alone: dict[str, Any] | None, found: Found | None) -> Found | None:
        """Return a test that gains more in two levels than the best single one, else that one."""
        near = None
        if alone is not None or found is not None:
            best = self._ask_again(node, found if alone is None or self._wins(found, alone) else None)
            near = Near(best.routed[0] == 1, 1 if best.sum is None else len(best.sum))
        assert node.judge is not None
        far = far_sum(node.judge, node.rows, node.units, node.path, near)
        return found if far is None else far

    def _wins(self, found: Found | None, alone: dict[str, Any]) -> bool:
        axis = float(alone["score"][0])
        return found is not None and found.worth > axis + BETTER * abs(axis)

    def _ask_again(self, node: Open, found: Found | None, alone: dict[str, Any] | None = None) -> Asked:
        """Ask the core once more: with the sum that won, or without any; `alone` is what it said then."""
        judge = node.judge
        sums: list[NDArray[Any]] = []
        assert judge is not None
        if found is None and alone is not None and not self.looks_again:
            asked = Asked.of(alone, len(judge.cells), None)
            asked.routed = self._routed(node, alone, sums)
            return asked
        if found is not None:
            assert found.values is not None
            sums = [found.values]
        if found is not None and found.cut is not None:
            side = np.where(np.isnan(sums[0]), np.nan, (sums[0] > found.cut).astype(np.float64))
            arrays = judge.ask_alone(node.rows, node.units, side)
        else:
            arrays = judge.ask(node.rows, node.units, sums, keeps_ledger=self.settings.ledger, is_last=True)
        asked = Asked.of(arrays, len(judge.cells), None if found is None else found.sum)
        if asked.sum is not None:
            at = asked.cut if found is None or found.cut is None else found.cut
            known = sums[0][~np.isnan(sums[0])]
            low, high = known[known <= at].max(), known[known > at].min()
            arrays["cut"][0] = tidy.between(float(low), float(high))
        asked.routed = self._routed(node, arrays, sums)
        return asked

    def _routed(self, node: Open, arrays: dict[str, Any], sums: list[NDArray[Any]]) -> Any:
        """Return where rows go: the node of each, and the parts of divided ones."""
        cells = [np.ascontiguousarray(column[node.rows]) for column in self.judge.cells] + sums
        stats = arrays["stats"].reshape(-1, arrays["n_stats"])
        weight = stats.sum(axis=1) if self.judge.is_classifier else stats[:, 0]
        is_coded = np.concatenate([self.is_coded, np.zeros(len(sums), np.uint8)])
        return router_of(arrays, weight, is_coded, self.gap_way).route(cells, len(node.rows))

    def divide(self, node: Open) -> list[Open]:
        """Return the branches of a node, each with its rows."""
        assert node.asked is not None
        asked = node.asked
        place, part_row, part_place, part_weight = asked.routed
        whole = np.ones(len(node.rows), dtype=bool)
        whole[part_row] = False
        children = []
        for branch in range(asked.n_branches):
            mine = np.flatnonzero((place == branch + 1) & whole)
            rows, units = node.rows[mine], node.units[mine]
            parts = part_place == branch + 1
            if parts.any():
                rows, units = _with_parts(node, rows, units, part_row[parts], part_weight[parts])
            path = _core.draw(self.settings.seed % 2**64, PROJECTIONS, node.path, branch)
            children.append(Open.of(asked.arrays, branch + 1, rows, units, node.depth + 1, path))
        node.branches = children
        asked.routed = None
        node.rows = node.units = np.zeros(0, dtype=np.int64)
        node.judge = None
        return children


def _with_parts(node: Open, rows: Ints, units: Ints, part_row: Ints, share: Any) -> tuple[Ints, Ints]:
    """Return rows and units with the parts of rows that a gap divides; rows stay in their order."""
    more = np.maximum(np.rint(node.units[part_row] * share).astype(np.int64), 1)
    rows, units = np.concatenate([rows, node.rows[part_row]]), np.concatenate([units, more])
    order = np.argsort(rows, kind="stable")
    return rows[order], units[order]
