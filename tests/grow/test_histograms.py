"""Large nodes are measured by histograms; the tree is the same, bit for bit, as without them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests.tables import table, target
from treewright.grow.settings import Settings
from treewright.table import Table


def both(rows: Table, goal: str, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> tuple[tw.Tree, tw.Tree]:
    """Return the tree grown with histograms and the tree grown without."""
    fast = tw.grow(rows, goal, **settings)
    to_core = Settings.to_core

    def without(self: Settings) -> Any:
        core = to_core(self)
        core.use_histograms = False
        return core

    monkeypatch.setattr(Settings, "to_core", without)
    slow = tw.grow(rows, goal, **settings)
    monkeypatch.undo()
    return fast, slow


def random_table(seed: int, n_classes: int, gaps: float = 0.0, n_rows: int = 4000) -> Table:
    """Return rows with every kind of column: distinct numbers, many ties, integers, categories."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=n_rows)
    columns: dict[str, Any] = {
        "distinct": x,
        "rounded": rng.normal(size=n_rows).round(2),
        "few": rng.integers(0, 7, n_rows).astype(float),
        "skewed": np.exp(3 * rng.normal(size=n_rows)).round(1),
        "letter": np.array(list("abcdefghij"))[rng.integers(0, 10, n_rows)],
        "many": np.array([f"m{i:03d}" for i in range(400)])[rng.integers(0, 400, n_rows)],
    }
    signal = x + columns["rounded"] * columns["few"] / 4 + rng.normal(size=n_rows)
    edges = np.quantile(signal, np.linspace(0, 1, n_classes + 1)[1:-1])
    for name in ("distinct", "rounded", "letter"):
        holes = rng.random(n_rows) < gaps
        columns[name] = [None if hole else cell for cell, hole in zip(columns[name], holes, strict=True)]
    return Table.from_dict({**columns, "y": [f"k{c}" for c in np.searchsorted(edges, signal)]})


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n_classes", [2, 3, 7])
@pytest.mark.parametrize("criterion", ["gini", "entropy", "error", "gain_ratio"])
def test_same_tree_on_random_tables(
    seed: int, n_classes: int, criterion: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    gaps = 0.1 if seed % 2 else 0.0
    rows = random_table(seed, n_classes, gaps)
    more: dict[str, Any] = [{}, {"min_leaf": 30}, {"max_leaves": 40}][seed % 3]
    fast, slow = both(rows, "y", monkeypatch, criterion=criterion, max_depth=9, **more)
    assert fast == slow


@pytest.mark.parametrize(
    "missing", ["learned", "surrogate", "own_branch", "most_common", "most_common_overall"]
)
@pytest.mark.parametrize("splits", ["binary", "multiway", "one_vs_rest"])
def test_same_tree_for_every_policy(missing: str, splits: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if missing == "surrogate" and splits == "multiway":
        splits = "binary"
    rows = random_table(11, 2, gaps=0.05)
    fast, slow = both(rows, "y", monkeypatch, missing=missing, splits=splits, max_depth=6)
    assert fast == slow


@pytest.mark.parametrize("name", ["adult", "mushroom", "hypothyroid", "credit_g"])
def test_same_tree_on_real_tables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, slow = both(table(name), target(name), monkeypatch)
    assert fast == slow
