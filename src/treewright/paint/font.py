"""The font of all pictures: outlines and widths of DejaVu Sans, from `data/`; no system font is asked.

Widths are sums of the glyphs' own widths, without kerning, and every output places glyphs by them. So what
is measured here is what is seen.
"""

from __future__ import annotations

import gzip
import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from importlib import resources

UNITS = 2048  # per em
ASCENT, DESCENT = 0.928, 0.236  # of a line, in em


@dataclass(frozen=True)
class Glyph:
    """A character: its width and its outline, a relative SVG path with y downwards, in units of the font."""

    width: int
    outline: str


@cache
def glyphs(bold: bool = False) -> dict[str, Glyph]:
    """Return the glyph of every character that the font has.

    >>> glyphs()["I"]
    Glyph(width=604, outline='m201-1493h202v1493h-202z')
    """
    packed = (resources.files(__package__) / "data" / "glyphs.txt.gz").read_bytes()
    found = {}
    for line in gzip.decompress(packed).decode("ascii").splitlines():
        weight, code, width, outline = line.split(" ", 3)
        if (weight == "b") == bold:
            found[chr(int(code, 16))] = Glyph(int(width), outline)
    return found


def glyph(character: str, bold: bool = False) -> Glyph | None:
    """Return the glyph of a character, of the other weight where this one lacks it, or None.

    >>> glyph("日") is None
    True
    """
    return glyphs(bold).get(character) or glyphs(not bold).get(character)


@cache
def drawn(character: str, bold: bool = False) -> tuple[tuple[str | int, ...], ...]:
    """Return the outline of a character in absolute steps, y downwards: M, L, Q (two points) and Z.

    A character that the font lacks is its number in a box: two such characters do not look the same.

    >>> drawn("I")
    (('M', 201, -1493), ('L', 403, -1493), ('L', 403, 0), ('L', 201, 0), ('Z',))
    """
    known = glyph(character, bold)
    if known is None:
        return _numbered_box(f"{ord(character):04X}", advance(character, bold))
    steps: list[tuple[str | int, ...]] = []
    x = y = x0 = y0 = 0
    for letter, digits in re.findall(r"([mlhvqz])([^a-z]*)", known.outline):
        given = [int(word) for word in re.findall(r"-?[0-9]+", digits)]
        if letter == "z":
            steps.append(("Z",))
            x, y = x0, y0
            continue
        if letter in "hv":
            given = [given[0], 0] if letter == "h" else [0, given[0]]
        points = [value + (y if i % 2 else x) for i, value in enumerate(given)]
        x, y = points[-2:]
        if letter == "m":
            x0, y0 = x, y
        steps.append(({"m": "M", "q": "Q"}.get(letter, "L"), *points))
    return tuple(steps)


def _numbered_box(number: str, width: int) -> tuple[tuple[str | int, ...], ...]:
    """Return digits in two rows in a hollow box; nothing where it has no width."""
    if not width:
        return ()
    number = number if len(number) % 2 == 0 else "0" + number
    per_row = len(number) // 2
    side = width - 100
    found = [*_box(100, -1700, side, 180), *_box(side - 90, -1610, 190, 90)]  # the inner one turns back
    cell = (width - 440) / per_row
    scale = min(0.5, cell / advance("0"))
    for i, digit in enumerate(number):
        left = 220 + cell * (i % per_row) + (cell - scale * advance(digit)) / 2
        base = -50 if i >= per_row else -850
        for step in drawn(digit):
            moved = (round(v * scale + (base if k % 2 else left)) for k, v in enumerate(step[1:]))  # type: ignore[operator]
            found.append((step[0], *moved))
    return tuple(found)


def _box(left: int, top: int, right: int, bottom: int) -> tuple[tuple[str | int, ...], ...]:
    corners = (("L", right, top), ("L", right, bottom), ("L", left, bottom))
    return (("M", left, top), *corners, ("Z",))


def is_foreign(character: str) -> bool:
    """Return whether a character can be seen, but not drawn with this font.

    >>> is_foreign("日"), is_foreign("é"), is_foreign(" ")
    (True, False, False)
    """
    return glyph(character) is None and advance(character) > 0 and not character.isspace()


@cache
def advance(character: str, bold: bool = False) -> int:
    """Return how far a character moves on, in units; estimated by its East Asian width where it is foreign.

    >>> advance("日"), advance("W"), advance("i", bold=True)
    (2048, 2025, 702)
    """
    if known := glyph(character, bold):
        return known.width
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    wide = unicodedata.east_asian_width(character) in "WF" or ord(character) >= 0x1F000
    return UNITS if wide else 1400


def measure(words: str, size: float, bold: bool = False) -> float:
    """Return the width of a line of words in pixels, to a hundredth.

    >>> measure("Outlook", 12), measure("日本", 10)
    (46.72, 20.0)
    """
    return round(sum(advance(character, bold) for character in words) * size / UNITS, 2)


def shortened(words: str, room: float, size: float, bold: bool = False) -> str:
    """Return words that fit into a width: as they are, or cut with an ellipsis.

    >>> shortened("Temperature", 60, 12), shortened("Temperature", 200, 12)
    ('Temper…', 'Temperature')
    """
    if fits(words, room, size, bold):
        return words
    width, end = advance("…", bold), 0
    for character in words:
        width += advance(character, bold)
        if round(width * size / UNITS, 2) > room:
            break
        end += 1
    return words[:end].rstrip() + "…"


def fits(words: str, room: float, size: float, bold: bool = False) -> bool:
    """Return whether a line of words is no wider than a room; what lies beyond it is not looked at.

    >>> fits("Outlook", 46.72, 12), fits("Outlook", 46.71, 12)
    (True, False)
    """
    width, most = 0, (room + 1) * UNITS / size  # a width is rounded before it is compared
    for character in words:
        width += advance(character, bold)
        if width > most:
            return False
    return round(width * size / UNITS, 2) <= room


def wrapped(words: str, room: float, size: float, bold: bool = False, most: int = 99) -> tuple[str, ...]:
    """Return words in lines that fit into a width, at most so many; a word too long is broken, the rest cut.

    >>> wrapped("a rather long question about nothing", 90, 12)
    ('a rather long', 'question', 'about nothing')
    >>> wrapped("a rather long question about nothing", 90, 12, most=2)
    ('a rather long', 'question abo…')
    """
    lines: list[str] = []
    rest = words.strip()
    while rest:
        if len(lines) == most - 1:
            lines.append(shortened(rest, room, size, bold))
            break
        end = _fitting(rest, room, size, bold)
        lines.append(rest[:end].rstrip())
        rest = rest[end:].lstrip()
    return tuple(lines)


def evenly_wrapped(words: str, room: float, size: float, bold: bool, most: int) -> tuple[str, ...]:
    """Return words in as few lines as `wrapped` needs, of about the same length.

    >>> evenly_wrapped("late delivery more than a month", 180, 12, True, 3)
    ('late delivery more', 'than a month')
    """
    lines = wrapped(words, room, size, bold, most)
    if len(lines) < 2 or lines[-1].endswith("…"):
        return lines or (words,)
    low, high = room / 2, room
    while high - low > 2:
        middle = (low + high) / 2
        narrower = wrapped(words, middle, size, bold)
        low, high = (low, middle) if len(narrower) <= len(lines) else (middle, high)
    return wrapped(words, high, size, bold)


def _fitting(words: str, room: float, size: float, bold: bool) -> int:
    """Return how many characters of the words a line takes: up to a comma, a space or a mark that may end it.

    A comma is preferred where it leaves the line well filled: names in a list are not torn apart.
    """
    if fits(words, room, size, bold):
        return len(words)
    width, end, soft, comma = 0.0, 0, 0, 0
    for i, character in enumerate(words):
        width += advance(character, bold) * size / UNITS
        if width > room and not character.isspace():
            break
        end = i + 1
        if character in " -_/" and words[i + 1 : i + 2] != "%":  # a number and its sign stay together
            soft = end
            comma = end if words[max(0, i - 1)] in ",;" and width > 0.55 * room else comma
    return comma or soft or max(end, 1)
