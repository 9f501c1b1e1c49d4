"""The layout of a chart: where axes, layers, legend and words stand. No texts meet, none leaves the page."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from treewright.base.lines import harmless
from treewright.paint.axis import Axis
from treewright.paint.colours import FAINT, INK, LINE, PAPER, TRACK
from treewright.paint.font import ASCENT, DESCENT, measure, shortened
from treewright.paint.font import wrapped as plainly_wrapped
from treewright.paint.frame import Frame
from treewright.paint.layers import Area, Cells, Dots, Layer, Note, Rule, Shades
from treewright.paint.layers import Line as Curve
from treewright.paint.marks import Box, Mark, Shape, Text, meets, rectangle
from treewright.paint.sheet import Sheet
from treewright.paint.strokes import bands, drawn, marker

if TYPE_CHECKING:
    from treewright.paint.chart import Chart

MARGIN, TITLE, LABEL, TICK, SMALL = 14.0, 14.0, 11.0, 10.0, 10.0
_LEAD = 1.35  # from line to line, in sizes
_KEY = 26.0  # the room for a key in the legend
_SCALE = 90.0  # the least length of a scale of colours
_WIDEST_NAME, _WIDEST_TICK = 190.0, 170.0
_NARROWEST = 230.0  # a frame beside which a legend stands
_APART = 6.0  # pixels between the names of two ticks
_NAME_LINES = 3


def clean(words: str) -> str:
    r"""Return words in one line, without characters that would steer a terminal.

    >>> clean("one\ttwo")
    'one two'
    """
    return " ".join(harmless(words).split())


def wrapped(words: str, room: float, size: float, bold: bool = False, most: int = 99) -> tuple[str, ...]:
    r"""Return words in lines, without characters that would end a line or steer a terminal.

    >>> wrapped("one\ttwo", 200, 11)
    ('one two',)
    """
    return plainly_wrapped(clean(words), room, size, bold, most)


@dataclass
class _Page:
    """What stands on the page so far."""

    marks: list[Mark] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)

    def write(
        self, x: float, y: float, words: str, size: float, colour: str = INK, bold: bool = False
    ) -> None:
        """Add a line of words."""
        text = Text(x, y, words, size, bold=bold, colour=colour)
        self.marks.append(text)
        self.boxes.append(text.box)

    def is_free(self, box: Box) -> bool:
        """Return whether a box meets no words."""
        return not any(meets(box, other) for other in self.boxes)


@dataclass(frozen=True)
class _Entry:
    """A line of the legend, or several: a key and its words."""

    layers: tuple[Layer, ...]
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        """In pixels."""
        more = LABEL * _LEAD * 1.6 if isinstance(self.layers[0], Shades) else 0.0
        return LABEL * _LEAD * len(self.lines) + more + 3


def laid_out(chart: Chart) -> Sheet:
    """Return a chart with everything at its place.

    >>> from treewright.paint import Axis, Chart
    >>> laid_out(Chart("nothing", Axis("x"), Axis("y"), ())).width
    640.0
    """
    width, height = chart.size
    page = _Page()
    top = _heading(page, chart, width)
    inner = _ticks_of(chart.y, (height - top - 60) / 30)
    left = MARGIN + (max((measure(w, TICK) for w in _shown(inner)), default=0.0) + 8 if inner else 0)
    entries, is_beside, right = _legend(chart, width, left)
    names, below = _names_below(chart.x, right - left)
    bottom = height - MARGIN - (LABEL * _LEAD + 2 if chart.x.label and chart.x.scale != "none" else 0) - below
    bottom = max(bottom, top + 60)
    frame = _levelled(chart, Frame(chart.x, chart.y, left, top, right, bottom))
    if frame.bottom < bottom:
        bottom = frame.bottom
    _axes(page, chart, frame, inner, names)
    floor = bottom + below + (LABEL * _LEAD + 2 if chart.x.label and chart.x.scale != "none" else 0)
    shown = [layer for layer in chart.layers if not isinstance(layer, Note)]
    page.marks += [mark for layer in shown for mark in bands(layer, frame)]  # below all lines
    page.marks += [mark for layer in shown for mark in drawn(layer, frame)]
    _frame_line(page, chart, frame)
    left_over = _notes(page, chart, frame)
    if is_beside:
        legend_floor = _draw_legend(page, entries, frame.right + 16, top)
    else:
        floor = legend_floor = _draw_rows(page, entries, MARGIN, floor + 8, width - 2 * MARGIN)
    floor = max(floor, legend_floor)
    for line in (*left_over, *chart.below):
        for words in wrapped(line, width - 2 * MARGIN, SMALL, most=6):
            floor += SMALL * _LEAD
            page.write(MARGIN, floor, words, SMALL, FAINT)
    paper = Shape(rectangle(0, 0, width, floor + MARGIN), fill=PAPER)
    return Sheet(chart.name, width, round(floor + MARGIN, 2), (paper, *page.marks))


def _heading(page: _Page, chart: Chart, width: float) -> float:
    """Write title, what it is about, and the label of the upward axis; return where the frame may begin."""
    y = MARGIN - 4
    for words in wrapped(chart.title, width - 2 * MARGIN, TITLE, bold=True, most=3):
        y += TITLE * _LEAD
        page.write(MARGIN, y, words, TITLE, bold=True)
    for line in chart.about:
        for words in wrapped(line, width - 2 * MARGIN, SMALL, most=4):
            y += SMALL * _LEAD
            page.write(MARGIN, y, words, SMALL, FAINT)
    if chart.y.label and chart.y.scale != "none":
        y += 4
        for words in wrapped(chart.y.label, width - 2 * MARGIN, LABEL, most=2):
            y += LABEL * _LEAD
            page.write(MARGIN, y, words, LABEL, FAINT)
    return y + 10


# ---- ticks --------------------------------------------------------------------------------------------


def _ticks_of(axis: Axis, most: float) -> list[tuple[float, str]]:
    """Return the ticks of the upward axis: of many names every second, third, ... one."""
    ticks = list(axis.ticks(max(2, int(most))))
    if axis.names:
        return ticks[:: max(1, math.ceil(len(ticks) / max(most * 30 / (TICK * 1.3), 1)))]
    return ticks


def _shown(ticks: Sequence[tuple[float, str]]) -> list[str]:
    return [_tick(words) for _, words in ticks]


def _tick(words: str) -> str:
    return shortened(clean(words), _WIDEST_TICK, TICK)


def _names_below(axis: Axis, width: float) -> tuple[list[tuple[float, tuple[str, ...]]], float]:
    """Return the ticks of the axis to the right, in lines, and the height that they take."""
    if axis.scale == "none":
        return [], 0.0
    if axis.names:
        step = max(1, math.ceil(len(axis.names) * 22 / max(width, 1)))
        room = step * width / max(len(axis.names), 1) - _APART
        found = [
            (place, wrapped(words, room, TICK, most=_NAME_LINES)) for place, words in axis.ticks(9)[::step]
        ]
    else:
        for most in range(max(2, int(width / 45)), 1, -1):
            found = [(place, (words,)) for place, words in axis.ticks(most)]
            if _is_apart(axis, found, width):
                break
    lines = max((len(words) for _, words in found), default=0)
    return found, 6 + lines * TICK * _LEAD


def _is_apart(axis: Axis, ticks: Sequence[tuple[float, tuple[str, ...]]], width: float) -> bool:
    places = [(axis.place(value) * width, measure(words[0], TICK) / 2) for value, words in ticks]
    return all(b - a >= p + q + _APART for (a, p), (b, q) in itertools.pairwise(places))


def _axes(
    page: _Page,
    chart: Chart,
    frame: Frame,
    inner: Sequence[tuple[float, str]],
    names: Sequence[tuple[float, tuple[str, ...]]],
) -> None:
    """Draw the lines and the names of both axes."""
    for value, words in inner:
        y = frame.up(value)
        if not chart.y.names:
            page.marks.append(Shape((("M", frame.left, y), ("L", frame.right, y)), stroke=TRACK, width=0.8))
        short = _tick(words)
        if not page.is_free(Text(frame.left - 6 - measure(short, TICK), y + TICK * 0.35, short, TICK).box):
            continue
        page.write(frame.left - 6 - measure(short, TICK), y + TICK * 0.35, short, TICK, FAINT)
    for value, lines in names:
        x = frame.across(value)
        if not chart.x.names:
            page.marks.append(Shape((("M", x, frame.top), ("L", x, frame.bottom)), stroke=TRACK, width=0.8))
        y = frame.bottom + 5
        for words in lines:
            wide = measure(words, TICK)
            at = min(max(x - wide / 2, 2.0), chart.size[0] - 2 - wide)
            y += TICK * _LEAD
            if page.is_free(Text(at, y - 2, words, TICK).box):
                page.write(at, y - 2, words, TICK, FAINT)
    if chart.x.label and chart.x.scale != "none":
        words = shortened(clean(chart.x.label), chart.size[0] - 2 * MARGIN, LABEL)
        wide = measure(words, LABEL)
        at = min(max((frame.left + frame.right - wide) / 2, MARGIN), chart.size[0] - MARGIN - wide)
        lines_below = max((len(lines) for _, lines in names), default=0)
        y = frame.bottom + 6 + lines_below * TICK * _LEAD + LABEL * _LEAD
        page.write(at, y, words, LABEL, FAINT)


def _frame_line(page: _Page, chart: Chart, frame: Frame) -> None:
    if chart.x.scale != "none":
        left, right, floor = frame.left, frame.right, frame.bottom
        path = (("M", left, frame.top), ("L", left, floor), ("L", right, floor))
        page.marks.append(Shape(path, stroke=LINE, width=1.0))


def _levelled(chart: Chart, frame: Frame) -> Frame:
    """Return the frame with units of one length on both axes, as large as there is room."""
    if not chart.is_level:
        return frame
    wide, high = chart.x.high - chart.x.low, chart.y.high - chart.y.low
    unit = min((frame.right - frame.left) / wide, (frame.bottom - frame.top) / high)
    return Frame(frame.x, frame.y, frame.left, frame.top, frame.left + unit * wide, frame.top + unit * high)


# ---- words in the frame -------------------------------------------------------------------------------


def _notes(page: _Page, chart: Chart, frame: Frame) -> list[str]:
    """Write words at their points, where there is room; return those that have none."""
    dots = [_around(layer, frame) for layer in chart.layers if isinstance(layer, Dots)]
    taken = [box for boxes in dots for box in boxes]
    left_over = []
    for note in (replace(n, words=clean(n.words)) for n in chart.layers if isinstance(n, Note)):
        if note.room:
            room = abs(frame.across(note.x + note.room) - frame.across(note.x)) - 4
            words = shortened(note.words, room, LABEL, note.is_bold)
            wide = measure(words, LABEL, note.is_bold)
            x, y = frame.across(note.x) - wide / 2, frame.up(note.y) + LABEL * 0.35
            box = Text(x, y, words, LABEL, note.is_bold).box
            if words not in ("", "…") and page.is_free(box):
                page.write(x, y, words, LABEL, note.colour, note.is_bold)
            continue
        place = next(_free_places(page, note, frame, taken), None)
        if place is None:
            left_over.append(note.words)
        else:
            page.write(*place, note.words, SMALL, note.colour, note.is_bold)
    return left_over


def _around(dots: Dots, frame: Frame) -> Iterator[Box]:
    for x, y in zip(dots.x, dots.y, strict=True):
        across, up = frame.across(x), frame.up(y)
        yield (across - dots.size, up - dots.size, across + dots.size, up + dots.size)


def _free_places(
    page: _Page, note: Note, frame: Frame, taken: Sequence[Box]
) -> Iterator[tuple[float, float]]:
    """Yield places beside a point at which words meet nothing: right, left, above, below, and further off."""
    wide = measure(note.words, SMALL, note.is_bold)
    x, y = frame.across(note.x), frame.up(note.y)
    high, low = ASCENT * SMALL, DESCENT * SMALL
    for off in (7.0, 14.0, 24.0, 38.0):
        for across, up in (
            (off, 0.35 * SMALL), (-off - wide, 0.35 * SMALL), (-wide / 2, -off), (-wide / 2, off + high),
            (off, -off), (off, off + high), (-off - wide, -off), (-off - wide, off + high),
        ):  # fmt: skip
            left, base = x + across, y + up
            box = (left, base - high, left + wide, base + low)
            is_inside = (
                box[0] >= frame.left
                and box[2] <= frame.right
                and box[1] >= frame.top
                and box[3] <= frame.bottom
            )
            if is_inside and page.is_free(box) and not any(meets(box, dot) for dot in taken):
                yield left, base


# ---- the legend ---------------------------------------------------------------------------------------


def entries_of(layers: Sequence[Layer], room: float) -> list[_Entry]:
    """Return what a legend says: a key for each name, layers of one name together.

    >>> from treewright.paint import Dots
    >>> [entry.lines for entry in entries_of([Dots("yes", (), ()), Dots("no", (), ())], 100)]
    [('yes',), ('no',)]
    """
    by_name: dict[str, list[Layer]] = {}
    for layer in layers:
        if not isinstance(layer, (Note, Cells)) and layer.name.strip():
            by_name.setdefault(layer.name, []).append(layer)
    return [_Entry(tuple(same), wrapped(name, room, LABEL, most=4)) for name, same in by_name.items()]


def _legend(chart: Chart, width: float, left: float) -> tuple[list[_Entry], bool, float]:
    """Return the entries, whether they stand beside the frame, and where the frame ends."""
    end = width - MARGIN - 4
    entries = entries_of(chart.layers, _WIDEST_NAME) if chart.legend != "none" else []
    if not entries:
        return [], True, end
    widest = max(measure(line, LABEL) for entry in entries for line in entry.lines)
    widest = max([widest, *(_scale_width(e) for e in entries)])
    beside = width - MARGIN - _KEY - widest - 16
    if chart.legend == "right" or (chart.legend == "auto" and beside - left >= _NARROWEST):
        return entries, True, beside
    return entries_of(chart.layers, width - 2 * MARGIN - _KEY), False, end


def _scale_width(entry: _Entry) -> float:
    scale = entry.layers[0]
    return _scale_length(scale) - _KEY if isinstance(scale, Shades) else 0.0


def _scale_length(scale: Shades) -> float:
    return max(_SCALE, *(2 * measure(_end(words), TICK) + 8 for words in (scale.low, scale.high)))


def _end(words: str) -> str:
    return shortened(clean(words), _SCALE - 8, TICK)


def _draw_legend(page: _Page, entries: Sequence[_Entry], x: float, y: float) -> float:
    for entry in entries:
        _draw_entry(page, entry, x, y)
        y += entry.height
    return y


def _draw_rows(page: _Page, entries: Sequence[_Entry], left: float, y: float, room: float) -> float:
    """Write entries one after the other, in rows; return where the last row ends."""
    x, high = left, 0.0
    for entry in entries:
        wide = _KEY + max([_scale_width(entry), *(measure(line, LABEL) for line in entry.lines)]) + 14
        if x > left and x + wide > left + room:
            x, y, high = left, y + high, 0.0
        _draw_entry(page, entry, x, y)
        x, high = x + wide, max(high, entry.height)
    return y + high


def _draw_entry(page: _Page, entry: _Entry, x: float, y: float) -> None:
    if isinstance(entry.layers[0], Shades):
        _draw_scale(page, entry, entry.layers[0], x, y)
        return
    middle = y + LABEL * 0.75
    for layer in entry.layers:
        page.marks += _key(layer, x, middle)
    for i, line in enumerate(entry.lines):
        page.write(x + _KEY, y + LABEL * (1.1 + _LEAD * i), line, LABEL)


def _draw_scale(page: _Page, entry: _Entry, scale: Shades, x: float, y: float) -> None:
    for i, line in enumerate(entry.lines):
        page.write(x, y + LABEL * (1.1 + _LEAD * i), line, LABEL)
    top = y + LABEL * _LEAD * len(entry.lines) + 2
    low, high, length = _end(scale.low), _end(scale.high), _scale_length(scale)
    step = length / len(scale.colours)
    for i, colour in enumerate(scale.colours):
        page.marks.append(Shape(rectangle(x + i * step, top, step + 0.5, 7), fill=colour))
    base = top + 7 + TICK * 1.05
    page.write(x, base, low, TICK, FAINT)
    page.write(x + length - measure(high, TICK), base, high, TICK, FAINT)


def _key(layer: Layer, x: float, y: float) -> list[Mark]:
    """Return a small drawing of a layer for the legend, 20 pixels wide, around a height."""
    if isinstance(layer, Curve):
        path = (("M", x, y), ("L", x + 20.0, y))
        line: list[Mark] = [Shape(path, stroke=layer.ink, width=layer.width, dash=layer.dash)]
        return line + (marker(Dots("", (), (), layer.look), x + 10, y, layer.ink) if layer.has_dots else [])
    if isinstance(layer, Rule):
        path = (("M", x, y), ("L", x + 20.0, y))
        return [Shape(path, stroke=layer.colour, width=1.2, dash=layer.dash)]
    if isinstance(layer, Dots):
        return marker(layer, x + 10, y, layer.ink)
    if isinstance(layer, Area):
        return [Shape(rectangle(x + 2, y - 5, 16, 10), fill=layer.colour or None, stroke=layer.edge or None)]
    return []


def legend_below(layers: Sequence[Layer], left: float, top: float, width: float) -> tuple[list[Mark], float]:
    """Return a legend in rows below a height, and where it ends; of several charts each name once.

    >>> from treewright.paint import Dots
    >>> marks, floor = legend_below([Dots("yes", (), ())], 0, 0, 200)
    >>> len(marks), floor
    (2, 25.85)
    """
    page = _Page()
    entries = [
        _Entry(entry.layers[:2], entry.lines) for entry in entries_of(layers, width - left - MARGIN - _KEY)
    ]
    return page.marks, round(_draw_rows(page, entries, left, top + 8, width - left - MARGIN), 2)
