"""What a notebook shows of a result: its text as it is printed, or a table."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from treewright.base.lines import Words, harmless

_PRE = "font-family:monospace;line-height:1.35;overflow-x:auto;white-space:pre"
_CELL = "padding:2px 10px;text-align:{}"


class Shown:
    r"""A result whose text, `str(result)`, is also what a notebook shows; a shell shows it in short.

    >>> class Answer(Shown):
    ...     def __str__(self): return "a < b\nbecause of c"
    >>> Answer()._repr_html_().count("a &lt; b")
    1
    >>> Answer()
    Answer(a < b ...)
    """

    def in_short(self) -> str:
        """Return what a shell shows between the brackets: by default the first line of the text.

        >>> Shown().in_short()
        Traceback (most recent call last):
        NotImplementedError: Shown has no text.
        """
        first, *more = str(self).split("\n")
        return f"{first} ..." if more else first

    def __str__(self) -> str:
        raise NotImplementedError(f"{type(self).__name__} has no text.")

    def __repr__(self) -> str:
        return harmless(f"{type(self).__name__}({self.in_short()})")

    def _repr_html_(self) -> str:
        return preformatted(str(self))


def preformatted(text: str) -> str:
    """Return lines of text as HTML that keeps their columns.

    >>> preformatted("a  b")
    '<pre style="font-family:monospace;line-height:1.35;overflow-x:auto;white-space:pre">a  b</pre>'
    """
    return f'<pre style="{_PRE}">{escape(harmless(text))}</pre>'


def html_table(columns: Sequence[Words], raw: Sequence[int] = ()) -> str:
    """Return columns of words as an HTML table; the cells of the columns in `raw` are HTML already.

    >>> html_table([Words("n", ["1", "<2"])]).count("&lt;2")
    1
    """
    sides = [_CELL.format("left" if column.side == "<" else "right") for column in columns]
    head = "".join(
        f'<th style="{side}">{escape(harmless(column.title))}</th>'
        for column, side in zip(columns, sides, strict=True)
    )
    lines = []
    for row in range(len(columns[0].cells)):
        cells = (
            f'<td style="{side}">{c.cells[row] if i in raw else escape(harmless(c.cells[row]))}</td>'
            for i, (c, side) in enumerate(zip(columns, sides, strict=True))
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    return (
        '<table style="border-collapse:collapse;font-variant-numeric:tabular-nums">'
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )
