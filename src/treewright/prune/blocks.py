"""Rows that judge a tree and are never together in memory: a Sample whose rows come block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, message
from treewright.base.progress import Watcher
from treewright.base.work import each
from treewright.prune.folds import RowKeys, dealt_in_blocks, held_out_in_blocks, is_count, row_keys
from treewright.prune.sample import Sample
from treewright.shards.spool import Spool, View
from treewright.shards.spool.store import Reader
from treewright.table import Rows
from treewright.tree import Tree

Found = TypeVar("Found")
Choice = list[NDArray[np.bool_]]  # of each block: which rows


@dataclass(frozen=True, eq=False, repr=False)
class RowsInBlocks(Sample):
    """The rows of a view of a spool, or some of each block; `weights` is all weight, as one number."""

    view: View = field(kw_only=True)
    chosen: Choice | None = field(default=None, kw_only=True)

    @classmethod
    def of_view(cls, view: View, chosen: Choice | None = None) -> RowsInBlocks:
        """Return the rows of a view that judge, `chosen` in each block.

        >>> import treewright as tw
        >>> from treewright.shards import shards_of
        >>> from treewright.shards.spool import Budget, spooled
        >>> with spooled(shards_of([tw.example("tennis")]), Budget.of("1GB")) as spool:
        ...     rows = RowsInBlocks.of_view(View.of(spool, "PlayTennis", tw.growth.Settings.of("plain")))
        ...     rows.weights, [block.n_rows for block in rows.blocks()]
        (array([14.]), [14])
        """
        plan = view.plan
        nothing = np.zeros(0)
        empty = cls(plan.schema, (), plan.target, nothing, nothing, view=view, chosen=chosen)
        total = sum(float(block.weights.sum()) for block in empty.blocks())
        return replace(empty, weights=np.array([total]))

    def blocks(self) -> Iterator[Sample]:
        """Yield the rows of each block."""
        spool: Spool = self.view.spool
        reader = Reader(spool)
        try:
            for block in range(spool.n_blocks):
                rows = sample_of_block(self.view, reader, block)
                yield rows if self.chosen is None else rows.take(self.chosen[block])
        finally:
            reader.close()

    def keys(self) -> Iterator[RowKeys]:
        """Yield by what the rows of each block are dealt."""
        for rows in self.blocks():
            columns = zip(rows.schema.columns, rows.columns, strict=True)
            keys = row_keys(columns, (rows.target, rows.answers), rows.weights)
            last = len(rows.target.categories) + 1  # rows that do not count, in every block the same
            yield keys._replace(group=np.where(rows.weights > 0, keys.group, last))

    def held_out(self, share: float, seed: int) -> Choice:
        """Return which rows of each block are kept back."""
        return held_out_in_blocks(self.keys, share, seed)

    def cross_validation(
        self,
        judge: Callable[[Any], Found],
        regrow: Callable[[Choice], Tree],
        folds: Any,
        seed: int,
        progress: Watcher | None,
    ) -> list[Found]:
        """Return what `judge` says of every fold; `regrow` grows without the rows that are chosen."""
        if not is_count(folds):
            raise message(ValueError, "Folds of rows in files are dealt by number: ", ask("folds", 10), ".")
        of_row = dealt_in_blocks(self.keys, int(folds), seed)

        def verdict(k: int) -> Found:
            held = [numbers == k for numbers in of_row]
            return judge(HeldFold(regrow(held), RowsInBlocks.of_view(self.view, held)))

        n_folds = 1 + max(int(numbers.max(initial=0)) for numbers in of_row)
        return each(verdict, range(n_folds), 1, progress)


@dataclass(frozen=True, eq=False)
class HeldFold:
    """One fold: the tree grown on the rest, and the rows held out."""

    tree: Tree
    held: Sample


def sample_of_block(view: View, reader: Reader, block: int) -> Sample:
    """Return the rows of a block in the tree's codes, with what they weigh."""
    rows: Rows = view.rows_of_block(reader, block)
    weights = view.weights(reader, block, rows.answers)
    weights = np.ones(rows.n_rows) if weights is None else weights
    return Sample(rows.schema, rows.columns, rows.target, rows.answers, weights)
