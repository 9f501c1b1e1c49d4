"""Estimates of probabilities against their twins and a published example."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.oracle import smoothing as twin
from treewright.measure.isotonic import rising
from treewright.predict import shares

QUIET = settings(max_examples=at_most(25, 60), deadline=None)


def test_c50_says_what_its_documents_print() -> None:
    # A leaf of 0, 2 and 4 rows in 150 of three equal classes (the example of the package C50 for R).
    classes = ["setosa"] * 50 + ["versicolor"] * 50 + ["virginica"] * 50
    x = [0] * 50 + [1] * 2 + [0] * 48 + [1] * 4 + [0] * 46
    tree = tw.grow(tw.Table.from_dict({"x": x, "y": classes}), "y", max_depth=1)
    found = tree.predict_proba({"x": [1]}, "c5.0")[0]
    assert found.round(7).tolist() == [0.0476190, 0.3333333, 0.6190476]


@pytest.mark.parametrize("shrinkage", [0.0, 1.0, 25.0])
@pytest.mark.parametrize("recipe", ["plain", "c4.5"])
def test_shrinkage_along_the_path(shrinkage: float, recipe: str) -> None:
    tree = tw.grow(tw.example("iris"), "class", recipe, prune="none")
    found = shares(tree, f"hierarchical:{shrinkage}")
    for node in range(tree.n_nodes):
        if tree.weights[node] > 0:
            assert found[node] == pytest.approx(twin.hierarchical(tree, node, shrinkage))
    assert found.sum(axis=1) == pytest.approx(1.0)


def test_m_is_settable_and_its_ends_are_the_leaf_and_the_root() -> None:
    tree = tw.grow(tw.example("iris"), "class", max_depth=3)
    assert (shares(tree, "m_estimate") == shares(tree, "m_estimate:2")).all()
    assert shares(tree, "m_estimate:0") == pytest.approx(shares(tree, "raw"))
    far = shares(tree, "m_estimate:1e12")
    assert far == pytest.approx(np.tile(shares(tree)[0], (tree.n_nodes, 1)), abs=1e-9)


@QUIET
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 4)), min_size=1, max_size=12))
def test_the_rising_curve_is_that_of_the_blackboard(pairs: list[tuple[int, int]]) -> None:
    values, weights = ([float(x) for x in part] for part in zip(*pairs, strict=True))
    assert rising(np.array(values), np.array(weights)) == pytest.approx(twin.rising(values, weights))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("laplace:2", "has no parameter"),
        ("m_estimate:-1", "at least 0"),
        ("m_estimate:many", "at least 0"),
        ("hierarchcal", "did you mean 'hierarchical'"),
    ],
)
def test_what_is_refused(words: str, said: str) -> None:
    tree = tw.grow(tw.example("iris"), "class", max_depth=2)
    with pytest.raises(ValueError, match=said):
        tree.predict_proba(tw.example("iris"), words)
