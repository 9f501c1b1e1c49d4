"""Rows that weigh next to nothing beside others: floating point must not lose them before the exact score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests.grow.engines import first_difference, general_engine
from treewright.table import Table


def difference(table: Table, weights: Any, **settings: Any) -> str:
    """Say where the two growths part; nothing if they do not."""
    quick = tw.grow(table, "y", weights=weights, **settings)
    with general_engine():
        return first_difference(quick, tw.grow(table, "y", weights=weights, **settings))


@pytest.mark.parametrize("light", [1e-10, 1e-11, 5e-12, 2e-12])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_a_cut_beside_a_light_row_ties_with_the_edge_of_its_bin(light: float, criterion: str) -> None:
    x = np.arange(2000.0)
    weights = np.ones(2000)
    weights[999] = light
    table = Table.from_dict({"x": x, "y": np.where(x >= 1000, "b", "a").tolist()})
    assert difference(table, weights, criterion=criterion) == ""


@pytest.mark.parametrize(("heavy", "light"), [(2e3, 1e-5), (1e4, 1e-5), (1e5, 2e-4)])
def test_the_bound_of_a_bin_keeps_a_light_class_beside_a_heavy_one(heavy: float, light: float) -> None:
    n = 2000
    first, y, weights = np.zeros(n), ["a"] * n, np.ones(n)
    first[0], y[0], weights[0], weights[1] = 1, "b", light, heavy
    table = Table.from_dict({"order": np.arange(float(n)), "first": first, "y": y})
    assert difference(table, weights, max_depth=1) == ""


@pytest.mark.parametrize("seed", range(10))
def test_sums_keep_a_light_outlier(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y, weights = rng.normal(size=1000), rng.normal(size=1000), rng.uniform(0.5, 1.5, 1000) * 1e6
    last = np.argmax(x)
    weights[last], y[last] = 1e-5, 1e7
    table = Table.from_dict({"x": x, "minus_x": -x, "y": y})
    assert difference(table, weights, max_depth=1) == ""


@pytest.mark.parametrize("n_rows", [1000, 3000])
@pytest.mark.parametrize("seed", range(6))
def test_the_bound_of_categories_keeps_a_light_one(n_rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    level = rng.integers(0, 40, n_rows)
    y = rng.normal(size=n_rows) + rng.normal(size=40)[level] * 0.5
    weights, only = rng.uniform(0.5, 1.5, n_rows) * 1e6, np.zeros(n_rows)
    words = [f"l{v:03d}" for v in level]
    words[5], only[5], weights[5], y[5] = "zz", 1, 1e-5, 1e7
    table = Table.from_dict({"word": words, "only": only, "y": y})
    assert difference(table, weights, max_depth=1) == ""


def test_fields_of_records_are_columns_wherever_they_lie() -> None:
    records = np.zeros(300, dtype=[("mark", "i1"), ("x", "f8", (3,))])
    records["x"] = np.random.default_rng(0).normal(size=(300, 3))
    y = records["x"][:, 1] > 0
    assert tw.DecisionTreeClassifier().fit(records["x"], y).tree_ == (
        tw.DecisionTreeClassifier().fit(records["x"].copy(), y).tree_
    )
