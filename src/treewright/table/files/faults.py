"""What is wrong with a file of separated text: the first line that does not fit, told with the way out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright.base.advice import read_with, refusal, sentence

from .dialect import Dialect
from .encoding import is_plain, text_of
from .records import Record, records
from .source import Source


@dataclass(frozen=True)
class Faults:
    """What a walk through a file without faults found: sorts of line ends, bytes of the longest record."""

    n_line_ends: int
    longest: int


def look_for_faults(source: Source, dialect: Dialect, names: Sequence[str]) -> Faults:
    """Walk through a file; the first record that does not fit is a ValueError."""
    longest = 0
    with text_of(source, dialect.encoding) as text:
        for record in records(text, dialect.separator, dialect.quote):
            check_record(source, record, dialect, names)
            longest = max(longest, 4 * sum(map(len, record.cells)) + len(record.cells))
        ends = text.newlines
    return Faults(len(ends) if isinstance(ends, tuple) else 1, longest)


def check_record(source: Source, record: Record, dialect: Dialect, names: Sequence[str]) -> None:
    """Raise the ValueError for a record with quotes that do not fit, or with another number of cells."""
    if record.fault:
        raise refusal(
            f"{source} cannot be read: line {record.line:,}: {record.fault}. A quote inside a quoted cell is "
            f"written twice; if {dialect.quote} is an ordinary sign in this file, say ",
            read_with("quote", ""),
            ".",
        )
    if is_blank(record, len(names)) or len(record.cells) == len(names):
        return
    if len(record.cells) > len(names) and not any(record.cells[len(names) :]):
        return  # separators at the end of a line, with nothing behind them
    shown = dialect.separator.join(record.cells)
    raise ValueError(
        sentence(
            f"{source} cannot be read: line {record.line:,} has {_cells(len(record.cells))}, but the first "
            f"line has {len(names)}: {shown!r:.100}. ",
            _way_out(record, dialect, names),
        )
    )


def is_blank(record: Record, width: int) -> bool:
    """Return whether a record is an empty line, which counts in a table of one column only."""
    return width > 1 and record.cells == [""] and not record.has_quotes


def _cells(count: int) -> str:
    return "1 cell" if count == 1 else f"{count} cells"


def _way_out(record: Record, dialect: Dialect, names: Sequence[str]) -> str:
    if record.line == 2 and len(record.cells) == len(names) + 1 and dialect.has_header:
        return "If the rows begin with a name or number of their own, name that column in the first line too."
    if len(names) == 1:
        return sentence(
            "If the cells are not divided by this sign, say which: ", read_with("separator", ";"), "."
        )
    quote = f"in {dialect.quote} " if dialect.quote else ""
    return (
        f"Correct the line: a cell that holds the separator {dialect.separator!r} stands {quote}quotes."
        if (len(record.cells) > len(names))
        else sentence(
            "Complete the line or delete it; if another sign divides the cells, say ",
            read_with("separator", ";"),
            ".",
        )
    )


# --- the line of a row --------------------------------------------------------------------------------------


def line_of_row(source: Source, dialect: Dialect, width: int, row: int) -> int:
    """Return the line in which a row of the table (counted from 0) begins."""
    wanted = row + dialect.has_header
    if is_plain(dialect.encoding) and not source.is_packed and (line := _simple_line(source, wanted)):
        return line
    with text_of(source, dialect.encoding) as text:
        rows = (r for r in records(text, dialect.separator, dialect.quote) if not is_blank(r, width))
        for place, record in enumerate(rows):
            if place == wanted:
                return record.line
    return wanted + 1


def _simple_line(source: Source, wanted: int) -> int | None:
    """Return the line if no quote and no empty line comes before the end: then lines are records."""
    with source.mapped() as view:
        if view.find(b'"') >= 0 or view.find(b"'") >= 0 or view.find(b"\n\n") >= 0 or view.find(b"\r") >= 0:
            return None
    return wanted + 1
