"""Rows down a tree: from cells in any form to where they end, or a sentence that says why not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, refusal
from treewright.route.routed import Routed
from treewright.route.router import router
from treewright.table import UNSEEN, Schema, align, coded, table_of
from treewright.tree import Tree

MOST_THREADS = 2**20  # more than any machine has


def route_table(tree: Tree, table: Any, n_threads: int = 1) -> Routed:
    """Return where the rows of a table end; its columns are found by name.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]}), target="y")
    >>> route_table(tree, tw.Table.from_dict({"x": [0, 9]})).node.tolist()
    [1, 2]
    """
    table = table_of(table, tree.schema.columns)
    return route_columns(tree, align(table, tree.schema.columns), table.n_rows, n_threads)


def route_columns(
    tree: Tree, columns: Sequence[NDArray[Any]] | NDArray[Any], n_rows: int, n_threads: int = 1
) -> Routed:
    """Return where rows end, given the tree's own columns in its own codes.

    Numbers that the tree has intervals for may come as they are, of any dtype and in steps.
    Columns of numbers only may also come as one array, rows x columns; float32 and float64 are not copied.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]}), target="y")
    >>> route_columns(tree, [np.array([0.0, 9.0])], n_rows=2).node.tolist()
    [1, 2]
    >>> route_columns(tree, np.array([[0], [9]], dtype=np.float32), n_rows=2).node.tolist()
    [1, 2]
    """
    if tree.schema.binned:
        columns = coded(tree.schema.columns, list(columns.T) if isinstance(columns, np.ndarray) else columns)
    routed = Routed(*router(tree).route(readable(tree.schema, columns), n_rows, threads(n_threads)))
    if n_rows and routed.node.min() < 0:
        row = int(np.argmax(routed.node < 0))
        place = _refused_at(tree, -1 - routed.node[row], columns, row)
        raise refused_row(tree.schema, place, columns, row)
    return routed


def threads(n_threads: Any) -> int:
    """Return a number of threads as the core takes it: at least one.

    >>> threads(0), threads(np.int64(4))
    (1, 4)
    >>> threads("all")
    Traceback (most recent call last):
    TypeError: n_threads='all' must be a whole number, not str.
    """
    if isinstance(n_threads, (bool, np.bool_)) or not isinstance(n_threads, (int, np.integer)):
        raise TypeError(
            f"n_threads={n_threads!r:.80} must be a whole number, not {type(n_threads).__name__}."
        )
    return min(max(1, int(n_threads)), MOST_THREADS)


def readable(schema: Schema, columns: Sequence[NDArray[Any]] | NDArray[Any]) -> Any:
    """Return cells as the core reads them: float64 and int32 in one piece, or one array of floats.

    What is so already is not copied.

    >>> from treewright.table import Column, Kind
    >>> x = np.array([1.0, 2.0])
    >>> schema = Schema((Column("x", Kind.numeric),))
    >>> readable(schema, [x])[0] is x, readable(schema, [x.astype(np.float32)])
    (True, [array([1., 2.])])
    >>> readable(schema, np.array([[1], [2]])).dtype
    dtype('float64')
    """
    if isinstance(columns, np.ndarray):
        is_float = columns.dtype in (np.float32, np.float64) and columns.flags.aligned
        return columns if is_float else np.require(columns, np.float64, "A")
    if len(columns) != len(schema):
        raise ValueError(f"{len(columns)} columns were given; the model has {len(schema)}.")
    wanted = (np.float64 if column.is_numeric else np.int32 for column in schema.columns)
    return [_in_one_piece(*pair) for pair in zip(columns, wanted, strict=True)]


def _in_one_piece(values: NDArray[Any], dtype: Any) -> NDArray[Any]:
    flags = values.flags
    is_ready = values.dtype == dtype and flags.c_contiguous and flags.aligned
    return values if is_ready else np.require(values, dtype, ["C", "A"])


def _refused_at(tree: Tree, node: int, columns: Sequence[NDArray[Any]] | NDArray[Any], row: int) -> int:
    """Return the place of the column a row is refused for: of several, the first without a known value."""
    span = slice(int(tree.term_start[node]), int(tree.term_start[node + 1]))
    for place in tree.term_column[span].tolist():
        value = columns[row, place] if isinstance(columns, np.ndarray) else columns[place][row]
        if value < 0 if not tree.schema.columns[place].is_numeric else np.isnan(value):
            return int(place)
    return int(tree.column[node])


def refused_row(
    schema: Schema, place: int, columns: Sequence[NDArray[Any]] | NDArray[Any], row: int, what: str = "tree"
) -> ValueError:
    """Return the error for a row that a test on the column at this place refuses: why, and the way out."""
    column = schema.columns[place]
    value = columns[row, place] if isinstance(columns, np.ndarray) else columns[place][row]
    is_gap = bool(np.isnan(value)) if column.is_numeric else value == -1
    if is_gap:
        return refusal(
            f"Column {column.name!r} is missing in row {row}, and the {what} was grown with ",
            ask("missing", "error"),
            f". Fill the gap, or grow the {what} with another policy, for example ",
            ask("missing", "learned"),
            ".",
        )
    found = "a category that training never had" if value == UNSEEN else repr(column.categories[value])
    return refusal(
        f"Column {column.name!r} has {found} in row {row}, which this {what} does not know, and ",
        ask("unseen", "error"),
        f". Grow the {what} with ",
        ask("unseen", "most_common", "stop_here"),
        " to let such rows through.",
    )
