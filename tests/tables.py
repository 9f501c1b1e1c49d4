"""The real tables in tests/data: table, target, published training part, and what peers grew on them."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import Any

from treewright.table import Table, read_described

FOLDER = Path(__file__).parent / "data"


@cache
def about(name: str) -> dict[str, Any]:
    """Return the description of a table."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found


@cache
def table(name: str) -> Table:
    """Return a table with its declared kinds and category order."""
    return read_described(FOLDER / about(name)["file"])


def target(name: str) -> str:
    """Return the name of the column to predict."""
    return str(about(name)["target"])


def parts(name: str) -> tuple[Table, Table]:
    """Return the published training part and test part."""
    n, whole = about(name)["train_rows"], table(name)
    return whole.take(range(n)), whole.take(range(n, whole.n_rows))


@cache
def peers() -> list[dict[str, str]]:
    """Return the rows of peers.csv: sizes and errors of other programs' trees on these tables."""
    with (FOLDER / "peers.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def n_errors(tree: Any, rows: Table, name: str) -> int:
    """Return how many rows a tree gets wrong."""
    return int((tree.predict(rows) != rows.labels(target(name))).sum())
