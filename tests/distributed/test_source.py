"""A source over an engine: the same tree as in memory, whatever the engine does with its shards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.distributed.runners import BlocksRunner, FaultyRunner
from tests.grow.engines import differences, first_difference
from tests.grow.samples import grow
from tests.grow.test_invariance import with_target
from tests.oracle.strategies import Problem, problems
from tests.tables import table, target
from treewright.distributed import IntegrityError, LocalRunner, wire, worker
from treewright.distributed import source as sources
from treewright.distributed.runner import Runner
from treewright.distributed.source import RunnerSource, shards_of
from treewright.growth.sourced import Ask, Cells, Move, Stretches, Together, cut_into_parts, grow_from
from treewright.growth.sourced.source import NO_CODES
from treewright.table import Table

QUIET = settings(max_examples=20, deadline=None, suppress_health_check=list(HealthCheck))
RECIPES: list[dict[str, Any]] = [
    {"recipe": "plain"},
    {"recipe": "plain", "splits": "multiway", "missing": "own_branch"},
    {"recipe": "plain", "criterion": "entropy", "max_leaves": 5},
    {"recipe": "plain", "ledger": True, "max_depth": 3},
]


def same(rows: Table, goal: str, runner: Runner, n_parts: int, *, gather_below: int = 0, **told: Any) -> Any:
    """Grow over an engine and in memory; the trees must not differ in one bit."""
    expected = grow(rows, goal, **told)
    parts, question, chosen = cut_into_parts(rows, goal, n_parts, part_seed=n_parts, **told)
    with RunnerSource(runner, *shards_of(parts, question, chosen), fan_in=3) as source:
        found = grow_from(source, question, chosen, gather_below=gather_below)
    assert not differences(expected, found), first_difference(expected, found)
    return source


@pytest.mark.parametrize("kind", ["local", "blocks"])
def test_random_tables_in_any_number_of_parts(kind: str) -> None:
    @QUIET
    @given(problems(), st.integers(1, 29), st.sampled_from(RECIPES), st.sampled_from([0, 5]))
    def run(problem: Problem, n_parts: int, told: dict[str, Any], gather_below: int) -> None:
        if not problem.n_classes:
            told = {k: v for k, v in told.items() if k != "criterion"}
        runner: Runner = LocalRunner(2) if kind == "local" else BlocksRunner(3, seed=n_parts)
        told = {**told, "weights": problem.weights}
        same(with_target(problem), "y", runner, n_parts, gather_below=gather_below, **told)

    run()


@pytest.mark.parametrize("name", ["iris", "hypothyroid", "abalone", "mushroom"])
def test_tables_of_the_books(name: str) -> None:
    found = same(table(name), target(name), BlocksRunner(), 5, max_depth=5, gather_below=100)
    assert found.n_passes > 4


def test_many_small_passes_give_the_tree_of_one_large(monkeypatch: Any) -> None:
    rows = tw.example("iris")
    few = same(rows, "class", LocalRunner(), 4).n_passes
    monkeypatch.setattr(sources, "MOST_NUMBERS", 500)
    assert same(rows, "class", LocalRunner(), 4).n_passes > 2 * few


# ---- what travels --------------------------------------------------------------------------------------


@QUIET
@given(problems(), st.integers(1, 9), st.data())
def test_answers_survive_the_wire(problem: Problem, n_parts: int, data: st.DataObject) -> None:
    parts, question, _ = cut_into_parts(with_target(problem), "y", n_parts, weights=problem.weights)
    column = data.draw(st.integers(0, len(question.schema) - 1))
    keys = Together(parts).present(0, column)
    edges = np.unique(data.draw(st.lists(st.sampled_from(keys.tolist()), max_size=4)) if len(keys) else [])
    edges = edges.astype(np.uint64)
    asks = [Ask(0, column, edges), Ask(7, column, edges)]
    looks = [Stretches(0, column, edges, edges), Stretches(7, column, edges[:0], edges[:0])]
    assert repr(wire.unpack_asks(wire.pack_asks(asks))) == repr(asks)
    assert repr(wire.unpack_stretches(wire.pack_stretches(looks))) == repr(looks)
    for verb, question_of, add in (("count", asks, wire.add_blocks), ("look", looks, wire.join_blocks)):
        blocks = []
        for part in parts:
            answers: list[Cells] = getattr(part, verb)(question_of)
            block = wire.block_of(answers, part.width)
            back = wire.unpack_block(wire.unpack(wire.pack(wire.pack_block(block))))
            _equal([back.cells], [block.cells])
            blocks.append(back)
        _equal(wire.cells_of(add(blocks)), getattr(Together(parts), verb)(question_of))


def _equal(found: list[Cells], expected: list[Cells]) -> None:
    for one, two in zip(found, expected, strict=True):
        for a, b in zip(one, two, strict=True):
            np.testing.assert_array_equal(a, b)
            assert a.dtype == b.dtype


@given(st.lists(st.integers(-(2**63), 2**63 - 1), max_size=9))
def test_whole_numbers_of_any_size_survive(numbers: list[int]) -> None:
    values = np.array(numbers, dtype=np.int64)
    np.testing.assert_array_equal(wire.unpack_ints(wire.pack_ints(values), np.int64), values)
    large = values.view(np.uint64)
    np.testing.assert_array_equal(wire.unpack_ints(wire.pack_ints(large), np.uint64), large)


def test_moves_survive() -> None:
    codes, branches = np.array([0, 3], dtype=np.int32), np.array([1, 0], dtype=np.int32)
    moves = [Move(0, 2, -0.0, NO_CODES, NO_CODES, 2, -1, 1), Move(1, 0, np.nan, codes, branches, 2, 1, 3)]
    assert repr(wire.unpack_moves(wire.pack_moves(moves))) == repr(moves)


# ---- states are functions of shards and moves ----------------------------------------------------------


def test_a_worker_that_takes_over_begins_at_the_root() -> None:
    parts, question, chosen = cut_into_parts(tw.example("iris"), "class", 2)
    shards, terms = shards_of(parts, question, chosen)
    first = Move(0, 2, 2.45, NO_CODES, NO_CODES, 2, -1, 1)
    other = Move(0, 3, 1.7, NO_CODES, NO_CODES, 2, -1, 1)
    below = Move(2, 3, 1.6, NO_CODES, NO_CODES, 2, -1, 3)
    root = worker.Trail()
    trails = [
        root,
        root.with_moves([first]),
        root.with_moves([other]),
        root.with_moves([first]).with_moves([below]),
    ]
    asked = wire.pack_asks([Ask(node, 0, np.zeros(0, np.uint64)) for node in range(5)])

    def answers(group: worker.Group, order: list[int]) -> dict[int, bytes]:
        return {i: worker.answer("count", group, wire.pack((trails[i], asked))) for i in order}

    held = worker.place([0, 1], shards, wire.pack(terms))
    in_turn = answers(held, [3, 0, 2, 1, 3])  # forwards, backwards, sideways
    fresh = {}
    for i in range(4):
        fresh |= answers(worker.place([0, 1], shards, wire.pack(terms)), [i])
    assert in_turn == fresh
    assert len(set(fresh.values())) == 4


# ---- integrity -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("at_pass", [1, 4, 7])
@pytest.mark.parametrize("fault", ["drop", "double", "swap"])
def test_a_partial_that_is_lost_or_doubled_is_noticed(fault: str, at_pass: int) -> None:
    with pytest.raises(IntegrityError, match="lost or counted twice"):
        same(tw.example("iris"), "class", FaultyRunner(fault, at_pass), 5)


def test_a_source_needs_shards() -> None:
    _, question, chosen = cut_into_parts(tw.example("tennis"), "PlayTennis", 1)
    with pytest.raises(ValueError, match="at least one shard"):
        RunnerSource(LocalRunner(), *shards_of([], question, chosen))


# ---- what it costs -------------------------------------------------------------------------------------


def test_bytes_on_the_wire_stay_near_the_formula() -> None:
    """A cell costs no more than its K counts of 4 bytes and the 16 of its least and greatest value."""
    parts, question, chosen = cut_into_parts(table("adult"), target("adult"), 4, max_depth=3)
    with RunnerSource(LocalRunner(2), *shards_of(parts, question, chosen)) as source:
        counting = _Counting(source)
        grow_from(counting, question, chosen)
    assert 0 < source.bytes_up < counting.n_cells * (4 * source.width + 16)
    assert source.bytes_down < source.bytes_up


class _Counting:
    """A source that counts the cells it was asked for."""

    def __init__(self, source: RunnerSource) -> None:
        self.source, self.n_cells = source, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.source, name)

    def count(self, asks: Any) -> list[Cells]:
        self.n_cells += sum(len(ask.edges) + 2 for ask in asks)
        return self.source.count(asks)

    def look(self, asks: Any) -> list[Cells]:
        found = self.source.look(asks)
        self.n_cells += sum(len(cells.low) for cells in found)
        return found
