"""A plane, or a point in both hulls: every answer is put in again, in fractions; and by elimination."""

import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.amount import at_most
from tests.oracle import planes
from treewright.linear import separation as module
from treewright.linear.exact import nearest_float
from treewright.linear.proof import Separation
from treewright.linear.separation import separate

CORNERS = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def check(x, y, found, bias=True):
    """Put the answer in, in fractions."""
    x = [[Fraction(float(value)) for value in row] for row in np.asarray(x)]
    sides = [bool(side > 0) for side in y]
    if found.verdict in ("separable", "touch"):
        check_plane(x, sides, found)
    if found.verdict != "separable":
        check_certificate(x, sides, found.certificate, bias)


def scores(x, plane, bias):
    return [
        sum((w * value for w, value in zip(plane, row, strict=False)), plane[-1] if bias else Fraction(0))
        for row in x
    ]


def check_plane(x, sides, found):
    right = [
        s if side else -s for s, side in zip(scores(x, found.exact_plane, found.has_bias), sides, strict=True)
    ]
    if found.verdict == "touch":
        assert all(s >= 0 for s in right)
        assert any(s > 0 for s in right)
    elif found.is_strict:
        assert all(s > 0 for s in right)
    else:
        assert all(s >= 0 if side else s > 0 for s, side in zip(right, sides, strict=True))
    floats = [*map(Fraction, found.coef.tolist()), *([Fraction(found.intercept)] if found.has_bias else [])]
    if not found.is_rounded and found.verdict == "separable":
        assert floats == list(found.exact_plane)


def check_certificate(x, sides, certificate, bias):
    assert certificate.proof == "exact"
    assert certificate.error == 0.0
    weights = certificate.exact_weights
    assert all(weight > 0 for weight in weights.values())
    points = []
    for side in (True, False):
        of_side = {row: weight for row, weight in weights.items() if sides[row] == side}
        if bias or not side:
            assert sum(of_side.values()) == 1
        parts = [[weight * value for value in x[row]] for row, weight in of_side.items()]
        points.append([sum(column, Fraction(0)) for column in zip(*parts, strict=True)] if parts else
                      [Fraction(0)] * len(x[0]))  # fmt: skip
    assert points[0] == points[1] == list(certificate.exact_point)
    plain = dict.fromkeys(range(len(x)), 0.0) | {row: nearest_float(w) for row, w in weights.items()}
    assert certificate.weights.tolist() == list(plain.values())


def check_interior(x, y, interior):
    """Weights of 1 and more on all rows that balance: an inner point."""
    signed = np.column_stack([x, np.ones(len(x))]) * np.where(np.asarray(y) > 0, 1.0, -1.0)[:, None]
    total = [Fraction(0)] * signed.shape[1]
    for i, row in enumerate(signed):
        weight = 1 + interior.get(i, Fraction(0))
        total = [t + weight * Fraction(float(value)) for t, value in zip(total, row, strict=True)]
    assert not any(total)
    assert all(weight >= 0 for weight in interior.values())


# ---- the lecture ------------------------------------------------------------------------------------


def test_and_and_or_have_planes():
    both, either = separate(CORNERS, [0, 0, 0, 1]), separate(CORNERS, [0, 1, 1, 1])
    np.testing.assert_array_equal(both.coef, [2, 2])  # twice the lecture's (-3/2, 1, 1)
    assert both.intercept == -3
    np.testing.assert_array_equal(either.coef, [2, 2])  # twice (-1/2, 1, 1)
    assert either.intercept == -1


def test_xor_meets_in_the_middle():
    found = separate(CORNERS, [0, 1, 1, 0])
    assert found.verdict == "overlap"
    half = Fraction(1, 2)
    assert found.certificate.exact_weights == {0: half, 1: half, 2: half, 3: half}
    assert found.certificate.exact_point == (half, half)


def test_xor_is_separable_after_the_map():
    mapped = np.column_stack([CORNERS, (CORNERS[:, 0] - CORNERS[:, 1]) ** 2])
    found = separate(mapped, [0, 1, 1, 0])
    assert found.is_separable
    check(mapped, [0, 1, 1, 0], found)


def test_the_lectures_form_lets_positive_rows_lie_on_the_plane():
    x, y = [[1, 0], [-1, 0], [0, -1]], [1, 1, 0]
    found = separate(x, y, bias=False)
    assert (found.verdict, found.is_strict) == ("separable", False)
    check(x, y, found, bias=False)
    assert separate(x, y).is_strict
    assert separate([[1, 0], [-1, 0], [0, -1]], [0, 0, 1], bias=False).verdict == "touch"


# ---- against elimination ----------------------------------------------------------------------------

small = st.integers(-2, 2).map(float)
nasty = st.sampled_from(
    [0.1, 0.2, 0.3, 0.1 + 0.2, 0.4, 1 / 3, 2 / 3, 1.0, np.nextafter(1, 2), -0.1, 1e-300, 0.0, 1e300]
)


@st.composite
def tables(draw, cells):
    n, d = draw(st.integers(2, 7)), draw(st.integers(1, 3))
    x = draw(arrays(np.float64, (n, d), elements=cells))
    y = draw(arrays(np.bool_, n))
    assume(0 < y.sum() < n)
    return x, y


@settings(max_examples=at_most(40, 100), deadline=None)
@given(tables(small), st.booleans())
def test_small_tables_are_judged_as_by_elimination(table, bias):
    x, y = table
    found = separate(x, y, bias)
    assert found.verdict == planes.verdict(x.tolist(), y.tolist(), bias)
    check(x, y, found, bias)
    if found.verdict == "overlap" and bias:
        check_interior(x, y, found.interior)


@settings(max_examples=at_most(40, 100), deadline=None)
@given(tables(nasty), st.booleans())
def test_tables_with_hardly_a_gap_are_judged_as_by_elimination(table, bias):
    x, y = table
    found = separate(x, y, bias)
    assert found.verdict == planes.verdict(x.tolist(), y.tolist(), bias)
    check(x, y, found, bias)


@settings(max_examples=30, deadline=None)
@given(tables(small), st.integers(0, 2**31))
def test_the_order_of_rows_does_not_matter(table, seed):
    x, y = table
    order = np.random.default_rng(seed).permutation(len(x))
    one, other = separate(x, y), separate(x[order], y[order])
    assert one.verdict == other.verdict
    assert one.exact_plane == other.exact_plane
    if one.certificate is not None:
        assert one.certificate.exact_point == other.certificate.exact_point


@settings(max_examples=30, deadline=None)
@given(tables(small), st.integers(-900, 900), st.integers(-900, 900))
def test_powers_of_two_change_nothing(table, first, second):
    x, y = table
    scaled = x.copy()
    scaled[:, 0] = np.ldexp(x[:, 0], first)
    scaled[:, -1] = np.ldexp(scaled[:, -1], second) if x.shape[1] > 1 else scaled[:, -1]
    found = separate(scaled, y)
    assert separate(x, y).verdict == found.verdict
    check(scaled, y, found)


# ---- many tables, all exact -------------------------------------------------------------------------


def made(seed, is_separable):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(20, 300)), int(rng.integers(1, 12))
    x = rng.normal(size=(n, d)) * 10 ** rng.uniform(-3, 3, size=d) + rng.normal(size=d)
    w = rng.normal(size=d) / x.std(axis=0)
    score = x @ w - np.median(x @ w)
    if is_separable:
        return x, score > 0
    y = score > 0
    inside = np.linalg.norm((x - x.mean(axis=0)) / x.std(axis=0), axis=1).argsort()[: d + 3]
    y[inside] = ~y[inside]
    assume_both = 0 < y.sum() < n
    return (x, y) if assume_both else made(seed + 10_000, is_separable)


@pytest.mark.parametrize("seed", range(100))
def test_separable_sets_get_a_plane_that_is_right_in_fractions(seed):
    x, y = made(seed, is_separable=True)
    assume_both = 0 < y.sum() < len(y)
    assert assume_both
    found = separate(x, y)
    assert found.is_separable
    assert not found.is_rounded
    check(x, y, found)


@pytest.mark.parametrize("seed", range(100))
def test_inseparable_sets_get_weights_that_are_right_in_fractions(seed):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(60, 300)), int(rng.integers(1, 9))
    x = rng.normal(size=(n, d)) * 10 ** rng.uniform(-3, 3, size=d) + rng.normal(size=d)
    y = rng.integers(0, 2, n)
    found = separate(x, y)
    assert found.verdict == "overlap"
    check(x, y, found)
    check_interior(x, y, found.interior)


# ---- beyond fractions -------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [60, 120])
def test_many_columns_are_proven_within_a_bound(columns):
    rng = np.random.default_rng(columns)
    x, y = rng.normal(size=(20 * columns, columns)), rng.integers(0, 2, 20 * columns)
    found = separate(x, y)
    certificate = found.certificate
    assert (found.verdict, certificate.proof) == ("overlap", "enclosed")
    assert 0 < certificate.error < certificate.weights[certificate.weights > 0].min()
    assert_meets(x, y, certificate, 1e-9)


def assert_meets(x, y, certificate, within):
    positive, negative = certificate.weights * (y > 0), certificate.weights * (y <= 0)
    np.testing.assert_allclose([positive.sum(), negative.sum()], 1, rtol=1e-12)
    np.testing.assert_allclose(positive @ x, negative @ x, atol=within)


def test_enclosed_weights_are_those_of_fractions(monkeypatch):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(200, 6)), rng.integers(0, 2, 200)
    exact = separate(x, y).certificate
    monkeypatch.setattr(module, "EXACT_FIRST", 0)
    monkeypatch.setattr(module, "LARGEST_WORK", 0)
    rounded = separate(x, y).certificate
    assert rounded.proof == "enclosed"
    np.testing.assert_allclose(rounded.weights, exact.weights, rtol=0, atol=rounded.error)


def test_where_nothing_can_be_proven_it_says_so(monkeypatch):
    # Few rows make a system without a unique solution: no enclosure; and fractions are not allowed here.
    monkeypatch.setattr(module, "EXACT_FIRST", 0)
    monkeypatch.setattr(module, "LARGEST_WORK", 0)
    found = separate([[0.0, 0.0], [1.0, 1.0], [0.5, 0.5], [2.0, 0.0]], [0, 0, 1, 1])
    assert (found.verdict, found.proof, found.is_separable) == ("undecided", "bounded", False)
    assert 0 < found.certificate.error < 1e-12
    assert "undecided" in str(found)
    assert separate([[0.0, 0.0], [0.0, 1.0], [0.5, 0.5], [1.0, 0.5]], [0, 1, 0, 1]).verdict == "separable"


def test_hulls_that_meet_somewhere(monkeypatch):
    # The point of XOR is proven by a bound; whether it lies inside is one more question, with no answer here.
    monkeypatch.setattr(module, "EXACT_FIRST", 0)
    monkeypatch.setattr(module, "LARGEST_WORK", 0)
    found = separate(CORNERS, [0, 1, 1, 0])
    assert (found.verdict, found.proof, found.is_separable) == ("meet", "enclosed", False)


def test_a_bound_says_how_far_hulls_are_apart_at_most():
    # Two points that differ by one unit in the last place: no margin beyond half of that.
    found = separate([[1.0], [np.nextafter(1, 2)]], [0, 1])
    assert found.is_separable
    assert not found.is_rounded


# ---- odd tables -------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", [np.zeros((4, 0)), np.zeros((4, 3)), np.ones((4, 2)), np.full((4, 1), 0.1)])
def test_columns_without_any_news_do_not_separate(x):
    found = separate(x, [0, 1, 0, 1])
    assert found.verdict == "overlap"
    check(x, [0, 1, 0, 1], found)


def test_a_row_in_both_classes_is_proof_enough_for_any_number_of_columns():
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(50, 200)), rng.integers(0, 2, 50)
    x[7] = x[30]
    y[[7, 30]] = [0, 1]
    found = separate(x, y)
    assert found.certificate.exact_weights == {7: 1, 30: 1}
    assert found.verdict == "meet"  # inside or at the rim: too much to ask with so many columns
    check(x, y, found)


def test_few_rows_of_many_columns_are_told_in_fractions():
    rng = np.random.default_rng(1)
    x = rng.integers(0, 50, size=(6, 200)).astype(float)
    x[4] = (x[0] + x[1] + x[2] + x[3]) / 4
    found = separate(x, [0, 0, 0, 0, 1, 1])
    assert found.certificate.exact_weights == {**dict.fromkeys(range(4), Fraction(1, 4)), 4: 1}
    check(x, [0, 0, 0, 0, 1, 1], found)


def test_the_same_row_in_both_classes():
    x = np.array([[0.0, 0.0], [1.0, 2.0], [1.0, 2.0], [3.0, 3.0]])
    found = separate(x, [0, 0, 1, 1])
    assert found.verdict == "touch"
    assert found.certificate.exact_weights == {1: 1, 2: 1}
    check(x, [0, 0, 1, 1], found)


@pytest.mark.parametrize("scale", [1e-300, 1e-200, 1e-5, 1e5, 1e200, 1e300])
def test_any_scale(scale):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(60, 3))
    y = x @ [1.0, -2.0, 0.5] > 0.1
    assert separate(x * scale, y).is_separable
    mixed = x * [scale, 1.0, 1 / scale]
    found = separate(mixed, y)
    assert found.is_separable
    check(mixed, y, found)
    assert separate(x * scale, rng.permutation(y)).verdict == "overlap"


def test_the_largest_and_the_smallest_numbers():
    most, least = np.finfo(float).max, 5e-324
    for x in (
        [[most], [-most]],
        [[least], [0.0]],
        [[most], [least]],
        [[-most], [-least]],
        [[most, 0], [0, most]],
    ):
        found = separate(x, [0, 1])
        assert found.is_separable
        check(x, [0, 1], found)
    assert separate([[most], [-most], [most / 2]], [0, 0, 1]).verdict == "overlap"


def test_a_plane_that_no_floats_describe_is_told_in_fractions():
    # Neighbours far from the origin, in a direction that is no axis.
    rng = np.random.default_rng(3)
    base = rng.normal(size=3) * 1e8
    x = np.vstack(
        [base, np.nextafter(base, np.inf), np.nextafter(base, np.inf) * [1, 1, 0] + base * [0, 0, 1]]
    )
    for y in ([0, 1, 1], [0, 1, 0], [1, 0, 0], [0, 0, 1]):
        found = separate(x, y)
        assert found.is_separable
        check(x, y, found)


def test_weights_beyond_the_largest_float():
    found = separate([[1e-300], [1e300]], [1, 0], bias=False)
    assert found.certificate.weights.tolist() == [np.inf, 1.0]
    check([[1e-300], [1e300]], [1, 0], found, bias=False)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ([[1.0], [2.0]], [1, 1], "All 2 rows are of one class"),
        ([[1.0], [np.nan]], [0, 1], r"x\[1, 0\] is nan"),
        ([[np.inf], [1.0]], [0, 1], r"x\[0, 0\] is inf"),
        ([[1.0], [2.0]], [1, 2], "truth values, 1 and 0, or 1 and -1"),
        ([[1.0], [2.0]], ["a", "b"], "truth values, 1 and 0, or 1 and -1"),
        ([[1.0], [2.0]], [0, 1, 1], "one class a row"),
        ([1.0, 2.0], [0, 1], "give a matrix"),
        (np.zeros((0, 2)), np.zeros(0), "one class"),
    ],
)
def test_bad_input_is_refused_in_words(x, y, words):
    with pytest.raises(ValueError, match=words):
        separate(x, y)


def test_an_answer_goes_to_plain_values_and_back():
    for y in ([0, 0, 0, 1], [0, 1, 1, 0], [0, 0, 1, 1]):
        found = separate([[0.0, 0], [0, 1], [1, 0], [1, 1]], y)
        again = Separation.from_dict(found.to_dict())
        assert again.to_dict() == found.to_dict()
        assert again.exact_plane == found.exact_plane


def test_thousands_of_columns_take_no_square_of_them_in_memory():
    x = np.random.default_rng(1).normal(size=(10, 2_000))
    y = np.arange(10) % 2
    separate(x[:, :3], y)  # what is loaded on first use is not counted
    tracemalloc.start()
    found = separate(x, y)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.is_separable
    assert peak < 2_000 * 2_000 * 8
