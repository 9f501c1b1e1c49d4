from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.oracle import prune_merge as oracle
from tests.prune.pruning_twins import as_tree, twins
from tests.prune.small import one_test
from treewright.prune import UnsuitableError, merge


def shares(node):
    total = sum(node.stats)
    return (
        [c / total for c in node.stats] if total else [float(c == node.label) for c in range(len(node.stats))]
    )


def same_label(a, b):
    return a.label == b.label


def same_mean(a, b):
    return a.stats[1] == b.stats[1]


def same_shares(a, b):
    return np.allclose(shares(a), shares(b), rtol=0, atol=1e-12)


@given(twins(), st.sampled_from([("labels", same_label), ("probabilities", same_shares)]))
def test_it_agrees_with_recursion(twin, way):
    nested, tree = twin
    assert merge(tree, way[0]) == as_tree(oracle.merge(nested, way[1]), tree)


@given(twins(is_classifier=False))
def test_numbers_merge_by_their_means(twin):
    nested, tree = twin
    assert merge(tree) == as_tree(oracle.merge(nested, same_mean), tree)
    assert merge(tree, tolerance=1e9).n_leaves == 1


@given(twins(adds_up=True))
def test_labels_stay_and_twice_is_once(twin):
    _, tree = twin
    merged = merge(tree)
    assert merge(merged) == merged
    # every leaf that went had the label of the leaf that took its place
    assert set(merged.label[merged.leaf_mask]) == set(tree.label[tree.leaf_mask])


@pytest.mark.parametrize("name", ["vote", "monk1"])
def test_predictions_do_not_change(name):
    rows, target = tables.table(name), tables.target(name)
    tree = tw.grow(rows, target, min_leaf=5)
    merged = merge(tree)
    assert merged.n_leaves < tree.n_leaves
    assert (merged.predict(rows) == tree.predict(rows)).all()
    alike = merge(tree, by="probabilities")
    np.testing.assert_allclose(alike.predict_proba(rows), tree.predict_proba(rows), atol=1e-12)


def test_by_probabilities():
    tree = one_test((4, 2), (2, 1), (6, 3))
    assert merge(tree, by="probabilities").n_leaves == 1
    nearly = one_test((4, 2), (2, 1), (6, 4))
    assert merge(nearly, by="probabilities").n_leaves == 3
    assert merge(nearly, by="probabilities", tolerance=0.1).n_leaves == 1


@given(twins(is_classifier=False))
def test_wrong_ways(twin):
    with pytest.raises(UnsuitableError, match="by='labels' compares its means"):
        merge(twin[1], by="probabilities")
    with pytest.raises(ValueError, match="not one of"):
        merge(twin[1], by="colour")
    with pytest.raises(ValueError, match="at least 0"):
        merge(twin[1], tolerance=-1)
