"""The source on the blackboard (tests/oracle/source.py), spoken to as growth speaks to a source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from tests.oracle.source import Blackboard, Cell, PlainMove, PlainTest, Row
from treewright import _core
from treewright.growth.question import Question
from treewright.growth.sourced import Ask, Cells, Draw, Gathered, MemorySource, Move, StandIn, Stretches


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
        self.ordinals = [part.ordinals.tolist() for part in parts]
        self.kinds = [column.dtype for column in parts[0].values]
        self.target_kind = parts[0].target.dtype
        self.board = Blackboard([rows_of(part) for part in parts], is_cut, self.n_classes)

    def start(self, lot: Draw | None = None) -> None:
        if lot is None:
            self.board.start()
            return
        times = _core.bootstrap(lot.seed, lot.tree, lot.n_rows, lot.n_draws).tolist()
        self.board.start([[times[i] for i in ordinals] for ordinals in self.ordinals])

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        return [
            self._cells(
                self.board.count(ask.node, ask.column, ask.edges.tolist(), plain_side(ask.side)),
                2 if ask.side else self.n_classes,
            )
            for ask in asks
        ]

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        return [
            self._cells(
                self.board.look(
                    ask.node,
                    ask.column,
                    list(zip(ask.first.tolist(), ask.last.tolist(), strict=True)),
                    plain_side(ask.side),
                ),
                2 if ask.side else self.n_classes,
            )
            for ask in asks
        ]

    def _cells(self, cells: list[Cell], n_classes: int) -> Cells:
        width = 1 + n_classes if n_classes else 6
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

    def gather(self, nodes: Sequence[int]) -> list[Gathered]:
        return [self._gathered(self.board.gather(node)) for node in nodes]

    def _gathered(self, rows: list[Row]) -> Gathered:
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
    stand_ins = [(plain_test(one), one.is_flipped) for one in move.stand_ins]
    return PlainMove(move.node, plain_test(move), move.missing, move.first, move.shares.tolist(), stand_ins)


def plain_test(test: Move | StandIn) -> PlainTest:
    """Return a test as plain values."""
    pairs = dict(zip(test.codes.tolist(), test.branches.tolist(), strict=True))
    return PlainTest(test.column, test.cut, pairs or None)


def plain_side(side: Move | None) -> PlainTest | None:
    """Return the test whose branches are the classes, if there is one."""
    return None if side is None else plain_test(side)
