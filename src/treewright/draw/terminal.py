"""The picture in letters: the same arrangement in a terminal's cells, or the listing where it is narrow."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from treewright.base.cells import cells, cut
from treewright.draw.arrange import Sizes, Spacing, arrange
from treewright.draw.view import Item, items
from treewright.draw.words import Words

_SPACING = Spacing(beside=3, between=1, under=0)
_ANSWER, _NAME = 20, 24  # cells that an answer or a name may take
_CATEGORIES = 3
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
_LINES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"  # by the sum of the directions in which a line leaves the cell


class _Lines(NamedTuple):
    answer: list[str]
    card: list[str]
    question: list[str]


def to_text(
    words: Words,
    columns: int = 100,
    ascii: bool = False,  # noqa: A002
    max_depth: int | None = None,
) -> str:
    """Return the tree drawn from top to bottom if all of it fits, else its listing, cut to the width.

    >>> from treewright.tree.example import tennis
    >>> print(to_text(Words(tennis()), columns=60))
                      Outlook?
              ┌───────────┴┬─────────┐
            Sunny      Overcast    Rain
          Humidity?    Yes 100 %   Wind?
              │         4 rows       │
         ┌────┴─────┐           ┌────┴─────┐
       High      Normal      Strong      Weak
     No 100 %   Yes 100 %   No 100 %   Yes 100 %
      3 rows     2 rows      2 rows     3 rows
    >>> print(to_text(Words(tennis()), columns=28, ascii=True))
    Outlook
    |- = Sunny -> Humidity
    |  |- = High -> No  (3 rows)
    |  `- = Normal -> Yes  (2...
    |- = Overcast -> Yes  (4 ...
    `- = Rain -> Wind
       |- = Strong -> No  (2 ...
       `- = Weak -> Yes  (3 r...
    """
    drawn = _drawn(replace(words, ascii=ascii), columns, max_depth)
    if drawn is not None:
        return drawn
    listing = words.tree.to_text(max_depth=max_depth, ascii=ascii).splitlines()
    return "\n".join(cut(line, columns, ascii) for line in listing)


def _drawn(words: Words, columns: int, max_depth: int | None) -> str | None:
    """Return the whole tree as a drawing; None where it is wider than the terminal."""
    tree = words.tree
    deepest = tree.depth if max_depth is None else max_depth
    inner = np.flatnonzero((tree.depths < deepest) & ~tree.leaf_mask).tolist()
    if (len(inner) + 1) * 4 > columns:  # so many leaves at least, of four cells at least
        return None
    words = replace(words, digits=words.digits_for(inner))
    view = items(tree, {i: tree.children(i) for i in inner})
    lines = [_lines(words, item) for item in view]
    sizes = [Sizes(*(_size(part) for part in parts)) for parts in lines]
    found = arrange(view, sizes, _SPACING)
    if found.width + 2 > columns:
        return None
    canvas = _Canvas(round(found.height), words.ascii)
    for item, parts, place in zip(view, lines, found.places, strict=True):
        middle = _cell(place.leave[0])
        if item.parent >= 0:
            above = found.places[item.parent]
            row = round(place.bend[1]) - 1  # the one between the levels
            canvas.upright(_cell(above.leave[0]), round(above.leave[1]), row)
            canvas.across(_cell(above.leave[0]), middle, row)
            canvas.upright(middle, round(place.bend[1]), round(place.stop[1]), hangs=True)
        for part, box in zip(parts, (place.answer, place.card, place.question), strict=True):
            for i, line in enumerate(part):
                canvas.write(middle, round(box[1]) + i, line)
    return canvas.text()


def _lines(words: Words, item: Item) -> _Lines:
    answer = cut(words.answer(item, _CATEGORIES, _NAME), 3 * _ANSWER, words.ascii)
    if item.how == "open":
        return _Lines(_folded(answer), [], [cut(words.question(item), 2 * _NAME, words.ascii)])
    head = f"{cut(words.head(item), _NAME, words.ascii)} {words.share(item)}".strip()
    return _Lines(_folded(answer), [head, *words.facts(item, with_part=False)], [])


def _folded(words: str) -> list[str]:
    """Return words in lines of a few cells."""
    lines: list[str] = []
    for word in words.split():
        if lines and cells(lines[-1]) + 1 + cells(word) <= _ANSWER:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _size(lines: list[str]) -> tuple[float, float]:
    return (float(max(map(cells, lines))), float(len(lines))) if lines else (0.0, 0.0)


def _cell(x: float) -> int:
    return int(x) + 1


class _Canvas:
    """Rows of cells: lines that meet become corners and forks, words lie over them."""

    def __init__(self, n_rows: int, ascii: bool) -> None:  # noqa: A002
        self._lines: list[dict[int, int]] = [{} for _ in range(n_rows)]
        self._words: list[dict[int, str]] = [{} for _ in range(n_rows)]
        self._ascii = ascii

    def upright(self, x: int, top: int, bottom: int, hangs: bool = False) -> None:
        """Draw down from a row to another, which is reached unless the line hangs from above it."""
        for y in range(top, bottom):
            self._add(x, y, UP | DOWN)
        if not hangs:
            self._add(x, bottom, UP)

    def across(self, x0: int, x1: int, y: int) -> None:
        """Draw along a row, and down at the end."""
        low, high = min(x0, x1), max(x0, x1)
        for x in range(low, high):
            self._add(x, y, RIGHT)
            self._add(x + 1, y, LEFT)
        self._add(x1, y, DOWN)

    def write(self, middle: int, y: int, words: str) -> None:
        """Write words around a column."""
        x = middle - cells(words) // 2
        for character in words:
            self._words[y][x] = self._words[y].get(x, "") + character if not cells(character) else character
            x += cells(character)

    def text(self) -> str:
        """Return all rows as they are read."""
        return "\n".join(
            self._row(lines, words) for lines, words in zip(self._lines, self._words, strict=True)
        )

    def _row(self, lines: dict[int, int], words: dict[int, str]) -> str:
        row, x = "", 0
        while x <= max([*lines, *words], default=-1):
            sign = words.get(x) or self._sign(lines.get(x, 0))
            row += sign
            x += max(cells(sign), 1)
        return row.rstrip()

    def _sign(self, ways: int) -> str:
        if not self._ascii:
            return _LINES[ways]
        return " " if not ways else "|" if ways == UP | DOWN else "-" if ways == LEFT | RIGHT else "+"

    def _add(self, x: int, y: int, ways: int) -> None:
        self._lines[y][x] = self._lines[y].get(x, 0) | ways
