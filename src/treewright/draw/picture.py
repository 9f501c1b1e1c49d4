"""The picture of a tree as a value: what is drawn and where, and the files it can become."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from treewright.base.files import write_whole
from treewright.base.names import nearest
from treewright.draw import axes, pdf, svg, terminal
from treewright.draw.marks import Mark, Shape, Text
from treewright.draw.view import View
from treewright.draw.words import Words


@dataclass(frozen=True, repr=False)
class Picture:
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
    def texts(self) -> tuple[Text, ...]:
        """All texts of the picture."""
        return tuple(mark for mark in self.marks if isinstance(mark, Text))

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All shapes of the picture."""
        return tuple(mark for mark in self.marks if isinstance(mark, Shape))

    @property
    def is_folded(self) -> bool:
        """True where not every leaf is shown."""
        return any(item.how in ("folded", "bundle") for item in self.items)

    def to_svg(self) -> str:
        """Return the picture as SVG text.

        >>> from treewright.tree.example import tennis
        >>> tennis().plot().to_svg().startswith("<svg ")
        True
        """
        return svg.to_svg(self)

    def to_pdf(self) -> bytes:
        """Return the picture as a PDF file.

        >>> from treewright.tree.example import tennis
        >>> tennis().plot().to_pdf()[:5]
        b'%PDF-'
        """
        return pdf.to_pdf(self)

    def to_png(self, scale: float = 2.0) -> bytes:
        """Return the picture as a PNG file, drawn by matplotlib; `scale` pixels for each pixel of the layout.

        >>> from treewright.tree.example import tennis
        >>> tennis().plot().to_png()[1:4]
        b'PNG'
        """
        return axes.to_png(self, scale)

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

    def draw_on(self, ax: Any) -> None:
        """Draw the picture in the middle of matplotlib's axes, smaller where it does not fit.

        >>> from matplotlib.figure import Figure
        >>> from treewright.tree.example import tennis
        >>> ax = Figure().add_subplot()
        >>> tennis().plot().draw_on(ax)
        >>> len(ax.collections)
        1
        """
        axes.draw_on(ax, self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file: .svg, .pdf, .png or .txt, by the end of its name; whole or not at all.

        >>> import os, tempfile
        >>> from treewright.tree.example import tennis
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     tennis().plot().save(os.path.join(folder, "tennis.svg"))
        ...     os.listdir(folder)
        ['tennis.svg']
        """
        write = FORMS[form_of(path)]
        write_whole(path, write(self))

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __repr__(self) -> str:
        shown = sum(item.how == "leaf" for item in self.items)
        size = f"{self.width:.0f} x {self.height:.0f} px, {self.direction}"
        return f"Picture({size}: {shown} of {self.words.tree.n_leaves} leaves)"


# The end of a file's name -> what is written.
FORMS: dict[str, Callable[[Picture], bytes]] = {
    ".svg": lambda picture: picture.to_svg().encode("utf-8"),
    ".pdf": Picture.to_pdf,
    ".png": Picture.to_png,
    ".txt": lambda picture: (picture.to_text() + "\n").encode("utf-8"),
}


def form_of(path: str | os.PathLike[str]) -> str:
    """Return the end of a file's name that says which form is wanted; a ValueError for any other.

    >>> form_of("tree.SVG")
    '.svg'
    >>> form_of("tree.jpg")
    Traceback (most recent call last):
    ValueError: A picture is saved as .svg, .pdf, .png or .txt; found 'tree.jpg'. Did you mean '.png'?
    """
    end = os.path.splitext(os.fspath(path))[1].lower()
    if end in FORMS:
        return end
    near = nearest(end, FORMS) if end else None
    hint = f" Did you mean {near!r}?" if near else ""
    raise ValueError(
        f"A picture is saved as .svg, .pdf, .png or .txt; found {os.path.basename(os.fspath(path))!r}.{hint}"
    )
