"""Ways to prune as objects: found by name, with their options and the evidence they need; in growing too."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests.prune.cases import noisy, overgrown
from treewright.prune import METHODS, Evidence, Method, find, pruned

NAMES = list(METHODS)


@pytest.mark.parametrize("name", NAMES)
def test_every_method_is_a_value(name: str) -> None:
    method = find(name)
    assert isinstance(method, Method)
    assert method.name == name
    assert method == find(name) == find(type(method)) == find(method) == pickle.loads(pickle.dumps(method))
    assert getattr(tw.prune, type(method).__name__) is METHODS[name]
    assert callable(getattr(tw.prune, name))
    with pytest.raises(AttributeError):
        method.anything = 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("is_classifier", [True, False])
def test_every_method_prunes_when_a_tree_is_grown(name: str, is_classifier: bool) -> None:
    rows = noisy(1, 150, is_classifier=is_classifier)
    if name in ("error_based", "pessimistic", "mdl", "minimum_error") and not is_classifier:
        with pytest.raises(tw.prune.UnsuitableError, match="predicts the number"):
            tw.grow(rows, "y", prune=name)
        return
    tree = tw.grow(rows, "y", prune=name)
    assert tree.n_leaves < tw.grow(rows, "y").n_leaves
    assert tree.about["prune"] == name
    assert tree == tw.grow(rows, "y", prune=METHODS[name]()) == tw.grow(rows, "y", prune=name)


@pytest.mark.parametrize("name", NAMES)
def test_the_tree_that_is_pruned_stays_as_it_is(name: str) -> None:
    rows = noisy(2, 100)
    tree = overgrown(rows)
    before = tree.to_dict()
    smaller = METHODS[name]()(tree, rows)
    assert smaller.n_leaves <= tree.n_leaves
    assert tree.to_dict() == before
    assert METHODS[name]()(tw.Tree.from_dict(before), Evidence(rows)) == smaller  # a tree from a file


def test_what_they_need() -> None:
    prune = tw.prune
    needs = {
        prune.ReducedError(): "validation",
        prune.ErrorComplexity(): "validation",
        prune.ErrorBased(): "training",
        prune.ErrorBased(raising=False): "nothing",
        prune.CostComplexity(): "training",
        prune.CostComplexity(alpha=0.1): "nothing",
        prune.CostComplexity(choose="validation"): "validation",
    }
    tree = overgrown(noisy(3, 60))
    for method, need in needs.items():
        assert method.needs == need
        if need == "nothing":
            assert method(tree).n_leaves <= tree.n_leaves
        else:
            with pytest.raises(
                ValueError, match=f"{method.name} needs (a validation table|the table the tree)"
            ):
                method(tree)


def test_rows_kept_back_do_not_grow() -> None:
    rows = noisy(4, 90)
    tree = tw.grow(rows, "y", prune=tw.prune.ReducedError(holdout=1 / 3))
    assert tree.weights[0] == 60
    filled = tw.grow(rows, "y", prune=tw.prune.ReducedError(backfit=True))
    assert filled.weights[0] == 90
    other = tw.grow(rows, "y", prune=tw.prune.ReducedError(seed=1))
    assert other.weights[0] == 60
    assert not np.array_equal(other.stats[0], tree.stats[0]) or other != tree
    with pytest.raises(ValueError, match=r"holdout=1\.5 must be a share"):
        tw.grow(rows, "y", prune=tw.prune.ReducedError(holdout=1.5))


def test_class_weights_and_dropped_rows_count_as_in_growing() -> None:
    rows = noisy(5, 120, gaps=True)
    balanced = tw.grow(rows, "y", "c4.5", class_weight="balanced")
    assert balanced.about["prune"] == "error_based"
    dropped = tw.grow(rows, "y", missing="drop", prune="error_based")
    assert dropped.n_leaves <= tw.grow(rows, "y", missing="drop").n_leaves
    folded = tw.grow(rows, "y", missing="drop", class_weight={"a": 2, "b": 1, "c": 1}, prune="cv")
    assert folded.about["prune"] == "cost_complexity(one_se=0.5)"  # docs/pruning_study.md


@pytest.mark.parametrize(
    "policy", ["learned", "surrogate", "own_branch", "most_common", "drop", "fractional"]
)
def test_every_policy_for_gaps_can_be_pruned(policy: str) -> None:
    rows = noisy(6, 150, gaps=True)
    tree = overgrown(rows, missing=policy)
    for name in ("error_based", "cost_complexity"):
        smaller = tw.grow(rows, "y", missing=policy, prune=name)
        assert smaller.n_leaves < tree.n_leaves
        assert smaller.weights[0] == pytest.approx(tree.weights[0])


def test_recipes() -> None:
    rows = noisy(7, 400)
    assert tw.grow(rows, "y", "c4.5") == tw.grow(
        rows, "y", "c4.5", prune=tw.prune.ErrorBased(confidence=0.25)
    )
    assert tw.grow(rows, "y", "cart") == tw.grow(
        rows, "y", "cart", prune=tw.prune.CostComplexity(folds=10, one_se=True)
    )
    assert tw.grow(rows, "y", "c4.5", prune="none").n_leaves > tw.grow(rows, "y", "c4.5").n_leaves
    assert "prune" not in tw.grow(rows, "y", "plain").about


def test_cart_prunes_the_smallest_tables() -> None:
    for n in (1, 2, 3):
        rows = tw.Table.from_dict({"x": list(range(n)), "y": list("abc")[:n]})
        assert tw.grow(rows, "y", "cart", min_split=0, min_leaf=0).n_leaves >= 1


def test_pruned_twice_says_so() -> None:
    rows = noisy(9, 100)
    tree = tw.grow(rows, "y", prune=tw.prune.CostComplexity(alpha=0.01))
    again = pruned(tree, tw.prune.ErrorBased(confidence=0.1), rows)
    assert again.about["prune"] == "cost_complexity(alpha=0.01), error_based(confidence=0.1)"


def test_a_method_from_outside() -> None:
    def stump(tree: tw.Tree) -> tw.Tree:
        return tree.collapse([i for i in range(1, tree.n_nodes) if not tree.is_leaf(i)])

    rows = noisy(10, 60)
    tree = tw.grow(rows, "y", prune=stump)
    assert (tree.depth, tree.about["prune"]) == (1, "stump")
    with pytest.raises(TypeError, match="a way to prune returns a Tree"):
        tw.grow(rows, "y", prune=lambda tree: 1)


@pytest.mark.parametrize(
    ("given", "options", "error", "message"),
    [
        ("reduced_eror", {}, ValueError, "did you mean 'reduced_error'"),
        ("chop", {}, ValueError, "There are 'reduced_error'"),
        ("error_based", {"confidense": 0.1}, ValueError, "did you mean 'confidence'"),
        ("error_based", {"folds": 3}, ValueError, "its options are confidence"),
        (7, {}, TypeError, "prune=7 is no way to prune"),
        ("cost_complexity", {"choose": "luck"}, ValueError, "choose='luck' is not one of"),
        ("none", {"alpha": 1}, ValueError, "There is no way to prune called 'none'"),
    ],
)
def test_what_is_refused(given: Any, options: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        find(given, **options)
