from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.oracle import prune_mdl as oracle
from tests.oracle.tree import Nested, to_tree
from tests.prune.pruning_twins import as_tree, binary_shapes, twins
from tests.prune.small import TWO, one_test
from treewright.explain import paths
from treewright.predict import route_table
from treewright.prune import MDL, UnsuitableError, exception_bits, leaf_bits, mdl
from treewright.prune.bits import columns_left, n_values, value_bits

# Bits of a leaf with these counts: semantics 3.7 (a).
COMPLEXITY = {(9, 5): 16.219177, (4, 0): 2.151496, (2, 3): 7.167213, (3, 0): 1.943977}


@pytest.mark.parametrize("counts", COMPLEXITY)
def test_the_specified_stochastic_complexity(counts):
    assert leaf_bits(np.array([counts], dtype=float))[0] == pytest.approx(COMPLEXITY[counts], abs=5e-7)


def test_a_leaf_of_one_row_and_of_none():
    one, none = leaf_bits(np.array([[1.0, 0.0], [0.0, 0.0]]))
    assert one == pytest.approx(math.log2(math.pi) - 0.5)  # ln(1/2) is below 0, and stays so
    assert none == 0


def test_the_specified_exceptions():
    assert exception_bits(np.array([14.0]), np.array([5.0]))[0] == pytest.approx(13.967226, abs=5e-7)
    assert exception_bits(np.array([0.0]), np.array([0.0]))[0] == 0


def test_the_root_of_play_tennis_by_hand():
    # Outlook, one branch each, one of four columns. Leaf: 1 + 16.219177. Test: 1 + 2 bits, and three leaves
    # of 1 + 2.151496, 1 + 7.167213 twice: 22.485922.
    outlook = one_test((4, 0), (2, 3), (3, 2))
    assert mdl(outlook).n_leaves == 1
    assert value_bits(outlook)[0] == 0
    # 100 times the rows pay for the test
    assert mdl(one_test((400, 0), (200, 300), (300, 200))).n_leaves == 3


@given(twins())
def test_mehta_agrees_with_recursion(twin):
    nested, tree = twin
    assert mdl(tree) == as_tree(oracle.mehta(nested), tree)


@given(twins())
def test_quinlan_and_rivest_agree_with_recursion(twin):
    nested, tree = twin
    assert MDL(code="quinlan_rivest")(tree) == as_tree(oracle.quinlan_rivest(nested), tree)


@given(twins())
def test_sliq_agrees_with_recursion(twin):
    nested, tree = twin
    assert mdl(tree, code="sliq") == as_tree(oracle.sliq(nested), tree)


@given(twins(binary_shapes), st.sampled_from(["partial", "hybrid"]))
def test_partial_pruning_agrees_with_recursion(twin, structure):
    nested, tree = twin
    expected = as_tree(oracle.sliq(nested, structure), tree)
    assert MDL(code="sliq", structure=structure)(tree) == expected


def test_a_lost_branch_answers_like_its_parent():
    #            (51, 42) yes
    #        (50, 40) yes    (1, 2) no       ln 2 bits a test, 2 a node
    #   (50, 0)   (0, 40)
    # Below: both 2 + 2 + 0 + 2 + 0, without the first leaf 2 + 0 + 2 + 0. At the root the leaf (1, 2) costs
    # 2 + 1 of its own and 2 under the label yes; a single leaf 2 + 42.
    left = Nested([50.0, 40.0], 0, 90, [Nested([50.0, 0.0], 0, 50), Nested([0.0, 40.0], 1, 40)])
    root = Nested([51.0, 42.0], 0, 93, [left, Nested([1.0, 2.0], 1, 3)])
    for node in (left, root):
        node.column, node.kind, node.largest, node.codes = 1, 2, 0, [(0, 0), (1, 1)]
    tree = to_tree(root, TWO)
    found = mdl(tree, code="sliq", structure="partial")
    assert tree.label.tolist() == [0, 0, 0, 1, 1]
    assert found.label.tolist() == [0, 0, 0, 1, 0]
    assert found.stats.tolist() == tree.stats.tolist()
    # Full pruning cannot lose one leaf alone; in the hybrid a leaf costs its errors only, 1 against 2.
    assert mdl(tree, code="sliq").label.tolist() == [0, 0, 0, 1, 1]
    assert mdl(tree, code="sliq", structure="hybrid").label.tolist() == [0, 0, 0, 1, 1]


@given(twins())
def test_pruning_twice_by_mehta_is_pruning_once(twin):
    _, tree = twin
    for code in ("mehta", "quinlan_rivest"):
        once = mdl(tree, code=code)
        assert mdl(once, code=code) == once


@pytest.mark.parametrize("name", ["iris", "kyphosis", "labor"])
def test_distinct_values_are_those_of_the_rows_at_the_node(name):
    rows, target = tables.table(name), tables.target(name)
    missing = "fractional" if name == "labor" else "learned"
    tree = tw.grow(rows, target, missing=missing)
    found = n_values(tree, rows)
    passes = paths(tree, route_table(tree, rows)).toarray().astype(bool)
    for node in np.flatnonzero(tree.kind == 1):
        values = rows.column(tree.schema.names[tree.column[node]])[1][passes[:, node]]
        known = values[~np.isnan(values)] if values.dtype.kind == "f" else values[values >= 0]
        assert found[node] == len(set(known.tolist()))
        assert value_bits(tree, rows)[node] == pytest.approx(math.log2(max(found[node] - 1, 1)))
    assert (found <= n_values(tree, None)).all()


def test_forms_of_tests_on_categories():
    rows = tables.table("tennis")
    one_against_rest = tw.grow(rows, tables.target("tennis"), splits="one_vs_rest", max_depth=1)
    v = np.diff(one_against_rest.code_start)[0]
    assert value_bits(one_against_rest)[0] == pytest.approx(math.log2(v))
    subset = tw.grow(rows, tables.target("tennis"), splits="binary", max_depth=1)
    v = int(np.diff(subset.code_start)[0])
    assert value_bits(subset)[0] == pytest.approx(math.log2(2**v - 2))
    multiway = tw.grow(rows, tables.target("tennis"), recipe="id3")
    assert value_bits(multiway).tolist() == [0] * multiway.n_nodes
    assert columns_left(multiway)[[0, 1, 2]].tolist() == [4, 3, 2]


def test_partial_pruning_needs_two_branches():
    with pytest.raises(UnsuitableError, match=r"node 0 has 3.*structure='full'"):
        mdl(one_test((1, 0), (0, 1), (1, 1)), code="sliq", structure="partial")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"code": "huffman"}, "not one of 'mehta', 'sliq'"),
        ({"code": "sliq", "structure": "half"}, "not one of 'full', 'partial'"),
        ({"structure": "partial"}, "is SLIQ's"),
    ],
)
def test_wrong_options(options, words):
    with pytest.raises(ValueError, match=words):
        MDL(**options)
    with pytest.raises(ValueError, match=words):
        mdl(one_test((1, 0), (0, 1)), **options)


@given(twins(is_classifier=False))
def test_numbers_are_refused(twin):
    with pytest.raises(UnsuitableError, match="predicts the number"):
        mdl(twin[1])
