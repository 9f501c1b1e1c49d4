import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright as tw

# Rows here hold categories that training never met on purpose.
pytestmark = pytest.mark.filterwarnings("ignore:.*training never met:treewright.DataWarning")

IRIS = load_iris(return_X_y=True)
RNG = np.random.default_rng(0)
CLOUD = RNG.normal(size=(400, 5))  # large nodes of random numbers have no ties
CLOUD_CLASS = (CLOUD[:, 0] * CLOUD[:, 1] + 0.5 * RNG.normal(size=400) > 0).astype(int)
LARGE = {"max_depth": 4, "min_samples_leaf": 15}


def test_importing_treewright_does_not_import_scikit_learn():
    code = (
        "import sys, treewright as tw; table = tw.example('tennis')\n"
        "tw.grow(table, target='PlayTennis').predict(table)\n"
        "assert 'sklearn' not in sys.modules and 'scipy' not in sys.modules\n"
        "tw.DecisionTreeClassifier; assert 'sklearn' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_parameters_are_the_public_ones():
    names = [
        "recipe",
        "criterion",
        "splits",
        "missing",
        "unseen",
        "discretise",
        "prune",
        "max_depth",
        "min_samples_split",
        "min_samples_leaf",
        "min_samples_branch",
        "max_leaf_nodes",
        "min_gain",
        "majority_share",
        "significance",
        "max_features",
        "splitter",
        "class_weight",
        "priors",
        "costs",
        "categorical_features",
        "ordinal",
        "probabilities",
        "ledger",
        "random_state",
        "n_jobs",
    ]
    extra = {"min_impurity_decrease", "min_weight_fraction_leaf", "leaves", "leaf_attributes"}
    extra |= {
        "linear_categories",
        "min_impurity",
        "split_price",
        "column_costs",
        "cost_form",
        "cost_power",
        "monotone",
    }
    extra |= {f"linear_{word}" for word in ("attributes", "search", "penalty", "tries", "lookahead")}
    extra |= {"lookahead", "lookahead_rows", "schools", "honest"}
    of_classes = {"majority_share", "significance", "class_weight", "priors", "costs", "probabilities"}
    assert set(tw.DecisionTreeClassifier().get_params()) == {*names, *extra}
    assert set(tw.DecisionTreeRegressor().get_params()) == {*names, *extra} - of_classes


def test_not_fitted():
    for model in (tw.DecisionTreeClassifier(), tw.DecisionTreeRegressor()):
        for call in (model.predict, model.apply, model.decision_path):
            with pytest.raises(NotFittedError):
                call([[1]])
        for call in (model.get_depth, model.get_n_leaves, lambda m=model: m.feature_importances_):
            with pytest.raises(NotFittedError):
                call()


def test_fit_returns_self_and_forgets_the_last_fit():
    model = tw.DecisionTreeClassifier()
    assert model.fit(pd.DataFrame({"a": [1, 2]}), ["x", "y"]) is model
    model.fit(np.array([[1.0, 2], [3, 4], [5, 6]]), [0, 1, 2])
    assert model.n_features_in_ == 2
    assert model.classes_.tolist() == [0, 1, 2]
    assert not hasattr(model, "feature_names_in_")
    assert not hasattr(clone(model), "tree_")


def test_the_id3_tree_of_the_lecture(library, tennis, play):
    model = tw.DecisionTreeClassifier(recipe="id3").fit(library(tennis), play)
    assert model.score(library(tennis), play) == 1
    assert model.get_depth() == 2
    root = model.tree_.schema.columns[model.tree_.column[0]].name
    assert root in ("Outlook", "x0")
    assert model.tree_.gain[0] == pytest.approx(0.246750, abs=1e-6)


def test_one_row_constant_target_constant_columns():
    for X, y in (([[1]], ["a"]), ([[1], [2]], ["a", "a"]), ([[1], [1]], ["a", "b"])):
        model = tw.DecisionTreeClassifier().fit(X, y)
        assert model.get_n_leaves() == 1
        assert model.get_depth() == 0
        assert model.predict([[5]]).tolist() == ["a"]
        assert model.feature_importances_.tolist() == [0]
    assert tw.DecisionTreeRegressor().fit([[1]], [2.5]).predict([[9]]).tolist() == [2.5]
    assert tw.DecisionTreeRegressor().fit([[1], [2]], [2.5, 2.5]).get_n_leaves() == 1


class TestPathsAndLeaves:
    def test_like_scikit_learn(self):
        X, y = CLOUD, CLOUD_CLASS
        ours = tw.DecisionTreeClassifier(**LARGE).fit(X, y)
        theirs = DecisionTreeClassifier(**LARGE).fit(X, y)
        a, b = ours.decision_path(X), theirs.decision_path(X)
        assert type(a) is type(b)
        assert a.dtype == b.dtype
        assert (a != b).nnz == 0  # both number nodes in preorder
        assert ours.apply(X).dtype == theirs.apply(X).dtype
        np.testing.assert_array_equal(ours.apply(X), theirs.apply(X))
        leaf = ours.apply(X)
        for row in (0, 60, 399):
            assert tuple(a[row].indices) == ours.tree_.path_to(int(leaf[row]))

    def test_divided_rows_touch_several_leaves(self):
        frame = pl.DataFrame({"sky": ["s", "s", "r", "r", "o", "o", "o", "o"]})
        model = tw.DecisionTreeClassifier(recipe="c4.5").fit(frame, list("aabbcccc"))
        gap = pl.DataFrame({"sky": [None, "s"]}, schema={"sky": pl.String})
        path = model.decision_path(gap).toarray()
        assert path.tolist() == [[1, 1, 1, 1], [1, 0, 0, 1]]
        assert model.apply(gap).tolist() == [1, 3]  # the heaviest part: "o"
        np.testing.assert_allclose(model.predict_proba(gap), [[0.25, 0.25, 0.5], [1, 0, 0]])

    def test_stopped_rows_end_inside(self):
        frame = pd.DataFrame({"sky": ["s", "s", "r", "r"]})
        model = tw.DecisionTreeClassifier(unseen="stop_here").fit(frame, list("aabb"))
        assert model.decision_path(pd.DataFrame({"sky": ["fog"]})).toarray().tolist() == [[1, 0, 0]]


class TestImportances:
    @pytest.mark.parametrize("weights", [None, np.arange(400.0)])
    def test_like_scikit_learn(self, weights):
        X, y = CLOUD, CLOUD_CLASS
        ours = tw.DecisionTreeClassifier(**LARGE).fit(X, y, sample_weight=weights)
        theirs = DecisionTreeClassifier(random_state=0, **LARGE).fit(X, y, sample_weight=weights)
        np.testing.assert_allclose(
            ours.feature_importances_, theirs.feature_importances_, rtol=1e-9, atol=1e-15
        )

    def test_numbers(self):
        X, y = CLOUD, CLOUD[:, 2] + RNG.normal(size=400)
        ours = tw.DecisionTreeRegressor(**LARGE).fit(X, y)
        theirs = DecisionTreeRegressor(random_state=0, **LARGE).fit(X, y)
        np.testing.assert_allclose(
            ours.feature_importances_, theirs.feature_importances_, rtol=1e-9, atol=1e-15
        )

    def test_surrogates_share(self):
        x = np.arange(100.0)
        X = np.column_stack([x, x + np.tile([0, 3], 50), np.random.default_rng(0).normal(size=100)])
        model = tw.DecisionTreeClassifier(recipe="cart", max_depth=1).fit(X, x > 49)
        tree = model.tree_
        owned = dict(zip(tree.surrogate_column.tolist(), tree.surrogate_adjusted.tolist(), strict=True))
        expected = np.array([1.0, owned[1], owned.get(2, 0.0)])
        np.testing.assert_allclose(model.feature_importances_, expected / expected.sum())


class TestWeights:
    @pytest.mark.parametrize("recipe", ["plain", "c4.5"])
    def test_weight_zero_is_no_row(self, library, recipe):
        columns = {"sky": ["s", "r", "s", "r", "fog", "s"], "n": [1.0, 2, 3, 4, 99, 6]}
        y, w = ["a", "b", "a", "b", "b", "a"], [1, 1, 2, 1, 0, 1]
        kept = [i for i in range(6) if w[i]]
        less = library({name: [cells[i] for i in kept] for name, cells in columns.items()})
        one = tw.DecisionTreeClassifier(recipe=recipe).fit(library(columns), y, sample_weight=w)
        two = tw.DecisionTreeClassifier(recipe=recipe).fit(
            less, [y[i] for i in kept], sample_weight=[w[i] for i in kept]
        )
        asked = less  # a Table has declared its categories: fog has an empty branch in one, is unseen in two
        if not isinstance(less, tw.Table):
            assert one.tree_ == two.tree_
            asked = library(columns)
        np.testing.assert_array_equal(one.predict_proba(asked), two.predict_proba(asked))

    def test_classes_are_those_of_all_rows_as_in_scikit_learn(self):
        model = tw.DecisionTreeClassifier().fit([[1], [2], [3]], [0, 1, 2], sample_weight=[1, 1, 0])
        assert model.classes_.tolist() == [0, 1, 2]
        assert model.predict([[3]]).tolist() == [1]

    @pytest.mark.parametrize("recipe", ["plain", "c4.5"])
    def test_weight_two_is_two_rows(self, recipe):
        X, y = IRIS
        w = np.random.default_rng(0).integers(0, 4, size=150)
        one = tw.DecisionTreeClassifier(recipe=recipe).fit(X, y, sample_weight=w)
        two = tw.DecisionTreeClassifier(recipe=recipe).fit(X.repeat(w, axis=0), y.repeat(w))
        np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X))
        np.testing.assert_array_equal(one.tree_.cut, two.tree_.cut)

    @pytest.mark.parametrize(
        ("weights", "message"),
        [
            ([0, 0], "weights are zero"),
            ([1, -1], "weight of row 1 is -1"),
            ([1, np.nan], "weight of row 1 is nan"),
            ([1, 2, 3], "one number per row"),
        ],
    )
    def test_what_is_refused(self, weights, message):
        with pytest.raises(ValueError, match=message):
            tw.DecisionTreeClassifier().fit([[1], [2]], [0, 1], sample_weight=weights)


def test_log_probabilities_without_a_warning():
    model = tw.DecisionTreeClassifier().fit(*IRIS)
    np.testing.assert_array_equal(np.exp(model.predict_log_proba(IRIS[0])), model.predict_proba(IRIS[0]))


def test_the_ledger_answers():
    table = tw.example("tennis")
    model = tw.DecisionTreeClassifier(recipe="id3", ledger=True)
    model.fit(table.drop("PlayTennis"), table.labels("PlayTennis"))
    assert "Outlook" in model.tree_.why_not("Humidity")


def test_a_criterion_of_ones_own():
    def fewest_errors(left, right):
        return left.max(axis=1) + right.max(axis=1)

    model = tw.DecisionTreeClassifier(criterion=fewest_errors, max_depth=1).fit(*IRIS)
    assert model.score(*IRIS) == pytest.approx(2 / 3, abs=0.01)
    assert clone(model).criterion is not None
