"""Tables from CSV and TSV files, through DuckDB: every cell is read as text, then typed by one rule."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from contextlib import closing
from functools import partial
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

# What a number looks like; DuckDB's own cast would also take 1_000.
_NUMBER = r" *[+-]?((\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[iI][nN][fF]([iI][nN][iI][tT][yY])?) *"
_DATE = r"\d{4}-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?"
_INTEGER = r" *[+-]?\d{16,} *"


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
            reason = next(iter(str(error).splitlines()), "")
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
    place = glob.escape(str(file))
    dialect = _dialect(connection, place)
    header = connection.execute(f"from read_csv(?, header=false, {dialect}) limit 1", [place]).fetchone()
    names = ["" if name is None else str(name).strip() for name in header or ()]
    for number, name in enumerate(names, start=1):
        if not name:
            raise ValueError(f"{str(file)!r}: column {number} has no name in the first line; give it one.")
    check_unique_names(names)
    gap = "trim(c{0}) in (select unnest($gaps))"
    kept = ", ".join(f"case when {gap.format(i)} then null else c{i} end as c{i}" for i in range(len(names)))
    connection.execute(
        f"create table cells as select {kept} from read_csv($place, header=true, {dialect})",
        {"place": place, "gaps": ["", *map(str, missing)]},
    )
    return names


def _dialect(connection: DuckDBPyConnection, place: str) -> str:
    """Return the separator, quotes and columns of the file as options of read_csv, from its first rows."""
    tab = ", delim='\t'" if ".tsv" in Path(place).suffixes else ""
    sniffed = connection.execute(f"from sniff_csv(?, all_varchar=true, header=true{tab})", [place]).fetchone()
    delimiter, quote, escape, *_ = sniffed or (",", "", "")
    words = {"delim": delimiter, "quote": quote, "escape": escape}
    words = {key: '"' if word in ("", "(empty)") else str(word) for key, word in words.items()}
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(sniffed[7]) if sniffed else 1))
    options = ", ".join(f"{key}={_quoted(word)}" for key, word in words.items())
    return f"auto_detect=false, columns={{{columns}}}, {options}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _finders(connection: DuckDBPyConnection, names: Sequence[str], as_text: set[str]) -> dict[str, Finder]:
    """Return for each column the function that fetches and types its cells."""
    counts = ", ".join(
        f"count(c{i}), count(*) filter (regexp_full_match(c{i}, $number)), "
        f"count(*) filter (regexp_full_match(c{i}, $date) and try_cast(c{i} as timestamp) is not null), "
        f"count(*) filter (regexp_full_match(c{i}, $integer))"
        for i in range(len(names))
    )
    patterns = {"number": _NUMBER, "date": _DATE, "integer": _INTEGER}
    row = connection.execute(f"select {counts} from cells", patterns).fetchone() or ()
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
    return Found(Kind.numeric, np.ma.filled(_fetch(connection, f"cast(trim(c{i}) as double)"), np.nan))


def _days(connection: DuckDBPyConnection, i: int) -> Found:
    return from_days(np.ma.filled(_fetch(connection, f"cast(c{i} as timestamp)"), np.datetime64("NaT")))


def _fetch(connection: DuckDBPyConnection, expression: str) -> np.ma.MaskedArray[Any, Any]:
    """Return one column of the loaded cells, in the order of the file, gaps masked."""
    return np.ma.asarray(connection.execute(f"select {expression} as c from cells").fetchnumpy()["c"])
