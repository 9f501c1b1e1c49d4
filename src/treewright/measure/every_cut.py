"""The loss of every cut of a column, half way between neighbouring values: the brute force of a stump."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from treewright.base.lines import Words, aligned
from treewright.base.names import choice
from treewright.base.numbers import number
from treewright.measure.given import Floats, codes, column, row_weights
from treewright.measure.impurity import entropy, error, gini
from treewright.measure.intervals import measured, midpoints

LOSSES = {"gini": gini, "entropy": entropy, "error": error}


class CutLosses(NamedTuple):
    """Every cut of a column, with what it leaves: the weighted mean impurity of its two sides.

    >>> print(cut_losses([40, 48, 60, 72], list("nnyy")))
    cut    loss
     44  0.3333
     54       0
     66  0.3333
    """

    cuts: Floats
    losses: Floats

    @property
    def best(self) -> float:
        """The cut that leaves least; the lowest of several."""
        return float(self.cuts[int(np.argmin(self.losses))])

    def __str__(self) -> str:
        cells = [[number(value) for value in values.tolist()] for values in (self.cuts, self.losses)]
        return "\n".join(aligned([Words("cut", cells[0]), Words("loss", cells[1])]))


def cut_losses(x: Any, y: Any, loss: str = "gini", *, weights: Any = None) -> CutLosses:
    """Return the loss of every cut of a column of numbers: none is left out.

    Args:
        x: numbers; rows where one is missing are left out.
        y: labels.
        loss: "gini", "entropy" or "error" of the classes on either side, weighed by their rows.
        weights: one number per row.

    >>> cut_losses([40, 48, 60, 72, 80, 90], list("nnyyyn"), "error").best
    54.0
    """
    measure = LOSSES[choice("loss", loss, LOSSES)]
    values, (label, k) = measured(x, "x"), codes(column(y, "y"))
    if len(values) != len(label):
        raise ValueError(f"x has {len(values)} rows and y has {len(label)}; they must be equally long.")
    sizes = row_weights(weights, len(values))
    kept = ~np.isnan(values) & (label >= 0) & (sizes > 0)
    distinct, place = np.unique(values[kept], return_inverse=True)
    if len(distinct) < 2:
        return CutLosses(np.empty(0), np.empty(0))
    counts = np.bincount(place * k + label[kept], sizes[kept], len(distinct) * k).reshape(-1, k)
    left = np.cumsum(counts, axis=0)[:-1]
    right = counts.sum(axis=0) - left
    n_left, n_right = left.sum(axis=1), right.sum(axis=1)
    found = (n_left * np.asarray(measure(left)) + n_right * np.asarray(measure(np.maximum(right, 0.0)))) / (
        n_left + n_right
    )
    return CutLosses(midpoints(distinct[:-1], distinct[1:]), np.asarray(found, dtype=np.float64))
