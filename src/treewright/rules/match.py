"""Rows and rules: what share of each row each rule is given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.rules.condition import Condition, Proxy, StandIn
from treewright.rules.rule import Rule
from treewright.rules.several import SumCondition, Summed, SumTerm, summed
from treewright.table import Schema

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
Columns = Sequence[NDArray[Any]]
Places = dict[str, int]  # the code of each category
AnyCondition = Condition | SumCondition


@dataclass(frozen=True)
class Matches:
    """Which rules match which rows, pair by pair: rows ascending inside a rule, rules in order.

    >>> matches = Matches(np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([1.0, 0.5, 0.5]), 3)
    >>> matches.per_row.tolist()
    [1, 2, 0]
    """

    row: Rows
    rule: NDArray[np.intp]
    share: Floats
    n_rows: int

    @property
    def per_row(self) -> NDArray[np.intp]:
        """The number of rules that match each row, in whole or in part."""
        return np.bincount(self.row, minlength=self.n_rows)


def match(rules: Sequence[Rule], schema: Schema, columns: Columns, n_rows: int) -> Matches:
    """Return which rules match which rows, given the columns of the schema in its own codes.

    >>> from treewright.table import Column, Kind
    >>> schema = Schema((Column("x", Kind.numeric),))
    >>> rules = [Rule((Condition("x", high=1.0),), "a"), Rule((Condition("x", low=1.0, missing=0.5),), "b")]
    >>> found = match(rules, schema, [np.array([0.0, 2.0, np.nan])], 3)
    >>> found.row.tolist(), found.rule.tolist(), found.share.tolist()
    ([0, 1, 2], [0, 1, 1], [1.0, 1.0, 0.5])
    """
    reader = Reader(schema, columns, n_rows)
    parts = list(reader.each([rule.conditions for rule in rules]))
    rows = [row for row, _ in parts]
    rule = np.repeat(np.arange(len(parts)), [len(row) for row in rows])
    nothing = np.zeros(0)
    return Matches(
        np.concatenate([nothing.astype(np.intp), *rows]),
        rule,
        np.concatenate([nothing, *(share for _, share in parts)]),
        n_rows,
    )


class Reader:
    """Rows of one table that conditions can be asked about."""

    def __init__(self, schema: Schema, columns: Columns, n_rows: int) -> None:
        self._columns = {c.name: (c, v) for c, v in zip(schema.columns, columns, strict=True)}
        self._places = {
            c.name: {category: i for i, category in enumerate(c.categories)} for c in schema.columns
        }
        self._everything = np.arange(n_rows)
        self._schema, self._cells = schema, columns
        self._sums: dict[tuple[SumTerm, ...], Summed] = {}

    def matching(self, conditions: Sequence[AnyCondition], rows: Rows) -> tuple[Rows, Floats]:
        """Return those of the rows that pass all conditions, each with its share."""
        share = np.ones(len(rows))
        for condition in conditions:
            rows, share = self._step(condition, rows, share)
        return rows, share

    def each(self, rules: Sequence[Sequence[AnyCondition]]) -> Iterator[tuple[Rows, Floats]]:
        """Yield the rows that pass all conditions, rule by rule.

        Neighbours in a tree begin with the same conditions: those are asked once.
        """
        asked: list[AnyCondition] = []
        passed = [(self._everything, np.ones(len(self._everything)))]  # after none, one, two of them
        for conditions in rules:
            same = 0
            while same < min(len(asked), len(conditions)) and asked[same] == conditions[same]:
                same += 1
            del asked[same:], passed[same + 1 :]
            for condition in conditions[same:]:
                asked.append(condition)
                passed.append(self._step(condition, *passed[-1]))
            yield passed[-1]

    def _step(self, condition: AnyCondition, rows: Rows, share: Floats) -> tuple[Rows, Floats]:
        share = share * self.shares(condition, rows)
        passes = share > 0
        return (rows, share) if passes.all() else (rows[passes], share[passes])

    def shares(self, condition: AnyCondition, rows: Rows) -> Floats:
        """Return the share of each row that passes one condition."""
        if isinstance(condition, SumCondition):
            return self._shares_of_sum(condition, rows)
        column, values = self._columns[condition.column]
        cells, place = values[rows], self._places[condition.column]
        found = _of_numbers(condition, cells) if column.is_numeric else _of_codes(condition, place)[cells]
        for proxy in condition.proxies:
            is_asking = np.isnan(cells) & proxy.missing if column.is_numeric else _asking(proxy, place)[cells]
            asking = np.flatnonzero(is_asking & (found > 0))
            if len(asking):
                found[asking] *= self._by_proxy(proxy, rows[asking])
        return found

    def _shares_of_sum(self, condition: SumCondition, rows: Rows) -> Floats:
        if condition.terms not in self._sums:  # of all rows, once
            pairs = [term.in_schema(self._schema) for term in condition.terms]
            self._sums[condition.terms] = summed(pairs, self._schema.columns, self._cells)
        whole = self._sums[condition.terms]
        total, is_gap, is_unseen = whole.total[rows], whole.is_gap[rows], whole.is_unseen[rows]
        found = np.where(is_unseen, condition.unseen, _of_numbers(condition, total))
        for proxy in condition.proxies:
            asking = np.flatnonzero(((is_gap & proxy.missing) | (is_unseen & proxy.unseen)) & (found > 0))
            if len(asking):
                found[asking] *= self._by_proxy(proxy, rows[asking])
        return found

    def _by_proxy(self, proxy: Proxy, rows: Rows) -> Floats:
        """Return what the first stand-in with an answer says."""
        found = np.full(len(rows), np.nan)
        for test in proxy.tests:
            still = np.flatnonzero(np.isnan(found))
            if not len(still):
                break
            cells = self._columns[test.column][1][rows[still]]
            found[still] = (
                _passes_by_code(test, self._places[test.column])[cells]
                if test.cut is None
                else np.where(np.isnan(cells), np.nan, (cells <= test.cut) == test.is_below)
            )
        return np.where(np.isnan(found), proxy.otherwise, found)


def _of_numbers(condition: Condition | SumCondition, cells: Floats) -> Floats:
    passes = ~np.isnan(cells)
    is_gap = ~passes
    if condition.low is not None:
        passes &= cells > condition.low
    if condition.high is not None:
        passes &= cells <= condition.high
    return np.where(is_gap, condition.missing, passes.astype(np.float64))


# By code, from a lookup of the column's categories; -2 (unseen) and -1 (missing) find the last two.


def _of_codes(condition: Condition, place: Places) -> Floats:
    """Return the share that passes."""
    found = np.zeros(len(place) + 2)
    found[[place[category] for category in condition.categories or ()]] = 1.0
    for category, share in condition.partly:
        found[place[category]] = share
    found[-2], found[-1] = condition.unseen, condition.missing
    return found


def _asking(proxy: Proxy, place: Places) -> NDArray[np.bool_]:
    """Return which values make the stand-ins speak."""
    asks = np.zeros(len(place) + 2, dtype=bool)
    asks[[place[category] for category in proxy.categories]] = True
    asks[-2], asks[-1] = proxy.unseen, proxy.missing
    return asks


def _passes_by_code(test: StandIn, place: Places) -> Floats:
    """Return 1 or 0 where a stand-in has an answer, NaN where it has none."""
    said = np.full(len(place) + 2, np.nan)
    said[[place[category] for category in test.passing]] = 1.0
    said[[place[category] for category in test.failing]] = 0.0
    return said
