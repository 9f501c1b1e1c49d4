r"""Boxes for the items of a view: one arrangement, in pixels or in the cells of a terminal.

down      [answer]      answers stand above their node, questions below; all nodes of a level begin on
[ card ]      one line. A branch leaves below the question, has swung over before the answers
[question]     of the next level begin, and runs straight to its own: so it meets no other word.
/       \
    right    the same with x and y exchanged, but that the question stays below the card.

outline  one item below the other, as in a listing; each level stands further to the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from treewright.draw.tidy import tidy
from treewright.draw.view import View
from treewright.paint.marks import Box, Point

Size = tuple[float, float]  # width, height
DIRECTIONS = ("down", "right", "outline")


@dataclass(frozen=True)
class Sizes:
    """How much room an item's parts take; (0, 0) for a part that is not there."""

    answer: Size
    card: Size
    question: Size


@dataclass(frozen=True)
class Spacing:
    """Room between siblings, between levels, and between an answer and its card; `swing` adds to wide levels.

    `indent` is by how much each level of an outline stands further to the right.
    """

    beside: float
    between: float
    under: float
    swing: float = 0.0
    swing_most: float = 0.0
    indent: float = 0.0


@dataclass(frozen=True)
class Placed:
    """Where an item's parts lie, and its branches: they leave, run straight out of the level, and turn.

    The branch to the item has swung over at its bend, and ends at its stop.
    """

    answer: Box
    card: Box
    question: Box
    leave: Point
    turn: Point
    bend: Point
    stop: Point


@dataclass(frozen=True)
class Arranged:
    """The places of all items, and the room they take together."""

    places: tuple[Placed, ...]
    width: float
    height: float


def arrange(view: View, sizes: Sequence[Sizes], spacing: Spacing, direction: str = "down") -> Arranged:
    """Return the places of a view's items.

    >>> from treewright.draw.view import Item
    >>> view = (Item(0, -1, "open", (0,)), Item(1, 0, "leaf", (1,)), Item(2, 0, "leaf", (2,)))
    >>> size = Sizes(answer=(4, 1), card=(10, 2), question=(6, 1))
    >>> found = arrange(view, [size] * 3, Spacing(beside=2, between=3, under=0))
    >>> found.width, found.height
    (22.0, 11.0)
    >>> [place.card for place in found.places]
    [(6.0, 1.0, 16.0, 3.0), (0.0, 8.0, 10.0, 10.0), (12.0, 8.0, 22.0, 10.0)]
    """
    if direction == "outline":
        return _outline(view, sizes, spacing)
    down = direction == "down"
    parents = [item.parent for item in view]
    middles = tidy(parents, [_breadth(size, down) for size in sizes], spacing.beside)
    depths = _depths(parents)
    levels = _levels(parents, depths, middles, sizes, spacing, down)
    places = tuple(
        (_placed_down if down else _placed_right)(size, middle, levels[depth], spacing.under)
        for size, middle, depth in zip(sizes, middles, depths, strict=True)
    )
    along = max(middle + _breadth(size, down) / 2 for size, middle in zip(sizes, middles, strict=True))
    end = levels[-1].end
    return Arranged(places, *((along, end) if down else (end, along)))


def _breadth(size: Sizes, down: bool) -> float:
    if down:
        return max(size.answer[0], size.card[0], size.question[0])
    return _above(size) + max(size.answer[1] / 2, size.card[1] / 2 + size.question[1])


def _above(size: Sizes) -> float:
    """How far an item reaches above the axis of its branch, where branches run to the right."""
    return max(size.answer[1], size.card[1]) / 2


def _depths(parents: Sequence[int]) -> list[int]:
    depths = [0] * len(parents)
    for i, parent in enumerate(parents[1:], 1):
        depths[i] = depths[parent] + 1
    return depths


class Level(NamedTuple):
    """Where a level begins, where its cards begin, and where it ends."""

    start: float
    head: float
    end: float


def _levels(
    parents: Sequence[int],
    depths: Sequence[int],
    middles: Sequence[float],
    sizes: Sequence[Sizes],
    spacing: Spacing,
    down: bool,
) -> list[Level]:
    """Return the levels, one after the other."""
    n = max(depths) + 1
    answers, bodies, swings = [0.0] * n, [0.0] * n, [0.0] * n
    for i, (size, depth) in enumerate(zip(sizes, depths, strict=True)):
        answer = size.answer[1] if down else size.answer[0] + (spacing.under if size.answer[0] else 0)
        body = size.card[1] + size.question[1] if down else max(size.card[0], size.question[0])
        answers[depth] = max(answers[depth], answer)
        bodies[depth] = max(bodies[depth], body)
        if depth:
            swings[depth] = max(swings[depth], abs(middles[i] - middles[parents[i]]))
    levels, at = [], 0.0
    for depth in range(n):
        if depth:
            at += spacing.between + min(spacing.swing_most, spacing.swing * swings[depth])
        head = at + answers[depth] + (spacing.under if answers[depth] else 0)
        levels.append(Level(at, head, head + bodies[depth]))
        at = levels[-1].end
    return levels


def _placed_down(size: Sizes, middle: float, level: Level, under: float) -> Placed:
    start, head, end = level
    (aw, ah), (cw, ch), (qw, qh) = size.answer, size.card, size.question
    answer_end = head - (under if ah else 0)
    return Placed(
        answer=(middle - aw / 2, answer_end - ah, middle + aw / 2, answer_end),
        card=(middle - cw / 2, head, middle + cw / 2, head + ch),
        question=(middle - qw / 2, head + ch, middle + qw / 2, head + ch + qh),
        leave=(middle, head + ch + qh),
        turn=(middle, end),
        bend=(middle, start),
        stop=(middle, answer_end - ah),
    )


def _placed_right(size: Sizes, middle: float, level: Level, under: float) -> Placed:
    start, head, end = level
    (aw, ah), (cw, ch), (qw, qh) = size.answer, size.card, size.question
    body = max(cw, qw)
    axis = middle - _breadth(size, False) / 2 + _above(size)  # of the branch, through answer and card
    answer_end = head - (under if aw else 0)
    left = head + (body - cw) / 2 if qw > cw else head
    return Placed(
        answer=(answer_end - aw, axis - ah / 2, answer_end, axis + ah / 2),
        card=(left, axis - ch / 2, left + cw, axis + ch / 2),
        question=(left + (cw - qw) / 2, axis + ch / 2, left + (cw + qw) / 2, axis + ch / 2 + qh),
        leave=(left + cw, axis),
        turn=(end, axis),
        bend=(start, axis),
        stop=(answer_end - aw - (under if aw else 0), axis),
    )


def _outline(view: View, sizes: Sequence[Sizes], spacing: Spacing) -> Arranged:
    depths = _depths([item.parent for item in view])
    places, y = [], 0.0
    for size, depth in zip(sizes, depths, strict=True):
        x = spacing.indent * depth
        (aw, ah), (cw, ch), (qw, qh) = size.answer, size.card, size.question
        top = y + ah + (spacing.under if ah else 0)
        end = top + ch + qh
        places.append(
            Placed(
                answer=(x, y, x + aw, y + ah),
                card=(x, top, x + cw, top + ch),
                question=(x + 4, top + ch, x + 4 + qw, end),
                leave=(x + spacing.indent * 0.4, end),
                turn=(x + spacing.indent * 0.4, end),
                bend=(x - spacing.under, y + ah / 2),
                stop=(x - spacing.under, y + ah / 2),
            )
        )
        y = end + spacing.between
    width = max(max(place.answer[2], place.card[2], place.question[2]) for place in places)
    return Arranged(tuple(places), width, y - spacing.between)
