"""A table in the codes of a trained tree: the step before routing rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from treewright.base.names import nearest
from treewright.measure import intervals

from .cast import Wishes, cast
from .derive import derive, part_of
from .notations.truth import as_truth
from .raw import MISSING, Raw, Values, as_number
from .schema import Column, Kind
from .table import Table

UNSEEN = -2  # the code of a category that the tree has never met


def align(table: Table, columns: Sequence[Column]) -> list[Values]:
    """Return the table's values in the codes of `columns`: float64, or int32 with -1 missing and -2 unseen.

    Columns are found by name; others in the table are ignored. A column that is made from another one, such
    as the year of a date, is made again where the table has only that one. Texts are read in the notation
    that training had. Where a column of the tree is numbers cut into intervals, the numbers stay what they
    are: `coded` puts them into its intervals.

    >>> trained = [Column("Outlook", Kind.nominal, ("Sunny", "Overcast", "Rainy"))]
    >>> today = Table.from_dict({"Wind": ["Weak", "Weak", None], "Outlook": ["Rainy", "Foggy", None]})
    >>> align(today, trained)
    [array([ 2, -2, -1], dtype=int32)]
    """
    trained = {column.name: column for column in columns}
    made = {c.name: _remake(table, c, trained) for c in columns if c.origin and c.name not in table.schema}
    absent = [c.name for c in columns if c.name not in table.schema and made.get(c.name) is None]
    if absent:
        raise ValueError(_absent(absent, table.names, [column.name for column in columns]))
    return [_align_one(wanted, *(made.get(wanted.name) or table.column(wanted.name))) for wanted in columns]


def _remake(table: Table, column: Column, trained: Mapping[str, Column]) -> tuple[Column, Values] | None:
    """Return a column made from another one, read as training read it; None where that one is not there."""
    origin = column.origin
    if origin is None or origin.part == "word" or origin.column not in table.schema:
        return derive(table, column)
    source = trained.get(origin.column)
    if source is None:
        return derive(table, column)
    return part_of(_align_one(source, *table.column(origin.column)), origin)


def _align_one(wanted: Column, given: Column, values: Values) -> Values:
    if wanted == given:
        return values
    if wanted.is_numeric or (wanted.edges is not None and not _is_all_known(wanted, given, values)):
        return _sizes(wanted, given, values) if given.is_numeric else _numbers(wanted, given, values)
    return _codes(wanted, given, values)


def _sizes(wanted: Column, given: Column, values: Values) -> Values:
    """Return numbers as a column has them: serials as dates, moments to the step that the column knows."""
    notation = wanted.notation
    if notation is None or not wanted.is_temporal:
        return values
    if not given.is_temporal:
        values = np.array([notation.of_number(value) for value in values.tolist()])
    if given.notation is not None and given.notation.to_dict() == notation.to_dict():
        return values
    return np.array([notation.floor(value) for value in values.tolist()])


def coded(columns: Sequence[Column], values: Sequence[Values]) -> list[Values]:
    """Return columns in which numbers are codes wherever the schema has intervals for them.

    >>> coded([Column("degrees", Kind.ordinal, edges=(54, 85))], [np.array([40.0, 60.0, np.nan])])
    [array([ 0,  1, -1], dtype=int32)]
    """
    return [
        array if column.edges is None or array.dtype.kind != "f" else intervals(array, column.edges)
        for column, array in zip(columns, values, strict=True)
    ]


def _is_all_known(wanted: Column, given: Column, values: Values) -> bool:
    """Whether a column holds names of intervals, not numbers."""
    return not given.is_numeric and set(_used_categories(given, values)) <= set(wanted.categories)


def _numbers(wanted: Column, given: Column, values: Values) -> NDArray[np.float64]:
    if given.kind is Kind.boolean:
        return np.where(values < 0, np.nan, values.astype(np.float64))
    met = _used_categories(given, values)
    if (read := _by_notation(wanted, given, met)) is not None:
        return np.append(read, np.nan)[values]
    if met:
        text = next((c for c in met if as_number(c) is None), met[0])
        kind = wanted.kind if wanted.edges is None else Kind.numeric  # it was cut into intervals
        raise ValueError(
            f"Column {wanted.name!r} was {kind} in training, but here it is {given.kind} and holds "
            f"the text {text!r}. Correct or blank such cells, or read it with "
            f"kinds={{{wanted.name!r}: {wanted.kind.value!r}}}."
        )
    return np.full(len(values), np.nan)


def _by_notation(wanted: Column, given: Column, met: Sequence[str]) -> NDArray[np.float64] | None:
    """Return the number of each category in the notation of training; None where it does not read them."""
    if wanted.notation is None or not met:
        return None
    sizes = dict(zip(met, wanted.notation.numbers(met), strict=True))
    if any(size is None for size in sizes.values()):
        return None
    return np.array([sizes.get(category, np.nan) for category in given.categories], dtype=np.float64)


def _codes(wanted: Column, given: Column, values: Values) -> NDArray[np.int32]:
    if given.is_numeric:
        raw = Raw(given.kind, values, notation=given.notation)
        given, values = cast(given.name, raw, Wishes({given.name: Kind.nominal}))
    place = {category: code for code, category in enumerate(wanted.categories)}
    if wanted.kind is Kind.boolean:
        place |= {c: truth for c in given.categories if (truth := as_truth(c)) is not None}
    code_of = [*(place.get(category, UNSEEN) for category in given.categories), MISSING]
    return np.array(code_of, dtype=np.int32)[values]  # the code -1 takes the last entry


def _used_categories(column: Column, values: Values) -> list[str]:
    """Return the categories that occur in at least one row."""
    return [column.categories[code] for code in np.unique(values).tolist() if code >= 0]


def _absent(absent: Sequence[str], names: Iterable[str], trained: Iterable[str]) -> str:
    """Return the sentence for columns that training had and the table has not."""
    known = set(trained)
    others = [name for name in names if name not in known]
    near = next(((name, found) for name in absent if (found := nearest(name, others))), None)
    shown = ", ".join(map(repr, absent[:8])) + (" ..." if len(absent) > 8 else "")
    one = len(absent) == 1
    count = "A column" if one else f"{len(absent)} columns"
    head = f"{count} of the training data {'is' if one else 'are'} not in this table: {shown}."
    if near:
        return f"{head} For {near[0]!r}: did you mean {near[1]!r}? Rename it to {near[0]!r}."
    return f"{head} Add {'it' if one else 'them'}; where a value is not known, leave the cell empty (None)."
