"""A tree whose sides weigh the same, and rows that none of its surrogates can place (ruling 3.14.5)."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

import treewright as tw
from treewright.table import Table

SETTINGS: dict[str, Any] = {"recipe": "cart", "prune": "none", "min_split": 2, "min_leaf": 1, "max_depth": 2}


def level_tree(primary: str, task: str = "classes", max_surrogates: int = 5) -> tw.Tree:
    """Return a tree that asks a number, or a category, and has surrogates of both kinds."""
    x = np.arange(1.0, 9.0)
    columns: dict[str, Any] = {
        "x": x,
        "z": np.array([1.0, 2, 3, 6, 4, 5, 7, 8]),
        "colour": np.array(["red", "red", "red", "blue", "blue", "blue", "blue", "red"]),
    }
    if primary == "colour":
        columns["colour"], columns["x"] = (
            np.where(x <= 4, "red", "blue"),
            np.array([1.0, 2, 3, 5, 4, 6, 7, 8]),
        )
    y = np.where(x <= 4, "a", "b") if task == "classes" else np.where(x <= 4, 1.0, 5.0)
    tree = tw.grow(Table.from_dict({**columns, "y": y}), "y", **SETTINGS, max_surrogates=max_surrogates)
    assert tree.schema.names[tree.column[0]] == primary
    assert tree.missing[0] == -1
    return tree


def level_rows() -> Table:
    """Return rows with every pattern of values, gaps and new categories."""
    cells = list(product([2.0, 7.0, None], [2.0, 7.0, None], ["red", "blue", "green", None]))
    x, z, colour = (list(column) for column in zip(*cells, strict=True))
    return Table.from_dict({"x": x, "z": z, "colour": colour})


PRIMARIES = ("x", "colour")
