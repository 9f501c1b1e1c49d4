"""Numbers as people read them: the formatter of the whole house."""

import math
import re

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

import treewright as tw
from treewright.base.numbers import count, number, percent, shortened


@given(st.floats(min_value=-1e15, max_value=1e15, exclude_min=True, exclude_max=True), st.integers(3, 6))
def test_no_power_of_ten_below_1e15_and_close_to_the_number(x, digits):
    assume(x == 0 or abs(x) >= 1e-6)
    text = number(x, digits)
    assert "e" not in text
    assert re.fullmatch(r"-?\d{1,3}(,\d{3})*(\.\d+)?", text), text
    assert math.isclose(float(text.replace(",", "")), x, rel_tol=0.51 * 10 ** (1 - digits), abs_tol=1e-12)


@given(st.floats(0, 1), st.integers(0, 2))
def test_shares_are_0_or_100_per_cent_only_where_they_are(share, decimals):
    text = percent(share, decimals)
    if share not in (0.0, 1.0):
        assert text.removesuffix(" %").rstrip("0").rstrip(".") not in ("", "100") or text[0] in "<>"
    assert text.endswith(" %")


def test_thousands():
    assert [count(n) for n in (0, 999, 1000, 1234567)] == ["0", "999", "1,000", "1,234,567"]


@given(st.floats(-1e9, 1e9), st.floats(-1e9, 1e9))
def test_a_shortened_cut_separates_the_same_neighbours(a, b):
    low, high = min(a, b), max(a, b)
    assume(low < high)
    cut = low + (high - low) / 2
    assume(low <= cut < high)
    shown = shortened(cut, low, high)
    assert low <= shown < high
    assert len(repr(shown)) <= len(repr(cut)) + 2


def test_trees_show_short_cuts_and_keep_their_own():
    rng = np.random.default_rng(0)
    data = {"x": rng.normal(size=200), "z": (rng.random(200) * 1000).round(2), "y": list("ab") * 100}
    tree = tw.grow(data, "y", max_depth=5)
    shown = dict(tree.about["short_cuts"])
    assert shown
    columns = {name: np.asarray(data[name]) for name in ("x", "z")}
    for node in np.flatnonzero(tree.kind == 1):
        values = columns[tree.schema.names[tree.column[node]]]
        cut = float(tree.cut[node])
        word = shown.get(cut, cut)
        assert ((values <= word) == (values <= cut)).all()
        assert f"<= {word:g}"[:4] == f"<= {word}"[:4]
    assert all(len(repr(word)) < len(repr(cut)) for cut, word in shown.items())
    again = tw.Tree.from_dict(tree.to_dict())
    assert again.to_text() == tree.to_text()
    assert again == tree
    assert str(tree.rules()).count("e-") == 0


def test_rows_are_whole_unless_parts_are_asked_for():
    table = tw.example("vote")
    tree = tw.grow(table, "Class", "c4.5")
    assert not re.search(r"\d\.\d+ (rows|errors)|weight", tree.to_text())
    assert "weight" in tree.to_text(full=True)
    assert not re.search(r"\d\.\d+ rows|missing \(\d", str(tree.rules()))
    assert re.search(r"missing \(\d", tree.rules().to_text(full=True))


def test_classes_that_are_numbers_stand_apart_from_their_share():
    tree = tw.grow({"x": [1, 1, 1, 2, 2], "y": ["1", "1", "0", "0", "0"]}, "y")
    assert "1 (67 %)" in tree.to_text()
