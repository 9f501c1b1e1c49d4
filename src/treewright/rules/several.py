"""What a rule asks of several columns: how much a weighted sum comes to, or how many conditions hold."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.rules.condition import Proxy, bounded, share_in_words
from treewright.table import Column, Kind, Schema
from treewright.tree import Tree, conditions, terms
from treewright.tree.check import SUM
from treewright.tree.split import FULL, Style, summed_names
from treewright.tree.terms import ABOVE, AT_MOST, IS, Term

Floats = NDArray[np.float64]
Pairs = tuple[tuple[Term, float], ...]  # the terms of a sum, each with its weight


@dataclass(frozen=True, repr=False)
class SumTerm(Shown):
    """What is added up: a column's value, or 1 where it is a category, at most a number, or above one.

    The value of an ordinal column is its rank, that of a boolean one 0 or 1.

    >>> SumTerm("age", 0.5), SumTerm("city", -1.0, category="Rome")
    (SumTerm(0.5 age), SumTerm(-[city = Rome]))
    """

    column: str
    weight: float = 1.0
    category: str | None = None
    at_most: float | None = None
    above: float | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.column, str):
            raise TypeError(f"A term is about a column by its name; found {self.column!r}.")
        if sum(form is not None for form in (self.category, self.at_most, self.above)) > 1:
            raise ValueError(f"Column {self.column!r}: a term has one condition at most.")
        numbers = [self.weight, *(x for x in (self.at_most, self.above) if x is not None)]
        if not all(math.isfinite(x) for x in numbers) or self.weight == 0:
            raise ValueError(f"Column {self.column!r}: weights are finite and not 0, bounds are finite.")

    def __str__(self) -> str:
        return harmless(_sum_in_words((self,), FULL, None))

    @property
    def has_condition(self) -> bool:
        """True where it counts 1 or 0 and is not the value itself."""
        return any(form is not None for form in (self.category, self.at_most, self.above))

    def in_schema(self, schema: Schema) -> tuple[Term, float]:
        """Return the term as trees have it.

        >>> SumTerm("x", 2.0, above=3.0).in_schema(Schema((Column("x", Kind.numeric),)))
        (Term(column=0, form=3, at=3.0), 2.0)
        """
        place = schema.index(self.column)
        if self.category is not None:
            return Term(place, IS, float(schema.columns[place].categories.index(self.category))), self.weight
        if self.at_most is not None:
            return Term(place, AT_MOST, self.at_most), self.weight
        return (Term(place) if self.above is None else Term(place, ABOVE, self.above)), self.weight


@dataclass(frozen=True, repr=False)
class SumCondition(Shown):
    """What a rule asks of several columns at once, and what share of a row passes.

    The rows pass whose sum of the terms is above `low` and at most `high`; None is no bound. A sum has no
    value where one of its columns has none: the first of them, in the order of the terms, says whether the
    share `missing` or `unseen` passes. `proxies` are tests that are asked there besides.

    >>> SumCondition((SumTerm("height", 0.5), SumTerm("weight", -1.0)), high=12.0).to_text()
    '0.5 height - weight <= 12'
    >>> both = (SumTerm("age", above=30.0), SumTerm("city", category="Rome"))
    >>> SumCondition(both, low=1.5).to_text(), SumCondition(both, high=1.5).to_text()
    ('(age > 30 and city = Rome)', 'not (age > 30 and city = Rome)')
    """

    terms: tuple[SumTerm, ...]
    low: float | None = None
    high: float | None = None
    missing: float = 0.0
    unseen: float = 0.0
    proxies: tuple[Proxy, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "terms", tuple(self.terms))
        if not self.terms or not all(isinstance(term, SumTerm) for term in self.terms):
            raise ValueError("A condition on several columns has terms: tw.rules.SumTerm.")
        if any(bound is not None and bound != bound for bound in (self.low, self.high)):
            raise ValueError("A bound of a sum must be a number, not NaN.")
        shares = [self.missing, self.unseen, *(proxy.otherwise for proxy in self.proxies)]
        if not all(0 <= share <= 1 for share in shares):
            raise ValueError(f"Shares of a row lie between 0 and 1; found {shares}.")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it asks about, in the order of its terms.

        >>> SumCondition((SumTerm("b"), SumTerm("a")), low=0.0).columns
        ('b', 'a')
        """
        return tuple(dict.fromkeys(term.column for term in self.terms))

    @property
    def key(self) -> Any:
        """What no other condition of a rule may be about."""
        return self.terms

    @property
    def n_tests(self) -> int:
        """How many single tests it stands for: two for an interval with both bounds.

        >>> SumCondition((SumTerm("a"), SumTerm("b")), low=0.0, high=1.0).n_tests
        2
        """
        return max(1, (self.low is not None) + (self.high is not None))

    @property
    def has_known(self) -> bool:
        """True where some known values pass; False for "is missing"."""
        low, high = self.low, self.high
        return low != math.inf and (low is None or high is None or low < high)

    @property
    def divides(self) -> bool:
        """True where some value lets a part of a row pass."""
        return any(0 < share < 1 for share in (self.missing, self.unseen))

    def __str__(self) -> str:
        return harmless(self.to_text())

    def to_text(
        self,
        style: Style = FULL,
        *,
        says_missing: bool = True,
        says_unseen: bool = True,
        schema: Schema | None = None,
    ) -> str:
        """Return the condition in words; `schema` knows how values and ranks of columns are called.

        >>> three = tuple(SumTerm(name, above=0.0) for name in "abc")
        >>> SumCondition(three, low=1.5, missing=1.0).to_text()
        'at least 2 of (a > 0; b > 0; c > 0) or missing'
        """
        also = []
        if says_missing and (self.missing or self.proxies):
            also.append("missing" + share_in_words(self.missing, self.proxies, style, schema))
        if says_unseen and self.unseen:
            also.append("unseen" + share_in_words(self.unseen, (), style))
        if not self.has_known:
            said = _sum_in_words(self.terms, style, schema)
            return f"{said} is {' or '.join(also)}" if also else f"{said} is never so"
        return " or ".join([self._known(style, schema), *also])

    def _known(self, style: Style, schema: Schema | None) -> str:
        columns, pairs = _columns_and_pairs(self.terms, schema)
        low, high = (conditions.count_of(pairs, b) if b is not None else None for b in (self.low, self.high))
        one = low or high
        if one is None or (self.low is None) != (low is None) or (self.high is None) != (high is None):
            bounds = (None if b is None else style.number(b) for b in (self.low, self.high))
            return bounded(_sum_in_words(self.terms, style, schema), *bounds)
        parts = [conditions.in_words(columns, part, style) for part in one.conditions]
        return _counted(parts, None if low is None else low.least, None if high is None else high.least)


def _counted(parts: list[str], least: int | None, below: int | None) -> str:
    """Return the words for: at least so many of these hold, and fewer than so many.

    >>> [_counted(["p", "q", "r"], *bounds) for bounds in ((1, None), (None, 1), (2, 3), (1, 3))]
    ['(p or q or r)', 'none of (p; q; r)', 'exactly 2 of (p; q; r)', '1 to 2 of (p; q; r)']
    """
    listed = f"({'; '.join(parts)})"
    if least is not None and below is not None:
        n = f"exactly {least}" if least == below - 1 else f"{least} to {below - 1}"
        return f"{n} of {listed}"
    if least is not None:
        word = {len(parts): " and ", 1: " or "}.get(least)
        return f"at least {least} of {listed}" if word is None else f"({word.join(parts)})"
    if below == 1:
        return f"none of {listed}"
    return f"not ({' and '.join(parts)})" if below == len(parts) else f"fewer than {below} of {listed}"


def _sum_in_words(found: Sequence[SumTerm], style: Style, schema: Schema | None) -> str:
    columns, pairs = _columns_and_pairs(found, schema)
    places = sorted({term.column for term, _ in pairs})
    named = dict(zip(places, summed_names([columns[place] for place in places], style), strict=True))
    return terms.words(*conditions.with_categories(columns, pairs, style, named))


def _columns_and_pairs(
    found: Sequence[SumTerm], schema: Schema | None
) -> tuple[Sequence[Column], list[tuple[Term, float]]]:
    """Return columns, and the terms by the places of these; without a schema columns are what they seem."""
    if schema is None:
        categories: dict[str, list[str]] = {}
        for term in found:
            mine = categories.setdefault(term.column, [])
            mine += [] if term.category is None or term.category in mine else [term.category]
        schema = Schema(
            tuple(
                Column(name, Kind.nominal, tuple(mine)) if mine else Column(name, Kind.numeric)
                for name, mine in categories.items()
            )
        )
    return schema.columns, [term.in_schema(schema) for term in found]


# ---- sums of trees -------------------------------------------------------------------------------------


def terms_of(pairs: Pairs, schema: Schema) -> tuple[SumTerm, ...]:
    """Return the terms of a test of a tree as a rule has them.

    >>> terms_of(((Term(0, AT_MOST, 2.0), 1.0),), Schema((Column("x", Kind.numeric),)))
    (SumTerm([x <= 2]),)
    """
    found = []
    for term, weight in pairs:
        column = schema.columns[term.column]
        forms: dict[int, dict[str, Any]] = {
            IS: {"category": column.categories[int(term.at)]} if term.form == IS else {},
            AT_MOST: {"at_most": term.at},
            ABOVE: {"above": term.at},
        }
        found.append(SumTerm(column.name, weight, **forms.get(term.form, {})))
    return tuple(found)


class Sums(NamedTuple):
    """The sums that a tree tests, each once: columns of numbers that stand behind those of its table."""

    of_node: dict[int, int]  # the column of a node that asks about several
    pairs: tuple[Pairs, ...]
    columns: tuple[Column, ...]  # of the table, then one for each sum

    @classmethod
    def of(cls, tree: Tree) -> Sums:
        """Return the sums of a tree, in the order of its nodes.

        >>> from treewright.tree.example import tennis
        >>> Sums.of(tennis()).pairs
        ()
        """
        found: dict[Pairs, int] = {}
        of_node = {}
        n = len(tree.schema.columns)
        for node in np.flatnonzero(tree.kind == SUM).tolist():
            pairs = tuple(terms.terms_at(tree, node))
            of_node[node] = n + found.setdefault(pairs, len(found))
        further = tuple(Column(f"sum {i}", Kind.numeric) for i in range(1, len(found) + 1))
        return cls(of_node, tuple(found), (*tree.schema.columns, *further))

    def values(self, columns: Sequence[NDArray[Any]]) -> list[NDArray[Any]]:
        """Return the columns of rows, and behind them what the sums come to; NaN: no value."""
        about = self.columns[: len(self.columns) - len(self.pairs)]
        return [*columns, *(summed(pairs, about, columns).total for pairs in self.pairs)]


class Summed(NamedTuple):
    """What a sum comes to in every row, and where a gap or a new category comes first."""

    total: Floats  # NaN where there is none
    is_gap: NDArray[np.bool_]
    is_unseen: NDArray[np.bool_]


def summed(pairs: Sequence[tuple[Term, float]], about: Sequence[Column], cells: Sequence[Any]) -> Summed:
    """Return a sum in every row, added up as the core does.

    >>> columns = (Column("x", Kind.numeric), Column("c", Kind.nominal, ("a", "b")))
    >>> cells = [np.array([1.0, 2.0, np.nan]), np.array([1, -2, -2])]
    >>> found = summed(((Term(0), 2.0), (Term(1, IS, 1.0), 1.0)), columns, cells)
    >>> found.total.tolist(), found.is_gap.tolist(), found.is_unseen.tolist()
    ([3.0, nan, nan], [False, False, True], [False, True, False])
    """
    parts = []
    n_rows = len(cells[pairs[0][0].column])
    is_gap, is_unseen = np.zeros(n_rows, dtype=bool), np.zeros(n_rows, dtype=bool)
    for term, weight in pairs:
        column, own = about[term.column], cells[term.column]
        x = np.where(own < 0, np.nan, own) if not column.is_numeric else np.asarray(own, dtype=np.float64)
        is_new = np.zeros(n_rows, dtype=bool) if column.is_numeric else np.asarray(own) < -1
        is_open = ~is_gap & ~is_unseen
        is_unseen |= is_open & is_new
        is_gap |= is_open & np.isnan(x) & ~is_new
        parts.append((term.of(x), weight))
    total = terms.sums_of(parts)
    return Summed(total, is_gap | (np.isnan(total) & ~is_unseen), is_unseen)
