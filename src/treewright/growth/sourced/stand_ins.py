"""Surrogates from a source: the tests of other columns that best say which side a test sends a row to.

The two sides are the classes, so that cells, bounds and looks serve as they do for the target. Inside a cell
a cut agrees at most with all of one side there and none of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from treewright import _core
from treewright.growth.sourced.cells import Measured, Opened, flat, open_cells
from treewright.growth.sourced.source import NO_CODES, Ask, Cells, Keys, Move, Source, StandIn, numbers_of
from treewright.growth.sourced.together import IntegrityError

LEAST_ROWS = 2  # on either side of a cut


class Asked(NamedTuple):
    """A test of a node that rows may be unable to answer: where they go, and whether any is."""

    move: Move
    has_lacking: bool


class StandInSearch:
    """Finds the surrogates of tests of nodes whose rows a source holds."""

    def __init__(
        self,
        source: Source,
        growth: _core.Growth,
        is_cut: Sequence[bool],
        edges: Sequence[Keys],
        counts_gaps: bool,
    ) -> None:
        self.source, self.growth, self.is_cut, self.edges = source, growth, is_cut, edges
        self.counts_gaps = counts_gaps  # rows without the value of a stand-in count against it

    def find(self, tests: Sequence[Asked]) -> list[list[_core.Surrogate]]:
        """Return the surrogates of each test, best first; all nodes are asked at once."""
        asks = [
            Ask(test.move.node, c, edges, test.move)
            for test in tests
            for c, edges in enumerate(self.edges)
            if c != test.move.column
        ]
        counted = self.source.count(asks) if asks else []
        columns = [
            Measured.of(cells, ask, self.is_cut[ask.column], True)
            for ask, cells in zip(asks, counted, strict=True)
        ]
        self._check(columns)
        moving = [measured for measured in columns if measured.is_cut]
        while moving:
            opened = [one for measured in moving if len((one := self._to_open(measured)).which)]
            open_cells(self.source, opened)
            moving = [measured for measured, _ in opened]
        each = len(self.edges) - 1
        found = [self._ranked(columns[i * each : (i + 1) * each]) for i in range(len(tests))]
        return self._between_neighbours(tests, columns, found)

    def _check(self, columns: Sequence[Measured]) -> None:
        """Refuse answers in which the two sides of a test differ from column to column."""
        sides: dict[int, tuple[int, ...]] = {}
        for measured in columns:
            total = measured.cells.figures.sum(axis=0) + measured.gaps.figures[0]
            found = tuple(int(x) for x in total)
            if sides.setdefault(measured.node, found) != found:
                raise IntegrityError(
                    f"Node {measured.node}: the source counted the sides of a test as {found} by column "
                    f"{measured.column} and as {sides[measured.node]} by another. A part was lost or "
                    "counted twice; ask again."
                )

    def _to_open(self, measured: Measured) -> Opened:
        """Return the cells in which a cut may hide that agrees as often as the best one known."""
        figures = measured.cells.figures
        rows, left, right = figures[:, 0], figures[:, 1], figures[:, 2]
        straight = np.cumsum(left - right) + right.sum()  # agreement of the cut behind each cell
        all_of, before = left.sum() + right.sum(), straight - (left - right)
        n = np.cumsum(rows)
        is_cut = (n >= LEAST_ROWS) & (rows.sum() - n >= LEAST_ROWS)
        best = np.maximum(straight, all_of - straight)[is_cut].max(initial=0)
        bound = np.maximum(before + left, all_of - before + right)
        judged = figures.sum(axis=0) + (measured.gaps.figures[0] if self.counts_gaps else 0)
        many = measured.of_many
        return Opened(measured, many[(bound[many] >= best) & (bound[many] > judged[1:].max())])

    def _ranked(self, columns: Sequence[Measured]) -> list[_core.Surrogate]:
        found = [self._best_of(measured) for measured in columns]
        return self.growth.ranked([one for one in found if one is not None])

    def _best_of(self, measured: Measured) -> _core.Surrogate | None:
        cells = measured.cells
        low, high = measured.values(cells.low), measured.values(cells.high)
        gaps = flat(measured.gaps.figures)
        return self.growth.surrogate(measured.column, flat(cells.figures), gaps, low, high)

    def _between_neighbours(
        self, tests: Sequence[Asked], columns: Sequence[Measured], found: list[list[_core.Surrogate]]
    ) -> list[list[_core.Surrogate]]:
        """Return stand-ins with their cuts half-way to the next value of any row, with a side or without."""
        cells_of: dict[tuple[int, int], Cells] = {(m.node, m.column): m.cells for m in columns}
        asks, places, lows = [], [], []
        for t, test in enumerate(tests):
            for i, one in enumerate(found[t]):
                if not (test.has_lacking and one.is_cut):
                    continue
                cells = cells_of[test.move.node, one.column]
                low, high = cells.high[one.place], cells.low[one.place + 1]
                asks.append(Ask(test.move.node, one.column, np.array([low + 1, high], dtype=np.uint64)))
                places.append((t, i))
                lows.append(low)
        for (t, i), low, counted in zip(places, lows, self.source.count(asks) if asks else [], strict=True):
            if counted.figures[1, 0]:
                below, above = numbers_of(np.array([low, counted.low[1]], dtype=np.uint64)).tolist()
                found[t][i] = found[t][i].with_cut(_core.midpoint(below, above))
        return found


def stand_in(one: _core.Surrogate) -> StandIn:
    """Return a surrogate as a source is told it."""
    codes, branches = (NO_CODES, NO_CODES) if one.is_cut else (one.codes, one.branches)
    return StandIn(one.column, float(one.cut), codes, branches, one.is_flipped)
