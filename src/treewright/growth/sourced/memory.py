"""The source in memory: columns as the core has them, counted in C++."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.growth.question import Question, core_columns, question_of
from treewright.growth.settings import Settings
from treewright.growth.sourced.source import Ask, Cells, Gathered, Ints, Keys, Move, Stretches
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
        target, self.more, weight = question.answers, question.of_target, question.units
        rows = np.arange(len(weight)) if rows is None else rows
        self.schema: Schema = question.schema
        self.is_classifier = question.is_classifier
        self.values = tuple(np.ascontiguousarray(column[rows]) for column in values)
        self.target = np.ascontiguousarray(target[rows])
        self.weight: Ints = np.ascontiguousarray(weight[rows])
        self.columns = core_columns(self.schema, self.values, settings)
        self.width = 1 + self.more if self.is_classifier else 6
        self.part = self._new_part()

    def _new_part(self) -> _core.Part:
        make = _core.Part.of_classes if self.is_classifier else _core.Part.of_numbers
        return make(self.columns, self.target, self.more, self.weight)

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        """Return what lies in the cells of each ask."""
        return [self._cells(self.part.count(*ask)) for ask in asks]

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        """Return a cell for each value in the stretches, ascending."""
        return [self._cells(self.part.look(*ask)) for ask in asks]

    def _cells(self, found: tuple[NDArray[Any], ...]) -> Cells:
        return Cells(found[0].reshape(-1, self.width), *found[1:])

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
        for move in moves:
            self.part.apply(*move)

    def gather(self, node: int) -> Gathered:
        """Return the rows of a node themselves."""
        rows = self.part.rows(node)
        return Gathered(tuple(column[rows] for column in self.values), self.target[rows], self.weight[rows])

    def tally(self, moves: Sequence[Move], n_nodes: int) -> Ints:
        """Return the figures of each node of a tree (nodes x width), all rows going down it from the root."""
        part, found = self._new_part(), np.zeros((n_nodes, self.width), dtype=np.int64)
        no_edges = np.zeros(0, dtype=np.uint64)
        for move in sorted(moves, key=lambda move: move.node):  # children have higher numbers
            found[move.node] = self._figures(part.count(move.node, 0, no_edges))
            part.apply(*move)
        for node in set(range(n_nodes)) - {move.node for move in moves}:
            found[node] = self._figures(part.count(node, 0, no_edges))
        return found

    def _figures(self, counted: tuple[NDArray[Any], ...]) -> Any:
        return self._cells(counted).figures.sum(axis=0)


def cut_into_parts(
    table: Table,
    target: str,
    n_parts: int,
    recipe: str = "plain",
    *,
    weights: Any = None,
    part_seed: int = 0,
    class_weight: Any = None,
    priors: Any = None,
    costs: Any = None,
    **settings: Any,
) -> tuple[list[MemorySource], Question, Settings]:
    """Return a table cut into parts at random, with the question and settings to grow from them.

    `part_seed` decides which row goes where; all else is as in `grow`.

    >>> import treewright as tw
    >>> parts, question, settings = cut_into_parts(tw.example("tennis"), "PlayTennis", 3)
    >>> len(parts), sum(len(part.weight) for part in parts)
    (3, 14)
    """
    chosen, rows = Settings.of(recipe, **settings), Rows.of(table, target, weights)
    question = question_of(rows, chosen, ClassTerms(class_weight, priors, costs))
    if question.schema.columns != rows.schema.columns:
        raise ValueError(
            "discretise=... makes intervals of numbers, which a source does not do; bin the table first."
        )
    values = (rows if question.rows is None else rows.take(question.rows)).columns
    part_of = np.random.default_rng(part_seed).integers(0, n_parts, len(question.units))
    parts = [MemorySource(question, values, chosen, np.flatnonzero(part_of == i)) for i in range(n_parts)]
    return parts, question, chosen
