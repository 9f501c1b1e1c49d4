"""Curves of training and test error: the trees are those that growing makes, the errors are counted."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.oracle import best_first
from treewright.evaluate import folds_by_row, overfitting_curve, split
from treewright.evaluate.families import best_first_order, by_nodes
from treewright.table import Table


def same(a, b):
    """Whether two trees ask the same, hold the same and say the same."""
    plain = ("end", "column", "label", "n_rows", "stats", "code_start", "code", "code_branch")
    return all(np.array_equal(getattr(a, name), getattr(b, name)) for name in plain) and np.array_equal(
        a.cut, b.cut, equal_nan=True
    )


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("iris", {}),
        ("vote", {}),
        ("kyphosis", {"criterion": "entropy"}),
        ("kyphosis", {"priors": [0.5, 0.5]}),
        ("kyphosis", {"costs": [[0, 1], [3, 0]]}),
        ("cu_summary", {"recipe": "cart"}),
        ("abalone", {"min_leaf": 40}),
        ("credit_g", {"min_leaf": 15, "missing": "surrogate"}),
    ],
)
def test_budgets_of_nodes_are_what_best_first_growth_makes(name, settings):
    rows, target = tables.table(name), tables.target(name)
    settings = {"recipe": "plain", "prune": "none"} | settings
    tree = tw.grow(rows, target, **settings)
    budgets = range(1, 2 * tree.n_leaves, max(2, 2 * (tree.n_leaves // 12)))
    for budget, part in zip(budgets, by_nodes(tree, budgets), strict=True):
        wanted = tw.grow(rows, target, max_leaves=(budget + 1) // 2, **settings)
        assert same(part, wanted), budget


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 3), st.booleans()), min_size=1, max_size=40))
def test_the_order_is_the_plain_one(cells):
    columns = zip(*cells, strict=True)
    rows = Table.from_dict(
        dict(zip(("x", "z", "y"), map(list, columns), strict=True)), kinds={"y": "nominal"}
    )
    tree = tw.grow(rows, "y", "plain")
    assert best_first_order(tree) == best_first.opened(tree)
    sizes = [part.n_nodes for part in by_nodes(tree, range(1, tree.n_nodes + 1))]
    assert sizes == [k - (k - 1) % 2 for k in range(1, tree.n_nodes + 1)]


@pytest.mark.parametrize("name", ["vote", "abalone"])
def test_depths_are_what_growth_stops_at(name):
    rows, target = tables.table(name), tables.target(name)
    parts = split(rows, target, test=0.3)
    curve = overfitting_curve(parts.train, target, "depth", test=parts.test, values=[0, 2, 5])
    for depth, tree in zip((0, 2, 5), curve.trees, strict=True):
        assert same(tree, tw.grow(parts.train, target, max_depth=depth))


def errors_of(tree, rows, target):
    column, truth = rows.column(target)
    if column.is_numeric:
        return (tree.predict(rows) - truth) ** 2
    return (tree.predict(rows) != rows.labels(target)).astype(float)


@pytest.mark.parametrize(
    ("name", "against", "recipe"),
    [
        ("vote", "nodes", "c4.5"),
        ("vote", "depth", "id3"),
        ("crx", "leaf_size", "c4.5"),
        ("crx", "alpha", "cart"),
        ("crx", "confidence", "c4.5"),
        ("abalone", "leaf_size", "plain"),
        ("abalone", "alpha", "plain"),
        ("abalone", "lambda", "plain"),
        ("vote", "lambda", "cart"),
    ],
)
def test_errors_are_counted_by_predicting(name, against, recipe):
    rows, target = tables.table(name), tables.target(name)
    settings = {"missing": "own_branch"} if recipe == "id3" else {}
    curve = overfitting_curve(rows, target, against, recipe=recipe, points=6, seed=3, **settings)
    train, _, test = split(rows, target, test=1 / 3, seed=3)
    for i, tree in enumerate(curve.trees):
        for part, line in ((train, "training_error"), (test, "test_error")):
            loss = errors_of(tree, part, target)
            score = curve.line(line).scores[i]
            assert score.value == pytest.approx(loss.mean())
            assert score.standard_error == pytest.approx(loss.std() / np.sqrt(len(loss)))
    frame = curve.to_dict()
    assert frame["n_nodes"] == [tree.n_nodes for tree in curve.trees]
    assert frame["n_leaves"] == [tree.n_leaves for tree in curve.trees]
    best = frame["is_lowest"].index(True)
    assert frame["test_error"][best] == min(frame["test_error"])


def test_leaf_sizes_are_grown_with_the_size_that_the_recipe_knows():
    rows = tw.example("vote")
    for recipe, name in (("plain", "min_leaf"), ("c4.5", "min_branch")):
        curve = overfitting_curve(rows, "Class", "leaf_size", recipe=recipe, values=[2, 20], test=rows)
        for size, tree in zip((2, 20), curve.trees, strict=True):
            assert same(tree, tw.grow(rows, "Class", recipe, prune="none", **{name: size}))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_cross_validated_curves_pool_the_folds(n_jobs):
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    curve = overfitting_curve(rows, target, "depth", folds=4, values=[1, 3], seed=5, n_jobs=n_jobs)
    fold = folds_by_row(rows, target, 4, seed=5)
    for i, depth in enumerate((1, 3)):
        loss = np.empty(81)
        for k in range(4):
            tree = tw.grow(rows.take(fold != k), target, max_depth=depth, seed=5)
            loss[fold == k] = errors_of(tree, rows.take(fold == k), target)
        assert curve.line("test_error").values[i] == pytest.approx(loss.mean())
    assert curve.trees == ()


def test_weights_count_in_growth_and_in_errors():
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    weight = np.arange(81) % 3 + 1.0
    heavy = Table.of({**rows.to_dict(), "w": weight})
    named = overfitting_curve(heavy, target, "depth", weights="w", values=[2], test=heavy)
    tree = tw.grow(rows, target, max_depth=2, weights=weight)
    wanted = np.average(errors_of(tree, rows, target), weights=weight)
    assert named.line("test_error").values[0] == pytest.approx(wanted)
    given_ = overfitting_curve(rows, target, "depth", weights=weight, values=[2])
    assert given_.line("training_error").values == pytest.approx(
        overfitting_curve(heavy, target, "depth", weights="w", values=[2]).line("training_error").values
    )


def test_costs_are_what_an_error_costs():
    rows = tables.table("kyphosis")
    curve = overfitting_curve(rows, "Kyphosis", "depth", values=[0], test=rows, costs=[[0, 1], [10, 0]])
    assert curve.line("test_error").values[0] == pytest.approx(64 / 81)
    assert curve.y_label == "mean cost"


def test_a_single_leaf_is_a_curve_too():
    rows = Table.from_dict({"x": [1] * 6, "y": list("aaaabb")})
    for against in ("nodes", "depth", "alpha", "leaf_size", "lambda", "confidence"):
        curve = overfitting_curve(rows, "y", against)
        assert set(curve.to_dict()["n_leaves"]) == {1}
        assert curve.to_text()


def test_who_watches_is_told():
    heard = []
    overfitting_curve(tw.example("vote"), "Class", folds=4, points=3, progress=heard.append)
    assert heard == [0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"against": "node"}, "against='node' is not one of .*; did you mean 'nodes'"),
        ({"prune": "mdl"}, "the curve cuts trees back itself"),
        ({"values": []}, "must be numbers of at least 0"),
        ({"values": [-1]}, "must be numbers of at least 0"),
        ({"points": 1}, "points=1"),
        ({"test": 0}, "leaves no row to judge by"),
        ({"test": 14}, "not enough"),
        ({"against": "confidence", "values": [2.0]}, r"confidence=2\.0"),
    ],
)
def test_wrong_words_are_answered(arguments, words):
    with pytest.raises(ValueError, match=words):
        overfitting_curve(**{"table": tw.example("tennis"), "target": "PlayTennis"} | arguments)


def test_confidence_is_for_classes():
    rows = Table.from_dict({"x": range(9), "y": [float(i % 4) for i in range(9)]})
    with pytest.raises(ValueError, match="predicts the number 'y'"):
        overfitting_curve(rows, "y", "confidence")


def test_there_is_no_such_line():
    with pytest.raises(ValueError, match="no line 'cv'; there are training_error, test_error"):
        overfitting_curve(tw.example("tennis"), "PlayTennis").line("cv")
