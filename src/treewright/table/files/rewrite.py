"""Copies of text files that DuckDB understands: in UTF-8, with one separator and one sort of line ends."""

from __future__ import annotations

import csv
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .dialect import Dialect
from .encoding import text_of
from .faults import check_record, is_blank
from .records import records
from .source import Source


@contextmanager
def transcoded(source: Source, encoding: str) -> Iterator[str]:
    """Yield the path of a copy in UTF-8, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="treewright-") as folder:
        copy = Path(folder) / "copy.csv"
        with text_of(source, encoding) as text, copy.open("w", encoding="utf-8", newline="") as out:
            shutil.copyfileobj(text, out, 1 << 22)
        yield str(copy)


@contextmanager
def rewritten(source: Source, dialect: Dialect, names: Sequence[str]) -> Iterator[str]:
    """Yield the path of a copy with commas and plain line ends, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="treewright-") as folder:
        copy = Path(folder) / "copy.csv"
        with text_of(source, dialect.encoding) as text, copy.open("w", encoding="utf-8", newline="") as out:
            # All cells in quotes: Python's writer would leave a carriage return bare.
            writer = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
            for record in records(text, dialect.separator, dialect.quote):
                check_record(source, record, dialect, names)
                if not is_blank(record, len(names)):
                    writer.writerow(record.cells[: len(names)])
        yield str(copy)
