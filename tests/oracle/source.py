"""A source on the blackboard: parts as lists of rows, every answer worked out row by row, then added up."""

from __future__ import annotations

import math
import struct
from bisect import bisect_right
from typing import NamedTuple

NEVER = (2**64 - 1, 0, 2**63 - 1, -(2**63))  # an empty cell: least above greatest


class Row(NamedTuple):
    """A row: values (a number, a category's code, or None), a class or whole target, a whole weight."""

    values: tuple[float | int | None, ...]
    target: int
    weight: int


class PlainMove(NamedTuple):
    """Where the rows of a node go: x <= cut left, or by category; gaps to `missing`, -1: nowhere."""

    node: int
    column: int
    cut: float
    branch_of: dict[int, int] | None
    missing: int
    first: int


Cell = tuple[list[int], int, int, int, int]  # figures, least and greatest key, least and greatest target


def key_of(value: float | int, is_number: bool) -> int:
    """Return the key of a value: the bits of a number so turned that they sort as it does; or the code."""
    if not is_number:
        return int(value)
    (bits,) = struct.unpack(">Q", struct.pack(">d", float(value) + 0.0))
    return 2**64 - 1 - bits if bits >= 2**63 else bits + 2**63


class Blackboard:
    """Rows in parts; `is_number` says of each column whether it is cut, `n_classes` is 0 for numbers."""

    def __init__(self, parts: list[list[Row]], is_number: list[bool], n_classes: int) -> None:
        self.parts, self.is_number, self.n_classes = parts, is_number, n_classes
        self.node = [[0] * len(rows) for rows in parts]

    # ---- what is asked -----------------------------------------------------------------------------

    def count(self, node: int, column: int, edges: list[int]) -> list[Cell]:
        """Return the cells between edges, and the gaps as one more."""
        answers = []
        for rows in self._parts_of(node):
            boxes: list[list[Row]] = [[] for _ in range(len(edges) + 2)]
            for row in rows:
                key = self._key(row, column)
                boxes[-1 if key is None else bisect_right(edges, key)].append(row)
            answers.append([self._cell(box, column) for box in boxes])
        return [self._added(cells) for cells in zip(*answers, strict=True)]

    def look(self, node: int, column: int, stretches: list[tuple[int, int]]) -> list[Cell]:
        """Return a cell for each value in the stretches."""
        together: dict[int, list[Cell]] = {}
        for rows in self._parts_of(node):
            boxes: dict[int, list[Row]] = {}
            for row in rows:
                key = self._key(row, column)
                if key is not None and any(low <= key <= high for low, high in stretches):
                    boxes.setdefault(key, []).append(row)
            for key, box in boxes.items():
                together.setdefault(key, []).append(self._cell(box, column))
        return [self._added(together[key]) for key in sorted(together)]

    def squares(self, node: int, centre: int, shift: int) -> int:
        """Return the squares of rounded deviations, times weight."""
        half = 0 if shift == 0 else 1 << (shift - 1)
        return sum(
            row.weight * ((row.target - centre + half) >> shift) ** 2
            for rows in self._parts_of(node)
            for row in rows
        )

    def present(self, node: int, column: int) -> list[int]:
        """Return the keys of a column in a node."""
        found: set[int] = set()
        for rows in self._parts_of(node):
            found |= {key for row in rows if (key := self._key(row, column)) is not None}
        return sorted(found)

    def largest_at_most(self, column: int, x: float) -> float:
        """Return the greatest value of all rows that is not above x."""
        known = [row.values[column] for rows in self.parts for row in rows]
        return max((float(v) for v in known if v is not None and v <= x), default=-math.inf)

    def apply(self, moves: list[PlainMove]) -> None:
        """Send the rows of nodes to their children."""
        for move in moves:
            for rows, node in zip(self.parts, self.node, strict=True):
                for i, row in enumerate(rows):
                    if node[i] == move.node:
                        branch = self._branch(move, row.values[move.column])
                        node[i] = -1 if branch < 0 else move.first + branch

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

    def _parts_of(self, node: int) -> list[list[Row]]:
        pairs = zip(self.parts, self.node, strict=True)
        return [[row for row, at in zip(rows, nodes, strict=True) if at == node] for rows, nodes in pairs]

    def _key(self, row: Row, column: int) -> int | None:
        value = row.values[column]
        return None if value is None else key_of(value, self.is_number[column])

    def _cell(self, rows: list[Row], column: int) -> Cell:
        keys = [2**64 - 1 if (key := self._key(row, column)) is None else key for row in rows]
        if not rows:
            return (self._figures(rows), *NEVER)
        targets = [row.target for row in rows]
        return (self._figures(rows), min(keys), max(keys), min(targets), max(targets))

    def _figures(self, rows: list[Row]) -> list[int]:
        if self.n_classes:
            weights = [sum(row.weight for row in rows if row.target == k) for k in range(self.n_classes)]
            return [len(rows), *weights]
        total = sum(row.weight * row.target for row in rows)
        limbs = [(total >> (32 * i)) % 2**32 for i in range(3)]
        return [len(rows), sum(row.weight for row in rows), *limbs, total >> 96]

    def _added(self, cells: tuple[Cell, ...] | list[Cell]) -> Cell:
        figures = [sum(column) for column in zip(*(cell[0] for cell in cells), strict=True)]
        low, high = min(cell[1] for cell in cells), max(cell[2] for cell in cells)
        return (figures, low, high, min(cell[3] for cell in cells), max(cell[4] for cell in cells))

    def _branch(self, move: PlainMove, value: float | int | None) -> int:
        if value is None:
            return move.missing
        if move.branch_of is None:
            return 0 if value <= move.cut else 1
        return move.branch_of.get(int(value), move.missing)
