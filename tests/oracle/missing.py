"""What a gap does under each policy: the place it takes while a test is scored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .node import Pieces, Study, common_value, gaps_at, values_at

UNKNOWN = -1  # no branch: the value is missing and the policy places it later
UNSEEN = -2  # no branch: a category the test does not know
Branches = NDArray[np.int64]


@dataclass(frozen=True)
class Test:
    """A test: x <= cut goes to branch 0, x > cut to 1 (`codes` None), or a branch for each category code."""

    __test__ = False

    column: int
    n_branches: int
    cut: float = np.nan
    codes: tuple[tuple[int, int], ...] | None = None
    missing: int = UNKNOWN
    # of a test on a sum: column, weight, form (0 the value, 1 is, 2 at most, 3 above) and what it is held to
    terms: tuple[tuple[int, float, int, float], ...] = ()
    sure: bool = True  # False: a reading of the rules under which the test does not count

    def branch_of(self, value: float) -> int:
        """Return the branch of one known value."""
        if self.codes is None:
            return int(value > self.cut)
        return dict(self.codes).get(int(value), UNSEEN)


def fills(study: Study, pieces: Pieces, root: Pieces, column: int) -> float | None:
    """Return the value that stands in for a gap under the most-common policies, None under the others."""
    policy = study.settings.missing
    if policy == "most_common":
        return common_value(study, pieces, column)
    if policy == "most_common_overall":
        return common_value(study, root, column)
    return None


def filled_values(study: Study, pieces: Pieces, root: Pieces, column: int) -> NDArray[np.float64]:
    """Return the column as numbers, NaN where it is missing and nothing stands in."""
    gaps = gaps_at(study, pieces, column)
    fill = fills(study, pieces, root, column)
    values = np.where(gaps, np.nan, values_at(study, pieces, column).astype(np.float64))
    return values if fill is None else np.where(gaps, fill, values)


def places(study: Study, pieces: Pieces, root: Pieces, test: Test) -> Branches:
    """Return each piece's branch while the test is scored; UNKNOWN where the policy leaves it out."""
    values = filled_values(study, pieces, root, test.column)
    found = [test.missing if np.isnan(value) else test.branch_of(value) for value in values]
    return np.array(found, dtype=np.int64)
