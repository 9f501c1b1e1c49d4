"""Marks of a gap in columns that have types of their own: numbers and categories that the caller named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from treewright.table.found import MISSING, Found
from treewright.table.schema import Kind

from .numbers import number_of


def without_marks(found: Found, marks: Iterable[str]) -> Found:
    """Return a column in which the cells that are marks are gaps.

    >>> without_marks(Found(Kind.numeric, np.array([1.0, -9.0])), ["-9", "?"]).values.tolist()
    [1.0, nan]
    >>> without_marks(Found(Kind.nominal, np.array([0, 1], dtype=np.int32), ("?", "a")), ["-9", "?"])
    Found(kind=<Kind.nominal: 'nominal'>, values=array([-1,  0], dtype=int32), categories=('a',), ...)
    """
    said = set(marks)
    if found.kind in (Kind.nominal, Kind.ordinal) and said.intersection(found.categories):
        kept = [place for place, category in enumerate(found.categories) if category not in said]
        codes = np.full(len(found.categories) + 1, MISSING, dtype=np.int32)
        codes[kept] = np.arange(len(kept), dtype=np.int32)
        return replace(found, values=codes[found.values], categories=tuple(found.categories[i] for i in kept))
    sizes = [size for size in map(number_of, said) if size is not None]
    if found.kind is not Kind.numeric or found.date or not sizes:
        return found
    gaps = np.isin(found.values.astype(np.float64), sizes)
    if found.values.dtype.kind == "f":
        return replace(found, values=np.where(gaps, np.nan, found.values))
    return replace(found, missing=gaps if found.missing is None else gaps | found.missing)
