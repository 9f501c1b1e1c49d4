"""Stand-in tests: where they cut, which rows they leave where they are, and when they are looked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import treewright as tw
from tests.grow.engines import first_difference, general_engine
from tests.tables import table, target
from treewright import _core
from treewright.growth.grower import Grown, grown
from treewright.growth.question import question_of
from treewright.growth.setting import CHOICES
from treewright.growth.settings import Settings
from treewright.prune.cost_complexity import cross_validated
from treewright.table import Rows, Table

CART = {"recipe": "cart", "prune": "none", "min_split": 2, "min_leaf": 1}


# ---- where a surrogate cuts (ruling 3.14.4) --------------------------------------------------------


def between() -> Table:
    """Return the example of rpart: two rows that need the surrogate lie where it cuts."""
    x1 = [*range(1, 11), None, None]
    x2 = [10, 20, 30, 95, 49, 52, 60, 70, 80, 5, 50, 51]
    return Table.from_dict({"x1": x1, "x2": x2, "y": list("aaaaabbbbbba")})


def test_the_neighbours_of_a_cut_are_all_rows_of_the_node() -> None:
    tree = tw.grow(between(), "y", **CART, max_depth=1)
    assert tree.surrogate_cut.tolist() == [49.5]  # rpart's; among rows with a known primary value: 50.5
    assert tree.surrogate_agreement.tolist() == [0.8]  # 8 of the 10 rows whose primary value is known
    assert tree.n_rows.tolist() == [12, 5, 7]  # both rows with a gap go right


@pytest.mark.parametrize("seed", range(20))
def test_every_cut_is_half_way_between_neighbours_in_its_node(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 40
    x = rng.integers(0, 12, (n, 3)).astype(float)
    x[rng.random((n, 3)) < 0.2] = np.nan
    y = rng.integers(0, 2, n)
    rows = Table.from_dict({**{name: x[:, i] for i, name in enumerate("abc")}, "y": y.astype(str)})
    tree = tw.grow(rows, "y", **CART, max_depth=1)
    for column, cut in zip(tree.surrogate_column, tree.surrogate_cut, strict=True):
        there = np.unique(x[~np.isnan(x[:, column]), column])
        assert cut in (there[:-1] + there[1:]) / 2


# ---- rows that nothing places (ruling 3.14.5) ------------------------------------------------------


def level(n_gaps: int = 2) -> Table:
    """Return rows whose one test divides them in equal halves, and some without any value."""
    x = [1, 2, 3, 4, *[None] * n_gaps]
    return Table.from_dict({"x": x, "z": [1, 1, 1, 1, *[None] * n_gaps], "y": [*"aabb", *"b" * n_gaps]})


def test_a_row_stays_where_both_sides_weigh_the_same() -> None:
    tree = tw.grow(level(), "y", **CART)
    assert tree.missing.tolist() == [-1, -1, -1]
    assert tree.n_rows.tolist() == [6, 2, 2]  # two rows went to neither
    assert tree.predict_proba(level()).tolist()[-1] == [1 / 3, 2 / 3]  # the root's own answer


def test_a_heavier_side_takes_it() -> None:
    rows = Table.from_dict({"x": [1, 2, 3, 4, 5, None], "y": list("aabbbb")})
    tree = tw.grow(rows, "y", **CART)
    assert tree.missing[0] == 1
    assert tree.n_rows.tolist() == [6, 2, 4]
    light = tw.grow(rows, "y", **CART, weights=[3, 1, 1, 1, 1, 1])
    assert light.missing[0] == 0  # by weight, not by rows


def test_training_has_no_gap_and_both_sides_weigh_the_same() -> None:
    """The quick engine says so too: 0.5, as rpart does, not the first branch."""
    rows = Table.from_dict({"x": [1.0, 2, 3, 4], "y": list("aabb")})
    for tree in both_engines(rows, **CART):
        assert tree.predict_proba(Table.from_dict({"x": [None]})).tolist() == [[0.5, 0.5]]


def test_a_category_the_node_never_saw_asks_the_surrogates() -> None:
    color = ["red"] * 6 + ["blue"] * 4 + ["green"]
    size = [1.0] * 6 + [9.0] * 4 + [5.0]
    rows = Table.from_dict({"color": color, "size": size, "y": list("aaaaaabbbbb")})
    tree = tw.grow(rows.take(np.arange(10)), "y", **CART, max_depth=1)
    assert tree.about["unseen"] == "missing"
    strange = Table.from_dict({"color": ["green", "green", "green"], "size": [9.0, 1.0, None]})
    assert tree.schema.names[tree.column[0]] == "color"
    assert tree.predict(strange).tolist() == ["b", "a", "a"]  # by size, by size, with most rows


def test_a_row_that_stays_counts_where_splits_are_taken_back() -> None:
    """Two rows stay and are wrong; the split saves two errors of four, not all four."""
    rows = Table.from_dict({"x": [1, 2, 3, 4, None, None], "y": list("aabbba")})
    assert tw.grow(rows, "y", **CART, collapse=1.5).n_leaves == 2
    assert tw.grow(rows, "y", **CART, collapse=2.5).n_leaves == 1


def test_cost_complexity_counts_rows_that_stay() -> None:
    rows = Table.from_dict({"x": [1, 2, 3, 4, None, None], "y": list("aabbba")})
    tree = tw.grow(rows, "y", **CART)
    path = tw.prune.cost_complexity_path(tree)
    assert (path.risk * 6).round(9).tolist() == [1.0, 3.0]  # one of the two that stay is wrong at the root
    assert (path.alpha * 6).round(9).tolist() == [0.0, 2.0]
    errors = np.mean(tree.predict(rows) != np.array(list("aabbba")))
    assert path.risk[0] == pytest.approx(errors)


def test_numbers_that_stay_count_by_their_squared_error() -> None:
    y = np.array([0.0, 0, 4, 4, 1, 3])
    rows = Table.from_dict({"x": [1, 2, 3, 4, None, None], "y": y})
    tree = tw.grow(rows, "y", **CART)
    path = tw.prune.cost_complexity_path(tree)
    assert path.risk[0] == pytest.approx(np.mean((tree.predict(rows) - y) ** 2))
    assert path.risk[0] * 6 == pytest.approx(2.0)  # the root says 2 to 1 and to 3


# ---- when they are looked for (ruling 3.14.6) ------------------------------------------------------


def made(n_rows: int = 400, gaps: float = 0.0, seed: int = 0) -> Table:
    rng = np.random.default_rng(seed)
    signal = rng.normal(size=n_rows)
    columns: dict[str, Any] = {
        name: signal + rng.normal(size=n_rows) * s for name, s in zip("abc", (0.5, 1, 2), strict=True)
    }
    for column in columns.values():
        column[rng.random(n_rows) < gaps] = np.nan
    columns["k"] = np.where(signal + rng.normal(size=n_rows) > 0, "up", "down")
    return Table.from_dict(
        {**columns, "y": np.where(signal + rng.normal(size=n_rows) * 0.5 > 0, "yes", "no")}
    )


def with_order(rows: Table, seed: int) -> Table:
    """Return the rows with two columns of ordered categories, whose most frequent one is not their median."""
    rng = np.random.default_rng([seed, 7])
    signal = np.nan_to_num(rows.column("a")[1]) + rng.normal(size=rows.n_rows)
    grades = {name: np.digitize(signal + rng.normal(size=rows.n_rows), (-1.5, -0.2, 0, 0.2)) for name in "gh"}
    texts = {name: np.array(list("vwxyz"))[grade] for name, grade in grades.items()}
    return Table.from_dict({**rows.to_dict(), **texts}, ordinal={name: list("vwxyz") for name in "gh"})


def growth_of(rows: Table, **given: Any) -> Grown:
    return grown(Rows.of(rows, "y"), Settings.of("cart", **given))


def n_surrogates(tree: tw.Tree) -> Any:
    return np.diff(tree.surrogate_start)


@contextmanager
def searches() -> Iterator[dict[str, list[int]]]:
    """Tell how many tests each search after growth was about; -1 for one that found nobody in need."""
    told: dict[str, list[int]] = {"every": [], "needed": []}
    every, needed = _core.every_surrogate, _core.needed_surrogates

    def tell_every(tree: dict[str, Any], *more: Any) -> Any:
        told["every"].append(int(np.count_nonzero(tree["kind"])))
        return every(tree, *more)

    def tell_needed(tree: dict[str, Any], *more: Any) -> Any:
        found = needed(tree, *more)
        told["needed"].append(
            -1 if found is None else int(np.count_nonzero(np.diff(found["surrogate_start"])))
        )
        return found

    with (
        patch.object(_core, "every_surrogate", tell_every),
        patch.object(_core, "needed_surrogates", tell_needed),
    ):
        yield told


def test_growth_looks_for_none_without_gaps() -> None:
    growth = growth_of(made())
    assert growth.tree.n_leaves > 5
    assert not n_surrogates(growth.tree).any()
    inner = growth.tree.kind != 0
    assert (n_surrogates(growth.finished())[inner] > 0).mean() > 0.5


def test_growth_looks_only_where_a_row_needs_one() -> None:
    rows = made(gaps=0.02)
    growth = growth_of(rows)
    tree, whole = growth.tree, growth.finished()
    lacking = np.zeros(tree.n_nodes, dtype=bool)
    values = Rows.of(rows, "y").columns
    end = tw.predict.route_columns(whole, list(values), rows.n_rows).node
    for row, node in enumerate(end):
        for step in whole.path_to(int(node)):
            column = int(whole.column[step])
            lacking[step] |= (
                column >= 0 and values[column].dtype.kind == "f" and np.isnan(values[column][row])
            )
    searched = n_surrogates(tree) > 0
    assert lacking.any()
    assert not lacking[tree.kind != 0].all()
    assert not (searched & ~lacking).any()
    same = n_surrogates(tree) == n_surrogates(whole)
    assert same[lacking].all()
    assert (n_surrogates(whole)[(tree.kind != 0) & ~lacking] > 0).any()


def test_pruning_looks_for_those_of_the_nodes_that_are_left() -> None:
    rows = made()
    with searches() as told:
        tree = tw.grow(rows, "y", recipe="cart")
    assert 0 < tree.n_leaves - 1 < growth_of(rows).tree.n_leaves - 1
    assert told["every"] == [tree.n_leaves - 1]
    assert len(told["needed"]) == 10  # one a fold
    assert set(told["needed"]) <= {-1, 0}  # no row of a fold lacks a value


def test_a_fold_looks_where_a_row_that_judges_needs_one() -> None:
    rows = made()
    values = [column.copy() for column in rows.values]
    folds = np.arange(rows.n_rows) % 4
    for column in values[:3]:
        column[folds == 3] = np.nan  # only these rows have gaps
    with searches() as told:
        tw.grow(
            Table(rows.schema, tuple(values)), "y", prune=tw.prune.CostComplexity(folds=folds), recipe="cart"
        )
    # Three trees are grown on rows with gaps; the last on rows without, and is judged by rows with gaps.
    assert told["needed"][3] > 0


def test_rows_kept_back_get_what_they_need() -> None:
    rows = made(600, gaps=0.1)
    plain = growth_of(rows)
    judges = [column[:200] for column in rows.drop(["y"]).values]
    some, whole = plain.for_rows(judges), plain.finished()
    n = len(judges[0])
    assert np.array_equal(
        tw.predict.route_columns(some, judges, n).node, tw.predict.route_columns(whole, judges, n).node
    )
    assert len(some.surrogate_column) < len(whole.surrogate_column)


@pytest.mark.parametrize("name", ["hypothyroid", "stagec", "vote", "cu_summary"])
def test_the_pruning_table_is_that_of_trees_with_every_surrogate(name: str) -> None:
    rows, goal = table(name), target(name)
    tree = tw.grow(rows, goal, recipe="cart", prune="none")
    found = cross_validated(tree, rows, folds=5)
    with patch.object(Grown, "for_rows", lambda self, _: self.finished()):
        whole = cross_validated(tree, rows, folds=5)
    for part in ("error", "standard_error"):
        assert getattr(found, part).tobytes() == getattr(whole, part).tobytes()


@pytest.mark.parametrize("seed", range(10))
def test_judges_go_the_way_they_go_in_the_whole_tree(seed: int) -> None:
    """Gaps and categories that no training row of a node had, in the rows that judge alone or in all."""
    train, judge = made(80, gaps=0.05 * (seed % 2), seed=seed), made(60, gaps=0.3, seed=100 + seed)
    growth = growth_of(train, min_split=2, min_leaf=1)
    judges = list(judge.drop(["y"]).values)
    some, whole = growth.for_rows(judges), growth.finished()
    assert np.array_equal(
        tw.predict.route_columns(some, judges, 60).node, tw.predict.route_columns(whole, judges, 60).node
    )


@pytest.mark.parametrize("name", ["iris", "hypothyroid", "stagec", "abalone", "cu_summary", "crx"])
def test_a_finished_tree_has_the_surrogates_of_growth(name: str) -> None:
    """What was found while growing, where rows needed it, is what is found in the end."""
    rows, goal = table(name), target(name)
    growth = grown(Rows.of(rows, goal), Settings.of("cart"))
    tree, whole = growth.tree, growth.finished()
    needed = np.flatnonzero(n_surrogates(tree))
    for node in needed:
        mine = slice(int(tree.surrogate_start[node]), int(tree.surrogate_start[node + 1]))
        its = slice(int(whole.surrogate_start[node]), int(whole.surrogate_start[node + 1]))
        for part in ("column", "cut", "flip", "agreement", "adjusted", "kind"):
            first, second = (getattr(t, f"surrogate_{part}") for t in (tree, whole))
            assert np.array_equal(first[mine], second[its], equal_nan=part == "cut")


@pytest.mark.parametrize("recipe", ["cart", "plain"])
def test_a_tree_of_any_pruner_has_them(recipe: str) -> None:
    rows = made()
    for prune in (
        "none",
        "cv",
        "reduced_error",
        "error_based",
        "pessimistic",
        tw.prune.CostComplexity(alpha=0.01),
    ):
        tree = tw.grow(rows, "y", recipe=recipe, missing="surrogate", prune=prune)
        assert tree.n_leaves > 1
        assert n_surrogates(tree)[0] > 0


# ---- policies for gaps cost nothing where there are none -------------------------------------------


def both_engines(rows: Table, **given: Any) -> tuple[tw.Tree, tw.Tree]:
    """Return the tree by the engine that serves, and by the general one."""
    tree = tw.grow(rows, "y", **given)
    with general_engine():
        return tree, tw.grow(rows, "y", **given)


@pytest.mark.parametrize("missing", CHOICES["missing"])
@pytest.mark.parametrize("gaps", [0.0, 0.1])
def test_the_quick_engine_serves_every_policy_without_gaps(missing: str, gaps: float) -> None:
    if missing == "error" and gaps:
        return  # refused
    rows = made(gaps=gaps)
    asked = question_of(Rows.of(rows, "y"), Settings.of("plain", missing=missing))
    is_quick = asked.put_to(_core.grow_classes, None)["is_quick"]
    assert is_quick == (gaps == 0 or missing in ("learned", "drop"))


@pytest.mark.parametrize("missing", CHOICES["missing"])
@pytest.mark.parametrize(
    "given", [{}, {"min_leaf": 3, "min_split": 9}, {"min_branch": 4, "max_leaves": 9}], ids=str
)
def test_both_engines_give_the_same_tree_without_gaps(missing: str, given: dict[str, Any]) -> None:
    for seed in range(3):
        rows = with_order(made(300, seed=seed), seed)
        tree, general = both_engines(rows, missing=missing, prune="none", **given)
        assert not first_difference(tree, general)
        assert tree.n_leaves > 3


def test_depth_of_cart_is_that_of_rpart() -> None:
    """Weights fall so fast that one row after the other is cut off; the root has depth 0."""
    x = np.arange(60.0)
    rows = Table.from_dict({"x": x, "y": np.where(x % 2 == 0, "a", "b")})
    weights = 1.2**-x
    assert tw.grow(rows, "y", **CART, weights=weights, max_depth=50).depth > 33
    assert tw.grow(rows, "y", **CART, weights=weights).depth == 30
    assert Settings.of("cart").max_depth == 30
