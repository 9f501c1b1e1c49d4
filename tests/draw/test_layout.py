"""No two texts of a picture meet, none leaves its box or is too small, and what is folded is counted."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.amount import at_most
from tests.draw.looking import bands, faults, many_nodes, odd_tree
from tests.tree.strategies import twins
from treewright.draw.words import Words
from treewright.tree.example import tennis

WAYS = ("down", "right", "outline")


@cache
def grown(name, **settings):
    return tw.grow(tables.table(name), target=tables.target(name), **settings)


TREES = {
    "tennis": lambda: grown("tennis", recipe="id3"),
    "iris": lambda: grown("iris", recipe="c4.5"),
    "soybean, multiway": lambda: grown("soybean", recipe="c4.5"),
    "soybean, binary": lambda: grown("soybean"),
    "adult, depth 5": lambda: grown("adult", max_depth=5),
    "adult, whole": lambda: grown("adult", recipe="c4.5", prune="none"),
    "abalone": lambda: grown("abalone", max_depth=4),
    "cu_summary": lambda: grown("cu_summary"),
    "surrogates": lambda: grown("stagec", recipe="cart"),
    "intervals": lambda: grown("iris", recipe="id3", discretise="mdlp"),
    "one leaf": lambda: grown("tennis", max_depth=0),
    "odd names": odd_tree,
    "5,000 nodes": cache(many_nodes),
}


@pytest.mark.parametrize("name", TREES)
@pytest.mark.parametrize("direction", WAYS)
def test_a_picture_has_no_faults(name, direction):
    assert faults(TREES[name]().plot(direction=direction)) == []


@pytest.mark.parametrize("name", ["tennis", "adult, depth 5", "soybean, multiway", "odd names"])
def test_nor_has_a_narrow_one(name):
    picture = TREES[name]().plot(width=360)
    assert picture.direction == "outline"
    assert picture.width <= 360
    assert faults(picture) == []


@pytest.mark.parametrize("name", ["tennis", "iris", "abalone", "soybean, multiway"])
@pytest.mark.parametrize("direction", WAYS)
def test_nor_has_one_with_held_out_rows(name, direction):
    tree = TREES[name]()
    rows = tables.table(name.partition(",")[0])
    assert faults(tree.plot(None, rows, direction=direction)) == []


@settings(max_examples=at_most(25, 60))
@given(twins(), st.sampled_from([*WAYS, "auto"]), st.integers(240, 1500), st.integers(240, 1500))
def test_random_trees_have_no_faults(pair, direction, width, height):
    tree = pair[1]
    picture = tree.plot(width=width, height=height, direction=direction)
    assert faults(picture) == []
    if len(picture.items) > 1:
        assert picture.width <= width
        assert picture.height <= height


@settings(max_examples=15)
@given(twins())
def test_all_of_a_tree_is_shown_where_there_is_room(pair):
    tree = pair[1]
    for direction in WAYS:
        picture = tree.plot(width=math.inf, height=math.inf, direction=direction)
        assert not picture.is_folded
        assert len(picture.items) == tree.n_nodes
        assert faults(picture) == []


@pytest.mark.parametrize("name", ["soybean, multiway", "adult, whole", "5,000 nodes"])
def test_a_folded_tree_says_so_and_its_counts_add_up(name):
    tree = TREES[name]()
    assert tree.n_nodes > 5000 or name != "5,000 nodes"
    picture = tree.plot()
    assert picture.is_folded
    shown = sum(item.how == "leaf" for item in picture.items)
    header = " ".join(text.words for text in picture.texts[:4])
    assert f"folded: {shown:,} of {tree.n_leaves:,} leaves" in header
    lines = {text.words for text in picture.texts}
    folded = 0
    for item in picture.items:
        if item.how in ("folded", "bundle"):
            n_leaves = sum(
                1 for node in item.members for i in range(node, tree.end[node]) if tree.end[i] == i + 1
            )
            weight = float(
                tree.weights[list(item.members)].sum()
            )  # a row that is divided counts by its parts
            rows = f"{max(1, round(weight)):,} row" if weight else "no rows"
            assert any(line.startswith(f"+ {n_leaves:,} lea") and rows in line for line in lines)
            folded += n_leaves
    assert shown + folded == tree.n_leaves
    if "fractional" not in tree.about.get("missing", ""):  # else a row may be in two leaves
        ends = [node for item in picture.items if item.how != "open" for node in item.members]
        assert tree.n_rows[ends].sum() == tree.n_rows[0]


def test_many_branches_are_bundled():
    table = tw.Table.from_dict(
        {"town": [f"town {i:02}" for i in range(40) for _ in range(i + 1)], "y": [i % 2 for i in range(820)]}
    )
    tree = tw.grow(table, target="y", splits="multiway", max_depth=1)
    picture = tree.plot(width=900, direction="down")
    assert faults(picture) == []
    (bundle,) = (item for item in picture.items if item.how == "bundle")
    shown = [item for item in picture.items if item.how == "leaf"]
    assert len(shown) + len(bundle.members) == 40
    assert min(tree.n_rows[item.node] for item in shown) >= tree.n_rows[list(bundle.members)].max()
    words = [text.words for text in picture.texts]
    assert f"{len(bundle.members)} other answers" in words


def test_the_deepest_nodes_can_be_named():
    picture = grown("adult", max_depth=5).plot(max_depth=2, width=math.inf, height=math.inf)
    tree = picture.words.tree
    assert max(tree.depths[item.node] for item in picture.items) == 2
    assert grown("tennis", recipe="id3").plot(max_depth=0).items[0].how == "folded"


def test_branches_are_as_wide_as_their_share_of_the_rows():
    picture = grown("tennis", recipe="id3").plot(direction="down")
    tree = picture.words.tree
    below = [item for item in picture.items if item.parent >= 0]
    for item, band in zip(below, bands(picture), strict=True):
        (x0, y0), (x1, y1) = band.path[0][1:], band.path[-2][1:]
        share = tree.weights[item.node] / tree.weights[0]
        assert y0 == y1
        assert abs(x1 - x0) == pytest.approx(max(20 * share, 1.5), abs=0.02)


def test_a_small_layout_by_hand():
    """The example of the layout: three nodes in a row under one, each card centred under its answer."""
    tree = tennis().collapse([1, 5])
    picture = tree.plot(direction="down")
    found = {text.words: text for text in picture.texts}
    answers = [found[word] for word in ("Sunny", "Overcast", "Rain")]
    assert len({text.y for text in answers}) == 1
    middles = [text.x + text.width / 2 for text in answers]
    assert middles[1] - middles[0] == pytest.approx(middles[2] - middles[1], abs=6)  # cards differ a little
    question = found["Outlook?"]
    assert question.x + question.width / 2 == pytest.approx((middles[0] + middles[2]) / 2, abs=0.02)
    assert question.y < answers[0].y
    assert [text.words for text in picture.texts] == [
        *("Play", "Decision tree: 3 leaves, depth 1,", "grown on 14 rows (training accuracy 71 %)"),
        *("No", "Yes", "width of a branch: share of rows"),
        *("Yes", "64 %", "14 rows", "Outlook?"),
        *("No", "60 %", "5 rows · 36 %", "Sunny"),
        *("Yes", "100 %", "4 rows · 29 %", "Overcast"),
        *("Yes", "60 %", "5 rows · 36 %", "Rain"),
    ]


def test_missing_branches_are_marked():
    tree = grown("cu_summary")
    picture = tree.plot(width=math.inf, height=math.inf)
    assert any(text.words.endswith("missing") for text in picture.texts)
    own = [i for i in range(1, tree.n_nodes) if tree.node(i).answer == "is missing"]
    assert sum(bool(band.dash) for band in bands(picture)) == len(own) > 0


def test_intervals_are_asked_in_the_original_numbers():
    picture = grown("iris", recipe="id3", discretise="mdlp").plot()
    edges = {edge for c in picture.words.tree.schema.columns for edge in c.edges or ()}
    answers = [text.words for text in picture.texts if text.words.startswith(("≤ ", "> "))]
    assert answers
    assert {float(word.split()[1]) for word in answers if word[0] in "≤>"} <= {round(e, 5) for e in edges}


def test_every_class_of_soybean_has_its_own_colour_and_pattern():
    from treewright.paint.colours import look

    assert len({look(i) for i in range(19)}) == 19
    picture = TREES["soybean, multiway"]().plot()
    keys = [text.words for text in picture.texts[2:21]]
    assert keys == list(picture.words.tree.classes)


def test_more_classes_than_colours_are_counted_in_the_key():
    table = tw.Table.from_dict({"x": list(range(120)), "y": [f"class {i % 60:02}" for i in range(120)]})
    picture = tw.grow(table, target="y", max_depth=2).plot()
    assert faults(picture) == []
    assert "36 more classes" in [text.words for text in picture.texts]


def test_the_digits_that_tell_cuts_apart_are_kept():
    x = [1.0000001, 1.0000002, 1.0000003, 1.0000004]
    tree = tw.grow(tw.Table.from_dict({"x": x, "y": list("abab")}), target="y")
    answers = [text.words for text in tree.plot().texts if text.words[0] in "≤>"]
    assert len(set(answers)) == len(answers) == 6
    third = tw.grow(tw.Table.from_dict({"x": [0.0, 2 / 3], "y": list("ab")}), target="y")
    assert "≤ 0.3" in [text.words for text in third.plot().texts]


def test_numbers_of_any_size_can_be_drawn():
    for values in ([1e99, -1e99, 5.0], [1e-99, 2e-99, 3e-99], [7.0, 7.0, 7.0], [1e15, 2e15, 9e16]):
        tree = tw.grow(tw.Table.from_dict({"x": [1, 2, 3], "y": values}), target="y")
        assert faults(tree.plot()) == []
        assert faults(tree.plot(None, tw.Table.from_dict({"x": [1, 2, 3], "y": values}))) == []


def test_the_same_tree_gives_the_same_picture():
    tree = TREES["soybean, multiway"]()
    again = tw.Tree.from_dict(tree.to_dict())
    assert tree.plot() == again.plot()
    assert tree.plot().marks == again.plot().marks


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"width": 100}, "at least 240 pixels"),
        ({"height": "high"}, "height must be a number of pixels"),
        ({"width": math.nan}, "width must be a number of pixels"),
        ({"max_depth": -1}, "max_depth must be None or a whole number"),
        ({"direction": "dwon"}, "Did you mean 'down'?"),
        ({"title": 5}, "title must be text"),
        ({"path": "tree.gif"}, "saved as .svg, .pdf, .png or .txt"),
        ({"path": "tree"}, "found 'tree'"),
        ({"table": 17}, "takes a treewright.Table"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_words(options, words):
    with pytest.raises((ValueError, TypeError)) as told:
        tennis().plot(**options)
    assert words in str(told.value)


def test_a_title_takes_the_place_of_the_target():
    words = [text.words for text in tennis().plot(title="Shall we play?").texts]
    assert words[0] == "Shall we play?"


def test_weights_are_told_where_they_differ_from_rows():
    table = tw.Table.from_dict({"x": [1, 2, 3, None], "y": list("abbb")})
    tree = tw.grow(table, target="y", missing="fractional", max_depth=1)
    assert "3 rows · 67 %" in [text.words for text in tree.plot().texts]  # 2.7 rows: whole ones are shown
    assert Words(tree).facts(tree.plot().items[0]) == ("4 rows",)
    heavy = tw.grow(table, target="y", missing="fractional", max_depth=1, weights=[1, 2, 3, 4])
    assert Words(heavy).facts(heavy.plot().items[0]) == ("4 rows, weight 10",)


def test_the_share_of_a_class_uses_priors():
    table = tw.Table.from_dict({"x": [1, 1, 1, 2], "y": list("aaab")})
    tree = tw.grow(table, target="y", priors={"a": 0.5, "b": 0.5})
    root = tree.plot().items[0]
    assert Words(tree).share(root) == "50 %"
    assert np.isclose(tree.node(0).shares[0], 0.5)
