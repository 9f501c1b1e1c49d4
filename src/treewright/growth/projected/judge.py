"""The core as a judge: what the best cut of each column is worth among the rows of a node."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.growth.projected.field import Field, field_of
from treewright.growth.question import FORMS, Question, tie_order
from treewright.growth.settings import Settings
from treewright.tree.policy import GAPS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Verdicts of the ledger that come with a score of the test itself; see `grow.ledger.VERDICTS`.
_SCORED = np.array([1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1], dtype=bool)
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
        keys = [np.asarray(kept[i], dtype=np.float64) for i in self.by_rank]
        order = np.lexsort((units, target, *reversed(keys)))
        self.units: Ints = np.ascontiguousarray(units[order])
        self.target: NDArray[Any] = np.ascontiguousarray(target[order])
        self.cells = [_cells(c.is_numeric, v[order]) for c, v in zip(self.schema.columns, kept, strict=True)]
        self.of_node = self._node_settings()
        self.growth = self._growth()
        self.table_weight = self._score_weight(self.target, self.units)

    def field(self, rows: Ints, units: Ints) -> Field:
        """Return the columns of these rows that can be added up."""
        return field_of(self.schema, self.cells, rows, units, self.of_table.weight_unit, self.by_rank)

    def amount(self, units: Ints) -> float:
        """Return how many rows these units of weight stand for: a row of weight 2 is two."""
        return float(units.sum()) * float(self.of_table.weight_unit)

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
        columns = [self._column(i, rows) for i in range(len(self.cells))]
        return self._grown(columns, rows, units, sums, keeps_ledger, is_last)

    def ask_alone(self, rows: Ints, units: Ints, column: Floats) -> dict[str, Any]:
        """Return the arrays of a tree of one test, on this column alone; it stands after the table's."""
        arrays = self._grown([], rows, units, [column], keeps_ledger=False, is_last=False)
        arrays["column"][:1] = np.where(arrays["column"][:1] == 0, len(self.cells), -1)
        return arrays

    def worth(self, rows: Ints, units: Ints, sums: list[Floats]) -> Worth:
        """Return what the best cut of each sum is worth."""
        if not sums:
            return Worth(np.zeros(0), np.zeros(0), np.zeros(0))
        if self.growth is None:
            arrays = self._grown([], rows, units, sums, keeps_ledger=True, is_last=False)
            return of_ledger(arrays, len(sums))
        return _searched(self.growth, rows, units, sums, len(self.cells))

    def sides(self, side: NDArray[np.int32], units: Ints, sums: list[Floats]) -> Worth:
        """Return how well the best cut of each sum tells two sides apart, by gini, without any limit."""
        if not sums:
            return Worth(np.zeros(0), np.zeros(0), np.zeros(0))
        growth = _core.Growth.of_classes([], side, 2, units, "gini", Settings(max_depth=1).to_core(), None)
        return _searched(growth, np.arange(len(side)), units, sums, 0)

    def _grown(
        self, columns: list[_core.Column], rows: Ints, units: Ints, sums: list[Floats],
        keeps_ledger: bool, is_last: bool,
    ) -> dict[str, Any]:  # fmt: skip
        first = len(self.cells)
        given = [*columns, *(_core.Column.of_numbers(x, first + i) for i, x in enumerate(sums))]
        target = np.ascontiguousarray(self.target[rows])
        more = self.question.of_target
        grow = _core.grow_classes if self.is_classifier else _core.grow_numbers
        core = self._core_settings(target, units, keeps_ledger, is_last)
        arrays = grow(given, target, more, units, self.criterion, core, self.outside, None)
        if is_last and GAPS[self.settings.missing].way == "surrogate":
            arrays |= _core.every_surrogate(arrays, given, units, core, None)
        return arrays

    def _core_settings(
        self, target: NDArray[Any], units: Ints, keeps_ledger: bool, is_last: bool
    ) -> _core.Settings:
        core = self.of_node
        core.keep_ledger = keeps_ledger
        core.max_surrogates = self.settings.max_surrogates if is_last else 0
        if self.of_table.is_gain_of_table:  # the core takes the node for the table
            share = self._score_weight(target, units) / self.table_weight
            core.min_gain = self.of_table.min_gain / max(share, 1e-300)
        return core

    def _node_settings(self) -> _core.Settings:
        """Return the settings of a tree of one test."""
        step = replace(self.settings, max_depth=1, max_leaves=None, collapse=None)
        core = step.to_core()
        for name in _OF_TABLE:
            setattr(core, name, getattr(self.of_table, name))
        core.is_gain_of_table = False
        return core

    def _growth(self) -> _core.Growth | None:
        """Return the growth that is asked for offers; None where a tree of one test must be grown.

        Where rows of a numeric target may be divided, the core counts whole rows as long as no value is
        missing, and by weight otherwise: their squares are rounded in another place.
        """
        if not self.is_classifier and GAPS[self.settings.missing].way == "divide":
            return None
        make = _core.Growth.of_classes if self.is_classifier else _core.Growth.of_numbers
        more = self.question.of_target
        return make([], self.target, more, self.units, self.criterion, self.of_node, self.outside)

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


def of_ledger(arrays: dict[str, Any], n: int) -> Worth:
    """Return score and cut of the last `n` columns of a ledger of one node."""
    score, cut, gain = np.full(n, -np.inf), np.full(n, np.nan), np.full(n, -np.inf)
    first = int(arrays["ledger_column"].max(initial=-1)) + 1 - n
    known = (
        _SCORED[arrays["ledger_verdict"]] & (arrays["ledger_column"] >= first) & (arrays["ledger_node"] == 0)
    )
    place = arrays["ledger_column"][known] - first
    score[place], cut[place] = arrays["ledger_score"][known], arrays["ledger_cut"][known]
    gain[place] = arrays["ledger_gain"][known]
    score[~np.isfinite(cut)] = gain[~np.isfinite(cut)] = -np.inf  # "is it known?" is no question about a sum
    return Worth(score, cut, gain)


def _cells(is_numeric: bool, values: NDArray[Any]) -> NDArray[Any]:
    return np.ascontiguousarray(values, dtype=np.float64 if is_numeric else np.int32)


def _ranks(names: tuple[str, ...], ties: str) -> list[int]:
    return [int(rank) for rank in np.argsort(tie_order(names, ties))]
