"""Lines of a text file that are no rows: `sep=;`, titles above, totals below, names repeated between."""

from __future__ import annotations

import re
import tempfile
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import TextIO

from treewright.base.advice import read_with, sentence

from .dialect import Dialect, Sample, guess
from .encoding import text_of
from .loaded import Wanted
from .oddlines import TOTAL, has_subtotals, header_of, is_empty, is_subtotal
from .records import Record, records
from .source import HEAD, Source

_SEPARATOR_LINE = re.compile(r'\ufeff?"?sep=(.)"?', re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_TAIL = 1 << 16  # bytes at the end that are looked at
_MOST_LINES = 20  # above or below


@dataclass(frozen=True)
class Trim:
    """Which lines are no rows: so many at the top and the bottom, and which between."""

    top: int = 0
    bottom: int = 0
    names: str = ""  # the line of names, where it comes again
    separator: str | None = None  # as the first line says
    notes: tuple[str, ...] = ()
    below: int = 0  # lines of units and the like below the names
    header: str = ""  # the line of names, where it is made of two
    is_odd: Callable[[Sequence[str]], bool] | None = None  # whether a row between holds no values
    dialect: Dialect | None = None  # which divides lines into cells

    @property
    def is_needed(self) -> bool:
        """Whether there is any such line."""
        return bool(self.top or self.bottom or self.names or self.below or self.header or self.is_odd)


def trim_file(
    source: Source, encoding: str, wanted: Wanted, stack: ExitStack
) -> tuple[Source, Trim, list[int]]:
    """Return a file without the lines that are no rows, what was found, and the lines that are left out.

    Where there are none the file is the one that was given.
    """
    trim = look(source, encoding, wanted)
    if not trim.is_needed:
        return source, trim, []
    folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="treewright-"))
    copy = Path(folder) / source.path.name.removesuffix(".gz")
    with text_of(source, encoding) as text, copy.open("w", encoding="utf-8", newline="") as out:
        left_out = copy_rows(text, out, trim)
    return (
        replace(source, path=copy, is_packed=False, named=source.named or source.path),
        replace(trim, notes=(*trim.notes, *left_out.notes)),
        left_out.lines,
    )


@dataclass
class LeftOut:
    """The lines of a file that are left out, those between the others by their reason."""

    outside: list[int] = field(default_factory=list)
    again: list[int] = field(default_factory=list)  # the names
    empty: list[int] = field(default_factory=list)
    totals: list[int] = field(default_factory=list)

    @property
    def lines(self) -> list[int]:
        """All of them."""
        return sorted([*self.outside, *self.again, *self.empty, *self.totals])

    @property
    def notes(self) -> list[str]:
        """What is to be said of those between rows."""
        said = []
        if self.again:
            said.append(f"The names stand again in {_lines(self.again)}, which {_is(self.again)} left out")
        if self.empty:
            has = "has" if len(self.empty) == 1 else "have"
            nothing = f"{has} nothing between separators, and {_is(self.empty)} left out"
            said.append(f"{_lines(self.empty).capitalize()} {nothing}")
        if self.totals:
            what = "a total" if len(self.totals) == 1 else "totals"
            where = f"{_lines(self.totals).capitalize()} between the rows"
            said.append(f"{where} {_is(self.totals)} {what}, and left out")
        return [untrimmed(what) for what in said]


def copy_rows(text: TextIO, out: TextIO, trim: Trim) -> LeftOut:
    """Write the lines that are rows, and the first line of names; return the others."""
    left_out = LeftOut(list(range(1, trim.top + 1)))
    held: deque[tuple[int, str]] = deque()
    first = 0
    is_inside = False  # a cell in quotes that runs over several lines
    for n, line in enumerate(text, start=1):
        if n <= trim.top:
            continue
        held.append((n, line))
        if len(held) <= trim.bottom:
            continue
        number, kept = held.popleft()
        if not first:
            first = number
            is_inside = _turns(kept, trim)
            out.write(trim.header + kept[len(kept.rstrip("\r\n")) :] if trim.header else kept)
            continue
        if number <= first + trim.below:
            left_out.outside.append(number)
        elif is_inside or (found := _list_for(kept, trim, left_out)) is None:
            is_inside ^= _turns(kept, trim)
            out.write(kept)
        else:
            found.append(number)
    left_out.outside += [number for number, _ in held]
    return left_out


def _turns(line: str, trim: Trim) -> bool:
    """Whether a line opens a cell in quotes that it does not close, or the other way round."""
    return bool(trim.dialect and trim.dialect.quote and line.count(trim.dialect.quote) % 2)


def _list_for(line: str, trim: Trim, left_out: LeftOut) -> list[int] | None:
    """Return the list of lines that a line belongs to if it is no row."""
    if trim.names and line.strip("\r\n") == trim.names:
        return left_out.again
    if trim.is_odd is None or trim.dialect is None:
        return None
    cells = next(records([line], trim.dialect.separator, trim.dialect.quote)).cells
    if not trim.is_odd(cells):
        return None
    return left_out.empty if is_empty(cells) else left_out.totals


def look(source: Source, encoding: str, wanted: Wanted) -> Trim:
    """Return which lines of a file are no rows."""
    with text_of(source, encoding) as stream:
        text = stream.read(HEAD)
    first = text.partition("\n")[0].rstrip("\r")
    sign = _SEPARATOR_LINE.fullmatch(first)
    if wanted.skip is not None:
        return Trim(top=wanted.skip)
    start = 1 if sign and wanted.separator is None else 0
    trim = Trim(top=start, separator=sign[1] if sign else None)
    if start:
        trim = replace(
            trim, notes=(f"The first line {first.strip(chr(0xFEFF))!r} says what separates cells.",)
        )
    lines = _lines_of(text)[start:]
    if not wanted.trim or wanted.header is False or not "".join(lines).strip("\ufeff \t\r\n"):
        return trim
    found = _guess("".join(lines), encoding, wanted, trim)
    trim = _above(trim, found, lines, start, wanted)
    return _below(
        trim, source, lines[trim.top - start :], found if trim.top == start else None, wanted, encoding
    )


def _guess(text: str, encoding: str, wanted: Wanted, trim: Trim) -> Sample:
    separator = wanted.separator or trim.separator
    return guess(text, encoding, wanted.missing, separator=separator, quote=wanted.quote)


def _above(trim: Trim, found: Sample, lines: Sequence[str], start: int, wanted: Wanted) -> Trim:
    """Return what is above the names (titles, empty lines, names of groups), and the units below them."""
    shown = list(islice(records(lines, found.dialect.separator, found.dialect.quote), 200))
    n_titles = titles_above(shown)
    rows = [row for row in shown if row.line > n_titles and row.cells != [""]]
    header = header_of([row.cells for row in rows if len(row.cells) == len(rows[0].cells)], wanted.missing)
    n_above = rows[1].line - 1 if header.n_above else n_titles
    note: tuple[str, ...] = ()
    if n_above:
        top = range(start + 1, start + n_above + 1)
        texts = [line.strip() for line in lines[:n_above] if line.strip("\ufeff \t\r\n")]
        what = f" left out: {texts[0]!r:.60}" if texts else " empty"
        what = f" taken into the names: {texts[-1]!r:.60}" if header.names else what
        note = (untrimmed(f"{_lines(top).capitalize()} above the names {_is(top)}{what}"),)
    if header.n_below:
        line = rows[1].line
        units = f"Line {start + line:,} below the names has no values and is left out"
        note += (untrimmed(f"{units}: {lines[line - 1].strip()!r:.60}"),)
    sign = found.dialect.quote
    names = [name.replace(sign, 2 * sign) if sign else name for name in header.names]
    made = found.dialect.separator.join(f"{sign}{name}{sign}" for name in names)
    below = rows[1].line - rows[0].line if header.n_below else 0
    return replace(trim, top=start + n_above, notes=(*trim.notes, *note), below=below, header=made)


def _below(
    trim: Trim, source: Source, lines: Sequence[str], seen: Sample | None, wanted: Wanted, encoding: str
) -> Trim:
    """Return what is below the names: totals, empty rows and the names again between rows, remarks behind.

    `seen` is the layout of these lines, where nothing above them was left out.
    """
    names = lines[0].lstrip("\ufeff").rstrip("\r\n")
    below = [line for line in lines[1 + trim.below :] if line.rstrip("\r\n") != names]
    is_seen = seen is not None and len(below) == len(lines) - 1
    found = seen if seen and is_seen else _guess("".join([lines[0], *below]), encoding, wanted, trim)
    rows = [row.cells for row in found.below]
    is_named = bool(trim.below or trim.header) or _is_named(found.first, rows)
    if len(found.first) < 2 or not (trim.top > bool(trim.separator) or is_named):
        return trim
    tail = _tail(source, encoding, found.dialect)
    is_odd = _is_odd(rows, tail)
    footer = _footer(source, encoding, found.dialect, found.first, rows)
    notes = trim.notes
    if footer:
        notes += (untrimmed(f"The last {_count(len(footer))} left out: {footer[0].strip()!r:.60}"),)
    again = names if _comes_again(source, encoding, names, lines[1:]) else ""
    return replace(trim, bottom=len(footer), names=again, notes=notes, is_odd=is_odd, dialect=found.dialect)


def _is_odd(
    rows: Sequence[Sequence[str]], tail: Sequence[Sequence[str]]
) -> Callable[[Sequence[str]], bool] | None:
    """Return what tells rows without values from others, where the first or the last rows have such a one."""
    has_empty = any(map(is_empty, (*rows, *tail)))
    if has_subtotals(rows):
        return (lambda cells: is_empty(cells) or is_subtotal(cells)) if has_empty else is_subtotal
    return is_empty if has_empty else None


def titles_above(rows: Sequence[Record]) -> int:
    """Return how many lines stand above the names: texts in the first cell alone, and empty lines between.

    >>> titles_above([Record(1, ["Sales", "", ""]), Record(2, ["a", "b", "c"]), Record(3, ["1", "2", "3"])])
    1
    """
    widths = Counter(len(row.cells) for row in rows if any(cell.strip() for cell in row.cells))
    width = widths.most_common(1)[0][0] if widths else 1
    if width < 2:
        return 0
    for place, row in enumerate(rows[: _MOST_LINES + 1]):
        if _is_title(row, width):
            continue
        is_table = len(row.cells) == width and sum(bool(cell.strip()) for cell in row.cells) >= max(
            2, width / 2
        )
        return row.line - 1 if is_table and place and place + 1 < len(rows) else 0
    return 0


def _is_named(first: Sequence[str], below: Sequence[Sequence[str]]) -> bool:
    """Return whether the first line names columns beyond doubt: a word above cells that all have digits."""
    columns = zip(first, *(cells for cells in below if len(cells) == len(first)), strict=True)
    return any(
        bool(name.strip())
        and not _DIGIT.search(name)
        and sum(map(bool, map(_DIGIT.search, cells))) * 2 > len(cells)
        for name, *cells in columns
    )


def _is_title(row: Record, width: int) -> bool:
    n_filled = sum(bool(cell.strip("\ufeff \t")) for cell in row.cells)
    if not n_filled:
        return True
    is_first_alone = n_filled == 1 and bool(row.cells[0].strip()) and width > 2
    return is_first_alone or (len(row.cells) < width and n_filled < width / 2)


def _footer(
    source: Source, encoding: str, dialect: Dialect, names: Sequence[str], rows: Sequence[Sequence[str]]
) -> list[str]:
    """Return the last lines that are no rows: totals, sentences in a single cell, empty lines."""
    lines = _last_lines(source, encoding)
    while lines and not lines[-1].strip():
        lines.pop()
    if any(_is_total(row) for row in rows[: -_MOST_LINES or None]):
        return []  # also in the middle: subtotals, or a word of the table
    last = [_record(line, dialect) for line in lines[-_MOST_LINES:]]
    n_left_out = totals_below([["\0"] if row.fault else row.cells for row in last], len(names))
    return lines[len(lines) - n_left_out :] if n_left_out < len(lines) else []


def _record(line: str, dialect: Dialect) -> Record:
    return next(records([line], dialect.separator, dialect.quote))


def _tail(source: Source, encoding: str, dialect: Dialect) -> list[list[str]]:
    """Return the cells of the last lines that may hold nothing but separators."""
    lines = [line for line in _last_lines(source, encoding)[-_MOST_LINES:] if line.strip()]
    return [_record(line, dialect).cells for line in lines]


def totals_below(rows: Sequence[Sequence[str]], width: int) -> int:
    """Return how many of the last rows are none: totals, and sentences in the first cell alone.

    >>> totals_below([["1", "x", "3"], ["Total", "", "3"], ["", "", ""], ["As of: May"]], 3)
    3
    >>> totals_below([["1", "x", "3"], ["Total", "", ""]], 3)
    1
    """
    n_left_out = 0
    for place, cells in enumerate(reversed(rows), start=1):
        if not any(cell.strip() for cell in cells):
            continue
        if not (_is_total(cells) or _is_empty_total(cells, width) or _is_sentence(cells, width)):
            break
        n_left_out = place
    return n_left_out


def _is_total(cells: Sequence[str]) -> bool:
    first = next((cell.strip() for cell in cells if cell.strip()), "")
    return TOTAL.fullmatch(first) is not None and len([c for c in cells if c.strip()]) > 1


def _is_empty_total(cells: Sequence[str], width: int) -> bool:
    """Whether a row has a word for a total alone, in its first cell."""
    is_alone = len(cells) == width > 1 and not any(cell.strip() for cell in cells[1:])
    return is_alone and TOTAL.fullmatch(cells[0].strip()) is not None


def _is_sentence(cells: Sequence[str], width: int) -> bool:
    filled = [cell.strip() for cell in cells if cell.strip()]
    if len(filled) != 1 or (len(cells) == width and width < 3) or not cells[0].strip():
        return False
    return re.search(r"[^\W\d]{2,}", filled[0]) is not None and re.search(r"[ :]", filled[0]) is not None


def _last_lines(source: Source, encoding: str) -> list[str]:
    """Return the last lines of a file; none of a packed one, which would have to be read whole."""
    if source.is_packed or encoding.startswith(("utf-16", "utf-32")):
        with text_of(source, encoding) as text:
            head = text.read(HEAD)
            return _lines_of(head) if not text.read(1) else []
    with source.path.open("rb") as stream:
        size = stream.seek(0, 2)
        stream.seek(max(0, size - _TAIL))
        tail = stream.read()
    if size > _TAIL:
        tail = tail[tail.find(b"\n") + 1 :]
    return _lines_of(tail.decode(encoding, "replace"))


def _lines_of(text: str) -> list[str]:
    """Return lines with their ends, divided as a file is: only at the ends of lines of the systems."""
    return list(StringIO(text, newline=""))


def _comes_again(source: Source, encoding: str, names: str, below: Sequence[str]) -> bool:
    if not any(sign.isalpha() for sign in names):
        return False
    if any(line.rstrip("\r\n") == names for line in below):
        return True
    if source.is_packed or not names or source.path.stat().st_size == 0:
        return False
    with source.mapped() as view:
        place = view.find(names.encode(encoding, "replace"))
        return place >= 0 and view.find(b"\n" + names.encode(encoding, "replace"), place + 1) >= 0


# --- words for people ---------------------------------------------------------------------------------------


def untrimmed(what: str) -> str:
    """Return a note of what was left out, with how to keep it.

    >>> untrimmed("Line 1 is left out")
    'Line 1 is left out (trim=False).'
    """
    return sentence(what, " (", read_with("trim", False), ").")


def _lines(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"line {numbers[0]:,}"
    if list(numbers) == list(range(numbers[0], numbers[-1] + 1)):
        return f"lines {numbers[0]:,} to {numbers[-1]:,}"
    shown = ", ".join(f"{number:,}" for number in numbers[:3])
    return f"lines {shown}" + (f" and {len(numbers) - 3:,} more" if len(numbers) > 3 else "")


def _is(numbers: Sequence[int]) -> str:
    return "is" if len(numbers) == 1 else "are"


def _count(n: int) -> str:
    return "line is" if n == 1 else f"{n} lines are"
