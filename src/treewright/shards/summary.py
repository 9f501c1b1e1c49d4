"""What the columns of some shards hold, in a value that merges: in any order, to the same sum.

Words and categories are kept with their counts, sorted by their bytes; of numbers the least and the
greatest, and how many there are. Numbers that are asked to be categories are kept one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.base.names import hint
from treewright.base.progress import Watcher
from treewright.table.files.duck import connected
from treewright.table.files.judge import Words
from treewright.table.kind import Kind
from treewright.table.notations import Notation
from treewright.table.notations.temporal import STEPS, Temporal
from treewright.table.raw import Raw
from treewright.table.schema import check_unique_names

from .found import AS_IS, Found
from .listing import Listing
from .readers import FORMATS, read_shard
from .shard import Shard
from .way import Way

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

MOST_WORDS = 2_000_000  # distinct ones of a column


@dataclass(frozen=True)
class ColumnSummary:
    """What a column holds in some shards."""

    name: str
    how: str
    kind: Kind
    n_rows: int = 0
    n_gaps: int = 0
    words: tuple[str, ...] = ()  # by their bytes; declared categories in their order
    counts: tuple[int, ...] = ()
    declared: bool = False
    numbers: tuple[float, ...] = ()  # distinct ones, ascending, where categories are wanted
    least: float = np.inf
    greatest: float = -np.inf
    is_single: bool = True  # all numbers are numbers of 32 bits
    notation: Notation | None = None
    why: str = ""
    place: str = ""  # the first shard in which it has values, for people

    @property
    def is_blank(self) -> bool:
        """True where no cell has a value, and nothing is declared."""
        return self.n_gaps == self.n_rows and not self.words

    @property
    def has_words(self) -> bool:
        """True where the column is codes into words or categories."""
        return not self.kind.is_numeric and self.kind is not Kind.boolean


@dataclass(frozen=True)
class Counted(Words):
    """Distinct words, each standing for as many cells as it has."""

    cells: Any = None

    @property
    def n_known(self) -> int:
        """The cells that have a word."""
        return int(self.counts.sum())

    @property
    def counts(self) -> Any:
        """The cells of each distinct word."""
        counted = np.zeros(len(self.texts) + 1, dtype=np.int64)
        np.add.at(counted, self.codes, self.cells)  # -1: words that turned out to be gaps
        return counted[:-1]

    def count(self, chosen: Any) -> int:
        """Return how many cells have a word among the chosen."""
        return int(self.counts[chosen].sum())


@dataclass(frozen=True)
class Summary:
    """The columns of some shards, and which of them must be read again, as words."""

    names: tuple[str, ...]
    columns: Mapping[str, ColumnSummary]
    n_rows: int
    conflicts: Mapping[str, str] = field(default_factory=dict)  # by column: which shards differ, for people
    place: str = ""  # the first of the shards, for people

    def merged(self, other: Summary) -> Summary:
        """Return what both hold together."""
        if set(self.names) != set(other.names):
            odd = min(set(self.names) ^ set(other.names))
            has, lacks = (self, other) if odd in self.names else (other, self)
            raise ValueError(
                f"The shard {lacks.place} has no column {odd!r}, and {has.place} has one; all shards need "
                "the same columns."
            )
        conflicts = {**other.conflicts, **self.conflicts}
        columns = {}
        for name in self.names:
            both = merged(self.columns[name], other.columns[name])
            if both is None:
                conflicts.setdefault(name, _differing(self.columns[name], other.columns[name]))
                both = self.columns[name]
            columns[name] = both
        n_rows, place = self.n_rows + other.n_rows, min(self.place, other.place)
        return Summary(self.names, columns, n_rows, conflicts, place)


def _differing(one: ColumnSummary, two: ColumnSummary) -> str:
    """Return which shard has what, where they do not go together."""
    held = sorted((column.place, "words" if column.has_words else "numbers") for column in (one, two))
    return " and ".join(f"{what} in the shard {place}" for place, what in held)


def merged(one: ColumnSummary, two: ColumnSummary) -> ColumnSummary | None:
    """Return what a column holds in the shards of both; None where one has words and the other numbers."""
    if one.is_blank or two.is_blank:
        full = two if one.is_blank else one
        return replace(full, n_rows=one.n_rows + two.n_rows, n_gaps=one.n_gaps + two.n_gaps)
    if one.has_words != two.has_words or (one.how != two.how):
        return None
    if not one.has_words and one.kind is not two.kind:
        raise ValueError(
            f"Column {one.name!r} holds {one.kind} values in the shard {one.place} and {two.kind} ones in "
            f"{two.place}; all shards need one kind."
        )
    words, counts, declared = _merged_words(one, two)
    return ColumnSummary(
        one.name,
        one.how,
        one.kind,
        one.n_rows + two.n_rows,
        one.n_gaps + two.n_gaps,
        words,
        counts,
        declared,
        tuple(np.union1d(one.numbers, two.numbers).tolist()) if one.numbers or two.numbers else (),
        min(one.least, two.least),
        max(one.greatest, two.greatest),
        one.is_single and two.is_single,
        _finer(one.notation, two.notation),
        min(one.why, two.why),
        min(one.place, two.place),
    )


def _merged_words(one: ColumnSummary, two: ColumnSummary) -> tuple[tuple[str, ...], tuple[int, ...], bool]:
    if one.words == two.words:
        counts = tuple(a + b for a, b in zip(one.counts, two.counts, strict=True))
        return one.words, counts, one.declared and two.declared
    declared = one.declared and two.declared
    if declared and not all(list(words) == sorted(words) for words in (one.words, two.words)):
        raise ValueError(
            f"Column {one.name!r} declares other categories in one shard than in another: "
            f"{list(one.words)!s:.80} and {list(two.words)!s:.80}. Declare the same ones, in one order, or "
            "read it as text."
        )
    counted = dict(zip(one.words, one.counts, strict=True))
    for word, n in zip(two.words, two.counts, strict=True):
        counted[word] = counted.get(word, 0) + n
    words = tuple(sorted(counted))
    _check_words(one.name, words)
    return words, tuple(counted[word] for word in words), declared


def _check_words(name: str, words: Sequence[str]) -> None:
    if len(words) > MOST_WORDS:
        raise ValueError(
            f"Column {name!r} has more than {MOST_WORDS:,} different words, such as {words[0]!r:.40}; no "
            f"tree can ask about them. Leave it out: ignore=[{name!r}]."
        )


def _finer(one: Notation | None, two: Notation | None) -> Notation | None:
    if isinstance(one, Temporal) and isinstance(two, Temporal):
        steps = list(STEPS)
        return max(one, two, key=lambda notation: steps.index(notation.resolution))
    return one if one is not None else two


# ---- of one shard ----------------------------------------------------------------------------------------


def summary_of(
    shard: Shard, way: Way, connection: DuckDBPyConnection | None = None, names: Sequence[str] = ()
) -> Summary:
    """Return what the columns of one shard hold; `names`: of these columns only.

    >>> import treewright as tw
    >>> from treewright.shards import shards_of
    >>> listing = shards_of([tw.example("tennis")])
    >>> found = summary_of(listing.shards[0], listing.way)
    >>> found.n_rows, found.columns["Wind"].words, found.columns["Wind"].counts
    (14, ('Strong', 'Weak'), (6, 8))
    """
    if connection is None:
        with connected() as opened:
            return summary_of(shard, way, opened, names)
    chosen = list(names) or names_of(shard, way, connection)
    found = read_shard(connection, shard, chosen, way)
    place = f"number {shard.part + 1}" if shard.held is not None else repr(shard.name)
    columns = {name: replace(column_summary(name, found[name], way), place=place) for name in chosen}
    n_rows = next(iter(columns.values())).n_rows
    return Summary(tuple(chosen), columns, n_rows, place=place)


def names_of(shard: Shard, way: Way, connection: DuckDBPyConnection) -> list[str]:
    """Return the columns of a shard that are to be read."""
    all_names = FORMATS[shard.format].names(connection, shard, way)
    check_unique_names(all_names)
    return list(way.wanted.chosen(all_names))


def check_names(listing: Listing, names: Sequence[str]) -> None:
    """Refuse columns that the first shard does not have, before any row is read.

    >>> import treewright as tw
    >>> from treewright.shards import shards_of
    >>> check_names(shards_of([tw.example("tennis")]), ["wind"])
    Traceback (most recent call last):
    ValueError: The data have no column 'wind'; did you mean 'Wind'? They have 'Outlook', ...
    """
    with connected() as connection:
        known = names_of(listing.shards[0], listing.way, connection)
    for name in names:
        if name not in known:
            way = hint(name, known) or "."
            raise ValueError(
                f"The data have no column {name!r}{way} They have {', '.join(map(repr, known))}."
            )


def column_summary(name: str, found: Found, way: Way) -> ColumnSummary:
    """Return what one column holds in one shard."""
    raw = found.raw
    if found.has_words:
        counts = np.bincount(raw.values + 1, minlength=len(raw.categories) + 1)
        words, counted = raw.categories, counts[1:]
        _check_words(name, words)
        n_gaps = int(counts[0])
        whole = tuple(words), tuple(counted.tolist()), raw.declared
        return ColumnSummary(name, found.how, raw.kind, len(raw.values), n_gaps, *whole, why=found.why)
    values = raw.values
    if raw.kind is Kind.boolean:
        return ColumnSummary(name, AS_IS, raw.kind, len(values), int((values < 0).sum()), why=found.why)
    floats = _floats(raw)
    known = floats[~np.isnan(floats)]
    wanted = way.kinds.get(name)
    is_category = (
        name in (way.categories or {})
        or name in (way.ordinal or {})
        or (wanted is not None and not wanted.is_numeric)
    )
    return ColumnSummary(
        name,
        found.how,
        raw.kind,
        len(values),
        len(values) - len(known),
        numbers=tuple(np.unique(known).tolist()) if is_category else (),
        least=float(known.min(initial=np.inf)),
        greatest=float(known.max(initial=-np.inf)),
        is_single=values.dtype == np.float32 or _fits_single(known),
        notation=raw.notation,
        why=found.why,
    )


def _floats(raw: Raw) -> Any:
    values = raw.values
    if raw.missing is None or values.dtype.kind == "f":
        return values if values.dtype.kind == "f" else values.astype(np.float64)
    floats = values.astype(np.float64)
    floats[raw.missing] = np.nan
    return floats


def _fits_single(values: Any) -> bool:
    with np.errstate(over="ignore"):
        return bool(np.array_equal(values.astype(np.float32).astype(np.float64), values))


def summary(
    shards: Sequence[Shard], way: Way, names: Sequence[str] = (), tell: Watcher | None = None
) -> Summary:
    """Return what all shards hold; columns that are words in some of them are read again as words."""
    with connected() as connection:
        return settled(lambda way, names: _all(shards, way, connection, names, tell), way, names)


def settled(find: Callable[[Way, Sequence[str]], Summary], way: Way, names: Sequence[str] = ()) -> Summary:
    """Return what all shards hold, wherever they are: `find` gives their summaries merged."""
    found = find(way, names)
    again = found.conflicts
    if not again:
        return found
    of_words = find(way.with_words(sorted(again)), sorted(again))
    if of_words.conflicts:
        raise ValueError(
            f"Column {(odd := min(of_words.conflicts))!r} holds {of_words.conflicts[odd]}; all shards need "
            "one kind."
        )
    return replace(found, columns={**found.columns, **of_words.columns}, conflicts={})


def _all(
    shards: Sequence[Shard],
    way: Way,
    connection: DuckDBPyConnection,
    names: Sequence[str],
    tell: Watcher | None,
) -> Summary:
    found = None
    for n_done, shard in enumerate(shards, 1):
        one = summary_of(shard, way, connection, names)
        found = one if found is None else found.merged(one)
        if tell is not None:
            tell(n_done / len(shards))
    assert found is not None
    return found
