"""Good trees in a small picture: how many of them ask each column, and what each tree costs and asks."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from treewright.base.numbers import count, number, percent
from treewright.lookahead import GoodTrees
from treewright.paint.colours import FAINT, INK, LINE, PAPER, TRACK, look, mixed
from treewright.paint.files import delivered
from treewright.paint.font import measure, shortened, wrapped
from treewright.paint.marks import Mark, Shape, Text, rectangle
from treewright.paint.sheet import Sheet
from treewright.tree.certificate import WORDS

_MARGIN, _TITLE, _SIZE, _SMALL = 16.0, 15.0, 11.0, 9.5
_ROW, _NAME, _BAR, _SHARE = 19.0, 170.0, 110.0, 46.0
_CELL, _COSTS = 15.0, 44.0  # a tree's column, and the height of the bars of costs
_MOST_COLUMNS, _MOST_TREES = 30, 40
_NARROWEST = 430.0  # so that the title has room


def plot(trees: GoodTrees, path: str | os.PathLike[str] | None = None, *, ax: Any = None) -> Sheet:
    """Return a picture of good trees; saved where a path is given, drawn on axes where these are.

    On the left each column with the share of trees that ask it, on the right a column for each tree: above
    what it costs, below a mark at each column that it asks, a full one at its first test.

    >>> import treewright as tw
    >>> found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, n_trees=6).trees
    >>> picture = plot(found)
    >>> [text.words for text in picture.texts if text.bold]
    ['The 6 best trees for PlayTennis', 'Outlook']
    """
    asked = sorted((name for name, n in trees.uses.items() if n), key=lambda name: -trees.uses[name])
    shown, n_trees = asked[:_MOST_COLUMNS], min(len(trees), _MOST_TREES)
    names = min(_NAME, 8 + max((measure(name, _SIZE, name in trees.needed) for name in shown), default=0.0))
    left = _MARGIN + names + _BAR + _SHARE
    width = max(_NARROWEST, left + n_trees * _CELL + _MARGIN)
    marks, top = _title(trees, width)
    marks += _costs(trees, n_trees, left, top)
    top += _COSTS + 8
    for row, name in enumerate(shown):
        marks += _line(trees, name, n_trees, names, top + row * _ROW)
    top += len(shown) * _ROW + 6
    for line in _remarks(trees, len(asked) - len(shown), n_trees, width):
        marks.append(Text(_MARGIN, top + _SMALL, line, _SMALL, colour=FAINT))
        top += _SMALL * 1.4
    sheet = Sheet(f"Good trees for {trees.target}", width, top + _MARGIN, tuple(marks))
    return delivered(sheet, path, ax)  # type: ignore[no-any-return]


def _title(trees: GoodTrees, width: float) -> tuple[list[Mark], float]:
    marks: list[Mark] = []
    top = _MARGIN
    for line in wrapped(trees.title(), width - 2 * _MARGIN, _TITLE, bold=True, most=4):
        marks.append(Text(_MARGIN, top + _TITLE, line, _TITLE, bold=True, colour=INK))
        top += _TITLE * 1.35
    return marks, top + 8


def _costs(trees: GoodTrees, n_trees: int, left: float, top: float) -> Iterator[Mark]:
    """Yield a bar for each tree: the cheapest has half the height, others what they cost beside it."""
    unit = WORDS.get(trees.objective, trees.objective)
    foot, best = top + _COSTS, trees.costs[0]
    words = f"{number(best, 6)} to {number(trees.costs[n_trees - 1], 6)} {unit}"
    if trees.costs[n_trees - 1] <= best * (1 + 1e-9):
        words = f"{number(best, 6)} {unit}"
    room = left - _MARGIN - 8
    words = shortened(words, room, _SIZE)
    yield Text(left - 8 - measure(words, _SIZE), foot - 2, words, _SIZE, colour=FAINT)
    for i in range(n_trees):
        share = min(2.0, trees.costs[i] / best) if best > 0 else (1.0 if trees.costs[i] <= 0 else 2.0)
        high = max(2.0, share * _COSTS / 2)
        yield Shape(rectangle(left + i * _CELL + 2, foot - high, _CELL - 4, high), fill=look(0).colour)
    yield Shape((("M", left, foot), ("L", left + n_trees * _CELL, foot)), stroke=LINE, width=0.75)


def _line(trees: GoodTrees, name: str, n_trees: int, names: float, top: float) -> Iterator[Mark]:
    """Yield what stands in the line of a column of the table; `names` is the room for its name."""
    share, is_needed = trees.uses[name] / trees.n_found, name in trees.needed
    base, ink = top + 0.72 * _ROW, INK if is_needed else FAINT
    words = shortened(name, names - 8, _SIZE, is_needed)
    end = _MARGIN + names - 8
    yield Text(end - measure(words, _SIZE, is_needed), base, words, _SIZE, bold=is_needed, colour=ink)
    x = _MARGIN + names
    yield Shape(rectangle(x, top + 4, _BAR, _ROW - 8), fill=TRACK)
    yield Shape(rectangle(x, top + 4, _BAR * share, _ROW - 8), fill=look(0).colour)
    yield Text(x + _BAR + 5, base, percent(share), _SMALL, colour=ink)
    left = x + _BAR + _SHARE
    for i in range(n_trees):
        tree = trees[i]
        place = tree.schema.names.index(name)
        if place not in tree.used_columns:
            continue
        fill = look(0).colour if tree.column[0] == place else mixed(look(0).colour, PAPER, 0.4)
        yield Shape(rectangle(left + i * _CELL + 3, top + 4, _CELL - 6, _ROW - 8), fill=fill)


def _remarks(trees: GoodTrees, n_hidden: int, n_trees: int, width: float) -> list[str]:
    said = []
    if n_hidden:
        said.append(f"{count(n_hidden, 'more column')} asked by fewer of the trees.")
    if n_trees < len(trees):
        said.append(f"The first {n_trees} of {len(trees):,} trees are drawn.")
    if trees.unused:
        said.append(f"Asked by none: {', '.join(trees.unused)}.")
    said.append("A full mark: the first test of the tree; bold: every tree asks the column.")
    return [line for words in said for line in wrapped(words, width - 2 * _MARGIN, _SMALL, most=3)]
