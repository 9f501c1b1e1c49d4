"""The test chosen at every node is the best of all: 200 random tables and the real ones, to 1e-12."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn import datasets
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright as tw
from tests.amount import at_most, every
from tests.grow.samples import kept_weights, random_sample, random_weights, sample_of, tree_of
from tests.oracle.exhaustive import Sample, Verdict, impurity_of, judge_exactness
from tests.tables import table, target

DEEPEST = 10  # impurities are compared down to here


def with_each_criterion(sample: Sample) -> list[Sample]:
    """Return the sample once for every criterion of its task."""
    names = ("gini", "entropy") if sample.n_classes else ("squared_error",)
    return [replace(sample, criterion=name) for name in names]


def peer_impurities(sample: Sample) -> list[float]:
    """Return the training impurity of scikit-learn's tree cut off at depth 0, 1, ... (times weight)."""
    model = DecisionTreeClassifier if sample.n_classes else DecisionTreeRegressor
    grower = model(criterion=sample.criterion, max_depth=DEEPEST, random_state=0)
    X = np.stack(sample.columns, axis=1).astype(np.float32)
    arrays = grower.fit(X, sample.y, sample_weight=sample.weights).tree_
    found = [0.0] * (DEEPEST + 1)
    stack = [(0, np.arange(len(sample.y)), 0)]
    while stack:
        node, rows, depth = stack.pop()
        is_leaf = arrays.children_left[node] < 0
        for here in range(depth, DEEPEST + 1 if is_leaf else depth + 1):
            found[here] += impurity_of(sample, rows)
        if not is_leaf:
            goes_left = X[rows, arrays.feature[node]] <= arrays.threshold[node]
            stack.append((arrays.children_left[node], rows[goes_left], depth + 1))
            stack.append((arrays.children_right[node], rows[~goes_left], depth + 1))
    return found


def compare_with_peer(sample: Sample, verdict: Verdict) -> int:
    """Check impurity at each depth that no tie has touched; return how many depths those were."""
    theirs = peer_impurities(sample)
    last = DEEPEST if verdict.first_tie is None else min(DEEPEST, verdict.first_tie + 1)
    for depth in range(last + 1):
        ours = verdict.impurity[min(depth, len(verdict.impurity) - 1)]
        np.testing.assert_allclose(ours, theirs[depth], rtol=1e-12, atol=1e-12 * theirs[0])
    return last


TENS = every(4, range(20))


@pytest.mark.parametrize("ten", TENS)
def test_no_better_test_on_two_hundred_random_tables(ten: int) -> None:
    n_compared = 0
    for seed in range(10 * ten, 10 * ten + 10):
        for sample in with_each_criterion(random_sample(seed)):
            verdict = judge_exactness(tree_of(sample), sample)
            if not np.isnan(sample.columns).any():
                n_compared += compare_with_peer(sample, verdict)
    assert n_compared > 10  # not every table ties at its root


@pytest.mark.parametrize("seed", range(0, 200, 7))
def test_no_better_test_within_limits(seed: int) -> None:
    rng = np.random.default_rng([seed, 7])
    for sample in with_each_criterion(random_sample(seed)):
        limits = {"min_leaf": int(rng.integers(2, 40)), "max_depth": int(rng.integers(1, 9))}
        limited = replace(sample, **limits)
        judge_exactness(tree_of(limited), limited)


def test_real_weights_are_those_that_are_kept() -> None:
    """The judge sums weights as growth keeps them; what growth is given is within 1e-9 of that."""
    rng = np.random.default_rng(8)
    for seed in range(20):
        sample = random_sample(seed)
        raw = random_weights(rng, len(sample.y)) * rng.uniform(0.1, 1.0, len(sample.y))
        given, kept = replace(sample, weights=raw), replace(sample, weights=kept_weights(raw))
        tree = tree_of(given)
        assert tree == tree_of(kept)
        judge_exactness(tree, kept)
        np.testing.assert_allclose(kept.weights, raw, rtol=1e-9)


# ---- real tables ----------------------------------------------------------------------------------

# Tables of numbers, or of categories with two classes or few categories: the judge can try all subsets.
OURS = ["iris", "abalone", "adult", "kyphosis", "stagec", "credit_g", "hypothyroid", "labor", "vote", "monk1",
        "monk2", "monk3", "tennis", "weather_numeric", "temperature", "restaurant", "section10_weather",
        "contact_lenses", "and_or_xor", "perceptron", "fertility", "crx"]  # fmt: skip
THEIRS = ["wine", "breast_cancer", "digits", "diabetes"]


@cache
def real_rows(name: str, n_rows: int) -> Any:
    """Return some rows of a table, drawn evenly."""
    whole = table(name)
    step = max(1, whole.n_rows // n_rows)
    return whole.take(range(0, whole.n_rows, step))


@pytest.mark.parametrize("name", OURS)
def test_no_better_test_on_real_tables(name: str) -> None:
    rows = real_rows(name, at_most(1200, 2500))
    for sample in with_each_criterion(sample_of(rows, target(name), "gini")):
        tree = tw.grow(rows, target(name), criterion=sample.criterion)
        assert judge_exactness(tree, sample).n_nodes == tree.n_nodes


@pytest.mark.parametrize("name", ["kyphosis", "adult", "vote", "credit_g"])
def test_no_better_category_against_the_rest(name: str) -> None:
    rows = real_rows(name, 1200)
    for sample in with_each_criterion(sample_of(rows, target(name), "gini", one_vs_rest=True)):
        tree = tw.grow(rows, target(name), criterion=sample.criterion, splits="one_vs_rest")
        assert judge_exactness(tree, sample).n_nodes == tree.n_nodes


@pytest.mark.parametrize("name", THEIRS)
def test_no_better_test_on_tables_of_scikit_learn(name: str) -> None:
    X, y = getattr(datasets, f"load_{name}")(return_X_y=True)
    X = X.astype(np.float32).astype(np.float64)
    n_classes = 0 if name == "diabetes" else int(y.max()) + 1
    columns, ones = tuple(np.ascontiguousarray(X.T)), np.ones(len(y))
    for sample in with_each_criterion(Sample(columns, (False,) * len(columns), y, ones, n_classes, "")):
        verdict = judge_exactness(tree_of(sample), sample)
        assert compare_with_peer(sample, verdict) > 1


# ---- the judge itself -----------------------------------------------------------------------------


def bent(tree: tw.Tree, **changes: Any) -> Any:
    """Return something that reads like the tree, but with other arrays."""
    fields = {name: getattr(tree, name) for name in ("end", "column", "kind", "cut", "missing", "code_start",
              "code", "code_branch", "gain", "n_rows", "stats", "schema", "depth", "depths")}  # fmt: skip
    return type("Bent", (), fields | changes)


def noisy_sample(n_classes: int) -> Sample:
    """Return a table of distinct values and many classes' noise, where no two cuts score the same."""
    rng = np.random.default_rng(17)
    columns = tuple(rng.permutation(900).astype(np.float64) for _ in range(3))
    numbers = columns[0] / 300 + rng.normal(size=900)
    y = np.searchsorted([0.5, 1.5, 2.5], numbers) if n_classes else numbers
    criterion = "gini" if n_classes else "squared_error"
    return Sample(columns, (False,) * 3, y, np.ones(900), n_classes, criterion, max_depth=1)


@pytest.mark.parametrize("n_classes", [0, 4])
@pytest.mark.parametrize("step", [-1, 1])
def test_the_judge_sees_a_cut_one_row_off(n_classes: int, step: int) -> None:
    sample = noisy_sample(n_classes)
    tree = tree_of(sample)
    column = int(tree.column[0])
    moved = tree.cut + step  # values are whole numbers: exactly one row changes sides
    sides = [sample.columns[column] <= moved[0], sample.columns[column] > moved[0]]
    rows = [np.arange(900), *(np.flatnonzero(side) for side in sides)]
    if n_classes:
        stats = np.array([np.bincount(sample.y[part], minlength=n_classes) for part in rows], dtype=float)
    else:
        stats = np.array([[len(p), sample.y[p].mean(), impurity_of(sample, p)] for p in rows])
    off = bent(tree, cut=moved, stats=stats, n_rows=np.array([len(part) for part in rows]))
    judge_exactness(tree, sample)
    with pytest.raises(AssertionError, match="node 0: of 900 rows takes off"):
        judge_exactness(off, sample)


def test_the_judge_sees_a_threshold_a_gain_a_count_and_a_leaf_that_are_wrong() -> None:
    sample = noisy_sample(4)
    tree = tree_of(sample)
    wrong: dict[str, Any] = {
        "the middle of": {"cut": np.nextafter(tree.cut, np.inf)},
        "records a gain": {"gain": tree.gain * (1 + 1e-9)},
        "records statistics": {"stats": tree.stats + 1e-6},
        "records 899 of 900": {"n_rows": tree.n_rows - 1},
    }
    for words, changes in wrong.items():
        with pytest.raises(AssertionError, match=words):
            judge_exactness(bent(tree, **changes), sample)
    with pytest.raises(AssertionError, match="tests could split it"):
        judge_exactness(tree, replace(sample, max_depth=2))
    with pytest.raises(AssertionError, match="each needs"):
        judge_exactness(tree, replace(sample, min_leaf=900))


def test_the_judge_sees_the_second_best_column() -> None:
    sample = noisy_sample(4)
    best = int(tree_of(sample).column[0])
    without = [np.zeros(900) if i == best else column for i, column in enumerate(sample.columns)]
    tree = tree_of(replace(sample, columns=tuple(without)))
    with pytest.raises(AssertionError, match="takes off"):
        judge_exactness(tree, sample)
