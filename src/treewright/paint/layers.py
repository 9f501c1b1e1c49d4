"""What lies on the axes of a chart, in the units of the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from treewright.paint.colours import FAINT, INK, PALETTE, PAPER

# Lines in the order in which most people tell them apart best, on paper and against each other.
LINES = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", INK)
DASHES: tuple[tuple[float, ...], ...] = ((), (7, 3), (2, 2.5), (8, 3, 2, 3), (4, 2), (10, 4), (1, 3))
MARKERS = ("disc", "square", "triangle", "diamond", "flag", "cross", "plus")
SHADES = "·:░▒▓█"  # of areas, in letters
Numbers = Sequence[float]


def class_colour(code: int) -> str:
    """Return the colour of a class: that of the pictures of trees.

    >>> class_colour(0), class_colour(8)
    ('#0072B2', '#E69F00')
    """
    return PALETTE[code % len(PALETTE)]


def class_look(code: int) -> int:
    """Return the number of the marker of a class: a pair of colour and marker stands for one class only.

    >>> class_look(0), class_look(7)
    (0, 1)
    """
    return (code + code // len(PALETTE)) % len(MARKERS)


@dataclass(frozen=True)
class Line:
    """A line through points, with a band where `low` and `high` are given; NaN leaves a gap.

    `look` says colour, dash and marker; `colour` and `dash` may be given apart.

    >>> Line("test", (1, 2), (0.5, 0.25)).ink
    '#0072B2'
    """

    name: str
    x: Numbers
    y: Numbers
    look: int = 0
    low: Numbers = ()
    high: Numbers = ()
    has_dots: bool = False
    is_step: bool = False
    colour: str = ""
    width: float = 1.8
    is_plain: bool = False  # without a dash

    @property
    def ink(self) -> str:
        """The colour of the line."""
        return self.colour or LINES[self.look % len(LINES)]

    @property
    def dash(self) -> tuple[float, ...]:
        """Lengths of ink and of gaps, in pixels; empty for a line without gaps."""
        return () if self.is_plain else DASHES[self.look % len(DASHES)]


@dataclass(frozen=True)
class Dots:
    """Points, each with a mark; `spread` draws how far each may be off, up and down.

    >>> Dots("rows", (1,), (2,), look=1).marker
    'square'
    """

    name: str
    x: Numbers
    y: Numbers
    look: int = 0
    spread: Numbers = ()
    is_ring: bool = False
    size: float = 4.0  # from the middle to the edge
    colour: str = ""
    edge: str = PAPER

    @property
    def ink(self) -> str:
        """The colour of the points."""
        return self.colour or LINES[self.look % len(LINES)]

    @property
    def marker(self) -> str:
        """The form of a mark."""
        return "ring" if self.is_ring else MARKERS[self.look % len(MARKERS)]


@dataclass(frozen=True)
class Area:
    """A filled outline; without corners it stands in the legend only.

    >>> Area("yes", (0, 1, 1), (0, 0, 1), "#aabbcc").shade
    0
    """

    name: str
    x: Numbers
    y: Numbers
    colour: str
    shade: int = 0
    edge: str = ""


@dataclass(frozen=True)
class Cells:
    """Rectangles, each with its colour: (left, bottom, right, top) in the units of the axes.

    >>> Cells(((0, 0, 1, 1),), ("#ffffff",)).shades
    ()
    """

    boxes: Sequence[tuple[float, float, float, float]]
    colours: Sequence[str]
    shades: Sequence[int] = ()  # how dark each is in letters; -1: blank
    edge: str = ""


@dataclass(frozen=True)
class Rule:
    """A line across the whole chart at one value of an axis.

    >>> Rule("best", 3.0).is_upright
    True
    """

    name: str
    at: float
    is_upright: bool = True
    look: int = 2
    colour: str = INK

    @property
    def dash(self) -> tuple[float, ...]:
        """Lengths of ink and of gaps, in pixels."""
        return DASHES[self.look % len(DASHES)]


@dataclass(frozen=True)
class Note:
    """Words at a point: beside it where there is room, or with `room` (in units of x) amid a cell.

    >>> Note("(1, 0)", 1, 0).room
    0.0
    """

    words: str
    x: float
    y: float
    room: float = 0.0
    colour: str = FAINT
    is_bold: bool = False


@dataclass(frozen=True)
class Shades:
    """A scale of colours in the legend: what the darkest and the lightest stand for.

    >>> Shades("chance of yes", "0 %", "100 %", ("#ffffff", "#000000")).name
    'chance of yes'
    """

    name: str
    low: str
    high: str
    colours: tuple[str, ...]


Layer = Line | Dots | Area | Cells | Rule | Note | Shades
