"""A column as the caller wishes it: what was found, and what was said of it by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .found import (
    EXACT,
    MISSING,
    ColumnError,
    Found,
    Values,
    as_number,
    as_truth,
    factorise,
    label,
    not_exact,
)
from .schema import BOOLEAN_CATEGORIES, Column, Kind, no_such_column

Cast = Callable[[str, Found], tuple[Column, Values]]


@dataclass(frozen=True)
class Wishes:
    """What the caller said about columns, checked against their names once."""

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dates: str = "refuse"

    @classmethod
    def checked(
        cls,
        names: Sequence[str],
        kinds: Mapping[str, Kind | str] | None,
        ordinal: Mapping[str, Sequence[Any]] | None,
        categories: Mapping[str, Sequence[Any]] | None,
        dates: str,
    ) -> Wishes:
        """Return the wishes, or raise for unknown names, unknown words and contradictions."""
        if dates not in ("refuse", "number"):
            raise ValueError(
                f"dates={dates!r} is not known; it is 'refuse' or 'number' (days since 1970-01-01)."
            )
        asked = {name: Kind(kind) for name, kind in _by_name("kinds", kinds, names).items()}
        orders: dict[str, tuple[str, ...]] = {}
        for word, given in (("ordinal", ordinal), ("categories", categories)):
            for name, order in _by_name(word, given, names).items():
                kind = Kind.ordinal if word == "ordinal" else asked.get(name, Kind.nominal)
                if (
                    name in orders
                    or asked.setdefault(name, kind) is not kind
                    or kind.value in ("numeric", "boolean")
                ):
                    raise ValueError(
                        f"Column {name!r}: {word}= does not fit what else was said of it; say it once."
                    )
                orders[name] = _declared(name, word, order)
        return cls(asked, orders, dates)


def _by_name(word: str, given: Mapping[str, Any] | None, names: Sequence[str]) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"{word}= must be a dict by column name; found {type(given).__name__}.")
    for name in given:
        if name not in names:
            raise KeyError(f"{word}=: {no_such_column(name, names)}")
    return dict(given)


def _declared(name: str, word: str, order: Sequence[Any]) -> tuple[str, ...]:
    if isinstance(order, (str, bytes)) or not isinstance(order, Iterable):
        raise TypeError(f"{word}={{{name!r}: ...}} must be a list of values in order; found {order!r}.")
    return Column(name, Kind.nominal, tuple(label(value) for value in order)).categories


# --- from what was found to what is wished ------------------------------------------------------------------


def settle(name: str, found: Found, wishes: Wishes) -> tuple[Column, Values]:
    """Return the column and its array: float64 with NaN for gaps, or int32 codes with -1 for gaps."""
    asked = wishes.kinds.get(name)
    if found.date and asked is None and wishes.dates == "refuse":
        raise ColumnError(
            f"Column {name!r} holds {found.date}, which are neither plain numbers nor categories. Use "
            f"dates='number' (days since 1970-01-01; durations in days), take out the parts that matter "
            f"(month, weekday, age) as columns of their own, or drop it."
        )
    if name in wishes.orders:
        return _in_order(name, found, wishes.kinds[name], wishes.orders[name])
    return CASTS[asked or found.kind](name, found)


def _to_numeric(name: str, found: Found) -> tuple[Column, Values]:
    column = Column(name, Kind.numeric)
    if found.kind is Kind.numeric:
        return column, exact_floats(name, found)
    if found.kind is Kind.boolean:
        return column, np.where(found.values < 0, np.nan, found.values.astype(np.float64))
    used = set(np.unique(found.values).tolist())
    sizes = [as_number(c) if i in used else np.nan for i, c in enumerate(found.categories)]
    wrong = next((c for c, size in zip(found.categories, sizes, strict=True) if size is None), None)
    if wrong is not None:
        raise ValueError(
            f"Column {name!r} cannot be numeric: it holds the text {wrong!r}. Correct or blank such cells, "
            f"or leave the column nominal."
        )
    return column, np.array([*sizes, np.nan], dtype=np.float64)[found.values]  # code -1 takes the last: NaN


def _to_boolean(name: str, found: Found) -> tuple[Column, Values]:
    column = Column(name, Kind.boolean)
    if found.kind is Kind.boolean:
        return column, found.values
    named, codes = _to_nominal(name, found)
    # The row's code for each category, and -1 for the code -1.
    truth = [as_truth(c) for c in named.categories]
    wrong = next((c for c, t in zip(named.categories, truth, strict=True) if t is None), None)
    if wrong is not None:
        raise ValueError(
            f"Column {name!r} cannot be boolean: it holds {wrong!r}, neither true nor false (nor 1 nor 0). "
            f"Leave it {found.kind}."
        )
    return column, np.array([*truth, MISSING], dtype=np.int32)[codes]


def _to_nominal(name: str, found: Found) -> tuple[Column, Values]:
    labelled = _labelled(name, found)
    if not labelled.declared:
        labelled = _sorted(labelled)
    return Column(name, Kind.nominal, labelled.categories), labelled.values


def _to_ordinal(name: str, found: Found) -> tuple[Column, Values]:
    labelled = _labelled(name, found)  # numbers come in their own order
    if not labelled.declared and found.kind is Kind.nominal:
        shown = ", ".join(map(repr, labelled.categories[:5]))
        raise ValueError(
            f"Column {name!r} cannot be ordinal without an order of its values ({shown}). Give it: "
            f"ordinal={{{name!r}: [lowest, ..., highest]}}."
        )
    return Column(name, Kind.ordinal, labelled.categories), labelled.values


CASTS: dict[Kind, Cast] = {
    Kind.numeric: _to_numeric,
    Kind.boolean: _to_boolean,
    Kind.nominal: _to_nominal,
    Kind.ordinal: _to_ordinal,
}


def _in_order(name: str, found: Found, kind: Kind, order: tuple[str, ...]) -> tuple[Column, Values]:
    labelled = _labelled(name, found)
    place = {category: code for code, category in enumerate(order)}
    used = set(np.unique(labelled.values).tolist())
    strange = [c for i, c in enumerate(labelled.categories) if i in used and c not in place]
    if strange:
        raise ValueError(
            f"Column {name!r} holds {strange[0]!r}, not among its declared values {list(order)!s:.200}. "
            f"Add it to the list or correct the cells."
        )
    codes = np.array([*(place.get(c, MISSING) for c in labelled.categories), MISSING], dtype=np.int32)
    return Column(name, kind, order), codes[labelled.values]


def _labelled(name: str, found: Found) -> Found:
    """Return a numeric or date column as codes into labels, in order of size; others as they are."""
    if found.kind is Kind.boolean:
        return Found(Kind.boolean, found.values, BOOLEAN_CATEGORIES, declared=True)
    if found.kind is not Kind.numeric:
        return found
    if found.texts is not None:
        return factorise(name, found.texts())
    gaps = np.isnan(found.values) if found.values.dtype.kind == "f" else found.missing
    kept = found.values if gaps is None else found.values[~gaps]
    distinct, inverse = np.unique(kept, return_inverse=True)
    codes = np.full(len(found.values), MISSING, dtype=np.int32)
    codes[slice(None) if gaps is None else ~gaps] = inverse
    return Found(Kind.numeric, codes, tuple(label(v) for v in distinct.tolist()))


def _sorted(found: Found) -> Found:
    """Return the same codes with categories by their UTF-8 bytes (for text: Python's own order)."""
    order = sorted(range(len(found.categories)), key=found.categories.__getitem__)
    if order == list(range(len(order))):
        return found
    codes = np.full(len(order) + 1, MISSING, dtype=np.int32)
    codes[order] = np.arange(len(order), dtype=np.int32)
    return Found(found.kind, codes[found.values], tuple(found.categories[i] for i in order))


def exact_floats(name: str, found: Found) -> NDArray[np.float64]:
    """Return numbers as float64, refusing integers that float64 would change."""
    values = found.values
    try:
        floats = values.astype(np.float64, copy=False)  # no one else holds an array of floats found
    except OverflowError:
        raise ValueError(not_exact(name, max(values.tolist(), key=abs))) from None
    if values.dtype.kind in "iuO":
        large = np.flatnonzero(np.abs(floats) >= EXACT)
        for value, size in zip(values[large].tolist(), floats[large].tolist(), strict=True):
            if int(size) != value:
                raise ValueError(not_exact(name, value))
    if found.missing is not None:
        floats[found.missing] = np.nan
    return floats
