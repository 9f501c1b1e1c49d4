"""Numbers as people read them: one formatter for the whole house."""

from __future__ import annotations

import math

LARGE = 1e15  # from here on a number is written with a power of ten
TINY = 1e-6  # below this, too


def number(x: float, digits: int = 4) -> str:
    """Return a number to read: so many digits, thousands signs, and no power of ten below 10^15.

    Digits before the point are never dropped.

    >>> number(1637000000.0), number(111400), number(0.25), number(2.0), number(12345.678), number(0.00012346)
    ('1,637,000,000', '111,400', '0.25', '2', '12,346', '0.0001235')
    >>> number(-1234.5, 6), number(2.5e17), number(3e-9), number(math.nan), number(-0.0)
    ('-1,234.5', '2.5e+17', '3e-09', '-', '0')
    """
    if math.isnan(x):
        return "-"
    size = abs(x)
    if math.isinf(x) or size >= LARGE or 0 < size < TINY:
        return f"{x:.{digits}g}"
    places = 0 if size == 0 else max(0, digits - 1 - math.floor(math.log10(size)))
    text = f"{x:,.{places}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if text == "-0" else text


def count(n: float, one: str = "", many: str = "") -> str:
    """Return a whole number with thousands signs, and its noun if one is given.

    >>> count(2330), count(1, "row"), count(6295, "row"), count(3, "leaf", "leaves")
    ('2,330', '1 row', '6,295 rows', '3 leaves')
    """
    words = f"{round(n):,}"
    if not one:
        return words
    return f"{words} {one if words == '1' else many or one + 's'}"


def percent(share: float, decimals: int = 0) -> str:
    """Return a share in per cent; never 0 or 100 where it is neither.

    >>> percent(0.642), percent(0.9999), percent(0.0001), percent(0.9084, 1), percent(math.nan)
    ('64 %', '>99 %', '<1 %', '90.8 %', '-')
    """
    if math.isnan(share):
        return "-"
    text = f"{100 * share:.{decimals}f}"
    if share < 1 and float(text) == 100:
        return f">{100 - 10**-decimals:.{decimals}f} %"
    if share > 0 and float(text) == 0:
        return f"<{10**-decimals:.{decimals}f} %"
    return f"{text} %"


PLAIN = 6  # significant digits that need no shortening


def shortened(cut: float, low: float, high: float) -> float:
    """Return the shortest number that separates the same two neighbours as a cut of many digits does.

    `low` is the largest value that is not above the cut, `high` the smallest above it. A cut of few digits
    stays what it is.

    >>> shortened(7.8149999999999995, 7.8, 7.83), shortened(42.05224845, 42.0518, 42.0527)
    (7.81, 42.052)
    >>> shortened(2.45, 1.9, 3.0), shortened(0.30000000000000004, 0.30000000000000004, 0.5)
    (2.45, 0.4)
    """
    if not low <= cut < high or not math.isfinite(cut) or float(f"{cut:.{PLAIN}g}") == cut:
        return cut
    top = math.floor(math.log10(abs(cut)))
    for place in range(top, top - 17, -1):
        around = round(cut / 10.0**place)
        near = (float(f"{k}e{place}") for k in (around, around + 1, around - 1))
        if (value := next((value for value in near if low < value < high), None)) is not None:
            return value
    return cut
