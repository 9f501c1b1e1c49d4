"""Rows as an artefact is given them: numbers, texts, None; and rows that find out what it does not know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.verbs import kind_of
from treewright.rules.several import SumCondition
from treewright.table import UNSEEN, Column, Kind, Schema, Table, align, table_of

NEVER_SEEN = "never seen \U0001f333"  # a category that no model knows
_EXTREMES = (0.0, -0.0, 1e308, -1e308, 5e-324, np.inf, -np.inf, np.nan)
_OF_SUMS = (0.0, -0.0, 1e100, -1e100, 1e-300, np.inf, -np.inf, np.nan)  # of which sums are numbers still


@dataclass(frozen=True)
class Cells:
    """Rows by the columns of a model: float or None for numbers, text or None for all else.

    Dates and times are numbers here, as the model has them; a truth is "True" or "False"; a number that the
    model cuts into intervals is a number.

    >>> from treewright.table import Kind
    >>> columns = (Column("x", Kind.numeric), Column("c", Kind.nominal, ("a",)))
    >>> cells = Cells(columns, ([1.0, None], ["a", "b"]))
    >>> cells.n_rows, cells.row(1)
    (2, (None, 'b'))
    """

    columns: tuple[Column, ...]
    values: tuple[list[Any], ...]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.values[0]) if self.values else 0

    def row(self, i: int) -> tuple[Any, ...]:
        """Return the cells of one row."""
        return tuple(cells[i] for cells in self.values)

    def take(self, rows: Sequence[int]) -> Cells:
        """Return some of the rows."""
        return Cells(self.columns, tuple([cells[i] for i in rows] for cells in self.values))

    def table(self) -> Table:
        """Return the rows as a table that the model predicts on."""
        schema, values = [], []
        for column, cells in zip(self.columns, self.values, strict=True):
            if is_number(column):
                kind = column.kind if column.is_numeric else Kind.numeric
                if column.edges is not None and column.notation is not None:
                    kind = column.notation.kind
                schema.append(Column(column.name, kind, notation=column.notation))
                values.append(np.array([np.nan if x is None else x for x in cells], dtype=np.float64))
                continue
            known = dict.fromkeys([*column.categories, *(x for x in cells if x is not None)])
            place = {category: code for code, category in enumerate(known)} | {None: -1}
            kind = column.kind if len(known) == len(column.categories) else Kind.nominal
            schema.append(Column(column.name, kind, tuple(known)))
            values.append(np.array([place[x] for x in cells], dtype=np.int32))
        return Table(Schema(tuple(schema)), tuple(values))


def is_number(column: Column) -> bool:
    """Return whether an artefact is given numbers for a column: also where the model has intervals.

    >>> from treewright.table import Kind
    >>> is_number(Column("degrees", Kind.ordinal, edges=(54, 85))), is_number(Column("windy", Kind.boolean))
    (True, False)
    """
    return column.is_numeric or column.edges is not None


def schema_of(model: Any) -> Schema:
    """Return the columns of any kind of model.

    >>> import treewright as tw
    >>> schema_of(tw.grow(tw.example("tennis"), "PlayTennis")).names
    ('Outlook', 'Temperature', 'Humidity', 'Wind')
    """
    schema: Schema = model.coding_.schema if kind_of(model) == "linear" else model.schema
    return schema


def cells_of(model: Any, data: Any) -> Cells:
    """Return the rows of any data as the model's artefacts are given them.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> cells_of(tw.grow(table, "PlayTennis"), table).row(0)
    ('Sunny', 'Hot', 'High', 'Weak')
    """
    columns = schema_of(model).columns
    table = table_of(data, columns, "verify")
    found = []
    for column, values in zip(columns, align(table, columns), strict=True):
        if values.dtype.kind == "f":
            found.append([None if x != x else x for x in values.tolist()])
        elif is_number(column):  # names of intervals: a number inside each
            inside = _inside(column)
            found.append([None if code < 0 else inside[code] for code in values.tolist()])
        else:
            words: Any = table.labels(column.name) if (values == UNSEEN).any() else ()
            names = (*column.categories, None)
            codes = enumerate(values.tolist())
            found.append([str(words[i]) if code == UNSEEN else names[code] for i, code in codes])
    return Cells(columns, tuple(found))


def _inside(column: Column) -> list[float]:
    edges = list(column.edges or ())
    return [*edges, np.nextafter(edges[-1], np.inf)] if edges else [0.0]


# ---- rows that find out ----------------------------------------------------------------------------------


def hard_cells(model: Any, data: Any, n_rows: int = 2000, seed: int = 0) -> Cells:
    """Return `n_rows` rows made of those of `data`: gaps, extremes, new categories, neighbours of thresholds.

    Every threshold of the model comes up, with the numbers next to it on both sides, as far as rows reach.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> cells = hard_cells(tw.grow(table, "y", max_depth=1), table, 40)
    >>> 2.5 in cells.values[0], float(np.nextafter(2.5, 3)) in cells.values[0], None in cells.values[0]
    (True, True, True)
    """
    base = cells_of(model, data)
    if not base.n_rows:
        raise ValueError("The data has no rows to verify with.")
    draws = np.random.default_rng(seed)
    drawn = base.take(draws.integers(0, base.n_rows, n_rows).tolist())
    cuts, is_linear = thresholds(model), kind_of(model) == "linear"
    values: list[list[Any]] = []
    for place, (column, cells) in enumerate(zip(drawn.columns, drawn.values, strict=True)):
        extremes = _OF_SUMS if is_linear else _EXTREMES
        if is_number(column):
            harder = _harder_numbers(cells, cuts.get(place, []), draws, extremes)
        else:
            harder = _harder_words(column, cells, draws)
        if is_linear:  # it refuses gaps: about one cell in a row, or no row would be left
            is_kept = draws.random(n_rows) > 1 / len(drawn.columns)
            harder = [a if kept else b for a, b, kept in zip(cells, harder, is_kept, strict=True)]
        values.append(harder)
    return Cells(drawn.columns, tuple(values))


def _harder_numbers(
    cells: list[Any], cuts: list[float], draws: np.random.Generator, extremes: tuple[float, ...]
) -> list[Any]:
    near = np.array(cuts, dtype=np.float64)
    with np.errstate(over="ignore"):
        near = np.concatenate([near, np.nextafter(near, -np.inf), np.nextafter(near, np.inf)])
    near = draws.permutation(near)
    kept = draws.random(len(cells))
    found: list[Any] = []
    turn = 0
    for cell, share in zip(cells, kept.tolist(), strict=True):
        if share < 0.1:
            found.append(None)
        elif share < 0.15:
            extreme = float(extremes[int(draws.integers(0, len(extremes)))])
            found.append(None if extreme != extreme else extreme)
        elif share < 0.6 and len(near):
            found.append(float(near[turn % len(near)]))
            turn += 1
        else:
            found.append(cell)
    return found


def _harder_words(column: Column, cells: list[Any], draws: np.random.Generator) -> list[Any]:
    kept = draws.random(len(cells)).tolist()
    known: list[Any] = [*column.categories] or [None]
    found: list[Any] = []
    for cell, share in zip(cells, kept, strict=True):
        if share < 0.1:
            found.append(None)
        elif share < 0.18 and column.kind is not Kind.boolean:
            found.append(NEVER_SEEN)
        elif share < 0.5:
            found.append(known[int(draws.integers(0, len(known)))])
        else:
            found.append(cell)
    return found


def thresholds(model: Any) -> dict[int, list[float]]:
    """Return the finite thresholds of every numeric column, by the column's place.

    >>> import treewright as tw
    >>> table = tw.Table.from_dict({"x": [1, 2, 3, 4], "y": ["a", "a", "b", "b"]})
    >>> thresholds(tw.grow(table, "y", max_depth=1))
    {0: [2.5]}
    """
    kind = kind_of(model)
    if kind == "linear":
        return {}
    found: dict[int, set[float]] = {}
    if kind == "rules":
        places = {name: i for i, name in enumerate(model.schema.names)}
        for condition in (c for rule in (*model.rules, *model.fallbacks) for c in rule.conditions):
            for name, bound in _bounds(condition):
                found.setdefault(places[name], set()).add(bound)
            for test in (test for proxy in condition.proxies for test in proxy.tests):
                found.setdefault(places[test.column], set()).update([] if test.cut is None else [test.cut])
    else:
        for i in range(model.n_trees if kind == "forest" else 1):
            _add_cuts(model.tree(i) if kind == "forest" else model, found)
    for place, column in enumerate(model.schema.columns):
        if column.edges is not None:
            found[place] = set(column.edges)
    return {
        place: sorted(float(x) for x in cuts if np.isfinite(x))
        for place, cuts in sorted(found.items())
        if is_number(model.schema.columns[place])
    }


def _bounds(condition: Any) -> list[tuple[str, float]]:
    if isinstance(condition, SumCondition):
        ends = [(term.column, end) for term in condition.terms for end in (term.at_most, term.above)]
    else:
        ends = [(condition.column, end) for end in (condition.low, condition.high)]
    return [(name, end) for name, end in ends if end is not None]


def _add_cuts(tree: Any, found: dict[int, set[float]]) -> None:
    is_cut = tree.kind == 1
    for place, cut in zip(tree.column[is_cut].tolist(), tree.cut[is_cut].tolist(), strict=True):
        found.setdefault(place, set()).add(cut)
    is_held = tree.term_form > 1  # a condition on a number
    for place, at in zip(tree.term_column[is_held].tolist(), tree.term_at[is_held].tolist(), strict=True):
        found.setdefault(place, set()).add(at)
    is_cut = tree.surrogate_kind == 1
    cuts: NDArray[Any] = tree.surrogate_cut[is_cut]
    for place, cut in zip(tree.surrogate_column[is_cut].tolist(), cuts.tolist(), strict=True):
        found.setdefault(place, set()).add(cut)
