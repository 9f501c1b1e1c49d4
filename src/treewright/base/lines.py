"""Text that is shown: without signs that steer a terminal, and columns of words as lines."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from treewright.base.numbers import number, percent


def harmless(text: str) -> str:
    r"""Return a text in which signs that steer a terminal are written as escapes; they may stand in any file.

    These are control characters but for line ends and tabs, signs that turn the direction of reading, and
    halves of pairs, which no terminal can be sent.
    Every text that is made to be shown goes through here, or writes its names as `repr` does.

    >>> print(harmless("red: \x1b[31m, two\nlines, \u202eback"))
    red: \x1b[31m, two
    lines, \u202eback
    """
    return text if text.isprintable() else text.translate(_STEERING)


_CONTROLS = [code for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"]
_TURNING = [0x061C, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
_HALVES = range(0xD800, 0xE000)
_STEERING = {code: f"\\x{code:02x}" for code in _CONTROLS}
_STEERING |= {code: f"\\u{code:04x}" for code in (*_TURNING, *_HALVES)}


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
    columns = [Words(harmless(c.title), list(map(harmless, c.cells)), c.side) for c in columns]
    widths = [max(map(len, [c.title, *c.cells])) for c in columns]
    for line in range(-1, len(columns[0].cells)):
        cells = (
            f"{c.title if line < 0 else c.cells[line]:{c.side}{width}}"
            for c, width in zip(columns, widths, strict=True)
        )
        yield "  ".join(cells).rstrip()


def figure(value: float, spread: float = math.nan, is_share: bool = False) -> str:
    """Return a number with what it may be off by, a share in per cent; "-" where there is none.

    >>> figure(0.25, 0.1), figure(math.nan), figure(12345.678, 2620.4)
    ('0.250 ± 0.100', '-', '12,346 ± 2,620')
    >>> figure(0.25, 0.1, is_share=True), figure(0.25, is_share=True)
    ('25.0 % ± 10.0', '25.0 %')
    """
    if math.isnan(value):
        return "-"
    if is_share:
        return percent(value, 1) + ("" if math.isnan(spread) else f" ± {100 * spread:.1f}")
    words = [value] if math.isnan(spread) else [value, spread]
    return " ± ".join(f"{x:.3f}" if abs(value) < 1000 else number(x) for x in words)
