"""One column of a row that may change: the values that are left for it, and what it costs to move there.

A region is what is left of a column on the way down. Of numbers it is (low, high, keeps): both ends belong to
it, and `keeps` says whether the row may stay without a value. Of categories it is the bits of an integer, one
for each code, and one more for staying without a known value.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from treewright.table import Column
from treewright.table.raw import EXACT, MISSING

GAP, UNSEEN = (
    -1,
    -2,
)  # answers to a question that are no branch: no value, or one that the node does not know
Region: TypeAlias = "tuple[float, float, bool] | int"
Test: TypeAlias = "float | tuple[tuple[int, int], ...]"  # a cut; or the bits of the codes behind each answer


@dataclass(frozen=True)
class Numbers:
    """A numeric column: its value, the price of one unit, and of a value where there is none.

    >>> from treewright.table import Kind
    >>> age = Numbers(Column("age", Kind.numeric), value=37.0, price=0.1, fill=1.0, is_whole=True)
    >>> [(answer, region) for answer, region in age.answers(age.everything, 39.5)]
    [(0, (-inf, 39.0, False)), (1, (40.0, inf, False))]
    >>> older = (40.0, math.inf, False)
    >>> age.holds(older), age.nearest(older), round(age.cost(older), 2)
    (False, 40.0, 0.3)
    """

    column: Column
    value: float  # NaN: missing
    price: float
    fill: float
    is_whole: bool = False  # whether it moves by whole numbers

    @property
    def everything(self) -> Region:
        """All values there are."""
        return (-math.inf, math.inf, self.is_gap)

    @property
    def own(self) -> Region:
        """The row's own value alone."""
        return (math.inf, -math.inf, True) if self.is_gap else (self.value, self.value, False)

    @property
    def is_gap(self) -> bool:
        """Whether the row has no value here."""
        return self.value != self.value

    @property
    def is_known(self) -> bool:
        """Whether the row has a value that tests can answer."""
        return self.value == self.value

    def answers(self, region: Any, test: Any) -> Iterator[tuple[int, Region]]:
        """Yield the answers a cut can get from a region, each with what is left."""
        low, high, keeps = region
        if low <= high:
            below, above = self.up_to(test), self.after(test)
            if low <= below:
                yield 0, (low, min(high, below), False)
            if above is not None and above <= high:
                yield 1, (max(low, above), high, False)
        if keeps:
            yield GAP, (math.inf, -math.inf, True)

    def up_to(self, cut: float) -> float:
        """The largest value that is <= cut."""
        return float(math.floor(cut)) if self.is_whole and abs(cut) < EXACT else cut

    def after(self, cut: float) -> float | None:
        """The smallest value that is > cut; None where there is none."""
        if cut == math.inf:
            return None
        if self.is_whole and abs(cut) < EXACT:
            return math.floor(cut) + 1.0
        return math.nextafter(cut, math.inf)

    def before(self, low: float) -> float:
        """The largest value that is < low."""
        return low - 1 if self.is_whole and abs(low) < EXACT else math.nextafter(low, -math.inf)

    def holds(self, region: Any) -> bool:
        """Whether the row's own value is in the region."""
        low, high, keeps = region
        return bool(keeps) if self.is_gap else bool(low <= self.value <= high)

    def nearest(self, region: Any) -> float:
        """The value in a region that costs least; NaN where the row stays without one."""
        low, high, keeps = region
        if self.is_gap:
            return math.nan if keeps else _inside(low, high)
        return float(min(max(self.value, low), high))

    def cost(self, region: Any) -> float:
        """The least price of a value in the region; infinite where no finite move leads there."""
        if self.holds(region):
            return 0.0
        return self.cost_of(self.nearest(region))

    def cost_of(self, value: float) -> float:
        """The price of moving to a value."""
        if value == self.value:
            return 0.0
        if math.isinf(value):
            return math.inf
        if self.is_gap or math.isinf(self.value):
            return self.fill
        move = abs(value - self.value)
        return math.inf if math.isinf(move) else move * self.price


def _inside(low: float, high: float) -> float:
    """Return a finite value between two ends, if there is one."""
    if low == high:
        return low
    return high if math.isfinite(high) else low if math.isfinite(low) else 0.0


@dataclass(frozen=True)
class Codes:
    """A column of categories: the row's code (-1 missing, -2 unseen) and the price of each other.

    `values` are numbers that stand for intervals, where the column is numbers cut into intervals.

    >>> from treewright.table import Kind
    >>> wind = Codes(Column("Wind", Kind.nominal, ("Strong", "Weak")), code=0, prices=(0.0, 1.0))
    >>> list(wind.answers(wind.everything, ((0, 0b10), (1, 0b01))))
    [(0, 2), (1, 1)]
    >>> wind.holds(0b10), wind.nearest(0b10), wind.cost(0b10)
    (False, 1, 1.0)
    """

    column: Column
    code: int
    prices: tuple[float, ...]
    values: tuple[float, ...] | None = None
    value: float | None = None  # the number that the row has, if it is known

    @property
    def everything(self) -> Region:
        """All categories, and the row's own state."""
        return (1 << len(self.prices)) - 1 | self.own

    @cached_property
    def own(self) -> int:
        """The row's own value alone."""
        return 1 << (self.code if self.code >= 0 else len(self.prices))

    @property
    def is_known(self) -> bool:
        """Whether the row has a category that training had."""
        return self.code >= 0

    @cached_property
    def _cheapest_first(self) -> tuple[int, ...]:
        return tuple(sorted(range(len(self.prices)), key=lambda code: (self.prices[code], code)))

    def answers(self, region: Any, test: Any) -> Iterator[tuple[int, Region]]:
        """Yield the answers a test can get from a region, each with what is left; the last ones are none."""
        rest = region
        for answer, bits in test:
            rest &= ~bits
            if left := region & bits:
                yield answer, left
        known = (1 << len(self.prices)) - 1
        if unseen := rest & known:
            yield UNSEEN, unseen
        if rest & ~known:
            yield (GAP if self.code == MISSING else UNSEEN), rest & ~known

    def holds(self, region: Any) -> bool:
        """Whether the row's own value is in the region."""
        return bool(region & self.own)

    def nearest(self, region: Any) -> int:
        """The code in a region that costs least, the first of equals; the row's own if it may stay."""
        if region & self.own:
            return self.code
        return next(code for code in self._cheapest_first if region >> code & 1)

    def cost(self, region: Any) -> float:
        """The least price of a category in the region."""
        return 0.0 if region & self.own else self.prices[self.nearest(region)]

    def cost_of(self, code: int) -> float:
        """The price of moving to a code."""
        return 0.0 if code == self.code else self.prices[code]

    def cheapest(self, region: Any) -> tuple[int, ...]:
        """All codes in a region that cost as little as the nearest."""
        least = self.prices[self.nearest(region)]
        return tuple(code for code, price in enumerate(self.prices) if region >> code & 1 and price == least)


Axis: TypeAlias = "Numbers | Codes"
