"""The slow twin of a calculation: worked out row by row, as it is written down."""

from __future__ import annotations

import math

from treewright.export import expression as e
from treewright.export.cells import is_number


class RefusedError(Exception):
    """A row without an answer."""


class Row:
    """One row, and what the steps come to."""

    def __init__(self, calculation, cells):
        self.calculation, self.cells = calculation, cells
        self.steps = {}
        for name, value in calculation.steps:
            try:
                self.steps[name] = self.value(value)
            except RefusedError:
                self.steps[name] = None

    def cell(self, place):
        column, cell = self.calculation.columns[place], self.cells[place]
        if cell is None or is_number(column):
            return cell
        return column.categories.index(cell) if cell in column.categories else -2

    def truth(self, at):
        if isinstance(at, e.Gap):
            return self.cell(at.column) is None
        if isinstance(at, e.Among):
            return self.cell(at.column) in at.places
        if isinstance(at, e.Other):
            return self.cell(at.column) is not None and self.cell(at.column) not in at.places
        if isinstance(at, e.All):
            return all(map(self.truth, at.parts))
        if isinstance(at, e.Either):
            return any(map(self.truth, at.parts))
        try:
            left, right = self.value(at.left), self.value(at.right)
        except RefusedError:
            return False
        if left is None or right is None:
            return False
        return {"<=": left <= right, ">": left > right, ">=": left >= right}[at.sign]

    def value(self, at):
        if isinstance(at, e.Number):
            return at.value
        if isinstance(at, e.Class):
            return at.place
        if isinstance(at, e.Nothing):
            raise RefusedError
        if isinstance(at, e.Cell):
            return self._there(self.cell(at.column))
        if isinstance(at, e.Step):
            return self._there(self.steps[at.name])
        if isinstance(at, e.Case):
            return self.value(next((v for truth, v in at.whens if self.truth(truth)), at.otherwise))
        if isinstance(at, e.Lookup):
            found = at.values[int(self.value(at.place))]
            return int(found) if at.of_classes else found
        return self.worked_out(at)

    def worked_out(self, at):
        if isinstance(at, e.Sum):
            found = self.value(at.parts[0])
            for part in at.parts[1:]:
                found += self.value(part)
            return found
        if isinstance(at, e.Product):
            found = 1.0
            for part in at.parts:
                found *= self.value(part)
            return found
        if isinstance(at, e.Largest):
            return max(map(self.value, at.parts))
        if isinstance(at, e.Quotient):
            return self.value(at.above) / self.value(at.below)
        exponent = self.value(at.exponent)
        return math.exp(min(exponent, 709.0))

    def _there(self, value):
        if value is None:
            raise RefusedError
        return value

    def or_none(self, at):
        try:
            return self.value(at)
        except RefusedError:
            return None


def answers(calculation, cells):
    """Return label, probabilities and leaf of each row; None where it is refused."""
    found = []
    for i in range(cells.n_rows):
        row = Row(calculation, cells.row(i))
        label = row.or_none(calculation.label)
        if calculation.classes and label is not None:
            label = calculation.classes[label]
        chances = [row.or_none(chance) for chance in calculation.chances]
        leaf = None if calculation.leaf is None else row.or_none(calculation.leaf)
        found.append((label, chances, leaf))
    return found
