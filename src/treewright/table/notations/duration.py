"""Durations: 26:30:00, 1 h 30 min, 2 days, 1 day, 2:03:04, PT1H30M."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from treewright.measure.intervals import number
from treewright.table.kind import Kind

from .notation import plain
from .temporal import Temporal, floor_to

_SECONDS = {
    "ms": 0.001, "millisecond": 0.001, "milliseconds": 0.001,
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1, "sek": 1, "sekunde": 1, "sekunden": 1,
    "seconde": 1, "secondes": 1, "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60, "minuten": 60,
    "minuto": 60, "minutos": 60, "minuti": 60,
    "h": 3600, "hr": 3600, "hrs": 3600, "hour": 3600, "hours": 3600, "std": 3600, "stunde": 3600,
    "stunden": 3600, "heure": 3600, "heures": 3600, "hora": 3600, "horas": 3600, "ora": 3600, "ore": 3600,
    "d": 86400, "day": 86400, "days": 86400, "tag": 86400, "tage": 86400, "jour": 86400, "jours": 86400,
    "día": 86400, "días": 86400, "giorni": 86400, "w": 604800, "week": 604800, "weeks": 604800,
    "woche": 604800, "wochen": 604800, "semaine": 604800, "semaines": 604800,
}  # fmt: skip
_COLONS = re.compile(
    r"(?P<minus>-)?(?:(?P<days>\d+)\s*(?:d|days?|Tage?)[, ]+)?"
    r"(?P<hours>\d+)(?::|\s?h\s?(?=\d\d$))(?P<minutes>[0-5]\d)(?::(?P<seconds>[0-5]\d(?:[.,]\d+)?))?"
)
_WORDS = re.compile(r"-?(?:\d+(?:[.,]\d+)?\s*[^\W\d]+\.?[\s,]*)+")
_WORD = re.compile(r"(\d+(?:[.,]\d+)?)\s*([^\W\d]+)\.?[\s,]*")
_ISO = re.compile(
    r"(?P<minus>-)?P(?:(?P<w>\d+)W)?(?:(?P<d>\d+(?:\.\d+)?)D)?"
    r"(?:T(?:(?P<h>\d+(?:\.\d+)?)H)?(?:(?P<m>\d+(?:\.\d+)?)M)?(?:(?P<s>\d+(?:\.\d+)?)S)?)?"
)
_SHOWN = (("d", 86_400_000_000), ("h", 3_600_000_000), ("min", 60_000_000))


@dataclass(frozen=True)
class Duration(Temporal):
    """Durations, in days.

    >>> Duration().numbers(["36:00", "1 day, 12:00:00", "36 h", "PT36H", "soon"])
    [1.5, 1.5, 1.5, 1.5, None]
    >>> Duration(resolution="minute").to_text(1.5), Duration(resolution="second").to_text(90 / 86400)
    ('1 d 12 h', '1 min 30 s')
    """

    resolution: str = "second"

    word: ClassVar[str] = "duration"
    kind: ClassVar[Kind] = Kind.duration

    def number(self, text: str) -> float | None:
        """Return the days of one text, or None."""
        for way in (_by_colons, _by_words, _by_iso):
            if (seconds := way(text)) is not None:
                return seconds / 86400
        return None

    def to_text(self, value: float) -> str:
        """Return the duration in days, hours, minutes and seconds, without those that are zero."""
        if not math.isfinite(value):
            return number(value)
        left = floor_to(value, self.step)
        sign, left = ("-" if left < 0 else ""), abs(left)
        words = []
        for unit, size in _SHOWN:
            count, left = divmod(left, size)
            words += [f"{count} {unit}"] if count else []
        words += [f"{number(left / 1_000_000)} s"] if left or not words else []
        return sign + " ".join(words)

    def why(self, example: str) -> str:
        """Return the reason in words."""
        return f"durations, such as {example!r:.40}"


def _by_colons(text: str) -> float | None:
    found = _COLONS.fullmatch(text)
    if found is None:
        return None
    seconds = float((found["seconds"] or "0").replace(",", "."))
    size = int(found["days"] or 0) * 86400 + int(found["hours"]) * 3600 + int(found["minutes"]) * 60 + seconds
    return -size if found["minus"] else size


def _by_words(text: str) -> float | None:
    if not _WORDS.fullmatch(text):
        return None
    size = 0.0
    for amount, unit in _WORD.findall(text):
        seconds = _SECONDS.get(unit.casefold())
        if seconds is None:
            return None
        size += float(amount.replace(",", ".")) * seconds
    return -size if text.startswith("-") else size


def _by_iso(text: str) -> float | None:
    found = _ISO.fullmatch(text)
    if found is None or not any(found[letter] for letter in "wdhms"):
        return None
    sizes = {"w": 604800, "d": 86400, "h": 3600, "m": 60, "s": 1}
    size = sum(float(found[letter] or 0) * seconds for letter, seconds in sizes.items())
    return -size if found["minus"] else size


def find_duration(texts: Sequence[str], decimal: str) -> Duration | None:  # noqa: ARG001
    """Return how texts spell durations, or None where most do not, or have one letter for a unit alone.

    >>> find_duration(["1 h", "30 min"], ".").resolution, find_duration(["5 m", "7 m"], ".")
    ('minute', None)
    """
    cells = [plain(text) for text in texts]
    values = [v for v in map(Duration().number, cells) if v is not None]
    if 2 * len(values) < max(1, len(texts)):
        return None
    units = {unit.casefold() for cell in cells if _WORDS.fullmatch(cell) for _, unit in _WORD.findall(cell)}
    if len(units) == 1 and len(min(units)) == 1:
        return None
    return Duration().fine(values)
