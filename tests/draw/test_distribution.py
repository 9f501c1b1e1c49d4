"""The rows at every test, counted one by one; and how they are drawn."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.draw.looking import faults
from treewright.draw.classes import OTHERS, top_classes
from treewright.draw.distribution import Distributions, bins

SETTINGS = {
    "iris": {"recipe": "c4.5"},
    "abalone": {"max_depth": 4},
    "soybean": {"recipe": "c4.5"},
    "tennis": {"recipe": "id3"},
    "cu_summary": {},
    "stagec": {"recipe": "cart"},
}


def grown(name):
    table = tables.table(name)
    return table, tw.grow(table, target=tables.target(name), **SETTINGS[name])


@pytest.mark.parametrize("name", ["iris", "abalone", "tennis", "stagec"])
def test_each_bin_counts_the_rows_of_its_branch(name):
    table, tree = grown(name)
    found = Distributions(tree, table)
    for node in np.flatnonzero(~tree.leaf_mask).tolist():
        here = found.at(node)
        assert here.totals.sum() + here.gaps == pytest.approx(float(tree.weights[node]))
        if here.gaps == 0:
            children = tree.children(node)
            sides = [here.totals[here.branch == b].sum() for b in range(len(children))]
            assert sides == pytest.approx([float(tree.weights[child]) for child in children])


def test_classes_and_means_are_those_of_the_rows():
    table, tree = grown("iris")
    here = Distributions(tree, table).at(0)
    assert here.weights.sum(axis=0).tolist() == [50, 50, 50, 0]
    table, tree = grown("abalone")
    here = Distributions(tree, table).at(0)
    assert (here.weights[:, 0] * here.weights[:, 1]).sum() == pytest.approx(table.column("Rings")[1].sum())


numbers = st.floats(-1e300, 1e300)


@given(st.lists(numbers, min_size=1, max_size=30), numbers)
def test_bins_hold_every_value_and_have_the_cut_as_an_edge(values, cut):
    values = np.array(values)
    edges, place = bins(values, cut)
    if not len(edges):
        return
    assert len(edges) <= 40
    assert ((place >= 0) & (place < len(edges) - 1)).all()
    n_left = int((edges[:-1] < cut).sum())
    assert ((place < n_left) == (values <= cut)).all()


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30))
def test_the_top_classes_and_the_others_are_all(weights):
    found = top_classes(np.array(weights))
    assert sum(weight for _, weight in found) == pytest.approx(sum(weights), abs=1e-9)
    assert len(found) <= 8
    assert [code for code, _ in found if code != OTHERS] == sorted(
        code for code, _ in found if code != OTHERS
    )


@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("direction", ["down", "right", "outline"])
def test_pictures_with_distributions_have_no_faults(name, direction):
    table, tree = grown(name)
    assert faults(tree.plot(distributions=table, direction=direction)) == []
    assert faults(tree.plot(None, table, distributions=table, direction=direction, width=500)) == []


def test_the_path_of_a_row_is_drawn_and_its_nodes_are_opened_first():
    table, tree = grown("soybean")
    picture = tree.plot(None, table, row=5)
    passed = picture.words.path.shares
    shown = {item.node for item in picture.items if item.how in ("open", "leaf")}
    assert set(passed) <= shown
    assert faults(picture) == []
    assert set(passed) == set(map(int, tree.path_to(int(tree.leaves(table.take([5]))[0]))))
    assert "path of the row" in [text.words for text in picture.texts]


def test_a_row_with_a_gap_has_several_paths():
    table = tw.Table.from_dict({"x": [1, 2, 3, None], "y": list("abbb")})
    tree = tw.grow(table, target="y", missing="fractional", max_depth=1)
    found = tree.plot(row={"x": None}).words.path
    assert sorted(found.shares) == [0, 1, 2]
    assert found.shares[1] + found.shares[2] == pytest.approx(1)
    assert found.values == {0: "missing"}


def test_a_row_that_lacks_a_column_is_refused():
    _, tree = grown("tennis")
    with pytest.raises(ValueError, match="has no 'Outlook'"):
        tree.plot(row={"Wind": "Weak"})


def test_names_are_whole_where_there_is_room():
    long = "late delivery of more than fourteen days"
    column = "Department of Energy and Climate"
    table = tw.Table.from_dict({column: [f"{column} {i % 2}" for i in range(8)], "y": ["in time", long] * 4})
    tree = tw.grow(table, target="y")
    words = " ".join(text.words for text in tree.plot().texts)
    assert long in words
    assert "…" not in words
    assert faults(tree.plot()) == []
    narrow = tree.plot(width=260)  # names go on in the next line
    assert faults(narrow) == []
    assert "…" not in " ".join(text.words for text in narrow.texts)


def test_characters_without_an_outline_are_explained():
    table = tw.Table.from_dict({"\u571f": [1, 2, 3, 4], "y": ["\U0001f333", "a"] * 2})
    words = " ".join(text.words for text in tw.grow(table, target="y").plot().texts)
    assert "digits in a box: a character by its Unicode number, where no font has it" in words
    plain = tw.grow(tw.example("tennis"), target="PlayTennis").plot()
    assert not any("in a box" in text.words for text in plain.texts)


def test_the_second_line_says_how_good_the_tree_is():
    table, tree = grown("iris")
    line = " ".join(text.words for text in tree.plot(None, table, width=2000).texts[1:4])
    assert "(training accuracy 98 %)" in line
    assert "(test accuracy 98 %)" in line
    _, numbers = grown("abalone")
    assert "training RMSE" in numbers.plot().texts[1].words
