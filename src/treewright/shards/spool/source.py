"""A spool as a source: what growth asks is one pass over the blocks that hold the columns it asks about.

Where rows are follows from the moves so far. Each block remembers how far its rows have been sent, and goes
on from there when it is read next; so dividing nodes costs no pass of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.growth.question import Question
from treewright.growth.sourced.edges import category_edges
from treewright.growth.sourced.memory import cells_from
from treewright.growth.sourced.source import (
    SIDES_WIDTH,
    Ask,
    Cells,
    Draw,
    Gathered,
    Ints,
    Keys,
    Move,
    Stretches,
    key_of,
    keys_of,
    numbers_of,
)
from treewright.table import Kind

from .buckets import Buckets
from .budget import Budget
from .passes import each_block
from .places import Places
from .store import GAP_BYTE, Reader
from .view import View

NO_EDGES: Keys = np.zeros(0, dtype=np.uint64)
GAP = np.uint64(2**64 - 1)
BYTES_OF_VALUE = 48  # that a look holds of a value: its key, target and weight, twice when it is sorted
ANY_CELL = np.zeros(0, dtype=np.uint8)


class _Thread(NamedTuple):
    """What a thread adds up, and by which it reads."""

    reader: Reader
    sums: list[Any]


class SpoolSource:
    """The rows of a view of a spool; `question` is what growth is asked about them.

    >>> import treewright as tw
    >>> from treewright.growth.sourced import grow_from
    >>> from treewright.shards import shards_of
    >>> from treewright.shards.spool import Budget, View, spooled
    >>> iris, settings, budget = tw.example("iris"), tw.growth.Settings.of("plain"), Budget.of("1GB")
    >>> with spooled(shards_of([iris]), budget) as spool:
    ...     source = SpoolSource(View.of(spool, "class", settings), budget)
    ...     tree = grow_from(source, source.question, settings)
    >>> tree == tw.grow(iris, "class"), source.n_passes > 0
    (True, True)
    """

    def __init__(self, view: View, budget: Budget) -> None:
        self.view, self.budget, self.spool = view, budget, view.spool
        self.question: Question = view.question()
        self.is_whole = view.is_in_whole_rows
        self.n_classes = len(self.question.target.categories) if self.question.is_classifier else 0
        self.width = 1 + self.n_classes if self.n_classes else 6
        self.columns = [self.spool.place[name] for name in self.question.schema.names]  # where they lie
        settings = view.plan.settings
        self.is_cut = [
            column.is_numeric or (column.kind is Kind.ordinal and settings.splits != "multiway")
            for column in self.question.schema.columns
        ]
        self.own_edges = [self._edges(c) for c in range(len(self.columns))]
        self.ends = [self._ends(c) for c in range(len(self.columns))]
        self.n_passes = self.n_bytes = 0
        self.places = Places(self.spool, 0)
        self.start()

    def _edges(self, column: int) -> Keys:
        of = self.question.schema.columns[column]
        if of.is_numeric:
            return keys_of(self.spool.edges(self.columns[column]))
        return category_edges(len(of.categories), self.is_cut[column])

    def _ends(self, column: int) -> tuple[Keys, Keys]:
        """Return the least and greatest key of each cell among all rows of the spool."""
        n = len(self.own_edges[column]) + 1
        if self.question.schema.columns[column].is_numeric:
            low, high = self.spool.ends[self.columns[column], 1:, :n]
            return keys_of(low), keys_of(high)
        codes = np.arange(n)
        keys = keys_of(codes.astype(np.float64)) if self.is_cut[column] else codes.astype(np.uint64)
        return keys, keys

    def edges(self, column: int) -> Keys:
        """Return the edges of the cells that the spool has."""
        return self.own_edges[column]

    # ---- where rows are ------------------------------------------------------------------------------

    def start(self, lot: Draw | None = None) -> None:
        """Bring all rows back to the root: each as it is, or those that a draw says."""
        self.places.close()
        self.trail: list[list[Move]] = []
        self.places = Places(self.spool, self.budget.for_places)
        self.times: NDArray[Any] | None = None
        self.lot = lot
        if lot is not None:
            times = _core.bootstrap(lot.seed, lot.tree, lot.n_rows, lot.n_draws)
            self.times = times.astype(np.min_scalar_type(int(times.max(initial=0))))

    def apply(self, moves: Sequence[Move]) -> None:
        """Divide nodes among their children: each block does when it is read next."""
        if moves:
            self.trail.append(list(moves))

    def _placed(self, thread: _Thread, block: int, wanted: _Wanted) -> tuple[Any, Any]:
        """Return a block, and its rows sent as far as the moves say."""
        pending = self.trail[self.places.n_done(block) :]
        needed = wanted.and_of(pending)
        counted = self.view.counted(thread.reader, block, self.question.exponent, self.is_whole)
        held = _core.SpoolBlock(len(self.columns), counted.target)
        for column in sorted(needed.cells | needed.values):
            place = self.columns[column]
            stored = self.spool.stored[place]
            cells = thread.reader.cells(block, place) if stored.has_cells else None
            has_value = column in needed.values or not stored.has_cells
            values = thread.reader.values(block, place) if has_value else None
            held.put(column, values, cells, self.is_cut[column])
        n, units = self.spool.rows_of(block), counted.units
        out = counted.left_out
        if self.times is not None:
            times = self._drawn(block, n, out)
            units = times if units is None else times * units
            out = times == 0
        rows = self.places.rows(block, n, out, units)
        for batch in pending:
            rows.divide(held, batch, len(self.columns))
        if pending:
            self.places.keep(block, rows, len(self.trail))
        return held, rows

    def _drawn(self, block: int, n_rows: int, left_out: NDArray[np.bool_] | None) -> Ints:
        """Return how often each row of a block is drawn; those that are left out have no number."""
        assert self.times is not None
        first, last = self.view.kept_starts[block : block + 2]
        drawn = self.times[first:last].astype(np.int64)
        if left_out is None:
            return drawn
        times = np.zeros(n_rows, dtype=np.int64)
        times[~left_out] = drawn
        return times

    def _pass(
        self, begin: Callable[[], list[Any]], wanted: _Wanted, add: Callable[[list[Any], int, Any, Any], None]
    ) -> list[list[Any]]:
        """Return what each thread added up over all blocks."""

        def step(thread: _Thread, block: int) -> None:
            held, rows = self._placed(thread, block, wanted)
            add(thread.sums, block, held, rows)

        found = each_block(
            self.spool.n_blocks, self.budget.n_threads, lambda: _Thread(Reader(self.spool), begin()), step
        )
        self.n_passes += 1
        for thread in found:
            self.n_bytes += thread.reader.n_bytes
            thread.reader.close()
        return [thread.sums for thread in found]

    def _summed(self, begin: Callable[[], Any], wanted: _Wanted) -> Any:
        """Return one sum over all blocks."""

        def add(sums: list[Any], _: int, held: Any, rows: Any) -> None:
            sums[0].add(held, rows)

        first, *others = self._pass(lambda: [begin()], wanted, add)
        for other in others:
            first[0].merge(other[0])
        return first[0]

    # ---- what is asked -------------------------------------------------------------------------------

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        """Return what lies in the cells of each ask."""
        sizes = [
            (len(self._meant(ask).edges) + 2) * 8 * (2 + (SIDES_WIDTH if ask.side else self.width))
            for ask in asks
        ]
        return self._answers(asks, sizes, self._count)

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        """Return a cell for each value in the stretches, ascending."""
        return self._answers(asks, [max(1, ask.n_rows) * BYTES_OF_VALUE for ask in asks], self._look)

    def _answers(self, asks: Sequence[Any], sizes: Sequence[int], ask: Any) -> list[Cells]:
        """Return answers, asked some at a time: as many as the sums of a pass may take."""
        found: list[Any] = [None] * len(asks)
        for some in _batches(asks, sizes, self.budget.for_sums):
            for place, cells in zip(some, ask([asks[i] for i in some]), strict=True):
                found[place] = cells
        return found

    def _count(self, asks: Sequence[Ask]) -> list[Cells]:
        meant = [self._meant(ask) for ask in asks]
        by_cell = [self._is_by_cell(ask) for ask in meant]
        rough = [ask.is_rough and cells for ask, cells in zip(meant, by_cell, strict=True)]
        given = list(zip(meant, by_cell, rough, strict=True))
        n_classes = 2 if meant[0].side is not None else self.n_classes
        wanted = _Wanted.of(
            {ask.column for ask, _, is_rough in given if is_rough},
            {ask.column for ask, _, is_rough in given if not is_rough}
            | {ask.side.column for ask in meant if ask.side is not None},
        )
        summed = self._summed(lambda: _core.SpoolPass.count(given, n_classes, len(self.columns)), wanted)
        found = cells_from(summed.found(), meant, self.width)
        found = [
            self._with_ends(ask, cells) if is_rough else cells
            for (ask, _, is_rough), cells in zip(given, found, strict=True)
        ]
        return [
            cells if ask is own else _as_whole(cells)
            for ask, own, cells in zip(asks, meant, found, strict=True)
        ]

    def _meant(self, ask: Ask) -> Ask:
        """Return the ask as it is put: what lies in a column as a whole lies in all its cells together."""
        is_stored = self.spool.stored[self.columns[ask.column]].has_cells
        return ask if len(ask.edges) or not is_stored else ask._replace(edges=self.own_edges[ask.column])

    def _is_by_cell(self, ask: Ask) -> bool:
        own = self.own_edges[ask.column]
        if ask.edges is not own and not np.array_equal(ask.edges, own):
            return False
        return self.spool.stored[self.columns[ask.column]].has_cells or not self.is_cut[ask.column]

    def _with_ends(self, ask: Ask, cells: Cells) -> Cells:
        """Return cells whose keys were not looked at with the ends that they have among all rows."""
        low, high = self.ends[ask.column]
        is_full = cells.figures[:, 0] > 0
        low, high = np.append(low, GAP), np.append(high, GAP)
        return cells._replace(low=np.where(is_full, low, cells.low), high=np.where(is_full, high, cells.high))

    def _look(self, asks: Sequence[Stretches]) -> list[Cells]:
        given = [(ask, self._open(ask)) for ask in asks]
        n_classes = 2 if asks[0].side is not None else self.n_classes
        columns = {ask.column for ask in asks} | {ask.side.column for ask in asks if ask.side is not None}
        wanted = _Wanted.of(set(), columns)
        summed = self._summed(lambda: _core.SpoolPass.look(given, n_classes, len(self.columns)), wanted)
        return cells_from(summed.found(), asks, self.width)

    def _open(self, ask: Stretches) -> NDArray[np.uint8]:
        """Return which cells of a block may hold a value in the stretches."""
        if not self.spool.stored[self.columns[ask.column]].has_cells:
            return ANY_CELL
        own = self.own_edges[ask.column]
        first, last = (np.searchsorted(own, ends, side="right") for ends in (ask.first, ask.last))
        steps = np.zeros(258, dtype=np.int64)
        np.add.at(steps, first, 1)
        np.add.at(steps, last + 1, -1)
        found = (np.cumsum(steps)[:256] > 0).astype(np.uint8)
        found[GAP_BYTE] = 0
        return found

    def squares(self, asks: Sequence[tuple[int, int, int]]) -> list[int]:
        """Return the sum of squares of each ask."""
        if not asks or self.n_classes:
            return [0] * len(asks)
        return list(self._summed(lambda: _core.SpoolSquares(list(asks)), _Wanted.of(set(), set())).found())

    def present(self, node: int, column: int) -> Keys:
        """Return the keys of a column in a node, ascending, each once."""
        (cells,) = self.look([Stretches(node, column, np.array([0], np.uint64), np.array([GAP - 1]))])
        return cells.low

    def largest_at_most(self, column: int, x: float) -> float:
        """Return the greatest value of a column among all rows that is not above x; else -inf."""
        return self.largest_of_each([(column, x)])[0]

    def largest_of_each(self, asks: Sequence[tuple[int, float]]) -> list[float]:
        """Return `largest_at_most` of each column and number, in one pass."""
        root = self._at_root()
        by_column: dict[int, set[int]] = {}
        for column, x in asks:
            by_column.setdefault(column, set()).add(key_of(x) + 1)
        edges = {c: np.array(sorted(some), dtype=np.uint64) for c, some in by_column.items()}
        counted = dict(zip(edges, root.count([Ask(0, c, own) for c, own in edges.items()]), strict=True))
        self._take_over(root)
        found = []
        for column, x in asks:
            cells, n = counted[column], int(np.searchsorted(edges[column], key_of(x) + 1)) + 1
            full = np.flatnonzero(cells.figures[:n, 0])
            found.append(float(numbers_of(cells.high[full[-1:]])[0]) if len(full) else -np.inf)
        return found

    def tally(self, moves: Sequence[Move], n_nodes: int) -> Ints:
        """Return the figures of each node of a tree (nodes x width), all rows going down it from the root."""
        root, found = self._at_root(), np.zeros((n_nodes, self.width), dtype=np.int64)
        by_node = {move.node: move for move in moves}
        level = [0]
        while level:
            counted = root.count([Ask(node, 0, NO_EDGES, is_rough=True) for node in level])
            found[level] = [cells.figures.sum(axis=0) for cells in counted]
            inner = [by_node[node] for node in level if node in by_node]
            root.apply(inner)
            level = [move.first + b for move in inner for b in range(move.n_branches)]
        self._take_over(root)
        return found

    def _at_root(self) -> SpoolSource:
        """Return the same rows, all of them at the root."""
        return SpoolSource._again(self)

    @classmethod
    def _again(cls, other: SpoolSource) -> SpoolSource:
        found = cls.__new__(cls)
        found.__dict__.update(other.__dict__)
        found.n_passes = found.n_bytes = 0
        found.trail, found.places = [], Places(other.spool, other.budget.for_places)
        return found

    def _take_over(self, other: SpoolSource) -> None:
        self.n_passes += other.n_passes
        self.n_bytes += other.n_bytes
        other.places.close()

    # ---- rows themselves -----------------------------------------------------------------------------

    @property
    def bytes_of_row(self) -> int:
        """The bytes that a row takes in memory, with what growth makes of it."""
        return self.view.bytes_in_memory()

    def gather(self, nodes: Sequence[int]) -> Iterator[Gathered]:
        """Yield the rows of each node themselves; of many rows as few at a time as memory holds."""
        of_node = {node: place for place, node in enumerate(nodes)}
        sizes = self._sizes(of_node)
        with Buckets(self, sizes) as buckets:

            def add(_: list[Any], block: int, __: Any, rows: Any) -> None:
                node, weight, row = rows.arrays()
                place = _places(node, of_node)
                here = np.flatnonzero(place >= 0)
                buckets.add(
                    block,
                    place[here],
                    here if row is None else row[here],
                    None if weight is None else weight[here],
                )

            self._pass(list, _Wanted.of(set(), set()), add)
            self.n_bytes += buckets.n_bytes
            yield from buckets.gathered()

    def _sizes(self, of_node: dict[int, int]) -> Ints:
        """Return how many rows each node has."""

        def add(sums: list[Any], _: int, __: Any, rows: Any) -> None:
            place = _places(rows.arrays()[0], of_node)
            sums[0] += np.bincount(place[place >= 0], minlength=len(of_node))

        found = self._pass(lambda: [np.zeros(len(of_node), dtype=np.int64)], _Wanted.of(set(), set()), add)
        return np.asarray(np.sum([sums[0] for sums in found], axis=0), dtype=np.int64)

    def close(self) -> None:
        """Remove what says where rows are."""
        self.places.close()


class _Wanted(NamedTuple):
    """The columns of a question whose cells, and whose values, a pass reads."""

    cells: frozenset[int]
    values: frozenset[int]

    @classmethod
    def of(cls, cells: Iterable[int], values: Iterable[int]) -> _Wanted:
        return cls(frozenset(cells), frozenset(values))

    def and_of(self, batches: Sequence[Sequence[Move]]) -> _Wanted:
        """Return the same with what moves ask."""
        moves = [move for batch in batches for move in batch]
        tested = {move.column for move in moves} | {one.column for move in moves for one in move.stand_ins}
        return self._replace(values=self.values | tested)


def _places(node: NDArray[np.int32], of_node: dict[int, int]) -> NDArray[np.int64]:
    """Return the places of nodes in a list, -1 for those that are not in it."""
    most = max(int(node.max(initial=-1)), *of_node, 0)
    table = np.full(most + 2, -1, dtype=np.int64)
    table[list(of_node)] = list(of_node.values())
    return np.asarray(table[node])  # -1 is the last, which nobody is


def _as_whole(cells: Cells) -> Cells:
    """Return the cells of a column as one, and its gaps."""
    known = cells.take(slice(0, -1))
    one = Cells(
        known.figures.sum(axis=0, keepdims=True),
        known.low.min(keepdims=True),
        known.high.max(keepdims=True),
        known.least.min(keepdims=True),
        known.greatest.max(keepdims=True),
    )
    gaps = cells.take(slice(-1, None))
    return Cells(*(np.concatenate(parts) for parts in zip(one, gaps, strict=True)))


def _batches(asks: Sequence[Any], sizes: Sequence[int], most: int) -> Iterator[list[int]]:
    """Yield places of asks, as many at a time as fit; a column of a node once, all with a side or none."""
    seen: dict[tuple[bool, int, int], int] = {}
    turn = []
    for ask in asks:
        key = (ask.side is None, ask.node, ask.column)
        seen[key] = seen.get(key, -1) + 1
        turn.append((ask.side is None, seen[key]))
    order = sorted(range(len(asks)), key=lambda i: turn[i])
    for _, some in groupby(order, key=lambda i: turn[i]):
        batch: list[int] = []
        total = 0
        for i in some:
            if batch and total + sizes[i] > most:
                yield batch
                batch, total = [], 0
            batch.append(i)
            total += sizes[i]
        yield batch
