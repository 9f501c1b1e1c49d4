"""Marks of a gap in columns that have types of their own: numbers and categories that the caller named."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from treewright.table.raw import MISSING, Raw
from treewright.table.schema import Kind

from .numbers import number_of


def without_marks(raw: Raw, marks: Iterable[str]) -> Raw:
    """Return a column in which the cells that are marks are gaps.

    >>> without_marks(Raw(Kind.numeric, np.array([1.0, -9.0])), ["-9", "?"]).values.tolist()
    [1.0, nan]
    >>> without_marks(Raw(Kind.nominal, np.array([0, 1], dtype=np.int32), ("?", "a")), ["-9", "?"])
    Raw(kind=<Kind.nominal: 'nominal'>, values=array([-1,  0], dtype=int32), categories=('a',), ...)
    """
    said = set(marks)
    if raw.kind in (Kind.nominal, Kind.ordinal) and said.intersection(raw.categories):
        kept = [place for place, category in enumerate(raw.categories) if category not in said]
        codes = np.full(len(raw.categories) + 1, MISSING, dtype=np.int32)
        codes[kept] = np.arange(len(kept), dtype=np.int32)
        return replace(raw, values=codes[raw.values], categories=tuple(raw.categories[i] for i in kept))
    sizes = [size for size in map(number_of, said) if size is not None]
    if raw.kind is not Kind.numeric or not sizes:
        return raw
    gaps = np.isin(raw.values.astype(np.float64), sizes)
    if raw.values.dtype.kind == "f":
        return replace(raw, values=np.where(gaps, np.nan, raw.values))
    return replace(raw, missing=gaps if raw.missing is None else gaps | raw.missing)
