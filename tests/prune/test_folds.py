"""Folds and rows kept back go by what a row holds, not by its place, the order of columns, codes, dtypes."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import treewright as tw
from tests import tables
from tests.amount import at_most
from tests.oracle import folds as twin
from tests.oracle.strategies import Problem, problems, to_treewright
from treewright import _core
from treewright.evaluate import folds_by_row, split
from treewright.evaluate.parts import keys_of
from treewright.growth.content import digests, words
from treewright.prune import CostComplexity, CriticalValue, MinimumError, ReducedError, folds
from treewright.prune.folds import RowKeys, dealt, held_out
from treewright.table import Column, Kind, Schema, Table

QUIET = settings(max_examples=at_most(30, 80), deadline=None)


def whole(problem: Problem) -> Table:
    features = to_treewright(problem)
    goal = Column("y", Kind(problem.target.kind), problem.target.categories)
    return Table(Schema((*features.schema.columns, goal)), (*features.values, problem.y))


def plain_rows(table: Table, weights: Any) -> list[twin.PlainRow]:
    cells = table.to_dict()
    texts = {
        n: [None if c is None else str(c) if isinstance(c, bool) else c for c in cells[n]] for n in cells
    }
    rows = [dict(zip(texts, row, strict=True)) for row in zip(*texts.values(), strict=True)]
    return [twin.PlainRow(row, row.pop("y"), float(w)) for row, w in zip(rows, weights, strict=True)]


# ---- the twin ---------------------------------------------------------------------------------------


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_the_hash_is_philox(seed: int, path: int, word: int) -> None:
    upper, lower = word >> 32, word & (2**32 - 1)
    found = _core.draws_each(seed, np.array([path], dtype=np.uint64), np.array([word], dtype=np.uint64))
    assert found.tolist() == [twin.hashed(seed, path, upper, lower)] == [_core.draw(seed, upper, path, lower)]


def test_the_hash_is_what_it_was() -> None:
    # The published answer to a counter and a key of zeros (Random123, known answers of philox4x32-10).
    assert twin.philox([0, 0, 0, 0], 0) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    # 64 bits that other programs and later versions must find again.
    row = twin.PlainRow({"x": -0.0, "Wind": "Weak", "age": None}, "yes", 1.0)
    assert twin.content(row) == 13966307675472632981


def test_lengths_must_agree() -> None:
    with pytest.raises(ValueError, match="differ in length"):
        _core.draws_each(0, np.zeros(2, dtype=np.uint64), np.zeros(3, dtype=np.uint64))


@QUIET
@given(
    problems(),
    st.integers(-3, 2**65),
    st.integers(2, 12),
    st.sampled_from([2**20, 3]),
    st.floats(0.05, 0.9),
    st.integers(2, 40),
)
def test_rows_are_dealt_as_the_twin_deals_them(
    problem: Problem, seed: int, n_folds: int, limit: int, share: float, no_row: int
) -> None:
    table, weights = whole(problem), problem.weights * (np.arange(len(problem.weights)) % no_row > 0)
    rows = plain_rows(table, weights)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(folds, "LARGEST_RANKED", limit)
        keys = keys_of(table, "y", weights)
        assert keys.digest.tolist() == [twin.content(row) for row in rows]
        assert dealt(keys, n_folds, seed).tolist() == twin.folds(rows, n_folds, seed, limit)
        if table.n_rows > 1:
            assert (
                folds_by_row(table, "y", n_folds, seed, weights).tolist()
                == dealt(keys, n_folds, seed).tolist()
            )
            assert held_out(keys, share, seed).tolist() == twin.kept_back(rows, share, seed, limit)


def test_the_limit_is_that_of_the_ruling() -> None:
    assert folds.LARGEST_RANKED == 2**20
    n = 2**20 + 10
    keys = RowKeys(np.array([0] * n + [1] * 20), np.arange(n + 20, dtype=np.uint64) // 2)
    fold = dealt(keys, 10)
    assert (fold[0:n:2] == fold[1:n:2]).all()  # copies together in the large class
    assert np.bincount(fold[n:], minlength=10).tolist() == [2] * 10  # and spread in the small one
    share = np.bincount(fold[:n]) / n
    assert np.abs(share - 0.1).max() < 0.002  # 5 standard deviations of 2**19 draws


def test_parts_of_a_large_class_go_by_the_hash_of_their_content(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folds, "LARGEST_RANKED", 100)
    table = Table.from_dict(
        {"x": [k // 2 for k in range(4000)] + list(range(40)), "y": ["a"] * 4000 + ["b"] * 40}
    )
    rows = plain_rows(table, np.ones(4040))
    parts = split(table, "y", validation=0.2, test=0.3, seed=3)
    shares = [(first >> 11) / 2**53 for first, _ in twin.hashes(rows[:4000], 3, twin.PARTS)]
    n_test, n_validation = round(0.3 * 4040), round(0.5 * 4040) - round(0.3 * 4040)
    borders = np.array([n_test / 4040, (n_test + n_validation) / 4040, 1.0])
    wanted = np.searchsorted(borders, shares, side="right")  # test, validation, training
    for part, number in zip((2, 1, 0), range(3), strict=True):
        large_class = parts.rows[part][parts.rows[part] < 4000]
        assert large_class.tolist() == np.flatnonzero(wanted == number).tolist()
        assert set(large_class.tolist()) == set((large_class ^ 1).tolist())  # copies together
    assert [sum(row >= 4000 for row in part) for part in parts.rows] == [20, 8, 12]
    assert sorted(np.concatenate(parts.rows).tolist()) == list(range(4040))


# ---- what does not matter ---------------------------------------------------------------------------


def mixed(n: int = 120, seed: int = 0) -> dict[str, list[Any]]:
    """Return rows with categories, gaps, copies and signed zeros."""
    rng = np.random.default_rng(seed)
    x, colour = rng.integers(-2, 5, n) / 2.0, rng.choice(["red", "blue", "green"], n)
    y = np.where(rng.random(n) < 0.2, "no", np.where(x + (colour == "red") > 1, "yes", "no"))
    return {
        "x": [None if k % 11 == 0 else float(v) for k, v in enumerate(x)],
        "zero": [-0.0 if k % 2 else 0.0 for k in range(n)],
        "colour": [None if k % 13 == 0 else str(c) for k, c in enumerate(colour)],
        "y": [str(c) for c in y],
    }


def parts_by_content(
    table: Table, names: tuple[str, ...] = ("x", "zero", "colour", "y")
) -> list[Counter[Any]]:
    """Return how often each content is in each part, for every way to make parts."""
    cells = table.to_dict()
    rows = [tuple(0.0 if c == 0 else c for c in row) for row in zip(*(cells[n] for n in names), strict=True)]
    three = split(table, "y", validation=0.2, test=0.3, seed=5)
    part = np.zeros(table.n_rows, dtype=int)
    part[three.rows[1]], part[three.rows[2]] = 1, 2
    ways = [folds_by_row(table, "y", 7, seed=5), part, held_out(keys_of(table, "y"), 1 / 3, 5)]
    return [Counter(zip(rows, way.tolist(), strict=True)) for way in ways]


CHANGES: dict[str, Any] = {
    "order of rows": lambda cells: Table.from_dict(cells).take(np.random.default_rng(1).permutation(120)),
    "order of columns": lambda cells: Table.from_dict({n: cells[n] for n in ("y", "colour", "zero", "x")}),
    "order of categories": lambda cells: Table.from_dict(
        cells, categories={"colour": ["red", "green", "blue", "grey"], "y": ["yes", "no"]}
    ),
    "an ignored column": lambda cells: Table.from_dict({**cells, "id": list(range(120))}).drop("id"),
    "sign of zero": lambda cells: Table.from_dict({**cells, "zero": [0.0] * 120}),
    "float32": lambda cells: Table.from_dict(
        {**cells, "x": np.array([np.nan if v is None else v for v in cells["x"]], dtype=np.float32)}
    ),
    "another gap": lambda cells: Table.from_dict(
        {**cells, "x": [float("nan") if v is None else v for v in cells["x"]]}
    ),
    "pandas": lambda cells: Table.from_frame(pd.DataFrame(cells)),
    "pandas, categories": lambda cells: Table.from_frame(
        pd.DataFrame(cells).astype({"colour": pd.CategoricalDtype(["red", "green", "blue"])})
    ),
    "polars": lambda cells: Table.from_frame(pl.DataFrame(cells)),
    "pyarrow": lambda cells: Table.from_frame(pa.table(cells)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_parts_go_with_what_rows_hold(change: str) -> None:
    cells = mixed()
    first = parts_by_content(Table.from_dict(cells))
    assert parts_by_content(CHANGES[change](cells)) == first
    assert any(
        len(found) > len(set(zip(*cells.values(), strict=True))) for found in first
    )  # copies in several


def test_another_seed_target_or_weight_deals_otherwise() -> None:
    table = Table.from_dict(mixed())
    first = folds_by_row(table, "y", 10, seed=5).tolist()
    assert folds_by_row(table, "y", 10, seed=6).tolist() != first
    assert folds_by_row(table, "y", 10, 5, np.arange(120) % 3 + 1).tolist() != first
    named = Table.from_dict({**mixed(), "w": [1.0] * 120})
    assert folds_by_row(named, "y", 10, 5, "w").tolist() == first


def test_codes_of_any_width_and_numbers_of_any_type() -> None:
    colour = Column("colour", Kind.nominal, ("red", "blue"))
    codes = [0, 1, -1, 0]
    found = {words(colour, np.array(codes, dtype=dtype)).tobytes() for dtype in (np.int8, np.int32, np.int64)}
    assert len(found) == 1
    number = Column("x", Kind.numeric)
    values = [1.5, -0.0, 3.0, np.nan]
    found = {
        words(number, np.array(values, dtype=dtype)).tobytes() for dtype in (np.float16, np.float32, float)
    }
    assert len(found) == 1
    whole_numbers = {
        words(number, np.array([1, 0], dtype=dtype)).tobytes() for dtype in (np.int8, "u8", "f4")
    }
    assert len(whole_numbers) == 1


def test_the_order_of_names_is_that_of_their_bytes() -> None:
    columns = [(Column(name, Kind.numeric), np.array([float(k)])) for k, name in enumerate(["Z", "a", "é"])]
    assert digests(columns, None, np.ones(1)) == digests(columns[::-1], None, np.ones(1))
    swapped = [(Column(name, Kind.numeric), np.array([float(k)])) for k, name in enumerate(["a", "Z", "é"])]
    assert digests(columns, None, np.ones(1)) != digests(swapped, None, np.ones(1))


def test_copies_of_a_row_are_spread() -> None:
    same = Table.from_dict({"x": [1.0] * 20, "y": ["a", "b"] * 10})
    assert np.bincount(folds_by_row(same, "y", 5)).tolist() == [4] * 5
    parts = split(same, "y", test=0.5)
    assert Counter(parts.test.labels("y")) == {"a": 5, "b": 5}


# ---- trees ------------------------------------------------------------------------------------------

WAYS: dict[str, dict[str, Any]] = {
    "cart": {"recipe": "cart"},
    "cv": {"prune": "cv"},
    "impurity": {"prune": CostComplexity(risk="impurity", one_se=False, seed=3)},
    "validation": {"prune": CostComplexity(choose="validation")},
    "reduced_error": {"prune": "reduced_error"},
    "reduced_error, a tenth": {"prune": ReducedError(holdout=0.1, seed=2)},
    "error_complexity": {"prune": "error_complexity"},
    "minimum_error": {"prune": MinimumError(m="cv")},
    "critical_value": {"prune": CriticalValue(kappa="cv")},
    "two threads": {"prune": "cv", "n_threads": 2},
}


def shuffled(table: Table, seed: int) -> Table:
    return table.take(np.random.default_rng(seed).permutation(table.n_rows))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["credit_g", "stagec", "vote"])
def test_the_order_of_rows_does_not_change_a_pruned_tree(name: str, way: str) -> None:
    table, goal = tables.table(name), tables.target(name)
    first = tw.grow(table, goal, **WAYS[way])
    for seed in range(2):
        assert tw.grow(shuffled(table, seed), goal, **WAYS[way]) == first


@pytest.mark.parametrize("name", ["abalone", "cu_summary"])
@pytest.mark.parametrize("way", [w for w in WAYS if w != "minimum_error"])
def test_nor_one_for_numbers(name: str, way: str) -> None:
    # Of 131 changes that must not matter, three did in 0.1.0: the order of rows, with cart on numbers.
    table, goal = tables.table(name), tables.target(name)
    table = table.take(np.arange(min(table.n_rows, 900)))
    options = {**WAYS[way], "prune": CostComplexity(seed=3)} if way == "impurity" else WAYS[way]
    first = tw.grow(table, goal, **options)
    for seed in range(3):
        assert tw.grow(shuffled(table, seed), goal, **options) == first


@pytest.mark.parametrize("way", [w for w in WAYS if w != "minimum_error"])
@pytest.mark.parametrize("name", ["credit_g", "stagec", "cu_summary"])
def test_a_row_of_weight_0_is_no_row_to_folds_either(name: str, way: str) -> None:
    table, goal = tables.table(name), tables.target(name)
    options = {**WAYS[way], "prune": CostComplexity(seed=3)} if way == "impurity" else WAYS[way]
    for seed in range(3):
        counts = np.random.default_rng(seed).integers(0, 3, table.n_rows) > 0
        weighed = tw.grow(table, goal, weights=counts.astype(float), **options)
        assert weighed == tw.grow(table.take(np.flatnonzero(counts)), goal, **options)


@pytest.mark.parametrize("recipe", ["plain", "cart"])
def test_the_order_of_columns_does_not_change_a_pruned_tree(recipe: str) -> None:
    table, goal = tables.table("credit_g"), tables.target("credit_g")
    first = tw.grow(table, goal, recipe, prune="cv")
    second = tw.grow(table.select(table.names[::-1]), goal, recipe, prune="cv")
    assert first.to_text() == second.to_text()
    np.testing.assert_array_equal(first.stats, second.stats)


@pytest.mark.parametrize("prune", ["cv", "reduced_error"])
def test_an_estimator_does_not_care_for_order_frames_or_weights_of_one(prune: str) -> None:
    table, goal = tables.table("crx"), tables.target("crx")
    X, y = pd.DataFrame(table.drop(goal).to_dict()), table.labels(goal)
    first = tw.DecisionTreeClassifier(prune=prune).fit(X, y)
    order = np.random.default_rng(0).permutation(len(y))
    others = [
        tw.DecisionTreeClassifier(prune=prune).fit(X.iloc[order], y[order]),
        tw.DecisionTreeClassifier(prune=prune).fit(pl.DataFrame(table.drop(goal).to_dict()), y),
        tw.DecisionTreeClassifier(prune=prune).fit(X, y, sample_weight=np.ones(len(y))),
    ]
    for other in others:
        assert other.tree_.to_text() == first.tree_.to_text()
        np.testing.assert_array_equal(other.tree_.stats, first.tree_.stats)


def test_curves_and_cross_validation_do_not_depend_on_the_order_of_rows() -> None:
    table = tables.table("stagec")
    other, goal = shuffled(table, 4), tables.target("stagec")
    calls = [
        lambda rows: tw.evaluate.cross_validate(rows, goal, "cart", folds=5).to_dict(),
        lambda rows: tw.evaluate.learning_curve(rows, goal, sizes=[0.3, 1.0], repeats=2).to_dict(),
        lambda rows: tw.evaluate.overfitting_curve(rows, goal, points=5).to_dict(),
        lambda rows: tw.evaluate.overfitting_curve(rows, goal, points=5, folds=4).to_dict(),
        lambda rows: tw.evaluate.pruning_curve(rows, goal, folds=4, validation=0.3).to_dict(),
    ]
    for call in calls:
        one, two = call(table), call(other)
        assert one.keys() == two.keys()
        for name in one:
            np.testing.assert_allclose(np.array(one[name], float), np.array(two[name], float), rtol=1e-12)


def test_grown_and_pruned_at_once_or_afterwards() -> None:
    table, goal = tables.table("vote"), tables.target("vote")
    weights = np.arange(table.n_rows) % 4 + 1.0
    at_once = tw.grow(table, goal, prune="cv", weights=weights)
    tree = tw.grow(table, goal, prune="none", weights=weights)
    assert tw.prune.cost_complexity(tree, table=table, weights=weights).to_text() == at_once.to_text()
