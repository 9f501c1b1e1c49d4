"""How the values of a column are compared: the kinds, and which of them are numbers inside."""

from __future__ import annotations

from enum import Enum


class Kind(str, Enum):
    """How the values of a column are compared.

    >>> Kind("nominal") is Kind.nominal
    True
    >>> [kind.value for kind in Kind]
    ['numeric', 'nominal', 'ordinal', 'boolean', 'date', 'time', 'duration']
    >>> [kind.value for kind in Kind if kind.is_numeric]
    ['numeric', 'date', 'time', 'duration']
    """

    numeric = "numeric"  # by size
    nominal = "nominal"  # equal or not
    ordinal = "ordinal"  # by rank in the declared categories
    boolean = "boolean"  # nominal with the categories False and True
    date = "date"  # by size, in days since 1970-01-01 (UTC); shown as a date
    time = "time"  # of day: by size, in days from midnight; shown as a time
    duration = "duration"  # by size, in days; shown in days, hours, minutes

    def __str__(self) -> str:
        return self.value

    @property
    def is_numeric(self) -> bool:
        """True where values are float64, not codes."""
        return self in _SIZES

    @property
    def is_temporal(self) -> bool:
        """True for dates, times of day and durations: numbers that are shown otherwise."""
        return self in _SIZES and self is not Kind.numeric

    @classmethod
    def _missing_(cls, value: object) -> Kind:
        known = ", ".join(repr(kind.value) for kind in cls)
        hint = " (a categorical column is 'nominal', or 'ordinal' when its values have an order)"
        raise ValueError(f"{value!r} is not a kind of column; the kinds are {known}.{hint}")


_SIZES = frozenset((Kind.numeric, Kind.date, Kind.time, Kind.duration))
