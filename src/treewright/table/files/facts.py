"""Facts about a column for people: how many values, how many gaps, which ones come first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright.table.raw import Values, label
from treewright.table.schema import Column

_SHOWN = 3


@dataclass(frozen=True)
class Facts:
    """What a column holds: distinct values, gaps, examples; of numbers the least and the greatest."""

    n_distinct: int
    n_gaps: int
    examples: tuple[str, ...]
    least: float | str | None = None
    greatest: float | str | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as plain JSON values."""
        plain: dict[str, Any] = {
            "distinct": self.n_distinct,
            "gaps": self.n_gaps,
            "examples": list(self.examples),
        }
        if self.least is not None:
            plain |= {"min": self.least, "max": self.greatest}
        return plain


def facts_of(column: Column, values: Values) -> Facts:
    """Return the facts of one column of a table.

    >>> facts_of(Column("n", "numeric"), np.array([2.0, np.nan, 1.0, 2.0]))
    Facts(n_distinct=2, n_gaps=1, examples=('1', '2'), least=1.0, greatest=2.0)
    """
    if column.is_numeric:
        known = values[~np.isnan(values)]
        distinct = np.unique(known)
        words = column.text_of if column.is_temporal else label
        shown = tuple(words(value) for value in _spread(distinct))
        ends: list[Any] = [float(value) for value in (distinct[[0, -1]] if len(distinct) else ())]
        ends = [column.text_of(end) for end in ends] if column.is_temporal else ends
        return Facts(len(distinct), len(values) - len(known), shown, *ends)
    counts = np.bincount(values + 1, minlength=len(column.categories) + 1)
    common = np.argsort(-counts[1:], kind="stable")[:_SHOWN].tolist()
    shown = tuple(column.categories[i] for i in common if counts[i + 1])
    return Facts(int(np.count_nonzero(counts[1:])), int(counts[0]), shown)


def n_gaps(column: Column, values: Values) -> int:
    """Return the number of gaps in a column.

    >>> n_gaps(Column("n", "numeric"), np.array([2.0, np.nan]))
    1
    """
    return int(np.count_nonzero(np.isnan(values) if column.is_numeric else values < 0))


def _spread(distinct: Values) -> list[float]:
    """Return the least, a middle and the greatest of the distinct values."""
    places = sorted({0, (len(distinct) - 1) // 2, len(distinct) - 1}) if len(distinct) else []
    return [float(distinct[i]) for i in places]
