"""Monotone trees and forests: judged node by node by the twin, and asked about grids of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import treewright as tw
from tests.grow.test_twin import EXACT, POLICIES, QUIET, SPLITS, grown, try_case
from tests.oracle.strategies import Problem, problems
from treewright.prune.counts import UnsuitableError

SIGNS = st.fixed_dictionaries({}, optional={name: st.sampled_from([-1, 1]) for name in "abcd"})
TWO = problems(task="classes", weights=EXACT).filter(lambda problem: problem.n_classes == 2)
NUMBERS = problems(task="numbers", weights=EXACT, extremes=False)


def directions(problem: Problem, signs: dict[str, int]) -> dict[str, int]:
    """Return the signs of columns that have an order."""
    ordered = {c.name for c in problem.table.schema.columns if c.kind != "nominal"}
    return {name: sign for name, sign in signs.items() if name in ordered}


def fitting(splits: str, missing: str) -> str:
    """Return the form of splits that goes with a policy for gaps."""
    return "binary" if missing == "surrogate" and splits == "multiway" else splits


# ---- against the twin -------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", POLICIES)
@pytest.mark.parametrize("task", ["classes", "numbers"])
def test_every_policy_against_the_twin(task: str, missing: str) -> None:
    @QUIET
    @given(TWO if task == "classes" else NUMBERS, SIGNS, st.sampled_from(SPLITS), st.sampled_from([0, 2]))
    def run(problem: Problem, signs: dict[str, int], splits: str, min_leaf: float) -> None:
        monotone = directions(problem, signs)
        splits = fitting(splits, missing)
        try_case(problem, missing=missing, splits=splits, monotone=monotone, min_leaf=min_leaf)

    run()


@QUIET
@given(TWO, SIGNS, st.sampled_from(["entropy", "gain_ratio", "error"]), st.sampled_from([0.5, 2.0]))
def test_other_criteria_and_costs_against_the_twin(
    problem: Problem, signs: dict[str, int], criterion: str, cost: float
) -> None:
    costs = {problem.table.schema.columns[0].name: cost}
    try_case(problem, criterion=criterion, monotone=directions(problem, signs), column_costs=costs)


# ---- on grids ---------------------------------------------------------------------------------------


def is_monotone(said: NDArray[np.float64], sign: int) -> bool:
    """Say whether answers along a column never turn back, to the last bit."""
    return bool(np.all(np.diff(said, axis=0) * sign >= 0))


def noisy(n_rows: int, seed: int, is_classifier: bool, gaps: float = 0.0) -> tw.Table:
    """Return a table whose target wants to turn back along every column."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n_rows, 3))
    size = rng.integers(0, 4, n_rows)
    signal = np.sin(2 * x[:, 0]) + x[:, 0] + x[:, 1] * x[:, 2] + 0.6 * (size == 1) + rng.normal(size=n_rows)
    cells: dict[str, Any] = {name: x[:, i].copy() for i, name in enumerate("abc")}
    for column in cells.values():
        column[rng.random(n_rows) < gaps] = np.nan
    cells["size"] = ["SMLX"[i] if rng.random() >= gaps else None for i in size]
    cells["word"] = rng.choice(list("pqrs"), n_rows)
    y = np.where(signal > 0.2, "yes", "no") if is_classifier else signal
    return tw.Table.from_dict({**cells, "y": y}, ordinal={"size": ["S", "M", "L", "X"]})


def along(table: tw.Table, name: str, n_rows: int, seed: int) -> list[tw.Table]:
    """Return the same rows again and again, with growing values of one column."""
    rng = np.random.default_rng(seed)
    some = table.take(rng.choice(table.n_rows, n_rows, replace=False))
    column, cells = table.column(name)
    steps: Any = np.linspace(-3, 3, 25) if column.is_numeric else range(len(column.categories))
    place = table.schema.index(name)
    found = []
    for step in steps:
        values = list(some.values)
        values[place] = np.full(n_rows, step).astype(cells.dtype)
        found.append(tw.Table(some.schema, tuple(values)))
    return found


def answers(model: Any, table: tw.Table) -> NDArray[np.float64]:
    """Return the share of the second class, or the number."""
    is_classifier = model.target.kind.value != "numeric"
    return np.asarray(model.predict_proba(table)[:, 1] if is_classifier else model.predict(table))


MONOTONE = {"a": 1, "b": -1, "size": 1}


@pytest.mark.parametrize("missing", ["learned", "fractional", "surrogate", "own_branch", "most_common"])
@pytest.mark.parametrize("is_classifier", [True, False])
@pytest.mark.parametrize("splits", ["binary", "multiway"])
def test_answers_rise_on_grids(missing: str, is_classifier: bool, splits: str) -> None:
    """Two rows that differ in one column only are in order, also where other columns have gaps."""
    if missing == "surrogate" and splits == "multiway":
        pytest.skip("surrogates stand in for tests with two branches")
    table = noisy(500, 1, is_classifier, gaps=0.15)
    asked: dict[str, Any] = {"target": "y", "missing": missing, "splits": splits, "min_leaf": 3}
    free, tree = tw.grow(table, **asked), tw.grow(table, **asked, monotone=MONOTONE)
    assert tree.n_leaves > 8
    turns_back = 0
    for name, sign in MONOTONE.items():
        rows = along(table, name, 60, 2)
        assert is_monotone(np.array([answers(tree, step) for step in rows]), sign)
        turns_back += not is_monotone(np.array([answers(free, step) for step in rows]), sign)
    assert turns_back  # the free tree does turn back, so the grid can tell


@pytest.mark.parametrize("is_classifier", [True, False])
@pytest.mark.parametrize(
    "asked",
    [
        {"max_leaves": 15},
        {"cuts": "random", "seed": 4},
        {"recipe": "cart"},
        {"prune": "cost_complexity"},
        {"prune": "reduced_error"},
        {"prune": "cv"},
        {"discretise": "equal_frequency"},
        {"weights": "w"},
    ],
    ids=str,
)
def test_answers_rise_whatever_else_is_asked(asked: dict[str, Any], is_classifier: bool) -> None:
    table = noisy(400, 3, is_classifier, gaps=0.05)
    if asked.get("weights"):
        asked = asked | {"weights": np.random.default_rng(0).integers(1, 50, 400) / 7}
    tree = tw.grow(table, target="y", monotone=MONOTONE, **asked)
    assert tree.n_leaves > 1
    for name, sign in MONOTONE.items():
        assert is_monotone(np.array([answers(tree, step) for step in along(table, name, 50, 5)]), sign)


@pytest.mark.parametrize("recipe", ["c4.5", "sliq", "stump"])
def test_recipes_for_classes(recipe: str) -> None:
    table = noisy(400, 3, is_classifier=True)
    tree = tw.grow(table, target="y", recipe=recipe, monotone=MONOTONE, prune="none")
    assert tree.n_leaves > 1
    for name, sign in MONOTONE.items():
        assert is_monotone(np.array([answers(tree, step) for step in along(table, name, 50, 5)]), sign)


@pytest.mark.parametrize("is_classifier", [True, False])
@pytest.mark.parametrize("vote", ["mean", "majority"])
@pytest.mark.parametrize("splitter", ["best", "random"])
def test_forests_rise(is_classifier: bool, vote: str, splitter: str) -> None:
    table = noisy(300, 7, is_classifier)
    X, y = table.drop("y"), table.labels("y") if is_classifier else table.column("y")[1]
    asked: dict[str, Any] = {"monotone": MONOTONE, "random_state": 1, "splitter": splitter}
    if is_classifier:
        model: Any = tw.RandomForestClassifier(7, vote=vote, **asked).fit(X, y)
    else:
        model = tw.RandomForestRegressor(7, **asked).fit(X, y)
    for name, sign in MONOTONE.items():
        rows = along(table, name, 40, 5)
        said = [model.predict_proba(r)[:, 1] if is_classifier else model.predict(r) for r in rows]
        assert is_monotone(np.array(said), sign)


def test_any_threads_and_any_order_of_rows() -> None:
    table = noisy(700, 9, is_classifier=True, gaps=0.1)
    tree = tw.grow(table, target="y", monotone=MONOTONE)
    again = tw.grow(
        table.take(np.random.default_rng(1).permutation(700)), target="y", monotone=MONOTONE, n_threads=3
    )
    for name in ("column", "cut", "stats", "missing", "score"):
        np.testing.assert_array_equal(getattr(tree, name), getattr(again, name))


@QUIET
@given(TWO, SIGNS, st.sampled_from(POLICIES))
def test_every_node_says_what_its_bounds_allow(problem: Problem, signs: dict[str, int], missing: str) -> None:
    """So that a tree cut back to any of its nodes keeps the order, and no leaf need be clipped."""
    monotone = directions(problem, signs)
    try:
        tree = grown(problem, missing=missing, monotone=monotone)
    except ValueError:
        return  # every row has a gap and the policy drops them
    said = tree.stats[:, 1] / np.maximum(tree.stats.sum(axis=1), 1e-300)

    def walk(node: int, low: float, high: float) -> None:
        assert low <= said[node] <= high
        if tree.is_leaf(node):
            return
        below = tree.children(node)
        sign = monotone.get(tree.schema.names[tree.column[node]], 0)
        if sign == 0 or not tree.cut[node] < np.inf:
            for child in below:
                walk(child, low, high)
            return
        first, second = (below[0], below[1]) if sign > 0 else (below[1], below[0])
        assert said[first] <= said[second]
        middle = said[below[0]] + (said[below[1]] - said[below[0]]) / 2
        walk(first, low, middle)
        walk(second, middle, high)
        for child in below[2:]:
            walk(child, low, high)

    walk(0, -np.inf, np.inf)


# ---- by hand, and refusals --------------------------------------------------------------------------


def test_a_cut_that_turns_back_is_not_made() -> None:
    table = tw.Table.from_dict({"x": range(6), "y": ["no", "no", "yes", "yes", "no", "no"]})
    assert tw.grow(table, target="y").n_leaves == 3
    rising = tw.grow(table, target="y", monotone={"x": 1}, ledger=True)
    assert rising.cut[0] == 1.5
    assert rising.n_leaves == 2  # a cut at 3.5 would fall
    assert tw.grow(table, target="y", monotone={"x": -1}).cut[0] == 3.5
    assert "or break the monotone order" in rising.why_not("x", node=2)


def test_truth_values_have_an_order() -> None:
    table = tw.Table.from_dict({"wet": [True, True, False, False], "y": [1.0, 2.0, 5.0, 6.0]})
    assert tw.grow(table, target="y", monotone={"wet": -1}).n_leaves == 2
    assert tw.grow(table, target="y", monotone={"wet": 1}).n_leaves == 1


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"monotone": {"word": 1}}, "monotone names column 'word', which is nominal"),
        ({"monotone": {"d": 1}}, "monotone names the column 'd', which is not among the 5"),
        ({"monotone": {"a": 2}}, r"monotone=\{'a': 2\} must be \+1, -1 or 0"),
        ({"monotone": [1, 0, 0]}, "monotone=.* must map names of columns to numbers"),
        ({"monotone": {"a": 1}, "splits": "linear"}, "splits='linear' does not go with monotone"),
        ({"monotone": {"a": 1}, "leaves": "logistic"}, "monotone bounds what leaves say"),
        ({"monotone": {"a": 1}, "recipe": "c4.5"}, "error_based with raising=True gives leaves other rows"),
        ({"monotonic_cst": {"a": 1}}, "here it is called monotone"),
    ],
)
def test_what_cannot_be_is_refused_by_name(asked: dict[str, Any], words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=words):
        tw.grow(noisy(60, 1, is_classifier=True), target="y", **asked)


def test_more_classes_than_two_are_refused() -> None:
    table = tw.Table.from_dict({"x": range(6), "y": list("aabbcc")})
    with pytest.raises(ValueError, match="column 'y' has 3 classes"):
        tw.grow(table, target="y", monotone={"x": 1})


def test_pruning_that_moves_rows_is_refused() -> None:
    table = noisy(200, 1, is_classifier=True)
    tree = tw.grow(table, target="y", monotone={"a": 1})
    with pytest.raises(UnsuitableError, match="monotone along 'a'"):
        tw.prune.error_based(tree, table)
    assert tw.prune.error_based(tree, raising=False).n_leaves <= tree.n_leaves
    with pytest.raises(ValueError, match="probabilities='laplace'"):
        tw.DecisionTreeClassifier(monotone={"a": 1}, probabilities="laplace").fit(
            table.drop("y"), table.labels("y")
        )
