"""Pruning curves: what the ways to prune and the plain loop over folds give."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from tests import tables
from treewright.evaluate import folds_by_row, pruning_curve, split
from treewright.evaluate.pruning import WAYS
from treewright.prune import (
    CriticalValue,
    ErrorBased,
    MinimumError,
    Regularised,
    cost_complexity_path,
    cross_validated,
    validated,
)
from treewright.table import Table


@pytest.mark.parametrize("name", ["vote", "kyphosis", "credit_g"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_weakest_link_is_that_of_prune(name, n_jobs):
    rows, target = tables.table(name), tables.target(name)
    curve = pruning_curve(rows, target, folds=5, seed=2, n_jobs=n_jobs)
    tree = tw.grow(rows, target, seed=2)
    judged = cross_validated(tree, rows, folds=5, seed=2)
    np.testing.assert_allclose(curve.x, judged.path.alpha)
    np.testing.assert_allclose(curve.line("cv_error").values, judged.error)
    np.testing.assert_allclose(curve.line("cv_error").spreads, judged.standard_error)
    np.testing.assert_allclose(curve.line("training_error").values, judged.path.risk, atol=1e-12)
    for one_se in (True, False):
        assert curve.choice(one_se).n_leaves == judged.choice(one_se).n_leaves
    assert curve.marks["1-SE"] == judged.chosen()


@pytest.mark.parametrize("name", ["kyphosis", "abalone"])
def test_a_validation_part(name):
    rows, target = tables.table(name), tables.target(name)
    settings = {"min_leaf": 20} if name == "abalone" else {}
    curve = pruning_curve(rows, target, validation=0.25, folds=None, seed=1, **settings)
    train, _, held = split(rows, target, test=0.25, seed=1)
    judged = validated(cost_complexity_path(tw.grow(train, target, **settings)), held)
    np.testing.assert_allclose(curve.line("validation_error").values, judged.error)
    np.testing.assert_allclose(curve.line("validation_error").spreads, judged.standard_error)
    assert [line.name for line in curve.lines] == ["training_error", "validation_error"]


MAKE = {
    "error_based": lambda v: ErrorBased(confidence=v),
    "minimum_error": lambda v: MinimumError(m=v),
    "critical_value": lambda v: CriticalValue(kappa=v),
    "regularised": lambda v: Regularised(lambda_=v),
}


@pytest.mark.parametrize("method", list(MAKE))
def test_other_ways_are_the_plain_loop(method):
    rows, target = tables.table("crx"), tables.target("crx")
    given = np.arange(rows.n_rows) * 3 % 4
    recipe = "c4.5" if method == "error_based" else "plain"
    curve = pruning_curve(rows, target, method, recipe=recipe, folds=given, validation=0.2, seed=4, points=5)
    kept = split(rows, target, test=0.2, seed=4).rows
    train, held, fold = rows.take(kept[0]), rows.take(kept[2]), given[kept[0]]
    for i, value in enumerate(curve.x):
        prune = MAKE[method](value)
        tree = tw.grow(train, target, recipe, prune=prune)
        assert (curve.trees[i].end == tree.end).all()
        wrong = tree.predict(held) != held.labels(target)
        assert curve.line("validation_error").values[i] == pytest.approx(wrong.mean())
        loss = np.empty(train.n_rows)
        for k in range(4):
            other = tw.grow(train.take(fold != k), target, recipe, prune=prune)
            part = train.take(fold == k)
            loss[fold == k] = other.predict(part) != part.labels(target)
        assert curve.line("cv_error").values[i] == pytest.approx(loss.mean())
        assert curve.line("cv_error").spreads[i] == pytest.approx(loss.std() / np.sqrt(len(loss)))
    frame = curve.to_dict()
    best = frame["is_lowest"].index(True)
    bound = frame["cv_error"][best] + frame["cv_error_se"][best]
    fitting = [n for n, e in zip(frame["n_leaves"], frame["cv_error"], strict=True) if e <= bound + 1e-12]
    assert curve.choice().n_leaves == min(fitting)


@pytest.mark.parametrize("method", list(WAYS))
@pytest.mark.parametrize("name", ["kyphosis", "abalone"])
def test_values_go_from_the_whole_tree_to_little(name, method):
    rows, target = tables.table(name), tables.target(name)
    if name == "abalone" and method in ("error_based", "minimum_error"):
        with pytest.raises(ValueError, match=f"{method} counts errors of classes"):
            pruning_curve(rows, target, method)
        return
    curve = pruning_curve(rows, target, method, folds=2, points=8, min_leaf=7)
    leaves = curve.to_dict()["n_leaves"]
    assert len(curve) <= 16 or method == "cost_complexity"
    assert leaves == sorted(leaves, reverse=method != "error_based") or method == "minimum_error"
    if method in ("cost_complexity", "critical_value", "regularised"):
        assert leaves[-1] == 1


@pytest.mark.parametrize("settings", [{"class_weight": "balanced"}, {"missing": "drop"}, {"weights": True}])
def test_evidence_counts_as_it_did_in_growth(settings):
    rows, target = tables.table("crx"), tables.target("crx")
    if "weights" in settings:
        settings = {"weights": np.arange(rows.n_rows) % 3 + 1.0}
    curve = pruning_curve(rows, target, "error_based", recipe="c4.5", values=[0.1, 0.3], folds=3, **settings)
    for value, tree in zip(curve.x, curve.trees, strict=True):
        wanted = tw.grow(rows, target, "c4.5", prune=ErrorBased(confidence=value), **settings)
        assert (tree.end == wanted.end).all()
        assert (tree.stats == wanted.stats).all()


def test_a_column_of_folds_is_no_feature():
    rows = Table.from_dict({"x": range(40), "y": list("abbaabab") * 5, "part": [0, 1, 2, 3] * 10})
    curve = pruning_curve(rows, "y", folds="part")
    assert "part" not in curve.trees[0].schema
    again = pruning_curve(rows.drop("part"), "y", folds=[0, 1, 2, 3] * 10)
    assert curve.to_dict() == again.to_dict()
    both = pruning_curve(rows, "y", folds="part", validation=0.25)
    assert [line.name for line in both.lines] == ["training_error", "validation_error", "cv_error"]


def test_given_values_and_a_single_leaf():
    rows = tw.example("vote")
    curve = pruning_curve(rows, "Class", values=[0.5, 0.0, 0.01], folds=folds_by_row(rows, "Class", 3))
    assert curve.x == (0.0, 0.01, 0.5)
    constant = Table.from_dict({"x": [1] * 6, "y": list("aaaabb")})
    for method in WAYS:
        assert pruning_curve(constant, "y", method, folds=2).choice().n_leaves == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"method": "cost_complexty"}, "did you mean 'cost_complexity'"),
        ({"folds": None}, "Nothing to judge by"),
        ({"prune": "cv"}, "leave prune out"),
        ({"values": []}, "values is empty"),
        ({"n_jobs": "two"}, "n_jobs='two'"),
        ({"folds": [0, 1]}, "14 rows need one fold each"),
        ({"validation": 1.5}, "test=1.5|validation=1.5"),
    ],
)
def test_wrong_words_are_answered(arguments, words):
    with pytest.raises(ValueError, match=words):
        pruning_curve(**{"table": tw.example("tennis"), "target": "PlayTennis", "folds": 2} | arguments)


def test_prices_follow_the_scale_of_the_target():
    rows = tables.table("cu_summary")
    leaves = []
    for scale in (2.0**-30, 1.0, 2.0**30):
        values = rows.column("Price")[1] * scale
        scaled = Table.of({**rows.drop("Price").to_dict(), "Price": values})
        leaves.append(pruning_curve(scaled, "Price", "regularised", folds=2, points=10).to_dict()["n_leaves"])
    assert leaves[0] == leaves[1] == leaves[2]
    assert leaves[0][-1] == 1 < leaves[0][-2]
    assert leaves[0][1] > 0.9 * leaves[0][0]
