"""Which words are numbers, gaps, codes or dates: the one rule for files of text."""

from __future__ import annotations

import re
from collections.abc import Sequence

# "None" and "none" are not here: real tables have them as categories.
MISSING_CELLS = ("", "?", "NA", "N/A", "NaN", "nan", "null", "NULL")

WHOLE = re.compile(r"\s*[+-]?\d+\s*", re.ASCII)
_ODD = re.compile(r"[^0-9.eE+\- ]")  # what Python's float may take, but a file does not mean
_ENDS = r"\s*[+-]?{}\s*"
_POINT = re.compile(_ENDS.format(r"((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity)"), re.IGNORECASE | re.ASCII)
_COMMA = re.compile(_ENDS.format(r"((\d+,?\d*|,\d+)(e[+-]?\d+)?|inf|infinity)"), re.IGNORECASE | re.ASCII)


def number_of(text: str, decimal: str = ".") -> float | None:
    """Return the number that a cell spells, correctly rounded, or None; NaN is no number but a gap.

    >>> number_of(" 2.5 "), number_of("1e3"), number_of("2,5", ","), number_of("2.5", ",")
    (2.5, 1000.0, 2.5, None)
    >>> number_of("1_000"), number_of("NaN"), number_of("0x1F")
    (None, None, None)
    """
    if decimal == ",":
        return float(text.replace(",", ".")) if _COMMA.fullmatch(text) else None
    return float(text) if _POINT.fullmatch(text) else None


def numbers_of(texts: Sequence[str], decimal: str = ".") -> list[float | None]:
    """Return `number_of` each text; quickly where all are plain numbers.

    >>> numbers_of(["1", "2.5"]), numbers_of(["1", "x"]), numbers_of(["1,5"], ",")
    ([1.0, 2.5], [1.0, None], [1.5])
    """
    if decimal == "." and _ODD.search("".join(texts)) is None:
        try:
            return list(map(float, texts))
        except ValueError:
            pass
    return [number_of(text, decimal) for text in texts]


def is_code(texts: list[str]) -> bool:
    """Return whether texts are codes: digits, all equally many, and zeros in front (postcodes, "007").

    >>> is_code(["01234", "98765"]), is_code(["01234", "1234"]), is_code(["0", "1"]), is_code(["12", "34"])
    (True, False, False, False)
    """
    return is_fixed_width(texts) and any(text[0] == "0" for text in texts)


def is_fixed_width(texts: list[str]) -> bool:
    """Return whether texts are digits, two or more, and all equally many.

    >>> is_fixed_width(["1998", "2003"]), is_fixed_width(["1998", "203"])
    (True, False)
    """
    width = len(texts[0]) if texts else 0
    return width > 1 and all(len(text) == width and text.isascii() and text.isdigit() for text in texts)
