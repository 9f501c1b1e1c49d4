"""How mixed a distribution is: entropy, Gini impurity, error; and the variance of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from treewright.base.names import choice
from treewright.measure.given import LARGEST, Floats, column, gaps_refused, row_weights
from treewright.measure.groups import Groups, distributions, shaped
from treewright.measure.logarithm import log


def entropy(
    p: Any,
    *,
    given: str | None = None,
    weights: Any = None,
    missing: str = "error",
    base: float = 2,
    axis: int = -1,
) -> Any:
    """Return the entropy -sum p log p of a distribution, with 0 log 0 = 0.

    `p` is counts or probabilities (numbers, divided by their sum) along `axis`, one distribution for each
    place of the other axes; or a column of labels (text, truth values, categories, or any with
    `given="labels"`), which is counted, with `weights` if there are any. `given="counts"` or
    `"probabilities"` says what numbers are; probabilities that do not add up to 1 are then refused. Gaps in a
    column are refused unless `missing` is "drop" or "own_branch" (a label of its own).

    >>> round(entropy([9, 5]), 6), entropy([0.5, 0.5])
    (0.940286, 1.0)
    >>> entropy(["yes", "no", "no", "yes"]), entropy([3, 1, 3, 1], given="labels")
    (1.0, 1.0)
    >>> entropy([[2, 2], [4, 0]]).tolist()
    [1.0, 0.0]
    """
    groups, shape = distributions(p, given, weights, missing, axis)
    return shaped(entropy_of(groups, base), shape)


def gini(
    p: Any, *, given: str | None = None, weights: Any = None, missing: str = "error", axis: int = -1
) -> Any:
    """Return the Gini impurity 1 - sum p²: the chance that two draws, with replacement, differ.

    The arguments are those of `entropy`.

    >>> round(gini([9, 5]), 6), gini([[1, 1], [2, 0]]).tolist()
    (0.459184, [0.5, 0.0])
    """
    groups, shape = distributions(p, given, weights, missing, axis)
    return shaped(gini_of(groups), shape)


def error(
    p: Any, *, given: str | None = None, weights: Any = None, missing: str = "error", axis: int = -1
) -> Any:
    """Return the error 1 - max p: the share that the most common outcome gets wrong.

    The arguments are those of `entropy`.

    >>> round(error([9, 5]), 6), round(error(list("aab")), 6)
    (0.357143, 0.333333)
    """
    groups, shape = distributions(p, given, weights, missing, axis)
    return shaped(error_of(groups), shape)


def variance(y: Any, *, weights: Any = None, missing: str = "error") -> float:
    """Return the variance of a column of numbers: the mean squared distance from the mean, by weight.

    Gaps are refused unless `missing="drop"`.

    >>> variance([1, 3]), variance([1, 3, 9], weights=[1, 1, 0])
    (1.0, 1.0)
    """
    choice("missing", missing, ("error", "drop"))
    numbers = numbers_of(y, "y")
    sizes = row_weights(weights, len(numbers))
    kept = (sizes > 0) & ~np.isnan(numbers)
    if missing == "error" and (gaps := int(((sizes > 0) & ~kept).sum())):
        raise gaps_refused("y", gaps, len(numbers), "missing='drop'")
    if not kept.any():
        raise ValueError("y holds gaps only: there is nothing to measure.")
    group = np.zeros(int(kept.sum()), dtype=np.int64)
    return float(variance_of(numbers[kept], Groups(sizes[kept], group, 1))[0])


def numbers_of(y: Any, name: str) -> Floats:
    """Return a column of numbers as float64, NaN for gaps; infinite ones are refused."""
    found = column(y, name)
    if found.dtype.kind not in "iufb":
        raise TypeError(
            f"{name} must be numbers; found {found.dtype}. Labels have an entropy, not a variance."
        )
    numbers = found.astype(np.float64)
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise ValueError(f"{name}[{row}] is {numbers[row]}; numbers must be finite.")
    largest = np.abs(numbers[~np.isnan(numbers)]).max(initial=0.0)
    if largest > LARGEST:
        raise ValueError(
            f"{name} holds {largest:g}; scale it down to below {LARGEST:g}, or its square is lost."
        )
    return numbers


# ---- by group ------------------------------------------------------------------------------------------


def entropy_of(groups: Groups, base: float = 2) -> Floats:
    """Return the entropy of each group."""
    p = groups.shares
    return groups.sums(-p * log(p, base)) + 0.0  # -0.0 is 0


def gini_of(groups: Groups) -> Floats:
    """Return the Gini impurity of each group: sum p (1 - p), 1 - sum p² with all its digits."""
    p = groups.shares
    return groups.sums(p * (1 - p))


def error_of(groups: Groups) -> Floats:
    """Return the error of each group."""
    largest = np.zeros(groups.n_groups)
    np.maximum.at(largest, groups.group, groups.weight)
    totals = groups.totals
    return (totals - largest) / np.where(totals > 0, totals, 1.0)


def variance_of(numbers: Floats, groups: Groups) -> Floats:
    """Return the variance of each group; values are centred on its mean before they are squared."""
    totals = np.where(groups.totals > 0, groups.totals, 1.0)
    means = groups.sums(groups.weight * numbers) / totals
    return groups.sums(groups.weight * (numbers - means[groups.group]) ** 2) / totals
