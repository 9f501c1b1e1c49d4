"""Learning curves: nested draws, equal shares, means and spreads of the plain loop."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from treewright.evaluate import learning_curve
from treewright.evaluate.learning import _interleaved
from treewright.prune.folds import RowKeys
from treewright.table import Table


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.integers(0, 2**64 - 1))
def test_every_beginning_has_the_classes_in_equal_shares(classes, seed):
    group = np.array(classes)
    order = _interleaved(RowKeys(group, np.arange(len(group), dtype=np.uint64)), seed)
    assert sorted(order.tolist()) == list(range(len(group)))
    for n in range(1, len(group) + 1):
        for c in set(classes):
            share = n * classes.count(c) / len(classes)
            assert abs((group[order[:n]] == c).sum() - share) < 2


def test_means_and_spreads():
    rows, target = tables.table("vote"), tables.target("vote")
    curve = learning_curve(rows, target, "c4.5", sizes=[20, 0.5, 1.0], repeats=4, seed=3)
    assert curve.x == (20, 145, 290)
    single = [
        learning_curve(rows, target, "c4.5", sizes=[20, 0.5, 1.0], repeats=k, seed=3) for k in (1, 2, 3)
    ]
    first = single[0].line("test_error")
    assert all(math.isnan(sd) for sd in first.spreads)
    # The repeats of fewer are the first ones of more: from means of k and k - 1 each can be had.
    means = [np.array(c.line("test_error").values) for c in (*single, curve)]
    each = [means[0], *((k + 1) * means[k] - k * means[k - 1] for k in (1, 2, 3))]
    np.testing.assert_allclose(curve.line("test_error").values, np.mean(each, axis=0))
    np.testing.assert_allclose(curve.line("test_error").spreads, np.std(each, axis=0, ddof=1), atol=1e-12)
    assert list(curve.to_dict()) == [
        "n_rows", "n_leaves", "training_error", "training_error_sd", "test_error", "test_error_sd"
    ]  # fmt: skip


def test_all_rows_and_a_table_to_judge_by_leave_no_chance():
    rows, target = tables.table("kyphosis"), tables.target("kyphosis")
    curve = learning_curve(rows, target, "cart", sizes=[1.0], repeats=3, test=rows, prune="none")
    tree = tw.grow(rows, target, "cart", prune="none")
    wrong = (tree.predict(rows) != rows.labels(target)).mean()
    assert curve.line("test_error").scores[0] == pytest.approx((wrong, 0.0))
    assert curve.line("training_error").scores[0] == pytest.approx((wrong, 0.0))


@pytest.mark.parametrize("name", ["kyphosis", "abalone"])
def test_threads_change_nothing_and_who_watches_is_told(name):
    rows, target = tables.table(name), tables.target(name)
    heard = []
    one = learning_curve(rows, target, sizes=[10, 30], repeats=4, progress=heard.append)
    many = learning_curve(rows, target, sizes=[10, 30], repeats=4, n_jobs=2)
    assert one.to_dict() == many.to_dict()
    assert heard == [0.25, 0.5, 0.75, 1.0]
    assert one.y_label == ("mean squared error" if name == "abalone" else "error (share of rows)")


def test_more_rows_learn_more():
    rows = tables.table("monk1")
    values = learning_curve(rows, "class", sizes=[20, 350], repeats=5).line("test_error").values
    assert values[1] < values[0] / 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"sizes": []}, "sizes is empty"),
        ({"sizes": [0]}, "sizes has 0"),
        ({"sizes": [11]}, "sizes has 11; a size is a share above 0, or 1 to 9 rows"),
        ({"sizes": [2.5]}, r"sizes has 2\.5"),
        ({"sizes": [True]}, "sizes has True"),
        ({"repeats": 0}, "repeats=0"),
    ],
)
def test_wrong_words_are_answered(arguments, words):
    with pytest.raises(ValueError, match=words):
        learning_curve(**{"table": tw.example("tennis"), "target": "PlayTennis"} | arguments)


def test_a_table_of_two_rows():
    rows = Table.from_dict({"x": [1, 2], "y": ["a", "b"]})
    assert learning_curve(rows, "y", test=1, sizes=[1], repeats=2).line("test_error").values == (1.0,)
