"""Sheets of workbooks (.xlsx, .xls, .ods), through python-calamine, an extra: treewright[excel]."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from contextlib import ExitStack
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from treewright.base.names import nearest
from treewright.table.raw import from_cells, label
from treewright.table.schema import check_unique_names

from .cells import words_of
from .dialect import has_header
from .judge import Rule, Verdict, judge
from .loaded import Loaded, Wanted
from .marks import without_marks
from .oddlines import Header, has_subtotals, header_of, is_subtotal
from .records import Record, one_line
from .source import Source
from .trim import titles_above, totals_below, untrimmed

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

_TAIL = 20  # rows at the end that may be totals


def load(
    connection: DuckDBPyConnection,  # noqa: ARG001
    source: Source,
    wanted: Wanted,
    stack: ExitStack,  # noqa: ARG001
) -> Loaded:
    """Return the columns of a sheet: the named one, or the first that is not empty."""
    sheet, cells, notes = _sheet(source)
    top = wanted.skip if wanted.skip is not None else _n_titles(cells, wanted)
    if top and wanted.skip is None:
        notes.append(untrimmed(f"{top} {'row' if top == 1 else 'rows'} above the names {_are(top)} left out"))
    rows = cells[top:]
    header = _header(rows, wanted)
    if header.n_above:
        shown = _text(next(cell for cell in rows[0] if cell is not None))
        what = "taken into the names" if header.names else "left out"
        notes.append(untrimmed(f"1 row above the names is {what}: {shown!r:.60}"))
        top, rows = top + 1, rows[1:]
    if header.n_below:
        notes.append(untrimmed("The row below the names has no values and is left out"))
        rows = [rows[0], *rows[2:]]
    names, is_named = _names(source, rows, wanted)
    names = list(header.names) or names
    rows = [row[: len(names)] for row in rows[is_named:] if any(cell is not None for cell in row)]
    rows, n_totals = _without_subtotals(rows, wanted)
    if n_totals:
        count = "1 row" if n_totals == 1 else f"{n_totals} rows"
        notes.append(untrimmed(f"{count} of totals {_are(n_totals)} left out"))
    below = totals_below([list(map(_text, row)) for row in rows[-_TAIL:]], len(names)) if wanted.trim else 0
    if below:
        shown = _text(next(cell for cell in rows[-below] if cell is not None))
        notes.append(
            untrimmed(
                f"The last {'row' if below == 1 else f'{below} rows'} {_are(below)} left out: {shown!r:.60}"
            )
        )
        rows = rows[:-below]
    check_unique_names(names)
    repeated = (
        [i for i, row in enumerate(rows) if list(map(_text, row)) == names]
        if wanted.trim and is_named
        else []
    )
    rows = [row for i, row in enumerate(rows) if i not in set(repeated)]
    columns = dict(zip(names, zip(*rows, strict=True) if rows else [()] * len(names), strict=True))

    def look(name: str) -> Verdict:
        return _look(name, columns[name], wanted, top + is_named + 1)

    return Loaded(names, look, {"sheet": sheet}, f"sheet {sheet!r} of a workbook", tuple(notes))


def _sheet(source: Source) -> tuple[str, list[list[Any]], list[str]]:
    """Return the name of a sheet, its rows with None for empty cells, and a note about other sheets."""
    if find_spec("python_calamine") is None:
        raise ValueError(
            f"{source} is a workbook; to read it, python-calamine is needed: pip install "
            "'treewright[excel]'. Or save the sheet as CSV."
        )
    from python_calamine import CalamineWorkbook

    try:
        book = CalamineWorkbook.from_path(str(source.path))
        names = list(book.sheet_names)
        if source.table is not None:
            return source.table, _rows(book, _sheet_name(source, names)), []
        if found := _first_table(book, names):
            others = [other for other in names if other != found[0]]
            note = f"The workbook has {len(names)} sheets; {found[0]!r} is read."
            note += f" Another: {f'{others[0]}@FILE'!r}." if others else ""
            return *found, [note] if others else []
    except ValueError:
        raise
    except Exception as error:  # calamine has errors of its own for each format
        raise ValueError(f"{source} cannot be read as a workbook: {error}") from None
    raise ValueError(f"{source} is empty: none of its {len(names)} sheets has a cell.")


def _first_table(book: Any, names: Sequence[str]) -> tuple[str, list[list[Any]]] | None:
    """Return the first sheet that has a table: hidden ones, and those of one column or row, come last."""
    hidden = {sheet.name for sheet in book.sheets_metadata if not str(sheet.visible).endswith("Visible")}
    filled = [(name, rows) for name in names if (rows := _rows(book, name))]
    tables = [
        (name, rows) for name, rows in filled if len(rows) > 1 and len(rows[0]) > 1 and name not in hidden
    ]
    return next(iter([*tables, *filled]), None)


def _sheet_name(source: Source, names: Sequence[str]) -> str:
    if source.table in names:
        return str(source.table)
    near = nearest(source.table, names)
    hint = f"did you mean {near!r}? It" if near else "it"
    raise ValueError(f"{source} has no sheet {source.table!r}; {hint} has {', '.join(map(repr, names[:8]))}.")


def _rows(book: Any, name: str) -> list[list[Any]]:
    rows = book.get_sheet_by_name(name).to_python(skip_empty_area=True)
    return [[None if cell == "" else cell for cell in row] for row in rows]


def _header(rows: Sequence[Sequence[Any]], wanted: Wanted) -> Header:
    if not wanted.trim or wanted.header is False or wanted.skip is not None:
        return Header()
    return header_of([list(map(_text, row)) for row in rows[:200]], wanted.missing)


def _without_subtotals(rows: list[list[Any]], wanted: Wanted) -> tuple[list[list[Any]], int]:
    """Return the rows that are no totals between others, and how many of these there are."""
    if not wanted.trim or not has_subtotals([list(map(_text, row)) for row in rows[:1000]]):
        return rows, 0
    kept = [row for row in rows if not is_subtotal(list(map(_text, row)))]
    return kept, len(rows) - len(kept)


def _n_titles(rows: Sequence[Sequence[Any]], wanted: Wanted) -> int:
    if not wanted.trim or wanted.header is False:
        return 0
    return titles_above([Record(i + 1, list(map(_text, row))) for i, row in enumerate(rows[:200])])


def _names(source: Source, rows: Sequence[Sequence[Any]], wanted: Wanted) -> tuple[list[str], bool]:
    """Return the names of the columns, and whether the first row has them; empty columns are none."""
    if not rows:
        raise ValueError(f"{source} is empty: the sheet has no row.")
    width = max((i + 1 for row in rows for i, cell in enumerate(row) if cell is not None), default=0)
    texts = [Record(i + 1, list(map(_text, row[:width]))) for i, row in enumerate(rows[:1000])]
    is_named = has_header(texts, wanted.missing, ".") if wanted.header is None else wanted.header
    first = texts[0].cells if is_named else [""] * width
    names = [one_line(name) or f"c{number}" for number, name in enumerate(first, start=1)]
    return names, is_named


def _text(cell: Any) -> str:
    """Return a cell as a person would write it."""
    if cell is None:
        return ""
    return cell.isoformat(" ") if isinstance(cell, dt.datetime) else label(cell)


def _look(name: str, cells: Sequence[Any], wanted: Wanted, first: int) -> Verdict:
    """Return what a column holds: by the types of its cells where these agree, else by their texts."""
    asked = wanted.kind_of(name)
    types = {type(cell) for cell in cells} - {type(None)}
    if asked is None or asked.is_numeric:
        if types and types <= {int, float}:
            return Verdict(without_marks(from_cells(name, cells), wanted.own_marks), "numbers in the sheet")
        if types and types <= {dt.date, dt.datetime}:
            return Verdict(from_cells(name, [_moment(cell) for cell in cells]), "dates in the sheet")
        if len(types) == 1 and types <= {dt.time, dt.timedelta, bool}:
            return Verdict(from_cells(name, list(cells)), "as the sheet has it")
    words = words_of([None if cell is None else _text(cell) for cell in cells])
    rule = wanted.rule_for(name, Rule(frozenset(wanted.missing)))
    return judge(name, words, rule, asked, lambda row: f"row {row + first:,}")


def _moment(cell: Any) -> Any:
    if cell is None or isinstance(cell, dt.datetime):
        return cell
    return dt.datetime(cell.year, cell.month, cell.day)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
