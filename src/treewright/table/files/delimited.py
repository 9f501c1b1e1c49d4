"""Files of separated text (CSV, TSV, ...), read by DuckDB under a layout that is ours.

DuckDB guesses nothing here: its sniffer may skip rows that it does not understand, and takes yes for a
truth value. Columns whose first lines are numbers are parsed by its reader. Where that stumbles over a word,
the file is read again with a cast of each cell, in which a cell that is neither a number nor a gap becomes
NaN; columns with such a cell are read once more, as text, and judged by their words. A file of very many
columns and few rows is read without DuckDB (wide.py).
"""

from __future__ import annotations

import glob
import mmap
import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from treewright.base.advice import read_with, sentence
from treewright.table.raw import EXACT, Raw
from treewright.table.schema import Kind, check_unique_names

from .cells import AT_ONCE, fetch_columns, fetch_words, literal, texts_of, words_of
from .dialect import SEPARATORS, Dialect, Sample, guess
from .duck import run
from .encoding import (
    WORDS,
    checked_encoding,
    guess_encoding,
    is_plain,
    is_utf8,
    not_decoded,
    one_byte,
    text_of,
)
from .faults import Faults, line_of_row, look_for_faults
from .judge import Rule, Verdict, Words, judge
from .loaded import Loaded, Wanted
from .numbers import is_fixed_width, number_of
from .records import SPACES, one_line
from .rewrite import rewritten, transcoded
from .source import HEAD, Source
from .trim import trim_file
from .wide import MANY_COLUMNS, Wide

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

Numbers = dict[int, "np.ma.MaskedArray[Any, Any]"]  # by place
_FEW_TEXTS = 8  # columns to each column of text: then its words are numbered here, not by DuckDB
_LONGEST = 2_000_000  # bytes of a line that DuckDB takes without being told


def load(connection: DuckDBPyConnection, source: Source, wanted: Wanted, stack: ExitStack) -> Loaded:
    """Return the columns of a file of separated text."""
    encoding = checked_encoding(wanted.encoding) if wanted.encoding else guess_encoding(source)
    lines, trim, left_out = trim_file(source, encoding, wanted, stack)
    is_copy = lines is not source and not is_plain(encoding)  # in UTF-8
    if trim.separator and wanted.separator is None:
        wanted = replace(wanted, separator=trim.separator)
    text = _Text(connection, lines, wanted, "utf-8" if is_copy else encoding, left_out)
    names = text.names  # what is wrong with the first line is told before anything is read
    text.read(stack)
    # What is said is true of the file, not of its copy.
    dialect = replace(text.dialect, encoding=encoding) if is_copy else text.dialect
    return Loaded(
        names=names,
        look=text.look,
        layout=dialect.to_dict(),
        words=_layout_words(dialect),
        notes=(*trim.notes, *_name_notes(text.sample, names)),
    )


@dataclass(frozen=True)
class _Place:
    """What DuckDB is to read: the file itself or a copy that it understands, and how."""

    path: str
    is_packed: bool
    dialect: Dialect
    longest: int = _LONGEST
    is_rewritten: bool = False  # every line ends in \n


class _Text:
    """One file of text while it is read."""

    def __init__(
        self,
        connection: DuckDBPyConnection,
        source: Source,
        wanted: Wanted,
        encoding: str,
        left_out: Sequence[int] = (),  # lines of the file that `source`, a copy, has not
    ) -> None:
        self.connection, self.source, self.wanted, self.encoding = connection, source, wanted, encoding
        self._left_out = left_out
        self._numbers: dict[int, NDArray[np.float64]] = {}
        self._texts: dict[int, np.ma.MaskedArray[Any, Any]] = {}  # columns of words that came with numbers
        self._wide: Wide | None = None

    @cached_property
    def sample(self) -> Sample:
        text = _first_text(self.source, self.encoding)
        if not text.strip("\ufeff"):
            raise ValueError(f"{self.source} is empty: it has no first line with the names of its columns.")
        w = self.wanted
        separator = w.separator
        if separator is None and self.source.path.name.lower().removesuffix(".gz").endswith(".tsv"):
            separator = "\t"
        if not text.strip("\ufeff \t\r\n"):
            raise ValueError(f"{self.source} is empty but for blank lines: there is no table in it.")
        found = guess(text, self.encoding, w.missing, separator=separator, quote=w.quote, decimal=w.decimal,
                      header=w.header)  # fmt: skip
        if text.startswith(("\n", "\r")) or not found.rows:
            raise ValueError(
                f"{self.source} has no first line with the names of its columns: it is empty. Delete it."
            )
        return found

    @property
    def dialect(self) -> Dialect:
        return self.sample.dialect

    @cached_property
    def names(self) -> list[str]:
        first = self.sample.first
        if not self.dialect.has_header:
            return [f"c{number}" for number in range(1, len(first) + 1)]
        names = [one_line(name) or f"c{number}" for number, name in enumerate(first, start=1)]
        check_unique_names(names)
        return names

    @cached_property
    def places(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def rule(self) -> Rule:
        return Rule(frozenset(self.wanted.missing), self.dialect.decimal, self.dialect.is_spaced)

    @cached_property
    def numeric(self) -> set[int]:
        """The places of the columns whose first cells are numbers."""
        chosen = {i for i, name in enumerate(self.names) if self.wanted.kind_of(name) in (None, Kind.numeric)}
        return {i for i in chosen if self.names[i] not in self.wanted.notations and self._looks_numeric(i)}

    def _looks_numeric(self, place: int) -> bool:
        cells = [row.cells[place] for row in self.sample.below if place < len(row.cells)]
        known = [c for c in cells if (bare := c.strip(" ")) and bare not in self.rule.missing]
        sizes = [number_of(cell, self.dialect.decimal) for cell in known]
        # Digits of one width may be codes; then all of them must be seen as text.
        is_number = all(size is not None and abs(size) < EXACT for size in sizes)
        return bool(known) and is_number and not is_fixed_width(known)

    # --- reading ----------------------------------------------------------------------------------------

    def read(self, stack: ExitStack) -> None:
        """Fill the DuckDB table `cells`; where DuckDB stumbles, find out why, and help or say so."""
        import duckdb

        if self._is_wide():
            return
        place = self._first_place(stack)
        try:
            self._fill(place)
        except duckdb.Error as error:
            if self._is_other_encoding():
                self.read(stack)
                return
            faults = look_for_faults(self.source, self.dialect, self.names)
            try:
                self._fill(self._remedy(place, faults, error, stack))
            except duckdb.Error as second:
                raise self._not_read(second) from None

    def _is_wide(self) -> bool:
        """Take the file as a wide one if it is; return whether that is so."""
        if len(self.names) < MANY_COLUMNS:
            return False
        self._is_other_encoding()
        self._wide = Wide.of(self.source, self.dialect, self.names)
        return self._wide is not None

    def _first_place(self, stack: ExitStack) -> _Place:
        if self.dialect.separator == SPACES or any("\n" in name for name in self.sample.first):
            return self._rewritten(
                stack
            )  # DuckDB takes the end of a line inside a name for that of all lines
        if is_plain(self.encoding):
            return _Place(str(self.source.path), self.source.is_packed, self.dialect)
        return _Place(stack.enter_context(transcoded(self.source, self.encoding)), False, self.dialect)

    def _rewritten(self, stack: ExitStack) -> _Place:
        path = stack.enter_context(rewritten(self.source, self.dialect, self.names))
        return _Place(path, False, replace(self.dialect, separator=",", quote='"'), is_rewritten=True)

    def _is_other_encoding(self) -> bool:
        """Take another encoding if a letter far down is not UTF-8; return whether that is so."""
        if self.encoding != "utf-8" or _is_all_utf8(self.source):
            return False
        if self.wanted.encoding:
            raise ValueError(not_decoded(self.source, self.encoding))
        self.encoding = one_byte(self.source)
        for name in ("sample", "names", "places", "rule", "numeric"):
            self.__dict__.pop(name, None)
        return True

    def _remedy(self, place: _Place, faults: Faults, error: Exception, stack: ExitStack) -> _Place:
        if faults.n_line_ends > 1:
            return self._rewritten(stack)
        if faults.longest > _LONGEST:
            return replace(place, longest=2 * faults.longest)
        raise self._not_read(error) from None

    def _not_read(self, error: Exception) -> ValueError:
        reason = "; ".join(str(error).split("Possible fixes")[0].split("\n")).strip("; ")
        return ValueError(f"{self.source} cannot be read as a table of separated values: {reason}")

    def _fill(self, place: _Place) -> None:
        wanted = set(self.wanted.chosen(self.names))
        chosen = [i for i, name in enumerate(self.names) if name in wanted]
        has_underscore = place.is_packed or _has_underscore(place.path)
        numbers = None if has_underscore else self._native(place, chosen)
        if numbers is None:
            numbers = self._cast(place, chosen, has_underscore)
        marks = [number_of(mark, self.dialect.decimal) for mark in self.wanted.missing]
        late = [i for i, values in numbers.items() if _is_suspect(values, marks)]
        self._numbers = {i: np.ma.filled(v, np.nan) for i, v in numbers.items() if i not in late}
        if late:
            words = ", ".join(f"c{i}" for i in late)
            run(self.connection, f"create or replace table late as select {words} from {self._scan(place)}")

    def _native(self, place: _Place, chosen: Sequence[int]) -> Numbers | None:
        """Return the columns of numbers as DuckDB's reader parses them: quickly, up to the first word.

        None where there is such a word, or a decimal comma. A few columns of text come with them; many are
        left in the table `cells`, where DuckDB numbers their words. Each mark for nothing is compared with
        every cell: those that the first rows lack are looked for only where another word is met.
        """
        import duckdb

        counted = [i for i in chosen if i in self.numeric]
        if self.dialect.decimal != "." or not counted or len(counted) > AT_ONCE:
            return None
        for marks in dict.fromkeys((self._marks_at_first, tuple(self.wanted.missing))):
            try:
                return self._parse(self._scan(place, counted, marks), chosen, counted)
            except duckdb.ConversionException:
                continue
        return None

    @cached_property
    def _marks_at_first(self) -> tuple[str, ...]:
        """The marks for nothing that the first rows have."""
        cells = {cell.strip(" ") for row in self.sample.below for cell in row.cells}
        return tuple(mark for mark in self.wanted.missing if mark in cells)

    def _parse(self, scan: str, chosen: Sequence[int], counted: Sequence[int]) -> Numbers:
        kept = ", ".join(f"c{i}" for i in chosen)
        if _FEW_TEXTS * (len(chosen) - len(counted)) <= len(chosen):  # no table between
            run(self.connection, f"select {kept} from {scan}", watcher=self.wanted.progress)
            arrays = self.connection.fetchnumpy()
            self._texts = {i: np.ma.asarray(arrays.pop(f"c{i}")) for i in chosen if i not in counted}
            return {i: np.ma.asarray(arrays.pop(f"c{i}")) for i in counted}
        query = f"create or replace table cells as select {kept} from {scan}"
        run(self.connection, query, watcher=self.wanted.progress)
        columns = fetch_columns(self.connection, "cells", [f"c{i}" for i in counted])
        return dict(zip(counted, columns, strict=True))

    def _cast(self, place: _Place, chosen: Sequence[int], has_underscore: bool) -> Numbers:
        """Return the columns of numbers, cast from text, NaN for what is none; all is in `cells`."""
        number = partial(_number, decimal=self.dialect.decimal, has_underscore=has_underscore)
        kept = ", ".join(f"{number(f'c{i}') if i in self.numeric else f'c{i}'} as c{i}" for i in chosen)
        query = f"create or replace table cells as select {kept} from {self._scan(place)}"
        run(self.connection, query, watcher=self.wanted.progress)
        counted = [i for i in chosen if i in self.numeric]
        columns = fetch_columns(self.connection, "cells", [f"c{i}" for i in counted])
        return dict(zip(counted, columns, strict=True))

    def _scan(self, place: _Place, numeric: Sequence[int] = (), marks: Sequence[str] | None = None) -> str:
        d, doubles = place.dialect, set(numeric)
        marks = self.wanted.missing if marks is None else marks
        signs = [sign for sign in (d.separator, d.quote, "\n", "\r") if sign]
        gaps = [m for mark in dict.fromkeys(marks) if mark for m in (mark, f" {mark}")]
        gaps = ["", *(mark for mark in gaps if not any(sign in mark for sign in signs))]
        types = ["DOUBLE" if i in doubles else "VARCHAR" for i in range(len(self.names))]
        columns = ", ".join(f"'c{i}': '{kind}'" for i, kind in enumerate(types))
        options = {
            "header": str(d.has_header).lower(),
            "auto_detect": "false",
            "columns": f"{{{columns}}}",
            "delim": literal(d.separator),
            "quote": literal(d.quote),
            "escape": literal(d.quote),
            "nullstr": f"[{', '.join(map(literal, gaps))}]",
            "compression": "'gzip'" if place.is_packed else "'none'",
        }
        if place.is_rewritten:
            options["new_line"] = r"'\n'"
        if place.longest != _LONGEST:
            options |= {"max_line_size": str(place.longest), "parallel": "false"}
        given = ", ".join(f"{name}={value}" for name, value in options.items())
        return f"read_csv({literal(glob.escape(place.path))}, {given})"

    # --- columns ----------------------------------------------------------------------------------------

    def look(self, name: str) -> Verdict:
        """Return what a column holds."""
        i = self.places[name]
        if i in self._numbers:
            return Verdict(Raw(Kind.numeric, self._numbers.pop(i)), "every cell is a number")
        rule = self.wanted.rule_for(name, self.rule)
        return judge(name, self._words(i), rule, self.wanted.kind_of(name), self._line_of)

    def _words(self, place: int) -> Words:
        if self._wide is not None:
            return self._wide.words(place)
        if place in self._texts:
            return words_of(texts_of(self._texts.pop(place)))
        return fetch_words(self.connection, "late" if place in self.numeric else "cells", f"c{place}")

    def _line_of(self, row: int) -> str:
        line = line_of_row(self.source, self.dialect, len(self.names), row)
        for number in sorted(self._left_out):
            line += number <= line
        return f"line {line:,}"


def sample_of(source: Source, wanted: Wanted) -> tuple[Sample, list[str], set[int]]:
    """Return the first records of a file, the names of its columns, and the places of those of numbers."""
    nothing = cast("DuckDBPyConnection", None)  # only the first lines are looked at
    text = _Text(nothing, source, wanted, _encoding_of(source, wanted))
    return text.sample, text.names, text.numeric


def cells_of(
    connection: DuckDBPyConnection, source: Source, wanted: Wanted, numeric: set[int], stack: ExitStack
) -> tuple[list[str], Callable[[str], NDArray[np.float64] | Words]]:
    """Return the names of a file of text, and a function that gives the cells of a column as they are.

    Columns at the places `numeric` are numbers, unless a word is among them; all others are words, not
    judged yet.
    """
    text = _Text(connection, source, wanted, _encoding_of(source, wanted))
    text.__dict__["numeric"] = numeric
    text.read(stack)

    def cells(name: str) -> NDArray[np.float64] | Words:
        place = text.places[name]
        return text._numbers.pop(place) if place in text._numbers else text._words(place)

    return text.names, cells


def _encoding_of(source: Source, wanted: Wanted) -> str:
    return checked_encoding(wanted.encoding) if wanted.encoding else guess_encoding(source)


def _is_suspect(values: np.ma.MaskedArray[Any, Any], marks: Sequence[float | None]) -> bool:
    """Return whether words must be looked at: no number, one that float64 may change, a mark of a gap."""
    known = values.data if values.mask is np.ma.nomask else values.compressed()
    if not len(known):
        return False
    largest = np.maximum(known.max(), -known.min())  # NaN if there is one
    return not largest < EXACT or any((known == mark).any() for mark in marks if mark is not None)


def _first_text(source: Source, encoding: str) -> str:
    """Return the first lines as text, whole ones where there are any."""
    with text_of(source, encoding) as stream:
        text = stream.read(HEAD)
        if not stream.read(1):
            return text
    end = max(text.rfind("\n"), text.rfind("\r"))
    return text[: end + 1] if end > 0 else text


def _is_all_utf8(source: Source) -> bool:
    with source.opened() as stream:
        tail = b""
        while block := stream.read(1 << 22):
            end = block.rfind(b"\n") + 1
            if not is_utf8(tail + block[:end] + b"\n"):
                return False
            tail = block[end:]
    return is_utf8(tail + b"\n")


def _has_underscore(path: str) -> bool:
    """Return whether a file has an underscore below its first line: DuckDB takes 1_000 for a number."""
    if os.path.getsize(path) == 0:
        return False
    with open(path, "rb") as stream, mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as view:
        return view.find(b"_", view.find(b"\n") + 1) >= 0


def _number(cell: str, decimal: str, has_underscore: bool) -> str:
    """Return the SQL of a cell as a number: NULL for a gap, NaN for what is no number."""
    text = cell
    if decimal == ",":
        text = f"case when contains({cell}, '.') then null else replace({cell}, ',', '.') end"
    if has_underscore:
        text = f"case when contains({cell}, '_') then null else {text} end"
    return f"coalesce(try_cast({text} as double), case when {cell} is null then null else 'nan'::double end)"


# --- words for people -------------------------------------------------------------------------------------


def _layout_words(dialect: Dialect) -> str:
    between = SEPARATORS.get(dialect.separator, f"the sign {dialect.separator!r}")
    point = ", decimal comma" if dialect.decimal == "," else ""
    first = "names in the first line" if dialect.has_header else "no line of names"
    encoding = WORDS.get(dialect.encoding, dialect.encoding)
    return f"text with {between} between cells{point}, {encoding}, {first}"


def _name_notes(sample: Sample, names: Sequence[str]) -> list[str]:
    if not sample.dialect.has_header:
        if not sample.dialect.header_is_guessed:
            return []
        guessed = f"The first line looks like a row, so the columns are named {names[0]}, ...; "
        return [sentence(guessed, "if it holds names, say ", read_with("header", True), ".")]
    return [
        f"Column {number} has no name in the first line; it is named {name!r}."
        for number, (given, name) in enumerate(zip(sample.first, names, strict=True), start=1)
        if not given.strip()
    ]
