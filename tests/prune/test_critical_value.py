from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.oracle import prune_critical_value as oracle
from tests.prune.pruning_twins import as_tree, twins
from treewright.prune import (
    CriticalValue,
    UnsuitableError,
    choose_kappa,
    choose_kappa_by_cross_validation,
    critical_value,
    critical_value_path,
    sample_of,
)
from treewright.prune.heldout import losses
from treewright.tree.example import tennis

kinds = st.booleans()


@given(
    st.data(), kinds, st.sampled_from(["score", "gain"]), st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.9, np.inf])
)
def test_it_agrees_with_recursion(data, is_classifier, measure, kappa):
    nested, tree = data.draw(twins(is_classifier=is_classifier))
    assert critical_value(tree, kappa, measure) == as_tree(
        oracle.critical_value(nested, kappa, measure), tree
    )


@given(st.data(), kinds)
def test_the_family_is_every_tree_there_is(data, is_classifier):
    _, tree = data.draw(twins(is_classifier=is_classifier))
    path = critical_value_path(tree)
    trees = [critical_value(tree, kappa) for kappa in path.kappa]
    assert trees[0] == tree
    assert [pruned.n_leaves for pruned in trees] == path.n_leaves.tolist()
    assert trees[-1].n_leaves == 1
    assert (np.diff(path.n_leaves) < 0).all()
    for stored in tree.score[~tree.leaf_mask]:  # no stored value gives a tree outside the family
        assert critical_value(tree, stored).n_leaves in path.n_leaves


@given(st.data(), kinds)
def test_trees_are_nested_in_kappa(data, is_classifier):
    _, tree = data.draw(twins(is_classifier=is_classifier))
    for low, high in [(0.1, 0.2), (0.2, 0.3), (0.3, 0.7)]:
        assert critical_value(critical_value(tree, low), high) == critical_value(tree, high)
        assert critical_value(critical_value(tree, high), low) == critical_value(tree, high)


@pytest.mark.parametrize(
    ("name", "settings"),
    [("iris", {}), ("kyphosis", {"criterion": "entropy"}), ("abalone", {"max_depth": 5}), ("vote", {})],
)
def test_kappa_by_validation_has_the_errors_of_its_trees(name, settings):
    rows, target = tables.table(name), tables.target(name)
    rows = rows.take(range(min(rows.n_rows, 400)))
    tree = tw.grow(rows.take(slice(None, None, 2)), target, **settings)
    held = rows.take(slice(1, None, 2))
    found = choose_kappa(tree, held)
    for kappa, error, spread in zip(found.values, found.error, found.standard_error, strict=True):
        loss = losses(critical_value(tree, kappa), sample_of(tree, held))
        assert error == pytest.approx(loss.mean())
        assert spread == pytest.approx(loss.std() / np.sqrt(len(loss)), abs=1e-9)
    careful = choose_kappa(tree, held, one_se=True)
    assert careful.value >= found.value
    least = int(np.argmin(found.error))
    chosen = careful.values.index(careful.value)
    assert found.error[chosen] <= found.error[least] + found.standard_error[least] + 1e-12
    assert CriticalValue()(tree, held) == critical_value(tree, found.value)


def test_kappa_by_cross_validation():
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    tree = tw.grow(rows, target)
    fold = np.arange(rows.n_rows) % 5
    found = choose_kappa_by_cross_validation(tree, rows, folds=fold)
    for kappa, error in zip(found.values, found.error, strict=True):
        wrong = 0.0
        for k in range(5):
            grown = tw.grow(rows.take(fold != k), target)
            wrong += losses(critical_value(grown, kappa), sample_of(grown, rows.take(fold == k))).sum()
        assert error == pytest.approx(wrong / rows.n_rows)
    assert CriticalValue("cv", folds=fold)(tree, rows) == critical_value(tree, found.value)


def test_what_it_needs():
    assert [CriticalValue(kappa).needs for kappa in (0.5, "validation", "cv")] == [
        "nothing",
        "validation",
        "training",
    ]
    with pytest.raises(ValueError, match="critical_value needs a validation table"):
        CriticalValue()(tennis())
    with pytest.raises(ValueError, match="must be a number"):
        CriticalValue("best")


def test_a_tree_without_scores():
    tree = replace(tennis(), score=np.full(8, np.nan), gain=np.full(8, np.nan))
    with pytest.raises(UnsuitableError, match="node 0 has none"):
        critical_value(tree, 0.5)
    with pytest.raises(ValueError, match="not one of 'score', 'gain'"):
        critical_value(tennis(), 0.5, "size")
    with pytest.raises(ValueError, match="kappa is not a number"):
        critical_value(tennis(), float("nan"))
