"""tw.LogisticRegression: the same tables as the trees, names kept, what is said about hard data, storage."""

import copy
import json
import pickle

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import treewright as tw
from treewright.linear import CollinearWarning, SeparationWarning

RNG = np.random.default_rng(0)
X = RNG.normal(size=(150, 3))
Y = np.array(["a", "b", "c"])[np.digitize(X[:, 0] - X[:, 1] + RNG.logistic(size=150), [-1, 1])]
TWO = np.where(Y == "a", "no", "yes")


def test_every_library_gives_the_same(library, tennis, play):
    model = tw.LogisticRegression(l2=1.0).fit(library(tennis), play)
    twin = tw.LogisticRegression(l2=1.0).fit(tw.Table.from_dict(tennis), play)
    np.testing.assert_allclose(model.coef_, twin.coef_)
    np.testing.assert_allclose(
        model.predict_proba(library(tennis)), twin.predict_proba(tw.Table.from_dict(tennis))
    )
    if library is not None and "Wind=Weak" in model.terms_:
        assert model.terms_ == twin.terms_


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, np.uint8, object])
@pytest.mark.parametrize("order", ["C", "F"])
def test_arrays_of_any_dtype(dtype, order):
    x = np.array(np.round(10 * np.abs(X)), dtype=dtype, order=order)
    plain = tw.LogisticRegression().fit(np.round(10 * np.abs(X)), TWO)
    model = tw.LogisticRegression().fit(x, TWO)
    np.testing.assert_allclose(model.coef_, plain.coef_, rtol=1e-9)
    np.testing.assert_allclose(
        model.decision_function(x), plain.decision_function(x.astype(float)), rtol=1e-9
    )


@pytest.mark.parametrize("l2", [0.0, 2.0])
def test_scikit_learn_agrees_on_chances(l2):
    ours = tw.LogisticRegression(l2=l2).fit(X, TWO)
    theirs = LogisticRegression(C=np.inf if l2 == 0 else 1 / l2, tol=1e-10, max_iter=10_000).fit(X, TWO)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-6, atol=1e-7)
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), rtol=1e-5)
    np.testing.assert_allclose(ours.predict_log_proba(X), theirs.predict_log_proba(X), rtol=1e-5)
    assert (ours.predict(X) == theirs.predict(X)).all()


def test_one_against_the_rest_is_one_model_for_each_class():
    model = tw.LogisticRegression(multi_class="one_vs_rest").fit(X, Y)
    for k, name in enumerate(model.classes_):
        one = tw.LogisticRegression().fit(X, name == Y)
        np.testing.assert_allclose(model.coef_[k], one.coef_[0])
    chances = model.predict_proba(X)
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    each = 1 / (1 + np.exp(-model.decision_function(X)))
    np.testing.assert_allclose(chances, each / each.sum(axis=1, keepdims=True))
    assert "each class against the rest" in str(model.summary())
    assert model.summary().to_dict()["class"] == [c for c in "abc" for _ in range(4)]


def test_the_reference_class_is_named():
    first = tw.LogisticRegression().fit(X, Y)
    last = tw.LogisticRegression(reference_class="c").fit(X, Y)
    assert str(first.summary()).startswith("b, c against a: 150 rows")
    assert str(last.summary()).startswith("a, b against c: 150 rows")
    np.testing.assert_allclose(first.predict_proba(X), last.predict_proba(X), rtol=1e-7)
    with pytest.raises(ValueError, match="'d' is no class; the classes are 'a', 'b', 'c'"):
        tw.LogisticRegression(reference_class="d").fit(X, Y)
    with pytest.raises(ValueError, match="Turn the signs"):
        tw.LogisticRegression(reference_class="yes").fit(X, TWO)
    with pytest.raises(ValueError, match="one against the rest has none"):
        tw.LogisticRegression(reference_class="a", multi_class="one_vs_rest").fit(X, Y)


def test_class_weights_are_row_weights():
    by_class = tw.LogisticRegression(class_weight={"no": 2.0}).fit(X, TWO)
    by_row = tw.LogisticRegression().fit(X, TWO, np.where(TWO == "no", 2.0, 1.0))
    np.testing.assert_allclose(by_class.coef_, by_row.coef_)
    balanced = tw.LogisticRegression(class_weight="balanced").fit(X, TWO)
    theirs = LogisticRegression(C=np.inf, class_weight="balanced", tol=1e-10, max_iter=1000).fit(X, TWO)
    np.testing.assert_allclose(balanced.coef_, theirs.coef_, rtol=1e-6)
    for wrong in ("unbalanced", {"maybe": 1.0}, {"no": -1.0}):
        with pytest.raises(ValueError, match="class_weight"):
            tw.LogisticRegression(class_weight=wrong).fit(X, TWO)


def test_rows_of_weight_zero_are_no_rows():
    weight = np.where(Y == "c", 0.0, 1.0)
    model = tw.LogisticRegression().fit(X, Y, weight)
    assert model.classes_.tolist() == ["a", "b"]
    np.testing.assert_allclose(model.coef_, tw.LogisticRegression().fit(X[Y != "c"], Y[Y != "c"]).coef_)
    with pytest.raises(ValueError, match="one class: 'a'"):
        tw.LogisticRegression().fit(X, Y, np.where(Y == "a", 1.0, 0.0))


# ---- what is said ---------------------------------------------------------------------------------


def test_divided_classes_are_said_with_the_way_out():
    with pytest.warns(SeparationWarning, match=r"complete separation, 4 of 4 rows.*'x0'.*l2=1.0") as heard:
        model = tw.LogisticRegression().fit([[0.0], [1], [2], [3]], ["a", "a", "b", "b"])
    assert heard[0].filename == __file__
    assert model.separation_.kind == "complete"
    assert model.predict([[0.0], [3]]).tolist() == ["a", "b"]
    np.testing.assert_allclose(model.predict_proba([[1.0], [2.0]]), [[1, 0], [0, 1]], atol=1e-12)
    assert "inf" in str(model.summary())
    with pytest.raises(ValueError, match="No finite maximum exists"):
        tw.LogisticRegression(strict=True).fit([[0.0], [1], [2], [3]], ["a", "a", "b", "b"])
    assert tw.LogisticRegression(l2=0.1).fit([[0.0], [1], [2], [3]], list("aabb")).separation_ is None


def test_a_pure_category_is_said_and_leaves_the_rest():
    frame = pd.DataFrame({"n": X[:, 0], "group": np.where(np.arange(150) < 4, "pure", "mixed")})
    y = np.where(np.arange(150) < 4, "yes", TWO)
    with pytest.warns(SeparationWarning, match=r"quasi-complete separation, 4 of 150 rows.*'group=pure' run"):
        model = tw.LogisticRegression().fit(frame, y)
    rest = tw.LogisticRegression().fit(frame[["n"]][4:], y[4:])
    columns = model.summary().to_dict()
    assert columns["estimate"][2] == np.inf
    np.testing.assert_allclose(columns["p"][:2], rest.summary().to_dict()["p"], rtol=1e-6)


def test_one_against_the_rest_says_which_class_is_divided():
    x = np.array([[0.0], [1], [2], [3], [2.5], [9], [10]])
    y = np.array(["a", "a", "b", "a", "b", "c", "c"])
    with pytest.warns(SeparationWarning, match="class 'c' from the rest"):
        model = tw.LogisticRegression(multi_class="one_vs_rest").fit(x, y)
    assert list(model.separation_) == ["c"]


def test_columns_that_say_the_same_are_said():
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "sum": X[:, 0] + X[:, 1], "one": 1.0})
    with pytest.warns(
        CollinearWarning, match=r"'one' \(it is constant\).*'sum' \('a' and 'b' say the same\)"
    ):
        model = tw.LogisticRegression().fit(frame, TWO)
    assert "sum is left out: a and b say the same." in str(model.summary())
    with pytest.raises(ValueError, match="Drop such columns"):
        tw.LogisticRegression(strict=True).fit(frame, TWO)
    table = tw.example("tennis")
    with pytest.warns(CollinearWarning, match="Wind=Weak"):
        tw.LogisticRegression(reference=None).fit(table.select(["Wind"]), table.labels("PlayTennis"))


def test_a_climb_that_stops_early_is_said():
    with pytest.warns(ConvergenceWarning, match="stopped after 5 steps"):
        model = tw.LogisticRegression(solver="gradient", max_iter=5).fit(X, TWO)
    assert len(model.trace_) == 5
    assert "did not come to an end" in str(model.summary())


@pytest.mark.parametrize(
    ("settings", "data", "text"),
    [
        ({}, (X, ["a"] * 150), "at least two classes; found one class: 'a'"),
        ({}, (np.where(X > 2, np.nan, X), TWO), r"Column 'x\d' is missing \(NaN\)"),
        ({"multi_class": "both"}, (X, Y), "multi_class='both'"),
        ({"l2": -1}, (X, Y), "l2=-1"),
        ({"solver": "sgd"}, (X, Y), "solver='sgd'"),
        ({"features": "cubes"}, (X, Y), "features='cubes'"),
        ({"reference": {"x9": "a"}}, (X, Y), "reference: No column is named 'x9'"),
        ({"features": "squared_difference"}, (X, Y), "takes two terms; found 3: 'x0', 'x1', 'x2'"),
    ],
)
def test_what_cannot_be_fitted_is_said(settings, data, text):
    with pytest.raises(ValueError, match=text):
        tw.LogisticRegression(**settings).fit(*data)


def test_categories_that_training_did_not_have_are_named(library, tennis, play):
    model = tw.LogisticRegression(l2=1.0).fit(library(tennis), play)
    tennis["Outlook"][3] = "Sunnny"
    with pytest.raises(
        ValueError, match=r"the category 'Sunnny' that no row of training had \(did you mean 'Sunny'"
    ):
        model.predict(library(tennis))


# ---- features -------------------------------------------------------------------------------------


def test_xor_needs_a_map():
    x, y = [[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0]
    flat = tw.LogisticRegression().fit(x, y)
    assert flat.predict_proba(x).round(9).tolist() == [[0.5, 0.5]] * 4
    for features in ("squared_difference", "interactions"):
        with pytest.warns(SeparationWarning, match="complete"):
            model = tw.LogisticRegression(features=features).fit(x, y)
        assert model.predict(x).tolist() == y
    assert model.terms_ == ("x0", "x1", "x0 x1")


def test_a_map_is_what_a_pipeline_would_do():
    from sklearn.preprocessing import PolynomialFeatures

    model = tw.LogisticRegression(features=tw.linear.Polynomial(2), l2=0.5).fit(X, TWO)
    made = PolynomialFeatures(2, include_bias=False).fit_transform(X)
    np.testing.assert_allclose(model.coef_, tw.LogisticRegression(l2=0.5).fit(made, TWO).coef_, rtol=1e-9)


def test_it_stands_in_a_pipeline_and_in_cross_validation():
    from sklearn.model_selection import cross_val_score

    assert (
        cross_val_score(make_pipeline(StandardScaler(), tw.LogisticRegression(l2=1.0)), X, TWO).mean() > 0.6
    )


# ---- storage --------------------------------------------------------------------------------------

MODELS = {
    "two": tw.LogisticRegression(l2=0.3),
    "summary": tw.LogisticRegression(),
    "map": tw.LogisticRegression(l2=1.0, features=tw.linear.Polynomial(2)),
    "rest": tw.LogisticRegression(l2=1.0, multi_class="one_vs_rest", features="interactions"),
    "words": tw.LogisticRegression(
        l2=1.0, reference={"sky": "s"}, ordinal={"size": ["S", "M"]}, class_weight={"a": 2}
    ),
}
FRAME = pd.DataFrame({"n": X[:, 0], "sky": np.array(list("sro"))[np.arange(150) % 3],
                      "size": np.array(["S", "M"])[np.arange(150) % 2], "windy": X[:, 1] > 0})  # fmt: skip


@pytest.mark.parametrize("name", list(MODELS))
@pytest.mark.parametrize(
    "y", [Y, Y.astype(object), np.digitize(X[:, 2], [0])], ids=["text", "objects", "numbers"]
)
def test_round_trips(name, y):
    estimator = copy.deepcopy(MODELS[name])
    if y.dtype.kind == "i":
        estimator.set_params(class_weight=None)
    model = estimator.fit(FRAME, y)
    data = skops.io.dumps(model)
    untrusted = skops.io.get_untrusted_types(data=data)
    assert set(untrusted) <= {
        "treewright.estimators.logistic.LogisticRegression",
        "treewright.linear.maps.Polynomial",
    }
    others = [
        pickle.loads(pickle.dumps(model)),
        skops.io.loads(data, trusted=untrusted),
        tw.LogisticRegression.from_dict(json.loads(json.dumps(model.to_dict()))),
    ]
    for other in others:
        np.testing.assert_array_equal(other.predict_proba(FRAME), model.predict_proba(FRAME))
        assert other.classes_.dtype == model.classes_.dtype
        assert other.terms_ == model.terms_
        assert str(other.summary()) == str(model.summary())
        assert other.get_params().keys() == model.get_params().keys()
        np.testing.assert_allclose(other.fit(FRAME, y).coef_, model.coef_)


def test_functions_are_fitted_but_not_written_down():
    model = tw.LogisticRegression(features=np.tanh, l2=1.0).fit(X, TWO)
    assert model.terms_ == ("tanh 1", "tanh 2", "tanh 3")
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(model)).predict(X), model.predict(X))
    with pytest.raises(ValueError, match="the function 'tanh', which is code"):
        model.to_dict()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "other"}, "Not a linear model: there is no entry 'format' that says"),
        ({"version": 99}, "a linear model of format version 99, written by a newer treewright"),
        ({"model": "Perceptron"}, "LogisticRegression"),
        ({"settings": {"magic": 1}}, "LogisticRegression"),
    ],
)
def test_foreign_dicts_are_refused(change, said):
    plain = {**tw.LogisticRegression(l2=1.0).fit(X, Y).to_dict(), **change}
    with pytest.raises(ValueError, match=said):
        tw.LogisticRegression.from_dict(plain)
