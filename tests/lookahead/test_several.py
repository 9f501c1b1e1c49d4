"""Several good trees against a twin that lists every tree: none is missing, none is there twice."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import treewright as tw
from tests import tables
from tests.lookahead.test_optimal import noisy
from tests.lookahead.trials import solved, table_of, trial_of
from tests.oracle.optimal import Leaves, Trial, all_trees
from treewright.lookahead import several
from treewright.tree.certificate import Certificate


def leaves_of(tree: tw.Tree, trial: Trial) -> Leaves:
    """Return what makes a tree different: the rows of each leaf, and the columns asked on its way."""
    at = tree.leaves(table_of(trial))
    found = []
    for leaf in tree.leaf_ids.tolist():
        way = {int(tree.column[node]) for node in tree.path_to(leaf) if node != leaf}
        found.append((tuple(np.flatnonzero(at == leaf).tolist()), tuple(sorted(way))))
    return tuple(sorted(found))


def limit_of(best: float, within: float) -> float:
    return best * (1 + within) + 1e-7


@pytest.mark.parametrize("seed", range(500, 560))
def test_all_within_a_limit_are_those_of_the_twin(seed: int) -> None:
    trial = replace(trial_of(seed, most_rows=8), min_leaf=2 if seed % 5 < 2 else 0)
    every = all_trees(trial, 2)
    within = (0.0, 0.1, 0.5, 2.0)[seed % 4]
    found = solved(trial, 2, within=within)
    best = min(every.values())
    meant = {leaves: cost for leaves, cost in every.items() if cost <= limit_of(best, within)}
    assert found.trees.is_complete
    assert found.trees.costs == tuple(sorted(found.trees.costs))
    listed = {leaves_of(tree, trial): cost for tree, cost in zip(found.trees, found.trees.costs, strict=True)}
    assert len(listed) == len(found.trees)
    assert set(listed) == set(meant)
    assert all(cost == pytest.approx(meant[leaves], abs=1e-7) for leaves, cost in listed.items())
    asked = {leaves: {column for _, way in leaves for column in way} for leaves in meant}
    names = [f"x{i}" for i in range(len(trial.columns))]
    assert found.trees.uses == {
        name: sum(i in columns for columns in asked.values()) for i, name in enumerate(names)
    }


@pytest.mark.parametrize("seed", range(560, 590))
def test_the_best_few_are_those_of_the_twin(seed: int) -> None:
    trial = replace(trial_of(seed, most_rows=8), min_leaf=2 if seed % 5 < 2 else 0)
    every = all_trees(trial, 2)
    n = 1 + seed % 7 * 3
    found = solved(trial, 2, n_trees=n).trees
    assert found.is_complete
    assert list(found.costs) == pytest.approx(sorted(every.values())[:n], abs=1e-7)
    keys = [leaves_of(tree, trial) for tree in found]
    assert len(set(keys)) == len(keys) == min(n, len(every))
    assert all(
        every[key] == pytest.approx(cost, abs=1e-7) for key, cost in zip(keys, found.costs, strict=True)
    )


@pytest.mark.parametrize("seed", range(590, 610))
@pytest.mark.parametrize("max_leaves", [2, 3, 5])
def test_all_of_so_many_leaves(seed: int, max_leaves: int) -> None:
    trial = trial_of(seed, most_rows=8)
    every = {leaves: cost for leaves, cost in all_trees(trial, 2).items() if len(leaves) <= max_leaves}
    found = solved(trial, 2, max_leaves, within=0.4).trees
    meant = {key for key, cost in every.items() if cost <= limit_of(min(every.values()), 0.4)}
    assert {leaves_of(tree, trial) for tree in found} == meant


@pytest.mark.parametrize("seed", range(610, 625))
def test_three_levels(seed: int) -> None:
    trial = trial_of(seed, most_rows=6)
    if len(trial.columns) > 3:
        trial = trial_of(seed + 1000, most_rows=5)
    every = all_trees(trial, 3)
    found = solved(trial, 3, within=0.2).trees
    meant = {key for key, cost in every.items() if cost <= limit_of(min(every.values()), 0.2)}
    assert {leaves_of(tree, trial) for tree in found} == meant


def test_a_column_twice_is_needed_by_no_tree() -> None:
    table = tw.Table.from_dict({"a": [0, 0, 1, 1], "b": [0, 0, 1, 1], "c": [0, 1, 0, 1], "y": list("nnyy")})
    found = tw.optimal(table, "y", max_depth=1, within=0.0).trees
    assert [tree.n_leaves for tree in found] == [2, 2]
    assert (found.needed, found.unused) == ((), ("c",))


def test_tests_in_another_order_make_no_other_tree() -> None:
    table = tw.Table.from_dict({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1], "y": list("nyyn")})
    assert len(tw.optimal(table, "y", max_depth=2, within=0.0).trees) == 1


def test_a_sample_is_keyed_and_has_the_best() -> None:
    def asked(seed: int, table: tw.Table) -> tuple[list[str], tw.lookahead.GoodTrees]:
        found = tw.optimal(table, "class", 3, within=0.5, n_trees=4, seed=seed).trees
        return [tree.to_text() for tree in found], found

    table = tables.table("iris")
    first, found = asked(1, table)
    assert asked(1, table)[0] == first
    assert asked(1, table.take(np.random.default_rng(2).permutation(150)))[0] == first
    assert asked(2, table)[0] != first
    assert asked(2, table)[0][0] == first[0]
    assert len(first) == 4 < found.n_found
    assert "a sample of 4 trees" in str(found)
    assert found.uses == tw.optimal(table, "class", 3, within=0.5).trees.uses


def test_a_list_that_is_too_long_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(several, "MOST", 50)
    found = tw.optimal(tables.table("iris"), "class", 3, within=0.5)
    assert (len(found.trees), found.trees.is_complete, found.certificate.is_list_complete) == (
        50,
        False,
        False,
    )
    assert "More than 50 different trees" in str(found.trees)
    assert "a smaller within=" in str(found.trees)
    assert "list of 50 trees not complete" in str(found.certificate)


def test_memory_bounds_the_list() -> None:
    found = tw.optimal(tables.table("iris"), "class", 3, within=0.5, memory=20_000)
    assert found.trees.ended == "memory"
    assert len(found.trees) >= 1
    assert "memory=" in str(found.trees)
    assert found.certificate.is_proven


def test_time_and_an_interrupt_end_the_list() -> None:
    table = noisy(3000, 10)
    found = tw.optimal(table, "worth", max_depth=4, n_trees=3, time_limit=0.2)
    assert (len(found.trees), found.trees.is_complete) == (1, False)
    assert found.certificate.is_list_complete is False
    assert str(found.trees).startswith("The best tree for worth; the search was ended")


def test_the_certificate_tells_and_is_kept() -> None:
    found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, n_trees=9)
    assert (found.certificate.n_listed, found.certificate.is_list_complete) == (9, True)
    assert found.tree == found.trees[0]
    last = Certificate.of(found.trees[8].about)
    assert last is not None
    assert (last.upper, last.lower, last.is_proven) == (found.trees.costs[8], found.certificate.upper, False)
    assert "the best tree has 2" in str(last)
    assert all(a <= b for a, b in pairwise(found.trees.costs))


def test_numbers_and_leaf_prices() -> None:
    table = noisy(60, 3).drop("y")
    found = tw.optimal(table, "worth", max_depth=2, leaf_price=1.0, n_trees=6).trees
    for tree, cost in zip(found, found.costs, strict=True):
        squares = ((tree.predict(table) - table.column("worth")[1]) ** 2).sum()
        assert squares + tree.n_leaves == pytest.approx(cost)
    frame = found.to_frame("pandas")
    assert frame["cost"].tolist() == list(found.costs)


REFUSALS: list[tuple[dict[str, Any], str]] = [
    ({"n_trees": 0}, "from 1 up"),
    ({"n_trees": 2.5}, "whole number"),
    ({"n_trees": 10**9}, "100,000"),
    ({"within": -0.1}, "a share"),
    ({"within": "near"}, "such as 0.01"),
    ({"within": float("nan")}, "a share"),
]


@pytest.mark.parametrize(("asked", "words"), REFUSALS)
def test_refusals_say_why(asked: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        tw.optimal(tw.example("tennis"), "PlayTennis", **asked)


def test_a_single_class_has_a_single_tree() -> None:
    table = tw.Table.from_dict({"a": [1, 2, 3], "y": ["same"] * 3})
    found = tw.optimal(table, "y", within=0.5, n_trees=3).trees
    assert (len(found), found[0].n_leaves, found.unused) == (1, 1, ("a",))


def test_depth_zero() -> None:
    found = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=0, n_trees=3)
    assert (len(found.trees), found.trees.is_complete, found.tree.n_leaves) == (1, True, 1)
