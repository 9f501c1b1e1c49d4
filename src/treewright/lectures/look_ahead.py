"""Look-ahead: the best sequence of tests where no single test tells anything."""

from __future__ import annotations

from itertools import product
from typing import Any

from treewright.fitting import grow
from treewright.lectures.lesson import Lesson, Step
from treewright.table import Table
from treewright.tree import Tree

N_WEAK = 6
_ROWS_OF_EACH = 8


def look_ahead() -> Lesson:
    """Return XOR among columns that tell a little, and the parity of three: greedily, and with look-ahead.

    >>> [step.value for step in look_ahead().steps if step.what.startswith("Leaves")]
    [12, 4, 22, 8]
    """
    about = (
        "Lecture 001 names look-ahead among the issues of tree learning: search for the best sequence of "
        "individual tests. Of XOR no column alone has any gain, so a greedy tree follows any other column "
        "that tells a little by chance. With lookahead=2 a test is worth what the best two levels gain that "
        "begin with it."
    )
    return Lesson("look_ahead", "Look-ahead", about, (*_exclusive_or(), *_parity()))


def parity(n_columns: int, n_weak: int = N_WEAK) -> Table:
    """Return rows whose answer is the parity of some columns; weak columns are right in 8 of 11 rows.

    >>> table = parity(2)
    >>> table.n_rows, table.names
    (32, ('x1', 'x2', 'weak1', 'weak2', 'weak3', 'weak4', 'weak5', 'weak6', 'y'))
    """
    rows = [row for row in product((0, 1), repeat=n_columns) for _ in range(_ROWS_OF_EACH)]
    odd = [sum(row) % 2 for row in rows]
    columns: dict[str, Any] = {f"x{i + 1}": [row[i] for row in rows] for i in range(n_columns)}
    for k in range(n_weak):  # wrong in other rows for each column
        columns[f"weak{k + 1}"] = [bit ^ (i * (k + 2) % 11 < 3) for i, bit in enumerate(odd)]
    return Table.from_dict({**columns, "y": ["odd" if bit else "even" for bit in odd]})


def _exclusive_or() -> list[Step]:
    table, part = parity(2), f"XOR beside {N_WEAK} weak columns"
    greedy = grow(table, "y", criterion="entropy", ledger=True)
    ahead = grow(table, "y", criterion="entropy", lookahead=2, ledger=True)
    gain = {record["column"]: record["gain"] for record in ahead.candidates(0)}
    weak = max((name for name in gain if name.startswith("weak")), key=lambda name: (gain[name], name))
    return [
        *(Step(f"Gain of {name}", "H(Y) - H(Y|X)", "", gain[name], part=part) for name in ("x1", "x2", weak)),
        Step(
            "Gain of the best two levels that begin with x1",
            "H(Y) - H(Y|X1, X2)",
            "",
            sum(_gain_of(ahead, node) for node in range(ahead.n_nodes) if not ahead.is_leaf(node)),
            part=part,
        ),
        Step("Leaves of the greedy tree", "", "", greedy.n_leaves, part=part, note=_wrong(greedy, table)),
        Step("Leaves with lookahead=2", "", "", ahead.n_leaves, part=part, note=_wrong(ahead, table)),
    ]


def _gain_of(tree: Tree, node: int) -> float:
    """Return what the test of a node takes off per row of the table."""
    return float(tree.gain[node]) * int(tree.n_rows[node]) / int(tree.n_rows[0])


def _parity() -> list[Step]:
    table, part = parity(3), f"Parity of three columns beside {N_WEAK} weak ones"
    greedy, ahead = (grow(table, "y", lookahead=levels) for levels in (1, 3))
    return [
        Step("Leaves of the greedy tree", "", "", greedy.n_leaves, part=part, note=_wrong(greedy, table)),
        Step("Leaves with lookahead=3", "2^3", "", ahead.n_leaves, part=part, note=_wrong(ahead, table)),
    ]


def _wrong(tree: Tree, table: Table) -> str:
    n = int((tree.predict(table) != table.labels("y")).sum())
    return "No row is wrong." if n == 0 else f"{n} of {table.n_rows} rows are wrong."
