"""Counts and weights as people read them; all else is in `treewright.base.numbers`."""

from __future__ import annotations

from treewright.base.numbers import number, percent

__all__ = ["amount", "count", "percent"]


def count(amount_: float, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> count(1, "row"), count(3, "leaf", "leaves"), count(2.5, "row"), count(6295, "row")
    ('1 row', '3 leaves', '2.5 rows', '6,295 rows')
    """
    words = amount(amount_)
    return f"{words} {one if words == '1' else many or one + 's'}"


def amount(x: float) -> str:
    """Return a weight for reading: whole where it is whole, else three decimals.

    >>> amount(14.0), amount(2.53846), amount(12345.5)
    ('14', '2.538', '12,345.5')
    """
    if x >= 1e15 or 0 < x < 0.001:
        return number(x, 3)
    return f"{x:,.3f}".rstrip("0").rstrip(".")
