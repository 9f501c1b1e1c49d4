"""What it costs to change a row: by default from what the tree knows, else as the caller says.

| column | default price of a change |
|---|---|
| numeric | the move, in units of the range of the tree's cuts in the column (or of its only cut) |
| numeric, in sums alone | the same, of the places where these sums' planes cross the column's axis |
| numbers cut into intervals | the move, in units of the range of the edges |
| ordinal | the steps, in units of all steps there are |
| nominal, boolean | 1 |
| any, where the row has no known value | 1 |
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import nearest
from treewright.explain.axis import Axis, Codes, Numbers
from treewright.explain.row import Row
from treewright.measure import intervals
from treewright.table import Column, Kind, Schema
from treewright.table.raw import label
from treewright.table.schema import no_such_column
from treewright.tree import Tree
from treewright.tree.check import CUT
from treewright.tree.terms import VALUE

FILL = 1.0  # the price of a value where the row has none


def axes_of(
    tree: Tree, row: Row, costs: Mapping[str, Any] | None = None, whole: Iterable[str] | None = None
) -> dict[int, Axis]:
    """Return the columns that a tree asks about as axes of a row, with their prices.

    >>> import treewright as tw
    >>> from treewright.explain.row import row_of
    >>> tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3, 9], "y": list("abaa")}), target="y")
    >>> axes = axes_of(tree, row_of(tree, {"x": 2}))
    >>> axes[0].price, axes[0].is_whole      # cuts at 1.5 and 2.5
    (1.0, True)
    >>> axes_of(tree, row_of(tree, {"x": 2}), costs={"x": 0.1})[0].price
    0.1
    """
    given = _by_column("costs", costs, tree.schema)
    names = (
        None if whole is None else {_known("whole", name, tree.schema) for name in _listed("whole", whole)}
    )
    found: dict[int, Axis] = {}
    for place in tree.used_columns.tolist():
        column, cell = tree.schema.columns[place], row.cells[place]
        if not column.is_numeric:
            found[place] = _coded(column, cell, given.get(column.name))
            continue
        cuts = _cuts(tree, place)
        is_whole = _moves_whole(cuts, cell) if names is None else column.name in names
        if is_whole and not (cell != cell or float(cell).is_integer()):
            raise ValueError(
                f"Column {column.name!r} is {cell!r} in this row, which is no whole number; see whole=."
            )
        price = 1 / scale_of(cuts) if column.name not in given else _price(column.name, given[column.name])
        found[place] = Numbers(column, float(cell), price, FILL, is_whole)
    return found


def fixed_among(fixed: Iterable[str], schema: Schema) -> list[int]:
    """Return the places of columns that must stay as they are.

    >>> schema = Schema((Column("age", Kind.numeric), Column("job", Kind.nominal, ("a", "b"))))
    >>> fixed_among(["age"], schema)
    [0]
    >>> fixed_among(["agee"], schema)
    Traceback (most recent call last):
    ValueError: fixed: No column is named 'agee'; did you mean 'age'?
    """
    return sorted({schema.index(_known("fixed", name, schema)) for name in _listed("fixed", fixed)})


def _cuts(tree: Tree, column: int) -> NDArray[np.float64]:
    """Return the tree's finite cuts in a numeric column; of one in no test those of stand-ins, or of sums."""
    mine = tree.cut[(tree.column == column) & (tree.kind == CUT)]
    conditions = tree.term_at[(tree.term_column == column) & (tree.term_form != VALUE)]
    mine = np.concatenate([mine, conditions])
    if not len(mine):
        mine = tree.surrogate_cut[tree.surrogate_column == column]
    if not len(mine):
        mine = _crossed(tree, column)
    return np.unique(mine[np.isfinite(mine)])


def _crossed(tree: Tree, column: int) -> NDArray[np.float64]:
    """Return where the planes of sums cross the axis of a column that is in no other test."""
    cut = np.repeat(tree.cut, np.diff(tree.term_start))
    own = (tree.term_column == column) & (tree.term_form == VALUE)
    with np.errstate(over="ignore"):
        return np.asarray(cut[own] / tree.term_weight[own])


def scale_of(cuts: NDArray[np.float64]) -> float:
    """Return the unit in which moves of a numeric column are counted: the range of its cuts.

    >>> scale_of(np.array([20.0, 30.0, 60.0])), scale_of(np.array([-8.0])), scale_of(np.array([0.0]))
    (40.0, 8.0, 1.0)
    """
    if not len(cuts):
        return 1.0
    with np.errstate(over="ignore"):
        size = float(cuts[-1] - cuts[0]) if len(cuts) > 1 else abs(float(cuts[0]))
    return size if 1e-300 < size < math.inf else 1.0


def _moves_whole(cuts: NDArray[np.float64], cell: float) -> bool:
    """Whether all that is seen of a column is whole: the row's value, and cuts at or between integers."""
    return bool(len(cuts) and float(cell).is_integer() and (cuts * 2 == np.floor(cuts * 2)).all())


def _coded(column: Column, cell: Any, price: Any) -> Codes:
    """Return a column of categories; of numbers cut into intervals, with a number for each interval."""
    n = len(column.categories)
    if isinstance(cell, float) and column.edges is not None:
        return _intervals(column, cell, price)
    own = int(cell)
    if price is not None and not isinstance(price, (int, float)):
        prices = _from_table(column, own, price)
    else:
        unit = None if price is None else _price(column.name, price)
        if own < 0:
            prices = [FILL if unit is None else unit] * n
        elif column.kind is Kind.ordinal:
            step = (1 / max(1, n - 1)) if unit is None else unit
            prices = [step * abs(code - own) for code in range(n)]
        else:
            prices = [1.0 if unit is None else unit] * n
    if own >= 0:
        prices[own] = 0.0
    return Codes(column, own, tuple(prices))


def _intervals(column: Column, x: float, price: Any) -> Codes:
    edges = column.edges or ()
    own = int(intervals([x], list(edges))[0])
    # low < x <= high: the nearest number of each interval
    lows = [-math.inf, *(math.nextafter(edge, math.inf) for edge in edges)]
    highs = [*edges, math.inf]
    if own < 0:
        values = [high if math.isfinite(high) else low for low, high in zip(lows, highs, strict=True)]
        return Codes(column, own, (FILL,) * len(values), tuple(values), None)
    values = [min(max(x, low), high) for low, high in zip(lows, highs, strict=True)]
    unit = 1 / scale_of(np.array(edges)) if price is None else _price(column.name, price)
    prices = [
        FILL if math.isinf(x) and code != own else abs(value - x) * unit for code, value in enumerate(values)
    ]
    prices[own] = 0.0
    return Codes(column, own, tuple(prices), tuple(values), x)


# ---- what the caller says ---------------------------------------------------------------------------


def _price(name: str, price: Any) -> float:
    if (
        isinstance(price, bool)
        or not isinstance(price, (int, float, np.integer, np.floating))
        or not price >= 0
    ):
        raise ValueError(
            f"costs[{name!r}] must be a number of at least 0, the price of one unit; found {price!r:.80}. "
            "A column that must not change belongs in fixed=."
        )
    if math.isinf(price):
        raise ValueError(f"costs[{name!r}] is infinite; a column that must not change belongs in fixed=.")
    return float(price)


def _from_table(column: Column, own: int, given: Any) -> list[float]:
    """Return the row of a matrix of prices: nested dicts by category, or as many lists as categories."""
    n = len(column.categories)
    if not isinstance(given, Mapping):
        matrix = np.asarray(given, dtype=object)
        if matrix.shape != (n, n):
            raise ValueError(
                f"costs[{column.name!r}] must be a price, a dict of dicts by category, or {n} x {n} prices; "
                f"found {given!r:.80}."
            )
        rows: Mapping[Any, Any] = {
            a: dict(zip(column.categories, line, strict=True))
            for a, line in zip(column.categories, matrix.tolist(), strict=True)
        }
    else:
        rows = given
    table = {_category(column, a): line for a, line in rows.items()}
    for line in table.values():
        if not isinstance(line, Mapping):
            raise ValueError(f"costs[{column.name!r}] must say {{from: {{to: price}}}}; found {given!r:.80}.")
    if own < 0:
        return [FILL] * n
    mine = {
        _category(column, b): _entry(column, price)
        for b, price in table.get(column.categories[own], {}).items()
    }
    return [mine.get(category, math.inf) for category in column.categories]


def _entry(column: Column, price: Any) -> float:
    if isinstance(price, (int, float)) and price == math.inf:
        return math.inf  # a change that is not allowed
    return _price(column.name, price)


def _category(column: Column, given: Any) -> str:
    name = label(given)
    if name in column.categories:
        return name
    near = nearest(name, column.categories)
    hint = f"did you mean {near!r}?" if near else f"it has {', '.join(map(repr, column.categories[:8]))}."
    raise ValueError(f"costs[{column.name!r}]: the column has no category {name!r}; {hint}")


def _by_column(word: str, given: Any, schema: Schema) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"{word} must be a dict by column name; found {given!r:.80}.")
    return {_known(word, name, schema): value for name, value in given.items()}


def _listed(word: str, names: Any) -> list[Any]:
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Iterable):
        raise TypeError(f"{word} must be a list of column names; found {names!r:.80}.")
    return list(names)


def _known(word: str, name: Any, schema: Schema) -> str:
    if name not in schema:
        raise ValueError(f"{word}: {no_such_column(name, schema.names)}")
    return str(name)
