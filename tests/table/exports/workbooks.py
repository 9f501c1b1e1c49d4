"""The smallest workbooks that are workbooks: .xlsx and .ods, written by hand, without another library."""

import datetime as dt
import zipfile
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

Sheets = dict[str, list[list[Any]]]

_TYPES = (
    '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/xl/workbook.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>'
)
_RELATIONS = '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{}</Relationships>'
_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_STYLES = (
    f'<?xml version="1.0"?><styleSheet xmlns="{_MAIN}"><cellXfs count="2"><xf numFmtId="0"/>'
    '<xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>'
)


def write_xlsx(path: Path, sheets: Sheets) -> None:
    """Write sheets; dates are numbers of days with the style of a date, as Excel has them."""
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("[Content_Types].xml", _TYPES)
        book.writestr("_rels/.rels", _RELATIONS.format(
            f'<Relationship Id="r1" Type="{_KIND}officeDocument" Target="xl/workbook.xml"/>'))  # fmt: skip
        names = "".join(
            f'<sheet name="{escape(name)}" sheetId="{i}" r:id="s{i}"/>' for i, name in enumerate(sheets, 1)
        )
        book.writestr(
            "xl/workbook.xml",
            f'<?xml version="1.0"?><workbook xmlns="{_MAIN}" xmlns:r="{_KIND[:-1]}">'
            f"<sheets>{names}</sheets></workbook>",
        )
        parts = "".join(
            f'<Relationship Id="s{i}" Type="{_KIND}worksheet" Target="worksheets/s{i}.xml"/>'
            for i in range(1, len(sheets) + 1)
        )
        styles = f'<Relationship Id="t" Type="{_KIND}styles" Target="styles.xml"/>'
        book.writestr("xl/_rels/workbook.xml.rels", _RELATIONS.format(parts + styles))
        book.writestr("xl/styles.xml", _STYLES)
        for i, rows in enumerate(sheets.values(), 1):
            body = "".join(
                f'<row r="{y}">{"".join(_cell(cell, x, y) for x, cell in enumerate(row))}</row>'
                for y, row in enumerate(rows, 1)
            )
            sheet = (
                f'<?xml version="1.0"?><worksheet xmlns="{_MAIN}"><sheetData>{body}</sheetData></worksheet>'
            )
            book.writestr(f"xl/worksheets/s{i}.xml", sheet)


def _cell(cell: Any, x: int, y: int) -> str:
    place = f"{chr(65 + x)}{y}"
    if cell is None:
        return ""
    if isinstance(cell, dt.date):
        days = (cell - dt.date(1899, 12, 30)).days
        return f'<c r="{place}" s="1"><v>{days}</v></c>'
    if isinstance(cell, (int, float)):
        return f'<c r="{place}"><v>{cell!r}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t>{escape(str(cell))}</t></is></c>'


_OFFICE = "urn:oasis:names:tc:opendocument:xmlns:"


def write_ods(path: Path, sheets: Sheets) -> None:
    """Write sheets as LibreOffice has them."""
    tables = "".join(
        f'<table:table table:name="{escape(name)}">'
        + "".join(f"<table:table-row>{''.join(map(_ods_cell, row))}</table:table-row>" for row in rows)
        + "</table:table>"
        for name, rows in sheets.items()
    )
    names = " ".join(f'xmlns:{short}="{_OFFICE}{short}:1.0"' for short in ("office", "table", "text"))
    with zipfile.ZipFile(path, "w") as book:
        book.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        book.writestr(
            "content.xml",
            f'<?xml version="1.0"?><office:document-content {names}><office:body><office:spreadsheet>{tables}'
            "</office:spreadsheet></office:body></office:document-content>",
        )
        book.writestr(
            "META-INF/manifest.xml",
            f'<?xml version="1.0"?><manifest:manifest xmlns:manifest="{_OFFICE}manifest:1.0"/>',
        )


def _ods_cell(cell: Any) -> str:
    if cell is None:
        return "<table:table-cell/>"
    if isinstance(cell, dt.date):
        return f'<table:table-cell office:value-type="date" office:date-value="{cell.isoformat()}"/>'
    if isinstance(cell, (int, float)):
        return f'<table:table-cell office:value-type="float" office:value="{cell!r}"/>'
    text = f"<text:p>{escape(str(cell))}</text:p>"
    return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'
