"""The core as a judge: what the best cut of each column is worth among the rows of a node."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.base.draws import COLUMNS_TRIED, item_named
from treewright.growth.projected.field import Coding, Field, field_of
from treewright.growth.projected.fitted import goals_of
from treewright.growth.question import FORMS, Question, tie_order
from treewright.growth.settings import Settings
from treewright.tree.policy import GAPS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

FEW_ROWS = 100.0  # in a node of so many rows a column costs twice the penalty, in one of half as many thrice

# Kept from the settings that the question made: they belong to the table, not to a node.
_OF_TABLE = ("weight_unit", "y_unit", "min_leaf_weight", "class_scale", "label_scale", "costs", "min_gain")


class Worth(NamedTuple):
    """What the best cut of each column is worth and gains, and where it is; -inf and NaN if there is none."""

    score: Floats
    cut: Floats
    gain: Floats


class Judge:
    """All that is asked of the core about the rows of nodes; rows lie in an order that is theirs alone.

    The order of the table must not matter. So rows are sorted once, by all they hold: two rows that are
    not told apart by that may change places.
    """

    def __init__(self, question: Question, values: tuple[NDArray[Any], ...], settings: Settings) -> None:
        self.question, self.settings = question, settings
        self.schema, self.is_classifier = question.schema, question.is_classifier
        self.criterion, self.of_table, self.outside = question.criterion, question.core, question.scorer
        units, target = question.units, question.answers
        kept = values if question.rows is None else tuple(column[question.rows] for column in values)
        self.ranks = _ranks(self.schema.names, settings.ties)
        self.by_rank = sorted(range(len(self.ranks)), key=self.ranks.__getitem__)
        self.tried = list(range(len(self.ranks)))  # which columns tests may be on
        keys = [np.asarray(kept[i], dtype=np.float64) for i in self.by_rank]
        order = np.lexsort((units, target, *reversed(keys)))
        self.units: Ints = np.ascontiguousarray(units[order])
        self.target: NDArray[Any] = np.ascontiguousarray(target[order])
        self.cells = [_cells(c.is_numeric, v[order]) for c, v in zip(self.schema.columns, kept, strict=True)]
        self.of_node, self.of_whole_rows = self._node_settings(), self._whole_row_settings()
        self.growth = self._growth_on(self.target, self.units, [], self.of_node)
        self.table_weight = self._score_weight(self.target, self.units)

    def at_node(self, rows: Ints, path: int) -> Judge:
        """Return the judge of a node: with the columns drawn for it where not all are tried.

        They are drawn on past those that do not vary among its rows, by hash of the path and their names.
        """
        most = self.settings.max_columns
        if most is None or most >= len(self.cells):
            return self
        seed, names = self.settings.seed % 2**64, self.schema.names
        keys = [_core.draw(seed, COLUMNS_TRIED, path ^ item_named(name), 0) for name in names]
        tried: list[int] = []
        n_varying = 0
        for place in sorted(range(len(keys)), key=lambda i: (keys[i], self.ranks[i])):
            tried.append(place)
            n_varying += _varies(self.cells[place][rows])
            if n_varying == most:
                break
        own = copy(self)
        own.tried = sorted(tried)
        own.by_rank = [place for place in self.by_rank if place in tried]
        return own

    def field(self, rows: Ints, units: Ints) -> Field:
        """Return the columns of these rows that can be added up."""
        unit = self.of_table.weight_unit
        coding = self._coding(rows, units)
        return field_of(self.schema, self.cells, rows, units, unit, self.by_rank, coding)

    def _coding(self, rows: Ints, units: Ints) -> Coding:
        """Return how categories enter sums here; impacts are on the first of what sums may follow."""
        way = self.settings.linear_categories
        if way != "impact":
            return Coding(way)
        alone = field_of(self.schema, self.cells, rows, units, order=[])
        k = len(self.question.target.categories) if self.is_classifier else 0
        return Coding(way, next(goals_of(alone, self.target[rows], k)))

    def amount(self, units: Ints) -> float:
        """Return how many rows these units of weight stand for: a row of weight 2 is two."""
        return float(units.sum()) * float(self.of_table.weight_unit)

    def may_beat(self, alone: dict[str, Any], units: Ints) -> bool:
        """Say whether a sum of two columns could be worth more than the best single test of a node.

        No test takes off more than all impurity that there is; where the price of a second column leaves too
        little of that, nothing needs to be searched.
        """
        most = self._impurity(alone)
        best = price(most, 2, self.settings.linear_penalty, self.amount(units))
        return not best * (1.0 + 1e-6) <= float(alone["score"][0])

    def _impurity(self, alone: dict[str, Any]) -> float:
        """Return the impurity of a node where it bounds the score of any test; endless where it does not."""
        stats = alone["stats"].reshape(-1, alone["n_stats"])[0]
        if self.criterion not in ("gini", "entropy", "squared_error"):
            return np.inf
        if not self.is_classifier:
            return float(stats[2] / stats[0])
        scale = np.asarray(self.of_table.class_scale)
        held = stats * scale if len(scale) else stats
        share = held[held > 0] / held.sum()
        if self.criterion == "entropy":
            return float(-(share * np.log2(share)).sum())
        return float(1.0 - (share * share).sum())

    def weight_of(self, rows: Ints, units: Ints) -> float:
        """Return the weight of rows as scores see it."""
        return self._score_weight(self.target[rows], units)

    def ask(
        self,
        rows: Ints,
        units: Ints,
        sums: list[Floats],
        *,
        keeps_ledger: bool = False,
        is_last: bool = False,
    ) -> dict[str, Any]:
        """Return the arrays of a tree of one test on these rows: on a column, or on one of the sums.

        Sums lose ties against columns. Surrogates are looked for where the answer `is_last`.
        """
        columns = [self._column(i, rows) for i in self.tried]
        return self._tested(columns, rows, units, sums, keeps_ledger, is_last)

    def ask_alone(self, rows: Ints, units: Ints, column: Floats) -> dict[str, Any]:
        """Return the arrays of a tree of one test, on this column alone; it stands after the table's."""
        arrays = self._tested([], rows, units, [column], keeps_ledger=False, is_last=False)
        arrays["column"][:1] = np.where(arrays["column"][:1] == 0, len(self.cells), -1)
        return arrays

    def worth(self, rows: Ints, units: Ints, sums: list[Floats]) -> Worth:
        """Return what the best cut of each sum is worth."""
        if not sums:
            return Worth(np.zeros(0), np.zeros(0), np.zeros(0))
        if self._counts_rows(units, sums):
            target, ones = np.ascontiguousarray(self.target[rows]), np.ones_like(units)
            growth = self._growth_on(target, ones, [], self.of_whole_rows)
            return _searched(growth, np.arange(len(rows)), ones, sums, len(self.cells))
        return _searched(self.growth, rows, units, sums, len(self.cells))

    def sides(self, side: NDArray[np.int32], units: Ints, sums: list[Floats]) -> Worth:
        """Return how well the best cut of each sum tells two sides apart, by gini, without any limit."""
        if not sums:
            return Worth(np.zeros(0), np.zeros(0), np.zeros(0))
        growth = _core.Growth.of_classes([], side, 2, units, "gini", Settings(max_depth=1).to_core(), None)
        return _searched(growth, np.arange(len(side)), units, sums, 0)

    def _tested(
        self, columns: list[_core.Column], rows: Ints, units: Ints, sums: list[Floats],
        keeps_ledger: bool, is_last: bool,
    ) -> dict[str, Any]:  # fmt: skip
        first = len(self.cells)
        given = [*columns, *(_core.Column.of_numbers(x, first + i) for i, x in enumerate(sums))]
        target = np.ascontiguousarray(self.target[rows])
        core = self._core_settings(target, units, is_last)
        looked_at = [*(self.cells[i][rows] for i in self.tried if columns), *sums]
        if self._counts_rows(units, looked_at):
            self.of_whole_rows.min_gain, core, units = core.min_gain, self.of_whole_rows, np.ones_like(units)
        arrays = one_test(self._growth_on(target, units, given, core), units, keeps_ledger)
        if columns and len(columns) < first:
            self._name_columns(arrays, len(sums))
            columns = [self._column(i, rows) for i in range(first)]  # any may stand in
        if is_last and GAPS[self.settings.missing].way == "surrogate":
            is_sum = int(arrays["column"][0]) >= len(columns)
            given = [*columns, *given[len(given) - len(sums) :]] if is_sum else columns
            arrays |= _core.every_surrogate(arrays, given, units, core, None)
        return arrays

    def _name_columns(self, arrays: dict[str, Any], n_sums: int) -> None:
        """Give columns their places in the table where only some were tried."""
        first = len(self.cells)
        places = np.array([*self.tried, *range(first, first + n_sums), -1], dtype=np.int32)
        for name in ("column", "ledger_column"):
            arrays[name] = places[arrays[name]].astype(arrays[name].dtype)

    def _core_settings(self, target: NDArray[Any], units: Ints, is_last: bool) -> _core.Settings:
        core = self.of_node
        core.max_surrogates = self.settings.max_surrogates if is_last else 0
        if self.of_table.is_gain_of_table:  # the core takes the node for the table
            share = self._score_weight(target, units) / self.table_weight
            core.min_gain = self.of_table.min_gain / max(share, 1e-300)
        return core

    def _node_settings(self) -> _core.Settings:
        """Return the settings of a tree of one test."""
        step = replace(self.settings, max_depth=1, max_leaves=None, collapse=None, max_columns=None)
        core = step.to_core()
        for name in _OF_TABLE:
            setattr(core, name, getattr(self.of_table, name))
        core.is_gain_of_table = False
        return core

    def _whole_row_settings(self) -> _core.Settings:
        """Return the same for rows of which none can be divided: sizes are whole rows."""
        core = self._node_settings()
        core.missing, core.weight_unit = "none", 1.0
        for name in ("min_leaf", "min_branch", "min_split"):
            setattr(core, name, float(np.ceil(getattr(core, name) - 1e-6)))
        return core

    def _counts_rows(self, units: Ints, columns: list[NDArray[Any]]) -> bool:
        """Say whether rows of a numeric target that may be divided are all whole, and stay so.

        The core then counts rows, and weight otherwise: squares are rounded by the unit of weights.
        """
        if self.is_classifier or GAPS[self.settings.missing].way != "divide":
            return False
        is_whole = bool(np.all(units * self.of_table.weight_unit == 1.0))
        return is_whole and not any(has_gap(cells) for cells in columns)

    def _growth_on(
        self, target: NDArray[Any], units: Ints, columns: list[_core.Column], core: _core.Settings
    ) -> _core.Growth:
        make = _core.Growth.of_classes if self.is_classifier else _core.Growth.of_numbers
        return make(columns, target, self.question.of_target, units, self.criterion, core, self.outside)

    def _column(self, i: int, rows: Ints) -> _core.Column:
        column, cells = self.schema.columns[i], np.ascontiguousarray(self.cells[i][rows])
        if column.is_numeric:
            return _core.Column.of_numbers(cells, self.ranks[i])
        form = FORMS[column.kind, self.settings.splits]
        return _core.Column.of_codes(cells, len(column.categories), form, self.ranks[i])

    def _score_weight(self, target: NDArray[Any], units: Ints) -> float:
        """Return the weight of rows as scores see it: priors and costs weigh the classes."""
        scale = np.asarray(self.of_table.class_scale)
        if not self.is_classifier or not len(scale):
            return float(units.sum())
        return float(np.bincount(target, units, len(scale)) @ scale)


def _searched(growth: _core.Growth, rows: Ints, units: Ints, sums: list[Floats], first: int) -> Worth:
    """Return what the best cut of each sum is worth; ranks go on from `first`."""
    score, cut, gain = np.full(len(sums), -np.inf), np.full(len(sums), np.nan), np.full(len(sums), -np.inf)
    node = growth.open(rows.astype(np.int32), np.ascontiguousarray(units))
    if growth.is_finished(node):
        return Worth(score, cut, gain)
    columns = [_core.Column.of_numbers(x, first + i) for i, x in enumerate(sums)]
    for i, offer in enumerate(growth.search(node, columns)):
        # "is it known?" is no question about a sum: its cut is infinite
        if offer.is_possible and np.isfinite(offer.cut):
            score[i], cut[i], gain[i] = offer.score, offer.cut, offer.gain
        elif offer.is_possible:
            cut[i] = offer.cut
    return Worth(score, cut, gain)


def price(score: float, n_columns: int, penalty: float, n_rows: float) -> float:
    """Return a score less what columns beyond the first cost: a share each, larger where rows are few.

    A row of weight 2 counts as two.

    >>> price(1.0, 1, 0.05, 100), round(price(1.0, 3, 0.05, 100), 3), round(price(1.0, 3, 0.05, 50), 3)
    (1.0, 0.8, 0.7)
    """
    return score - abs(score) * (n_columns - 1) * penalty * (1.0 + FEW_ROWS / n_rows)


def one_test(growth: _core.Growth, units: Ints, keeps_ledger: bool) -> dict[str, Any]:
    """Return the arrays of all rows and, where a test is found, of its branches."""
    root = growth.open(np.arange(len(units), dtype=np.int32), np.ascontiguousarray(units))
    place = growth.add(root)
    if growth.is_finished(root):
        return growth.tree()
    offers, chosen = growth.decide(root, growth.search(root))
    if keeps_ledger:
        growth.keep_offers(place, offers)
    if chosen is not None:
        children, missing, largest = growth.apply(root, offers[chosen])
        places = [growth.add(child, place) for child in children]
        growth.split(place, offers[chosen], missing, largest, places[0])
    return growth.tree()


def _varies(cells: NDArray[Any]) -> bool:
    """Say whether two known values differ."""
    known = cells[~np.isnan(cells)] if cells.dtype.kind == "f" else cells[cells >= 0]
    return len(known) > 0 and bool((known != known[0]).any())


def has_gap(cells: NDArray[Any]) -> bool:
    """Say whether a value is missing: a number, or the code of a category."""
    return bool(np.isnan(cells).any() if cells.dtype.kind == "f" else (cells < 0).any())


def _cells(is_numeric: bool, values: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(values, dtype=np.float64 if is_numeric else np.int32)


def _ranks(names: tuple[str, ...], ties: str) -> list[int]:
    return [int(rank) for rank in np.argsort(tie_order(names, ties))]
