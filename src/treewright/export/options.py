"""The options of all formats, by name: a line here for each, and its sentence in the row of the format."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import TypedDict


class ExportOptions(TypedDict, total=False):
    """The options of `export` by name, for functions that hand them on."""

    max_depth: int | None
    ascii: bool | None
    full: bool | None
    table: str | None
    name: str | None
    dialect: str | None
    answer: str | None
    cell: str | None
    title: str | None
    module: str | None
    number: str | None
    fraction: int | None


def parameters(names: Iterable[str]) -> list[inspect.Parameter]:
    """Return options as parameters of a function that hands them on, in the order of the table.

    >>> [str(each) for each in parameters({"table", "full"})]
    ["full: 'bool | None' = None", "table: 'str | None' = None"]
    """
    wanted = set(names)
    return [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind.__forward_arg__)
        for name, kind in ExportOptions.__annotations__.items()
        if name in wanted
    ]
