"""Features as the estimators take them: frames, tables and arrays in, coded columns out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.utils.validation import validate_data

from treewright.table import UNSEEN, Column, Kind, Schema, Table, align, warn_unseen
from treewright.table.frames import is_frame
from treewright.table.raw import MISSING, label
from treewright.table.schema import check_unique_names, no_such_column
from treewright.tree.policy import unseen_policy

Values = NDArray[Any]
EXACT = 2**53  # every integer up to here is a float64


class Asker(Protocol):
    """A tree or a forest: what columns it knows, and the places of those it asks about."""

    @property
    def schema(self) -> Schema:
        """The feature columns, in training order."""

    @property
    def used_columns(self) -> Values:
        """Places of columns, ascending."""


class Features(NamedTuple):
    """The columns to grow on."""

    schema: Schema
    values: tuple[Values, ...]


# ---- fit ------------------------------------------------------------------------------------------


def checked(estimator: Any, X: Any, reset: bool) -> Any:
    """Return X as a frame, a Table or a two-dimensional array; names and number of columns are checked."""
    if issparse(X):
        raise TypeError(
            "Sparse data was passed, but a tree reads whole columns. Use X.toarray() if it fits in memory "
            "(and a share of the columns, for example with SelectKBest, if it does not)."
        )
    if isinstance(X, np.ma.MaskedArray):
        if X.dtype.kind not in "fiub":
            raise TypeError(
                f"X is a masked array of {X.dtype}; give text in a data frame, with None for gaps."
            )
        X = np.ma.filled(X.astype(np.float64), np.nan)
    if isinstance(X, np.matrix):
        X = np.asarray(X)
    if isinstance(X, np.ndarray) or not (isinstance(X, Table) or is_frame(X)):
        return _checked_array(estimator, X, reset)
    if not isinstance(X, Table) and _has_names(X):
        check_unique_names(_names_of(X))
        validate_data(estimator, X, skip_check_array=True, reset=reset)
        return X
    table = Table.of(X)
    if reset:
        estimator.feature_names_in_ = np.array(table.names, dtype=object)
        estimator.n_features_in_ = table.n_columns
    return table


def without(X: Any, kept: NDArray[np.bool_]) -> Any:
    """Return the rows of X that are kept."""
    if isinstance(X, Table):
        return X.take(kept)
    if isinstance(X, np.ndarray):
        return X[kept]
    import narwhals.stable.v2 as nw

    return nw.from_native(X, eager_only=True).filter(kept.tolist()).to_native()


def n_rows_of(X: Any) -> int:
    """Return the number of rows of what `checked` gave back."""
    return X.n_rows if isinstance(X, Table) else int(X.shape[0])


def features(X: Any, categorical_features: Any, ordinal: Mapping[Any, Sequence[Any]] | None) -> Features:
    """Return the typed columns of X: found from dtypes, or as the caller says.

    >>> features(np.array([[1.5, 2], [3, 4]]), "from_dtype", None).schema.names
    ('x0', 'x1')
    >>> features(np.array([[1.5, 2], [3, 4]]), [1], {0: [1.5, 3]}).schema.columns[1]
    Column(name='x1', kind='nominal', categories=('2', '4'))
    """
    names = _names_of(X)
    by_dtype = categorical_features is None or _is_from_dtype(categorical_features)
    if by_dtype and not ordinal and _is_numeric_array(array := _whole(X)):
        return Features(_numeric_schema(names), _views_of(array))
    orders = {_name("ordinal", key, names): order for key, order in (ordinal or {}).items()}
    kinds = None if _is_from_dtype(categorical_features) else _kinds(categorical_features, names, orders)
    table = _as_table(X, names, kinds, orders)
    return Features(table.schema, table.values)


def _has_names(frame: Any) -> bool:
    """Whether scikit-learn can read the frame's column names."""
    import narwhals.stable.v2 as nw

    if nw.dependencies.is_polars_lazyframe(frame):
        raise TypeError("X is a LazyFrame, which holds no rows yet; call .collect() on it first.")
    return bool(nw.dependencies.is_into_dataframe(frame))


def _checked_array(estimator: Any, X: Any, reset: bool) -> Values:
    if isinstance(X, np.ndarray) and X.dtype.kind in "fiub" and X.ndim == 2 and X.size:
        known = vars(estimator)
        if "feature_names_in_" in known or (not reset and known["n_features_in_"] != X.shape[1]):
            validate_data(estimator, X, skip_check_array=True, reset=reset)  # says what is wrong
        estimator.n_features_in_ = X.shape[1]
        return X
    array = X if isinstance(X, np.ndarray) else np.asarray(X)
    if array.dtype.kind in "USO" and isinstance(X, (list, tuple)):
        array = np.array(X, dtype=object)  # NumPy alone turns numbers beside text into text
    return np.asarray(validate_data(estimator, array, dtype=None, ensure_all_finite=False, reset=reset))


def _is_from_dtype(categorical_features: Any) -> bool:
    return isinstance(categorical_features, str) and categorical_features == "from_dtype"


def _whole(X: Any) -> Any:
    """Return a pandas frame of plain floats, or of plain integers, as an array; all else as it came."""
    dtypes = getattr(X, "dtypes", None)
    if isinstance(X, np.ndarray) or dtypes is None or not hasattr(X, "to_numpy"):
        return X
    kinds = {dtype.kind if isinstance(dtype, np.dtype) else "O" for dtype in dtypes}
    return X.to_numpy() if kinds in ({"f"}, {"i"}) else X


def _is_numeric_array(X: Any) -> bool:
    """Whether X is an array that becomes float64 without loss."""
    if not isinstance(X, np.ndarray) or X.dtype.kind not in "fiu":
        return False
    return X.dtype.kind == "f" or X.dtype.itemsize < 8 or bool(np.abs(X).max(initial=0) < EXACT)


def _columns_of(X: Values) -> tuple[Values, ...]:
    """Return the columns of a numeric array, each in one piece: a single copy at most."""
    return tuple(np.require(X.T, np.float64, "C"))


def _views_of(X: Values) -> tuple[Values, ...]:
    """Return the columns of a numeric array: views of float32 and float64, else one copy."""
    is_plain = X.dtype in (np.float32, np.float64) and X.dtype.isnative
    is_plain &= all(step % X.itemsize == 0 for step in X.strides)  # fields of records may lie anywhere
    return tuple(X.T) if is_plain else _columns_of(X)


def _array_names(n_columns: int) -> tuple[str, ...]:
    return tuple(f"x{i}" for i in range(n_columns))


@lru_cache(maxsize=16)
def _numeric_schema(names: tuple[str, ...]) -> Schema:
    return Schema(tuple(Column(name, Kind.numeric) for name in names))


def _names_of(X: Any) -> tuple[str, ...]:
    if isinstance(X, np.ndarray):
        return _array_names(X.shape[1])
    if isinstance(X, Table):
        return X.names
    return tuple(map(str, getattr(X, "column_names", None) or X.columns))  # Arrow's `columns` are arrays


def _as_table(X: Any, names: Sequence[str], kinds: Any, ordinal: Any) -> Table:
    if isinstance(X, Table):
        if not kinds and not ordinal:
            return X
        X = {
            c.name: v if c.is_numeric else X.labels(c.name)
            for c, v in zip(X.schema.columns, X.values, strict=True)
        }
    try:
        return Table.of(X, names=list(names), kinds=kinds, ordinal=ordinal or None)
    except TypeError as trouble:
        if not isinstance(X, np.ndarray):
            raise
        raise TypeError(f"{trouble} (A cell of the argument must be a string or a number.)") from None


def _kinds(given: Any, names: Sequence[str], ordered: Mapping[str, Any]) -> dict[str, Kind]:
    """Return every column's kind from a list of names or places or a mask: the named are categories."""
    chosen = {name for name in _chosen(given, names) if name not in ordered}
    return {name: Kind.nominal if name in chosen else Kind.numeric for name in names if name not in ordered}


def _chosen(given: Any, names: Sequence[str]) -> list[str]:
    if given is None:
        return []
    if isinstance(given, str) or not hasattr(given, "__len__"):
        raise ValueError(
            f"categorical_features={given!r} must be 'from_dtype', None, a list of column names or places, "
            "or a mask."
        )
    listed = given.tolist() if isinstance(given, np.ndarray) else list(given)
    if listed and all(isinstance(item, (bool, np.bool_)) for item in listed):
        if len(listed) != len(names):
            raise ValueError(f"categorical_features is a mask of {len(listed)} for {len(names)} columns.")
        return [name for name, is_chosen in zip(names, listed, strict=True) if is_chosen]
    return [_name("categorical_features", item, names) for item in listed]


def _name(word: str, key: Any, names: Sequence[str]) -> str:
    """Return the column that a name or a place means."""
    if isinstance(key, str):
        if key in names:
            return key
        raise ValueError(f"{word}: {no_such_column(key, names)}")
    if isinstance(key, (int, np.integer)) and not isinstance(key, bool) and 0 <= key < len(names):
        return names[int(key)]
    raise ValueError(f"{word} names the column {key!r}; use a name, or a place from 0 to {len(names) - 1}.")


# ---- predict --------------------------------------------------------------------------------------


def _refuse_dates(X: Any, numeric: Iterable[str]) -> None:
    """Refuse dates where numbers were trained: asked for as numbers, they would become days."""
    if isinstance(X, np.ndarray):
        return
    import narwhals.stable.v2 as nw

    schema = nw.from_native(X, eager_only=True).schema
    for name in numeric:
        if name in schema and schema[name].is_temporal():
            raise TypeError(
                f"Column {name!r} holds dates ({schema[name]}); the tree was fitted to numbers there. "
                "Give it the same numbers as in fit."
            )


def cells_for(tree: Asker, X: Any) -> Values | list[Values]:
    """Return the cells of X for a tree: an array of floats as it is, to be read where it lies; else columns.

    >>> import treewright as tw
    >>> X = np.array([[1.0], [2.0]])
    >>> model = tw.DecisionTreeClassifier().fit(X, ["a", "b"])
    >>> cells_for(model.tree_, X) is X
    True
    """
    array = _whole(X)
    if not isinstance(array, np.ndarray) or array.dtype not in (np.float32, np.float64):
        return columns_for(tree, X)
    is_readable = array.dtype.isnative and array.flags.aligned
    return array if is_readable and _is_all_numeric(tree.schema) else columns_for(tree, X)


def warn_unseen_of(tree: Any, cells: Values | list[Values]) -> None:
    """Warn of categories that training never met, in columns that are asked about."""
    if isinstance(cells, list):
        sentence = unseen_policy(tree.about).sentence
        warn_unseen(None, tree.schema.columns, cells, tree.used_columns.tolist(), sentence)


def columns_for(tree: Asker, X: Any) -> list[Values]:
    """Return the columns of X in the codes of a tree; X has been checked, so places say which is which."""
    schema = tree.schema
    if isinstance(X, Table):
        return align(X, schema.columns)
    if _is_numeric_array(array := _whole(X)) and all(map(_takes_numbers, schema.columns)):
        return _used_columns(tree, array)
    ready = _ready_columns(tree, X) if hasattr(X, "iloc") and len(X) else {}
    rest = [i for i in range(len(schema)) if i not in ready]
    if rest:
        part = X.iloc[:, rest] if ready else X
        read = _read_columns(part, tuple(schema.columns[i] for i in rest))
        ready |= dict(zip(rest, read, strict=True))
    return [ready[i] for i in range(len(schema))]


def all_columns_for(tree: Asker, X: Any) -> list[Values]:
    """Return every column of X in the codes of a tree, also those it does not ask about.

    >>> import treewright as tw
    >>> X = np.array([[1.0, 5.0], [2.0, 5.0]])
    >>> all_columns_for(tw.DecisionTreeClassifier().fit(X, ["a", "b"]).tree_, X)
    [array([1., 2.]), array([5., 5.])]
    """
    if isinstance(X, Table):
        return align(X, tree.schema.columns)
    return _read_columns(X, tree.schema.columns)


def _read_columns(X: Any, columns: tuple[Column, ...]) -> list[Values]:
    """Return the columns of X in the codes of these, place by place, whatever they hold."""
    names, wanted = _names_of(X), tuple(column.name for column in columns)
    plain = [c for c in columns if _takes_numbers(c) and c.notation is None]  # others are read as in training
    numeric = {n: Kind.numeric for n, c in zip(names, columns, strict=True) if c in plain}
    _refuse_dates(X, numeric)
    table = _as_table(X, names, numeric, None)
    if names != wanted:
        places = zip(table.schema.columns, wanted, strict=True)
        table = Table(Schema(tuple(replace(column, name=name) for column, name in places)), table.values)
    return align(table, columns)


def numbers_of(X: Any, places: Sequence[int], names: Sequence[str]) -> list[Values]:
    """Return the columns at these places, which had these names in fit, as float64 with NaN for gaps.

    >>> numbers_of(np.array([[1, 2], [3, 4]]), [1], ["x1"])
    [array([2., 4.])]
    """
    columns = tuple(Column(name, Kind.numeric) for name in names)
    if not columns:
        return []
    if isinstance(X, Table):
        return align(X, columns)
    if isinstance(X, np.ndarray):
        part: Any = X[:, list(places)]
        return list(_columns_of(part)) if _is_numeric_array(part) else _read_array(part, columns)
    if hasattr(X, "iloc"):
        return _read_columns(X.iloc[:, list(places)], columns)
    import narwhals.stable.v2 as nw

    return _read_columns(nw.from_native(X, eager_only=True).select(*names).to_native(), columns)


def _read_array(X: Values, columns: tuple[Column, ...]) -> list[Values]:
    """Return the columns of an array of any cells as numbers."""
    names = [column.name for column in columns]
    return align(_as_table(X, names, dict.fromkeys(names, Kind.numeric), None), columns)


def _ready_columns(tree: Asker, X: Any) -> dict[int, Values]:
    """Return the columns of a pandas frame whose dtype is that of training, in which nothing can be wrong.

    Plain numbers are taken as they are, codes of categories are translated. Of these, the columns the tree
    never asks about need not be looked at.
    """
    asked = set(tree.used_columns.tolist())
    found: dict[int, Values] = {}
    for i, (column, (_, series)) in enumerate(zip(tree.schema.columns, X.items(), strict=True)):
        if (reader := _reader(column, series.dtype)) is not None:
            values = reader(column, series.array) if i in asked else _unread_column(column, len(X))
            if values is not None:
                found[i] = values
    return found


def _reader(column: Column, dtype: Any) -> Callable[[Column, Any], Values | None] | None:
    """Return what reads a column of this dtype without a second look; None if there may be more to it."""
    if _takes_numbers(column):
        return _plain_numbers if isinstance(dtype, np.dtype) and dtype.kind in "fiu" else None
    if column.kind is Kind.boolean:
        return None
    return _translated if hasattr(dtype, "categories") and hasattr(dtype, "ordered") else None


def _plain_numbers(_column: Column, cells: Any) -> Values | None:
    values = np.asarray(cells)
    return np.require(values, np.float64, ["C", "A"]) if _is_numeric_array(values) else None


def _translated(column: Column, cells: Any) -> Values | None:
    """Return the codes of a pandas Categorical in the codes of the tree."""
    given = [label(category) for category in cells.categories.tolist()]
    if len(set(given)) < len(given):
        return None
    place = {category: code for code, category in enumerate(column.categories)}
    code_of = [*(place.get(category, UNSEEN) for category in given), MISSING]
    codes: Values = np.array(code_of, dtype=np.int32).take(cells.codes)  # the code -1 takes the last entry
    return codes


def _unread_column(column: Column, n_rows: int) -> Values:
    return np.empty(n_rows, dtype=np.float64 if column.is_numeric else np.int32)


def _takes_numbers(column: Column) -> bool:
    """Whether a column is numbers, or numbers that the tree puts into intervals."""
    return column.is_numeric or column.edges is not None


def _is_all_numeric(schema: Schema) -> bool:
    return all(column.is_numeric for column in schema.columns)


def _used_columns(tree: Asker, X: Values) -> list[Values]:
    """Return the columns the tree asks about, each in one piece; nobody looks at the others."""
    asked = tree.used_columns
    nothing = np.empty(len(X))
    found = [nothing] * X.shape[1]
    part = X if len(asked) == X.shape[1] else X[:, asked]
    for place, values in zip(asked.tolist(), _columns_of(part), strict=True):
        found[place] = values
    return found
