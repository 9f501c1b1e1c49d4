"""One cell of a row changed: from what, to what, how far, at which cost."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from treewright.base.lines import harmless
from treewright.base.notebook import Shown
from treewright.base.numbers import number as in_words
from treewright.explain.axis import Axis, Codes, Numbers
from treewright.explain.row import Row
from treewright.measure.intervals import number
from treewright.tree.split import FULL, Style, name

TextOf = Callable[[float], str]


@dataclass(frozen=True, repr=False)
class Change(Shown):
    """A new value for one column. All values that `words` says would do as well as `after`.

    >>> import treewright as tw
    >>> tree = tw.grow(tw.Table.from_dict({"age": [20, 30, 40, 50], "y": list("aabb")}), target="y")
    >>> change = tree.explain({"age": 30}).alternatives[0].changes[0]
    >>> change.before, change.after, change.move, change.to_text()
    (30, 36, 6.0, 'age from 30 to 36 (+6)')
    """

    column: str
    before: Any  # None: missing
    after: Any
    move: float | None  # of numbers
    cost: float
    words: str  # the values that would do
    unit: str = ""  # of the move

    def __str__(self) -> str:
        return harmless(self.to_text())

    def to_text(self, style: Style = FULL) -> str:
        """Return the change in words.

        >>> Change("Wind", "Weak", "Strong", None, 1.0, "Strong").to_text()
        'Wind from Weak to Strong'
        """
        unit = f" {self.unit}" if self.unit else ""
        move = "" if self.move is None else f" ({_signed(self.move)}{unit})"
        return f"{name(self.column, style)} from {cell_words(self.before, style)} to {self.words}{move}"

    def to_dict(self) -> dict[str, Any]:
        """Return the change as plain JSON types.

        >>> Change("Wind", "Weak", "Strong", None, 1.0, "Strong").to_dict()
        {'column': 'Wind', 'from': 'Weak', 'to': 'Strong', 'move': None, 'cost': 1.0, 'words': 'Strong'}
        """
        plain = {"column": self.column, "from": self.before, "to": self.after, "move": self.move}
        return {**plain, "cost": self.cost, "words": self.words}


_NEAR = 1e-3  # how far a short number may lie from the cut, as a share of it
_LONG = 9  # digits from which on it is rounded where no such number is near
_DIGITS = 4  # digits that are left


def cell_words(value: Any, style: Style = FULL) -> str:
    """Return a cell in words.

    >>> cell_words(39.5), cell_words("a, b"), cell_words(None), cell_words(True)
    ('39.5', "'a, b'", 'missing', 'True')
    """
    if value is None:
        return "missing"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    return name(str(value), style)


def _signed(move: float) -> str:
    return ("-" if move < 0 else "+") + in_words(abs(move), 6).replace(",", "")


def _safe(value: float, is_up: bool, style: Style) -> float:
    """Return a cut of many digits as a short number nearby, on the side that the change leads to.

    >>> short = Style(short={7.8149999999999995: 7.81, 4448.594999999999: 4000.0})
    >>> _safe(7.8149999999999995, False, short), _safe(7.8149999999999995, True, short)
    (7.81, 7.815)
    >>> _safe(4448.594999999999, False, short)
    4448.0
    """
    shown = style.short.get(value)
    if shown is None or shown == value:
        return value
    if (shown > value) == is_up and abs(shown - value) <= _NEAR * abs(value):
        return shown
    if float(f"{value:.{_LONG}g}") == value:
        return value
    places = _DIGITS - 1 - math.floor(math.log10(abs(value)))
    step = 10.0**-places
    near = round(value, places)
    near = (
        near if near == value or (near > value) == is_up else round(near + (step if is_up else -step), places)
    )
    return near if near == value or (near > value) == is_up else value


def change_to(
    axis: Axis, row: Row, region: Any, style: Style = FULL, is_point: bool = False
) -> tuple[Change, Any]:
    """Return the cheapest change of a row's cell into a region, and the cell in the tree's codes.

    `is_point`: the region is one value, of which others depend.
    """
    before = row.shown[axis.column.name]
    if isinstance(axis, Numbers):
        change, after = _of_number(axis, before, region, style)
        return (replace(change, words=axis.column.text_of(after)) if is_point else change), after
    return _of_code(axis, before, region, style)


def _of_number(axis: Numbers, before: Any, region: Any, style: Style) -> tuple[Change, float]:
    low, high, _ = region
    after = axis.nearest(region)
    is_up = axis.is_known and after > axis.value
    move = after - axis.value if axis.is_known and math.isfinite(axis.value) else None
    words = (
        _whole_words(low, high, is_up, axis.column.text_of)
        if axis.is_whole and axis.is_known
        else _words(before_of(low), high, is_up, axis.column.text_of, style)
    )
    plain: Any = int(after) if axis.is_whole and math.isfinite(after) else after
    if axis.column.is_temporal:
        plain = axis.column.text_of(after)
    unit = "days" if axis.column.is_temporal else ""
    return Change(axis.column.name, before, plain, move, axis.cost_of(after), words, unit), after


def before_of(low: float) -> float:
    """Return the cut that a value must exceed to be at least `low`: the float before it."""
    return low if low == -math.inf else math.nextafter(low, -math.inf)


def _whole_words(low: float, high: float, is_up: bool, number: TextOf) -> str:
    if is_up:
        return number(low) + (f" (up to {number(high)})" if low < high < math.inf else "")
    return number(high) + (f" (down to {number(low)})" if -math.inf < low < high else "")


def _words(cut: float, high: float, is_up: bool, number: TextOf = number, style: Style = FULL) -> str:
    """Return words for cut < x <= high, the end that is nearer first."""
    is_one = math.nextafter(cut, math.inf) == high
    cut, high = _safe(cut, True, style), _safe(high, False, style)
    if is_one:
        return f"just above {number(cut)}" if is_up else number(high)
    above = [] if cut == -math.inf else [f"more than {number(cut)}"]
    below = (
        []
        if high == math.inf
        else [f"at most {number(high)}" if is_up and above else f"{number(high)} or less"]
    )
    return ", ".join(above + below if is_up else below + above) or "any value"


def _of_code(axis: Codes, before: Any, region: int, style: Style) -> tuple[Change, Any]:
    code = axis.nearest(region)
    cost, column = axis.prices[code], axis.column
    if axis.values is None:
        names = [name(column.categories[c], style) for c in axis.cheapest(region)]
        return Change(column.name, before, column.categories[code], None, cost, any_of(names, style)), code
    edges, after = column.edges or (), axis.values[code]
    first = last = code
    while first > 0 and region >> first - 1 & 1:
        first -= 1
    while last < len(edges) and region >> last + 1 & 1:
        last += 1
    cut = edges[first - 1] if first else -math.inf
    high = edges[last] if last < len(edges) else math.inf
    move = None if axis.value is None or math.isinf(axis.value) else after - axis.value
    words = _words(cut, high, move is not None and move > 0)
    return Change(column.name, before, after, move, cost, words), after


def any_of(names: list[str], style: Style) -> str:
    """Return "a, b or c", at most as many as the style says.

    >>> any_of(["a", "b", "c"], FULL), any_of(list("abcdefgh"), Style(most=2))
    ('a, b or c', 'a, b or 6 others')
    """
    most = style.most
    if most is not None and len(names) > most + 1:
        return f"{', '.join(names[:most])} or {len(names) - most} others"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
