"""ISO dates and times by NumPy: the same days as `date.py` gives one by one, for very many at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

_DATE = re.compile(r"\d\d\d\d-\d\d-\d\d([ T]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d(:?\d\d)?)?)?", re.ASCII)
_ZONE = re.compile(r"(Z|[+-]\d\d(:?\d\d)?)$")
_PARTS = re.compile(r"([+-])(\d\d):?(\d\d)?$")


def iso_days(texts: Sequence[str]) -> NDArray[np.float64] | None:
    """Return ISO dates and times as days since 1970-01-01, in UTC; None where a text is no such date.

    >>> iso_days(["1970-01-02", "1970-01-01T18:00:00+06:00"]).tolist(), iso_days(["1970-02-30"])
    ([1.0, 0.5], None)
    """
    if not all(len(text) >= 10 and text[4] == "-" and _DATE.fullmatch(text) for text in texts):
        return None
    whole = all(len(text) == 10 for text in texts)
    try:
        moments = np.array([_plain(text) for text in texts], dtype="M8[D]" if whole else "M8[us]")
    except ValueError:
        return None
    if whole:
        return moments.astype(np.int64).astype(np.float64)
    moments = moments - np.array([_shift(text) for text in texts], dtype="m8[s]")
    days: NDArray[np.float64] = moments.astype("M8[us]").astype(np.int64) / 86_400_000_000
    return days


def _plain(text: str) -> str:
    return text if len(text) == 10 else _ZONE.sub("", text[:10] + "T" + text[11:])[:26]


def _shift(text: str) -> int:
    found = _PARTS.search(text, 16)
    if found is None:
        return 0
    seconds = int(found[2]) * 3600 + int(found[3] or 0) * 60
    return -seconds if found[1] == "-" else seconds
