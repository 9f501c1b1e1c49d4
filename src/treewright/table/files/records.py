"""The records of separated text, one after the other, with the lines they stand in: slow, and exact.

The bulk of a file is read by DuckDB. This reads the first lines, on which the layout is guessed, finds the
line that DuckDB stumbled over, and rewrites layouts that DuckDB does not know.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

SPACES = " "  # as a separator: any number of spaces and tabs


class Record(NamedTuple):
    """A record: the line where it begins, its cells, what is wrong with its quotes, whether it has any."""

    line: int
    cells: list[str]
    fault: str = ""
    has_quotes: bool = False


def records(lines: Iterable[str], separator: str, quote: str) -> Iterator[Record]:
    r"""Yield the records of lines that keep their line ends; an empty line is a record of one empty cell.

    >>> for record in records(['a,"b\n', 'c",d\n', '5" pipe,"x"y\n'], ",", '"'):
    ...     print(record[:3])
    (1, ['a', 'b\nc', 'd'], '')
    (3, ['5" pipe', 'xy'], "text after a closing quote: 'y'")
    """
    splitter = _Splitter(separator, quote)
    for number, line in enumerate(lines, start=1):
        if not splitter.is_open and (not quote or quote not in line):
            bare = line.rstrip("\r\n")
            yield Record(number, bare.split() or [""] if separator == SPACES else bare.split(separator))
        elif (record := splitter.feed(number, line)) is not None:
            yield record
    if splitter.is_open:
        yield splitter.end()


def one_line(name: str) -> str:
    r"""Return the name of a column without spaces at its ends, and in one line.

    >>> one_line(" income\n[EUR] "), one_line("a  b")
    ('income [EUR]', 'a  b')
    """
    return " ".join(part.strip() for part in name.splitlines()).strip()


class _Splitter:
    """Divides lines with quotes; a quoted cell may run over several lines, each of which is scanned once."""

    def __init__(self, separator: str, quote: str) -> None:
        sign = re.escape(quote or "\0")
        self._quote = quote
        self._body = re.compile(f"[^{sign}]*(?:{sign}{sign}[^{sign}]*)*")
        self._end = re.compile(r"[ \t]+" if separator == SPACES else re.escape(separator))
        self._parts: list[str] = []
        self._cells: list[str] = []
        self._start, self._fault = 0, ""
        self.is_open = False

    def feed(self, number: int, line: str) -> Record | None:
        """Take the next line; return the record if it ends here."""
        bare = line.rstrip("\r\n")
        place = 0
        if not self.is_open:
            self._start, self._cells, self._fault = number, [], ""
            place = len(bare) - len(bare.lstrip(" ")) if self._end.pattern.startswith("[") else 0
        while place <= len(bare):
            place = self._inside(line, place) if self.is_open else self._outside(bare, place)
            if self.is_open and place >= len(line):
                return None
        if self._end.pattern.startswith("[") and self._cells[-1:] == [""] and bare.endswith((" ", "\t")):
            self._cells.pop()
        return Record(self._start, self._cells, self._fault, has_quotes=True)

    def end(self) -> Record:
        """Return the record that the end of the file cuts off."""
        return Record(
            self._start, [*self._cells, "".join(self._parts)], "a quote is opened here and never closed"
        )

    def _outside(self, bare: str, place: int) -> int:
        start = place
        while bare[start : start + 1] == " ":
            start += 1
        if bare[start : start + 1] == self._quote:
            self.is_open, self._parts = True, []
            return start + 1
        found = self._end.search(bare, place)
        self._cells.append(bare[place : found.start()] if found else bare[place:])
        return found.end() if found else len(bare) + 1

    def _inside(self, line: str, place: int) -> int:
        body = self._body.match(line, place)
        stop = body.end() if body else place
        self._parts.append(line[place:stop])
        if stop == len(line):
            return stop
        self.is_open = False
        bare = line.rstrip("\r\n")
        found = self._end.search(bare, stop + 1)
        rest = (bare[stop + 1 : found.start()] if found else bare[stop + 1 :]).strip(" ")
        if rest and not self._fault:
            self._fault = f"text after a closing quote: {rest!r:.40}"
        self._cells.append("".join(self._parts).replace(self._quote * 2, self._quote) + rest)
        return found.end() if found else len(bare) + 1
