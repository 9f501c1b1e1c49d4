"""`prune` of an estimator: a parameter like any other, and a verb that gives a new estimator."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV

import treewright as tw

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 3))
Y = np.where(RNG.random(300) < 0.3, RNG.choice(["a", "b", "c"], 300), np.where(X[:, 0] > 0, "b", "c"))
NUMBERS = X[:, 0] + RNG.normal(size=300)


def test_the_parameter_is_what_was_given() -> None:
    method = tw.prune.ErrorBased(confidence=0.1)
    model = tw.DecisionTreeClassifier(prune=method)
    assert model.get_params()["prune"] is method
    assert clone(model).get_params()["prune"] == method
    assert repr(tw.DecisionTreeClassifier(prune="cv")) == "DecisionTreeClassifier(prune='cv')"
    assert repr(tw.DecisionTreeClassifier()) == "DecisionTreeClassifier()"
    model.set_params(prune="none")
    assert model.prune == "none"
    assert repr(model.prune) == "'none'"
    assert not tw.DecisionTreeClassifier().prune
    assert hash(model.prune) == hash("none")
    model.prune = tw.DecisionTreeClassifier(prune="cv").prune  # as if it were the value
    assert model.get_params()["prune"] == "cv"


@pytest.mark.parametrize("name", tw.prune.METHODS)
def test_fit_prunes_by_name(name: str) -> None:
    full = tw.DecisionTreeClassifier().fit(X, Y)
    model = tw.DecisionTreeClassifier(prune=name).fit(X, Y)
    if name == "regularised":  # a leaf costs one bit: every one of a pure tree is worth that
        assert (
            tw.prune.Regularised(lambda_=10)(full.tree_).n_leaves
            < full.get_n_leaves()
            == model.get_n_leaves()
        )
    else:
        assert model.get_n_leaves() < full.get_n_leaves()
    assert model.tree_.about["prune"] == name
    again = pickle.loads(pickle.dumps(model))
    assert again.tree_ == model.tree_
    assert again.get_params()["prune"] == name


def test_the_verb_gives_a_new_estimator() -> None:
    model = tw.DecisionTreeClassifier().fit(X, Y)
    before = model.tree_
    smaller = model.prune("cost_complexity", alpha=0.01)
    assert smaller is not model
    assert model.tree_ is before
    assert model.get_params()["prune"] is None
    assert smaller.get_n_leaves() < model.get_n_leaves()
    assert set(smaller.predict(X)) <= set(Y)
    assert smaller.get_params()["prune"] == tw.prune.CostComplexity(alpha=0.01)
    assert smaller.prune("none").tree_ is smaller.tree_
    table = tw.Table.from_dict({f"x{i}": X[:, i] for i in range(3)} | {"y": Y})
    by_hand = tw.prune.cost_complexity(before, 0.01)
    assert (by_hand.predict(table) == smaller.predict(X)).all()


def test_growing_and_pruning_is_fitting_with_the_parameter() -> None:
    for name in ("error_based", "cost_complexity"):
        fitted = tw.DecisionTreeClassifier(prune=name).fit(X, Y)
        later = tw.DecisionTreeClassifier().fit(X, Y).prune(name, X, Y)
        assert fitted.tree_ == later.tree_


def test_class_weights_count_as_in_fit() -> None:
    for weight in ("balanced", {"a": 3.0, "b": 1.0, "c": 1.0}):
        fitted = tw.DecisionTreeClassifier(prune="error_based", class_weight=weight).fit(X, Y)
        later = tw.DecisionTreeClassifier(class_weight=weight).fit(X, Y).prune("error_based", X, Y)
        assert fitted.tree_ == later.tree_
    weights = RNG.integers(1, 4, 300)
    model = tw.DecisionTreeClassifier().fit(X, Y, sample_weight=weights)
    assert model.prune("error_based", X, Y, weights).get_n_leaves() < model.get_n_leaves()


def test_validation_rows() -> None:
    model = tw.DecisionTreeClassifier().fit(X[:200], Y[:200])
    with pytest.raises(ValueError, match="reduced_error needs a validation table"):
        model.prune("reduced_error")
    with pytest.raises(ValueError, match="give both X and y"):
        model.prune("reduced_error", X[200:])
    best = model.prune("reduced_error", X[200:], Y[200:])
    assert best.score(X[200:], Y[200:]) >= model.score(X[200:], Y[200:])
    by_alpha = model.prune("cost_complexity", X[200:], Y[200:], choose="validation", one_se=False)
    assert by_alpha.score(X[200:], Y[200:]) <= best.score(X[200:], Y[200:])


def test_regression() -> None:
    model = tw.DecisionTreeRegressor().fit(X[:200], NUMBERS[:200])
    best = model.prune("reduced_error", X[200:], NUMBERS[200:])
    assert best.score(X[200:], NUMBERS[200:]) > model.score(X[200:], NUMBERS[200:])
    told: list[float] = []
    chosen = model.prune("cv", X[:200], NUMBERS[:200], progress=told.append)
    assert chosen.get_n_leaves() < model.get_n_leaves()
    assert told[-1] == 1
    with pytest.raises(ValueError, match="counts errors of classes"):
        model.prune("error_based", X[:200], NUMBERS[:200])


def test_searches_and_not_yet_fitted() -> None:
    grid = {"prune": ["none", "error_based", tw.prune.CostComplexity(alpha=0.01)]}
    search = GridSearchCV(tw.DecisionTreeClassifier(), grid, cv=3).fit(X, Y)
    assert search.best_params_["prune"] != "none"
    with pytest.raises(NotFittedError):
        tw.DecisionTreeClassifier().prune("error_based", X, Y)


def test_n_jobs_does_not_change_the_tree() -> None:
    one, two = (tw.DecisionTreeClassifier(prune="cv", n_jobs=n).fit(X, Y).tree_ for n in (1, 2))
    assert one == two
