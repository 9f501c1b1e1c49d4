"""The picture as SVG: glyphs are drawn as outlines, so that it looks the same in every viewer.

A browser may forbid the fonts that a file carries, an office program ignores them, and another font has other
widths. Outlines need no font. Over each line lies the same text, without ink and stretched to the measured
width: it can be selected, searched and read aloud. Characters that our font lacks are drawn by that text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from treewright.base.lines import harmless
from treewright.paint.font import UNITS, advance, glyph
from treewright.paint.marks import Path, Shape, Text

if TYPE_CHECKING:
    from treewright.paint.marks import Drawn

_FAMILY = "DejaVu Sans, Verdana, sans-serif"


def to_svg(picture: Drawn) -> str:
    """Return the picture as one SVG element: well-formed XML without any reference to the outside.

    >>> from treewright.paint.sheet import Sheet
    >>> print(to_svg(Sheet("nothing", 20, 10, ()))[:34])
    <svg xmlns="http://www.w3.org/2000
    """
    width, height = _n(picture.width), _n(picture.height)
    title = harmless(picture.name)
    begin = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="graphics-document document" '
        f"aria-label={_attribute(title)} font-family={_attribute(_FAMILY)}>"
    )
    return "\n".join([begin, *_definitions(picture.texts), *_groups(picture), "</svg>", ""])


def _definitions(texts: Iterable[Text]) -> Iterator[str]:
    """Yield each glyph that is used, once."""
    used = sorted({(text.bold, character) for text in texts for character in text.words})
    yield "<defs>"
    for bold, character in used:
        found = glyph(character, bold)
        if found is not None and found.outline:
            yield f'<path id="{_name(character, bold)}" d="{found.outline}"/>'
    yield "</defs>"


def _groups(picture: Drawn) -> Iterator[str]:
    """Yield the marks, those of a node in a group that says in full what it is."""
    for node, marks in groupby(picture.marks, key=lambda mark: mark.node):
        if node >= 0:
            yield f'<g class="node" data-node="{node}"><title>{_content(picture.hints[node])}</title>'
        for mark in marks:
            yield _shape(mark) if isinstance(mark, Shape) else _text(mark)
        if node >= 0:
            yield "</g>"


def _shape(shape: Shape) -> str:
    line = ""
    if shape.stroke:
        line = f' stroke="{shape.stroke}" stroke-width="{_n(shape.width)}"'
        line += f' stroke-dasharray="{" ".join(map(_n, shape.dash))}"' if shape.dash else ""
    return f'<path fill="{shape.fill or "none"}"{line} d="{_path(shape.path)}"/>'


def _path(path: Path) -> str:
    return "".join(
        f"{step[0]}{' '.join(_n(value) for value in step[1:])}"  # type: ignore[arg-type]
        for step in path
    )


def _text(text: Text) -> str:
    """Return a line: outlines, the text itself over them, and, in ink, what the font has no outline of."""
    scale = f"{text.size / UNITS:.7f}".rstrip("0")
    outlines, foreign = [], []
    at = 0
    for known, run in groupby(text.words, key=lambda character: glyph(character, text.bold) is not None):
        characters = "".join(run)
        if not known:
            foreign.append((at, characters))
        for character in characters:
            found = glyph(character, text.bold)
            if found is not None and found.outline:
                place = f' x="{at}"' if at else ""
                outlines.append(f'<use xlink:href="#{_name(character, text.bold)}"{place}/>')
            at += advance(character, text.bold)
    size = f'font-size="{_n(text.size)}"' + (' font-weight="bold"' if text.bold else "")
    found_lines = []
    if outlines:
        move = f"translate({_n(text.x)} {_n(text.y)}) scale({scale})"
        found_lines.append(
            f'<g fill="{text.colour}" transform="{move}" aria-hidden="true">{"".join(outlines)}</g>'
        )
    for start, characters in foreign:
        x = text.x + start * text.size / UNITS
        found_lines.append(_line(characters, x, text.y, text.size, text.bold, f'{size} fill="{text.colour}"'))
    if outlines:
        inkless = f'{size} fill="none" pointer-events="all"'
        found_lines.append(_line(text.words, text.x, text.y, text.size, text.bold, inkless))
    return "".join(found_lines)


def _line(words: str, x: float, y: float, size: float, bold: bool, how: str) -> str:
    width = sum(advance(character, bold) for character in words) * size / UNITS
    length = f' textLength="{_n(width)}" lengthAdjust="spacingAndGlyphs"' if width else ""
    return f'<text x="{_n(x)}" y="{_n(y)}" {how}{length} xml:space="preserve">{_content(words)}</text>'


def _name(character: str, bold: bool) -> str:
    return f"tw{'b' if bold else 'r'}{ord(character):x}"


def _n(value: float) -> str:
    words = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if words == "-0" else words


def _content(words: str) -> str:
    return escape(_printable(words))


def _attribute(words: str) -> str:
    return quoteattr(_printable(words))


def _printable(words: str) -> str:
    """Return words without the characters that XML does not allow."""
    allowed = (
        character
        if character in "\t\n"
        or "\x20" <= character < "\ud800"
        or "\ue000" <= character not in "\ufffe\uffff"
        else "\ufffd"
        for character in words
    )
    return "".join(allowed)
