"""Trees of numbers are pruned and judged by the loss of their criterion: distances, Poisson deviance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import treewright as tw
from treewright.prune import sample_of
from treewright.prune.heldout import losses, node_losses
from treewright.prune.risk import leaf_errors, node_risk, staying_risk
from treewright.tree.losses import TITLES, loss_of, row_losses, spread

LOSSES = {"squared_error": "squared", "absolute_error": "absolute", "poisson": "poisson"}


def by_hand(loss: str, y: float, answer: float) -> float:
    """Return the loss of one row, from the textbook."""
    if loss == "squared":
        return (y - answer) ** 2
    if loss == "absolute":
        return abs(y - answer)
    return 2 * ((y * math.log(y / answer) if y > 0 else 0.0) - (y - answer))


def table_of(seed: int, n: int = 120) -> tw.Table:
    rng = np.random.default_rng(seed)
    x, z = rng.integers(0, 12, n).astype(float), rng.integers(0, 5, n).astype(float)
    z[rng.random(n) < 0.1] = np.nan
    return tw.Table.from_dict({"x": x, "z": z, "y": rng.poisson(1 + x).astype(float)})


def grown(criterion: str, seed: int = 0, **more: Any) -> tuple[tw.Tree, tw.Table]:
    table = table_of(seed)
    return tw.grow(table, "y", criterion=criterion, min_leaf=3, **more), table


def by_node(tree: tw.Tree, table: tw.Table) -> list[float]:
    """Return the loss of a table's rows at every node they pass, row by row."""
    total = [0.0] * tree.n_nodes
    for leaf, y in zip(tree.leaves(table), table.column("y")[1], strict=True):
        for node in tree.path_to(int(leaf)):
            total[node] += by_hand(loss_of(tree), float(y), float(tree.stats[node, 1]))
    return total


@pytest.mark.parametrize("criterion", LOSSES)
def test_the_tree_says_its_loss(criterion: str) -> None:
    tree, _ = grown(criterion)
    assert loss_of(tree) == LOSSES[criterion]
    assert ("loss" in tree.about) == (criterion != "squared_error")
    assert loss_of(tw.Tree.from_dict(tree.to_dict())) == LOSSES[criterion]


@pytest.mark.parametrize("criterion", LOSSES)
def test_training_risk_is_the_loss_of_the_rows(criterion: str) -> None:
    tree, table = grown(criterion)
    np.testing.assert_allclose(node_risk(tree), by_node(tree, table), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("criterion", LOSSES)
def test_other_rows_are_judged_by_the_loss(criterion: str) -> None:
    tree, _ = grown(criterion)
    other = table_of(1)
    sample = sample_of(tree, other)
    whole, here = leaf_errors(tree, sample)
    np.testing.assert_allclose(whole, by_node(tree, other), rtol=1e-9)
    np.testing.assert_allclose(node_losses(tree, sample).total, by_node(tree, other), rtol=1e-9)
    np.testing.assert_allclose(here[tree.leaf_mask], whole[tree.leaf_mask])
    assert here[~tree.leaf_mask].sum() == 0
    told = [
        by_hand(loss_of(tree), y, said)
        for y, said in zip(other.column("y")[1], tree.predict(other), strict=True)
    ]
    np.testing.assert_allclose(losses(tree, sample), told)


@pytest.mark.parametrize("criterion", LOSSES)
def test_reduced_error_pruning_never_costs_more(criterion: str) -> None:
    tree, _ = grown(criterion)
    other = table_of(2)
    pruned = tw.prune.reduced_error(tree, other)
    assert 1 <= pruned.n_leaves < tree.n_leaves
    sample = sample_of(tree, other)
    assert losses(pruned, sample).sum() <= losses(tree, sample).sum()
    whole, _ = leaf_errors(pruned, sample)
    for node in np.flatnonzero(~pruned.leaf_mask):  # no test that is left could go for nothing
        below = [i for i in range(node, pruned.end[node]) if pruned.is_leaf(i)]
        assert whole[node] > whole[below].sum()


@pytest.mark.parametrize("criterion", LOSSES)
@pytest.mark.parametrize(
    "method", ["cost_complexity", "cv", "regularised", "error_complexity", "critical_value"]
)
def test_each_method_for_numbers_takes_the_tree(criterion: str, method: str) -> None:
    table = table_of(3)
    tree = tw.grow(table, "y", criterion=criterion, min_leaf=3)
    pruned = tw.grow(table, "y", criterion=criterion, min_leaf=3, prune=method)
    assert 1 <= pruned.n_leaves <= tree.n_leaves
    assert loss_of(pruned) == LOSSES[criterion]


@pytest.mark.parametrize("criterion", LOSSES)
def test_the_weakest_link_is_priced_in_the_loss(criterion: str) -> None:
    tree, _ = grown(criterion, max_depth=1)
    path = tw.prune.cost_complexity_path(tree)
    risk = node_risk(tree) / tree.stats[0, 0]
    assert path.alpha[-1] == pytest.approx(risk[0] - risk[1] - risk[2], rel=1e-9)


def test_gaussian_entropy_may_be_pruned_by_what_it_lowers() -> None:
    tree, _ = grown("gaussian_entropy", max_depth=2)
    risk = node_risk(tree, "impurity")
    inner = np.flatnonzero(~tree.leaf_mask)
    drops = [risk[i] - sum(risk[j] for j in tree.children(i)) for i in inner]
    np.testing.assert_allclose(drops, tree.gain[inner] * tree.weights[inner], rtol=1e-6)
    np.testing.assert_allclose(node_risk(tree), tree.stats[:, 2])


@pytest.mark.parametrize("criterion", ["poisson", "absolute_error"])
def test_rows_that_stay_share_the_loss_by_weight(criterion: str) -> None:
    table = tw.Table.from_dict({"x": [1, 2, 3, 4, None, None], "y": [1.0, 1.0, 5.0, 6.0, 2.0, 4.0]})
    tree = tw.grow(table, "y", criterion=criterion, missing="surrogate", max_depth=1)
    stays = staying_risk(tree)
    assert stays[0] == pytest.approx(node_risk(tree)[0] * 2 / 6)
    assert stays[1:].tolist() == [0, 0]


def test_backfit_says_that_medians_do_not_add_up() -> None:
    tree, table = grown("absolute_error")
    with pytest.raises(ValueError, match=r"backfit adds up means and squares, .* 'absolute_error'"):
        tw.prune.reduced_error(tree, table, backfit=True)


def test_regularised_knows_the_tree_s_own_loss_only() -> None:
    tree, _ = grown("poisson")
    assert tw.prune.regularised(tree, 0.5, "poisson") == tw.prune.regularised(tree, 0.5)
    with pytest.raises(ValueError, match=r"impurity='squared_error' is not for .* use 'poisson'"):
        tw.prune.regularised(tree, 0.5, "squared_error")


# ---- told in the same words everywhere -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("criterion", "measure"),
    [("squared_error", "rmse"), ("absolute_error", "mae"), ("poisson", "poisson_deviance")],
)
def test_evaluation_is_by_the_loss_unless_asked_otherwise(criterion: str, measure: str) -> None:
    table = table_of(4)
    found = tw.evaluate.cross_validate(table, "y", criterion=criterion, folds=3, min_leaf=5)
    assert list(found.overall) == [measure, "r2"]
    tree, _ = grown(criterion)
    said = tw.evaluate.answers(tree, table)
    assert list(tw.evaluate.scores(said)) == [measure, "r2"]
    mean = float(np.mean([by_hand(loss_of(tree), y, m) for y, m in zip(said.truth, said.given, strict=True)]))
    wanted = math.sqrt(mean) if measure == "rmse" else mean
    assert tw.evaluate.scores(said)[measure].value == pytest.approx(wanted, rel=1e-12)
    curve = tw.evaluate.overfitting_curve(table, "y", criterion=criterion, points=3)
    assert curve.y_label == TITLES[loss_of(tree)]


def test_the_spread_is_in_the_unit_of_the_target() -> None:
    table = tw.Table.from_dict({"x": [1, 1, 1, 1], "y": [1.0, 2.0, 3.0, 6.0]})
    told = {c: float(spread(tw.grow(table, "y", criterion=c))[0]) for c in LOSSES}
    assert told["squared_error"] == pytest.approx(np.std([1, 2, 3, 6]))
    assert told["absolute_error"] == pytest.approx((1 + 0 + 1 + 4) / 4)
    deviance = sum(by_hand("poisson", y, 3.0) for y in (1, 2, 3, 6)) / 4
    assert told["poisson"] == pytest.approx(math.sqrt(3.0 * deviance))
    for criterion in LOSSES:
        tree = tw.grow(table, "y", criterion=criterion)
        assert f"± {told[criterion]:.3g}" in tree.to_text()
        assert tree.node(0).spread == told[criterion]
        assert tree.rules().rules[0].spread == pytest.approx(told[criterion])


def test_an_answer_of_0_is_impossible_for_an_event() -> None:
    assert row_losses("poisson", [0.0, 1.0], [0.0, 0.0]).tolist() == [0.0, math.inf]
