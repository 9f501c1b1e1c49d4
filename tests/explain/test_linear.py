"""Explanations of trees with sums of columns and models: the way, the answer and how sure it is."""

from __future__ import annotations

import json
from itertools import pairwise

import numpy as np
import pytest

import treewright as tw
from tests import tables
from tests.amount import at_most
from tests.report.browserless import with_gaps
from treewright.predict import route_table
from treewright.tree.check import SUM

SUMS = {"splits": "linear", "prune": "none", "linear_penalty": 0.0, "min_leaf": 5}
CASES = [
    ("iris", SUMS),
    ("iris", {**SUMS, "missing": "fractional"}),
    ("iris", {**SUMS, "missing": "surrogate"}),
    ("iris", {**SUMS, "missing": "own_branch"}),
    ("credit_g", {**SUMS, "min_leaf": 30}),
    ("abalone", {**SUMS, "min_leaf": 60}),
    ("iris", {"leaves": "logistic", "min_leaf": 20}),
    ("iris", {"leaves": "logistic", "min_leaf": 20, "missing": "fractional"}),
    ("abalone", {"leaves": "linear", "min_leaf": 60, "missing": "fractional"}),
    ("abalone", {**SUMS, "leaves": "linear", "min_leaf": 80}),
]


def grown(name, settings):
    target = tables.target(name)
    parts = tw.evaluate.split(tables.table(name), target, test=1 / 3, seed=0)
    train = parts.train.take(range(min(parts.train.n_rows, 400)))
    tree = tw.grow(with_gaps(train, target, 0.05), target=target, **settings)
    # Each least change over eight sums is a dozen linear programs: few rows do, and all with --all.
    n_rows = at_most(3, 25) if name == "credit_g" else 25
    test = parts.test.take(range(min(parts.test.n_rows, n_rows)))
    twice = zip(test.values, with_gaps(test, target, seed=1).values, strict=True)
    return tree, tw.Table(test.schema, tuple(np.concatenate(pair) for pair in twice))


@pytest.mark.parametrize(("name", "settings"), CASES)
def test_the_way_and_the_answer_are_those_of_the_tree(name, settings):
    tree, table = grown(name, settings)
    routed, said = route_table(tree, table), tree.predict(table)
    chances = tree.predict_proba(table) if tree.is_classifier else None
    for row in range(table.n_rows):
        found = tree.explain(row, table)
        heaviest = max(found.parts, key=lambda part: part[1])[0]
        assert routed.node[row] == heaviest or len(found.parts) > 1
        mine = routed.part_row == row
        if mine.any():
            assert sorted(node for node, _ in found.parts) == sorted(routed.part_node[mine].tolist())
        if tree.is_classifier:
            assert found.prediction == said[row]
            np.testing.assert_allclose(found.certainty.shares, chances[row], rtol=1e-9, atol=1e-12)
        else:
            assert found.prediction == pytest.approx(said[row], rel=1e-9)
        json.dumps(found.to_dict(), allow_nan=False)
        assert found.to_text(ascii=True).isascii()
        assert ("Left out: near misses" in str(found)) == tree.has_models
        if tree.has_models:
            assert found.near_misses == found.alternatives == ()
        for each in found.alternatives:
            after = found.row | {change.column: change.after for change in each.changes}
            assert tree.explain(after).prediction != found.prediction


def test_sums_are_reasons():
    tree, table = grown("iris", SUMS)
    n_sums = 0
    for row in range(25):  # rows without gaps
        found = tree.explain(row, table)
        way = tree.path_to(found.parts[0][0])
        for above, below in pairwise(way):
            if tree.kind[above] == SUM:
                n_sums += 1
                words = f"{tree.node(above).question} {tree.node(below).answer}".removesuffix(" or missing")
                assert any(reason.startswith(words) for reason in found.to_dict()["because"])
    assert n_sums


def test_a_gap_in_a_sum_is_told():
    tree = tw.grow(tw.example("iris"), target="class", splits="linear", prune="none", min_leaf=2)
    row = {"sepallength": 5, "sepalwidth": None, "petallength": 5, "petalwidth": 2.0}
    detour = tree.explain(row).detours[0]
    assert (detour.column, detour.found, detour.way) == ("sepalwidth", "missing", "branch")
    assert "-0.3 sepalwidth + petalwidth > 0.85" in detour.words


def test_a_model_is_written_out_with_what_it_is_worth():
    x = np.arange(40) / 4
    y = np.where(x <= 5, 2 * x, 20 - 3 * x) + np.arange(40) % 2
    tree = tw.grow(tw.Table.from_dict({"x": x, "y": y}), target="y", recipe="cart", leaves="linear")
    found = tree.explain({"x": 1.0})
    assert found.prediction == pytest.approx(0.428571 + 2.0, abs=1e-5)
    assert str(found).startswith(
        "y is 2.42857 because x <= 1.625.\n\nThe model: 0.4286 + 2 x.\n\n"
        "How sure: the model is wrong by 0.495 in training (RMSE), 7 training rows there."
    )
    assert found.to_dict()["models"][0]["is_used"] is True


def test_a_model_of_classes():
    table = tw.Table.from_dict({"x": list(range(8)), "y": list("aaabbabb")})
    tree = tw.grow(table, target="y", leaves="logistic", max_depth=0)
    found = tree.explain({"x": 7})
    share = tree.predict_proba(table)[7, 1]
    assert found.certainty.share == pytest.approx(share)
    wrong = int((tree.predict(table) != table.labels("y")).sum())
    assert str(found).startswith(
        "y is b: no test was answered, and the model there says so.\n\nThe model: log"
    )
    assert f"it is right in {8 - wrong} of 8 training rows there" in str(found)
    silent = tree.explain({"x": None})
    assert "not used: it needs a value that is missing" in str(silent)
    assert silent.certainty.share == 0.5


def test_a_wish_is_refused_with_the_way_out():
    tree = tw.grow(tw.example("iris"), target="class", leaves="logistic", min_leaf=20)
    with pytest.raises(ValueError, match=r"answers with models.*leaves='constant'"):
        tree.explain(0, tw.example("iris"), wanted="Iris-virginica")
