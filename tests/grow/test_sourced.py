"""Rows that lie elsewhere: the same tree from parts, bit for bit, as from the table in memory."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.amount import at_most
from tests.grow import cases
from tests.grow.blackboard import OnBlackboard
from tests.grow.engines import differences, first_difference
from tests.grow.samples import grow
from tests.grow.test_invariance import with_target
from tests.oracle.strategies import Problem, problems
from tests.tables import table, target
from treewright.growth.question import FORMS
from treewright.growth.settings import Settings
from treewright.growth.sourced import (
    Ask,
    Cells,
    Draw,
    IntegrityError,
    Move,
    Source,
    StandIn,
    Stretches,
    Together,
    cut_into_parts,
    grow_from,
)
from treewright.growth.sourced import cells as opening
from treewright.growth.sourced import search as searching
from treewright.growth.sourced.loop import _form_is_cut
from treewright.growth.sourced.source import keys_of, numbers_of
from treewright.table import Column, Table

splittings = st.sampled_from(["binary", "one_vs_rest", "multiway"])
QUIET = settings(max_examples=at_most(12, 100), deadline=None, suppress_health_check=list(HealthCheck))
LIMITS: list[dict[str, Any]] = [
    {}, {"max_depth": 2}, {"min_leaf": 2}, {"min_branch": 2}, {"max_leaves": 4}, {"min_leaf_share": 0.2},
    {"min_gain": 0.01}, {"min_gain": 0.01, "gain_of": "table"}, {"ledger": True}, {"majority_share": 0.6},
]  # fmt: skip


def same(rows: Table, n_parts: int, *, part_seed: int = 0, gather_below: int = 0, **told: Any) -> tw.Tree:
    """Grow from parts and in memory; the trees must not differ in one bit. Return the tree."""
    expected = grow(rows, "y", **told)
    parts, question, chosen = cut_into_parts(rows, "y", n_parts, part_seed=part_seed, **told)
    found = grow_from(Together(parts), question, chosen, gather_below=gather_below)
    assert not differences(expected, found), first_difference(expected, found)
    return found


def renamed(name: str) -> Table:
    """Return a table of the tests, or an example, with its target called y."""
    is_example = name == "hypothyroid"
    whole, goal_name = (tw.example(name), "class") if is_example else (table(name), target(name))
    features, (goal, answers) = whole.drop([goal_name]), whole.column(goal_name)
    columns = (*features.schema.columns, type(goal)("y", goal.kind, goal.categories))
    return Table(type(whole.schema)(columns), (*features.values, answers))


# ---- the same tree -------------------------------------------------------------------------------------


@pytest.mark.parametrize("splits", ["binary", "one_vs_rest", "multiway"])
@pytest.mark.parametrize("most_rows", [0, 3, 4096])
def test_parts_grow_the_tree_of_the_whole(splits: str, most_rows: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(opening, "MOST_ROWS", most_rows)  # 0: everything is zoomed down to single values

    @QUIET
    @given(problems(), st.integers(1, 17), st.integers(0, 3), st.sampled_from(LIMITS), st.booleans())
    def run(problem: Problem, n_parts: int, seed: int, limit: dict[str, Any], is_entropy: bool) -> None:
        told: dict[str, Any] = {"splits": splits, "weights": problem.weights, **limit}
        if problem.n_classes and is_entropy:
            told["criterion"] = "entropy"
        if not problem.n_classes:
            told.pop("majority_share", None)
        same(with_target(problem), n_parts, part_seed=seed, **told)

    run()


@pytest.mark.parametrize(
    "missing", ["learned", "own_branch", "most_common", "most_common_overall", "fractional", "surrogate"]
)
@pytest.mark.parametrize("gather_below", [0, 5])
def test_the_blackboard_grows_it_too(missing: str, gather_below: int) -> None:
    @QUIET
    @given(problems(), st.integers(1, 17), st.sampled_from(["binary", "one_vs_rest", "multiway"]))
    def run(problem: Problem, n_parts: int, splits: str) -> None:
        whole = with_target(problem)
        if missing == "surrogate" and splits == "multiway":
            splits = "binary"
        told: dict[str, Any] = {"splits": splits, "missing": missing, "weights": problem.weights}
        expected = grow(whole, "y", **told)
        parts, question, chosen = cut_into_parts(whole, "y", n_parts, **told)
        is_cut = [_form_is_cut(column, chosen) for column in question.schema.columns]
        board = OnBlackboard(parts, question, is_cut)
        found = grow_from(board, question, chosen, gather_below=gather_below)
        assert not differences(expected, found), first_difference(expected, found)

    run()


@pytest.mark.parametrize("missing", ["most_common", "most_common_overall"])
@pytest.mark.parametrize("most_rows", [0, 4096])
def test_common_values_stand_in_for_gaps(missing: str, most_rows: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(opening, "MOST_ROWS", most_rows)

    @QUIET
    @given(problems(gaps=True, max_rows=40), st.integers(1, 29), splittings, st.sampled_from(LIMITS))
    def run(problem: Problem, n_parts: int, splits: str, limit: dict[str, Any]) -> None:
        told: dict[str, Any] = {"splits": splits, "missing": missing, "weights": problem.weights, **limit}
        if not problem.n_classes:
            told.pop("majority_share", None)
        same(with_target(problem), n_parts, **told)

    run()


def test_common_numbers_lie_inside_cells() -> None:
    """The median of a node, and of all rows, is one of many values of a cell."""
    rng = np.random.default_rng(4)
    n = 6000
    x = rng.normal(size=(n, 3))
    y = np.where(x[:, 0] - x[:, 1] + rng.normal(size=n) > 0, "a", "b")
    x[rng.random((n, 3)) < 0.2] = np.nan
    rows = Table.from_dict({**{f"x{j}": x[:, j] for j in range(3)}, "y": y.tolist()})
    for missing in ("most_common", "most_common_overall"):
        assert same(rows, 5, missing=missing, max_depth=5).n_nodes > 20


@pytest.mark.parametrize("recipe", ["plain", "c4.5"])
@pytest.mark.parametrize("most_rows", [0, 4096])
def test_rows_are_divided(recipe: str, most_rows: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(opening, "MOST_ROWS", most_rows)
    task = "classes" if recipe == "c4.5" else None

    @QUIET
    @given(
        problems(gaps=True, max_rows=40, task=task), st.integers(1, 29), splittings, st.sampled_from(LIMITS)
    )
    def run(problem: Problem, n_parts: int, splits: str, limit: dict[str, Any]) -> None:
        told: dict[str, Any] = {"missing": "fractional", "weights": problem.weights, **limit}
        if recipe == "plain":
            told["splits"] = splits
        if not problem.n_classes:
            told.pop("majority_share", None)
        same(with_target(problem), n_parts, recipe=recipe, **told)

    run()


@pytest.mark.parametrize("splits", ["binary", "one_vs_rest"])
@pytest.mark.parametrize("most_rows", [0, 4096])
def test_stand_ins_are_found(splits: str, most_rows: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(opening, "MOST_ROWS", most_rows)
    bases = st.sampled_from([{}, {"surrogate_style": "both_known"}, {"max_surrogates": 1}])

    @QUIET
    @given(problems(max_rows=40, max_columns=6), st.integers(1, 29), st.sampled_from(LIMITS), bases)
    def run(problem: Problem, n_parts: int, limit: dict[str, Any], base: dict[str, Any]) -> None:
        told: dict[str, Any] = {"missing": "surrogate", "splits": splits, "weights": problem.weights}
        told |= limit | base
        if not problem.n_classes:
            told.pop("majority_share", None)
        same(with_target(problem), n_parts, **told)

    run()


@pytest.mark.parametrize(
    "missing", ["learned", "own_branch", "drop", "most_common", "surrogate", "fractional"]
)
@pytest.mark.parametrize("most_rows", [0, 4096])
def test_drawn_columns(missing: str, most_rows: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(opening, "MOST_ROWS", most_rows)
    some = st.tuples(st.integers(1, 3), st.integers(0, 3), st.sampled_from([0, 0, 15]))

    @QUIET
    @given(
        problems(max_rows=40, max_columns=6), st.integers(1, 29), st.sampled_from(LIMITS), some, splittings
    )
    def run(problem: Problem, n_parts: int, limit: dict[str, Any], drawn: Any, splits: str) -> None:
        told: dict[str, Any] = {"missing": missing, "splits": splits, "weights": problem.weights, **limit}
        if missing == "surrogate" and splits == "multiway":
            told["splits"] = "binary"
        if not problem.n_classes:
            told.pop("majority_share", None)
        told |= {"max_columns": drawn[0], "seed": drawn[1], "ledger": False}
        rows = with_target(problem)
        if missing == "drop" and lacks_everywhere(rows):
            return
        same(rows, n_parts, gather_below=drawn[2], **told)

    run()


def lacks_everywhere(rows: Table) -> bool:
    """Tell whether no row would be left, were those with gaps left out."""
    columns = [rows.column(name)[1] for name in rows.names if name != "y"]
    lacks = [np.isnan(values) if values.dtype.kind == "f" else values < 0 for values in columns]
    return bool(np.all(np.any(lacks, axis=0)))


def test_recipes_with_gaps() -> None:
    assert same(renamed("hypothyroid"), 5, recipe="c4.5").n_nodes > 3
    for name in ("cu_summary", "hypothyroid"):
        assert same(renamed(name), 3, recipe="cart").n_nodes > 3


@pytest.mark.parametrize("part", range(4))
def test_settings_and_odd_columns(part: int) -> None:
    rng = np.random.default_rng([part, 31])
    n_grown = 0
    for seed in range(30):
        choice = cases.drawn(
            rng, cases.PLAIN | {"size": ("tiny",), "target": ("two", "several", *cases.TARGETS)}
        )
        case = cases.make_case(choice, 1000 * part + seed)
        told = dict(case.settings)
        if told.get("ledger"):  # which columns were not drawn is not known here
            told.pop("max_columns", None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of settings that do nothing here
            try:
                expected = grow(case.table, "y", weights=case.weights, **told)
            except ValueError:
                continue
            parts, question, chosen = cut_into_parts(
                case.table, "y", int(rng.integers(1, 18)), weights=case.weights, **told
            )
            found = grow_from(Together(parts), question, chosen, gather_below=int(rng.choice([0, 20])))
        assert not differences(expected, found), f"{first_difference(expected, found)}\n{case}"
        n_grown += found.n_nodes > 1
    assert n_grown > 15


@pytest.mark.parametrize("name", ["iris", "cu_summary", "credit_g"])
def test_tables_of_the_books(name: str) -> None:
    rows = renamed(name)
    for told in ({}, {"splits": "multiway"}, {"max_leaves": 9}, {"min_leaf": 7.0, "max_depth": 6}):
        assert same(rows, 5, **told).n_nodes > 3
        assert same(rows, 2, gather_below=60, **told).n_nodes > 3


def test_criteria_without_a_bound_open_every_cell() -> None:
    for told in ({"criterion": "gain_ratio"}, {"criterion": "error"}, {"recipe": "stump"}):
        assert same(renamed("iris"), 4, **told).n_nodes > 1


def test_c45_without_gaps() -> None:
    for name in ("iris", "tennis", "credit_g"):
        assert same(renamed(name), 3, recipe="c4.5").n_nodes > 3


# ---- columns that are hard to cut ----------------------------------------------------------------------


def chain(n: int) -> Any:
    """Return n numbers, each the next one after the last."""
    return numbers_of(keys_of(np.array([1.0])) + np.arange(n, dtype=np.uint64))


def hard_columns(n: int) -> dict[str, Any]:
    rng = np.random.default_rng(5)
    outliers = rng.normal(size=n)
    outliers[:4] = [1e300, -1e300, np.inf, -np.inf]
    both = np.concatenate([chain(n // 2), -chain(n - n // 2)])
    return {
        "chain": chain(n),
        "outliers": outliers,
        "both_chains": both,
        "tiny": rng.integers(0, n, n) * 5e-324,
        "zeros": np.where(rng.random(n) < 0.5, 0.0, -0.0),
        "wide": rng.choice([-1.0, 1.0], n) * 10.0 ** rng.uniform(-300, 300, n),
        "single": rng.normal(size=n).astype(np.float32),
    }


@pytest.mark.parametrize("name", list(hard_columns(8)))
@pytest.mark.parametrize("is_number", [False, True])
def test_hard_columns(name: str, is_number: bool, monkeypatch: Any) -> None:
    n = 3000
    column = hard_columns(n)[name]
    rng = np.random.default_rng(7)
    order = np.argsort(np.argsort(column.astype(np.float64)))
    high = (order > 0.37 * n) ^ (rng.random(n) < 0.2)
    goal = (order / n + rng.normal(size=n)).round(2) if is_number else np.where(high, "yes", "no").tolist()
    rows = Table.from_dict({"x": column, "y": goal})
    monkeypatch.setattr(opening, "MOST_ROWS", 4)
    zooms: list[int] = []
    opened = opening.open_cells

    def counted(source: Any, those: Any) -> None:
        opened(source, those)
        zooms.extend(measured.n_zooms for measured, _ in those)

    monkeypatch.setattr(searching, "open_cells", counted)
    same(rows, 7, max_depth=4)
    assert max(zooms, default=0) <= opening.MOST_ZOOMS
    assert (max(zooms, default=0) > 0) == (name != "zeros")


def test_few_cells_are_opened() -> None:
    """Most of a table is never looked at: a bound keeps its cells closed."""
    n = 20_000
    rng = np.random.default_rng(0)
    x = rng.normal(size=(n, 6))
    y = np.where(x[:, 0] + 0.5 * x[:, 1] + rng.normal(size=n) > 0, "a", "b")
    rows = Table.from_dict({**{f"x{j}": x[:, j] for j in range(6)}, "y": y.tolist()})
    parts, question, chosen = cut_into_parts(rows, "y", 3, max_depth=3)
    counting = _Counting(Together(parts))
    found = grow_from(counting, question, chosen)
    assert not differences(grow(rows, "y", max_depth=3), found)
    assert 0 < counting.n_looked < 0.05 * n * 6 * 3  # rows x columns x levels


class _Counting:
    """A source that counts the rows it was asked to look at."""

    def __init__(self, source: Source) -> None:
        self.source, self.n_looked = source, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    def look(self, asks: Sequence[Stretches]) -> list[Cells]:
        found = self.source.look(asks)
        self.n_looked += sum(int(cells.figures[:, 0].sum()) for cells in found)
        return found


# ---- the answers ---------------------------------------------------------------------------------------


@QUIET
@given(problems(), st.integers(1, 17), st.data())
def test_the_source_in_memory_answers_as_the_blackboard_does(
    problem: Problem, n_parts: int, data: st.DataObject
) -> None:
    whole = with_target(problem)
    parts, question, chosen = cut_into_parts(whole, "y", n_parts, weights=problem.weights)
    is_cut = [_form_is_cut(column, chosen) for column in question.schema.columns]
    memory, board = Together(parts), OnBlackboard(parts, question, is_cut)
    c = data.draw(st.integers(0, len(is_cut) - 1))
    keys = board.present(0, c)
    first = sorted(data.draw(st.lists(st.sampled_from(keys.tolist()), max_size=4)) if len(keys) else [])
    edges = np.unique(np.array(first, dtype=np.uint64))
    lot = data.draw(st.sampled_from([None, Draw(5, 2, len(question.units), len(question.units))]))
    moves = [_a_move(data, a_column, board, is_cut) for a_column in (c, len(is_cut) - 1)]
    for source in (memory, board):
        source.start(lot)
    for node in (0, 1, 2, 0):
        for side in (None, moves[1]):
            one, two = (
                memory.count([Ask(node, c, edges, side)])[0],
                board.count([Ask(node, c, edges, side)])[0],
            )
            _equal_cells(one, two, question.is_classifier or side is not None)
            stretch = Stretches(node, c, edges, edges, side)
            is_classifier = question.is_classifier or side is not None
            _equal_cells(memory.look([stretch])[0], board.look([stretch])[0], is_classifier)
        np.testing.assert_array_equal(memory.present(node, c), board.present(node, c))
        for shift in (30, 45):  # a square times all weight fits 126 bits
            expected = [0] if question.is_classifier else board.squares([(node, 5, shift)])
            assert memory.squares([(node, 5, shift)]) == expected
        assert _as_set(memory.gather([node])[0]) == _as_set(board.gather([node])[0])
        if node == 0:
            memory.apply(moves[:1])
            board.apply(moves[:1])
    memory.start()
    board.start()
    x = data.draw(st.sampled_from([-np.inf, -1.0, 0.0, 0.3, 1e300, np.inf]))
    assert memory.largest_at_most(c, x) == board.largest_at_most(c, x)
    one_tally, two_tally = memory.tally(moves[:1], 3), board.tally(moves[:1], 3)
    assert [_whole(f, question.is_classifier) for f in one_tally] == [
        _whole(f, question.is_classifier) for f in two_tally
    ]


def _a_move(data: st.DataObject, column: int, board: OnBlackboard, is_cut: list[bool]) -> Move:
    """Return a way to divide the root: gaps go to a branch, to stand-ins, or to both in proportion."""
    stand_ins = tuple(
        StandIn(*_a_test(data, c, board, is_cut), data.draw(st.booleans()))
        for c in data.draw(st.lists(st.integers(0, len(is_cut) - 1), max_size=2))
    )
    shares = data.draw(st.sampled_from([(), (0, 3), (2**40, 7)]))
    missing = data.draw(st.integers(-1, 1))
    of_shares = np.array(shares, dtype=np.int64)
    return Move(0, *_a_test(data, column, board, is_cut), 2, missing, 1, of_shares, stand_ins)


def _a_test(data: st.DataObject, column: int, board: OnBlackboard, is_cut: list[bool]) -> Any:
    none, keys = np.zeros(0, dtype=np.int32), board.present(0, column)
    if is_cut[column]:
        cut = data.draw(st.sampled_from(numbers_of(keys).tolist())) if len(keys) else 0.0
        return column, cut, none, none
    codes = np.arange(5, dtype=np.int32)  # there may be one more
    sides = data.draw(st.lists(st.integers(0, 1), min_size=5, max_size=5))
    return column, np.nan, codes, np.array(sides, dtype=np.int32)


def _equal_cells(one: Cells, two: Cells, is_classifier: bool) -> None:
    assert [_whole(f, is_classifier) for f in one.figures] == [_whole(f, is_classifier) for f in two.figures]
    for name in ("low", "high", "least", "greatest"):
        np.testing.assert_array_equal(getattr(one, name), getattr(two, name), err_msg=name)


def _whole(figures: Any, is_classifier: bool) -> tuple[int, ...]:
    """Return figures with the limbs of a sum put together: how it is spread over them does not matter."""
    f = [int(x) for x in figures]
    return tuple(f) if is_classifier else (f[0], f[1], sum(limb << (32 * i) for i, limb in enumerate(f[2:])))


def _as_set(rows: Any) -> list[Any]:
    columns = [*rows.values, rows.target, rows.weight]
    return sorted(tuple(repr(x) for x in row) for row in zip(*(c.tolist() for c in columns), strict=True))


def test_a_tree_is_tallied_on_other_rows() -> None:
    rows = renamed("iris")
    tree = grow(rows, "y", max_depth=1)
    parts, _, _ = cut_into_parts(rows, "y", 4)
    none = np.zeros(0, dtype=np.int32)
    move = Move(0, int(tree.column[0]), float(tree.cut[0]), none, none, 2, -1, 1)
    tallied = Together(parts).tally([move], 3)
    np.testing.assert_array_equal(tallied[:, 1:], tree.stats.astype(np.int64))


# ---- what is not served --------------------------------------------------------------------------------


class _Losing(_Counting):
    """A source that loses a row, or counts one twice."""

    def __init__(self, source: Source, change: int) -> None:
        super().__init__(source)
        self.change, self.n_asked = change, 0

    def count(self, asks: Sequence[Ask]) -> list[Cells]:
        found = self.source.count(asks)
        self.n_asked += 1
        if self.n_asked > 3:
            at = int(np.argmax(found[0].figures[:, 0]))
            found[0].figures[at, :2] += self.change
        return found


@pytest.mark.parametrize("change", [-1, 1])
def test_lost_rows_are_noticed(change: int) -> None:
    parts, question, chosen = cut_into_parts(renamed("iris"), "y", 2)
    with pytest.raises(IntegrityError, match="lost or counted twice"):
        grow_from(_Losing(Together(parts), change), question, chosen)


@pytest.mark.parametrize(
    "told",
    [
        {"max_columns": 2, "ledger": True},
        {"cuts": "random"},
        {"monotone": {"Mileage": 1}},
        {"splits": "linear", "prune": "none"},
        {"criterion": "poisson"},
    ],
)
def test_refusals_name_the_setting(told: dict[str, Any]) -> None:
    asks_numbers = "monotone" in told or "criterion" in told
    rows = renamed("cu_summary" if asks_numbers else "iris")
    told = {name: value for name, value in told.items() if name != "prune"}
    parts, question, chosen = cut_into_parts(rows, "y", 2, **told)
    name = next(iter(told))
    with pytest.raises(ValueError, match=f"{name}=.* does not go with a source"):
        grow_from(Together(parts), question, chosen)


def test_every_form_of_test_is_known() -> None:
    """A column is cut by its numbers exactly where the core cuts it."""
    for (kind, splits), form in FORMS.items():
        if splits not in ("linear", "grouped"):  # these are grown in memory
            column = Column("a", kind, ("False", "True"))
            assert _form_is_cut(column, Settings(splits=splits)) == (form == "cut")
