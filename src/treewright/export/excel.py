"""Excel: a formula with IFs inside each other, and a workbook with cells to fill and the answer."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

from treewright.base.names import choice
from treewright.export.calculate import BY_SHARES, calculation_of
from treewright.export.cells import Cells, is_number
from treewright.export.expression import Calculation, Case, Largest, Nothing, Step, Sum, Value
from treewright.export.format import Answers, Job
from treewright.export.office import Question, answers_of_office
from treewright.export.sheet_words import DIGITS, EPOCH, LARGEST, SheetWords, is_day
from treewright.export.sql import ANSWERS, answer_names
from treewright.export.workbook import Sheet, column_letters, workbook

_LONGEST, _DEEPEST = 8192, 64  # of a formula: letters, functions inside each other
_AT_ONCE = 40  # parts of a sum, ways of a choice, in one cell
_WORK = "Steps"
_SHORTER = "Give the categories shorter names."


def model_formula(model: Any, cell: str = "A2", answer: str = "label") -> str:
    """Return a model as a formula on a row of cells: the model's columns side by side, `cell` the first.

    `answer` is "label", "probabilities", "leaf" or "all"; of several each stands in a line, its name before
    it. A formula that Excel cannot read, because it is too long or too deep, is refused.

    >>> import treewright as tw
    >>> print(model_formula(tw.grow(tw.example("tennis"), "PlayTennis", "stump")))
    =IF(EXACT(C2,"Normal"),"Yes","No")
    """
    choice("answer", answer, ANSWERS)
    found = formulas(model, cell)
    names = answer_names(calculation_of(model), answer=answer)
    if answer == "label":
        return found["prediction"]
    return "\n".join(f"{_one_line(name)}\t{found[name]}" for name in names)


def formulas(model: Any, cell: str = "A2") -> dict[str, str]:
    """Return the formulas of a model by the names of its answers.

    >>> import treewright as tw
    >>> list(formulas(tw.grow(tw.example("tennis"), "PlayTennis", "stump")))[-1]
    'prediction_leaf'
    """
    found = re.fullmatch(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]*)", cell)
    if found is None:
        raise ValueError(f"cell={cell!r} is no cell; the first of the row is given as 'A2'.")
    first = 0
    for letter in found[1].upper():
        first = 26 * first + ord(letter) - 64
    calculation = calculation_of(model)
    if calculation.steps:
        raise ValueError(
            "This model takes steps that one formula cannot hold. Write a workbook: format='xlsx'."
        )
    words = SheetWords(
        calculation, lambda place: f"{column_letters(first - 1 + place)}{found[2]}", lambda name: name
    )
    values = _answers(calculation)
    return {name: _checked(f"={words.value(value)}") for name, value in values.items()}


def _answers(calculation: Calculation) -> dict[str, Value]:
    every = [calculation.label, *calculation.chances]
    every += [] if calculation.leaf is None else [calculation.leaf]
    return dict(zip(answer_names(calculation), every, strict=True))


def _checked(formula: str, way_out: str = "Write a workbook (format='xlsx'), or prune the tree.") -> str:
    depth = deepest = 0
    for sign in re.sub(r'"(?:[^"]|"")*"', "", formula):
        depth += (sign == "(") - (sign == ")")
        deepest = max(deepest, depth)
    if len(formula) > _LONGEST or deepest > _DEEPEST:
        raise ValueError(
            f"The formula is {len(formula):,} letters long and {deepest} levels deep; Excel reads "
            f"{_LONGEST:,} and {_DEEPEST}. {way_out}"
        )
    return formula


def _one_line(text: str) -> str:
    return " ".join(text.split())


# ---- a workbook ----------------------------------------------------------------------------------------


def model_workbook(model: Any) -> bytes:
    """Return a model as a workbook: cells to fill and the answer on one sheet, the steps on another.

    Of a tree every node is a step: the share of the row that gets there.
    """
    return _Workbook(model).written()


class _Workbook:
    """Lays out the cells of one workbook."""

    def __init__(self, model: Any) -> None:
        self.calculation = calculation_of(model, BY_SHARES)
        self.target = getattr(getattr(model, "target", None), "name", "class")
        self.first_input = 4  # the row, from 1
        self.steps: list[tuple[str, str]] = []  # the name and the formula of each
        self.rows: dict[str, int] = {}
        self.words = SheetWords(self.calculation, self._input, self._step)

    def _input(self, place: int) -> str:
        return f"Predict!$B${self.first_input + place}"

    def _step(self, name: str) -> str:
        return f"{_WORK}!$B${self.rows[name]}"

    def written(self) -> bytes:
        for name, value in self.calculation.steps:
            self._add(name, value)
        answers = {name: self._in_parts(name, value) for name, value in _answers(self.calculation).items()}
        return workbook([self._front(answers), self._work()])

    def _add(self, name: str, value: Value) -> None:
        short = self._in_parts(name, value)
        self.rows[name] = len(self.steps) + 2
        self.steps.append((name, _checked(f"={self.words.value(short)}", _SHORTER)))

    def _in_parts(self, name: str, value: Value) -> Value:
        """Return a value that fits one cell; what is too long for it gets cells of its own."""
        if isinstance(value, Case) and len(value.whens) > _AT_ONCE:
            found = self._in_parts(name, value.otherwise)
            whens = value.whens
            for n, first in enumerate(range(len(whens) - len(whens) % _AT_ONCE, -1, -_AT_ONCE)):
                some = whens[first : first + _AT_ONCE]
                if some:
                    found = self._part(name, n, Case(some, found)) if first else Case(some, found)
            return found
        if isinstance(value, Case) and isinstance(value.otherwise, Case):
            return Case(value.whens, self._in_parts(f"{name} else", value.otherwise))
        if isinstance(value, (Sum, Largest)) and len(value.parts) > _AT_ONCE:
            parts: list[Value] = list(value.parts)
            n = 0
            while len(parts) > _AT_ONCE:
                groups = [parts[i : i + _AT_ONCE] for i in range(0, len(parts), _AT_ONCE)]
                parts = [self._part(name, n + i, type(value)(tuple(group))) for i, group in enumerate(groups)]
                n += len(groups)
            return type(value)(tuple(parts))
        return value

    def _part(self, name: str, n: int, value: Value) -> Value:
        self._add(f"{name} part {n + 1}", value)
        return Step(f"{name} part {n + 1}")

    def _front(self, answers: Mapping[str, Value]) -> Sheet:
        sheet = Sheet("Predict", (34.0, 24.0, 60.0))
        sheet.put(0, 0, f"{self.target} by a model of treewright", style="title")
        sheet.put(1, 0, "Fill the yellow cells; one left empty is a missing value.")
        for place, column in enumerate(self.calculation.columns):
            row = self.first_input - 1 + place
            sheet.put(row, 0, column.name)
            sheet.put(row, 1, None, style="day" if is_day(column) else "input")
            sheet.put(row, 2, _kind_in_words(column), style="note")
        first = self.first_input + len(self.calculation.columns) + 1
        for i, (name, value) in enumerate(answers.items()):
            title = (
                self.target
                if not i
                else name.removeprefix("prediction_").replace("probability_", "probability of ", 1)
            )
            sheet.put(first - 1 + i, 0, title, style="" if i else "bold")
            formula = _checked(f"={self.words.value(value)}", _SHORTER)
            sheet.put_formula(first - 1 + i, 1, formula, style="" if i else "bold")
        return sheet

    def _work(self) -> Sheet:
        sheet = Sheet(_WORK, (24.0, 18.0, 90.0))
        sheet.put(0, 0, "step", style="bold")
        sheet.put(0, 1, "value", style="bold")
        for i, (name, formula) in enumerate(self.steps):
            sheet.put(i + 1, 0, name)
            sheet.put_formula(i + 1, 1, formula)
        return sheet


def _kind_in_words(column: Any) -> str:
    if is_day(column):
        return "a date"
    return "a number" if is_number(column) else f"one of: {column.categories_in_words(12)}"


# ---- running it ----------------------------------------------------------------------------------------


def representable(cells: Cells, options: Mapping[str, Any]) -> Cells:  # noqa: ARG001 (all formats are asked so)
    """Return rows as a sheet holds and compares them: numbers of 14 digits, dates to the second.

    >>> from treewright.table import Column, Kind
    >>> column = Column("x", Kind.numeric)
    >>> representable(Cells((column,), ([0.1 + 0.2, 5e-324, None, float("inf")],)), {}).values[0]
    [0.3, 0.0, None, 9.9e+307]
    """
    values = []
    for column, given in zip(cells.columns, cells.values, strict=True):
        if not is_number(column):
            values.append([None if cell == "" else cell for cell in given])
        elif is_day(column):
            values.append([_day(column, cell) for cell in given])
        else:
            values.append([None if cell is None else _held(cell) for cell in given])
    return Cells(cells.columns, tuple(values))


def _held(cell: float) -> float:
    if math.isinf(cell) or abs(cell) > LARGEST:
        return math.copysign(LARGEST, cell)
    return float(f"{cell:.{DIGITS - 1}e}") if abs(cell) > 2.3e-308 else 0.0


def _day(column: Any, cell: float | None) -> float | None:
    if cell is None or not 1 - EPOCH <= cell < 2.9e6 or column.notation is None:
        return None
    return float(round(float(column.notation.floor(cell)) * 86400) / 86400)


def answers_of_formulas(jobs: Sequence[Job]) -> list[Answers]:
    """Return what LibreOffice makes of the formulas."""
    asked = []
    for job in jobs:
        found = formulas(job.model)
        sheet = Sheet("Predict", ())
        for i, formula in enumerate(found.values()):
            sheet.put_formula(2, i, formula)
        places = [(1, i) for i in range(len(job.cells.columns))]
        asked.append(Question(workbook([sheet]), places, [(2, i) for i in range(len(found))], job.cells))
    return _read(jobs, answers_of_office(asked))


def answers_of_workbooks(jobs: Sequence[Job]) -> list[Answers]:
    """Return what LibreOffice makes of the workbooks."""
    asked = []
    for job in jobs:
        written = job.write()
        assert isinstance(written, bytes)
        n = len(job.cells.columns)
        n_answers = len(answer_names(calculation_of(job.model, BY_SHARES)))
        outputs = [(4 + n + i, 1) for i in range(n_answers)]
        asked.append(Question(written, [(3 + i, 1) for i in range(n)], outputs, job.cells))
    return _read(jobs, answers_of_office(asked))


def _read(jobs: Sequence[Job], found: list[list[list[Any]]]) -> list[Answers]:
    import numpy as np

    read = []
    for job, rows in zip(jobs, found, strict=True):
        calculation = calculation_of(job.model, BY_SHARES)
        width = len(calculation.chances)
        labels = [row[0] for row in rows]
        if calculation.classes:
            labels = [None if label is None else str(label) for label in labels]
        chances = np.array([[np.nan if p is None else p for p in row[1 : 1 + width]] for row in rows])
        leaves = None
        if calculation.leaf is not None:
            leaves = np.array([-1 if row[-1] is None else int(row[-1]) for row in rows])
        refused = np.array([label is None for label in labels])
        read.append(Answers(labels, chances if width else None, leaves, refused))
    return read


__all__ = ["Nothing", "answers_of_formulas", "answers_of_workbooks", "model_formula", "model_workbook"]
