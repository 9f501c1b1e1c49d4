"""The search against its twin that tries every tree: mixed columns, gaps, weights, costs, prices."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import treewright as tw
from tests.amount import first
from tests.lookahead.trials import solved, table_of, trial_of
from tests.oracle.optimal import Trial, leaf_cost, least_cost


def cost_of(trial: Trial, tree: tw.Tree) -> float:
    """Return what a tree costs, from the leaves that its rows reach."""
    leaves = tree.leaves(table_of(trial))
    held = sum(leaf_cost(trial, np.flatnonzero(leaves == leaf)) for leaf in np.unique(leaves))
    return held + trial.leaf_price * tree.n_leaves


@pytest.mark.parametrize("seed", first(60, range(200)))
def test_least_cost_is_that_of_the_twin(seed: int) -> None:
    trial = trial_of(seed, most_rows=24 if seed % 2 else 14)
    for depth in (1, 2):
        found = solved(trial, depth)
        least = least_cost(trial, depth)
        assert found.certificate.is_proven
        assert found.certificate.upper == pytest.approx(least, abs=1e-7)
        assert cost_of(trial, found.tree) == pytest.approx(least, abs=1e-7)
        assert found.tree.depth <= depth


@pytest.mark.parametrize("seed", first(12, range(200, 240)))
@pytest.mark.parametrize("max_leaves", [2, 3, 4, 5])
def test_least_cost_with_so_many_leaves(seed: int, max_leaves: int) -> None:
    trial = trial_of(seed, most_rows=12)
    found = solved(trial, 2, max_leaves)
    assert found.certificate.upper == pytest.approx(least_cost(trial, 2, max_leaves), abs=1e-7)
    assert found.tree.n_leaves <= max_leaves
    assert cost_of(trial, found.tree) == pytest.approx(found.certificate.upper, abs=1e-7)


@pytest.mark.parametrize("seed", first(28, range(500, 580)))
def test_least_cost_where_leaves_have_so_many_rows(seed: int) -> None:
    trial = trial_of(seed, most_rows=18)
    trial = replace(trial, min_leaf=2 + seed % 4)
    for depth in (1, 2, 3 if len(trial.y) < 9 else 2):
        found = solved(trial, depth)
        least = least_cost(trial, depth)
        assert found.certificate.is_proven
        assert found.certificate.upper == pytest.approx(least, abs=1e-7)
        assert cost_of(trial, found.tree) == pytest.approx(least, abs=1e-7)
        rows = np.bincount(found.tree.leaves(table_of(trial)))
        assert rows[rows > 0].min() >= min(trial.min_leaf, len(trial.y))


@pytest.mark.parametrize("seed", first(12, range(580, 610)))
def test_leaves_of_so_many_rows_and_so_many_of_them(seed: int) -> None:
    trial = replace(trial_of(seed, most_rows=14), min_leaf=2 + seed % 2)
    for max_leaves in (2, 3, 4):
        found = solved(trial, 2, max_leaves)
        assert found.certificate.upper == pytest.approx(least_cost(trial, 2, max_leaves), abs=1e-7)


@pytest.mark.parametrize("seed", first(12, range(300, 330)))
def test_three_levels(seed: int) -> None:
    trial = trial_of(seed, most_rows=9)
    found = solved(trial, 3)
    assert found.certificate.upper == pytest.approx(least_cost(trial, 3), abs=1e-7)
    assert cost_of(trial, found.tree) == pytest.approx(found.certificate.upper, abs=1e-7)


def median_trial(seed: int) -> Trial:
    """Return a trial of numbers, judged by distances from medians."""
    found = (trial_of(k, most_rows=14) for k in range(1000 * seed, 1000 * seed + 999))
    return replace(next(trial for trial in found if not trial.n_classes), criterion="absolute_error")


@pytest.mark.parametrize("seed", range(40))
def test_distances_from_medians(seed: int) -> None:
    trial = median_trial(seed)
    for depth in (1, 2):
        found = solved(trial, depth)
        assert found.certificate.is_proven
        assert found.certificate.upper == pytest.approx(least_cost(trial, depth), abs=1e-7)
        assert cost_of(trial, found.tree) == pytest.approx(found.certificate.upper, abs=1e-7)


@pytest.mark.parametrize("n_classes", [0, 2, 4])
@pytest.mark.parametrize("seed", range(6))
def test_sixteen_tests_at_once_by_sums(n_classes: int, seed: int) -> None:
    # more rows and tests than sixteen, and weights that are not whole: what kernels of sums are for
    rng = np.random.default_rng(seed)
    n = 40
    columns = [("number", rng.normal(size=n).round(1)), ("nominal", rng.integers(0, 4, n).astype(float))]
    columns[0][1][rng.random(n) < 0.2] = np.nan
    criterion = ("error", "gini", "entropy")[seed // 2] if n_classes else "squared_error"
    y = rng.integers(0, n_classes, n) if n_classes else rng.normal(size=n) * 10.0 ** (seed - 2)
    weights = rng.random(n) + 0.1 if seed % 2 else np.ones(n)
    trial = Trial(columns, [0, 4], y, n_classes, weights, criterion)
    least = least_cost(trial, 2)
    assert solved(trial, 2).certificate.upper == pytest.approx(least, rel=1e-9)
