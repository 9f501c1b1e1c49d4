"""Warnings about data: what a person should look at, though work goes on."""

from __future__ import annotations


class DataWarning(UserWarning):
    """Something about the data that may not be meant: said once, with what was done about it.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as heard:
    ...     warnings.simplefilter("always")
    ...     warnings.warn("look at this", DataWarning)
    >>> heard[0].category.__name__
    'DataWarning'
    """
