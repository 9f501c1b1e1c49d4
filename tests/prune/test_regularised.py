from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from tests import tables
from tests.amount import at_most
from tests.oracle import prune_regularised as oracle
from tests.oracle import tree as nested_tree
from tests.prune.pruning_twins import as_tree, twins
from tests.prune.small import one_test
from treewright.prune import Regularised, UnsuitableError, regularised

prices = st.sampled_from([0.0, 0.25, 1.0, 3.0, 10.0, 1e4])
kinds = st.booleans()
few = st.recursive(st.just([]), lambda child: st.lists(child, min_size=2, max_size=3), max_leaves=8)


def test_one_split_stays_when_it_gains_more_than_its_leaves_cost():
    # Outlook of play tennis: 14 x 0.246750 bits for two leaves more (semantics 3.8 and 3.0)
    outlook = one_test((4, 0), (2, 3), (3, 2))
    price = 14 * 0.24674981977443933 / 2
    assert regularised(outlook, price * (1 - 1e-6)).n_leaves == 3
    assert regularised(outlook, price * (1 + 1e-6)).n_leaves == 1
    assert regularised(outlook, price).n_leaves == 1  # an equal price prunes


@given(st.data(), prices, kinds)
def test_it_agrees_with_recursion(data, price, is_classifier):
    nested, tree = data.draw(twins(is_classifier=is_classifier))
    assert regularised(tree, price) == as_tree(oracle.regularised(nested, price, is_classifier), tree)


@given(st.data(), prices, kinds)
@settings(max_examples=at_most(20, 50))
def test_no_pruning_costs_less_and_none_that_costs_the_same_is_smaller(data, price, is_classifier):
    nested, tree = data.draw(twins(few, is_classifier=is_classifier))
    found = regularised(tree, price)
    every = list(oracle.prunings(nested))
    costs = [oracle.cost(pruned, price, is_classifier) for pruned in every]
    least = min(costs)
    equal = [p for p, cost in zip(every, costs, strict=True) if cost <= least + 1e-9 * max(1.0, least)]
    assert found.n_leaves == min(map(nested_tree.n_leaves, equal))
    assert any(as_tree(pruned, tree) == found for pruned in equal)


@given(st.data(), kinds)
def test_trees_are_nested_in_the_price(data, is_classifier):
    _, tree = data.draw(twins(is_classifier=is_classifier))
    trees = [regularised(tree, price) for price in (0.0, 0.5, 1.0, 2.0, 4.0, 100.0, float("inf"))]
    for larger, smaller in itertools.pairwise(trees):
        assert smaller.n_leaves <= larger.n_leaves
    for price, pruned in zip((0.5, 1.0, 2.0, 4.0, 100.0), trees[1:], strict=False):
        assert regularised(pruned, price) == pruned  # idempotent
        assert regularised(trees[0], price) == pruned  # the smaller is a pruning of the larger
    assert trees[-1].n_leaves == 1


def test_scikit_learn_calls_it_ccp_alpha():
    rows, target = tables.table("iris"), tables.target("iris")
    X = np.column_stack([v for n, v in zip(rows.names, rows.values, strict=True) if n != target])
    y = rows.column(target)[1]
    tree = tw.grow(rows, target, criterion="entropy")
    path = DecisionTreeClassifier(criterion="entropy", random_state=0).cost_complexity_pruning_path(X, y)
    alphas = path.ccp_alphas * (1 + 1e-9) + 1e-12  # just above each step
    peers = [DecisionTreeClassifier(criterion="entropy", random_state=0, ccp_alpha=alpha) for alpha in alphas]
    sizes = [peer.fit(X, y).get_n_leaves() for peer in peers]
    assert len(sizes) > 5
    assert sizes == [regularised(tree, alpha * len(y)).n_leaves for alpha in alphas]


@pytest.mark.parametrize(("impurity", "expected"), [("gini", 14 * 0.1163265306), ("error", 1.0)])
def test_other_impurities(impurity, expected):
    outlook = one_test((4, 0), (2, 3), (3, 2))  # Gini decrease 0.116327; one error fewer
    assert regularised(outlook, expected / 2 * 0.999, impurity).n_leaves == 3
    assert regularised(outlook, expected / 2 * 1.001, impurity).n_leaves == 1
    assert Regularised(expected / 2 * 1.001, impurity)(outlook).n_leaves == 1


@given(twins(is_classifier=False))
def test_an_impurity_that_does_not_fit(twin):
    with pytest.raises(UnsuitableError, match="use 'squared_error'"):
        regularised(twin[1], 1.0, "entropy")
    with pytest.raises(UnsuitableError, match="use 'entropy' or 'gini' or 'error'"):
        regularised(one_test((1, 0), (0, 1)), 1.0, "squared_error")


@pytest.mark.parametrize("wrong", [-1, float("nan")])
def test_a_wrong_price(wrong):
    with pytest.raises(ValueError, match="the price of a leaf"):
        regularised(one_test((1, 0), (0, 1)), wrong)
