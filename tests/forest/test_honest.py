"""Honest trees of a forest: tests by some of a tree's rows, leaves of the others; against the slow way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import treewright as tw
from treewright import _core
from treewright.base.draws import HONEST, row_shares

SHARE, SEED = 0.4, 5


def table(n: int = 160, *, numbers: bool = False) -> tw.Table:
    rng = np.random.default_rng(2)
    x, z = rng.normal(size=(2, n)).round(1)
    said: Any = (2 * (x > 0.2) + z).round(2)
    if not numbers:
        said = np.where((x > 0.2) ^ (rng.random(n) < 0.2), "yes", "no").tolist()
    return tw.Table.from_dict({"x": x, "z": z, "k": (x + z).round(0), "y": said})


def sides(number: int, n: int, *, bootstrap: bool) -> tuple[NDArray[Any], NDArray[Any]]:
    """How often each row of a tree helps to choose its tests, and how often it fills its leaves."""
    times = _core.bootstrap(SEED, number, n, n).astype(float) if bootstrap else np.ones(n)
    fills = row_shares(SEED, HONEST, number, n) < SHARE
    return np.where(fills, 0.0, times), np.where(fills, times, 0.0)


def filled(tree: tw.Tree, node: int, cells: NDArray[Any], rows: list[int]) -> Any:
    """The slow way: tests and the rows in leaves, nested; a test only where both sides have rows."""
    if tree.kind[node] == 0:
        return rows
    column, cut = int(tree.column[node]), float(tree.cut[node])
    below = [row for row in rows if cells[row, column] <= cut]
    above = [row for row in rows if cells[row, column] > cut]
    if not below or not above:
        return rows
    left, right = tree.children(node)
    return (column, cut, filled(tree, left, cells, below), filled(tree, right, cells, above))


def leaves(plan: Any) -> list[list[int]]:
    return [plan] if isinstance(plan, list) else [*leaves(plan[2]), *leaves(plan[3])]


@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize("numbers", [True, False])
def test_each_tree_is_grown_by_some_rows_and_filled_by_the_others(bootstrap: bool, numbers: bool) -> None:
    data = table(numbers=numbers)
    n, cells = data.n_rows, np.column_stack([data.column(name)[1] for name in ("x", "z", "k")])
    how: dict[str, Any] = {"seed": SEED, "min_leaf": 3}
    forest = tw.forest.grow(data, "y", 4, honest=SHARE, bootstrap=bootstrap, max_columns=2, **how)
    for number in range(4):
        grows, fills = sides(number, n, bootstrap=bootstrap)
        slow = tw.grow(data, "y", "plain", weights=grows, tree=number, max_columns=2, **how)
        parts = leaves(filled(slow, 0, cells, np.flatnonzero(fills).tolist()))
        tree = forest.tree(number)
        ends = np.flatnonzero(tree.kind == 0)
        assert len(ends) == len(parts) > 1
        assert tree.n_rows[ends].tolist() == [len(part) for part in parts]
        for end, part in zip(ends, parts, strict=True):
            if numbers:
                mean = np.average(data.column("y")[1][part], weights=fills[part])
                assert tree.stats[end, :2] == pytest.approx([fills[part].sum(), mean])
            else:
                held = [fills[part][data.labels("y")[part] == name].sum() for name in tree.classes]
                assert tree.stats[end].tolist() == held


def test_threads_and_batches_give_the_same_forest_and_files_keep_it(tmp_path: Any) -> None:
    data = table()
    forest = tw.forest.grow(data, "y", 6, honest=0.5)
    assert forest == tw.forest.grow(data, "y", 6, honest=0.5, n_threads=3)
    parts = [tw.forest.grow(data, "y", 3, honest=0.5, first=first) for first in (0, 3)]
    assert forest == tw.forest.join(*parts)
    forest.save(tmp_path / "honest.forest")
    assert tw.load(tmp_path / "honest.forest") == forest
    assert forest != tw.forest.grow(data, "y", 6)


def test_honest_leaves_are_less_sure_of_labels_that_are_noise() -> None:
    rng = np.random.default_rng(0)
    data = {**{f"x{i}": rng.normal(size=300) for i in range(5)}, "y": rng.permutation(["a", "b"] * 150)}
    sure = [
        np.abs(tw.forest.grow(data, "y", 1, min_leaf=10, **how).predict_proba(data)[:, 0] - 0.5).mean()
        for how in ({}, {"honest": 0.5})
    ]
    assert sure[1] < 0.7 * sure[0]


@pytest.mark.parametrize("weight", ["balanced", "balanced_subsample", {"yes": 3.0, "no": 1.0}])
def test_weights_of_classes_count_on_both_sides(weight: Any) -> None:
    data = table()
    forest = tw.forest.grow(data, "y", 3, honest=0.5, class_weight=weight, bootstrap=False, max_columns="all")
    plain = tw.forest.grow(data, "y", 3, honest=0.5, bootstrap=False, max_columns="all")
    held, bare = forest.tree(1).stats[0], plain.tree(1).stats[0]
    order = list(forest.classes)
    total = np.array([(data.labels("y") == name).sum() for name in order])
    factor = [weight[name] for name in order] if isinstance(weight, dict) else 80 / total
    assert held == pytest.approx(bare * factor)


def test_a_table_of_a_few_rows_is_grown_on() -> None:
    for n in range(1, 6):
        rows = {"x": list(range(n)), "y": list("ababa"[:n])}
        assert tw.forest.grow(rows, "y", 5, honest=0.5).n_trees == 5


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"honest": 1.0}, r"honest=1\.0 must be a share of the rows below 1"),
        ({"honest": 0.5, "costs": {"yes": {"no": 2.0}}}, "costs with honest"),
        ({"honest": 0.5, "priors": {"yes": 0.5, "no": 0.5}}, "priors with honest"),
        ({"honest": 0.5, "monotone": {"x": 1}}, "Grow it without"),
        ({"schools": "all"}, "schools='all': trees of a forest keep what their own policy needs"),
    ],
)
def test_what_is_refused_says_why(given: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tw.forest.grow(table(), "y", 2, **given)
