"""The one layout: a tree in, boxes, lines and texts out. Every output draws what this returns."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache

from treewright.draw import card
from treewright.draw.arrange import DIRECTIONS, Arranged, Placed, Spacing, arrange
from treewright.draw.header import Header, header
from treewright.draw.picture import Picture
from treewright.draw.view import Item, View, view
from treewright.draw.words import Words
from treewright.paint.colours import BRANCH, FAINT, LINE, PAPER
from treewright.paint.marks import Mark, Path, Shape, Text, elbow, rectangle, ribbon, transposed
from treewright.tree import Tree

MARGIN, UNDER_HEADER = 16.0, 14.0
WIDEST, THINNEST, TOGETHER = 20.0, 1.5, 30.0  # of branches: all rows, few rows, all branches of a node
HEADER_LEAST = 420.0
NARROWEST = 240.0  # a picture has at least this width to put its words in
SPACING = {
    "down": Spacing(beside=12, between=22, under=3, swing=0.06, swing_most=30),
    "right": Spacing(beside=8, between=30, under=6, swing=0.06, swing_most=24),
    "outline": Spacing(beside=0, between=7, under=3, indent=24),
}
SIDES = {"down": 0.5, "right": 1.0, "outline": 0.0}  # of an answer in its box
LEAST_AREA = 3000.0  # of an item, in square pixels: none is smaller
NARROW = 640.0  # below this width an outline is tried too
_WAYS = {  # direction -> whether facts stand beside their bars, in the order of liking
    "down": (False,),
    "right": (True, False),
    "outline": (True,),
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

    The direction "auto" is down, unless more nodes can be shown to the right.

    >>> from treewright.tree.example import tennis
    >>> layout(Words(tennis()), width=1000, height=1000)
    Picture(449 x 406 px, down: 5 of 5 leaves)
    """
    while True:
        found = [
            _fitted(words, Sheet(words, way, is_flat), width, height, max_depth, title)
            for way in _ways(direction, width)
            for is_flat in _WAYS[way]
        ]
        items, sheet = max(found, key=lambda f: len(f[0]))  # the first of equals
        items, sheet = _roomier(words, items, sheet, width, height, max_depth, title)
        digits = words.digits_for(item.node for item in items if item.how == "open")
        if digits <= words.digits:
            return _picture(words, items, sheet, title=title, room=width - 2 * MARGIN)
        words = replace(words, digits=digits)  # longer numbers: laid out anew


def _roomier(
    words: Words,
    items: View,
    sheet: Sheet,
    width: float,
    height: float,
    max_depth: int | None,
    title: str | None,
) -> tuple[View, Sheet]:
    """Return a view with more room for names that are cut, if that costs no node."""
    if not any(sheet.block(item).is_cut for item in items):
        return items, sheet
    for limits in card.ROOMIER:
        roomy = Sheet(words, sheet.direction, sheet.is_flat, limits)
        found, _ = _fitted(words, roomy, width, height, max_depth, title)
        if len(found) >= len(items) and roomy.arranged(found).width <= width - 2 * MARGIN:
            return found, roomy
    return items, sheet


def _ways(direction: str, width: float) -> tuple[str, ...]:
    if direction != "auto":
        return (direction,)
    return DIRECTIONS if width < NARROW else ("down", "right")


class Sheet:
    """A way to draw: its direction and the shape of its cards. Items are measured once."""

    def __init__(self, words: Words, direction: str, is_flat: bool, limits: card.Limits = card.TIGHT) -> None:
        self.direction = direction
        self.is_flat = is_flat
        self._block = cache(
            lambda node, how, members: card.block(words, Item(node, -1, how, members), is_flat, limits)
        )

    def block(self, item: Item) -> card.Block:
        """Return an item with its words measured."""
        found: card.Block = self._block(item.node, item.how, item.members)
        return found

    def arranged(self, items: View) -> Arranged:
        """Return the places of items."""
        sizes = [self.block(item).sizes for item in items]
        return arrange(items, sizes, SPACING[self.direction], self.direction)


def _fitted(
    words: Words, sheet: Sheet, width: float, height: float, max_depth: int | None, title: str | None
) -> tuple[View, Sheet]:
    """Return the largest view that fits."""
    room = width - 2 * MARGIN

    def fits(items: View) -> bool:
        if min(width, height) == math.inf:
            return True
        found = sheet.arranged(items)
        if found.width > room:
            return False
        above = _above(words, items, title, room, found).height
        return found.height + above + UNDER_HEADER + 2 * MARGIN <= height

    most = width * height / LEAST_AREA
    return view(words.tree, fits, max_depth, most, first=words.path.shares), sheet


def _above(words: Words, items: View, title: str | None, room: float, arranged: Arranged) -> Header:
    """Return the header of an arrangement: as wide as the tree, or wider where the tree is narrow."""
    return header(words, items, title, min(room, max(arranged.width, HEADER_LEAST)))


def _picture(words: Words, items: View, sheet: Sheet, *, title: str | None, room: float) -> Picture:
    arranged = sheet.arranged(items)
    above = _above(words, items, title, room, arranged)
    inner = max(arranged.width, above.width)
    aside = 0.0 if sheet.direction == "outline" else (inner - arranged.width) / 2
    origin = (MARGIN + aside, MARGIN + above.height + UNDER_HEADER)
    full = (round(inner + 2 * MARGIN, 2), round(origin[1] + arranged.height + MARGIN, 2))
    blocks = [sheet.block(item) for item in items]
    marks: list[Mark] = [Shape(rectangle(0, 0, *full), fill=PAPER)]
    marks += [shifted(mark, MARGIN, MARGIN) for mark in above.marks]
    marks += [
        shifted(mark, *origin) for mark in _branches(words.tree, items, blocks, arranged, sheet.direction)
    ]
    for one, place in zip(blocks, arranged.places, strict=True):
        marks += [shifted(mark, *origin) for mark in card.marks(words, one, place, SIDES[sheet.direction])]
    return Picture(
        width=full[0],
        height=full[1],
        marks=tuple(marks),
        items=items,
        direction=sheet.direction,
        hints={item.node: words.hint(item) for item in items if item.how != "bundle"},
        words=words,
    )


def _branches(
    tree: Tree, items: View, blocks: list[card.Block], arranged: Arranged, direction: str
) -> list[Shape]:
    """Return the branches: they leave a node side by side, each as wide as its share of all rows."""
    widths = _widths(tree, items)
    beside: dict[int, float] = {}
    for item, width in zip(items, widths, strict=True):
        beside[item.parent] = beside.get(item.parent, 0.0) - width / 2
    found = []
    for item, block, place, width in zip(items, blocks, arranged.places, widths, strict=True):
        if item.parent < 0:
            continue
        middle = beside[item.parent] + width / 2
        beside[item.parent] += width
        path = _BANDS[direction](arranged.places[item.parent], place, middle, width)
        if block.is_passed:
            found.append(Shape(path, fill=FAINT))
        elif block.is_gap:
            found.append(Shape(path, fill=PAPER, stroke=LINE, dash=(3, 2)))
        else:
            found.append(Shape(path, fill=BRANCH))
    return found


def _widths(tree: Tree, items: View) -> list[float]:
    """Return the widths of the branches to items; very many from one node are thinner than the thinnest."""
    widths = [max(THINNEST, WIDEST * _share(tree, item)) for item in items]
    together: dict[int, float] = {}
    for item, width in zip(items, widths, strict=True):
        together[item.parent] = together.get(item.parent, 0.0) + width
    return [
        width * min(1.0, TOGETHER / together[item.parent]) for item, width in zip(items, widths, strict=True)
    ]


def _share(tree: Tree, item: Item) -> float:
    """Return the share of all training weight that an item has; never over 1, whoever made the tree."""
    total = float(tree.weights[0])
    if not total > 0:
        return 0.0
    return min(1.0, sum(float(tree.weights[node]) / total for node in item.members))


def _down(above: Placed, place: Placed, middle: float, width: float) -> Path:
    leave, turn = ((x + middle, y) for x, y in (above.leave, above.turn))
    return ribbon(leave, turn, place.bend, place.stop, width)


def _right(above: Placed, place: Placed, middle: float, width: float) -> Path:
    leave, turn = ((y + middle, x) for x, y in (above.leave, above.turn))
    return transposed(ribbon(leave, turn, place.bend[::-1], place.stop[::-1], width))


def _outline(above: Placed, place: Placed, middle: float, width: float) -> Path:  # noqa: ARG001
    return elbow(above.leave, place.stop, width / 2)  # all on one rail, which has less room


_BANDS = {"down": _down, "right": _right, "outline": _outline}


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
        (step[0], *(round(v + (dy if i % 2 else dx), 2) for i, v in enumerate(step[1:])))  # type: ignore[operator]
        for step in mark.path
    )
    return Shape(path, mark.fill, mark.stroke, mark.width, mark.dash, mark.node)
