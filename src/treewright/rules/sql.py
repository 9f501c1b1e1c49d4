"""Rules as one SQL expression: a CASE that any database can run on its own rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treewright.rules.condition import Condition, Proxy, StandIn, bounds_of
from treewright.rules.decide import ALIKE, WHOLE, class_numbers, tree_shares
from treewright.rules.rule import Rule
from treewright.table import Column, Schema

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet


def to_sql(rules: RuleSet, table: str | None = None, name: str = "prediction") -> str:
    """Return the rules as an SQL expression, or as a SELECT on `table` with the answer in column `name`.

    Names and texts are quoted as the standard has it. A gap is NULL. The answer of a row that no rule takes
    is NULL, where `predict` refuses it. Rules that divide rows become a sum over all rules.

    >>> import treewright as tw
    >>> print(to_sql(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump").rules()))
    CASE
      WHEN ("Humidity" <> 'Normal' OR "Humidity" IS NULL) THEN 'No'
      WHEN "Humidity" = 'Normal' THEN 'Yes'
    END
    """
    if rules.decision == "first":
        said = _case(rules, [rule for rule in rules.rules if not rule.is_silent])
    elif rules.decision == "shares" and not rules.divides:
        said = _case(rules, _answering(rules))
    else:
        said = _sums(rules)
    if table is None:
        return said
    return f"SELECT *, {said} AS {quoted(name)}\nFROM {quoted(table)}"


def quoted(name: str) -> str:
    """Return a name in double quotes, those inside it doubled.

    >>> print(quoted('a "b" c'))
    "a ""b"" c"
    """
    return '"' + name.replace('"', '""') + '"'


def literal(value: str | float | None) -> str:
    """Return a text in single quotes, or a number that is a double wherever it is read.

    >>> literal("it's"), literal(75.0), literal(0.1)
    ("'it''s'", '75', '0.1e0')
    """
    if value is None:
        return "NULL"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    if math.isinf(value):
        return f"CAST('{'-' if value < 0 else ''}Infinity' AS DOUBLE PRECISION)"
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    text = repr(value)
    return text if "e" in text else f"{text}e0"


def _answering(rules: RuleSet) -> list[Rule]:
    return [rule for rule in (*rules.rules, *rules.fallbacks) if rule.prediction is not None]


# ---- one rule decides -----------------------------------------------------------------------------


def _case(rules: RuleSet, listed: list[Rule]) -> str:
    last = "" if rules.default is None else f"\n  ELSE {literal(rules.default)}"
    if not listed:
        return "NULL" if rules.default is None else literal(rules.default)
    lines = [f"\n  WHEN {_all(rules, rule)} THEN {literal(rule.prediction)}" for rule in listed]
    return f"CASE{''.join(lines)}{last}\nEND"


def _all(rules: RuleSet, rule: Rule) -> str:
    tests = [_holds(rules.schema, condition) for condition in rule.conditions]
    return " AND ".join(tests) or "TRUE"


def _holds(schema: Schema, condition: Condition) -> str:
    """Return the SQL for a condition that passes rows in whole or not at all."""
    column, cell = schema[condition.column], quoted(condition.column)
    passes_unseen = condition.unseen == 1 and column.edges is None  # no number is a new category
    asked = {c for proxy in condition.proxies for c in proxy.categories}
    sure = tuple(c for c in condition.categories or () if c not in asked)
    askers = [proxy for proxy in condition.proxies if proxy.unseen]
    if passes_unseen and not askers:  # all but those that fail
        ways = _but(cell, [c for c in column.categories if c not in sure])
    else:
        is_set = condition.categories is not None
        ways = _among(column, sure) if is_set else _between(cell, condition.low, condition.high)
        ways += [_unless_asked(_is_unseen(column), askers, schema)] if passes_unseen else []
    if condition.missing == 1:
        asking = [proxy for proxy in condition.proxies if proxy.missing]
        ways.append(_unless_asked(f"{cell} IS NULL", asking, schema))
    for category in sorted(asked & set(condition.categories or ())):
        for_it = [proxy for proxy in condition.proxies if category in proxy.categories]
        ways.append(_unless_asked(_any(_among(column, (category,))), for_it, schema))
    return _any(ways)


def _any(ways: list[str]) -> str:
    if not ways:
        return "FALSE"
    return ways[0] if len(ways) == 1 else f"({' OR '.join(ways)})"


def _is_unseen(column: Column) -> str:
    return _but(quoted(column.name), column.categories)[0]


def _unless_asked(test: str, proxies: list[Proxy], schema: Schema) -> str:
    if not proxies:
        return test
    return f"({' AND '.join([test, *(_proxy(proxy, schema) for proxy in proxies)])})"


def _among(column: Column, categories: Sequence[str]) -> list[str]:
    cell = quoted(column.name)
    if column.edges is not None:  # the database has the numbers
        runs = bounds_of(categories, column.categories, column.edges)
        return [test for low, high in runs for test in _between(cell, low, high)]
    if len(categories) == 1:
        return [f"{cell} = {literal(categories[0])}"]
    return [f"{cell} IN ({_listed(categories)})"] if categories else []


def _but(cell: str, categories: Sequence[str]) -> list[str]:
    if len(categories) == 1:
        return [f"{cell} <> {literal(categories[0])}"]
    return [f"{cell} NOT IN ({_listed(categories)})"] if categories else [f"{cell} IS NOT NULL"]


def _between(cell: str, low: float | None, high: float | None) -> list[str]:
    if low == math.inf:
        return []
    bounds = [f"{cell} > {literal(float(low))}"] if low is not None else []
    if high is not None and high != math.inf:
        bounds.append(f"{cell} <= {literal(float(high))}")
    if not bounds:
        return [f"{cell} IS NOT NULL"]
    return [bounds[0] if len(bounds) == 1 else f"({' AND '.join(bounds)})"]


def _proxy(proxy: Proxy, schema: Schema) -> str:
    """Return the stand-ins as a CASE: the first that has a value answers."""
    whens = "".join(f" WHEN {_has_answer(test, schema)} THEN {_answer(test, schema)}" for test in proxy.tests)
    last = "TRUE" if proxy.otherwise else "FALSE"
    return f"(CASE{whens} ELSE {last} END)" if whens else last


def _has_answer(test: StandIn, schema: Schema) -> str:
    if test.cut is not None:
        return f"{quoted(test.column)} IS NOT NULL"
    return _any(_among(schema[test.column], (*test.passing, *test.failing)))


def _answer(test: StandIn, schema: Schema) -> str:
    if test.cut == math.inf:  # every number is below
        return "TRUE" if test.is_below else "FALSE"
    if test.cut is not None:
        return f"{quoted(test.column)} {'<=' if test.is_below else '>'} {literal(float(test.cut))}"
    return _any(_among(schema[test.column], test.passing))


def _listed(categories: Iterable[str]) -> str:
    return ", ".join(map(literal, categories))


# ---- all rules have a say -------------------------------------------------------------------------


def _sums(rules: RuleSet) -> str:
    """Return the answer as a sum over rules: shares of the row, or votes."""
    is_vote = rules.decision == "vote"
    listed = [r for r in rules.rules if not r.is_silent] if is_vote else _answering(rules)
    if not listed:
        return _case(rules, [])
    mark = "r"
    while any(column.name.startswith(mark) for column in rules.schema.columns):
        mark += "_"  # no name of ours is one of theirs
    inner = ",\n      ".join(f"{_share(rules, rule)} AS {mark}{i}" for i, rule in enumerate(listed, 1))
    scores = [_sum(weights, mark) for weights in _weights(rules, listed).T.tolist()]
    outer = ", ".join(f"{score} AS {mark}s{j}" for j, score in enumerate(scores, 1))
    answer = (
        f"(SELECT CASE {_choice(rules, mark)} END\n"
        f"   FROM (SELECT {outer}, {_sum([1.0] * len(listed), mark)} AS {mark}t\n"
        f"     FROM (SELECT {inner}) AS {mark}shares) AS {mark}scores)"
    )
    if is_vote:
        return answer
    whole = "".join(f"\n  WHEN {_all(rules, rule)} THEN {literal(rule.prediction)}" for rule in listed)
    return f"CASE{whole}\n  ELSE {answer}\nEND"


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


def _choice(rules: RuleSet, mark: str) -> str:
    if not rules.is_classifier:
        return f"WHEN {mark}t >= {literal(WHOLE)} THEN {mark}s1"
    names = [f"{mark}s{j}" for j in range(1, len(rules.classes) + 1)]
    best = f"GREATEST({', '.join(names)}) - {literal(ALIKE)}"
    whens = [f"WHEN {s} >= {best} THEN {literal(c)}" for s, c in zip(names, rules.classes, strict=True)]
    first = (
        f"WHEN {mark}t < {literal(WHOLE)} THEN NULL"
        if rules.default is None
        else f"WHEN {mark}t = 0 THEN {literal(rules.default)}"
    )
    return " ".join([first, *whens])


def _sum(weights: list[float], mark: str) -> str:
    parts = [f"{literal(w)} * {mark}{i}" if w != 1 else f"{mark}{i}" for i, w in enumerate(weights, 1) if w]
    return " + ".join(parts) or "0"


def _share(rules: RuleSet, rule: Rule) -> str:
    """Return the share of the row that a rule takes, as a product over its conditions."""
    factors = []
    for condition in rule.conditions:
        column = rules.schema[condition.column]
        holds = _holds(rules.schema, condition)
        cell = quoted(column.name)
        parts = [
            (
                _any(_among(column, (category,))),
                share,
                [p for p in condition.proxies if category in p.categories],
            )
            for category, share in condition.partly
        ]
        if 0 < condition.missing < 1:
            parts.append((f"{cell} IS NULL", condition.missing, [p for p in condition.proxies if p.missing]))
        if 0 < condition.unseen < 1 and column.edges is None:
            parts.append((_is_unseen(column), condition.unseen, [p for p in condition.proxies if p.unseen]))
        whens = [
            f" WHEN {_unless_asked(test, asked, rules.schema)} THEN {literal(share)}"
            for test, share, asked in parts
        ]
        factors.append(f"CASE WHEN {holds} THEN 1e0{''.join(whens)} ELSE 0 END")
    return " * ".join(factors) or "1e0"
