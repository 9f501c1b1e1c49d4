"""A thing by its name, from a table of things."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any, TypeVar

Thing = TypeVar("Thing")


def one_of(option: str, name: Any, table: Mapping[str, Thing]) -> Thing:
    """Return what a name means; an error lists the names there are.

    >>> one_of("against", "dept", {"depth": 1})
    Traceback (most recent call last):
    ValueError: against='dept' is not one of 'depth'; did you mean 'depth'?
    """
    if isinstance(name, str) and name in table:
        return table[name]
    near = difflib.get_close_matches(str(name), list(table), n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{option}={name!r} is not one of {', '.join(map(repr, table))}{hint}")
