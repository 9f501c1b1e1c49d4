"""Pictures of trees with sums of columns and with models in their leaves."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from treewright.draw.card import block
from treewright.draw.view import Item
from treewright.draw.words import Words


@pytest.fixture(scope="module")
def sums():
    return tw.grow(tw.example("iris"), target="class", splits="linear", prune="none", min_leaf=2)


@pytest.fixture(scope="module")
def logistic():
    return tw.grow(tw.example("iris"), target="class", leaves="logistic", min_leaf=20)


@pytest.fixture(scope="module")
def bent():
    x = np.arange(40) / 4
    y = np.where(x <= 5, 2 * x, 20 - 3 * x) + np.arange(40) % 2
    return tw.grow(tw.Table.from_dict({"x": x, "y": y}), target="y", recipe="cart", leaves="linear")


def test_a_sum_is_asked_in_words(sums):
    svg = sums.plot().to_svg()
    for word in ("-0.6", "sepallength", "≤ 1.3"):
        assert word in svg
    long = tw.grow(
        tw.example("iris"), target="class", splits="linear", prune="none", min_leaf=2, linear_penalty=0
    )
    for asked in range(long.n_nodes):  # to the last word, on as many lines as it takes
        if long.kind[asked] == 3:
            block_ = block(Words(long), Item(asked, -1, "open", (asked,)))
            assert " ".join(block_.question) == long.node(asked).question + "?"
    assert "-0.6 sepallength + petallength?" in sums.plot().to_text()


def test_a_leaf_with_a_model_shows_it(bent):
    words = Words(bent)
    leaf = int(bent.leaf_ids[0])
    item = Item(leaf, int(bent.parents[leaf]), "leaf", (leaf,))
    assert words.head(item) == "0.4286 + 2 x"
    assert words.share(item) == ""
    assert words.facts(item) == ("7 rows · 18 % · RMSE 0.495",)
    assert "0.4286 + 2 x" in bent.plot().to_text()


def test_a_model_of_classes_is_told_in_short_and_in_full_in_the_hint(logistic):
    words = Words(logistic)
    found = 0
    for leaf in logistic.leaf_ids.tolist():
        item = Item(leaf, int(logistic.parents[leaf]), "leaf", (leaf,))
        n = int(logistic.model_start[leaf + 1] - logistic.model_start[leaf])
        if not n:  # pure: it says its class
            assert words.head(item) in logistic.classes
            continue
        found += 1
        assert words.head(item) == f"model of {n} column{'' if n == 1 else 's'}"
        assert "error" in words.facts(item)[0]
        assert logistic.node(leaf).model in words.hint(item)
    assert found


def test_held_out_rows_of_a_model_have_no_share(logistic):
    text = logistic.plot(table=tw.example("iris")).to_text()
    assert "model of" in text
    assert "held out" in text


def test_inner_nodes_and_plain_trees_are_as_before(bent):
    plain = tw.grow(tw.example("tennis"), target="PlayTennis", recipe="id3")
    assert not any(Words(plain).has_model(Item(i, -1, "leaf", (i,))) for i in plain.leaf_ids.tolist())
    assert not Words(bent).has_model(Item(0, -1, "open", (0,)))
