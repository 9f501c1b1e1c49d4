"""A source on the blackboard: parts as lists of rows, every answer worked out row by row, then added up."""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from itertools import accumulate, pairwise
from typing import NamedTuple

NEVER = (2**64 - 1, 0, 2**63 - 1, -(2**63))  # an empty cell: least above greatest


class Row(NamedTuple):
    """A row: values (a number, a category's code, or None), a class or whole target, a whole weight."""

    values: tuple[float | int | None, ...]
    target: int
    weight: int


class PlainTest(NamedTuple):
    """x <= cut left, or by category."""

    column: int
    cut: float
    branch_of: dict[int, int] | None

    def branch(self, row: Row) -> int:
        """Return the branch of a row; -1 where it has no answer."""
        value = row.values[self.column]
        if value is None:
            return -1
        if self.branch_of is None:
            return 0 if value <= self.cut else 1
        return self.branch_of.get(int(value), -1)


class PlainMove(NamedTuple):
    """Where the rows of a node go: by the test, else by the first stand-in (flipped or not) with an answer.

    Else they are divided by `shares`, or go to `missing` as a whole, -1: nowhere.
    """

    node: int
    test: PlainTest
    missing: int
    first: int
    shares: list[int]
    stand_ins: list[tuple[PlainTest, bool]]


Cell = tuple[list[int], int, int, int, int]  # figures, least and greatest key, least and greatest target


def key_of(value: float | int, is_number: bool) -> int:
    """Return the key of a value: the bits of a number so turned that they sort as it does; or the code."""
    if not is_number:
        return int(value)
    (bits,) = struct.unpack(">Q", struct.pack(">d", float(value) + 0.0))
    return 2**64 - 1 - bits if bits >= 2**63 else bits + 2**63


class Blackboard:
    """Rows in parts; `is_number` says of each column whether it is cut, `n_classes` is 0 for numbers.

    A node is a list of rows for each part; a row's weight is what it has in that node.
    """

    def __init__(self, parts: list[list[Row]], is_number: list[bool], n_classes: int) -> None:
        self.parts, self.is_number, self.n_classes = parts, is_number, n_classes
        self.nodes: dict[int, list[list[Row]]] = {0: parts}

    def start(self, times: list[list[int]] | None = None) -> None:
        """Bring all rows back to the root; `times` says how often each counts."""
        if times is None:
            self.nodes = {0: self.parts}
            return
        drawn = []
        for rows, counts in zip(self.parts, times, strict=True):
            pairs = zip(rows, counts, strict=True)
            drawn.append([row._replace(weight=row.weight * n) for row, n in pairs if n > 0])
        self.nodes = {0: drawn}

    # ---- what is asked -----------------------------------------------------------------------------

    def count(self, node: int, column: int, edges: list[int], side: PlainTest | None = None) -> list[Cell]:
        """Return the cells between edges, and the gaps as one more."""
        answers = []
        for rows in self._parts_of(node, side):
            boxes: list[list[Row]] = [[] for _ in range(len(edges) + 2)]
            for row in rows:
                key = self._key(row, column)
                boxes[-1 if key is None else bisect_right(edges, key)].append(row)
            answers.append([self._cell(box, column, side) for box in boxes])
        return [self._added(cells) for cells in zip(*answers, strict=True)]

    def look(
        self, node: int, column: int, stretches: list[tuple[int, int]], side: PlainTest | None = None
    ) -> list[Cell]:
        """Return a cell for each value in the stretches."""
        together: dict[int, list[Cell]] = {}
        for rows in self._parts_of(node, side):
            boxes: dict[int, list[Row]] = {}
            for row in rows:
                key = self._key(row, column)
                if key is not None and any(low <= key <= high for low, high in stretches):
                    boxes.setdefault(key, []).append(row)
            for key, box in boxes.items():
                together.setdefault(key, []).append(self._cell(box, column, side))
        return [self._added(together[key]) for key in sorted(together)]

    def squares(self, node: int, centre: int, shift: int) -> int:
        """Return the squares of rounded deviations, times weight."""
        half = 0 if shift == 0 else 1 << (shift - 1)
        return sum(row.weight * ((row.target - centre + half) >> shift) ** 2 for row in self.gather(node))

    def present(self, node: int, column: int) -> list[int]:
        """Return the keys of a column in a node."""
        return sorted({key for row in self.gather(node) if (key := self._key(row, column)) is not None})

    def largest_at_most(self, column: int, x: float) -> float:
        """Return the greatest value of all rows that is not above x."""
        known = [row.values[column] for rows in self.parts for row in rows]
        return max((float(v) for v in known if v is not None and v <= x), default=-math.inf)

    def apply(self, moves: list[PlainMove]) -> None:
        """Send the rows of nodes to their children."""
        for move in moves:
            for place, rows in enumerate(self.nodes.pop(move.node, [])):
                for row in rows:
                    for branch, weight in self._branches(move, row):
                        child = self.nodes.setdefault(move.first + branch, [[] for _ in self.parts])
                        child[place].append(row._replace(weight=weight))

    def gather(self, node: int) -> list[Row]:
        """Return the rows of a node."""
        return [row for rows in self._parts_of(node) for row in rows]

    def tally(self, moves: list[PlainMove], n_nodes: int) -> list[list[int]]:
        """Return the figures of each node of a tree."""
        found = []
        for node in range(n_nodes):
            fresh = Blackboard(self.parts, self.is_number, self.n_classes)
            fresh.apply([move for move in sorted(moves, key=lambda m: m.node) if move.node < node])
            found.append(self._figures(fresh.gather(node)))
        return found

    # ---- how it is worked out ----------------------------------------------------------------------

    def _branches(self, move: PlainMove, row: Row) -> list[tuple[int, int]]:
        """Return the branches that a row goes to, and what it weighs there."""
        branch = move.test.branch(row)
        for stand_in, is_flipped in move.stand_ins:
            if branch < 0 and (branch := stand_in.branch(row)) >= 0 and is_flipped:
                branch = 1 - branch
        if branch >= 0:
            return [(branch, row.weight)]
        if not move.shares:
            return [(move.missing, row.weight)] if move.missing >= 0 else []
        total = sum(move.shares)  # the weight is cut at their running totals
        edges = [(2 * row.weight * upto + total) // (2 * total) for upto in accumulate([0, *move.shares])]
        sizes = [high - low for low, high in pairwise(edges)]
        return [(b, size) for b, size in enumerate(sizes) if size > 0]

    def _parts_of(self, node: int, side: PlainTest | None = None) -> list[list[Row]]:
        """Return the rows of a node; where there is a side, those that have one, which is their target."""
        parts = self.nodes.get(node, [[] for _ in self.parts])
        if side is None:
            return parts
        with_side = [[row._replace(target=side.branch(row)) for row in rows] for rows in parts]
        return [[row for row in rows if row.target >= 0] for rows in with_side]

    def _key(self, row: Row, column: int) -> int | None:
        value = row.values[column]
        return None if value is None else key_of(value, self.is_number[column])

    def _cell(self, rows: list[Row], column: int, side: PlainTest | None = None) -> Cell:
        keys = [2**64 - 1 if (key := self._key(row, column)) is None else key for row in rows]
        n_classes = self.n_classes if side is None else 2
        if not rows:
            return (self._figures(rows, n_classes), *NEVER)
        targets = [row.target for row in rows]
        return (self._figures(rows, n_classes), min(keys), max(keys), min(targets), max(targets))

    def _figures(self, rows: list[Row], n_classes: int | None = None) -> list[int]:
        n_classes = self.n_classes if n_classes is None else n_classes
        if n_classes:
            weights = [sum(row.weight for row in rows if row.target == k) for k in range(n_classes)]
            return [len(rows), *weights]
        total = sum(row.weight * row.target for row in rows)
        limbs = [(total >> (32 * i)) % 2**32 for i in range(3)]
        return [len(rows), sum(row.weight for row in rows), *limbs, total >> 96]

    def _added(self, cells: tuple[Cell, ...] | list[Cell]) -> Cell:
        figures = [sum(column) for column in zip(*(cell[0] for cell in cells), strict=True)]
        low, high = min(cell[1] for cell in cells), max(cell[2] for cell in cells)
        return (figures, low, high, min(cell[3] for cell in cells), max(cell[4] for cell in cells))
