"""SQL: expressions that answer as the model does, or a SELECT with them beside the columns of a table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from treewright.base.names import choice
from treewright.export.calculate import MOST_LEVELS, calculation_of
from treewright.export.expression import (
    All,
    Among,
    Calculation,
    Case,
    Cell,
    Class,
    Compare,
    Either,
    Gap,
    Largest,
    Lookup,
    Nothing,
    Number,
    Other,
    Power,
    Product,
    Quotient,
    Step,
    Sum,
    Truth,
    Value,
    parts_of,
)
from treewright.rules.ruleset import RuleSet
from treewright.rules.sql import to_sql as rules_to_sql
from treewright.table import Column, Kind
from treewright.table.sql import column_name, dialect_of, literal, moment, quoted

ANSWERS = ("label", "probabilities", "leaf", "all")
_MOST_STEPS = 1500  # columns of a table inside: PostgreSQL has at most 1,664, SQLite 2,000
_MOST_LEVELS = {"sqlite": 10}  # of CASE inside each other, where the reader of statements has a small stack
_MOST_INSIDE = 3  # tables inside each other; more are named one after the other
_MOST_INLINE = {"clickhouse": 12_000}  # parts of all answers, where steps are written wherever they are used
_MOST_ELSEWHERE = 100_000
_AT_ONCE = 50  # arguments of a function, and terms of a sum without parentheses


def model_sql(
    model: Any,
    table: str | None = None,
    name: str = "prediction",
    dialect: str | None = None,
    answer: str = "label",
) -> str:
    """Return a model as an SQL expression, or as a SELECT on `table` with the answer in column `name`.

    `answer` is "label", "probabilities" (a column for each class), "leaf" (the number of the node), or "all".

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), "PlayTennis", "stump")
    >>> print(model_sql(tree))
    CASE
      WHEN "Humidity" = 'Normal' THEN 'Yes'
      ELSE 'No'
    END
    """
    choice("answer", answer, ANSWERS)
    if dialect_of(dialect).is_bounded and getattr(model, "has_models", False):
        raise ValueError(
            f"Models in leaves are not written for {dialect!r}: it stops with an error where a product is "
            "beyond the doubles, and the model then answers without its leaf's model. Grow the tree with "
            "leaves='constant', or answer in another database."
        )
    calculation = calculation_of(model, most=_MOST_LEVELS.get(dialect or "", MOST_LEVELS))
    writer = _Writer(calculation, dialect)
    found = dict(_wanted(model, calculation, writer, name, answer))
    if table is None and answer == "label":
        return found[name]
    listed = ",\n".join(f"{sql} AS {quoted(column, dialect)}" for column, sql in found.items())
    return listed if table is None else f"SELECT *,\n{listed}\nFROM {quoted(table, dialect)}"


def answer_names(calculation: Calculation, name: str = "prediction", answer: str = "all") -> list[str]:
    """Return the names of the columns with the answers.

    >>> import treewright as tw
    >>> answer_names(calculation_of(tw.grow(tw.example("tennis"), "PlayTennis", "stump")))
    ['prediction', 'prediction_probability_Yes', 'prediction_probability_No', 'prediction_leaf']
    """
    found = [name] if answer in ("label", "all") else []
    if answer in ("probabilities", "all") and calculation.chances:
        found += [f"{name}_probability_{c}" for c in calculation.classes]
    return found + ([f"{name}_leaf"] if answer in ("leaf", "all") and calculation.leaf is not None else [])


def _wanted(
    model: Any, calculation: Calculation, writer: _Writer, name: str, answer: str
) -> Iterator[tuple[str, str]]:
    names = answer_names(calculation, name, answer)
    if not names:
        what = "probabilities" if answer == "probabilities" else "a single leaf"
        raise ValueError(f"answer={answer!r}: this model has no {what}.")
    values: dict[str, Value] = {name: calculation.label, f"{name}_leaf": calculation.leaf or Nothing()}
    pairs = zip(calculation.classes, calculation.chances, strict=False)
    values |= {f"{name}_probability_{c}": chance for c, chance in pairs}
    for each in names:
        if each == name and isinstance(model, RuleSet) and (writer.rules.has_steps or not _has_select(model)):
            yield each, rules_to_sql(model, dialect=writer.dialect)
        else:
            yield each, writer.answer(values[each])


def _has_select(rules: RuleSet) -> bool:
    """Return whether the SQL of rules works out votes or shares in a SELECT of its own."""
    whole = all(not condition.divides for rule in rules.rules for condition in rule.conditions)
    return rules.decision == "vote" or (rules.decision == "shares" and not whole)


class _Writer:
    """Writes the expressions of one calculation for one database."""

    def __init__(self, calculation: Calculation, dialect: str | None) -> None:
        self.calculation, self.dialect = calculation, dialect
        self.rules = dialect_of(dialect)
        has_steps, inner = self.rules.has_steps, calculation.inner
        self.inner = {name: value for name, value in calculation.steps if name in inner or not has_steps}
        self.mark = "tw_"
        while any(column.name.lower().startswith(self.mark) for column in calculation.columns):
            self.mark += "_"  # no name of ours is one of theirs
        n_steps = len(calculation.steps) - len(self.inner)
        if n_steps > _MOST_STEPS:
            raise ValueError(
                f"The model takes {n_steps:,} columns inside, and databases have at most {_MOST_STEPS:,}. "
                "Prune it, use fewer trees, or grow it with missing='learned' (dividing rows needs one for "
                "each leaf)."
            )
        if not has_steps:
            self._check_size()

    def _check_size(self) -> None:
        """Refuse a model whose steps, written where they are used, are longer than databases read."""
        size: dict[str, int] = {}
        for name, value in self.inner.items():
            size[name] = _size(value, size)
        answers = [self.calculation.label, *self.calculation.chances]
        most = sum(_size(value, size) for value in answers)
        bound = _MOST_INLINE.get(self.dialect or "", _MOST_ELSEWHERE)
        if most > bound:
            raise ValueError(
                f"The model takes steps, which {self.dialect!r} has no place for inside an expression, and "
                f"expressions of {most:,} parts are longer than it reads ({bound:,}). Use fewer "
                "trees, prune, or answer in a database with steps: duckdb, sqlite or postgres."
            )

    # ---- answers ----------------------------------------------------------------------------------

    def answer(self, value: Value) -> str:
        """Return the SQL of an answer, with the steps that it needs inside it."""
        if not self.calculation.steps:
            return self.value(value, 0, is_float=False)
        levels = self._levels(value)
        if not levels:
            return self.value(value, 0, is_float=False)
        return self.with_steps(levels, self.value(value, 2, is_float=False))

    def with_steps(self, levels: list[list[tuple[str, Value]]], answer: str) -> str:
        """Return an answer from tables of one row, each with what the one before has and the next steps."""
        selects = []
        for n, steps in enumerate(levels):
            listed = ",\n  ".join(f"{self.value(v, 2)} AS {self.mark}{name}" for name, v in steps)
            selects.append(f"*,\n  {listed}" if n else listed)
        if len(levels) > _MOST_INSIDE:
            named = []
            for n, listed in enumerate(selects):
                source = f"\n  FROM {self.mark}{n}" if n else ""
                named.append(f"{self.mark}{n + 1} AS (SELECT {listed}{source})")
            return f"(WITH {', '.join(named)}\n  SELECT {answer}\n  FROM {self.mark}{len(named)})"
        source = ""
        for n, listed in enumerate(selects):
            source = f"\n  FROM (SELECT {listed}{source}) AS {self.mark}{n + 1}"
        return f"(SELECT {answer}{source})"

    def _levels(self, value: Value) -> list[list[tuple[str, Value]]]:
        """Return the steps that a value needs, those first that need no others."""
        values = dict(self.calculation.steps)
        level: dict[str, int] = {}
        needed = self._steps_in(value)
        for name, step in reversed(self.calculation.steps):
            if name in needed:
                needed |= self._steps_in(step)
        for name, step in self.calculation.steps:
            if name in needed and name not in self.inner:
                level[name] = 1 + max((level[other] for other in self._steps_in(step)), default=0)
        n_levels = max(level.values(), default=0)
        return [[(n, values[n]) for n, at in level.items() if at == i] for i in range(1, n_levels + 1)]

    def _steps_in(self, value: Value) -> set[str]:
        found: set[str] = set()
        for part in parts_of(value):
            if isinstance(part, Step):
                found |= self._steps_in(self.inner[part.name]) if part.name in self.inner else {part.name}
        return found

    # ---- values -----------------------------------------------------------------------------------

    def value(self, at: Value, indent: int, is_float: bool = True) -> str:
        if isinstance(at, Number):
            return self.number(at.value) if is_float else self.literal(at.value)
        if isinstance(at, Class):
            return self.literal(self.calculation.classes[at.place])
        if isinstance(at, Nothing):
            return "NULL"
        if isinstance(at, Cell):
            return self.name(self._number_column(at.column))
        if isinstance(at, Step):
            inner = self.inner.get(at.name)
            return f"{self.mark}{at.name}" if inner is None else self.factor(inner, indent)
        if isinstance(at, Case):
            return self.case(at, indent, is_float)
        if isinstance(at, Lookup):
            place = self.value(at.place, indent)
            said = [self.at_place(at, value, is_float) for value in at.values]
            return f"CASE {place} {' '.join(f'WHEN {i} THEN {text}' for i, text in enumerate(said))} END"
        return self.worked_out(at, indent)

    def at_place(self, at: Lookup, value: float, is_float: bool) -> str:
        if at.of_classes:
            return self.literal(self.calculation.classes[int(value)])
        return self.number(value) if is_float else self.literal(value)

    def worked_out(self, at: Value, indent: int) -> str:
        if isinstance(at, Sum):
            return self._in_groups([self.value(part, indent) for part in at.parts], " + ")
        if isinstance(at, Product):
            return " * ".join(self.factor(part, indent) for part in at.parts)
        if isinstance(at, Quotient):
            return f"{self.factor(at.above, indent)} / {self.factor(at.below, indent)}"
        if isinstance(at, Largest):
            return self._most([self.value(part, indent) for part in at.parts], self.rules.largest)
        assert isinstance(at, Power)
        smallest = "MIN" if self.rules.largest == "MAX" else "LEAST"
        top = self._most([self.value(at.exponent, indent), self.number(700.0)], smallest)
        return f"EXP({self._most([top, self.number(-600.0)], self.rules.largest)})"  # room for products

    def factor(self, at: Value, indent: int) -> str:
        text = self.value(at, indent)
        return f"({text})" if isinstance(at, (Sum, Product, Quotient)) or text.startswith("-") else text

    def _in_groups(self, parts: list[str], sign: str) -> str:
        """Return parts in a row, long rows in parentheses: databases read only so many in one."""
        while len(parts) > _AT_ONCE:
            groups = [parts[i : i + _AT_ONCE] for i in range(0, len(parts), _AT_ONCE)]
            parts = [f"({sign.join(group)})" for group in groups]
        return sign.join(parts)

    def _most(self, parts: list[str], function: str) -> str:
        while len(parts) > 1:
            groups = [parts[i : i + _AT_ONCE] for i in range(0, len(parts), _AT_ONCE)]
            parts = [f"{function}({', '.join(g)})" if len(g) > 1 else g[0] for g in groups]
        return parts[0]

    def case(self, at: Case, indent: int, is_float: bool) -> str:
        inside = " " * (indent + 2)
        lines = ["CASE"]
        for truth, value in at.whens:
            lines.append(f"{inside}WHEN {self.truth(truth)} THEN {self.value(value, indent + 2, is_float)}")
        if not isinstance(at.otherwise, Nothing):
            lines.append(f"{inside}ELSE {self.value(at.otherwise, indent + 2, is_float)}")
        return "\n".join([*lines, f"{' ' * indent}END"])

    def number(self, value: float) -> str:
        """Return a number that is a double wherever it is read: 1 by 2 is 0 among whole numbers."""
        text = self.literal(float(value))
        return f"{text}e0" if text.lstrip("-").isdigit() else text

    def literal(self, value: str | float) -> str:
        return literal(value, self.dialect)

    def name(self, column: Column) -> str:
        return column_name(column.name, self.dialect)

    def _number_column(self, place: int) -> Column:
        column = self.calculation.columns[place]
        if _is_moment(column):
            raise ValueError(
                f"Column {column.name!r} holds dates or times, which databases do not add up with numbers. "
                "Leave it out of sums: grow the tree without splits='linear' and leaves='linear'."
            )
        return column

    # ---- truths -----------------------------------------------------------------------------------

    def truth(self, at: Truth, is_inside: bool = False) -> str:
        if isinstance(at, (All, Either)):
            if not at.parts:
                return "TRUE" if isinstance(at, All) else "FALSE"
            sign = " AND " if isinstance(at, All) else " OR "
            text = self._in_groups([self.truth(part, is_inside=True) for part in at.parts], sign)
            return f"({text})" if is_inside else text
        if isinstance(at, Compare):
            return self.compared(at)
        cell = self.name(self.calculation.columns[at.column])
        if isinstance(at, Gap):
            return f"{cell} IS NULL"
        names = [self.literal(self.calculation.columns[at.column].categories[place]) for place in at.places]
        if isinstance(at, Other):
            if not names:
                return f"{cell} IS NOT NULL"
            return f"{cell} <> {names[0]}" if len(names) == 1 else f"{cell} NOT IN ({', '.join(names)})"
        assert isinstance(at, Among)
        return f"{cell} = {names[0]}" if len(names) == 1 else f"{cell} IN ({', '.join(names)})"

    def compared(self, at: Compare) -> str:
        column = self.calculation.columns[at.left.column] if isinstance(at.left, Cell) else None
        if column is not None and isinstance(at.right, Number):
            return self.beside(column, at.sign, at.right.value)
        if isinstance(at.right, Number) and math.isinf(at.right.value) and not self.rules.infinity:
            return "TRUE"  # of doubles that are always finite
        return f"{self.factor(at.left, 0)} {at.sign} {self.value(at.right, 0)}"

    def beside(self, column: Column, sign: str, bound: float) -> str:
        """Return a cell compared with a bound: a number, a date, a time; durations are days."""
        cell = self.name(column)
        if math.isinf(bound) and (_is_moment(column) or not self.rules.infinity):
            is_all = (bound > 0) == (sign == "<=")
            return f"{cell} IS NOT NULL" if is_all else "FALSE"
        if not _is_moment(column):
            return f"{cell} {sign} {self.literal(float(bound))}"
        kind = column.notation.kind if column.notation is not None else column.kind
        return f"{cell} {sign} {moment(column.text_of(bound), kind.value, self.dialect)}"


def _size(value: Value, of_steps: dict[str, int]) -> int:
    return sum(of_steps[part.name] if isinstance(part, Step) else 1 for part in parts_of(value))


def _is_moment(column: Column) -> bool:
    kind = column.notation.kind if column.notation is not None else column.kind
    return kind in (Kind.date, Kind.time)
