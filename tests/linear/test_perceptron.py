"""The learning rule: the lecture's trace, a plain loop beside it, and the bound on mistakes."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.amount import at_most
from treewright.linear import perceptron as module
from treewright.linear.perceptron import PerceptronFit, fit_perceptron

POINTS, Y = np.array([[4.0, 3.0], [1.0, 3.0], [-2.0, 0.0], [2.0, 2.0]]), np.array([1, -1, -1, 1])
CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def plain(x, y, start, max_passes, order=None):
    """Return the weights after each mistake, the mistakes of each pass, and the mean of all weights."""
    w, trace, by_pass, seen = np.array(start, dtype=float), [], [], []
    for _ in range(max_passes):
        mistakes = 0
        for i in range(len(x)) if order is None else order:
            guess = 1 if sum(a * b for a, b in zip(w, x[i], strict=True)) >= 0 else -1
            if guess != y[i]:
                w = w + y[i] * x[i]
                trace.append((i, tuple(w)))
                mistakes += 1
            seen.append(w)
        by_pass.append(mistakes)
        if mistakes == 0:
            break
    return w, trace, by_pass, np.mean(seen, axis=0)


# ---- the lecture ------------------------------------------------------------------------------------


def test_the_lectures_trace():
    fit = fit_perceptron(POINTS, Y, start=[1, 1], bias=False)
    assert [(u.n_pass, u.row, u.score, u.weights) for u in fit.trace] == [
        (1, 1, 4.0, (0.0, -2.0)),
        (1, 2, 0.0, (2.0, -2.0)),  # Threshold(0) = +1: a mistake for a negative row
    ]
    assert fit.mistakes_by_pass == (2, 0)
    assert (fit.is_converged, fit.is_consistent, fit.is_strict) == (
        True,
        True,
        False,
    )  # (2, 2) lies on the plane


def test_the_bound_is_novikoffs_and_not_the_slides():
    fit = fit_perceptron(POINTS, Y, bias=False)
    assert fit.mistakes == 5
    assert fit.radius == 5
    assert fit.margin == pytest.approx(0.68599, abs=1e-5)
    assert fit.bound == pytest.approx(53.125)
    small = fit_perceptron(POINTS * 0.01, Y, bias=False)
    assert small.mistakes == 5 > small.radius**2 / small.margin  # the slide's R^2/gamma would be 0.36
    assert small.bound == pytest.approx(53.125)


def test_another_start_adds_to_the_bound():
    fit = fit_perceptron(POINTS, Y, start=[1, 1], bias=False)
    assert fit.bound == pytest.approx(53.125 + 2 * np.sqrt(2) / fit.margin)


# ---- against the plain loop -------------------------------------------------------------------------

whole = st.integers(-3, 3).map(float)


@settings(max_examples=at_most(30, 80), deadline=None)
@given(
    st.integers(1, 3).flatmap(lambda d: arrays(np.float64, (9, d), elements=whole)),
    arrays(np.bool_, 9),
    st.booleans(),
    st.integers(1, 12),
    st.sampled_from([1, 2, 256]),
    st.data(),
)
def test_it_is_the_plain_loop(x, sides, bias, max_passes, block, data):
    assume(0 < sides.sum() < 9)
    y = np.where(sides, 1, -1)
    start = data.draw(arrays(np.float64, x.shape[1] + bias, elements=whole))
    order = data.draw(st.none() | st.permutations(range(9)))
    matrix = np.column_stack([x, np.ones(9)]) if bias else x
    w, trace, by_pass, mean = plain(matrix, y, start, max_passes, order)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "BLOCK", block)
        fit = fit_perceptron(x, y, start, bias, order, max_passes)
        averaged = fit_perceptron(x, y, start, bias, order, max_passes, "averaged")
        pocket = fit_perceptron(x, y, start, bias, order, max_passes, "pocket")
    np.testing.assert_array_equal(fit.weights, w)
    assert [(u.row, u.weights) for u in fit.trace] == trace
    assert list(fit.mistakes_by_pass) == by_pass
    np.testing.assert_allclose(averaged.weights, mean)
    right = [((matrix @ v >= 0) == sides).sum() for v in (pocket.weights, w, start)]
    assert right[0] >= max(right)
    assert fit.is_consistent == (right[1] == 9)
    if fit.bound is not None:
        assert fit.mistakes <= fit.bound


@pytest.mark.parametrize("seed", range(10))
def test_the_bound_holds_on_separable_tables(seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(150, 4))
    score = x @ rng.normal(size=4) + 0.3
    kept = np.abs(score) > 0.3
    for start in (None, rng.normal(size=5) * 10):
        order = rng.permutation(int(kept.sum()))
        fit = fit_perceptron(x[kept], score[kept] > 0, start=start, order=order)
        assert fit.is_converged
        assert fit.is_strict
        assert 0 < fit.mistakes <= fit.bound


# ---- order, cap, variants ---------------------------------------------------------------------------


def test_an_order_of_its_own_for_each_pass():
    orders = {1: [3, 2, 1, 0], 2: [0, 1, 2, 3], 3: [2, 3, 0, 1]}
    fit = fit_perceptron(
        POINTS, Y, bias=False, order=lambda n_pass: orders.get(n_pass, [1, 0, 3, 2]), max_passes=3
    )
    w, rows = np.zeros(2), []
    for n_pass in range(1, fit.n_passes + 1):
        for row in orders[n_pass]:
            if (w @ POINTS[row] >= 0) != (Y[row] > 0):
                w = w + Y[row] * POINTS[row]
                rows.append((n_pass, row))
    assert [(update.n_pass, update.row) for update in fit.trace] == rows


def test_xor_cycles_until_the_cap_and_is_certified_when_asked():
    fit = fit_perceptron(CORNERS, [0, 1, 1, 0], max_passes=30)
    assert (fit.is_converged, fit.n_passes, fit.bound, fit.separation) == (False, 30, None, None)
    asked = fit_perceptron(CORNERS, [0, 1, 1, 0], max_passes=30, certify=True)
    assert asked.separation.verdict == "overlap"
    np.testing.assert_array_equal(asked.separation.certificate.point, [0.5, 0.5])


def test_a_cap_that_is_too_low_still_knows_the_bound_when_asked():
    fit = fit_perceptron(POINTS, Y, bias=False, max_passes=1, certify=True)
    assert not fit.is_converged
    assert fit.bound == pytest.approx(53.125)
    assert fit.separation.is_separable


def test_the_pocket_keeps_the_best_of_all_weights_there_were():
    rng = np.random.default_rng(4)
    x, y = rng.integers(-3, 4, size=(40, 2)), rng.integers(0, 2, 40)
    fit = fit_perceptron(x, y, max_passes=10, variant="pocket")
    matrix = np.column_stack([x, np.ones(40)])
    right = [((matrix @ update.weights >= 0) == y).sum() for update in fit.trace]
    assert ((matrix @ fit.weights >= 0) == y).sum() == max(right) > right[-1]


def test_the_pocket_of_many_rows_looks_at_weights_that_last(monkeypatch):
    monkeypatch.setattr(module, "POCKET_EVERY", 0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 3))
    y = x @ [1, 2, 3] + rng.normal(size=300) > 0
    fits = [fit_perceptron(x, y, max_passes=20, variant=variant) for variant in ("pocket", "last")]
    right = [((np.column_stack([x, np.ones(300)]) @ fit.weights >= 0) == y).sum() for fit in fits]
    assert right[0] > right[1]


def test_a_trace_can_be_short():
    assert len(fit_perceptron(CORNERS, [0, 1, 1, 0], max_passes=30, max_trace=3).trace) == 3


def test_a_fit_goes_to_plain_values_and_back():
    for fit in (fit_perceptron(POINTS, Y), fit_perceptron(CORNERS, [0, 1, 1, 0], max_passes=3, certify=True)):
        assert PerceptronFit.from_dict(fit.to_dict()).to_dict() == fit.to_dict()


@pytest.mark.parametrize(
    ("settings_of", "words"),
    [
        ({"start": [1.0]}, r"start must be 2 finite numbers or 3 \(the bias last\)"),
        ({"start": [1.0, np.nan]}, "start must be 2 finite numbers"),
        ({"start": [1.0, 2.0, 3.0], "bias": False}, "start must be 2 finite numbers, one for each"),
        ({"order": [0, 1, 1, 2]}, "order must name each of the 4 rows once"),
        ({"order": "shuffled"}, "order must name each of the 4 rows once, from 0 to 3; found 'shuffled'"),
        ({"max_passes": 0}, "max_passes=0 must be a whole number from 1 on"),
        ({"variant": "best"}, "variant='best' must be 'last', 'pocket' or 'averaged'"),
    ],
)
def test_bad_settings_are_refused_in_words(settings_of, words):
    with pytest.raises(ValueError, match=words):
        fit_perceptron(POINTS, Y, **settings_of)


def test_weights_that_leave_the_floats_are_refused():
    x, start = [[1e308, 1.7e308], [0.0, 1.0]], [1.7e308, -1.7e308]
    with pytest.raises(ValueError, match="left the range of floats"):
        fit_perceptron(x, [1, 0], start=start, bias=False, max_passes=1)


def test_huge_and_tiny_rows():
    for scale in (1e-200, 1e150):
        fit = fit_perceptron(POINTS * scale, Y, bias=False)
        assert fit.mistakes == 5
        assert fit.bound == pytest.approx(53.125)


def test_the_running_bound_comes_down_to_the_bound_and_is_never_below_it():
    """After each update: R^2/gamma^2 from the widest margin that any weights so far have had."""
    points, y = [[4, 3], [1, 3], [-2, 0], [2, 2]], [1, -1, -1, 1]
    for start in (None, [1, 1]):
        fit = fit_perceptron(points, y, start=start, bias=False)
        assert len(fit.running_bounds) == len(fit.trace) == fit.mistakes
        widest = 0.0
        side, x = np.array(y), np.array(points, dtype=float)
        for update, bound in zip(fit.trace, fit.running_bounds, strict=True):
            w = np.array(update.weights)
            widest = max(widest, (side * (x @ w)).min() / np.linalg.norm(w)) if w.any() else widest
            if widest <= 0:
                assert bound is None
                continue
            length = 0.0 if start is None else np.sqrt(2)
            assert bound == pytest.approx(25 / widest**2 + 2 * length / widest)
            assert bound >= fit.bound - 1e-9
        assert PerceptronFit.from_dict(fit.to_dict()).running_bounds == fit.running_bounds
    older = fit.to_dict()
    del older["running_bounds"]
    assert PerceptronFit.from_dict(older).running_bounds == ()
