"""A chart in letters: cells of a terminal in place of pixels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treewright.base.cells import cells
from treewright.base.cells import cut as plainly_cut
from treewright.base.lines import harmless
from treewright.paint.frame import Frame
from treewright.paint.layers import SHADES, Area, Cells, Dots, Layer, Line, Note, Rule
from treewright.paint.layers import Shades as Scale

if TYPE_CHECKING:
    from treewright.paint.chart import Chart

SIGNS = "o+x*#%@&"  # of lines and points, in the order in which they are named
_ASCII_SHADES = ".:-=%#"
_LEAST = (24, 6)
_MOST_LABEL = 20


def cut(words: str, room: int, ascii: bool) -> str:  # noqa: A002
    """Return words in one line of so many cells.

    >>> cut("Temperature", 6, False)
    'Tempe…'
    """
    return plainly_cut(_clean(words), room, ascii)


def _clean(words: str) -> str:
    return " ".join(harmless(words).split())


@dataclass
class _Canvas:
    """Rows of cells, from the top."""

    wide: int
    high: int
    ascii: bool
    rows: list[list[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.rows = [[" "] * self.wide for _ in range(self.high)]

    def put(self, x: float, y: float, sign: str) -> None:
        """Write a sign at a cell, counted from the left and the top; outside nothing happens."""
        column, row = math.floor(x), math.floor(y)
        if 0 <= column < self.wide and 0 <= row < self.high:
            self.rows[row][column] = sign

    def write(self, x: float, y: float, words: str) -> bool:
        """Write words around a cell where no others stand; return whether there was room."""
        column, row = math.floor(x) - cells(words) // 2, math.floor(y)
        column = min(max(column, 0), max(self.wide - cells(words), 0))
        if not (0 <= row < self.high and cells(words) <= self.wide):
            return False
        place = self.rows[row]
        if any(sign.isalnum() or sign == "" for sign in place[column : column + cells(words)]):
            return False
        for character in words:
            place[column] = character
            if cells(character) == 2 and column + 1 < self.wide:
                place[column + 1] = ""
            column += max(cells(character), 1)
        return True


def to_text(chart: Chart, columns: int, rows: int, ascii: bool) -> str:  # noqa: A002
    """Return a chart in letters: title, chart, axes, and what each sign stands for.

    >>> from treewright.paint import Axis, Chart
    >>> to_text(Chart("nothing", Axis("x", scale="none"), Axis("y", scale="none"), ()), 30, 6, False)
    'nothing'
    """
    columns, rows = max(columns, _LEAST[0]), max(rows, _LEAST[1])
    ticks = chart.y.ticks(max(2, rows // 3))
    margin = max((cells(cut(words, _MOST_LABEL, ascii)) for _, words in ticks), default=-1) + 1
    has_axes = chart.x.scale != "none"
    high = max(rows - 3, len(chart.y.names), 3) if has_axes else rows
    canvas = _Canvas(columns - margin - 2 if has_axes else columns, high, ascii)
    frame = Frame(chart.x, chart.y, 0.0, 0.0, canvas.wide - 1.0, canvas.high - 1.0)
    signs = _signs(chart.layers)
    for layer in chart.layers:
        _draw(canvas, frame, layer, signs)
    notes = [layer for layer in chart.layers if isinstance(layer, Note)]
    left_over = [note.words for note in notes if not _noted(canvas, frame, note)]
    lines = [*([chart.title] if chart.title else []), *chart.about]
    if any(sign.strip() for row in canvas.rows for sign in row):
        lines += [chart.y.label] if chart.y.label and has_axes else []
        lines += (
            _with_axes(chart, canvas, frame, ticks, margin) if has_axes else ["".join(r) for r in canvas.rows]
        )
    lines += _legend(chart, signs, ascii) + left_over + list(chart.below)
    return "\n".join(harmless(line.replace("\n", " ")).rstrip() for line in lines)


def _draw(canvas: _Canvas, frame: Frame, layer: Layer, signs: dict[str, str]) -> None:
    if isinstance(layer, Line):
        _line(canvas, frame, layer, signs.get(layer.name, "."))
    elif isinstance(layer, Dots):
        for x, y in zip(layer.x, layer.y, strict=True):
            if x == x and y == y:
                canvas.put(frame.across(x) + 0.5, frame.up(y) + 0.5, signs.get(layer.name, SIGNS[0]))
    elif isinstance(layer, Rule):
        if layer.is_upright:
            for row in range(canvas.high):
                canvas.put(frame.across(layer.at) + 0.5, row, "|" if canvas.ascii else "┊")
        else:
            for column in range(canvas.wide):
                canvas.put(column, frame.up(layer.at) + 0.5, "-" if canvas.ascii else "╌")
    elif isinstance(layer, Area):
        _area(canvas, frame, layer)
    elif isinstance(layer, Cells):
        shades = layer.shades or [0] * len(layer.boxes)
        for (x0, y0, x1, y1), shade in zip(layer.boxes, shades, strict=True):
            _fill(canvas, frame, (x0, y0, x1, y1), shade)


def _line(canvas: _Canvas, frame: Frame, layer: Line, sign: str) -> None:
    points = [(frame.across(x) + 0.5, frame.up(y) + 0.5) for x, y in zip(layer.x, layer.y, strict=True)]
    if layer.is_step:
        points = [p for a, b in zip(points[:1] + points[:-1], points, strict=True) for p in ((b[0], a[1]), b)]
    trail = "." if canvas.ascii else "·"
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        if not all(map(math.isfinite, (x0, y0, x1, y1))):
            continue
        n = max(1, math.ceil(max(abs(x1 - x0), abs(y1 - y0)) * 1.01))
        for i in range(n + 1):
            x, y = x0 + (x1 - x0) * i / n, y0 + (y1 - y0) * i / n
            canvas.put(x, y, trail if layer.has_dots else sign)
    for x, y in points if layer.has_dots else ():
        if math.isfinite(x) and math.isfinite(y):
            canvas.put(x, y, sign)


def _area(canvas: _Canvas, frame: Frame, layer: Area) -> None:
    """Fill the cells whose middle is inside an outline."""
    if len(layer.x) < 3 or not layer.colour:
        return
    ring = [(frame.across(x) + 0.5, frame.up(y) + 0.5) for x, y in zip(layer.x, layer.y, strict=True)]
    for row in range(canvas.high):
        for column in range(canvas.wide):
            if _is_inside(ring, column + 0.5, row + 0.5):
                canvas.put(column, row, _shade(canvas, layer.shade))


def _is_inside(ring: Sequence[tuple[float, float]], x: float, y: float) -> bool:
    inside = False
    for (x0, y0), (x1, y1) in zip(ring, [*ring[1:], ring[0]], strict=True):
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
    return inside


def _fill(canvas: _Canvas, frame: Frame, box: tuple[float, float, float, float], shade: int) -> None:
    x0, x1 = sorted((frame.across(box[0]), frame.across(box[2])))
    y0, y1 = sorted((frame.up(box[1]), frame.up(box[3])))
    for row in range(max(0, math.ceil(y0)), min(canvas.high, math.floor(y1) + 1)):
        for column in range(max(0, math.ceil(x0)), min(canvas.wide, math.floor(x1) + 1)):
            canvas.put(column, row, _shade(canvas, shade))


def _shade(canvas: _Canvas, shade: int) -> str:
    signs = _ASCII_SHADES if canvas.ascii else SHADES
    return " " if shade < 0 else signs[shade % len(signs)]


def _noted(canvas: _Canvas, frame: Frame, note: Note) -> bool:
    x, y = frame.across(note.x) + 0.5, frame.up(note.y) + 0.5
    if note.room:
        room = int(abs(frame.across(note.x + note.room) - frame.across(note.x)))
        return canvas.write(x, y, cut(note.words, max(room, 1), canvas.ascii))
    half = cells(note.words) / 2
    return any(
        canvas.write(x + dx, y + dy, note.words)
        for dx, dy in ((2 + half, 0), (-2 - half, 0), (0, -1), (0, 1))
    )


# ---- around the chart ---------------------------------------------------------------------------------


def _with_axes(
    chart: Chart, canvas: _Canvas, frame: Frame, ticks: Sequence[tuple[float, str]], margin: int
) -> list[str]:
    """Return the rows with the names of ticks before them, the lower axis, and its names below it."""
    named: dict[int, str] = {}
    for value, words in ticks:
        named.setdefault(math.floor(frame.up(value) + 0.5), cut(words, _MOST_LABEL, canvas.ascii))
    bar, corner, line = ("|", "+", "-") if canvas.ascii else ("│", "└", "─")
    rows = []
    for i, row in enumerate(canvas.rows):
        name = named.get(i, "")
        rows.append(" " * (margin - cells(name)) + f"{name} {bar}" + "".join(row))
    rows.append(" " * (margin + 1) + corner + line * canvas.wide)
    below = _Canvas(canvas.wide, 1, canvas.ascii)
    names = chart.x.ticks(max(2, canvas.wide // 9))
    slot = max(canvas.wide // max(len(names), 1) - 1, 3) if chart.x.names else canvas.wide
    for value, words in names:
        short = cut(words, slot, canvas.ascii)
        middle = frame.across(value) + 0.5
        first = min(max(math.floor(middle) - cells(short) // 2, 0), canvas.wide - cells(short))
        around = below.rows[0][max(first - 1, 0) : first + cells(short) + 1]
        if not any(sign.strip() for sign in around):
            below.write(middle, 0, short)
    rows.append(" " * (margin + 2) + "".join(below.rows[0]))
    if chart.x.label:
        rows.append(" " * (margin + 2) + chart.x.label)
    return rows


def _signs(layers: Sequence[Layer]) -> dict[str, str]:
    """Return the sign of each line and of points, by name."""
    signs: dict[str, str] = {}
    for layer in layers:
        if isinstance(layer, (Line, Dots)) and layer.name and layer.name not in signs:
            signs[layer.name] = SIGNS[len(signs) % len(SIGNS)]
    return signs


def _legend(chart: Chart, signs: dict[str, str], ascii: bool) -> list[str]:  # noqa: A002
    if chart.legend == "none":
        return []
    shades = _ASCII_SHADES if ascii else SHADES
    found: dict[str, str] = {}
    for layer in chart.layers:
        if isinstance(layer, (Line, Dots)) and layer.name:
            found.setdefault(layer.name, signs[layer.name])
        elif isinstance(layer, Area) and layer.name and layer.colour:
            found.setdefault(layer.name, shades[layer.shade % len(shades)])
        elif isinstance(layer, Rule) and layer.name:
            bars = "|-" if ascii else "┊╌"
            found.setdefault(layer.name, bars[0 if layer.is_upright else 1])
        elif isinstance(layer, Scale):
            found.setdefault(f"{layer.name}: {layer.low} to {layer.high}", f"{shades[0]}{shades[-1]}")
    return [f"{sign} {name}" for name, sign in found.items()]
