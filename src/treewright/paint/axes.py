"""The picture on matplotlib's axes: the same outlines at the same places as in every file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from treewright.base.advice import ask, message
from treewright.paint.font import UNITS, advance, drawn
from treewright.paint.marks import Mark, Shape, Step, Text

if TYPE_CHECKING:
    from treewright.paint.marks import Drawn

DPI = 96.0  # pixels of a picture in an inch


def matplotlib() -> Any:
    """Return the package, or say how to get it."""
    try:
        import matplotlib.collections
        import matplotlib.figure
        import matplotlib.path
    except ImportError as trouble:
        raise message(
            ImportError,
            "Axes are matplotlib's, which is not installed: "
            "pip install 'treewright[plot]'. SVG, PDF and PNG files need nothing: ",
            ask("plot", "tree.svg", python="tree.plot('tree.svg')"),
            ".",
        ) from trouble
    return matplotlib


def room_on(ax: Any) -> tuple[float, float]:
    """Return width and height of axes, in pixels of a picture."""
    extent, dpi = ax.get_window_extent(), ax.figure.get_dpi()
    return extent.width / dpi * DPI, extent.height / dpi * DPI


def draw_on(ax: Any, picture: Drawn) -> None:
    """Draw a picture in the middle of axes; a picture larger than the axes is made smaller.

    >>> from matplotlib.figure import Figure
    >>> from treewright.paint.sheet import Sheet
    >>> ax = Figure().add_subplot()
    >>> draw_on(ax, Sheet("a box", 20, 10, (Shape((("M", 0, 0), ("L", 9, 0), ("L", 9, 9)), fill="#000000"),)))
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
