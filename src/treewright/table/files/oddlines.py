"""Rows of a file or a sheet without values: groups above the names, units below them, subtotals between."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

TOTAL = re.compile(
    r"((grand|sub|overall)[ -]?)?(totals?|totale|sum|summe|gesamt(summe|ergebnis|betrag)?|insgesamt|somme|"
    r"suma|zwischensumme|averages?|mean|durchschnitt|mittelwert|moyenne)\b.{0,30}",
    re.IGNORECASE,
)
_DIGIT, _LETTER = re.compile(r"\d"), re.compile(r"[^\W\d_]|--")
_LEAST_ROWS = 5  # below a line of units
_SPARSE = 0.1  # of the other rows may be as empty as a subtotal is


@dataclass(frozen=True)
class Header:
    """The line of names: how many lines of groups stand above it, of units below; names made of two lines."""

    n_above: int = 0
    n_below: int = 0
    names: tuple[str, ...] = ()


def header_of(rows: Sequence[Sequence[str]], missing: Collection[str]) -> Header:
    """Return where the names stand, if the second row holds no values either.

    Where the first row has gaps or the same word twice, it names groups of columns, and the names are below;
    a name that is there twice is told apart by its group. Else the second row tells units and the like.

    >>> values = [["1", "2"]] * 5
    >>> header_of([["Person", ""], ["age", "size"], *values], ())
    Header(n_above=1, n_below=0, names=())
    >>> header_of([["age", "size"], ["y", "cm"], *values], ())
    Header(n_above=0, n_below=1, names=())
    >>> header_of([["old", "", "new", ""], ["a", "b", "a", "b"], *[["1", "2", "3", "4"]] * 5], ()).names
    ('old a', 'old b', 'new a', 'new b')
    """
    if len(rows) < 2 + _LEAST_ROWS or not _has_no_value(rows[1], rows[2:], missing):
        return Header()
    groups, names = ([cell.strip() for cell in row] for row in rows[:2])
    is_grouped = "" in groups or len(set(groups)) < len(groups)
    if not is_grouped:
        return Header(n_below=1)
    if not all(names) or not groups[0]:
        return Header()
    if len(set(names)) == len(names):
        return Header(n_above=1)
    full = tuple(f"{group} {name}" for group, name in zip(_filled(groups), names, strict=True))
    return Header(1, 0, full) if len(set(full)) == len(full) else Header()


def _filled(groups: Sequence[str]) -> list[str]:
    """Return the group of each column: that of a merged cell stands in the first one alone."""
    found: list[str] = []
    for group in groups:
        found.append(group or found[-1])
    return found


def _has_no_value(row: Sequence[str], below: Sequence[Sequence[str]], missing: Collection[str]) -> bool:
    """Whether a row has words, at least two, wherever nearly all the others have digits."""
    others = [cells for cells in below if len(cells) == len(row)]
    if len(others) < _LEAST_ROWS:
        return False
    n_words = n_counted = 0
    for cell, *column in zip(row, *others, strict=True):
        known = [c for c in column if c.strip() and c.strip() not in missing]
        n_digits = sum(map(bool, map(_DIGIT.search, known)))
        if not known or 10 * n_digits < 9 * len(known):
            continue
        if _DIGIT.search(cell):
            return False
        n_counted += 1
        n_words += _LETTER.search(cell) is not None and cell.strip() not in missing
    return n_words >= 2 and 2 * n_words >= n_counted


def is_empty(cells: Sequence[str]) -> bool:
    """Return whether a row of more than three cells has nothing in any of them; of fewer, all may be gaps.

    >>> is_empty(["", " ", "", ""]), is_empty(["", "x", "", ""]), is_empty(["", ""])
    (True, False, False)
    """
    return len(cells) > 3 and not any(cell.strip() for cell in cells)


def is_subtotal(cells: Sequence[str]) -> bool:
    """Return whether a row begins with a word for a sum, and most of its other cells are empty.

    >>> is_subtotal(["Subtotal", "", "12.50", ""]), is_subtotal(["total", "1", "2", "3"])
    (True, False)
    """
    first = next((cell.strip() for cell in cells if cell.strip()), "")
    n_empty = sum(not cell.strip() for cell in cells)
    return len(cells) > 2 and 2 * n_empty >= len(cells) and TOTAL.fullmatch(first) is not None


def has_subtotals(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether some rows are subtotals, and hardly any others are as empty as these."""
    n_totals = sum(map(is_subtotal, rows))
    n_sparse = sum(2 * sum(not cell.strip() for cell in cells) >= len(cells) > 1 for cells in rows) - n_totals
    return n_totals > 0 and n_sparse <= _SPARSE * len(rows) and 4 * n_totals <= len(rows)
