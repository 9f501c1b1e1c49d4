"""The picture on matplotlib's axes, and as PNG through them: the same outlines at the same places."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from treewright.base.advice import ask, message
from treewright.draw.font import UNITS, advance, drawn
from treewright.draw.marks import Mark, Shape, Step, Text

if TYPE_CHECKING:
    from treewright.draw.picture import Picture

DPI = 96.0  # pixels of a picture in an inch


def matplotlib() -> Any:
    """Return the package, or say how to get it."""
    try:
        import matplotlib.backends.backend_agg
        import matplotlib.collections
        import matplotlib.figure
        import matplotlib.path
    except ImportError as trouble:
        raise message(
            ImportError,
            "PNG files and axes are drawn with matplotlib, which is not installed: "
            "pip install 'treewright[plot]'. SVG and PDF files need nothing: ",
            ask("plot", "tree.svg", python="tree.plot('tree.svg')"),
            ".",
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
    >>> len(ax.collections)
    1
    """
    drawing = matplotlib()
    width, height = room_on(ax)
    scale = min(1.0, width / picture.width, height / picture.height)
    left, top = (picture.width - width / scale) / 2, (picture.height - height / scale) / 2
    ax.set_xlim(left, left + width / scale)
    ax.set_ylim(top + height / scale, top)
    ax.set_axis_off()
    # One collection for all marks: it is painted in their order, and many times faster than a patch each.
    points = 0.75 * scale  # in a pixel of the picture
    ax.add_collection(
        drawing.collections.PathCollection(
            [_path(drawing, mark) for mark in picture.marks],
            facecolors=[_fill(mark) for mark in picture.marks],
            edgecolors=[_stroke(mark) for mark in picture.marks],
            linewidths=[points * _thickness(mark) for mark in picture.marks],
            linestyles=[_dash(mark) for mark in picture.marks],
            capstyle="butt",
            joinstyle="miter",
        ),
        autolim=False,
    )


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


def _fill(mark: Mark) -> str:
    return mark.colour if isinstance(mark, Text) else mark.fill or "none"


def _stroke(mark: Mark) -> str:
    return "none" if isinstance(mark, Text) else mark.stroke or "none"


def _thickness(mark: Mark) -> float:
    return mark.width if isinstance(mark, Shape) and mark.stroke else 0.0


def _dash(mark: Mark) -> Any:
    if isinstance(mark, Text) or not mark.dash:
        return "-"
    return (0, tuple(length / mark.width for length in mark.dash))  # in widths of the line


def _path(drawing: Any, mark: Mark) -> Any:
    """Return the outline of a mark; a line of words is one path, which grows and shrinks with all else."""
    path = drawing.path.Path
    codes = {
        "M": [path.MOVETO],
        "L": [path.LINETO],
        "Q": [path.CURVE3] * 2,
        "C": [path.CURVE4] * 3,
        "Z": [path.CLOSEPOLY],
    }
    steps = _outlines(mark) if isinstance(mark, Text) else mark.path
    points: list[tuple[float, float]] = []
    kinds: list[Any] = []
    for step in steps:
        values = [float(value) for value in step[1:]] or [0.0, 0.0]
        points += zip(values[::2], values[1::2], strict=True)
        kinds += codes[str(step[0])]
    return path(points, kinds)


def _outlines(text: Text) -> Iterator[Step]:
    yield ("M", text.x, text.y)
    scale, x = text.size / UNITS, text.x
    for character in text.words:
        for step in drawn(character, text.bold):
            moved = ((text.y if i % 2 else x) + float(v) * scale for i, v in enumerate(step[1:]))
            yield (step[0], *moved)
        x += advance(character, text.bold) * scale
