"""Amounts: numbers with a thousands sign, a decimal comma, a currency, a per cent sign or a unit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from .notation import Notation, plain

# Decimal sign and thousands sign, the likelier first: after a file's decimal sign.
_SIGNS = {
    ".": ((".", ""), (".", ","), (".", "'"), (".", " "), (",", ""), (",", "."), (",", " "), (",", "'")),
    ",": ((",", ""), (",", "."), (",", " "), (",", "'"), (".", "'"), (".", ","), (".", ""), (".", " ")),
}
_NAMES = {".": "a point", ",": "a comma", "'": "an apostrophe", " ": "a space"}
# An amount is something before, a body of digits and signs, something behind; in brackets it is negative.
# Round sums may have dashes in place of cents: 12,- and 12.--; a unit may end in a digit: m2.
_CELL = re.compile(
    r"(?P<open>\()?\s*[-+]?\s*(?P<before>[^\d\s.,'()+-][^\d()]*?)?\s*(?P<inner>\()?[-+]?\s*"
    r"(?P<body>(?:\d[\d.,' ]*\d|\d)(?:[.,]--?(?![\d-]))?|[.,]\d+)(?:-(?=\s))?\s*(?P<outer>\))?"
    r"(?P<after>[^\d().,'+-][^\d()]*?(?:(?<=[A-Za-z])[23])?)?\s*-?\s*(?P<close>\))?"
)


@dataclass(frozen=True)
class Amount(Notation):
    """Numbers as people write them; `units` are the words around them, all of one meaning.

    >>> euros = Amount(decimal=",", grouping=".", units=("€",))
    >>> euros.numbers(["1.234,56 €", "-5 €", "3,5- €", "(7,5)", "12.34"])
    [1234.56, -5.0, -3.5, -7.5, None]
    """

    decimal: str = "."
    grouping: str = ""
    units: tuple[str, ...] = ()

    word: ClassVar[str] = "amount"
    name: ClassVar[str] = "numbers"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "units", tuple(self.units))
        if self.decimal not in (".", ",") or self.grouping not in ("", ".", ",", "'", " "):
            raise TypeError(f"No number has the signs {self.decimal!r:.20} and {self.grouping!r:.20}.")

    def number(self, text: str) -> float | None:
        """Return the number that a text spells, or None."""
        found = _pattern(self.decimal, self.grouping, self.units).fullmatch(text)
        if found is None or bool(found["open"]) != bool(found["close"]):
            return None
        body = found["body"].rstrip("-")
        body = body.replace(self.grouping, "") if self.grouping else body
        size = float(body.replace(",", ".") if self.decimal == "," else body)
        minuses = [
            found["first"],
            found["second"],
            found["inner"],
            found["last"],
            found["open"] and "-",
        ].count("-")
        return None if minuses > 1 else -size if minuses else size

    def doubts(self, texts: Sequence[str], counts: Sequence[int]) -> list[str]:
        """Return whether cells without a unit were taken in it too."""
        units = [unit.casefold() for unit in self.units]
        is_bare = [any(map(str.isdigit, t)) and not any(u in t.casefold() for u in units) for t in texts]
        n_bare = sum(n for n, bare in zip(counts, is_bare, strict=True) if bare)
        if not units or not n_bare:
            return []
        example = texts[is_bare.index(True)]
        cells = "1 cell has" if n_bare == 1 else f"{n_bare:,} cells have"
        return [f"{cells} no {self.units[0]!r}, such as {example!r:.40}, and is taken in it like the others"]

    @property
    def remark(self) -> str:
        """The unit."""
        return self.units[0] if self.units else ""

    def why(self, example: str) -> str:
        """Return the reason in words."""
        signs = f", {_NAMES[self.decimal]} for decimals"
        signs += f" and {_NAMES[self.grouping]} for thousands" if self.grouping else ""
        return f"{self._words()}, such as {example!r:.40}{signs}"

    def _words(self) -> str:
        return f"{self.name} in {self.units[0]}" if self.units else self.name


@lru_cache(maxsize=256)
def _pattern(decimal: str, grouping: str, units: tuple[str, ...]) -> re.Pattern[str]:
    whole = r"\d+"
    if grouping:
        sign = re.escape(grouping)
        whole = rf"(?:[1-9]\d{{0,2}}(?:{sign}\d{{3}})+|[1-9]\d?(?:{sign}\d\d)+{sign}\d{{3}}|\d+)"
    point = re.escape(decimal)
    around = "|".join(sorted(map(re.escape, units), key=len, reverse=True))
    unit = rf"(?:(?:{around})\.?)?" if units else ""
    return re.compile(
        rf"(?:{unit}\s*(?P<open>\())?\s*(?P<first>[-+])?\s*{unit}\s*(?P<second>[-+])?\s*"
        rf"(?P<body>{whole}(?:{point}(?:--?|\d*))?|{point}\d+)(?P<inner>-(?=\s))?\s*{unit}\s*(?P<last>-)?\s*"
        rf"(?:(?P<close>\))\s*{unit})?",
        re.IGNORECASE | re.ASCII,
    )


@dataclass(frozen=True)
class Parts:
    """Cells divided into what stands before, the digits and signs, and what stands behind."""

    before: Counter[str]
    bodies: tuple[str, ...]
    after: Counter[str]
    n_cells: int

    @classmethod
    def of(cls, texts: Sequence[str]) -> Parts:
        """Return the parts of the texts that have such parts; brackets come in pairs."""
        found = [
            m
            for m in map(_CELL.fullmatch, map(plain, texts))
            if m and bool(m["open"] or m["inner"]) == bool(m["close"] or m["outer"])
        ]
        before = Counter((m["before"] or "").strip() for m in found)
        after = Counter((m["after"] or "").strip() for m in found)
        return cls(before, tuple(m["body"] for m in found), after, len(texts))

    @property
    def around(self) -> set[str]:
        """All words around the digits, without the empty one."""
        return {*self.before, *self.after} - {""}

    def signs(self, decimal: str, has_cents: bool = False) -> tuple[str, str]:
        """Return the decimal sign and the thousands sign that read most of the bodies, the likelier first.

        With `has_cents` three digits behind the last sign are thousands: no money has three decimals.
        """
        ways: Sequence[tuple[str, str]] = _SIGNS[decimal]
        ends = {body[-4:-3] for body in self.bodies if not body.isdigit()}
        if has_cents and len(ends) == 1 and ends <= {".", ","}:
            ways = tuple(sorted(ways, key=lambda way: way[1] not in ends))
        counts = {way: sum(_pattern(*way, ()).fullmatch(b) is not None for b in self.bodies) for way in ways}
        return max(ways, key=lambda way: counts[way])
