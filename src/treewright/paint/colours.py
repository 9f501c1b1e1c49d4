"""How classes are told apart: by colour and pattern together, so never by colour alone."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.paint.marks import Path, Shape, rectangle

# Okabe and Ito's colours, which most people can tell apart, without black, which is for words.
PALETTE = ("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442")
PATTERNS = ("plain", "rising", "upright", "falling", "level")
OTHER = "#9aa5b1"  # classes beyond the last pair of colour and pattern, and those that training never had

INK, FAINT, LINE, BRANCH, PAPER = "#1f2933", "#52606d", "#9aa5b1", "#cfd8e3", "#ffffff"
TRACK = "#e4e9ef"  # the ground of a bar of numbers
_STEP = 5.0  # pixels between the lines of a pattern


@dataclass(frozen=True)
class Look:
    """Colour and pattern of a class."""

    colour: str
    pattern: str

    @property
    def tint(self) -> str:
        """The colour as a breath on paper: the ground of a leaf's card."""
        return mixed(self.colour, PAPER, 0.1)

    @property
    def edge(self) -> str:
        """The colour made dark enough for a thin line."""
        return mixed(self.colour, INK, 0.75)


def look(i: int) -> Look:
    """Return colour and pattern of class i: no two of the first 35 have both in common.

    >>> look(0), look(8)
    (Look(colour='#0072B2', pattern='plain'), Look(colour='#E69F00', pattern='falling'))
    >>> len({look(i) for i in range(36)})
    36
    """
    if not 0 <= i < len(PALETTE) * len(PATTERNS):
        return Look(OTHER, "plain")
    return Look(PALETTE[i % len(PALETTE)], PATTERNS[i % len(PATTERNS)])


def mixed(colour: str, other: str, share: float) -> str:
    """Return a colour with a share of the first in it and the rest of the other.

    >>> mixed("#000000", "#ffffff", 0.5)
    '#808080'
    """
    pairs = ((int(colour[i : i + 2], 16), int(other[i : i + 2], 16)) for i in (1, 3, 5))
    return "#" + "".join(f"{round(a * share + b * (1 - share) + 1e-9):02x}" for a, b in pairs)


def swatch(x: float, y: float, width: float, height: float, how: Look, node: int = -1) -> list[Shape]:
    """Return a rectangle in the colour and pattern of a class.

    >>> len(swatch(0, 0, 10, 10, look(0))), len(swatch(0, 0, 10, 10, look(1)))
    (1, 2)
    """
    ground = Shape(rectangle(x, y, width, height), fill=how.colour, node=node)
    lines = _lines(how.pattern, x, y, width, height)
    if not lines:
        return [ground]
    return [ground, Shape(lines, stroke=mixed(how.colour, PAPER, 0.25), width=1.1, node=node)]


def _lines(pattern: str, x: float, y: float, width: float, height: float) -> Path:
    """Return the lines of a pattern, cut at the rectangle; they start anew with each: all look alike."""
    right, bottom = x + width, y + height
    steps: list[tuple[str | float, ...]] = []
    if pattern == "upright":
        at = x + _STEP / 2
        while at < right:
            steps += [("M", at, y), ("L", at, bottom)]
            at += _STEP - 1
    elif pattern == "level":
        at = y + height / 2
        steps += [("M", x, at), ("L", right, at)]
    elif pattern in ("rising", "falling"):
        start = -height + _STEP / 2
        while start < width:  # from (start, top) to (start + height, bottom), as far as it lies inside
            low, high = max(0.0, -start), min(height, width - start)
            if low < high:
                ends = [(x + start + t, y + t if pattern == "falling" else bottom - t) for t in (low, high)]
                steps += [("M", *ends[0]), ("L", *ends[1])]
            start += _STEP
    return tuple(steps)
