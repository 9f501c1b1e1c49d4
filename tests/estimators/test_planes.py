"""LinearSeparator, Perceptron, MaxMarginClassifier: tables, several classes, storage."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import skops.io
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.svm import SVC

import treewright as tw
from treewright.linear.kernels import PolynomialKernel, Radial
from treewright.linear.scores import divides

CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
IRIS = load_iris()
# ---- the lecture's names and figures ----------------------------------------------------------------


def test_the_separator_of_the_lectures_bits():
    both, either, one = (
        tw.LinearSeparator().fit(CORNERS, y) for y in ([0, 0, 0, 1], [0, 1, 1, 1], [0, 1, 1, 0])
    )
    assert both.separable_
    assert either.separable_
    assert both.coef_.tolist() == [[2, 2]]
    assert both.intercept_.tolist() == [-3]
    assert either.intercept_.tolist() == [-1]
    assert not one.separable_
    assert one.verdict_ == "overlap"
    assert one.certificate_.weights.tolist() == [0.5] * 4
    mapped = tw.LinearSeparator(features=tw.linear.SquaredDifference()).fit(CORNERS, [0, 1, 1, 0])
    assert mapped.separable_
    assert mapped.predict(CORNERS).tolist() == [0, 1, 1, 0]


def test_the_perceptron_of_the_lecture():
    model = tw.Perceptron(start=[1, 1], bias=False).fit([[4, 3], [1, 3], [-2, 0], [2, 2]], [1, -1, -1, 1])
    assert [update.weights for update in model.trace_] == [(0, -2), (2, -2)]
    assert model.coef_.tolist() == [[2, -2]]
    assert (model.mistakes_, model.mistakes_by_pass_, model.n_iter_) == (2, (2, 0), 2)
    assert (model.converged_, model.consistent_, model.strict_) == (True, True, False)
    assert model.predict([[2, 2]]).tolist() == [1]


def test_a_random_order_comes_from_the_seed():
    x, y = IRIS.data[50:], IRIS.target[50:]
    one, same, other = (
        tw.Perceptron(order="random", random_state=s, max_passes=3).fit(x, y) for s in (1, 1, 7)
    )
    assert one.trace_ == same.trace_
    assert [u.row for u in one.trace_] != [u.row for u in other.trace_]


def test_the_margin_of_the_lecture():
    x, y = np.array([[1.0, 5.0], [1.0, 3.0], [3.0, 4.0], [3.0, 2.0]]), [-1, -1, 1, 1]
    for k in (1.0, 7.0):
        model = tw.MaxMarginClassifier().fit(k * x, y)
        np.testing.assert_allclose(
            np.append(model.coef_, model.intercept_) / model.coef_[0, 0], [1, 0, -2 * k], atol=1e-9
        )
        assert model.margin_ == pytest.approx(k)
        assert 0 <= model.gap_ < 1e-9
        assert len(model.dual_) == len(model.support_)


# ---- margins beside scikit-learn --------------------------------------------------------------------


@pytest.fixture(scope="module")
def cancer():
    data = load_breast_cancer()
    x = (data.data - data.data.mean(axis=0)) / data.data.std(axis=0)
    return x, data.target


@pytest.mark.parametrize(
    "settings", [{}, {"kernel": "radial", "gamma": 0.05}, {"kernel": "polynomial", "degree": 2}]
)
def test_a_soft_margin_is_libsvms_with_a_small_gap(cancer, settings):
    x, y = cancer
    model = tw.MaxMarginClassifier(C=0.5, tol=1e-6, **settings).fit(x, y)
    theirs = {
        "linear": {"kernel": "linear"},
        "radial": {"kernel": "rbf", "gamma": 0.05},
        "polynomial": {"kernel": "poly", "degree": 2, "coef0": 1.0, "gamma": model.gamma_},
    }[model.kernel]
    other = SVC(C=0.5, tol=1e-6, **theirs).fit(x, y)
    np.testing.assert_allclose(model.decision_function(x), other.decision_function(x), atol=1e-4)
    np.testing.assert_array_equal(model.support_, np.sort(other.support_))
    assert 0 <= model.gap_ < 1e-4
    assert (model.dual_ <= 0.5 + 1e-12).all()
    assert model.separable_ is None


def test_liblinear_comes_close_and_its_gap_says_how_close(cancer):
    x, y = cancer
    by_libsvm = tw.MaxMarginClassifier(C=0.1, tol=1e-8).fit(x, y)
    model = tw.MaxMarginClassifier(C=0.1, solver="liblinear", tol=1e-8).fit(x, y)
    assert 0 <= model.gap_ < 1e-3
    side = np.where(y == 1, 1, -1)

    def primal(found):
        slack = np.maximum(0, 1 - side * found.decision_function(x)).sum()
        return found.coef_[0] @ found.coef_[0] / 2 + 0.1 * slack

    assert primal(by_libsvm) - 1e-6 <= primal(model) <= primal(by_libsvm) + model.gap_ + 1e-6


def test_a_hard_margin_agrees_with_libsvm_at_a_large_c():
    x, y = IRIS.data[:100], IRIS.target[:100]
    ours, theirs = tw.MaxMarginClassifier().fit(x, y), SVC(kernel="linear", C=1e8, tol=1e-8).fit(x, y)
    np.testing.assert_allclose(ours.coef_, theirs.coef_, rtol=1e-5)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, rtol=1e-5)
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))


@pytest.mark.parametrize("kernel", [Radial(0.5), PolynomialKernel(3, 0.5, 1.0)])
def test_a_hard_margin_with_a_kernel(kernel):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(80, 2))
    y = np.where((x**2).sum(axis=1) > 1, "out", "in")
    name = "radial" if isinstance(kernel, Radial) else "polynomial"
    model = tw.MaxMarginClassifier(kernel=name, gamma=0.5).fit(x, y)
    assert model.separable_
    assert model.score(x, y) == 1
    np.testing.assert_allclose(np.abs(model.decision_function(x)).min(), 1, rtol=1e-6)
    np.testing.assert_allclose(np.abs(model.decision_function(x[model.support_])), 1, rtol=1e-4)


# ---- no plane ---------------------------------------------------------------------------------------


def test_without_a_plane_something_predicts_or_is_refused():
    x, y = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]]), [0, 0, 1, 0, 1, 1]
    for estimator in (tw.LinearSeparator, tw.MaxMarginClassifier):
        assert estimator().fit(x, y).score(x, y) == 5 / 6
        assert estimator(otherwise="slacks").fit(x, y).score(x, y) >= 4 / 6
        refusing = estimator(otherwise="refuse").fit(x, y)
        assert not refusing.separable_
        with pytest.raises(ValueError, match="No plane separates the classes"):
            refusing.predict(x)
    assert tw.MaxMarginClassifier().fit(x, y).margin_ == 0


@pytest.mark.parametrize("gap", [1e-3, 1e-10, 2.0**-52])
def test_the_plane_of_least_slacks_separates_what_is_separable(gap):
    x, y = np.array([[0.0], [1.0], [1.0 + gap], [2.0]]), np.array([0, 0, 1, 1])
    model = tw.LinearSeparator(objective="slacks").fit(x, y)
    assert model.separable_
    assert divides(x, y == 1, model.coef_[0], float(model.intercept_[0]))


def test_a_kernel_without_a_margin_says_what_helps():
    model = tw.MaxMarginClassifier(kernel="radial").fit([[0.0], [1.0], [1.0]], [0, 0, 1])
    assert (model.verdict_, model.certificate_.proof) == ("meet", "exact")
    with pytest.raises(ValueError, match=r"No plane separates .* Give a C \(soft margin\)"):
        model.predict([[0.0]])


def test_where_hulls_touch_their_plane_predicts():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 3)) * [1, 5, 25]
    y = x @ [1, 1, 1] > 20
    x, y = np.vstack([x, x[:1]]), np.append(y, ~y[0])
    # A row in both classes.
    model = tw.LinearSeparator().fit(x, y)
    assert not model.separable_
    edge = np.array([[0.0], [1.0], [1.0], [1.0], [2.0]])
    touching = tw.LinearSeparator().fit(edge, [0, 0, 1, 1, 1])
    assert touching.verdict_ == "touch"
    assert touching.score(edge, [0, 0, 1, 1, 1]) == 4 / 5


def test_a_certificate_of_the_perceptron():
    assert tw.Perceptron(max_passes=5).fit(CORNERS, [0, 1, 1, 0]).certificate_ is None
    asked = tw.Perceptron(max_passes=5, certify=True).fit(CORNERS, [0, 1, 1, 0])
    assert asked.separable_ is False
    assert asked.certificate_.point.tolist() == [0.5, 0.5]
    assert asked.bound_ is None


# ---- several classes --------------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", [tw.LinearSeparator, tw.MaxMarginClassifier])
def test_iris_pair_by_pair(estimator):
    model = estimator().fit(IRIS.data, IRIS.target)
    assert model.separations_.names == ("0 and 1", "0 and 2", "1 and 2")
    assert [part.is_separable for part in model.separations_] == [True, True, False]
    weights = model.certificate_.weights
    assert len(weights) == 150
    assert not weights[IRIS.target == 0].any()
    np.testing.assert_allclose(weights[:100] @ IRIS.data[:100], weights[100:] @ IRIS.data[100:], rtol=1e-12)
    assert model.score(IRIS.data, IRIS.target) > 0.95
    assert model.coef_.shape == (3, 4)
    assert model.decision_function(IRIS.data).shape == (150, 3)


def test_pairs_that_are_separable_are_predicted_without_an_error():
    # Three classes in a line: every two have a plane, but the middle one has none against the rest.
    x, y = np.array([[0.0], [1.0], [5.0], [6.0], [10.0], [11.0]]), ["a", "a", "b", "b", "c", "c"]
    pairs = tw.LinearSeparator().fit(x, y)
    assert pairs.separable_
    assert pairs.predict(x).tolist() == y
    rest = tw.LinearSeparator(multi_class="one_vs_rest").fit(x, y)
    assert [part.is_separable for part in rest.separations_] == [True, False, True]
    assert tw.MaxMarginClassifier().fit(x, y).margin_.tolist() == pytest.approx([2, 4.5, 2], rel=1e-14)


def test_the_perceptron_has_one_fit_for_each_class():
    model = tw.Perceptron(max_passes=30, certify=True).fit(IRIS.data, IRIS.target)
    assert len(model.fits_) == len(model.mistakes_) == len(model.trace_) == 3
    assert model.separable_ == (True, False, False)
    assert model.bound_[0] >= model.mistakes_[0]
    assert model.coef_.shape == (3, 4)


# ---- tables and storage -----------------------------------------------------------------------------


@pytest.mark.parametrize("estimator", [tw.LinearSeparator(), tw.Perceptron(), tw.MaxMarginClassifier()])
def test_tables_with_words(estimator):
    table = tw.example("tennis")
    frame = pd.DataFrame(table.to_dict())
    model = estimator.fit(frame.drop(columns="PlayTennis"), frame["PlayTennis"])
    assert model.score(frame.drop(columns="PlayTennis"), frame["PlayTennis"]) == 1
    assert "Outlook=Sunny" in model.terms_
    other = copy.deepcopy(estimator).fit(table.drop("PlayTennis"), table.labels("PlayTennis"))
    if isinstance(estimator, tw.LinearSeparator):
        return  # any separating plane will do, and the order of columns may lead to another
    weights = dict(zip(model.terms_, model.coef_[0].tolist(), strict=True))
    assert dict(zip(other.terms_, other.coef_[0].tolist(), strict=True)) == pytest.approx(weights, abs=1e-9)


MODELS = [
    tw.LinearSeparator().fit(IRIS.data, IRIS.target),
    tw.Perceptron(max_passes=5, certify=True).fit(IRIS.data, IRIS.target),
    tw.MaxMarginClassifier(C=2.0, kernel="radial").fit(IRIS.data, IRIS.target),
    tw.MaxMarginClassifier().fit(IRIS.data, IRIS.target),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_models_are_stored_and_come_back(model):
    data = skops.io.dumps(model)
    untrusted = skops.io.get_untrusted_types(data=data)
    assert untrusted == [f"{type(model).__module__}.{type(model).__name__}"]
    again = [
        pickle.loads(pickle.dumps(model)),
        skops.io.loads(data, trusted=untrusted),
        type(model).from_dict(model.to_dict()),
    ]
    for other in again:
        np.testing.assert_array_equal(other.decision_function(IRIS.data), model.decision_function(IRIS.data))
        assert str(other.certificate_) == str(model.certificate_)
        assert other.separable_ == model.separable_


def places(plain, path=()):
    """Yield the way to every value inside plain values, of long lists to the first three."""
    if path:
        yield path
    inside = (
        plain.items() if isinstance(plain, dict) else enumerate(plain[:3]) if isinstance(plain, list) else ()
    )
    for key, value in inside:
        yield from places(value, (*path, key))


@pytest.mark.parametrize("odd", [None, -1, "x", [], {}, [[1]], {"array": ["a"], "dtype": "zzz"}], ids=str)
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_model_with_any_value_replaced_is_refused_or_predicts(model, odd):
    plain = model.to_dict()
    refused = 0
    for path in places(plain):
        other = copy.deepcopy({key: plain[key] for key in plain if key == path[0]})
        inner = other
        for key in path[:-1]:
            inner = inner[key]
        inner[path[-1]] = odd
        try:
            again = type(model).from_dict({**plain, **other})
            again.predict(IRIS.data[:2])
        except ValueError:
            refused += 1
    assert refused > 20


def test_weights_that_do_not_fit_are_refused_by_name():
    model = tw.LogisticRegression(l2=1.0).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 5.0]], ["a", "b", "a"])
    plain = model.to_dict()
    short = {**plain, "fit": {**plain["fit"], "coef_": {"array": [[1.0]], "dtype": "<f8"}}}
    with pytest.raises(ValueError, match=r"field 'coef_' must hold finite numbers in the shape \(1, 2\)"):
        tw.LogisticRegression.from_dict(short)
    fits = [{**plain["values"]["fits_"][0], "steps": 3}]
    with pytest.raises(ValueError, match=r"'steps' of a logistic fit is 3 \(int\)"):
        tw.LogisticRegression.from_dict({**plain, "values": {"fits_": fits}})


@pytest.mark.parametrize(
    ("estimator", "words"),
    [
        (tw.LinearSeparator(objective="least"), "objective='least' must be"),
        (tw.LinearSeparator(otherwise="guess"), "otherwise='guess' must be"),
        (tw.LinearSeparator(multi_class="ovr"), "multi_class='ovr' must be"),
        (tw.MaxMarginClassifier(C=0), "C=0 must be None"),
        (tw.MaxMarginClassifier(C="1"), "C='1' must be None"),
        (tw.MaxMarginClassifier(kernel="rbf"), "kernel='rbf' must be"),
        (tw.MaxMarginClassifier(kernel="radial", gamma="scale"), "gamma='scale' must be a number above 0"),
        (tw.MaxMarginClassifier(kernel="polynomial", constant="1"), "constant='1' must be a number"),
        (tw.MaxMarginClassifier(C=1.0, solver="newton"), "solver='newton' must be"),
        (tw.MaxMarginClassifier(C=1.0, solver="liblinear", kernel="radial"), "has no kernel='radial'"),
        (tw.Perceptron(variant="best"), "variant='best' must be"),
        (tw.Perceptron(order="shuffled"), "order='shuffled' must be None, 'random'"),
    ],
)
def test_bad_settings_are_refused_in_words(estimator, words):
    with pytest.raises(ValueError, match=words):
        estimator.fit(CORNERS, [0, 0, 0, 1])


@pytest.mark.parametrize("estimator", [tw.LinearSeparator(), tw.Perceptron(), tw.MaxMarginClassifier()])
def test_gaps_and_one_class_are_refused_in_words(estimator):
    with pytest.raises(ValueError, match=r"NaN|missing|gap"):
        estimator.fit([[np.nan], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="one class"):
        estimator.fit([[0.0], [1.0]], ["a", "a"])


# ---- huge and tiny numbers --------------------------------------------------------------------------


def test_scores_beyond_the_largest_float_keep_their_sign():
    x, y = np.array([[1.7e308, 1e308], [-1.7e308, 1e308], [1.6e308, 0], [-1.6e308, 0]]), [1, 0, 1, 0]
    model = tw.Perceptron().fit(x, y)
    assert model.consistent_
    assert model.predict(x).tolist() == y
    assert np.isfinite(model.decision_function(x)).all()
    narrow = tw.Perceptron(certify=True, max_passes=3).fit([[1e-200], [-1e-200]], [0, 1])
    assert narrow.separable_
    assert narrow.bound_ == np.inf
    flat = tw.LogisticRegression(l2=1.0).fit([[0.0, 1.0], [1.0, 0.0], [2.0, 0.0]], ["a", "b", "c"])
    far = flat.predict_proba([[1e308, 1e308], [-1e308, 1e308]])
    np.testing.assert_allclose(far.sum(axis=1), 1)


@pytest.mark.parametrize("scale", [1e300, 1e-300])
@pytest.mark.parametrize(
    "model",
    [
        tw.LogisticRegression(),
        tw.LogisticRegression(l2=1.0, solver="gradient"),
        tw.MaxMarginClassifier(C=1.0),
        tw.MaxMarginClassifier(C=1.0, solver="liblinear"),
    ],
)
def test_columns_whose_squares_are_no_floats_are_refused_by_name(model, scale):
    x = np.array([[0.0, 1.0], [1.0, -1.0], [2.0, 2.0], [3.0, 0.0]]) * [1.0, scale]
    with pytest.raises(ValueError, match=rf"Column 'x1' holds numbers up to 2e.?{np.log10(abs(scale)):.0f}"):
        model.fit(x, [0, 1, 0, 1])
