"""Held-out rows at every node: the same as counting them one by one."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from tests import tables
from treewright.draw.held import held
from treewright.draw.words import Words


@pytest.mark.parametrize("name", ["iris", "vote", "kyphosis"])
def test_classes_are_counted_on_the_way_of_each_row(name):
    table = tables.table(name)
    rows = np.arange(table.n_rows)
    tree = tw.grow(table.take(rows[rows % 3 > 0]), target=tables.target(name))
    kept = table.take(rows[rows % 3 == 0])
    found = held(tree, kept)
    wanted = np.zeros((tree.n_nodes, len(tree.classes) + 1))
    labels = kept.labels(tables.target(name))
    for label, leaf in zip(labels, tree.leaves(kept), strict=True):
        for node in tree.path_to(int(leaf)):
            wanted[node, tree.classes.index(label)] += 1
    assert found.stats.tolist() == wanted.tolist()
    assert found.weights.tolist() == wanted.sum(axis=1).tolist()
    assert found.n_rows == kept.n_rows


def test_numbers_have_their_mean_and_spread():
    table = tables.table("abalone")
    rows = np.arange(table.n_rows)
    tree = tw.grow(table.take(rows[rows % 3 > 0]), target="Rings", max_depth=3)
    kept = table.take(rows[rows % 3 == 0])
    found = held(tree, kept)
    answers = kept.column("Rings")[1]
    leaves = tree.leaves(kept)
    for node in range(tree.n_nodes):
        mine = answers[(leaves >= node) & (leaves < tree.end[node])]
        assert found.stats[node].tolist() == pytest.approx([len(mine), mine.mean(), mine.std()])


def test_a_divided_row_counts_by_its_parts_and_a_new_class_is_seen():
    table = tw.Table.from_dict({"x": [1, 2, 3, None], "y": list("abbb")})
    tree = tw.grow(table, target="y", missing="fractional", max_depth=1)
    kept = tw.Table.from_dict({"x": [None, 1], "y": ["b", "new"]}, kinds={"x": "numeric"})
    found = held(tree, kept)
    assert found.stats[0].tolist() == [0, 1, 1]
    assert found.stats[1].round(3).tolist() == [0, 0.333, 1]
    words = Words(tree, found)
    facts = [words.facts(item) for item in tree.plot(None, kept).items]
    assert facts[0][1] == "2 held out: 50 %"
    assert facts[1][1] == "1 held out: 0 %"  # 4/3 rows: a whole one and a third


def test_nodes_without_held_out_rows_say_so():
    table = tables.table("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    words = [text.words for text in tree.plot(None, table.take([0])).texts]
    assert words.count("0 held out") == tree.n_nodes - 3
    assert "14 rows" in words


def test_a_table_without_the_target_is_refused():
    table = tables.table("tennis")
    tree = tw.grow(table, target="PlayTennis", recipe="id3")
    with pytest.raises(ValueError, match="no column 'PlayTennis'"):
        tree.plot(None, table.drop("PlayTennis"))
