"""A tree grown inside DuckDB: SQL counts, and the tree is the one that memory gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as trying
from hypothesis import strategies as st

import treewright as tw
from tests.distributed.test_source import _equal
from tests.grow.engines import differences, first_difference
from tests.grow.samples import grow
from tests.grow.test_invariance import with_target
from tests.grow.test_sourced import hard_columns
from tests.oracle.strategies import Problem, problems
from tests.tables import table, target
from treewright.distributed.duckdb_source import DuckDBSource
from treewright.growth.settings import Settings
from treewright.growth.sourced import Ask, MemorySource, Move, Source, Stretches, grow_from
from treewright.growth.sourced.source import keys_of
from treewright.table import Kind, Table

QUIET = trying(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    with duckdb.connect() as found:
        yield found


def stored(connection: duckdb.DuckDBPyConnection, rows: Table, weights: Any = None) -> Table:
    """Put a table into DuckDB; return it as its columns of words are there: by no order but their bytes."""
    cells = rows.to_dict() | ({} if weights is None else {"_w": np.asarray(weights).tolist()})
    kinds = {name: str(column.kind) for name, column in zip(rows.names, rows.schema.columns, strict=True)}
    types = {"numeric": "double", "boolean": "boolean"}
    declared = ", ".join(f'"{name}" {types.get(kinds.get(name, "numeric"), "varchar")}' for name in cells)
    connection.execute(f"create or replace table t ({declared})")
    columns = [
        [None if cell is None else {"True": True, "False": False}[str(cell)] for cell in column]
        if kinds.get(name) == "boolean"
        else column
        for name, column in cells.items()
    ]
    marks = ", ".join("?" for _ in cells)
    listed = list(zip(*columns, strict=True))
    if listed:
        connection.executemany(f"insert into t values ({marks})", listed)
    words = {
        name: [None if cell is None else str(cell) for cell in column] if kinds[name] not in types else column
        for name, column in zip(cells, columns, strict=True)
        if name in kinds
    }
    nominal = {name: Kind(kind) if kind in types else Kind.nominal for name, kind in kinds.items()}
    return Table.from_dict(words, kinds=nominal)


def same(
    connection: duckdb.DuckDBPyConnection, rows: Table, goal: str, *, gather_below: int = 0, **told: Any
) -> None:
    """Grow inside DuckDB and in memory; the trees must not differ in one bit."""
    weights = told.pop("weights", None)
    plain = stored(connection, rows, weights)
    expected = grow(plain, goal, weights=weights, **told)
    settings = Settings.of(**told)
    source = DuckDBSource(connection, "t", goal, settings, weights=None if weights is None else "_w")
    found = grow_from(source, source.question, settings, gather_below=gather_below)
    source.close()
    assert not differences(expected, found), first_difference(expected, found)


@pytest.mark.parametrize("gather_below", [0, 4])
def test_random_tables(gather_below: int, connection: duckdb.DuckDBPyConnection) -> None:
    @QUIET
    @given(
        problems(),
        st.sampled_from([{}, {"splits": "multiway"}, {"max_leaves": 4}, {"missing": "own_branch"}]),
    )
    def run(problem: Problem, told: dict[str, Any]) -> None:
        same(
            connection, with_target(problem), "y", gather_below=gather_below, weights=problem.weights, **told
        )

    run()


@pytest.mark.parametrize("name", ["hypothyroid", "abalone", "mushroom"])
def test_tables_of_the_books(name: str, connection: duckdb.DuckDBPyConnection) -> None:
    same(connection, table(name).take(range(800)), target(name), max_depth=2)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["adult", "hypothyroid", "abalone", "mushroom"])
def test_whole_tables_of_the_books(name: str, connection: duckdb.DuckDBPyConnection) -> None:
    same(connection, table(name), target(name), max_depth=8, gather_below=200)


@pytest.mark.parametrize("name", ["chain", "outliers", "tiny", "wide", "zeros"])
def test_hard_columns(name: str, connection: duckdb.DuckDBPyConnection, monkeypatch: Any) -> None:
    from treewright.growth.sourced import cells as searching

    n = 400
    column = np.asarray(hard_columns(n)[name], dtype=np.float64)
    rng = np.random.default_rng(3)
    goal = np.where(np.argsort(np.argsort(column)) + rng.normal(0, 40, n) > n / 3, "yes", "no")
    monkeypatch.setattr(searching, "MOST_ROWS", 20)
    same(connection, Table.from_dict({"x": column, "y": goal.tolist()}), "y", max_depth=2)


def test_answers_are_those_of_the_source_in_memory(connection: duckdb.DuckDBPyConnection) -> None:
    rows = table("hypothyroid").take(range(400))
    plain = stored(connection, rows)
    goal = target("hypothyroid")
    source = DuckDBSource(connection, "t", goal, Settings())
    from treewright.growth.sourced import cut_into_parts

    (memory,), _, _ = cut_into_parts(plain, goal, 1)
    for column in range(0, len(source.is_cut), 5):
        keys = memory.present(0, column)
        np.testing.assert_array_equal(source.present(0, column), keys)
        edges = keys[:: max(1, len(keys) // 5)].copy()
        _equal(source.count([Ask(0, column, edges)]), memory.count([Ask(0, column, edges)]))
        stretch = [Stretches(0, column, edges, edges)]
        if len(edges):
            _equal(source.look(stretch), memory.look(stretch))
    for x in (-np.inf, 1.0, 50.0):
        assert source.largest_at_most(0, x) == memory.largest_at_most(0, x)
    none = np.zeros(0, dtype=np.int32)
    move = Move(0, 0, 45.0, none, none, 2, 1, 1)
    np.testing.assert_array_equal(source.tally([move], 3), memory.tally([move], 3))
    for one in (source, memory):
        one.apply([move])
    for a, b in zip(source.gather([1, 2]), memory.gather([1, 2]), strict=True):
        assert _as_set(a) == _as_set(b)


def _as_set(rows: Any) -> list[Any]:
    columns = [*rows.values, rows.target, rows.weight]
    return sorted(tuple(repr(x) for x in row) for row in zip(*(c.tolist() for c in columns), strict=True))


def test_more_edges_than_a_case_halves(connection: duckdb.DuckDBPyConnection) -> None:
    rows = Table.from_dict(
        {"x": [*np.random.default_rng(0).normal(size=500).tolist(), None], "y": ["a", "b", "c"] * 167}
    )
    (memory, source) = _both(connection, rows)
    edges = np.unique(np.append(keys_of(np.linspace(-3, 3, 400)), np.uint64(2**64 - 9)))
    _equal(source.count([Ask(0, 0, edges)]), memory.count([Ask(0, 0, edges)]))


def _both(connection: duckdb.DuckDBPyConnection, rows: Table) -> tuple[MemorySource, Source]:
    from treewright.growth.sourced import cut_into_parts

    (memory,), _, _ = cut_into_parts(stored(connection, rows), "y", 1)
    return memory, DuckDBSource(connection, "t", "y", Settings())


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ("date '2020-01-01' as x, 'a' as y", "Column 'x' is DATE"),
        ("9007199254740993 as x, 'a' as y", "not exact"),
        ("1 as x, null::varchar as y", "missing in 1 of 1 rows"),
        ("1 as x, 'a' as z", "no column 'y'"),
    ],
)
def test_refusals_name_the_column(columns: str, words: str, connection: duckdb.DuckDBPyConnection) -> None:
    with pytest.raises(ValueError, match=words):
        DuckDBSource(connection, f"select {columns}", "y", Settings())


def test_policies_that_ask_rows_are_refused(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create or replace table t as select unnest([1, null]) as x, unnest(['a', 'b']) as y")
    for missing in ("surrogate", "fractional"):
        with pytest.raises(ValueError, match=f"missing='{missing}' does not go with a table inside DuckDB"):
            DuckDBSource(connection, "t", "y", Settings(missing=missing))


def test_nothing_is_left_behind(connection: duckdb.DuckDBPyConnection) -> None:
    connection.execute("create or replace table t as select 1 as x, 'a' as y")
    before = connection.execute("show all tables").fetchall()
    DuckDBSource(connection, "t", "y", Settings()).close()
    assert connection.execute("show all tables").fetchall() == before


def test_tw_grow_takes_a_connection(connection: duckdb.DuckDBPyConnection) -> None:
    plain = stored(connection, table("iris"))
    before = connection.execute("show all tables").fetchall()
    for query in ("t", "select * from t"):
        for told in ({}, {"recipe": "c4.5", "prune": "none"}, {"prune": "pessimistic", "min_leaf": 3}):
            found = tw.grow(query, "class", engine=connection, **told)
            expected = tw.grow(plain, "class", **told)
            assert not differences(expected, found), first_difference(expected, found)
            about = dict(found.about)
            assert about.pop("growth")["engine"] == "DuckDB"
            assert dict(expected.about) == about
    assert connection.execute("show all tables").fetchall() == before
