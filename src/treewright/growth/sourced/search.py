"""The search of a node whose rows are elsewhere: cells, then the few of them where the best cut may hide.

Between two cells the best cut is known exactly. Inside one it is worth no more than a bound; a cell whose
bound does not reach the best offer stays closed. The others are opened (`cells.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.growth.sourced.cells import Measured, Opened, check, flat, open_cells
from treewright.growth.sourced.drawn import ROOT, DrawnColumns
from treewright.growth.sourced.fill import NEVER, Fill
from treewright.growth.sourced.source import Ask, Cells, Ints, Keys, Source, numbers_of


@dataclass
class Node:
    """A node on its way: what the core knows of it, what its rows amount to, and its columns."""

    number: int
    held: _core.Node
    figures: Ints
    used: list[int]
    path: int = ROOT  # the way to it, by which columns are drawn
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
        drawn: DrawnColumns | None = None,
    ) -> None:
        self.source, self.growth = source, growth
        self.is_cut, self.edges, self.is_classifier = is_cut, edges, is_classifier
        self.asks_each = asks_each  # the best test of each column is wanted, not only the node's
        self.opens_all = opens_all  # no bound says where the best cut may hide
        self.fill = fill  # what stands in for gaps
        self.is_rough = is_rough  # the ends of cells are asked for where a cut is taken
        self.drawn = drawn  # None: every node asks all columns
        self._blanks: dict[int, _core.Offer] = {}
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
        waiting = {node.number: self._columns_of(node) for node in nodes}
        asking = list(nodes)
        while asking:
            places = {}
            for node in asking:
                few = self._n_wanted(node)
                places[node.number], waiting[node.number] = (
                    waiting[node.number][:few],
                    waiting[node.number][few:],
                )
            self._measure(asking, places)
            asking = [node for node in asking if waiting[node.number] and self._n_wanted(node) > 0]

    def _columns_of(self, node: Node) -> list[int]:
        """Return the columns that a node may ask, those first that come first."""
        columns = range(len(self.edges)) if self.drawn is None else self.drawn.order(node.path)
        return [c for c in columns if c not in node.used]

    def _n_wanted(self, node: Node) -> int:
        """Return how many columns a node still asks: where they are drawn, until enough can part it."""
        if self.drawn is None:
            return len(self.edges)
        n_possible: int = sum(measured.offer.is_possible for measured in node.columns)
        return self.drawn.n_columns - n_possible

    def _measure(self, nodes: Sequence[Node], columns: Mapping[int, Sequence[int]]) -> None:
        """Count columns of nodes, and open the cells that may hide the best cut."""
        asks = [
            Ask(node.number, c, self.edges[c], is_rough=self.is_rough)
            for node in nodes
            for c in columns[node.number]
        ]
        by_number = {node.number: node for node in nodes}
        for ask, counted in zip(asks, self.source.count(asks), strict=True):
            node = by_number[ask.node]
            check(counted.figures.sum(axis=0), node.figures, ask, self.is_classifier)
            node.columns.append(Measured.of(counted, ask, self.is_cut[ask.column], self.is_classifier))
        moving = list(nodes)
        while moving:
            opened = self._to_open(moving)
            moving = [node for node, some in zip(moving, opened, strict=True) if some]
            open_cells(self.source, [one for some in opened for one in some])

    def offers(self, node: Node, n_columns: int) -> list[_core.Offer]:
        """Return what each column offers, in the order of the table."""
        found = {measured.column: measured.offer for measured in node.columns}
        return [found.get(c) or self._blank(node, c) for c in range(n_columns)]

    def _blank(self, node: Node, column: int) -> _core.Offer:
        """Return what a column offers that a node does not ask: no test, and no node has one."""
        if column not in self._blanks:
            nothing, no_figures = np.zeros(0), np.zeros(0, dtype=np.int64)
            gaps = np.zeros(len(node.figures), dtype=np.int64)
            self._blanks[column] = self.growth.search_figures(
                node.held, column, no_figures, gaps, nothing, nothing
            )
        return self._blanks[column]

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

    def _to_open(self, nodes: Sequence[Node]) -> list[list[Opened]]:
        """Return of each node the cells of its columns that may hide a cut as good as the best one known."""
        self._find_offers(nodes)
        asked = [(node, m, m.of_many) for node in nodes for m in node.columns if m.is_cut]
        asked = [(node, m, many) for node, m, many in asked if len(many)]
        best = {node.number: _best(node.columns) for node in nodes}
        found: dict[int, list[Opened]] = {node.number: [] for node in nodes}
        bounds = self._bounds([(node, m) for node, m, _ in asked])
        for (node, measured, many), bound in zip(asked, bounds, strict=True):
            is_own = self.asks_each or (self.drawn is not None and not measured.offer.is_possible)
            limit = _best([measured]) if is_own else best[node.number]
            if len(which := many[bound[many] >= limit]):
                found[node.number].append(Opened(measured, which))
        return list(found.values())

    def _find_offers(self, nodes: Sequence[Node]) -> None:
        """Learn what columns offer whose cells have changed: one call of the core for all of them."""
        asked = [(node, m) for node in nodes for m in node.columns if m.offer is None]
        if not asked:
            return
        offers = self.growth.search_many(*self._together(asked).told)
        for (_, measured), offer in zip(asked, offers, strict=True):
            measured.offer = self.fill.with_branch(measured.column, offer)

    def _bounds(self, asked: Sequence[tuple[Node, Measured]]) -> list[NDArray[np.float64]]:
        """Return of each cell what no cut inside it is worth more than."""
        if self.opens_all or not asked:
            return [np.full(len(measured.cells.low), np.inf) for _, measured in asked]
        batch = self._together(asked)
        ends = [
            np.concatenate([getattr(cells, name) for cells in batch.cells]) for name in ("least", "greatest")
        ]
        bounds = self.growth.bounds_many(*batch.told, *map(np.ascontiguousarray, ends))
        of_each = np.split(bounds, np.cumsum(batch.told[3])[:-1])
        return [
            own if made == NEVER else np.delete(own, made)
            for own, made in zip(of_each, batch.made, strict=True)
        ]

    def _together(self, asked: Sequence[tuple[Node, Measured]]) -> _Batch:
        """Return columns of nodes as the core takes many of them, with what stands in for their gaps."""
        filled = [self.fill.filled(m.column, m.cells, m.gaps) for _, m in asked]
        cells = [own for own, _, _ in filled]
        nodes = {node.number: node.held for node, _ in asked}
        place = {number: i for i, number in enumerate(nodes)}
        sizes = np.array([len(own.low) for own in cells], dtype=np.int64)
        is_cut = np.repeat([m.is_cut for _, m in asked], sizes)
        low, high = (
            np.where(is_cut, numbers_of(keys), keys.astype(np.float64))
            for keys in (np.concatenate([getattr(own, name) for own in cells]) for name in ("low", "high"))
        )
        told = (
            list(nodes.values()),
            np.array([place[node.number] for node, _ in asked], dtype=np.int32),
            np.array([m.column for _, m in asked], dtype=np.int32),
            sizes,
            flat(np.concatenate([own.figures for own in cells])),
            flat(np.concatenate([gaps.figures for _, gaps, _ in filled])),
            low,
            high,
        )
        return _Batch(told, cells, [made for _, _, made in filled])


class _Batch(NamedTuple):
    """Columns of nodes as the core takes many of them; their cells, and which of these were made for gaps."""

    told: tuple[Any, ...]
    cells: list[Cells]
    made: list[int]


def _best(columns: Sequence[Measured]) -> float:
    """Return the value of the best offer of columns, each of which has made one."""
    return max((m.offer.value for m in columns if m.offer.is_possible), default=-np.inf)
