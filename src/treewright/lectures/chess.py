"""A chess end game: what takes a tree hundreds of leaves is said by a few rules that overlap."""

from __future__ import annotations

from itertools import product

import numpy as np

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.rules import Condition, Rule, RuleSet, overlap
from treewright.table import Table

SIDE = 4  # squares a side of the board
FILES, RANKS = ("king file", "rook file", "black file"), ("king rank", "rook rank", "black rank")
TARGET = "taken"


def chess() -> Lesson:
    """Return a tree for a chess end game beside overlapping rules for the same.

    >>> [step.value for step in chess().steps][:3]
    [4096, 326, 0]
    """
    table = positions()
    tree = grow(table, TARGET)
    rules = overlapping()
    counts = overlap(rules, table).counts
    part = "King and rook against king (001:341)"
    wrong = (rules.predict(table) != table.labels(TARGET)).sum()
    steps = (
        Step(f"Positions on a board of {SIDE} x {SIDE}", "", "", table.n_rows, part=part),
        Step("Leaves of the tree", "", "", tree.n_leaves, part=part, note=f"Its depth is {tree.depth}."),
        Step(
            "Positions that it gets wrong", "", "", int((tree.predict(table) != table.labels(TARGET)).sum()),
            part=part,
        ),
        Step(
            "Rules that overlap and say the same",
            "",
            "",
            len(rules),
            part=part,
            note="Rook and king on one file, or one rank: one rule for each. The kings side by side: one for "
            "each two files and two ranks.",
        ),
        Step("Positions that these get wrong", "", "", int(wrong), part=part),
        Step(
            "Positions in which more than one of them holds",
            "",
            "",
            sum(count.n_rows for count in counts if count.n_rules > 1),
            part=part,
            note="A tree has to part what they share.",
        ),
    )  # fmt: skip
    about = (
        "Lecture 001 tells of a chess end game whose tree, grown by ID3, the experts could not read. Here is "
        "a small one: white has a king and a rook, black a king, and white is to move. Can the black king be "
        "taken at once? (Whether a piece stands between rook and king is left out.)"
    )
    return Lesson("chess", "A chess end game", about, steps)


def positions() -> Table:
    """Return all positions, and whether the black king stands where it can be taken.

    >>> positions().names[:2]
    ('king file', 'king rank')
    """
    squares = list(product(range(1, SIDE + 1), repeat=2))
    rows = np.array([(*king, *rook, *black) for king in squares for rook in squares for black in squares])
    names = [name for pair in zip(FILES, RANKS, strict=True) for name in pair]
    cells = dict(zip(names, rows.T, strict=True))
    is_near = [np.abs(cells[f"king {way}"] - cells[f"black {way}"]) <= 1 for way in ("file", "rank")]
    in_line = [cells[f"rook {way}"] == cells[f"black {way}"] for way in ("file", "rank")]
    taken = (is_near[0] & is_near[1]) | in_line[0] | in_line[1]
    return Table.from_dict({**cells, TARGET: np.where(taken, "yes", "no").tolist()})


def overlapping() -> RuleSet:
    """Return rules that say when the black king can be taken; where none holds it cannot.

    >>> print(overlapping()[0])
    IF 0.5 < rook file <= 1.5 AND 0.5 < black file <= 1.5 THEN yes
    """
    in_line = [
        tuple(_among(f"{piece} {way}", at, at) for piece in ("rook", "black"))
        for way in ("file", "rank")
        for at in range(1, SIDE + 1)
    ]
    near = [
        tuple(
            _among(f"{piece} {way}", at, at + 1)
            for way, at in (("file", file), ("rank", rank))
            for piece in ("king", "black")
        )
        for file, rank in product(range(1, SIDE), repeat=2)
    ]
    table = positions()
    return RuleSet(
        rules=tuple(Rule(tests, "yes") for tests in (*in_line, *near)),
        schema=table.drop(TARGET).schema,
        target=table.column(TARGET)[0],
        decision="first",
        default="no",
    )


def _among(column: str, first: int, last: int) -> Condition:
    return Condition(column, first - 0.5, last + 0.5)
