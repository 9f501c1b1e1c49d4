"""Trees in a terminal: never too wide, nothing lost, ASCII where asked, a listing where it is narrow."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.amount import at_most
from tests.draw.looking import odd_tree
from tests.tree.strategies import twins
from treewright.base.cells import cells
from treewright.tree.example import tennis


@settings(max_examples=at_most(25, 60))
@given(twins(), st.integers(20, 300), st.booleans())
def test_no_line_is_wider_than_the_terminal(pair, columns, plain):
    text = pair[1].plot().to_text(columns=columns, ascii=plain)
    assert all(cells(line) <= columns for line in text.splitlines())
    assert text.isascii() or not plain


@settings(max_examples=at_most(25, 60))
@given(twins())
def test_a_wide_terminal_shows_every_leaf_and_every_question(pair):
    tree = pair[1]
    text = tree.plot().to_text(columns=5000)
    n_words = sum(text.count(f"{c.name}?") for c in tree.schema.columns)
    assert n_words == tree.n_nodes - tree.n_leaves
    assert len(re.findall(r"[0-9] rows?\b|no rows", text)) == tree.n_leaves


def test_a_narrow_terminal_gets_the_listing():
    tree = tw.grow(tables.table("soybean"), target=tables.target("soybean"), recipe="c4.5")
    text = tree.plot().to_text(columns=60)
    listing = tree.to_text().splitlines()
    assert len(text.splitlines()) == len(listing)
    for line, whole in zip(text.splitlines(), listing, strict=True):
        assert line == whole or (line.endswith("…") and whole.startswith(line[:-1]))


def test_levels_can_be_left_out():
    text = tennis().plot().to_text(columns=80, max_depth=1)
    assert "+ 2 leaves, 5 rows" in text
    assert "Humidity" not in text
    assert len(tennis().plot().to_text(columns=30, max_depth=1).splitlines()) == 4  # the listing


def test_odd_names_do_no_harm():
    for plain in (False, True):
        for columns in (40, 100000):
            text = odd_tree().plot().to_text(columns=columns, ascii=plain)
            assert all(cells(line) <= columns for line in text.splitlines())
            assert text.isascii() or not plain
            assert "\x1b" not in text


def test_a_drawing_by_hand():
    drawn = tennis().collapse([1, 5]).plot().to_text(columns=40, ascii=True)
    assert drawn.splitlines() == [
        "           Outlook?",
        "    +----------+-----------+",
        "  Sunny    Overcast      Rain",
        " No 60 %   Yes 100 %   Yes 60 %",
        " 5 rows     4 rows      5 rows",
    ]


@pytest.mark.parametrize("columns", [1, 5])
def test_even_a_tiny_terminal_gets_something(columns):
    text = tennis().plot().to_text(columns=columns)
    assert len(text.splitlines()) == 8
