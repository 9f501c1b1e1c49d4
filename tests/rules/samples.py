"""Rows and trees that the tests of rules share."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

import treewright as tw
from treewright.table import Column, Kind, Schema, Table
from treewright.tree import Tree

NUMBERS = [0.1, -2.0, 77.5, 1e-300, 0.0, 5e-324, 1e300, -np.inf, np.inf, np.nan]


def random_columns(tree: Tree, n_rows: int, seed: int, gaps: float = 0.2) -> list[Any]:
    """Return columns in a tree's codes: around its cuts, with gaps and categories it never met."""
    random = np.random.default_rng(seed)
    found: list[Any] = []
    cuts = tree.cut[np.isfinite(tree.cut)].tolist()
    for column in tree.schema.columns:
        if column.is_numeric:
            near = [step for cut in cuts for step in (cut, np.nextafter(cut, np.inf), cut - 1)]
            values = random.choice([*NUMBERS, *near], n_rows).astype(np.float64)
            values[random.random(n_rows) < gaps] = np.nan
        else:
            values = random.integers(-2, len(column.categories), n_rows).astype(np.int32)
        found.append(values)
    return found


@st.composite
def rows_for(draw: st.DrawFn, tree: Tree) -> list[Any]:
    """Draw columns for a tree."""
    return random_columns(tree, draw(st.integers(0, 40)), draw(st.integers(0, 2**32)))


def mixed_table(n_rows: int = 400, seed: int = 0, gaps: float = 0.1) -> Table:
    """Return a table with a column of every kind, gaps in all, and both a class and a number to predict."""
    random = np.random.default_rng(seed)
    x, z = random.normal(size=n_rows).round(2), random.integers(0, 9, n_rows).astype(np.float64)
    colour = random.integers(0, 5, n_rows).astype(np.int32)
    size = random.integers(0, 4, n_rows).astype(np.int32)
    wet = random.integers(0, 2, n_rows).astype(np.int32)
    noise = random.normal(size=n_rows)
    score = x + 0.3 * z + (colour == 2) * 2 - size * 0.5 + wet + noise
    label = np.digitize(score, [0.5, 2.0]).astype(np.int32)
    for values in (x, z):
        values[random.random(n_rows) < gaps] = np.nan
    for codes in (colour, size, wet):
        codes[random.random(n_rows) < gaps] = -1
    columns = (
        Column("x", Kind.numeric),
        Column("z", Kind.numeric),
        Column("colour", Kind.nominal, ("red", "green", "blue", "it's", 'say "hi"')),
        Column("size", Kind.ordinal, ("S", "M", "L", "XL")),
        Column("wet", Kind.boolean),
        Column("label", Kind.nominal, ("low", "mid", "high")),
        Column("score", Kind.numeric),
    )
    return Table(Schema(columns), (x, z, colour, size, wet, label, score))


def grown(task: str, **settings: Any) -> Tree:
    """Return a tree on the mixed table for classes or for numbers; without gaps where they are refused."""
    needs_whole = settings.get("missing") == "error" or settings.get("recipe") == "id3"
    table = mixed_table(gaps=0.0 if needs_whole else 0.1)
    goal, other = ("label", "score") if task == "classes" else ("score", "label")
    if settings.get("recipe") == "id3":
        table = table.drop(["x", "z", other])
        return tw.grow(table, target=goal, **settings)
    return tw.grow(table.drop(other), target=goal, **settings)
