"""What stands in for gaps: the common value of a node's rows, or of all rows, told from cells.

Gaps join the cell of the value before anything is scored. A cell may hold other values too: all cuts beside
it are scored as they are, and what is inside is bounded with the gaps among it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from treewright import _core
from treewright.growth.question import Question
from treewright.growth.sourced.cells import Measured, Opened
from treewright.growth.sourced.source import Cells, Ints, numbers_of

NEVER = -1


class Fill:
    """The policies `most_common` and `most_common_overall`; under all others gaps stay what they are.

    `overall` has for each column the key that stands in for gaps in every node.
    """

    def __init__(self, question: Question, is_cut: Sequence[bool]) -> None:
        self.policy = question.core.missing
        self.is_classifier = question.is_classifier
        self.has_slack = question.core.weight_unit != 1
        self.is_number = [column.is_numeric for column in question.schema.columns]
        self.is_cut = is_cut
        self.overall: list[int | None] = []

    @property
    def is_overall(self) -> bool:
        """Whether one value stands in for gaps everywhere."""
        return self.policy == "most_common_overall"

    def place(self, column: int, cells: Cells) -> int:
        """Return the cell of the common value: the lower median of numbers, else the most frequent."""
        weights, rows = self._weights(cells), int(cells.figures[:, 0].sum())
        slack = rows if self.has_slack else 0
        if self.is_number[column]:
            half = 2 * np.cumsum(weights) + slack >= weights.sum()
            return int(np.argmax(half))
        best = 0
        for i, weight in enumerate(weights.tolist()):
            if weight > weights[best] + slack:
                best = i
        return best

    def _weights(self, cells: Cells) -> Ints:
        return cells.figures[:, 1:].sum(axis=1) if self.is_classifier else cells.figures[:, 1]

    def filled(self, column: int, cells: Cells, gaps: Cells) -> tuple[Cells, Cells, int]:
        """Return cells with the gaps among them, what is left of gaps, and the place of a cell that was made.

        The cell is made where no row has the value; else the place is -1.
        """
        if not gaps.figures[0, 0] or self.policy not in ("most_common", "most_common_overall"):
            return cells, gaps, NEVER
        made = NEVER
        if self.is_overall:
            key = self.overall[column]
            if key is None:
                return cells, gaps, NEVER
            at = int(np.searchsorted(cells.high, np.uint64(key)))
            if at == len(cells.high) or cells.low[at] > key:
                made, cells = at, _with_empty(cells, at, key)
        elif not len(cells.low):
            return cells, gaps, NEVER
        else:
            at = self.place(column, cells)
        figures, least, greatest = cells.figures.copy(), cells.least.copy(), cells.greatest.copy()
        figures[at] += gaps.figures[0]
        least[at] = min(least[at], gaps.least[0])
        greatest[at] = max(greatest[at], gaps.greatest[0])
        nothing = Cells(np.zeros_like(gaps.figures), *gaps[1:])
        return Cells(figures, cells.low, cells.high, least, greatest), nothing, made

    def with_branch(self, column: int, offer: _core.Offer) -> _core.Offer:
        """Return the offer with the branch of the value that stands in for gaps everywhere."""
        if not self.is_overall or not offer.is_possible or (key := self.overall[column]) is None:
            return offer
        if self.is_cut[column]:
            value = float(numbers_of(np.array([key], dtype=np.uint64))[0])
            return offer.with_missing(0 if value <= offer.cut else 1)
        at = int(np.searchsorted(offer.codes, key))
        is_known = at < len(offer.codes) and offer.codes[at] == key
        return offer.with_missing(int(offer.branches[at]) if is_known else -1)

    # ---- of all rows -------------------------------------------------------------------------------

    def find_overall(self, columns: Sequence[Measured], open_cells: Callable[[list[Opened]], None]) -> None:
        """Learn the common value of each column among all rows; cells of the root are opened as needed."""
        self.overall = [None] * len(columns)
        waiting = [measured for measured in columns if len(measured.cells.low)]
        while waiting:
            places = [self.place(measured.column, measured.cells) for measured in waiting]
            opened = []
            for measured, at in zip(waiting, places, strict=True):
                if measured.cells.low[at] < measured.cells.high[at]:
                    opened.append(Opened(measured, np.array([at])))
                else:
                    self.overall[measured.column] = int(measured.cells.low[at])
            open_cells(opened)
            waiting = [measured for measured, _ in opened]


def _with_empty(cells: Cells, at: int, key: int) -> Cells:
    """Return cells with one more, of a value that no row has."""
    value = np.uint64(key)
    return Cells(
        np.insert(cells.figures, at, 0, axis=0),
        np.insert(cells.low, at, value),
        np.insert(cells.high, at, value),
        np.insert(cells.least, at, np.iinfo(np.int64).max),
        np.insert(cells.greatest, at, np.iinfo(np.int64).min),
    )
