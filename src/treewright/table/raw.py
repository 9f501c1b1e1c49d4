"""What the cells of one column are by themselves, from a NumPy array or from plain Python values."""

from __future__ import annotations

import datetime as dt
import numbers
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import read_with, sentence

from .kind import Kind
from .notations import Notation
from .notations.clock import Clock
from .notations.date import Date
from .notations.duration import Duration
from .notations.temporal import Temporal

MISSING = -1  # the code of a missing cell; encode.UNSEEN (-2) is the code of an unknown category
EXACT = 2**53  # every integer up to here is a float64

Values = NDArray[Any]


class ColumnError(TypeError, ValueError):
    """Raised for a column whose cells no test in a tree can ask about."""


@dataclass(frozen=True)
class Raw:
    """One column before the caller's wishes.

    Numeric: `values` are numbers as they came (integers stay integers, so that large ones are judged
    exactly); `missing` marks gaps among integers, NaN among floats. Dates, times and durations are days.
    Otherwise `values` are int32 codes.
    """

    kind: Kind
    values: Values
    categories: tuple[str, ...] = ()
    missing: NDArray[np.bool_] | None = None
    declared: bool = False  # the dtype declared the categories and their order
    notation: Notation | None = None  # how the cells are written, where they are not plain numbers
    texts: Callable[[], list[str | None]] | None = None  # the cells as text, where they were or could be one


def nothing(n_rows: int) -> Raw:
    """Return a column of gaps: numeric, as nothing says otherwise."""
    return Raw(Kind.numeric, np.full(n_rows, np.nan))


# --- NumPy arrays ---------------------------------------------------------------------------------------


def from_numpy(name: str, values: Values) -> Raw:
    """Return what a one-dimensional array holds, by its dtype; object arrays by their cells."""
    if isinstance(values, np.ma.MaskedArray):
        return _from_masked(name, values)
    letter = values.dtype.kind
    if letter in "iu":
        return Raw(Kind.numeric, values)
    if letter == "f":
        return Raw(Kind.numeric, values.astype(np.float64))
    if letter == "b":
        return Raw(Kind.boolean, values.astype(np.int32))
    if letter in "mM":
        return from_days(values)
    if letter == "O":
        return from_cells(name, values.tolist())
    if letter in "UT":
        return factorise(name, values.tolist())
    found = {"c": "complex numbers", "S": "bytes", "V": "records"}.get(
        letter, f"cells of dtype {values.dtype}"
    )
    return refuse(name, found)


def _from_masked(name: str, values: np.ma.MaskedArray[Any, Any]) -> Raw:
    gaps = np.ma.getmaskarray(values)
    plain = np.asarray(values.data)
    letter = plain.dtype.kind
    if letter in "iu":
        return Raw(Kind.numeric, np.where(gaps, 0, plain).astype(plain.dtype), missing=gaps)
    if letter in "fmM":
        plain = plain.astype(np.float64 if letter == "f" else plain.dtype)
        plain[gaps] = np.nan if letter == "f" else "NaT"
        return from_numpy(name, plain)
    if letter == "b":
        return Raw(Kind.boolean, np.where(gaps, MISSING, plain).astype(np.int32))
    cells = plain.astype(object)
    cells[gaps] = None
    return from_numpy(name, cells)


_PER_DAY = {"h": 24.0, "m": 1440.0, "s": 86400.0, "ms": 86400e3, "us": 86400e6, "ns": 86400e9}


def from_days(values: Values) -> Raw:
    """Return datetime64 or timedelta64 values as days (since 1970-01-01)."""
    unit, step = np.datetime_data(values.dtype)
    gaps = np.isnat(values)
    if values.dtype.kind == "m" and unit == "generic":
        days: Values = values.astype(np.float64)
    elif unit in _PER_DAY:
        days = values.astype(np.int64) * float(step) / _PER_DAY[unit]
    elif values.dtype.kind == "m" and unit in "YM":
        raise ValueError(f"Durations in units of {unit!r} have no fixed number of days; give them in days.")
    else:  # years to days; and ps, fs, as, which no calendar needs
        coarse = values.astype(f"{values.dtype.kind}8[{'D' if unit in 'YMWD' else 'ns'}]")
        days = coarse.astype(np.int64) / (1.0 if unit in "YMWD" else _PER_DAY["ns"])
    days[gaps] = np.nan
    notation: Temporal = Duration() if values.dtype.kind == "m" else Date()
    notation = notation.fine(days)
    return Raw(notation.kind, days, notation=notation, texts=lambda: _date_texts(values, gaps))


def _date_texts(values: Values, gaps: NDArray[np.bool_]) -> list[str | None]:
    return [None if gap else text for text, gap in zip(values.astype(str).tolist(), gaps, strict=True)]


# --- plain Python cells ---------------------------------------------------------------------------------


def from_cells(name: str, cells: Sequence[Any]) -> Raw:
    """Return what a list of Python values is, by the types that occur in it."""
    kinds = set(map(type, cells))
    if any(kind.__name__ == "MaskedConstant" for kind in kinds):
        cells = [None if c is np.ma.masked else c for c in cells]  # the one gap that cannot be hashed
        kinds = set(map(type, cells))
    groups: dict[str, list[type]] = {}
    for kind in kinds:
        groups.setdefault(_group(kind), []).append(kind)
    groups.pop("missing", None)
    gap_types = float in groups.get("number", ()) or any(
        issubclass(t, np.floating) for t in groups.get("number", ())
    )
    if gap_types and len(groups) > 1 and _floats_are_gaps(cells):
        # Libraries write NaN for a gap in columns of anything.
        groups["number"] = [t for t in groups["number"] if not issubclass(t, (float, np.floating))]
        if not groups["number"]:
            del groups["number"]
    if len(groups) > 1:
        _refuse_mixed(name, cells, groups)
    if not groups:
        return nothing(len(cells))
    return _READERS.get(next(iter(groups)), _refuse_cells)(name, cells)


def _group(kind: type) -> str:
    """Return the family of a cell's type."""
    if kind is type(None) or kind.__name__ in ("NAType", "NaTType"):
        return "missing"
    if issubclass(kind, str):
        return "text"
    if issubclass(kind, (bool, np.bool_)):
        return "truth value"
    if issubclass(kind, (np.datetime64, dt.date)):
        return "date"
    if issubclass(kind, (np.timedelta64, dt.timedelta)):
        return "duration"
    if issubclass(kind, dt.time):
        return "time of day"
    if issubclass(kind, numbers.Complex) and not issubclass(kind, numbers.Real):
        return "complex number"
    if issubclass(kind, numbers.Number):  # Decimal is a Number but not a Real
        return "number"
    return f"{kind.__name__} cell"


def _is_gap(cell: Any) -> bool:
    kind = type(cell)
    return _group(kind) == "missing" or (issubclass(kind, (float, np.floating)) and cell != cell)


def _floats_are_gaps(cells: Sequence[Any]) -> bool:
    return all(c != c for c in cells if isinstance(c, (float, np.floating)))


def _gaps(cells: Sequence[Any]) -> NDArray[np.bool_]:
    kinds = {kind for kind in set(map(type, cells)) if _group(kind) == "missing"}
    return np.fromiter((type(c) in kinds or c != c for c in cells), bool, len(cells))


def _numbers(name: str, cells: Sequence[Any]) -> Raw:
    gaps = _gaps(cells)
    kept = [0 if gap else c for c, gap in zip(cells, gaps.tolist(), strict=True)] if gaps.any() else cells
    if all(issubclass(t, numbers.Integral) for t in set(map(type, kept))):
        try:
            integers = np.array(kept, dtype=np.int64)
        except OverflowError:
            integers = np.array([int(c) for c in kept], dtype=object)
        return Raw(Kind.numeric, integers, missing=gaps)
    sizes = np.fromiter((float(c) for c in kept), np.float64, len(kept))
    for place in np.flatnonzero(np.abs(sizes) >= EXACT).tolist():
        if isinstance(kept[place], numbers.Integral) and int(sizes[place]) != kept[place]:
            raise ValueError(not_exact(name, kept[place]))
    sizes[gaps] = np.nan
    return Raw(Kind.numeric, sizes)


def _truths(_name: str, cells: Sequence[Any]) -> Raw:
    gaps = _gaps(cells)
    codes = np.fromiter(
        (MISSING if g else int(c) for c, g in zip(cells, gaps.tolist(), strict=True)), np.int32
    )
    return Raw(Kind.boolean, codes)


def _dates(_name: str, cells: Sequence[Any]) -> Raw:
    gaps = _gaps(cells)
    whole = all(type(c) is dt.date for c, gap in zip(cells, gaps.tolist(), strict=True) if not gap)
    plain = ["NaT" if gap else _plain_date(c) for c, gap in zip(cells, gaps.tolist(), strict=True)]
    return from_days(np.array(plain, dtype="datetime64[D]" if whole else "datetime64[us]"))


def _plain_date(cell: Any) -> Any:
    """Return a date that NumPy reads: time zones are counted in UTC."""
    if isinstance(cell, dt.datetime) and cell.tzinfo is not None:
        return cell.astimezone(dt.timezone.utc).replace(tzinfo=None)
    return cell


def _durations(_name: str, cells: Sequence[Any]) -> Raw:
    gaps = _gaps(cells).tolist()
    return from_days(
        np.array(["NaT" if gap else c for c, gap in zip(cells, gaps, strict=True)], dtype="m8[us]")
    )


def _times(_name: str, cells: Sequence[Any]) -> Raw:
    texts = [None if _is_gap(c) else c.isoformat() for c in cells]
    clock = ["NaT" if _is_gap(c) else dt.datetime.combine(dt.date(1970, 1, 1), c) for c in cells]
    days = from_days(np.array(clock, "M8[us]")).values
    return Raw(Kind.time, days, notation=Clock().fine(days), texts=lambda: texts)


_READERS: dict[str, Callable[[str, Sequence[Any]], Raw]] = {
    "number": _numbers,
    "truth value": _truths,
    "date": _dates,
    "duration": _durations,
    "time of day": _times,
    "text": lambda name, cells: factorise(name, cells),
}


def factorise(name: str, cells: Sequence[Any]) -> Raw:
    """Return texts as codes into their distinct values by UTF-8 bytes; whatever is not text is a gap.

    A dictionary over the distinct cells is as fast as sorting is slow: 1 M texts in about 0.1 s.
    """
    distinct = set(cells)
    texts = [c for c in distinct if isinstance(c, str)]
    plain = texts if {type(c) for c in texts} <= {str} else {str(c) for c in texts}
    categories = sorted(plain)  # code point order is the order of UTF-8 bytes
    check_utf8(name, categories)
    code_of: dict[Any, int] = {category: code for code, category in enumerate(categories)}
    code_of |= {c: MISSING for c in distinct if not isinstance(c, str)}
    codes = np.fromiter(map(code_of.__getitem__, cells), np.int32, len(cells))
    return Raw(Kind.nominal, codes, tuple(categories))


# --- labels ---------------------------------------------------------------------------------------------


def label(value: Any) -> str:
    """Return the category name of a value: text as it is, whole numbers without a point, others by repr.

    >>> [label(v) for v in ("Sunny", 3.0, 3, 0.5, True, float("inf"))]
    ['Sunny', '3', '3', '0.5', 'True', 'inf']
    """
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        size = float(value)
        return str(int(size)) if abs(size) < EXACT and size.is_integer() else repr(size)
    return str(value)


_NUMBER = re.compile(r"\s*[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)\s*", re.IGNORECASE | re.ASCII)


def as_number(text: str) -> float | None:
    """Return the number a text spells, or None.

    >>> as_number("3.5"), as_number("-inf"), as_number("1_000"), as_number("Sunny")
    (3.5, -inf, None, None)
    """
    return float(text) if _NUMBER.fullmatch(text) else None


def check_utf8(name: str, categories: Sequence[str]) -> None:
    """Refuse texts that no UTF-8 file can hold (half of a surrogate pair)."""
    try:
        "".join(categories).encode()
    except UnicodeEncodeError:
        wrong = next(c for c in categories if any("\ud800" <= letter <= "\udfff" for letter in c))
        raise ValueError(f"Column {name!r} holds {wrong!r}, which is not valid Unicode text.") from None


# --- refusals -------------------------------------------------------------------------------------------

_WAYS_OUT = {
    "complex numbers": "Give its real and imaginary part, or size and angle, as columns of their own.",
    "bytes": "Decode it to text first.",
    "records": "Give each field as a column: Table.from_dict({name: X[name] for name in X.dtype.names}).",
    "lists or records": "Give each element as a column of its own (explode, unnest), or drop the column.",
}


def refuse(name: str, found: str) -> NoReturn:
    """Raise the error for a column whose cells no test in a tree can ask about."""
    way = _WAYS_OUT.get(found, "Turn it into numbers, text or truth values, or drop it.")
    raise ColumnError(f"Column {name!r} holds {found}. {way}")


def _refuse_cells(name: str, cells: Sequence[Any]) -> Raw:
    cell = next(c for c in cells if not _is_gap(c))
    if isinstance(cell, (list, tuple, dict, set, frozenset, np.ndarray)):
        refuse(name, "lists or records")
    if isinstance(cell, complex | np.complexfloating):
        refuse(name, "complex numbers")
    if isinstance(cell, (bytes, bytearray)):
        refuse(name, "bytes")
    refuse(name, f"cells of type {type(cell).__name__} such as {cell!r:.60}")


def _refuse_mixed(name: str, cells: Sequence[Any], groups: dict[str, list[type]]) -> NoReturn:
    samples: dict[str, Any] = {}
    for cell in cells:
        if not _is_gap(cell):
            samples.setdefault(_group(type(cell)), cell)
        if len(samples) == len(groups):
            break
    shown = " and ".join(f"a {group} ({cell!r:.40})" for group, cell in samples.items())
    raise TypeError(
        f"Column {name!r} mixes {shown}. Make its cells one sort: numbers with gaps (None) "
        f"where there is none, or text throughout."
    )


def not_exact(name: str, value: Any) -> str:
    """Return the sentence for an integer that float64 would change."""
    return sentence(
        f"Column {name!r} holds the integer {value}, which no float64 equals (they are exact up to 2**53). "
        "If it is an identifier, drop it or use ",
        read_with("kinds", {name: "nominal"}),
        "; else scale it down first.",
    )
