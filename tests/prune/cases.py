"""Noisy tables and the trees that overfit them."""

from __future__ import annotations

from typing import Any

import numpy as np

import treewright as tw
from treewright.table import Column, Kind, Schema, Table


def noisy(seed: int, n_rows: int, *, is_classifier: bool = True, gaps: bool = False) -> Table:
    """Return two numeric columns, a nominal one and a target that follows them now and then."""
    rng = np.random.default_rng(seed)
    x, z = rng.integers(0, 12, (2, n_rows)).astype(np.float64)
    colour = rng.integers(0, 3, n_rows).astype(np.int32)
    signal = (x > 5).astype(int) + (colour == 1)
    wild = rng.random(n_rows) < 0.4
    answer = np.where(wild, rng.integers(0, 3, n_rows), signal)
    if gaps:
        x, z = (np.where(rng.random(n_rows) < 0.15, np.nan, v) for v in (x, z))
        colour = np.where(rng.random(n_rows) < 0.15, -1, colour).astype(np.int32)
    columns = (
        Column("x", Kind.numeric),
        Column("z", Kind.numeric),
        Column("colour", Kind.nominal, ("red", "green", "blue")),
    )
    goal = Column("y", Kind.nominal, ("a", "b", "c")) if is_classifier else Column("y", Kind.numeric)
    y: Any = answer.astype(np.int32) if is_classifier else answer + rng.normal(0, 0.1, n_rows)
    return Table(Schema((*columns, goal)), (x, z, colour, y))


def overgrown(table: Table, **settings: Any) -> tw.Tree:
    """Return the unpruned tree."""
    return tw.grow(table, "y", **{"prune": "none", **settings})
