"""Tables: typed columns from frames, files and arrays, and their codes for a trained tree."""

from .encode import UNSEEN, align, coded
from .examples import example, example_names, example_target, read_described
from .raw import MISSING
from .read import read
from .reading import Reading, reading
from .rows import NO_TERMS, ClassTerms, Rows
from .schema import Column, Kind, Schema
from .table import Table

__all__ = [
    "MISSING",
    "NO_TERMS",
    "UNSEEN",
    "ClassTerms",
    "Column",
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
    "read",
    "read_described",
    "reading",
]
