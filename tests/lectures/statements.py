"""Every numeric statement of the five lectures: what is printed, what we get, the verdict, and the test.

The rows are in statements.csv. README.md is made of them (`python -m tests.lectures.readme`), and
test_in_step.py sees that rows, tests and README agree. A key is lecture:line of its text, with a letter where
a line says several things.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent


class Statement(NamedTuple):
    """A row. Without anything `printed` it is a claim in words; its test argues the verdict."""

    key: str
    quote: str  # of the slide, shortened
    about: str
    printed: str
    written: str  # the slide's arithmetic
    ours: str  # as `shown`
    verdict: str
    test: str

    @property
    def place(self) -> str:
        return self.key.rstrip("abcdefghi")


class Untested(NamedTuple):
    """A statement without a test: a date, a name, a claim without a number; or one on linear classifiers."""

    group: str
    place: str
    quote: str
    why: str


def _rows(name: str) -> list[list[str]]:
    with (FOLDER / name).open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


STATEMENTS = tuple(Statement(*row) for row in _rows("statements.csv"))
UNTESTED = tuple(Untested(*row) for row in _rows("untested.csv"))
