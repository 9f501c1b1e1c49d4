"""What must hold of a set of rules; its constructor asks, so that a bad one cannot exist."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from treewright.rules.condition import Condition, StandIn
from treewright.rules.rule import Rule
from treewright.rules.several import SumCondition
from treewright.table import Column, Schema
from treewright.table.schema import no_such_column
from treewright.tree.plain import copied
from treewright.tree.terms import is_ordered

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

DECISIONS = ("shares", "first", "vote")


class _Known(NamedTuple):
    """A column, and its categories to look up."""

    column: Column
    categories: frozenset[str]


_Columns = dict[str, _Known]


def check(rules: RuleSet) -> None:
    """Raise a ValueError that names the rule and the column at fault, or return."""
    if not isinstance(rules.schema, Schema) or not isinstance(rules.target, Column):
        _fail("it needs the schema of the features and the column of the target.")
    if rules.decision not in DECISIONS:
        _fail(f"decision={rules.decision!r} is not one of {', '.join(map(repr, DECISIONS))}.")
    is_classifier = not rules.target.is_numeric
    if is_classifier and not rules.target.categories:
        _fail(f"the target {rules.target.name!r} has no class at all.")
    if not is_classifier and rules.decision == "vote":
        _fail("rules vote for classes; the target is a number.")
    if rules.decision != "shares" and rules.default is None:
        _fail(f"with decision={rules.decision!r} rows may match no rule, so it needs a default.")
    if rules.decision == "shares" and rules.default is not None:
        _fail("rules that share every row have no default.")
    width = len(rules.target.categories) if is_classifier else 3
    _check_about(rules.about, width)
    if rules.default is not None:
        _check_answer("the default", rules.default, rules.target)
    _check_weights("the default", rules.default_distribution, width)
    columns = {c.name: _Known(c, frozenset(c.categories)) for c in rules.schema.columns}
    for place, rule in enumerate((*rules.rules, *rules.fallbacks), 1):
        if not isinstance(rule, Rule):
            _fail(f"rule {place} is a {type(rule).__name__}.")
        is_refusal = place > len(rules.rules) and rule.prediction is None
        _check_rule(f"rule {place}", rule, None if is_refusal else rules.target, columns, width)


def about_of(about: Any) -> dict[str, Any]:
    """Return a copy of what is told about rules: plain values by name, or a ValueError."""
    if not isinstance(about, Mapping):
        _fail(f"about must be a mapping, found {type(about).__name__}.")
    try:
        return dict(copied(about, "about"))
    except ValueError as error:
        raise ValueError(str(error).replace("Not a tree:", "Not a set of rules:")) from None


def _check_about(about: Mapping[str, Any], width: int) -> None:
    """Check the words that predicting and writing read."""
    gaps, costs, scale = about.get("gaps"), about.get("costs"), about.get("class_scale")
    if gaps is not None and not (isinstance(gaps, list) and all(isinstance(name, str) for name in gaps)):
        _fail(f"its gaps are not a list of column names: {gaps!r:.80}.")
    if scale is not None and not _is_row(scale, width):
        _fail(f"its class_scale is not {width} numbers: {scale!r:.80}.")
    if costs is not None and not (
        isinstance(costs, list) and len(costs) == width and all(_is_row(row, width) for row in costs)
    ):
        _fail(f"its costs are not {width} x {width} numbers: {costs!r:.80}.")


def _is_row(values: Any, width: int) -> bool:
    is_list = isinstance(values, list) and len(values) == width
    return is_list and all(_is_number(value) and math.isfinite(value) for value in values)


def _fail(what: str) -> NoReturn:
    raise ValueError(f"Not a set of rules: {what}")


def _check_rule(which: str, rule: Rule, target: Column | None, columns: _Columns, width: int) -> None:
    if target is not None:
        _check_answer(which, rule.prediction, target)
    _check_weights(which, rule.distribution, width)
    for name in ("support", "errors", "lift", "error"):
        value = getattr(rule, name)
        if value is not None and (not _is_number(value) or not value >= 0 or math.isinf(value)):
            _fail(f"{which}: {name} must be a number of at least 0, found {value!r}.")
    for condition in rule.conditions:
        _check_condition(which, condition, columns)


def _check_answer(which: str, answer: Any, target: Column) -> None:
    if target.is_numeric:
        if not _is_number(answer) or not math.isfinite(answer):
            _fail(f"{which} must say a number for {target.name!r}, not {answer!r:.80}.")
    elif answer not in target.categories:
        _fail(f"{which} says {answer!r:.80}, which is no class of {target.name!r}.")


def _check_weights(which: str, weights: tuple[float, ...], width: int) -> None:
    if weights and (len(weights) != width or not all(_is_number(w) and math.isfinite(w) for w in weights)):
        _fail(f"{which}: the distribution must be {width} numbers, found {weights!r:.80}.")


def _check_condition(which: str, condition: Any, columns: _Columns) -> None:
    if isinstance(condition, SumCondition):
        _check_sum(which, condition, columns)
        return
    if not isinstance(condition, Condition):
        _fail(f"{which} has a condition that is a {type(condition).__name__}.")
    known = _column(which, condition.column, columns)
    column = known.column
    if column.is_numeric != (condition.categories is None):
        wanted = "bounds" if column.is_numeric else "categories"
        _fail(f"{which}: column {column.name!r} is {column.kind}; its condition must have {wanted}.")
    _check_categories(which, known, condition.categories or ())
    _check_categories(which, known, (category for category, _ in condition.partly))
    for proxy in condition.proxies:
        _check_categories(which, known, proxy.categories)
    _check_stand_ins(which, condition, columns)


def _check_sum(which: str, condition: SumCondition, columns: _Columns) -> None:
    for term in condition.terms:
        known = _column(which, term.column, columns)
        if term.category is not None:
            _check_categories(which, known, (term.category,))
        elif not is_ordered(known.column):
            _fail(f"{which}: column {term.column!r} is nominal; a sum has its categories, not its value.")
    if any(proxy.categories for proxy in condition.proxies):
        _fail(f"{which}: stand-ins of a sum are asked where it has no value, not for categories.")
    _check_stand_ins(which, condition, columns)


def _check_stand_ins(which: str, condition: Condition | SumCondition, columns: _Columns) -> None:
    for proxy in condition.proxies:
        for test in proxy.tests:
            _check_stand_in(which, test, columns)


def _check_stand_in(which: str, test: StandIn, columns: _Columns) -> None:
    known = _column(which, test.column, columns)
    column = known.column
    if column.is_numeric != (test.cut is not None):
        wanted = "a cut" if column.is_numeric else "categories"
        _fail(f"{which}: column {column.name!r} is {column.kind}; a stand-in on it must have {wanted}.")
    _check_categories(which, known, (*test.passing, *test.failing))


def _column(which: str, name: str, columns: _Columns) -> _Known:
    if name not in columns:
        _fail(f"{which}: {no_such_column(name, columns)}")
    return columns[name]


def _check_categories(which: str, known: _Known, categories: Iterable[str]) -> None:
    for category in categories:
        if category not in known.categories:
            _fail(f"{which}: column {known.column.name!r} has no category {category!r:.80}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
