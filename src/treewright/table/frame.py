"""Data frames for those who want them: plain columns, or a whole table, in the library that is installed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .kind import Kind
from .notations.temporal import MICROSECONDS

if TYPE_CHECKING:
    from .table import Table

LIBRARIES = ("pandas", "polars", "pyarrow")


def frame_of(columns: Mapping[str, Any], backend: str | None = None) -> Any:
    """Return columns of plain values as a frame of pandas, polars or pyarrow: by name, or what is installed.

    >>> frame_of({"a": [1, 2]}, "pandas")["a"].tolist()
    [1, 2]
    """
    import narwhals

    library = import_module(_library(backend, LIBRARIES))
    return narwhals.from_dict(dict(columns), backend=library).to_native()


def typed_frame(table: Table, backend: str | None = None) -> Any:
    """Return a table as a frame of pandas or polars whose dtypes keep the kinds and declared categories.

    >>> from treewright.table import Table
    >>> table = Table.from_dict({"size": ["M", None], "n": [1, 2]}, ordinal={"size": ["S", "M"]})
    >>> Table.from_frame(typed_frame(table, "pandas")) == table
    True
    """
    chosen = _library(backend, ("pandas", "polars"))
    library = import_module(chosen)
    series = _pandas_series if chosen == "pandas" else _polars_series
    return library.DataFrame({name: series(library, table, name) for name in table.names})


def moments(kind: Kind, days: NDArray[np.float64]) -> list[Any]:
    """Return days as Python's dates, times and durations; None where missing.

    >>> moments(Kind.date, np.array([18292.0, np.nan])), moments(Kind.duration, np.array([0.5]))
    ([datetime.date(2020, 1, 31), None], [datetime.timedelta(seconds=43200)])
    """
    found = [
        None if gap else cell for cell, gap in zip(_cells(kind, days).tolist(), np.isnan(days), strict=True)
    ]
    if kind is Kind.time:
        return [None if cell is None else cell.time() for cell in found]
    if kind is Kind.date and not np.any(np.rint(days[~np.isnan(days)]) != days[~np.isnan(days)]):
        return [None if cell is None else cell.date() for cell in found]
    return found


def _cells(kind: Kind, days: NDArray[np.float64]) -> NDArray[Any]:
    """Return days as datetime64 or timedelta64, to the microsecond."""
    at = np.rint(np.where(np.isnan(days), 0, days) * MICROSECONDS).astype(np.int64)
    cells: NDArray[Any] = at.astype("m8[us]" if kind is Kind.duration else "M8[us]")
    cells[np.isnan(days)] = "NaT"
    return cells


def _library(backend: str | None, known: tuple[str, ...]) -> str:
    if backend is None:
        backend = next((name for name in known if find_spec(name)), None)
        if backend is None:
            raise ImportError(f"A frame needs one of {', '.join(known)}; none is installed.")
    if backend not in known:
        raise ValueError(f"A frame is made by {', '.join(known)}, not {backend!r}; or use to_dict()")
    return backend


def _pandas_series(pandas: Any, table: Table, name: str) -> Any:
    column, values = table.column(name)
    if column.kind is Kind.time:
        return moments(column.kind, values)
    if column.is_temporal:
        return _cells(column.kind, values)
    if column.is_numeric:
        return np.array(values)
    if column.kind is Kind.boolean:
        return pandas.array(table.to_dict()[name], dtype="boolean") if (values < 0).any() else values == 1
    is_ordered = column.kind is Kind.ordinal
    return pandas.Categorical.from_codes(values, categories=list(column.categories), ordered=is_ordered)


def _polars_series(polars: Any, table: Table, name: str) -> Any:
    column, values = table.column(name)
    if column.is_temporal:
        return polars.Series(name, moments(column.kind, values))
    if column.is_numeric:
        return polars.Series(name, values, nan_to_null=True)
    if column.kind is Kind.boolean:
        return polars.Series(name, table.to_dict()[name], dtype=polars.Boolean)
    return polars.Series(name, table.labels(name).tolist(), dtype=polars.Enum(list(column.categories)))
