"""Error-based pruning: the bound's golden values, and the core against the recursive twin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.oracle import error_based as twin
from tests.prune.cases import noisy, overgrown
from treewright.prune import error_based, error_estimate, extra_errors

QUIET = settings(max_examples=at_most(30, 80), deadline=None)
seeds = st.integers(0, 2**32 - 1)

# Specification 3.3: n, e, extra errors of C4.5, and of Weka.
BOUND = [
    (6, 0, 1.237797, 1.237797),
    (9, 0, 1.284804, 1.284804),
    (1, 0, 0.750000, 0.750000),
    (16, 1, 1.506894, 1.475715),
    (168, 1, 1.610055, 1.573759),
    (14, 5, 1.794993, 1.761120),
    (10, 3, 1.591274, 1.562369),
    (100, 10, 2.814705, 2.749611),
    (2, 1, 0.796241, 0.791493),
    (2, 0.5, 0.898121, 0.895747),
]


@pytest.mark.parametrize(("n", "e", "table", "exact"), BOUND)
def test_extra_errors(n: float, e: float, table: float, exact: float) -> None:
    assert extra_errors(n, e) == pytest.approx(table, abs=5e-7)
    assert extra_errors(n, e, z="exact") == pytest.approx(exact, abs=5e-7)
    assert extra_errors([n, n], e).tolist() == [extra_errors(n, e)] * 2


@QUIET
@given(
    seeds, st.integers(4, 120), st.booleans(), st.sampled_from([0.05, 0.25, 0.6]), st.sampled_from([1, 2, 5])
)
def test_the_core_and_the_twin_agree(seed: int, n: int, gaps: bool, confidence: float, minimum: int) -> None:
    rows = noisy(seed, n, gaps=gaps)
    tree = overgrown(rows, recipe="c4.5", min_branch=minimum, collapse=None)
    assert_same(tree, rows, confidence)


@QUIET
@given(seeds, st.integers(4, 150), st.sampled_from([0.1, 0.25]))
def test_so_they_do_on_binary_trees(seed: int, n: int, confidence: float) -> None:
    rows = noisy(seed, n)
    assert_same(overgrown(rows.drop(["colour"])), rows.drop(["colour"]), confidence)


@QUIET
@given(seeds, st.integers(4, 100))
def test_weights_that_are_no_whole_numbers(seed: int, n: int) -> None:
    rows = noisy(seed, n).drop(["colour"])
    weights = np.random.default_rng(seed).choice([0.3, 1.0, 2.5], n)
    assert_same(overgrown(rows, weights=weights), rows, 0.25, weights)


def assert_same(tree: tw.Tree, rows: tw.Table, confidence: float, weights: Any = None) -> None:
    goal, y = rows.column("y")
    columns = rows.drop(["y"]).values
    given_weights = np.ones(rows.n_rows) if weights is None else weights
    slow = twin.Pruner(columns, y, given_weights, len(goal.categories), confidence=confidence)
    nested, estimate = slow.prune(twin.from_tree(tree))
    found = error_based(tree, rows, confidence=confidence, weights=weights)
    assert found.n_nodes == twin.n_nodes(nested)
    leaves = twin.leaves(nested)
    np.testing.assert_allclose(found.stats[found.leaf_ids], [leaf.counts for leaf in leaves], atol=1e-9)
    assert found.label[found.leaf_ids].tolist() == [leaf.label for leaf in leaves]
    total = given_weights.sum()
    assert error_estimate(found, confidence=confidence) * total == pytest.approx(float(estimate), abs=1e-6)


def test_a_raised_branch_holds_all_rows() -> None:
    """Statistics, labels and largest branches are those of the rows that reach each node now."""
    n_raised = 0
    for seed in range(40):
        rows = noisy(seed, 80)
        tree = overgrown(rows)
        found = error_based(tree, rows)
        where = found.leaves(rows)
        y = rows.column("y")[1]
        for leaf in found.leaf_ids:
            assert found.stats[leaf].tolist() == np.bincount(y[where == leaf], minlength=3).tolist()
            assert found.n_rows[leaf] == (where == leaf).sum()
        for node in np.flatnonzero(found.kind):
            children = list(found.children(node))
            assert (found.stats[node] == found.stats[children].sum(axis=0)).all()
            assert found.largest[node] == found.weights[children].argmax()
        n_raised += found.n_nodes > 1 and found.column[0] != tree.column[0]
    assert n_raised > 0


@QUIET
@given(seeds, st.integers(4, 120), st.booleans(), st.randoms())
def test_the_order_of_rows_does_not_matter(seed: int, n: int, gaps: bool, chance: Any) -> None:
    rows = noisy(seed, n, gaps=gaps)
    order = list(range(n))
    chance.shuffle(order)
    assert tw.grow(rows, "y", "c4.5") == tw.grow(rows.take(order), "y", "c4.5")


def test_without_raising_only_leaves_replace() -> None:
    for seed in range(20):
        rows = noisy(seed, 80, gaps=seed % 2 == 0)
        tree = overgrown(rows, recipe="c4.5")
        found = error_based(tree, raising=False)
        estimate = error_estimate(found)
        # No table is needed, and no single further collapse lowers the estimate by more than the slack.
        assert estimate <= error_estimate(tree) + 0.1 * tree.n_nodes / 80
        for node in np.flatnonzero(found.kind):
            smaller = error_estimate(found.collapse(int(node)))
            assert smaller * 80 > estimate * 80 + 0.1 - 1e-9


def test_the_ledger_follows_its_nodes() -> None:
    rows = noisy(3, 80)
    tree = overgrown(rows, ledger=True)
    found = error_based(tree, rows)
    for node in np.flatnonzero(found.kind):
        chosen = [c for c in found.candidates(int(node)) if c["verdict"] == "chosen"]
        assert [c["column"] for c in chosen] == [found.schema.names[found.column[node]]]


def test_a_deep_tree() -> None:
    """Classes that alternate: a tree of thousands of levels, and no recursion."""
    n = 3_000
    rows = tw.Table.from_dict({"x": np.arange(n, dtype=float), "y": np.where(np.arange(n) % 2, "a", "b")})
    tree = overgrown(rows)
    assert tree.depth > 100
    assert error_based(tree, rows, confidence=0.01).n_nodes < tree.n_nodes


def test_what_is_refused() -> None:
    rows = noisy(0, 30)
    tree = overgrown(rows)
    numbers = overgrown(noisy(0, 30, is_classifier=False))
    with pytest.raises(ValueError, match="give the table the tree was grown on"):
        error_based(tree)
    with pytest.raises(ValueError, match="weigh 10, those the tree was grown on 30"):
        error_based(tree, rows.take(range(10)))
    with pytest.raises(ValueError, match="predicts the number 'y'"):
        error_based(numbers, noisy(0, 30, is_classifier=False))
    with pytest.raises(ValueError, match="confidence=0 must be above 0"):
        error_based(tree, rows, confidence=0)
    with pytest.raises(ValueError, match=r"confidence=0.6 is above 0\.5"):
        error_based(tree, rows, confidence=0.6, z="exact")
    with pytest.raises(ValueError, match="z='normal' is not one of"):
        error_based(tree, rows, z="normal")
    with pytest.raises(ValueError, match="slack=-1 must be"):
        error_based(tree, rows, slack=-1)
