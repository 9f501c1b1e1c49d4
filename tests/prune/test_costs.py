"""Costs and priors in the prunings that count errors: against plain Python, and as altered priors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.oracle import prune_costs as twin
from treewright.prune import critical_value, mdl, pessimistic, pessimistic_errors, regularised
from treewright.prune.risk import priced_errors, priced_weights
from treewright.tree.edit import alter

QUIET = settings(max_examples=at_most(15, 40), deadline=None)
CODES = ("mehta", "sliq", "quinlan_rivest")


def table(seed: int, n: int = 150, classes: int = 2) -> tw.Table:
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=(2, n))
    code = ((x > 0).astype(int) + (z > 0.5) * (classes - 2)) % classes
    code = np.where(rng.random(n) < 0.25, rng.integers(0, classes, n), code)
    return tw.Table.from_dict({"x": x, "z": z, "y": [f"c{k}" for k in code]})


def costs_for(seed: int, classes: int) -> list[list[float]]:
    rng = np.random.default_rng(seed + 7)
    found = rng.integers(1, 9, (classes, classes)).astype(float)
    np.fill_diagonal(found, 0.0)
    return found.tolist()


@QUIET
@given(seed=st.integers(0, 500), classes=st.sampled_from([2, 3]), has_priors=st.booleans())
def test_priced_errors_are_those_of_the_blackboard(seed: int, classes: int, has_priors: bool) -> None:
    more: dict[str, Any] = {"priors": [1 / classes] * classes} if has_priors else {}
    tree = tw.grow(table(seed, 80, classes), "y", costs=costs_for(seed, classes), **more)
    figures = pessimistic_errors(tree)
    errors = priced_errors(tree)
    for node in range(tree.n_nodes):
        assert errors[node] == pytest.approx(twin.as_leaf(tree, node))
        wanted = twin.pessimistic(tree, node)
        assert [float(part[node]) for part in figures] == pytest.approx(wanted)


@QUIET
@given(seed=st.integers(0, 500), code=st.sampled_from(CODES))
def test_costs_of_two_classes_prune_as_weights_of_the_classes_do(seed: int, code: str) -> None:
    data = table(seed)
    tree = tw.grow(data, "y", costs=costs_for(seed, 2))
    about = {name: value for name, value in tree.about.items() if name not in ("costs", "class_scale")}
    plain = alter(tree, stats=np.asarray(priced_weights(tree)), about=about)
    if code != "mehta":  # which counts the values of columns in rows
        assert mdl(tree, code=code).n_nodes == mdl(plain, code=code).n_nodes
    for impurity in ("entropy", "gini"):
        assert regularised(tree, 2.0, impurity).n_nodes == regularised(plain, 2.0, impurity).n_nodes


@pytest.mark.parametrize("factor", [0.01, 100.0])
@pytest.mark.parametrize("classes", [2, 3])
def test_the_unit_of_the_costs_does_not_matter_where_errors_are_counted(factor: float, classes: int) -> None:
    data, costs = table(3, classes=classes), np.array(costs_for(3, classes))
    one = tw.grow(data, "y", costs=costs.tolist())
    other = tw.grow(data, "y", costs=(factor * costs).tolist())
    assert pessimistic(one).n_nodes == pessimistic(other).n_nodes
    for code in CODES:
        assert mdl(one, code=code).n_nodes == mdl(other, code=code).n_nodes
    assert regularised(one, 3.0, "error").n_nodes == regularised(other, 3.0 * factor, "error").n_nodes
    kappa = 0.01
    assert critical_value(one, kappa, "risk").n_nodes == critical_value(other, factor * kappa, "risk").n_nodes


def test_even_costs_change_nothing() -> None:
    data = table(5, classes=3)
    plain = tw.grow(data, "y")
    even = tw.grow(data, "y", costs=(1 - np.eye(3)).tolist())
    for prune in (pessimistic, *(lambda tree, code=code: mdl(tree, code=code) for code in CODES)):
        assert prune(plain).n_nodes == prune(even).n_nodes
    assert regularised(plain, 2.0).n_nodes == regularised(even, 2.0).n_nodes
    assert critical_value(plain, 0.01, "risk").n_nodes == critical_value(even, 0.01, "risk").n_nodes


def test_what_is_dear_is_kept() -> None:
    # Ten rows of a rare class among many: pruned away at even costs, kept where missing one costs twenty.
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(0, 9, 190), rng.uniform(9, 10, 20)])
    y = np.array(["well"] * 190 + ["well", "sick"] * 10)
    data = tw.Table.from_dict({"x": x, "y": y})
    dear = {"sick": {"well": 20.0}, "well": {"sick": 1.0}}
    even = tw.grow(data, "y", max_depth=1)
    costly = tw.grow(data, "y", max_depth=1, costs=dear)
    assert pessimistic(costly).n_leaves == 2
    assert "sick" in pessimistic(costly).predict(data)
    assert "sick" not in pessimistic(even).predict(data)


def test_risk_of_a_test_is_what_it_takes_off() -> None:
    tree = tw.grow(table(1), "y", costs=costs_for(1, 2), max_depth=1)
    root, left, right = (float(v) for v in tw.prune.cost_complexity_path(tree).tree.weights[:3])
    costs = np.array(tree.about["costs"])
    risk = (np.asarray(tree.stats) * costs.T[tree.label]).sum(axis=1)
    taken = float(risk[0] - risk[1] - risk[2]) / root
    assert left + right == root
    assert critical_value(tree, taken + 1e-9, "risk").n_leaves == 1
    assert critical_value(tree, taken - 1e-9, "risk").n_leaves == 2
    assert replace(tw.prune.CriticalValue(kappa=taken + 1e-9), measure="risk")(tree).n_leaves == 1
