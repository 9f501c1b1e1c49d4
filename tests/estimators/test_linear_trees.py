"""Tests on several columns and models in leaves, as scikit-learn estimators; and who refuses such trees."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_wine

import treewright as tw
from treewright.prune import UnsuitableError


def wine():
    data = load_wine()
    return data.data, data.target


def test_a_classifier_with_both():
    X, y = wine()
    model = tw.DecisionTreeClassifier(
        splits="linear", prune="none", leaves="logistic", min_samples_leaf=10, random_state=3
    )
    model = clone(model).fit(X[::2], y[::2])
    assert model.score(X[1::2], y[1::2]) > 0.9
    assert model.tree_.has_models
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_
    for values in (X, X.astype(np.float32), np.asfortranarray(X)):
        assert np.abs(again.predict_proba(values) - model.predict_proba(X)).max() < 1e-3
    assert model.feature_importances_.sum() == pytest.approx(1.0)
    path = model.decision_path(X)
    assert path[np.arange(len(X)), model.apply(X)].all()
    assert model.prune("cost_complexity", alpha=0.5).get_n_leaves() == 1


def test_the_same_tree_every_time():
    X, y = wine()
    trees = [
        tw.DecisionTreeClassifier(splits="linear", n_jobs=jobs).fit(X, y).tree_ for jobs in (None, None, 2)
    ]
    assert trees[0] == trees[1]
    assert trees[0].to_text() == trees[2].to_text()


def test_weights_are_in_the_units_of_the_table():
    X, y = wine()
    one = tw.DecisionTreeClassifier(splits="linear", prune="none").fit(X, y)
    scaled = tw.DecisionTreeClassifier(splits="linear", prune="none").fit(X * 1024, y)
    assert one.tree_.has_sums
    assert (one.predict(X) == scaled.predict(X * 1024)).mean() > 0.98


def test_importances_share_a_sum_in_equal_parts():
    x = np.random.default_rng(0).uniform(0, 1, (300, 3))
    model = tw.DecisionTreeClassifier(splits="linear", prune="none").fit(x, x[:, 0] + x[:, 1] > 1)
    assert model.get_n_leaves() == 2
    np.testing.assert_allclose(model.feature_importances_, [0.5, 0.5, 0.0])


def test_a_regressor():
    X, y = load_diabetes(return_X_y=True)
    plain = tw.DecisionTreeRegressor(recipe="cart").fit(X[::2], y[::2])
    linear = tw.DecisionTreeRegressor(recipe="cart", leaves="linear").fit(X[::2], y[::2])
    assert linear.score(X[1::2], y[1::2]) > plain.score(X[1::2], y[1::2])


def test_rules_and_forests_take_sums_and_refuse_models():
    X, y = wine()
    sums = tw.DecisionTreeClassifier(splits="linear", prune="none").fit(X, y)
    models = tw.DecisionTreeClassifier(leaves="logistic", max_depth=2).fit(X, y)
    assert (sums.rules().predict(X) == sums.predict(X).astype(str)).all()
    with pytest.raises(UnsuitableError, match=r"answer with models.*leaves='constant'"):
        models.rules()
    table = tw.Table.from_arrays(X, names=[f"x{i}" for i in range(13)])
    with pytest.raises(UnsuitableError, match="answer with models"):
        tw.rules.c45rules(models.tree_, table)
    forest = tw.RandomForestClassifier(splits="linear", n_estimators=5, random_state=0).fit(X[::2], y[::2])
    assert forest.forest_.has_sums
    assert forest.score(X[1::2], y[1::2]) > 0.9
    with pytest.raises(ValueError, match="a class or a mean"):
        tw.forest.grow(tw.example("iris"), tw.example_target("iris"), n_trees=2, leaves="logistic")


def test_evaluation_takes_them():
    iris, goal = tw.example("iris"), tw.example_target("iris")
    found = tw.evaluate.cross_validate(
        iris, goal, "plain", folds=3, splits="linear", prune="none", leaves="logistic", min_leaf=10
    )
    assert found.overall["accuracy"].value > 0.9
    stable = tw.evaluate.stability(iris, goal, "plain", n_trees=3, splits="linear", prune="none", max_depth=2)
    assert "petallength" in str(stable)
