"""Counts, weights and shares as people read them."""

from __future__ import annotations


def count(amount_: float, one: str, many: str | None = None) -> str:
    """Return a number with its noun.

    >>> count(1, "row"), count(3, "leaf", "leaves"), count(2.5, "row")
    ('1 row', '3 leaves', '2.5 rows')
    """
    words = amount(amount_)
    return f"{words} {one if words == '1' else many or one + 's'}"


def amount(x: float) -> str:
    """Return a weight for reading: whole where it is whole, else three decimals.

    >>> amount(14.0), amount(2.53846)
    ('14', '2.538')
    """
    if x >= 1e15 or 0 < x < 0.001:
        return f"{x:.3g}"
    return f"{x:.3f}".rstrip("0").rstrip(".")


def percent(share: float) -> str:
    """Return a share in percent; never 0 or 100 where it is neither.

    >>> percent(0.642), percent(0.9999), percent(0.0001)
    ('64 %', '>99 %', '<1 %')
    """
    whole = round(100 * share)
    if whole == 100 and share < 1:
        return ">99 %"
    return "<1 %" if whole == 0 and share > 0 else f"{whole} %"
