"""Warnings about data: what a person should look at, though work goes on."""

from __future__ import annotations

import sys


class DataWarning(UserWarning):
    """Something about the data that may not be meant: said once, with what was done about it.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     warnings.warn("look at this", DataWarning)
    >>> heard[0].category.__name__
    'DataWarning'
    """


def callers_level() -> int:
    """Return the `stacklevel` at which a warning points at the line outside of the library that led to it.

    >>> callers_level()
    2
    """
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").startswith("treewright."):
        level, frame = level + 1, frame.f_back
    return level
