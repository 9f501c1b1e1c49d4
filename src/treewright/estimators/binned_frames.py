"""Intervals back in the container they came from: arrays, Tables and data frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.measure import interval_names
from treewright.table import Column, Kind, Schema, Table


class Binned(NamedTuple):
    """A column as intervals: codes from 0 up, -1 for gaps."""

    name: str
    codes: NDArray[np.int32]
    edges: tuple[float, ...]

    @property
    def column(self) -> Column:
        """The column as a schema knows it."""
        return Column(self.name, Kind.ordinal, edges=self.edges)


def replaced(data: Any, found: Mapping[int, Binned], container: str) -> Any:
    """Return the data with the columns at these places as intervals, in the container that is asked for."""
    if container != "default":
        return _in_frame(_as_frame(data, container), found)
    if isinstance(data, Table):
        return _in_table(data, found)
    if isinstance(data, np.ndarray):
        return _in_array(data, found)
    return _in_frame(data, found)


def _in_array(X: NDArray[Any], found: Mapping[int, Binned]) -> NDArray[Any]:
    dtype = np.float64 if X.dtype.kind in "fiub" else object
    coded = np.array(X, dtype=dtype)
    for place, binned in found.items():
        coded[:, place] = np.where(binned.codes < 0, np.nan, binned.codes)
    return coded


def _in_table(table: Table, found: Mapping[int, Binned]) -> Table:
    columns, values = list(table.schema.columns), list(table.values)
    for place, binned in found.items():
        columns[place], values[place] = binned.column, binned.codes
    return Table(Schema(tuple(columns)), tuple(values))


def _in_frame(frame: Any, found: Mapping[int, Binned]) -> Any:
    import narwhals.stable.v2 as nw

    if nw.dependencies.is_pandas_dataframe(frame):
        return _in_pandas(frame, found)
    if nw.dependencies.is_pyarrow_table(frame):
        return _in_arrow(frame, found)
    wrapped = nw.from_native(frame, eager_only=True)
    series = [
        nw.new_series(wrapped.columns[place], _texts(binned), _enum(binned), backend=wrapped.implementation)
        for place, binned in found.items()
    ]
    return wrapped.with_columns(*series).to_native()


def _texts(binned: Binned) -> list[str | None]:
    names = np.array([*interval_names(binned.edges), None], dtype=object)
    listed: list[str | None] = names[binned.codes].tolist()  # the code -1 takes the last: None
    return listed


def _enum(binned: Binned) -> Any:
    import narwhals.stable.v2 as nw

    return nw.Enum(interval_names(binned.edges))


def _in_pandas(frame: Any, found: Mapping[int, Binned]) -> Any:
    import narwhals.stable.v2 as nw

    pandas = nw.dependencies.get_pandas()
    copy = frame.copy(deep=False)
    for place, binned in found.items():
        names = list(interval_names(binned.edges))
        cells = pandas.Categorical.from_codes(binned.codes, categories=names, ordered=True)
        copy.isetitem(place, pandas.Series(cells, index=frame.index))
    return copy


def _in_arrow(frame: Any, found: Mapping[int, Binned]) -> Any:
    import narwhals.stable.v2 as nw

    arrow = nw.dependencies.get_pyarrow()
    for place, binned in found.items():
        codes = arrow.array(binned.codes, mask=binned.codes < 0)
        names = arrow.array(interval_names(binned.edges))
        cells = arrow.DictionaryArray.from_arrays(codes, names, ordered=True)
        frame = frame.set_column(place, frame.column_names[place], cells)
    return frame


def _as_frame(data: Any, container: Any) -> Any:
    """Return the data as a frame of the library that is asked for."""
    import narwhals.stable.v2 as nw

    if isinstance(data, Table):
        data = nw.from_dict(dict(data.to_dict()), backend=container).to_native()
    elif isinstance(data, np.ndarray):
        columns = {f"x{i}": data[:, i].tolist() for i in range(data.shape[1])}
        data = nw.from_dict(columns, backend=container).to_native()
    wrapped = nw.from_native(data, eager_only=True)
    if wrapped.implementation.name.lower() == container:
        return data
    return wrapped.to_pandas() if container == "pandas" else wrapped.to_polars()
