"""Units: amounts with the same word behind each of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .amount import Amount, Parts

_LONGEST = 16  # letters of a unit
_UNIT = re.compile(r"(?![eE](?![^\W\d_]))(?:[^\W\d_°%‰µ]*[^\W\d_][^\d\"'()<>=+]*[23]?|[°%‰µ][^\d\"'()<>=+]*)")


@dataclass(frozen=True)
class WithUnit(Amount):
    """Amounts in one unit, which stands behind them.

    >>> WithUnit(units=("kg",)).numbers(["70 kg", "8.5kg", "70 g"])
    [70.0, 8.5, None]
    """

    word: ClassVar[str] = "unit"
    name: ClassVar[str] = "amounts"


def find_unit(texts: Sequence[str], decimal: str) -> WithUnit | None:
    """Return how texts spell amounts of one unit, or None: two units are two sizes of the same number.

    >>> find_unit(["70 kg", "8.5 kg"], ".").units, find_unit(["70 kg", "300 g"], ".")
    (('kg',), None)
    >>> find_unit(["1 room", "2 rooms"], ".").units, find_unit(["A1", "A2"], ".")
    (('room', 'rooms'), None)
    >>> find_unit(["1E", "2E"], ".") is None  # half a number in powers of ten, or a door: no unit
    True
    """
    parts = Parts.of(texts)
    words = set(parts.after) - {""}
    if set(parts.before) - {""} or len({_bare(word) for word in words}) != 1:
        return None
    if not all(len(word) <= _LONGEST and _UNIT.fullmatch(word) for word in words):
        return None
    if 10 * sum(parts.after[word] for word in words) < 7 * len(texts):
        return None
    signs = parts.signs(decimal)
    return WithUnit(decimal=signs[0], grouping=signs[1], units=tuple(sorted(words)))


def _bare(word: str) -> str:
    """Return a unit without the marks of several: rooms are counted in the unit room."""
    return word.casefold().rstrip(".").removesuffix("s") or word.casefold()
