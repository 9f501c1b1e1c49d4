"""A tree from a source as `tw.grow` gives it: with surrogates for all its tests, and cuts in few digits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

import numpy as np

from treewright.growth.shown import Cut, with_cuts_between
from treewright.growth.sourced.source import Ask, Source, key_of, numbers_of
from treewright.growth.sourced.tree import GrownElsewhere
from treewright.tree import Tree


@dataclass(frozen=True)
class Grown:
    """A tree as growth leaves it, on rows that an engine holds, and the source that answers for them."""

    grown: GrownElsewhere
    source: Source
    n_rows: int

    @property
    def tree(self) -> Tree:
        """The tree before anything is pruned."""
        return self.grown.tree

    def finished(self, tree: Tree) -> Tree:
        """Return what pruning left of the tree with all that rows to come may ask, and short cuts."""
        return with_cuts_between(
            self.grown.finished(tree), self.n_rows, lambda cuts: neighbours(self.source, cuts)
        )


def neighbours(source: Source, cuts: Sequence[Cut]) -> Iterable[tuple[float, float]]:
    """Yield the greatest value of a column not above each cut, else the cut itself, and the least above it.

    >>> import treewright as tw
    >>> from treewright.growth.sourced import Together, cut_into_parts
    >>> table = tw.Table.from_dict({"x": [5.0, 1.0, 2.0, None, 3.0], "y": ["a", "b", "a", "b", "a"]})
    >>> list(neighbours(Together(cut_into_parts(table, "y", 2)[0]), [(0, 0.5), (0, 2.5), (0, 7.0)]))
    [(0.5, 1.0), (2.0, 3.0), (5.0, inf)]
    """
    source.start()
    by_column = [(place, [cut for _, cut in some]) for place, some in groupby(cuts, itemgetter(0))]
    asks = [
        Ask(0, place, np.array([key_of(cut) + 1 for cut in own], dtype=np.uint64)) for place, own in by_column
    ]
    for (_, own), cells in zip(by_column, source.count(asks), strict=True):
        full = cells.figures[:-1, 0] > 0
        low, high = numbers_of(cells.low[:-1]), numbers_of(cells.high[:-1])
        for i, cut in enumerate(own):
            below, above = high[: i + 1][full[: i + 1]], low[i + 1 :][full[i + 1 :]]
            yield float(below[-1]) if len(below) else cut, float(above[0]) if len(above) else np.inf
