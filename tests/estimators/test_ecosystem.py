"""The estimators among scikit-learn's tools."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import is_classifier, is_regressor
from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import AdaBoostClassifier, AdaBoostRegressor, BaggingClassifier, VotingClassifier
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.multioutput import MultiOutputClassifier, MultiOutputRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import treewright as tw

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def test_kinds():
    assert is_classifier(tw.DecisionTreeClassifier())
    assert is_regressor(tw.DecisionTreeRegressor())


@pytest.mark.parametrize("recipe", ["plain", "c4.5", "cart"])
def test_cross_validation_and_pipelines(recipe):
    model = make_pipeline(StandardScaler(), tw.DecisionTreeClassifier(recipe=recipe))
    assert cross_val_score(model, *IRIS, cv=5).mean() > 0.9
    assert cross_val_score(tw.DecisionTreeRegressor(recipe="cart"), *DIABETES, cv=5).mean() > 0.1


def test_grid_search_in_processes():
    grid = {"recipe": ["plain", "cart"], "max_depth": [1, 3], "criterion": ["gini", "entropy"]}
    search = GridSearchCV(tw.DecisionTreeClassifier(), grid, cv=3, n_jobs=2).fit(*IRIS)
    assert search.best_score_ > 0.9
    assert search.best_estimator_.get_depth() == 3


def test_frames_through_cross_validation(library, tennis, play):
    found = cross_val_predict(tw.DecisionTreeClassifier(recipe="c4.5"), pd.DataFrame(tennis), play, cv=3)
    assert set(found) <= {"Yes", "No"}


@pytest.mark.parametrize("output", ["default", "pandas", "polars"])
def test_behind_a_column_transformer(output, tennis, play):
    frame = pd.DataFrame(tennis).assign(degrees=np.arange(14.0))
    transformer = ColumnTransformer(
        [("numbers", StandardScaler(), make_column_selector(dtype_include="number"))], remainder="passthrough"
    ).set_output(transform=output)
    model = make_pipeline(transformer, tw.DecisionTreeClassifier()).fit(frame, play)
    assert model.score(frame, play) == 1
    assert [c.kind.value for c in model[-1].tree_.schema.columns] == ["numeric"] + ["nominal"] * 4


def test_boosting_and_bagging():
    stump = tw.DecisionTreeClassifier(recipe="stump")
    assert AdaBoostClassifier(stump, n_estimators=10).fit(*IRIS).score(*IRIS) > 0.9
    assert (
        AdaBoostRegressor(tw.DecisionTreeRegressor(max_depth=3), random_state=0)
        .fit(*DIABETES)
        .score(*DIABETES)
        > 0.4
    )
    random = tw.DecisionTreeClassifier(max_features=1, splitter="random")
    bag = BaggingClassifier(random, n_estimators=10, random_state=0, n_jobs=2).fit(*IRIS)
    assert bag.score(*IRIS) > 0.95
    assert len({tree.tree_.n_nodes for tree in bag.estimators_}) > 1
    voters = [("a", tw.DecisionTreeClassifier()), ("b", tw.DecisionTreeClassifier(recipe="c4.5"))]
    assert VotingClassifier(voters, voting="soft").fit(*IRIS).score(*IRIS) > 0.95


def test_several_targets_by_the_wrapper_that_the_error_names():
    X, y = IRIS
    both = np.column_stack([y, y == 0])
    assert MultiOutputClassifier(tw.DecisionTreeClassifier()).fit(X, both).predict(X).shape == (150, 2)
    assert MultiOutputRegressor(tw.DecisionTreeRegressor()).fit(X, both).predict(X).shape == (150, 2)


def test_inspection(tennis, play):
    frame = pl.DataFrame(tennis)
    model = tw.DecisionTreeClassifier().fit(frame, play)
    found = permutation_importance(model, pd.DataFrame(tennis), play, n_repeats=3, random_state=0)
    assert found.importances_mean.shape == (4,)


def test_shown_in_a_notebook_and_on_a_terminal():
    model = tw.DecisionTreeClassifier(recipe="c4.5").fit(*IRIS)
    assert repr(model) == "DecisionTreeClassifier(recipe='c4.5')"
    assert "DecisionTreeClassifier" in model._repr_html_()
