"""The search of a node whose rows are elsewhere: cells, then the few of them where the best cut may hide.

Between two cells the best cut is known exactly. Inside one it is worth no more than a bound; a cell whose
bound does not reach the best offer stays closed. The others are opened (`cells.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.growth.sourced.cells import Measured, Opened, check, flat, open_cells
from treewright.growth.sourced.fill import NEVER, Fill
from treewright.growth.sourced.source import Ask, Cells, Ints, Keys, Source, numbers_of


@dataclass
class Node:
    """A node on its way: what the core knows of it, what its rows amount to, and its columns."""

    number: int
    held: _core.Node
    figures: Ints
    used: list[int]
    columns: list[Measured] = field(default_factory=list)

    def measured(self, column: int) -> Measured:
        """Return one of its columns."""
        return next(measured for measured in self.columns if measured.column == column)


class Search:
    """The columns of a table whose rows a source holds."""

    def __init__(
        self,
        source: Source,
        growth: _core.Growth,
        is_cut: Sequence[bool],
        edges: Sequence[Keys],
        is_classifier: bool,
        *,
        asks_each: bool,
        opens_all: bool,
        fill: Fill,
        is_rough: bool = False,
    ) -> None:
        self.source, self.growth = source, growth
        self.is_cut, self.edges, self.is_classifier = is_cut, edges, is_classifier
        self.asks_each = asks_each  # the best test of each column is wanted, not only the node's
        self.opens_all = opens_all  # no bound says where the best cut may hide
        self.fill = fill  # what stands in for gaps
        self.is_rough = is_rough  # the ends of cells are asked for where a cut is taken
        self._learn_fill()

    def _learn_fill(self) -> None:
        """Find what stands in for gaps everywhere, where the policy says so."""
        if self.fill.is_overall:
            asks = [Ask(0, c, edges) for c, edges in enumerate(self.edges)]
            counted = zip(asks, self.source.count(asks), strict=True)
            columns = [Measured.of(cells, ask, self.is_cut[ask.column], True) for ask, cells in counted]
            self.fill.find_overall(columns, lambda opened: open_cells(self.source, opened))

    def measure(self, nodes: Sequence[Node]) -> None:
        """Fill in the columns of nodes: all cells counted, those opened that may hide the best cut."""
        asks = [
            Ask(node.number, c, edges, is_rough=self.is_rough)
            for node in nodes
            for c, edges in enumerate(self.edges)
            if c not in node.used
        ]
        by_number = {node.number: node for node in nodes}
        for ask, counted in zip(asks, self.source.count(asks), strict=True):
            node = by_number[ask.node]
            check(counted.figures.sum(axis=0), node.figures, ask, self.is_classifier)
            node.columns.append(Measured.of(counted, ask, self.is_cut[ask.column], self.is_classifier))
        moving = list(nodes)
        while moving:
            opened = {node.number: self._to_open(node) for node in moving}
            moving = [node for node in moving if opened[node.number]]
            open_cells(self.source, [one for node in moving for one in opened[node.number]])

    def offers(self, node: Node, n_columns: int) -> list[_core.Offer]:
        """Return what each column offers, in the order of the table."""
        found = {measured.column: measured.offer for measured in node.columns}
        nothing = np.zeros(0)
        no_figures = np.zeros(0, dtype=np.int64)
        blank = np.zeros(len(node.figures), dtype=np.int64)
        return [
            found.get(c) or self.growth.search_figures(node.held, c, no_figures, blank, nothing, nothing)
            for c in range(n_columns)
        ]

    def settled(self, taken: Sequence[tuple[Node, _core.Offer]]) -> list[_core.Offer]:
        """Return offers that are taken with their cuts half-way between the values beside them."""
        if not self.is_rough:
            return [offer for _, offer in taken]
        asks, found, places = [], [offer for _, offer in taken], []
        for i, (node, offer) in enumerate(taken):
            if not self.is_cut[offer.column]:
                continue
            cells = node.measured(offer.column).cells
            beside = slice(offer.place, offer.place + 2)
            if np.array_equal(cells.low[beside], cells.high[beside]):  # single values: they are known
                continue
            ends = [cells.low[offer.place], cells.high[offer.place] + np.uint64(1)]
            ends += [cells.low[offer.place + 1], cells.high[offer.place + 1] + np.uint64(1)]
            asks.append(Ask(node.number, offer.column, np.unique(np.array(ends, dtype=np.uint64))))
            places.append(i)
        for i, ask, counted in zip(places, asks, self.source.count(asks) if asks else [], strict=True):
            node, offer = taken[i]
            cells = node.measured(offer.column).cells
            below = counted.high[np.searchsorted(ask.edges, cells.low[offer.place], side="right")]
            above = counted.low[np.searchsorted(ask.edges, cells.low[offer.place + 1], side="right")]
            left, right = numbers_of(np.array([below, above], dtype=np.uint64)).tolist()
            found[i] = offer.with_cut(_core.midpoint(left, right))
        return found

    def divided(self, measured: Measured, offer: _core.Offer) -> tuple[list[Cells], Cells]:
        """Return the cells of each branch of an offer, and the gaps that nothing stands in for."""
        cells, gaps, _ = self.fill.filled(measured.column, measured.cells, measured.gaps)
        if measured.is_cut:
            branch = (np.arange(len(cells.low)) > offer.place).astype(np.int32)
        else:
            branch = offer.branches[np.searchsorted(offer.codes, cells.low.astype(np.int64))]
        return [cells.take(branch == b) for b in range(offer.n_branches)], gaps

    def _to_open(self, node: Node) -> list[Opened]:
        """Return the cells of each column that may hide a cut as good as the best one known."""
        for measured in node.columns:
            if measured.offer is None:
                measured.offer = self._offer(node, measured)
        values = [m.offer.value for m in node.columns if m.offer is not None and m.offer.is_possible]
        best = max(values, default=-np.inf)
        found = []
        for measured in node.columns:
            many = measured.of_many
            if not measured.is_cut or not len(many):
                continue
            if self.asks_each:
                best = measured.offer.value if measured.offer.is_possible else -np.inf
            bounds = self._bounds(node, measured)
            if len(which := many[bounds[many] >= best]):
                found.append(Opened(measured, which))
        return found

    def _offer(self, node: Node, measured: Measured) -> _core.Offer:
        cells, gaps, _ = self.fill.filled(measured.column, measured.cells, measured.gaps)
        low, high = measured.values(cells.low), measured.values(cells.high)
        offer = self.growth.search_figures(
            node.held, measured.column, flat(cells.figures), flat(gaps.figures), low, high
        )
        return self.fill.with_branch(measured.column, offer)

    def _bounds(self, node: Node, measured: Measured) -> NDArray[np.float64]:
        """Return of each cell what no cut inside it is worth more than."""
        if self.opens_all:
            return np.full(len(measured.cells.low), np.inf)
        cells, gaps, made = self.fill.filled(measured.column, measured.cells, measured.gaps)
        bounds = self.growth.bounds(
            node.held,
            flat(cells.figures),
            flat(gaps.figures),
            measured.values(cells.low),
            measured.values(cells.high),
            np.ascontiguousarray(cells.least),
            np.ascontiguousarray(cells.greatest),
        )
        return bounds if made == NEVER else np.delete(bounds, made)
