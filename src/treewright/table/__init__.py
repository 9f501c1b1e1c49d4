"""Tables: typed columns from frames, files and arrays, and their codes for a trained tree."""

from .encode import UNSEEN, align, coded
from .examples import example, example_names, example_target, read_described
from .found import MISSING
from .read import read
from .reading import Reading, reading
from .schema import Column, Kind, Schema
from .table import Table

__all__ = [
    "MISSING",
    "UNSEEN",
    "Column",
    "Kind",
    "Reading",
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
