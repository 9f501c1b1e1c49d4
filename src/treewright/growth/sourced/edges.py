"""Where cells begin: stretches of keys, told from counts alone, so that no part decides them."""

from __future__ import annotations

import numpy as np

from treewright.growth.sourced.source import Ask, Cells, Keys, Source, keys_of

N_CELLS = 256
HEAVY = 4  # times its share of the rows: a cell of so many is cut again before cells are joined


def even_edges(low: int, high: int, n_cells: int = N_CELLS) -> Keys:
    """Return the edges of `n_cells` cells, as wide as each other, from key `low` to key `high`.

    >>> even_edges(10, 17, 4).tolist(), even_edges(3, 3).tolist()
    ([12, 14, 16], [])
    """
    width = -(-(high - low + 1) // n_cells)
    return np.array([k for j in range(1, n_cells) if (k := low + width * j) <= high], dtype=np.uint64)


def windows(first: Keys, last: Keys) -> Keys:
    """Return the edges of 256 cells in each stretch of keys, the ends of the stretches among them.

    >>> windows(np.array([4], np.uint64), np.array([6], np.uint64)).tolist()
    [4, 5, 6, 7]
    """
    found: list[int] = []
    for low, high in zip(first.tolist(), last.tolist(), strict=True):
        found += [low, *even_edges(low, high).tolist(), high + 1]
    return np.unique(np.array(found, dtype=np.uint64))


def balanced_edges(source: Source, ranges: dict[int, Cells]) -> dict[int, Keys]:
    """Return edges for each column of numbers that part the rows of the root more evenly.

    `ranges` has for each column what lies in it as one cell. Cells of equal width come first; those that
    hold many rows are cut again; then neighbours are joined until each holds about its share.
    """
    wide = {
        column: even_edges(int(cells.low[0]), int(cells.high[0]))
        for column, cells in ranges.items()
        if cells.figures[0, 0]
    }
    counted = source.count([Ask(0, column, edges) for column, edges in wide.items()])
    finer = {}
    for (column, edges), cells in zip(wide.items(), counted, strict=True):
        rows = cells.figures[:-1, 0]
        heavy = np.flatnonzero((rows * N_CELLS > HEAVY * rows.sum()) & (cells.low[:-1] < cells.high[:-1]))
        finer[column] = np.union1d(edges, windows(cells.low[heavy], cells.high[heavy]))
    counted = source.count([Ask(0, column, edges) for column, edges in finer.items()])
    found = {column: np.zeros(0, dtype=np.uint64) for column in ranges}
    for (column, edges), cells in zip(finer.items(), counted, strict=True):
        found[column] = _joined(edges, cells)
    return found


def category_edges(n_categories: int, is_cut: bool) -> Keys:
    """Return the edges between categories, each a cell of its own; `is_cut`: they are told by their order.

    >>> category_edges(4, is_cut=False).tolist()
    [1, 2, 3]
    """
    codes = np.arange(1, max(1, n_categories))
    return keys_of(codes.astype(np.float64)) if is_cut else codes.astype(np.uint64)


def _joined(edges: Keys, cells: Cells) -> Keys:
    """Return the edges at which another share of the rows is full, and those round a cell of one."""
    rows = cells.figures[:-1, 0]
    share = -(-int(rows.sum()) // N_CELLS)
    before = np.concatenate([[0], np.cumsum(rows)[:-1]])
    begins = np.flatnonzero(before // share != np.concatenate([[-1], (before // share)[:-1]]))
    return edges[begins[begins > 0] - 1]
