"""Small tables on which entries are tried: gaps, categories, an order, numbers, both kinds of target."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import treewright as tw

N_ROWS = 60


@cache
def sample(is_classifier: bool = True, has_gaps: bool = True) -> tw.Table:
    """Return a table of five columns for classes (two of them), or for counts."""
    draws = np.random.default_rng(7)
    x, size, colour = (
        draws.normal(size=N_ROWS).round(1),
        draws.integers(0, 3, N_ROWS),
        draws.integers(0, 4, N_ROWS),
    )
    worth = x + size + (colour == 2) + draws.normal(size=N_ROWS) * 0.5
    cells: dict[str, Any] = {
        "x": x.tolist(),
        "z": draws.normal(size=N_ROWS).round(1).tolist(),
        "size": ["SML"[i] for i in size],
        "colour": [("red", "green", "blue", "grey")[i] for i in colour],
        "y": ["low" if w < 1 else "high" for w in worth]
        if is_classifier
        else np.floor(worth - worth.min()).tolist(),
    }
    if has_gaps:
        for place, name in enumerate(("x", "size", "colour")):
            cells[name] = [None if i % 11 == place else cell for i, cell in enumerate(cells[name])]
    return tw.Table.from_dict(cells, ordinal={"size": ["S", "M", "L"]})


def odd_rows() -> tw.Table:
    """Return rows to answer: gaps in every column, and in most rows a category that no training row has."""
    known = sample(has_gaps=False).to_dict()
    return tw.Table.from_dict(
        {
            "x": [None, 0.1, -5.0, 2.0, None, *known["x"]],
            "z": [0.3, None, 1.0, -1.0, None, *known["z"]],
            "size": ["S", "M", None, "L", None, *known["size"]],
            "colour": ["red", "violet", "blue", None, None, *["violet"] * N_ROWS],
        },
        ordinal={"size": ["S", "M", "L"]},
        kinds={"x": "numeric", "z": "numeric"},
    )
