"""What a rule asks of one column: an interval or a set of categories, and what gaps and news pass."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.table import Schema
from treewright.tree.split import FULL, Style, name


def _value(column: str, x: float, style: Style, schema: Schema | None) -> str:
    """Return a number in the words of its column: a date as a date."""
    return style.number(x) if schema is None else style.value(schema[column], x)


@dataclass(frozen=True, repr=False)
class StandIn(Shown):
    """A test on another column that answers for a missing value: a cut, or categories on either side.

    >>> StandIn("temperature", cut=71.0).to_text()
    'temperature <= 71'
    >>> StandIn("Wind", passing=("Weak",), failing=("Strong",)).to_text()
    'Wind = Weak'
    """

    column: str
    cut: float | None = None  # of a numeric column
    is_below: bool = True  # whether x <= cut passes, or x > cut
    passing: tuple[str, ...] = ()  # of a column of categories; others than these two give no answer
    failing: tuple[str, ...] = ()

    def __str__(self) -> str:
        return harmless(self.to_text())

    def to_text(self, style: Style = FULL, schema: Schema | None = None) -> str:
        """Return the test in words; `schema` puts numbers into the words of their column.

        >>> StandIn("temperature", cut=71.5, is_below=False).to_text()
        'temperature > 71.5'
        """
        if self.cut is not None:
            side = "<=" if self.is_below else ">"
            return f"{name(self.column, style)} {side} {_value(self.column, self.cut, style, schema)}"
        return f"{name(self.column, style)} {_members(self.passing, style)}"


@dataclass(frozen=True, repr=False)
class Proxy(Shown):
    """Stand-ins for one test, asked in turn where its value is missing; `otherwise` if none can answer.

    >>> proxy = Proxy((StandIn("Wind", passing=("Weak",), failing=("Strong",)),), otherwise=1.0)
    >>> proxy.to_text()
    'Wind = Weak, else yes'
    """

    tests: tuple[StandIn, ...]
    otherwise: float  # the share of the row that passes
    missing: bool = True  # whether a gap asks them
    unseen: bool = False  # whether a category that training never had does
    categories: tuple[str, ...] = ()  # known categories that the test did not know, and that ask them

    def __str__(self) -> str:
        return harmless(self.to_text())

    def to_text(self, style: Style = FULL, schema: Schema | None = None) -> str:
        """Return the stand-ins in words.

        >>> Proxy((), otherwise=0.0).to_text()
        'else no'
        """
        last = "else yes" if self.otherwise else "else no"
        tests = ", else ".join(test.to_text(style, schema) for test in self.tests)
        return ", ".join([tests, last][not self.tests :])


@dataclass(frozen=True, repr=False)
class Condition(Shown):
    """What a rule asks of one column, and what share of a row passes.

    Of a numeric column the values low < x <= high pass; None is no bound. Of other columns the categories
    listed pass; those in `partly` with a share only, as a tree that divides rows has it. `missing` is the
    share that passes where the value is missing, `unseen` that of a category which training never had.
    `proxies` are tests on other columns that are asked there besides.

    >>> Condition("humidity", low=60.0, high=75.0).to_text()
    '60 < humidity <= 75'
    >>> Condition("Outlook", categories=("Sunny", "Rainy"), missing=1.0).to_text()
    'Outlook in {Sunny, Rainy} or missing'
    """

    column: str
    low: float | None = None
    high: float | None = None
    categories: tuple[str, ...] | None = None  # None: a numeric column
    partly: tuple[tuple[str, float], ...] = ()
    missing: float = 0.0
    unseen: float = 0.0
    proxies: tuple[Proxy, ...] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.column, str):
            raise TypeError(f"A condition is about a column by its name; found {self.column!r}.")
        if isinstance(self.categories, str):
            raise TypeError(f"Column {self.column!r}: give categories as a tuple, not {self.categories!r}.")
        if self.categories is not None and (self.low is not None or self.high is not None):
            raise ValueError(f"Column {self.column!r}: a condition has bounds or categories, not both.")
        if self.categories is None and (self.partly or self.unseen):
            raise ValueError(f"Column {self.column!r}: numbers have no categories, seen or unseen.")
        for bound in (self.low, self.high):
            if bound is not None and bound != bound:
                raise ValueError(f"Column {self.column!r}: a bound must be a number, not NaN.")
        shares = [self.missing, self.unseen, *(share for _, share in self.partly)]
        shares += [proxy.otherwise for proxy in self.proxies]
        if not all(0 <= share <= 1 for share in shares):
            raise ValueError(f"Column {self.column!r}: shares of a row lie between 0 and 1; found {shares}.")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it asks about: one.

        >>> Condition("humidity", low=60.0).columns
        ('humidity',)
        """
        return (self.column,)

    @property
    def key(self) -> Any:
        """What no other condition of a rule may be about."""
        return self.column

    @property
    def n_tests(self) -> int:
        """How many single tests it stands for: two for an interval with both bounds.

        >>> Condition("humidity", low=60.0, high=75.0).n_tests
        2
        """
        return max(1, (self.low is not None) + (self.high is not None))

    @property
    def has_known(self) -> bool:
        """True where some known value passes; False for "is missing" and for what nothing can pass.

        >>> Condition("x", high=1.0).has_known, Condition("x", low=math.inf, missing=1.0).has_known
        (True, False)
        """
        if self.categories is not None:
            return bool(self.categories or self.partly)
        low, high = self.low, self.high
        return low != math.inf and (low is None or high is None or low < high)

    @property
    def divides(self) -> bool:
        """True where some value lets a part of a row pass.

        >>> Condition("humidity", high=75.0, missing=0.4).divides
        True
        """
        shares = [self.missing, self.unseen, *(share for _, share in self.partly)]
        return any(0 < share < 1 for share in shares)

    def __str__(self) -> str:
        return harmless(self.to_text())

    def to_text(
        self,
        style: Style = FULL,
        *,
        says_missing: bool = True,
        says_unseen: bool = True,
        order: Any = (),
        edges: Any = None,
        schema: Schema | None = None,
    ) -> str:
        """Return the condition in words.

        `says_missing` and `says_unseen`: whether to speak of gaps and of new categories. `order` are the
        categories of an ordinal column, of which a run is told by its ends; by the numbers that are `edges`
        where the categories are intervals. `schema` puts numbers into the words of their column.

        >>> Condition("humidity", high=75.0, missing=0.4).to_text()
        'humidity <= 75 or missing (40 %)'
        >>> Condition("size", categories=("S", "M")).to_text(order=("S", "M", "L"))
        'size <= M'
        >>> names = ("<= 54", "(54, 85]", "> 85")
        >>> Condition("degrees", categories=names[:2]).to_text(order=names, edges=(54, 85))
        'degrees <= 85'
        """
        also = []
        if says_missing and (self.missing or self.proxies):
            also.append("missing" + share_in_words(self.missing, self.proxies, style, schema))
        if says_unseen:
            also += ["unseen" + share_in_words(self.unseen, (), style)] if self.unseen else []
            also += [
                f"{name(category, style)}{share_in_words(share, (), style)}"
                for category, share in self.partly
            ]
        known = self._known(style, tuple(order), edges, schema)
        column = name(self.column, style)
        if known is None:
            return f"{column} is {' or '.join(also)}" if also else f"{column} is never so"
        return " or ".join([known, *also])

    def _known(self, style: Style, order: tuple[str, ...], edges: Any, schema: Schema | None) -> str | None:
        """Return the words for the values that pass in full; None where none does."""
        column = name(self.column, style)
        if self.categories is not None:
            if not self.categories:
                return None
            if edges is not None:
                texts = (
                    [None if bound is None else _value(self.column, bound, style, schema) for bound in run]
                    for run in bounds_of(self.categories, order, edges)
                )
                return " or ".join(bounded(column, low, high) for low, high in texts)
            return (
                _run(column, self.categories, order, style) or f"{column} {_members(self.categories, style)}"
            )
        if not self.has_known:
            return None
        bounds = (
            None if b in (None, math.inf) else _value(self.column, b, style, schema)
            for b in (self.low, self.high)
        )
        return bounded(column, *bounds)


def bounds_of(
    categories: Iterable[str], order: Sequence[str], edges: Sequence[float]
) -> list[tuple[float | None, float | None]]:
    """Return low and high of each run of neighbouring intervals, given by their names; None is no bound.

    >>> names = ("<= 1", "(1, 2]", "(2, 3]", "> 3")
    >>> bounds_of(("<= 1", "(1, 2]", "> 3"), names, (1, 2, 3))
    [(None, 2), (3, None)]
    """
    wanted = set(categories)
    is_in = [False, *(name in wanted for name in order), False]
    begins = [i for i in range(len(order)) if is_in[i + 1] and not is_in[i]]
    ends = [i for i in range(len(order)) if is_in[i + 1] and not is_in[i + 2]]
    return [
        (edges[first - 1] if first else None, edges[last] if last < len(edges) else None)
        for first, last in zip(begins, ends, strict=True)
    ]


def bounded(column: str, low: str | None, high: str | None) -> str:
    """Return the words for low < x <= high; None: there is no such bound.

    >>> bounded("x", "1", None), bounded("x", "1", "2")
    ('x > 1', '1 < x <= 2')
    """
    if high is None:
        return f"{column} is known" if low is None else f"{column} > {low}"
    if low is None:
        return f"{column} <= {high}"
    return f"{low} < {column} <= {high}"


def share_in_words(
    share: float, proxies: tuple[Proxy, ...], style: Style, schema: Schema | None = None
) -> str:
    """Return what is added to "missing" where not simply the whole row passes.

    >>> share_in_words(1.0, (), Style()), share_in_words(0.4, (), Style())
    ('', ' (40 %)')
    """
    if proxies:
        return f" (by {'; '.join(proxy.to_text(style, schema) for proxy in proxies)})"
    if share == 1:
        return ""
    return f" ({100 * share:.3g} %)" if style.parts else " (in part)"


def _run(column: str, categories: tuple[str, ...], order: tuple[str, ...], style: Style) -> str | None:
    """Return a run of ordered categories by its ends; None where it is none, or is better listed."""
    if len(order) < 3 or len(categories) == 1:
        return None
    places = [order.index(category) for category in categories if category in order]
    if len(places) != len(categories) or places != list(range(places[0], places[0] + len(places))):
        return None
    if len(places) == len(order):
        return None
    if places[0] == 0:
        return f"{column} <= {name(order[places[-1]], style)}"
    if places[-1] == len(order) - 1:
        return f"{column} > {name(order[places[0] - 1], style)}"
    return None


def _members(categories: tuple[str, ...], style: Style) -> str:
    if len(categories) == 1:
        return f"= {name(categories[0], style)}"
    most = style.most
    shown = categories if most is None or len(categories) <= most + 1 else categories[:most]
    names = [name(category, style) for category in shown]
    if len(shown) < len(categories):
        names.append(f"{style.dots} {len(categories) - len(shown)} more")
    return "in {" + ", ".join(names) + "}"
