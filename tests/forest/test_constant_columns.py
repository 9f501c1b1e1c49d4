"""Columns that cannot split are drawn past (semantics 3.14.7): the same forest as ever, without waiting."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pytest

import treewright as tw
from treewright.forest.grower import Trees, draws_for, grow_rows, settings_of
from treewright.growth.grower import grow_rows as grow_one
from treewright.table import Column, Kind, Rows, Schema

N = 24
rng = np.random.default_rng(7)
SETTINGS = {
    "ranks": {},
    "leaves of two": {"min_leaf": 2.0},
    "best first": {"max_leaves": 5},
    "random cuts": {"cuts": "random"},
    "c4.5": {"recipe": "c4.5"},
    "cart": {"recipe": "cart", "min_leaf": 1.0, "min_split": 2.0},
    "every cut": {"criterion": "gain_ratio"},
    "an object": {"criterion": lambda left, right: np.abs(left - right).sum(axis=1)},
}


def varied(n_varying: int) -> dict[str, np.ndarray]:
    return {f"v{i}": rng.integers(0, 6, N).astype(float) for i in range(n_varying)}


ANSWERS = {"classes": rng.choice(list("abc"), N).tolist(), "numbers": rng.normal(size=N).round(2).tolist()}
CONSTANT = [1.0, "one", True]


def with_constants(columns, n: int) -> dict:
    """The columns with constant ones of all kinds between them, in the order of names and of the table."""
    names = sorted([*columns, *(f"{'auvz'[i % 4]}c{i:04d}" for i in range(n))])
    return {name: columns[name] if name in columns else [CONSTANT[int(name[2:]) % 3]] * N for name in names}


def places(forest) -> list:
    """All questions of a forest by name, and all answers."""
    names = np.array([*forest.schema.names, ""])
    return [
        (
            names[tree.column].tolist(),
            np.nan_to_num(tree.cut, nan=-9).tolist(),
            tree.end.tolist(),
            tree.n_rows.tolist(),
            tree.missing.tolist(),
        )
        for tree in map(forest.tree, range(forest.n_trees))
    ]


@pytest.mark.parametrize("target", ANSWERS)
@pytest.mark.parametrize("name", SETTINGS)
@pytest.mark.parametrize("m", [1, 3, 40])
def test_constant_columns_change_no_draw(name, target, m):
    """A ledger tells of every column, so with one none is left out: the same trees, column by column."""
    given = dict(SETTINGS[name])
    if target == "numbers" and name in ("c4.5", "every cut"):
        given["criterion"] = None
        given["recipe"] = "cart"
    table = tw.Table.from_dict(with_constants(varied(5), 35) | {"y": ANSWERS[target]})
    settings = settings_of(given.pop("recipe", "plain"), 40, target == "classes", min(m, 39), given)
    rows = Rows.of(table, "y")
    forest = grow_rows(rows, settings, Trees(3, 0, draws_for(False, None)))
    assert places(forest) == places(one_by_one(rows, settings))
    asked = {rows.schema.names[c] for c in forest.used_columns}
    assert all(asked_name.startswith("v") and "c" not in asked_name for asked_name in asked)


def one_by_one(rows, settings):
    """Grow the same trees with a ledger: then every column is met, constant ones too."""

    def tree(i):
        told = dataclasses.replace(settings, ledger=True, tree=i)
        return grow_one(rows, told)

    return SimpleNamespace(schema=rows.schema, n_trees=3, tree=tree)


def test_forests_name_columns_by_their_places_in_the_table():
    table = tw.Table.from_dict(with_constants(varied(4), 50) | {"y": ANSWERS["classes"]})
    forest = tw.forest.grow(table, target="y", n_trees=4)
    importance = forest.arrays["importance"]
    assert importance.shape == (4, 54)
    used = np.flatnonzero(importance.any(axis=0)).tolist()
    assert {forest.schema.names[c] for c in used} <= {"v0", "v1", "v2", "v3"}
    assert used
    assert used == [c for c in forest.used_columns.tolist() if importance[:, c].any()]


def test_a_gap_is_no_constant():
    """A column with one value and gaps can split: who lacks the value goes another way."""
    cells = with_constants({}, 30) | {"gap": [1.0 if a == "a" else None for a in ANSWERS["classes"]]}
    table = tw.Table.from_dict(cells | {"y": ["p" if a == "a" else "q" for a in ANSWERS["classes"]]})
    for given in ({}, {"cuts": "random"}):
        forest = tw.forest.grow(table, target="y", n_trees=3, max_columns=1, bootstrap=False, **given)
        assert [tree.n_leaves for tree in map(forest.tree, range(3))] == [2, 2, 2]
        assert forest.about["gaps"] == ["gap"]


def test_nothing_but_constants():
    table = tw.Table.from_dict(with_constants({}, 40) | {"y": ANSWERS["classes"]})
    for name, given in SETTINGS.items():
        forest = tw.forest.grow(table, target="y", n_trees=2, **given)
        assert forest.n_nodes == 2, name


@pytest.mark.parametrize("name", ["ranks", "c4.5"])
def test_many_constant_columns_are_met_once(name):
    """200,000 columns, of which one varies: an answer, where there was none in minutes."""
    n = 200_000
    schema = Schema(tuple(Column(f"x{i}", Kind.numeric) for i in range(n)))
    X = np.zeros((n, 10))
    X[n // 2] = np.arange(10)
    given = dict(SETTINGS[name])
    settings = settings_of(given.pop("recipe", "plain"), n, True, None, given)
    goal = Column("y", Kind.nominal, ("a", "b"))
    answers = np.array([0, 1] * 5, np.int32)
    rows = Rows(schema, tuple(X), goal, answers)
    forest = grow_rows(rows, settings, Trees(20, 0, draws_for(True, None)))
    assert forest.used_columns.tolist() == [n // 2]


def test_many_columns_that_are_constant_in_small_nodes():
    """Bags of words: no column is constant in the table, and in a small node nearly all are."""
    n, rows = 20_000, 200
    X = np.zeros((n, rows))
    X[np.arange(n), rng.integers(0, rows, n)] = 1
    schema = Schema(tuple(Column(f"x{i}", Kind.numeric) for i in range(n)))
    goal = Column("y", Kind.nominal, ("a", "b"))
    answers = rng.integers(0, 2, rows).astype(np.int32)
    settings = settings_of("plain", n, True, None, {})
    forest = grow_rows(Rows(schema, tuple(X), goal, answers), settings, Trees(2, 0, draws_for(True, None)))
    assert forest.n_leaves > 20
