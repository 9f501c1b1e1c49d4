"""Rows down all trees: chunks of a forest laid out in the core, kept while they are small."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.forest import compact
from treewright.route.route import readable, refused_row, threads
from treewright.table import Table, align, coded, table_of
from treewright.tree.policy import gap_policy, unseen_policy

if TYPE_CHECKING:
    from treewright.forest.forest import Forest

Cells = Sequence[NDArray[Any]] | NDArray[Any]
CHUNK_NODES = 4_000_000  # laid out at once
KEPT_NODES = 32_000_000  # of a forest whose layout stays in memory between calls: about 30 bytes each
MASK_CELLS = 1 << 26  # rows x trees: of what says who votes on what


class Chunk(NamedTuple):
    """Some trees in a row, laid out."""

    first: int
    last: int
    walker: _core.ForestWalker

    @property
    def n_trees(self) -> int:
        """How many trees."""
        return self.last - self.first


def cells_of(forest: Forest, table: Table) -> list[NDArray[Any]]:
    """Return a table's cells in the codes of the forest."""
    return align(table, forest.schema.columns)


def table_for(forest: Forest, data: Any) -> Table:
    """Return the table of whatever holds one; an array of as many columns takes the forest's names."""
    return table_of(data, forest.schema.columns, "A forest")


def chunks(forest: Forest, cells: Any, most_trees: int | None = None) -> Iterator[Chunk]:
    """Yield the forest in layouts, tree after tree; those of a forest that is not too large are made once.

    An array of float32 is walked by a layout of its own, of half the size.
    """
    is_single = isinstance(cells, np.ndarray) and cells.dtype == np.float32
    if forest.n_nodes > KEPT_NODES or most_trees is not None:
        for first, last in _ranges(forest, most_trees):
            yield Chunk(first, last, _walker(forest, first, last, is_single))
        return
    kept: dict[bool, list[Chunk]] = vars(forest).setdefault("_chunks", {})
    if is_single not in kept:  # no part of the value: neither compared, stored nor pickled
        kept[is_single] = [Chunk(a, b, _walker(forest, a, b, is_single)) for a, b in _ranges(forest, None)]
    yield from kept[is_single]


def _ranges(forest: Forest, most_trees: int | None) -> Iterator[tuple[int, int]]:
    start = forest.starts["node"]
    first = 0
    while first < forest.n_trees:
        last = max(first + 1, int(np.searchsorted(start, start[first] + CHUNK_NODES, side="right")) - 1)
        if most_trees is not None:
            last = min(last, first + max(1, most_trees))
        yield first, last
        first = last


def _walker(forest: Forest, first: int, last: int, is_single: bool = False) -> _core.ForestWalker:
    arrays: dict[str, Any] = compact.widened(forest.arrays, forest.starts, first, last)
    about, n_classes = forest.about, len(forest.classes)
    arrays["weight"] = np.empty(0)
    arrays["is_coded"] = np.array([not column.is_numeric for column in forest.schema.columns], np.uint8)
    for name in ("class_scale", "costs"):
        given = about.get(name)
        arrays[name] = np.empty(0) if given is None else np.asarray(given, dtype=np.float64).ravel()
    gap, unseen = gap_policy(about).way, unseen_policy(about).way
    return _core.ForestWalker(arrays, gap, unseen, n_classes if forest.is_classifier else 0, is_single)


class Ballots(NamedTuple):
    """Votes added up: rows x classes (or rows x 1), and how many trees voted on each row."""

    sum: NDArray[np.float64]
    n_votes: NDArray[np.int32]

    @property
    def mean(self) -> NDArray[np.float64]:
        """The votes by tree; NaN where none voted."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray(self.sum / self.n_votes[:, None])


def voted(
    forest: Forest,
    cells: Cells,
    n_rows: int,
    n_threads: int = 1,
    is_majority: bool = False,
    out: Any = None,
) -> Ballots:
    """Return what all trees say, or those that `out(tree)` (one truth a row) lets vote on a row."""
    given = _coded(forest, cells)
    width = max(1, len(forest.classes))
    sums, counts = np.zeros(n_rows * width), np.zeros(n_rows, np.int32)
    most = None if out is None else max(1, MASK_CELLS // max(1, n_rows))
    for chunk in chunks(forest, given, most):
        mask = np.empty(0, np.uint8)
        if out is not None:
            mask = np.concatenate([np.asarray(out(t), np.uint8) for t in range(chunk.first, chunk.last)])
        said = chunk.walker.vote(given, n_rows, threads(n_threads), is_majority, mask, sums, counts)
        _refuse(forest, chunk, given, said)
    return Ballots(sums.reshape(n_rows, width), counts)


def arrived(forest: Forest, cells: Cells, n_rows: int, n_threads: int = 1) -> NDArray[np.int32]:
    """Return the node of every row in every tree: rows x trees."""
    found = np.empty((n_rows, forest.n_trees), np.int32)
    for first, nodes in arrivals(forest, cells, n_rows, n_threads):
        found[:, first : first + nodes.shape[1]] = nodes
    return found


def arrivals(
    forest: Forest, cells: Cells, n_rows: int, n_threads: int = 1
) -> Iterator[tuple[int, NDArray[np.int32]]]:
    """Yield the nodes of rows in some trees at a time: the first tree's number, and rows x trees."""
    given = _coded(forest, cells)
    most = max(1, MASK_CELLS // 4 // max(1, n_rows))
    for chunk in chunks(forest, given, most if most < forest.n_trees else None):
        node = np.empty(n_rows * chunk.n_trees, np.int32)
        said = chunk.walker.leaves(given, n_rows, threads(n_threads), node)
        _refuse(forest, chunk, given, said)
        yield chunk.first, node.reshape(n_rows, chunk.n_trees)


def _coded(forest: Forest, cells: Cells) -> Any:
    if forest.schema.binned:
        cells = coded(forest.schema.columns, list(cells.T) if isinstance(cells, np.ndarray) else cells)
    return readable(forest.schema, cells)


def _refuse(forest: Forest, chunk: Chunk, cells: Cells, said: tuple[int, int, int]) -> None:
    row, tree, node = said
    if row >= 0:
        place = int(forest.starts["node"][chunk.first + tree]) + node
        raise refused_row(forest.schema, int(forest.arrays["column"][place]), cells, row, "forest")


def one_tree(forest: Forest, tree: int) -> _core.ForestWalker:
    """Return a single tree laid out, for who asks it many times."""
    return _walker(forest, tree, tree + 1)
