"""An axis of a chart: what it is of, its ends, its scale, and the ticks that a person would choose."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from treewright.base.names import choice
from treewright.base.numbers import number

SCALES = ("linear", "log", "log from 0", "none")
_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_MOST_LINEAR = 50  # beyond this ratio of its ends a quantity is drawn on a logarithmic scale
_ROOM = 0.05  # beyond the values, of their spread
_ZERO = 0.12  # of a logarithmic axis: the piece between 0 and the least value above


@dataclass(frozen=True)
class Axis:
    """One side of a chart: what it is of, from where to where, and how values lie on it.

    Args:
        label: what it is of.
        low: the value at its beginning.
        high: the value at its end.
        scale: "linear", "log", "log from 0" (0, then the powers of ten), or "none" for a picture without it.
        names: categories, the first at 0; the ends are then half a step beyond the first and the last.
        is_whole: whether ticks stand at whole numbers only.
        is_share: whether ticks are read in per cent.
        first_above: on a scale from 0 the least value above it.

    >>> Axis("rows", 0, 10).place(2.5)
    0.25
    >>> Axis("alpha", 0.01, 1, "log").place(0.1)
    0.5
    >>> Axis.of_names("class", ["yes", "no"]).ticks(5)
    ((0.0, 'yes'), (1.0, 'no'))
    """

    label: str
    low: float = 0.0
    high: float = 1.0
    scale: str = "linear"
    names: tuple[str, ...] = ()
    is_whole: bool = False
    is_share: bool = False
    first_above: float = 0.0

    def __post_init__(self) -> None:
        choice("scale", self.scale, SCALES)
        if not (math.isfinite(self.low) and math.isfinite(self.high) and self.low < self.high):
            raise ValueError(
                f"Axis {self.label!r} runs from {self.low!r} to {self.high!r}; it needs two finite ends, the "
                "lower one first."
            )
        least = self.first_above if self.scale == "log from 0" else self.low
        if self.scale.startswith("log") and not least > 0:
            raise ValueError(f"Axis {self.label!r} is logarithmic; it begins above 0, not at {least!r}.")

    @classmethod
    def of_names(cls, label: str, names: Iterable[Any]) -> Axis:
        """Return an axis of categories.

        >>> Axis.of_names("class", ["yes", "no"]).high
        1.5
        """
        listed = tuple(map(str, names))
        return cls(label, -0.5, max(len(listed), 1) - 0.5, names=listed)

    def place(self, value: float) -> float:
        """Return where a value lies: 0 at the beginning of the axis, 1 at its end, beyond both outside.

        >>> Axis("m", 0, 100, "log from 0", first_above=1).place(10)
        0.56
        """
        if self.scale == "log":
            low, high = math.log10(self.low), math.log10(self.high)
            return (math.log10(max(value, 1e-300)) - low) / (high - low)
        if self.scale == "log from 0":
            if value <= self.first_above:
                return _ZERO * value / self.first_above
            low, high = math.log10(self.first_above), math.log10(self.high)
            share = (math.log10(value) - low) / (high - low) if high > low else 1.0
            return round(_ZERO + (1 - _ZERO) * share, 12)
        return (value - self.low) / (self.high - self.low)

    def ticks(self, most: int) -> tuple[tuple[float, str], ...]:
        """Return values to name on the axis, with their names: round ones, about so many at most.

        >>> Axis("share", 0, 1, is_share=True).ticks(4)
        ((0.0, '0 %'), (0.25, '25 %'), (0.5, '50 %'), (0.75, '75 %'), (1.0, '100 %'))
        >>> [words for _, words in Axis("m", 0, 300, "log from 0", first_above=0.5).ticks(6)]
        ['0', '1', '10', '100']
        """
        if self.scale == "none":
            return ()
        if self.names:
            return tuple((float(i), name) for i, name in enumerate(self.names))
        if self.scale.startswith("log"):
            return self._powers(max(2, most))
        step = _step(self.low, self.high, max(2, most), self.is_whole)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return tuple((_rounded(i * step), self.words(i * step)) for i in range(first, last + 1))

    def _powers(self, most: int) -> tuple[tuple[float, str], ...]:
        from_zero = self.scale == "log from 0"
        low = math.ceil(math.log10(self.first_above if from_zero else self.low) - 1e-9)
        high = math.floor(math.log10(self.high) + 1e-9)
        values = [10.0**power for power in range(low, high + 1, 1 + (high - low) // most)]
        if not from_zero and len(values) < 2:  # less than a power of ten from end to end
            values = [v for p in range(low - 1, high + 1) for v in (10.0**p, 2 * 10.0**p, 5 * 10.0**p)]
            values = [value for value in values if self.low <= value <= self.high] or [self.low, self.high]
        return tuple((value, self.words(value)) for value in ([0.0] if from_zero else []) + values)

    def words(self, value: float) -> str:
        """Return a value as it is written at the axis.

        >>> Axis("share", is_share=True).words(0.25), Axis("rows").words(1000)
        ('25 %', '1,000')
        """
        if self.is_share:
            return f"{number(_rounded(100 * value))} %"
        return number(_rounded(value), 6)

    def wider(self, *values: float) -> Axis:
        """Return the axis with its ends far enough out for these values.

        >>> Axis("rows", 0, 10).wider(12.0).high
        12.0
        """
        known = [value for value in values if math.isfinite(value)]
        return replace(self, low=min([self.low, *known]), high=max([self.high, *known]))


def axis_over(
    label: str,
    values: Sequence[float],
    *,
    is_share: bool = False,
    is_log: bool | None = None,
    room: float = _ROOM,
) -> Axis:
    """Return an axis over values: with some room, logarithmic where they span orders of magnitude.

    Shares keep to 0 and 1. Whole numbers have whole ticks. `is_log` False: linear in any case.

    >>> axis_over("rows", [10.0, 20.0]).is_whole, axis_over("alpha", [0.001, 1.0]).scale
    (True, 'log')
    >>> axis_over("alpha", [0.0, 0.001, 1.0]).scale
    'log from 0'
    """
    known = np.asarray([v for v in values if math.isfinite(v)] or [0.0, 1.0], dtype=np.float64)
    low, high = float(known.min()), float(known.max())
    above = known[known > 0]
    spans = len(above) > 1 and low >= 0 and high >= _MOST_LINEAR * float(above.min())
    if is_share:
        spans, is_log = False, None
    if spans if is_log is None else is_log and low >= 0 and len(above) > 0:
        first = float(above.min())
        if low == 0:
            return Axis(label, 0.0, 1.2 * high, "log from 0", first_above=first)
        return Axis(label, first / 1.15, high * 1.15, "log")
    is_whole = bool((known == np.round(known)).all()) and not is_share
    more = room * (high - low) or max(abs(high) * room, 0.5 if is_whole else 1e-3)
    low, high = low - more, high + more
    if is_share:
        low, high = max(low, 0.0), min(high, 1.0)
        low, high = (low, high) if low < high else (0.0, 1.0)
    return Axis(label, low, high, is_whole=is_whole, is_share=is_share)


def _rounded(value: float) -> float:
    return float(f"{value:.12g}")


def _step(low: float, high: float, most: int, is_whole: bool) -> float:
    """Return the least round distance at which no more than so many ticks stand between the ends."""
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    found = next(power * step for step in _STEPS if power * step >= rough * (1 - 1e-9))
    if is_whole:
        return max(1.0, float(round(found)) if found < 10 else found)
    return found
