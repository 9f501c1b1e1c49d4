"""Least changes in trees with sums of columns and counts of conditions, judged by brute force."""

from __future__ import annotations

import numpy as np
import pytest

import treewright as tw
from tests.oracle import counterfactual_planes as oracle

FORMS = (
    {"splits": "linear", "linear_categories": "indicator", "linear_search": "fitted"},
    {"splits": "linear", "linear_categories": "impact", "linear_search": "margin"},
    {"splits": "linear", "linear_search": "coordinate"},
    {"splits": "m_of_n"},
    {"splits": "conjunction"},
)
SMALL = {"prune": "none", "linear_penalty": 0.0, "max_depth": 3, "min_leaf": 2}


def case(seed: int) -> tuple[tw.Tree, dict[str, object], dict[str, float]]:
    """Return a small tree of two columns of numbers and one of categories, a row, and prices."""
    rng = np.random.default_rng(seed)
    n = 40
    x, hue = rng.uniform(-5, 5, (n, 2)).round(1), rng.integers(0, 3, n)
    along = x @ rng.normal(size=2) + 2 * (hue == 1)
    label = np.where(along + 0.5 * rng.normal(size=n) > rng.normal(), "a", "b")
    table = {"x": x[:, 0], "y": x[:, 1], "hue": np.array(["red", "green", "blue"])[hue].tolist()}
    tree = tw.grow(
        tw.Table.from_dict({**table, "class": label.tolist()}), "class", **SMALL, **FORMS[seed % len(FORMS)]
    )
    row = {
        "x": float(rng.uniform(-6, 6)),
        "y": float(rng.uniform(-6, 6)),
        "hue": str(rng.choice(table["hue"])),
    }
    return tree, row, {"x": float(rng.uniform(0.1, 2)), "y": float(rng.uniform(0.1, 2))}


@pytest.mark.parametrize("part", [0, *(pytest.param(i, marks=pytest.mark.slow) for i in range(1, 8))])
def test_the_least_change_is_that_of_brute_force(part: int):
    n_changes = n_equal = 0
    for seed in range(25 * part, 25 * (part + 1)):
        tree, row, prices = case(seed)
        used = {tree.schema.names[place] for place in tree.used_columns}
        found = tree.explain(row, costs=prices, whole=[], most=1)
        said = found.prediction
        least = oracle.least(tree, row, lambda one, said=said: one is not None and one != said, prices)
        assert found.is_proven
        if least is None:
            assert tree.n_leaves == 1 or not found.alternatives or found.alternatives[0].cost >= 0
            continue
        assert found.alternatives, (seed, tree.to_text(), row)
        best = found.alternatives[0]
        after = dict(row) | {change.column: change.after for change in best.changes}
        assert oracle.answers(tree, [after])[0] != said
        assert {change.column for change in best.changes} <= used
        assert best.cost == pytest.approx(oracle.cost(row, after, prices), rel=1e-6, abs=1e-7)
        assert best.cost <= least + 1e-5  # what is found is answered otherwise: it cannot be too cheap
        n_changes += 1
        n_equal += abs(best.cost - least) < 1e-5
    assert n_changes >= 20
    assert n_equal >= 0.9 * n_changes  # else brute force would find next to nothing


def test_whole_numbers_move_whole():
    pairs = [(i % 9, i // 9) for i in range(81)]
    label = ["hi" if 2 * a + 3 * b > 20 else "lo" for a, b in pairs]
    table = tw.Table.from_dict({"a": [a for a, _ in pairs], "b": [b for _, b in pairs], "y": label})
    tree = tw.grow(table, "y", splits="linear", prune="none", linear_search="fitted")
    assert tree.has_sums
    found = tree.explain({"a": 3, "b": 2}, whole=["a", "b"], costs={"a": 1.0, "b": 1.4})
    best = found.alternatives[0]
    moved = {"a": 3.0, "b": 2.0} | {change.column: change.after for change in best.changes}
    assert all(float(value).is_integer() for value in moved.values())
    costs = [
        abs(a - 3) + 1.4 * abs(b - 2)
        for a in range(-20, 40)
        for b in range(-20, 40)
        if str(tree.predict(tw.Table.from_dict({"a": [float(a)], "b": [float(b)]}))[0]) == "hi"
    ]
    assert best.cost == pytest.approx(min(costs))


def test_a_column_that_must_stay_and_a_gap():
    tree, row, prices = case(0)
    found = tree.explain(row, fixed=["x"], costs=prices, whole=[])
    assert all(change.column != "x" for each in found.alternatives for change in each.changes)
    filled = tree.explain({**row, "x": None}, costs=prices, whole=[])
    assert filled.is_proven
    for each in filled.alternatives:
        after = dict(row, x=None) | {change.column: change.after for change in each.changes}
        assert oracle.answers(tree, [after])[0] != filled.prediction
