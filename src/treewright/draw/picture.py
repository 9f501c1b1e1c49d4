"""The picture of a tree as a value: what is drawn and where, and the files it can become."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from treewright.draw import terminal
from treewright.draw.view import View
from treewright.draw.words import Words
from treewright.paint.files import Drawable
from treewright.paint.marks import Mark


@dataclass(frozen=True, repr=False)
class Picture(Drawable):
    """A laid-out tree: shapes and texts in painting order. `tree.plot()` makes one.

    >>> import treewright as tw
    >>> tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3").plot()
    Picture(541 x 395 px, down: 6 of 6 leaves)
    """

    width: float
    height: float
    marks: tuple[Mark, ...]
    items: View
    direction: str
    hints: Mapping[int, str] = field(compare=False)
    words: Words = field(compare=False)

    @property
    def name(self) -> str:
        """What the picture is of, for those who do not see it."""
        return f"Decision tree for {self.words.tree.target.name}"

    @property
    def is_folded(self) -> bool:
        """True where not every leaf is shown."""
        return any(item.how in ("folded", "bundle") for item in self.items)

    def to_text(self, columns: int = 100, ascii: bool = False, max_depth: int | None = None) -> str:  # noqa: A002
        """Return the tree in letters: drawn where it fits into so many columns, else as a listing.

        Nothing is folded but what is below `max_depth`.

        >>> from treewright.tree.example import tennis
        >>> print(tennis().collapse([1, 5]).plot().to_text(columns=40))
                  Outlook?
           ┌──────────┼───────────┐
         Sunny    Overcast      Rain
        No 60 %   Yes 100 %   Yes 60 %
        5 rows     4 rows      5 rows
        """
        return terminal.to_text(self.words, columns, ascii, max_depth)

    def __repr__(self) -> str:
        shown = sum(item.how == "leaf" for item in self.items)
        size = f"{self.width:.0f} x {self.height:.0f} px, {self.direction}"
        return f"Picture({size}: {shown} of {self.words.tree.n_leaves} leaves)"
