"""The picture of a tree as a value: what is drawn and where, and the files it can become."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treewright.draw.marks import Mark, Text
from treewright.draw.view import View
from treewright.draw.words import Words


@dataclass(frozen=True, repr=False)
class Picture:
    """A laid-out tree: marks in painting order; saved as a file, shown in a notebook or drawn on axes."""

    width: float
    height: float
    marks: tuple[Mark, ...]
    items: View
    direction: str
    hints: Mapping[int, str] = field(compare=False)
    words: Words = field(compare=False)

    @property
    def texts(self) -> tuple[Text, ...]:
        """All texts of the picture."""
        return tuple(mark for mark in self.marks if isinstance(mark, Text))

    def __repr__(self) -> str:
        shown = sum(item.how == "leaf" for item in self.items)
        size = f"{self.width:.0f} x {self.height:.0f} px, {self.direction}"
        return f"Picture({size}: {shown} of {self.words.tree.n_leaves} leaves)"
