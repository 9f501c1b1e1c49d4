"""Large nodes are measured by histograms; the tree is the same, bit for bit, as without them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests.amount import first
from tests.tables import table, target
from treewright.growth.settings import Settings
from treewright.table import Table


def both(rows: Table, goal: str, monkeypatch: pytest.MonkeyPatch, **settings: Any) -> tuple[tw.Tree, tw.Tree]:
    """Return the tree grown with histograms and the tree grown without."""
    fast = tw.grow(rows, goal, **settings)
    to_core = Settings.to_core

    def without(self: Settings) -> Any:
        core = to_core(self)
        core.search = "every"
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


@pytest.mark.parametrize("seed", first(3, range(6)))
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


def odd_case(seed: int) -> tuple[Table, dict[str, Any]]:
    """Return a table of odd columns and settings to grow it with."""
    rng = np.random.default_rng(seed)
    n, k = int(rng.choice([5, 30, 600, 1500])), int(rng.integers(2, 6))
    columns: dict[str, Any] = {}
    for j in range(int(rng.integers(1, 5))):
        drawn = [
            rng.normal(size=n),
            rng.integers(0, int(rng.integers(2, 30)), n).astype(float),
            np.round(rng.normal(size=n) * 50),
            np.arange(n, dtype=float)[::-1],
            np.array([f"c{i}" for i in rng.integers(0, int(rng.integers(2, 40)), n)], dtype=object),
        ][rng.integers(0, 5)]
        holes = rng.random(n) < (0.05 if rng.random() < 0.2 else 0)
        columns[f"x{j}"] = [None if hole else cell for cell, hole in zip(drawn, holes, strict=True)]
    order = np.argsort([cell if isinstance(cell, float) else 0.0 for cell in columns["x0"]])
    y = np.empty(n, dtype=int)
    y[order] = np.sort(rng.integers(0, k, n))
    noisy = rng.random(n) < rng.choice([0.1, 0.5, 1.0])
    y[noisy] = rng.integers(0, k, noisy.sum())
    settings = {
        "criterion": str(rng.choice(["gini", "entropy"])),
        "min_leaf": float(rng.choice([0, 1, 2, 5, n // 4])),
        "missing": str(rng.choice(["learned", "own_branch", "surrogate", "most_common"])),
        "max_leaves": [None, None, int(rng.integers(2, 30))][rng.integers(0, 3)],
        "max_columns": [None, None, 1][rng.integers(0, 3)],
    }
    return Table.from_dict({**columns, "y": [f"k{c}" for c in y]}), settings


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("flip", [False, True])
def test_the_best_allowed_cut_may_lie_inside_a_pure_bin(
    criterion: str, flip: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twenty rows of one class, then the other: the nearer to row 20 the better, but a side needs more."""
    x = np.arange(1000.0)
    rows = Table.from_dict({"x": -x if flip else x, "y": ["a"] * 20 + ["b"] * 980})
    for least in range(21, 45):
        fast, slow = both(rows, "y", monkeypatch, criterion=criterion, min_leaf=least, max_depth=1)
        assert fast == slow
        assert sorted(fast.n_rows[1:].tolist()) == [least, 1000 - least]


@pytest.mark.parametrize("hundred", range(4))
def test_same_tree_on_four_hundred_odd_tables(hundred: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        rows, settings = odd_case(seed)
        fast, slow = both(rows, "y", monkeypatch, **settings)
        assert fast == slow, f"seed {seed}: {settings}"


@pytest.mark.parametrize("max_leaves", [2, 3, 7, 11, 40])
@pytest.mark.parametrize("splits", ["binary", "multiway"])
def test_same_tree_within_a_budget(max_leaves: int, splits: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that the budget rules out must not hide the others: they are not refined against."""
    rows = random_table(5, 3)
    fast, slow = both(rows, "y", monkeypatch, max_leaves=max_leaves, splits=splits)
    assert fast == slow
    assert 1 < fast.n_leaves <= max_leaves


@pytest.mark.parametrize("name", ["adult", "mushroom", "hypothyroid", "credit_g"])
def test_same_tree_on_real_tables(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    fast, slow = both(table(name), target(name), monkeypatch)
    assert fast == slow
