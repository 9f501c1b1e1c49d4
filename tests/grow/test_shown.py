"""The values on both sides of cuts, against their definition."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import _core

NUMBERS = st.sampled_from((0.0, -0.0, 1.0, 1.5, -3.25, 0.1, 1e-300, 1e300, -1e300, np.inf, -np.inf, np.nan))


def neighbours(values, cut):
    wide = values.astype(np.float64)
    below, above = wide[wide <= cut], wide[wide > cut]
    return (below.max() if len(below) else -np.inf), (above.min() if len(above) else np.inf)


def as_column(values):
    return _core.Column.of_numbers(values, 0)


@given(
    rows=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=1, max_size=40),
    cuts=st.tuples(*[st.lists(NUMBERS.filter(np.isfinite), max_size=4)] * 2),
    dtype=st.sampled_from((np.float32, np.float64)),
    times=st.sampled_from((1, 9, 40)),  # up to 1,600 rows: less than a block, and several
    order=st.sampled_from("CF"),
)
def test_neighbours_are_the_values_next_to_a_cut(rows, cuts, dtype, times, order):
    with np.errstate(over="ignore", under="ignore"):
        table = np.asarray(np.tile(np.array(rows), (times, 1)).astype(dtype), order=order)
    columns = [table[:, 0], table[::-1, 1]]  # steps apart, and backwards
    found = _core.neighbours(
        [as_column(column) for column in columns], [np.array(each, float) for each in cuts]
    )
    for column, own, (below, above) in zip(columns, cuts, found, strict=True):
        expected = [neighbours(column, cut) for cut in own]
        assert list(zip(below.tolist(), above.tolist(), strict=True)) == expected


def test_what_has_no_neighbours_is_refused():
    numbers = as_column(np.zeros(3))
    codes = _core.Column.of_codes(np.zeros(3, dtype=np.int32), 1, "cut", 0)
    with pytest.raises(ValueError, match="only numbers"):
        _core.neighbours([codes], [np.zeros(1)])
    with pytest.raises(ValueError, match="differ in length"):
        _core.neighbours([numbers, as_column(np.zeros(2))], [np.zeros(1)] * 2)
    with pytest.raises(ValueError, match="as many columns"):
        _core.neighbours([numbers], [])
