"""Tests that count conditions, and sums with categories, in words.

Held as any other test on several columns: a sum of terms that are 1 where a condition holds. A negative
weight of a category is the condition that the value is another one:

    [age > 30] + [city = Rome] - [hue = red] <= 0.5    is    at least 2 of (age > 30; city = Rome; hue != red)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from treewright.table.schema import Column, Kind
from treewright.tree import terms
from treewright.tree.terms import AT_MOST, IS, VALUE, Term

if TYPE_CHECKING:
    from treewright.tree.split import Style
    from treewright.tree.tree import Tree


class Condition(NamedTuple):
    """One simple test: of a number or rank against `at`, or whether a category is (or is not) one of some."""

    column: int
    form: int  # IS, AT_MOST or ABOVE
    at: float = 0.0
    codes: tuple[int, ...] = ()
    is_not: bool = False


class Count(NamedTuple):
    """A test that takes branch 1 where at least so many of its conditions hold."""

    least: int
    conditions: tuple[Condition, ...]


def count_at(tree: Tree, node: int) -> Count | None:
    """Return what a node counts; None where it asks anything else.

    >>> from treewright.tree.example import tennis
    >>> count_at(tennis(), 0) is None
    True
    """
    return count_of(terms.terms_at(tree, node), float(tree.cut[node]))


def count_of(found: Sequence[tuple[Term, float]], cut: float) -> Count | None:
    """Return the conditions that a sum counts, and how many must hold for it to be above its cut.

    >>> from treewright.tree.terms import ABOVE
    >>> count_of([(Term(0, ABOVE, 3.0), 1.0), (Term(1, IS, 2), -1.0)], 0.5)
    Count(least=2, conditions=(Condition(column=0, form=3, at=3.0, codes=(), is_not=False),
                               Condition(column=1, form=1, at=0.0, codes=(2,), is_not=True)))
    """
    if not found or not all(_counts_one(term, weight) for term, weight in found):
        return None
    conditions: list[Condition] = []
    for (column, form), group in groupby(found, key=lambda pair: (pair[0].column, pair[0].form)):
        some = list(group)
        if form != IS:
            conditions += [Condition(column, form, term.at) for term, _ in some]
            continue
        if len({weight for _, weight in some}) > 1:
            return None
        conditions.append(Condition(column, IS, 0.0, tuple(int(t.at) for t, _ in some), some[0][1] < 0))
    least = math.floor(cut + sum(c.is_not for c in conditions)) + 1
    return Count(least, tuple(conditions)) if 1 <= least <= len(conditions) and len(conditions) > 1 else None


def _counts_one(term: Term, weight: float) -> bool:
    return term.form != VALUE and (weight == 1 or (weight == -1 and term.form == IS))


# ---- in words ------------------------------------------------------------------------------------------


def joined(count: Count, parts: Sequence[str]) -> str:
    """Return a count of conditions as one sentence.

    >>> from treewright.tree.terms import ABOVE
    >>> three = (Condition(0, ABOVE), Condition(1, ABOVE), Condition(2, ABOVE))
    >>> [joined(Count(least, three), ("a > 0", "b > 0", "c > 0")) for least in (1, 2, 3)]
    ['a > 0 or b > 0 or c > 0', 'at least 2 of (a > 0; b > 0; c > 0)', 'a > 0 and b > 0 and c > 0']
    """
    if count.least == len(parts):
        return " and ".join(parts)
    return " or ".join(parts) if count.least == 1 else f"at least {count.least} of ({'; '.join(parts)})"


def with_categories(
    columns: Sequence[Column], found: Sequence[tuple[Term, float]], style: Style, named: dict[int, str]
) -> tuple[list[str], list[float]]:
    """Return names and weights of the terms of a sum; the categories of a column stand together.

    `named` is what columns are called whose value is added up.
    """
    names: list[str] = []
    weights: list[float] = []
    for (column, form), group in groupby(found, key=lambda pair: (pair[0].column, pair[0].form)):
        some = list(group)
        if form == IS and len(some) > 1:
            names.append(_impacts(columns[column], some, style))
            weights.append(1.0)
            continue
        for term, weight in some:
            names.append(named[column] if form == VALUE else f"[{in_words(columns, _alone(term), style)}]")
            weights.append(weight)
    return names, weights


def _alone(term: Term) -> Condition:
    codes = (int(term.at),) if term.form == IS else ()
    return Condition(term.column, term.form, term.at, codes)


def _impacts(column: Column, some: Sequence[tuple[Term, float]], style: Style) -> str:
    most = len(some) if style.most is None or len(some) <= style.most + 1 else style.most
    parts = [f"{style.name(column.categories[int(t.at)])}: {style.number(w)}" for t, w in some[:most]]
    if most < len(some):
        parts.append(f"{style.dots} {len(some) - most} more")
    return f"{style.name(column.name)}({', '.join(parts)})"


def in_words(columns: Sequence[Column], condition: Condition, style: Style) -> str:
    """Return a condition as people write it: `age > 30`, `city = Rome`, `hue not in {red, blue}`."""
    column = columns[condition.column]
    name = style.name(column.name)
    if condition.form == IS:
        shown = [style.name(column.categories[code]) for code in condition.codes]
        if len(shown) == 1:
            return f"{name} {'!=' if condition.is_not else '='} {shown[0]}"
        if style.most is not None and len(shown) > style.most + 1:
            shown[style.most :] = [f"{style.dots} {len(shown) - style.most} more"]
        return f"{name} {'not in' if condition.is_not else 'in'} {{{', '.join(shown)}}}"
    sign = "<=" if condition.form == AT_MOST else ">"
    return f"{name} {sign} {_bound(column, condition.at, style)}"


def _bound(column: Column, at: float, style: Style) -> str:
    """Return a number, the edge behind an interval, or the name of a rank."""
    if column.is_numeric:
        return style.value(column, at)
    rank = math.floor(at)
    if column.edges is not None and 0 <= rank < len(column.edges):
        return style.value(column, column.edges[rank])
    if column.kind in (Kind.ordinal, Kind.boolean) and 0 <= rank < len(column.categories):
        return style.name(column.categories[rank])
    return style.number(at)
