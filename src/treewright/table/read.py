"""Tables from files: what `reading` understood, without the words about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

from treewright.base.signature import advising

from .files.duck import Watcher
from .files.numbers import MISSING_CELLS
from .notations import Notation
from .reading import Choices, reading
from .table import Kinds, Orders, Table

__all__ = ["MISSING_CELLS", "read"]


@advising("read")
def read(
    path: str | PathLike[str],
    kinds: Kinds | None = None,
    ordinal: Orders | None = None,
    missing: Sequence[str] | str | None = None,
    dates: str = "date",
    *,
    categories: Orders | None = None,
    columns: Sequence[str] | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    quote: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    skip: int | None = None,
    trim: bool = True,
    categorical: Sequence[str] | str = (),
    numeric: Sequence[str] | str = (),
    text: Choices = (),
    date: Choices = (),
    parts: Mapping[str, Sequence[str] | str] | None = None,
    notations: Mapping[str, Notation] | None = None,
    ignore: Sequence[str] | str = (),
    download: bool = False,
    progress: Watcher | None = None,
) -> Table:
    """Return the table of a file: CSV, TSV, JSON (also .gz), Parquet, Arrow, DuckDB, SQLite, a workbook.

    A table of a database and a sheet of a workbook are named "table@file.duckdb", "sheet@file.xlsx". "-" is
    standard input; a folder or a pattern ("sales/*.csv") several files with the same columns; an address
    (https://...) is fetched only with `download=True`. What the file is, and how its text is laid out, is
    found out; `separator`, `decimal`, `quote`, `encoding`, `header` and `skip` (lines above the names) say
    it. Lines of titles, totals and repeated names are left out unless `trim=False`. Columns without names
    are c1, c2, ...

    A column of text is numeric if every cell that is not missing is a number, also with a currency, a per
    cent sign, a unit or signs for thousands; a few stray words among many numbers are gaps. Dates, times and
    durations are kinds of their own. All else is nominal, also codes with zeros in front (00501). `missing`
    lists the cells that mean a gap instead of MISSING_CELLS (an empty cell always does).

    `text`, `numeric`, `date` and `ignore` name columns; `categorical` is another word for `text`.
    `text={"note": "bag"}` makes a column for each usual word. `date={"joined": "dmy"}` says the order of day,
    month and year, or what numbers count ("excel", "unix"). `parts={"joined": ["year", "weekday"]}` makes
    columns of parts of dates. `ordinal={"size": ["S", "M", "L"]}` gives an order. `columns` are those to read
    (all by default); `kinds` and `categories` are those of `Table.from_frame`; `notations` say how cells are
    written, as a tree's schema has it. `progress` is called with the share that is done.

    >>> from importlib.resources import files
    >>> read(files("treewright.table") / "data" / "weather_numeric.csv", columns=["humidity", "windy"])
    Table(14 rows; humidity: numeric, windy: nominal (2))
    """
    return reading(
        path,
        kinds,
        ordinal,
        missing,
        dates,
        categories=categories,
        columns=columns,
        separator=separator,
        decimal=decimal,
        quote=quote,
        encoding=encoding,
        header=header,
        skip=skip,
        trim=trim,
        categorical=categorical,
        numeric=numeric,
        text=text,
        date=date,
        parts=parts,
        notations=notations,
        ignore=ignore,
        download=download,
        progress=progress,
    ).table
