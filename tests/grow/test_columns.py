"""Ranks: the place of each value among the distinct ones, the same as NumPy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from treewright import _core


def check(values: np.ndarray) -> None:
    """Compare with np.unique, gaps aside."""
    codes, distinct = _core.rank_values(values)
    known = ~np.isnan(values)
    wanted, inverse = np.unique(values[known], return_inverse=True)
    np.testing.assert_array_equal(distinct, wanted)
    np.testing.assert_array_equal(codes[known], inverse)
    assert (codes[~known] == -1).all()


@given(arrays(np.float64, st.integers(0, 40), elements=st.floats(allow_nan=True, allow_infinity=True)))
def test_any_numbers(values: np.ndarray) -> None:
    check(values)


@pytest.mark.parametrize("kind", ["normal", "float32", "integers", "few", "extremes", "one"])
def test_many_numbers(kind: str) -> None:
    rng = np.random.default_rng(3)
    n = 5000
    values = {
        "normal": rng.normal(size=n),
        "float32": rng.normal(size=n).astype(np.float32).astype(np.float64),
        "integers": rng.integers(-300, 300, n).astype(float),
        "few": rng.choice([-0.0, 0.0, 1.5, -1.5], n),
        "extremes": rng.choice([-np.inf, np.inf, 1e308, -1e308, 5e-324, -5e-324, 0.0], n),
        "one": np.full(n, 7.25),
    }[kind]
    check(values)
    values[rng.random(n) < 0.2] = np.nan
    check(values)


def test_no_silent_conversion() -> None:
    with pytest.raises(TypeError):
        _core.rank_values(np.arange(3))  # type: ignore[arg-type]
