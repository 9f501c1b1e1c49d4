"""What is grown from shards: a layout, the target, the settings, and what all rows come to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth import Settings
from treewright.growth.amounts import Amounts, question_from, units_for
from treewright.growth.checks import any_gap
from treewright.growth.classes import class_weights
from treewright.growth.fixed import target_units
from treewright.growth.question import Question
from treewright.table import NO_TERMS, ClassTerms, Column, Schema
from treewright.table.files.duck import connected
from treewright.table.rows import check_weights
from treewright.tree.policy import GAPS

from .layout import Layout
from .shard import Shard

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Floats = NDArray[np.float64]


class Held(NamedTuple):
    """Rows of a shard that count, as growth takes them: answers and weights in whole units."""

    values: list[NDArray[Any]]
    answers: NDArray[Any]
    units: NDArray[np.int64]
    places: NDArray[np.intp] | None  # which rows of the shard these are; None: all


@dataclass(frozen=True)
class Plan:
    """All that a machine must know to read a shard and answer for its rows; a value that can be pickled.

    `factor` is what the weight of a row is multiplied by, for each class.
    """

    layout: Layout
    target: Column
    settings: Settings
    weights: str | None = None
    terms: ClassTerms = NO_TERMS
    factor: Floats | None = None
    amounts: Amounts | None = None
    n_draws: int = 0  # of rows, at most, for each tree of a forest

    @property
    def bits(self) -> int:
        """How many bits behind the point weights are kept with."""
        assert self.amounts is not None
        return self.amounts.bits(self.settings, self.n_draws)

    @cached_property
    def schema(self) -> Schema:
        """The columns that may be asked about."""
        out = {self.target.name, self.weights}
        return Schema(tuple(c for c in self.layout.schema.columns if c.name not in out))

    def question(self) -> Question:
        """Return the question of all rows, without any of them."""
        assert self.amounts is not None
        gaps = [self.layout.coding(name).n_gaps > 0 for name in self.schema.names]
        return question_from(
            self.schema, self.target, self.amounts, gaps, self.settings, self.terms, self.n_draws
        )

    def _read(
        self, connection: DuckDBPyConnection, shard: Shard, names: Sequence[str], rows: tuple[int, int] | None
    ) -> tuple[list[NDArray[Any]], NDArray[Any], Floats | None]:
        """Return columns, the target and the weights of the rows of a shard, 0 for those left out."""
        extra = [self.target.name, *([] if self.weights is None else [self.weights])]
        found = self.layout.values(connection, shard, [*names, *extra], rows)
        values, answers = found[: len(names)], found[len(names)]
        given = None if self.weights is None else found[-1]
        gaps = any_gap(self.schema, tuple(values), len(answers)) if self.drops_rows else None
        return values, answers, self.counted(answers, given, gaps)

    @property
    def drops_rows(self) -> bool:
        """Whether a row is left out where one of its columns has no value."""
        return GAPS[self.settings.missing].drops_rows

    @property
    def is_in_whole_rows(self) -> bool:
        """Whether rows of numbers that might be divided never are, and count one each (`in_whole_rows`)."""
        assert self.amounts is not None
        has_gaps = any(self.layout.coding(name).n_gaps for name in self.schema.names)
        return self.target.is_numeric and not has_gaps and not self.amounts.is_weighted and not self.n_draws

    def counted(
        self, answers: NDArray[Any], given: NDArray[Any] | None, left_out: NDArray[np.bool_] | None
    ) -> Floats | None:
        """Return what rows weigh: as the column of weights says, times what their class counts; None: 1."""
        weights = None if given is None else check_weights(given, len(answers))
        if left_out is not None:
            weights = np.where(left_out, 0.0, 1.0 if weights is None else weights)
        if self.factor is not None:
            weights = (np.ones(len(answers)) if weights is None else weights) * self.factor[answers]
        return weights

    def amounts_of(self, connection: DuckDBPyConnection, shard: Shard) -> Amounts:
        """Return what the rows of a shard come to."""
        names = self.schema.names if self.drops_rows else ()
        _, answers, weights = self._read(connection, shard, names, None)
        return self.amounts_from(answers, weights)

    def answers_of(self, connection: DuckDBPyConnection, shard: Shard) -> NDArray[Any]:
        """Return the answers of the rows of a shard that count, in their order and in few bytes."""
        names = self.schema.names if self.drops_rows else ()
        _, answers, weights = self._read(connection, shard, names, None)
        kept = answers if weights is None else answers[weights > 0]
        if self.target.is_numeric:
            return np.asarray(kept, dtype=np.float64)
        return kept.astype(np.min_scalar_type(len(self.target.categories)))

    def amounts_from(self, answers: NDArray[Any], weights: Floats | None) -> Amounts:
        """Return what rows with these answers and weights come to."""
        found = Amounts.of(self.target, answers, weights)
        if self.amounts is None or not found.n_rows:
            return replace(found, units=0 if self.amounts is not None else None)
        kept = None if weights is None else weights[weights > 0]
        return replace(found, units=int(units_for(kept, found.n_rows, self.bits).sum()))

    def held(
        self,
        connection: DuckDBPyConnection,
        shard: Shard,
        exponent: int,
        rows: tuple[int, int] | None = None,
    ) -> Held:
        """Return the rows of a shard that count; `exponent` is that of the question's target."""
        assert self.amounts is not None
        values, answers, weights = self._read(connection, shard, self.schema.names, rows)
        places = None
        if weights is not None and not np.all(weights > 0):
            places = np.flatnonzero(weights > 0)
            values, answers, weights = [column[places] for column in values], answers[places], weights[places]
        units = units_for(weights, len(answers), self.bits)
        return Held(values, self.goal(answers, exponent), units, places)

    def goal(self, answers: NDArray[Any], exponent: int) -> NDArray[Any]:
        """Return answers as growth takes them; `exponent` is that of the question's target."""
        if self.target.is_numeric:
            return target_units(np.asarray(answers, dtype=np.float64), exponent)
        return np.ascontiguousarray(answers, np.int32)


Summed = Callable[[Plan], Amounts]


def planned(
    layout: Layout,
    target: str,
    settings: Settings,
    summed: Summed,
    weights: str | None = None,
    terms: ClassTerms = NO_TERMS,
    n_draws: int = 0,
) -> Plan:
    """Return the plan of growing; `summed` adds up what the rows of all shards come to, wherever these are.

    It is asked only where the layout does not know it: for weights, for rows that are left out.
    """
    goal = layout.coding(target)
    if weights is not None and not layout.coding(weights).column.is_numeric:
        raise ValueError(f"Column {weights!r} holds the weights but is {layout.coding(weights).column.kind}.")
    plan = Plan(layout, goal.column, settings, weights, terms, n_draws=n_draws)
    if not plan.schema.columns:
        raise ValueError(
            f"The shards have no column but the target {target!r}; add columns to predict it from."
        )
    drops = GAPS[settings.missing].drops_rows
    known = None if weights is not None or drops else _known(layout, target)
    amounts = known if known is not None else summed(plan)
    if not goal.column.is_numeric and terms.class_weight is not None:
        factor = class_weights(terms.class_weight, goal.column.categories, amounts.totals)
        plan = replace(plan, factor=factor, terms=terms.without_weight())
        amounts = summed(plan) if amounts.is_weighted else amounts.with_class_weight(factor)
    plan = replace(plan, amounts=amounts)
    if goal.column.is_numeric and plan.bits:
        plan = replace(plan, amounts=summed(plan))  # with all weight in units
    return plan


def _known(layout: Layout, target: str) -> Amounts | None:
    """Return what rows that all count 1 come to, from the words and ends that the layout knows."""
    goal = layout.coding(target)
    n_known = layout.n_rows - goal.n_gaps
    if goal.column.is_numeric:
        return Amounts(n_known, (n_known,), least=goal.least, greatest=goal.greatest, n_without=goal.n_gaps)
    if goal.counts is None or goal.values is None:
        return None
    counts = np.bincount(goal.values + 1, goal.counts, len(goal.column.categories) + 1)[1:]
    return Amounts(n_known, tuple(int(n) for n in counts), n_without=goal.n_gaps)


def summed_here(shards: Sequence[Shard]) -> Summed:
    """Return what adds up the rows of shards in this process."""

    def summed(plan: Plan) -> Amounts:
        found = None
        with connected() as connection:
            for shard in shards:
                one = plan.amounts_of(connection, shard)
                found = one if found is None else found.merged(one)
        assert found is not None
        return found

    return summed
