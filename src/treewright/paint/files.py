"""What every picture can become: SVG, PDF, PNG, letters, a part of matplotlib's axes."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any

from treewright.base.data_warning import DataWarning, callers_level
from treewright.base.files import write_whole
from treewright.base.names import nearest
from treewright.paint import axes, pdf, png, svg
from treewright.paint.font import is_foreign
from treewright.paint.marks import Mark, Shape, Text

_MOST_NAMED = 12  # characters in a warning


class Drawable:
    """A picture whose marks are at their places: it has the files it can become as methods."""

    if TYPE_CHECKING:

        @property
        def name(self) -> str:
            """What it is of."""

        @property
        def width(self) -> float:
            """Its width in pixels."""

        @property
        def height(self) -> float:
            """Its height in pixels."""

        @property
        def marks(self) -> tuple[Mark, ...]:
            """All marks in painting order."""

        @property
        def hints(self) -> Mapping[int, str]:
            """What is said of each node."""

    @property
    def texts(self) -> tuple[Text, ...]:
        """All texts of the picture."""
        return tuple(mark for mark in self.marks if isinstance(mark, Text))

    @property
    def shapes(self) -> tuple[Shape, ...]:
        """All shapes of the picture."""
        return tuple(mark for mark in self.marks if isinstance(mark, Shape))

    @property
    def missing_characters(self) -> str:
        """The characters of the picture that our font lacks.

        A viewer of SVG draws them in a font of its own; in PDF and PNG each is a box with its number.
        """
        return "".join(sorted({c for text in self.texts for c in text.words if is_foreign(c)}))

    def to_svg(self) -> str:
        """Return the picture as SVG text.

        >>> from treewright.paint import Sheet
        >>> Sheet("nothing", 20, 10, ()).to_svg().startswith("<svg ")
        True
        """
        return svg.to_svg(self)

    def to_pdf(self) -> bytes:
        """Return the picture as a PDF file of one page.

        >>> from treewright.paint import Sheet
        >>> Sheet("nothing", 20, 10, ()).to_pdf()[:5]
        b'%PDF-'
        """
        self._say_what_is_missing("PDF")
        return pdf.to_pdf(self)

    def to_png(self, scale: float = 2.0) -> bytes:
        """Return the picture as a PNG file: `scale` pixels for each pixel of the layout.

        >>> from treewright.paint import Sheet
        >>> Sheet("nothing", 20, 10, ()).to_png()[1:4]
        b'PNG'
        """
        self._say_what_is_missing("PNG")
        return png.to_png(self, scale)

    def draw_on(self, ax: Any) -> None:
        """Draw the picture in the middle of matplotlib's axes, smaller where it does not fit.

        >>> from matplotlib.figure import Figure
        >>> from treewright.paint import Sheet
        >>> Sheet("nothing", 20, 10, ()).draw_on(Figure().add_subplot())
        """
        axes.draw_on(ax, self)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file: the end of its name says the form; whole or not at all.

        >>> import os, tempfile
        >>> from treewright.paint import Sheet
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Sheet("nothing", 20, 10, ()).save(os.path.join(folder, "nothing.svg"))
        ...     os.listdir(folder)
        ['nothing.svg']
        """
        write_whole(path, FORMS[form_of(path, forms_of(self))](self))

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def _say_what_is_missing(self, form: str) -> None:
        lacking = self.missing_characters
        if lacking:
            named = ", ".join(f"{c} (U+{ord(c):04X})" for c in lacking[:_MOST_NAMED])
            more = f" and {len(lacking) - _MOST_NAMED} more" if len(lacking) > _MOST_NAMED else ""
            warnings.warn(
                f"The font of the pictures lacks {named}{more}; in {form} each is a box with its number. SVG "
                "keeps them as text, which a viewer draws in a font of its own.",
                DataWarning,
                stacklevel=callers_level(),
            )


# The end of a file's name -> what is written.
FORMS: dict[str, Callable[[Any], bytes]] = {
    ".svg": lambda picture: picture.to_svg().encode("utf-8"),
    ".pdf": lambda picture: picture.to_pdf(),
    ".png": lambda picture: picture.to_png(),
    ".txt": lambda picture: (picture.to_text() + "\n").encode("utf-8"),
}


def forms_of(picture: Any) -> tuple[str, ...]:
    """Return the forms that a picture can be saved in: letters only where it has some.

    >>> from treewright.paint import Sheet
    >>> forms_of(Sheet("nothing", 20, 10, ()))
    ('.svg', '.pdf', '.png')
    """
    return tuple(form for form in FORMS if form != ".txt" or hasattr(picture, "to_text"))


def form_of(path: str | os.PathLike[str], forms: Collection[str] = tuple(FORMS)) -> str:
    """Return the end of a file's name that says which form is wanted; a ValueError for any other.

    >>> form_of("tree.SVG")
    '.svg'
    >>> form_of("tree.jpg")
    Traceback (most recent call last):
    ValueError: A picture is saved as .svg, .pdf, .png or .txt; found 'tree.jpg'. Did you mean '.png'?
    """
    if not isinstance(path, (str, os.PathLike)):
        way = " Give matplotlib's axes by name: plot(ax=...)." if hasattr(path, "get_xlim") else ""
        raise TypeError(f"A picture is saved under the name of a file; found {type(path).__name__}.{way}")
    end = os.path.splitext(os.fspath(path))[1].lower()
    if end in forms:
        return end
    near = nearest(end, forms) if end else None
    hint = f" Did you mean {near!r}?" if near else ""
    *others, last = forms
    raise ValueError(
        f"A picture is saved as {', '.join(others)} or {last}; "
        f"found {os.path.basename(os.fspath(path))!r}.{hint}"
    )


def delivered(picture: Any, path: str | os.PathLike[str] | None, ax: Any) -> Any:
    """Return a picture, saved where a path is given and drawn where axes are.

    >>> from treewright.paint import Sheet
    >>> delivered(Sheet("nothing", 20, 10, ()), None, None)
    Sheet(nothing, 20 x 10 px)
    """
    if path is not None:
        picture.save(path)
    if ax is not None:
        picture.draw_on(ax)
    return picture
