"""Soft thresholds, judged by trying every cut of a node and by sending single rows down by recursion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests.tables import table, target
from treewright.predict import predict_proba_soft, predict_soft, softened
from treewright.predict.soft import bounds_of
from treewright.tree import Tree


def answer(tree: Tree, node: int, cells: dict[str, float], soft: dict[int, tuple[float, float]]) -> Any:
    """Return the class shares of one row of numbers without gaps, by recursion."""
    if tree.is_leaf(node):
        return np.asarray(tree.stats[node] / tree.stats[node].sum())
    below, above = tree.children(node)
    x, cut = cells[tree.schema.names[tree.column[node]]], float(tree.cut[node])
    low, high = soft.get(node, (cut, cut))
    if x < low or (x <= cut and low == cut):
        right = 0.0
    elif x > high or (x > cut and high == cut):
        right = 1.0
    elif x <= cut:
        right = 0.5 * (x - low) / (cut - low)
    else:
        right = 0.5 + 0.5 * (x - cut) / (high - cut)
    parts = [(1 - right, below), (right, above)]
    return np.asarray(sum(w * answer(tree, child, cells, soft) for w, child in parts if w > 0))


def errors_with(tree: Tree, node: int, cut: float, rows: tw.Table) -> int:
    """Return the errors of the rows that come to a node, with another cut there."""
    leaf = tree.leaves(rows)
    here = np.flatnonzero((leaf >= node) & (leaf < tree.end[node]))
    cuts = tree.cut.copy()
    cuts[node] = cut
    moved = Tree.from_dict(tree.to_dict() | {"arrays": tree.to_dict()["arrays"] | {"cut": _named(cuts)}})
    wrong = moved.predict(rows) != rows.labels(tree.target.name)
    return int(wrong[here].sum())


def _named(cuts: np.ndarray) -> list[float | str]:
    return ["nan" if math.isnan(cut) else cut for cut in cuts.tolist()]


def test_bounds_are_one_standard_error_away():
    rows = table("iris")
    tree = softened(tw.grow(rows, "class", "c4.5"), rows)
    assert len(bounds_of(tree)) == np.count_nonzero(tree.kind == 1)
    for node, low, high in bounds_of(tree):
        leaf = tree.leaves(rows)
        here = (leaf >= node) & (leaf < tree.end[node])
        x, n = rows.column(tree.schema.names[tree.column[node]])[1][here], int(here.sum())
        cut = float(tree.cut[node])
        now = errors_with(tree, node, cut, rows)
        most = now + math.sqrt((now + 0.5) * (n - now + 0.5) / (n + 1))
        assert low <= cut <= high
        for value in np.unique(x).tolist():  # between the bounds errors stay below one standard error more
            errors = errors_with(tree, node, value, rows)
            assert not low < value < high or errors < most
        for bound, values in ((low, x[x < low]), (high, x[x > high])):
            if len(values) and bound not in (x.min(), x.max()):
                nearest = values.max() if bound == low else values.min()
                assert errors_with(tree, node, float(nearest), rows) >= most


def test_rows_go_both_ways_near_a_cut():
    rows = table("iris")
    tree = softened(tw.grow(rows, "class", "c4.5"), rows)
    soft = {node: (low, high) for node, low, high in bounds_of(tree)}
    found = predict_proba_soft(tree, rows)
    hard = tree.predict_proba(rows)
    cells = rows.to_dict()
    for row in range(0, 150, 3):
        own = answer(tree, 0, {name: cells[name][row] for name in tree.schema.names}, soft)
        np.testing.assert_allclose(found[row], own, atol=1e-12)
    assert (np.abs(found - hard).max(axis=1) > 1e-3).any()
    assert ((predict_soft(tree, rows) == rows.labels("class")).mean()) > 0.95


@pytest.mark.parametrize("name", ["labor", "crx", "hypothyroid"])
def test_gaps_and_categories_go_as_before(name: str):
    rows = table(name).take(range(min(table(name).n_rows, 300)))
    tree = tw.grow(rows, target(name), "c4.5")
    found = predict_proba_soft(softened(tree, rows), rows)
    np.testing.assert_allclose(found.sum(axis=1), 1.0)
    hard = Tree.from_dict(softened(tree, rows).to_dict())
    bounds = [[b.node, float(tree.cut[b.node]), float(tree.cut[b.node])] for b in bounds_of(hard)]
    from treewright.tree.edit import alter

    flat = alter(tree, about={**tree.about, "soft": bounds})  # bounds of no width: the tree itself
    if bounds:
        np.testing.assert_allclose(predict_proba_soft(flat, rows), tree.predict_proba(rows), atol=1e-12)


def test_what_is_refused_and_kept(tmp_path):
    rows = table("iris")
    plain = tw.grow(rows, "class", "c4.5")
    with pytest.raises(ValueError, match="no soft thresholds"):
        predict_soft(plain, rows)
    tree = softened(plain, rows)
    tree.save(tmp_path / "soft.treewright")
    assert bounds_of(tw.load(tmp_path / "soft.treewright")) == bounds_of(tree)
    assert bounds_of(tree.collapse(2)) == []  # the nodes have other numbers
    assert (tree.predict(rows) == plain.predict(rows)).all()
    with pytest.raises(ValueError, match="predicts the number 'Rings'"):
        softened(tw.grow(table("abalone"), "Rings", max_depth=1), table("abalone"))
    with pytest.raises(ValueError, match="soft thresholds that are not"):
        Tree.from_dict(tree.to_dict() | {"about": {"soft": [["a", 1]]}})
