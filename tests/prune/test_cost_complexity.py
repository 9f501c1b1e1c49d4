"""The weakest-link path: against the textbook's loop, every pruning, scikit-learn; and the choice from it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import treewright as tw
from tests.amount import at_most
from tests.oracle.prune import n_prunings, prunings, weakest_link_path
from tests.prune.cases import noisy, overgrown
from tests.tables import table, target
from treewright.prune import cost_complexity, cost_complexity_path, cross_validated, sample_of, validated
from treewright.prune.folds import folds_of
from treewright.prune.risk import node_risk, total_weight

QUIET = settings(max_examples=at_most(25, 60), deadline=None)
seeds = st.integers(0, 2**32 - 1)
RISKS = ["error", "impurity"]


def shares(kind: str) -> Any:
    return lambda tree: node_risk(tree, kind) / total_weight(tree)


@QUIET
@given(seeds, st.integers(2, 40), st.booleans(), st.sampled_from(RISKS), st.sampled_from(["plain", "c4.5"]))
def test_the_path_is_that_of_the_loop(seed: int, n: int, is_classifier: bool, risk: str, recipe: str) -> None:
    assume(is_classifier or recipe == "plain")
    tree = overgrown(noisy(seed, n, is_classifier=is_classifier), recipe=recipe)
    path = cost_complexity_path(tree, risk)
    loop = weakest_link_path(tree, shares(risk))
    assert path.n_leaves.tolist() == [leaves for _, leaves, _ in loop]
    np.testing.assert_allclose(path.alpha, [alpha for alpha, _, _ in loop], atol=1e-12)
    np.testing.assert_allclose(path.risk, [cost for _, _, cost in loop], atol=1e-12)
    for alpha, n_leaves in zip(path.alpha, path.n_leaves, strict=True):
        assert path.tree_at(alpha).n_leaves == n_leaves


@QUIET
@given(seeds, st.integers(2, 14), st.sampled_from(RISKS), st.floats(0, 0.4))
def test_it_is_the_smallest_pruning_of_least_cost(seed: int, n: int, risk: str, alpha: float) -> None:
    tree = overgrown(noisy(seed, n))
    assume(n_prunings(tree) < 3000)
    cost = shares(risk)(tree)
    every = [(sum(cost[i] for i in leaves) + alpha * len(leaves), len(leaves)) for leaves in prunings(tree)]
    least = min(price for price, _ in every)
    path = cost_complexity_path(tree, risk)
    found = path.tree_at(alpha)
    assert shares(risk)(found)[found.leaf_ids].sum() + alpha * found.n_leaves == pytest.approx(
        least, abs=1e-12
    )
    if np.abs(path.alpha - alpha).min() > 1e-9:
        assert found.n_leaves == min(size for price, size in every if price <= least + 1e-12)


@QUIET
@given(seeds, st.integers(2, 60), st.booleans(), st.sampled_from(RISKS))
def test_trees_are_nested(seed: int, n: int, is_classifier: bool, risk: str) -> None:
    tree = overgrown(noisy(seed, n, is_classifier=is_classifier))
    path = cost_complexity_path(tree, risk)
    assert path.alpha[0] == 0
    assert (np.diff(path.alpha) > 0).all()
    assert (np.diff(path.n_leaves) < 0).all()
    assert (np.diff(path.risk) > -1e-12).all()
    parent = tree.parents
    assert (path.price[1:] <= path.price[parent[1:]]).all()  # nobody outlives the node above
    first = path.tree_at(path.alpha[0])
    for alpha in path.alpha:
        assert cost_complexity(first, float(alpha), risk=risk) == path.tree_at(alpha)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("n_rows", [150, 3000, 10_000])
def test_scikit_learns_path_for_classes(criterion: str, n_rows: int) -> None:
    """Of the same tree: scikit-learn settles ties in another way, so its tree is taken over as it is."""
    rng = np.random.default_rng(n_rows)
    X = rng.normal(size=(n_rows, 4))
    y = (X[:, 0] + rng.normal(size=n_rows) > 0).astype(int) + (X[:, 1] > 1)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    ours = taken_over(theirs.tree_, criterion)
    assert ours.n_leaves == theirs.get_n_leaves()
    assert_same_path(theirs.cost_complexity_pruning_path(X, y), ours)


def taken_over(theirs: Any, criterion: str) -> tw.Tree:
    """Return a tree of scikit-learn, which numbers its nodes in preorder too."""
    n = theirs.node_count
    leaf = theirs.children_left < 0
    end = np.arange(1, n + 1, dtype=np.int32)
    for i in range(n - 1, -1, -1):
        if not leaf[i]:
            end[i] = end[theirs.children_right[i]]
    weight = theirs.weighted_n_node_samples[:, None]
    stats = np.rint(theirs.value[:, 0, :] * weight)
    return tw.Tree(
        schema=tw.Schema(tuple(tw.Column(f"x{i}", tw.Kind.numeric) for i in range(theirs.n_features))),
        target=tw.Column("y", tw.Kind.nominal, tuple(map(str, range(stats.shape[1])))),
        end=end,
        column=np.where(leaf, -1, theirs.feature).astype(np.int32),
        kind=np.where(leaf, 0, 1).astype(np.uint8),
        cut=np.where(leaf, np.nan, theirs.threshold),
        missing=np.full(n, -1, dtype=np.int32),
        largest=np.where(leaf, -1, 0).astype(np.int32),
        code_start=np.zeros(n + 1, dtype=np.int64),
        code=np.zeros(0, dtype=np.int32),
        code_branch=np.zeros(0, dtype=np.int32),
        score=np.full(n, np.nan),
        gain=np.full(n, np.nan),
        exact=np.ones(n, dtype=bool),
        n_rows=stats.sum(axis=1).astype(np.int64),
        stats=stats,
        label=stats.argmax(axis=1).astype(np.int32),
        about={"criterion": criterion},
    )


def test_scikit_learns_path_for_numbers_and_weights() -> None:
    rng = np.random.default_rng(5)
    X = rng.normal(size=(400, 3))
    y = X[:, 0] ** 2 + rng.normal(size=400)
    weight = rng.integers(1, 4, 400)
    theirs = DecisionTreeRegressor(random_state=0)
    ours = tw.DecisionTreeRegressor().fit(X, y, sample_weight=weight).tree_
    assert_same_path(theirs.cost_complexity_pruning_path(X, y, sample_weight=weight), ours)


def assert_same_path(theirs: Any, ours: tw.Tree) -> None:
    """Of equal alphas scikit-learn gives one row a node; the last of them is the tree when all have gone."""
    alpha, risk = np.asarray(theirs.ccp_alphas), np.asarray(theirs.impurities)
    last = np.append(np.diff(alpha) > 1e-13, True)
    path = cost_complexity_path(ours, "impurity")
    np.testing.assert_allclose(path.alpha, np.maximum(alpha[last], 0.0), atol=1e-12, rtol=0)
    np.testing.assert_allclose(path.risk, risk[last], atol=1e-12, rtol=0)


def test_kyphosis() -> None:
    """rpart's saved output: cp 0.17647059 (0 splits, error 1), 0.01960784 (1, 0.8235294), (4, 0.7647059)."""
    path = cost_complexity_path(tw.grow(table("kyphosis"), "Kyphosis", "cart", prune="none"))
    assert (path.n_leaves - 1).tolist()[-3:] == [4, 1, 0]
    relative = path.alpha / path.root_risk
    assert relative[-2:].round(8).tolist() == [0.01960784, 0.17647059]
    assert (path.risk / path.root_risk).round(7).tolist()[-3:] == [0.7647059, 0.8235294, 1.0]


# ---- the choice ------------------------------------------------------------------------------------------


def test_one_standard_error_is_the_smallest_within_it() -> None:
    rows = noisy(1, 300)
    tree = overgrown(rows)
    judged = cross_validated(tree, rows, folds=5)
    best = judged.error.argmin()
    within = judged.error <= judged.error[best] + judged.standard_error[best]
    assert judged.choice().n_leaves == judged.path.n_leaves[within].min()
    assert (
        judged.choice(one_se=False).n_leaves == judged.path.n_leaves[judged.error == judged.error.min()].min()
    )


def test_cross_validated_errors_are_those_of_trees_grown_without_the_fold() -> None:
    rows = noisy(2, 120)
    tree = overgrown(rows, min_leaf=3)
    fold = np.arange(120) % 4
    judged = cross_validated(tree, rows, folds=fold)
    alpha = judged.path.alpha
    between = [*np.sqrt(alpha[:-1] * alpha[1:]), np.inf]
    for price, error, standard in zip(between, judged.error, judged.standard_error, strict=True):
        wrong = []
        for f in range(4):
            part = overgrown(rows.take(fold != f), min_leaf=3)
            smaller = cost_complexity(part, price) if np.isfinite(price) else part.collapse(0)
            out = rows.take(fold == f)
            wrong.extend(smaller.predict(out) != out.labels("y"))
        loss = np.array(wrong, dtype=float)
        assert error == pytest.approx(loss.mean(), abs=1e-12)
        assert standard == pytest.approx(np.sqrt((loss**2).sum() - loss.sum() ** 2 / 120) / 120, abs=1e-12)


def test_regression_losses_too() -> None:
    rows = noisy(3, 90, is_classifier=False, gaps=True)
    tree = overgrown(rows, min_leaf=2)
    fold = np.arange(90) % 3
    judged = cross_validated(tree, rows, folds=fold)
    out = (
        rows.column("y")[1] - np.array([rows.take(fold != f).column("y")[1].mean() for f in range(3)])[fold]
    )  # the root alone answers with the mean of the others
    assert judged.error[-1] == pytest.approx((out**2).mean())


def test_validation_standard_error() -> None:
    rows, others = noisy(4, 200), noisy(5, 80)
    judged = validated(cost_complexity_path(overgrown(rows)), others)
    e = judged.error
    np.testing.assert_allclose(judged.standard_error, np.sqrt(e * (1 - e) / 80), atol=1e-12)
    for alpha, error in zip(judged.path.alpha, e, strict=True):
        smaller = judged.path.tree_at(alpha)
        assert error == pytest.approx((smaller.predict(others) != others.labels("y")).mean())
    assert cost_complexity(judged.path.tree, validation=others) == judged.choice()


def test_folds_are_stratified_keyed_and_may_be_a_column() -> None:
    rows = noisy(6, 101)
    tree = overgrown(rows)
    sample = sample_of(tree, rows)
    fold = folds_of(tree, sample, 10, seed=3)
    assert np.ptp(np.bincount(fold)) <= 1
    for c in range(3):
        assert np.ptp(np.bincount(fold[sample.answers == c], minlength=10)) <= 1
    assert (fold == folds_of(tree, sample, 10, seed=3)).all()
    assert (fold != folds_of(tree, sample, 10, seed=4)).any()
    with_column = tw.Table(
        tw.Schema((*rows.schema.columns, tw.Column("part", tw.Kind.numeric))),
        (*rows.values, fold.astype(np.float64)),
    )
    same = cross_validated(tree, rows, folds=fold).error
    assert (cross_validated(tree, with_column, folds="part").error == same).all()
    features = with_column.drop(["part"])
    method = tw.prune.CostComplexity(folds=fold)
    assert (
        tw.grow(features, "y", prune=method).n_leaves
        == cost_complexity(tree, table=rows, folds=fold).n_leaves
    )


def test_threads_and_progress() -> None:
    rows = noisy(7, 200)
    tree = overgrown(rows)
    told: list[float] = []
    one = cross_validated(tree, rows, n_jobs=1, progress=told.append)
    two = cross_validated(tree, rows, n_jobs=2)
    assert (one.error == two.error).all()
    assert told == pytest.approx([i / 10 for i in range(1, 11)])
    told.clear()
    tw.grow(rows, "y", prune="cv", progress=told.append)
    assert told[-1] == 1


def test_priors_costs_and_weights_are_those_of_growing() -> None:
    rows = noisy(8, 120)
    costs = {"a": {"b": 5.0}}
    priors = {"a": 0.2, "b": 0.5, "c": 0.3}
    tree = overgrown(rows, priors=priors, costs=costs, min_leaf=5)
    path = cost_complexity_path(tree)
    assert (np.diff(path.alpha) > 0).all()
    judged = cross_validated(tree, rows, folds=4)
    grown = tw.grow(rows, "y", priors=priors, costs=costs, min_leaf=5, prune=tw.prune.CostComplexity(folds=4))
    assert judged.choice().n_leaves == grown.n_leaves


def test_what_is_refused() -> None:
    rows = noisy(9, 30)
    tree = overgrown(rows)
    with pytest.raises(ValueError, match="needs one of: alpha; validation"):
        cost_complexity(tree)
    with pytest.raises(ValueError, match="alpha=-1 must be a number of at least 0"):
        cost_complexity(tree, -1)
    with pytest.raises(ValueError, match="risk='gini' is not one of 'error', 'impurity'"):
        cost_complexity_path(tree, "gini")
    with pytest.raises(ValueError, match="folds has the shape"):
        cross_validated(tree, rows, folds=[1, 2])
    with pytest.raises(ValueError, match="all rows into one fold"):
        cross_validated(tree, rows, folds=[1] * 30)
    with pytest.raises(ValueError, match="has no column 'y', which the tree predicts"):
        cost_complexity(tree, validation=rows.drop(["y"]))


# ---- how the tree is chosen --------------------------------------------------------------------------


def judged_once(seed: int, **more: Any) -> Any:
    rows = table("stagec")
    return cross_validated(tw.grow(rows, target("stagec")), rows, seed=seed, **more)


def test_folds_dealt_again_are_averaged_and_the_spread_stays_that_of_one_dealing() -> None:
    single = [judged_once(seed) for seed in (4, 5, 6)]
    found = judged_once(4, repeats=3)
    np.testing.assert_allclose(found.error, np.mean([each.error for each in single], axis=0), rtol=1e-12)
    # Losses of classes are 0 or 1, so their squares add up to the same as they do.
    n = table("stagec").n_rows
    np.testing.assert_allclose(found.standard_error, np.sqrt(found.error * (1 - found.error) / n), rtol=1e-9)


def test_given_folds_are_used_once() -> None:
    fold = np.arange(table("stagec").n_rows) % 4
    np.testing.assert_array_equal(
        judged_once(0, folds=fold, repeats=3).error, judged_once(0, folds=fold).error
    )


def test_the_smallest_tree_within_some_standard_errors() -> None:
    judged = judged_once(1)
    for width in (0.0, 0.25, 0.5, 1.0, 3.0, 1e9):
        best = int(np.flatnonzero(judged.error <= judged.error.min() + 1e-12)[-1])
        bound = judged.error[best] + width * judged.standard_error[best] + 1e-12
        assert judged.chosen(width) == np.flatnonzero(judged.error <= bound)[-1]
    assert judged.chosen(True) == judged.chosen(1.0)
    assert judged.chosen(False) == judged.chosen(0.0)
    assert judged.chosen(1e9) == len(judged.error) - 1


def test_cv_is_half_a_standard_error_and_cart_one() -> None:
    # docs/pruning_study.md; cart keeps to rpart.
    assert tw.prune.find("cv") == tw.prune.CostComplexity(one_se=0.5)
    assert tw.prune.find("cost_complexity") == tw.prune.CostComplexity(repeats=1, one_se=1.0)
    rows, goal = table("stagec"), target("stagec")
    tree = tw.grow(rows, goal)
    wanted = cross_validated(tree, rows).choice(0.5)
    found = tw.grow(rows, goal, prune="cv")
    assert found.n_leaves == wanted.n_leaves
    assert found.about["prune"] == "cost_complexity(one_se=0.5)"
    cart = tw.grow(rows, goal, "cart", prune="none")
    kept = tw.grow(rows, goal, "cart")
    assert (kept.n_leaves, kept.about["prune"]) == (
        cross_validated(cart, rows).choice().n_leaves,
        "cost_complexity",
    )


@pytest.mark.parametrize(
    "option", [{"one_se": -0.1}, {"one_se": "0.5"}, {"one_se": None}, {"one_se": np.nan}]
)
def test_widths_that_cannot_be(option: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"one_se=.* must be True, False or a number of standard errors"):
        tw.prune.CostComplexity(**option)


@pytest.mark.parametrize("repeats", [0, -1, 1.5, True, "5", None])
def test_repeats_that_cannot_be(repeats: Any) -> None:
    with pytest.raises(ValueError, match=r"repeats=.* must be a whole number of at least 1"):
        judged_once(0, repeats=repeats)


@pytest.mark.parametrize(
    ("recipe", "words"), [("plain", "cost_complexity(one_se=0.5)"), ("cart", "cost_complexity")]
)
def test_tests_on_several_columns_are_pruned_by_default(recipe: str, words: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=(120, 3))
    y = np.where((x[:, 0] + x[:, 1] > 0) ^ (rng.random(120) < 0.15), "a", "b")
    rows = tw.Table.from_dict({"u": x[:, 0], "v": x[:, 1], "w": x[:, 2], "y": y.tolist()})
    pruned = tw.grow(rows, "y", recipe, splits="linear")
    assert pruned.about["prune"] == words
    unpruned = tw.grow(rows, "y", recipe, splits="linear", prune="none")
    assert "prune" not in unpruned.about
    assert pruned.n_leaves < unpruned.n_leaves
    assert "prune" not in tw.grow(rows, "y").about
    model = tw.DecisionTreeClassifier(recipe=recipe, splits="linear").fit(x, y)
    assert model.tree_.about["prune"] == words
