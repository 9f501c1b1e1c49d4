"""Settings x tables: the two engines, and no other error than the one both give."""

from __future__ import annotations

from tests.grow.cases import trial
from tests.grow.fuzz import case_of


def case(number: int) -> None:
    """Grow one case both ways."""
    found = case_of(number)
    complaint = trial(found).complaint
    assert complaint is None, f"{found}\n{complaint}"
