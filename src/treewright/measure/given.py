"""What a measure was given: cells as arrays, labels as codes, weights; and the refusals."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]

GAP = -1
MARKS = ("NAType", "NaTType")  # of data frames, for a gap
GIVEN = ("counts", "probabilities", "labels")
MISSING = ("error", "drop", "own_branch", "fractional")
SMALLEST, LARGEST = 1e-100, 1e100  # of a sum of weights; products of two stay finite and apart from 0
TOLERANCE = 1e-6  # of a sum of probabilities: those of float32 are no more exact


# ---- cells ---------------------------------------------------------------------------------------------


def cells(values: Any, name: str) -> NDArray[Any]:
    """Return what was given as an array: of numbers where all of it is numbers and gaps, else of objects.

    >>> cells([1, None], "x"), cells(["a", float("nan")], "x")
    (array([ 1., nan]), array(['a', nan], dtype=object))
    """
    try:
        found = np.asarray(values)
        if found.dtype.kind in "USO" and isinstance(values, (list, tuple)):
            found = np.asarray(values, dtype=object)  # NumPy would write a gap among texts as 'nan'
    except ValueError as trouble:
        raise ValueError(f"{name} is not an array of one shape: {trouble}.") from None
    if found.ndim == 0:
        raise TypeError(
            f"{name} must be a column, counts or probabilities; found {type(values).__name__}. "
            "A column of a table: table.labels(name)."
        )
    if found.dtype.kind in "cSV":
        raise TypeError(f"{name} holds cells of type {found.dtype}; it must be numbers or labels.")
    if found.dtype.kind == "O":
        return _numbers_if_all_are(found, name)
    return found.astype(object) if found.dtype.kind in "UT" else found


def _numbers_if_all_are(found: NDArray[Any], name: str) -> NDArray[Any]:
    flat = found.ravel().tolist()
    kinds = {kind for kind in set(map(type, flat)) if kind is not type(None) and kind.__name__ not in MARKS}
    if not kinds or not all(issubclass(kind, numbers.Real) and not issubclass(kind, bool) for kind in kinds):
        return found
    try:
        plain = [np.nan if is_gap(cell) else float(cell) for cell in flat]
    except OverflowError:
        raise ValueError(f"{name} holds a number beyond float64; scale it, or make a label of it.") from None
    return np.array(plain, dtype=np.float64).reshape(found.shape)


def is_gap(cell: Any) -> bool:
    """Return whether a cell is missing: None, NaN, NaT or a data frame's own mark.

    >>> [is_gap(cell) for cell in (None, float("nan"), np.datetime64("NaT"), "nan", 0)]
    [True, True, True, False, False]
    """
    if cell is None or type(cell).__name__ in MARKS:
        return True
    return isinstance(cell, (numbers.Real, np.datetime64, np.timedelta64)) and bool(cell != cell)


# ---- counts and probabilities --------------------------------------------------------------------------


def amounts(found: NDArray[Any], name: str, given: str | None = None) -> Floats:
    """Return counts or probabilities as float64; anything negative, missing or infinite is refused."""
    if found.dtype.kind not in "iuf":
        raise TypeError(
            f"{name} must be numbers (counts or probabilities); found {found.dtype}. "
            "Labels are given as columns of one dimension."
        )
    sizes = found.astype(np.float64)
    wrong = ~np.isfinite(sizes) | (sizes < 0)
    if wrong.any():
        place = tuple(int(i) for i in np.argwhere(wrong)[0])
        at = place[0] if len(place) == 1 else place
        words = "probabilities" if given == "probabilities" else "counts and probabilities"
        raise ValueError(f"{name}[{at}] is {sizes[place]}; {words} are finite and at least 0.")
    return sizes


def check_totals(totals: Floats, name: str, given: str | None) -> None:
    """Refuse distributions without any weight and, where probabilities were declared, sums other than 1."""
    if totals.size and not (totals > 0).all():
        raise ValueError(f"{name}{_place(totals > 0)} adds up to 0: nothing is distributed.")
    if given == "probabilities":
        is_one = np.abs(totals - 1) <= TOLERANCE
        if not is_one.all():
            total = totals[tuple(np.argwhere(~is_one)[0])] if totals.ndim else float(totals)
            raise ValueError(
                f"{name}{_place(is_one)} adds up to {total:.9g}; probabilities add up to 1. "
                "Counts are given with given='counts', or without the word."
            )


def _place(is_right: NDArray[np.bool_]) -> str:
    if not is_right.ndim:
        return ""
    return str([int(i) for i in np.argwhere(~is_right)[0]])


# ---- columns -------------------------------------------------------------------------------------------


def column(values: Any, name: str) -> NDArray[Any]:
    """Return a column: an array of one dimension with at least one cell."""
    found = cells(values, name)
    if found.ndim != 1:
        raise ValueError(f"{name} must be a column of one dimension; its shape is {found.shape}.")
    if not len(found):
        raise ValueError(f"{name} has no rows; a measure needs at least one.")
    return found


def codes(found: NDArray[Any]) -> tuple[Codes, int]:
    """Return labels as numbers from 0 up, -1 for gaps, and how many labels there are.

    The numbers follow the order of the labels, so that no sum depends on which row came first.

    >>> codes(cells(["b", None, "a", "b"], "x"))
    (array([ 1, -1,  0,  1]), 2)
    """
    if found.dtype.kind == "O":
        return _object_codes(found.tolist())
    if found.dtype.kind in "fmM":
        gaps = np.isnan(found) if found.dtype.kind == "f" else np.isnat(found)
        distinct, inverse = np.unique(found[~gaps], return_inverse=True)
        coded = np.full(len(found), GAP, dtype=np.int64)
        coded[~gaps] = inverse
        return coded, len(distinct)
    distinct, inverse = np.unique(found, return_inverse=True)
    return inverse.astype(np.int64), len(distinct)


def _object_codes(listed: list[Any]) -> tuple[Codes, int]:
    try:
        distinct = set(listed)
    except TypeError:
        odd = next(cell for cell in listed if getattr(cell, "__hash__", None) is None)
        raise TypeError(f"A label must be text, a number or the like; found {odd!r:.60}.") from None
    labels = [cell for cell in distinct if not is_gap(cell)]
    try:
        labels.sort()
    except TypeError:  # of several types
        labels.sort(key=lambda cell: (type(cell).__name__, repr(cell)))
    code_of = dict.fromkeys(distinct, GAP) | {label: code for code, label in enumerate(labels)}
    return np.fromiter(map(code_of.__getitem__, listed), np.int64, len(listed)), len(labels)


def row_weights(weights: Any, n_rows: int) -> Floats:
    """Return one weight per row: finite, at least 0, not all 0; ones where none were given."""
    if weights is None:
        return np.ones(n_rows)
    found = cells(weights, "weights")
    if found.shape != (n_rows,):
        raise ValueError(f"weights has the shape {found.shape} for {n_rows} rows; give one number per row.")
    sizes = amounts(found, "weights")
    if not sizes.any():
        raise ValueError("weights are all 0: there is no row to measure.")
    check_size(sizes, "weights")
    return sizes


def check_size(sizes: Floats, name: str) -> None:
    """Refuse amounts whose sums or products would leave float64."""
    with np.errstate(over="ignore"):
        total = sizes.sum()
    if not SMALLEST < total < LARGEST:
        raise ValueError(
            f"{name} adds up to {total:g}; scale it so that the sum is between {SMALLEST:g} and {LARGEST:g}."
        )


def gaps_refused(name: str, gaps: int, n_rows: int, others: str) -> ValueError:
    """Return the error for a column with gaps where none may be."""
    return ValueError(
        f"{name} is missing in {gaps} of {n_rows} rows, and missing='error'. "
        f"Fill the gaps, or say what they mean: {others}."
    )
