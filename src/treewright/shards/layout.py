"""The columns of the whole data set, and how the cells of any shard become their codes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import read_with, sentence
from treewright.base.progress import Watcher
from treewright.table.cast import cast, exact_floats
from treewright.table.files.duck import connected
from treewright.table.files.judge import Rule, judge, judge_stored
from treewright.table.kind import Kind
from treewright.table.raw import MISSING, ColumnError, Raw
from treewright.table.schema import Column, Schema
from treewright.table.table import Table

from .found import JUDGED, STORED, Found
from .listing import Listing
from .readers import read_shard
from .shard import Shard
from .summary import ColumnSummary, Counted, Summary, summary
from .way import Way

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_SHOWN = "some shard"  # where a word stands, for people


@dataclass(frozen=True)
class Coding:
    """A column, and what its words, or distinct numbers, become; None: numbers stay what they are."""

    column: Column
    words: tuple[str, ...] | None = None
    numbers: NDArray[np.float64] | None = None
    values: NDArray[Any] | None = None
    counts: tuple[int, ...] | None = None  # the cells of each word
    n_gaps: int = 0
    is_single: bool = False  # all values are numbers of 32 bits
    least: float = np.inf
    greatest: float = -np.inf

    def coded(self, found: Found) -> NDArray[Any]:
        """Return the cells of a shard as the column has them: float64, NaN a gap, or int32, -1 a gap."""
        raw, name = found.raw, self.column.name
        blank = np.nan if self.column.is_numeric else MISSING
        if self.words is not None and found.has_words:
            assert self.values is not None
            place = {word: i for i, word in enumerate(self.words)}
            try:
                own = self.values[np.array([place[word] for word in raw.categories], dtype=np.intp)]
            except KeyError as strange:
                raise ValueError(
                    f"Column {name!r} holds {strange.args[0]!r}, which was in no shard when they were listed."
                ) from None
            return np.append(own, np.array([blank], dtype=self.values.dtype))[raw.values]
        if self.numbers is not None and self.values is not None:
            floats = exact_floats(name, raw)
            place_of = np.searchsorted(self.numbers, floats)  # NaN comes last
            return np.append(self.values, np.array([blank], dtype=self.values.dtype))[place_of]
        if self.column.is_numeric:
            if raw.kind is Kind.boolean:
                return np.where(raw.values < 0, np.nan, raw.values.astype(np.float64))
            return exact_floats(name, raw) if not _is_blank(raw) else np.full(len(raw.values), np.nan)
        if _is_blank(raw):
            return np.full(len(raw.values), MISSING, dtype=np.int32)
        if raw.kind is not Kind.boolean:
            raise ValueError(f"Column {name!r} holds {raw.kind} values, and truth values in other shards.")
        return raw.values


def _is_blank(raw: Raw) -> bool:
    return bool(np.all(np.isnan(raw.values)) if raw.values.dtype.kind == "f" else np.all(raw.values < 0))


@dataclass(frozen=True)
class Layout:
    """All that is known of a data set before its rows are read again: it travels to whoever reads a shard."""

    codings: tuple[Coding, ...]
    way: Way
    n_rows: int
    whys: Mapping[str, str]

    @cached_property
    def schema(self) -> Schema:
        """The columns, as `tw.read` finds them on the whole."""
        return Schema(tuple(coding.column for coding in self.codings))

    def coding(self, name: str) -> Coding:
        """Return the coding of a column."""
        return self.codings[self.schema.index(name)]

    def values(
        self,
        connection: DuckDBPyConnection,
        shard: Shard,
        names: Sequence[str],
        rows: tuple[int, int] | None = None,
    ) -> list[NDArray[Any]]:
        """Return columns of a shard, or of some of its rows, in the codes of the whole."""
        found = read_shard(connection, shard, names, self.way, rows)
        return [self.coding(name).coded(found[name]) for name in names]

    def table(self, shard: Shard) -> Table:
        """Return the rows of a shard as a table with the columns of the whole."""
        with connected() as connection:
            return Table(self.schema, tuple(self.values(connection, shard, self.schema.names)))


def layout_of(listing: Listing, names: Sequence[str] = (), tell: Watcher | None = None) -> Layout:
    """Return the layout of a data set: its shards are looked at once, in any order; `tell` hears how far.

    >>> import treewright as tw
    >>> from treewright.shards import shards_of
    >>> tennis = tw.example("tennis")
    >>> layout = layout_of(shards_of([tennis.take([0, 1]), tennis.take([2])]))
    >>> layout.schema == tennis.schema, layout.n_rows
    (True, 3)
    """
    found = summary(listing.shards, listing.way, names, tell)
    return laid_out(found, listing.way)


def laid_out(found: Summary, way: Way) -> Layout:
    """Return the layout that the merged summary of all shards comes to."""
    if not found.n_rows:
        raise ValueError(f"The shards have no rows, only columns ({', '.join(map(repr, found.names[:8]))}).")
    wishes = way.wishes(found.names)
    codings, whys, again = [], {}, set()
    for name in found.names:
        column = found.columns[name]
        try:
            coding, why = _coding(column, way, wishes)
        except ColumnError as error:
            raise ColumnError(
                sentence(f"{error} To read without it: ", read_with("ignore", [name]), ".")
            ) from None
        codings.append(coding)
        whys[name] = why
        if column.how == JUDGED and not column.is_blank:
            again.add(name)
    return Layout(tuple(codings), way.with_words(sorted(again)), found.n_rows, whys)


def _coding(column: ColumnSummary, way: Way, wishes: Any) -> tuple[Coding, str]:
    name = column.name
    if column.has_words:
        verdict_raw, why = _judged(column, way)
        held, values = cast(name, verdict_raw, wishes)
        is_gap = np.isnan(values) if held.is_numeric else values < 0
        n_gaps = column.n_gaps + int(np.array(column.counts, dtype=np.int64)[is_gap].sum())
        return _with_ends(
            Coding(held, words=column.words, values=values, counts=column.counts, n_gaps=n_gaps)
        ), why
    if column.numbers:
        numbers = np.array(column.numbers)
        held, values = cast(name, Raw(column.kind, numbers, notation=column.notation), wishes)
        return Coding(held, numbers=numbers, values=values, n_gaps=column.n_gaps), f"{held.kind} as asked"
    if column.kind is Kind.boolean:
        held, _ = cast(name, Raw(Kind.boolean, np.zeros(0, dtype=np.int32)), wishes)
        return Coding(held, n_gaps=column.n_gaps, is_single=True, least=0.0, greatest=1.0), column.why
    empty = np.array([x for x in (column.least, column.greatest) if np.isfinite(x)])
    held, _ = cast(name, Raw(column.kind, empty, notation=column.notation), wishes)
    found = Coding(
        held, n_gaps=column.n_gaps, is_single=column.is_single, least=column.least, greatest=column.greatest
    )
    return found, column.why


def _with_ends(coding: Coding) -> Coding:
    """Return the coding of words that spell numbers with the least and the greatest of them."""
    if not coding.column.is_numeric or coding.values is None:
        return coding
    known = coding.values[~np.isnan(coding.values)]
    ends = float(known.min(initial=np.inf)), float(known.max(initial=-np.inf))
    with np.errstate(over="ignore"):
        is_single = bool(np.array_equal(known.astype(np.float32).astype(np.float64), known))
    return replace(coding, is_single=is_single, least=ends[0], greatest=ends[1])


def _judged(column: ColumnSummary, way: Way) -> tuple[Raw, str]:
    """Return a column's words as what they are, a row for each."""
    codes = np.arange(len(column.words), dtype=np.int32)
    if column.how not in (STORED, JUDGED):
        return Raw(column.kind, codes, column.words, declared=column.declared), column.why
    words = Counted(list(column.words), codes, np.array(column.counts, dtype=np.int64))
    asked = way.wanted.kind_of(column.name)

    def line_of(_row: int) -> str:
        return _SHOWN

    if column.how == JUDGED:
        rule = way.rule if way.names else Rule(frozenset(way.wanted.missing))
        verdict = judge(column.name, words, way.wanted.rule_for(column.name, rule), asked, line_of)
    else:
        marks = way.wanted.own_marks
        rule = way.wanted.rule_for(column.name, Rule(marks, blank_is_gap="" in marks))
        verdict = judge_stored(column.name, words, rule, asked, line_of, column.why)
    return verdict.raw, verdict.why
