import os

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.tree import DecisionTreeClassifier

import treewright as tw
from treewright.estimators.words import settings_of, threads_of
from treewright.growth import Settings

from .twins import partings

RNG = np.random.default_rng(3)
X = RNG.normal(size=(200, 9)).round(1)
Y = (X[:, 0] + X[:, 1] + RNG.normal(size=200) > 0).astype(int)


def test_none_means_what_the_recipe_says():
    for recipe in ("plain", "id3", "c4.5", "cart", "stump"):
        words = tw.DecisionTreeClassifier(recipe=recipe).get_params()
        assert settings_of(words, 100, 9) == Settings.of(recipe)
    words = tw.DecisionTreeRegressor(recipe="cart").get_params()
    assert settings_of(words, 100, 9) == Settings.of("cart")


@pytest.mark.parametrize(
    ("words", "setting", "value"),
    [
        ({"min_samples_split": 5}, "min_split", 5),
        ({"min_samples_split": np.int64(5)}, "min_split", 5),
        ({"min_samples_split": 0.031}, "min_split", 7),
        ({"min_samples_split": 0.001}, "min_split", 2),
        ({"min_samples_split": 1.0}, "min_split", 200),
        ({"min_samples_leaf": 5}, "min_leaf", 5),
        ({"min_samples_leaf": 0.031}, "min_leaf", 7),
        ({"min_samples_branch": 5}, "min_branch", 5),
        ({"min_samples_branch": 0.1}, "min_branch", 20),
        ({"min_weight_fraction_leaf": 0.1}, "min_leaf_share", 0.1),
        ({"max_leaf_nodes": 7}, "max_leaves", 7),
        ({"max_features": 4}, "max_columns", 4),
        ({"max_features": 0.5}, "max_columns", 4),
        ({"max_features": 0.01}, "max_columns", 1),
        ({"max_features": "sqrt"}, "max_columns", 3),
        ({"max_features": "log2"}, "max_columns", 3),
        ({"splitter": "random"}, "cuts", "random"),
        ({"splitter": "best"}, "cuts", "exact"),
        ({"splitter": "best", "recipe": "c4.5"}, "cuts", "c4.5"),
        ({"min_gain": 0.1}, "gain_of", "node"),
        ({"min_impurity_decrease": 0.1}, "gain_of", "table"),
        ({"min_impurity_decrease": 0.1}, "min_gain", 0.1),
        ({"majority_share": 0.9}, "majority_share", 0.9),
        ({"significance": 0.05}, "significance", 0.05),
        ({"min_impurity": 0.1}, "min_impurity", 0.1),
        ({"split_price": 2}, "split_price", 2.0),
        ({"column_costs": {"x0": 2}}, "column_costs", {"x0": 2.0}),
        ({"cost_form": "eg2"}, "cost_form", "eg2"),
        ({"cost_power": 0.5}, "cost_power", 0.5),
        ({"monotone": {"x0": -1}}, "monotone", {"x0": -1}),
        ({"ledger": True}, "ledger", True),
        ({"random_state": 42}, "seed", 42),
        ({"random_state": None}, "seed", 0),
        ({"n_jobs": 3}, "n_threads", 3),
        ({"n_jobs": None}, "n_threads", 1),
        ({"prune": "none"}, "recipe", "plain"),
    ],
)
def test_translation(words, setting, value):
    assert getattr(settings_of(words, 200, 9), setting) == value


def test_threads_are_counted_as_joblib_counts():
    assert 1 <= threads_of(-1) <= (os.cpu_count() or 1)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ({"prune": "reduced_eror"}, "did you mean 'reduced_error'"),
        ({"prune": object()}, "is no way to prune"),
        ({"splitter": "worst"}, "'best', 'random'"),
        ({"min_samples_leaf": 0}, "min_samples_leaf=0"),
        ({"min_samples_leaf": 1.0}, "whole number such as 1"),
        ({"min_samples_leaf": 2.5}, "share of the rows"),
        ({"min_samples_split": 1}, "min_samples_split=1 must be at least 2"),
        ({"min_samples_split": 1.5}, "share of the rows"),
        ({"min_samples_split": "3"}, "must be a number, not str"),
        ({"min_samples_leaf": True}, "must be a number, not bool"),
        ({"min_weight_fraction_leaf": 0.7}, "between 0 and 0.5"),
        ({"max_leaf_nodes": 0}, "max_leaf_nodes=0"),
        ({"max_leaf_nodes": 2.5}, "whole number"),
        ({"max_features": "all"}, "'sqrt', 'log2'"),
        ({"max_features": 1.5}, "share of the columns"),
        ({"max_features": 0}, "at least 1"),
        ({"max_depth": -1}, "max_depth=-1"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"min_gain": 0.1, "min_impurity_decrease": 0.1}, "two forms of one rule"),
        ({"min_impurity_decrease": -1}, "at least 0"),
        ({"criterion": "ginny"}, "did you mean 'gini'"),
        ({"recipe": "c45"}, "There is no recipe 'c45'"),
        ({"splits": "oblique"}, "'binary', 'multiway'"),
        ({"missing": "mean"}, "missing='mean' is not one of"),
        ({"random_state": "seed"}, "cannot be used to seed"),
    ],
)
def test_what_is_refused(words, message):
    with pytest.raises((ValueError, TypeError), match=message):
        tw.DecisionTreeClassifier(**words).fit(X, Y)


def test_regressors_do_not_grow_classes():
    for recipe in ("id3", "c4.5"):
        with pytest.raises(ValueError, match=f"recipe='{recipe}' grows classes"):
            tw.DecisionTreeRegressor(recipe=recipe).fit(X, Y)
    with pytest.raises(ValueError, match="criterion='gini' does not score numbers"):
        tw.DecisionTreeRegressor(criterion="gini").fit(X, Y)


class TestRandomState:
    def tree(self, state, **settings):
        return tw.DecisionTreeClassifier(random_state=state, **settings).fit(X, Y).tree_

    def test_nothing_random_needs_no_seed(self):
        assert self.tree(None) == self.tree(None)
        source = np.random.RandomState(5)
        self.tree(source)
        assert source.randint(100) == np.random.RandomState(5).randint(100)

    @pytest.mark.parametrize("settings", [{"splitter": "random"}, {"max_features": 2}])
    def test_random_trees(self, settings):
        assert self.tree(1, **settings) == self.tree(1, **settings)
        assert self.tree(1, **settings) != self.tree(2, **settings)
        assert self.tree(None, **settings) != self.tree(None, **settings)
        source = np.random.RandomState(5)
        assert self.tree(source, **settings) != self.tree(source, **settings)
        assert self.tree(np.random.RandomState(5), **settings) == self.tree(
            np.random.RandomState(5), **settings
        )

    def test_threads_do_not_change_the_tree(self):
        one, two = (
            tw.DecisionTreeClassifier(n_jobs=n, max_features=3, random_state=0).fit(X, Y) for n in (1, 2)
        )
        assert one.tree_ == two.tree_
        np.testing.assert_array_equal(one.predict_proba(X), two.predict_proba(X))


@pytest.mark.parametrize(
    "settings",
    [
        {"max_depth": 3},
        {"min_samples_split": 20},
        {"min_samples_split": 0.15},
        {"min_samples_leaf": 7},
        {"min_samples_leaf": 0.04},
        {"min_weight_fraction_leaf": 0.05},
        {"min_impurity_decrease": 0.01},
        {"max_leaf_nodes": 12},
        {"criterion": "entropy", "min_samples_leaf": 5, "max_depth": 4},
    ],
)
def test_the_same_words_give_scikit_learns_tree(settings):
    """Up to ties: where the trees part, both splits leave the same impurity."""
    X = np.random.default_rng(1).normal(size=(300, 5))
    y = (X[:, 0] * X[:, 1] + 0.3 * X[:, 2] > 0).astype(int)
    ours = tw.DecisionTreeClassifier(**settings).fit(X, y)
    theirs = DecisionTreeClassifier(random_state=0, **settings).fit(X, y)
    criterion = settings.get("criterion", "gini")
    for mine, other in partings(ours, theirs, X, y, criterion):
        assert float(mine) == pytest.approx(float(other), rel=1e-12)


@pytest.mark.parametrize("kind", [tw.DecisionTreeRegressor, tw.RandomForestRegressor])
def test_directions_may_be_listed_as_scikit_learn_lists_them(kind):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3)).round(2)
    y = X[:, 0] - X[:, 2] + rng.normal(size=200)
    named = kind(monotone={"x0": 1, "x2": -1}, random_state=0).fit(X, y)
    for given in ([1, 0, -1], (1, 0, -1), np.array([1, 0, -1])):
        model = clone(kind(monotonic_cst=given, random_state=0)).fit(X, y)
        assert np.array_equal(model.predict(X), named.predict(X))
    steps = X[:50].copy()
    steps[:, 0] += 1
    assert (named.predict(steps) >= named.predict(X[:50])).all()
    assert np.array_equal(
        kind(monotone=[0, 0, 0], random_state=0).fit(X, y).predict(X),
        kind(random_state=0).fit(X, y).predict(X),
    )
    with pytest.raises(ValueError, match=r"monotone lists 2 directions for 3 columns.*monotone=\{'age': 1\}"):
        kind(monotonic_cst=[1, 0]).fit(X, y)
    with pytest.raises(ValueError, match="monotone has 2; a direction is 1"):
        kind(monotonic_cst=[1, 0, 2]).fit(X, y)


def test_listed_directions_speak_of_the_second_class_as_in_scikit_learn():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(300, 2)).round(1)
    y = np.where(X[:, 0] + rng.normal(size=300) > 0, "yes", "no")
    ours = tw.DecisionTreeClassifier(monotonic_cst=[1, 0], min_samples_leaf=10).fit(X, y)
    assert ours.classes_.tolist() == ["no", "yes"]
    steps = X.copy()
    steps[:, 0] += 0.5
    assert (ours.predict_proba(steps)[:, 1] >= ours.predict_proba(X)[:, 1]).all()
    assert ours.tree_.n_leaves > 2
