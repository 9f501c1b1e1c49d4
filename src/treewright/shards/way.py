"""How shards are read: what the caller says of the columns, and what the first file of text tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treewright.table.cast import Wishes
from treewright.table.files.judge import Rule
from treewright.table.files.loaded import Wanted
from treewright.table.files.numbers import MISSING_CELLS
from treewright.table.kind import Kind


@dataclass(frozen=True)
class Way:
    """The options of reading, and of text its layout; a plain value that travels to other machines."""

    wanted: Wanted = field(default_factory=Wanted)
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    ordinal: Mapping[str, Sequence[Any]] | None = None
    categories: Mapping[str, Sequence[Any]] | None = None
    dates: str = "date"
    names: tuple[str, ...] = ()  # of text: the columns of the first file
    numeric: frozenset[int] = frozenset()  # of text: the places of columns that look like numbers
    rule: Rule = field(default_factory=lambda: Rule(frozenset()))  # of text: which words are gaps, ...
    as_words: frozenset[str] = frozenset()  # columns that hold words in some shard: read as words everywhere

    @classmethod
    def of(
        cls,
        kinds: Mapping[str, Any] | None = None,
        ordinal: Mapping[str, Sequence[Any]] | None = None,
        missing: Sequence[str] | str | None = None,
        dates: str = "date",
        *,
        categories: Mapping[str, Sequence[Any]] | None = None,
        columns: Sequence[str] | None = None,
        separator: str | None = None,
        decimal: str | None = None,
        quote: str | None = None,
        encoding: str | None = None,
        header: bool | None = None,
        categorical: Sequence[str] | str = (),
        numeric: Sequence[str] | str = (),
        date: Any = (),
        ignore: Sequence[str] | str = (),
    ) -> Way:
        """Return how to read; the options are those of `tw.read`.

        >>> Way.of(categorical="zip").kinds
        {'zip': <Kind.nominal: 'nominal'>}
        """
        orders = dict(date) if isinstance(date, Mapping) else dict.fromkeys(listed(date), "")
        asked = {name: Kind(kind) for name, kind in (kinds or {}).items()}
        for kind, some in ((Kind.nominal, categorical), (Kind.numeric, numeric), (Kind.date, orders)):
            for name in listed(some):
                if asked.setdefault(name, kind) is not kind:
                    raise ValueError(f"Column {name!r}: two kinds were said of it; say it once.")
        as_text: dict[str, Kind] = {name: kind for name, kind in asked.items() if kind is not Kind.ordinal}
        as_text |= dict.fromkeys(categories or {}, Kind.nominal) | dict.fromkeys(ordinal or {}, Kind.ordinal)
        wanted = Wanted(
            separator=separator,
            decimal=decimal,
            quote=quote,
            encoding=encoding,
            header=header,
            missing=MISSING_CELLS if missing is None else [str(mark) for mark in listed(missing)],
            missing_is_said=missing is not None,
            kinds=as_text,
            columns=columns,
            ignore=listed(ignore),
            date_orders=orders,
            trim=False,
        )
        return cls(wanted, asked, ordinal, categories, dates)

    def wishes(self, names: Sequence[str]) -> Wishes:
        """Return what the caller says of these columns, checked."""
        return Wishes.of(
            names, self.kinds, self.ordinal, self.categories, self.dates, self.wanted.date_orders
        )

    def with_words(self, names: Sequence[str]) -> Way:
        """Return the way that reads these columns as words."""
        return replace(self, as_words=self.as_words | set(names))


def listed(given: Iterable[str] | str) -> list[str]:
    """Return one name, or several, as a list.

    >>> listed("a"), listed(("a", "b"))
    (['a'], ['a', 'b'])
    """
    return [given] if isinstance(given, str) else list(given)
