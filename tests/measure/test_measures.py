"""The measures against their definitions, other libraries and each other."""

import math

import numpy as np
import pytest
import scipy.stats
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.metrics import mutual_info_score

from tests.oracle import measures as twin
from treewright import measure

counts = st.lists(st.integers(0, 20), min_size=1, max_size=6).filter(any)
weights = st.sampled_from([0.0, 0.25, 1.0, 1.0, 2.0, 7.5])
rows = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from(["no", "yes", "maybe"]), weights),
    min_size=1,
    max_size=25,
).filter(lambda found: any(weight for _, _, weight in found))


def columns(found):
    x, y, w = zip(*found, strict=True)
    return list(x), list(y), list(w)


def table_of(found):
    x, y, w = columns(found)
    table = np.zeros((4, 3))
    for a, b, weight in zip(x, y, w, strict=True):
        table["abcd".index(a), ["no", "yes", "maybe"].index(b)] += weight
    return table


@given(counts)
def test_impurities_are_what_their_definitions_say(n):
    p = [x / sum(n) for x in n]
    for name, plainly in twin.IMPURITIES.items():
        ours = getattr(measure, name)
        assert ours(n) == pytest.approx(plainly(p), abs=1e-12)
        assert ours(p, given="probabilities") == pytest.approx(ours(n), abs=1e-12)
        labels = [i for i, x in enumerate(n) for _ in range(x)]
        assert ours(labels, given="labels") == pytest.approx(ours(n), abs=1e-12)


@given(counts, st.sampled_from([2, math.e, 10, 3.7]))
def test_entropy_agrees_with_scipy_in_any_base(n, base):
    assert measure.entropy(n, base=base) == pytest.approx(scipy.stats.entropy(n, base=base), abs=1e-12)
    assert measure.entropy(n, base=base) == pytest.approx(measure.entropy(n) * math.log(2, base), abs=1e-12)


@given(rows)
def test_two_columns_are_what_the_definitions_say(found):
    x, y, w = columns(found)
    given_ways = [((x, y), {"weights": w}), ((table_of(found),), {})]
    for arguments, options in given_ways:
        gain = measure.information_gain(*arguments, **options)
        assert gain == pytest.approx(twin.decrease(found, "entropy"), abs=1e-12)
        assert gain == pytest.approx(twin.mutual_information(found), abs=1e-12)
        assert measure.gini_decrease(*arguments, **options) == pytest.approx(
            twin.decrease(found, "gini"), abs=1e-12
        )
        assert measure.error_decrease(*arguments, **options) == pytest.approx(
            twin.decrease(found, "error"), abs=1e-12
        )
        assert measure.conditional_entropy(*arguments, **options) == pytest.approx(
            twin.within(found, "entropy"), abs=1e-12
        )
        assert measure.chi_square(*arguments, **options).statistic == pytest.approx(
            twin.chi_square(found), abs=1e-9
        )
        split = twin.entropy(list(twin.shares(x, w).values()))
        assert measure.split_information(*arguments, **options) == pytest.approx(split, abs=1e-12)
        ratio = measure.gain_ratio(*arguments, **options)
        assert ratio == pytest.approx(gain / split if split else 0.0, abs=1e-9)
        assert gain >= 0
        assert 0 <= ratio <= 1


@given(rows)
def test_gain_is_the_divergence_of_the_joint_from_the_product(found):
    x, y, w = columns(found)
    table = table_of(found)
    product = np.outer(table.sum(1), table.sum(0))
    gain = measure.mutual_information(x, y, weights=w)
    assert gain == pytest.approx(measure.kl_divergence(table.ravel(), product.ravel()), abs=1e-12)
    assert gain == pytest.approx(measure.mutual_information(y, x, weights=w), abs=1e-12)
    h = measure.entropy(y, weights=w)
    assert gain == pytest.approx(h - measure.conditional_entropy(x, y, weights=w), abs=1e-12)
    both = measure.entropy(x, weights=w) + h
    uncertainty = measure.symmetrical_uncertainty(x, y, weights=w)
    assert uncertainty == pytest.approx(2 * gain / both if both else 0.0, abs=1e-9)


@given(rows)
def test_mutual_information_agrees_with_scikit_learn(found):
    x, y, _ = columns(found)
    assert measure.mutual_information(x, y, base=math.e) == pytest.approx(mutual_info_score(x, y), abs=1e-12)


@given(rows)
def test_chi_square_agrees_with_scipy(found):
    table = table_of(found)
    table = table[table.any(1)][:, table.any(0)]
    assume(min(table.shape) > 1)
    ours, theirs = measure.chi_square(table), scipy.stats.chi2_contingency(table, correction=False)
    assert ours.statistic == pytest.approx(theirs.statistic, abs=1e-9)
    assert ours.degrees == theirs.dof
    assert ours.p_value == pytest.approx(theirs.pvalue, abs=1e-10)


@given(
    st.integers(1, 6).flatmap(lambda k: st.tuples(*[st.lists(st.integers(0, 9), min_size=k, max_size=k)] * 2))
)
def test_divergence_is_not_negative_and_agrees_with_scipy(pair):
    p, q = pair
    assume(any(p) and any(q))
    ours = measure.kl_divergence(p, q)
    assert ours >= 0
    assert ours == pytest.approx(scipy.stats.entropy(p, q, base=2), abs=1e-12)
    assert measure.cross_entropy(p, q) == pytest.approx(measure.entropy(p) + ours, abs=1e-12)
    if any(a and not b for a, b in zip(p, q, strict=True)):
        assert ours == measure.cross_entropy(p, q) == math.inf
    assert measure.kl_divergence(p, p) == 0


@given(
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(-9, 9), weights), min_size=1, max_size=20).filter(
        lambda found: any(weight for _, _, weight in found)
    )
)
def test_variance_and_its_reduction_are_numpys(found):
    x, y, w = (list(part) for part in zip(*found, strict=True))
    y_, w_ = np.array(y, float), np.array(w)
    mean = np.average(y_, weights=w_)
    whole = np.average((y_ - mean) ** 2, weights=w_)
    assert measure.variance(y, weights=w) == pytest.approx(whole, abs=1e-12)
    left = 0.0
    for label in set(x):
        part = np.array([a == label for a in x]) & (w_ > 0)
        if part.any():
            inner = np.average(y_[part], weights=w_[part])
            left += w_[part].sum() * np.average((y_[part] - inner) ** 2, weights=w_[part])
    assert measure.variance_reduction(x, y, weights=w) == pytest.approx(whole - left / w_.sum(), abs=1e-9)


@settings(max_examples=30)
@given(st.lists(rows, min_size=1, max_size=4))
def test_many_tables_at_once_are_each_of_them(several):
    tables = np.stack([table_of(found) for found in several])
    for name in (
        "conditional_entropy",
        "information_gain",
        "split_information",
        "gain_ratio",
        "symmetrical_uncertainty",
        "gini_decrease",
        "error_decrease",
    ):
        ours = getattr(measure, name)
        together = ours(tables)
        assert together.shape == (len(several),)
        assert together.tolist() == [ours(table) for table in tables]
        assert ours(tables[None, :, None]).shape == (1, len(several), 1)
    together = measure.chi_square(tables)
    assert together.statistic.tolist() == [measure.chi_square(table).statistic for table in tables]
    assert together.degrees.tolist() == [measure.chi_square(table).degrees for table in tables]


def test_distributions_lie_along_any_axis():
    n = np.array([[9, 5], [2, 2], [4, 0]])
    each = [measure.entropy(row) for row in n]
    assert measure.entropy(n).tolist() == measure.entropy(n.T, axis=0).tolist() == each
    assert measure.gini(n[None]).shape == (1, 3)
    assert measure.error(n).tolist() == [5 / 14, 0.5, 0.0]
    assert measure.kl_divergence(n[[0, 1]], [1, 1]).shape == (2,)
    assert isinstance(measure.entropy([1, 1]), float)


def test_whole_powers_are_exact():
    assert measure.entropy([1, 1, 1, 1]) == 2.0
    assert measure.entropy([4, 0]) == 0.0
    assert math.copysign(1, measure.entropy([4, 0])) == 1.0
    assert measure.information_gain([[1, 1], [1, 1]]) == 0.0


def test_numbers_far_apart_keep_their_digits():
    assert measure.variance([1e9, 1e9 + 1]) == 0.25
    assert measure.gini([1e-9, 1]) == pytest.approx(2e-9, rel=1e-6)
    assert measure.entropy([1e308, 1]) == pytest.approx(0, abs=1e-300)


def test_columns_of_a_million_labels_need_no_table_of_a_billion():
    n = 200_000
    ids = np.arange(n)
    assert measure.information_gain(ids, ids[::-1]) == pytest.approx(math.log2(n))
    found = measure.chi_square(ids, ids % 2)
    assert (found.statistic, found.degrees) == (pytest.approx(n), n - 1)
