"""The picture as PDF, one page as large as it is; written here, so that it needs no other package.

Characters are those of our own font (type 3: a small drawing each) with a table that says which each is.
So the page looks as measured everywhere, and its words can be selected and searched.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from treewright.paint.font import UNITS, advance, drawn
from treewright.paint.marks import Shape, Text

if TYPE_CHECKING:
    from treewright.paint.marks import Drawn

_PER_FONT = 250  # characters; a type 3 font has at most 256
_POINTS = 0.75  # of a pixel: 96 of these an inch, 72 of those
Place = dict[tuple[bool, str], tuple[str, int]]  # weight and character -> font and code


def to_pdf(picture: Drawn) -> bytes:
    """Return the picture as a PDF file.

    >>> from treewright.paint.sheet import Sheet
    >>> to_pdf(Sheet("nothing", 20, 10, ()))[:8]
    b'%PDF-1.4'
    """
    fonts = _fonts(picture.texts)
    places = {
        (bold, character): (name, code)
        for name, (bold, characters) in fonts.items()
        for code, character in enumerate(characters, 1)
    }
    width, height = picture.width * _POINTS, picture.height * _POINTS
    objects: list[bytes] = [b"", b"", b"", b""]  # catalogue, pages, page, content: filled in below
    named = []
    for name, (bold, characters) in fonts.items():
        named.append(f"/{name} {_font(objects, bold, characters)} 0 R")
    objects[0] = b"<< /Type /Catalog /Pages 2 0 R >>"
    objects[1] = b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
    objects[2] = (
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_n(width)} {_n(height)}] /Contents 4 0 R "
        f"/Resources << /Font << {' '.join(named)} >> >> >>"
    ).encode("ascii")
    lines = [f"{_POINTS} 0 0 {-_POINTS} 0 {_n(height)} cm"]
    lines += [_shape(mark) if isinstance(mark, Shape) else _text(mark, places) for mark in picture.marks]
    objects[3] = _stream("\n".join(lines))
    return _file(objects, picture.name)


def _fonts(texts: Iterable[Text]) -> dict[str, tuple[bool, list[str]]]:
    """Return fonts by name: the characters that are used, by weight, a few hundred each."""
    used: dict[bool, set[str]] = {False: set(), True: set()}
    for text in texts:
        used[text.bold] |= set(text.words)
    found = {}
    for bold, characters in used.items():
        ordered = sorted(characters)
        for first in range(0, len(ordered), _PER_FONT):
            part = ordered[first : first + _PER_FONT]
            found[f"{'B' if bold else 'R'}{first // _PER_FONT}"] = (bold, part)
    return found


def _font(objects: list[bytes], bold: bool, characters: list[str]) -> int:
    """Add a font and its parts to the objects; return its number."""
    drawings = []
    for character in characters:
        width = advance(character, bold)
        path = "\n".join(_steps(drawn(character, bold)))
        objects.append(_stream(f"{width} 0 {-UNITS} {-UNITS} {2 * UNITS} {2 * UNITS} d1\n{path}\nf"))
        drawings.append(len(objects))
    objects.append(_stream(_characters(characters)))
    names = " ".join(f"/c{code}" for code in range(1, len(characters) + 1))
    procedures = " ".join(f"/c{code} {number} 0 R" for code, number in enumerate(drawings, 1))
    widths = " ".join(str(advance(character, bold)) for character in characters)
    objects.append(
        (
            f"<< /Type /Font /Subtype /Type3 /FontBBox [{-UNITS} {-UNITS} {2 * UNITS} {2 * UNITS}] "
            f"/FontMatrix [{1 / UNITS:.14f} 0 0 {1 / UNITS:.14f} 0 0] /Resources << >> "
            f"/FirstChar 1 /LastChar {len(characters)} /Widths [{widths}] "
            f"/Encoding << /Type /Encoding /Differences [1 {names}] >> "
            f"/CharProcs << {procedures} >> /ToUnicode {len(objects)} 0 R >>"
        ).encode("ascii")
    )
    return len(objects)


def _steps(steps: Iterable[tuple[str | int, ...]]) -> Iterable[str]:
    """Yield an outline in PDF's words, y upwards: curves there are cubic."""
    x = y = 0.0
    for step in steps:
        points = [float(v) * (1 if i % 2 == 0 else -1) for i, v in enumerate(step[1:])]
        if step[0] == "Z":
            yield "h"
        elif step[0] == "Q":
            cx, cy, ex, ey = points
            first, second = (
                (x + (cx - x) * 2 / 3, y + (cy - y) * 2 / 3),
                (ex + (cx - ex) * 2 / 3, ey + (cy - ey) * 2 / 3),
            )
            yield f"{_n(first[0])} {_n(first[1])} {_n(second[0])} {_n(second[1])} {_n(ex)} {_n(ey)} c"
        else:
            yield f"{_n(points[0])} {_n(points[1])} {'m' if step[0] == 'M' else 'l'}"
        x, y = points[-2:] if points else (x, y)


def _characters(characters: list[str]) -> str:
    """Return the table from codes to characters, by which words are selected and searched."""
    rows = "".join(
        f"<{code:02X}> <{character.encode('utf-16-be', 'replace').hex().upper()}>\n"
        for code, character in enumerate(characters, 1)
    )
    blocks = rows.splitlines()
    parts = [blocks[i : i + 100] for i in range(0, len(blocks), 100)]
    lists = "\n".join(f"{len(part)} beginbfchar\n" + "\n".join(part) + "\nendbfchar" for part in parts)
    return (
        "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
        "/CMapName /treewright def\n/CMapType 2 def\n"
        f"1 begincodespacerange\n<00> <FF>\nendcodespacerange\n{lists}\n"
        "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend"
    )


_LETTERS = {"M": "m", "L": "l", "C": "c", "Z": "h"}


def _shape(shape: Shape) -> str:
    path = "\n".join(
        " ".join([*(_n(float(v)) for v in step[1:]), _LETTERS[str(step[0])]]) for step in shape.path
    )
    how = []
    if shape.fill:
        how.append(f"{_colour(shape.fill)} rg")
    if shape.stroke:
        dash = " ".join(map(_n, shape.dash))
        how.append(f"{_colour(shape.stroke)} RG {_n(shape.width)} w [{dash}] 0 d")
    paint = "B" if shape.fill and shape.stroke else "f" if shape.fill else "S"
    return "\n".join([*how, path, paint])


def _text(text: Text, places: Place) -> str:
    lines = [
        f"BT {_colour(text.colour)} rg {_n(text.size)} 0 0 {_n(-text.size)} {_n(text.x)} {_n(text.y)} Tm"
    ]
    run, font = "", ""
    for character in text.words:
        name, code = places[(text.bold, character)]
        if name != font:
            if run:
                lines.append(f"<{run}> Tj")
            lines.append(f"/{name} 1 Tf")
            run, font = "", name
        run += f"{code:02X}"
    return "\n".join([*lines, f"<{run}> Tj ET"])


def _colour(colour: str) -> str:
    return " ".join(_n(int(colour[i : i + 2], 16) / 255, 4) for i in (1, 3, 5))


def _n(value: float, digits: int = 2) -> str:
    words = f"{value:.{digits}f}".rstrip("0").rstrip(".")
    return "0" if words in ("-0", "") else words


def _stream(content: str) -> bytes:
    packed = zlib.compress(content.encode("ascii"), 9)
    return f"<< /Length {len(packed)} /Filter /FlateDecode >>\nstream\n".encode() + packed + b"\nendstream"


def _file(objects: list[bytes], title: str) -> bytes:
    """Return objects as a file: header, objects, where each begins, and which is the first."""
    words = (b"\xfe\xff" + title.encode("utf-16-be", "replace")).hex().upper()
    objects = [*objects, f"<< /Title <{words}> /Producer (treewright) >>".encode("ascii")]
    found = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
    starts = []
    for number, content in enumerate(objects, 1):
        starts.append(len(found))
        found += f"{number} 0 obj\n".encode() + content + b"\nendobj\n"
    table = "".join(f"{start:010d} 00000 n \n" for start in starts)
    n = len(objects)
    tail = f"xref\n0 {n + 1}\n0000000000 65535 f \n{table}trailer\n"
    tail += f"<< /Size {n + 1} /Root 1 0 R /Info {n} 0 R >>\nstartxref\n{len(found)}\n%%EOF\n"
    return found + tail.encode("ascii")
