"""Warnings of linear models: data for which weights are not what they seem."""

from __future__ import annotations


class SeparationWarning(UserWarning):
    """A plane divides the classes: the likelihood has no finite maximum.

    >>> issubclass(SeparationWarning, UserWarning)
    True
    """


class CollinearWarning(UserWarning):
    """A column says only what others say already: its weight is not determined.

    >>> issubclass(CollinearWarning, UserWarning)
    True
    """
