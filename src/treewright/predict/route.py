"""Rows down a tree: the node each row ends in, and its parts where gaps divide it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright.table import UNSEEN, Kind, Schema, Table, align, coded
from treewright.tree import Tree

# How a tree's policies are carried out on the way down.
GAP_WAYS = {
    "learned": "branch",
    "own_branch": "branch",
    "most_common": "branch",
    "most_common_overall": "branch",
    "fractional": "divide",
    "surrogate": "surrogate",
    "drop": "stop",
    "error": "refuse",
}
UNSEEN_WAYS = {
    "most_common": "branch",
    "fractional": "divide",
    "stop_here": "stop",
    "error": "refuse",
    "missing": "as_missing",
}
MOST_THREADS = 2**20  # more than any machine has
ARRAYS = [
    "end",
    "column",
    "missing",
    "largest",
    "cut",
    "code_start",
    "code",
    "code_branch",
    "term_start",
    "term_column",
    "term_weight",
    "surrogate_start",
    "surrogate_code_start",
    "surrogate_column",
    "surrogate_code",
    "surrogate_code_branch",
    "surrogate_kind",
    "surrogate_cut",
    "kind",
]


class Routed(NamedTuple):
    """Where rows end: a node each (the heaviest for a divided row), and the parts of divided rows.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, None], "y": ["a", "b", "b", "b"]})
    >>> tree = tw.grow(table, target="y", missing="fractional", max_depth=1)
    >>> routed = route_table(tree, table)
    >>> routed.node.tolist(), routed.part_row.tolist(), routed.part_node.tolist()
    ([1, 2, 2, 2], [3, 3], [1, 2])
    >>> routed.part_weight.round(3).tolist()
    [0.333, 0.667]
    """

    node: NDArray[np.int32]
    part_row: NDArray[np.int64]
    part_node: NDArray[np.int32]
    part_weight: NDArray[np.float64]

    def sums(self, per_node: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return per row the value of its node, or the weighted sum over its parts.

        >>> halves = Routed(np.array([1, 2]), np.array([1, 1]), np.array([1, 2]), np.array([0.5, 0.5]))
        >>> halves.sums(np.array([0.0, 10.0, 20.0]))
        array([10., 15.])
        """
        rows = per_node.take(self.node, axis=0)
        if len(self.part_row):
            divided = np.unique(self.part_row)
            rows[divided] = 0
            weight = self.part_weight if per_node.ndim == 1 else self.part_weight[:, None]
            np.add.at(rows, self.part_row, per_node[self.part_node] * weight)
        return rows

    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return rows and nodes: one of each for a whole row, as many as there are parts for a divided one.

        >>> halves = Routed(np.array([1, 2]), np.array([1, 1]), np.array([1, 2]), np.array([0.5, 0.5]))
        >>> [found.tolist() for found in halves.pairs()]
        [[0, 1, 1], [1, 1, 2]]
        """
        if not len(self.part_row):
            return np.arange(len(self.node)), self.node.astype(np.int64)
        whole = np.ones(len(self.node), dtype=bool)
        whole[self.part_row] = False
        rows = np.concatenate([np.flatnonzero(whole), self.part_row])
        return rows, np.concatenate([self.node[whole], self.part_node]).astype(np.int64)

    def sums_of_pairs(self, of_pair: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return per row the value of its pair, or the weighted sum over its parts.

        >>> halves = Routed(np.array([1, 2]), np.array([1, 1]), np.array([1, 2]), np.array([0.5, 0.5]))
        >>> halves.sums_of_pairs(np.array([10.0, 10.0, 20.0]))
        array([10., 15.])
        """
        if not len(self.part_row):
            return of_pair
        rows, _ = self.pairs()
        n_whole = len(rows) - len(self.part_row)
        weight = np.concatenate([np.ones(n_whole), self.part_weight])
        found = np.zeros((len(self.node), *of_pair.shape[1:]))
        np.add.at(found, rows, of_pair * (weight if of_pair.ndim == 1 else weight[:, None]))
        return found


def route_table(tree: Tree, table: Table, n_threads: int = 1) -> Routed:
    """Return where the rows of a table end; its columns are found by name.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": ["a", "b", "b"]}), target="y")
    >>> route_table(tree, tw.Table.from_dict({"x": [0, 9]})).node.tolist()
    [1, 2]
    """
    if not isinstance(table, Table):
        raise TypeError(
            f"This takes a treewright.Table, not {type(table).__name__}; make one with tw.Table.from_frame"
        )
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
        raise ValueError(
            refusal(tree.schema, _refused_at(tree, -1 - routed.node[row], columns, row), columns, row)
        )
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

    >>> from treewright.table import Column
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


def router(tree: Tree) -> _core.Router:
    """Return the tree laid out for walking; made once and kept beside the tree's cached properties.

    It is no part of the tree's value: neither compared, stored nor pickled.
    """
    found: _core.Router | None = vars(tree).get("_router")
    if found is None:
        arrays: dict[str, Any] = {name: getattr(tree, name) for name in ARRAYS}
        arrays["weight"] = tree.weights
        arrays["surrogate_flip"] = tree.surrogate_flip.view(np.uint8)
        arrays["is_coded"] = np.array([not column.is_numeric for column in tree.schema.columns], np.uint8)
        gap, unseen = tree.about.get("missing", "error"), tree.about.get("unseen", "error")
        found = vars(tree)["_router"] = _core.Router(arrays, GAP_WAYS[gap], UNSEEN_WAYS[unseen])
    return found


def refusal(
    schema: Schema, place: int, columns: Sequence[NDArray[Any]] | NDArray[Any], row: int, what: str = "tree"
) -> str:
    """Return why a row is refused by a test on the column at this place, and what can be done."""
    column = schema.columns[place]
    value = columns[row, place] if isinstance(columns, np.ndarray) else columns[place][row]
    is_gap = bool(np.isnan(value)) if column.kind == Kind.numeric else value == -1
    if is_gap:
        return (
            f"Column {column.name!r} is missing in row {row}, and the {what} was grown with missing='error'. "
            f"Fill the gap, or grow the {what} with another policy, for example missing='learned'."
        )
    found = "a category that training never had" if value == UNSEEN else repr(column.categories[value])
    return (
        f"Column {column.name!r} has {found} in row {row}, which this {what} does not know, "
        "and unseen='error'. "
        f"Grow the {what} with unseen='most_common' or 'stop_here' to let such rows through."
    )
