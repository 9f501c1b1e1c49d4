"""Model trees: every node holds the model that its rows give, and answers with it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.grow.test_invariance import with_target
from tests.oracle.strategies import Problem, problems
from tests.tables import table, target
from treewright.tree.fields import FIELDS

QUIET = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def broken_line(n: int = 200) -> tw.Table:
    """Return y = 2 a up to a = 5 and 20 - 3 a above, beside a column of noise and one of words."""
    rng = np.random.default_rng(0)
    a, noise = rng.uniform(0, 10, n), rng.uniform(0, 1, n)
    y = np.where(a <= 5, 2 * a, 20 - 3 * a)
    return tw.Table.from_dict(
        {"a": a, "noise": noise, "word": rng.choice(["u", "v", "w"], n).tolist(), "y": y}
    )


def two_clouds(n: int = 200) -> tw.Table:
    """Return two classes that a plane almost tells apart, on either side of a step in c."""
    rng = np.random.default_rng(1)
    a, b, c = rng.normal(size=(3, n))
    lean = np.where(c > 0, a + b, a - b) + 0.3 * rng.normal(size=n)
    return tw.Table.from_dict({"a": a, "b": b, "c": c, "y": np.where(lean > 0, "p", "q").tolist()})


def rows_at(tree: Any, whole: tw.Table) -> list[Any]:
    """Return which rows of a table pass each node."""
    leaf = tree.leaves(whole)
    return [np.flatnonzero((leaf >= i) & (leaf < tree.end[i])) for i in range(tree.n_nodes)]


def test_a_broken_line_takes_few_leaves():
    whole = broken_line()
    y = whole.column("y")[1]
    plain = tw.grow(whole, "y", min_leaf=10, prune=tw.prune.CostComplexity(alpha=1e-3))
    tree = tw.grow(whole, "y", leaves="linear", min_leaf=10, prune=tw.prune.CostComplexity(alpha=1e-3))
    assert 2 * tree.n_leaves <= plain.n_leaves
    assert ((tree.predict(whole) - y) ** 2).mean() < 0.5 * ((plain.predict(whole) - y) ** 2).mean()
    assert "20 - 3 a" in tree.to_text()


def test_every_node_holds_the_least_squares_fit_of_its_rows():
    whole = table("abalone").take(range(400))
    goal = target("abalone")
    tree = tw.grow(whole, goal, leaves="linear", min_leaf=30)
    y = whole.column(goal)[1]
    values = whole.drop(goal).values
    for node, rows in enumerate(rows_at(tree, whole)):
        span = slice(int(tree.model_start[node]), int(tree.model_start[node + 1]))
        used = tree.model_column[span]
        assert len(used) <= 8
        design = np.column_stack([*(values[c][rows] for c in used), np.ones(len(rows))])
        best, *_ = np.linalg.lstsq(design, y[rows], rcond=None)
        least = ((y[rows] - design @ best) ** 2).sum()
        mine = design @ np.append(tree.model_weight[span][:, 0], tree.model_bias[node, 0])
        loss = ((y[rows] - mine) ** 2).sum()
        assert loss == pytest.approx(tree.model_loss[node], rel=1e-9)
        assert loss == pytest.approx(least, rel=1e-4)  # a whiff of ridge
        # No column whose going would lower the adjusted error (n + v) / (n - v) x loss.
        n, v = len(rows), len(used) + 1
        for k in range(len(used)):
            fewer = np.delete(design, k, axis=1)
            rest = ((y[rows] - fewer @ np.linalg.lstsq(fewer, y[rows], rcond=None)[0]) ** 2).sum()
            assert loss * (n + v) / (n - v) <= rest * (n + v - 1) / (n - v + 1) * (1 + 1e-4)


def test_the_logistic_loss_is_that_of_the_predictions():
    for whole, goal in ((two_clouds(), "y"), (table("iris"), target("iris"))):
        tree = tw.grow(whole, goal, leaves="logistic", min_leaf=20)
        truth = whole.labels(goal)
        for node, rows in enumerate(rows_at(tree, whole)):
            leaf = tree.collapse(node)
            wrong = leaf.predict(whole.take(rows)) != truth[rows]
            assert wrong.sum() == pytest.approx(tree.model_loss[node])
        chances = tree.predict_proba(whole)
        np.testing.assert_allclose(chances.sum(axis=1), 1.0)
        assert (chances.argmax(axis=1) == [tree.classes.index(c) for c in tree.predict(whole)]).all()


def test_models_help():
    whole = two_clouds(600)
    rows, fresh = whole.take(range(400)), whole.take(range(400, 600))
    more = {"recipe": "cart"}
    plain, models = (tw.grow(rows, "y", leaves=leaves, **more) for leaves in ("constant", "logistic"))
    right = [(tree.predict(fresh) == fresh.labels("y")).mean() for tree in (plain, models)]
    assert right[1] > right[0]
    shells = table("abalone")
    rows, fresh, goal = (
        shells.take(range(0, 3000, 3)),
        shells.take(range(3000, shells.n_rows)),
        target("abalone"),
    )
    losses = []
    for leaves in ("constant", "linear"):
        tree = tw.grow(rows, goal, leaves=leaves, **more)
        losses.append(((tree.predict(fresh) - fresh.column(goal)[1]) ** 2).mean())
    assert losses[1] < 0.95 * losses[0]


def test_a_gap_or_an_unseen_rank_gets_the_answer_of_the_node():
    whole = broken_line()
    tree = tw.grow(whole, "y", leaves="linear", max_depth=0)
    gap = tw.Table.from_dict({"a": [float("nan"), 1.0], "noise": [0.5, 0.5], "word": ["u", "u"]})
    found = tree.predict(gap)
    assert found[0] == pytest.approx(float(tree.stats[0, 1]))
    assert found[1] != found[0]
    clouds = two_clouds()
    logistic = tw.grow(clouds, "y", leaves="logistic", max_depth=0)
    silent = tw.Table.from_dict({"a": [float("nan")], "b": [0.0], "c": [0.0]})
    np.testing.assert_allclose(logistic.predict_proba(silent)[0], logistic.stats[0] / logistic.stats[0].sum())
    assert logistic.predict(silent)[0] == logistic.classes[logistic.label[0]]


def test_endless_numbers_get_the_answer_of_the_node():
    far = tw.Table.from_dict({"x": [np.inf, -np.inf]})
    bits = tw.Table.from_dict({"x": [float(i) for i in range(8)], "y": list("aaabbabb")})
    logistic = tw.grow(bits, "y", leaves="logistic", max_depth=0)
    np.testing.assert_array_equal(logistic.predict_proba(far), [[0.5, 0.5], [0.5, 0.5]])
    assert logistic.predict(tw.Table.from_dict({"x": [1e308, -1e308]})).tolist() == ["b", "a"]
    double = tw.Table.from_dict({"x": [1.0, 2.0, 3.0, 4.0], "y": [2.0, 4.0, 6.0, 8.0]})
    linear = tw.grow(double, "y", leaves="linear", max_depth=0)
    assert linear.predict(far).tolist() == [5.0, 5.0]
    assert linear.predict(tw.Table.from_dict({"x": [1e308]})).tolist() == [5.0]


def gappy_line(n: int = 300) -> tw.Table:
    """Return y = 2 a where a is known, else 7, beside noise that has gaps that tell nothing."""
    rng = np.random.default_rng(3)
    a, noise = rng.uniform(0, 10, n), rng.uniform(0, 1, n)
    y = 2 * a + 0.1 * rng.normal(size=n)
    is_gap = rng.random(n) < 0.2
    y[is_gap] = 7 + 0.1 * rng.normal(size=int(is_gap.sum()))
    a[is_gap], noise[rng.random(n) < 0.1] = np.nan, np.nan
    return tw.Table.from_dict({"a": a, "noise": noise, "y": y})


def test_a_column_with_gaps_has_its_mean_and_what_gaps_add(tmp_path):
    """By least squares on a with its mean in place of gaps, and 1 where there is one."""
    whole = gappy_line()
    tree = tw.grow(whole, "y", leaves="linear", max_depth=0)
    a, y = whole.column("a")[1], whole.column("y")[1]
    is_gap = np.isnan(a)
    filled = np.where(is_gap, a[~is_gap].mean(), a)
    design = np.column_stack([np.ones(len(y)), filled, is_gap])
    fitted = design @ np.linalg.lstsq(design, y, rcond=None)[0]
    assert tree.schema.names[tree.model_column[0]] == "a"
    assert tree.has_gap_terms
    np.testing.assert_allclose(tree.predict(whole), fitted, atol=0.1)
    assert ((tree.predict(whole) - y) ** 2).mean() < 0.02
    assert float(tree.model_loss[0]) == pytest.approx(((tree.predict(whole) - y) ** 2).sum())
    assert "if missing)" in tree.to_text()
    tree.save(tmp_path / "gaps.treewright")
    assert tw.load(tmp_path / "gaps.treewright") == tree
    assert tree.to_dict()["version"] == 6
    assert tw.export.FORMATS["sql"].reason_against(tree) is None
    assert "no word for models that count missing values" in str(
        tw.export.FORMATS["excel"].reason_against(tree)
    )
    found = tree.explain({"a": None, "noise": 0.5})
    assert found.prediction == pytest.approx(7, abs=0.2)
    assert found.models[0].is_used


def test_classes_by_a_column_with_gaps():
    rng = np.random.default_rng(4)
    a = rng.normal(size=300)
    label = np.where(a > 0, "p", "q")
    a[rng.random(300) < 0.3] = np.nan
    label[np.isnan(a)] = "p"
    whole = tw.Table.from_dict({"a": a, "b": rng.normal(size=300), "y": label.tolist()})
    tree = tw.grow(whole, "y", leaves="logistic", max_depth=0)
    assert tree.has_gap_terms
    assert (tree.predict(whole) == label).mean() > 0.97
    assert tree.predict(tw.Table.from_dict({"a": [np.nan], "b": [0.0]}))[0] == "p"


@pytest.mark.parametrize("name", ["cu_summary"])
def test_a_real_table_with_gaps_gets_its_models(name: str):
    whole = table(name)
    goal = target(name)
    tree = tw.grow(whole, goal, "cart", leaves="linear", min_leaf=15)
    sizes = np.diff(tree.model_start)
    assert (sizes[tree.leaf_mask] > 0).all()


@QUIET
@given(problems(weights=("ones", "integers"), max_rows=30), st.randoms())
def test_any_table_any_order(problem: Problem, chance: Any):
    whole = with_target(problem)
    leaves = "logistic" if problem.n_classes else "linear"
    order = list(range(whole.n_rows))
    chance.shuffle(order)
    tree = tw.grow(whole, "y", leaves=leaves, weights=problem.weights, min_leaf=4)
    again = tw.grow(whole.take(order), "y", leaves=leaves, weights=problem.weights[order], min_leaf=4)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(tree, name), getattr(again, name), err_msg=name)
    said = tree.predict(whole)
    if not problem.n_classes:
        assert np.isfinite(said).all()
    assert tw.Tree.from_dict(tree.to_dict()) == tree
    # Where nobody has a column, the tree answers as it would without models.
    plain = tw.grow(whole, "y", weights=problem.weights, min_leaf=4)
    assert plain.end.tolist() == tree.end.tolist()
    if not len(tree.model_column):
        assert said.tolist() == plain.predict(whole).tolist()


def test_sums_and_models_together():
    whole = table("abalone").take(range(600))
    goal = target("abalone")
    tree = tw.grow(whole, goal, splits="linear", prune="none", leaves="linear", min_leaf=40)
    assert tree.has_sums
    assert tree.has_models
    assert len(tree.predict(whole)) == 600
    assert tree.used_columns.tolist() == sorted(
        {*tree.column[tree.column >= 0], *tree.term_column, *tree.model_column}
    )


def test_intervals_are_ranks_for_a_model():
    whole = broken_line()
    tree = tw.grow(whole, "y", leaves="linear", discretise="equal_width", max_depth=1)
    assert np.isfinite(tree.predict(whole)).all()
    assert tw.Tree.from_dict(tree.to_dict()) == tree


def test_fractional_rows_and_costs():
    whole = two_clouds()
    values = [column.copy() for column in whole.values]
    values[2][::7] = np.nan
    gappy = tw.Table(whole.schema, tuple(values))
    costs = {"p": {"p": 0, "q": 9}, "q": {"p": 1, "q": 0}}
    tree = tw.grow(gappy, "y", leaves="logistic", missing="fractional", min_leaf=20, costs=costs)
    np.testing.assert_allclose(tree.predict_proba(gappy).sum(axis=1), 1.0)
    said = tree.predict(gappy)
    assert (said == "p").sum() > (
        tw.grow(gappy, "y", leaves="logistic", min_leaf=20).predict(gappy) == "p"
    ).sum()


def test_words_that_do_not_fit():
    with pytest.raises(ValueError, match="leaves='linear' is for numbers; column 'y' is nominal"):
        tw.grow(two_clouds(), "y", leaves="linear")
    with pytest.raises(ValueError, match="leaves='logistic' is for classes; column 'y' is numeric"):
        tw.grow(broken_line(), "y", leaves="logistic")
    with pytest.raises(ValueError, match="is not one of 'constant', 'linear', 'logistic'"):
        tw.grow(broken_line(), "y", leaves="linaer")
