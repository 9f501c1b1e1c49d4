"""Columns of words as lines of text: what a report prints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Words(NamedTuple):
    """A column of a printed table: its title, its cells, and the side they stand on ("<" or ">")."""

    title: str
    cells: Sequence[str]
    side: str = ">"


def aligned(columns: Sequence[Words]) -> Iterator[str]:
    """Yield the lines of a table: the titles, then row by row.

    >>> list(aligned([Words("name", ["a", "bc"], "<"), Words("n", ["12", "3"])]))
    ['name   n', 'a     12', 'bc     3']
    """
    widths = [max(map(len, [c.title, *c.cells])) for c in columns]
    for line in range(-1, len(columns[0].cells)):
        cells = (
            f"{c.title if line < 0 else c.cells[line]:{c.side}{width}}"
            for c, width in zip(columns, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


def figure(value: float, spread: float = math.nan) -> str:
    """Return a number with what it may be off by; "-" where there is none.

    >>> figure(0.25, 0.1), figure(math.nan), figure(12345.678)
    ('0.250 ± 0.100', '-', '1.235e+04')
    """
    if math.isnan(value):
        return "-"
    digits = ".3f" if abs(value) < 1000 else ".4g"
    return f"{value:{digits}}" + ("" if math.isnan(spread) else f" ± {spread:{digits}}")
