"""Small random tables, targets and weights: with ties, gaps, infinities and categories no row has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from .plain import MISSING, PlainColumn, PlainSchema, PlainTable

NUMBERS = [-1.5, 0.0, 0.25, 0.5, 1.0, 1.0 + 2**-40, 2.0, 3.0, 10.0]
EXTREMES = [-np.inf, np.inf, 1e300, -1e300, 5e-324]
KINDS = ("numeric", "nominal", "ordinal", "boolean")


@dataclass(frozen=True)
class Problem:
    """A table to grow on: features, target column, target values (class codes or numbers), weights."""

    table: PlainTable
    target: PlainColumn
    y: NDArray[Any]
    weights: NDArray[np.float64]

    @property
    def n_classes(self) -> int:
        """The number of classes, 0 for a numeric target."""
        return len(self.target.categories)


@st.composite
def columns(
    draw: st.DrawFn, name: str, n_rows: int, kinds: tuple[str, ...], gaps: bool, extremes: bool
) -> Any:
    """Draw one column: (PlainColumn, values)."""
    kind = draw(st.sampled_from(kinds))
    if kind == "numeric":
        pool = NUMBERS[: draw(st.integers(2, len(NUMBERS)))] + (EXTREMES if extremes else [])
        choices: list[float] = [*pool, np.nan] if gaps else pool
        cells = draw(st.lists(st.sampled_from(choices), min_size=n_rows, max_size=n_rows))
        return PlainColumn(name, kind), np.array(cells, dtype=np.float64)
    n_declared = 2 if kind == "boolean" else draw(st.integers(1, 6))
    n_present = draw(st.integers(1, n_declared))  # the last categories may be declared and absent
    words = ("False", "True") if kind == "boolean" else tuple("abcdef"[:n_declared])
    codes = st.integers(MISSING if gaps else 0, n_present - 1)
    cells = draw(st.lists(codes, min_size=n_rows, max_size=n_rows))
    return PlainColumn(name, kind, words), np.array(cells, dtype=np.int32)


@st.composite
def weight_lists(draw: st.DrawFn, n_rows: int, how: str) -> NDArray[np.float64]:
    """Draw row weights: all one, small whole numbers, or fractions (of 1/8, exact in binary, or of 1/10)."""
    if how == "ones":
        return np.ones(n_rows)
    top, unit = {"integers": (4, 1.0), "eighths": (24, 0.125), "tenths": (30, 0.1)}[how]
    cells = draw(st.lists(st.integers(1, top), min_size=n_rows, max_size=n_rows))
    return np.array(cells, dtype=np.float64) * unit


@st.composite
def problems(
    draw: st.DrawFn,
    *,
    task: str | None = None,
    kinds: tuple[str, ...] = KINDS,
    gaps: bool | None = None,
    extremes: bool | None = None,
    weights: tuple[str, ...] = ("ones", "integers", "eighths", "tenths"),
    max_rows: int = 14,
    max_columns: int = 4,
    max_classes: int = 4,
    counts: bool = False,
) -> Problem:
    """Draw a whole problem. `task` is "classes" or "numbers"; None draws either (so for gaps, extremes).

    `counts` draws numbers that are not negative, not all of them 0.
    """
    n_rows = draw(st.integers(1, max_rows))
    gaps = draw(st.booleans()) if gaps is None else gaps
    extremes = draw(st.booleans()) if extremes is None else extremes
    names = draw(st.permutations(["b", "a", "c", "d", "e", "f"][: draw(st.integers(1, max_columns))]))
    drawn = [draw(columns(name, n_rows, kinds, gaps, extremes)) for name in names]
    table = PlainTable(PlainSchema(tuple(c for c, _ in drawn)), tuple(v for _, v in drawn))
    task = draw(st.sampled_from(["classes", "numbers"])) if task is None else task
    if task == "classes":
        n_classes = draw(st.integers(2, max_classes))
        target = PlainColumn("y", "nominal", tuple(f"class {i}" for i in range(n_classes)))
        cells: Any = draw(st.lists(st.integers(0, n_classes - 1), min_size=n_rows, max_size=n_rows))
        y: NDArray[Any] = np.array(cells, dtype=np.int32)
    else:
        target = PlainColumn("y", "numeric")
        cells = draw(
            st.lists(st.sampled_from([-2.0, 0.0, 0.5, 1.0, 3.0, 7.25]), min_size=n_rows, max_size=n_rows)
        )
        y = np.array(cells, dtype=np.float64)
        if counts:
            y = np.abs(y)
            y[0] = max(y[0], 1.0)
    how = draw(st.sampled_from(list(weights)))
    return Problem(table, target, y, draw(weight_lists(n_rows, how)))


def to_treewright(problem: Problem) -> Any:
    """Return the features as a treewright Table (imported here: the twin itself needs no treewright)."""
    from treewright.table import schema, table

    features = tuple(
        schema.Column(column.name, schema.Kind(column.kind), column.categories)
        for column in problem.table.schema.columns
    )
    return table.Table(schema.Schema(features), problem.table.values)
