"""Reduced-error pruning: the smallest of the best on rows kept back; ties, backfit, the greedy loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.oracle.prune import errors_as_leaf, n_prunings, prunings
from tests.prune.cases import noisy, overgrown
from treewright.prune import error_complexity, reduced_error, sample_of
from treewright.prune.greedy import best_first
from treewright.prune.reduced_error import _bottom_up
from treewright.prune.risk import leaf_errors

QUIET = settings(max_examples=at_most(25, 60), deadline=None)
seeds = st.integers(0, 2**32 - 1)


def numbers_only(rows: tw.Table) -> tw.Table:
    return rows.drop(["colour"])


def errors(tree: tw.Tree, rows: tw.Table) -> float:
    """Return the errors, or the squared error, of a table's rows."""
    if tree.is_classifier:
        return float((tree.predict(rows) != rows.labels("y")).sum())
    return float(((tree.predict(rows) - rows.column("y")[1]) ** 2).sum())


@QUIET
@given(seeds, st.integers(2, 30), st.integers(0, 25), st.booleans())
def test_errors_of_every_node(seed: int, n: int, m: int, is_classifier: bool) -> None:
    tree = overgrown(numbers_only(noisy(seed, n, is_classifier=is_classifier)))
    rows = numbers_only(noisy(seed + 1, m, is_classifier=is_classifier))
    sample = sample_of(tree, rows, np.arange(m) % 3)
    as_leaf, own = leaf_errors(tree, sample)
    plain = errors_as_leaf(tree, sample.columns, sample.answers, sample.weights)
    np.testing.assert_allclose(as_leaf, plain, atol=1e-9)
    np.testing.assert_allclose(own, np.where(tree.leaf_mask, plain, 0), atol=1e-9)


@QUIET
@given(seeds, st.integers(2, 16), st.integers(1, 25), st.booleans())
def test_it_is_the_smallest_of_the_best_prunings(seed: int, n: int, m: int, is_classifier: bool) -> None:
    tree = overgrown(noisy(seed, n, is_classifier=is_classifier))
    assume(n_prunings(tree) < 3000)
    rows = noisy(seed + 1, m, is_classifier=is_classifier)
    cost, _ = leaf_errors(tree, sample_of(tree, rows))
    every = [(sum(cost[i] for i in leaves), len(leaves)) for leaves in prunings(tree)]
    least = min(price for price, _ in every)
    found = reduced_error(tree, rows)
    assert errors(found, rows) == pytest.approx(least, abs=1e-6)
    assert found.n_leaves == min(size for price, size in every if price <= least + 1e-9)
    assert reduced_error(tree, rows, ties="keep").n_leaves >= found.n_leaves


def test_bottom_up_is_never_worse_than_the_greedy_loop() -> None:
    """On 500 random trees; and now and then it is better."""
    n_better = 0
    for seed in range(500):
        is_classifier = seed % 3 > 0
        tree = overgrown(noisy(seed, 60, is_classifier=is_classifier, gaps=seed % 2 == 0))
        rows = noisy(seed + 10_000, 40, is_classifier=is_classifier, gaps=seed % 2 == 0)
        judges = sample_of(tree, rows)
        best = reduced_error(tree, judges)
        for allow_root in (True, False):
            loop = reduced_error(tree, judges, strategy="greedy", allow_root=allow_root)
            ours, theirs = (float(leaf_errors(t, sample_of(t, rows))[1].sum()) for t in (best, loop))
            assert ours <= theirs + 1e-9
        n_better += ours < theirs - 1e-9
    assert n_better > 0


def test_the_lectures_example() -> None:
    """A subtree with 9 errors, as a leaf 5; three prunes inside are worth 2 each: greedy 5, bottom-up 3."""
    tree = three_inner_nodes()
    #                 root node  a  .  .  b  .  .  c  .  .  other
    as_leaf = np.array([8.0, 5, 1, 2, 1, 1, 2, 1, 1, 2, 1, 0])
    own = np.where(tree.leaf_mask, as_leaf, 0.0)
    assert own[2:11].sum() == 9
    greedy = best_first(tree, as_leaf, own, per_leaf=0.0)
    assert greedy[0] == 1
    assert as_leaf[greedy[0]] == 5
    pruned = tree.collapse(_bottom_up(tree, as_leaf, own, "prune", True))
    assert pruned.n_nodes == 6
    assert as_leaf[[2, 5, 8]].sum() == 3


def three_inner_nodes() -> tw.Tree:
    """Return a root whose first branch has three branches that each have two."""
    pairs = ["ab", "de", "fg"]
    left = [("left", f"c{c}", f"v{v}", pairs[c][v]) for c in range(3) for v in range(2) for _ in range(2)]
    right = [("right", f"c{i % 3}", f"v{i % 2}", "z") for i in range(60)]
    cells = zip(*left, *right, strict=True)
    rows = tw.Table.from_dict(dict(zip(("side", "colour", "x", "y"), map(list, cells), strict=True)))
    tree = overgrown(rows, recipe="id3")
    assert tree.end.tolist() == [12, 11, 5, 4, 5, 8, 7, 8, 11, 10, 11, 12]
    return tree


def test_ties_and_nodes_that_nobody_reaches() -> None:
    table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    tree = tw.grow(table, target="y")
    right = tw.Table.from_dict({"x": [7], "y": ["b"]})
    assert reduced_error(tree, right).n_leaves == 2  # nobody reaches the left side; the root is labelled a
    assert reduced_error(tree, right, ties="keep") == tree
    wrong = tw.Table.from_dict({"x": [7], "y": ["a"]})
    assert reduced_error(tree, wrong).n_leaves == 1
    assert reduced_error(tree, wrong, allow_root=False).n_leaves == 2
    nobody = right.take([])
    assert reduced_error(tree, nobody).n_leaves == 1


def test_weights_and_unknown_classes() -> None:
    table = tw.Table.from_dict({"x": list(range(8)), "y": list("aabaabbb")})
    tree = tw.grow(table, target="y")
    rows = tw.Table.from_dict({"x": [2, 3, 7, 2], "y": ["a", "a", "b", "b"], "w": [1.0, 1.0, 1.0, 3.0]})
    assert reduced_error(tree, rows, weights="w").n_leaves == 4  # one a at 2 against three b
    assert reduced_error(tree, rows, weights=[1, 1, 1, 0]).n_leaves == 2
    strange = tw.Table.from_dict({"x": [2, 3, 7], "y": ["z", "a", "b"]})
    assert reduced_error(tree, strange).n_leaves == 2  # z is wrong whatever is answered


@QUIET
@given(seeds, st.booleans(), st.booleans())
def test_backfit_counts_all_rows(seed: int, is_classifier: bool, gaps: bool) -> None:
    grown, kept = (noisy(seed + i, 40, is_classifier=is_classifier, gaps=gaps) for i in range(2))
    tree = overgrown(grown, missing="learned")
    plain, filled = (reduced_error(tree, kept, backfit=backfit) for backfit in (False, True))
    assert (plain.end == filled.end).all()
    both = np.concatenate([plain.leaves(grown), plain.leaves(kept)])
    y = np.concatenate([grown.column("y")[1], kept.column("y")[1]])
    assert filled.n_rows[0] == 80
    for leaf in filled.leaf_ids:
        here = y[both == leaf]
        if is_classifier:
            assert filled.stats[leaf].tolist() == np.bincount(here, minlength=3).tolist()
            assert filled.stats[leaf, filled.label[leaf]] == filled.stats[leaf].max()
        else:
            wanted = [len(here), here.mean(), ((here - here.mean()) ** 2).sum()]
            np.testing.assert_allclose(filled.stats[leaf], wanted, atol=1e-9)


def test_error_complexity_is_greedy_on_the_kept_rows() -> None:
    """Every step takes the prune that lowers E + alpha L most, as long as one does not raise it."""
    for seed in range(30):
        tree, rows = overgrown(noisy(seed, 40)), noisy(seed + 100, 50)
        alpha = [0.0, 0.005, 0.02, 0.1][seed % 4]
        assert error_complexity(tree, rows, alpha).n_leaves == slow_loop(tree, rows, alpha).n_leaves


def slow_loop(tree: tw.Tree, rows: tw.Table, alpha: float) -> tw.Tree:
    def cost(t: tw.Tree) -> float:
        return float(leaf_errors(t, sample_of(t, rows))[1].sum()) / rows.n_rows + alpha * t.n_leaves

    while True:
        inner = [i for i in range(1, tree.n_nodes) if not tree.is_leaf(i)]
        if not inner:
            return tree
        size = {i: int(tree.end[i]) - i for i in inner}
        best = min(inner, key=lambda i: (round(cost(tree.collapse(i)), 12), -size[i], i))
        if cost(tree.collapse(best)) > cost(tree) + 1e-12:
            return tree
        tree = tree.collapse(best)


def test_what_is_refused() -> None:
    tree: Any = overgrown(noisy(0, 20))
    rows = noisy(1, 20)
    for words, message in (
        ({"ties": "maybe"}, "ties='maybe' is not one of 'prune', 'keep'"),
        ({"strategy": "random"}, "strategy='random' is not one of"),
    ):
        with pytest.raises(ValueError, match=message):
            reduced_error(tree, rows, **words)
    with pytest.raises(TypeError, match=r"takes a treewright\.Table"):
        reduced_error(tree, 17)
    with pytest.raises(ValueError, match="alpha=-1 must be"):
        error_complexity(tree, rows, -1)
    with pytest.raises(ValueError, match="has no rows"):
        error_complexity(tree, rows.take([]), 0.1)
