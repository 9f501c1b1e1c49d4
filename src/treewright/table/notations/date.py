"""Dates, with or without a time: ISO, in the orders of several countries, with names of months, serials."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from treewright.measure.intervals import number
from treewright.table.kind import Kind

from .iso import iso_days
from .months import MONTHS, WEEKDAYS
from .notation import plain
from .temporal import MICROSECONDS, Temporal, clock_words, floor_to

# What stands first, second and third; or what the numbers of a column count.
ORDERS = {"ymd": "year first", "dmy": "day first", "mdy": "month first"}
# For a cell x: days since 1970-01-01 = (x - start) / per_day.
SERIALS = {
    "excel": (25569.0, 1.0),
    "unix": (0.0, 86400.0),
    "unix_ms": (0.0, 86_400_000.0),
    "days": (0.0, 1.0),
}
DIGITS = "yyyymmdd"
ALL_ORDERS = (*ORDERS, *SERIALS, DIGITS)

# Zones that have a name of their own everywhere, in hours; others (CST, IST) are several.
_ZONES = {
    "CET": 1,
    "MEZ": 1,
    "CEST": 2,
    "MESZ": 2,
    "EST": -5,
    "EDT": -4,
    "PST": -8,
    "PDT": -7,
    "WEST": 1,
    "EET": 2,
}
_ZONE_NAMES = rf"Z|UTC|GMT|WET|{'|'.join(_ZONES)}|[+-]\d\d(?::?\d\d)?"
_HALF = r"\s*(?P<half>[AaPp]\.?[Mm]\.?)?(?:\s*Uhr)?\s*"
_TIME = (
    r"(?:(?:[ T,:]+|\s+(?:um|at|à|kl\.?)\s+)(?P<time>\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?)"
    rf"{_HALF}(?P<zone>{_ZONE_NAMES})?)?"
)
_DAY = r"(?:(?P<weekday>[^\W\d]{2,})\.?,?\s+)?"
_NTH = r"(?P<day>\d{1,2})(?:st|nd|rd|th|er|º)?"
_GAP = r"[ ./-]?(?:de[l]? )?"  # between day, month and year; 3 de mayo de 2020
_NAME = r"(?P<month>[^\W\d]+)\.?"
_NUMBERS = re.compile(_DAY + r"(?P<a>\d{1,4})(?P<sign>[./-])(?P<b>\d{1,2})(?P=sign)(?P<c>\d{1,4})" + _TIME)
_NAMED = (
    re.compile(_DAY + _NTH + r"\.?" + _GAP + _NAME + ",?" + _GAP + r"(?P<year>\d{4}|\d\d)" + _TIME),
    re.compile(_DAY + _NAME + "[ -]" + _NTH + r",?[ -](?P<year>\d{4})" + _TIME),
    re.compile(r"(?P<weekday>)(?P<year>\d{4})[ ./-]?" + _NAME + "[ ./-]?" + _NTH + _TIME),
    re.compile(  # as programs of C write it: Sun Sep  5 07:45:32 2021
        rf"(?P<weekday>[^\W\d]+) (?P<month>[^\W\d]+) +(?P<day>\d+) (?P<time>\d\d:\d\d:\d\d){_HALF}"
        rf"(?P<zone>{_ZONE_NAMES})? ?(?P<year>\d{{4}})"
    ),
)
_COMPACT = re.compile(r"(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(?:(\d\d)(?:[.,]\d+)?)?(Z|[+-]\d\d:?\d\d)?")
_WEEKLY = (
    re.compile(r"(?P<year>\d{4})[- ]?W(?P<week>\d{1,2})(?:-?(?P<day>[1-7]))?"),
    re.compile(r"(?:KW|W|CW) ?(?P<week>\d{1,2})[ ./-]+(?P<year>\d{4})(?P<day>)"),
)
_EAST = re.compile(r"(\d{4})[年년] ?(\d{1,2})[月월] ?(\d{1,2})[日일]")
_MONTHLY = (
    re.compile(r"(?P<year>\d{4})[-/.](?P<month>\d{1,2})"),
    re.compile(r"(?P<month>\d{1,2})[-/.](?P<year>\d{4})"),
    re.compile(r"(?P<month>[^\W\d]+)\.?[ /-]?(?P<year>\d{4})"),
    re.compile(r"(?P<month>[^\W\d]{3,})\.?[-/'](?P<year>\d\d)"),  # Apr-17, as Excel shows a month
)
_QUARTERLY = (
    re.compile(r"(?P<year>\d{4})[-/ ]?Q(?P<quarter>[1-4])"),
    re.compile(r"Q(?P<quarter>[1-4])[-/ ]*(?P<year>\d{4})"),
)
_MIDNIGHT = re.compile(r"24:00(?::00)?")  # the end of a day (ISO 8601), which is the start of the next
_ZONE = re.compile(rf"(?::\d\d|\.\d+)\s*(?:{_ZONE_NAMES})$")
_SHORT = re.compile(r"(\d\d)([./-])(\d\d)\2(\d\d)(?!\d).*")  # three numbers of two digits
_EPOCH = dt.date(1970, 1, 1).toordinal()
_NEWEST_SHORT = 68  # a year of two digits up to here is of this century


@dataclass(frozen=True)
class Date(Temporal):
    """Dates and times as days since 1970-01-01, in UTC where a cell names its zone.

    >>> dates = Date(order="dmy")
    >>> dates.numbers(["31.01.2020", "2020-01-31", "31 Jan 2020", "04/21/2021"])
    [18292.0, 18292.0, 18292.0, None]
    >>> dates.to_text(18292.5), Date(resolution="minute").to_text(18292.5)
    ('2020-01-31', '2020-01-31 12:00')
    """

    order: str = "ymd"

    word: ClassVar[str] = "date"
    kind: ClassVar[Kind] = Kind.date

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.order not in ALL_ORDERS:
            raise TypeError(
                f"Dates are written as {', '.join(ALL_ORDERS)}; {self.order!r:.40} is none of them."
            )

    def numbers(self, texts: Sequence[str]) -> list[float | None]:
        """Return the days of each text: None where it is no such date, NaN where it means a gap."""
        if self.order in ORDERS and (days := iso_days(texts)) is not None:
            return list(days.tolist())
        return super().numbers(texts)

    def number(self, text: str) -> float | None:
        """Return the days of one text, or None."""
        if self.order in SERIALS or (self.order == DIGITS and text.isdigit()):
            try:
                return self.of_number(float(text))
            except ValueError:
                pass
        order = self.order if self.order in ORDERS else "ymd"
        if self.resolution == "month" and (days := _month(text)) is not None:
            return days
        return _days_of(text, order)

    def of_number(self, value: float) -> float:
        """Return the days of a cell that is a number: a serial, if the column has them."""
        if self.order == DIGITS and 10_000_101 <= value <= 99_991_231:
            days = _days(*_digits(value))
            return math.nan if days is None else days
        start, per_day = SERIALS.get(self.order, (0.0, 1.0))
        return (value - start) / per_day

    def to_text(self, value: float) -> str:
        """Return the date, with its time where the column has times."""
        if not math.isfinite(value) or not -719_162 <= value < 2_932_897:
            return number(value)
        at = floor_to(value, self.step)
        day = dt.date.fromordinal(_EPOCH + at // MICROSECONDS).isoformat()
        if self.resolution in ("day", "month"):
            return day[:7] if self.resolution == "month" else day
        return f"{day} {clock_words(at % MICROSECONDS, self.step)}"

    @property
    def remark(self) -> str:
        """The order, where another one is usual elsewhere."""
        return (
            f"counted as {self.order}"
            if self.order in SERIALS
            else ""
            if self.order in ("ymd", DIGITS)
            else ORDERS[self.order]
        )

    def why(self, example: str) -> str:
        """Return the reason in words."""
        what = "dates" if self.resolution in ("day", "month") else "dates and times"
        how = ORDERS.get(self.order) if not _is_plain(example) else None
        how = f"counted as {self.order}" if self.order in SERIALS else how
        zone = ", taken to UTC" if _ZONE.search(example) else ""
        if any(pattern.fullmatch(plain(example)) for pattern in _WEEKLY):
            what = "weeks" if self.resolution == "day" else what
            how = "shown as their Mondays" if "-" not in example[6:] else None
        return f"{what}, such as {example!r:.40}" + (f", {how}" if how else "") + zone


def _is_plain(text: str) -> bool:
    """Return whether the order of a date is beyond doubt: a year of four digits first, or a month's name."""
    return bool(re.match(r"\d{4}[-/.]", text)) or any(sign.isalpha() for sign in text[:8])


def _days_of(text: str, order: str) -> float | None:
    if (bare := _with_bars(text)) != text:
        return _days_of(bare, "ymd")
    found = _NUMBERS.fullmatch(text)
    if found is not None:
        parts = [found["a"], found["b"], found["c"]]
        if len(parts[0]) == 4:
            order = "ymd"
        if not _are_widths(parts, order):
            return None
        year, month, day = (int(parts[order.index(letter)]) for letter in "ymd")
        return _moment(found, year if len(parts[order.index("y")]) > 2 else _century(year), month, day)
    for pattern in _NAMED:
        if found := pattern.fullmatch(text):
            month_of = MONTHS.get(found["month"].casefold().rstrip("."))
            year = int(found["year"])
            if month_of is None:
                continue
            return _moment(
                found, year if len(found["year"]) > 2 else _century(year), month_of, int(found["day"])
            )
    return _day_of_week(text)


def _with_bars(text: str) -> str:
    """Return a date that is written without signs between its numbers, or with the words of the East."""
    if "T" in text[8:9] and (found := _COMPACT.fullmatch(text)):
        year, month, day, hour, minute, second, zone = found.groups()
        return f"{year}-{month}-{day} {hour}:{minute}:{second or '00'}{zone or ''}"
    return _EAST.sub(r"\1-\2-\3", text) if "年" in text or "년" in text else text


def _day_of_week(text: str) -> float | None:
    """Return the day that a week of ISO 8601 names: its Monday, unless the day is said."""
    for pattern in _WEEKLY:
        if found := pattern.fullmatch(text):
            try:
                day = dt.date.fromisocalendar(int(found["year"]), int(found["week"]), int(found["day"] or 1))
            except ValueError:
                return None
            return float(day.toordinal() - _EPOCH)
    return None


def _are_widths(parts: Sequence[str], order: str) -> bool:
    """Return whether the year has four digits, or two, and day and month at most two; all two if it leads."""
    if order == "ymd" and len(parts[0]) == 2:
        return all(len(part) == 2 for part in parts)
    return all(
        len(p) in (2, 4) if letter == "y" else len(p) <= 2 for letter, p in zip(order, parts, strict=True)
    )


def _month(text: str) -> float | None:
    for pattern in _MONTHLY:
        if found := pattern.fullmatch(text):
            word, year = found["month"], int(found["year"])
            month = int(word) if word.isdigit() else MONTHS.get(word.casefold())
            return None if month is None else _days(year if year > 99 else _century(year), month, 1)
    for pattern in _QUARTERLY:
        if found := pattern.fullmatch(text):
            return _days(int(found["year"]), 3 * int(found["quarter"]) - 2, 1)
    return None


def _century(year: int) -> int:
    return year + (2000 if year <= _NEWEST_SHORT else 1900)


def _digits(value: float) -> tuple[int, int, int]:
    whole = int(value)
    return whole // 10_000, whole // 100 % 100, whole % 100


def _days(year: int, month: int, day: int) -> float | None:
    try:
        return float(dt.date(year, month, day).toordinal() - _EPOCH)
    except ValueError:
        return None


def _moment(found: re.Match[str], year: int, month: int, day: int) -> float | None:
    if found["weekday"] and found["weekday"].casefold().rstrip(".") not in WEEKDAYS:
        return None
    days = _days(year, month, day)
    if days is None or found["time"] is None:
        return days
    is_end = found["half"] is None and _MIDNIGHT.fullmatch(found["time"]) is not None
    at = MICROSECONDS if is_end else time_of_day(found["time"], found["half"])
    if at is None:
        return None
    return days + (at - _shift(found["zone"])) / MICROSECONDS


def time_of_day(text: str, half: str | None = None) -> int | None:
    """Return the microseconds of a time of day since midnight, or None.

    >>> time_of_day("12:30") == 45_000_000_000, time_of_day("12:30", "am") == 1_800_000_000
    (True, True)
    """
    parts = text.replace(",", ".").split(":")
    hours, minutes = int(parts[0]), int(parts[1])
    seconds = float(parts[2]) if len(parts) > 2 else 0.0
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half[0] in "pP" else 0)
    if hours > 23 or minutes > 59 or seconds >= 60:
        return None
    return (hours * 3600 + minutes * 60) * 1_000_000 + round(seconds * 1_000_000)


def _shift(zone: str | None) -> int:
    if zone is None or zone[0] not in "+-":
        return _ZONES.get(zone or "", 0) * 3_600_000_000
    digits = zone[1:].replace(":", "").ljust(4, "0")
    size = (int(digits[:2]) * 60 + int(digits[2:])) * 60_000_000
    return -size if zone[0] == "-" else size


# --- finding ------------------------------------------------------------------------------------------------


def find_date(texts: Sequence[str], decimal: str, order: str = "") -> Date | None:
    """Return how texts spell dates: the order that reads most of them; None where it reads few.

    Where two orders read all, points mean day first; bars too if the file has decimal commas.

    >>> find_date(["04/21/2021", "04/03/2021"], ".").order, find_date(["03/04/2021"], ",").order
    ('mdy', 'dmy')
    """
    if order:
        return _with_values(Date(order=order), texts)
    cells = [plain(text) for text in texts]
    is_us = decimal == "." and all("/" in cell for cell in cells)
    usual = ("mdy", "dmy") if is_us else ("dmy", "mdy")
    likely = (*usual, "ymd") if _are_short(cells) else ("ymd", *usual)
    ways = [*(Date(order=way) for way in likely), Date(resolution="month")]
    counts = [sum(way.number(cell) is not None for cell in cells) for way in ways]
    best = max(range(len(ways)), key=counts.__getitem__)
    return _with_values(ways[best], texts) if 2 * counts[best] >= max(1, len(texts)) else None


def _with_values(notation: Date, texts: Sequence[str]) -> Date:
    return notation.fine([value for value in notation.numbers(texts) if value is not None])


def _are_short(cells: Sequence[str]) -> bool:
    """Return whether dates of three numbers of two digits end in the year, as far as can be seen.

    Where both ends could be the day, that one is which has more different values.
    """
    found = [match for cell in cells if (match := _SHORT.fullmatch(cell))]
    firsts, lasts = {match[1] for match in found}, {match[4] for match in found}
    is_point = any(match[2] != "-" for match in found)
    return bool(found) and (is_point or len(firsts) >= len(lasts))


def other_order(notation: Date, texts: Sequence[str]) -> str | None:
    """Return another order of day, month and year that would do for every text; None where there is none.

    >>> other_order(Date(order="dmy"), ["03/04/2021"]), other_order(Date(order="dmy"), ["31/01/2021"])
    ('mdy', None)
    """
    cells = [plain(text) for text in texts if text not in notation.strays]
    if notation.order not in ORDERS or all(map(_is_plain, cells)):
        return None
    others = [order for order in ("mdy", "dmy", "ymd") if order != notation.order]
    return next((o for o in others if all(_days_of(cell, o) is not None for cell in cells)), None)


def serial_order(values: Sequence[float]) -> str | None:
    """Return what numbers count that are said to be dates: by their size, or None where it fits nothing.

    >>> serial_order([43861.0, 44000.5]), serial_order([20200131.0]), serial_order([1580428800.0])
    ('excel', 'yyyymmdd', 'unix')
    """
    low, high = min(values), max(values)
    if low >= 10_000_101 and high <= 99_991_231 and all(_days(*_digits(v)) is not None for v in values):
        return DIGITS
    for order, (least, most) in {"excel": (1, 110_000), "unix": (1e8, 1e10), "unix_ms": (1e11, 1e13)}.items():
        if least <= low and high <= most:
            return order
    return None
