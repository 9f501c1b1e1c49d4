"""What the caller wants of a file, and what a loaded file offers: names, and columns to be looked at."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from treewright.table.notations import Notation
from treewright.table.schema import Kind, UnknownColumnError, no_such_column

from .duck import Watcher
from .judge import Rule, Verdict
from .numbers import MISSING_CELLS


@dataclass(frozen=True)
class Wanted:
    """What the caller says of a file; None where it is to be found out."""

    separator: str | None = None
    decimal: str | None = None
    quote: str | None = None
    encoding: str | None = None
    header: bool | None = None
    missing: Sequence[str] = MISSING_CELLS
    missing_is_said: bool = False
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    columns: Sequence[str] | None = None
    ignore: Sequence[str] = ()
    date_orders: Mapping[str, str] = field(default_factory=dict)
    notations: Mapping[str, Notation] = field(default_factory=dict)
    skip: int | None = None  # lines above the names; None: found out
    trim: bool = True  # whether lines of titles, totals and repeated names are left out
    progress: Watcher | None = None

    @property
    def own_marks(self) -> frozenset[str]:
        """The marks of a gap for files that have gaps of their own: only those that the caller named."""
        return frozenset(self.missing) if self.missing_is_said else frozenset()

    def kind_of(self, name: str) -> Kind | None:
        """Return the kind that a column is to have, if the caller said so."""
        return self.kinds.get(name)

    def rule_for(self, name: str, rule: Rule) -> Rule:
        """Return a rule with what the caller says of one column: the order of its dates, its notation."""
        return replace(rule, date_order=self.date_orders.get(name, ""), notation=self.notations.get(name))

    def chosen(self, names: Sequence[str]) -> list[str]:
        """Return the columns to read, or raise for a name that is none of the file's."""
        known, ignored = set(names), set(self.ignore)
        for name in (*(self.columns or ()), *self.ignore, *self.kinds):
            if name not in known:
                raise UnknownColumnError(no_such_column(name, names))
        left = [name for name in (names if self.columns is None else self.columns) if name not in ignored]
        if not left:
            raise ValueError("No column is left to read; ignore fewer of them.")
        return left


@dataclass(frozen=True)
class Loaded:
    """A file of which the names are known; `look` says what a column holds."""

    names: list[str]
    look: Callable[[str], Verdict]
    layout: Mapping[str, Any]
    words: str  # the layout, for people
    notes: tuple[str, ...] = ()
