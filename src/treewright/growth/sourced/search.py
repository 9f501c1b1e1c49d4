"""The search of a node whose rows are elsewhere: cells, then the few of them where the best cut may hide.

Between two cells the best cut is known exactly. Inside one it is worth no more than a bound; a cell whose
bound does not reach the best offer stays closed. The others are opened: looked into, value by value, where
they hold few rows, else **zoomed**, counted again by 256 finer cells between their least and greatest value.
A zoom narrows a stretch of keys to a 256th, so that eight of them reach single values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.growth.sourced.edges import windows
from treewright.growth.sourced.source import Ask, Cells, Ints, Keys, Source, Stretches, joined, numbers_of
from treewright.growth.sourced.together import IntegrityError

MOST_ROWS = 4096  # of a cell that is looked into; one of more is zoomed
MOST_ZOOMS = 8


@dataclass
class Measured:
    """A column of a node: cells in ascending order, none of them empty, and what has no value."""

    column: int
    is_cut: bool
    cells: Cells
    gaps: Cells
    offer: _core.Offer | None = None
    n_zooms: int = 0

    @property
    def low(self) -> NDArray[np.float64]:
        """The least value of each cell."""
        return self._values(self.cells.low)

    @property
    def high(self) -> NDArray[np.float64]:
        """The greatest value of each cell."""
        return self._values(self.cells.high)

    def _values(self, keys: Keys) -> NDArray[np.float64]:
        return np.ascontiguousarray(numbers_of(keys) if self.is_cut else keys.astype(np.float64))


@dataclass
class Node:
    """A node on its way: what the core knows of it, what its rows amount to, and its columns."""

    number: int
    held: _core.Node
    figures: Ints
    used: list[int]
    columns: list[Measured] = field(default_factory=list)


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
    ) -> None:
        self.source, self.growth = source, growth
        self.is_cut, self.edges, self.is_classifier = is_cut, edges, is_classifier
        self.asks_each = asks_each  # the best test of each column is wanted, not only the node's
        self.opens_all = opens_all  # no bound says where the best cut may hide

    def measure(self, nodes: Sequence[Node]) -> None:
        """Fill in the columns of nodes: all cells counted, those opened that may hide the best cut."""
        asks = [
            Ask(node.number, c, edges)
            for node in nodes
            for c, edges in enumerate(self.edges)
            if c not in node.used
        ]
        by_number = {node.number: node for node in nodes}
        for ask, counted in zip(asks, self.source.count(asks), strict=True):
            node = by_number[ask.node]
            self.check(counted.figures.sum(axis=0), node.figures, ask)
            known = counted.take(slice(0, -1))
            full = known.take(np.flatnonzero(known.figures[:, 0]))
            gaps = counted.take(slice(-1, None))
            node.columns.append(Measured(ask.column, self.is_cut[ask.column], full, gaps))
        moving = list(nodes)
        while moving:
            opened = {node.number: self._to_open(node) for node in moving}
            moving = [node for node in moving if opened[node.number]]
            self._open([(node, *one) for node in moving for one in opened[node.number]])

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

    def _to_open(self, node: Node) -> list[tuple[Measured, NDArray[np.intp]]]:
        """Return the cells of each column that may hide a cut as good as the best one known."""
        for measured in node.columns:
            if measured.offer is None:
                measured.offer = self._offer(node, measured)
        values = [m.offer.value for m in node.columns if m.offer is not None and m.offer.is_possible]
        best = max(values, default=-np.inf)
        found = []
        for measured in node.columns:
            many = np.flatnonzero(measured.cells.low < measured.cells.high)
            if not measured.is_cut or not len(many):
                continue
            assert measured.offer is not None
            if self.asks_each:
                best = measured.offer.value if measured.offer.is_possible else -np.inf
            bounds = self._bounds(node, measured)
            if len(opened := many[bounds[many] >= best]):
                found.append((measured, opened))
        return found

    def _offer(self, node: Node, measured: Measured) -> _core.Offer:
        figures, gaps = _flat(measured.cells.figures), _flat(measured.gaps.figures)
        return self.growth.search_figures(
            node.held, measured.column, figures, gaps, measured.low, measured.high
        )

    def _bounds(self, node: Node, measured: Measured) -> NDArray[np.float64]:
        cells = measured.cells
        if self.opens_all:
            return np.full(len(cells.low), np.inf)
        figures, gaps = _flat(cells.figures), _flat(measured.gaps.figures)
        least, greatest = np.ascontiguousarray(cells.least), np.ascontiguousarray(cells.greatest)
        return self.growth.bounds(node.held, figures, gaps, measured.low, measured.high, least, greatest)

    def _open(self, opened: Sequence[tuple[Node, Measured, NDArray[np.intp]]]) -> None:
        """Replace cells by finer ones, for all nodes at once: one count and one look."""
        asks, stretches = [], []
        for node, measured, which in opened:
            cells = measured.cells.take(which)
            is_large = cells.figures[:, 0] > MOST_ROWS
            large, small = cells.take(is_large), cells.take(~is_large)
            asks.append(Ask(node.number, measured.column, windows(large.low, large.high)))
            stretches.append(Stretches(node.number, measured.column, small.low, small.high))
            measured.n_zooms += bool(is_large.any())
            if measured.n_zooms > MOST_ZOOMS:
                raise IntegrityError(
                    f"Column {measured.column} of node {node.number} never reaches single values."
                )
        zooms = iter(self.source.count([ask for ask in asks if len(ask.edges)]))
        looks = iter(self.source.look([ask for ask in stretches if len(ask.first)]))
        for (_, measured, which), ask, stretch in zip(opened, asks, stretches, strict=True):
            old = measured.cells.take(which)
            finer = []
            if len(ask.edges):
                counted, large = next(zooms).take(slice(0, -1)), old.take(old.figures[:, 0] > MOST_ROWS)
                finer.append(counted.take(_inside(counted, large) & (counted.figures[:, 0] > 0)))
            if len(stretch.first):
                finer.append(next(looks))
            new = joined(finer)
            self.check(new.figures.sum(axis=0), old.figures.sum(axis=0), ask)
            rest = np.setdiff1d(np.arange(len(measured.cells.low)), which)
            measured.cells = joined([measured.cells.take(rest), new])
            measured.offer = None

    def check(self, found: Ints, wanted: Ints, ask: Ask) -> None:
        """Refuse an answer that does not add up to the rows it is about."""
        if self.amounts(found) != self.amounts(wanted):
            raise IntegrityError(
                f"Node {ask.node}, column {ask.column}: the source counted {int(found[0])} rows of "
                f"{int(wanted[0])}, or another weight. A part was lost or counted twice; ask again."
            )

    def amounts(self, figures: Ints) -> tuple[int, ...]:
        """Return figures as whole numbers, the limbs of a sum put together."""
        whole = [int(x) for x in figures]
        if self.is_classifier:
            return tuple(whole)
        return (whole[0], whole[1], sum(limb << (32 * i) for i, limb in enumerate(whole[2:])))


def _inside(cells: Cells, stretches: Cells) -> NDArray[np.bool_]:
    """Return which cells lie in one of the stretches, between its least and greatest key."""
    place = np.searchsorted(stretches.low, cells.low, side="right") - 1
    return (place >= 0) & (cells.high <= stretches.high[np.maximum(place, 0)])


def _flat(figures: Any) -> Ints:
    return np.ascontiguousarray(figures).reshape(-1)
