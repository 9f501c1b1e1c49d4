"""A chart as a value: axes, and what lies on them in the units of the data. Every output draws the same."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from treewright.base.lines import harmless
from treewright.base.names import choice
from treewright.paint import letters, native, plan
from treewright.paint.axis import Axis
from treewright.paint.files import Drawable
from treewright.paint.layers import Layer
from treewright.paint.marks import Mark
from treewright.paint.sheet import Sheet

SIZE = (640.0, 420.0)
LEAST = (240.0, 160.0)
LEGENDS = ("auto", "right", "below", "none")


@dataclass(frozen=True, repr=False)
class Chart(Drawable):
    """A chart: two axes, and layers in painting order. It becomes SVG, PDF, PNG, letters, or lies on axes.

    Args:
        title: above the chart.
        x: the axis to the right.
        y: the axis upwards; its label stands above it.
        layers: what is drawn, in the units of the axes.
        about: lines of small words under the title.
        below: lines of small words under the chart.
        size: width and height in pixels, at least 240 x 160; a long legend makes it higher.
        legend: "right", "below", "none", or "auto": right where there is room.
        is_level: whether a unit is as long upwards as to the right.

    >>> from treewright.paint import Line
    >>> line = Line("test", (1, 2, 3), (0.5, 0.2, 0.3))
    >>> chart = Chart("A curve", Axis("size", 1, 3), Axis("error", 0, 1), (line,))
    >>> chart
    Chart(A curve, 640 x 420 px)
    >>> [text.words for text in chart.texts if text.bold]
    ['A curve']
    """

    title: str
    x: Axis
    y: Axis
    layers: tuple[Layer, ...]
    about: tuple[str, ...] = ()
    below: tuple[str, ...] = ()
    size: tuple[float, float] = SIZE
    legend: str = "auto"
    is_level: bool = False

    def __post_init__(self) -> None:
        choice("legend", self.legend, LEGENDS)
        width, height = self.size
        if not (width >= LEAST[0] and height >= LEAST[1]):
            raise ValueError(
                f"A chart of {width:g} x {height:g} pixels cannot be read; 240 x 160 is the least."
            )

    @cached_property
    def sheet(self) -> Sheet:
        """The chart with everything at its place, in pixels."""
        return plan.laid_out(self)

    @property
    def name(self) -> str:
        """What the chart is of, for those who do not see it."""
        return self.title or f"{self.y.label} by {self.x.label}"

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
    def hints(self) -> dict[int, str]:
        """What is said of each node: there is none in a chart."""
        return {}

    def to_text(self, columns: int = 76, rows: int = 22, ascii: bool = False) -> str:  # noqa: A002
        """Return the chart in letters, so many columns wide and about so many rows high.

        >>> from treewright.paint import Line
        >>> line = Line("test", (0, 1), (0, 1))
        >>> print(Chart("", Axis("x"), Axis("y"), (line,)).to_text(columns=24, rows=6))
        y
          1 │             ooooo
        0.5 │     oooooooo
          0 │ooooo
            └──────────────────
             0       0.5      1
             x
        o test
        """
        return letters.to_text(self, columns, rows, ascii)

    def draw_on(self, ax: Any) -> None:
        """Draw the chart on matplotlib's axes: its lines and points are the axes' own.

        >>> from matplotlib.figure import Figure
        >>> from treewright.paint import Line
        >>> ax = Figure().add_subplot()
        >>> Chart("A line", Axis("x"), Axis("y"), (Line("test", (0, 1), (0, 1)),)).draw_on(ax)
        >>> ax.get_title(), ax.get_xlabel(), len(ax.lines)
        ('A line', 'x', 1)
        """
        native.draw_on(ax, self)

    def __repr__(self) -> str:
        return f"Chart({harmless(self.name)}, {self.width:.0f} x {self.height:.0f} px)"
