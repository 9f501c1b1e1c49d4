"""A distribution as marks: a histogram with the cut in it, or a bar for each category."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from treewright.draw.classes import top_classes
from treewright.draw.distribution import Distribution
from treewright.draw.words import Words
from treewright.measure.intervals import number
from treewright.paint.colours import FAINT, INK, LINE, PAPER, Look, look, mixed, swatch
from treewright.paint.font import measure, shortened
from treewright.paint.marks import Box, Mark, Shape, Text

WIDTH, BARS, LABEL = 140.0, 40.0, 9.0
_LINE = 12.0  # the height of a label, and of a bar of a category
_NAME, _BAR = 62.0, 74.0  # the least room for names where some are cut, and for bars
_APART = 4.0
_TRIANGLE = 4.0
_MOST_NAMES = 6
_DAY = re.compile(r"\d{4,}-\d\d-\d\d")  # that a moment begins with


@dataclass(frozen=True)
class Chart:
    """A distribution that is ready to be drawn, and the room it takes."""

    shown: Distribution
    width: float
    height: float
    names: float = 0.0  # the room for names of categories

    @property
    def is_cut(self) -> bool:
        """Whether a name of a category does not fit."""
        return any(measure(name, LABEL) > self.names for name, _ in _merged(self.shown))


def chart(shown: Distribution | None, room: float = WIDTH) -> Chart | None:
    """Return a distribution with its size, names in full where the room is wide; None where there is none.

    >>> chart(Distribution(np.ones((2, 2)), np.array([0, 1]), np.empty(0), ("a", "b"), 0.0)).height
    28.0
    """
    if shown is None:
        return None
    if shown.names:
        n = min(len(shown.names), _MOST_NAMES + 1)
        longest = max(measure(name, LABEL) for name, _ in _merged(shown))
        names = min(longest, max(_NAME, room - _APART - _BAR))
        width = max(WIDTH, names + _APART + _BAR)
        return Chart(shown, width, 4 + _LINE * (n + (shown.gaps > 0)), names)
    return Chart(shown, WIDTH, 4 + BARS + _TRIANGLE + _LINE * (1 + (shown.gaps > 0)))


def marks(words: Words, one: Chart, box: Box, node: int) -> list[Mark]:
    """Return the marks of a chart in a box."""
    shown, (left, top, right, _) = one.shown, box
    room = (left, top + 4, right, box[3])
    found = (_bars if shown.names else _histogram)(words, one, room, node, box)
    if shown.gaps > 0:
        gaps = f"{round(shown.gaps):,}" if shown.gaps >= 1 else "<1"
        text = shortened(f"{gaps} missing", right - left, LABEL)
        found.append(_label(text, left, box[3] - 2.5, node, box))
    return found


def _histogram(words: Words, one: Chart, room: Box, node: int, box: Box) -> list[Mark]:
    shown, (left, top, right, _) = one.shown, room
    foot = top + BARS
    step = (right - left) / len(shown.totals)
    tallest = float(shown.totals.max()) or 1.0
    found: list[Mark] = []
    for i in range(len(shown.totals)):
        y = foot
        for part, how in _parts(words, shown, i):
            high = BARS * part / tallest
            found += swatch(left + i * step + 0.25, y - high, max(step - 0.5, 0.3), high, how, node)
            y -= high
    found.append(Shape((("M", left, foot), ("L", right, foot)), stroke=LINE, width=0.75, node=node))
    x = left + step * int((shown.branch == 0).sum())
    line = (("M", x, top - 2), ("L", x, foot))
    found.append(Shape(line, stroke=INK, width=1.2, dash=(3, 2), node=node))
    peak = (
        ("M", x, foot + 0.5),
        ("L", x + 3.5, foot + 0.5 + _TRIANGLE),
        ("L", x - 3.5, foot + 0.5 + _TRIANGLE),
    )
    found.append(Shape((*peak, ("Z",)), fill=INK, node=node))
    low, high_words = edge_words(shown)
    base = foot + _TRIANGLE + LABEL
    width = measure(high_words, LABEL)
    found.append(_label(shortened(low, right - left - width - 6, LABEL), left, base, node, box))
    found.append(_label(high_words, right - width, base, node, box))
    return found


def edge_words(shown: Distribution) -> tuple[str, str]:
    """Return the ends of a histogram with as many digits as tell its bins apart.

    >>> edge_words(Distribution(np.ones((2, 1)), np.array([0, 1]), np.array([-1e-17, 0.25, 0.5]), (), 0.0))
    ('0', '0.5')
    >>> edge_words(Distribution(np.ones((3, 1)), np.array([0, 1, 1]), np.array([0, 1, 2, np.inf]), (), 0.0))
    ('0', '> 2')
    """
    inner = shown.edges[np.isfinite(shown.edges)]
    low, high = _end_words(shown, float(inner[0]), float(inner[-1]))
    return (
        low if np.isfinite(shown.edges[0]) else f"<= {low}",
        high if np.isfinite(shown.edges[-1]) else f"> {high}",
    )


def _end_words(shown: Distribution, low: float, high: float) -> tuple[str, str]:
    if shown.column is not None and shown.column.shows_moments:
        ends = shown.column.text_of(low), shown.column.text_of(high)
        low_day, high_day = (_DAY.match(end) for end in ends)
        if low_day and high_day and low_day[0] != high_day[0]:
            return low_day[0], high_day[0]  # hours are of no use where days tell the ends apart
        return ends
    places = 2 - math.floor(math.log10(high - low)) if high > low else 6
    return number(round(low, places)), number(round(high, places))


def _bars(words: Words, one: Chart, room: Box, node: int, box: Box) -> list[Mark]:
    """Return a bar for each category, those of a branch together; the last of many are one bar."""
    shown, (left, top, right, _) = one.shown, room
    x_first = left + one.names + _APART
    order = _merged(shown)
    tallest = max(float(shown.totals[list(members)].sum()) for _, members in order) or 1.0
    found: list[Mark] = []
    before = None
    for i, (name, members) in enumerate(order):
        y = top + _LINE * i
        found.append(_label(shortened(name, one.names, LABEL), left, y + LABEL, node, box))
        x = x_first
        for part, how in _parts(words, shown, *members):
            wide = (right - x_first) * part / tallest
            found += swatch(x, y + 2, wide, _LINE - 4, how, node)
            x += wide
        branch = int(shown.branch[members[0]])
        if before is not None and branch != before:  # a line between the branches
            path = (("M", left, y), ("L", right, y))
            found.append(Shape(path, stroke=LINE, width=0.75, dash=(2, 2), node=node))
        before = branch
    return found


def _merged(shown: Distribution) -> list[tuple[str, tuple[int, ...]]]:
    """Return names with the bins they stand for: all, or the largest and one for the others.

    >>> few = Distribution(np.ones((9, 1)), np.zeros(9, int), np.empty(0), tuple("abcdefghi"), 0.0)
    >>> _merged(few)[5:]
    [('f', (5,)), ('3 others', (6, 7, 8))]
    """
    n = len(shown.names)
    if n <= _MOST_NAMES + 1:
        return [(name, (i,)) for i, name in enumerate(shown.names)]
    largest = set(np.argsort(-shown.totals, kind="stable")[:_MOST_NAMES].tolist())
    kept = [(shown.names[i], (i,)) for i in range(n) if i in largest]
    others = tuple(i for i in range(n) if i not in largest)
    return [*kept, (f"{len(others)} others", others)]


def _parts(words: Words, shown: Distribution, *bins: int) -> list[tuple[float, Look]]:
    """Return the weights in some bins with their looks: by class, or one of the mean answer."""
    weights: NDArray[np.float64] = shown.weights[list(bins)]
    if not shown.is_of_numbers:
        return [(weight, look(code)) for code, weight in top_classes(weights.sum(axis=0))]
    total = float(weights[:, 0].sum())
    if not total > 0:
        return []
    mean = float((weights[:, 0] * weights[:, 1]).sum()) / total
    return [(total, Look(mixed(look(0).colour, PAPER, 0.2 + 0.8 * words.on_scale(mean)), "plain"))]


def _label(text: str, x: float, y: float, node: int, box: Box) -> Text:
    return Text(x, y, text, LABEL, colour=FAINT, node=node, inside=box)
