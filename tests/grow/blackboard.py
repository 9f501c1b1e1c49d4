"""The source on the blackboard (tests/oracle/source.py), spoken to as growth speaks to a source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.oracle.source import Blackboard, Cell, PlainMove, Row
from treewright.growth.question import Question
from treewright.growth.sourced import Ask, Cells, Gathered, MemorySource, Move, Stretches


def rows_of(source: MemorySource) -> list[Row]:
    """Return the rows of a part as plain values."""
    columns = [
        [
            None if (value < 0 if column.dtype.kind == "i" else value != value) else value.item()
            for value in column
        ]
        for column in source.values
    ]
    count = range(len(source.weight))
    return [
        Row(tuple(column[i] for column in columns), int(source.target[i]), int(source.weight[i]))
        for i in count
    ]


class OnBlackboard:
    """A Source whose answers are worked out from lists."""

    def __init__(self, parts: Sequence[MemorySource], question: Question, is_cut: list[bool]) -> None:
        self.n_classes = len(question.target.categories) if question.is_classifier else 0
        self.kinds = [column.dtype for column in parts[0].values]
        self.target_kind = parts[0].target.dtype
        self.board = Blackboard([rows_of(part) for part in parts], is_cut, self.n_classes)

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        return [self._cells(self.board.count(ask.node, ask.column, ask.edges.tolist())) for ask in asks]

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        return [
            self._cells(
                self.board.look(
                    ask.node, ask.column, list(zip(ask.first.tolist(), ask.last.tolist(), strict=True))
                )
            )
            for ask in asks
        ]

    def _cells(self, cells: list[Cell]) -> Cells:
        width = 1 + self.n_classes if self.n_classes else 6
        figures = np.array([cell[0] for cell in cells], dtype=np.int64).reshape(-1, width)
        keys = [np.array([cell[i] for cell in cells], dtype=np.uint64) for i in (1, 2)]
        return Cells(figures, *keys, *(np.array([cell[i] for cell in cells], dtype=np.int64) for i in (3, 4)))

    def squares(self, asks: Sequence[tuple[int, int, int]]) -> list[int]:
        return [self.board.squares(*ask) for ask in asks]

    def present(self, node: int, column: int) -> Any:
        return np.array(self.board.present(node, column), dtype=np.uint64)

    def largest_at_most(self, column: int, x: float) -> float:
        return self.board.largest_at_most(column, x)

    def apply(self, moves: Sequence[Move]) -> None:
        self.board.apply([plain(move) for move in moves])

    def gather(self, node: int) -> Gathered:
        rows = self.board.gather(node)
        values = tuple(
            np.array([_cell(row.values[c], kind) for row in rows], dtype=kind)
            for c, kind in enumerate(self.kinds)
        )
        target = np.array([row.target for row in rows], dtype=self.target_kind)
        return Gathered(values, target, np.array([row.weight for row in rows], dtype=np.int64))

    def tally(self, moves: Sequence[Move], n_nodes: int) -> Any:
        return np.array(self.board.tally([plain(move) for move in moves], n_nodes), dtype=np.int64)


def _cell(value: Any, kind: Any) -> Any:
    if value is not None:
        return value
    return -1 if np.dtype(kind).kind == "i" else np.nan


def plain(move: Move) -> PlainMove:
    """Return a move as plain values."""
    pairs = dict(zip(move.codes.tolist(), move.branches.tolist(), strict=True))
    return PlainMove(move.node, move.column, move.cut, pairs or None, move.missing, move.first)
