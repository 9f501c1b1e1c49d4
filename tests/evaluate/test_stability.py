"""Stability: the places of bootstrap trees, counted by a plain walk, and how they agree."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

import treewright as tw
from tests import tables
from treewright.base.draws import BOOTSTRAP, row_shares
from treewright.evaluate import Place, stability
from treewright.table import Table


@pytest.mark.parametrize(
    ("name", "recipe", "settings"),
    [
        ("vote", "c4.5", {}),
        ("iris", "cart", {"prune": "none"}),
        ("monk1", "id3", {}),
        ("kyphosis", "cart", {}),
    ],
)
def test_the_trees_and_the_root(name, recipe, settings):
    rows, target = tables.table(name), tables.target(name)
    found = stability(rows, target, recipe, n_trees=12, seed=5, **settings)
    n = rows.n_rows
    for b in range(12):
        drawn = np.floor(row_shares(5, BOOTSTRAP, b, n) * n).astype(int)
        assert found.trees[b] == tw.grow(rows.take(np.sort(drawn)), target, recipe, seed=5, **settings)
    asked = Counter(t.schema.names[t.column[0]] if t.n_nodes > 1 else "(leaf)" for t in found.trees)
    root = found.places[0]
    assert dict(root.columns) == dict(asked)
    assert list(root.columns.values()) == sorted(root.columns.values(), reverse=True)
    assert root.n_trees == 12 == sum(root.columns.values())
    for column, cuts in root.cuts.items():
        own = [t.cut[0] for t in found.trees if t.n_nodes > 1 and t.schema.names[t.column[0]] == column]
        assert cuts.n == len(own)
        assert cuts[1:] == pytest.approx(tuple(np.quantile(own, [0.25, 0.5, 0.75])))


def test_agreement_of_classes_is_that_of_all_pairs():
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    found = stability(rows, target, n_trees=7)
    said = [tree.predict(rows) for tree in found.trees]
    pairs = [(a == b).mean() for a, b in itertools.combinations(said, 2)]
    assert found.agreement == pytest.approx(np.mean(pairs))
    assert found.agreement_with_tree == pytest.approx(
        np.mean([(a == found.tree.predict(rows)).mean() for a in said])
    )


def test_agreement_of_numbers_is_a_spread():
    rows, target = tables.table("abalone"), tables.target("abalone")
    found = stability(rows, target, n_trees=5, min_leaf=200)
    said = np.array([tree.predict(rows) for tree in found.trees])
    assert found.agreement == pytest.approx(np.sqrt(said.var(axis=0, ddof=1).mean()))
    assert found.agreement_with_tree == pytest.approx(
        np.sqrt(((said - found.tree.predict(rows)) ** 2).mean())
    )
    assert "spreads by" in found.to_text()


def plainly(tree, trees, node, path):
    """Count what trees ask at a place reached by cuts: follow the same branches while columns agree."""
    asked = Counter()
    for other in trees:
        own, theirs = 0, 0
        for branch in path:
            if tree.column[own] != other.column[theirs]:
                break
            own, theirs = tree.children(own)[branch], other.children(theirs)[branch]
        else:
            column = other.column[theirs]
            asked["(leaf)" if column < 0 else other.schema.names[column]] += 1
    return dict(asked)


def test_places_of_numeric_trees_are_those_of_a_plain_walk():
    rows, target = tables.table("iris"), tables.target("iris")
    found = stability(rows, target, n_trees=25, depth=3)
    assert [place.node for place in found.places] == [i for i, d in enumerate(found.tree.depths) if d <= 3]
    for place in found.places:
        path, node = [], place.node
        while node:
            path.insert(0, int(found.tree.branches[node]))
            node = int(found.tree.parents[node])
        assert dict(place.columns) == plainly(found.tree, found.trees, place.node, path)


def test_branches_of_categories_are_matched_by_their_categories():
    # Which side of a subset comes first may differ between samples; what lies below must not be mixed up.
    rng = np.random.default_rng(0)
    place, x, z = rng.integers(0, 4, 400), rng.random(400), rng.random(400)
    y = np.where(place < 2, x > 0.5, z > 0.5)
    y = np.where(place < 2, np.where(y, "a", "b"), np.where(y, "c", "d"))
    rows = Table.from_dict({"place": [f"p{i}" for i in place], "x": x, "z": z, "y": y})
    found = stability(rows, "y", n_trees=20, depth=1, max_depth=2)
    assert found.places[0].share("place") == 1.0
    assert {(p.column, p.share(p.column)) for p in found.places[1:]} == {("x", 1.0), ("z", 1.0)}


def test_threads_change_nothing_and_who_watches_is_told():
    heard = []
    one = stability(tw.example("vote"), "Class", n_trees=4, progress=heard.append)
    assert one.to_dict() == stability(tw.example("vote"), "Class", n_trees=4, n_jobs=2).to_dict()
    assert heard == [0.25, 0.5, 0.75, 1.0]


def test_frames_and_lines():
    found = stability(tables.table("iris"), "class", n_trees=6)
    for backend in ("pandas", "polars", "pyarrow"):
        assert len(found.to_frame(backend)) == len(found.to_dict()["node"])
    assert str(found).startswith("place ")
    assert "cut (quartiles)" in str(found)
    assert math.isnan(Place(0, "root", "x", 0, {}, {}).share("x"))


@pytest.mark.parametrize(
    ("option", "value"), [("n_trees", 1), ("n_trees", 2.5), ("depth", -1), ("depth", True)]
)
def test_wrong_words_are_answered(option, value):
    with pytest.raises(ValueError, match=f"{option}={value}"):
        stability(tw.example("tennis"), "PlayTennis", **{option: value})


def test_a_single_leaf():
    found = stability(Table.from_dict({"x": [1, 2], "y": ["a", "a"]}), "y", n_trees=3)
    assert dict(found.places[0].columns) == {"(leaf)": 3}
    assert found.agreement == 1.0
