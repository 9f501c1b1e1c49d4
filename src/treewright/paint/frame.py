"""The frame of a chart: from the units of the data to pixels."""

from __future__ import annotations

from dataclasses import dataclass

from treewright.paint.axis import Axis


@dataclass(frozen=True)
class Frame:
    """Where the axes lie on the page, in pixels to the right and down.

    >>> frame = Frame(Axis("x"), Axis("y"), 10, 0, 110, 50)
    >>> frame.across(0.5), frame.up(1.0)
    (60.0, 0.0)
    """

    x: Axis
    y: Axis
    left: float
    top: float
    right: float
    bottom: float

    def across(self, value: float) -> float:
        """Return the pixel of a value of the axis to the right.

        >>> Frame(Axis("x"), Axis("y"), 10, 0, 110, 50).across(0)
        10.0
        """
        return self.left + self.x.place(value) * (self.right - self.left)

    def up(self, value: float) -> float:
        """Return the pixel of a value of the upward axis.

        >>> Frame(Axis("x"), Axis("y"), 10, 0, 110, 50).up(0)
        50.0
        """
        return self.bottom - self.y.place(value) * (self.bottom - self.top)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return (self.left, self.top, self.right, self.bottom)
