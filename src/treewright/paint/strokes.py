"""Layers of a chart as shapes in pixels, cut at the frame."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from treewright.paint.colours import PAPER, mixed
from treewright.paint.frame import Frame
from treewright.paint.layers import Area, Cells, Dots, Layer, Line, Rule
from treewright.paint.marks import Mark, Path, Point, Shape, rectangle

_BAND = 0.16  # of its colour, on paper
_CAP = 3.0  # half the width of the ends of a spread


def drawn(layer: Layer, frame: Frame) -> list[Mark]:
    """Return a layer as shapes; nothing for what stands in the legend or in words only.

    >>> from treewright.paint import Axis
    >>> len(drawn(Rule("best", 0.5), Frame(Axis("x"), Axis("y"), 0, 0, 100, 100)))
    1
    """
    draw = _DRAWN.get(type(layer))
    return list(draw(layer, frame)) if draw else []


# ---- lines --------------------------------------------------------------------------------------------


def bands(layer: Layer, frame: Frame) -> Iterator[Mark]:
    """Yield the band around a line, if it has one.

    >>> from treewright.paint import Axis
    >>> line = Line("", (0, 1), (0.5, 0.5), low=(0.4, 0.4), high=(0.6, 0.6))
    >>> len(list(bands(line, Frame(Axis("x"), Axis("y"), 0, 0, 100, 100))))
    1
    """
    if isinstance(layer, Line) and len(layer.low):
        ends = [
            (x, a, b) for x, a, b in zip(layer.x, layer.low, layer.high, strict=True) if a == a and b == b
        ]
        outline = [(x, b) for x, _, b in ends] + [(x, a) for x, a, _ in reversed(ends)]
        path = _ring(clipped_ring([_pixel(frame, *point) for point in outline], frame))
        if path:
            yield Shape(path, fill=mixed(layer.ink, PAPER, _BAND))


def _line(layer: Line, frame: Frame) -> Iterator[Mark]:
    for run in _runs(layer):
        points = [_pixel(frame, *point) for point in run]
        path = _open(clipped_line(points, frame))
        if path:
            yield Shape(path, stroke=layer.ink, width=layer.width, dash=layer.dash)
    if layer.has_dots:
        yield from _dots(Dots("", layer.x, layer.y, layer.look, colour=layer.ink, size=3.2), frame)


def _runs(layer: Line) -> Iterator[list[Point]]:
    """Yield the points of a line between its gaps; of a staircase with its corners."""
    run: list[Point] = []
    for x, y in zip(layer.x, layer.y, strict=True):
        if x != x or y != y:
            if len(run) > 1:
                yield run
            run = []
            continue
        if layer.is_step and run:
            run.append((x, run[-1][1]))
        run.append((float(x), float(y)))
    if len(run) > 1:
        yield run


def _rule(layer: Rule, frame: Frame) -> Iterator[Mark]:
    place = frame.x.place(layer.at) if layer.is_upright else frame.y.place(layer.at)
    if not 0 <= place <= 1:
        return
    if layer.is_upright:
        x = frame.across(layer.at)
        path: Path = (("M", x, frame.top), ("L", x, frame.bottom))
    else:
        y = frame.up(layer.at)
        path = (("M", frame.left, y), ("L", frame.right, y))
    yield Shape(path, stroke=layer.colour, width=1.2, dash=layer.dash)


# ---- points -------------------------------------------------------------------------------------------


def _dots(layer: Dots, frame: Frame) -> Iterator[Mark]:
    for i, (x, y) in enumerate(zip(layer.x, layer.y, strict=True)):
        if x != x or y != y:
            continue
        if len(layer.spread) and layer.spread[i] > 0:
            across, top, foot = (frame.across(x), *(_inside(frame, y + s * layer.spread[i]) for s in (1, -1)))
            path = (
                ("M", across, top), ("L", across, foot),
                ("M", across - _CAP, top), ("L", across + _CAP, top),
                ("M", across - _CAP, foot), ("L", across + _CAP, foot),
            )  # fmt: skip
            yield Shape(path, stroke=layer.ink, width=1.2)
        if -1e-9 <= frame.x.place(x) <= 1 + 1e-9 and -1e-9 <= frame.y.place(y) <= 1 + 1e-9:
            yield from marker(layer, frame.across(x), frame.up(y), layer.ink)


def _inside(frame: Frame, value: float) -> float:
    return min(max(frame.up(value), frame.top), frame.bottom)


def marker(layer: Dots, x: float, y: float, colour: str) -> list[Mark]:
    """Return the mark of a point in pixels: each form has about the same area.

    >>> [shape.fill for shape in marker(Dots("", (), (), look=1), 5, 5, "#000000")]
    ['#000000']
    """
    r = layer.size
    if layer.is_ring:
        return [Shape(_circle(x, y, r), stroke=colour, width=1.4)]
    if layer.marker == "disc":
        return [Shape(_circle(x, y, r), fill=colour, stroke=layer.edge, width=0.6)]
    corners = [(x + r * a, y + r * b) for a, b in _CORNERS[layer.marker]]
    return [Shape(_ring(corners), fill=colour, stroke=layer.edge, width=0.6)]


_ARM = 0.36
_PLUS = (
    (-_ARM, -1.1), (_ARM, -1.1), (_ARM, -_ARM), (1.1, -_ARM), (1.1, _ARM), (_ARM, _ARM), (_ARM, 1.1),
    (-_ARM, 1.1), (-_ARM, _ARM), (-1.1, _ARM), (-1.1, -_ARM), (-_ARM, -_ARM),
)  # fmt: skip
_TURN = math.sqrt(0.5)
_CORNERS: dict[str, tuple[Point, ...]] = {
    "square": ((-0.88, -0.88), (0.88, -0.88), (0.88, 0.88), (-0.88, 0.88)),
    "triangle": ((0, -1.2), (1.1, 0.8), (-1.1, 0.8)),
    "diamond": ((0, -1.25), (1.0, 0), (0, 1.25), (-1.0, 0)),
    "flag": ((0, 1.2), (1.1, -0.8), (-1.1, -0.8)),
    "cross": tuple((_TURN * (a - b), _TURN * (a + b)) for a, b in _PLUS),
    "plus": _PLUS,
}


def _circle(x: float, y: float, r: float) -> Path:
    k = 0.5523 * r
    return (
        ("M", x + r, y),
        ("C", x + r, y + k, x + k, y + r, x, y + r),
        ("C", x - k, y + r, x - r, y + k, x - r, y),
        ("C", x - r, y - k, x - k, y - r, x, y - r),
        ("C", x + k, y - r, x + r, y - k, x + r, y),
        ("Z",),
    )


# ---- areas --------------------------------------------------------------------------------------------


def _area(layer: Area, frame: Frame) -> Iterator[Mark]:
    points = [_pixel(frame, x, y) for x, y in zip(layer.x, layer.y, strict=True)]
    path = _ring(clipped_ring(points, frame))
    if path:
        yield Shape(path, fill=layer.colour or None, stroke=layer.edge or None, width=1.2)


def _cells(layer: Cells, frame: Frame) -> Iterator[Mark]:
    """Yield rectangles; neighbours of one colour in a row are one, so that no seam shows between them."""
    pending: tuple[float, float, float, float] | None = None
    before = ""
    for (x0, y0, x1, y1), colour in zip(layer.boxes, layer.colours, strict=True):
        left, right = (min(max(frame.across(x), frame.left), frame.right) for x in (x0, x1))
        foot, top = (_inside(frame, y) for y in (y0, y1))
        is_next = pending and colour == before and abs(pending[2] - left) < 0.01
        if pending and is_next and pending[1] == top and pending[3] == foot and not layer.edge:
            pending = (pending[0], top, right, foot)
            continue
        if pending:
            yield _box(pending, before, layer.edge)
        pending, before = (left, top, right, foot), colour
    if pending:
        yield _box(pending, before, layer.edge)


def _box(box: tuple[float, float, float, float], colour: str, edge: str) -> Shape:
    left, top, right, foot = box
    line = edge or colour  # its own colour as a thin edge: no seam of paper between neighbours
    path = rectangle(left, top, right - left, foot - top)
    return Shape(path, fill=colour, stroke=line, width=1.0 if edge else 0.5)


# ---- cutting at the frame -----------------------------------------------------------------------------


def clipped_line(points: Iterable[Point], frame: Frame) -> list[list[Point]]:
    """Return the parts of a line that lie in the frame.

    >>> from treewright.paint import Axis
    >>> clipped_line([(-5.0, 5.0), (5.0, 5.0)], Frame(Axis("x"), Axis("y"), 0, 0, 10, 10))
    [[(0.0, 5.0), (5.0, 5.0)]]
    """
    parts: list[list[Point]] = []
    listed = list(points)
    for a, b in itertools.pairwise(listed):
        ends = _cut(a, b, frame)
        if ends is None:
            continue
        if parts and parts[-1][-1] == ends[0]:
            parts[-1].append(ends[1])
        else:
            parts.append(list(ends))
    return parts


def _cut(a: Point, b: Point, frame: Frame) -> tuple[Point, Point] | None:
    """Return the part of one straight piece inside the frame (Liang and Barsky's way)."""
    first, last = 0.0, 1.0
    for i, (low, high) in enumerate(((frame.left, frame.right), (frame.top, frame.bottom))):
        step = b[i] - a[i]
        if step == 0:
            if not low - 1e-9 <= a[i] <= high + 1e-9:
                return None
            continue
        ts = sorted(((low - a[i]) / step, (high - a[i]) / step))
        first, last = max(first, ts[0]), min(last, ts[1])
    if first > last:
        return None
    points = []
    for t, end in ((first, a), (last, b)):
        points.append(end if t in (0.0, 1.0) else (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
    return points[0], points[1]


def clipped_ring(points: Iterable[Point], frame: Frame) -> list[Point]:
    """Return a closed outline cut at the four sides of the frame (Sutherland and Hodgman's way).

    >>> from treewright.paint import Axis
    >>> clipped_ring([(-5, 0), (5, 0), (5, 5), (-5, 5)], Frame(Axis("x"), Axis("y"), 0, 0, 10, 10))
    [(0.0, 0.0), (5, 0), (5, 5), (0.0, 5.0)]
    """
    ring = list(points)
    sides = ((0, frame.left, 1), (0, frame.right, -1), (1, frame.top, 1), (1, frame.bottom, -1))
    for axis, limit, sign in sides:
        found: list[Point] = []
        for a, b in zip(ring, ring[1:] + ring[:1], strict=True):
            is_in, next_in = (sign * (point[axis] - limit) >= 0 for point in (a, b))
            if is_in:
                found.append(a)
            if is_in != next_in:
                t = (limit - a[axis]) / (b[axis] - a[axis])
                found.append((a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])))
        ring = found
    return ring


def _pixel(frame: Frame, x: float, y: float) -> Point:
    return frame.across(x), frame.up(y)


def _ring(points: Iterable[Point]) -> Path:
    listed = list(points)
    if len(listed) < 2:
        return ()
    return (("M", *listed[0]), *(("L", *point) for point in listed[1:]), ("Z",))


def _open(parts: Iterable[list[Point]]) -> Path:
    steps: list[tuple[str | float, ...]] = []
    for part in parts:
        steps += [("M", *part[0]), *(("L", *point) for point in part[1:])]
    return tuple(steps)


_DRAWN: dict[type, Callable[[Any, Frame], Iterator[Mark]]] = {
    Line: _line,
    Dots: _dots,
    Area: _area,
    Cells: _cells,
    Rule: _rule,
}
