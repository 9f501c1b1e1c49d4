"""One row as people give it: a dict, a Series, a frame, a list, or a row number with its table."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import ask, refusal
from treewright.base.names import nearest
from treewright.table import Column, Kind, Schema, Table, align, table_of
from treewright.table.frames import is_frame, is_series
from treewright.table.raw import label

Values = NDArray[Any]


class Asker(Protocol):
    """A tree or a forest: its columns, its target, and the places of the columns it asks about."""

    @property
    def schema(self) -> Schema:
        """The feature columns."""

    @property
    def target(self) -> Column:
        """The column to predict."""

    @property
    def used_columns(self) -> Values:
        """Places of columns, ascending."""


@dataclass(frozen=True)
class Row:
    """One row in the codes of a tree, and as it is shown. Columns the tree never asks about may be absent.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> row = row_of(tree, {"Outlook": "Foggy", "Humidity": None, "Wind": "Weak"})
    >>> row.cells
    (-2, -1, -1, 1)
    >>> row.shown
    {'Outlook': 'Foggy', 'Humidity': None, 'Wind': 'Weak'}
    """

    cells: tuple[Any, ...]  # by column: a number (NaN missing) or a code (-1 missing, -2 unseen)
    shown: Mapping[str, Any]  # by name, of the columns asked about: numbers, texts, truth values, None


def columns_of(schema: Schema, rows: Sequence[tuple[Any, ...]]) -> list[Values]:
    """Return rows as columns that can be sent down a tree.

    >>> schema = Schema((Column("x", Kind.numeric), Column("c", Kind.nominal, ("a", "b"))))
    >>> columns_of(schema, [(1.5, 0), (2.5, 1)])
    [array([1.5, 2.5]), array([0, 1], dtype=int32)]
    """
    found = []
    for column, cells in zip(schema.columns, zip(*rows, strict=True), strict=True):
        is_number = column.is_numeric or any(isinstance(cell, float) for cell in cells)
        found.append(np.array(cells, dtype=np.float64 if is_number else np.int32))
    return found


def row_of(tree: Asker, row: Any, table: Any = None) -> Row:
    """Return one row in the codes of a tree or a forest; see `explain_row` for what it may be given as.

    >>> import treewright as tw
    >>> table = tw.example("tennis")
    >>> tree = tw.grow(table, target="PlayTennis", recipe="id3")
    >>> row_of(tree, 0, table) == row_of(tree, {"Outlook": "Sunny", "Humidity": "High", "Wind": "Weak"})
    True
    >>> row_of(tree, {"outlok": "Sunny", "Humidity": "High", "Wind": "Weak"})
    Traceback (most recent call last):
    ValueError: The row has no 'Outlook', which is asked about; it has 'outlok': write 'Outlook'.
    """
    columns = [tree.schema.columns[place] for place in tree.used_columns.tolist()]
    one = _one_row(tree, columns, row, table)
    values = (
        dict(zip((column.name for column in columns), align(one, columns), strict=True)) if columns else {}
    )
    cells = tuple(_cell(column, values.get(column.name)) for column in tree.schema.columns)
    cells_of = one.to_dict()
    given = {c.name: cells_of[_source(c, cells_of)][0] for c in columns}
    shown = {column.name: _cell_value(column, values[column.name], given[column.name]) for column in columns}
    return Row(cells, shown)


def _cell(column: Column, values: Values | None) -> Any:
    if values is None:
        return float("nan") if column.is_numeric else -1
    return values[0].item()


def _cell_value(column: Column, values: Values, given: Any) -> Any:
    """Return the row's value as the tree's words have it; what the tree does not know, as it came."""
    code = values[0].item()
    if given is None:
        return None
    if column.is_temporal:
        return column.text_of(code)
    if isinstance(code, float):
        return int(code) if code.is_integer() and abs(code) < 1e15 else code
    return column.categories[code] if code >= 0 else label(given)


def _one_row(tree: Asker, columns: list[Column], row: Any, table: Any) -> Table:
    """Return a table of one row, in which the columns asked about are found by name."""
    if (place := _place(row)) is not None:
        row = _numbered(place, table, tree)
    elif table is not None:
        raise TypeError(f"With a table the row is given by its number, from 0 up; found {row!r:.80}.")
    if isinstance(row, Table) or is_frame(row):
        whole = Table.of(row, kinds=None if isinstance(row, Table) else _numeric_among(columns, row))
        if whole.n_rows != 1:
            raise ValueError(
                f"One row is explained; this has {whole.n_rows}. Take one, or say which: explain(17, table)."
            )
        return whole
    return _of_cells(_by_name(tree, row), columns)


def _place(row: Any) -> int | None:
    """Return a row number, None for what is none."""
    if isinstance(row, (bool, np.bool_, np.ndarray)):
        return None
    try:
        return operator.index(row)
    except TypeError:
        return None


def _numbered(place: int, table: Any, tree: Asker) -> Any:
    """Return one row of a table, as a Table or a frame."""
    if table is None:
        raise TypeError(
            f"A row number needs its table: explain({place}, table). A row itself is a dict, a list of the "
            f"{len(tree.schema)} columns, or a frame of one row."
        )
    import narwhals.stable.v2 as nw

    if nw.dependencies.is_into_dataframe(table):
        frame = nw.from_native(table, eager_only=True)
        at = _within(place, len(frame))
        return frame[at : at + 1].to_native()
    whole = table_of(table, tree.schema.columns, "explain")
    return whole.take([_within(place, whole.n_rows)])


def _within(place: int, n_rows: int) -> int:
    """Return a row number from 0 up; those below 0 count from the end."""
    if not -n_rows <= place < n_rows:
        raise IndexError(f"There is no row {place}: the table has {n_rows}, numbered 0 to {n_rows - 1}.")
    return place % n_rows


def _by_name(tree: Asker, row: Any) -> dict[str, Any]:
    """Return cells by column name."""
    if isinstance(row, Mapping):
        return {str(name): cell for name, cell in row.items()}
    if isinstance(row, np.void) and row.dtype.names:  # a record of an array
        return dict(zip(row.dtype.names, row.tolist(), strict=True))
    if hasattr(row, "_asdict"):  # a named tuple, such as those of pandas' itertuples
        return {str(name): cell for name, cell in row._asdict().items()}
    if is_series(row) and hasattr(row, "index") and hasattr(row, "items"):  # pandas: a row of a frame
        found = {str(name): cell for name, cell in row.items()}
        if set(found) != {str(i) for i in range(len(tree.schema))} or set(found) & set(tree.schema.names):
            return found
    if isinstance(row, (str, bytes)) or not isinstance(row, Iterable):
        raise TypeError(
            f"A row is a dict by column name, a list of the {len(tree.schema)} columns in order, a frame "
            f"of one row, or a row number with its table; found {row!r:.80}."
        )
    cells = row.tolist() if isinstance(row, np.ndarray) else list(row)
    if len(cells) == 1 and len(tree.schema) != 1 and isinstance(cells[0], (list, tuple)):
        cells = list(cells[0])  # [[...]], as predict has it
    elif len(cells) == 1 and isinstance(cells[0], (list, tuple)) and len(cells[0]) == 1:
        cells = list(cells[0])
    if len(cells) != len(tree.schema):
        raise ValueError(
            f"The row has {len(cells)} cells; the columns are {len(tree.schema)}: "
            f"{', '.join(map(repr, tree.schema.names[:8]))}{' ...' if len(tree.schema) > 8 else ''}. "
            "Give one cell for each, or a dict by name."
        )
    return dict(zip(tree.schema.names, cells, strict=True))


def _of_cells(cells: dict[str, Any], columns: list[Column]) -> Table:
    """Return the table of one row with the columns asked about."""
    for column in columns:
        if _source(column, cells) not in cells:
            raise _absent(column.name, cells, columns)
    for name, cell in cells.items():
        if isinstance(cell, (list, tuple, set, dict, np.ndarray)):
            raise TypeError(f"Column {name!r} holds {cell!r:.60}; a row has one cell for each column.")
    asked = {name: [cells[name]] for name in (_source(column, cells) for column in columns)}
    known = [column for column in columns if column.name in cells]
    kinds = {c.name: Kind.numeric for c in known if _takes_number(c, cells[c.name])}
    return Table.from_dict(asked or {"nothing": [0]}, kinds=kinds)


def _source(column: Column, cells: Mapping[str, Any]) -> str:
    """Return the name of a column, or of the one it is made from where only that is given."""
    return column.name if column.name in cells or column.origin is None else column.origin.column


def _takes_number(column: Column, cell: Any) -> bool:
    if column.notation is not None:  # its texts are read as training read them
        return not isinstance(cell, str) and not column.is_temporal
    return column.is_numeric or (column.edges is not None and cell not in column.categories)


def _numeric_among(columns: list[Column], frame: Any) -> dict[str, Kind] | None:
    """Return the columns of a frame that are numbers to the tree: a single gap does not tell its kind."""
    names = {str(name) for name in getattr(frame, "column_names", None) or frame.columns}
    return {c.name: Kind.numeric for c in columns if c.is_numeric and c.notation is None and c.name in names}


_GIVE = "give it, or None where it is missing."


def _absent(name: str, cells: Mapping[str, Any], columns: Iterable[Column]) -> ValueError:
    known = {column.name for column in columns}
    near = nearest(name, [given for given in cells if given not in known])
    way = f"it has {near!r}: write {name!r}." if near else ask("cell", name, python=_GIVE)
    return refusal(f"The row has no {name!r}, which is asked about; ", way)
