"""Rows that judge a tree: in its own codes, with their answers and weights."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.predict import Routed, route_columns
from treewright.table import Rows, align, table_of
from treewright.table.rows import check_weights
from treewright.tree import Tree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Sample(Rows):
    """Rows that judge a tree: in its codes, each with its weight.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> sample = sample_of(tw.grow(table, target="PlayTennis", recipe="id3"), table)
    >>> sample.answers[:4].tolist(), sample.n_rows  # the class "Yes" comes first
    ([1, 1, 0, 0], 14)
    """

    weights: Floats

    def blocks(self) -> Iterator[Sample]:
        """Yield the rows as many at a time as are together in memory: here all of them.

        >>> import treewright as tw
        >>> [some.n_rows for some in sample_of_rows(Rows.of(tw.example("tennis"), "PlayTennis")).blocks()]
        [14]
        """
        yield self


def sample_of_rows(rows: Rows) -> Sample:
    """Return rows that are in a tree's codes already, as those it was grown on are.

    >>> import treewright as tw
    >>> sample_of_rows(Rows.of(tw.example("tennis"), "PlayTennis")).weights.sum()
    np.float64(14.0)
    """
    weights = np.ones(rows.n_rows) if rows.weights is None else rows.weights
    return Sample(rows.schema, rows.columns, rows.target, rows.answers, weights)


def sample_of(tree: Tree, table: Any, weights: Any = None) -> Sample:
    """Return the rows of a table in a tree's codes; its columns and its target are found by name.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2], "y": ["a", "b"]})
    >>> tree = tw.grow(table, target="y")
    >>> sample_of(tree, tw.Table.from_dict({"x": [7], "y": ["c"]})).answers  # a class the tree never met
    array([-2], dtype=int32)
    """
    if isinstance(table, Sample):
        return table
    table = table_of(table, tree.schema.columns, "To judge a tree")
    if tree.target.name not in table.schema:
        raise ValueError(
            f"The table has no column {tree.target.name!r}, which the tree predicts; "
            "without the right answers it cannot judge a tree."
        )
    *columns, answers = align(table, (*tree.schema.columns, tree.target))
    gaps = np.isnan(answers) if answers.dtype.kind == "f" else answers == -1
    if gaps.any():
        raise ValueError(
            f"The target {tree.target.name!r} is missing in {int(gaps.sum())} of {table.n_rows} rows; "
            "leave those rows out."
        )
    if isinstance(weights, str):
        weights = table.column(weights)[1]
    given = np.ones(table.n_rows) if weights is None else check_weights(weights, table.n_rows)
    return Sample(tree.schema, tuple(columns), tree.target, answers, given)


def rows_for(tree: Tree, data: Any) -> Any:
    """Return rows as a Table, from whatever holds one; a Sample and None stay what they are.

    >>> import treewright as tw
    >>> rows_for(tw.grow(tw.example("tennis"), "PlayTennis"), {"Wind": ["Weak"]})
    Table(1 row; Wind: nominal (1))
    """
    return data if data is None or isinstance(data, Sample) else table_of(data, tree.schema.columns)


class Spread(NamedTuple):
    """The parts of rows where they end: row, node, weight. A row that nothing divides has one part."""

    row: NDArray[np.int64]
    node: NDArray[np.int64]
    weight: Floats


def spread(tree: Tree, sample: Sample, n_threads: int = 1) -> Spread:
    """Return where the rows of a sample end in a tree, with the weight of each part.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, None], "y": ["a", "b", "b", "b"]})
    >>> tree = tw.grow(table, target="y", missing="fractional", max_depth=1)
    >>> parts = spread(tree, sample_of(tree, table))
    >>> parts.row.tolist(), parts.node.tolist()
    ([0, 1, 2, 3, 3], [1, 2, 2, 1, 2])
    """
    routed: Routed = route_columns(tree, list(sample.columns), sample.n_rows, n_threads)
    whole = np.ones(sample.n_rows, dtype=bool)
    whole[routed.part_row] = False
    rows = np.concatenate([np.flatnonzero(whole), routed.part_row])
    shares = np.concatenate([np.ones(int(whole.sum())), routed.part_weight])
    nodes = np.concatenate([routed.node[whole], routed.part_node]).astype(np.int64)
    return Spread(rows, nodes, shares * sample.weights[rows])
