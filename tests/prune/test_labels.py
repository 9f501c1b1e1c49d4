"""What a node says is what its own probabilities say: before pruning, and after every way to prune.

Ruling 3.14.3 of the specification: the class of most weight (of least expected cost, where mistakes have
costs), the first in declared order where several are equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.oracle import error_based as twin
from tests.prune.cases import noisy, overgrown
from treewright.growth import RECIPES as KNOWN
from treewright.predict import shares
from treewright.prune import METHODS, Method, UnsuitableError, error_based
from treewright.prune.reduced_error import backfitted

seeds = st.integers(0, 2**32 - 1)

# Every way to prune, with the options that lead to other code. Of SLIQ's partial structures: see below.
WAYS: list[Method] = [
    tw.prune.ErrorBased(),
    tw.prune.ErrorBased(confidence=0.05),
    tw.prune.ErrorBased(z="exact", confidence=0.5),
    tw.prune.ErrorBased(raising=False),
    tw.prune.ReducedError(),
    tw.prune.ReducedError(backfit=True),
    tw.prune.ReducedError(strategy="greedy", backfit=True),
    tw.prune.CostComplexity(alpha=0.02),
    tw.prune.CostComplexity(folds=3),
    tw.prune.ErrorComplexity(),
    tw.prune.Pessimistic(),
    tw.prune.MDL(),
    tw.prune.MDL(code="sliq"),
    tw.prune.MDL(code="quinlan_rivest"),
    tw.prune.MinimumError(),
    tw.prune.CriticalValue(kappa=0.05),
    tw.prune.Regularised(),
]
COSTS = [[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [2.0, 1.0, 0.0]]  # true class by true class; many ties
GROWN: dict[str, dict[str, Any]] = {
    "as it is": {},
    "weights": {"weights": True},
    "priors": {"priors": [0.5, 0.25, 0.25]},
    "costs": {"costs": COSTS},
    "priors and costs": {"priors": [0.2, 0.4, 0.4], "costs": COSTS},
}
RECIPES: dict[str, dict[str, Any]] = {
    "plain": {},
    "c4.5": {"min_branch": 1},
    "cart": {"min_split": 2, "min_leaf": 1},
    "id3": {"missing": "own_branch", "discretise": "equal_width"},
    "sliq": {},
    "stump": {},
}


def test_every_way_to_prune_and_every_recipe_is_among_them() -> None:
    assert {way.name for way in WAYS} == set(METHODS)
    assert set(RECIPES) == set(KNOWN)


def said_by(tree: tw.Tree, probabilities: Any) -> list[int]:
    """Return the class of each row of probabilities: by hand, and first where equal but for rounding."""
    costs, found = tree.about.get("costs"), []
    for shared in probabilities.tolist():
        k = len(shared)
        prices = [
            -shared[j] if costs is None else sum(shared[c] * costs[c][j] for c in range(k)) for j in range(k)
        ]
        found.append(next(j for j, price in enumerate(prices) if price <= min(prices) + 1e-10))
    return found


def assert_says_what_it_reports(tree: tw.Tree, rows: tw.Table) -> None:
    by_row = said_by(tree, tree.predict_proba(rows))
    assert tree.predict(rows).tolist() == [tree.classes[c] for c in by_row]
    assert tree.label.tolist() == said_by(tree, shares(tree))
    is_counted = not tree.about.get("costs") and not tree.about.get("class_scale")
    if is_counted and (tree.stats == np.round(tree.stats, 3)).all():
        assert by_row == tree.predict_proba(rows).argmax(axis=1).tolist()  # of whole rows: to the last digit


def has_every_class(rows: tw.Table) -> bool:
    """Say whether every class has two rows: a prior for a class without rows is refused, in folds too."""
    return bool((np.bincount(rows.column("y")[1], minlength=3) >= 2).all())


def grown(rows: tw.Table, recipe: str, how: str, seed: int) -> tuple[tw.Tree, Any]:
    asked = GROWN[how] | RECIPES[recipe]
    weights = (
        np.random.default_rng(seed).choice([0.5, 1.0, 2.0], rows.n_rows) if asked.pop("weights", 0) else None
    )
    return overgrown(rows, recipe=recipe, weights=weights, **asked), weights


@pytest.mark.parametrize("how", GROWN)
@pytest.mark.parametrize("recipe", RECIPES)
def test_predictions_are_the_argmax_of_the_probabilities(recipe: str, how: str) -> None:
    n_pruned = 0

    @settings(max_examples=12)
    @given(seeds, st.integers(6, 60), st.booleans())
    def run(seed: int, n: int, gaps: bool) -> None:
        nonlocal n_pruned
        rows, fresh = noisy(seed, n, gaps=gaps), noisy(seed + 1, n, gaps=gaps)
        assume(has_every_class(rows))
        tree, weights = grown(rows, recipe, how, seed)
        assert_says_what_it_reports(tree, rows)
        for way in WAYS:
            evidence = {"validation": tw.prune.Evidence(fresh), "nothing": None}.get(
                way.needs, tw.prune.Evidence(rows, weights=weights)
            )
            try:
                pruned = way(tree, evidence)
            except UnsuitableError:
                continue
            n_pruned += pruned.n_nodes < tree.n_nodes
            assert_says_what_it_reports(pruned, rows)
            assert_says_what_it_reports(tw.prune.merge(pruned), rows)

    run()
    assert n_pruned > 0 or recipe == "stump"


def test_twenty_rows_whose_first_one_was_answered_against_its_probabilities() -> None:
    columns = {
        "c0": [3, 0, 1, 2, 5, 4, 1, 2, 1, 3, 0, 0, 0, 5, 3, 0, 5, 4, 2, 5],
        "c1": [2, 0, 5, 2, 3, 1, 3, 3, 1, 5, 1, 4, 4, 1, 0, 5, 0, 3, 4, 3],
        "c2": [4, 5, 0, 3, 2, 5, 0, 4, 4, 2, 0, 5, 0, 1, 3, 4, 2, 0, 0, 0],
        "y": list("22021221112200010022"),
    }
    rows = tw.Table.from_dict(columns)
    tree = tw.grow(rows, "y", "c4.5")
    assert tree.predict_proba(rows)[0].tolist() == [0.4, 0.2, 0.4]
    assert tree.predict(rows)[0] == "0"
    assert_says_what_it_reports(tree, rows)


@given(seeds, st.integers(4, 120), st.booleans(), st.sampled_from(["priors", "costs", "priors and costs"]))
@example(0, 60, True, "costs")
def test_the_core_and_the_twin_agree_with_priors_and_costs(seed: int, n: int, gaps: bool, how: str) -> None:
    rows = noisy(seed, n, gaps=gaps)
    assume(has_every_class(rows))
    tree = overgrown(rows, recipe="c4.5", min_branch=1, collapse=None, **GROWN[how])
    pruner = twin.Pruner(
        rows.drop(["y"]).values,
        rows.column("y")[1],
        np.ones(n),
        3,
        scale=tree.about["class_scale"],
        costs=tree.about["costs"],
    )
    nested, _ = pruner.prune(twin.from_tree(tree))
    found, leaves = error_based(tree, rows), twin.leaves(nested)
    assert found.n_nodes == twin.n_nodes(nested)
    np.testing.assert_allclose(found.stats[found.leaf_ids], [leaf.counts for leaf in leaves], atol=1e-9)
    assert found.label[found.leaf_ids].tolist() == [leaf.label for leaf in leaves]


def test_rows_that_are_counted_in_make_a_tie() -> None:
    """Backfitting: b led by one row; with one more a they tie, and the first class is said."""
    rows = tw.Table.from_dict({"x": [1, 1, 1], "y": ["a", "b", "b"]})
    more = tw.Table.from_dict({"x": [1], "y": ["a"]})
    tree = backfitted(tw.grow(rows, "y"), more)
    assert tree.stats[0].tolist() == [2.0, 2.0]
    assert tree.predict(rows).tolist() == ["a", "a", "a"]


@pytest.mark.parametrize("structure", ["partial", "hybrid"])
def test_a_branch_that_sliq_loses_says_what_its_parent_says(structure: str) -> None:
    """The one exception: SLIQ's partial trees lack the branch; the node above answers its rows."""
    n_lost = 0
    for seed in range(200):
        rows = noisy(seed, 20)
        tree = tw.prune.MDL(code="sliq", structure=structure)(overgrown(rows))
        own = np.array(said_by(tree, shares(tree)))
        lost = np.flatnonzero(tree.label != own)
        assert (tree.kind[lost] == 0).all()
        assert (tree.label[lost] == tree.label[tree.parents[lost]]).all()
        n_lost += len(lost)
    assert n_lost > 0
