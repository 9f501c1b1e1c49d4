"""The picture as PNG: pixels painted and written here, so that it needs no other package, program or font."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.paint.font import UNITS, advance, drawn
from treewright.paint.marks import Shape, Text
from treewright.paint.raster import Floats, coverage, edges_of, pieces, stroked

if TYPE_CHECKING:
    from treewright.paint.marks import Drawn

MOST_PIXELS = 200_000_000  # 600 MB
_DOTS_PER_METRE = 96 / 0.0254  # at scale 1
_FINE = 1 / 16  # size in pixels of a unit at which outlines of glyphs are made of straight pieces


def to_png(picture: Drawn, scale: float = 2.0) -> bytes:
    r"""Return the picture as a PNG file, `scale` pixels for each of its own.

    >>> from treewright.paint.sheet import Sheet
    >>> to_png(Sheet("nothing", 20, 10, ()))[:4]
    b'\x89PNG'
    """
    if isinstance(scale, bool) or not isinstance(scale, (int, float)) or not scale > 0:
        raise ValueError(f"scale={scale!r}: so many pixels for each of the picture; a number above 0.")
    width, height = (max(1, round(side * scale)) for side in (picture.width, picture.height))
    if width * height > MOST_PIXELS:
        raise ValueError(
            f"A PNG of {width:,} x {height:,} pixels is too large; make scale={scale!r} smaller, or save SVG."
        )
    pixels = np.full((height, width, 3), 255, dtype=np.uint8)
    for mark in picture.marks:
        for edges, colour in _painted(mark, scale):
            _blend(pixels, edges, colour)
    return _file(pixels, _DOTS_PER_METRE * scale)


def _painted(mark: Shape | Text, scale: float) -> Iterator[tuple[Floats, str]]:
    """Yield outlines in pixels with their colours, in painting order."""
    if isinstance(mark, Text):
        yield _line(mark, scale), mark.colour
        return
    lines = pieces(mark.path, scale)
    if mark.fill:
        yield edges_of(lines), mark.fill
    if mark.stroke:
        dash = tuple(length * scale for length in mark.dash)
        yield stroked(lines, mark.width * scale, dash), mark.stroke


def _line(text: Text, scale: float) -> Floats:
    """Return the outlines of a line of words."""
    size = text.size * scale / UNITS
    found, at = [], 0.0
    for character in text.words:
        found.append(_glyph(character, text.bold) + np.array([at, 0.0, at, 0.0]))
        at += advance(character, text.bold)
    edges = np.concatenate(found) if found else np.empty((0, 4))
    return edges * size + [text.x * scale, text.y * scale] * 2


@lru_cache(maxsize=4096)
def _glyph(character: str, bold: bool) -> Floats:
    return edges_of(pieces(drawn(character, bold), _FINE)) / _FINE


def _blend(pixels: NDArray[np.uint8], edges: Floats, colour: str) -> None:
    """Lay a colour over the pixels that a path covers, each by its share."""
    found = coverage(edges, pixels.shape[1], pixels.shape[0])
    if found is None:
        return
    left, top, shares = found
    part = pixels[top : top + shares.shape[0], left : left + shares.shape[1]]
    ink = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)], dtype=np.float32)
    part[:] = np.rint(part + (ink - part) * shares[:, :, None]).astype(np.uint8)


def _file(pixels: NDArray[np.uint8], dots_per_metre: float) -> bytes:
    """Return the file: size, dots to the metre, and the rows, each behind the number of its filter, 0."""
    height, width, _ = pixels.shape
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    dots = round(dots_per_metre)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        (
            _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
            _chunk(b"pHYs", struct.pack(">IIB", dots, dots, 1)),
            _chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    check = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", check)
