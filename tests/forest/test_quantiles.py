"""Quantiles: the answers in a row's leaves, by weight; intervals hold as many new answers as they say."""

import numpy as np
import pytest

import treewright as tw
from tests import tables
from tests.forest.samples import random_table
from treewright.forest.draws import times_drawn


def plainly(forest, table, asked, row, share, weights=None):
    """Return one quantile the slow way: every training row, by its mean share in the leaves of the trees."""
    answers = table.column("y")[1]
    weight = np.zeros(table.n_rows)
    for i in range(forest.n_trees):
        tree = forest.tree(i)
        counts = times_drawn(forest, i) * (1 if weights is None else weights)
        same = tree.leaves(table) == tree.leaves(asked)[row]
        weight += counts * same / (counts * same).sum()
    order = np.argsort(answers, kind="stable")
    reached = np.cumsum(weight[order]) / weight.sum()
    return answers[order][np.argmax(reached >= max(share - 1e-9, 1e-12))], (
        weight * answers
    ).sum() / weight.sum()


@pytest.mark.parametrize("weighted", [False, True])
def test_quantiles_are_those_of_the_answers_in_the_leaves(weighted):
    table, asked = random_table(3, 80, is_classes=False, gaps=0.1), random_table(9, 15, is_classes=False)
    weights = np.random.default_rng(0).random(80) + 0.5 if weighted else None
    forest = tw.forest.grow(table, "y", n_trees=7, weights=weights)
    known = tw.forest.Quantiles.of(forest, table, weights=weights)
    shares = [0.0, 0.05, 0.31, 0.5, 0.95, 1.0]
    found = known.predict(forest, asked, shares)
    said = forest.predict(asked)
    for row in range(asked.n_rows):
        for j, share in enumerate(shares):
            wanted, mean = plainly(forest, table, asked, row, share, weights)
            assert found[row, j] == wanted
        assert said[row] == pytest.approx(mean)  # the same weights make the forest's mean
    assert (np.diff(found, axis=1) >= 0).all()


def test_intervals_hold_as_many_new_answers_as_they_say():
    whole, goal = tables.table("abalone"), tables.target("abalone")
    order = np.random.default_rng(0).permutation(whole.n_rows)
    train, test = whole.take(order[:2500]), whole.take(order[2500:])
    forest = tw.forest.grow(train, goal, n_trees=80, n_threads=2)
    known = tw.forest.Quantiles.of(forest, train)
    answers = test.column(goal)[1]
    widths = []
    for coverage in (0.5, 0.9):
        low, high = known.interval(forest, test, coverage).T
        inside = ((low <= answers) & (answers <= high)).mean()
        assert coverage - 0.03 < inside < min(1, coverage + 0.2)  # whole rings lie on the bounds
        widths.append((high - low).mean())
    assert widths[0] < widths[1] < np.ptp(answers) / 2


def test_intervals_cover_without_ties():
    rng = np.random.default_rng(5)
    x = rng.random(3000)
    y = np.sin(6 * x) + rng.normal(size=3000) * (0.1 + x)
    table = tw.Table.from_dict({"x": x.tolist(), "y": y.tolist()})
    train, test = table.take(np.arange(2000)), table.take(np.arange(2000, 3000))
    forest = tw.forest.grow(train, "y", n_trees=100, min_leaf=15, n_threads=2)
    low, high = tw.forest.Quantiles.of(forest, train).interval(forest, test, 0.8).T
    inside = (low <= test.column("y")[1]) & (test.column("y")[1] <= high)
    assert abs(inside.mean() - 0.8) < 0.05
    early = test.column("x")[1] < 0.3  # where noise is small, intervals are short
    assert (high - low)[early].mean() < 0.6 * (high - low)[~early].mean()


def test_blocks_make_no_difference(monkeypatch):
    table = random_table(3, 120, is_classes=False)
    forest = tw.forest.grow(table, "y", n_trees=5)
    known = tw.forest.Quantiles.of(forest, table)
    whole = known.predict(forest, table, [0.2, 0.8])
    monkeypatch.setattr("treewright.forest.quantiles.BLOCK", 10)
    np.testing.assert_array_equal(known.predict(forest, table, [0.2, 0.8]), whole)


def test_wrong_words_are_refused():
    table = random_table(3, 40, is_classes=False)
    forest = tw.forest.grow(table, "y", n_trees=2)
    known = tw.forest.Quantiles.of(forest, table)
    for bad in ([-0.1], [1.1], "half", [np.nan], [[0.5]]):
        with pytest.raises(ValueError, match="numbers between 0 and 1"):
            known.predict(forest, table, bad)
    for bad in (0, 1, "much", True):
        with pytest.raises(ValueError, match="coverage="):
            known.interval(forest, table, bad)
    classes = random_table(3, 40)
    with pytest.raises(ValueError, match="quantiles are of numbers"):
        tw.forest.Quantiles.of(tw.forest.grow(classes, "y", n_trees=2), classes)
