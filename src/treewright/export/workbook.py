"""A workbook of Excel (.xlsx) from sheets of cells: the same bytes each time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field

from treewright.export.xml_text import Element, document, element

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_RELATIONS = "application/vnd.openxmlformats-package.relationships+xml"
_STYLES = ("", "bold", "title", "input", "day", "note")  # their places are their numbers in the file
_LONGEST = 32_767  # letters of a text in a cell


@dataclass
class Sheet:
    """Cells by row and column, from 0; `widths` are those of the first columns."""

    name: str
    widths: Sequence[float]
    cells: dict[tuple[int, int], tuple[str, str | None, str]] = field(default_factory=dict)

    def put(self, row: int, column: int, text: str | None, style: str = "") -> None:
        """Put a text into a cell, or leave it empty."""
        if text is not None and len(text) > _LONGEST:
            text = text[: _LONGEST - 1] + "…"
        self.cells[row, column] = ("text", text, style)

    def put_formula(self, row: int, column: int, formula: str, style: str = "") -> None:
        """Put a formula into a cell; it begins with =."""
        self.cells[row, column] = ("formula", formula.removeprefix("="), style)

    def to_element(self) -> Element:
        """Return the sheet as its file has it."""
        rows: dict[int, list[Element]] = {}
        for (row, column), (kind, said, style) in sorted(self.cells.items()):
            given = {"r": f"{column_letters(column)}{row + 1}"}
            given |= {"s": str(_STYLES.index(style))} if style else {}
            inside: list[Element] = []
            if kind == "formula":
                inside = [element("f", text=said)]
            elif said is not None:
                given["t"] = "inlineStr"
                inside = [element("is", {}, [element("t", {"xml:space": "preserve"}, text=said)])]
            rows.setdefault(row, []).append(element("c", given, inside))
        widths = [
            element("col", {"min": str(i), "max": str(i), "width": str(width), "customWidth": "1"})
            for i, width in enumerate(self.widths, 1)
        ]
        lines = [element("row", {"r": str(row + 1)}, cells) for row, cells in rows.items()]
        parts = [element("cols", {}, widths)] if widths else []
        return element("worksheet", {"xmlns": _MAIN}, [*parts, element("sheetData", {}, lines)])


def column_letters(place: int) -> str:
    """Return the letters of a column, from 0.

    >>> column_letters(0), column_letters(25), column_letters(26), column_letters(701), column_letters(702)
    ('A', 'Z', 'AA', 'ZZ', 'AAA')
    """
    letters = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def workbook(sheets: Sequence[Sheet]) -> bytes:
    """Return sheets as a file.

    >>> sheet = Sheet("One", (20.0,))
    >>> sheet.put_formula(0, 0, "=1+1")
    >>> workbook([sheet])[:2]
    b'PK'
    """
    numbers = range(1, len(sheets) + 1)
    overrides = [
        ("/xl/workbook.xml", f"{_TYPE}.sheet.main+xml"),
        ("/xl/styles.xml", f"{_TYPE}.styles+xml"),
        *((f"/xl/worksheets/sheet{i}.xml", f"{_TYPE}.worksheet+xml") for i in numbers),
    ]
    types = [
        element("Default", {"Extension": "rels", "ContentType": _RELATIONS}),
        element("Default", {"Extension": "xml", "ContentType": "application/xml"}),
        *(element("Override", {"PartName": name, "ContentType": kind}) for name, kind in overrides),
    ]
    listed = [
        element("sheet", {"name": sheet.name, "sheetId": str(i), "r:id": f"rId{i}"})
        for i, sheet in zip(numbers, sheets, strict=True)
    ]
    book = element(
        "workbook",
        {"xmlns": _MAIN, "xmlns:r": _RELATED},
        [element("sheets", {}, listed), element("calcPr", {"calcId": "0", "fullCalcOnLoad": "1"})],
    )
    related = [_relation(i, "worksheet", f"worksheets/sheet{i}.xml") for i in numbers]
    related.append(_relation(len(sheets) + 1, "styles", "styles.xml"))
    parts = {
        "[Content_Types].xml": element("Types", {"xmlns": f"{_PACKAGE}/content-types"}, types),
        "_rels/.rels": _relations([_relation(1, "officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": book,
        "xl/_rels/workbook.xml.rels": _relations(related),
        "xl/styles.xml": _styles(),
        **{
            f"xl/worksheets/sheet{i}.xml": sheet.to_element()
            for i, sheet in zip(numbers, sheets, strict=True)
        },
    }
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, root in parts.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # the same bytes at any time
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, document(root).encode())
    return file.getvalue()


def _relation(number: int, kind: str, target: str) -> Element:
    return element("Relationship", {"Id": f"rId{number}", "Type": f"{_RELATED}/{kind}", "Target": target})


def _relations(listed: list[Element]) -> Element:
    return element("Relationships", {"xmlns": f"{_PACKAGE}/relationships"}, listed)


def _styles() -> Element:
    """Return the looks of cells, in the order of `_STYLES`."""
    yellow = element("patternFill", {"patternType": "solid"}, [element("fgColor", {"rgb": "FFFFF4C2"})])
    plain = element("sz", {"val": "11"})
    fonts = [
        element("font", {}, [plain]),
        element("font", {}, [element("b"), plain]),
        element("font", {}, [element("b"), element("sz", {"val": "15"})]),
        element("font", {}, [plain, element("color", {"rgb": "FF666666"})]),
    ]
    fills = [
        element("fill", {}, [element("patternFill", {"patternType": "none"})]),
        element("fill", {}, [element("patternFill", {"patternType": "gray125"})]),
        element("fill", {}, [yellow]),
    ]
    sides = [element(side) for side in ("left", "right", "top", "bottom", "diagonal")]
    looks = [
        ("0", "0", "0"),
        ("1", "0", "0"),
        ("2", "0", "0"),
        ("0", "2", "0"),
        ("0", "2", "14"),
        ("3", "0", "0"),
    ]
    formats = [
        element(
            "xf",
            {
                "numFmtId": number, "fontId": font, "fillId": fill, "borderId": "0", "xfId": "0",
                "applyFont": "1", "applyFill": "1", "applyNumberFormat": "1",
            },
        )
        for font, fill, number in looks
    ]  # fmt: skip
    base = element("xf", {"numFmtId": "0", "fontId": "0", "fillId": "0", "borderId": "0"})
    return element(
        "styleSheet",
        {"xmlns": _MAIN},
        [
            element("fonts", {"count": str(len(fonts))}, fonts),
            element("fills", {"count": str(len(fills))}, fills),
            element("borders", {"count": "1"}, [element("border", {}, sides)]),
            element("cellStyleXfs", {"count": "1"}, [base]),
            element("cellXfs", {"count": str(len(formats))}, formats),
        ],
    )
