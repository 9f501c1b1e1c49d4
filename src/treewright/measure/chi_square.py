"""Pearson's chi-square: are two columns independent?"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from treewright import _core
from treewright.base.numbers import count, number
from treewright.measure.groups import Joint, joint, shaped, sums


class ChiSquare(NamedTuple):
    """The statistic, its degrees of freedom, and the chance of a statistic as large if there is no relation.

    >>> ChiSquare(4.0, 1, 0.0455).p_value
    0.0455
    """

    statistic: Any
    degrees: Any
    p_value: Any

    def __str__(self) -> str:
        found = zip(*(np.ravel(part).tolist() for part in self), strict=True)
        return "\n".join(
            f"chi-square {number(statistic)}, {count(degrees, 'degree')} of freedom, p = {p_value:.3g}"
            for statistic, degrees, p_value in found
        )


def chi_square(x: Any, y: Any = None, *, weights: Any = None, missing: str = "error") -> ChiSquare:
    """Return Pearson's chi-square of two columns, or of a table of counts, branches x classes.

    sum (n - expected)² / expected, with (branches - 1)(classes - 1) degrees of freedom; branches and classes
    without any weight are left out first. Where no degree is left the p-value is 1. The arguments are those
    of `conditional_entropy`. The p-value is an approximation that wants expected counts of 5 or more.

    >>> found = chi_square([[2, 3], [4, 0], [3, 2]])
    >>> round(found.statistic, 4), found.degrees, round(found.p_value, 4)
    (3.5467, 2, 0.1698)
    """
    table = joint(x, y, weights, missing)
    statistic, degrees = _statistic(table), _degrees(table)
    pairs = zip(statistic.tolist(), degrees.tolist(), strict=True)
    p = np.array([_core.chi_square_tail(s, d) if d > 0 else 1.0 for s, d in pairs])
    of = shaped(degrees, table.shape)
    return ChiSquare(table.shaped(statistic), int(of) if table.shape == () else of, table.shaped(p))


def _statistic(table: Joint) -> Any:
    """Return the statistic of each table.

    A cell without weight adds its expectation; all of those together are the total less what the other cells
    expect.
    """
    tables = table.in_tables
    total = tables.totals
    rows = table.in_rows.totals
    columns = sums(table.weight, table.column, len(table.table_of_column))
    n, in_row, in_column, whole = table.weight, rows[table.row], columns[table.column], total[tables.group]
    expected = in_row / whole * in_column
    is_tiny = expected < 1e-290  # then n²/expected in another order
    seen = np.where(
        is_tiny,
        whole * (n / in_row) * (n / in_column) - 2 * n,
        (n - expected) ** 2 / np.where(is_tiny, 1.0, expected),
    )
    seen = tables.sums(seen)
    empty = total - tables.sums(expected)
    return seen + np.where(empty > total * 1e-12, empty, 0.0)


def _degrees(table: Joint) -> Any:
    branches, classes = (
        np.bincount(part.group, minlength=table.n_tables) for part in (table.rows, table.columns)
    )
    return (branches - 1) * (classes - 1)
