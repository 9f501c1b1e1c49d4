"""The table: typed columns of equal length, and the ways in from arrays, dicts and frames."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from treewright.base.lines import harmless
from treewright.base.numbers import count

from . import look
from .cast import Wishes, cast
from .frame import moments, typed_frame
from .frames import Finder, frame_columns, is_frame, is_series, series_column
from .raw import Raw, Values, from_cells, from_numpy, refuse
from .schema import Column, Kind, Schema, check_unique_names

Kinds = Mapping[str, "Kind | str"]
Orders = Mapping[str, Sequence[Any]]


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A frozen table: one read-only array per column, float64 (NaN missing) or int32 codes (-1 missing).

    >>> table = Table.from_dict({"Wind": ["Weak", "Strong", None], "degrees": [21.5, None, 18]})
    >>> table
    Table(3 rows; Wind: nominal (2), degrees: numeric)
    >>> table.values[0].tolist(), table.values[1].tolist()
    ([1, 0, -1], [21.5, nan, 18.0])
    """

    schema: Schema
    values: tuple[Values, ...]

    def __post_init__(self) -> None:
        if len(self.schema) == 0:
            raise ValueError("A table needs at least one column; none is left.")
        if len(self.values) != len(self.schema):
            raise ValueError(
                f"The schema names {len(self.schema)} columns, but {len(self.values)} were given."
            )
        values = tuple(_check_values(c, v) for c, v in zip(self.schema.columns, self.values, strict=True))
        for column, array in zip(self.schema.columns, values, strict=True):
            if len(array) != len(values[0]):
                first = self.schema.columns[0].name
                raise ValueError(
                    f"Column {column.name!r} has {len(array)} rows, column {first!r} has {len(values[0])}; "
                    f"all columns of a table are equally long."
                )
        object.__setattr__(self, "values", values)

    def __reduce__(self) -> tuple[Any, ...]:
        return Table, (self.schema, self.values)

    def __repr__(self) -> str:
        shown = [
            f"{c.name}: {c.kind}"
            + ("" if c.is_numeric or c.kind is Kind.boolean else f" ({len(c.categories)})")
            for c in self.schema.columns
        ]
        tail = f", ... {len(shown) - 8} more" if len(shown) > 8 else ""
        return harmless(f"Table({count(self.n_rows, 'row')}; {', '.join(shown[:8])}{tail})")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        pairs = zip(self.values, other.values, strict=False)
        return self.schema == other.schema and all(_same(a, b) for a, b in pairs)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return self.n_rows

    def __str__(self) -> str:
        return look.to_text(self)

    def _repr_html_(self) -> str:
        return look.to_html(self)

    def __getitem__(self, key: Any) -> Any:
        """Return a column's cells (by name), some columns (a list of names), a row (by number) or rows.

        >>> table = Table.from_dict({"Wind": ["Weak", "Strong", None], "degrees": [21.5, None, 18]})
        >>> table["Wind"].tolist(), table[0], table[1:].n_rows, table[["degrees"]].names
        (['Weak', 'Strong', None], {'Wind': 'Weak', 'degrees': 21.5}, 2, ('degrees',))
        """
        return look.item(self, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)  # as a frame does: column by column

    def head(self, n_rows: int = 5) -> Table:
        """Return the first rows.

        >>> print(Table.from_dict({"Wind": ["Weak", "Strong", None], "degrees": [21.5, None, 18]}).head(2))
        Wind    degrees
        Weak       21.5
        Strong
        (2 rows, 2 columns)
        """
        return self.take(slice(0, max(0, n_rows)))

    def describe(self) -> look.Description:
        """Return what every column holds: its kind, gaps, distinct values, range or commonest categories.

        >>> print(Table.from_dict({"Wind": ["Weak", "Strong", None], "degrees": [21.5, None, 18]}).describe())
        3 rows, 2 columns
        column   kind     missing  distinct  values
        Wind     nominal        1         2  Strong 50 %, Weak 50 %
        degrees  numeric        1         2  18 to 21.5, median 19.75
        """
        return look.description(self)

    def to_pandas(self) -> Any:
        """Return a pandas frame; its dtypes keep the kinds and the declared categories.

        >>> Table.from_dict({"Wind": ["Weak", None]}).to_pandas()["Wind"].dtype.name
        'category'
        """
        return typed_frame(self, "pandas")

    def to_polars(self) -> Any:
        """Return a polars frame; its dtypes keep the kinds and the declared categories.

        >>> Table.from_dict({"Wind": ["Weak", None]}).to_polars()["Wind"].to_list()
        ['Weak', None]
        """
        return typed_frame(self, "polars")

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return len(self.values[0])

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.schema)

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, in order."""
        return self.schema.names

    def column(self, name: str) -> tuple[Column, Values]:
        """Return a column's description and its array.

        >>> Table.from_dict({"Wind": ["Weak", "Strong"]}).column("Wind")
        (Column(name='Wind', kind='nominal', categories=('Strong', 'Weak')), array([1, 0], dtype=int32))
        """
        place = self.schema.index(name)
        return self.schema.columns[place], self.values[place]

    def labels(self, name: str) -> NDArray[np.object_]:
        """Return a column's cells as text, None where missing.

        >>> Table.from_dict({"Wind": ["Weak", None], "degrees": [21.5, 18]}).labels("Wind")
        array(['Weak', None], dtype=object)
        """
        column, values = self.column(name)
        if column.is_numeric:
            raw = Raw(column.kind, values, notation=column.notation)
            column, values = cast(name, raw, Wishes({name: Kind.nominal}))
        return np.array([*column.categories, None], dtype=object)[values]

    def select(self, names: Iterable[str]) -> Table:
        """Return the table of these columns, in this order.

        >>> Table.from_dict({"a": [1], "b": [2], "c": [3]}).select(["c", "a"]).names
        ('c', 'a')
        """
        places = [self.schema.index(name) for name in _several(names)]
        return Table(
            Schema(tuple(self.schema.columns[i] for i in places)), tuple(self.values[i] for i in places)
        )

    def drop(self, names: Iterable[str] | str) -> Table:
        """Return the table without these columns.

        >>> Table.from_dict({"a": [1], "b": [2], "c": [3]}).drop(["b"]).names
        ('a', 'c')
        """
        places = {self.schema.index(name) for name in _several(names)}
        return self.select([name for i, name in enumerate(self.names) if i not in places])

    def take(self, rows: ArrayLike | slice) -> Table:
        """Return the table of these rows: indices (also repeated), a mask or a slice.

        >>> Table.from_dict({"a": [10, 20, 30]}).take([2, 2, 0]).values[0].tolist()
        [30.0, 30.0, 10.0]
        """
        chosen: Any = rows if isinstance(rows, slice) else np.asarray(rows)
        if isinstance(chosen, np.ndarray) and chosen.size == 0 and chosen.dtype.kind != "b":
            chosen = chosen.astype(np.intp)
        return Table(self.schema, tuple(values[chosen] for values in self.values))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the cells as plain Python values by column: numbers, texts, truths, dates; None for gaps.

        >>> Table.from_dict({"Wind": ["Weak", None], "degrees": [21.5, 18]}).to_dict()
        {'Wind': ['Weak', None], 'degrees': [21.5, 18.0]}
        """
        return {column.name: _plain(self, column) for column in self.schema.columns}

    @classmethod
    def of(
        cls,
        data: Any,
        *,
        names: Sequence[str] | None = None,
        kinds: Kinds | None = None,
        ordinal: Orders | None = None,
        categories: Orders | None = None,
        dates: str = "date",
    ) -> Table:
        """Return a table from whatever holds one: a Table, a frame, an Arrow table, a dict or an array.

        >>> import numpy as np
        >>> Table.of(np.array([[1.0, 2.0]])) == Table.of({"x0": [1], "x1": [2]})
        True
        """
        if isinstance(data, Table):
            if names or kinds or ordinal or categories:
                raise ValueError("The data are a Table already; say names and kinds where it is made.")
            return data
        if is_frame(data):
            return cls.from_frame(data, kinds=kinds, ordinal=ordinal, categories=categories, dates=dates)
        if isinstance(data, Mapping):
            return cls.from_dict(data, kinds=kinds, ordinal=ordinal, categories=categories, dates=dates)
        return cls.from_arrays(data, names, kinds=kinds, ordinal=ordinal, categories=categories, dates=dates)

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        kinds: Kinds | None = None,
        ordinal: Orders | None = None,
        dates: str = "date",
        *,
        categories: Orders | None = None,
    ) -> Table:
        """Return a table from a pandas or polars frame or anything that speaks Arrow's PyCapsule protocol.

        The column kinds follow the dtypes: numbers are numeric, text and categories nominal, ordered
        categories ordinal. `kinds={"size": "nominal"}` says otherwise; `ordinal={"size": ["S", "M", "L"]}`
        gives an order; `categories={"Humidity": ["High", "Normal", "Low"]}` declares the values of a nominal
        column, also those no row has. Dates, times and durations are kinds of their own, `date`, `time` and
        `duration`; `dates="number"` takes them as numbers of days (since 1970-01-01), `dates="refuse"` not
        at all. `kinds={"price": "numeric"}` reads texts such as "1.234,56 €", `"date"` those of dates.

        >>> import polars
        >>> frame = polars.DataFrame({"size": ["M", "S"], "n": [1, None]})
        >>> Table.from_frame(frame, ordinal={"size": ["S", "M"]})
        Table(2 rows; size: ordinal (2), n: numeric)
        """
        return table_of(frame_columns(frame), kinds, ordinal, categories, dates)

    @classmethod
    def from_dict(
        cls,
        columns: Mapping[str, Any],
        kinds: Kinds | None = None,
        ordinal: Orders | None = None,
        dates: str = "date",
        *,
        categories: Orders | None = None,
    ) -> Table:
        """Return a table from a dict of columns: lists, arrays or Series. Options as in `from_frame`.

        >>> Table.from_dict({"Wind": ["Weak", "Weak"]}, categories={"Wind": ["Weak", "Strong"]})
        Table(2 rows; Wind: nominal (2))
        """
        if not isinstance(columns, Mapping):
            raise TypeError(
                f"A dict of columns is needed; found {type(columns).__name__}. Try Table.of(...)."
            )
        pairs = [(str(name), _finder(str(name), cells)) for name, cells in columns.items()]
        return table_of(pairs, kinds, ordinal, categories, dates)

    @classmethod
    def from_arrays(
        cls,
        X: ArrayLike,
        names: Sequence[str] | None = None,
        kinds: Kinds | None = None,
        ordinal: Orders | None = None,
        dates: str = "date",
        *,
        categories: Orders | None = None,
    ) -> Table:
        """Return a table from a two-dimensional array; its columns are x0, x1, ... unless named.

        >>> Table.from_arrays([[1, "a"], [2, "b"]], names=["n", "letter"])
        Table(2 rows; n: numeric, letter: nominal (2))
        """
        array = _two_dimensional(X)
        if names is None:
            names = [f"x{i}" for i in range(array.shape[1])]
        elif len(names) != array.shape[1]:
            raise ValueError(f"{len(names)} names were given for {array.shape[1]} columns of the array.")
        pairs = [(str(name), _finder(str(name), array[:, i])) for i, name in enumerate(names)]
        return table_of(pairs, kinds, ordinal, categories, dates)


def table_of(
    pairs: Sequence[tuple[str, Finder]],
    kinds: Kinds | None,
    ordinal: Orders | None,
    categories: Orders | None,
    dates: str,
) -> Table:
    """Return the table of columns that are still to be looked at, one after the other."""
    names = [name for name, _ in pairs]
    if not names:
        raise ValueError("The data have no columns; a table needs at least one.")
    check_unique_names(names)
    wishes = Wishes.of(names, kinds, ordinal, categories, dates)
    columns, values = zip(*(cast(name, find(), wishes) for name, find in pairs), strict=True)
    table = Table(Schema(columns), values)
    if table.n_rows == 0:
        raise ValueError(
            f"The data have no rows (columns: {', '.join(map(repr, names[:8]))}); give at least one."
        )
    return table


def _finder(name: str, cells: Any) -> Finder:
    if isinstance(cells, np.ndarray):
        if cells.ndim != 1:
            raise ValueError(f"Column {name!r} has {cells.ndim} dimensions {cells.shape}; a column has one.")
        return lambda: from_numpy(name, cells)
    if is_series(cells):
        return lambda: series_column(name, cells)
    if isinstance(cells, (str, bytes)) or not isinstance(cells, Iterable):
        raise TypeError(
            f"Column {name!r} is the single value {cells!r:.60}; give a list with one cell per row."
        )
    return lambda: from_cells(name, list(cells))


def _two_dimensional(X: Any) -> Values:
    if is_frame(X):
        raise TypeError(f"from_arrays takes an array; for a {type(X).__name__} use Table.from_frame.")
    if isinstance(X, (str, PathLike)):
        raise TypeError(f"{str(X)!r:.80} is a text; a file is read by tw.read({str(X)!r:.80}).")
    if hasattr(X, "toarray"):
        raise TypeError(
            "Sparse matrices are not taken; use Table.from_arrays(X.toarray()) if it fits in memory."
        )
    array = X if isinstance(X, np.ndarray) else _array_of_rows(X)
    if array.dtype.names is not None:
        refuse(array.dtype.names[0], "records")
    if array.ndim != 2:
        raise ValueError(
            f"A table needs an array of two dimensions, rows and columns; found shape {array.shape}."
            + (
                " Use X.reshape(-1, 1) for a single column, X.reshape(1, -1) for a single row."
                * (array.ndim == 1)
            )
        )
    return array


def _array_of_rows(X: Any) -> Values:
    """Return rows as an array of objects: NumPy alone would turn numbers beside text into text."""
    if hasattr(X, "__array__"):
        return np.asarray(X)
    try:
        return np.array(X, dtype=object)
    except ValueError:
        raise ValueError(
            "The rows of the data are not equally long; give each row the same columns."
        ) from None


def _check_values(column: Column, values: Any) -> Values:
    wanted = np.dtype(np.float64 if column.is_numeric else np.int32)
    if not isinstance(values, np.ndarray) or values.dtype != wanted or values.ndim != 1:
        raise TypeError(f"Column {column.name!r} ({column.kind}) needs a one-dimensional {wanted} array.")
    if not column.is_numeric and len(values):
        low, high = int(values.min()), int(values.max())
        if low < -1 or high >= len(column.categories):
            raise ValueError(
                f"Column {column.name!r} has codes from {low} to {high}; with {len(column.categories)} "
                f"categories they go from -1 (missing) to {len(column.categories) - 1}."
            )
    frozen = np.ascontiguousarray(values).view()
    frozen.flags.writeable = False
    return frozen


def _same(a: Values, b: Values) -> bool:
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def _several(names: Iterable[str] | str) -> list[str]:
    return [names] if isinstance(names, str) else list(names)


def _plain(table: Table, column: Column) -> list[Any]:
    values = table.values[table.schema.index(column.name)]
    if column.is_temporal:
        return moments(column.kind, values)
    if column.is_numeric:
        return [None if v != v else v for v in values.tolist()]
    if column.kind is Kind.boolean:
        return [None if v < 0 else bool(v) for v in values.tolist()]
    return table.labels(column.name).tolist()  # type: ignore[no-any-return]
