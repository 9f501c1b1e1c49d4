"""Bare numbers that are not written plainly: thousands signs, another decimal sign, negatives in brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .amount import Amount, Parts


@dataclass(frozen=True)
class Grouped(Amount):
    """Numbers with a thousands sign, a decimal comma, or brackets for a minus.

    >>> Grouped(grouping=",").numbers(["1,234", "(56)", "12,34,567", "1,23"])
    [1234.0, -56.0, 1234567.0, None]
    """

    word: ClassVar[str] = "grouped"
    name: ClassVar[str] = "numbers"


def find_grouped(texts: Sequence[str], decimal: str) -> Grouped | None:
    """Return how texts spell bare numbers, or None where most are none.

    >>> find_grouped(["1 234", "56"], ".").grouping, find_grouped(["1,5", "2,25"], ".").decimal
    (' ', ',')
    """
    parts = Parts.of(texts)
    if parts.before[""] + parts.after[""] < 2 * len(parts.bodies) or 2 * len(parts.bodies) < len(texts):
        return None
    signs = parts.signs(decimal)
    return Grouped(decimal=signs[0], grouping=signs[1])
