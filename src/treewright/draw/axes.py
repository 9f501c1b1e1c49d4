"""The picture on matplotlib's axes, and as PNG through them: the same outlines, at the size they were measured for."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from treewright.draw.font import UNITS, advance, drawn
from treewright.draw.marks import Shape, Text

if TYPE_CHECKING:
    from treewright.draw.picture import Picture

DPI = 96.0  # pixels of a picture in an inch


def matplotlib() -> Any:
    """Return the package, or say how to get it."""
    try:
        import matplotlib.backends.backend_agg
        import matplotlib.figure
        import matplotlib.patches
        import matplotlib.path
    except ImportError as trouble:
        raise ImportError(
            "PNG files and axes are drawn with matplotlib, which is not installed: "
            "pip install 'treewright[plot]'. SVG and PDF files need nothing: tree.plot('tree.svg')."
        ) from trouble
    return matplotlib


def room_on(ax: Any) -> tuple[float, float]:
    """Return width and height of axes, in pixels of a picture."""
    extent, dpi = ax.get_window_extent(), ax.figure.get_dpi()
    return extent.width / dpi * DPI, extent.height / dpi * DPI


def draw_on(ax: Any, picture: Picture) -> None:
    """Draw a picture in the middle of axes; a picture larger than the axes is made smaller.

    >>> from matplotlib.figure import Figure
    >>> from treewright.draw.layout import layout
    >>> from treewright.draw.words import Words
    >>> from treewright.tree.example import tennis
    >>> ax = Figure().add_subplot()
    >>> draw_on(ax, layout(Words(tennis()), width=500, height=500))
    >>> len(ax.patches) > 50
    True
    """
    drawing = matplotlib()
    width, height = room_on(ax)
    scale = min(1.0, width / picture.width, height / picture.height)
    left, top = (picture.width - width / scale) / 2, (picture.height - height / scale) / 2
    ax.set_xlim(left, left + width / scale)
    ax.set_ylim(top + height / scale, top)
    ax.set_axis_off()
    for order, mark in enumerate(picture.marks):
        patch = _shape(drawing, mark, scale) if isinstance(mark, Shape) else _text(drawing, mark)
        patch.set_zorder(1 + order * 1e-4)
        ax.add_patch(patch)


def to_png(picture: Picture, scale: float = 2.0) -> bytes:
    """Return the picture as a PNG file, `scale` pixels for each of its own.

    >>> from treewright.draw.layout import layout
    >>> from treewright.draw.words import Words
    >>> from treewright.tree.example import tennis
    >>> to_png(layout(Words(tennis()), width=500, height=500))[1:4]
    b'PNG'
    """
    drawing = matplotlib()
    size = (picture.width / DPI, picture.height / DPI)
    figure = drawing.figure.Figure(figsize=size, dpi=DPI * scale)
    drawing.backends.backend_agg.FigureCanvasAgg(figure)
    draw_on(figure.add_axes((0, 0, 1, 1)), picture)
    file = io.BytesIO()
    # Nothing of the user's own settings, and no name of a version: the same tree gives the same file.
    with drawing.rc_context({"savefig.bbox": None, "path.simplify": False}):
        figure.savefig(file, format="png", dpi=DPI * scale, metadata={"Software": None})
    return file.getvalue()


def _shape(drawing: Any, shape: Shape, scale: float) -> Any:
    path = drawing.path.Path
    codes = {"M": [path.MOVETO], "L": [path.LINETO], "C": [path.CURVE4] * 3, "Z": [path.CLOSEPOLY]}
    points, kinds = [], []
    for step in shape.path:
        values = step[1:] or (0.0, 0.0)
        points += list(zip(values[::2], values[1::2], strict=True))
        kinds += codes[str(step[0])]
    width = shape.width * 0.75 * scale  # in points
    return drawing.patches.PathPatch(
        path(points, kinds),
        facecolor=shape.fill or "none",
        edgecolor=shape.stroke or "none",
        linewidth=width if shape.stroke else 0,
        linestyle=(0, tuple(length / shape.width for length in shape.dash)) if shape.dash else "-",
        capstyle="butt",
        joinstyle="miter",
    )


def _text(drawing: Any, text: Text) -> Any:
    """Return a line of words as one patch of outlines: it grows and shrinks with all else."""
    path = drawing.path.Path
    scale, x = text.size / UNITS, text.x
    points: list[tuple[float, float]] = [(text.x, text.y)]
    kinds = [path.MOVETO]
    codes = {"M": [path.MOVETO], "L": [path.LINETO], "Q": [path.CURVE3] * 2, "Z": [path.CLOSEPOLY]}
    for character in text.words:
        for step in drawn(character, text.bold):
            values = [float(value) for value in step[1:]] or [0.0, 0.0]
            pairs = zip(values[::2], values[1::2], strict=True)
            points += [(x + px * scale, text.y + py * scale) for px, py in pairs]
            kinds += codes[str(step[0])]
        x += advance(character, text.bold) * scale
    return drawing.patches.PathPatch(path(points, kinds), facecolor=text.colour, edgecolor="none", linewidth=0)
