"""What a picture is made of: shapes and texts, in painting order; every output draws them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from treewright.paint.font import ASCENT, DESCENT, measure

# ("M", x, y), ("L", x, y), ("C", x1, y1, x2, y2, x, y) or ("Z",): to the right and down, in pixels
Step = tuple[str | float, ...]
Path = tuple[Step, ...]
_STEPS = 24  # of a bent branch
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True)
class Shape:
    """A path with its fill, its line, or both; `node` is the node it belongs to, -1 where none."""

    path: Path
    fill: str | None = None
    stroke: str | None = None
    width: float = 1.0
    dash: tuple[float, ...] = ()
    node: int = -1


@dataclass(frozen=True)
class Text:
    """One line of words: the left end of its baseline, its size in pixels, and what it stands in.

    >>> line = Text(10, 20, "No", 12)
    >>> line.width
    16.32
    >>> line.box
    (10, 8.86, 26.32, 22.83)
    """

    x: float
    y: float
    words: str
    size: float
    bold: bool = False
    colour: str = "#1f2933"
    node: int = -1
    inside: Box | None = None  # the box that it must not leave

    @property
    def width(self) -> float:
        """The width of the words in pixels."""
        return measure(self.words, self.size, self.bold)

    @property
    def box(self) -> Box:
        """What the line covers: left, top, right, bottom."""
        top, bottom = self.y - ASCENT * self.size, self.y + DESCENT * self.size
        return (self.x, round(top, 2), round(self.x + self.width, 2), round(bottom, 2))


Mark = Shape | Text


class Drawn(Protocol):
    """What the writers of files need of a picture."""

    @property
    def name(self) -> str:
        """What it is of."""

    @property
    def width(self) -> float:
        """Its width in pixels."""

    @property
    def height(self) -> float:
        """Its height in pixels."""

    @property
    def marks(self) -> tuple[Mark, ...]:
        """All marks in painting order."""

    @property
    def texts(self) -> tuple[Text, ...]:
        """The texts among them."""

    @property
    def hints(self) -> Mapping[int, str]:
        """What is said of each node."""


def rectangle(x: float, y: float, width: float, height: float) -> Path:
    """Return the path of a rectangle.

    >>> rectangle(0, 0, 2, 1)
    (('M', 0, 0), ('L', 2, 0), ('L', 2, 1), ('L', 0, 1), ('Z',))
    """
    right, bottom = x + width, y + height
    return (("M", x, y), ("L", right, y), ("L", right, bottom), ("L", x, bottom), ("Z",))


def rounded(x: float, y: float, width: float, height: float, radius: float) -> Path:
    """Return the path of a rectangle with round corners."""
    r, k = radius, radius * 0.4477  # k: how far a circle's handle lies from the corner
    right, bottom = x + width, y + height
    return (
        ("M", x + r, y),
        ("L", right - r, y),
        ("C", right - k, y, right, y + k, right, y + r),
        ("L", right, bottom - r),
        ("C", right, bottom - k, right - k, bottom, right - r, bottom),
        ("L", x + r, bottom),
        ("C", x + k, bottom, x, bottom - k, x, bottom - r),
        ("L", x, y + r),
        ("C", x, y + k, x + k, y, x + r, y),
        ("Z",),
    )


def ribbon(start: Point, turn: Point, bend: Point, stop: Point, width: float) -> Path:
    """Return a band of the same width all along: from `start` down to `turn`, over to `bend`, down to `stop`.

    >>> ribbon((0, 0), (0, 10), (0, 20), (0, 30), 2)[0]
    ('M', -1.0, 0.0)
    """
    (x0, y0), (x1, y1) = turn, bend
    middle = []
    for k in range(_STEPS + 1):
        t = k / _STEPS
        # A cubic curve that leaves and arrives upright, with its handles half way down.
        x = x0 + (x1 - x0) * t * t * (3 - 2 * t)
        middle.append((x, y0 + (y1 - y0) * (1.5 * t * (1 - t) + t**3)))
    before, after = ([start] if start[1] < y0 else []), ([stop] if stop[1] > y1 else [])
    path = _band([*before, *middle, *after], width)
    # The outer side of a wide band would swing past its ends.
    return tuple((s[0], s[1], min(max(s[2], start[1]), stop[1])) if len(s) > 1 else s for s in path)


def elbow(start: Point, stop: Point, width: float, radius: float = 9.0) -> Path:
    """Return a band that runs down from `start` and turns right, to `stop`.

    >>> elbow((0, 0), (30, 40), 2)[0], elbow((0, 0), (30, 40), 2)[-2]
    (('M', -1.0, 0.0), ('L', 1.0, 0.0))
    """
    (x0, y0), (x1, y1) = start, stop
    turns = [math.pi / 2 * k / 8 for k in range(9)]
    corner = [(x0 + radius * (1 - math.cos(a)), y1 - radius * (1 - math.sin(a))) for a in turns]
    return _band([(x0, y0), *corner, (x1, y1)], width)


def _band(middle: list[Point], width: float) -> Path:
    """Return the outline of a line of some width: both sides, at right angles to it."""
    sides: tuple[list[Point], list[Point]] = ([], [])
    last = len(middle) - 1
    for i, (x, y) in enumerate(middle):
        (xa, ya), (xb, yb) = middle[max(i - 1, 0)], middle[min(i + 1, last)]
        if i in (0, last):  # ends are square to the direction of travel
            dx, dy = (0.0, 1.0) if abs(yb - ya) >= abs(xb - xa) or i == 0 else (1.0, 0.0)
        else:
            dx, dy = xb - xa, yb - ya
        length = math.hypot(dx, dy) or 1.0
        across = (width / 2 * dy / length, -width / 2 * dx / length)
        sides[0].append((x - across[0], y - across[1]))
        sides[1].append((x + across[0], y + across[1]))
    outline = [*sides[0], *reversed(sides[1])]
    return (("M", *outline[0]), *(("L", *point) for point in outline[1:]), ("Z",))


def transposed(path: Path) -> Path:
    """Return a path with x and y exchanged: what runs down runs to the right.

    >>> transposed((("M", 1, 2), ("C", 1, 2, 3, 4, 5, 6), ("Z",)))
    (('M', 2, 1), ('C', 2, 1, 4, 3, 6, 5), ('Z',))
    """
    return tuple((step[0], *(step[i + 1 if i % 2 else i - 1] for i in range(1, len(step)))) for step in path)


def meets(a: Box, b: Box) -> bool:
    """Return whether two boxes have more than an edge in common.

    >>> meets((0, 0, 2, 2), (1, 1, 3, 3)), meets((0, 0, 2, 2), (2, 0, 3, 2))
    (True, False)
    """
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
