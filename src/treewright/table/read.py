"""Tables from CSV and TSV files, through DuckDB: every cell is read as text, then typed by one rule."""

from __future__ import annotations

import csv
import glob
import gzip
import re
from collections.abc import Sequence
from contextlib import closing
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .found import EXACT, Found, factorise, from_days, not_exact
from .frames import Finder
from .schema import Kind, check_unique_names, no_such_column
from .table import Kinds, Orders, Table, settled

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

# "None" and "none" are not here: real tables have them as categories.
MISSING_CELLS = ("", "?", "NA", "N/A", "NaN", "nan", "null", "NULL")

_SIGNS = ",;\t|"
_DATE = r"\d\d\d\d-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?"
_INTEGER = r"\s*[+-]?\d+\s*"


def read(
    path: str | PathLike[str],
    kinds: Kinds | None = None,
    ordinal: Orders | None = None,
    missing: Sequence[str] = MISSING_CELLS,
    dates: str = "refuse",
    *,
    categories: Orders | None = None,
    columns: Sequence[str] | None = None,
) -> Table:
    """Return the table of a CSV or TSV file (also .gz) whose first line names the columns.

    A column is numeric if every cell that is not missing is a number, else nominal: words such as yes or
    TRUE are categories. `missing` lists the cells that mean a gap (an empty cell always does), `columns` the
    columns to read (all by default). Columns of ISO dates are refused, or become days since 1970-01-01 with
    dates="number". The other options are those of `Table.from_frame`. Numbers made nominal
    (`kinds={"zip": "nominal"}`) keep the text of the file.

    >>> from importlib.resources import files
    >>> read(files("treewright.table") / "data" / "weather_numeric.csv", columns=["humidity", "windy"])
    Table(14 rows; humidity: numeric, windy: nominal (2))
    """
    import duckdb

    file = Path(path)
    if not file.is_file():
        raise FileNotFoundError(f"There is no file {str(file)!r}.")
    as_text = {name for given in (ordinal, categories) for name in given or ()}
    as_text |= {name for name, kind in (kinds or {}).items() if Kind(kind) in (Kind.nominal, Kind.boolean)}
    with closing(duckdb.connect()) as connection:
        try:
            names = _load(connection, file, missing)
        except duckdb.Error as error:
            reason = "; ".join(str(error).split("Possible fixes")[0].split("\n")).strip("; ")
            raise ValueError(
                f"{str(file)!r} cannot be read as a table of separated values: {reason}"
            ) from None
        finders = _finders(connection, names, as_text)
        chosen = names if columns is None else list(columns)
        for name in chosen:
            if name not in finders:
                raise KeyError(no_such_column(name, names))
        return settled([(name, finders[name]) for name in chosen], kinds, ordinal, categories, dates)


def _load(connection: DuckDBPyConnection, file: Path, missing: Sequence[str]) -> list[str]:
    """Fill the DuckDB table `cells` (c0, c1, ..., all text, gaps NULL); return the names in the header."""
    names, sign = _header(file)
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(names)))
    gap = "trim(c{0}, ' ') in (select unnest($gaps))"
    kept = ", ".join(f"case when {gap.format(i)} then null else c{i} end as c{i}" for i in range(len(names)))
    # Nothing is guessed by DuckDB: its sniffer may skip rows that it does not understand.
    connection.execute(
        f"create table cells as select {kept} from read_csv($place, header=true, auto_detect=false, "
        f"columns={{{columns}}}, delim='{sign}', quote='\"', escape='\"')",
        {"place": glob.escape(str(file)), "gaps": ["", *map(str, missing)]},
    )
    return names


def _header(file: Path) -> tuple[list[str], str]:
    """Return the names in the first line and the sign between them: the most frequent candidate there."""
    opener: Any = gzip.open if file.suffix == ".gz" else open
    try:
        with opener(file, "rt", encoding="utf-8-sig", newline="") as lines:
            first = lines.readline()
            bare = re.sub(r'"[^"]*"?', "", first)
            sign = "\t" if ".tsv" in file.suffixes else max(_SIGNS, key=bare.count)
            names = [name.strip() for name in next(csv.reader(chain([first], lines), delimiter=sign), [])]
    except (OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{str(file)!r} cannot be read as UTF-8 text: {error}.") from None
    if not names:
        raise ValueError(f"{str(file)!r} has no first line with the names of its columns.")
    for number, name in enumerate(names, start=1):
        if not name:
            raise ValueError(f"{str(file)!r}: column {number} has no name in the first line; give it one.")
    check_unique_names(names)
    return names, sign


def _finders(connection: DuckDBPyConnection, names: Sequence[str], as_text: set[str]) -> dict[str, Finder]:
    """Return for each column the function that fetches and types its cells."""
    # NaN and 1_000 are numbers to DuckDB, not to us. `case` asks the slow pattern only where it may fit.
    tests = (
        "not isnan(try_cast({0} as double)) and not contains({0}, '_')",
        (
            f"case when substr({{0}}, 5, 1) = '-' then regexp_full_match({{0}}, '{_DATE}') end "
            f"and try_cast({{0}} as timestamp) is not null"
        ),
        f"case when strlen({{0}}) >= 16 then regexp_full_match({{0}}, '{_INTEGER}') else false end",
    )
    counts = ", ".join(
        ", ".join([f"count(c{i})", *(f"count(*) filter ({test.format(f'c{i}')})" for test in tests)])
        for i in range(len(names))
    )
    row = connection.execute(f"select {counts} from cells").fetchone() or ()
    finders: dict[str, Finder] = {}
    for i, name in enumerate(names):
        known, numbers, days, large = row[4 * i : 4 * i + 4]
        if name in as_text:
            finders[name] = partial(_words, connection, i, name)
        elif known == numbers:
            finders[name] = partial(_numbers, connection, i, name, bool(large))
        elif known == days:
            finders[name] = partial(_days, connection, i)
        else:
            finders[name] = partial(_words, connection, i, name)
    return finders


def _words(connection: DuckDBPyConnection, i: int, name: str) -> Found:
    return factorise(name, _fetch(connection, f"c{i}").tolist())


def _numbers(connection: DuckDBPyConnection, i: int, name: str, any_large: bool) -> Found:
    if any_large:
        rows = connection.execute(
            f"select distinct c{i} from cells where regexp_full_match(c{i}, ?)", [_INTEGER]
        )
        for (text,) in rows.fetchall():
            value, size = int(text), float(text)
            if abs(size) >= EXACT and (abs(size) == np.inf or int(size) != value):
                raise ValueError(not_exact(name, value))
    return Found(Kind.numeric, np.ma.filled(_fetch(connection, f"cast(c{i} as double)"), np.nan))


def _days(connection: DuckDBPyConnection, i: int) -> Found:
    return from_days(np.ma.filled(_fetch(connection, f"cast(c{i} as timestamp)"), np.datetime64("NaT")))


def _fetch(connection: DuckDBPyConnection, expression: str) -> np.ma.MaskedArray[Any, Any]:
    """Return one column of the loaded cells, in the order of the file, gaps masked."""
    return np.ma.asarray(connection.execute(f"select {expression} as c from cells").fetchnumpy()["c"])
