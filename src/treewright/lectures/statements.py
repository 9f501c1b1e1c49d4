"""The list of what five lectures state: what is printed, what the library computes, and how the two agree."""

from __future__ import annotations

import csv
from functools import cache
from importlib import resources
from typing import NamedTuple


class Statement(NamedTuple):
    """A statement of a slide. Without anything `printed` it is a claim in words.

    >>> statements()[0].place, statements()[0].verdict
    ('000:52', 'holds: a worst case')
    """

    key: str  # lecture:line of its text, with a letter where a line says several things
    quote: str  # of the slide, shortened
    about: str
    printed: str
    written: str  # the slide's arithmetic
    ours: str
    verdict: str
    test: str  # the name of the test that computes it anew

    @property
    def place(self) -> str:
        """The lecture and the line of its text."""
        return self.key.rstrip("abcdefghi")


@cache
def statements() -> tuple[Statement, ...]:
    """Return all statements, in the order of the lectures; a test computes each anew.

    >>> len(statements()) > 250
    True
    """
    text = (resources.files(__package__) / "statements.csv").read_text(encoding="utf-8")
    return tuple(Statement(*row) for row in list(csv.reader(text.splitlines()))[1:])
