"""One of a family of prunings, chosen by what held-out rows say of each."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from treewright.base.lines import Words, aligned, figure
from treewright.base.notebook import Shown
from treewright.base.numbers import number
from treewright.prune.counts import Floats, at_most


@dataclass(frozen=True, repr=False)
class Selection(Shown):
    """The value of an option that pruned best, and what every value tried came to.

    `error` is the mean loss of a held-out row (errors, or squared errors), `standard_error` that of the mean.

    >>> choose([0.0, 1.0, 2.0], np.array([3.0, 2.0, 2.0]), np.array([3.0, 2.0, 2.0]), weight=8).value
    2.0
    """

    value: float
    values: tuple[float, ...]
    error: tuple[float, ...]
    standard_error: tuple[float, ...]

    def in_short(self) -> str:
        """Return the value chosen and how many were tried.

        >>> choose([0.0, 1.0, 2.0], np.array([3.0, 2.0, 2.0]), np.array([3.0, 2.0, 2.0]), weight=8)
        Selection(2, the best of 3)
        """
        return f"{number(self.value)}, the best of {len(self.values)}"

    def __str__(self) -> str:
        pairs = zip(self.error, self.standard_error, strict=True)
        columns = [
            Words("value", [number(value) for value in self.values]),
            Words("error", [figure(*pair) for pair in pairs]),
            Words("", ["chosen" if value == self.value else "" for value in self.values], "<"),
        ]
        return "\n".join(aligned(columns))

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the table of all values tried, as columns.

        >>> choose([0.0, 1.0], np.array([3.0, 2.0]), np.array([3.0, 2.0]), weight=8).to_dict()["error"]
        [0.375, 0.25]
        """
        return {
            "value": list(self.values),
            "error": list(self.error),
            "standard_error": list(self.standard_error),
            "is_chosen": [value == self.value for value in self.values],
        }


def choose(values: Any, total: Floats, squares: Floats, weight: float, one_se: bool = False) -> Selection:
    """Return the value with the least mean loss; of equal ones the last, which prunes most.

    `total` and `squares` are the sums of the losses and of their squares, one per value; values come in the
    order of pruning. `weight` is that of all rows. With `one_se` the last value whose loss is within one
    standard error of the least is taken (the 1-SE rule).

    >>> losses = np.array([3.0, 2.0, 3.0, 9.0])
    >>> choose([1, 2, 3, 4], losses, losses, weight=10, one_se=True).value
    3.0
    """
    mean = total / weight
    # of 0-1 losses this is sqrt(e (1 - e) / n)
    spread = np.sqrt(np.maximum(squares - total**2 / weight, 0.0)) / weight
    least = int(np.argmin(mean))
    bound = mean[least] + (spread[least] if one_se else 0.0)
    last = int(np.flatnonzero(at_most(mean, bound))[-1])
    as_floats = tuple(float(value) for value in values)
    if math.isnan(as_floats[last]):
        raise ValueError(f"The values to choose from must be numbers; found {values!r}")
    return Selection(as_floats[last], as_floats, tuple(mean.tolist()), tuple(spread.tolist()))
