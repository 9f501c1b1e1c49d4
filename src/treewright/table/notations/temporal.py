"""What dates, times of day and durations share: values are days, known to a step such as a minute."""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

import numpy as np

from .notation import Notation

MICROSECONDS = 86_400_000_000  # of a day
# From coarse to fine, in microseconds.
STEPS = {
    "day": MICROSECONDS,
    "minute": 60_000_000,
    "second": 1_000_000,
    "millisecond": 1_000,
    "microsecond": 1,
}
Self = TypeVar("Self", bound="Temporal")


@dataclass(frozen=True)
class Temporal(Notation):
    """A notation of times; `resolution` is the coarsest step that all values are multiples of."""

    resolution: str = "day"

    coarsest: ClassVar[str] = "day"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.resolution not in (*STEPS, "month"):
            raise TypeError(f"A {self.word} is known to the {', '.join(STEPS)}, not {self.resolution!r:.40}.")

    @property
    def step(self) -> int:
        """The resolution in microseconds; a month counts as a day."""
        return STEPS.get(self.resolution, MICROSECONDS)

    def floor(self, value: float) -> float:
        """Return the last day, minute, ... that is not after a value."""
        return floor_to(value, self.step) / MICROSECONDS if math.isfinite(value) else value

    def fine(self: Self, values: Any) -> Self:
        """Return the same notation with the resolution of these values, in days; NaN are gaps."""
        if self.resolution == "month":
            return self
        found = np.asarray(values, dtype=np.float64)
        found = found[np.isfinite(found)]
        at = (
            np.rint(found * MICROSECONDS).astype(np.int64)
            if np.all(np.abs(found) < 1e8)
            else np.zeros(0, int)
        )
        names = list(STEPS)[list(STEPS).index(self.coarsest) :]
        name = next(name for name in names if not np.any(at % STEPS[name]))
        return dataclasses.replace(self, resolution=name)


def floor_to(value: float, step: int) -> int:
    """Return the microseconds of the last step at or before a value in days.

    >>> floor_to(17920.5, MICROSECONDS) == 17920 * MICROSECONDS
    True
    """
    return round(value * MICROSECONDS) // step * step


def clock_words(at: int, step: int) -> str:
    """Return a time of day, given in microseconds, as it is shown.

    >>> clock_words(45_000_000_000, 60_000_000), clock_words(45_000_500_000, 1000)
    ('12:30', '12:30:00.500')
    """
    seconds, rest = divmod(at, 1_000_000)
    words = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}"
    if step >= STEPS["minute"]:
        return words
    words += f":{seconds % 60:02d}"
    if step == STEPS["second"]:
        return words
    return words + (f".{rest // 1000:03d}" if step == STEPS["millisecond"] else f".{rest:06d}")
