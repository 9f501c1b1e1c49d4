"""Hundreds of classes: the twin's tree, the same from both engines, and no array of nodes x classes."""

from __future__ import annotations

import tracemalloc
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests.grow.engines import first_difference, general_engine
from tests.grow.test_twin import EXACT, QUIET, try_case
from tests.oracle.plain import PlainColumn
from tests.oracle.strategies import Problem, problems
from treewright.tree.weights import ClassWeights


@st.composite
def many_classes(draw: st.DrawFn) -> Problem:
    """Draw a problem of few rows and up to 300 classes, of which some or most have no row."""
    problem = draw(problems(task="classes", weights=EXACT, max_rows=40))
    n_classes = draw(st.integers(5, 300))
    n_present = draw(st.integers(1, n_classes))
    names = st.permutations(range(n_classes))
    there = np.array(draw(names)[:n_present], dtype=np.int32)
    n = len(problem.y)
    cells = draw(st.lists(st.integers(0, n_present - 1), min_size=n, max_size=n))
    target = PlainColumn("y", "nominal", tuple(f"class {i:03d}" for i in range(n_classes)))
    return replace(problem, target=target, y=there[cells])


@pytest.mark.parametrize("criterion", ["gini", "entropy", "gain_ratio"])
@pytest.mark.parametrize("splits", ["binary", "multiway"])
def test_up_to_300_classes_against_the_twin(criterion: str, splits: str) -> None:
    @QUIET
    @given(many_classes(), st.sampled_from(["learned", "fractional"]))
    def run(problem: Problem, missing: str) -> None:
        try_case(problem, criterion=criterion, splits=splits, missing=missing)

    run()


@cache
def table_of(n_rows: int, n_classes: int, seed: int, *, odd: bool = False) -> tw.Table:
    """Return columns that know something of the class; odd ones have ties, gaps and categories."""
    rng = np.random.default_rng(seed)
    y = rng.integers(n_classes, size=n_rows)
    columns: dict[str, Any] = {}
    for name in "abcde":
        centre = rng.normal(size=n_classes)
        columns[name] = centre[y] + rng.normal(size=n_rows)
    if odd:
        columns["a"] = np.round(columns["a"] * 4)
        columns["b"] = np.where(rng.random(n_rows) < 0.1, np.nan, columns["b"])
        columns["c"] = [f"v{int(x)}" for x in np.clip(columns["c"] * 3, -9, 9)]
        columns["d"] = np.where(columns["d"] > 0, 1.0, 0.0)
    columns["y"] = [f"k{label:04d}" for label in y]
    return tw.Table.from_dict(columns)


LARGER = [pytest.param(*size, marks=pytest.mark.slow) for size in ((2500, 700, True), (900, 900, False))]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"n_threads": 3},
        {"max_leaves": 60},
        {"max_depth": 7, "min_leaf": 4},
        {"max_columns": 2, "seed": 5, "n_threads": 2},
        {"weights": "real"},
        {"weights": "real", "n_threads": 2},
        {"weights": "light", "min_leaf": 2},
        {"priors": "uneven"},
    ],
    ids=lambda asked: "-".join(asked) or "plain",
)
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize(
    ("n_rows", "n_classes", "odd"),
    [(3000, 40, False), (1200, 400, True), (500, 500, False), (5000, 13, True), *LARGER],
)
def test_both_engines_agree(n_rows: int, n_classes: int, odd: bool, criterion: str, asked: Any) -> None:
    table = table_of(n_rows, n_classes, n_rows + n_classes, odd=odd)
    settings = {"criterion": criterion, **asked}
    quick = tw.grow(table, "y", **made_of(table, settings))
    settings["n_threads"] = 1
    general = by_the_general_engine(n_rows, n_classes, odd, tuple(settings.items()))
    assert quick.n_nodes > 20
    assert not first_difference(quick, general)


@cache
def by_the_general_engine(n_rows: int, n_classes: int, odd: bool, settings: tuple[Any, ...]) -> tw.Tree:
    table = table_of(n_rows, n_classes, n_rows + n_classes, odd=odd)
    with general_engine():
        return tw.grow(table, "y", **made_of(table, dict(settings)))


def made_of(table: tw.Table, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the settings with weights and priors, drawn for the table, in place of their names."""
    n_rows, rng = table.n_rows, np.random.default_rng(9)
    classes = table.column("y")[0].categories
    made = {
        "real": lambda: rng.random(n_rows) + 0.01,
        "light": lambda: 10.0 ** rng.integers(-9, 4, n_rows),
        "uneven": lambda: dict(zip(classes, rng.dirichlet(np.ones(len(classes))), strict=True)),
    }
    drawn = {name: made[settings[name]]() for name in ("weights", "priors") if name in settings}
    return {"missing": "learned", **settings, **drawn}


def test_classes_of_one_row_each_tie_everywhere() -> None:
    """Every cut of such a node costs the same: the first one of the first column wins."""
    rng = np.random.default_rng(3)
    columns = {name: rng.permutation(600).astype(float) for name in "ab"}
    table = tw.Table.from_dict({**columns, "y": [f"k{i:03d}" for i in range(600)]})
    quick = tw.grow(table, "y")
    with general_engine():
        assert not first_difference(quick, tw.grow(table, "y"))
    assert quick.column[0] == 0
    assert quick.cut[0] == 0.5
    assert quick.n_leaves == 600


# ---- memory -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def large() -> tuple[tw.Table, tw.Tree]:
    table = table_of(6000, 3000, 1)
    return table, tw.grow(table, "y")


def test_class_weights_are_held_without_their_zeros(large: tuple[tw.Table, tw.Tree]) -> None:
    table, tree = large
    assert isinstance(tree.stats, ClassWeights)
    assert tree.stats.shape == (tree.n_nodes, len(tree.classes))
    assert tree.stats.nbytes < tree.stats.size * 8 / 50
    counts = np.bincount(table.column("y")[1], minlength=len(tree.classes))
    assert tree.stats[0].tolist() == counts.tolist()
    np.testing.assert_array_equal(tree.weights, tree.n_rows)
    for node in (0, 1, 17, tree.n_nodes - 1):
        below = [i for i in tree.leaf_ids.tolist() if node <= i < tree.end[node]]
        assert np.array_equal(tree.stats[node], np.asarray(tree.stats[below]).sum(axis=0))


def test_no_step_makes_an_array_of_nodes_and_classes(large: tuple[tw.Table, tw.Tree], tmp_path: Path) -> None:
    table, tree = large
    whole = tree.stats.size * 8
    path = tmp_path / "tree"
    steps = {
        "grow": lambda: tw.grow(table, "y"),
        "predict": lambda: tree.predict(table),
        "save": lambda: tree.save(path),
        "load": lambda: tw.load(path),
        "path": lambda: tw.prune.cost_complexity_path(tree),
        "prune": lambda: tw.prune.cost_complexity(tree, alpha=2e-4),
        "held out": lambda: tw.prune.reduced_error(tree, table),
        "text": lambda: tree.to_text(max_depth=3),
        "collapse": lambda: tree.collapse([1]),
        "equal": lambda: replace(tree) == tree,
    }
    taken = {}
    for name, step in steps.items():
        tracemalloc.start()
        step()
        taken[name] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert whole > 200e6
    assert {name: peak for name, peak in taken.items() if peak > whole / 4} == {}
    assert tw.load(path) == tree
