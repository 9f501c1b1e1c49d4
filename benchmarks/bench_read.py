"""Reading a CSV file into a table: treewright beside bare DuckDB, polars and pandas."""

import gzip
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import numpy as np

import treewright as tw
from benchmarks.compare import Job, Outcome, Verdict, compare
from benchmarks.data import ADULT, wide
from benchmarks.report import Result


@dataclass(frozen=True)
class Sizes:
    """Rows of `wide`; how often the rows of `adult` are repeated."""

    wide: int
    adult: int
    rounds: int
    is_full: bool = False


FULL = Sizes(wide=1_000_000, adult=20, rounds=3, is_full=True)
QUICK = Sizes(wide=50_000, adult=2, rounds=3)


def main(quick: bool) -> list[Result]:
    return run(QUICK if quick else FULL)


def run(sizes: Sizes) -> list[Result]:
    with tempfile.TemporaryDirectory() as folder:
        numbers, words = Path(folder) / "wide.csv", Path(folder) / "adult.csv"
        write_wide(numbers, sizes.wide)
        write_adult(words, sizes.adult)
        return [
            read(numbers, "CSV of numbers", f"{sizes.wide:,} rows x 29 columns", sizes),
            read(words, "CSV of numbers and words", f"adult, {sizes.adult} times", sizes),
        ]


def write_wide(path: Path, n_rows: int) -> None:
    """28 columns of numbers with up to nine digits, and a word."""
    X, y = wide(n_rows)
    cells = {f"x{i}": X[:, i].copy() for i in range(X.shape[1])} | {
        "y": np.array(["no", "yes"])[y].astype(object)
    }
    with duckdb.connect() as connection:
        connection.execute("set enable_progress_bar = false")
        connection.register("cells", cells)
        connection.execute(f"copy (select * from cells) to '{path}' (header)")


def write_adult(path: Path, times: int) -> None:
    names, rows = gzip.decompress(ADULT.read_bytes()).split(b"\n", 1)
    path.write_bytes(names + b"\n" + (rows.rstrip(b"\n") + b"\n") * times)


@dataclass(frozen=True)
class Cells:
    """What was read: rows, columns, and the sum of the first column of numbers."""

    n_rows: int
    n_columns: int
    total: float

    def __call__(self) -> str:
        return f"{self.n_rows:,} x {self.n_columns}, sum {self.total:.6g}"


def read(path: Path, job: str, what: str, sizes: Sizes) -> Result:
    """The whole call: from the name of a file to arrays."""
    ways: dict[str, Job] = {"treewright": lambda: _ours(path), "DuckDB": lambda: _duckdb(path)}
    for name, reader in (("polars", _polars), ("pandas", _pandas)):
        if find_spec(name) is not None:
            ways[name] = _job(reader, path)
    return compare(
        f"reading, {job}, {what}, {path.stat().st_size / 1e6:,.0f} MB",
        ways,
        job=f"reading, {job}",
        is_judged=sizes.is_full,
        rounds=sizes.rounds,
        result="cells",
        check=_same,
        notes=("all on every core; DuckDB is `read_csv` with its own guesses, fetched into NumPy arrays",),
    )


def _job(reader: Callable[[Path], Outcome], path: Path) -> Job:
    return lambda: reader(path)


def _ours(path: Path) -> Outcome:
    table = tw.read(path)
    return Cells(table.n_rows, table.n_columns, float(table.values[0].sum()))


def _duckdb(path: Path) -> Outcome:
    with duckdb.connect() as connection:
        connection.execute("set enable_progress_bar = false")
        arrays = connection.execute(f"select * from read_csv('{path}')").fetchnumpy()
    first: Any = next(iter(arrays.values()))
    return Cells(len(first), len(arrays), float(first.sum()))


def _polars(path: Path) -> Outcome:
    import polars as pl

    frame = pl.read_csv(path)
    return Cells(frame.height, frame.width, float(frame.to_series(0).sum()))


def _pandas(path: Path) -> Outcome:
    import pandas as pd

    frame = pd.read_csv(path)
    return Cells(*frame.shape, float(frame.iloc[:, 0].sum()))


def _same(outcomes: Mapping[str, Outcome]) -> Verdict | None:
    found = [cells for cells in outcomes.values() if isinstance(cells, Cells)]
    same = all(
        (cells.n_rows, cells.n_columns) == (found[0].n_rows, found[0].n_columns)
        and abs(cells.total - found[0].total) <= 1e-6 * max(1.0, abs(found[0].total))
        for cells in found
    )
    return Verdict("cells: the same" if same else "cells: NOT the same", is_failure=not same)
