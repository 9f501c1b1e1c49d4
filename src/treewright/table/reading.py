"""A file as a table, and what was understood of it: layout, kinds, gaps, and the reasons."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from os import PathLike
from typing import Any

from treewright.base.advice import Reason, cleaned, joined, read_with, refusal, sentence
from treewright.base.lines import Words, aligned, harmless
from treewright.base.names import choice
from treewright.base.notebook import Shown

from .cast import Wishes, cast
from .derive import with_parts, with_words
from .files.duck import Watcher, connected
from .files.facts import Facts, facts_of, n_gaps
from .files.judge import Verdict
from .files.loaded import Loaded, Wanted
from .files.numbers import MISSING_CELLS
from .files.places import source_of
from .files.source import Source
from .notations import Notation
from .notations.date import ALL_ORDERS
from .raw import ColumnError
from .schema import Column, Kind, Schema
from .table import Kinds, Orders, Table

# The file in `files/` and the function in it; loaded when a file of the format is read.
_LOADERS = {
    "text": ("delimited", "load"),
    "json": ("typed", "load_json"),
    "parquet": ("typed", "load_parquet"),
    "duckdb": ("typed", "load_duckdb"),
    "sqlite": ("sqlite", "load"),
    "arrow": ("arrow", "load"),
    "workbook": ("workbook", "load"),
}
Choices = Mapping[str, str] | Sequence[str] | str
_LOADING = 0.9  # the share of the work that loading is; the rest is looking at the columns


@dataclass(frozen=True, repr=False)
class Reading(Shown):
    r"""What was understood of a file: its table, three lines for people, and all of it as text or dict.

    >>> from importlib.resources import files
    >>> found = reading(files("treewright.table") / "data" / "weather_numeric.csv")
    >>> print(*found.lines, sep="\n")
    weather_numeric.csv: 14 rows, 5 columns; text with commas between cells, UTF-8, names in the first line.
    Numbers: temperature, humidity. Categories: outlook (3), windy (2), play (2).
    No cell is missing.
    """

    table: Table
    source: str
    format: str
    words: str
    layout: dict[str, Any]
    whys: tuple[str, ...]
    notes: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    dates: tuple[str, ...] = ()  # columns of dates that are days since 1970-01-01 though nobody named them

    @property
    def lines(self) -> tuple[str, str, str]:
        """Three lines: the file and its layout, the kinds of its columns, the gaps and what to look at."""
        name = self.source.replace("\\", "/").rpartition("/")[2]
        n_rows, n_columns = self.table.n_rows, self.table.n_columns
        head = f"{name}: {n_rows:,} {_plural('row', n_rows)}, {n_columns:,} {_plural('column', n_columns)}"
        notes = list(self.notes[:2])
        if len(self.notes) > 2:
            notes.append(f"{len(self.notes) - 2} more notes: treewright check.")
        first, kinds, gaps = f"{head}; {self.words}.", self._kinds(), joined(" ", [self._gaps(), *notes])
        return harmless(first), harmless(kinds), cleaned(gaps, harmless)

    @cached_property
    def facts(self) -> tuple[Facts, ...]:
        """The facts of each column of the table."""
        pairs = zip(self.table.schema.columns, self.table.values, strict=True)
        return tuple(facts_of(column, values) for column, values in pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return all that was understood as plain JSON values.

        >>> import treewright as tw
        >>> from importlib.resources import files
        >>> found = tw.reading(files("treewright.table") / "data" / "temperature.csv").to_dict()
        >>> found["columns"][1]
        {'name': 'PlayTennis', 'kind': 'nominal', 'distinct': 2, 'gaps': 0, 'examples': ['No', 'Yes'],
         'why': "holds words, such as 'No'"}
        """
        columns = zip(self.table.schema.columns, self.facts, self.whys, strict=True)
        return {
            "file": self.source,
            "format": self.format,
            "layout": dict(self.layout),
            "n_rows": self.table.n_rows,
            "n_columns": self.table.n_columns,
            "columns": [
                {"name": c.name, "kind": c.kind.value, **facts.to_dict(), "why": why}
                for c, facts, why in columns
            ],
            "ignored": list(self.ignored),
            "notes": list(self.notes),
        }

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        r"""Return all that was understood as text: the three lines, then a line for each column.

        >>> import treewright as tw
        >>> from importlib.resources import files
        >>> found = tw.reading(files("treewright.table") / "data" / "temperature.csv")
        >>> print(*found.to_text().splitlines()[4:], sep="\n")
        column       kind     distinct  missing  examples    why
        Temperature  numeric         6        0  40, 60, 90  every cell is a number
        PlayTennis   nominal         2        0  No, Yes     holds words, such as 'No'
        """
        columns, facts = self.table.schema.columns, self.facts
        table = aligned(
            [
                Words("column", [_clip(c.name) for c in columns], "<"),
                Words("kind", [c.kind.value for c in columns], "<"),
                Words("distinct", [f"{f.n_distinct:,}" for f in facts]),
                Words("missing", [f"{f.n_gaps:,}" for f in facts]),
                Words("examples", [_clip(", ".join(f.examples)) for f in facts], "<"),
                Words("why", list(self.whys), "<"),
            ]
        )
        notes = ["", *self.notes] if self.notes else []
        return cleaned(joined("\n", [*self.lines[:2], self._gaps(), "", *table, *notes]), harmless)

    def _kinds(self) -> str:
        columns = self.table.schema.columns
        parts = []
        for title, kinds in _TITLES.items():
            named = [c for c in columns if c.kind.value in kinds]
            shown = [_with_remark(column) for column in named]
            if shown:
                parts.append(f"{title}: {_several(shown)}.")
        if self.ignored:
            parts.append(f"Left out: {_several(self.ignored)}.")
        return " ".join(parts)

    def _gaps(self) -> str:
        pairs = list(zip(self.table.schema.columns, self.table.values, strict=True))
        counts = {column.name: n_gaps(column, values) for column, values in pairs}
        total, n_cells = sum(counts.values()), self.table.n_rows * self.table.n_columns
        if not total:
            return "No cell is missing."
        most = max(counts, key=lambda name: counts[name])
        return (
            f"Missing: {total:,} of {n_cells:,} cells ({_percent(total / n_cells)}), "
            f"most in {most} ({_percent(counts[most] / self.table.n_rows)} of rows)."
        )


_TITLES = {
    "Numbers": ("numeric",),
    "Dates": ("date",),
    "Times": ("time",),
    "Durations": ("duration",),
    "Categories": ("nominal", "boolean"),
    "In order": ("ordinal",),
}


def _with_remark(column: Column) -> str:
    """Return the name of a column with its unit, the order of its dates, or how many categories it has."""
    if not column.is_numeric:
        return f"{column.name} ({len(column.categories):,})"
    remark = column.notation.remark if column.notation is not None else ""
    return f"{column.name} ({remark})" if remark else column.name


def reading(
    path: str | PathLike[str],
    kinds: Kinds | None = None,
    ordinal: Orders | None = None,
    missing: Sequence[str] | str | None = None,
    dates: str = "date",
    *,
    categories: Orders | None = None,
    columns: Sequence[str] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    quote: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    skip: int | None = None,
    trim: bool = True,
    categorical: Sequence[str] | str = (),
    numeric: Sequence[str] | str = (),
    text: Choices = (),
    date: Choices = (),
    parts: Mapping[str, Sequence[str] | str] | None = None,
    notations: Mapping[str, Notation] | None = None,
    ignore: Sequence[str] | str = (),
    download: bool = False,
    progress: Watcher | None = None,
) -> Reading:
    """Return the table of a file together with what was understood of it; the options are those of `read`.

    >>> from importlib.resources import files
    >>> found = reading(files("treewright.table") / "data" / "temperature.csv", categorical=["Temperature"])
    >>> found.whys
    ('nominal as asked', "holds words, such as 'No'")
    """
    watcher = None if progress is None else _rising(progress)
    orders, bags = _choices("date", date, ALL_ORDERS), _choices("text", text, ("bag",))
    lists = {
        Kind.nominal: [*_as_list(categorical), *bags],
        Kind.numeric: _as_list(numeric),
        Kind.date: [*orders],
    }
    asked = _kinds_by_name(kinds, lists)
    wanted = Wanted(
        separator=separator,
        decimal=decimal,
        quote=quote,
        encoding=encoding,
        header=header,
        missing=MISSING_CELLS if missing is None else [str(mark) for mark in _as_list(missing)],
        missing_is_said=missing is not None,
        kinds=_as_text(asked, ordinal, categories),
        columns=columns,
        ignore=_as_list(ignore),
        date_orders=orders,
        notations=notations or {},
        skip=skip,
        trim=trim,
        progress=None if watcher is None else lambda share: watcher(_LOADING * share),
    )
    with connected() as connection, ExitStack() as stack:
        source = source_of(path, download, stack)
        loaded = _loader(source.format)(connection, source, wanted, stack)
        chosen = wanted.chosen(loaded.names)
        wishes = Wishes.of(chosen, asked, ordinal, categories, dates, orders)
        seen = dict(_verdicts(loaded, chosen, watcher))
        found = _reading_of(source, loaded, wishes, seen)
    return _with_parts(found, parts or {}, [name for name, how in bags.items() if how])


def _choices(word: str, given: Choices, known: Sequence[str]) -> dict[str, str]:
    """Return the columns that an option names, each with what it says besides, or an empty text.

    >>> _choices("date", ["joined", "born:dmy"], ["dmy"]), _choices("text", {"note": "bag"}, ["bag"])
    ({'joined': '', 'born': 'dmy'}, {'note': 'bag'})
    """
    if isinstance(given, Mapping):
        found = dict(given)
    else:
        found = {}
        for text in _as_list(given):
            name, _, how = text.rpartition(":")
            found |= {name: how} if name and how in known else {text: ""}
    for name, how in found.items():
        if how:
            choice(f"{word}={{{name!r}: ...}}", how, known)
    return found


def _with_parts(found: Reading, parts: Mapping[str, Sequence[str] | str], bags: Sequence[str]) -> Reading:
    """Return a reading with columns made from others: parts of dates, words of texts."""
    if not parts and not bags:
        return found
    whys = dict(zip(found.table.names, found.whys, strict=True))
    table = with_words(with_parts(found.table, parts), bags) if bags else with_parts(found.table, parts)
    lines = tuple(_why_made(column) or whys[column.name] for column in table.schema.columns)
    return replace(found, table=table, whys=lines)


def _why_made(column: Column) -> str:
    origin = column.origin
    if origin is None:
        return ""
    if origin.part == "word":
        return f"whether {origin.column} has the word {origin.detail!r}"
    return f"{origin.part.replace('_', ' ')} {origin.detail}".strip() + f" of {origin.column}"


def _loader(name: str) -> Callable[..., Loaded]:
    module, function = _LOADERS[name]
    loader: Callable[..., Loaded] = getattr(import_module(f"{__package__}.files.{module}"), function)
    return loader


def _rising(progress: Watcher) -> Watcher:
    """Return a watcher whose share never falls, though a file may be read twice."""
    highest = 0.0

    def watch(share: float) -> None:
        nonlocal highest
        highest = max(highest, share)
        progress(highest)

    return watch


def _verdicts(
    loaded: Loaded, names: Sequence[str], progress: Watcher | None
) -> Iterable[tuple[str, Verdict]]:
    for place, name in enumerate(names):
        try:
            yield name, loaded.look(name)
        except ColumnError as error:
            why = Reason.of(error)
            raise ColumnError(
                sentence(why, " To read the file without it: ", read_with("ignore", [name]), ".")
            ) from None
        if progress is not None:
            progress(_LOADING + (1 - _LOADING) * (place + 1) / len(names))


def _reading_of(source: Source, loaded: Loaded, wishes: Wishes, seen: dict[str, Verdict]) -> Reading:
    first = next(iter(seen.values())).raw.values
    if len(first) == 0:
        raise refusal(
            f"{source} has no rows, only the names of columns ({harmless(_several(list(seen)))}). "
            "If its first line is a row, say ",
            read_with("header", False),
            ".",
        )
    for name, verdict in seen.items():
        if verdict.raw.kind.is_temporal and name not in wishes.kinds and wishes.dates == "refuse":
            raise ColumnError(_refusal_of_dates(name, verdict.raw.kind))
    fields, values = zip(*(cast(name, s.raw, wishes) for name, s in seen.items()), strict=True)
    return Reading(
        table=Table(Schema(fields), values),
        source=_name_of(source),
        format=source.format,
        words=loaded.words,
        layout=dict(loaded.layout),
        whys=tuple(s.why for s in seen.values()),
        notes=(*loaded.notes, *(s.note for s in seen.values() if s.note)),
        ignored=tuple(name for name in loaded.names if name not in seen),
        dates=tuple(name for name, s in seen.items() if s.raw.kind.is_temporal and name not in wishes.kinds),
    )


def _name_of(source: Source) -> str:
    place = source.named or source.path
    return str(place) if source.table is None else f"{source.table}@{place}"


def _refusal_of_dates(name: str, kind: Kind) -> str:
    return sentence(
        f"Column {name!r} holds {kind}s, and dates='refuse' was said. Say what they are: ",
        read_with("date", [name]),
        ", ",
        read_with("numeric", [name]),
        " takes days since 1970-01-01, ",
        read_with("categorical", [name]),
        " their text, ",
        read_with("ignore", [name]),
        " leaves them out.",
    )


def _kinds_by_name(kinds: Kinds | None, lists: Mapping[Kind, Sequence[str]]) -> dict[str, Kind]:
    """Return the kinds that were asked for, by column; a second one for the same column is an error."""
    asked = {name: Kind(kind) for name, kind in (kinds or {}).items()}
    for kind, names in lists.items():
        for name in names:
            if asked.setdefault(name, kind) is not kind:
                word = {Kind.nominal: "categorical", Kind.numeric: "numeric"}.get(kind, "date")
                raise ValueError(
                    f"Column {name!r}: {word}= does not fit what else was said of it; say it once."
                )
    return asked


def _as_text(asked: dict[str, Kind], ordinal: Orders | None, categories: Orders | None) -> dict[str, Kind]:
    """Return the kinds that were said, where they say how the cells of a file are to be looked at."""
    known = {name: kind for name, kind in asked.items() if kind is not Kind.ordinal}  # numbers have an order
    known |= dict.fromkeys(categories or {}, Kind.nominal)
    return known | dict.fromkeys(ordinal or {}, Kind.ordinal)


def _as_list(given: Sequence[str] | str) -> list[str]:
    return [given] if isinstance(given, str) else list(given)


def _several(names: Sequence[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")


def _plural(word: str, count: int) -> str:
    return word if count == 1 else f"{word}s"


def _percent(share: float) -> str:
    return f"{100 * share:.2g} %" if share < 0.1 else f"{100 * share:.0f} %"


def _clip(text: str, width: int = 40) -> str:
    """Return a text that fits into a line: no line ends or other control signs, and not too long."""
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text[: width + 1])
    return shown if len(shown) <= width else shown[: width - 3] + "..."
