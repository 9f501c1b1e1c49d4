"""What one column tells about another: information gain and its relatives, and decreases of other impurities.

Every function takes two columns `(x, y)` - x the test, y the target - or one table of counts, branches x
classes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from treewright.base.names import choice
from treewright.measure.given import Floats, codes, column, gaps_refused, row_weights
from treewright.measure.groups import Groups, Joint, joint, sums
from treewright.measure.impurity import entropy, entropy_of, error_of, gini_of, numbers_of, variance_of


def conditional_entropy(
    x: Any, y: Any = None, *, weights: Any = None, missing: str = "error", base: float = 2
) -> Any:
    """Return H(y | x): the entropy of y that is left, on average, once x is known.

    `x` and `y` are two columns of labels (each distinct value is one, also of numbers), with `weights` if
    rows have any; or `x` alone is a table of counts, rows = branches, columns = classes, and leading axes
    hold many tables. Gaps are refused unless `missing` is "drop" (leave such rows out), "own_branch" (a label
    of its own) or "fractional" (divide the row as the known rows are divided).

    >>> conditional_entropy(["a", "a", "b", "b"], ["yes", "no", "no", "no"])
    0.5
    >>> conditional_entropy([[1, 1], [0, 2]])
    0.5
    """
    table = joint(x, y, weights, missing)
    return table.shaped(_within(table, lambda groups: entropy_of(groups, base)))


def specific_conditional_entropy(
    x: Any, y: Any, value: Any, *, weights: Any = None, missing: str = "error", base: float = 2
) -> float:
    """Return H(y | x = value): the entropy of y among the rows where x is one value.

    The other arguments are those of `entropy` for a column of labels; gaps are looked for in these rows.

    >>> specific_conditional_entropy(["a", "a", "b", "b"], ["yes", "no", "no", "no"], "a")
    1.0
    """
    first, second = column(x, "x"), column(y, "y")
    if len(first) != len(second):
        raise ValueError(f"x has {len(first)} cells and y has {len(second)}; give one of each per row.")
    rows = np.array([cell == value for cell in first.tolist()], dtype=bool)
    if not rows.any():
        known = sorted({str(cell) for cell in first.tolist()})[:8]
        raise ValueError(f"value={value!r} is not among the cells of x: {', '.join(known)}.")
    some = None if weights is None else row_weights(weights, len(first))[rows]
    found: float = entropy(second[rows], given="labels", weights=some, missing=missing, base=base)
    return found


def joint_entropy(
    x: Any, y: Any = None, *, weights: Any = None, missing: str = "error", base: float = 2
) -> Any:
    """Return H(x, y): the entropy of both columns taken as one.

    The arguments are those of `conditional_entropy`.

    >>> joint_entropy(["a", "a", "b", "b"], ["yes", "no", "no", "no"])
    1.5
    """
    table = joint(x, y, weights, missing)
    return table.shaped(entropy_of(table.in_tables, base))


def information_gain(
    x: Any, y: Any = None, *, weights: Any = None, missing: str = "error", base: float = 2
) -> Any:
    """Return the information gain H(y) - H(y | x): how many bits about y one learns from x.

    The arguments are those of `conditional_entropy`. Where y is numbers, see `variance_reduction`.

    >>> round(information_gain([[2, 3], [4, 0], [3, 2]]), 6)  # Outlook of play tennis
    0.24675
    >>> information_gain(["a", "a", "b", "b"], [1, 1, 0, 0])
    1.0
    """
    table = joint(x, y, weights, missing)
    return table.shaped(gains(table, base))


def mutual_information(
    x: Any, y: Any = None, *, weights: Any = None, missing: str = "error", base: float = 2
) -> Any:
    """Return the mutual information I(x; y), which is the information gain: the same for x and y exchanged.

    The arguments are those of `conditional_entropy`.

    >>> mutual_information(["a", "a", "b", "b"], ["c", "d", "c", "d"])
    0.0
    """
    return information_gain(x, y, weights=weights, missing=missing, base=base)


def split_information(
    x: Any, y: Any = None, *, weights: Any = None, missing: str = "error", base: float = 2
) -> Any:
    """Return the split information: the entropy of the branch sizes, whatever the classes.

    The arguments are those of `conditional_entropy`; of one column or of branch sizes alone, take `entropy`.

    >>> round(split_information([[2, 3], [4, 0], [3, 2]]), 6)
    1.577406
    """
    table = joint(x, y, weights, missing)
    return table.shaped(entropy_of(table.rows, base))


def gain_ratio(x: Any, y: Any = None, *, weights: Any = None, missing: str = "error") -> Any:
    """Return information gain divided by split information: at most 1, and 0 where there is one branch only.

    The arguments are those of `conditional_entropy`; the base of the logarithms cancels out.

    >>> round(gain_ratio([[2, 3], [4, 0], [3, 2]]), 6), gain_ratio([[9, 5]])
    (0.156428, 0.0)
    """
    table = joint(x, y, weights, missing)
    return table.shaped(_ratio(gains(table), entropy_of(table.rows)))


def symmetrical_uncertainty(x: Any, y: Any = None, *, weights: Any = None, missing: str = "error") -> Any:
    """Return 2 I(x; y) / (H(x) + H(y)): from 0 to 1, and 0 where both columns are constant.

    The arguments are those of `conditional_entropy`.

    >>> symmetrical_uncertainty(["a", "a", "b", "b"], [1, 1, 0, 0])
    1.0
    """
    table = joint(x, y, weights, missing)
    return table.shaped(_ratio(2 * gains(table), entropy_of(table.rows) + entropy_of(table.columns)))


def gini_decrease(x: Any, y: Any = None, *, weights: Any = None, missing: str = "error") -> Any:
    """Return by how much the Gini impurity of y falls, on average, once x is known.

    The arguments are those of `conditional_entropy`.

    >>> round(gini_decrease([[2, 3], [4, 0], [3, 2]]), 6)
    0.116327
    """
    table = joint(x, y, weights, missing)
    return table.shaped(_decrease(table, gini_of))


def error_decrease(x: Any, y: Any = None, *, weights: Any = None, missing: str = "error") -> Any:
    """Return by how much the error of the most common class falls, on average, once x is known.

    The arguments are those of `conditional_entropy`.

    >>> round(error_decrease([[2, 3], [4, 0], [3, 2]]), 6)
    0.071429
    """
    table = joint(x, y, weights, missing)
    return table.shaped(_decrease(table, error_of))


def variance_reduction(x: Any, y: Any, *, weights: Any = None, missing: str = "error") -> float:
    """Return by how much the variance of the numbers y falls, on average, once the label x is known.

    Gaps are refused unless `missing` is "drop" (leave such rows out) or "own_branch" (a branch of its own for
    the gaps of x; rows without a y are left out).

    >>> variance_reduction(["a", "a", "b", "b"], [1, 3, 5, 7])
    4.0
    """
    coded, n_labels = codes(column(x, "x"))
    numbers = numbers_of(y, "y")
    if len(coded) != len(numbers):
        raise ValueError(f"x has {len(coded)} rows and y has {len(numbers)}; they must be equally long.")
    sizes = row_weights(weights, len(numbers))
    kept = _rows_to_count(coded, numbers, sizes, missing)
    coded = np.where(coded < 0, n_labels, coded)[kept]
    numbers, sizes = numbers[kept], sizes[kept]
    whole = variance_of(numbers, Groups(sizes, np.zeros_like(coded), 1))[0]
    branches = Groups(sizes, coded, n_labels + 1)
    within = branches.totals @ variance_of(numbers, branches) / sizes.sum()
    return max(float(whole - within), 0.0)


def _rows_to_count(coded: Any, numbers: Floats, sizes: Floats, missing: str) -> Any:
    choice("missing", missing, ("error", "drop", "own_branch"))
    counts = sizes > 0
    for name, gaps in (("x", coded < 0), ("y", np.isnan(numbers))):
        if missing == "error" and (gaps & counts).any():
            raise gaps_refused(name, int((gaps & counts).sum()), len(sizes), "missing='drop' or 'own_branch'")
    kept = counts & ~np.isnan(numbers)
    if missing == "drop":
        kept &= coded >= 0
    if not kept.any():
        raise ValueError("No row has both x and y: there is nothing to measure.")
    return kept


# ---- by table ------------------------------------------------------------------------------------------


def gains(table: Joint, base: float = 2) -> Floats:
    """Return the information gain of each table."""
    return _decrease(table, lambda groups: entropy_of(groups, base))


def _decrease(table: Joint, impurity: Callable[[Groups], Floats]) -> Floats:
    """Return how much lower the impurity is in the branches, by weight; never below 0 by rounding alone."""
    return np.asarray(np.maximum(impurity(table.columns) - _within(table, impurity), 0.0))


def _within(table: Joint, impurity: Callable[[Groups], Floats]) -> Floats:
    """Return the mean impurity of the branches of each table, by weight; empty ones count for nothing."""
    branches = table.in_rows
    found = sums(branches.totals * impurity(branches), table.table_of_row, table.n_tables)
    return np.asarray(found / table.in_tables.totals)


def _ratio(above: Floats, below: Floats) -> Floats:
    return np.where(below > 0, np.minimum(above / np.where(below > 0, below, 1.0), 1.0), 0.0)
