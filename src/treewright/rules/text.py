"""Rules to read: as IF-THEN text, as a Markdown table, as columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewright.base import numbers
from treewright.base.lines import harmless
from treewright.rules.condition import Condition
from treewright.rules.rule import Rule, answer_in_words
from treewright.rules.several import SumCondition
from treewright.table import Kind, Schema
from treewright.tree.figures import amount
from treewright.tree.split import Style, name, short_cuts

if TYPE_CHECKING:
    from treewright.rules.ruleset import RuleSet

_HOW = {
    "shares": ", one for each leaf of the tree",
    "first": "; the first that matches decides",
    "vote": "; those that match vote",
}
_LONGEST = 60  # letters of a name


def to_text(rules: RuleSet, full: bool = False, ascii: bool = False) -> str:  # noqa: A002 (the word says it)
    """Return the rules as a numbered IF-THEN list.

    What a condition says of gaps is told for columns in which training had some, of new categories and of
    rows that stop on their way with `full=True` only. With `ascii` nothing but ASCII is used.

    >>> import treewright as tw
    >>> print(to_text(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump").rules()))
    2 rules for PlayTennis, one for each leaf of the tree
    <BLANKLINE>
    1. IF Humidity in {High, Low}
       THEN No  (7 rows, confidence 57 %, lift 1.600)
    2. IF Humidity = Normal
       THEN Yes  (7 rows, confidence 86 %, lift 1.333)
    """
    style = Style(ascii=ascii, longest=_LONGEST)
    words = _Words(rules, style, full)
    lines = [words.head(), ""]
    width = len(str(len(rules.rules)))
    for place, rule in enumerate(rules.rules, 1):
        lines += _entry(words, rule, f"{place:>{width}}. ")
    if rules.default is not None:
        lines.append(f"{'':{width}}  OTHERWISE {words.answer(rules.default)}")
    if rules.fallbacks and full:
        lines += ["", "For values that the tree does not know, where it stops on its way:", ""]
        for rule in rules.fallbacks:
            lines += _entry(words, rule, f"{'-':>{width + 1}} ")
    return "\n".join(lines)


def rule_in_words(rules: RuleSet, rule: Rule, lead: str, ascii: bool = False) -> list[str]:  # noqa: A002
    """Return the lines of one rule of a set, the first after `lead`.

    >>> import treewright as tw
    >>> rules = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump").rules()
    >>> rule_in_words(rules, rules[1], "2. ")
    ['2. IF Humidity = Normal', '   THEN Yes  (7 rows, confidence 86 %, lift 1.333)']
    """
    return _entry(_Words(rules, Style(ascii=ascii, longest=_LONGEST), False), rule, lead)


def to_markdown(rules: RuleSet, full: bool = False) -> str:
    """Return the rules as a Markdown table.

    >>> import treewright as tw
    >>> print(to_markdown(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump").rules()))
    2 rules for PlayTennis, one for each leaf of the tree
    <BLANKLINE>
    | | if | then | rows | confidence | lift | expected error |
    |---:|---|---|---:|---:|---:|---:|
    | 1 | Humidity in {High, Low} | No | 7 | 57 % | 1.600 | |
    | 2 | Humidity = Normal | Yes | 7 | 86 % | 1.333 | |
    """
    words = _Words(rules, Style(), full)
    lines = [words.head(), "", "| | if | then | rows | confidence | lift | expected error |"]
    lines.append("|---:|---|---|---:|---:|---:|---:|")
    listed: list[tuple[str, Rule]] = [(str(i), rule) for i, rule in enumerate(rules.rules, 1)]
    listed += [("stop", rule) for rule in rules.fallbacks] if full else []
    for place, rule in listed:
        tests = " and ".join(words.condition(condition) for condition in rule.conditions) or "always"
        cells = [place, tests, words.answer_with_spread(rule), words.rows(rule), percent(rule.confidence)]
        cells += [figure(rule.lift), percent(rule.error, 1)]
        lines.append("".join(f"| {_escaped(cell)} " if cell else "| " for cell in cells) + "|")
    if rules.default is not None:
        lines.append(f"| | otherwise | {_escaped(words.answer(rules.default))} | | | | |")
    return "\n".join(lines)


def columns(rules: RuleSet) -> dict[str, list[Any]]:
    """Return the rules as columns of plain values, for a data frame.

    >>> import treewright as tw
    >>> columns(tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump").rules())["conditions"]
    ['Humidity in {High, Low} or missing or unseen', 'Humidity = Normal']
    """
    words = _Words(rules, Style(), full=True)
    found: dict[str, list[Any]] = {
        "rule": list(range(1, len(rules.rules) + 1)),
        "conditions": [" AND ".join(map(words.condition, rule.conditions)) for rule in rules.rules],
        "n_tests": [rule.n_tests for rule in rules.rules],
        "prediction": [rule.prediction for rule in rules.rules],
    }
    for field in ("support", "errors", "confidence", "lift", "error", "spread", "node"):
        found[field] = [getattr(rule, field) for rule in rules.rules]
    for place, label in enumerate(rules.classes):
        weights = [rule.distribution[place] if rule.distribution else None for rule in rules.rules]
        found[f"weight of {label}"] = weights
    return found


def in_words(
    condition: Condition | SumCondition,
    schema: Schema,
    about: Mapping[str, Any],
    style: Style,
    full: bool = False,
) -> str:
    """Return a condition in words, given the columns and what is said about the tree it comes from.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="stump")
    >>> in_words(Condition("Wind", categories=("Weak",), missing=1.0), tree.schema, tree.about, Style())
    'Wind = Weak'
    """
    gaps = about.get("gaps")
    is_met = full or gaps is None or not set(gaps).isdisjoint(condition.columns)
    if isinstance(condition, SumCondition):
        return condition.to_text(
            style,
            says_missing=is_met or not condition.has_known,
            says_unseen=full or not condition.has_known,
            schema=schema,
        )
    column = schema[condition.column]
    return condition.to_text(
        style,
        says_missing=is_met or not condition.has_known,
        says_unseen=full or not condition.has_known,
        order=column.categories if column.kind is Kind.ordinal else (),
        edges=column.edges,
        schema=schema,
    )


class _Words:
    """How one set of rules is put into words."""

    def __init__(self, rules: RuleSet, style: Style, full: bool) -> None:
        self.rules, self.full = rules, full
        self.style = replace(style, parts=full, short=short_cuts(rules.about))

    def rows(self, rule: Rule) -> str:
        """The rows of a rule; parts of rows, where a missing value divides them, with `full` only."""
        return amount(rule.support if self.full else max(1.0, round(rule.support)) if rule.support else 0.0)

    def head(self) -> str:
        n = len(self.rules.rules)
        target = harmless(self.rules.target.name)
        return f"{n} rule{'' if n == 1 else 's'} for {target}{_HOW[self.rules.decision]}"

    def condition(self, condition: Condition | SumCondition) -> str:
        return in_words(condition, self.rules.schema, self.rules.about, self.style, self.full)

    def answer(self, prediction: str | float | None) -> str:
        return name(prediction, self.style) if isinstance(prediction, str) else answer_in_words(prediction)

    def answer_with_spread(self, rule: Rule) -> str:
        spread = (
            f" {'+/-' if self.style.ascii else '±'} {numbers.number(rule.spread, 3)}" if rule.spread else ""
        )
        return self.answer(rule.prediction) + spread

    def facts(self, rule: Rule) -> Iterator[str]:
        rows = self.rows(rule)
        yield f"{rows} row{'' if rows == '1' else 's'}"
        if rule.confidence is not None:
            yield f"confidence {percent(rule.confidence)}"
        if rule.lift is not None:
            yield f"lift {figure(rule.lift)}"
        if rule.error is not None:
            yield f"expected error {percent(rule.error, 1)}"
        if rule.is_silent:
            yield "never fires"


def _entry(words: _Words, rule: Rule, lead: str) -> list[str]:
    blank = " " * len(lead)
    tests = [words.condition(condition) for condition in rule.conditions]
    facts = "" if rule.prediction is None else f"  ({', '.join(words.facts(rule))})"
    last = f"{blank}THEN {words.answer_with_spread(rule)}{facts}"
    if not tests:
        return [f"{lead}ALWAYS {last.strip().removeprefix('THEN ')}"]
    return [f"{lead}IF {' AND '.join(tests)}", last]


def percent(share: float | None, decimals: int = 0) -> str:
    """Return a share for reading; nothing where there is none.

    >>> percent(0.571), percent(0.293, 1), percent(None)
    ('57 %', '29.3 %', '')
    """
    return "" if share is None else numbers.percent(share, decimals)


def figure(value: float | None) -> str:
    """Return a number with three decimals; nothing where there is none.

    >>> figure(1.68), figure(None)
    ('1.680', '')
    """
    return "" if value is None else f"{value:.3f}"


def _escaped(cell: str) -> str:
    return cell.replace("\\", "\\\\").replace("|", "\\|").replace("\n", " ")
