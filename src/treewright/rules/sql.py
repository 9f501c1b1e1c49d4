"""Rules as one SQL expression: a CASE that any database can run on its own rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from treewright.rules.condition import Condition, Proxy, StandIn, bounds_of
from treewright.rules.decide import ALIKE, WHOLE, class_numbers, tree_shares
from treewright.rules.rule import Rule
from treewright.rules.several import SumCondition
from treewright.rules.sql_sums import SumWriter
from treewright.table import Column, Kind
from treewright.table.sql import column_name, dialect_of, literal, moment, quoted

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet


def to_sql(
    rules: RuleSet, table: str | None = None, name: str = "prediction", dialect: str | None = None
) -> str:
    r"""Return the rules as an SQL expression, or as a SELECT on `table` with the answer in column `name`.

    `dialect` names the database: "duckdb", "sqlite", "postgres", "mysql", "bigquery", "snowflake",
    "clickhouse", "spark", or "ansi" for one that follows the standard. Without it names and texts are quoted
    as the standard has it, and a text with a backslash, which some databases read otherwise, is refused. A
    gap is NULL. The answer of a row that no rule takes is NULL, where `predict` refuses it. Rules that divide
    rows become a sum over all rules.

    >>> import treewright as tw
    >>> rules = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump").rules()
    >>> print(to_sql(rules))
    CASE
      WHEN ("Humidity" <> 'Normal' OR "Humidity" IS NULL) THEN 'No'
      WHEN "Humidity" = 'Normal' THEN 'Yes'
    END
    >>> print(to_sql(rules, dialect="mysql").splitlines()[2])
      WHEN `Humidity` = 'Normal' THEN 'Yes'
    """
    writer = _Writer(rules, dialect)
    if rules.decision == "first":
        said = writer.case([rule for rule in rules.rules if not rule.is_silent])
    elif rules.decision == "shares" and not rules.divides:
        said = writer.case(_answering(rules))
    else:
        said = writer.sums()
    if table is None:
        return said
    return f"SELECT *, {said} AS {quoted(name, dialect)}\nFROM {quoted(table, dialect)}"


def _answering(rules: RuleSet) -> list[Rule]:
    return [rule for rule in (*rules.rules, *rules.fallbacks) if rule.prediction is not None]


@dataclass(frozen=True)
class _Writer:
    """Writes the rules of one set for one database."""

    rules: RuleSet
    dialect: str | None

    def name(self, text: str) -> str:
        return column_name(text, self.dialect)

    def value(self, value: str | float | None) -> str:
        return literal(value, self.dialect)

    # ---- one rule decides -------------------------------------------------------------------------

    def case(self, listed: list[Rule]) -> str:
        default = self.rules.default
        last = "" if default is None else f"\n  ELSE {self.value(default)}"
        if not listed:
            return self.value(default)
        lines = [f"\n  WHEN {self.all(rule)} THEN {self.value(rule.prediction)}" for rule in listed]
        return f"CASE{''.join(lines)}{last}\nEND"

    def all(self, rule: Rule) -> str:
        return " AND ".join(map(self.holds, rule.conditions)) or "TRUE"

    def holds(self, condition: Condition | SumCondition) -> str:
        """Return the SQL for a condition that passes rows in whole or not at all."""
        if isinstance(condition, SumCondition):
            return self.sum_holds(condition)
        column, cell = self.rules.schema[condition.column], self.name(condition.column)
        passes_unseen = condition.unseen == 1 and column.edges is None  # no number is a new category
        asked = {c for proxy in condition.proxies for c in proxy.categories}
        sure = tuple(c for c in condition.categories or () if c not in asked)
        askers = [proxy for proxy in condition.proxies if proxy.unseen]
        if passes_unseen and not askers:  # all but those that fail
            ways = self.but(cell, [c for c in column.categories if c not in sure])
        else:
            is_set = condition.categories is not None
            bounds = (condition.low, condition.high)
            ways = self.among(column, sure) if is_set else self.between(column, cell, *bounds)
            ways += [self.with_proxies(self.is_unseen(column), askers)] if passes_unseen else []
        if condition.missing == 1:
            asking = [proxy for proxy in condition.proxies if proxy.missing]
            ways.append(self.with_proxies(f"{cell} IS NULL", asking))
        for category in sorted(asked & set(condition.categories or ())):
            for_it = [proxy for proxy in condition.proxies if category in proxy.categories]
            ways.append(self.with_proxies(_any(self.among(column, (category,))), for_it))
        return _any(ways)

    def sum_holds(self, condition: SumCondition) -> str:
        known = self.of_sums.passing(condition)
        ways = [] if known is None else [f"({known})"]
        for is_gap, share in ((True, condition.missing), (False, condition.unseen)):
            if share == 1 and (tests := self.of_sums.without_value(condition, is_gap)):
                ways.append(self.with_proxies(_any(tests), _stand_ins_for(condition, is_gap)))
        return _any(ways)

    @cached_property
    def of_sums(self) -> SumWriter:
        return SumWriter(self.rules.schema, self.dialect, self.among, self.between)

    def is_unseen(self, column: Column) -> str:
        return self.but(self.name(column.name), column.categories)[0]

    def with_proxies(self, test: str, proxies: list[Proxy]) -> str:
        if not proxies:
            return test
        return f"({' AND '.join([test, *map(self.proxy, proxies)])})"

    def among(self, column: Column, categories: Sequence[str]) -> list[str]:
        cell = self.name(column.name)
        if column.edges is not None:  # the database has the numbers
            runs = bounds_of(categories, column.categories, column.edges)
            return [test for low, high in runs for test in self.between(column, cell, low, high)]
        if len(categories) == 1:
            return [f"{cell} = {self.value(categories[0])}"]
        return [f"{cell} IN ({self.listed(categories)})"] if categories else []

    def but(self, cell: str, categories: Sequence[str]) -> list[str]:
        if len(categories) == 1:
            return [f"{cell} <> {self.value(categories[0])}"]
        return [f"{cell} NOT IN ({self.listed(categories)})"] if categories else [f"{cell} IS NOT NULL"]

    def bound(self, column: Column, value: float) -> str:
        """Return a bound as the database has the column: a number, a date, a time; durations are days."""
        kind = column.notation.kind if column.notation is not None else column.kind
        if kind not in (Kind.date, Kind.time) or math.isinf(value):
            return self.value(float(value))
        return moment(column.text_of(value), kind.value, self.dialect)

    def between(self, column: Column, cell: str, low: float | None, high: float | None) -> list[str]:
        if not dialect_of(self.dialect).infinity:  # all its numbers lie between
            if high == -math.inf:
                return []
            low = None if low == -math.inf else low
        if low == math.inf:
            return []
        bounds = [f"{cell} > {self.bound(column, low)}"] if low is not None else []
        if high is not None and high != math.inf:
            bounds.append(f"{cell} <= {self.bound(column, high)}")
        if not bounds:
            return [f"{cell} IS NOT NULL"]
        return [bounds[0] if len(bounds) == 1 else f"({' AND '.join(bounds)})"]

    def proxy(self, proxy: Proxy) -> str:
        """Return the stand-ins as a CASE: the first that has a value answers."""
        whens = "".join(f" WHEN {self.has_answer(test)} THEN {self.answer(test)}" for test in proxy.tests)
        last = "TRUE" if proxy.otherwise else "FALSE"
        return f"(CASE{whens} ELSE {last} END)" if whens else last

    def has_answer(self, test: StandIn) -> str:
        if test.cut is not None:
            return f"{self.name(test.column)} IS NOT NULL"
        return _any(self.among(self.rules.schema[test.column], (*test.passing, *test.failing)))

    def answer(self, test: StandIn) -> str:
        if test.cut == math.inf:  # every number is below
            return "TRUE" if test.is_below else "FALSE"
        if test.cut is not None:
            sign = "<=" if test.is_below else ">"
            bound = self.bound(self.rules.schema[test.column], test.cut)
            return f"{self.name(test.column)} {sign} {bound}"
        return _any(self.among(self.rules.schema[test.column], test.passing))

    def listed(self, categories: Iterable[str]) -> str:
        return ", ".join(map(self.value, categories))

    # ---- all rules have a say ---------------------------------------------------------------------

    def sums(self) -> str:
        """Return the answer as a sum over rules: shares of the row, or votes."""
        rules = self.rules
        is_vote = rules.decision == "vote"
        listed = [r for r in rules.rules if not r.is_silent] if is_vote else _answering(rules)
        if not listed:
            return self.case([])
        mark = "r"
        while any(column.name.startswith(mark) for column in rules.schema.columns):
            mark += "_"  # no name of ours is one of theirs
        inner = ",\n      ".join(f"{self.share(rule)} AS {mark}{i}" for i, rule in enumerate(listed, 1))
        scores = [self.sum(weights, mark) for weights in _weights(rules, listed).T.tolist()]
        outer = ", ".join(f"{score} AS {mark}s{j}" for j, score in enumerate(scores, 1))
        answer = (
            f"(SELECT CASE {self.choice(mark)} END\n"
            f"   FROM (SELECT {outer}, {self.sum([1.0] * len(listed), mark)} AS {mark}t\n"
            f"     FROM (SELECT {inner}) AS {mark}shares) AS {mark}scores)"
        )
        if is_vote:
            return answer
        whole = "".join(f"\n  WHEN {self.all(rule)} THEN {self.value(rule.prediction)}" for rule in listed)
        return f"CASE{whole}\n  ELSE {answer}\nEND"

    def choice(self, mark: str) -> str:
        rules = self.rules
        if not rules.is_classifier:
            return f"WHEN {mark}t >= {self.value(WHOLE)} THEN {mark}s1"
        names = [f"{mark}s{j}" for j in range(1, len(rules.classes) + 1)]
        best = f"{dialect_of(self.dialect).largest}({', '.join(names)}) - {self.value(ALIKE)}"
        whens = [
            f"WHEN {s} >= {best} THEN {self.value(c)}" for s, c in zip(names, rules.classes, strict=True)
        ]
        first = (
            f"WHEN {mark}t < {self.value(WHOLE)} THEN NULL"
            if rules.default is None
            else f"WHEN {mark}t = 0 THEN {self.value(rules.default)}"
        )
        return " ".join([first, *whens])

    def sum(self, weights: list[float], mark: str) -> str:
        parts = [
            f"{self.value(w)} * {mark}{i}" if w != 1 else f"{mark}{i}" for i, w in enumerate(weights, 1) if w
        ]
        return " + ".join(parts) or "0"

    def share(self, rule: Rule) -> str:
        """Return the share of the row that a rule takes, as a product over its conditions."""
        return " * ".join(map(self.share_of, rule.conditions)) or "1e0"

    def share_of(self, condition: Condition | SumCondition) -> str:
        """Return the share that passes one condition."""
        if isinstance(condition, SumCondition):
            return self.share_of_sum(condition)
        column, proxies = self.rules.schema[condition.column], condition.proxies
        parts = [
            (_any(self.among(column, (category,))), share, [p for p in proxies if category in p.categories])
            for category, share in condition.partly
        ]
        if 0 < condition.missing < 1:
            is_null = f"{self.name(column.name)} IS NULL"
            parts.append((is_null, condition.missing, [p for p in proxies if p.missing]))
        if 0 < condition.unseen < 1 and column.edges is None:
            parts.append((self.is_unseen(column), condition.unseen, [p for p in proxies if p.unseen]))
        whens = [
            f" WHEN {self.with_proxies(test, asked)} THEN {self.value(share)}" for test, share, asked in parts
        ]
        return f"CASE WHEN {self.holds(condition)} THEN 1e0{''.join(whens)} ELSE 0 END"

    def share_of_sum(self, condition: SumCondition) -> str:
        whens = ""
        for is_gap, share in ((True, condition.missing), (False, condition.unseen)):
            if 0 < share < 1 and (tests := self.of_sums.without_value(condition, is_gap)):
                test = self.with_proxies(_any(tests), _stand_ins_for(condition, is_gap))
                whens += f" WHEN {test} THEN {self.value(share)}"
        return f"CASE WHEN {self.holds(condition)} THEN 1e0{whens} ELSE 0 END"


def _stand_ins_for(condition: SumCondition, is_gap: bool) -> list[Proxy]:
    """Return the stand-ins that are asked where a sum has a gap, or else a new category."""
    return [proxy for proxy in condition.proxies if (proxy.missing if is_gap else proxy.unseen)]


def _any(ways: list[str]) -> str:
    if not ways:
        return "FALSE"
    return ways[0] if len(ways) == 1 else f"({' OR '.join(ways)})"


def _weights(rules: RuleSet, listed: list[Rule]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Return what each rule says for each class (or the one number), rules x classes."""
    every = tuple(listed)
    if not rules.is_classifier:
        return np.array([[rule.number] for rule in every])
    if rules.decision == "vote":
        return np.eye(len(rules.classes))[class_numbers(rules, every)] * [[rule.vote] for rule in every]
    chances = tree_shares(rules, every)
    costs = rules.about.get("costs")
    return chances if costs is None else -(chances @ np.asarray(costs, dtype=np.float64))
