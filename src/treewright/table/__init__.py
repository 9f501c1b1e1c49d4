"""Tables: typed columns from frames, files and arrays, and their codes for a trained tree."""

from treewright.base.data_warning import DataWarning

from .door import table_of, table_with_target
from .encode import UNSEEN, align, coded
from .examples import example, example_names, example_target, read_described
from .raw import MISSING
from .read import read
from .reading import Reading, reading
from .rows import NO_TERMS, ClassTerms, Rows
from .schema import Column, Kind, Schema
from .suspects import Finding, findings, warn_of
from .table import Table
from .unseen import warn_unseen

__all__ = [
    "MISSING",
    "NO_TERMS",
    "UNSEEN",
    "ClassTerms",
    "Column",
    "DataWarning",
    "Finding",
    "Kind",
    "Reading",
    "Rows",
    "Schema",
    "Table",
    "align",
    "coded",
    "example",
    "example_names",
    "example_target",
    "findings",
    "read",
    "read_described",
    "reading",
    "table_of",
    "table_with_target",
    "warn_of",
    "warn_unseen",
]


def __dir__() -> list[str]:
    return sorted(__all__)
