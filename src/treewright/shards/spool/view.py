"""The rows of a spool that are grown on: a target, weights, and which rows count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.growth.amounts import Amounts, units_for
from treewright.growth.question import Question
from treewright.growth.settings import Settings
from treewright.growth.sourced import in_whole_rows
from treewright.shards.plan import Plan, planned
from treewright.table import NO_TERMS, ClassTerms, Rows

from .budget import Budget
from .passes import each_block
from .store import GAP_BYTE, Reader, Spool

Truths = NDArray[np.bool_]


class Counted(NamedTuple):
    """The rows of a block as growth takes them: targets and weights in whole units; None: each weighs 1."""

    target: NDArray[Any]
    units: NDArray[np.int64] | None
    left_out: Truths | None


@dataclass(frozen=True)
class View:
    """A spool with a plan; `left_out` has a bit for each row of each block that does not count."""

    spool: Spool
    plan: Plan
    n_threads: int = 1
    left_out: Sequence[NDArray[np.uint8]] | None = None

    @classmethod
    def of(
        cls,
        spool: Spool,
        target: str,
        settings: Settings,
        weights: str | None = None,
        terms: ClassTerms = NO_TERMS,
        n_threads: int = 1,
        n_draws: int = 0,
    ) -> View:
        """Return what is grown from a spool.

        >>> import treewright as tw
        >>> from treewright.shards import shards_of
        >>> from treewright.shards.spool import Budget, View, spooled
        >>> settings = tw.growth.Settings.of("plain")
        >>> with spooled(shards_of([tw.example("tennis")]), Budget.of("1GB")) as spool:
        ...     View.of(spool, "PlayTennis", settings).question().target.name
        'PlayTennis'
        """

        def summed(plan: Plan) -> Amounts:
            return cls(spool, plan, n_threads, left_out)._summed()

        left_out = None
        plan = Plan(spool.layout, spool.layout.coding(target).column, settings, weights, terms)
        if plan.drops_rows:
            left_out = cls(spool, plan, n_threads)._with_gaps()
        plan = planned(spool.layout, target, settings, summed, weights, terms, n_draws)
        return cls(spool, plan, n_threads, left_out)

    # ---- which rows count ----------------------------------------------------------------------------

    def only(self, is_out: Iterable[Truths], settings: Settings) -> View:
        """Return the view without the rows that are out, block by block, grown by other settings."""
        bits = []
        for block, out in enumerate(is_out):
            already = self._left_out(block)
            bits.append(np.packbits(out if already is None else out | already))
        plan = replace(self.plan, settings=settings, amounts=None)
        amounts = View(self.spool, plan, self.n_threads, bits)._summed()
        plan = replace(plan, amounts=amounts)
        if plan.target.is_numeric and amounts.bits(settings):
            plan = replace(plan, amounts=View(self.spool, plan, self.n_threads, bits)._summed())
        return View(self.spool, plan, self.n_threads, bits)

    def _left_out(self, block: int) -> Truths | None:
        if self.left_out is None:
            return None
        return np.unpackbits(self.left_out[block], count=self.spool.rows_of(block)).astype(np.bool_)

    def _with_gaps(self) -> list[NDArray[np.uint8]]:
        """Return which rows of each block lack a value."""
        found: list[Any] = [None] * self.spool.n_blocks
        places = [self.spool.place[name] for name in self.plan.schema.names]

        def step(reader: Reader, block: int) -> None:
            lacks = np.zeros(self.spool.rows_of(block), dtype=np.bool_)
            for column in places:
                lacks |= is_gap(reader, block, column)
            found[block] = np.packbits(lacks)

        for reader in self._each(step):
            reader.close()
        return found

    @property
    def has_gaps(self) -> bool:
        """Whether a row that counts lacks a value."""
        if self.left_out is None:
            return any(self.plan.layout.coding(name).n_gaps for name in self.plan.schema.names)
        lacks = self._with_gaps()
        return any(np.any(bits & ~out) for bits, out in zip(lacks, self.left_out, strict=True))

    # ---- what rows come to ---------------------------------------------------------------------------

    def question(self) -> Question:
        """Return the question of all rows that count, without any of them."""
        found = self.plan.question()
        return in_whole_rows(found, False) if self.is_in_whole_rows else found

    @property
    def is_in_whole_rows(self) -> bool:
        """Whether rows that might be divided never are (`in_whole_rows`)."""
        plan = self.plan
        assert plan.amounts is not None
        if plan.settings.missing != "fractional" or not plan.target.is_numeric or plan.amounts.is_weighted:
            return False
        if plan.n_draws:  # a row may be drawn twice
            return False
        return not self.has_gaps

    def answers(self, reader: Reader, block: int) -> NDArray[Any]:
        """Return the targets of a block."""
        return reader.plain(block, self.spool.place[self.plan.target.name])

    def weights(self, reader: Reader, block: int, answers: NDArray[Any]) -> NDArray[np.float64] | None:
        """Return what the rows of a block weigh, 0 for those left out; None: 1."""
        name = self.plan.weights
        given = None if name is None else reader.plain(block, self.spool.place[name])
        return self.plan.counted(answers, given, self._left_out(block))

    def kept_answers(self) -> Iterator[NDArray[Any]]:
        """Yield the targets of the rows that count, block by block: forests draw rows by their order."""
        reader = Reader(self.spool)
        try:
            for block in range(self.spool.n_blocks):
                answers = self.answers(reader, block)
                weights = self.weights(reader, block, answers)
                yield answers if weights is None else answers[weights > 0]
        finally:
            reader.close()

    @cached_property
    def kept_starts(self) -> list[int]:
        """The number of the first row of each block among those that count, and of all of them."""
        if self.plan.weights is None and self.plan.factor is None and self.left_out is None:
            return self.spool.starts
        return [0, *accumulate(map(len, self.kept_answers()))]

    def counted(self, reader: Reader, block: int, exponent: int, whole: bool) -> Counted:
        """Return the rows of a block as growth takes them; `exponent` is that of the question's target."""
        assert self.plan.amounts is not None
        answers = self.answers(reader, block)
        weights = self.weights(reader, block, answers)
        out = None if weights is None or np.all(weights > 0) else weights <= 0
        bits = 0 if whole else self.plan.bits
        is_plain = whole or (bits == 0 and self.plan.weights is None and self.plan.factor is None)
        units = None if is_plain else units_for(weights, len(answers), bits)
        return Counted(self.plan.goal(answers, exponent), units, out)

    def _summed(self) -> Amounts:
        def step(held: tuple[Reader, list[Amounts]], block: int) -> None:
            reader, found = held
            answers = self.answers(reader, block)
            found.append(self.plan.amounts_from(answers, self.weights(reader, block, answers)))

        def begin() -> tuple[Reader, list[Amounts]]:
            return Reader(self.spool), []

        sums = each_block(self.spool.n_blocks, self.n_threads, begin, step)
        for reader, _ in sums:
            reader.close()
        parts = [one for _, found in sums for one in found]
        return reduce(Amounts.merged, parts)

    def _each(self, step: Any) -> list[Reader]:
        return each_block(self.spool.n_blocks, self.n_threads, lambda: Reader(self.spool), step)

    def bytes_in_memory(self) -> int:
        """Return how many bytes a row takes in memory, with what growth makes of it."""
        return 64 + 3 * sum(
            self.spool.stored[self.spool.place[name]].n_bytes for name in self.plan.schema.names
        )

    def fits(self, budget: Budget, is_judged: bool) -> bool:
        """Tell whether all rows can be grown on in memory; those that are judged by are there once more."""
        return self.spool.n_rows * self.bytes_in_memory() * (1 + is_judged) <= budget.for_rows

    def rows_of_block(self, reader: Reader, block: int) -> Rows:
        """Return the rows of a block, in fresh arrays; their weights are left out."""
        places = [self.spool.place[name] for name in self.plan.schema.names]
        columns = tuple(reader.plain(block, place) for place in places)
        answers = self.answers(reader, block)
        if self.plan.target.is_numeric:
            answers = np.asarray(answers, dtype=np.float64)
        return Rows(self.plan.schema, columns, self.plan.target, answers)

    # ---- rows in memory ------------------------------------------------------------------------------

    def rows(self, chosen: Sequence[Truths] | None = None) -> Rows:
        """Return the rows themselves; `chosen`: some of each block. Those left out are among them."""
        places = [self.spool.place[name] for name in self.plan.schema.names]
        goal, weigh = self.plan.target.name, self.plan.weights
        places.append(self.spool.place[goal])
        places += [] if weigh is None else [self.spool.place[weigh]]
        pieces: list[list[NDArray[Any]]] = [[] for _ in places]
        reader = Reader(self.spool)
        try:
            for block in range(self.spool.n_blocks):
                for column, some in zip(places, pieces, strict=True):
                    values = reader.plain(block, column)
                    some.append(values if chosen is None else values[chosen[block]])
        finally:
            reader.close()
        found = [np.concatenate(some) for some in pieces]
        n = len(self.plan.schema)
        weights = None if weigh is None else np.asarray(found[n + 1], dtype=np.float64)
        answers = found[n]
        if self.plan.target.is_numeric:
            answers = np.asarray(answers, dtype=np.float64)
        return Rows(self.plan.schema, tuple(found[:n]), self.plan.target, answers, weights)


def is_gap(reader: Reader, block: int, column: int) -> Truths:
    """Return which rows of a block have no value of a column."""
    if reader.spool.stored[column].has_cells:
        return np.asarray(reader.cells(block, column) == GAP_BYTE)
    return np.asarray(reader.values(block, column) < 0)
