"""RuleClassifier: its ways to rules, and what it shares with trees."""

from __future__ import annotations

import json
import pickle

import joblib
import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

import treewright as tw
from tests.rules.samples import mixed_table
from tests.tables import table, target

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

METHODS = ("c4.5rules", "leaves", "voting")


def features_and_classes(n_rows=300):
    rows = mixed_table(n_rows=n_rows).drop("score")
    return rows.drop("label"), rows.labels("label")


def test_straight_from_a_table_is_as_step_by_step():
    rows = table("vote")
    X, y = (
        rows.drop("Class"),
        pd.Series(pd.Categorical(rows.labels("Class"), rows.column("Class")[0].categories)),
    )
    model = tw.RuleClassifier().fit(X, y)
    tree = tw.grow(rows, target("vote"), "c4.5", prune="none")
    expected = tw.rules.c45rules(tree, rows)
    assert [rule.to_text() for rule in model.rules_] == [rule.to_text() for rule in expected]
    assert (model.predict(X) == expected.predict(rows)).all()
    assert model.score(X, y) == pytest.approx(1 - 12 / 435)


@pytest.mark.parametrize("method", METHODS)
def test_from_a_fitted_tree(method):
    X, y = features_and_classes()
    tree = tw.DecisionTreeClassifier(recipe="c4.5", prune="none").fit(X, y)
    model = tw.RuleClassifier.from_tree(tree, X, y, method=method)
    direct = tw.RuleClassifier(method=method).fit(X, y)
    assert model.rules_ == direct.rules_
    assert (model.predict(X) == direct.predict(X)).all()
    np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    whole = tw.RuleClassifier.from_tree(tree.tree_, X, y, method=method)
    assert whole.rules_ == model.rules_
    assert (whole.predict(X) == model.predict(X)).all()
    if method == "leaves":
        np.testing.assert_allclose(model.predict_proba(X), tree.predict_proba(X))
        assert tw.RuleClassifier.from_tree(tree, method="leaves").rules_ == tree.rules()
    elif method == "c4.5rules":
        assert model.rules_.about["method"] == "c4.5rules"


def test_classes_of_any_sort():
    X = np.arange(40.0)[:, None] % 10
    y = np.where(X[:, 0] < 5, 7, -3)
    model = tw.RuleClassifier().fit(X, y)
    assert model.classes_.tolist() == [-3, 7]
    assert (model.predict(X) == y).all()
    assert model.predict_proba([[1.0], [9.0]]).argmax(axis=1).tolist() == [1, 0]
    assert model.apply([[1.0], [9.0]]).tolist() == [
        r for rule in ("7", "-3") for r, x in enumerate(model.rules_) if x.prediction == rule
    ]


def test_sample_weights_and_class_weights():
    X, y = features_and_classes(150)
    weights = np.random.default_rng(0).integers(0, 3, 150)
    several = np.repeat(np.arange(150), weights)
    weighted = tw.RuleClassifier().fit(X, y, weights)
    repeated = tw.RuleClassifier().fit(X.take(several), y[several])
    assert weighted.rules_ == repeated.rules_
    balanced = tw.RuleClassifier(estimator=tw.DecisionTreeClassifier(recipe="c4.5", class_weight="balanced"))
    assert balanced.fit(X, y).rules_.rules != weighted.rules_.rules


def test_overlap_of_a_model():
    X, y = features_and_classes()
    model = tw.RuleClassifier().fit(X, y)
    found = model.overlap(X, y)
    assert sum(count.errors for count in found.counts) == (model.predict(X) != y).sum()
    assert sum(count.n_rows for count in found.counts) == 300
    assert {count.errors for count in model.overlap(X).counts} == {None}
    assert list(found.to_frame("counts", "pandas").columns)[:2] == ["n_rules", "n_rows"]


@pytest.mark.parametrize("method", METHODS)
def test_storage(method, tmp_path):
    X, y = features_and_classes()
    model = tw.RuleClassifier(method=method).fit(X, y)
    joblib.dump(model, tmp_path / "model.joblib")
    skops.io.dump(model, tmp_path / "model.skops")
    trusted = skops.io.get_untrusted_types(file=tmp_path / "model.skops")
    for again in (
        pickle.loads(pickle.dumps(model)),
        joblib.load(tmp_path / "model.joblib"),
        skops.io.load(tmp_path / "model.skops", trusted=trusted),
    ):
        assert again.rules_ == model.rules_
        np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert clone(model).get_params() == model.get_params()
    assert json.loads(model.rules_.to_text("json"))["format"] == "treewright rules"


def test_in_scikit_learns_company():
    X, y = features_and_classes()
    frame = pd.DataFrame({name: X.labels(name) for name in X.names})
    assert cross_val_score(tw.RuleClassifier(), frame, y, cv=3).shape == (3,)
    search = GridSearchCV(
        tw.RuleClassifier(), {"confidence": [0.1, 0.25], "method": ["c4.5rules", "voting"]}, cv=2
    )
    assert search.fit(frame, y).best_params_["method"] in METHODS
    deep = tw.RuleClassifier(estimator=tw.DecisionTreeClassifier()).set_params(estimator__max_depth=2)
    assert deep.fit(frame, y).tree_.depth == 2
    piped = make_pipeline(FunctionTransformer(lambda X: X), tw.RuleClassifier()).fit(frame, y)
    assert (piped.predict(frame) == tw.RuleClassifier().fit(frame, y).predict(frame)).all()


def test_rules_of_tree_estimators():
    X, y = features_and_classes()
    model = tw.DecisionTreeClassifier(max_depth=3).fit(X, y)
    assert model.rules() == model.tree_.rules()
    numbers = tw.DecisionTreeRegressor(max_depth=2).fit([[1], [2], [3]], [1.0, 2.0, 5.0])
    assert [rule.prediction for rule in numbers.rules()] == [1.0, 2.0, 5.0]
    with pytest.raises(NotFittedError):
        tw.DecisionTreeClassifier().rules()


def test_fitted_again_nothing_of_the_first_fit_is_left():
    frame = pd.DataFrame({"a": [1.0, 2, 3, 4, 5, 6], "b": [0.0] * 6})
    model = tw.RuleClassifier().fit(frame, list("aaabbb"))
    assert model.feature_names_in_.tolist() == ["a", "b"]
    model.fit(np.arange(6.0)[:, None], list("xxxyyy"))
    assert not hasattr(model, "feature_names_in_")
    assert model.predict([[0.0], [9.0]]).tolist() == ["x", "y"]


def test_progress():
    X, y = features_and_classes()
    heard = []
    tw.RuleClassifier().fit(X, y, progress=heard.append)
    assert heard[-1] == 1.0


def test_what_is_refused():
    X, y = features_and_classes(50)
    with pytest.raises(ValueError, match=r"method='ripper' is not one of 'c4\.5rules', 'leaves', 'voting'"):
        tw.RuleClassifier(method="ripper").fit(X, y)
    with pytest.raises(TypeError, match="must be a DecisionTreeClassifier, not DecisionTreeRegressor"):
        tw.RuleClassifier(estimator=tw.DecisionTreeRegressor()).fit(X, y)
    with pytest.raises(ValueError, match="confidence=3 must be"):
        tw.RuleClassifier(confidence=3).fit(X, y)
    with pytest.raises(NotFittedError):
        tw.RuleClassifier().predict(X)
    with pytest.raises(NotFittedError):
        tw.RuleClassifier().overlap(X)
    tree = tw.DecisionTreeClassifier().fit(X, y)
    with pytest.raises(ValueError, match="give X and y"):
        tw.RuleClassifier.from_tree(tree)
    with pytest.raises(TypeError, match="not DecisionTreeRegressor"):
        tw.RuleClassifier.from_tree(tw.DecisionTreeRegressor())
    with pytest.raises(ValueError, match="predicts the number 'score'"):
        tw.RuleClassifier.from_tree(tw.grow(mixed_table(), target="score", max_depth=1))
    with pytest.raises(NotFittedError):
        tw.RuleClassifier.from_tree(tw.DecisionTreeClassifier())


def test_tags_are_those_of_the_tree():
    assert tw.RuleClassifier().__sklearn_tags__().input_tags.allow_nan
    assert not tw.RuleClassifier(recipe="id3").__sklearn_tags__().input_tags.allow_nan
    assert tw.RuleClassifier().__sklearn_tags__().estimator_type == "classifier"
