"""The source in memory: columns as the core has them, counted in C++."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.growth.checks import any_gap
from treewright.growth.question import Question, core_columns, question_of
from treewright.growth.settings import Settings
from treewright.growth.sourced.source import (
    SIDES_WIDTH,
    Ask,
    Cells,
    Draw,
    Gathered,
    Ints,
    Keys,
    Move,
    Stretches,
)
from treewright.growth.sourced.units import in_whole_rows
from treewright.table import ClassTerms, Rows, Schema, Table


class MemorySource:
    """Rows of a table in memory; `rows` are some of those that the question counts, None: all of them.

    `values` are the columns of the question's schema.
    """

    def __init__(
        self,
        question: Question,
        values: Sequence[NDArray[Any]],
        settings: Settings,
        rows: NDArray[np.int64] | None = None,
    ) -> None:
        target, more, weight = question.answers, question.of_target, question.units
        rows = np.arange(len(weight)) if rows is None else rows
        self.schema: Schema = question.schema
        self.is_classifier = question.is_classifier
        self.ordinals = np.asarray(rows, dtype=np.int64)
        self.values = tuple(np.ascontiguousarray(column[rows]) for column in values)
        self.target = np.ascontiguousarray(target[rows])
        self.weight: Ints = np.ascontiguousarray(weight[rows])
        self.columns = core_columns(self.schema, self.values, settings)
        self.width = 1 + more if self.is_classifier else 6
        make = _core.Part.of_classes if self.is_classifier else _core.Part.of_numbers
        self.part: _core.Part = make(self.columns, self.target, more, self.weight)

    def start(self, lot: Draw | None = None) -> None:
        """Bring all rows back to the root: each as it is, or those that a draw says."""
        if lot is None:
            self.part.start(self.weight)
            return
        times = _times(lot)[self.ordinals]
        self.part.start(np.ascontiguousarray(times * self.weight))

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        """Return what lies in the cells of each ask."""
        return cells_from(self.part.count(asks), asks, self.width)

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        """Return a cell for each value in the stretches, ascending."""
        return cells_from(self.part.look(asks), asks, self.width)

    def squares(self, asks: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return the sum of squares of each ask."""
        return [self.part.squares(*ask) for ask in asks]

    def present(self, node: int, column: int) -> Keys:
        """Return the keys of a column in a node, ascending, each once."""
        return self.part.present(node, column)

    def largest_at_most(self, column: int, x: float) -> float:
        """Return the greatest value of a column among all rows that is not above x; else -inf."""
        return self.part.largest_at_most(column, x)

    def apply(self, moves: Sequence[Move]) -> None:
        """Divide nodes among their children."""
        self.part.apply(moves)

    def gather(self, nodes: Sequence[int]) -> list[Gathered]:
        """Return the rows of each node themselves."""
        return [self._gathered(*self.part.pieces(node)) for node in nodes]

    def _gathered(self, rows: NDArray[Any], weight: Ints) -> Gathered:
        return Gathered(tuple(column[rows] for column in self.values), self.target[rows], weight)

    def tally(self, moves: Sequence[Move], n_nodes: int) -> Ints:
        """Return the figures of each node of a tree (nodes x width), all rows going down it from the root."""
        return self.part.tally(moves, n_nodes).reshape(n_nodes, self.width)


@lru_cache(maxsize=1)
def _times(lot: Draw) -> NDArray[np.int32]:
    """Return how often each row of the table is drawn; the shards of a worker ask one after the other."""
    return _core.bootstrap(lot.seed, lot.tree, lot.n_rows, lot.n_draws)


def cells_from(found: tuple[NDArray[Any], ...], asks: Sequence[Ask | Stretches], width: int) -> list[Cells]:
    """Return the cells of each ask, as the core has them one behind the other; `width` is that of figures."""
    figures, low, high, least, greatest, sizes = found
    answers = []
    first = row = 0
    for ask, size in zip(asks, sizes.tolist(), strict=True):
        wide, last = width if ask.side is None else SIDES_WIDTH, first + size
        of_ask = figures[row : row + size * wide].reshape(size, wide)
        answers.append(
            Cells(of_ask, low[first:last], high[first:last], least[first:last], greatest[first:last])
        )
        first, row = last, row + size * wide
    return answers


def cut_into_parts(
    table: Table,
    target: str,
    n_parts: int,
    recipe: str = "plain",
    *,
    weights: Any = None,
    part_seed: int = 0,
    n_draws: int = 0,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    **settings: Any,
) -> tuple[list[MemorySource], Question, Settings]:
    """Return a table cut into parts at random, with the question and settings to grow from them.

    `part_seed` decides which row goes where; `n_draws` of rows have room in the weight of a node, for the
    trees of a forest. All else is as in `grow`.

    >>> import treewright as tw
    >>> parts, question, settings = cut_into_parts(tw.example("tennis"), "PlayTennis", 3)
    >>> len(parts), sum(len(part.weight) for part in parts)
    (3, 14)
    """
    chosen, rows = Settings.of(recipe, **settings), Rows.of(table, target, weights)
    question = question_of(rows, chosen, ClassTerms(class_weight, priors, costs), n_draws)
    if question.schema.columns != rows.schema.columns:
        raise ValueError(
            "discretise=... makes intervals of numbers, which a source does not do; bin the table first."
        )
    values = (rows if question.rows is None else rows.take(question.rows)).columns
    if not n_draws:
        question = in_whole_rows(question, bool(any_gap(rows.schema, values, len(question.units)).any()))
    part_of = np.random.default_rng(part_seed).integers(0, n_parts, len(question.units))
    parts = [MemorySource(question, values, chosen, np.flatnonzero(part_of == i)) for i in range(n_parts)]
    return parts, question, chosen
