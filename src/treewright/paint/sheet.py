"""A picture that is no tree: marks on a sheet, under a name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from treewright.base.lines import harmless
from treewright.paint.files import Drawable
from treewright.paint.marks import Mark


@dataclass(frozen=True, repr=False)
class Sheet(Drawable):
    """Shapes and texts in painting order, under a name.

    >>> Sheet("nothing", 20, 10, ())
    Sheet(nothing, 20 x 10 px)
    """

    name: str
    width: float
    height: float
    marks: tuple[Mark, ...]
    hints: Mapping[int, str] = field(default_factory=dict, compare=False)

    def __repr__(self) -> str:
        return f"Sheet({harmless(self.name)}, {self.width:.0f} x {self.height:.0f} px)"
