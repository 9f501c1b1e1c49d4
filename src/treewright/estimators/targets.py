"""Targets as the estimators take them: classes of any dtype, or numbers, in; codes or float64 out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import assert_all_finite, check_array, check_consistent_length, column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from treewright.table import UNSEEN, ClassTerms, Column, Kind
from treewright.table.frames import is_series, series_column
from treewright.table.raw import label

Values = NDArray[Any]


class Classes(NamedTuple):
    """A target of classes: sorted as scikit-learn sorts them, and in the order the tree counts them."""

    column: Column
    answers: NDArray[np.int32]
    sorted: Values
    order: NDArray[np.intp]  # order[i] is the place in `sorted` of the tree's class i


class Numbers(NamedTuple):
    """A target of numbers."""

    column: Column
    answers: NDArray[np.float64]


def classes_of(y: Any, n_rows: int, by_declared_order: bool) -> Classes:
    """Return y as classes.

    >>> target = classes_of(np.array(["b", "a", "b"]), 3, by_declared_order=False)
    >>> target.sorted.tolist(), target.answers.tolist()
    (['a', 'b'], [1, 0, 1])
    """
    values = _one_dimension(y, n_rows, "MultiOutputClassifier")
    values = _typed(values)
    if values.dtype.kind == "f" and not np.array_equal(values, np.rint(values)):
        check_classification_targets(values)  # refuses it in scikit-learn's words
    elif values.dtype.kind not in "fiubUTO":
        check_classification_targets(values)
    found, codes = _distinct(values)
    names = [label(value) for value in found.tolist()]
    order = np.arange(len(found))
    if by_declared_order and (declared := _declared(y)):
        place = {name: i for i, name in enumerate(names)}
        order = np.array([place[name] for name in declared if name in place], dtype=np.intp)
    ranks = np.empty(len(found), dtype=np.int32)
    ranks[order] = np.arange(len(found), dtype=np.int32)
    column = Column(_name(y), Kind.nominal, tuple(names[i] for i in order))
    return Classes(column, ranks[codes], found, order)


def codes_among(y: Any, n_rows: int, known: Values, order: NDArray[np.intp]) -> NDArray[np.int32]:
    """Return y in the codes of classes that a tree already has; -2 for a class it never met.

    >>> codes_among(["b", "c"], 2, np.array(["a", "b"]), np.array([1, 0])).tolist()
    [0, -2]
    """
    given = classes_of(y, n_rows, by_declared_order=False)
    code = {known[place]: i for i, place in enumerate(order.tolist())}
    of_given = np.array([code.get(value, UNSEEN) for value in given.sorted], dtype=np.int32)
    return of_given[given.answers]


def _distinct(values: Values) -> tuple[Values, Values]:
    """Return the distinct values, ascending, and the place of each value among them."""
    if values.dtype.kind == "b":
        found, codes = _distinct(values.view(np.uint8))
        return found.astype(bool), codes
    if values.dtype.kind in "iu" and len(values) > 0:
        low, high = int(values.min()), int(values.max())
        if high - low < len(values):  # few and whole: counted, not sorted
            wide = values if values.dtype.kind == "u" else values.astype(np.int64)  # int8 would overflow
            shifted = (wide - wide.dtype.type(low)).astype(np.int64, copy=False)
            is_met = np.bincount(shifted, minlength=high - low + 1) > 0
            place = np.cumsum(is_met, dtype=np.int32) - np.int32(1)
            found = np.flatnonzero(is_met).astype(wide.dtype) + wide.dtype.type(low)
            return found.astype(values.dtype), place[shifted]
    return np.unique(values, return_inverse=True)


def numbers_of(y: Any, n_rows: int) -> Numbers:
    """Return y as numbers.

    >>> numbers_of([1, 2], 2).answers
    array([1., 2.])
    """
    values = _one_dimension(y, n_rows, "MultiOutputRegressor")
    if values.dtype.kind not in "fiub":
        if values.dtype.kind in "UT" or any(isinstance(value, str) for value in values.tolist()):
            text = next(value for value in values.tolist() if isinstance(value, str))
            raise ValueError(
                f"y holds the text {text!r}; a regressor needs numbers. Classes: DecisionTreeClassifier."
            )
        values = check_array(values, ensure_2d=False, dtype=np.float64, input_name="y")
    values = values.astype(np.float64)
    if not np.isfinite(values).all():
        assert_all_finite(values, input_name="y")
    return Numbers(Column(_name(y), Kind.numeric), values)


# What is said of classes by their values, put in the words of the tree: class names, in its order.


def terms_of(model: Any, target: Classes) -> ClassTerms:
    """Return what an estimator was told of the classes, by class name."""
    return ClassTerms(
        by_class_name("class_weight", model.class_weight, target),
        by_class_name("priors", model.priors, target),
        costs_by_class_name(model.costs, target),
    )


def by_class_name(name: str, given: Any, target: Classes) -> Any:
    """Return class weights or priors by class name; a list is in the order of `classes_`."""
    if given is None or isinstance(given, str):
        return given
    if isinstance(given, Mapping):
        name_of = _names_by_value(target)
        by_name = {name_of.get(key, label(key)): value for key, value in given.items()}
        known = target.column.categories
        if name == "class_weight" and all(c in by_name for c in known):
            return {c: by_name[c] for c in known}  # weights of classes that no row has are not needed
        return by_name
    listed = list(given) if np.iterable(given) else given
    if not isinstance(listed, list) or len(listed) != len(target.sorted):
        return listed  # refused below, with what it is
    return [listed[place] for place in target.order]


def costs_by_class_name(given: Any, target: Classes) -> Any:
    """Return costs by class name; rows and columns of a matrix are in the order of `classes_`."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        name_of = _names_by_value(target)
        return {
            name_of.get(true, label(true)): {name_of.get(k, label(k)): price for k, price in row.items()}
            if isinstance(row, Mapping)
            else row  # refused below
            for true, row in given.items()
        }
    matrix = np.asarray(given)
    if matrix.shape != (len(target.sorted),) * 2:
        return matrix
    return matrix[np.ix_(target.order, target.order)]


def _names_by_value(target: Classes) -> dict[Any, str]:
    # Equal values are one key: 1 means True where the classes are truth values.
    return dict(zip(target.sorted[target.order].tolist(), target.column.categories, strict=True))


# ---- one dimension, one type ----------------------------------------------------------------------


def _one_dimension(y: Any, n_rows: int, wrapper: str) -> Values:
    values = y if isinstance(y, np.ndarray) else np.asarray(y)
    if values.ndim == 2 and values.shape[1] > 1:
        raise ValueError(
            f"y has {values.shape[1]} columns; a tree answers one question. "
            f"Fit one tree per column, for example with sklearn.multioutput.{wrapper}."
        )
    if values.ndim != 1:
        values = column_or_1d(values, warn=True)
    if len(values) != n_rows:
        check_consistent_length(np.empty((n_rows, 1)), values)
    if values.dtype.kind == "c":
        raise ValueError("Complex data not supported: y holds complex numbers.")
    return np.asarray(values)


def _typed(values: Values) -> Values:
    """Return classes without gaps, and an array of objects that are all numbers as an array of numbers."""
    if values.dtype.kind == "f" and not np.isfinite(values).all():
        assert_all_finite(values, input_name="y")
    if values.dtype.kind != "O":
        return values
    cells = values.tolist()
    gaps = sum(cell is None or type(cell).__name__ in ("NAType", "NaTType") or cell != cell for cell in cells)
    if gaps:
        raise ValueError(
            f"Input y contains NaN: the class is missing in {gaps} of {len(cells)} rows; "
            "leave those rows out first."
        )
    kinds = set(map(type, cells))
    if all(issubclass(kind, str) for kind in kinds):
        return values
    if len({issubclass(kind, (bool, np.bool_)) for kind in kinds}) == 1:
        typed = np.array(cells)
        if typed.dtype.kind in "fiub":
            return _typed(typed)
    if len(kinds) > 1:
        shown = " and ".join(sorted(kind.__name__ for kind in kinds))
        raise TypeError(f"Unknown label type: y mixes {shown}; give all classes as one sort, such as text.")
    return values


def _declared(y: Any) -> tuple[str, ...]:
    """Return the classes in the order a categorical dtype declares, or nothing."""
    if not is_series(y):
        return ()
    found = series_column("y", y)
    return found.categories if found.declared else ()


def _name(y: Any) -> str:
    name = getattr(y, "name", None)
    return name if isinstance(name, str) and name else "y"
