"""A column as the caller wishes it: what was found, and what was said of it by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import read_with, refusal

from .notations import find
from .notations.date import ALL_ORDERS, Date, serial_order
from .notations.truth import as_truth
from .raw import (
    EXACT,
    MISSING,
    ColumnError,
    Raw,
    Values,
    as_number,
    factorise,
    label,
    not_exact,
)
from .schema import BOOLEAN_CATEGORIES, Column, Kind, UnknownColumnError, no_such_column

Cast = Callable[[str, Raw], tuple[Column, Values]]


@dataclass(frozen=True)
class Wishes:
    """What the caller said about columns, checked against their names once."""

    kinds: Mapping[str, Kind] = field(default_factory=dict)
    orders: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dates: str = "date"
    date_orders: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        names: Sequence[str],
        kinds: Mapping[str, Kind | str] | None,
        ordinal: Mapping[str, Sequence[Any]] | None,
        categories: Mapping[str, Sequence[Any]] | None,
        dates: str,
        date_orders: Mapping[str, str] | None = None,
    ) -> Wishes:
        """Return the wishes, or raise for unknown names, unknown words and contradictions."""
        if dates not in ("date", "number", "refuse"):
            raise ValueError(
                f"dates={dates!r} is not known; it is 'date', 'number' (days since 1970-01-01) or 'refuse'."
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
                orders[name] = _order_of(name, word, order)
        return cls(asked, orders, dates, dict(date_orders or {}))


def _by_name(word: str, given: Mapping[str, Any] | None, names: Sequence[str]) -> dict[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise TypeError(f"{word}= must be a dict by column name; found {type(given).__name__}.")
    for name in given:
        if name not in names:
            raise UnknownColumnError(f"{word}=: {no_such_column(name, names)}")
    return dict(given)


def _order_of(name: str, word: str, order: Sequence[Any]) -> tuple[str, ...]:
    if isinstance(order, (str, bytes)) or not isinstance(order, Iterable):
        raise TypeError(f"{word}={{{name!r}: ...}} must be a list of values in order; found {order!r}.")
    return Column(name, Kind.nominal, tuple(label(value) for value in order)).categories


# --- from what was found to what is wished ------------------------------------------------------------------


def cast(name: str, raw: Raw, wishes: Wishes) -> tuple[Column, Values]:
    """Return the column and its array: float64 with NaN for gaps, or int32 codes with -1 for gaps."""
    asked = wishes.kinds.get(name)
    if asked is None and raw.kind.is_temporal:
        if wishes.dates == "refuse":
            raise ColumnError(_refusal_of_dates(name, raw.kind))
        asked = Kind.numeric if wishes.dates == "number" else None
    if name in wishes.orders:
        return _in_order(name, raw, wishes.kinds[name], wishes.orders[name])
    if asked is Kind.date:
        return _to_date(name, raw, wishes.date_orders.get(name, ""))
    return CASTS[asked or raw.kind](name, raw)


def _refusal_of_dates(name: str, kind: Kind) -> str:
    return (
        f"Column {name!r} holds {kind}s, and dates='refuse' was said. Use dates='date' or dates='number' "
        f"(days since 1970-01-01; durations in days), take out the parts that matter (month, weekday, age) "
        f"as columns of their own, or drop it."
    )


def _to_numeric(name: str, raw: Raw) -> tuple[Column, Values]:
    column = Column(name, Kind.numeric)
    if raw.kind is Kind.numeric:
        return Column(name, Kind.numeric, notation=raw.notation), exact_floats(name, raw)
    if raw.kind.is_temporal:
        return column, raw.values
    if raw.kind is Kind.boolean:
        return column, np.where(raw.values < 0, np.nan, raw.values.astype(np.float64))
    used = set(np.unique(raw.values).tolist())
    sizes = [as_number(c) if i in used else np.nan for i, c in enumerate(raw.categories)]
    wrong = next((c for c, size in zip(raw.categories, sizes, strict=True) if size is None), None)
    if wrong is None:
        return column, np.array([*sizes, np.nan], dtype=np.float64)[raw.values]  # code -1 takes the last: NaN
    if (read := _by_notation(raw, ())) is not None:
        return _to_numeric(name, read)
    raise ValueError(
        f"Column {name!r} cannot be numeric: it holds the text {wrong!r}. Correct or blank such cells, "
        f"or leave the column nominal."
    )


def _by_notation(raw: Raw, kinds: Sequence[Kind]) -> Raw | None:
    """Return a column of texts as the notation reads them that fits; None where none does."""
    counts = np.bincount(raw.values + 1, minlength=len(raw.categories) + 1)[1:]
    used = np.flatnonzero(counts).tolist()
    match = find([raw.categories[i] for i in used], counts[used], kinds=kinds) if used else None
    if match is None:
        return None
    values = np.full(len(raw.categories) + 1, np.nan)
    values[used] = match.numbers
    return Raw(match.notation.kind, values[raw.values], notation=match.notation)


def _to_date(name: str, raw: Raw, order: str = "") -> tuple[Column, Values]:
    if order and order not in ALL_ORDERS:
        raise ValueError(f"Column {name!r}: dates are written as {', '.join(ALL_ORDERS)}, not {order!r}.")
    if raw.kind is Kind.date:
        return _to_temporal(Kind.date)(name, raw)
    if raw.kind is not Kind.numeric:
        return _to_temporal(Kind.date)(name, raw)
    floats = exact_floats(name, raw)
    known = floats[np.isfinite(floats)]
    counted = order or (serial_order(known.tolist()) if len(known) else "days")
    if counted is None:
        raise refusal(
            f"Column {name!r} cannot be a date: it is not known what its numbers count, from "
            f"{known.min():g} to {known.max():g}. Say it: ",
            read_with("date", {name: "excel"}),
            ", or 'unix', 'unix_ms', 'days', 'yyyymmdd'.",
        )
    notation = Date(order=counted)
    days = np.array([notation.of_number(value) for value in floats.tolist()])
    return Column(name, Kind.date, notation=notation.fine(days)), days


def _to_temporal(kind: Kind) -> Cast:
    def cast_to(name: str, raw: Raw) -> tuple[Column, Values]:
        if raw.kind is kind:
            return Column(name, kind, notation=raw.notation), raw.values
        if raw.kind.is_numeric:  # numbers of days
            return Column(name, kind), exact_floats(name, raw)
        read = _by_notation(raw, (kind,)) if raw.kind is not Kind.boolean else None
        if read is None:
            example = raw.categories[0] if raw.categories else "True"
            raise ValueError(
                f"Column {name!r} cannot be a {kind}: it holds {example!r}. Correct or blank such cells, or "
                f"leave the column as it is."
            )
        return Column(name, kind, notation=read.notation), read.values

    return cast_to


def _to_boolean(name: str, raw: Raw) -> tuple[Column, Values]:
    column = Column(name, Kind.boolean)
    if raw.kind is Kind.boolean:
        return column, raw.values
    named, codes = _to_nominal(name, raw)
    # The row's code for each category, and -1 for the code -1.
    truth = [as_truth(c) for c in named.categories]
    wrong = next((c for c, t in zip(named.categories, truth, strict=True) if t is None), None)
    if wrong is not None:
        raise ValueError(
            f"Column {name!r} cannot be boolean: it holds {wrong!r}, neither true nor false (nor 1 nor 0). "
            f"Leave it {raw.kind}."
        )
    return column, np.array([*truth, MISSING], dtype=np.int32)[codes]


def _to_nominal(name: str, raw: Raw) -> tuple[Column, Values]:
    labelled = _as_labels(name, raw)
    if not labelled.declared:
        labelled = _in_byte_order(labelled)
    return Column(name, Kind.nominal, labelled.categories), labelled.values


def _to_ordinal(name: str, raw: Raw) -> tuple[Column, Values]:
    labelled = _as_labels(name, raw)  # numbers come in their own order
    if not labelled.declared and raw.kind is Kind.nominal:
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
    Kind.date: _to_date,
    Kind.time: _to_temporal(Kind.time),
    Kind.duration: _to_temporal(Kind.duration),
}


def _in_order(name: str, raw: Raw, kind: Kind, order: tuple[str, ...]) -> tuple[Column, Values]:
    labelled = _as_labels(name, raw)
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


def _as_labels(name: str, raw: Raw) -> Raw:
    """Return a column of numbers or dates as codes into labels, in order of size; others as they are."""
    if raw.kind is Kind.boolean:
        return Raw(Kind.boolean, raw.values, BOOLEAN_CATEGORIES, declared=True)
    if not raw.kind.is_numeric:
        return raw
    if raw.texts is not None:
        return factorise(name, raw.texts())
    gaps = np.isnan(raw.values) if raw.values.dtype.kind == "f" else raw.missing
    kept = raw.values if gaps is None else raw.values[~gaps]
    distinct, inverse = np.unique(kept, return_inverse=True)
    words = [_label_of(raw, value) for value in distinct.tolist()]
    names = list(dict.fromkeys(words))  # two times may be shown alike
    place = {word: code for code, word in enumerate(names)}
    codes = np.full(len(raw.values), MISSING, dtype=np.int32)
    known = np.array([place[word] for word in words], dtype=np.int32)
    codes[slice(None) if gaps is None else ~gaps] = known[inverse]
    return Raw(Kind.numeric, codes, tuple(names))


def _label_of(raw: Raw, value: float) -> str:
    return raw.notation.to_text(value) if raw.kind.is_temporal and raw.notation is not None else label(value)


def _in_byte_order(raw: Raw) -> Raw:
    """Return the same codes with categories by their UTF-8 bytes (for text: Python's own order)."""
    order = sorted(range(len(raw.categories)), key=raw.categories.__getitem__)
    if order == list(range(len(order))):
        return raw
    codes = np.full(len(order) + 1, MISSING, dtype=np.int32)
    codes[order] = np.arange(len(order), dtype=np.int32)
    return Raw(raw.kind, codes[raw.values], tuple(raw.categories[i] for i in order))


def exact_floats(name: str, raw: Raw) -> NDArray[np.float64]:
    """Return numbers as float64, refusing integers that float64 would change."""
    values = raw.values
    try:
        floats = values.astype(np.float64, copy=False)  # no one else holds an array of floats
    except OverflowError:
        raise ValueError(not_exact(name, max(values.tolist(), key=abs))) from None
    if values.dtype.kind in "iuO":
        large = np.flatnonzero(np.abs(floats) >= EXACT)
        for value, size in zip(values[large].tolist(), floats[large].tolist(), strict=True):
            if int(size) != value:
                raise ValueError(not_exact(name, value))
    if raw.missing is not None:
        floats[raw.missing] = np.nan
    return floats
