"""Several charts on one page, under one title and one legend."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from treewright.base.lines import harmless
from treewright.paint import axes
from treewright.paint.chart import Chart
from treewright.paint.colours import PAPER
from treewright.paint.files import Drawable
from treewright.paint.font import wrapped
from treewright.paint.layers import Layer, Note
from treewright.paint.marks import Mark, Path, Shape, Text, rectangle
from treewright.paint.plan import MARGIN, TITLE, legend_below
from treewright.paint.sheet import Sheet


@dataclass(frozen=True, repr=False)
class Panels(Drawable):
    """Charts side by side and below each other, with one legend for all.

    Args:
        title: above all charts.
        charts: in reading order.
        n_columns: charts side by side; 0: as many as make the page about as wide as high.
        width: of the page in pixels.

    >>> from treewright.paint import Axis
    >>> one = Chart("1", Axis("x"), Axis("y"), ())
    >>> Panels("several", (one, one, one), n_columns=3)
    Panels(several, 3 charts, 960 x 312 px)
    """

    title: str
    charts: tuple[Chart, ...]
    n_columns: int = 0
    page_width: float = 960.0

    @cached_property
    def sheet(self) -> Sheet:
        """The page with everything at its place, in pixels."""
        return _laid_out(self)

    @property
    def name(self) -> str:
        """What it is of, for those who do not see it."""
        return self.title or self.charts[0].name

    @property
    def width(self) -> float:
        """The width in pixels."""
        return self.sheet.width

    @property
    def height(self) -> float:
        """The height in pixels."""
        return self.sheet.height

    @property
    def marks(self) -> tuple[Mark, ...]:
        """Shapes and texts in painting order, in pixels."""
        return self.sheet.marks

    @property
    def hints(self) -> Mapping[int, str]:
        """What is said of each node: there is none."""
        return {}

    def to_text(self, columns: int = 76, rows: int = 22, ascii: bool = False) -> str:  # noqa: A002
        """Return the charts in letters, one below the other; what signs stand for is said with the last.

        >>> from treewright.paint import Axis, Dots
        >>> one = Chart("1", Axis("x"), Axis("y"), (Dots("yes", (0.5,), (0.5,)),))
        >>> Panels("several", (one, one)).to_text().splitlines()[:2]
        ['several', '1']
        """
        last = len(self.charts) - 1
        shown = (c if i == last else replace(c, legend="none") for i, c in enumerate(self.charts))
        texts = [chart.to_text(columns, rows, ascii) for chart in shown]
        return "\n".join([*([harmless(self.title)] if self.title else []), "\n\n".join(texts)])

    def draw_on(self, ax: Any) -> None:
        """Draw the page in the middle of matplotlib's axes.

        >>> from matplotlib.figure import Figure
        >>> from treewright.paint import Axis
        >>> ax = Figure().add_subplot()
        >>> Panels("several", (Chart("1", Axis("x"), Axis("y"), ()),)).draw_on(ax)
        >>> len(ax.collections)
        1
        """
        axes.draw_on(ax, self)

    def __repr__(self) -> str:
        size = f"{self.width:.0f} x {self.height:.0f} px"
        return f"Panels({harmless(self.name)}, {len(self.charts)} charts, {size})"


def _laid_out(panels: Panels) -> Sheet:
    n = len(panels.charts)
    n_columns = panels.n_columns or max(1, min(n, math.ceil(math.sqrt(n * 1.2))))
    width = max(panels.page_width, 240.0 * n_columns)
    wide = width / n_columns
    shape = panels.charts[0].size
    size = (max(wide, 240.0), max(260.0, wide * shape[1] / shape[0]))
    marks: list[Mark] = []
    top = MARGIN - 4
    for words in wrapped(panels.title, width - 2 * MARGIN, TITLE + 1, bold=True, most=3):
        top += (TITLE + 1) * 1.35
        marks.append(Text(MARGIN, top, words, TITLE + 1, bold=True))
    for row in range(0, n, n_columns):
        sheets = [replace(c, size=size, legend="none").sheet for c in panels.charts[row : row + n_columns]]
        for i, sheet in enumerate(sheets):
            marks += [_moved(mark, i * wide, top) for mark in sheet.marks[1:]]  # without its paper
        top += max(sheet.height for sheet in sheets)
    layers: list[Layer] = [
        one for chart in panels.charts for one in chart.layers if not isinstance(one, Note)
    ]
    legend, floor = legend_below(layers, MARGIN, top, width)
    floor = max(floor, top) + MARGIN
    paper = Shape(rectangle(0, 0, width, floor), fill=PAPER)
    return Sheet(panels.name, width, round(floor, 2), (paper, *marks, *legend))


def _moved(mark: Mark, right: float, down: float) -> Mark:
    if isinstance(mark, Text):
        return replace(mark, x=mark.x + right, y=mark.y + down)
    path: Path = tuple(
        (step[0], *(float(v) + (down if i % 2 else right) for i, v in enumerate(step[1:])))
        for step in mark.path
    )
    return replace(mark, path=path)
