"""A thing by its name, from a table of things."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from treewright.base.names import choice

Thing = TypeVar("Thing")


def one_of(option: str, name: Any, table: Mapping[str, Thing]) -> Thing:
    """Return what a name means; an error lists the names there are.

    >>> one_of("against", "dept", {"depth": 1})
    Traceback (most recent call last):
    ValueError: against='dept' is not one of 'depth'; did you mean 'depth'?
    """
    return table[choice(option, name, table)]
