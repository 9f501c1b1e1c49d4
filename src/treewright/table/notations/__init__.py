"""Notations: how cells of text spell numbers, dates, times and durations, and how such values are shown.

A column's distinct words are tried against the notations of `catalogue.FINDERS`, in order; the first that
reads them all, but for a few stray words, is the column's. It stays with the column, so that a tree reads
new rows as it read the old ones, also from a file.
"""

from .catalogue import Match, find, nearly, notation_from
from .notation import Notation

__all__ = ["Match", "Notation", "find", "nearly", "notation_from"]
