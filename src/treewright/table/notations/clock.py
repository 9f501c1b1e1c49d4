"""Times of day: 08:30, 23:15:00, 8:30 PM."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from treewright.measure.intervals import number
from treewright.table.kind import Kind

from .date import time_of_day
from .notation import plain
from .temporal import MICROSECONDS, Temporal, clock_words, floor_to

_CLOCK = re.compile(r"(\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?)\s*([AaPp]\.?[Mm]\.?)?(?:\s*Uhr)?")
# Where a word says that it is a time: 8.30 Uhr, 8 Uhr, 8h30, 8 pm.
_SAID = re.compile(
    r"(?P<hour>\d{1,2})(?:[.](?P<minute>\d\d))?\s*Uhr|(?P<hours>\d{1,2})\s?h\s?(?P<minutes>\d\d)"
    r"|(?P<at>\d{1,2})(?:[.](?P<past>\d\d))?\s*(?P<half>[AaPp]\.?[Mm]\.?)"
)


@dataclass(frozen=True)
class Clock(Temporal):
    """Times of day, as the part of a day that has passed since midnight.

    >>> Clock().numbers(["06:00", "6:00 PM", "24:00"]), Clock().to_text(0.75)
    ([0.25, 0.75, None], '18:00')
    """

    resolution: str = "minute"

    word: ClassVar[str] = "time"
    kind: ClassVar[Kind] = Kind.time
    coarsest: ClassVar[str] = "minute"

    def number(self, text: str) -> float | None:
        """Return the part of the day of one text, or None."""
        found = _CLOCK.fullmatch(text)
        at = _time_in_words(text) if found is None else time_of_day(found[1], found[2])
        return None if at is None else at / MICROSECONDS

    def to_text(self, value: float) -> str:
        """Return the time as a clock shows it."""
        if not 0 <= value < 1:
            return number(value)
        return clock_words(floor_to(value, self.step), self.step)

    def why(self, example: str) -> str:
        """Return the reason in words."""
        return f"times of day, such as {example!r:.40}"


def _time_in_words(text: str) -> int | None:
    """Return the microseconds of a time without a colon, or None."""
    found = _SAID.fullmatch(text)
    if found is None:
        return None
    hour = found["hour"] or found["hours"] or found["at"]
    minute = found["minute"] or found["minutes"] or found["past"] or "00"
    return time_of_day(f"{hour}:{minute}", found["half"])


def find_clock(texts: Sequence[str], decimal: str) -> Clock | None:  # noqa: ARG001
    """Return how texts spell times of day, or None where most do not.

    >>> find_clock(["06:00:01", "07:30"], ".").resolution
    'second'
    """
    values = [v for v in map(Clock().number, map(plain, texts)) if v is not None]
    if 2 * len(values) < max(1, len(texts)):
        return None
    return Clock().fine(values)
