"""The plain twin of reading separated text: Python's csv module, one cell after the other."""

import csv
import io

MARKS = ("", "?", "NA", "N/A", "NaN", "nan", "null", "NULL")


def plain_read(text, *, separator, quote, decimal=".", header=True, missing=MARKS):
    """The columns by name: floats, texts, None for a gap. A column is numbers if every cell is one."""
    rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, quotechar=quote))
    width = len(rows[0])
    rows = [row or [""] for row in rows if row or width == 1]
    names = [name.strip() or f"c{i + 1}" for i, name in enumerate(rows[0])] if header else None
    names = names or [f"c{i + 1}" for i in range(width)]
    columns = zip(*(rows[1:] if header else rows), strict=True)
    return {name: column_of(cells, decimal, missing) for name, cells in zip(names, columns, strict=True)}


def column_of(cells, decimal, missing):
    known = [c for c in cells if not is_gap(c, missing)]
    sizes = [number(c, decimal) for c in known]
    if None in sizes or is_code(known):
        return [None if is_gap(c, missing) else c for c in cells]
    return [None if is_gap(c, missing) else number(c, decimal) for c in cells]


def is_gap(cell, missing):
    return cell.strip(" ") in ("", *missing)


def number(cell, decimal):
    """Python's float, less what a table does not mean by a number: 1_000, other scripts' digits, NaN."""
    if decimal == "," and "." in cell:
        return None
    try:
        size = float(cell.replace(",", ".") if decimal == "," else cell)
    except ValueError:
        return None
    return size if cell.isascii() and "_" not in cell and size == size else None


def is_code(known):
    widths = {len(cell) for cell in known}
    digits = all(cell.isascii() and cell.isdigit() for cell in known)
    return bool(known) and digits and len(widths) == 1 and widths != {1} and any(c[0] == "0" for c in known)
