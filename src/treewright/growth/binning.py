"""Numbers cut into intervals before growth: found anew on the rows at hand, and kept in the tree's schema."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, refusal
from treewright.growth.checks import check_kinds
from treewright.growth.settings import Settings
from treewright.measure import Discretiser
from treewright.table import Column, Kind, Schema, coded
from treewright.table.schema import no_such_column

Floats = NDArray[np.float64]
Columns = tuple[NDArray[Any], ...]


def unbinned(schema: Schema, values: Columns) -> Schema:
    """Return the schema in which columns that hold numbers are numeric, whatever intervals it had for them.

    >>> schema = Schema((Column("age", Kind.ordinal, edges=(54,)),))
    >>> unbinned(schema, (np.array([40.0]),)).columns[0].kind.value
    'numeric'
    """
    if not schema.binned:
        return schema
    pairs = zip(schema.columns, values, strict=True)
    return Schema(tuple(Column(c.name, Kind.numeric) if _is_raw(c, v) else c for c, v in pairs))


def _is_raw(column: Column, values: NDArray[Any]) -> bool:
    return column.edges is not None and values.dtype.kind == "f"


def binned(
    schema: Schema,
    values: Columns,
    target: Column,
    answers: NDArray[Any],
    weights: Floats | None,
    settings: Settings,
) -> tuple[Schema, Columns]:
    """Return the columns with numbers cut into intervals, as the settings say, by these rows and no others.

    >>> schema = Schema((Column("age", Kind.numeric),))
    >>> ages, answers = np.arange(8.0), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    >>> goal, settings = Column("y", Kind.nominal, ("a", "b")), Settings.of("id3", discretise="mdlp")
    >>> binned(schema, (ages,), goal, answers, None, settings)[0].columns[0].edges
    (3.5,)
    """
    way = settings.discretise
    if way is None:
        return schema, values
    if way.needs_classes and target.is_numeric:
        raise refusal(
            ask("discretise", way.name),
            f" looks at classes, and column {target.name!r} is numeric. Use ",
            ask("discretise", "equal_width", "equal_frequency"),
            ", or none.",
        )
    edges = edges_of(way, schema, values, answers, weights)
    columns = [
        _with_edges(c, tuple(edges[c.name].tolist())) if c.name in edges else c for c in schema.columns
    ]
    cut = Schema(tuple(columns)), tuple(coded(columns, values))
    check_kinds(settings, *cut)  # numbers that no edges were given for
    return cut


def _with_edges(column: Column, edges: tuple[float, ...]) -> Column:
    """Return a column cut into intervals; dates are shown as dates."""
    notation = column.notation if column.shows_moments else None
    return Column(column.name, Kind.ordinal, edges=edges, notation=notation)


def edges_of(
    way: Discretiser, schema: Schema, values: Columns, answers: NDArray[Any], weights: Floats | None
) -> dict[str, Floats]:
    """Return the edges of every numeric column, by name.

    Column after column: two threads were no quicker.

    >>> way, schema = Discretiser.by_name("equal_width", bins=2), Schema((Column("age", Kind.numeric),))
    >>> edges_of(way, schema, (np.array([0.0, 10.0]),), np.array([0, 1]), None)
    {'age': array([5.])}
    """
    for name in way.named:
        if name not in schema:
            raise ValueError(f"edges: {no_such_column(name, schema.names)}")
        if not schema[name].is_numeric:
            raise ValueError(f"edges: column {name!r} is {schema[name].kind}; only numbers lie in intervals.")
    found = {}
    for column, cells in zip(schema.columns, values, strict=True):
        if column.is_numeric:
            _check_finite(column, cells)
            if (edges := way.cuts(column.name, cells, answers, weights)) is not None:
                found[column.name] = edges
    return found


def _check_finite(column: Column, values: NDArray[Any]) -> None:
    endless = np.isinf(values)
    if endless.any():
        raise ValueError(
            f"Column {column.name!r} contains infinity: it is {values[endless][0]} in row "
            f"{int(np.argmax(endless))}. Edges are found among finite numbers; clip it, or make it a gap."
        )
