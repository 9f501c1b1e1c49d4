"""Columns of data frames: the one place that meets other libraries, through narwhals and Arrow's PyCapsules.

No frame library is imported here: a caller who has a frame has imported it, and narwhals looks it up. An
Arrow stream of a library that narwhals does not know is read by DuckDB.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .files.duck import connected
from .raw import MISSING, Raw, check_utf8, factorise, from_cells, from_numpy, label, nothing, refuse
from .schema import Kind, check_unique_names
from .stream import Stream

Finder = Callable[[], Raw]


def is_frame(data: Any) -> bool:
    """True for a frame of any library or an Arrow stream: what `frame_columns` takes."""
    if isinstance(data, (np.ndarray, Mapping, list, tuple, str)) or is_series(data):
        return False
    import narwhals.stable.v2 as nw

    if nw.dependencies.is_into_dataframe(data) or nw.dependencies.is_polars_lazyframe(data):
        return True
    return hasattr(data, "__arrow_c_stream__")


def is_series(data: Any) -> bool:
    """True for one column of a frame library: what `series_column` takes."""
    if isinstance(data, (np.ndarray, Mapping, list, tuple, str)):
        return False
    import narwhals.stable.v2 as nw

    if hasattr(data, "codes") and hasattr(data, "ordered"):  # a bare pandas Categorical
        return True
    return bool(nw.dependencies.is_into_series(data)) or (hasattr(data, "to_pylist") and not _names(data))


def frame_columns(frame: Any) -> list[tuple[str, Finder]]:
    """Return each column's name and a function that looks at its cells."""
    import narwhals.stable.v2 as nw

    if hasattr(frame, "collect"):
        raise TypeError(f"A {type(frame).__name__} holds no rows yet; call .collect() on it first.")
    names = _names(frame)
    check_unique_names(names)
    if not nw.dependencies.is_into_dataframe(frame):
        if hasattr(frame, "__arrow_c_stream__"):
            return _stream_columns(frame)
        raise TypeError(
            f"A {type(frame).__name__} is not a data frame. Give a pandas or polars frame, an Arrow table; "
            f"use Table.from_dict for a dict of columns and Table.from_arrays for an array."
        )
    wrapped = nw.from_native(frame, eager_only=True)
    return [(name, _finder(name, column)) for name, column in zip(names, wrapped.iter_columns(), strict=True)]


def series_column(name: str, series: Any) -> Raw:
    """Return what a Series, an Arrow array or a pandas Categorical holds."""
    import narwhals.stable.v2 as nw

    if hasattr(series, "codes") and hasattr(series, "ordered"):
        return from_codes(name, series.codes, list(series.categories), series.ordered)
    if not nw.dependencies.is_into_series(series):
        return from_cells(name, series.to_pylist())
    return _look(name, nw.from_native(series, series_only=True))


def _names(frame: Any) -> list[str]:
    # `column_names` is Arrow's word; its `columns` are the arrays.
    names: Any = getattr(frame, "column_names" if hasattr(frame, "column_names") else "columns", ())
    for name in names:
        if isinstance(name, tuple):
            raise ValueError(
                f"A column has the name {name!r} of several levels; flatten the column index first."
            )
    return [str(name) for name in names]


def _finder(name: str, column: Any) -> Finder:
    return lambda: _look(name, column)


def _look(name: str, column: Any) -> Raw:
    """Return what a narwhals Series holds, by its dtype."""
    dtype = column.dtype
    if dtype.is_integer():
        return _integers(column)
    if dtype.is_float() or dtype.is_decimal():
        return _floats(column)
    reader = _READERS.get(type(dtype).__name__)
    if reader is not None:
        return reader(name, column)
    if dtype.is_nested():
        refuse(name, "lists or records")
    if type(dtype).__name__ == "Binary":
        refuse(name, "bytes")
    if bool(column.is_null().all()):
        return nothing(len(column))
    return from_numpy(name, column.to_numpy())


def _integers(column: Any) -> Raw:
    gaps = column.is_null().to_numpy()
    if gaps.any():
        column = column.fill_null(0)
    return Raw(Kind.numeric, np.asarray(column.to_numpy()), missing=gaps)


def _floats(column: Any) -> Raw:
    import narwhals.stable.v2 as nw

    if column.dtype != nw.Float64:
        column = column.cast(nw.Float64)
    values = np.array(column.to_numpy(), dtype=np.float64)
    values[column.is_null().to_numpy()] = np.nan
    return Raw(Kind.numeric, values)


def _truths(_name: str, column: Any) -> Raw:
    gaps = column.is_null().to_numpy()
    if gaps.any():
        column = column.fill_null(False)
    return Raw(Kind.boolean, np.where(gaps, MISSING, column.to_numpy().astype(bool)).astype(np.int32))


def _texts(name: str, column: Any) -> Raw:
    if str(getattr(column.to_native(), "dtype", "")) == "object":  # pandas; narwhals looked into the cells
        return from_cells(name, column.to_list())
    return _by_distinct(name, column)


def _by_distinct(name: str, column: Any) -> Raw:
    """Return a column of nothing but text; its library finds the distinct ones, which are few."""
    import narwhals.stable.v2 as nw

    native = column.to_native()
    if str(getattr(native, "type", "")) == "string_view":  # pyarrow, which looks nothing up in such a column
        column = nw.from_native(native.cast("large_string"), series_only=True)
    if nw.dependencies.is_pandas_series(native):
        codes, index = native.factorize()  # -1 is a gap
        distinct = index.tolist()
    else:
        distinct = column.unique().to_list()
        if distinct in ([], [None]):
            return Raw(Kind.nominal, np.full(len(column), MISSING, dtype=np.int32))
        codes = column.replace_strict(distinct, range(len(distinct)), return_dtype=nw.Int64).to_numpy()
    words = factorise(name, distinct)
    return Raw(Kind.nominal, np.append(words.values, np.int32(MISSING))[codes], words.categories)


def _dates(name: str, column: Any) -> Raw:
    return from_numpy(name, np.asarray(column.to_numpy()))


def _categories(name: str, column: Any) -> Raw:
    """Return a column of declared or found categories.

    pandas declares categories in order, ordered ones make an ordinal column; so does an ordered Arrow
    dictionary; a polars Enum declares them too. A polars Categorical and a plain Arrow dictionary declare
    nothing: their order is the order of arrival, so their values are taken as text.
    """
    import narwhals.stable.v2 as nw

    native = column.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "ordered"):  # pandas
        return from_codes(name, native.cat.codes, list(native.cat.categories), native.cat.ordered)
    if hasattr(native, "unify_dictionaries"):  # pyarrow
        return _arrow_dictionary(name, native)
    texts = _by_distinct(name, column.cast(nw.String))
    declared = getattr(column.dtype, "categories", None)
    if declared is None:
        return texts
    place = {category: code for code, category in enumerate(declared)}
    codes = np.array([*(place[c] for c in texts.categories), MISSING], dtype=np.int32)[texts.values]
    return from_codes(name, codes, list(declared), None)


def _arrow_dictionary(name: str, native: Any) -> Raw:
    ordered = bool(native.type.ordered)
    chunks = native.unify_dictionaries().chunks
    if not chunks:
        return Raw(Kind.nominal, np.empty(0, dtype=np.int32))
    signed = [c.indices.cast("int64").fill_null(MISSING) for c in chunks]  # polars writes unsigned ones
    codes = np.concatenate([indices.to_numpy(zero_copy_only=False) for indices in signed])
    categories = chunks[0].dictionary.to_pylist()
    if ordered:
        return from_codes(name, codes, categories, True)
    words = factorise(name, [None if c is None else label(c) for c in categories])
    return Raw(Kind.nominal, np.append(words.values, np.int32(MISSING))[codes], words.categories)


def from_codes(name: str, codes: Any, categories: Sequence[Any], ordered: bool | None) -> Raw:
    """Return codes into declared categories of any type; -1 is a gap."""
    labels = tuple(label(category) for category in categories)
    if len(set(labels)) != len(labels):
        twice = next(text for text in labels if labels.count(text) > 1)
        raise ValueError(
            f"Column {name!r}: several categories are written {twice!r}; give them different names."
        )
    check_utf8(name, labels)
    kind = Kind.ordinal if ordered else Kind.nominal
    return Raw(kind, np.array(codes, dtype=np.int32), labels, declared=True)


_READERS: dict[str, Callable[[str, Any], Raw]] = {
    "Boolean": _truths,
    "String": _texts,
    "Categorical": _categories,
    "Enum": _categories,
    "Date": _dates,
    "Datetime": _dates,
    "Duration": _dates,
    "Time": _dates,
}


def _stream_columns(frame: Any) -> list[tuple[str, Finder]]:
    """Return the columns of an Arrow stream of any other library."""
    stream = Stream(frame)
    check_unique_names(stream.names())  # DuckDB would rename the second of two silently
    with connected() as connection:
        arrays = connection.from_arrow(stream).fetchnumpy()
    return [(str(name), _array_finder(str(name), np.ma.asarray(arrays[name]))) for name in arrays]


def _array_finder(name: str, values: Any) -> Finder:
    return lambda: from_numpy(name, values)
