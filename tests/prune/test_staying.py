"""Rows that stay at a node which asks (ruling 3.14.5) are answered by it, and pruning counts them so."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from treewright.prune.compare import training_error

CART = {"recipe": "cart", "prune": "none", "min_split": 2, "min_leaf": 1}


def halves(n: int, staying: str) -> tuple[tw.Table, tw.Tree]:
    """Return a tree of one test that parts 2n rows, n a side, without an error; other rows stay above it."""
    x = [*range(2 * n), *[None] * len(staying)]
    rows = tw.Table.from_dict({"x": x, "y": [*"a" * n, *"b" * n, *staying]})
    tree = tw.grow(rows, "y", **CART, max_depth=1)
    assert tree.n_rows.tolist() == [2 * n + len(staying), n, n]
    return rows, tree


def with_gaps(seed: int, is_classifier: bool = True, **more: str) -> tuple[tw.Table, tw.Tree]:
    """Return rows with many gaps, and a tree in which some of them stay: the first such one that is drawn."""
    rng = np.random.default_rng(seed)
    while True:
        x = rng.integers(0, 6, (64, 2)).astype(float)
        x[rng.random(64) < 0.3] = np.nan
        y = rng.integers(0, 3, 64)
        answers = y.astype(str) if is_classifier else y * 1.0
        rows = tw.Table.from_dict({"a": x[:, 0], "b": x[:, 1], "y": answers})
        tree = tw.grow(rows, "y", **CART, **more)
        if tree.n_rows[~tree.leaf_mask].sum() > tree.n_rows[1:].sum():
            return rows, tree


# The way to prune, rows a side, and the rows that stay: without them the test would seem worth its price.
DECIDED = {
    "regularised error": (2, "ab", lambda tree: tw.prune.regularised(tree, 2.5, "error")),
    "regularised entropy": (2, "abb", lambda tree: tw.prune.regularised(tree, 4.5, "entropy")),
    "regularised gini": (2, "abb", lambda tree: tw.prune.regularised(tree, 2.2, "gini")),
    "minimum_error": (2, "abb", lambda tree: tw.prune.minimum_error(tree, 12.0)),
    "mdl mehta": (4, "ab", lambda tree: tw.prune.mdl(tree, code="mehta")),
    "mdl sliq": (3, "ab", lambda tree: tw.prune.mdl(tree, code="sliq")),
    "mdl sliq partial": (3, "ab", lambda tree: tw.prune.mdl(tree, code="sliq", structure="partial")),
    "mdl quinlan_rivest": (1, "ab", lambda tree: tw.prune.mdl(tree, code="quinlan_rivest")),
    "pessimistic": (1, "aaabbb", tw.prune.pessimistic),
}


@pytest.mark.parametrize("way", DECIDED)
def test_rows_that_stay_are_no_gain(way: str) -> None:
    """They are told the same by the root, whether it asks or not."""
    n, staying, prune = DECIDED[way]
    _, tree = halves(n, staying)
    assert prune(tree).n_leaves == 1


def test_error_based_counts_their_errors_on_both_sides() -> None:
    """The test saves no error: 2 are made with it, 2 without. Raising asks the rows, replacing the counts."""
    rows = tw.Table.from_dict({"x": [1, 1, 2, 2, None], "y": list("aaabb")})
    tree = tw.grow(rows, "y", **CART)
    assert tree.n_rows.tolist() == [5, 2, 2]
    assert tw.prune.error_based(tree, rows).n_leaves == 1
    assert tw.prune.error_based(tree, raising=False).n_leaves == 1


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("impurity", ["entropy", "error", "squared_error"])
def test_a_regularised_cost_is_the_price_of_the_weakest_links(seed: int, impurity: str) -> None:
    """lambda = alpha N, whichever rows stay where."""
    more = {"criterion": "entropy"} if impurity == "entropy" else {}
    rows, tree = with_gaps(seed, impurity != "squared_error", **more)
    path = tw.prune.cost_complexity_path(tree, risk="impurity" if impurity == "entropy" else "error")
    for alpha in (path.alpha[:-1] + path.alpha[1:]) / 2:
        assert tw.prune.regularised(tree, alpha * rows.n_rows, impurity) == path.tree_at(alpha)


@pytest.mark.parametrize("seed", range(10))
def test_a_critical_value_is_judged_by_what_its_tree_answers(seed: int) -> None:
    rows, tree = with_gaps(seed)
    found = tw.prune.choose_kappa(tree, rows)
    truth = rows.labels("y")
    answers = [tw.prune.critical_value(tree, kappa).predict(rows) for kappa in found.values]
    assert found.error == pytest.approx([np.mean(answer != truth) for answer in answers])


@pytest.mark.parametrize("seed", range(10))
def test_the_training_error_is_that_of_the_answers(seed: int) -> None:
    rows, tree = with_gaps(seed)
    assert training_error(tree)[0] == pytest.approx(np.mean(tree.predict(rows) != rows.labels("y")))
    rows, tree = with_gaps(seed, is_classifier=False)
    assert training_error(tree)[0] == pytest.approx(np.mean((tree.predict(rows) - rows.column("y")[1]) ** 2))
