"""Write README.md from the list of statements: python -m tests.lectures.readme."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.lectures.statements import STATEMENTS, UNTESTED

PAGE = Path(__file__).with_name("README.md")

HEAD = """\
# Every numeric statement of the lectures

Five lectures on trees, line by line: what is printed, what the library computes, and the test that compares
the two. A place is the lecture and the line of its text. This page is made from
[statements.csv](../../src/treewright/lectures/statements.csv), which `treewright lecture --list` shows, and
[untested.csv](untested.csv) by `python -m tests.lectures.readme`;
[test_in_step.py](test_in_step.py) sees that list, tests and page agree, and the fixture `says` in
[conftest.py](conftest.py) that every row is computed anew.

| verdict | meaning |
|---|---|
| as printed | the same number, word or formula |
| rounded, truncated | the same in the digits that are printed, by rounding or by cutting off |
| from rounded numbers | what the slide's own arithmetic gives with its rounded numbers |
| misprint | the number, or a term on the way to it, is wrong; what it should be |
| holds | a claim without a number, checked by the test |
| of its own points | the slide shows its data as a picture; ours are like them, equal within chance |
"""


def page() -> str:
    """Return the text of README.md."""
    lines = [HEAD, _tally(), "", "## Statements with a test", ""]
    lines += _table(
        ("place", "slide", "statement", "printed", "ours", "verdict", "test"),
        [(s.key, s.quote, s.about, s.printed, s.ours, s.verdict, f"`{s.test}`") for s in STATEMENTS],
    )
    lines += ["", "## Dates, names and claims without a number to compute", ""]
    lines += _table(("place", "slide", "ruling"), _untested("not computed"))
    return "\n".join(lines) + "\n"


def _untested(group: str) -> list[tuple[str, ...]]:
    return [(row.place, row.quote, row.why) for row in UNTESTED if row.group == group]


def _tally() -> str:
    words = Counter(s.verdict.partition(":")[0] if s.printed else "claims" for s in STATEMENTS)
    counted = ", ".join(f"{n} {word}" for word, n in sorted(words.items()))
    return f"{len(STATEMENTS)} statements: {counted}."


def _table(head: tuple[str, ...], rows: list[tuple[str, ...]]) -> list[str]:
    lines = [head, ("---",) * len(head), *rows]
    return ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
