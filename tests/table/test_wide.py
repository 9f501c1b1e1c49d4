"""Files of very many columns: read without DuckDB, with the same result, in as much memory as cells need."""

from __future__ import annotations

import csv
import gzip
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import at_most, every
from tests.table import test_bad_files, test_read_twin
from treewright.table import reading
from treewright.table.files import cells, delimited, wide

MORE = [
    "a,b\n1,2\n3,\n",
    "a, b\n1, x\n2, y\n",
    'a,b\n"1","x ""y"""\n2,"two\nlines"\n',
    "a;b\n1,5;x\n2,5;NA\n",
    "a b\n1  2\n3   4\n",
    "a,b\n1,2\n\n3,4\n",
    "a,b\r\n1,2\r3,4\n",
    "a,b\n1,2,\n3,4,\n",
    "007,x\n008,y\n",
    "a,b\n12345678901234567890,x\n1,y\n",
    "d,e\n2020-01-02,1e400\n2020-02-03,2\n",
    "a,b\n1_000,?\n2,  \n",
    "a,b\n-9,x\n3,-9\n",
    "x\n1\n\n2\n",
    "a,b\n" + "1,x\n" * 3000 + "oops,\u00e9\n",
    b"a,b\n" + b"1,%s\n" % (b"x" * 37) * 30_000 + b"2,\xe9\n",  # a letter far down is not UTF-8
]


def understood(path: Path, **options: Any) -> object:
    """Return all that is understood of a file, or why it is not."""
    try:
        found = reading(path, dates="number", **options)
    except (ValueError, TypeError, KeyError) as error:  # also: there is no column "a"
        return type(error), str(error)
    return found.to_dict(), found.to_text(), found.table.to_dict()


def both(path: Path, **options: Any) -> tuple[object, object]:
    """Read a file as a narrow one and as a wide one."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "MANY_COLUMNS", 10**9)
        narrow = understood(path, **options)
        patch.setattr(delimited, "MANY_COLUMNS", 1)
        patch.setattr(wide, "FEW_ROWS", 10**9)
        patch.setattr(wide, "_CELLS", 3)  # several passes
        return narrow, understood(path, **options)


BAD = [text for text, _ in test_bad_files.test_the_error_says_what_and_where.pytestmark[0].args[1]]


TEXTS = [*BAD, *MORE]
OPTIONS: list[dict[str, Any]] = [{"missing": ["-9", ""]}, {"header": False}, {"categorical": ["a"]}]
TRIED = [(text, {}) for text in TEXTS]
for place, words in enumerate(OPTIONS):  # every third file in the short run
    TRIED += every(3, [(text, words) for text in [*TEXTS[place:], *TEXTS[:place]]])


@pytest.mark.parametrize(("text", "options"), TRIED)
def test_the_same_by_both_ways(text: str | bytes, options: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "data.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    narrow, as_wide = both(path, **options)
    assert as_wide == narrow


@settings(deadline=None, max_examples=at_most(25, 60))
@given(
    table=test_read_twin.tables(),
    layout=test_read_twin.layouts,
    line_end=st.sampled_from(["\n", "\r\n"]),
    quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    decimal=st.sampled_from([".", ","]),
    packed=st.booleans(),
)
def test_random_tables_are_the_same_by_both_ways(
    tmp_path_factory, table, layout, line_end, quoting, decimal, packed
) -> None:
    names, rows = table
    text = test_read_twin.written([names, *rows] if layout["header"] else rows, layout, line_end, quoting)
    path = tmp_path_factory.mktemp("csv") / "data"
    raw = text.encode(layout["encoding"])
    path.write_bytes(gzip.compress(raw) if packed else raw)
    narrow, as_wide = both(path, decimal=decimal, **layout)
    assert as_wide == narrow


def wide_file(place: Path, n_columns: int, n_rows: int) -> Path:
    names = ",".join(f"c{i}" for i in range(n_columns))
    row = ",".join("ab"[i % 2] if i % 3 == 0 else f"{i % 97}.5" for i in range(n_columns))
    place.write_text("\n".join([names, *[row] * n_rows]) + "\n")
    return place


def test_a_wide_file_asks_nothing_of_duckdb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements about many columns are what takes memory and time; and the file is read few times."""

    def no_statement(*_: object, **__: object) -> None:
        raise AssertionError("a statement")

    for name in ("run", "fetch_words", "fetch_columns"):
        monkeypatch.setattr(delimited, name, no_statement)
    monkeypatch.setattr(cells, "fetch", no_statement)
    n_opened = 0
    opened = wide.text_of

    def counted(*given: Any) -> Any:
        nonlocal n_opened
        n_opened += 1
        return opened(*given)

    monkeypatch.setattr(wide, "text_of", counted)
    table = reading(wide_file(tmp_path / "wide.csv", 3000, 5)).table
    assert (table.n_rows, table.n_columns) == (5, 3000)
    assert n_opened == 2  # once to check and count the rows, once for all columns
    monkeypatch.setattr(wide, "_CELLS", 1)
    n_opened = 0
    assert reading(wide_file(tmp_path / "wide.csv", 3000, 5)).table == table
    assert n_opened <= 2 + wide._PASSES


CHILD = """
import resource, sys
import treewright as tw
tw.read(sys.argv[1])
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
table = tw.read(sys.argv[2])
print(table.n_columns, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""


def test_memory_follows_the_cells(tmp_path: Path) -> None:
    """50,000 columns of one cell took 1.8 GiB; a column with its name and cells takes far below 8 KiB."""
    n_columns = 10_000
    small, large = wide_file(tmp_path / "a.csv", 300, 2), wide_file(tmp_path / "b.csv", n_columns, 2)
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(small), str(large)], capture_output=True, text=True, check=True
    )
    found, kilobytes = map(int, done.stdout.split())
    assert found == n_columns
    assert kilobytes < 8 * n_columns
