"""Where a column comes from that is made of another one: a part of its dates, a word of its texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Origin:
    """The column that another is made from, which part of it, and what the part needs to know.

    >>> Origin("joined", "year").name, Origin("note", "word", "refund").name
    ('joined.year', 'note.refund')
    >>> Origin("joined", "days_since", "2020-01-01").name
    'joined.days_since_2020-01-01'
    """

    column: str
    part: str
    detail: str = ""

    @property
    def name(self) -> str:
        """The name of the column that is made."""
        if self.part == "word":
            return f"{self.column}.{self.detail}"
        return f"{self.column}.{self.part}" + (f"_{self.detail}" if self.detail else "")

    def to_dict(self) -> dict[str, str]:
        """Return the origin as plain JSON values."""
        return {"column": self.column, "part": self.part} | ({"detail": self.detail} if self.detail else {})

    @classmethod
    def from_dict(cls, stored: Any) -> Origin:
        """Return the origin that `to_dict` wrote; anything else is a ValueError.

        >>> Origin.from_dict({"column": "joined", "part": "year"})
        Origin(column='joined', part='year', detail='')
        """
        known = {"column", "part", "detail"}
        if not isinstance(stored, Mapping) or not {"column", "part"} <= set(stored) <= known:
            raise ValueError(
                f"An origin is stored as an object with 'column' and 'part'; found {stored!r:.100}."
            )
        if not all(isinstance(value, str) for value in stored.values()):
            raise ValueError(f"An origin is made of texts; found {stored!r:.100}.")
        return cls(**stored)
