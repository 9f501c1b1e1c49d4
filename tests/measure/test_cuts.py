"""Cuts of numeric columns against the slow twin, the lectures and Weka 3.6.14."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.amount import at_most
from tests.oracle import cuts as twin
from treewright import measure
from treewright.measure.discretiser import WAYS

numbers = st.integers(-8, 8).map(lambda i: i / 4)
rows = st.lists(st.tuples(numbers, st.sampled_from("abc")), min_size=1, max_size=40)


@st.composite
def clustered(draw):
    """Rows whose classes follow the value, so that cuts are accepted."""
    found = []
    for i in range(draw(st.integers(1, 4))):
        n, label = draw(st.integers(1, 25)), draw(st.sampled_from("abcd"))
        odd = draw(st.integers(0, 2))
        found += [(i * 10 + j % 7, label) for j in range(n)] + [(i * 10 + j, "z") for j in range(odd)]
    return found


def split(found):
    return [value for value, _ in found], [label for _, label in found]


@given(rows | clustered())
def test_gains_of_all_cuts_are_those_of_the_twin(found):
    x, y = split(found)
    ours = measure.cut_gains(x, y)
    assert ours.cuts.tolist() == twin.cuts_of(found)
    assert ours.gains == pytest.approx([twin.gain(found, cut) for cut in ours.cuts], abs=1e-11)


@settings(max_examples=at_most(60, 150))
@given(rows | clustered(), st.sampled_from(["rows", "cuts"]))
def test_fayyad_and_irani_is_what_the_twin_finds(found, encoding):
    x, y = split(found)
    wanted = twin.recursive(found, lambda part, cut: twin.mdlp_accepts(part, cut, encoding == "cuts"))
    assert measure.mdlp_cuts(x, y, encoding=encoding).tolist() == wanted


@settings(max_examples=at_most(60, 150))
@given(rows | clustered())
def test_kononenko_is_what_the_twin_finds(found):
    x, y = split(found)
    assert measure.kononenko_cuts(x, y).tolist() == twin.recursive(found, twin.kononenko_accepts)


@given(rows)
def test_boundaries_hold_the_best_cut(found):
    x, y = split(found)
    ours = measure.boundary_cuts(x, y)
    assert ours.tolist() == twin.boundaries(found)
    gains = measure.cut_gains(x, y)
    if len(set(y)) > 1 and len(gains.cuts):
        best = [g for cut, g in zip(*gains, strict=True) if cut in ours]
        assert max(best) == pytest.approx(gains.gains.max(), abs=1e-11)


@given(st.lists(numbers, min_size=1, max_size=30), st.integers(2, 6))
def test_equal_frequency_is_what_the_twin_finds(values, bins):
    ours = measure.equal_frequency_cuts(values, bins)
    assert ours.tolist() == twin.equal_frequency(values, bins)
    assert len(ours) < bins


@given(st.lists(numbers, min_size=1, max_size=30), st.integers(2, 6))
def test_equal_width_is_what_numpy_gives(values, bins):
    ours = measure.equal_width_cuts(values, bins)
    if min(values) == max(values):
        assert len(ours) == 0
    else:
        assert ours == pytest.approx(np.linspace(min(values), max(values), bins + 1)[1:-1])


@pytest.mark.parametrize("name", [name for name in WAYS if name != "by_hand"])
@given(found=rows | clustered(), data=st.data())
@settings(max_examples=at_most(15, 40))
def test_cuts_do_not_depend_on_the_order_of_rows_nor_on_weights_for_copies(name, found, data):
    way = measure.Discretiser.of(name)
    x, y = split(found)
    cuts = way.cuts("x", x, y).tolist()
    order = data.draw(st.permutations(range(len(x))))
    assert way.cuts("x", [x[i] for i in order], [y[i] for i in order]).tolist() == cuts
    copies = data.draw(st.lists(st.integers(0, 3), min_size=len(x), max_size=len(x)).filter(any))
    long_x, long_y = np.repeat(x, copies), np.repeat(y, copies)
    if name != "equal_width":
        by_weight = way.cuts("x", x, y, copies).tolist()
        assert by_weight == way.cuts("x", long_x, long_y).tolist()
    with_gaps = way.cuts("x", [*x, None, math.nan], [*y, "a", "q"]).tolist()
    assert with_gaps == cuts
    inside = measure.intervals(x, cuts)
    assert len(set(inside)) == len(cuts) + 1 or name == "equal_width"  # no interval is empty


@given(st.lists(numbers, max_size=20), st.sets(numbers, max_size=4).map(sorted))
def test_intervals_and_their_names(values, edges):
    names, codes = measure.interval_names(edges), measure.intervals(values, edges)
    assert len(names) == len(set(names)) == len(edges) + 1
    for value, code in zip(values, codes, strict=True):
        assert all(value > edge for edge in edges[:code])
        assert all(value <= edge for edge in edges[code:])
    assert measure.intervals([-math.inf, math.inf, None], edges).tolist() == [0, len(edges), -1]


def test_equal_widths_read_well_and_keep_their_digits():
    assert measure.equal_width_cuts([0.1, 2.5], 3).tolist() == [0.9, 1.7]
    assert measure.equal_width_cuts([0, 1e-300], 2).tolist() == [5e-301]
    assert measure.equal_width_cuts([0, 3e300], 3) == pytest.approx([1e300, 2e300])
    close = [1e9, 1e9 + 1e-5]
    assert close[0] <= measure.equal_width_cuts(close, 2)[0] < close[1]
    denormal = [0.0, 5e-324]
    assert measure.equal_width_cuts(denormal, 4).tolist() == [0.0]


# ---- golden --------------------------------------------------------------------------------------------


LECTURE = [40, 48, 60, 70, 80, 90], ["No", "No", "Yes", "Yes", "Yes", "No"]


def test_the_temperature_of_the_lecture():
    """Semantics 3.9."""
    found = measure.cut_gains(*LECTURE)
    assert found.cuts.tolist() == [44, 54, 65, 75, 85]
    assert found.gains == pytest.approx([0.190875, 0.459148, 0.081704, 0.000000, 0.190875], abs=5e-7)
    assert measure.boundary_cuts(*LECTURE).tolist() == [54, 85]
    assert measure.mdlp_needed([2, 0], [1, 3]) == pytest.approx(0.791973, abs=5e-7)
    assert measure.mdlp_cuts(*LECTURE).tolist() == []


# ---- extremes ------------------------------------------------------------------------------------------


def test_neighbours_that_have_no_middle_are_parted_all_the_same():
    low, high = 1.0, float(np.nextafter(1.0, 2.0))
    for cuts in (
        measure.mdlp_cuts([low] * 9 + [high] * 9, list("a" * 9 + "b" * 9)),
        measure.equal_frequency_cuts([low, high], 2),
    ):
        assert cuts.tolist() == [low]
        assert measure.intervals([low, high], cuts).tolist() == [0, 1]


def test_the_largest_numbers_there_are():
    x = [-1.7e308, -1.7e308, 1.7e308, 1.7e308]
    assert measure.equal_width_cuts(x, 2) == pytest.approx([0], abs=1e300)
    assert measure.boundary_cuts(x, list("aabb")).tolist() == [0]


def test_nothing_to_cut():
    for cuts in (
        measure.mdlp_cuts([3.0], ["a"]),
        measure.mdlp_cuts([None, None], ["a", "b"]),
        measure.kononenko_cuts([5, 5, 5], ["a", "b", "a"]),
        measure.boundary_cuts([math.nan], ["a"]),
        measure.equal_width_cuts([7, 7]),
        measure.equal_width_cuts([None]),
        measure.equal_frequency_cuts([7]),
        measure.equal_frequency_cuts([]),
        measure.cut_gains([1.0], ["a"]).gains,
    ):
        assert cuts.tolist() == []


def test_minus_zero_is_zero():
    assert measure.boundary_cuts([-0.0, 0.0, 1.0], ["a", "b", "b"]).tolist() == [0.5]


def test_many_rows_and_many_classes():
    n, k = 200_000, 5_000
    x = np.arange(n, dtype=float)
    y = np.where(x < n / 2, 0, 1 + np.arange(n) % k)
    found = measure.cut_gains(x, y)
    assert found.cuts[np.argmax(found.gains)] == n / 2 - 0.5
    assert found.gains.max() == pytest.approx(1.0)


def test_weights_far_below_one_count_for_little():
    x, y = [1, 2, 3, 4, 5, 6, 7, 8], list("aaaabbbb")
    assert measure.mdlp_cuts(x, y, weights=[1.0] * 8).tolist() == [4.5]
    assert measure.mdlp_cuts(x, y, weights=[1e-3] * 8).tolist() == []


WRONG = {
    "text": (lambda: measure.equal_width_cuts(["a"]), TypeError, "x must be numbers"),
    "infinity": (lambda: measure.mdlp_cuts([1, math.inf], ["a", "b"]), ValueError, "x is inf in row 1"),
    "two dimensions": (lambda: measure.intervals([[1]], []), ValueError, "one dimension"),
    "lengths": (lambda: measure.mdlp_cuts([1, 2], ["a"]), ValueError, "x has 2 rows and y has 1"),
    "gap in y": (lambda: measure.mdlp_cuts([1, 2], ["a", None]), ValueError, "y is missing in 1 of 2 rows"),
    "encoding": (lambda: measure.mdlp_cuts([1], ["a"], encoding="row"), ValueError, "did you mean 'rows'"),
    "bins": (lambda: measure.equal_width_cuts([1], 1), ValueError, "bins=1 must be at least 2"),
    "many bins": (lambda: measure.equal_width_cuts([1], 10**9), ValueError, "at most 1000000"),
    "half a bin": (lambda: measure.equal_width_cuts([1], 2.5), TypeError, "whole number"),
    "falling edges": (lambda: measure.interval_names([2, 1]), ValueError, "must rise"),
    "endless edges": (lambda: measure.interval_names([math.inf]), ValueError, "outer intervals are open"),
    "text edges": (lambda: measure.interval_names(["a"]), TypeError, "list of numbers"),
    "sides": (lambda: measure.mdlp_needed([1, 2], [1]), ValueError, "same classes"),
    "no sides": (lambda: measure.mdlp_needed([0, 0], [0, 0]), ValueError, "add up to 0"),
    "name": (lambda: measure.Discretiser.of("mdpl"), ValueError, "did you mean 'mdlp'"),
    "object": (lambda: measure.Discretiser.of(3), TypeError, "must be a name"),
    "option": (lambda: measure.Discretiser.by_name("mdlp", bins=3), ValueError, "has no option 'bins'"),
    "option of none": (lambda: measure.Discretiser.by_name("none", bins=3), ValueError, "has no options"),
    "edges": (lambda: measure.Discretiser.by_name("by_hand", edges=3), TypeError, "edges=3 must be a list"),
    "edges of 3": (
        lambda: measure.Discretiser.by_name("by_hand", edges={3: [1]}),
        TypeError,
        "named by text",
    ),
    "edges of three": (
        lambda: measure.Discretiser.by_name("by_hand", edges=[[1, 2, 3]]),
        TypeError,
        "edges holds",
    ),
    "edges by name": (
        lambda: measure.Discretiser.by_name("by_hand", edges={"age": [2, 1]}),
        ValueError,
        r"edges\['age'\] must rise",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_cut_is_refused_in_words(name):
    call, kind, words = WRONG[name]
    with pytest.raises(kind, match=words):
        call()


@pytest.mark.parametrize(
    "given_way",
    [*WAYS, {"name": "equal_width", "bins": 3}, {"name": "by_hand", "edges": {"a": [1, 2], "b": []}}],
)
def test_a_way_is_stored_and_read_again(given_way):
    way = measure.Discretiser.of(given_way)
    assert measure.Discretiser.of(way.to_plain()) == measure.Discretiser.of(way) == way


def test_edges_by_hand_are_for_the_columns_they_name():
    way = measure.Discretiser.by_name("by_hand", edges={"age": [18, 65]})
    assert way.cuts("age", [1.0]).tolist() == [18, 65]
    assert way.cuts("size", [1.0]) is None
    assert measure.Discretiser.by_name("by_hand", edges=[1]).cuts("size", [1.0]).tolist() == [1]
    assert measure.Discretiser.by_name("by_hand", edges={}).cuts("size", [1.0]) is None
    assert measure.Discretiser.by_name("by_hand", edges={"age": []}).cuts("age", [1.0]).tolist() == []
