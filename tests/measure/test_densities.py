"""Densities: closed forms against integration, integration against known areas, refusals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treewright import measure
from treewright.measure import Gaussian

means, sds = st.floats(-3, 3), st.floats(0.3, 3)


@settings(max_examples=25, deadline=None)
@given(means, sds, means, sds)
def test_closed_forms_are_the_integrals(m1, s1, m2, s2):
    p, q = Gaussian(m1, s1), Gaussian(m2, s2)
    ends = {"low": m1 - 12 * s1, "high": m1 + 12 * s1}

    def slow(x):  # the same densities, as functions nothing is known of
        return p.density(x)

    assert measure.density_entropy(slow, **ends) == pytest.approx(measure.density_entropy(p), abs=1e-8)
    crossed = measure.density_cross_entropy(p, q)
    assert measure.density_cross_entropy(slow, q, **ends) == pytest.approx(crossed, rel=1e-8, abs=1e-8)
    apart = measure.density_kl_divergence(p, q)
    assert apart == pytest.approx(crossed - measure.density_entropy(p), abs=1e-9)
    assert apart >= 0
    assert measure.density_kl_divergence(p, p) == 0


def test_what_is_no_density_is_refused():
    with pytest.raises(ValueError, match="of its area from 0 to 2; a density has 1"):
        measure.density_entropy(lambda x: np.ones(len(x)), low=0, high=2)
    with pytest.raises(TypeError, match="needs its ends"):
        measure.density_entropy(lambda x: x)
    with pytest.raises(ValueError, match="0 or more"):
        measure.density_entropy(lambda x: -x, low=0, high=1)
    with pytest.raises(ValueError, match="two finite ends"):
        measure.density_entropy(Gaussian(0, 1), low=1, high=math.inf)
    with pytest.raises(ValueError, match="sd above 0"):
        Gaussian(0, 0)
    flat = measure.density_cross_entropy(
        lambda x: np.full(len(x), 0.5), lambda x: np.where(x < 1, 1.0, 0.0), low=0, high=2
    )
    assert flat == math.inf


def test_one_value_and_both_columns():
    x, y = list("aabbbc"), list("ynynny")
    parts = [measure.specific_conditional_entropy(x, y, value) for value in "abc"]
    whole = sum(n / 6 * part for n, part in zip((2, 3, 1), parts, strict=True))
    assert whole == pytest.approx(measure.conditional_entropy(x, y))
    assert measure.joint_entropy(x, y) == pytest.approx(
        measure.entropy([a + b for a, b in zip(x, y, strict=True)])
    )
    gain = measure.mutual_information(x, y)
    assert gain == pytest.approx(measure.entropy(x) + measure.entropy(y) - measure.joint_entropy(x, y))
    with pytest.raises(ValueError, match="value='z' is not among the cells of x: a, b, c"):
        measure.specific_conditional_entropy(x, y, "z")
    heavy = measure.specific_conditional_entropy(x, y, "a", weights=[3, 1, 1, 1, 1, 1])
    assert heavy == pytest.approx(measure.entropy([3, 1]))
