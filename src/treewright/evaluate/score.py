"""A score: a figure and its standard error."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright.base.lines import figure
from treewright.prune.heldout import mean_loss

Floats = NDArray[np.float64]


class Score(NamedTuple):
    """A figure and its standard error; NaN where nothing can be said.

    >>> print(Score(0.25, 0.125))
    0.250 ± 0.125
    """

    value: float
    standard_error: float = math.nan

    def __str__(self) -> str:
        return figure(self.value, self.standard_error)


class Share(Score):
    """A figure that is a share of rows, or a mean of such: it is shown in per cent.

    >>> print(Share(0.25, 0.125))
    25.0 % ± 12.5
    """

    __slots__ = ()

    def __str__(self) -> str:
        return figure(self.value, self.standard_error, is_share=True)


UNDEFINED = Share(math.nan)


def mean_score(losses: Floats, weights: Floats) -> Score:
    """Return the mean over rows and sqrt(variance / n): for errors the binomial sqrt(e (1 - e) / n).

    >>> mean_score(np.array([0.0, 1.0, 0.0, 1.0]), np.ones(4))
    Score(value=0.5, standard_error=0.25)
    """
    if not np.isfinite(losses[weights > 0]).all():
        return Score(math.inf)
    return Score(*mean_loss(np.asarray(losses, dtype=np.float64), weights))


def share_score(hits: float, total: float) -> Share:
    """Return a share of a weight, with the binomial standard error; NaN of nothing.

    >>> share_score(1, 4).standard_error == (0.25 * 0.75 / 4) ** 0.5, share_score(0, 0)
    (True, Share(value=nan, standard_error=nan))
    """
    if not total > 0:
        return UNDEFINED
    share = float(hits / total)
    return Share(share, math.sqrt(max(share * (1 - share), 0.0) / total))
