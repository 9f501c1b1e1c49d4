"""Reliability: whether chances mean what they say: of rows with a chance of 70 %, are 70 % of the class?"""

from __future__ import annotations

import itertools
import math
import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import paint
from treewright.base.lines import Words, aligned, harmless
from treewright.base.names import choice
from treewright.base.notebook import Shown
from treewright.base.numbers import number, percent
from treewright.evaluate.answers import Answers
from treewright.evaluate.ranking import class_number
from treewright.evaluate.score import Score, Share, share_score
from treewright.paint import Axis, Chart
from treewright.paint.colours import OTHER, PAPER, mixed
from treewright.paint.files import delivered
from treewright.table.frame import frame_of

BINNINGS = ("rows", "width")
_BARS = 0.18  # of the height of the chart


@dataclass(frozen=True)
class Bin:
    """Rows of about the same chance: the mean chance, the share that is of the class, the weight of the rows.

    >>> found = reliability(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]), bins=2)
    >>> found.bins[1].chance, found.bins[1].share.value
    (0.8, 1.0)
    """

    low: float
    high: float
    chance: float
    share: Score
    n_rows: float


@dataclass(frozen=True, eq=False, repr=False)
class Reliability(Shown):
    """Chances of a class beside what came: bin by bin, and the mean distance of the two.

    `error` is the calibration error, the mean over rows of |chance - share| of their bin; its standard error
    takes the bins as independent. Chance alone makes it larger than 0, about as large as that.

    >>> chances = [[0.9, 0.1], [0.4, 0.6], [0.4, 0.6], [0.1, 0.9]]
    >>> answers = Answers.of(list("aabb"), list("abbb"), chances=chances)
    >>> print(reliability(answers, bins=2))
    chance of b            share of b  rows
           10 %          0.0 % ± 0.0     1
           70 %         66.7 % ± 27.2     3
    """

    name: str
    bins: tuple[Bin, ...]
    error: Score

    def to_dict(self) -> dict[str, list[Any]]:
        """Return the bins as columns.

        >>> found = reliability(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]), bins=2)
        >>> list(found.to_dict())
        ['low', 'high', 'chance', 'share', 'share_se', 'n_rows']
        """
        return {
            "low": [one.low for one in self.bins],
            "high": [one.high for one in self.bins],
            "chance": [one.chance for one in self.bins],
            "share": [one.share.value for one in self.bins],
            "share_se": [one.share.standard_error for one in self.bins],
            "n_rows": [one.n_rows for one in self.bins],
        }

    def to_frame(self, backend: str | None = None) -> Any:
        """Return the bins as a data frame of pandas, polars or pyarrow.

        >>> found = reliability(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]), bins=2)
        >>> found.to_frame("pandas")["share"].tolist()
        [0.0, 1.0]
        """
        return frame_of(self.to_dict(), backend)

    def to_text(self) -> str:
        """Return the bins as lines.

        >>> found = reliability(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]), bins=2)
        >>> len(found.to_text().splitlines())
        3
        """
        columns = [
            Words(f"chance of {self.name}", [percent(one.chance) for one in self.bins]),
            Words(f"share of {self.name}", [str(one.share) for one in self.bins]),
            Words("rows", [number(one.n_rows, 6) for one in self.bins]),
        ]
        return "\n".join(aligned(columns))

    def plot(self, path: str | os.PathLike[str] | None = None, *, ax: Any = None) -> Chart:
        """Return the reliability diagram: shares against chances, the diagonal where both are the same.

        The bars at the foot say how many rows each bin has.

        Args:
            path: where to save it: .svg, .pdf, .png or .txt.
            ax: matplotlib's axes to draw on as well.

        >>> reliability(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]), bins=2).plot()
        Chart(Reliability of the chances of b, 640 x 496 px)
        """
        x = [one.chance for one in self.bins]
        most = max(one.n_rows for one in self.bins)
        bar = mixed(OTHER, PAPER, 0.45)
        boxes = [(one.low, -0.02, one.high, -0.02 + _BARS * one.n_rows / most) for one in self.bins]
        layers = (
            paint.Cells(boxes, [bar] * len(boxes), [1] * len(boxes), edge=PAPER),
            paint.Area(f"rows of a bin (the most: {number(most, 6)})", (), (), bar, 1),
            paint.Line("chances as they should be", (0, 1), (0, 1), 2, colour=OTHER, width=1.2),
            paint.Line("", x, [one.share.value for one in self.bins], 0, is_plain=True),
            paint.Dots(
                "share ± SE", x, [one.share.value for one in self.bins],
                spread=[one.share.standard_error for one in self.bins], size=4.5,
            ),
        )  # fmt: skip
        chart = Chart(
            f"Reliability of the chances of {self.name}",
            Axis(f"chance of {self.name}", -0.02, 1.02, is_share=True),
            Axis(f"share of the rows that are {self.name}", -0.02, 1.02, is_share=True),
            layers,
            about=(f"calibration error {self.error}",),
            size=(640.0, 470.0),
            legend="below",
        )
        return delivered(chart, path, ax)  # type: ignore[no-any-return]

    def in_short(self) -> str:
        """Return the calibration error.

        >>> reliability(Answers.of(list("ab"), list("ab"), chances=[[0.9, 0.1], [0.2, 0.8]]), bins=2)
        Reliability(chances of b in 2 bins, calibration error 15.0 % ± 0.0)
        """
        return f"chances of {harmless(self.name)} in {len(self.bins)} bins, calibration error {self.error}"

    def __str__(self) -> str:
        return self.to_text()


def reliability(
    answers: Answers, positive: str | None = None, *, bins: int = 10, by: str = "rows"
) -> Reliability:
    """Return how the chances of a class agree with what came, in bins of chances.

    Args:
        answers: right answers beside given ones, with chances.
        positive: the class; the last if not given.
        bins: how many bins at most; rows of one chance are never divided.
        by: "rows": bins of about the same number of rows; "width": of the same width.

    >>> chances = [[0.9, 0.1], [0.4, 0.6], [0.4, 0.6], [0.1, 0.9]]
    >>> answers = Answers.of(list("aabb"), list("abbb"), chances=chances)
    >>> [one.chance for one in reliability(answers).bins]
    [0.1, 0.6, 0.9]
    """
    code = class_number(answers, positive, "Reliability")
    if isinstance(bins, bool) or not isinstance(bins, int) or bins < 1:
        raise ValueError(f"bins={bins!r} must be a whole number of at least 1.")
    by = choice("by", by, BINNINGS)
    assert answers.chances is not None
    chance, weight = answers.chances[:, code], answers.weights
    is_yes = (answers.truth == code).astype(np.float64)
    which = (
        _by_rows(chance, weight, bins) if by == "rows" else np.minimum((chance * bins).astype(int), bins - 1)
    )
    found = []
    for one in np.unique(which[weight > 0]).tolist():
        rows = (which == one) & (weight > 0)
        total = float(weight[rows].sum())
        share = share_score(float((weight * is_yes)[rows].sum()), total)
        mean = float((weight * chance)[rows].sum()) / total
        ends = (float(chance[rows].min()), float(chance[rows].max()))
        low, high = ends if by == "rows" else (one / bins, (one + 1) / bins)
        found.append(Bin(low, high, mean, share, total))
    return Reliability(answers.classes[code], _touching(found), _error(found))


def _by_rows(chance: NDArray[np.float64], weight: NDArray[np.float64], bins: int) -> NDArray[np.intp]:
    """Return the bin of each row: by the middle of the rows of its chance, counted from the lowest."""
    levels, group = np.unique(chance, return_inverse=True)
    total = np.bincount(group, weight, len(levels))
    middle = (np.cumsum(total) - total / 2) / total.sum()
    which: NDArray[np.intp] = np.minimum((middle * bins).astype(np.intp), bins - 1)[group]
    return which


def _touching(bins: list[Bin]) -> tuple[Bin, ...]:
    """Return bins with their ends half way to their neighbours; those of the same width as they are."""
    if len(bins) < 2 or all(a.high == b.low for a, b in itertools.pairwise(bins)):
        return tuple(bins)
    ends = [0.0, *((a.high + b.low) / 2 for a, b in itertools.pairwise(bins)), 1.0]
    return tuple(
        Bin(low, high, b.chance, b.share, b.n_rows)
        for low, high, b in zip(ends[:-1], ends[1:], bins, strict=True)
    )


def _error(bins: list[Bin]) -> Score:
    total = sum(one.n_rows for one in bins)
    parts = [one.n_rows / total for one in bins]
    value = sum(part * abs(one.chance - one.share.value) for part, one in zip(parts, bins, strict=True))
    variance = sum((part * one.share.standard_error) ** 2 for part, one in zip(parts, bins, strict=True))
    return Share(value, math.sqrt(variance))
