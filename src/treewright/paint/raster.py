"""Paths to pixels: the share of each pixel that a path covers, by the signed areas under its edges.

Every edge adds, to the pixels of the rows that it crosses, the area between itself and the right border of
the picture, upward edges with the other sign; summed along a row that is how often the path winds around a
pixel, with fractions where an edge runs through it. So edges are smooth without any sampling.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from treewright.paint.marks import Step

Floats = NDArray[np.float64]
_FLAT = 0.02  # pixels that a straight piece may lie off its curve
_SHARPEST = 4.0  # widths of a line that the tip of a corner may stand out


def pieces(path: Iterable[Step], scale: float = 1.0) -> list[tuple[Floats, bool]]:
    """Return the lines of a path as points, curves in straight pieces; with each, whether it is closed.

    >>> [(points.tolist(), closed) for points, closed in pieces((("M", 0, 0), ("L", 2, 0), ("Z",)))]
    [([[0.0, 0.0], [2.0, 0.0]], True)]
    """
    found: list[tuple[Floats, bool]] = []
    points: list[tuple[float, float]] = []
    for step in path:
        values = [float(value) * scale for value in step[1:]]
        if step[0] == "M" or step[0] == "Z":
            if len(points) > 1:
                found.append((np.array(points), step[0] == "Z"))
            points = [(values[0], values[1])] if step[0] == "M" else points[:1]
        elif step[0] == "L":
            points.append((values[0], values[1]))
        else:
            points += _curve(points[-1], values)
    if len(points) > 1:
        found.append((np.array(points), False))
    return found


def _curve(start: tuple[float, float], values: list[float]) -> list[tuple[float, float]]:
    """Return points along a curve of second or third degree: more where its handles lie further off."""
    handles = np.array([start, *zip(values[::2], values[1::2], strict=True)])
    bend = float(np.abs(np.diff(handles, 2, axis=0)).max(initial=0.0))
    n = max(1, math.ceil(math.sqrt(0.75 * bend / _FLAT)))
    t = np.linspace(0.0, 1.0, n + 1)[1:, None]
    while len(handles) > 1:  # de Casteljau: between neighbours, until one point is left
        handles = [a * (1 - t) + b * t for a, b in itertools.pairwise(handles)]  # type: ignore[assignment]
    return [(float(x), float(y)) for x, y in handles[0]]


def edges_of(lines: Iterable[tuple[Floats, bool]]) -> Floats:
    """Return the edges around closed lines, one a row: x0, y0, x1, y1. What is open is closed.

    >>> edges_of([(np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0]]), True)]).tolist()[2]
    [0.0, 1.0, 0.0, 0.0]
    """
    found = [np.hstack([points, np.roll(points, -1, axis=0)]) for points, _ in lines]
    return np.concatenate(found) if found else np.empty((0, 4))


def stroked(lines: Iterable[tuple[Floats, bool]], width: float, dash: tuple[float, ...] = ()) -> Floats:
    """Return the edges around a line of some width: a rectangle for each piece, a tip at each corner.

    >>> stroked([(np.array([[0.0, 0.0], [2.0, 0.0]]), False)], 2.0).tolist()
    [[0.0, 1.0, 2.0, 1.0], [2.0, 1.0, 2.0, -1.0], [2.0, -1.0, 0.0, -1.0], [0.0, -1.0, 0.0, 1.0]]
    """
    found = []
    for points, is_closed in lines:
        line = np.vstack([points, points[:1]]) if is_closed else points
        line = line[np.concatenate([[True], np.abs(np.diff(line, axis=0)).max(axis=1) > 1e-9])]
        if len(line) < 2:
            continue
        parts = _dashes(line, dash) if dash and sum(dash) > 0 else [line]
        is_ring = is_closed and len(parts) == 1
        found += [_around(part, width / 2, is_ring) for part in parts]
    return np.concatenate(found) if found else np.empty((0, 4))


def _dashes(line: Floats, dash: tuple[float, ...]) -> list[Floats]:
    """Return the parts of a line that are drawn: every other length, with the corners between."""
    lengths = np.hypot(*np.diff(line, axis=0).T)
    at = np.concatenate([[0.0], np.cumsum(lengths)])
    pattern = list(dash) * (2 if len(dash) % 2 else 1)
    found, begin, turn = [], 0.0, 0
    while begin < at[-1] - 1e-9:
        end = min(begin + pattern[turn % len(pattern)], at[-1])
        if turn % 2 == 0 and end > begin:
            inner = line[(at > begin) & (at < end)]
            ends = np.column_stack([np.interp([begin, end], at, line[:, i]) for i in (0, 1)])
            found.append(np.vstack([ends[:1], inner, ends[1:]]))
        begin, turn = end, turn + 1
    return found


def _around(line: Floats, half: float, is_ring: bool) -> Floats:
    """Return the edges of all rectangles and tips of a line; all run the same way round, so that they add."""
    ahead = np.diff(line, axis=0)
    ahead = ahead / np.hypot(*ahead.T)[:, None]
    aside = half * np.column_stack([-ahead[:, 1], ahead[:, 0]])
    a, b = line[:-1], line[1:]
    shapes = [np.stack([a + aside, b + aside, b - aside, a - aside], axis=1)]
    first, second = (ahead, np.roll(ahead, -1, axis=0)) if is_ring else (ahead[:-1], ahead[1:])
    if len(first):
        n0, n1 = (half * np.column_stack([-v[:, 1], v[:, 0]]) for v in (first, second))
        corner = b if is_ring else b[:-1]
        turn = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
        cosine = 1 + (first * second).sum(axis=1)  # 0 where the line turns back
        outside = np.where(turn > 0, -1.0, 1.0)[:, None]
        n0, n1 = n0 * outside, n1 * outside
        middle = (n0 + n1) / np.maximum(cosine, 1e-9)[:, None]
        is_sharp = np.hypot(*middle.T) > _SHARPEST * half
        middle = np.where(is_sharp[:, None], (n0 + n1) / 2, middle)
        tips = np.stack([corner, corner + n0, corner + middle, corner + n1], axis=1)
        flip = outside[:, 0] < 0
        tips[flip] = tips[flip][:, ::-1]
        shapes.append(tips[np.abs(turn) > 1e-9])
    corners = np.concatenate(shapes)
    return np.concatenate([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 4)


def coverage(edges: Floats, width: int, height: int) -> tuple[int, int, NDArray[np.float32]] | None:
    """Return left, top, and the share of each pixel from there on that a path covers; None for none.

    >>> left, top, shares = coverage(np.array([[1, 0, 1, 2], [2.5, 2, 2.5, 0.0]]), 9, 9)
    >>> left, top, shares.tolist()
    (1, 0, [[1.0, 0.5], [1.0, 0.5]])
    """
    edges = edges[edges[:, 1] != edges[:, 3]]
    if not len(edges):
        return None
    edges = edges.copy()
    edges[:, ::2] = edges[:, ::2].clip(0, width)
    edges[:, 1::2] = edges[:, 1::2].clip(0, height)
    left, top = (int(edges[:, i::2].min()) for i in (0, 1))
    right, bottom = (math.ceil(edges[:, i::2].max()) for i in (0, 1))
    edges = edges[edges[:, 1] != edges[:, 3]]
    if not len(edges) or right <= left:
        return None
    n_rows, n_columns = bottom - top, right - left + 2
    row, column, rise, across = _in_pixels(edges - [left, top, left, top], n_rows, n_columns - 1)
    place = row * n_columns + column
    size = n_rows * n_columns
    total = (
        np.bincount(place, rise * (1 - across), size) + np.bincount(place + 1, rise * across, size + 1)[:size]
    )
    winding = np.cumsum(total.reshape(n_rows, n_columns), axis=1)
    return left, top, np.minimum(np.abs(winding), 1.0)[:, : right - left].astype(np.float32)


def _in_pixels(
    edges: Floats, n_rows: int, n_columns: int
) -> tuple[NDArray[np.intp], NDArray[np.intp], Floats, Floats]:
    """Return the parts of edges inside single pixels: row, column, how far down, where across the pixel."""
    x0, y0, x1, y1 = edges.T
    sign = np.where(y1 > y0, 1.0, -1.0)
    low, high = np.minimum(y0, y1), np.maximum(y0, y1)
    which, row = _spread(low, high)
    begin, end = np.maximum(low[which], row), np.minimum(high[which], row + 1)
    slope = (x1 - x0) / (y1 - y0)
    xa, xb = (x0[which] + slope[which] * (y - y0[which]) for y in (begin, end))
    rise = sign[which] * (end - begin)
    left, right = np.minimum(xa, xb), np.maximum(xa, xb)
    part, column = _spread(left, right)
    width = (right - left)[part]
    first, last = np.maximum(left[part], column), np.minimum(right[part], column + 1)
    share = np.divide(last - first, width, out=np.ones_like(width), where=width > 0)
    across = np.clip((first + last) / 2 - column, 0.0, 1.0)
    rows = np.clip(row[part], 0, n_rows - 1).astype(np.intp)
    columns = np.clip(column, 0, n_columns - 1).astype(np.intp)
    return rows, columns, rise[part] * share, across


def _spread(low: Floats, high: Floats) -> tuple[NDArray[np.intp], Floats]:
    """Return, for spans of numbers, each whole number that begins a unit they reach into, and whose it is."""
    first = np.floor(low)
    n = np.maximum(np.ceil(high) - first, 1).astype(np.intp)
    which = np.repeat(np.arange(len(low)), n)
    offset = np.arange(len(which)) - np.repeat(np.cumsum(n) - n, n)
    return which, first[which] + offset
