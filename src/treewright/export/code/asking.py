"""Tests of a tree as conditions, and what becomes of a row without an answer: in order, first come."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from treewright.export.code.program import (
    NUMBER,
    Above,
    Among,
    AsNumber,
    AtMost,
    Below,
    Binary,
    Cell,
    Code,
    Field,
    IsGap,
    IsNaN,
    Let,
    Name,
    Negation,
    Number,
    Pick,
    Whole,
    all_of,
    any_of,
    plus,
    times,
)
from treewright.export.outline import Cut, Node, Sum, Values, Way
from treewright.rules.condition import bounds_of
from treewright.tree.terms import ABOVE, AT_MOST, IS, VALUE, Term

Fields = Mapping[int, Field]  # by place in the schema


class Choice(NamedTuple):
    """Under this condition a row goes this way, if no choice before held. None: else."""

    condition: Any
    way: Way


def choices(node: Node, fields: Fields) -> tuple[list[Any], list[Choice]]:
    """Return statements that come first, and the choices of a node; the last one is the rest."""
    before: list[Any] = []
    test = node.test
    if isinstance(test, Cut):
        field = fields[test.column]
        found = [
            Choice(Below(field, test.threshold), Way("branch", 0)),
            Choice(IsGap(field), node.gap),
            Choice(None, Way("branch", 1)),
        ]
    elif isinstance(test, Values):
        field = fields[test.column]
        found = [
            Choice(among(field, places), Way("branch", i)) for i, places in enumerate(test.branches) if places
        ]
        found += [Choice(IsGap(field), node.gap), Choice(None, node.unseen)]
    else:
        assert isinstance(test, Sum)
        total = f"sum_{node.number}"
        before = [Let(total, NUMBER, total_of(test.parts, fields))]
        found = [*_unknown(test, node, fields), Choice(IsNaN(Name(total)), node.gap)]
        found += [
            Choice(AtMost(Name(total), test.threshold), Way("branch", 0)),
            Choice(None, Way("branch", 1)),
        ]
    return before, _merged(found)


def _merged(found: list[Choice]) -> list[Choice]:
    """Return the choices without those that the rest would make too; neighbours of one way as one."""
    kept: list[Choice] = []
    rest = found[-1]
    for choice in reversed(found[:-1]):
        if not kept and choice.way == rest.way:
            continue
        if kept and kept[0].way == choice.way:
            kept[0] = Choice(any_of([choice.condition, kept[0].condition]), choice.way)
        else:
            kept.insert(0, choice)
    return [*kept, rest]


def among(field: Field, places: Sequence[int]) -> Any:
    """Return the condition that a cell holds one of these categories; of intervals, lies in one of them."""
    column = field.column
    if column.edges is None:
        return Among(field, tuple(places))
    names = [column.categories[place] for place in places]
    runs = bounds_of(names, column.categories, column.edges)
    return any_of([within(field, low, high) for low, high in runs]) or Below(field, -math.inf)


def within(field: Field, low: float | None, high: float | None) -> Any:
    """Return the condition low < x <= high; None is no bound."""
    if low is None and high is None:
        return Negation(IsGap(field))
    parts: list[Any] = [] if low is None else [Above(field, low)]
    return all_of(parts if high is None else [*parts, Below(field, high)])


def value(field: Field) -> Any:
    """Return what stands for a cell in a sum: the number, the rank; not a number where there is none."""
    column = field.column
    if column.edges is not None:
        ranks = [Pick(Above(field, edge), Number(1.0), Number(0.0)) for edge in column.edges]
        total: Any = ranks[0] if ranks else Number(0.0)
        for rank in ranks[1:]:
            total = plus(total, rank)
        return Pick(IsGap(field), Number(math.nan), total)
    if field.kind == "number":
        return Cell(field)
    return Pick(Binary("<", Code(field), Whole(0)), Number(math.nan), AsNumber(Code(field)))


def weighted(total: Any, terms: Sequence[tuple[int, float, float]], fields: Fields) -> Any:
    """Return a number with all terms added, in this order: columns, weights, what a missing value adds."""
    for place, weight, gap in terms:
        field = fields[place]
        term: Any = times(Number(weight), value(field))
        if not math.isnan(gap):
            term = Pick(_is_unknown(field), Number(gap), term)
        total = plus(total, term)
    return total


def _is_unknown(field: Field) -> Any:
    return IsGap(field) if field.kind == "number" else Binary("<", Code(field), Whole(0))


def total_of(terms: Sequence[tuple[Term, float]], fields: Fields) -> Any:
    """Return the sum of a test on several columns; not a number where one of them has no value."""
    total: Any = None
    for term, weight in terms:
        part = times(Number(weight), _term(fields[term.column], term))
        total = part if total is None else plus(total, part)
    return total


def _term(field: Field, term: Term) -> Any:
    """Return what stands for a term: the value of its column, or 1 where its condition holds, else 0."""
    if term.form == VALUE:
        return value(field)
    if field.column.is_numeric:
        below = math.nextafter(term.at, -math.inf)
        holds = {
            AT_MOST: Below(field, term.at),
            ABOVE: Above(field, term.at),
            IS: all_of([Above(field, below), Below(field, term.at)]),
        }[term.form]
        return Pick(IsGap(field), Number(math.nan), Pick(holds, Number(1.0), Number(0.0)))
    codes = range(len(field.column.categories))
    places = [code for code in codes if term.of_one(float(code)) > 0]
    is_known = Pick(among(field, places), Number(1.0), Number(0.0)) if places else Number(0.0)
    return Pick(_is_unknown(field), Number(math.nan), is_known)


def _unknown(test: Sum, node: Node, fields: Fields) -> list[Choice]:
    """Return the choices for the first term that is not there; none where both ways are the same."""
    if node.gap == node.unseen or all(fields[place].kind == "number" for place, _ in test.terms):
        return []
    found = []
    for place, _ in test.terms:
        field = fields[place]
        found.append(Choice(IsGap(field), node.gap))
        if field.kind != "number":
            found.append(Choice(Binary("==", Code(field), Whole(-2)), node.unseen))
    return found
