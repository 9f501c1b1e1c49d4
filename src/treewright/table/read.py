"""Tables from files: what `reading` understood, without the words about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike

from .files.duck import Watcher
from .files.numbers import MISSING_CELLS
from .reading import Choices, reading
from .table import Kinds, Orders, Table

__all__ = ["MISSING_CELLS", "read"]


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
    ignore: Sequence[str] | str = (),
    download: bool = False,
    progress: Watcher | None = None,
) -> Table:
    """Return the table of a file: CSV, TSV, JSON lines (also .gz), Parquet, Arrow, DuckDB or SQLite.

    A table of a database file is named "table@file.duckdb". What the file is, and how its text is laid out,
    is found out; `separator`, `decimal`, `quote`, `encoding` and `header` say it. Columns without names are
    c1, c2, ...

    A column of text is numeric if every cell that is not missing is a number, else nominal: words such as
    yes or TRUE are categories, and so are codes with zeros in front (00501). `missing` lists the cells that
    mean a gap instead of MISSING_CELLS (an empty cell always does). ISO dates are refused unless said to be
    numeric (days since 1970-01-01) or categorical; dates="number" says the former of all.

    `categorical`, `numeric` and `ignore` name columns; `ordinal={"size": ["S", "M", "L"]}` gives an order;
    `columns` are those to read (all by default); `kinds` and `categories` are those of `Table.from_frame`.
    Numbers made nominal keep the text of the file. `progress` is called with the share that is done.

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
        ignore=ignore,
        download=download,
        progress=progress,
    ).table
