"""Classes that weigh the same in every tree, and the trees of a forest as estimators."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import RandomForestClassifier as Theirs
from sklearn.utils.class_weight import compute_sample_weight

import treewright as tw
from tests.forest.samples import random_table
from treewright.forest.draws import times_drawn


def listing(tree):
    """Return a tree as text with its cuts in full: only `tw.grow` looks for short numbers."""
    return replace(tree, about={k: v for k, v in tree.about.items() if k != "short_cuts"}).to_text()


def _rows(seed, n_rows=120):
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=n_rows), rng.integers(0, 5, n_rows), rng.normal(size=n_rows)])
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=n_rows) > 1.0, "rare", "usual")
    return X, y


@pytest.mark.parametrize("seed", range(4))
def test_all_classes_weigh_the_same_in_every_tree(seed):
    X, y = _rows(seed)
    model = tw.RandomForestClassifier(5, class_weight="balanced_subsample", random_state=seed).fit(X, y)
    for i in range(5):
        root = model.forest_.tree(i).stats[0]
        times = times_drawn(model.forest_, i)
        assert root.sum() == pytest.approx(times.sum(), rel=1e-9)
        np.testing.assert_allclose(root, times.sum() / 2, rtol=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_a_tree_is_that_of_the_weights_that_scikit_learn_gives_its_rows(seed):
    X, y = _rows(seed)
    words = {"max_features": None, "random_state": seed}
    model = tw.RandomForestClassifier(3, class_weight="balanced_subsample", **words).fit(X, y)
    for i, tree in enumerate(model.estimators_):
        times = times_drawn(model.forest_, i)
        drawn = np.repeat(np.arange(len(y)), times)
        weights = times * compute_sample_weight("balanced", y, indices=drawn)
        alone = tw.DecisionTreeClassifier().fit(X, y, sample_weight=weights)
        assert listing(tree.tree_) == listing(alone.tree_)


def test_without_draws_it_is_balanced():
    X, y = _rows(1)
    words = {"bootstrap": False, "random_state": 3}
    one = tw.RandomForestClassifier(3, class_weight="balanced_subsample", **words).fit(X, y)
    other = tw.RandomForestClassifier(3, class_weight="balanced", **words).fit(X, y)
    assert one.forest_ == other.forest_


def test_rare_classes_are_found_about_as_often_as_by_scikit_learn():
    X, y = _rows(7, 2000)
    new, truth = _rows(8, 2000)
    words = {"n_estimators": 40, "class_weight": "balanced_subsample", "max_depth": 4, "random_state": 0}
    ours = tw.RandomForestClassifier(**words).fit(X, y).predict(new)
    theirs = Theirs(**words).fit(X, y).predict(new)
    recall = [np.mean(found[truth == "rare"] == "rare") for found in (ours, theirs)]
    assert abs(recall[0] - recall[1]) < 0.08
    assert recall[0] > 0.8


@settings(deadline=None, max_examples=15)
@given(st.integers(0, 10**6))
def test_batches_and_weights_of_zero(seed):
    rng = np.random.default_rng(seed)
    table = random_table(seed, 40)
    weights = rng.integers(0, 3, 40) + (np.arange(40) < 5)
    words = {"class_weight": "balanced_subsample", "seed": seed, "weights": weights.astype(float)}
    whole = tw.forest.grow(table, target="y", n_trees=4, **words)
    parts = [tw.forest.grow(table, target="y", n_trees=2, first=k, **words) for k in (0, 2)]
    assert tw.forest.join(*parts) == whole
    kept = tw.forest.grow(
        table.take(np.flatnonzero(weights)),
        target="y",
        n_trees=4,
        **words | {"weights": weights[weights > 0].astype(float)},
    )
    assert kept == whole


@pytest.mark.parametrize("word", ["priors", "costs"])
def test_scales_of_classes_are_refused_beside_it(word):
    table = tw.example("tennis")
    given_scales = {"priors": {"Yes": 0.5, "No": 0.5}, "costs": [[0, 1], [2, 0]]}[word]
    with pytest.raises(ValueError, match=f"{word} with class_weight='balanced_subsample'"):
        tw.forest.grow(
            table,
            target="PlayTennis",
            n_trees=2,
            class_weight="balanced_subsample",
            **{word: given_scales},
        )


def test_the_trees_of_a_classifier_vote_as_the_forest_does():
    X, y = _rows(2)
    model = tw.RandomForestClassifier(7, random_state=1).fit(X, y)
    trees = model.estimators_
    assert len(trees) == 7
    assert all(isinstance(tree, tw.DecisionTreeClassifier) for tree in trees)
    assert all(set(tree.predict(X)) <= {"rare", "usual"} for tree in trees)
    shares = np.mean([tree.predict_proba(X) for tree in trees], axis=0)
    np.testing.assert_allclose(shares, model.predict_proba(X), atol=1e-12)


def test_the_trees_of_a_regressor_are_averaged():
    X, _ = _rows(3)
    y = X[:, 0] ** 2 + X[:, 1]
    model = tw.RandomForestRegressor(6, random_state=1).fit(X, y)
    means = np.mean([tree.predict(X) for tree in model.estimators_], axis=0)
    np.testing.assert_allclose(means, model.predict(X), atol=1e-12)


def test_there_are_no_trees_before_a_fit():
    with pytest.raises(Exception, match="not fitted"):
        tw.RandomForestClassifier().estimators_  # noqa: B018
