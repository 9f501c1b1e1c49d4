"""Rows on a disk: the same tree bit for bit, however the rows are cut into shards, blocks and batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import treewright as tw
from tests.grow.engines import differences, first_difference
from tests.grow.samples import grow
from tests.grow.test_invariance import with_target
from tests.grow.test_sourced import LIMITS, renamed
from tests.oracle.strategies import Problem, problems
from treewright.growth.settings import Settings
from treewright.growth.sourced import Ask, Cells, Draw, Move, Stretches, cut_into_parts, grow_from
from treewright.growth.sourced import cells as opening
from treewright.growth.sourced.cells import amounts
from treewright.growth.sourced.source import NO_CODES, keys_of
from treewright.shards import shards_of
from treewright.shards.spool import Budget, SpoolSource, View, spooled
from treewright.table import ClassTerms, Table

QUIET = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
POLICIES = ["learned", "own_branch", "most_common", "most_common_overall", "fractional", "surrogate", "drop"]


@dataclass(frozen=True)
class Tight(Budget):
    """A budget whose blocks have few rows, and whose sums, places and buckets few bytes."""

    n_bytes: int = 10**9
    n_threads: int = 1
    block: int = 7
    sums: int = 1 << 20
    places: int = 1 << 20
    rows: int = 1 << 20

    def rows_of_block(self, bytes_of_row: int) -> int:
        return self.block

    @property
    def for_sums(self) -> int:
        return self.sums

    @property
    def for_places(self) -> int:
        return self.places

    @property
    def for_rows(self) -> int:
        return self.rows


def from_spool(
    pieces: Sequence[Table],
    goal: str,
    budget: Budget,
    *,
    gather_below: int = 0,
    weights: str | None = None,
    class_weight: Any = None,
    **told: Any,
) -> tw.Tree:
    """Return the tree grown from a spool of pieces of a table."""
    chosen, terms = Settings.of(told.pop("recipe", "plain"), **told), ClassTerms(class_weight)
    with spooled(shards_of(pieces), budget) as spool:
        view = View.of(spool, goal, chosen, weights, terms, budget.n_threads)
        source = SpoolSource(view, budget)
        try:
            return grow_from(source, source.question, chosen, gather_below=gather_below)
        finally:
            source.close()


def cut(whole: Table, n_parts: int, seed: int = 0) -> list[Table]:
    """Return a table in pieces, its rows dealt at random; some pieces may be empty."""
    of_row = np.random.default_rng(seed).integers(0, n_parts, whole.n_rows)
    pieces = [whole.take(np.flatnonzero(of_row == i)) for i in range(n_parts)]
    return [piece for piece in pieces if piece.n_rows]


# ---- the same tree ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("missing", POLICIES)
@pytest.mark.parametrize("most_rows", [0, 4096])
def test_random_tables(missing: str, most_rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "MOST_ROWS", most_rows)  # 0: everything is zoomed down to single values

    @QUIET
    @given(
        problems(gaps=True, max_rows=40),
        st.integers(1, 29),
        st.sampled_from(["binary", "one_vs_rest", "multiway"]),
        st.sampled_from(LIMITS),
        st.sampled_from([0, 6]),
        st.integers(1, 2),
    )
    def run(
        problem: Problem, n_parts: int, splits: str, limit: dict[str, Any], gather_below: int, threads: int
    ) -> None:
        whole = with_target(problem)
        if missing == "drop" and all(None in row for row in zip(*whole.to_dict().values(), strict=True)):
            return
        if missing == "surrogate" and splits == "multiway":
            splits = "binary"
        told: dict[str, Any] = {"splits": splits, "missing": missing, **limit}
        if not problem.n_classes:
            told.pop("majority_share", None)
        budget = Tight(n_threads=threads, block=[5, 1000][n_parts % 2], rows=300)
        expected = grow(whole, "y", **told)
        found = from_spool(cut(whole, n_parts), "y", budget, gather_below=gather_below, **told)
        assert not differences(expected, found), first_difference(expected, found)

    run()


@pytest.mark.parametrize("name", ["iris", "hypothyroid", "abalone", "mushroom"])
@pytest.mark.parametrize("recipe", ["plain", "c4.5", "cart"])
def test_real_tables(name: str, recipe: str) -> None:
    if recipe == "c4.5" and name == "abalone":
        pytest.skip("c4.5 grows classes")
    whole = renamed(name)
    told: dict[str, Any] = {"recipe": recipe, "prune": "none", "max_depth": 4}
    expected = tw.grow(whole, "y", warns=False, **told)
    budget = Tight(n_threads=2, block=500, sums=200_000, places=4000, rows=50_000)
    for gather_below in (0, 300):
        found = from_spool(cut(whole, 3), "y", budget, gather_below=gather_below, **told)
        assert not differences(expected, found), first_difference(expected, found)


@pytest.mark.parametrize("is_number", [False, True])
def test_weights_many_categories_and_classes(is_number: bool) -> None:
    rng = np.random.default_rng(5)
    n = 3000
    whole = Table.from_dict(
        {
            "town": [f"t{i:04}" for i in rng.zipf(1.3, n) % 700],  # more than a byte tells apart
            "size": rng.choice(["S", "M", "L"], n).tolist(),
            "x": rng.normal(size=n),
            "zeros": np.where(rng.random(n) < 0.7, 0.0, rng.normal(size=n).astype(np.float32)),
            "w": rng.gamma(2.0, size=n),
            "y": rng.normal(size=n) if is_number else [f"c{i:03}" for i in rng.integers(0, 300, n)],
        },
        ordinal={"size": ["S", "M", "L"]},
    )
    assert len(whole.column("town")[0].categories) > 255
    told: dict[str, Any] = {"max_depth": 4, "min_leaf": 5, "weights": "w"}
    if not is_number:
        told["class_weight"] = "balanced"
    expected = grow(whole, "y", **told)
    for gather_below in (0, 400):
        budget = Tight(n_threads=2, block=512, sums=1 << 22)
        found = from_spool(cut(whole, 2), "y", budget, gather_below=gather_below, **told)
        assert not differences(expected, found), first_difference(expected, found)


def test_priors_costs_and_ordered_categories_of_many_values() -> None:
    rng = np.random.default_rng(6)
    levels = [f"v{i:03}" for i in range(400)]
    place = rng.integers(0, 400, 2000)
    whole = Table.from_dict(
        {"o": [levels[i] for i in place], "y": np.where(rng.random(2000) < place / 400, "p", "q").tolist()},
        ordinal={"o": levels},
    )
    expected = grow(whole, "y", max_depth=3)
    found = from_spool([whole], "y", Tight(block=256), max_depth=3)
    assert not differences(expected, found), first_difference(expected, found)


# ---- single answers --------------------------------------------------------------------------------------


def same_cells(found: Cells, wanted: Cells, is_classifier: bool) -> None:
    """Sums may be carried from limb to limb at other times; all else is the same number for number."""
    for mine, theirs in zip(found[1:], wanted[1:], strict=True):
        np.testing.assert_array_equal(mine, theirs)
    of_classes = is_classifier or found.figures.shape[1] == 3
    for mine, theirs in zip(found.figures, wanted.figures, strict=True):
        assert amounts(mine, of_classes) == amounts(theirs, of_classes)


@pytest.mark.parametrize("name", ["hypothyroid", "abalone"])
def test_answers_are_those_of_rows_in_memory(name: str) -> None:
    whole = renamed(name).take(range(900))
    (memory,), question, chosen = cut_into_parts(whole, "y", 1)
    c, other = [i for i, column in enumerate(question.schema.columns) if column.is_numeric][:2]
    known = whole.values[c][~np.isnan(whole.values[c])]
    edges, middle = np.unique(keys_of(np.quantile(known, [0.2, 0.5, 0.6]))), float(np.median(known))
    move = Move(0, c, middle, NO_CODES, NO_CODES, 2, 1, 1)
    budget = Tight(block=128, places=0, sums=9000)
    with spooled(shards_of([whole]), budget) as spool:
        source = SpoolSource(View.of(spool, "y", chosen), budget)
        for lot in (None, Draw(3, 1, whole.n_rows, whole.n_rows)):
            source.start(lot)
            memory.start(lot)
            for node in (0, 1, 2):
                asks = [Ask(node, c, edges), Ask(node, other, edges), Ask(node, c, edges, move)]
                looks = [Stretches(node, column, edges[:1], edges[1:2]) for column in (c, other)]
                cells = zip(
                    source.count(asks) + source.look(looks),
                    memory.count(asks) + memory.look(looks),
                    strict=True,
                )
                for found, wanted in cells:
                    same_cells(found, wanted, question.is_classifier)
                np.testing.assert_array_equal(source.present(node, c), memory.present(node, c))
                assert source.squares([(node, 5, 1)]) == memory.squares([(node, 5, 1)])
                for x in (middle, -1e300):
                    assert source.largest_at_most(c, x) == memory.largest_at_most(c, x)
                (mine,), (theirs,) = source.gather([node]), memory.gather([node])
                assert mine.weight.sum() == theirs.weight.sum()
                np.testing.assert_array_equal(np.sort(mine.target), np.sort(theirs.target))
                if node == 0:
                    for found_row, wanted_row in zip(
                        source.tally([move], 3), memory.tally([move], 3), strict=True
                    ):
                        of = question.is_classifier
                        assert amounts(found_row, of) == amounts(wanted_row, of)
                    source.apply([move])
                    memory.apply([move])
        source.close()
