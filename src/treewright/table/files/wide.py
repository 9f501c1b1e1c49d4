"""Text with very many columns and few rows, read by Python some columns at a time.

DuckDB holds buffers for every column, tens of kilobytes each, and its statements take longer the more columns
there are: 50,000 columns of one cell took 1.8 GiB. Here a column costs what its cells do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .cells import words_of
from .dialect import Dialect
from .encoding import text_of
from .faults import check_record, is_blank
from .judge import Words
from .records import records
from .source import Source

MANY_COLUMNS, FEW_ROWS = 256, 4_000  # with more rows the buffers are filled, and DuckDB is the quicker one
_CELLS = 4_000_000  # held at once
_PASSES = 10  # through a file, at most


class Wide:
    """The columns of a file, as words."""

    def __init__(self, source: Source, dialect: Dialect, names: Sequence[str], n_rows: int) -> None:
        self._source, self._dialect, self._names = source, dialect, names
        n_cells = max(_CELLS, n_rows * len(names) // _PASSES)
        self._n_columns = max(1, n_cells // max(1, n_rows))
        self._first = 0
        self._columns: list[tuple[str, ...]] = []

    @classmethod
    def of(cls, source: Source, dialect: Dialect, names: Sequence[str]) -> Wide | None:
        """Return the file if it has few rows; the first record that does not fit is a ValueError."""
        n_rows = 0
        for _ in _rows(source, dialect, names):
            n_rows += 1
            if n_rows > FEW_ROWS:
                return None
        return cls(source, dialect, names, n_rows)

    def words(self, place: int) -> Words:
        """Return the cells of a column; they are cheapest when asked for in their order."""
        if not self._first <= place < self._first + len(self._columns):
            self._columns.clear()
            self._first, last = place, place + self._n_columns
            rows = [cells[place:last] for cells in _rows(self._source, self._dialect, self._names)]
            self._columns = list(zip(*rows, strict=True)) or [()] * (len(self._names) - place)
        return words_of(self._columns[place - self._first])


def _rows(source: Source, dialect: Dialect, names: Sequence[str]) -> Iterator[list[str]]:
    """Yield the cells of every row, without the line of names."""
    is_named = dialect.has_header
    with text_of(source, dialect.encoding) as text:
        for record in records(text, dialect.separator, dialect.quote):
            check_record(source, record, dialect, names)
            if is_blank(record, len(names)):
                continue
            if is_named:
                is_named = False
                continue
            yield record.cells[: len(names)]
