"""Lines of a text file that are no rows: `sep=;`, titles above, totals below, names repeated between."""

from __future__ import annotations

import re
import tempfile
from collections import Counter, deque
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice
from pathlib import Path
from typing import TextIO

from treewright.base.advice import read_with, sentence

from .dialect import Dialect, guess
from .encoding import text_of
from .loaded import Wanted
from .records import Record, records
from .source import HEAD, Source

_SEPARATOR_LINE = re.compile(r'\ufeff?"?sep=(.)"?', re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_TAIL = 1 << 16  # bytes at the end that are looked at
_MOST_LINES = 20  # above or below
_TOTAL = re.compile(
    r"((grand|sub|overall)[ -]?)?(totals?|totale|sum|summe|gesamt(summe|ergebnis|betrag)?|insgesamt|somme|"
    r"suma|zwischensumme|averages?|mean|durchschnitt|mittelwert|moyenne)\b.{0,30}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Trim:
    """Which lines are no rows: so many at the top and at the bottom, and those equal to the line of names."""

    top: int = 0
    bottom: int = 0
    names: str = ""  # the line of names, where it comes again
    separator: str | None = None  # as the first line says
    notes: tuple[str, ...] = ()

    @property
    def is_needed(self) -> bool:
        """Whether there is any such line."""
        return bool(self.top or self.bottom or self.names)


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
        left_out = _copy(text, out, trim)
    repeats = [line for line in left_out if line > trim.top][: -trim.bottom or None]
    notes = trim.notes
    if repeats:
        notes = (
            *notes,
            untrimmed(f"The names stand again in {_lines(repeats)}, which {_is(repeats)} left out"),
        )
    return (
        replace(source, path=copy, is_packed=False, named=source.named or source.path),
        replace(trim, notes=notes),
        left_out,
    )


def _copy(text: TextIO, out: TextIO, trim: Trim) -> list[int]:
    """Write the lines that are rows, and the first line of names; return the others."""
    left_out = list(range(1, trim.top + 1))
    held: deque[tuple[int, str]] = deque()
    is_first = True
    n = 0
    for n, line in enumerate(text, start=1):
        if n <= trim.top:
            continue
        held.append((n, line))
        if len(held) <= trim.bottom:
            continue
        number, kept = held.popleft()
        if trim.names and kept.strip("\r\n") == trim.names and not is_first:
            left_out.append(number)
            continue
        is_first = False
        out.write(kept)
    return [*left_out, *(number for number, _ in held)]


def look(source: Source, encoding: str, wanted: Wanted) -> Trim:
    """Return which lines of a file are no rows."""
    with text_of(source, encoding) as stream:
        text = stream.read(HEAD)
    first = text.partition("\n")[0].rstrip("\r")
    sign = _SEPARATOR_LINE.fullmatch(first)
    if wanted.skip is not None:
        return Trim(top=wanted.skip)
    start = 1 if sign and wanted.separator is None else 0
    separator = sign[1] if sign else None
    note: tuple[str, ...] = ()
    if start:
        note = (f"The first line {first.strip(chr(0xFEFF))!r} says what separates cells.",)
    if not wanted.trim or wanted.header is False:
        return Trim(top=start, separator=separator, notes=note)
    lines = _lines_of(text)[start:]
    rest = "".join(lines)
    if not rest.strip("\ufeff \t\r\n"):
        return Trim(top=start, separator=separator, notes=note)
    found = guess(rest, encoding, wanted.missing, separator=wanted.separator or separator, quote=wanted.quote)
    n_titles = titles_above(list(islice(records(lines, found.dialect.separator, found.dialect.quote), 200)))
    if n_titles:
        shown = next(line.strip() for line in lines if line.strip("\ufeff \t\r\n"))
        top = range(start + 1, start + n_titles + 1)
        note += (untrimmed(f"{_lines(top).capitalize()} above the names {_is(top)} left out: {shown!r:.60}"),)
    names = lines[n_titles].lstrip("\ufeff").rstrip("\r\n")
    below = [line for line in lines[n_titles + 1 :] if line.rstrip("\r\n") != names]
    if len(below) < len(lines) - 1:
        rest = "".join([names + "\n", *below])
        found = guess(
            rest, encoding, wanted.missing, separator=wanted.separator or separator, quote=wanted.quote
        )
    if len(found.first) < 2 or not (n_titles or _is_named(found.first, [row.cells for row in found.below])):
        return Trim(start, separator=separator, notes=note)
    footer = _footer(source, encoding, found.dialect, found.first, [row.cells for row in found.below])
    if footer:
        note += (untrimmed(f"The last {_count(len(footer))} left out: {footer[0].strip()!r:.60}"),)
    again = names if _comes_again(source, encoding, names, lines[n_titles + 1 :]) else ""
    return Trim(start + n_titles, len(footer), again, separator, note)


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
        has_titles = any(any(cell.strip() for cell in above.cells) for above in rows[:place])
        return row.line - 1 if is_table and has_titles and place + 1 < len(rows) else 0
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
    last = [next(records([line], dialect.separator, dialect.quote)) for line in lines[-_MOST_LINES:]]
    n_left_out = totals_below([["\0"] if row.fault else row.cells for row in last], len(names))
    return lines[len(lines) - n_left_out :] if n_left_out < len(lines) else []


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
    return _TOTAL.fullmatch(first) is not None and len([c for c in cells if c.strip()]) > 1


def _is_empty_total(cells: Sequence[str], width: int) -> bool:
    """Whether a row has a word for a total alone, in its first cell."""
    is_alone = len(cells) == width > 1 and not any(cell.strip() for cell in cells[1:])
    return is_alone and _TOTAL.fullmatch(cells[0].strip()) is not None


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
