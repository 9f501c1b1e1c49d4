"""C4.5 release 8 with option -s, groups of categories: the sizes, errors and estimates that it printed."""

from __future__ import annotations

import csv
from typing import Any

import pytest

import treewright as tw
from tests.golden.test_c45 import published_parts
from tests.tables import FOLDER, n_errors, table, target
from treewright.prune import error_estimate

with (FOLDER / "c45_subset.csv").open(newline="") as _file:
    ROWS = list(csv.DictReader(_file))

# Nodes and training errors before pruning, the same after it, and the estimate, where ours are not the
# program's: all tables with columns of many categories. Why is known in part. The tree that the program
# printed for soybean breaks its own least branch of 2: 19 of its 80 tests have fewer than two branches of
# weight 2, and 5 nodes of weight below 4 are divided, as in none of the other trees with this option (with
# min_branch=1 ours has 127 nodes after pruning, 19 errors, 13.4). In crx, published rows, the trees part at
# one node of 130 rows: groups {v, h, bb} and {ff, o} of A7, where {v, h} joined {bb} although that takes
# the gain from 0.00434 at first to 0.00160, below half of it, while {v, h} with {ff, o} kept 0.00276. Half
# of the gain before, a third, a quarter, and pairs taken one by one in their order agree with no more rows.
DIFFERENT: dict[tuple[str, str], tuple[Any, ...]] = {
    ("soybean", "all"): (180, 18, 102, 24, "14.1"),
    ("crx", "all"): (169, 26, 54, 50, "13.2"),
    ("crx", "published"): (117, 18, 35, 33, "11.7"),  # pruned it is the program's
    ("credit_g", "all"): (371, 52, 179, 106, "21.0"),
}


def printed(row: dict[str, str]) -> tuple[Any, ...]:
    """Return what the program printed."""
    names = ("nodes_before_pruning", "train_errors_before_pruning", "nodes", "train_errors")
    return (*(int(row[name]) for name in names), row["estimate"])


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['data']}-{row['rows']}")
def test_sizes_errors_and_estimates(row: dict[str, str]) -> None:
    name = row["data"]
    rows = table(name) if row["rows"] == "all" else published_parts(name)[0]
    grown = tw.grow(rows, target(name), "c4.5", splits="grouped", prune="none")
    tree = tw.grow(rows, target(name), "c4.5", splits="grouped")
    found = (
        grown.n_nodes,
        n_errors(grown, rows, name),
        tree.n_nodes,
        n_errors(tree, rows, name),
        f"{100 * error_estimate(tree):.1f}",
    )
    assert found == DIFFERENT.get((name, row["rows"]), printed(row))


def test_the_share_that_agrees() -> None:
    """As many as of the runs without options: 94 of 106 after pruning, 72 of 85 before it."""
    pruned = [DIFFERENT.get((r["data"], r["rows"]), printed(r))[2:] == printed(r)[2:] for r in ROWS]
    assert (sum(pruned), len(ROWS) - len(DIFFERENT), len(ROWS)) == (19, 18, 22)
