"""Conditions on several columns in SQL: the sum, whether all it needs is there, and what is not."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

from treewright.rules.several import Pairs, SumCondition
from treewright.table import Column, Kind, Schema
from treewright.table.sql import dialect_of, literal, quoted
from treewright.tree.terms import ABOVE, AT_MOST, IS, VALUE, Term

Among = Callable[[Column, Sequence[str]], list[str]]  # the SQL for "one of these categories", some ways
Between = Callable[[Column, str, "float | None", "float | None"], list[str]]  # for low < x <= high


class SumWriter(NamedTuple):
    """Writes sums for one database; how single columns are asked, it is told."""

    schema: Schema
    dialect: str | None
    among: Among
    between: Between

    def passing(self, condition: SumCondition) -> str | None:
        """Return when all columns have values and the sum lies between its bounds; None: never."""
        if not condition.has_known:
            return None
        pairs = self.pairs(condition)
        total = self.total(pairs)
        tests = [] if condition.low is None else [f"{total} > {self.number(condition.low)}"]
        most = condition.high
        if most is None and self._may_cancel(pairs):
            most = math.inf  # to databases, what is no number is larger than all
        tests += [] if most is None else [f"{total} <= {self.number(most)}"]
        return " AND ".join([*(self.is_known(column) for column in self.columns(pairs)), *tests])

    def without_value(self, condition: SumCondition, is_gap: bool) -> list[str]:
        """Return the ways in which a gap, or else a new category, is the first of what is not there."""
        pairs = self.pairs(condition)
        known: list[str] = []
        ways = []
        columns = self.columns(pairs)
        matters = any(map(_has_news, columns))  # which of them comes first
        for column in columns:
            cell = quoted(column.name, self.dialect)
            if is_gap:
                ways.append(_all([*known, f"{cell} IS NULL"]))
            elif _has_news(column):
                listed = ", ".join(literal(c, self.dialect) for c in column.categories)
                ways.append(_all([*known, f"{cell} NOT IN ({listed})"]))
            known += [self.is_known(column)] if matters else []
        if is_gap and self._may_cancel(pairs):
            is_number = f"{self.total(pairs)} <= {self.number(math.inf)}"
            known = [self.is_known(column) for column in columns]
            ways.append(_all([*known, f"CASE WHEN {is_number} THEN 0 ELSE 1 END = 1"]))
        return ways

    def pairs(self, condition: SumCondition) -> Pairs:
        """Return the terms as trees have them."""
        return tuple(term.in_schema(self.schema) for term in condition.terms)

    def columns(self, pairs: Pairs) -> list[Column]:
        """Return the columns of a sum, each once, in the order of its terms."""
        return [self.schema.columns[place] for place in dict.fromkeys(term.column for term, _ in pairs)]

    def is_known(self, column: Column) -> str:
        """Return when a cell has a value that the tree has met."""
        if _has_news(column):
            return _any(self.among(column, column.categories))
        return f"{quoted(column.name, self.dialect)} IS NOT NULL"

    def total(self, pairs: Pairs) -> str:
        """Return the sum, its terms added from left to right; only where all columns have values."""
        parts = []
        for term, weight in pairs:
            value = self.value(term, self.schema.columns[term.column])
            parts.append(value if weight == 1 else f"{self.number(weight)} * {value}")
        return f"({' + '.join(parts)})"

    def value(self, term: Term, column: Column) -> str:
        """Return what a term counts: a number, a rank, or 1 where its condition holds and 0 elsewhere."""
        cell = quoted(column.name, self.dialect)
        if column.is_numeric:
            if term.form == VALUE:
                _refuse_moments(column)
                return cell
            bounds = (None, term.at) if term.form == AT_MOST else (term.at, None)
            return _one_where(self.between(column, cell, *bounds))
        ranks = range(len(column.categories))
        if term.form == VALUE:
            whens = [f"WHEN {_any(self.among(column, (column.categories[r],)))} THEN {r}e0" for r in ranks]
            return f"CASE {' '.join(whens)} END"
        passing = {IS: term.at.__eq__, AT_MOST: term.at.__ge__, ABOVE: term.at.__lt__}[term.form]
        return _one_where(self.among(column, [column.categories[r] for r in ranks if passing(float(r))]))

    def number(self, x: float) -> str:
        """Return a number that is a double wherever it is read."""
        text = literal(float(x), self.dialect)
        return f"{text}e0" if text.lstrip("-").isdigit() else text

    def _may_cancel(self, pairs: Pairs) -> bool:
        n = sum(t.form == VALUE and self.schema.columns[t.column].is_numeric for t, _ in pairs)
        return n > 1 and dialect_of(self.dialect).infinity is not None


def _has_news(column: Column) -> bool:
    return not column.is_numeric and column.edges is None


def _refuse_moments(column: Column) -> None:
    kind = column.notation.kind if column.notation is not None else column.kind
    if kind in (Kind.date, Kind.time):
        raise ValueError(
            f"Column {column.name!r} holds dates or times, which databases do not add up with numbers. "
            "Leave it out of sums: grow the tree without splits='linear'."
        )


def _one_where(ways: list[str]) -> str:
    return f"CASE WHEN {_any(ways)} THEN 1e0 ELSE 0e0 END"


def _any(ways: Sequence[str]) -> str:
    return "FALSE" if not ways else ways[0] if len(ways) == 1 else f"({' OR '.join(ways)})"


def _all(tests: Sequence[str]) -> str:
    return tests[0] if len(tests) == 1 else f"({' AND '.join(tests)})"
