"""The list of statements, the tests and the page are in step, and so are the walks."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

import treewright as tw
from tests.lectures.helpers import walks
from tests.lectures.readme import PAGE, page
from tests.lectures.statements import STATEMENTS, UNTESTED

FOLDER = Path(__file__).parent


def names_of_checks() -> Counter[str]:
    """Return the tests of the folder that call `says`."""
    found: Counter[str] = Counter()
    for path in FOLDER.glob("test_lecture_*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef) and any(arg.arg == "says" for arg in node.args.args):
                found[node.name] += node.name.startswith("test_")
    return found


def test_every_statement_has_its_test_and_every_test_its_statements() -> None:
    found = names_of_checks()
    named = {row.test for row in STATEMENTS}
    assert {name for name, n in found.items() if n == 1} == named
    assert max(found.values()) == 1  # a name stands for one test


def test_keys_are_in_order_and_unique() -> None:
    keys = [row.key for row in STATEMENTS]
    assert len(set(keys)) == len(keys)
    lectures = [key[:3] for key in keys]
    assert lectures == sorted(lectures)
    assert set(lectures) == {"000", "001", "002", "003", "004"}


def test_the_page_is_made_of_the_list() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.lectures.readme"


def test_what_has_no_test_says_why() -> None:
    assert {row.group for row in UNTESTED} == {"not computed"}
    assert "later" not in PAGE.read_text(encoding="utf-8")
    assert all(all(row) for row in UNTESTED)


@pytest.mark.parametrize("name", tw.lectures.names())
def test_the_walks_print_what_the_list_has(name: str) -> None:
    """Each number of a slide in a walk is in the list, with the same verdict."""
    listed = {(row.place, row.printed): row.verdict for row in STATEMENTS}
    for step in (step for step in walks()[name].steps if step.slide):
        assert listed[step.slide.place, step.slide.printed] == step.verdict


# In the list, but no step of a walk: tables as data, shares that stand in the lines of a walk, formulas met
# elsewhere.
NOT_WALKED = """
000:191 000:202 000:399a 000:399b 000:425a 000:425b 000:425c 000:489 000:491 000:519 000:521a
000:521b 000:545 000:547a 000:591 000:593a 000:593b 000:641a 000:641b 000:671a 000:671b 000:835b
000:835c 000:837a 000:839a 000:841 001:27 001:63b 001:347 002:21 002:100 002:104 002:108 002:112
002:130a 002:130b 002:130c 002:130d 002:130e 002:130f 002:134a 002:134b 002:134c 002:134d 002:134e
002:134f 002:168 002:226 003:735 003:763 003:766 003:777 004:41 004:128 004:209b 004:236a 004:246b
004:323 004:566
"""


def test_the_walks_have_the_rest() -> None:
    walked = {
        (step.slide.place, step.slide.printed)
        for lesson in walks().values()
        for step in lesson.steps
        if step.slide
    }
    missing = {row.key for row in STATEMENTS if row.printed and (row.place, row.printed) not in walked}
    assert missing == set(NOT_WALKED.split())
