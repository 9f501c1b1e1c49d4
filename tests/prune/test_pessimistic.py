from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle import prune_pessimistic as oracle
from tests.prune.pruning_twins import as_tree, twins
from tests.prune.small import one_test
from treewright.prune import Pessimistic, UnsuitableError, pessimistic, pessimistic_errors
from treewright.tree.example import tennis

# The values are those of semantics 3.6.


def with_errors(e: int):
    """Three leaves with 2 errors in 20 rows, the root made to err e times."""
    tree = one_test((9, 1), (1, 5), (4, 0))
    stats = tree.stats.copy()
    stats[0] = [20 - e, e]
    return replace(tree, stats=stats)


@pytest.mark.parametrize(("e", "n_leaves", "in_the_lecture"), [(4, 1, 3), (5, 3, 3)])
def test_the_specified_values(e, n_leaves, in_the_lecture):
    tree = with_errors(e)
    figures = pessimistic_errors(tree)
    assert figures.as_leaf[0] == e + 0.5
    assert figures.as_subtree[0] == 3.5
    assert figures.standard_error[0] == pytest.approx(1.699265, abs=5e-7)
    assert pessimistic(tree).n_leaves == n_leaves
    assert pessimistic(tree, standard_errors=0).n_leaves == in_the_lecture


def test_the_lecture_form_is_strict():
    tree = with_errors(3)  # 3.5 against 3.5
    assert pessimistic(tree, standard_errors=0).n_leaves == 3
    assert pessimistic(tree, standard_errors=0, strict=False).n_leaves == 1
    assert pessimistic(tree, standard_errors=1).n_leaves == 1


@given(twins(), st.integers(0, 3), st.booleans())
def test_it_agrees_with_recursion(twin, standard_errors, strict):
    nested, tree = twin
    expected = as_tree(oracle.pessimistic(nested, standard_errors, strict), tree)
    assert pessimistic(tree, standard_errors, strict) == expected
    assert Pessimistic(standard_errors, strict)(tree) == expected


@given(twins())
def test_more_doubt_prunes_more(twin):
    _, tree = twin
    sizes = [pessimistic(tree, s, strict=False).n_leaves for s in (0, 0.5, 1, 2, 1e9)]
    assert sizes == sorted(sizes, reverse=True)


def test_the_old_tree_is_untouched_and_a_leaf_stays():
    tree = tennis()
    assert pessimistic(tree, 3).n_nodes == 1
    assert tree == tennis()
    assert pessimistic(tree.collapse(0)) == tree.collapse(0)


@pytest.mark.parametrize("wrong", [-1, float("nan"), float("inf")])
def test_a_wrong_number_of_standard_errors(wrong):
    with pytest.raises(ValueError, match="at least 0"):
        pessimistic(tennis(), wrong)


@given(twins(is_classifier=False))
def test_numbers_are_refused(twin):
    with pytest.raises(UnsuitableError, match=r"predicts the number 'y'.*use regularised"):
        pessimistic(twin[1])
