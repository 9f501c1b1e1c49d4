"""How a file of separated text is laid out: said by the caller, or guessed from its first lines."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from typing import Any

from treewright.base.advice import read_with, refusal

from .numbers import number_of
from .records import SPACES, Record, records

# In this order where two fit equally well.
SEPARATORS = {"\t": "tabs", ";": "semicolons", "|": "bars", ",": "commas", SPACES: "spaces"}
_WORDS = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "bar": "|", "pipe": "|", "space": " ",
          "spaces": " "}  # fmt: skip
_LINES = 1000  # that are looked at
_WITH_COMMA = re.compile(r"\s*[+-]?\d*,\d+(e[+-]?\d+)?\s*", re.IGNORECASE | re.ASCII)
_WITH_POINT = re.compile(r"\s*[+-]?\d*\.\d+(e[+-]?\d+)?\s*", re.IGNORECASE | re.ASCII)

# Numbers with a unit or a thousands sign also tell the sign of decimals: 1.234,56 and 7,5 % against 1,234.56.
_THEN_COMMA = re.compile(r"(?<![\d.,])\d{1,3}(\.\d{3})+,\d|(?<![\d.,])\d+,\d{1,2}\s*[%€£$]", re.ASCII)
_THEN_POINT = re.compile(r"(?<![\d.,])\d{1,3}(,\d{3})+\.\d|(?<![\d.,])\d+\.\d{1,2}\s*[%€£$]", re.ASCII)


@dataclass(frozen=True)
class Dialect:
    """The layout of separated text; `is_spaced`: after each separator a space, which is no part of a cell."""

    separator: str
    quote: str
    decimal: str
    encoding: str
    has_header: bool
    is_spaced: bool = False
    header_is_guessed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return the layout as plain JSON values."""
        return {
            "separator": self.separator,
            "quote": self.quote,
            "decimal": self.decimal,
            "encoding": self.encoding,
            "header": self.has_header,
        }


@dataclass(frozen=True)
class Sample:
    """The first records of a file under its dialect."""

    dialect: Dialect
    rows: tuple[Record, ...]

    @property
    def first(self) -> list[str]:
        """The cells of the first line."""
        return self.rows[0].cells

    @property
    def below(self) -> tuple[Record, ...]:
        """The records that hold rows of the table."""
        return self.rows[1:] if self.dialect.has_header else self.rows


def guess(
    text: str,
    encoding: str,
    missing: Sequence[str],
    *,
    separator: str | None = None,
    quote: str | None = None,
    decimal: str | None = None,
    header: bool | None = None,
) -> Sample:
    r"""Return the first records of a text and its layout; what the caller says is not guessed.

    >>> guess("name;size\nbo;1,5\nann;2,5\n", "utf-8", ["NA"]).dialect.to_dict()
    {'separator': ';', 'quote': '"', 'decimal': ',', 'encoding': 'utf-8', 'header': True}
    """
    wrapping = _quote(text) if quote is None else _checked_quote(quote)
    sign = _separator(text, wrapping) if separator is None else checked_separator(separator)
    rows = _rows(text, sign, wrapping)
    cells = [cell for row in rows for cell in row.cells]
    point = _decimal(cells, sign) if decimal is None else _checked_decimal(decimal)
    named = has_header(rows, missing, point) if header is None else bool(header)
    spaced = _is_spaced(text, sign, wrapping)
    return Sample(Dialect(sign, wrapping, point, encoding, named, spaced, header is None), rows)


def checked_separator(given: str) -> str:
    r"""Return a separator given as a sign or a word.

    >>> checked_separator("tab"), checked_separator(";")
    ('\t', ';')
    """
    sign = _WORDS.get(given.lower(), given) if isinstance(given, str) else ""
    if not 1 <= len(sign) <= 4 or "\n" in sign or "\r" in sign or '"' in sign:
        raise refusal(
            read_with("separator", given),
            " is no sign between cells; say ',', ';', '|', 'tab' or 'spaces'.",
        )
    return sign


def _checked_quote(given: str) -> str:
    if not isinstance(given, str) or len(given) > 1 or given in ("\n", "\r", " "):
        raise refusal(read_with("quote", given), " is no quote sign; say '\"', \"'\" or '' for none.")
    return given


def _checked_decimal(given: str) -> str:
    if given not in (".", ","):
        raise refusal(read_with("decimal", given), " is not known; it is '.' or ','.")
    return given


def _rows(text: str, separator: str, quote: str, most: int = _LINES) -> tuple[Record, ...]:
    """Return the first records; in a table of several columns empty lines do not count."""
    found = list(islice(records(StringIO(text, newline=""), separator, quote), most))
    if any(len(row.cells) > 1 for row in found):
        return tuple(row for row in found if row.cells != [""])
    return tuple(found)


# --- the guesses ------------------------------------------------------------------------------------------


def _quote(text: str) -> str:
    """Return the sign around cells: the single quote only where it wraps cells and there is no double one."""
    if '"' in text:
        return '"'
    edges = r"(?:^|[,;|\t])'(?:[^'\n]|'')*'(?=[,;|\t\r\n]|$)"
    wrapped = len(re.findall(edges, text[:100_000], re.MULTILINE))
    opened = len(re.findall(r"(?:^|[,;|\t])'", text[:100_000], re.MULTILINE))
    return "'" if wrapped and wrapped >= opened else '"'


def _separator(text: str, quote: str) -> str:
    """Return the separator that divides most lines into equally many cells, and these most cleanly."""
    scores = {sign: _fit(text, sign, quote) for sign in SEPARATORS}
    best = max(scores, key=lambda sign: scores[sign])
    return best if scores[best] > (0.0, 0.0) else ","


def _fit(text: str, separator: str, quote: str) -> tuple[float, float]:
    """Return the share of lines that have the usual number of cells, and the share of plain cells in them."""
    rows = _rows(text, separator, quote, 200)
    width, n_usual = Counter(len(row.cells) for row in rows).most_common(1)[0] if rows else (1, 0)
    if width == 1:
        return 0.0, 0.0
    usual = [row.cells for row in rows if len(row.cells) == width]
    if separator == SPACES and not _has_numbers(usual):  # words with a space between are no table
        return 0.0, 0.0
    others = [sign for sign in SEPARATORS if sign not in (separator, SPACES)]
    cells = [cell for row in usual for cell in row]
    n_plain = sum(
        not any(sign in cell for sign in others) or _WITH_COMMA.fullmatch(cell) is not None for cell in cells
    )
    return n_usual / len(rows), n_plain / len(cells)


def _has_numbers(rows: Sequence[Sequence[str]]) -> bool:
    below = rows[1:] or rows
    return any(
        all(number_of(cell.replace(",", ".")) is not None for cell in column)
        for column in zip(*below, strict=True)
    )


def _decimal(cells: Sequence[str], separator: str) -> str:
    if separator == ",":
        return "."
    n_commas = sum(_WITH_COMMA.fullmatch(cell) is not None for cell in cells)
    n_points = sum(_WITH_POINT.fullmatch(cell) is not None for cell in cells)
    n_commas += sum(_THEN_COMMA.search(cell) is not None for cell in cells)
    n_points += sum(_THEN_POINT.search(cell) is not None for cell in cells)
    return "," if n_commas > n_points else "."


def has_header(rows: Sequence[Record], missing: Sequence[str], decimal: str) -> bool:
    """Return whether the first line names the columns.

    It does if it has a word where the column has numbers; else it does not if it has a number where the
    column has numbers, or if most of its cells occur again below.
    """
    below = [row.cells for row in rows[1:] if len(row.cells) == len(rows[0].cells)]
    if not below:
        return True
    n_numbers = n_again = 0
    for first, column in zip(rows[0].cells, zip(*below, strict=True), strict=True):
        known = [cell for cell in column if cell.strip(" ") not in missing and cell.strip(" ")]
        is_gap = first.strip(" ") in missing
        if known and all(number_of(cell, decimal) is not None for cell in known):
            if first.strip(" ") and not is_gap and number_of(first, decimal) is None:
                return True
            n_numbers += bool(first.strip(" "))
        n_again += first in known
    return not n_numbers and n_again * 2 <= len(rows[0].cells)


def _is_spaced(text: str, separator: str, quote: str) -> bool:
    """Return whether a space follows every separator outside of quotes in the first lines."""
    if separator == SPACES:
        return False
    bare = [line for line in text[:100_000].splitlines()[:_LINES] if not quote or quote not in line]
    n_all = sum(line.count(separator) for line in bare)
    return n_all > 0 and n_all == sum(line.count(separator + " ") for line in bare)
