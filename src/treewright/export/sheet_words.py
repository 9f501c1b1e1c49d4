"""Expressions as formulas of a spreadsheet: what stands in a cell is read as sheets read it.

A sheet compares numbers to about 15 digits and no further, so a threshold is rounded down to 14; a number of
at most 14 digits is compared as the model compares it. Texts are compared letter by letter (EXACT).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_FLOOR, Context, Decimal

from treewright.export import expression as e
from treewright.export.cells import is_number
from treewright.export.expression import Calculation, Truth, Value
from treewright.table import Column, Kind

DIGITS = 14
EPOCH = 25569  # the day 1970-01-01 as sheets count
_LONGEST = 255  # letters of a text in a formula
LARGEST = 9.9e307


def rounded_down(value: float) -> float:
    """Return the largest number of 14 digits that is not above a number.

    >>> rounded_down(0.1 + 0.2), rounded_down(-2.55), rounded_down(1 / 3)
    (0.3, -2.55, 0.33333333333333)
    """
    if value == 0 or math.isinf(value):
        return value
    near = float(f"{value:.{DIGITS - 1}e}")
    if near <= value:
        return near
    return float(Context(prec=DIGITS, rounding=ROUND_FLOOR).create_decimal(Decimal(value)))


def text(words: str) -> str:
    r"""Return a text as a formula has it; signs that end lines are CHAR(...), long ones are put together.

    >>> print(text("two\n lines"), text('an " inside'))
    "two"&CHAR(10)&" lines" "an "" inside"
    """
    parts: list[str] = []
    run = ""
    if "\0" in words:
        raise ValueError(f"The name {words!r:.60} holds a NUL, which no sheet can; replace it in the table.")
    for sign in words:
        if ord(sign) < 32:
            parts += [_quoted(run), f"CHAR({ord(sign)})"] if run else [f"CHAR({ord(sign)})"]
            run = ""
        elif len(run) >= _LONGEST - 5:
            parts.append(_quoted(run))
            run = sign
        else:
            run += sign
    parts += [_quoted(run)] if run or not parts else []
    return "&".join(parts)


def _quoted(run: str) -> str:
    doubled = run.replace('"', '""')
    return f'"{doubled}"'


class SheetWords:
    """Writes the expressions of one calculation; `cell` and `step` say where values stand."""

    def __init__(
        self, calculation: Calculation, cell: Callable[[int], str], step: Callable[[str], str]
    ) -> None:
        self.calculation, self.cell, self.step = calculation, cell, step

    def value(self, at: Value) -> str:
        """Return a value as a formula without the sign of equality."""
        if isinstance(at, e.Number):
            return self.number(at.value)
        if isinstance(at, e.Class):
            return text(self.calculation.classes[at.place])
        if isinstance(at, e.Nothing):
            return "NA()"
        if isinstance(at, e.Cell):
            return self.moved(at.column)
        if isinstance(at, e.Step):
            return self.step(at.name)
        if isinstance(at, e.Case):
            found = self.value(at.otherwise)
            for truth, value in reversed(at.whens):
                found = f"IF({self.truth(truth)},{self.value(value)},{found})"
            return found
        if isinstance(at, e.Lookup):
            values = [
                text(self.calculation.classes[int(v)]) if at.of_classes else self.number(v) for v in at.values
            ]
            return f"CHOOSE({self.value(at.place)}+1,{','.join(values)})"
        return self.worked_out(at)

    def worked_out(self, at: Value) -> str:
        """Return what is worked out of other values."""
        if isinstance(at, e.Sum):
            return "+".join(self.factor(part) for part in at.parts)
        if isinstance(at, e.Product):
            return "*".join(self.factor(part) for part in at.parts)
        if isinstance(at, e.Quotient):
            return f"{self.factor(at.above)}/{self.factor(at.below)}"
        if isinstance(at, e.Largest):
            return f"MAX({','.join(map(self.value, at.parts))})"
        assert isinstance(at, e.Power)
        return f"EXP(MAX(MIN({self.value(at.exponent)},700),-700))"

    def factor(self, at: Value) -> str:
        """Return a value as it stands in a product or a sum."""
        is_whole = isinstance(at, (e.Step, e.Cell, e.Case, e.Largest, e.Lookup, e.Power))
        is_plain = isinstance(at, e.Number) and at.value >= 0
        return self.value(at) if is_whole or is_plain else f"({self.value(at)})"

    def number(self, value: float) -> str:
        """Return a number as sheets write it."""
        if abs(value) > LARGEST:
            return repr(math.copysign(LARGEST, value)).upper()
        short = repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
        return short.upper()

    def moved(self, place: int) -> str:
        """Return a number as the model has it: days are counted from another one."""
        cell, column = self.cell(place), self.calculation.columns[place]
        return f"({cell}-{EPOCH})" if is_day(column) else cell

    # ---- truths -----------------------------------------------------------------------------------

    def truth(self, at: Truth) -> str:
        """Return a truth as a formula."""
        if isinstance(at, (e.All, e.Either)):
            if not at.parts:
                return "TRUE()" if isinstance(at, e.All) else "FALSE()"
            return f"{'AND' if isinstance(at, e.All) else 'OR'}({','.join(map(self.truth, at.parts))})"
        if isinstance(at, e.Compare):
            return self.compared(at)
        cell, column = self.cell(at.column), self.calculation.columns[at.column]
        if is_number(column):
            return f"NOT(ISNUMBER({cell}))" if isinstance(at, e.Gap) else f"ISNUMBER({cell})"
        if isinstance(at, e.Gap):
            return f'{cell}=""'
        there = f'{cell}<>""'
        members = [self.member(cell, column, place) for place in at.places]
        some = members[0] if len(members) == 1 else f"OR({','.join(members)})"
        if isinstance(at, e.Among):
            return some
        return f"AND({there},NOT({some}))" if members else there

    def member(self, cell: str, column: Column, place: int) -> str:
        """Return the truth that a cell is one category."""
        if column.kind is Kind.boolean:  # TRUE, or the text in any letters
            return f'({cell}&"")={text(column.categories[place].upper())}'
        return f"EXACT({cell},{text(column.categories[place])})"

    def compared(self, at: e.Compare) -> str:
        """Return a comparison; a cell that holds no number is neither above nor below."""
        left, right = self.value(at.left), self.value(at.right)
        if isinstance(at.left, e.Sum):  # GESTEP compares all digits, the signs of comparison but 15
            return f"GESTEP({right},{left})={int(at.sign == '<=')}" if at.sign != ">=" else (
                f"GESTEP({left},{right})=1"
            )  # fmt: skip
        if isinstance(at.right, e.Number) and isinstance(at.left, e.Cell):
            right = self.number(rounded_down(at.right.value))
        test = f"{left}{at.sign}{right}"
        if not isinstance(at.left, e.Cell):
            return test
        cell = self.cell(
            at.left.column
        )  # an empty cell would count as 0, and a text as more than all numbers
        return f"IF(ISNUMBER({cell}),{test},FALSE())"


def is_day(column: Column) -> bool:
    """Return whether a column holds dates, which sheets count from another day.

    >>> is_day(Column("x", Kind.numeric)), is_day(Column("born", Kind.date))
    (False, True)
    """
    kind = column.notation.kind if column.notation is not None else column.kind
    return kind is Kind.date
