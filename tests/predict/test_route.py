"""Routing: the layout against the walker that goes row by row, the blackboard version and the oracle."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.grow.test_twin import POLICIES, grown
from tests.oracle.node import Study
from tests.oracle.route import vote
from tests.oracle.settings import settings_for
from tests.oracle.strategies import Problem, problems
from tests.predict.plainly import ends, refusal
from tests.tree.strategies import summing_twins, twins
from treewright import _core
from treewright.estimators import inputs
from treewright.predict import chances, route_columns, shares, values
from treewright.route import Routed
from treewright.route.router import router
from treewright.table import Kind
from treewright.tree import Tree
from treewright.tree.policy import GAPS, UNSEEN

QUIET = settings(
    max_examples=at_most(40, 2000),
    suppress_health_check=list(HealthCheck),
)
NUMBERS = [0.1, -2.0, 77.5, 1e-300, 0.0, 5e-324, 1e300, -np.inf, np.inf, np.nan]


@st.composite
def rows_for(draw: st.DrawFn, tree: Tree, max_rows: int = 40) -> list[np.ndarray]:
    """Draw columns for a tree: gaps, unseen categories, and codes that no category has."""
    n_rows = draw(st.integers(0, max_rows))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    cuts = tree.cut[np.isfinite(tree.cut)].tolist()
    columns: list[np.ndarray] = []
    for column in tree.schema.columns:
        if column.kind is Kind.numeric:
            columns.append(random.choice([*NUMBERS, *cuts], n_rows).astype(np.float64))
        else:
            codes = [*range(-2, len(column.categories)), len(column.categories), 2**31 - 1]
            columns.append(random.choice(codes, n_rows).astype(np.int32))
    return columns


def agree(one: Any, other: Any) -> None:
    """Assert that two answers of the core are the same to the last bit."""
    for a, b in zip(one, other, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@QUIET
@given(st.data(), twins(), st.sampled_from(list(GAPS)), st.sampled_from(list(UNSEEN)))
def test_any_tree_with_any_policy(data: st.DataObject, twin: tuple[Any, Tree], gap: str, unseen: str) -> None:
    tree = replace(twin[1], about={"missing": gap, "unseen": unseen}, ledger=None)
    columns = data.draw(rows_for(tree))
    n_rows = len(columns[0])
    found = Routed(*router(tree).route(columns, n_rows))
    agree(found, router(tree).route(columns, n_rows, row_by_row=True))
    for row in range(n_rows):
        judge_row(tree, [column[row] for column in columns], row, found)


@QUIET
@given(st.data(), summing_twins(), st.sampled_from(list(GAPS)), st.sampled_from(list(UNSEEN)))
def test_sums_with_any_policy(data: st.DataObject, twin: tuple[Any, Tree], gap: str, unseen: str) -> None:
    tree = replace(twin[1], about={"missing": gap, "unseen": unseen}, ledger=None)
    columns = data.draw(rows_for(tree))
    n_rows = len(columns[0])
    found = Routed(*router(tree).route(columns, n_rows))
    agree(found, router(tree).route(columns, n_rows, row_by_row=True))
    for row in range(n_rows):
        judge_row(tree, [column[row] for column in columns], row, found)


def judge_row(tree: Tree, cells: list[Any], row: int, found: Routed) -> None:
    """Assert that the blackboard version sends one row to the same nodes."""
    if (refused_by := refusal(tree, cells)) is not None:
        assert found.node[row] == -1 - refused_by
        return
    expected, mine = ends(tree, cells), found.part_row == row
    if len(expected) > 1:
        assert found.part_node[mine].tolist() == [node for node, _ in expected]
        np.testing.assert_allclose(found.part_weight[mine], [weight for _, weight in expected], rtol=1e-12)
        assert found.node[row] in [node for node, _ in expected]
    else:
        assert not mine.any()
        assert found.node[row] == expected[0][0]


@pytest.mark.parametrize("policy", [policy for policy in POLICIES if policy != "drop"])
def test_training_rows_against_the_oracle(policy: str) -> None:
    @settings(QUIET, max_examples=QUIET.max_examples // 4)
    @given(problems(gaps=True))
    def run(problem: Problem) -> None:
        tree = grown(problem, missing=policy)
        routed = route_columns(tree, list(problem.table.values), len(problem.y))
        rules = settings_for("plain", regression=problem.n_classes == 0, missing=policy)
        study = Study(problem.table, problem.y, problem.n_classes, rules)
        found = chances(tree, routed) if problem.n_classes else values(tree, routed)[:, None]
        expected = [vote(tree, study, row) for row in range(len(problem.y))]
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)

    run()


@QUIET
@given(st.data(), problems(kinds=("numeric",), extremes=True), st.sampled_from(POLICIES))
def test_arrays_as_they_lie(data: st.DataObject, problem: Problem, policy: str) -> None:
    if policy == "drop" and not problem.table.values[0].size:
        return
    tree = tw.grow(
        tw.Table.from_dict(
            {f"x{i}": v for i, v in enumerate(problem.table.values)} | {"y": problem.y.astype(str)}
        ),
        target="y",
        missing=policy if policy != "drop" else "learned",
    )
    columns = data.draw(rows_for(tree))
    X = np.stack(columns, axis=1)
    n_rows = len(X)
    wide = np.full((2 * n_rows, 3 * X.shape[1]), 7.0)
    wide[::2, ::3] = X
    upside_down = np.ascontiguousarray(X[::-1, ::-1])[::-1, ::-1]
    expected = router(tree).route(columns, n_rows)
    for array in (X, np.asfortranarray(X), wide[::2, ::3], upside_down):
        agree(router(tree).route(array, n_rows), expected)
    with np.errstate(over="ignore", under="ignore"):
        narrow = X.astype(np.float32)
    agree(
        router(tree).route(narrow, n_rows),
        router(tree).route(list(narrow.T.astype(np.float64, order="C")), n_rows),
    )


def far_apart() -> tuple[Tree, list[np.ndarray]]:
    """Return a tree on one column of 3000 categories whose nodes know a few far apart, and its rows."""
    random = np.random.default_rng(0)
    words = [f"{i:04}" for i in range(3000)]
    codes = random.choice(3000, 400)
    y = random.integers(0, 3, 400).astype(str)
    cells = {"word": [words[i] for i in codes], "x": random.normal(size=400), "y": y}
    table = tw.Table.from_dict(cells, categories={"word": words})
    tree = tw.grow(table, target="y", splits="binary", unseen="most_common")
    return tree, [np.arange(-3, 3003).astype(np.int32), np.full(3006, 0.5)]


def test_categories_far_apart() -> None:
    tree, columns = far_apart()
    sizes = np.diff(tree.code_start)
    widths = [np.ptp(codes) for codes in np.split(tree.code, tree.code_start[1:-1]) if len(codes)]
    assert max(widths) > 2 * sizes.max() + 33  # some node has no slot for every code
    found = Routed(*router(tree).route(columns, 3006))
    agree(found, router(tree).route(columns, 3006, row_by_row=True))
    for row in range(0, 3006, 50):
        judge_row(tree, [column[row] for column in columns], row, found)


@pytest.mark.parametrize("cut", [-1.0, -0.5, 0.0, 1.0, 1.5, 2.0, 2.0**31 - 1, 2.0**40, np.inf, -np.inf])
def test_cuts_of_ranks(cut: float) -> None:
    table = tw.Table.from_dict({"size": list("SML"), "y": list("abb")}, ordinal={"size": list("SML")})
    tree = tw.grow(table, target="y", max_depth=1)
    assert tree.kind[0] == 1
    tree = replace(tree, cut=np.array([cut, np.nan, np.nan]))
    columns = [np.array([0, 1, 2, -1, -2, 3, 2**31 - 1] * 3, dtype=np.int32)]
    agree(router(tree).route(columns, 21), router(tree).route(columns, 21, row_by_row=True))
    known = columns[0][:3]
    assert router(tree).route(columns, 21)[0][:3].tolist() == np.where(known <= cut, 1, 2).tolist()


def deep(n_rows: int) -> tuple[Tree, np.ndarray]:
    """Return a tree that is a chain, whose rows take ways of any length, and the rows."""
    X = np.random.default_rng(1).permutation(n_rows).astype(np.float64)[:, None]
    chain = tw.grow(tw.Table.from_dict({"x": np.arange(40.0), "y": ["a", "b"] * 20}), target="y")
    return chain, X % 41


@pytest.mark.parametrize("n_rows", range(20))
def test_fewer_and_more_rows_than_lanes(n_rows: int) -> None:
    tree, X = deep(n_rows)
    expected = [ends(tree, [x])[0][0] for x in X[:, 0]]
    assert route_columns(tree, X, n_rows).node.tolist() == expected
    assert route_columns(tree, [X[:, 0].copy()], n_rows).node.tolist() == expected


@pytest.mark.parametrize("missing", ["learned", "fractional"])
def test_threads_do_not_change_the_answer(missing: str) -> None:
    random = np.random.default_rng(2)
    X = random.normal(size=(500, 3))
    X[random.random(X.shape) < 0.1] = np.nan
    names = {f"x{i}": X[:, i] for i in range(3)}
    table = tw.Table.from_dict(names | {"y": (np.nan_to_num(X).sum(axis=1) > 0).astype(str)})
    tree = tw.grow(table, target="y", missing=missing)
    many = np.tile(X, (130, 1))
    alone = route_columns(tree, many, len(many))
    assert (len(alone.part_row) > 0) == (missing == "fractional")
    assert (np.diff(alone.part_row) >= 0).all()
    for n_threads in (2, 3, 50):
        agree(alone, route_columns(tree, many, len(many), n_threads))


@pytest.mark.parametrize("missing", ["learned", "fractional"])
def test_a_large_tree_reads_ahead(missing: str) -> None:
    random = np.random.default_rng(5)
    X = random.normal(size=(6000, 3))
    X[random.random(X.shape) < 0.02] = np.nan
    words = random.choice(list("abcdef"), 6000)
    cells = {
        "x0": X[:, 0],
        "x1": X[:, 1],
        "x2": X[:, 2],
        "word": words,
        "y": random.integers(0, 2, 6000).astype(str),
    }
    table = tw.Table.from_dict(cells)
    mixed = tw.grow(table, target="y", missing=missing)
    columns = list(table.drop("y").values)
    assert mixed.n_nodes > 2048
    agree(router(mixed).route(columns, 6000), router(mixed).route(columns, 6000, row_by_row=True))
    tree = tw.grow(table.drop("word"), target="y", missing=missing)
    assert tree.n_nodes > 2048
    expected = router(tree).route(columns[:3], 6000, row_by_row=True)
    for array in (X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X[::-1].copy()[::-1]):
        agree(router(tree).route(array, 6000), expected)
    same = np.broadcast_to(X[0], X.shape)
    agree(router(tree).route(same, 6000), router(tree).route(same, 6000, row_by_row=True))


class TestWhatIsRefused:
    tree, X = deep(5)
    mixed = tw.grow(tw.Table.from_dict({"c": list("ab"), "x": [1, 2], "y": list("uv")}), target="y")

    @pytest.mark.parametrize(
        ("columns", "n_rows", "error"),
        [
            ([], 5, ValueError),
            ([X[:, 0], X[:, 0]], 5, ValueError),
            ([X[:, 0]], 4, ValueError),
            ([X[:, 0]], -1, ValueError),
            ([X[:, 0].astype(np.int32)], 5, TypeError),
            ([X[:, 0].astype(np.float32)], 5, TypeError),
            ([np.arange(10.0)[::2]], 5, TypeError),
            ([X], 5, TypeError),
            ([None], 5, TypeError),
            (X, 6, ValueError),
            (np.zeros((5, 2)), 5, ValueError),
            (np.zeros((5, 0)), 5, ValueError),
            (X.astype(np.int64), 5, TypeError),
            (X.astype(">f8"), 5, TypeError),
            (np.zeros(5), 5, TypeError),
            (None, 5, TypeError),
        ],
    )
    def test_columns_that_do_not_fit(self, columns: Any, n_rows: int, error: type[Exception]) -> None:
        with pytest.raises((error, RuntimeError) if error is TypeError else error):
            router(self.tree).route(columns, n_rows)

    def test_kinds_that_do_not_fit(self) -> None:
        codes, numbers = np.zeros(2, dtype=np.int32), np.zeros(2)
        assert len(router(self.mixed).route([codes, numbers], 2)[0]) == 2
        for columns in ([numbers, numbers], [codes, codes], [numbers, codes]):
            with pytest.raises((TypeError, RuntimeError)):
                router(self.mixed).route(columns, 2)
        with pytest.raises(TypeError, match="categories"):
            router(self.mixed).route(np.zeros((2, 2)), 2)

    def test_an_array_with_a_gap_says_where(self) -> None:
        tree = tw.grow(
            tw.Table.from_dict({"a": [1, 1, 1], "b": [1, 2, 3], "y": list("uvv")}),
            target="y",
            missing="error",
        )
        X = np.array([[np.nan, 1.0], [1.0, np.nan], [1.0, np.nan]])
        assert route_columns(tree, X[:1], 1).node.tolist() == [1]
        with pytest.raises(ValueError, match="Column 'b' is missing in row 1,"):
            route_columns(tree, X, 3)

    def test_a_tree_without_its_arrays(self) -> None:
        with pytest.raises(KeyError, match="end"):
            _core.Router({}, "branch", "branch")


def test_the_layout_is_no_part_of_the_tree() -> None:
    tree, X = deep(5)
    before = pickle.dumps(tree)
    assert "_router" not in vars(tree)
    found = route_columns(tree, X, 5).node
    assert router(tree) is router(tree)
    assert pickle.dumps(tree) == before
    for twin in (pickle.loads(before), copy.copy(tree), copy.deepcopy(tree), replace(tree)):
        assert twin == tree
        assert "_router" not in vars(twin)
        assert route_columns(twin, X, 5).node.tolist() == found.tolist()


def test_the_layout_outlives_the_tree() -> None:
    tree, X = deep(5)
    found, kept = route_columns(tree, X, 5).node.tolist(), router(tree)
    del tree
    assert kept.route(X, 5)[0].tolist() == found


class TestEstimators:
    X = np.random.default_rng(3).normal(size=(200, 4))
    y = X[:, 0] + X[:, 1] > 0

    @pytest.mark.parametrize("dtype", [np.float32, np.float64])
    @pytest.mark.parametrize("order", ["C", "F"])
    def test_arrays_of_floats_are_not_copied(self, dtype: Any, order: Any) -> None:
        X = self.X.astype(dtype, order=order)
        model = tw.DecisionTreeClassifier().fit(X, self.y)
        assert inputs.cells_for(model.tree_, X) is X
        assert inputs.cells_for(model.tree_, X[::2, :]).base is X
        assert (model.predict(X) == self.y).all()

    def test_a_pandas_frame_of_floats_is_not_copied(self) -> None:
        pandas = pytest.importorskip("pandas")
        frame = pandas.DataFrame(self.X, columns=list("abcd"))
        model = tw.DecisionTreeClassifier().fit(frame, self.y)
        assert np.shares_memory(inputs.cells_for(model.tree_, frame), frame.to_numpy())
        assert (model.predict(frame) == self.y).all()

    def test_odd_arrays_of_floats(self) -> None:
        model = tw.DecisionTreeClassifier().fit(self.X, self.y)
        swapped = self.X.astype(">f8")
        unaligned = np.ndarray(self.X.shape, buffer=bytearray(self.X.size * 8 + 1), offset=1)
        unaligned[:] = self.X
        for X in (swapped, unaligned, self.X.astype(np.longdouble)):
            assert inputs.cells_for(model.tree_, X) is not X
            assert (model.predict(X) == self.y).all()

    def test_jobs(self) -> None:
        model = tw.DecisionTreeClassifier(n_jobs=2).fit(self.X, self.y)
        many = np.tile(self.X, (210, 1))
        alone = tw.DecisionTreeClassifier().fit(self.X, self.y)
        np.testing.assert_array_equal(model.predict_proba(many), alone.predict_proba(many))


@pytest.mark.parametrize("probabilities", ["raw", "laplace", "m_estimate"])
@pytest.mark.parametrize("words", [{}, {"priors": {"a": 0.2, "b": 0.3, "c": 0.5}}])
def test_few_rows_and_many_have_the_same_chances(probabilities: str, words: Any) -> None:
    random = np.random.default_rng(4)
    X, y = random.normal(size=(300, 2)), random.choice(list("abc"), 300)
    tree = tw.grow(
        tw.Table.from_dict({"x0": X[:, 0], "x1": X[:, 1], "y": y}), target="y", min_leaf=3, **words
    )
    routed = route_columns(tree, X, 300)
    assert tree.n_nodes < 300
    many = chances(tree, routed, probabilities)
    np.testing.assert_array_equal(many, shares(tree, probabilities)[routed.node])
    for row in range(5):
        one = route_columns(tree, X[row : row + 1], 1)
        np.testing.assert_array_equal(chances(tree, one, probabilities), many[row : row + 1])


def test_few_rows_and_many_have_the_same_values() -> None:
    X = np.arange(50.0)[:, None]
    tree = tw.grow(tw.Table.from_dict({"x": X[:, 0], "y": np.sqrt(X[:, 0])}), target="y", max_depth=3)
    many = values(tree, route_columns(tree, X, 50))
    for row in range(50):
        assert values(tree, route_columns(tree, X[row : row + 1], 1)).tolist() == [many[row]]


def test_an_empty_leaf_is_sure_of_its_label() -> None:
    table = tw.Table.from_dict({"c": list("aabb"), "y": list("uvvv")}, categories={"c": ["a", "b", "never"]})
    tree = tw.grow(table, target="y", recipe="id3")
    empty = route_columns(tree, [np.array([2], dtype=np.int32)], 1)
    assert tree.weights[empty.node[0]] == 0
    assert sorted(chances(tree, empty)[0].tolist()) == [0.0, 1.0]
    assert chances(tree, empty)[0].argmax() == tree.label[empty.node[0]]
