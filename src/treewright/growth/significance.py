"""Whether two groups differ by more than chance."""

from __future__ import annotations

from treewright import _core


def fisher_p_value(a: float, b: float, c: float, d: float) -> float:
    """Return the two-sided p-value of Fisher's exact test of a, b over c, d, rounded to whole rows.

    >>> round(fisher_p_value(3, 0, 0, 3), 3)
    0.1
    """
    return float(_core.fisher_p_value(*(float(round(count)) for count in (a, b, c, d))))
