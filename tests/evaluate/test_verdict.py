"""The definition of overfitting, checked: by hand, by brute force, and with the right amount of doubt."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

import treewright as tw
from tests import tables
from treewright.evaluate import corrupt, is_overfitting, mcnemar, overfitting_curve, split
from treewright.evaluate.verdict import paired_test
from treewright.prune import cost_complexity_path
from treewright.table import Table


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_the_binomial_test(b, c):
    wanted = binomtest(b, b + c, 0.5).pvalue if b + c else 1.0
    assert mcnemar(b, c) == pytest.approx(wanted, rel=1e-9)


def test_mcnemar_of_many_rows():
    assert mcnemar(50_000, 51_000) == pytest.approx(binomtest(50_000, 101_000, 0.5).pvalue, rel=1e-6)
    assert mcnemar(0, 5000) < 1e-300


def test_by_hand():
    # h splits off one noisy row; on other rows that costs one error in four.
    train = Table.from_dict({"x": [1, 2, 3, 4, 5, 6, 7, 8], "y": list("aaabaabb")})
    test = Table.from_dict({"x": [1, 4, 5, 8], "y": list("aaab")})
    report = is_overfitting(tw.grow(train, "y"), test)
    assert report
    assert (report.tree.n_leaves, report.rival.n_leaves) == (4, 2)
    assert (report.training_error, report.rival_training_error) == (0.0, 0.125)
    assert (report.error.value, report.rival_error.value) == (0.25, 0.0)
    assert report.difference.value == 0.25
    assert report.difference.standard_error == pytest.approx(math.sqrt(0.25 * 0.75 / 4))
    assert (report.n_rivals, report.p_value, report.p_adjusted) == (2, 1.0, 1.0)
    assert not report.is_significant
    assert "it may be chance" in str(report)


@pytest.mark.parametrize("name", ["vote", "credit_g", "kyphosis", "abalone"])
def test_it_is_the_best_of_all_prunings_with_a_larger_training_error(name):
    rows, target = tables.table(name), tables.target(name)
    train, _, test = split(rows, target, test=0.4, seed=1)
    tree = tw.grow(train, target, min_leaf=5)

    def error(part, table):
        truth = table.column(target)[1] if not tree.is_classifier else table.labels(target)
        said = part.predict(table)
        return ((said - truth) ** 2).mean() if not tree.is_classifier else (said != truth).mean()

    path = cost_complexity_path(tree)
    rivals = [path.tree_at(alpha) for alpha in path.alpha]
    rivals = [part for part in rivals if error(part, train) > error(tree, train) + 1e-12]
    best = min(error(part, test) for part in rivals)
    for report in (is_overfitting(tree, test), is_overfitting(tree, test, training=train)):
        assert report.is_overfitting == (best < error(tree, test))
        assert report.rival_error.value == pytest.approx(best)
        assert report.error.value == pytest.approx(error(tree, test))
        assert report.n_rivals == len(rivals)
        assert report.training_error == pytest.approx(error(tree, train))
        assert report.test == ("z-test" if name == "abalone" else "McNemar's test")


def test_noise_is_overfitted_beyond_chance():
    rows = corrupt(tables.table("mushroom"), "class", label_noise=0.2)
    train, _, test = split(rows, "class", test=0.5)
    report = is_overfitting(tw.grow(train, "class"), test)
    assert report.is_significant
    assert report.difference.value > 0.05
    assert "it is more than chance" in report.to_text()
    assert report.to_dict()["n_leaves"] == [report.tree.n_leaves, report.rival.n_leaves]


def test_of_a_curve():
    rows = corrupt(tables.table("credit_g"), "class", label_noise=0.15)
    curve = overfitting_curve(rows, "class")
    report = is_overfitting(curve)
    test = curve.line("test_error").values
    assert report.tree == curve.trees[-1]
    assert report.error.value == test[-1]
    assert report.rival_error.value == min(test[:-1])
    assert report.training_error == 0.0
    with pytest.raises(ValueError, match="other trees in every fold"):
        is_overfitting(overfitting_curve(rows, "class", folds=3, points=3))
    with pytest.raises(ValueError, match="give it alone"):
        is_overfitting(curve, rows)


def test_no_rival():
    rows = Table.from_dict({"x": [1, 1], "y": ["a", "b"]})
    report = is_overfitting(tw.grow(rows, "y"), rows)
    assert not report
    assert report.rival is None
    assert "has no rival that errs more on the training rows" in str(report)
    assert len(report.to_frame("polars")) == 2


def test_a_tree_that_is_right():
    rows = Table.from_dict({"x": list(range(20)), "y": list("a" * 10 + "b" * 10)})
    report = is_overfitting(tw.grow(rows, "y"), rows)
    assert not report.is_overfitting
    assert "does not overfit on these rows" in str(report)


def test_rivals_of_ones_own_weights_and_costs():
    rows = tables.table("kyphosis")
    tree = tw.grow(rows, "Kyphosis")
    other = tw.grow(rows, "Kyphosis", "cart")
    report = is_overfitting(tree, rows, rivals=[other], weights=np.arange(81) % 2 + 1.0)
    assert report.rival == other
    assert report.test == "z-test"
    priced = tw.grow(rows, "Kyphosis", costs=[[0, 1], [3, 0]])
    assert is_overfitting(priced, rows, rivals=[other]).test in ("z-test", "McNemar's test")


def test_the_z_test():
    rng = np.random.default_rng(0)
    first, second = rng.random(500) + 0.2, rng.random(500)
    d = first - second
    z = d.mean() / (d.std() / np.sqrt(500))
    assert paired_test(first, second, np.ones(500)) == ("z-test", pytest.approx(math.erfc(z / math.sqrt(2))))
    assert paired_test(np.full(3, 0.5), np.full(3, 0.5), np.ones(3)) == ("z-test", 1.0)
    assert paired_test(np.full(3, 0.7), np.full(3, 0.5), np.ones(3)) == ("z-test", 0.0)


def test_the_adjusted_level_holds_when_there_is_nothing_to_find():
    # Pure noise: every pruning is as good as the tree, so a verdict beyond chance is a mistake.
    mistakes = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        draw = {"x": rng.random(240), "z": rng.random(240), "y": rng.choice(["a", "b"], 240)}
        train, _, test = split(Table.from_dict(draw), "y", test=0.5, seed=seed)
        mistakes += is_overfitting(tw.grow(train, "y", min_leaf=10), test).is_significant
    assert mistakes <= 7  # at most 3 are to be expected; 8 or more would come by chance once in 100


@pytest.mark.parametrize(
    ("arguments", "kind", "words"),
    [
        (("tree", None), TypeError, "not str; of an estimator, its tree_"),
        ((None, None), ValueError, "rows that the tree has not seen"),
    ],
)
def test_wrong_words_are_answered(arguments, kind, words):
    tree = tw.grow(tw.example("tennis"), "PlayTennis")
    with pytest.raises(kind, match=words):
        is_overfitting(arguments[0] or tree, arguments[1])
    with pytest.raises(ValueError, match="level=2"):
        is_overfitting(tree, tw.example("tennis"), level=2)


def test_a_rival_with_codes_of_its_own_is_asked_in_them():
    """Trees of tables that list columns, categories and classes in another order see the same rows."""
    train = Table.from_dict({"colour": list("rrggbb"), "size": [1, 2, 3, 4, 5, 6], "y": list("nnyynn")})
    turned = Table.from_dict(
        {"size": [4, 3, 6, 5, 2, 1], "colour": list("ggbbrr"), "y": list("yynnnn")},
    )
    test = Table.from_dict({"colour": list("rgb"), "size": [2, 3, 6], "y": list("nyn")})
    h = tw.grow(train, "y", max_depth=0)
    rival = tw.grow(turned, "y")
    assert rival.schema != h.schema
    assert rival.predict(test).tolist() == ["n", "y", "n"]
    worse = is_overfitting(rival, test, rivals=[h], training=train)
    assert (worse.error.value, worse.rival_error.value) == (0.0, pytest.approx(1 / 3))
    assert (worse.training_error, worse.rival_training_error) == (0.0, pytest.approx(1 / 3))


def test_rivals_are_trees_for_the_same_target():
    iris = tw.example("iris")
    tree = tw.grow(iris, "class")
    with pytest.raises(TypeError, match=r"rivals\[1\] is a int; rivals are trees"):
        is_overfitting(tree, iris, rivals=[tree, 3])
    with pytest.raises(ValueError, match=r"rivals\[0\] predicts 'petalwidth' \(numeric\)"):
        is_overfitting(tree, iris, rivals=[tw.grow(iris, "petalwidth")])


def test_one_rival_is_no_plural():
    train = Table.from_dict({"x": [1, 2, 3, 4], "y": list("aabb")})
    assert "of 1 rival none" in str(is_overfitting(tw.grow(train, "y"), train))
