"""The least change by brute force: every combination of one value for each interval and each category."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from treewright.table import Column, Kind, Schema, Table

Shown = dict[str, Any]


def grid(tree: Any, row: Shown, whole: tuple[str, ...] = (), fixed: tuple[str, ...] = ()) -> list[Shown]:
    """Return the row, and all that it can become: numbers at both sides of every cut, every category."""
    axes = {}
    for place, column in enumerate(tree.schema.columns):
        if column.name not in row:
            continue
        values = [row[column.name]]
        if column.name not in fixed:
            values += _numbers(tree, place, column.name in whole) if column.is_numeric else column.categories
        axes[column.name] = values
    return [dict(zip(axes, cells, strict=True)) for cells in itertools.product(*axes.values())]


def _numbers(tree: Any, place: int, is_whole: bool) -> list[float]:
    cuts = {
        *tree.cut[tree.column == place].tolist(),
        *tree.surrogate_cut[tree.surrogate_column == place].tolist(),
    }
    ends = {0.0}  # where the only cut is infinite: any number
    for cut in cuts:
        if is_whole:
            ends |= {float(math.floor(cut)), math.floor(cut) + 1.0}
        else:
            ends |= {cut, math.nextafter(cut, math.inf)}
    return sorted(end for end in ends if math.isfinite(end))


def table_of(tree: Any, rows: list[Shown]) -> Table:
    """Return rows as a table; categories that the tree has not are added to those it has."""
    columns, values = [], []
    for column in tree.schema.columns:
        cells = [row.get(column.name) for row in rows]
        if column.is_numeric:
            columns.append(Column(column.name, Kind.numeric))
            values.append(np.array([math.nan if cell is None else cell for cell in cells], dtype=np.float64))
            continue
        new = sorted({cell for cell in cells if cell is not None} - set(column.categories))
        names = (*column.categories, *new)
        columns.append(Column(column.name, Kind.nominal, names))
        values.append(np.array([-1 if cell is None else names.index(cell) for cell in cells], dtype=np.int32))
    return Table(Schema(tuple(columns)), tuple(values))


def answers(tree: Any, rows: list[Shown]) -> list[Any]:
    """Return what the tree says; None where it refuses a row."""
    try:
        return list(tree.predict(table_of(tree, rows)).tolist())
    except ValueError:
        return [None] if len(rows) == 1 else [answers(tree, [row])[0] for row in rows]


def cost(tree: Any, before: Shown, after: Shown, costs: dict[str, Any]) -> float:
    """Return what a change costs, column by column, from the definitions."""
    total = []
    for place, column in enumerate(tree.schema.columns):
        a, b = before.get(column.name), after.get(column.name)
        if a == b:
            continue
        price = costs.get(column.name)
        if column.is_numeric:
            total.append(_of_numbers(tree, place, a, b, price))
        elif a not in column.categories:
            total.append(1.0 if price is None else price)
        elif column.kind is Kind.ordinal:
            steps = abs(column.categories.index(a) - column.categories.index(b))
            total.append(steps / (len(column.categories) - 1) if price is None else steps * price)
        else:
            total.append(1.0 if price is None else price)
    try:
        return math.fsum(total)
    except OverflowError:
        return math.inf


def _of_numbers(tree: Any, place: int, a: float | None, b: float, price: float | None) -> float:
    if a is None or math.isinf(a):
        return 1.0
    if price is not None:
        return abs(b - a) * price
    cuts = tree.cut[tree.column == place]
    if not len(cuts):
        cuts = tree.surrogate_cut[tree.surrogate_column == place]
    cuts = cuts[np.isfinite(cuts)]
    size = 1.0
    if len(cuts):
        size = float(cuts.max() - cuts.min()) if cuts.max() > cuts.min() else abs(float(cuts[0]))
    return abs(b - a) / (size if 1e-300 < size < math.inf else 1.0)


def least(tree: Any, row: Shown, is_wanted: Any, **given: Any) -> float | None:
    """Return the least cost of a wanted answer; None where nothing leads to one."""
    costs = given.pop("costs", {})
    rows = grid(tree, row, **given)
    good = [
        r for r, said in zip(rows, answers(tree, rows), strict=True) if said is not None and is_wanted(said)
    ]
    found = [cost(tree, row, r, costs) for r in good]
    return min((c for c in found if c < math.inf), default=None)
