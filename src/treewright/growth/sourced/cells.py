"""Columns of nodes as cells, and how cells are opened: looked into, or zoomed.

A cell of few rows is looked into, value by value; one of more is **zoomed**, counted again by 256 finer
cells between its least and greatest value. A zoom narrows a stretch of keys to a 256th, so that eight of
them reach single values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth.sourced.edges import windows
from treewright.growth.sourced.source import (
    Ask,
    Cells,
    Ints,
    Keys,
    Move,
    Source,
    Stretches,
    joined,
    numbers_of,
)
from treewright.growth.sourced.together import IntegrityError

MOST_ROWS = 4096  # of a cell that is looked into; one of more is zoomed
MOST_ZOOMS = 8


@dataclass
class Measured:
    """A column of a node: cells in ascending order, none of them empty, and what has no value."""

    node: int
    column: int
    is_cut: bool
    is_classifier: bool  # the figures are weights of classes
    cells: Cells
    gaps: Cells
    side: Move | None = None  # whose branches are the classes
    n_zooms: int = 0
    offer: Any = None

    @classmethod
    def of(cls, counted: Cells, ask: Ask, is_cut: bool, is_classifier: bool) -> Measured:
        """Return a column as it was counted."""
        known = counted.take(slice(0, -1))
        full = known.take(np.flatnonzero(known.figures[:, 0]))
        return cls(ask.node, ask.column, is_cut, is_classifier, full, counted.take(slice(-1, None)), ask.side)

    def values(self, keys: Keys) -> NDArray[np.float64]:
        """Return the values that keys of the column stand for."""
        return np.ascontiguousarray(numbers_of(keys) if self.is_cut else keys.astype(np.float64))

    @property
    def of_many(self) -> NDArray[np.intp]:
        """The cells of more than one value."""
        return np.flatnonzero(self.cells.low < self.cells.high)


class Opened(NamedTuple):
    """Some cells of a column that are to be opened."""

    measured: Measured
    which: NDArray[np.intp]


def open_cells(source: Source, opened: Sequence[Opened]) -> None:
    """Replace cells by finer ones, for all columns and nodes at once: one count and one look."""
    asks, stretches = [], []
    for measured, which in opened:
        is_large = measured.cells.figures[which, 0] > MOST_ROWS
        large, small = _at(measured.cells, which[is_large]), _at(measured.cells, which[~is_large])
        place = measured.node, measured.column
        asks.append(Ask(*place, windows(large.low, large.high), measured.side))
        n_rows = int(small.figures[:, 0].sum())
        stretches.append(Stretches(*place, small.low, small.high, measured.side, n_rows))
        measured.n_zooms += bool(is_large.any())
        if measured.n_zooms > MOST_ZOOMS:
            raise IntegrityError(
                f"Column {measured.column} of node {measured.node} never reaches single values."
            )
    zooms = iter(_answers(source.count, [ask for ask in asks if len(ask.edges)]))
    looks = iter(_answers(source.look, [ask for ask in stretches if len(ask.first)]))
    for (measured, which), ask, stretch in zip(opened, asks, stretches, strict=True):
        old = _at(measured.cells, which)
        finer = []
        if len(ask.edges):
            counted, large = next(zooms).take(slice(0, -1)), old.take(old.figures[:, 0] > MOST_ROWS)
            finer.append(counted.take(_inside(counted, large) & (counted.figures[:, 0] > 0)))
        if len(stretch.first):
            finer.append(next(looks))
        new = _joined(finer)
        check(new.figures.sum(axis=0), old.figures.sum(axis=0), ask, measured.is_classifier)
        rest = np.ones(len(measured.cells.low), dtype=np.bool_)
        rest[which] = False
        measured.cells = _joined([measured.cells.take(rest), new]) if rest.any() else new
        measured.offer = None


def _at(cells: Cells, which: NDArray[np.intp]) -> Cells:
    """Return the cells at ascending places: as they are, where that is all of them."""
    return cells if len(which) == len(cells.low) else cells.take(which)


def _joined(parts: Sequence[Cells]) -> Cells:
    return parts[0] if len(parts) == 1 else joined(parts)


def _answers(ask: Any, asks: Sequence[Any]) -> list[Cells]:
    """Return the answers; nothing is asked where there is nothing to ask."""
    return ask(asks) if asks else []


def check(found: Ints, wanted: Ints, ask: Ask, is_classifier: bool) -> None:
    """Refuse an answer that does not add up to the rows it is about."""
    if not np.array_equal(found, wanted) and amounts(found, is_classifier) != amounts(wanted, is_classifier):
        raise IntegrityError(
            f"Node {ask.node}, column {ask.column}: the source counted {int(found[0])} rows of "
            f"{int(wanted[0])}, or another weight. A part was lost or counted twice; ask again."
        )


def amounts(figures: Ints, is_classifier: bool) -> tuple[int, ...]:
    """Return figures as whole numbers, the limbs of a sum put together.

    >>> amounts(np.array([2, 5, 7]), True), amounts(np.array([2, 5, 1, 1, 0, 0]), False)
    ((2, 5, 7), (2, 5, 4294967297))
    """
    whole = [int(x) for x in figures]
    if is_classifier:
        return tuple(whole)
    return (whole[0], whole[1], sum(limb << (32 * i) for i, limb in enumerate(whole[2:])))


def _inside(cells: Cells, stretches: Cells) -> NDArray[np.bool_]:
    """Return which cells lie in one of the stretches, between its least and greatest key."""
    place = np.searchsorted(stretches.low, cells.low, side="right") - 1
    return (place >= 0) & (cells.high <= stretches.high[np.maximum(place, 0)])


def flat(figures: Any) -> Ints:
    """Return figures as the core takes them: row after row."""
    return np.ascontiguousarray(figures).reshape(-1)
