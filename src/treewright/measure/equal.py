"""Cuts without a look at the target: intervals equally wide, or equally full."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from treewright.measure.given import Floats, row_weights
from treewright.measure.groups import sums
from treewright.measure.intervals import measured, midpoints

BINS = 10


def equal_width_cuts(x: Any, bins: int = BINS) -> Floats:
    """Return the cuts of so many intervals of one width between the least and the largest value.

    Gaps do not count. A constant column has no cut.

    >>> equal_width_cuts([0, 1, 2, 10], bins=4)
    array([2.5, 5. , 7.5])
    """
    n_bins, values = checked_bins(bins), measured(x, "x")
    known = values[~np.isnan(values)]
    if not len(known) or known.min() == known.max():
        return np.empty(0)
    low, high = known.min(), known.max()
    share = np.arange(1, n_bins) / n_bins
    with np.errstate(over="ignore"):
        width = high - low
    cuts = low + width * share if np.isfinite(width) else low * (1 - share) + high * share
    cuts = np.unique(_tidy(cuts, width))
    return np.asarray(cuts[(cuts >= low) & (cuts < high)])


def _tidy(cuts: Floats, width: float) -> Floats:
    """Return the cuts without the dust of division: 0.9, not 0.8999999999999999."""
    if not np.isfinite(width):
        return cuts
    digits = 12 - math.ceil(math.log10(width))
    if not 0 <= digits <= 22 or np.abs(cuts).max(initial=0.0) * 10.0**digits >= 2.0**53:
        return cuts
    return np.asarray(np.round(cuts, digits))


def equal_frequency_cuts(x: Any, bins: int = BINS, *, weights: Any = None) -> Floats:
    """Return the cuts of so many intervals with as nearly as possible one share of the rows each.

    Equal values are kept together, so the shares may differ and there may be fewer intervals. For each share
    the cut between two values is taken that comes nearest, the lower of two that are equally near. Gaps do
    not count.

    >>> equal_frequency_cuts([1, 2, 3, 4, 5, 6], bins=3)
    array([2.5, 4.5])
    >>> equal_frequency_cuts([1, 1, 1, 1, 1, 6], bins=3)
    array([3.5])
    """
    n_bins, values = checked_bins(bins), measured(x, "x")
    if not len(values):
        return np.empty(0)
    sizes = row_weights(weights, len(values))
    kept = ~np.isnan(values) & (sizes > 0)
    distinct, inverse = np.unique(values[kept], return_inverse=True)
    if len(distinct) < 2:
        return np.empty(0)
    filled = np.cumsum(sums(sizes[kept], inverse, len(distinct)))
    ends, total = filled[:-1], filled[-1]  # what lies below each cut
    wanted = total * np.arange(1, n_bins) / n_bins
    above = np.clip(np.searchsorted(ends, wanted), 1, max(len(ends) - 1, 1))
    if len(ends) == 1:
        chosen = np.zeros(min(1, len(wanted)), dtype=np.int64)
    else:
        is_lower = wanted - ends[above - 1] <= ends[above] - wanted
        chosen = np.unique(np.where(is_lower, above - 1, above))
    return midpoints(distinct[chosen], distinct[chosen + 1])


def checked_bins(bins: Any) -> int:
    """Return a number of bins, if it is a whole number of at least 2."""
    if isinstance(bins, (bool, np.bool_)) or not isinstance(bins, (int, np.integer)):
        raise TypeError(f"bins={bins!r} must be a whole number, not {type(bins).__name__}.")
    if bins < 2:
        raise ValueError(f"bins={bins!r} must be at least 2.")
    if bins > 10**6:
        raise ValueError(f"bins={bins!r} is more intervals than anyone can tell apart; give at most 1000000.")
    return int(bins)
