"""Logistic regression as a function: against the blackboard, against linear programs, and on hard tables."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import at_most
from tests.oracle import logistic as oracle
from treewright.linear import logistic
from treewright.linear.limit import FAR
from treewright.linear.logistic import LogisticFit, fit_logistic


def noisy(n_rows=120, n_columns=3, n_classes=2, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, n_columns))
    score = x @ rng.normal(size=(n_columns, n_classes)) + rng.gumbel(size=(n_rows, n_classes))
    return x, score.argmax(axis=1)


def steepness(fit, x, y, weight=None, l2=0.0):
    weight = np.ones(len(x)) if weight is None else weight
    by_coef, by_bias = oracle.gradient(x, y, weight, fit.coef, fit.intercept, l2)
    others = fit.others
    return max(np.abs(by_coef[others]).max(initial=0), np.abs(by_bias[others]).max() if fit.bias else 0.0)


# ---- the maximum ----------------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["newton", "lbfgs"])
@pytest.mark.parametrize("n_classes", [2, 3, 5])
@pytest.mark.parametrize("l2", [0.0, 0.7])
@pytest.mark.parametrize("bias", [True, False])
def test_the_blackboards_gradient_is_zero(solver, n_classes, l2, bias):
    x, y = noisy(n_rows=200, n_classes=n_classes)
    weight = np.linspace(0.5, 2, len(x))
    fit = fit_logistic(x, y, weight, l2, solver=solver, bias=bias)
    assert fit.is_converged
    assert fit.is_proven or l2 > 0
    assert steepness(fit, x, y, weight, l2) < 1e-7
    told = oracle.log_likelihood(x, y, weight, fit.coef, fit.intercept)
    assert fit.log_likelihood == pytest.approx(told, rel=1e-12)
    assert bias or not fit.intercept.any()
    assert not fit.coef[fit.reference].any()


@given(st.integers(0, 10**6), st.integers(2, 4), st.integers(1, 3), st.sampled_from([(1.0, 0), (0.1, 1000)]))
@settings(max_examples=at_most(25, 60), deadline=None)
def test_small_tables_of_whole_numbers_and_decimals(seed, n_classes, n_columns, places):
    """Such tables are often divided, touch, repeat rows and have columns that say the same."""
    rng = np.random.default_rng(seed)
    n_rows = int(rng.integers(n_classes + 1, 14))
    x = rng.integers(-2, 3, size=(n_rows, n_columns)) * places[0] + places[1]
    y = np.concatenate([np.arange(n_classes), rng.integers(0, n_classes, n_rows - n_classes)])
    fit = fit_logistic(x, y)
    found = "none" if fit.separation is None else fit.separation.kind
    assert found == oracle.separation(x, y, n_classes)
    if fit.separation is None:
        assert fit.is_proven
        assert steepness(fit, x, y) < 1e-7
        return
    here = fit.log_likelihood
    told = oracle.log_likelihood(x, y, np.ones(n_rows), fit.coef, fit.intercept)
    assert told == pytest.approx(here, abs=1e-7)  # the weights given stand for the limit
    for direction in fit.separation.directions[:1]:
        z = np.column_stack([x, np.ones(n_rows)]) @ direction.T
        ahead = z[np.arange(n_rows), y][:, None] - z
        assert ahead.min() >= -1e-12 * np.abs(direction).max() * np.abs(x).max()
        assert ahead.max() > 0


@given(st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_the_order_of_rows_and_columns_does_not_matter(seed):
    x, y = noisy(seed=seed, n_rows=60)
    rng = np.random.default_rng(seed)
    rows, columns = rng.permutation(len(x)), rng.permutation(x.shape[1])
    one, other = fit_logistic(x, y), fit_logistic(x[rows][:, columns], y[rows])
    if one.separation is None:
        np.testing.assert_allclose(one.coef[:, columns], other.coef, rtol=1e-9, atol=1e-9)


def test_a_row_of_weight_two_is_two_rows_and_of_weight_zero_none():
    x, y = noisy()
    weight = np.arange(len(x)) % 3
    times = np.repeat(np.arange(len(x)), weight)
    one, other = fit_logistic(x, y, weight), fit_logistic(x[times], y[times])
    np.testing.assert_allclose(one.coef, other.coef, rtol=1e-9)
    np.testing.assert_allclose(one.covariance, other.covariance, rtol=1e-7)


def test_the_reference_class_changes_the_words_not_the_chances():
    x, y = noisy(n_classes=3, n_rows=200)
    fits = [fit_logistic(x, y, reference=k) for k in range(3)]
    for fit in fits[1:]:
        moved = fit.coef - fit.coef[0]
        np.testing.assert_allclose(moved, fits[0].coef, rtol=1e-8, atol=1e-8)
    assert fits[2].others == [0, 1]


def test_many_rows_start_from_a_part_of_them(monkeypatch):
    x, y = noisy(n_rows=30_000, n_columns=4, n_classes=3)
    quick = fit_logistic(x, y)
    monkeypatch.setattr(logistic, "WARM_ROWS", 10**9)
    slow = fit_logistic(x, y)
    assert quick.n_iterations < slow.n_iterations
    np.testing.assert_allclose(quick.coef, slow.coef, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(quick.standard_errors, slow.standard_errors, rtol=1e-5)


def test_many_columns_go_to_lbfgs(monkeypatch):
    monkeypatch.setattr(logistic, "MOST_NEWTON", 3)
    x, y = noisy()
    fit = fit_logistic(x, y)
    assert (fit.solver, fit.is_proven, fit.covariance) == ("lbfgs", True, None)
    monkeypatch.undo()
    np.testing.assert_allclose(fit.coef, fit_logistic(x, y).coef, rtol=1e-8)


# ---- hard tables ----------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1e-6, 1e6, 1e9])
@pytest.mark.parametrize("shift", [0.0, 1e6])
def test_scales_and_shifts(scale, shift):
    x, y = noisy()
    plain, moved = fit_logistic(x, y), fit_logistic((x + shift) * scale, y)
    np.testing.assert_allclose(moved.coef[1] * scale, plain.coef[1], rtol=1e-6)
    np.testing.assert_allclose(
        moved.standard_errors[0, :-1] * scale, plain.standard_errors[0, :-1], rtol=1e-6
    )


def test_columns_of_very_different_size():
    x, y = noisy(n_columns=4)
    size = np.array([1e-8, 1.0, 1e6, 1e12])
    plain, moved = fit_logistic(x, y), fit_logistic(x * size, y)
    np.testing.assert_allclose(moved.coef[1] * size, plain.coef[1], rtol=1e-9)


def test_columns_that_say_the_same_are_named():
    x, y = noisy()
    more = np.column_stack([x[:, 0], np.full(len(x), 3.5), x[:, 1], 2 * x[:, 0] - x[:, 1] + 4, x[:, 2]])
    fit = fit_logistic(more, y)
    assert fit.told_by == {1: (), 3: (0, 2)}
    np.testing.assert_allclose(fit.coef[1, [0, 2, 4]], fit_logistic(x, y).coef[1], rtol=1e-9)
    assert fit.coef[1, [1, 3]].tolist() == [0, 0]
    assert np.isnan(fit.standard_errors[0, [1, 3]]).all()
    assert np.isfinite(fit.standard_errors[0, [0, 2, 4, 5]]).all()


def test_columns_that_nearly_say_the_same_are_told_apart():
    x, y = noisy()
    rng = np.random.default_rng(5)
    near = np.column_stack([x, x[:, 0] + 1e-7 * rng.normal(size=len(x))])
    fit = fit_logistic(near, y)
    assert not fit.told_by
    by_coef, by_bias = oracle.gradient(near, y, np.ones(len(x)), fit.coef, fit.intercept)
    assert np.abs(by_coef[1]).max() < 1e-6
    assert abs(by_bias[1]) < 1e-6


def test_a_penalty_settles_columns_that_say_the_same_and_divided_rows():
    x = np.array([[0.0, 0, 7], [1, 1, 7], [2, 2, 7], [3, 3, 7]])
    fit = fit_logistic(x, [0, 0, 1, 1], l2=1.0)
    assert fit.is_converged
    assert fit.separation is None
    assert fit.covariance is None
    assert fit.coef[1, 0] == pytest.approx(fit.coef[1, 1])
    assert fit.coef[1, 2] == pytest.approx(0, abs=1e-12)
    assert steepness(fit, x, [0, 0, 1, 1], l2=1.0) < 1e-8


def test_no_columns_leave_the_bias():
    fit = fit_logistic(np.empty((4, 0)), [0, 0, 0, 1])
    assert fit.intercept[1] == pytest.approx(math.log(1 / 3))
    assert fit.log_likelihood == pytest.approx(fit.null_log_likelihood)


def test_many_classes():
    x, y = noisy(n_rows=900, n_columns=2, n_classes=20)
    fit = fit_logistic(x, y)
    assert fit.is_converged
    assert steepness(fit, x, y) < 1e-6


# ---- no maximum -----------------------------------------------------------------------------------


def test_complete_separation():
    fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])
    assert fit.separation.kind == "complete"
    assert fit.separation.rows == 4
    assert fit.log_likelihood == 0
    assert fit.coef[1, 0] == pytest.approx(2 * FAR)
    assert np.isnan(fit.standard_errors).all()


def test_quasi_complete_separation_leaves_the_other_weights_alone():
    x, y = noisy(n_columns=2)
    pure = np.zeros(len(x))
    pure[np.flatnonzero(y == 1)[:5]] = 1.0  # a category whose rows are all of one class
    fit = fit_logistic(np.column_stack([x, pure]), y)
    rest = fit_logistic(x[pure == 0], y[pure == 0])
    assert fit.separation.kind == "quasi-complete"
    assert fit.separation.proof == "exact"
    assert fit.separation.rows == 5
    assert fit.separation.signs[1].tolist() == [0, 0, 1, 0]
    np.testing.assert_allclose(fit.coef[1, :2], rest.coef[1], rtol=1e-8)
    np.testing.assert_allclose(fit.standard_errors[0, [0, 1, 3]], rest.standard_errors[0], rtol=1e-6)
    assert np.isnan(fit.standard_errors[0, 2])
    assert fit.log_likelihood == pytest.approx(rest.log_likelihood)


def test_one_class_of_three_is_divided():
    rng = np.random.default_rng(2)
    x = np.concatenate([rng.normal(size=(40, 2)), rng.normal(size=(40, 2)), rng.normal(size=(40, 2)) + 30])
    y = np.repeat([0, 1, 2], 40)
    fit = fit_logistic(x, y)
    assert fit.separation.kind == "quasi-complete"
    two = fit_logistic(x[:80], y[:80])
    assert fit.log_likelihood == pytest.approx(two.log_likelihood, rel=1e-9)
    np.testing.assert_allclose(fit.coef[1], two.coef[1], rtol=1e-6)


@pytest.mark.parametrize("solver", ["newton", "lbfgs", "gradient"])
def test_every_solver_says_that_there_is_no_maximum(solver):
    x = np.array([[0.0, 1], [1, 0], [2, 5], [3, 1]])
    fit = fit_logistic(x, [0, 0, 1, 1], solver=solver)
    assert fit.separation.kind == "complete"


# ---- the teaching solver --------------------------------------------------------------------------


def test_gradient_ascent_is_the_blackboards():
    x, y = np.array([[1.0, 2.0], [2.0, 1.0], [3.0, 5.0], [4.0, 1.0]]), np.array([0, 1, 0, 1])
    fit = fit_logistic(x, y, l2=0.5, solver="gradient", step=0.1, max_iterations=3)
    w, b = np.zeros(2), 0.0
    for step in fit.steps:
        assert step.theta.tolist() == pytest.approx([*w, b])
        assert step.step == 0.1
        away = y - 1 / (1 + np.exp(-(x @ w + b)))
        w, b = w + 0.1 * (away @ x - 0.5 * w), b + 0.1 * away.sum()
    np.testing.assert_allclose(fit.coef[1], w)
    assert fit.intercept[1] == pytest.approx(b)
    assert not fit.is_converged


def test_gradient_ascent_with_a_line_search_gets_there():
    x, y = noisy()
    fit = fit_logistic(x, y, solver="gradient", max_iterations=20_000, tolerance=1e-9)
    assert fit.is_converged
    assert fit.is_proven
    climb = [step.objective for step in fit.steps]
    assert climb == sorted(climb)
    np.testing.assert_allclose(fit.coef, fit_logistic(x, y).coef, atol=1e-5)
    np.testing.assert_allclose(fit.standard_errors, fit_logistic(x, y).standard_errors, rtol=1e-4)


def test_a_step_that_is_too_long_is_not_a_crash():
    x, y = noisy()
    fit = fit_logistic(x * 1e3, y, solver="gradient", step=1e6, max_iterations=20)
    assert not fit.is_converged


# ---- figures, storage, errors ---------------------------------------------------------------------


def test_the_covariance_is_the_inverse_of_the_blackboards_hessian():
    x, y = noisy(n_classes=3)
    fit = fit_logistic(x, y)
    others, q, small = fit.others, x.shape[1] + 1, 1e-5
    columns = []
    for k in others:
        for j in range(q):
            coef, bias = fit.coef.copy(), fit.intercept.copy()
            parts = []
            for sign in (1, -1):
                c, b = coef.copy(), bias.copy()
                if j < q - 1:
                    c[k, j] += sign * small
                else:
                    b[k] += sign * small
                by_coef, by_bias = oracle.gradient(x, y, np.ones(len(x)), c, b)
                parts.append(np.column_stack([by_coef, by_bias])[others].ravel())
            columns.append((parts[1] - parts[0]) / (2 * small))
    np.testing.assert_allclose(fit.covariance, np.linalg.inv(np.array(columns)), rtol=1e-5, atol=1e-7)


def test_a_fit_survives_json():
    for y in ([0, 1, 0, 1], [0, 0, 1, 1]):
        fit = fit_logistic([[0.0], [1.0], [2.0], [3.0]], y)
        other = LogisticFit.from_dict(json.loads(json.dumps(fit.to_dict())))
        assert other.to_dict().keys() == fit.to_dict().keys()
        np.testing.assert_array_equal(other.coef, fit.coef)
        np.testing.assert_array_equal(other.covariance, fit.covariance)
        assert (other.separation is None) == (fit.separation is None)
    with pytest.raises(ValueError, match="'reference' of a logistic fit is absent"):
        LogisticFit.from_dict({"a": 1})


def test_progress_is_heard():
    heard = []
    fit_logistic(*noisy(), progress=heard.append)
    assert heard[-1] == 1.0
    assert heard == sorted(heard)


X, Y = [[0.0], [1.0], [2.0], [3.0]], [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("given", "options", "text"),
    [
        ((X, [0, 0, 0, 0]), {}, "No row is of class 1"),
        ((X, [0, 2, 0, 2]), {}, "No row is of class 1"),
        ((X, Y, [0, 0, 0, 0]), {}, "No row is of class 0"),
        ((X, Y, [1, -1, 1, 1]), {}, "none below 0"),
        ((X, Y, [1, 1]), {}, "one finite number per row"),
        ((X, [0.0, 1.0, 0.0, 1.0]), {}, "class codes"),
        ((X, [0, 1]), {}, "for 4 rows"),
        (([[np.nan], [1], [2], [3]], Y), {}, "row 0, column 0"),
        (([1.0, 2.0], [0, 1]), {}, "two dimensions"),
        ((X, Y), {"l2": -1.0}, "l2=-1.0"),
        ((X, Y), {"l2": math.inf}, "l2=inf"),
        ((X, Y), {"solver": "magic"}, "'newton', 'lbfgs', 'gradient'"),
        ((X, Y), {"step": 0.1}, "for solver='gradient'"),
        ((X, Y), {"step": 0.0, "solver": "gradient"}, "above 0"),
        ((X, Y), {"tolerance": 0}, "above 0"),
        ((X, Y), {"max_iterations": 0}, "whole number"),
        ((X, Y), {"reference": 2}, "from 0 to 1"),
    ],
)
def test_what_cannot_be_fitted_is_said(given, options, text):
    with pytest.raises(ValueError, match=text):
        fit_logistic(*given, **options)
