"""The widest margin: the lecture's plane, bounds that hold, and libsvm beside it."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.svm import SVC

from tests.amount import at_most
from treewright.linear.kernels import PolynomialKernel, Radial, kernel_of
from treewright.linear.margin import Margin, NoMargin, max_margin

LECTURE = np.array([[1.0, 5.0], [1.0, 3.0], [3.0, 4.0], [3.0, 2.0]])
SIDES = np.array([0, 0, 1, 1])


def cloud(seed, n, d, gap=0.1):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, d))
    score = x @ rng.normal(size=d)
    kept = np.abs(score) > gap
    return x[kept] + 3, score[kept] > 0


def check(x, y, found):
    """Check that plane and multipliers prove each other."""
    side = np.where(np.asarray(y) > 0, 1.0, -1.0)
    reach = side * (x @ found.coef + found.intercept)
    assert reach.min() == pytest.approx(1, rel=1e-6)
    lower, upper = found.bounds
    assert lower <= upper * (1 + 1e-12)
    assert found.margin == pytest.approx(1 / np.linalg.norm(found.coef), rel=1e-9)
    assert (found.multipliers > 0).all()
    signed = found.multipliers * side[found.support]
    assert signed.sum() == pytest.approx(0, abs=1e-9 * np.abs(signed).sum())
    np.testing.assert_allclose(
        signed @ x[found.support], found.coef, rtol=1e-5, atol=1e-7 * np.abs(found.coef).max()
    )
    np.testing.assert_allclose(reach[found.support], 1, rtol=1e-5)
    primal = found.coef @ found.coef / 2
    w = signed @ x[found.support]
    dual = found.multipliers.sum() - w @ w / 2
    assert found.gap >= 0
    assert found.gap <= 1e-6 * primal
    assert primal - dual == pytest.approx(0, abs=1e-6 * primal)


# ---- the lecture ------------------------------------------------------------------------------------


def test_the_plane_is_x1_equals_2_with_margin_1():
    found = max_margin(LECTURE, SIDES)
    np.testing.assert_allclose(found.coef, [1, 0], atol=1e-12)
    assert found.intercept == pytest.approx(-2)
    assert found.bounds == pytest.approx((1, 1), rel=1e-12)


@pytest.mark.parametrize("k", [1e-100, 0.01, 3.0, 1e100])
def test_scaling_the_points_scales_the_plane(k):
    found = max_margin(LECTURE * k, SIDES)
    assert found.margin == pytest.approx(k, rel=1e-12)
    np.testing.assert_allclose(found.coef * k, [1, 0], atol=1e-12)
    assert found.intercept == pytest.approx(-2)


def test_a_hard_margin_that_does_not_exist_is_told_with_the_certificate():
    found = max_margin([[0, 0], [1, 1], [0, 1], [1, 0]], [0, 0, 1, 1])
    assert isinstance(found, NoMargin)
    assert found.separation.verdict == "overlap"
    np.testing.assert_array_equal(found.certificate.weights, [0.5] * 4)


# ---- bounds and peers -------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "n", "d"), [(0, 30, 2), (1, 100, 5), (2, 500, 20), (3, 40, 100), (4, 2, 1)])
def test_it_is_what_libsvm_finds_with_a_large_c(seed, n, d):
    x, y = cloud(seed, n, d) if n > 2 else (np.array([[1.0], [3.0]]), np.array([False, True]))
    found = max_margin(x, y)
    check(x, y, found)
    theirs = SVC(kernel="linear", C=1e8, tol=1e-7).fit(x, y)
    np.testing.assert_allclose(found.coef, theirs.coef_[0], rtol=1e-3, atol=1e-3 * np.abs(found.coef).max())
    assert found.intercept == pytest.approx(theirs.intercept_[0], rel=1e-3, abs=1e-3)
    # Their plane keeps every row a little less: ours is not narrower.
    side = np.where(y, 1, -1)
    their_margin = (side * theirs.decision_function(x)).min() / np.linalg.norm(theirs.coef_)
    assert their_margin <= found.bounds[1] * (1 + 1e-12)
    assert found.margin >= their_margin * (1 - 1e-9)


def by_hand(x, y):
    """Return the widest margin in the plane: between two points, or between a point and a side."""
    positive, negative = x[y], x[~y]
    best = 0.0
    directions = [p - q for p in positive for q in negative]
    for group in (positive, negative):
        directions += [(b - a)[::-1] * [1, -1] for a, b in combinations(group, 2)]
    for w in directions:
        if np.abs(w).max() > 0:
            for v in (w, -w):
                best = max(best, ((positive @ v).min() - (negative @ v).max()) / np.linalg.norm(v) / 2)
    return best


@settings(max_examples=at_most(30, 80), deadline=None)
@given(arrays(np.float64, (6, 2), elements=st.integers(-5, 5).map(float)), arrays(np.bool_, 6))
def test_margins_in_the_plane_are_those_of_all_directions(x, y):
    assume(0 < y.sum() < 6)
    found, wanted = max_margin(x, y), by_hand(x, y)
    if wanted == 0:
        assert isinstance(found, NoMargin)
    else:
        assert found.bounds[0] == pytest.approx(wanted, rel=1e-9)
        assert found.bounds[1] == pytest.approx(wanted, rel=1e-9)


def test_a_margin_through_the_origin():
    # The lecture's four points of the perceptron: gamma = 0.68599.
    found = max_margin([[4, 3], [1, 3], [-2, 0], [2, 2]], [1, -1, -1, 1], bias=False)
    assert found.margin == pytest.approx(0.685994, abs=1e-6)
    assert found.intercept == 0.0
    np.testing.assert_allclose(found.coef, [1.25, -0.75])


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-9, 1e-12])
def test_bounds_hold_where_the_gap_is_tiny(gap):
    x = np.array([[0.0, 0.0], [1.0, 0.0], [0.3, gap], [0.7, 3 * gap]])
    found = max_margin(x, [0, 0, 1, 1])
    assert found.bounds[0] <= gap / 2 <= found.bounds[1]
    assert found.bounds[0] == pytest.approx(gap / 2, rel=1e-3)


def test_a_margin_below_the_digits_of_floats_has_the_plane_that_was_proven():
    x = np.array([[1e-300, -0.1], [0.0, 7.0], [1 / 3, 1.0], [-1.7e308, 7.0]])
    found = max_margin(x, [0, 1, 1, 0])
    assert found.bounds[0] == 0 < found.bounds[1]
    assert found.gap == np.inf
    np.testing.assert_array_equal(found.coef, found.separation.coef)


@pytest.mark.parametrize("offset", [1e3, 1e6, 1e9])
def test_rows_far_from_the_origin(offset):
    found = max_margin(LECTURE + offset, SIDES)
    assert found.margin == pytest.approx(1, rel=1e-12)
    np.testing.assert_allclose(found.coef, [1, 0], atol=1e-9)


# ---- kernels ----------------------------------------------------------------------------------------


def ring(n=200):
    x = np.random.default_rng(0).normal(size=(n, 2))
    return x, (x**2).sum(axis=1) > 1


@pytest.mark.parametrize(
    ("kernel", "theirs"),
    [
        (Radial(1.0), {"kernel": "rbf", "gamma": 1.0}),
        (PolynomialKernel(2, 0.5, 1.0), {"kernel": "poly", "degree": 2, "gamma": 0.5, "coef0": 1.0}),
    ],
)
def test_kernels_agree_with_libsvm(kernel, theirs):
    x, y = ring()
    found = max_margin(x, y, kernel)
    model = SVC(C=1e10, tol=1e-8, **theirs).fit(x, y)
    np.testing.assert_array_equal(found.support, np.sort(model.support_))
    assert found.multipliers.sum() == pytest.approx(np.abs(model.dual_coef_).sum(), rel=1e-3)
    assert found.intercept == pytest.approx(model.intercept_[0], rel=1e-3)
    assert found.bounds[0] == pytest.approx(found.bounds[1], rel=1e-6)
    assert 0 <= found.gap <= 1e-6 * found.multipliers.sum()


def test_the_polynomial_kernel_is_the_map_written_out():
    x, y = ring(60)
    r = np.sqrt(2)
    a, b = x.T
    mapped = np.column_stack([a * a, b * b, r * a * b, r * a, r * b])
    by_kernel, by_map = max_margin(x, y, PolynomialKernel(2)), max_margin(mapped, y)
    assert by_kernel.margin == pytest.approx(by_map.margin, rel=1e-9)
    np.testing.assert_array_equal(by_kernel.support, by_map.support)


def test_one_row_in_both_classes_has_no_margin_in_any_space():
    x, y = ring(50)
    found = max_margin(np.vstack([x, x[:1]]), np.append(y, ~y[0]), Radial(3.0))
    assert isinstance(found, NoMargin)
    assert found.separation.verdict == "meet"
    assert found.certificate.proof == "exact"
    assert found.certificate.exact_weights == {0: 1, 50: 1}
    np.testing.assert_array_equal(found.certificate.point, x[0])


def test_rows_that_a_kernel_cannot_tell_apart_are_undecided():
    found = max_margin([[0.0], [1e-12]], [0, 1], Radial(3.0))
    assert found.separation.verdict == "undecided"
    assert found.certificate.proof == "bounded"
    assert found.certificate.error < 1e-5


def test_many_support_rows_of_a_kernel():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(150, 20)), rng.random(150) < 0.5
    found = max_margin(x, y, Radial(1 / 20))
    model = SVC(C=1e10, tol=1e-8, gamma=1 / 20).fit(x, y)
    assert found.multipliers.sum() == pytest.approx(np.abs(model.dual_coef_).sum(), rel=1e-5)
    assert found.bounds[0] == pytest.approx(found.bounds[1], rel=1e-6)


def test_rows_of_a_line_that_only_rounding_bends_have_next_to_no_margin():
    rng, n_margins = np.random.default_rng(3), 0
    for n in range(5, 65):
        line = rng.normal(size=(n % 15 + 5, 1))
        x, y = np.sort(line, axis=0) * rng.normal(size=(1, 4)), np.arange(len(line)) % 2  # classes take turns
        found = max_margin(x, y, bias=False)
        if isinstance(found, Margin):
            n_margins += 1
            assert found.bounds[1] < 1e-6
    assert n_margins > 5


@pytest.mark.parametrize("kernel", ["radial", "polynomial"])
def test_cells_whose_squares_are_no_floats_have_no_gamma(kernel):
    with pytest.raises(ValueError, match="scale the columns"):
        kernel_of(kernel, np.array([[1e300], [-1e300]]), None, 3, 1.0)
    assert kernel_of(kernel, np.array([[1e-300], [-1e-300]]), None, 3, 1.0).gamma == 1.0


def test_kernels_refuse_what_they_cannot_do(monkeypatch):
    with pytest.raises(ValueError, match=r"gamma=0\.0 must be a number above 0"):
        Radial(0.0)
    with pytest.raises(ValueError, match=r"degree=2\.5 must be a whole number"):
        PolynomialKernel(2.5)
    with pytest.raises(ValueError, match="constant=-1 must be"):
        PolynomialKernel(2, 1.0, -1)
    with pytest.raises(ValueError, match="larger than any float"):
        max_margin([[1e200], [-1e200]], [0, 1], PolynomialKernel(9))
    monkeypatch.setattr("treewright.linear.margin.LARGEST_GRAM", 3)
    with pytest.raises(ValueError, match="all products of 4 rows; 3 is the most"):
        max_margin(LECTURE, SIDES, Radial(1.0))
    assert kernel_of("linear", LECTURE, None, 3, 1.0) is None
    assert kernel_of("polynomial", np.zeros((3, 1)), None, 3, 1.0) == PolynomialKernel(3, 1.0, 1.0)


def test_every_margin_says_what_it_is():
    assert isinstance(max_margin(LECTURE, SIDES), Margin)
    assert max_margin(LECTURE, SIDES).separation.is_separable
