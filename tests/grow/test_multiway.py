"""A branch for every category: many of them empty, most nodes small beside the categories of a column."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import treewright as tw
from tests.grow.engines import first_difference, general_engine

LEVELS = (2, 3, 7, 40, 150, 400)


def categories(n_rows: int, seed: int, gaps: float = 0.0) -> tw.Table:
    """Return columns of few and of hundreds of categories, beside three classes that some of them tell."""
    rng = np.random.default_rng(seed)
    codes = [rng.integers(0, n, n_rows) for n in LEVELS]
    signal = codes[1] + (codes[3] % 3) + (codes[5] % 2) + rng.integers(0, 2, n_rows)
    cells: dict[str, Any] = {}
    for n, code in zip(LEVELS, codes, strict=True):
        words = np.array([f"v{i:03}" for i in range(n)], dtype=object)[code]
        words[rng.random(n_rows) < gaps] = None
        cells[f"n{n}"] = words
    return tw.Table.from_dict({**cells, "y": np.array(["a", "b", "c"])[signal % 3]})


def words_of(table: tw.Table) -> dict[str, Any]:
    """Return the cells of a table of categories, by column."""
    columns = [table.column(column.name) for column in table.schema.columns]
    return {column.name: np.array(column.categories)[codes] for column, codes in columns}


SETTINGS: dict[str, dict[str, Any]] = {
    "id3": {"recipe": "id3"},
    "c4.5": {"recipe": "c4.5", "prune": "none"},
    "ratio": {"recipe": "id3", "criterion": "gain_ratio", "min_leaf": 2},
    "gini": {"recipe": "id3", "criterion": "gini", "ledger": True, "max_depth": 3},
    "budget": {"recipe": "id3", "max_leaves": 900},
    "weights": {"recipe": "id3", "weights": 0.25 + np.arange(5000) % 7 / 3, "max_depth": 4},
    "equal weights": {"recipe": "id3", "weights": np.full(5000, 0.3), "min_leaf": 2},
    "priors": {"recipe": "id3", "priors": [0.2, 0.3, 0.5]},
    "impurity": {"recipe": "id3", "min_impurity": 0.5, "use_once": False, "max_depth": 4},
    "threads": {"recipe": "id3", "n_threads": 8},
}


@pytest.mark.parametrize("name", SETTINGS)
def test_counting_by_rows_present_gives_the_same_tree(name: str) -> None:
    """5,000 rows are enough for columns to be counted together (search/near.hpp, search/together.hpp)."""
    table = categories(5000, seed=len(name))
    quick = tw.grow(table, target="y", **SETTINGS[name])
    with general_engine():
        general = tw.grow(table, target="y", **SETTINGS[name])
    assert quick.n_nodes > 500
    assert not first_difference(quick, general)


def test_numbers_beside_categories() -> None:
    table = categories(5000, seed=8)
    values = (table.column("y")[1] + np.random.default_rng(8).normal(size=5000)).round(1)
    both = tw.Table.from_dict({"x": values, **words_of(table)})
    asked = {"splits": "multiway", "criterion": "entropy", "max_depth": 4}
    quick = tw.grow(both, target="y", **asked)
    with general_engine():
        general = tw.grow(both, target="y", **asked)
    assert {"x", "n400"} <= {both.schema.names[c] for c in quick.used_columns}
    assert not first_difference(quick, general)


@pytest.mark.parametrize(
    "missing", ["fractional", "learned", "own_branch", "most_common", "most_common_overall"]
)
def test_gaps_among_many_categories(missing: str) -> None:
    table = categories(4500, seed=3, gaps=0.01)
    asked = {"recipe": "c4.5", "missing": missing, "prune": "none", "max_depth": 3}
    quick = tw.grow(table, target="y", **asked)
    with general_engine():
        general = tw.grow(table, target="y", **asked)
    assert not first_difference(quick, general)


@given(seed=st.integers(0, 10**6), n_rows=st.integers(2, 60), depth=st.integers(1, 4))
def test_empty_branches_take_after_their_parent(seed: int, n_rows: int, depth: int) -> None:
    tree = tw.grow(categories(n_rows, seed), target="y", recipe="id3", max_depth=depth)
    empty = np.flatnonzero(tree.n_rows == 0)
    assert tree.leaf_mask[empty].all()
    assert (tree.label[empty] == tree.label[tree.parents[empty]]).all()
    assert not np.asarray(tree.stats)[empty].any()
    assert dataclasses.replace(tree) == tree  # the constructor looks at every array
    for node in np.flatnonzero(~tree.leaf_mask):
        children = list(tree.children(node))
        assert tree.n_rows[children].sum() == tree.n_rows[node]
        assert (np.asarray(tree.stats)[children].sum(axis=0) == np.asarray(tree.stats)[node]).all()
        assert len(children) == len(tree.schema.columns[tree.column[node]].categories)


@given(seed=st.integers(0, 10**6), n_rows=st.integers(2, 60))
def test_empty_branches_of_numbers_answer_as_their_parent(seed: int, n_rows: int) -> None:
    table = categories(n_rows, seed)
    y = np.random.default_rng(seed).normal(size=n_rows)
    tree = tw.grow(tw.Table.from_dict(words_of(table) | {"y": y}), target="y", splits="multiway", max_depth=2)
    empty = np.flatnonzero(tree.n_rows == 0)
    assert (tree.stats[empty][:, 1] == tree.stats[tree.parents[empty], 1]).all()
    assert not tree.stats[empty][:, [0, 2]].any()
    assert dataclasses.replace(tree) == tree
