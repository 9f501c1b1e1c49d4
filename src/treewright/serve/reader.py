"""Rows as requests bring them, in the codes of a model: what a cell means depends on no other row."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import nearest
from treewright.serve.refused import Refused
from treewright.table import UNSEEN, Column, Kind, Table, align
from treewright.table.raw import EXACT, MISSING, as_number

Values = NDArray[Any]
Cells = Mapping[str, Sequence[Any]]
_KEPT = 10_000  # cells of a column whose code is remembered
_SHOWN = 60  # signs of a cell that a sentence repeats


@dataclass(frozen=True)
class Rows:
    """Rows in the codes of a model, one array per column, and what was noticed on the way.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> Reader(tree).rows({"Outlook": ["Foggy"], "Humidity": ["High"], "Wind": [None], "Moon": [1]}).ignored
    ('Moon',)
    """

    columns: list[Values]
    n_rows: int
    unseen: Mapping[int, list[str]]  # by row: the columns whose category training never met
    ignored: tuple[str, ...]  # columns that the model does not know


class Reader:
    """Reads rows for one model. Columns that the model never looks at may be absent.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    >>> reader = Reader(tree)
    >>> reader.needed
    ('Outlook', 'Humidity', 'Wind')
    >>> row = {"Outlook": ["Rainy"], "Humidity": ["High"], "Wind": [None]}
    >>> [codes.tolist() for codes in reader.rows(row).columns]
    [[2], [-1], [0], [-1]]
    """

    def __init__(self, model: Any) -> None:
        self.schema = model.schema
        used = set(model.used_columns.tolist())
        self.columns = [(column, place in used) for place, column in enumerate(model.schema.columns)]
        self.needed = tuple(
            dict.fromkeys(
                column.name if column.origin is None else column.origin.column
                for column, is_used in self.columns
                if is_used
            )
        )
        self._codes = {
            column.name: {category: code for code, category in enumerate(column.categories)}
            for column, is_used in self.columns
            if is_used and not column.is_numeric and column.edges is None
        }
        self.wanted = tuple(
            dict.fromkeys([*self.needed, *(column.name for column, is_used in self.columns if is_used)])
        )
        self._kept: dict[str, dict[Any, Any]] = {}
        self._known = {*self.schema.names, *self.needed, model.target.name}

    def rows(self, cells: Cells, n_rows: int = 1) -> Rows:
        """Return columns of cells in the model's codes; what it cannot read is refused in a sentence.

        >>> import treewright as tw
        >>> tree = tw.grow(tw.Table.from_dict({"age": [20, 30], "y": ["a", "b"]}), target="y")
        >>> Reader(tree).rows({"age": [21, "x"]}, 2)
        Traceback (most recent call last):
        treewright.serve.refused.Refused: Row 2, column 'age': 'x' is not a number. Send one such as 39.5, ...
        """
        found: list[Values] = []
        unseen: dict[int, list[str]] = {}
        for column, is_used in self.columns:
            if not is_used:
                found.append(_nothing(column, n_rows))
                continue
            values = self._column(column, cells)
            found.append(values)
            if values.dtype.kind == "i" and UNSEEN in values:
                for row in np.flatnonzero(values == UNSEEN).tolist():
                    unseen.setdefault(row, []).append(column.name)
        ignored = tuple(name for name in cells if name not in self._known)
        return Rows(found, n_rows, unseen, ignored)

    def _column(self, column: Column, cells: Cells) -> Values:
        given = cells.get(column.name)
        if given is None:
            source = None if column.origin is None else column.origin.column
            if source is None or source not in cells:
                raise _absent(source or column.name, cells, self._known)
            return self._one_by_one(column, source, cells[source])
        if column.name in self._codes:
            code_of = self._codes[column.name]
            try:
                return np.array([MISSING if c is None else code_of[c] for c in given], dtype=np.int32)
            except (KeyError, TypeError):  # something that is no category as it is written
                return self._one_by_one(column, column.name, given)
        if column.notation is None:  # numbers, or numbers that the model has intervals for
            numbers = [_number(cell) for cell in given]
            if None not in numbers:
                return np.array(numbers, dtype=np.float64)
        return self._one_by_one(column, column.name, given)

    def _one_by_one(self, column: Column, name: str, cells: Sequence[Any]) -> Values:
        """Return cells of any form, each read as if it were alone."""
        kept = self._kept.setdefault(column.name, {})
        found = []
        for row, cell in enumerate(cells):
            key = (type(cell), cell)
            try:
                code = kept.get(key)
            except TypeError:  # a list or an object
                raise Refused(422, _no_cell(name, row, cell)) from None
            if code is None:
                code = self._read(column, name, row, cell)
                if len(kept) < _KEPT:
                    kept[key] = code
            found.append(code)
        return _one_dtype(column, name, found)

    def _read(self, column: Column, name: str, row: int, cell: Any) -> float | int:
        """Return the code of one cell, read as `predict` reads it."""
        source = self.schema[name] if name in self.schema and name != column.name else None
        wanted = [column] if source is None else [source, column]
        asked = source or column
        kinds = {name: Kind.numeric} if _is_plain_number(asked, cell) else None
        try:
            one = Table.from_dict({name: [cell]}, kinds=kinds)
            code: float | int = align(one, wanted)[-1][0].item()
        except (ValueError, TypeError):
            raise Refused(422, _unreadable(asked, name, row, cell)) from None
        return code


def _one_dtype(column: Column, name: str, found: list[float | int]) -> Values:
    """Return codes or numbers; a gap is one of either."""
    is_number = any(type(code) is float and code == code for code in found)
    is_code = any(type(code) is int and code != MISSING for code in found)
    if is_number and is_code:
        raise Refused(422, f"Column {name!r} holds numbers and names of intervals; send one of the two.")
    if column.is_numeric or is_number:
        return np.array([math.nan if type(code) is int else code for code in found], dtype=np.float64)
    return np.array([MISSING if code != code else code for code in found], dtype=np.int32)


def _nothing(column: Column, n_rows: int) -> Values:
    """Return a column of gaps: nothing asks about it."""
    return np.full(n_rows, np.nan) if column.is_numeric else np.full(n_rows, MISSING, dtype=np.int32)


def _number(cell: Any) -> float | None:
    """Return the number of a plain cell; NaN for a gap, None for what must be looked at.

    >>> _number(3), _number("3.5"), _number(None), _number("3,5"), _number(True)
    (3.0, 3.5, nan, None, None)
    """
    kind = type(cell)
    if kind is float:
        return cell  # type: ignore[no-any-return]
    if kind is int and -EXACT <= cell <= EXACT:
        return float(cell)
    if cell is None:
        return math.nan
    return as_number(cell) if kind is str else None


def _is_plain_number(column: Column, cell: Any) -> bool:
    """Whether a cell is to be read as a number whatever it looks like; names of intervals are not."""
    if column.notation is not None:
        return not isinstance(cell, str) and not column.is_temporal
    return column.is_numeric or (column.edges is not None and cell not in column.categories)


def _absent(name: str, cells: Cells, known: set[str]) -> Refused:
    near = nearest(name, [given for given in cells if given not in known])
    way = f"they have {shown(near)}: write {name!r}" if near else "give it, or null where it is missing"
    return Refused(422, f"The rows have no column {name!r}, which the model looks at; {way}.")


def _no_cell(name: str, row: int, cell: Any) -> str:
    kind = "an object" if isinstance(cell, dict) else "a list"
    return (
        f"Row {row + 1}, column {name!r}: {kind} was found. A cell is a text, a number, true, false or null."
    )


def _unreadable(column: Column, name: str, row: int, cell: Any) -> str:
    example = column.text_of(0.0) if column.shows_moments else "39.5"
    if isinstance(cell, int) and abs(cell) > EXACT:
        return (
            f"Row {row + 1}, column {name!r}: {shown(cell)} is more than a float64 tells apart (2**53). "
            "Send it as the number of that size that training had, such as 1e20."
        )
    wanted = f"a {column.kind}" if column.shows_moments else "a number" if column.is_numeric else "known here"
    return (
        f"Row {row + 1}, column {name!r}: {shown(cell)} is not {wanted}. Send one such as {example}, "
        "or null where it is missing."
    )


def shown(cell: Any) -> str:
    """Return a cell as a sentence repeats it: short, and without signs that steer a terminal.

    >>> shown("a" * 99)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'"
    >>> shown(10 ** 5000)
    'an integer of 16610 bits'
    """
    if isinstance(cell, str):
        return repr(cell if len(cell) <= _SHOWN else f"{cell[: _SHOWN - 1]}...")
    if isinstance(cell, int) and abs(cell) >= 10**_SHOWN:
        return f"an integer of {cell.bit_length()} bits"
    return f"{cell!r:.{_SHOWN}}"
