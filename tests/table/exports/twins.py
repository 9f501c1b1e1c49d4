"""Pairs of files: a clean table, and the same rows as somebody's export has them.

    python -m tests.table.exports.twins FOLDER

writes all of them, to look at.
"""

import csv
import datetime as dt
import io
import json
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from tests.table.exports.workbooks import write_ods, write_xlsx

N_ROWS = 600
TARGET = "churned"
Columns = dict[str, list[Any]]
Show = Callable[[Any], str]


def customers() -> Columns:
    """Return the rows: who is poor, joined late and balances below zero leaves, but for some noise."""
    rng = np.random.default_rng(17)
    income = np.round(rng.gamma(3.0, 12_000, N_ROWS), 2)
    joined = rng.integers(16_500, 18_500, N_ROWS)
    balance = np.round(rng.normal(200, 900, N_ROWS), 2)
    called = rng.integers(0, 1440, N_ROWS)
    leaves = ((income < 30_000) & (joined > 17_400)) | ((balance < -700) & (called > 600))
    leaves ^= rng.random(N_ROWS) < 0.03
    days = [dt.date(1970, 1, 1) + dt.timedelta(int(day)) for day in joined]
    return {
        "age": rng.integers(18, 80, N_ROWS).tolist(),
        "income": income.tolist(),
        "discount": np.round(rng.random(N_ROWS) * 40, 1).tolist(),
        "balance": balance.tolist(),
        "weight": np.round(rng.normal(70, 12, N_ROWS), 1).tolist(),
        "joined": days,
        "called": [dt.time(int(minute) // 60, int(minute) % 60) for minute in called],
        "waited": [int(seconds) for seconds in rng.integers(20, 90_000, N_ROWS)],  # seconds
        "member": np.where(rng.random(N_ROWS) < 0.5, "yes", "no").tolist(),
        "plan": rng.choice(["basic", "plus", "pro"], N_ROWS).tolist(),
        TARGET: np.where(leaves, "yes", "no").tolist(),
    }


# ---- how cells are written ---------------------------------------------------------------------------------


def clock(seconds: int) -> str:
    """Return a duration as hours, minutes and seconds."""
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def words(seconds: int) -> str:
    """Return a duration in words."""
    return f"{seconds // 3600} h {seconds // 60 % 60} min {seconds % 60} s"


CLEAN: dict[str, Show] = {"called": lambda t: f"{t:%H:%M}", "waited": clock}


def german(value: float, digits: int = 2) -> str:
    """Return a number as it is written in Germany: 1.234,56."""
    return f"{value:,.{digits}f}".translate(str.maketrans(",.", ".,"))


def separated(columns: Columns, show: Mapping[str, Show] | None = None, separator: str = ",") -> str:
    """Return columns as separated text."""
    shown = CLEAN | dict(show or {})
    out = io.StringIO()
    writer = csv.writer(out, delimiter=separator, lineterminator="\n")
    writer.writerow(columns)
    cells = [[shown.get(name, str)(cell) for cell in column] for name, column in columns.items()]
    writer.writerows(zip(*cells, strict=True))
    return out.getvalue()


# ---- the pairs ---------------------------------------------------------------------------------------------

Write = Callable[[Path, Columns], Path]  # a folder, the rows -> the file or folder to read


@dataclass(frozen=True)
class Twin:
    """An export: how it is written, how it is read, and the warning if its tree cannot be the same."""

    name: str
    write: Write
    options: dict[str, Any] = field(default_factory=dict)
    warning: str = ""  # what is said where the tree differs
    said: str = ""  # what `check` says
    clean: Write | None = None  # the clean table, where it is not the usual one: with blanks for gaps


def _text(show: Mapping[str, Show], separator: str = ",", encoding: str = "utf-8") -> Write:
    def write(folder: Path, columns: Columns) -> Path:
        path = folder / "export.csv"
        path.write_text(separated(columns, show, separator), encoding=encoding)
        return path

    return write


def _edited(edit: Callable[[list[str]], list[str]], separator: str = ";") -> Write:
    """Return what writes lines that were changed as a whole."""

    def write(folder: Path, columns: Columns) -> Path:
        path = folder / "export.csv"
        lines = separated(columns, separator=separator).splitlines()
        path.write_text("\n".join(edit(lines)) + "\n", encoding="utf-8")
        return path

    return write


def _with(**more: Callable[[int], Any]) -> Write:
    """Return what writes a table with further columns in front."""

    def write(folder: Path, columns: Columns) -> Path:
        path = folder / "export.csv"
        added = {name: [of(i) for i in range(N_ROWS)] for name, of in more.items()}
        path.write_text(separated(added | columns), encoding="utf-8")
        return path

    return write


def _every(n: int, word: str, show: Show = str) -> Callable[[], Show]:
    """Return what writes a word in place of every n-th cell."""

    def fresh() -> Show:
        count = iter(range(N_ROWS))
        return lambda cell: word if next(count) % n == n - 1 else show(cell)

    return fresh


def _stray(column: str, word: str, n: int) -> Write:
    def write(folder: Path, columns: Columns) -> Path:
        return _text({column: _every(n, word)()})(folder, columns)

    return write


def _sheet(columns: Columns, above: list[list[Any]], below: list[list[Any]]) -> list[list[Any]]:
    shown = {"called": CLEAN["called"], "waited": clock}
    cells = [[shown[name](c) if name in shown else c for c in column] for name, column in columns.items()]
    return [*above, list(columns), *map(list, zip(*cells, strict=True)), *below]


def _workbook(kind: str, above: list[list[Any]], below: list[list[Any]], sheet: str = "Kunden") -> Write:
    def write(folder: Path, columns: Columns) -> Path:
        path = folder / f"export.{kind}"
        sheets = {"Notes": [], sheet: _sheet(columns, above, below)}
        (write_xlsx if kind == "xlsx" else write_ods)(path, sheets)
        return path

    return write


def _folder(folder: Path, columns: Columns) -> Path:
    inner = folder / "export"
    inner.mkdir()
    for i in range(3):
        part = {name: column[i * 200 : (i + 1) * 200] for name, column in columns.items()}
        (inner / f"part-{i}.csv").write_text(separated(part), encoding="utf-8")
    return inner


def _json(folder: Path, columns: Columns) -> Path:
    path = folder / "export.json"
    shown = CLEAN | {"income": lambda x: f"$ {x:,.2f}", "joined": dt.date.isoformat}
    rows = [
        {name: shown[name](cell) if name in shown else cell for name, cell in zip(columns, row, strict=True)}
        for row in zip(*columns.values(), strict=True)
    ]
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def _parquet(folder: Path, columns: Columns) -> Path:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = folder / "export.parquet"
    shown = CLEAN | {"income": lambda x: f"{german(x)} €", "joined": lambda d: f"{d:%d.%m.%Y}"}
    cells = {n: [shown[n](c) for c in column] if n in shown else column for n, column in columns.items()}
    pq.write_table(pa.table(cells), path)
    return path


def _everything(folder: Path, columns: Columns) -> Path:
    """Write what a German Excel makes of the table: nothing is as it should be."""
    show: dict[str, Show] = {
        "age": _every(N_ROWS, "unbekannt")(),
        "income": lambda x: f"{german(x)} €",
        "discount": lambda x: f"{german(x, 1)} %",
        "balance": lambda x: f"({german(-x)})" if x < 0 else german(x),
        "weight": lambda x: f"{german(x, 1)} kg",
        "joined": lambda d: f"{d:%d.%m.%Y}",
    }
    extra: Columns = {
        "Kunden-Nr": list(range(10_001, 10_001 + N_ROWS)),
        "Mandant": ["Hauptsitz"] * N_ROWS,
        "Notiz": [f"Der Kunde rief zum {i}. Mal an und war freundlich" for i in range(N_ROWS)],
    }
    text = separated(extra | columns, show, ";")
    names = text.splitlines()[0]
    n_cells = names.count(";")
    lines = text.splitlines()
    lines.insert(300, names)
    head = ["sep=;", "Kundenliste" + ";" * n_cells, "Stand: 31.12.2021" + ";" * n_cells, ""]
    total = [f"Summe{';' * 4}{german(sum(columns['income']))} €{';' * (n_cells - 4)}"]
    path = folder / "export.csv"
    path.write_text("\r\n".join([*head, *lines, *total]) + "\r\n", encoding="cp1252")
    return path


def _leak(folder: Path, columns: Columns) -> Path:
    path = folder / "export.csv"
    reason = ["moved" if answer == "yes" else "stays" for answer in columns[TARGET]]
    path.write_text(separated({"reason": reason} | columns), encoding="utf-8")
    return path


def _two_currencies(folder: Path, columns: Columns) -> Path:
    count = iter(range(N_ROWS))
    return _text({"income": lambda x: f"{x:.2f} {'€' if next(count) % 2 else '$'}"})(folder, columns)


def _yes(answer: str) -> Callable[[], Show]:
    def fresh() -> Show:
        yes, no = ("Yes", "yes", "YES ", "true"), ("No", "no", "NO", "n")
        count = iter(range(N_ROWS))
        return lambda cell: (yes if cell == answer else no)[next(count) % 4]

    return fresh


def _mixed_truths(folder: Path, columns: Columns) -> Path:
    return _text({"member": _yes("yes")()})(folder, columns)


TWINS = (
    Twin("money in euros", _text({"income": lambda x: f"{german(x)} €"}, ";"), said="money in €"),
    Twin("money in dollars", _text({"income": lambda x: f"${x:,.2f}"}), said="money in $"),
    Twin(
        "money in francs",
        _text({"income": lambda x: f"CHF {x:,.2f}".replace(",", "'")}),
        said="an apostrophe",
    ),
    Twin("per cent", _text({"discount": lambda x: f"{x} %"}), said="per cent"),
    Twin("per cent with commas", _text({"discount": lambda x: f"{german(x, 1)}%"}, ";"), said="per cent"),
    Twin(
        "thousands with spaces",
        _text({"income": lambda x: f"{x:,.2f}".replace(",", "\u202f")}),
        said="a space",
    ),
    Twin("thousands with commas", _text({"income": lambda x: f"{x:,.2f}"}), said="a comma for thousands"),
    Twin(
        "decimal commas", _text({n: lambda x: german(x).replace(".", "") for n in ("income", "balance")}, ";")
    ),
    Twin("a unit", _text({"weight": lambda x: f"{x} kg"}), said="amounts in kg"),
    Twin("negatives in brackets", _text({"balance": lambda x: f"({-x:,.2f})" if x < 0 else f"{x:,.2f}"})),
    Twin("minus behind", _text({"balance": lambda x: f"{-x}-" if x < 0 else str(x)})),
    Twin("days first", _text({"joined": lambda d: f"{d:%d.%m.%Y}"}), said="day first"),
    Twin("months first", _text({"joined": lambda d: f"{d:%m/%d/%Y}"}), said="month first"),
    Twin("days first with bars", _text({"joined": lambda d: f"{d:%d/%m/%y}"}), said="day first"),
    Twin("names of months", _text({"joined": lambda d: f"{d:%b} {d.day}, {d.year}"}), said="dates, such as"),
    Twin("midnights", _text({"joined": lambda d: f"{d.isoformat()}T00:00:00"}), said="dates, such as"),
    Twin(
        "serials of Excel",
        _text({"joined": lambda d: str((d - dt.date(1899, 12, 30)).days)}),
        {"date": ["joined:excel"]},
        said="date as asked",
    ),
    Twin("twelve hours", _text({"called": lambda t: f"{t:%I:%M %p}"}), said="times of day"),
    Twin("durations in words", _text({"waited": words}), said="durations"),
    Twin(
        "a stray word",
        _stray("age", "unknown", N_ROWS),
        said="'unknown' in line 601",
        clean=_stray("age", "", N_ROWS),
    ),
    Twin(
        "errors of Excel",
        _stray("balance", "#N/A", 150),
        said="'#N/A' in line 151",
        clean=_stray("balance", "", 150),
    ),
    Twin("yes in many ways", _mixed_truths, said="yes or no in words"),
    Twin("sep=", _edited(lambda lines: ["sep=;", *lines]), said="says what separates cells"),
    Twin(
        "titles above",
        _edited(lambda lines: ["Customers 2021", "as of: 31 Dec", "", *lines]),
        said="Lines 1 to 3",
    ),
    Twin(
        "totals below",
        _edited(lambda lines: [*lines, "Total;21000000.00", "", "Source: warehouse, all regions"]),
        said="The last 3 lines are left out",
    ),
    Twin(
        "names again",
        _edited(lambda lines: [*lines[:200], lines[0], *lines[200:]]),
        said="stand again in line 201",
    ),
    Twin("Latin letters", _text({"plan": lambda p: f"{p} für €"}, "\t", "cp1252")),
    Twin("a workbook", _workbook("xlsx", [], []), said="sheet 'Kunden'"),
    Twin("a workbook of LibreOffice", _workbook("ods", [], []), said="sheet 'Kunden'"),
    Twin(
        "a workbook with titles",
        _workbook("xlsx", [["Customers"], [None]], [["Total", 21_000_000.0]]),
        said="2 rows above the names",
    ),
    Twin("a folder", _folder),
    Twin("JSON", _json, said="money in $"),
    Twin("Parquet with text", _parquet, said="money in €"),
    Twin("numbers of rows", _with(customer_id=lambda i: i + 1), said="'customer_id' numbers the rows"),
    Twin("addresses", _with(mail=lambda i: f"c{i}@example.org"), said="'mail' names nearly every row"),
    Twin("notes", _with(note=lambda i: f"called {i} times, was friendly then"), said="'note' is free text"),
    Twin("constants", _with(region=lambda _: "north"), said="'region' is 'north' in every row"),
    Twin("all at once", _everything, clean=_stray("age", "", N_ROWS)),
    Twin("a leak", _leak, warning="'reason' says the target 'churned' in other words"),
    Twin("two currencies", _two_currencies, warning="income (names nearly every row"),
)


def main(folder: str) -> None:
    """Write all pairs into a folder."""
    columns = customers()
    for number, twin in enumerate(TWINS, start=1):
        place = Path(folder) / f"{number:02d} {twin.name}"
        place.mkdir(parents=True)
        clean = twin.clean or _text({})
        clean(place, columns).rename(place / "clean.csv")
        twin.write(place, columns)


if __name__ == "__main__":
    main(sys.argv[1])
