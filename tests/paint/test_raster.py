"""Pixels: shares against plain counting of points, areas against geometry, files against their format."""

from __future__ import annotations

import io
import math
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from treewright.paint import Axis, Chart, Line, Sheet
from treewright.paint.marks import Shape, Text, rectangle
from treewright.paint.png import to_png
from treewright.paint.raster import coverage, edges_of, pieces, stroked

SIDE = 12
places = st.floats(0.0, SIDE, allow_nan=False).map(lambda value: round(value, 3))
corners = st.lists(st.tuples(places, places), min_size=3, max_size=3)


def shares(edges) -> np.ndarray:
    page = np.zeros((SIDE, SIDE))
    found = coverage(edges, SIDE, SIDE)
    if found is not None:
        left, top, part = found
        page[top : top + part.shape[0], left : left + part.shape[1]] = part
    return page


def counted(points, n: int = 16) -> np.ndarray:
    """The share of n x n points of each pixel that lie in a triangle: the blackboard's way."""
    (ax, ay), (bx, by), (cx, cy) = points
    at = (np.arange(SIDE * n) + 0.5) / n
    x, y = np.meshgrid(at, at)
    sides = [
        (bx - ax) * (y - ay) - (by - ay) * (x - ax),
        (cx - bx) * (y - by) - (cy - by) * (x - bx),
        (ax - cx) * (y - cy) - (ay - cy) * (x - cx),
    ]
    inside = np.logical_and.reduce([s >= 0 for s in sides]) | np.logical_and.reduce([s <= 0 for s in sides])
    return inside.reshape(SIDE, n, SIDE, n).mean(axis=(1, 3))


@settings(max_examples=at_most(25, 60))
@given(corners)
def test_a_triangle_covers_what_counting_says(points):
    (ax, ay), (bx, by), (cx, cy) = points
    area = abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2
    page = shares(edges_of([(np.array(points), True)]))
    assert page.sum() == pytest.approx(area, abs=1e-4)
    if area > 0.05:
        assert np.abs(page - counted(points)).max() < 0.13  # 16 x 16 points along an edge


def test_a_circle_has_its_area_and_a_stroke_its_length_times_width():
    k = 0.5523 * 5
    circle = (("M", 11, 6), ("C", 11, 6 + k, 6 + k, 11, 6, 11), ("C", 6 - k, 11, 1, 6 + k, 1, 6),
              ("C", 1, 6 - k, 6 - k, 1, 6, 1), ("C", 6 + k, 1, 11, 6 - k, 11, 6), ("Z",))  # fmt: skip
    assert shares(edges_of(pieces(circle))).sum() == pytest.approx(25 * math.pi, rel=0.01)
    corner = (("M", 1, 3), ("L", 9, 3), ("L", 9, 10))
    assert shares(stroked(pieces(corner), 2.0)).sum() == pytest.approx(
        8 * 2 + 7 * 2, abs=1e-6
    )  # a square tip
    ring = (("M", 2, 2), ("L", 10, 2), ("L", 10, 10), ("L", 2, 10), ("Z",))
    assert shares(stroked(pieces(ring), 2.0)).sum() == pytest.approx(100 - 36, abs=1e-5)
    dashed = shares(stroked(pieces((("M", 0, 5), ("L", 12, 5))), 2.0, (2.0, 1.0)))
    assert dashed.sum() == pytest.approx(8 * 2)
    assert dashed[4].tolist() == [1, 1, 0] * 4


def test_a_hole_that_runs_the_other_way_is_left_free():
    outer = (("M", 1, 1), ("L", 9, 1), ("L", 9, 9), ("L", 1, 9), ("Z",))
    inner = (("M", 3, 3), ("L", 3, 7), ("L", 7, 7), ("L", 7, 3), ("Z",))
    page = shares(edges_of(pieces((*outer, *inner))))
    assert page.sum() == pytest.approx(64 - 16)
    assert page[5, 5] == 0


def pixels_of(content: bytes) -> np.ndarray:
    """The pixels of our PNG files, read by their format: chunks with checks, rows behind a filter of 0."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    at, parts = 8, {}
    while at < len(content):
        (length,) = struct.unpack(">I", content[at : at + 4])
        kind, body = content[at + 4 : at + 8], content[at + 8 : at + 8 + length]
        assert struct.unpack(">I", content[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        parts[kind], at = body, at + 12 + length
    width, height, depth, kind_of_colour = struct.unpack(">IIBB", parts[b"IHDR"][:10])
    assert (depth, kind_of_colour) == (8, 2)
    rows = np.frombuffer(zlib.decompress(parts[b"IDAT"]), np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def test_a_file_has_the_pixels_that_were_painted():
    sheet = Sheet(
        "two",
        8,
        4,
        (Shape(rectangle(2, 1, 3, 2), fill="#ff0000"), Shape(rectangle(4, 0, 2, 4), fill="#0000ff")),
    )
    page = pixels_of(sheet.to_png(scale=1))
    assert page.shape == (4, 8, 3)
    assert page[1, 2].tolist() == [255, 0, 0]
    assert page[1, 4].tolist() == [0, 0, 255]  # the later mark lies above
    assert page[0, 0].tolist() == [255, 255, 255]
    assert pixels_of(sheet.to_png(scale=2.5)).shape == (10, 20, 3)


def test_other_programs_read_the_file_and_draw_the_same():
    """Matplotlib reads it; and drawn by matplotlib's own painter the same marks look the same."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.image import imread

    tree = tw.grow(tw.example("tennis"), "PlayTennis", "id3").plot()
    picture = Sheet("tree", 560, 400, tree.marks)  # whole pixels
    ours = imread(io.BytesIO(picture.to_png(scale=1)))[:, :, :3]
    figure = Figure(figsize=(picture.width / 96, picture.height / 96), dpi=96)
    canvas = FigureCanvasAgg(figure)
    picture.draw_on(figure.add_axes((0, 0, 1, 1)))
    canvas.draw()
    theirs = np.asarray(canvas.buffer_rgba())[:, :, :3] / 255
    high, wide = (min(a, b) for a, b in zip(ours.shape[:2], theirs.shape[:2], strict=True))
    apart = np.abs(ours[:high, :wide] - theirs[:high, :wide])
    assert apart.mean() < 0.004
    assert (apart.max(axis=2) > 0.5).mean() < 0.002


def test_what_no_page_can_hold_is_refused():
    sheet = Sheet("large", 1e6, 1e6, ())
    with pytest.raises(ValueError, match="too large; make scale="):
        sheet.to_png()
    for scale in (0, -1, True, "2", math.nan):
        with pytest.raises(ValueError, match="scale="):
            to_png(Sheet("small", 9, 9, ()), scale)


def test_characters_that_the_font_lacks_are_named():
    sheet = Sheet("signs", 200, 40, (Text(5, 30, "東京 🌳 tea", 12),))
    assert sheet.missing_characters == "京東🌳"
    with pytest.warns(
        tw.DataWarning, match=r"lacks 京 \(U\+4EAC\), 東 \(U\+6771\), 🌳 \(U\+1F333\); in PNG each"
    ):
        sheet.to_png()
    with pytest.warns(tw.DataWarning, match="in PDF each"):
        sheet.to_pdf()
    assert "東京" in sheet.to_svg()
    chart = Chart("東", Axis("x"), Axis("y"), (Line("京", (0, 1), (0, 1)),))
    with pytest.warns(tw.DataWarning, match="lacks 京"):
        chart.to_png()
