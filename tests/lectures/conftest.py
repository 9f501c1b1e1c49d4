"""What a test of a statement calls: our value, beside the row of the list."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.lectures.statements import STATEMENTS, Statement
from treewright.lectures.slide import Slide, Value, shown

ROWS = {row.key: row for row in STATEMENTS}

Says = Callable[[str, Value], None]


@pytest.fixture
def says(request: pytest.FixtureRequest) -> Iterator[Says]:
    """Check that our value of a statement, and the verdict on the slide, are those of the list.

    In the end every row that names the test must have been checked by it.
    """
    checked = set()

    def check(key: str, value: Value) -> None:
        row = ROWS[key]
        checked.add(key)
        assert row.test == request.node.originalname, f"{key} names the test {row.test}"
        assert shown(value) == row.ours
        if row.printed:
            assert slide_of(row).verdict(value) == row.verdict

    yield check
    assert checked == {row.key for row in STATEMENTS if row.test == request.node.originalname}


def slide_of(row: Statement) -> Slide:
    """Return the statement as a slide to compare with."""
    return Slide(row.place, row.printed, row.written, own_points=row.verdict == "of its own points")
