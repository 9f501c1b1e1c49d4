"""Arrow files and streams (also Feather), through whichever of pyarrow and polars is installed."""

from __future__ import annotations

from contextlib import ExitStack
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from treewright.table.frames import frame_columns
from treewright.table.schema import Kind

from .judge import Rule, Verdict, Words, judge_stored
from .loaded import Loaded, Wanted
from .marks import without_marks
from .source import Source

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection


def load(
    connection: DuckDBPyConnection,  # noqa: ARG001
    source: Source,
    wanted: Wanted,
    stack: ExitStack,  # noqa: ARG001
) -> Loaded:
    """Return the columns of an Arrow file; DuckDB by itself reads none."""
    columns = dict(frame_columns(_frame(source)))

    def look(name: str) -> Verdict:
        raw = without_marks(columns[name](), wanted.own_marks)
        asked = wanted.kind_of(name)
        if raw.declared or not raw.categories or asked not in (None, Kind.numeric, Kind.date):
            return Verdict(raw, "as the file declares")
        words = Words(list(raw.categories), raw.values)
        rule = wanted.rule_for(name, Rule(frozenset()))
        return judge_stored(name, words, rule, asked, lambda row: f"row {row + 1:,}", "as the file declares")

    return Loaded(list(columns), look, {}, "Arrow")


def _frame(source: Source) -> Any:
    for library, read in (("pyarrow", _by_pyarrow), ("polars", _by_polars)):
        if find_spec(library) is not None:
            try:
                return read(import_module(library), source)
            except Exception as error:
                reason = " ".join(str(error).split())
                raise ValueError(f"{source} cannot be read as an Arrow file: {reason:.200}") from None
    raise ValueError(
        f"{source} is an Arrow file; to read it, pyarrow or polars is needed, and neither is installed. "
        "Install one (pip install pyarrow), or write the table as Parquet."
    )


def _is_stream(source: Source) -> bool:
    return source.head()[:4] == b"\xff\xff\xff\xff"


def _by_pyarrow(_library: Any, source: Source) -> Any:
    if _is_stream(source):
        with import_module("pyarrow.ipc").open_stream(source.path) as stream:
            return stream.read_all()
    return import_module("pyarrow.feather").read_table(str(source.path))


def _by_polars(library: Any, source: Source) -> Any:
    if _is_stream(source):
        return library.read_ipc_stream(source.path)
    return library.read_ipc(source.path)
