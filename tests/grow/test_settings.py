"""What settings do: stopping, priors and costs, budgets, significance, one's own criterion, the ledger."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

import treewright as tw
from tests.tables import table, target
from treewright import _core
from treewright.table import Table


def test_leaf_budget_grows_the_best_first() -> None:
    iris = table("iris")
    sizes = [tw.grow(iris, "class", max_leaves=n).n_leaves for n in (1, 2, 3, 5, 100)]
    full = tw.grow(iris, "class")
    assert sizes == [1, 2, 3, 5, full.n_leaves]
    roomy = tw.grow(iris, "class", max_leaves=100)
    np.testing.assert_array_equal(roomy.end, full.end)
    np.testing.assert_array_equal(roomy.cut, full.cut)
    three = tw.grow(iris, "class", max_leaves=3, ledger=True)
    assert any(record["verdict"] == "leaf_budget" for record in three.ledger or ())


def test_leaf_budget_leaves_room_for_all_branches() -> None:
    sizes = [tw.grow(table("tennis"), "PlayTennis", "id3", max_leaves=n).n_leaves for n in (2, 3, 4, 5, 6)]
    # Two leaves: Wind, the best test with two branches. Outlook needs three, Wind two, Humidity three.
    assert sizes == [2, 3, 4, 5, 6]
    two = tw.grow(table("tennis"), "PlayTennis", "id3", max_leaves=2, ledger=True)
    assert two.candidates(0)[0]["column"] == "Wind"
    assert two.why_not("Outlook") == "Outlook would need more leaves than the budget has left: gain 0.246750."


def test_majority_share_is_strict() -> None:
    rows = Table.from_dict({"x": [1.0, 2, 3, 4], "y": list("aaab")})
    assert tw.grow(rows, "y", majority_share=0.75).n_nodes > 1
    assert tw.grow(rows, "y", majority_share=0.74).n_nodes == 1


def test_min_gain_of_the_node_and_of_the_table() -> None:
    temperature = table("temperature")
    grown = {
        beta: tw.grow(temperature, "PlayTennis", criterion="entropy", min_gain=beta).n_leaves
        for beta in (0.4, 0.4591, 0.46)
    }
    assert grown == {0.4: 3, 0.4591: 3, 0.46: 1}
    # Below 54 nothing is left to do; above it three Yes and one No: 0.811278 of four rows in six, 0.540852.
    for beta, leaves in ((0.459, 3), (0.4592, 1)):
        tree = tw.grow(temperature, "PlayTennis", criterion="entropy", min_gain=beta, gain_of="table")
        assert tree.n_leaves == leaves
    rows = Table.from_dict({"a": list("xxxxyyyy"), "b": list("xyyyyyyy"), "y": list("abaabbbb")})
    # root: gini 0.25 by a; then four rows with gain 3/8 x 1/3 or so by b, halved by their share of the table
    second = tw.grow(rows, "y").gain[1]
    for factor, leaves in ((0.49, 3), (0.51, 2)):
        tree = tw.grow(rows, "y", min_gain=second * factor, gain_of="table")
        assert tree.n_leaves == leaves


def test_min_gain_for_numbers_is_in_the_unit_of_the_target() -> None:
    rows = Table.from_dict({"x": [1.0, 2.0], "y": [10.0, 30.0]})
    assert tw.grow(rows, "y", min_gain=100.0).n_leaves == 2
    assert tw.grow(rows, "y", min_gain=100.1).n_leaves == 1


@pytest.mark.parametrize(("x", "dof"), [(3.5467, 2), (0.1, 1), (50, 7), (1e-9, 3), (700, 30), (12, 1000)])
def test_chi_square_tail(x: float, dof: float) -> None:
    assert _core.chi_square_tail(x, dof) == pytest.approx(stats.chi2.sf(x, dof), rel=1e-10)


@pytest.mark.parametrize("cells", [(3, 1, 1, 3), (10, 2, 3, 15), (0, 5, 5, 0), (8, 0, 2, 9)])
def test_fisher(cells: tuple[int, int, int, int]) -> None:
    a, b, c, d = cells
    assert _core.fisher_p_value(*map(float, cells)) == pytest.approx(
        stats.fisher_exact([[a, b], [c, d]]).pvalue, rel=1e-9
    )


def test_fisher_on_large_tables_ends() -> None:
    cells = (300_000.0, 200_000.0, 250_000.0, 249_000.0)
    assert _core.fisher_p_value(*cells) == pytest.approx(0, abs=1e-300)
    assert _core.fisher_p_value(500_000.0, 500_100.0, 500_050.0, 500_000.0) == pytest.approx(
        0.916655, abs=1e-5
    )
    rows = Table.from_dict({"x": list("aaab"), "y": list("nnyy")})
    weights = np.array([1e12, 1e12, 1e12, 1e12])
    tree = tw.grow(rows, "y", significance=0.5, significance_test="fisher", weights=weights)
    assert tree.n_leaves == 2


def test_significance_on_tennis() -> None:
    """Pearson's statistic of Outlook is 3.5467 on two degrees of freedom: p = 0.1698."""
    tree = tw.grow(table("tennis"), "PlayTennis", "id3", significance=0.17, ledger=True)
    p_values = {c["column"]: c["p_value"] for c in tree.candidates(0)}
    wanted = {"Outlook": (3.5467, 2), "Humidity": (2.8, 1), "Wind": (0.9333, 1), "Temperature": (0.5704, 2)}
    for column, (statistic, dof) in wanted.items():
        assert p_values[column] == pytest.approx(stats.chi2.sf(statistic, dof), abs=2e-5)
    assert tree.candidates(0)[0]["column"] == "Outlook"
    assert tw.grow(table("tennis"), "PlayTennis", "id3", significance=0.05).n_nodes == 1
    assert "could be chance" in tree.why_not("Wind")


def test_fisher_takes_the_place_of_chi_square_on_two_by_two() -> None:
    rows = Table.from_dict({"x": list("aaaabbbb"), "y": list("nnnyyyyn")})
    tree = tw.grow(rows, "y", significance=1 - 1e-9, significance_test="fisher", ledger=True)
    assert tree.candidates(0)[0]["p_value"] == pytest.approx(stats.fisher_exact([[3, 1], [1, 3]]).pvalue)


def test_priors_and_costs_decide_labels_and_splits() -> None:
    rows = Table.from_dict({"x": [1.0] * 4 + [2.0] * 4, "y": list("aaab" + "aabb")})
    plain = tw.grow(rows, "y", max_depth=1)
    assert plain.predict(rows).tolist() == ["a"] * 8
    costly = tw.grow(rows, "y", max_depth=1, costs={"b": {"a": 5}})
    assert costly.predict(rows).tolist() == ["b"] * 8
    prior = tw.grow(rows, "y", max_depth=1, priors={"a": 0.2, "b": 0.8})
    assert prior.predict_proba(rows)[0] == pytest.approx(
        [0.2 * 3 / 5, 0.8 / 3] / np.sum([0.2 * 3 / 5, 0.8 / 3])
    )
    assert prior.predict(rows).tolist() == ["b"] * 8


def test_altered_priors_weigh_rows_in_the_score() -> None:
    """With two classes the altered priors score exactly as class weights would."""
    whole = table("kyphosis")
    costs = {"present": {"absent": 4}, "absent": {"present": 1}}
    by_costs = tw.grow(whole, "Kyphosis", "cart", costs=costs)
    weighted = tw.grow(whole, "Kyphosis", "cart", class_weight={"present": 4, "absent": 1})
    np.testing.assert_array_equal(by_costs.column, weighted.column)
    np.testing.assert_allclose(by_costs.cut, weighted.cut)
    np.testing.assert_allclose(by_costs.score, weighted.score, rtol=1e-9)


def test_balanced_class_weights() -> None:
    tree = tw.grow(table("kyphosis"), "Kyphosis", class_weight="balanced", max_depth=0)
    assert tree.stats[0] == pytest.approx([40.5, 40.5])


class GaussianEntropy:
    """A criterion from outside: the fall in entropy of normal leaves, with a floor under the variance."""

    name = "gaussian_entropy"

    def __call__(self, left: Any, right: Any) -> Any:
        """Return one score per cut; columns are weight, sum and sum of squares."""

        def bits(part: Any) -> Any:
            weight, total, squares = part.T
            return weight * np.log(np.maximum(squares / weight - (total / weight) ** 2, 1e-9)) / 2

        return (bits(left + right) - bits(left) - bits(right)) / (left + right)[:, 0]


def gini_outside(left: Any, right: Any) -> Any:
    """Score all cuts by Gini, the way a user would write it."""

    def impurity(part: Any) -> Any:
        total = part.sum(axis=1)
        return total - (part**2).sum(axis=1) / total

    whole = left + right
    return (impurity(whole) - impurity(left) - impurity(right)) / whole.sum(axis=1)


@pytest.mark.parametrize("name", ["iris", "labor", "credit_g"])
def test_a_criterion_of_ones_own_equals_the_built_in_one(name: str) -> None:
    ours = tw.grow(table(name), target(name), max_depth=3)
    own = tw.grow(table(name), target(name), max_depth=3, criterion=gini_outside)
    assert own.about["criterion"] == "gini_outside"
    inner = [np.sort(tree.score[tree.column >= 0]) for tree in (own, ours)]  # sides may be swapped
    np.testing.assert_allclose(*inner, rtol=1e-9)


def test_a_criterion_of_ones_own_for_numbers() -> None:
    tree = tw.grow(table("abalone"), "Rings", criterion=GaussianEntropy(), max_depth=3, min_leaf=20)
    assert tree.about["criterion"] == "gaussian_entropy"
    weight, _, squares = tree.stats[[0, *tree.children(0)]].T
    bits = weight * np.log(squares / weight) / 2
    assert tree.score[0] == pytest.approx((bits[0] - bits[1:].sum()) / weight[0], rel=1e-6)


def squared_error_outside(left: Any, right: Any) -> Any:
    """Score all cuts by squared error, the way a user would write it."""
    gained = [part[:, 1] ** 2 / part[:, 0] for part in (left, right, left + right)]
    return (gained[0] + gained[1] - gained[2]) / (left + right)[:, 0]


def test_numbers_reach_ones_own_criterion_in_their_own_unit() -> None:
    ours = tw.grow(table("abalone"), "Rings", max_depth=2)
    own = tw.grow(table("abalone"), "Rings", max_depth=2, criterion=squared_error_outside)
    np.testing.assert_allclose(own.score[own.column >= 0], ours.score[ours.column >= 0], rtol=1e-9)
    assert tw.grow(table("abalone"), "Rings", criterion=squared_error_outside, min_gain=3.5).n_leaves == 1


def test_priors_with_ones_own_criterion_are_refused() -> None:
    with pytest.raises(ValueError, match="priors and costs would not reach it"):
        tw.grow(table("kyphosis"), "Kyphosis", criterion=gini_outside, priors=[0.5, 0.5])


@pytest.mark.parametrize(
    ("criterion", "words"),
    [(lambda left, right: [1.0], "returned 1 score for"), (lambda left, right: 1 / 0, "division by zero")],
)
def test_a_broken_criterion_says_so(criterion: Any, words: str) -> None:
    with pytest.raises((ValueError, ZeroDivisionError), match=words):
        tw.grow(table("iris"), "class", criterion=criterion)


def test_a_criterion_that_allows_nothing_grows_nothing() -> None:
    """By -inf; nothing but NaN is refused since issue 14, item 5 (tests/grow/test_outside.py)."""
    tree = tw.grow(table("iris"), "class", criterion=lambda left, right: np.full(len(left), -np.inf))
    assert tree.n_nodes == 1


def test_ledger_answers_for_every_verdict_met() -> None:
    tree = tw.grow(table("crx"), target("crx"), "c4.5", ledger=True)
    met = set()
    for node in range(tree.n_nodes):
        for record in tree.candidates(node):
            met.add(record["verdict"])
            assert record["column"] in tree.why_not(record["column"], node)
    assert {"chosen", "lower_score", "below_average_gain", "used_above", "one_value", "collapsed"} <= met
    leaf = int(tree.leaf_ids[0])
    assert isinstance(tree.why_not("A9", leaf), str)
    with pytest.raises(KeyError, match="A99"):
        tree.why_not("A99")


def test_ledger_is_off_by_default_and_says_so() -> None:
    tree = tw.grow(table("tennis"), "PlayTennis", "id3")
    assert tree.ledger is None
    with pytest.raises(ValueError, match="ledger=True"):
        tree.candidates(0)


def test_numeric_columns_in_multiway_recipes_are_cut() -> None:
    tree = tw.grow(table("iris"), "class", "id3", numeric="cut", min_leaf=5)
    assert tree.kind[0] == 1


def test_random_cuts_are_tests_of_the_form_asked_for() -> None:
    rows = Table.from_dict({"c": list("abcdefgh") * 4, "x": np.arange(32.0), "y": list("ppqqpqpq") * 4})
    lefts = set()
    for seed in range(40):
        tree = tw.grow(rows.drop(["x"]), "y", splits="one_vs_rest", cuts="random", max_depth=1, seed=seed)
        sides = np.bincount(tree.code_branch[: tree.code_start[1]], minlength=2)
        assert sorted(sides.tolist()) == [1, 7]
        lefts.add(int(np.flatnonzero(tree.code_branch[: tree.code_start[1]] == 0)[0]))
    assert len(lefts) > 5
    cuts = np.array(
        [tw.grow(rows.drop(["c"]), "y", cuts="random", max_depth=1, seed=s).cut[0] for s in range(300)]
    )
    assert ((cuts >= 0) & (cuts < 31)).all()
    assert np.quantile(cuts, [0.25, 0.5, 0.75]) == pytest.approx([7.75, 15.5, 23.25], abs=3)
