"""Columns that are made from others: parts of dates, words of texts."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import read_with, refusal
from treewright.base.names import choice

from .cast import Wishes, cast
from .kind import Kind
from .origin import Origin
from .raw import MISSING, Raw, Values
from .schema import Column, Schema
from .table import Table

Days = NDArray[np.float64]
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_EPOCH = dt.date(1970, 1, 1)
_WORD = re.compile(r"[^\W_][\w'\u2019-]*")
_MOST_WORDS = 200  # columns of one text


class Part(NamedTuple):
    """A part of a date: its kind, its categories, and the number of each moment."""

    kind: Kind
    categories: tuple[str, ...]
    of: Callable[[Days, str], Any]


def _months(days: Days) -> NDArray[np.int64]:
    return np.floor(days).astype(np.int64).astype("M8[D]").astype("M8[M]").astype(np.int64)


def _since(days: Days, detail: str) -> Days:
    return days - float((dt.date.fromisoformat(detail) - _EPOCH).days)


PARTS: dict[str, Part] = {
    "year": Part(Kind.numeric, (), lambda days, _: 1970.0 + _months(days) // 12),
    "quarter": Part(Kind.numeric, (), lambda days, _: 1.0 + _months(days) % 12 // 3),
    "month": Part(Kind.numeric, (), lambda days, _: 1.0 + _months(days) % 12),
    "day": Part(
        Kind.numeric,
        (),
        lambda days, _: 1.0 + np.floor(days) - _months(days).astype("M8[M]").astype("M8[D]").astype(np.int64),
    ),
    "weekday": Part(Kind.ordinal, _WEEKDAYS, lambda days, _: (np.floor(days) + 3) % 7),
    "hour": Part(Kind.numeric, (), lambda days, _: np.floor(np.round(days % 1 * 86_400, 6) / 3600)),
    "days_since": Part(Kind.numeric, (), _since),
}


def with_parts(table: Table, parts: Mapping[str, Sequence[str] | str]) -> Table:
    """Return a table with columns for parts of its dates, each behind the column it comes from.

    The parts are year, quarter, month, day, weekday, hour and days_since, the last with a date
    ("days_since=2020-01-01"), or since the first one of the column.

    >>> table = Table.from_dict({"joined": np.array(["2020-01-31", "2019-07-02"], "M8[D]")})
    >>> with_parts(table, {"joined": ["year", "weekday"]}).to_dict()["joined.weekday"]
    ['Friday', 'Tuesday']
    """
    pairs: list[tuple[Column, Values]] = []
    wanted = {name: [given] if isinstance(given, str) else list(given) for name, given in parts.items()}
    for name in wanted:
        table.schema.index(name)
    for column, values in zip(table.schema.columns, table.values, strict=True):
        origins = [origin_of(column, values, word) for word in wanted.get(column.name, ())]
        pairs += [(column, values), *(part_of(values, origin) for origin in origins)]
    columns, arrays = zip(*pairs, strict=True)
    return Table(Schema(columns), arrays)


def origin_of(column: Column, values: Values, word: str) -> Origin:
    """Return the origin of a part of a date column, given as "year" or "days_since=2020-01-01"."""
    if column.kind not in (Kind.date, Kind.time):
        raise refusal(
            f"Column {column.name!r} is {column.kind} and has no parts such as the year; if it holds dates, "
            "say ",
            read_with("date", [column.name]),
            ".",
        )
    part, _, detail = word.partition("=")
    part = choice("parts", part.strip(), PARTS)
    if part != "days_since":
        return Origin(column.name, part)
    known = values[np.isfinite(values)]
    first = _EPOCH + dt.timedelta(days=int(np.floor(known.min()))) if len(known) else _EPOCH
    return Origin(column.name, part, dt.date.fromisoformat(detail or first.isoformat()).isoformat())


def part_of(values: Values, origin: Origin) -> tuple[Column, Values]:
    """Return the column that is a part of moments, given in days.

    >>> part_of(np.array([18292.0]), Origin("joined", "year"))
    (Column(name='joined.year', kind='numeric'), array([2020.]))
    """
    if origin.part not in PARTS:
        raise ValueError(f"Column {origin.name!r}: there is no part {origin.part!r:.60} of a date.")
    part = PARTS[origin.part]
    gaps = ~np.isfinite(values)
    found = part.of(np.where(gaps, 0.0, values), origin.detail)
    made = Column(origin.name, part.kind, part.categories, origin=origin)
    if made.is_numeric:
        return made, np.where(gaps, np.nan, found)
    return made, np.where(gaps, MISSING, found).astype(np.int32)


# --- words ----------------------------------------------------------------------------------------------


def with_words(table: Table, names: Sequence[str]) -> Table:
    """Return a table in which columns of text are replaced by one column for each usual word: there or not.

    Usual are the words of at least two and 1 in 100 rows, and not of all; the commonest 200. Case does not
    count.

    >>> table = Table.from_dict({"note": ["Wants refund", "refund now", "all well", "well"]})
    >>> with_words(table, ["note"]).names
    ('note.refund', 'note.well')
    """
    for name in names:
        table.schema.index(name)
    pairs: list[tuple[Column, Values]] = []
    for column, values in zip(table.schema.columns, table.values, strict=True):
        if column.name not in names:
            pairs.append((column, values))
            continue
        if column.is_numeric:
            raise ValueError(f"Column {column.name!r} is {column.kind}, not text; it has no words.")
        bags = [frozenset(words_of(text)) for text in column.categories]
        origins = [Origin(column.name, "word", word) for word in _usual_words(bags, values)]
        pairs += [_word(origin, bags, values) for origin in origins]
    if not pairs:
        raise ValueError(f"No word of {', '.join(names)} occurs in two rows; there is nothing to learn from.")
    columns, arrays = zip(*pairs, strict=True)
    return Table(Schema(columns), arrays)


def words_of(text: str) -> list[str]:
    """Return the words of a text in lower case, of two letters or more.

    >>> words_of("Don't call, e-mail me: 2 x!")
    ["don't", 'call', 'e-mail', 'me']
    """
    return [word for word in map(str.casefold, _WORD.findall(text)) if len(word) > 1]


def _usual_words(bags: Sequence[frozenset[str]], codes: Values) -> list[str]:
    counts = np.bincount(codes[codes >= 0], minlength=len(bags)).tolist()
    rows: Counter[str] = Counter()
    for bag, count in zip(bags, counts, strict=True):
        for word in bag:
            rows[word] += count
    n_rows = sum(counts)
    least = max(2, n_rows / 100)
    usual = [word for word, count in rows.items() if least <= count < n_rows]
    return sorted(sorted(usual, key=lambda word: (-rows[word], word))[:_MOST_WORDS])


def _word(origin: Origin, bags: Sequence[frozenset[str]], codes: Values) -> tuple[Column, Values]:
    has = np.array([*(origin.detail in bag for bag in bags), MISSING], dtype=np.int32)
    return Column(origin.name, Kind.boolean, origin=origin), has[codes]


# --- again, for new rows --------------------------------------------------------------------------------


def derive(table: Table, column: Column) -> tuple[Column, Values] | None:
    """Return a column that training made from another one, made again; None where that one is not there."""
    origin = column.origin
    if origin is None or origin.column not in table.schema:
        return None
    source, values = table.column(origin.column)
    if origin.part == "word":
        if source.is_numeric:
            source, values = _as_text(table, origin.column)
        return _word(origin, [frozenset(words_of(text)) for text in source.categories], values)
    if not source.is_numeric:
        raw = Raw(source.kind, values, source.categories)
        source, values = cast(origin.column, raw, Wishes({origin.column: Kind.date}))
    return part_of(values, origin)


def _as_text(table: Table, name: str) -> tuple[Column, Any]:
    texts = table.labels(name)
    return Table.from_dict({name: texts}, kinds={name: Kind.nominal}).column(name)
