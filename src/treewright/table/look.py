"""A table to look at: its first rows, what its columns hold, and both in a notebook with small histograms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import Words, aligned
from treewright.base.notebook import html_table
from treewright.base.numbers import count, number, percent

from .frame import frame_of
from .schema import Column, Kind

if TYPE_CHECKING:
    from .table import Table

ROWS = 10  # that are shown
COLUMNS = 30
BARS = 12
LONGEST = 40  # letters of a cell


@dataclass(frozen=True)
class ColumnFacts:
    """What one column holds."""

    name: str
    kind: str
    missing: int
    distinct: int
    low: float | str | None  # the least number, or the most common category
    middle: float | None  # the median; of categories the share of the most common one
    high: float | None
    bars: tuple[int, ...]  # rows by value: equal steps from the least to the largest, or the commonest


@dataclass(frozen=True)
class Description:
    """What the columns of a table hold, one line each; made by `Table.describe`.

    >>> from treewright.table import example
    >>> print(example("tennis").describe())
    14 rows, 5 columns
    column       kind     missing  distinct  values
    Outlook      nominal        0         3  Sunny 36 %, Rainy 36 %, Overcast 29 %
    Temperature  nominal        0         3  Mild 43 %, Hot 29 %, Cool 29 %
    Humidity     nominal        0         2  High 50 %, Normal 50 %
    Wind         nominal        0         2  Weak 57 %, Strong 43 %
    PlayTennis   nominal        0         2  Yes 64 %, No 36 %
    """

    n_rows: int
    columns: tuple[ColumnFacts, ...]
    words: tuple[str, ...]  # for each column: its range, or its commonest categories

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the facts as columns.

        >>> from treewright.table import example
        >>> example("tennis").describe().to_dict()["distinct"]
        [3, 3, 2, 2, 2]
        """
        names = ("name", "kind", "missing", "distinct", "low", "middle", "high")
        return {name: [getattr(column, name) for column in self.columns] for name in names}

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the facts as a data frame of pandas, polars or pyarrow; `low` is text there.

        >>> from treewright.table import example
        >>> example("tennis").describe().to_frame("pandas")["missing"].sum().item()
        0
        """
        plain = self.to_dict()
        plain["low"] = [None if cell is None else str(cell) for cell in plain["low"]]
        return frame_of(plain, backend)

    def _lines(self) -> list[Words]:
        return [
            Words("column", [column.name for column in self.columns], "<"),
            Words("kind", [column.kind for column in self.columns], "<"),
            Words("missing", [count(column.missing) for column in self.columns]),
            Words("distinct", [count(column.distinct) for column in self.columns]),
            Words("values", self.words, "<"),
        ]

    def _head(self) -> str:
        return f"{count(self.n_rows, 'row')}, {count(len(self.columns), 'column')}"

    def __str__(self) -> str:
        return "\n".join([self._head(), *aligned(self._lines())])

    def _repr_html_(self) -> str:
        bars = Words("", [_histogram(column) for column in self.columns], "<")
        columns = [*self._lines(), bars]
        return f"<div>{self._head()}</div>{html_table(columns, raw=[len(columns) - 1])}"


def description(table: Table) -> Description:
    """Return what the columns of a table hold.

    >>> from treewright.table import Table
    >>> print(description(Table.from_dict({"age": [20, 30, None, 70]})))
    4 rows, 1 column
    column  kind     missing  distinct  values
    age     numeric        1         3  20 to 70, median 30
    """
    facts, words = [], []
    for column, values in zip(table.schema.columns, table.values, strict=True):
        one, text = _numbers(column, values) if column.is_numeric else _categories(column, values)
        facts.append(one)
        words.append(text)
    return Description(table.n_rows, tuple(facts), tuple(words))


def _numbers(column: Column, values: NDArray[Any]) -> tuple[ColumnFacts, str]:
    known = np.sort(values[~np.isnan(values)])
    gaps, kind = len(values) - len(known), str(column.kind)
    if not len(known):
        return ColumnFacts(column.name, kind, gaps, 0, None, None, None, ()), "nothing"
    distinct = 1 + int(np.count_nonzero(np.diff(known)))
    low, middle, high = float(known[0]), float(np.median(known)), float(known[-1])
    if np.isfinite(high - low) and high > low:
        bars = np.histogram(known, BARS, (low, high))[0].tolist()
    else:
        bars = [len(known)]
    words = f"{number(low)} to {number(high)}, median {number(middle)}"
    return ColumnFacts(column.name, kind, gaps, distinct, low, middle, high, tuple(bars)), words


def _categories(column: Column, values: NDArray[Any]) -> tuple[ColumnFacts, str]:
    counts = np.bincount(values[values >= 0], minlength=len(column.categories))
    order = np.argsort(-counts, kind="stable")
    n_known, distinct = int(counts.sum()), int(np.count_nonzero(counts))
    kind, gaps = str(column.kind), len(values) - n_known
    if not n_known:
        return ColumnFacts(column.name, kind, gaps, 0, None, None, None, ()), "nothing"
    top = [i for i in order[:3].tolist() if counts[i]]
    words = ", ".join(f"{_short(column.categories[i])} {percent(counts[i] / n_known)}" for i in top)
    if distinct > len(top):
        words += f", {count(distinct - len(top))} more"
    bars = counts[order[:BARS]] if column.kind is not Kind.ordinal else counts[:BARS]
    share = float(counts[order[0]] / n_known)
    best = column.categories[int(order[0])]
    return ColumnFacts(column.name, kind, gaps, distinct, best, share, None, tuple(bars.tolist())), words


def _histogram(column: ColumnFacts) -> str:
    """Return the bars of a column as a small SVG."""
    if not column.bars:
        return ""
    top, width, height = max(*column.bars, 1), 6, 20
    bars = "".join(
        f'<rect x="{i * width}" y="{height - max(1, round(height * n / top))}" width="{width - 1}" '
        f'height="{max(1, round(height * n / top))}"/>'
        for i, n in enumerate(column.bars)
        if n
    )
    return (
        f'<svg width="{BARS * width}" height="{height}" fill="#4477aa" role="img" '
        f'aria-label="distribution">{bars}</svg>'
    )


def first_rows(table: Table, n_rows: int = ROWS) -> list[Words]:
    """Return the first rows as columns of words."""
    some = table.take(slice(0, n_rows)).select(table.names[:COLUMNS])
    return [
        Words(_short(name), [_cell(cell) for cell in cells], ">" if some.schema[name].is_numeric else "<")
        for name, cells in some.to_dict().items()
    ]


def to_text(table: Table) -> str:
    """Return the first rows as lines, and how many there are."""
    return "\n".join([*aligned(first_rows(table)), _left_out(table)])


def to_html(table: Table) -> str:
    """Return the first rows and what the columns hold, for a notebook."""
    return f"{html_table(first_rows(table, 5))}<p>{_left_out(table)}</p>{description(table)._repr_html_()}"


def _left_out(table: Table) -> str:
    words = f"({count(table.n_rows, 'row')}, {count(table.n_columns, 'column')}"
    more = table.n_columns - COLUMNS
    return words + (f"; {count(more, 'column')} not shown)" if more > 0 else ")")


def _cell(cell: Any) -> str:
    if cell is None:
        return ""
    return number(cell, 8) if isinstance(cell, float) else _short(str(cell))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def item(table: Table, key: Any) -> Any:
    """Return what `table[key]` means: a column's cells, columns, one row as a dict, or rows."""
    if isinstance(key, str):
        column, values = table.column(key)
        return values if column.is_numeric else table.labels(key)
    if isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_)):
        if not -table.n_rows <= key < table.n_rows:
            raise IndexError(f"There is no row {key}: the table has {table.n_rows}, from 0 up.")
        return {name: cells[0] for name, cells in table.take([int(key) % table.n_rows]).to_dict().items()}
    if isinstance(key, (list, tuple)) and key and all(isinstance(name, str) for name in key):
        return table.select(key)
    return table.take(key)
