"""What a table's columns are: names, kinds and categories, without any row."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treewright.base.lines import Words, aligned, harmless
from treewright.base.names import nearest
from treewright.base.notebook import Shown
from treewright.measure import interval_names
from treewright.measure.intervals import checked_edges, number

from .kind import Kind
from .notations import Notation, notation_from
from .notations.clock import Clock
from .notations.date import Date
from .notations.duration import Duration
from .origin import Origin

__all__ = ["BOOLEAN_CATEGORIES", "Column", "Kind", "Schema", "check_unique_names", "no_such_column"]

BOOLEAN_CATEGORIES = ("False", "True")
# How the values of a kind are shown where nobody said otherwise.
_USUAL: dict[Kind, Notation] = {Kind.date: Date(), Kind.time: Clock(), Kind.duration: Duration()}


@dataclass(frozen=True)
class Column:
    """One column: its name, its kind and, unless numeric, its categories in their declared order.

    An ordinal column with `edges` is a numeric one cut into intervals: its categories are their names, and
    numbers that arrive for it are coded by the edges. A numeric column may have a `notation`, the way its
    cells are written, and dates, times and durations have one always. A column with an `origin` is made from
    another one: a part of a date, or a word of a text.

    >>> Column("Wind", Kind.nominal, ("Strong", "Weak"))
    Column(name='Wind', kind='nominal', categories=('Strong', 'Weak'))
    >>> Column("windy", Kind.boolean).categories
    ('False', 'True')
    >>> Column("degrees", Kind.ordinal, edges=(54, 85)).categories
    ('<= 54', '(54, 85]', '> 85')
    >>> Column("joined", Kind.date).text_of(17920.5), Column("age", Kind.numeric).text_of(17.5)
    ('2019-01-24', '17.5')
    """

    name: str
    kind: Kind
    categories: tuple[str, ...] = ()
    edges: tuple[float, ...] | None = None
    notation: Notation | None = None
    origin: Origin | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"A column name must be text; found {self.name!r} ({type(self.name).__name__}).")
        object.__setattr__(self, "kind", Kind(self.kind))
        given: object = self.categories
        if isinstance(given, str):
            raise TypeError(f"Column {self.name!r}: categories must be a sequence of texts, not {given!r}.")
        object.__setattr__(self, "categories", tuple(self.categories))
        if self.kind is Kind.boolean and not self.categories:
            object.__setattr__(self, "categories", BOOLEAN_CATEGORIES)
        if self.notation is None and self.kind in _USUAL:
            object.__setattr__(self, "notation", _USUAL[self.kind])
        if self.edges is not None:
            self._name_intervals()
        self._check()

    def _name_intervals(self) -> None:
        if self.kind is not Kind.ordinal:
            raise ValueError(f"Column {self.name!r} is {self.kind}; only an ordinal column has edges.")
        edges = tuple(checked_edges(self.edges, f"Column {self.name!r}: edges").tolist())
        names = interval_names(edges)
        if self.categories not in ((), names):
            raise ValueError(
                f"Column {self.name!r}: the intervals between its edges are {names!s:.100}, "
                f"but its categories are {self.categories!s:.100}."
            )
        object.__setattr__(self, "edges", edges)
        object.__setattr__(self, "categories", names)

    def _check(self) -> None:
        categories = self.categories
        if self.is_numeric and categories:
            raise ValueError(
                f"Column {self.name!r} is {self.kind} and can have no categories; make it nominal."
            )
        is_cut = self.edges is not None and self.notation is not None and self.notation.kind.is_temporal
        if self.notation is not None and self.notation.kind is not self.kind and not is_cut:
            raise ValueError(
                f"Column {self.name!r} is {self.kind}; its notation is for {self.notation.kind}."
            )
        if self.kind is Kind.boolean and categories != BOOLEAN_CATEGORIES:
            raise ValueError(
                f"Column {self.name!r} is boolean: its categories are {BOOLEAN_CATEGORIES}, not {categories}."
            )
        odd = [c for c in categories if type(c) is not str]
        if odd:
            raise TypeError(f"Column {self.name!r}: categories are texts; found {odd[0]!r}.")
        if not _is_text("".join((self.name, *categories))):
            half = next(text for text in (self.name, *categories) if not _is_text(text))
            raise ValueError(
                f"Column {self.name!r}: {half!r} holds half of a character (a lone surrogate), which no file "
                "can hold. Read the data in their right encoding, or give it another name."
            )
        if len(set(categories)) != len(categories):
            twice = next(c for c, n in Counter(categories).items() if n > 1)
            raise ValueError(f"Column {self.name!r}: category {twice!r} is listed twice; list each once.")

    def __repr__(self) -> str:
        tail = f", categories={self.categories!r}" if self.categories else ""
        tail = tail if self.edges is None else f", edges={self.edges!r}"
        return f"Column(name={self.name!r}, kind={self.kind.value!r}{tail})"

    def categories_in_words(self, most: int = 8) -> str:
        """Return the categories in a line, the first of many.

        >>> Column("size", Kind.ordinal, ("S", "M", "L")).categories_in_words(), Column("age", Kind.numeric)
        ('S, M, L', Column(name='age', kind='numeric'))
        """
        more = len(self.categories) - most
        shown = [*self.categories[:most], f"... {more} more"] if more > 0 else self.categories
        return harmless(", ".join(shown))

    def __str__(self) -> str:
        categories = f" ({self.categories_in_words()})" if self.categories else ""
        return harmless(f"{self.name}: {self.kind}{categories}")

    @property
    def is_numeric(self) -> bool:
        """True for a column whose values are float64, not codes: numbers, dates, times and durations."""
        return self.kind.is_numeric

    @property
    def is_temporal(self) -> bool:
        """True for dates, times of day and durations: numbers that are shown otherwise."""
        return self.kind.is_temporal

    def text_of(self, value: float) -> str:
        """Return a value of a numeric column as it is shown: a number, a date, a time, a duration.

        >>> Column("slept", Kind.duration).text_of(0.3125)
        '7 h 30 min'
        """
        notation = self.notation
        return number(value) if notation is None or not self.shows_moments else notation.to_text(value)

    @property
    def shows_moments(self) -> bool:
        """True where numbers are shown as dates, times or durations, also cut into intervals."""
        return self.notation is not None and self.notation.kind.is_temporal

    def to_dict(self) -> dict[str, Any]:
        """Return the column as plain JSON values.

        >>> Column("age", Kind.numeric).to_dict()
        {'name': 'age', 'kind': 'numeric'}
        """
        plain: dict[str, Any] = {"name": self.name, "kind": self.kind.value}
        if not self.is_numeric:
            plain["categories"] = list(self.categories)
        if self.edges is not None:
            plain["edges"] = list(self.edges)
        if self.notation is not None:
            plain["notation"] = self.notation.to_dict()
        if self.origin is not None:
            plain["origin"] = self.origin.to_dict()
        return plain

    @classmethod
    def from_dict(cls, plain: Any) -> Column:
        """Return the column that `to_dict` wrote; anything else is a ValueError.

        >>> Column.from_dict({"name": "Wind", "kind": "nominal", "categories": ["Strong", "Weak"]}).categories
        ('Strong', 'Weak')
        """
        if not isinstance(plain, Mapping) or not {"name", "kind"} <= set(plain):
            raise ValueError(f"A column is stored as an object with 'name' and 'kind'; found {plain!r:.100}.")
        categories = plain.get("categories", ())
        if not isinstance(categories, (list, tuple)):
            raise ValueError(f"Column {plain['name']!r:.100}: 'categories' must be a list of texts.")
        edges = plain.get("edges")
        if edges is not None and not isinstance(edges, (list, tuple)):
            raise ValueError(f"Column {plain['name']!r:.100}: 'edges' must be a list of numbers.")
        notation, origin = plain.get("notation"), plain.get("origin")
        try:
            return cls(
                plain["name"],
                Kind(plain["kind"]),
                tuple(categories),
                None if edges is None else tuple(edges),
                None if notation is None else notation_from(notation),
                None if origin is None else Origin.from_dict(origin),
            )
        except TypeError as error:
            raise ValueError(str(error)) from None


def _is_text(text: str) -> bool:
    """Say whether a text can be written down: whether it has no half of a pair of UTF-16."""
    try:
        return text.isascii() or bool(text.encode("utf-8"))
    except UnicodeEncodeError:
        return False


class UnknownColumnError(KeyError):
    """A column that a table does not have; it is printed as a sentence, without the quotes of a KeyError.

    >>> str(UnknownColumnError("No column is named 'agee'."))
    "No column is named 'agee'."
    """

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


@dataclass(frozen=True, repr=False)
class Schema(Shown):
    """The columns of a table, in order.

    >>> schema = Schema((Column("Outlook", Kind.nominal, ("Sunny", "Rainy")), Column("age", Kind.numeric)))
    >>> schema.names, schema.index("age"), len(schema)
    (('Outlook', 'age'), 1, 2)
    >>> schema.index("agee")
    Traceback (most recent call last):
    treewright.table.schema.UnknownColumnError: No column is named 'agee'; did you mean 'age'?
    """

    columns: tuple[Column, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        check_unique_names(self.names)
        object.__setattr__(self, "_places", {name: i for i, name in enumerate(self.names)})
        binned = tuple(i for i, column in enumerate(self.columns) if column.edges is not None)
        object.__setattr__(self, "_binned", binned)

    def __str__(self) -> str:
        columns = [
            Words("column", list(self.names), "<"),
            Words("kind", [str(column.kind) for column in self.columns], "<"),
            Words("categories", [column.categories_in_words() for column in self.columns], "<"),
        ]
        return "\n".join(aligned(columns if any(columns[2].cells) else columns[:2]))

    def in_short(self) -> str:
        """Return the columns with their kinds, the first of many.

        >>> Schema((Column("Wind", Kind.nominal, ("Strong", "Weak")), Column("age", Kind.numeric)))
        Schema(Wind: nominal (2), age: numeric)
        """
        shown = [
            f"{column.name}: {column.kind}" + (f" ({len(column.categories)})" if column.categories else "")
            for column in self.columns[:8]
        ]
        more = len(self.columns) - len(shown)
        return harmless(", ".join([*shown, f"... {more} more"] if more else shown))

    def __len__(self) -> int:
        return len(self.columns)

    def __getitem__(self, name: str) -> Column:
        return self.columns[self.index(name)]

    def __contains__(self, name: object) -> bool:
        return name in self._places  # type: ignore[attr-defined]

    @property
    def names(self) -> tuple[str, ...]:
        """The column names, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def binned(self) -> tuple[int, ...]:
        """The places of the columns that are numbers cut into intervals."""
        found: tuple[int, ...] = self._binned  # type: ignore[attr-defined]
        return found

    @property
    def has_notations(self) -> bool:
        """True where a column says how its cells are written, or what it is made from."""
        return any(column.notation is not None or column.origin is not None for column in self.columns)

    def index(self, name: str) -> int:
        """Return the place of a column; the error for an unknown name suggests the nearest one.

        >>> Schema((Column("age", Kind.numeric), Column("windy", Kind.boolean))).index("windy")
        1
        """
        place: int | None = self._places.get(name)  # type: ignore[attr-defined]
        if place is None:
            raise UnknownColumnError(no_such_column(name, self.names))
        return place

    def text_of(self, name: str, value: float) -> str:
        """Return a value of a numeric column as it is shown; see `Column.text_of`.

        >>> Schema((Column("joined", Kind.date),)).text_of("joined", 17920.5)
        '2019-01-24'
        """
        return self[name].text_of(value)

    def to_dict(self) -> dict[str, Any]:
        """Return the schema as plain JSON values.

        >>> Schema((Column("age", Kind.numeric),)).to_dict()
        {'columns': [{'name': 'age', 'kind': 'numeric'}]}
        """
        return {"columns": [column.to_dict() for column in self.columns]}

    @classmethod
    def from_dict(cls, plain: Any) -> Schema:
        """Return the schema that `to_dict` wrote; anything else is a ValueError.

        >>> Schema.from_dict({"columns": [{"name": "age", "kind": "numeric"}]}).names
        ('age',)
        """
        columns = plain.get("columns") if isinstance(plain, Mapping) else None
        if not isinstance(columns, (list, tuple)):
            raise ValueError(f"A schema is stored as an object with a list 'columns'; found {plain!r:.100}.")
        return cls(tuple(Column.from_dict(column) for column in columns))


def check_unique_names(names: Sequence[str]) -> None:
    """Refuse names that occur twice: a test in a tree must say which column it means."""
    if len(set(names)) == len(names):
        return
    twice, count = next((name, n) for name, n in Counter(names).items() if n > 1)
    raise ValueError(f"{count} columns are named {twice!r}; rename them so that each name is used once.")


def no_such_column(name: object, names: Iterable[str]) -> str:
    """Return the sentence for an unknown column name, with the nearest known one.

    >>> no_such_column("Winds", ["Outlook", "Wind"])
    "No column is named 'Winds'; did you mean 'Wind'?"
    """
    known = list(names)
    if near := nearest(name, known):
        return f"No column is named {name!r}; did you mean {near!r}?"
    shown = ", ".join(map(repr, known[:8])) + (f" and {len(known) - 8} more" if len(known) > 8 else "")
    return f"No column is named {name!r}; the columns are {shown}."
