"""The one layout: a tree in, boxes, lines and texts out. Every output draws what this returns."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

from treewright.draw import card
from treewright.draw.arrange import DIRECTIONS, Arranged, Spacing, arrange
from treewright.draw.colours import BRANCH, LINE, PAPER
from treewright.draw.header import Header, header
from treewright.draw.marks import Mark, Path, Shape, Text, rectangle, ribbon, transposed
from treewright.draw.picture import Picture
from treewright.draw.view import Item, View, view
from treewright.draw.words import Words
from treewright.tree import Tree

MARGIN, UNDER_HEADER = 16.0, 14.0
WIDEST, THINNEST = 20.0, 1.5  # of branches
NARROWEST = 240.0  # a picture has at least this width to put its words in
SPACING = {
    "down": Spacing(beside=12, between=22, under=3, swing=0.06, swing_most=30),
    "right": Spacing(beside=8, between=30, under=6, swing=0.06, swing_most=24),
}


def layout(
    words: Words,
    *,
    width: float,
    height: float,
    max_depth: int | None = None,
    direction: str = "auto",
    title: str | None = None,
) -> Picture:
    """Return the picture of a tree, as much of it as fits into a width and a height; the rest is folded.

    The direction "auto" is down, unless more leaves can be shown to the right.

    >>> from treewright.tree.example import tennis
    >>> layout(Words(tennis()), width=1000, height=1000)
    Picture(442 x 331 px, down: 5 of 5 leaves)
    """
    block = cache(lambda item: card.block(words, item))  # an item is measured once
    found = [
        _fitted(words, block, width, height, max_depth, way, title)
        for way in (DIRECTIONS if direction == "auto" else (direction,))
    ]
    chosen = max(found, key=lambda f: _n_shown(f[0]))  # the first of equals
    return _picture(words, *chosen, title=title, room=width - 2 * MARGIN, block=block)


Blocks = Callable[[Item], card.Block]


def _fitted(
    words: Words,
    block: Blocks,
    width: float,
    height: float,
    max_depth: int | None,
    direction: str,
    title: str | None,
) -> tuple[View, Arranged, str]:
    """Return the largest view that fits in a direction, and its arrangement."""
    room = width - 2 * MARGIN

    def arranged(items: View) -> Arranged:
        sizes = [block(Item(item.node, -1, item.how, item.members)).sizes for item in items]
        return arrange(items, sizes, SPACING[direction], direction)

    def fits(items: View) -> bool:
        if min(width, height) == math.inf:
            return True
        found = arranged(items)
        if found.width > room:
            return False
        above = header(words, items, title, room if room < math.inf else 600).height
        return found.height + above + UNDER_HEADER + 2 * MARGIN <= height

    items = view(words.tree, fits, max_depth)
    return items, arranged(items), direction


def _n_shown(items: View) -> int:
    return sum(item.how == "leaf" for item in items)


def _picture(
    words: Words,
    items: View,
    arranged: Arranged,
    direction: str,
    *,
    title: str | None,
    room: float,
    block: Blocks,
) -> Picture:
    above = header(words, items, title, min(room, max(arranged.width, 420.0)))
    inner = max(arranged.width, above.width)
    origin = (MARGIN + (inner - arranged.width) / 2, MARGIN + above.height + UNDER_HEADER)
    full = (round(inner + 2 * MARGIN, 2), round(origin[1] + arranged.height + MARGIN, 2))
    blocks = [block(Item(item.node, -1, item.how, item.members)) for item in items]
    marks: list[Mark] = [Shape(rectangle(0, 0, *full), fill=PAPER)]
    marks += [shifted(mark, MARGIN, MARGIN) for mark in above.marks]
    marks += [shifted(mark, *origin) for mark in _branches(words.tree, items, blocks, arranged, direction)]
    for one, place in zip(blocks, arranged.places, strict=True):
        marks += [shifted(mark, *origin) for mark in card.marks(words, one, place)]
    return Picture(
        width=full[0],
        height=full[1],
        marks=tuple(marks),
        items=items,
        direction=direction,
        hints={item.node: words.hint(item) for item in items if item.how != "bundle"},
        words=words,
    )


def _branches(
    tree: Tree, items: View, blocks: list[card.Block], arranged: Arranged, direction: str
) -> list[Shape]:
    """Return the branches: they leave a node side by side, each as wide as its share of all rows."""
    total = max(float(tree.weights[0]), 1e-300)
    widths = [
        max(THINNEST, WIDEST * float(tree.weights[list(item.members)].sum()) / total) for item in items
    ]
    beside: dict[int, float] = {}
    for item, width in zip(items, widths, strict=True):
        beside[item.parent] = beside.get(item.parent, 0.0) - width / 2
    found = []
    for item, block, place, width in zip(items, blocks, arranged.places, widths, strict=True):
        if item.parent < 0:
            continue
        middle = beside[item.parent] + width / 2
        beside[item.parent] += width
        leave = arranged.places[item.parent].leave
        path = _band(leave, place.bend, place.stop, middle, width, direction)
        if block.is_gap:
            found.append(Shape(path, fill=PAPER, stroke=LINE, dash=(3, 2)))
        else:
            found.append(Shape(path, fill=BRANCH))
    return found


def _band(
    leave: tuple[float, float],
    bend: tuple[float, float],
    stop: tuple[float, float],
    middle: float,
    width: float,
    direction: str,
) -> Path:
    if direction == "down":
        return ribbon((leave[0] + middle, leave[1]), bend, stop, width)
    turned = [(y, x) for x, y in (leave, bend, stop)]
    return transposed(ribbon((turned[0][0] + middle, turned[0][1]), turned[1], turned[2], width))


def shifted(mark: Mark, dx: float, dy: float) -> Mark:
    """Return a mark moved to the right and down, at hundredths of a pixel.

    >>> shifted(Text(1, 2, "a", 10), 10, 20.004).y
    22.0
    """
    if isinstance(mark, Text):
        inside = mark.inside
        if inside is not None:
            inside = (inside[0] + dx, inside[1] + dy, inside[2] + dx, inside[3] + dy)
        x, y = round(mark.x + dx, 2), round(mark.y + dy, 2)
        return Text(x, y, mark.words, mark.size, mark.bold, mark.colour, mark.node, inside)
    path = tuple(
        (step[0], *(round(v + (dy if i % 2 else dx), 2) for i, v in enumerate(step[1:])))  # type: ignore[operator,type-var]
        for step in mark.path
    )
    return Shape(path, mark.fill, mark.stroke, mark.width, mark.dash, mark.node)
