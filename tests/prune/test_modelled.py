"""Pruning of model trees: the errors are those of the models."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import treewright as tw
from tests.grow.test_modelled import broken_line, two_clouds
from treewright.prune import UnsuitableError, sample_of
from treewright.prune.risk import leaf_errors, node_risk


def losses(tree: tw.Tree, rows: tw.Table) -> float:
    """Return what a tree gets wrong: errors, or squared errors."""
    if tree.is_classifier:
        return float((tree.predict(rows) != rows.labels("y")).sum())
    return float(((tree.predict(rows) - rows.column("y")[1]) ** 2).sum())


def prunings(tree: tw.Tree) -> list[tw.Tree]:
    """Return every tree that collapsing some nodes leaves."""
    inner = [i for i in range(tree.n_nodes) if not tree.is_leaf(i)]
    chosen = (set(c) for n in range(len(inner) + 1) for c in itertools.combinations(inner, n))
    return [tree.collapse(c) if c else tree for c in chosen]


TABLES = [(broken_line(120), "linear"), (two_clouds(160), "logistic")]


@pytest.mark.parametrize(("whole", "leaves"), TABLES)
def test_the_errors_of_a_node_are_those_of_its_model(whole: tw.Table, leaves: str):
    tree = tw.grow(whole.take(range(80)), "y", leaves=leaves, min_leaf=10, max_depth=3)
    fresh = whole.take(range(80, whole.n_rows))
    found, own = leaf_errors(tree, sample_of(tree, fresh))
    at = tree.leaves(fresh)
    for node in range(tree.n_nodes):
        rows = np.flatnonzero((at >= node) & (at < tree.end[node]))
        leaf = tree.collapse(node)
        assert found[node] == pytest.approx(losses(leaf, fresh.take(rows)), abs=1e-9)
        assert own[node] == pytest.approx(found[node] if tree.is_leaf(node) else 0.0)
    assert node_risk(tree).tolist() == tree.model_loss.tolist()


@pytest.mark.parametrize(("whole", "leaves"), TABLES)
def test_reduced_error_leaves_the_best_of_all_prunings(whole: tw.Table, leaves: str):
    tree = tw.grow(whole.take(range(80)), "y", leaves=leaves, min_leaf=10, max_depth=3)
    fresh = whole.take(range(80, whole.n_rows))
    pruned = tw.prune.reduced_error(tree, fresh)
    least = min(losses(each, fresh) for each in prunings(tree))
    assert losses(pruned, fresh) == pytest.approx(least, rel=1e-9)


@pytest.mark.parametrize(("whole", "leaves"), TABLES)
def test_cost_complexity_is_least_for_its_alpha(whole: tw.Table, leaves: str):
    tree = tw.grow(whole, "y", leaves=leaves, min_leaf=10, max_depth=3)
    for alpha in (0.0, 0.01, 0.05, 1.0):
        pruned = tw.prune.cost_complexity(tree, alpha)
        costs = [losses(t, whole) / whole.n_rows + alpha * t.n_leaves for t in prunings(tree)]
        mine = losses(pruned, whole) / whole.n_rows + alpha * pruned.n_leaves
        assert mine == pytest.approx(min(costs), rel=1e-9)
    chosen = tw.prune.cost_complexity(tree, table=whole)
    assert chosen.n_leaves <= tree.n_leaves
    with pytest.raises(UnsuitableError, match="use risk='error'"):
        tw.prune.cost_complexity(tree, 0.1, risk="impurity")


def test_ways_that_read_classes_refuse():
    tree = tw.grow(two_clouds(), "y", leaves="logistic", max_depth=2)
    ways = [tw.prune.pessimistic, tw.prune.mdl, tw.prune.minimum_error, tw.prune.merge,
            lambda t: tw.prune.regularised(t, 1.0), lambda t: tw.prune.error_based(t, two_clouds()),
            lambda t: tw.prune.reduced_error(t, two_clouds(), backfit=True)]  # fmt: skip
    for way in ways:
        with pytest.raises(UnsuitableError, match="answer with models"):
            way(tree)
    assert tw.prune.critical_value(tree, 1e9).n_leaves == 1
    words = str(tw.prune.compare(tree, two_clouds(), validation=two_clouds()))
    assert "reduced_error" in words
    assert "left out: mdl" in words


def test_a_recipe_prunes_models():
    tree = tw.grow(broken_line(), "y", recipe="cart", leaves="linear")
    assert tree.about["prune"] == "cost_complexity"
    assert tree.n_leaves <= 5
    kept = tw.grow(broken_line(), "y", leaves="linear", min_leaf=5, prune="reduced_error")
    assert kept.has_models
