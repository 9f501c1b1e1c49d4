from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.oracle import prune_minimum_error as oracle
from tests.prune.pruning_twins import as_tree, twins
from tests.prune.small import one_test
from treewright.prune import MinimumError, UnsuitableError, choose_m, minimum_error, sample_of, static_errors
from treewright.prune.heldout import losses

# Play tennis divided by Outlook, and the backed-up error for each m: semantics 3.8.
OUTLOOK = one_test((4, 0), (2, 3), (3, 2))
BACKED_UP = {0: 0.285714, 1: 0.318027, 2: 0.340136, 4: 0.362812, 8: 0.362376, 16: 0.361030}


def backed_up(tree, m=None):
    return float((static_errors(tree, m) * tree.weights)[1:].sum() / tree.weights[0])


def test_niblett_and_bratko_on_outlook():
    assert static_errors(OUTLOOK).round(6).tolist() == [0.375, 0.166667, 0.428571, 0.428571]
    assert backed_up(OUTLOOK) == pytest.approx(0.353741, abs=5e-7)
    assert minimum_error(OUTLOOK) == OUTLOOK


@pytest.mark.parametrize("m", BACKED_UP)
def test_the_m_estimate_on_outlook(m):
    assert static_errors(OUTLOOK, m)[0] == pytest.approx(0.357143, abs=5e-7)
    assert backed_up(OUTLOOK, m) == pytest.approx(BACKED_UP[m], abs=5e-7)
    assert minimum_error(OUTLOOK, m).n_leaves == (1 if m >= 4 else 3)


def test_niblett_and_bratko_is_the_m_estimate_with_equal_priors():
    tree = one_test((4, 0), (2, 3), (1, 4))  # 7 and 7
    np.testing.assert_allclose(static_errors(tree), static_errors(tree, 2.0), rtol=1e-15)


@given(twins(), st.sampled_from([None, 0, 1, 2, 4, 16, 128, Fraction(1, 2)]))
def test_it_agrees_with_recursion(twin, m):
    nested, tree = twin
    expected = as_tree(oracle.minimum_error(nested, m if m is None else Fraction(m)), tree)
    assert minimum_error(tree, m if m is None else float(m)) == expected


@given(twins(adds_up=True))
def test_without_estimate_only_useless_tests_go(twin):
    _, tree = twin
    pruned = minimum_error(tree, 0)  # static errors are training errors
    before, after = (t.weights[t.leaf_mask] - t.stats[t.leaf_mask].max(axis=1) for t in (tree, pruned))
    assert after.sum() == pytest.approx(before.sum())
    assert minimum_error(pruned, 0) == pruned


def test_costs_take_the_place_of_errors():
    tree = replace(one_test((9, 1), (1, 9)), about={"costs": [[0.0, 1.0], [10.0, 0.0]]})
    # leaf (9, 1): answering yes costs 10 x 2 / 12, answering no 10 / 12
    assert static_errors(tree)[1] == pytest.approx(10 / 12)


def test_m_by_cross_validation_is_the_best_of_the_grid():
    table, target = tables.table("kyphosis"), tables.target("kyphosis")
    tree = tw.grow(table, target=target)
    sample = sample_of(tree, table)
    fold = np.arange(table.n_rows) % 4
    seen = []
    found = choose_m(tree, table, [8, 0, 2], folds=fold, progress=seen.append)
    assert seen == [0.25, 0.5, 0.75, 1.0]
    for m, error in zip(found.values, found.error, strict=True):
        wrong = 0.0
        for k in range(4):
            grown = tw.grow(table.take(fold != k), target=target)
            wrong += losses(minimum_error(grown, m), sample.take(np.flatnonzero(fold == k))).sum()
        assert error == wrong / table.n_rows
    assert found.values == (0.0, 2.0, 8.0)
    best = [m for m, error in zip(found.values, found.error, strict=True) if error == min(found.error)]
    assert found.value == best[-1]
    assert MinimumError(m="cv", grid=(0, 2, 8), folds=fold)(tree, table) == minimum_error(tree, found.value)


def test_what_it_needs():
    assert MinimumError().needs == MinimumError(m=2).needs == "nothing"
    assert MinimumError(m="cv").needs == "training"
    with pytest.raises(ValueError, match="minimum_error needs the table the tree was grown on"):
        MinimumError(m="cv")(OUTLOOK)


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf"), "best"])
def test_a_wrong_m(wrong):
    with pytest.raises(ValueError, match="at least 0, or None"):
        minimum_error(OUTLOOK, wrong)


@given(twins(is_classifier=False))
def test_numbers_are_refused(twin):
    with pytest.raises(UnsuitableError, match="predicts the number"):
        minimum_error(twin[1])
