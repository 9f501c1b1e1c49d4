"""Per cent: amounts with a per cent sign; 38 % is the number 38."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from .amount import Amount, Parts

_SIGNS = frozenset(("%", "pct", "percent", "prozent", "per cent"))


@dataclass(frozen=True)
class Percent(Amount):
    """Shares in per cent.

    >>> Percent(units=("%",)).numbers(["38 %", "2.5%", "-1%", "x"])
    [38.0, 2.5, -1.0, None]
    """

    word: ClassVar[str] = "per cent"
    name: ClassVar[str] = "per cent"

    def _words(self) -> str:
        return self.name


def find_percent(texts: Sequence[str], decimal: str) -> Percent | None:
    """Return how texts spell shares, or None where most have no per cent sign.

    >>> find_percent(["38 %", "2,5 %"], ".").decimal
    ','
    """
    parts = Parts.of(texts)
    words = {word for word in parts.around if word.casefold() in _SIGNS}
    if 2 * sum(parts.before[word] + parts.after[word] for word in words) < max(len(texts), 1):
        return None
    signs = parts.signs(decimal)
    return Percent(decimal=signs[0], grouping=signs[1], units=tuple(sorted(words)))
