from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from tests.oracle import tree as oracle
from tests.oracle.tree import Nested
from tests.tree.conftest import binary
from tests.tree.strategies import twins
from tests.tree.test_walk import chain
from treewright.tree.example import tennis

TENNIS = """\
Outlook
├─ = Sunny → Humidity
│  ├─ = High → No  (3 rows)
│  └─ = Normal → Yes  (2 rows)
├─ = Overcast → Yes  (4 rows)
└─ = Rain → Wind
   ├─ = Strong → No  (2 rows)
   └─ = Weak → Yes  (3 rows)"""

DEPTH_1 = """\
Outlook
├─ = Sunny → … No 60 %  (5 rows, 2 errors; 2 leaves below)
├─ = Overcast → Yes  (4 rows)
└─ = Rain → … Yes 60 %  (5 rows, 2 errors; 2 leaves below)"""

NUMBERS = """\
x
├─ <= 77.5 → 0.333333 ± 0.577  (3 rows)
└─ > 77.5 or missing → colour  (heuristic subset, 2 surrogates)
   ├─ in {red, green} → -5  (1 row)
   ├─ = blue → 1.25 ± 2  (2 rows, weight 0.5)
   └─ in {grey, black} → -5  (empty: no training row came here)"""

CLASSES = """\
size
|- <= M -> a 67 %  (3 rows, 1 error)
|- > M -> b >99 %  (5 rows, weight 1,000,000.25, 0.25 errors)
`- is missing -> c  (empty: no training row came here)"""


def numbers() -> Nested:
    low = Nested([3.0, 1 / 3, 1.0], 0, 3)
    leaves = [Nested([1.0, -5.0, 0.0], 0, 1), Nested([0.5, 1.25, 2.0], 0, 2), Nested([0.0, -5.0, 0.0], 0, 0)]
    high = Nested([1.5, -3.0, 4.0], 0, 3, leaves, column=1, kind=2, largest=0, exact=False)
    high.codes = [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2)]
    high.surrogates = [oracle.Surrogate(0, 1, 0.5, [], False, 0.9, 0.1)] * 2
    return Nested([4.5, -0.7, 9.0], 0, 6, [low, high], column=0, kind=1, cut=77.5, missing=1, largest=0)


def classes() -> Nested:
    leaves = [Nested([2.0, 1, 0], 0, 3), Nested([0.25, 1e6, 0], 1, 5), Nested([0.0, 0, 0], 2, 0)]
    return Nested([2.25, 1e6 + 1, 0], 1, 8, leaves, column=2, kind=1, cut=1.0, missing=2, largest=1)


def test_listings():
    assert tennis().to_text() == TENNIS
    assert tennis().to_text(max_depth=1) == DEPTH_1
    assert tennis().to_text(max_depth=9) == TENNIS
    assert tennis().to_text(max_depth=0) == "… Yes 64 %  (14 rows, 5 errors; 5 leaves below)"
    assert tennis().collapse(0).to_text() == "Yes 64 %  (14 rows, 5 errors)"
    assert oracle.to_tree(numbers(), oracle.NUMBER).to_text(full=True) == NUMBERS
    brief = NUMBERS.replace("heuristic subset, 2 surrogates", "heuristic subset")
    assert oracle.to_tree(numbers(), oracle.NUMBER).to_text() == brief  # ruling 3.14.6: only on request
    assert oracle.to_tree(classes(), oracle.CLASSES).to_text(ascii=True) == CLASSES


def test_shares_follow_the_priors():
    tree = replace(tennis(), about={"class_scale": [9.0, 5.0]})
    assert tree.collapse(0).to_text() == "Yes 50 %  (14 rows, 5 errors)"


@given(twins())
def test_one_line_per_node(twin):
    _, tree = twin
    lines = tree.to_text().split("\n")
    assert len(lines) == tree.n_nodes
    plain = tree.to_text(ascii=True)
    assert plain.isascii()
    assert len(plain.split("\n")) == tree.n_nodes
    for line, depth in zip(lines[1:], tree.depths[1:], strict=True):
        assert max(line.find("├─ "), line.find("└─ ")) == 3 * (depth - 1)
    for limit in range(3):
        assert len(tree.to_text(limit).split("\n")) == np.count_nonzero(tree.depths <= limit)


def test_names_cannot_break_the_listing():
    columns = list(tennis().schema.columns)
    columns[0] = replace(columns[0], name="two\nlines", categories=("a, b", "\x1b[2J", "x" * 500))
    tree = replace(tennis(), schema=type(tennis().schema)(columns))
    lines = tree.to_text().split("\n")
    assert len(lines) == 8
    assert lines[0] == "'two\\nlines'"
    assert lines[1] == "├─ = 'a, b' → Humidity"
    assert lines[4] == "├─ = '\\x1b[2J' → Yes  (4 rows)"
    assert lines[5] == "└─ = " + "x" * 59 + "… → Wind"


def test_long_chains_stay_readable():
    text = binary(chain(3000)).to_text()
    lines = text.split("\n")
    assert len(lines) == 6001
    assert max(map(len, lines)) < 300
    assert lines[-1].startswith("[2959 levels up]    ")


def test_large_trees(big_tree):
    assert big_tree.to_text().count("\n") == big_tree.n_nodes - 1


@pytest.mark.parametrize("wrong", [-1, 1.0, True, "1"])
def test_max_depth_is_a_whole_number(wrong):
    with pytest.raises(ValueError, match="max_depth"):
        tennis().to_text(max_depth=wrong)
