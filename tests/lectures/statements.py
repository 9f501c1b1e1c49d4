"""Every numeric statement of the five lectures: what is printed, what we get, the verdict, and the test.

The rows are those of `treewright lecture --list`. README.md is made of them (by
`python -m tests.lectures.readme`), and test_in_step.py sees that rows, tests and README agree. A key is
lecture:line of its text, with a letter where a line says several things.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from treewright.lectures.statements import Statement, statements

FOLDER = Path(__file__).parent
__all__ = ["STATEMENTS", "UNTESTED", "Statement", "Untested"]


class Untested(NamedTuple):
    """A statement without a test: a date, a name, a claim without a number."""

    group: str
    place: str
    quote: str
    why: str


def _rows(name: str) -> list[list[str]]:
    with (FOLDER / name).open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))[1:]


STATEMENTS = statements()
UNTESTED = tuple(Untested(*row) for row in _rows("untested.csv"))
