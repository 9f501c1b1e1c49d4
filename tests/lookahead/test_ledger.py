"""The ledger of optimal trees: what each column would have cost, and the test of greedy growth."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import treewright as tw
from tests.lookahead.trials import solved, table_of, trial_of
from tests.oracle.optimal import least_cost_by


@pytest.mark.parametrize("seed", range(700, 730))
@pytest.mark.parametrize("max_leaves", [None, 3])
def test_costs_by_column_are_those_of_the_twin(seed: int, max_leaves: int | None) -> None:
    trial = replace(trial_of(seed, most_rows=10), min_leaf=2 if seed % 3 == 0 else 0)
    found = solved(trial, 2, max_leaves, ledger=True)
    tree = found.tree
    at = tree.leaves(table_of(trial))
    for node in np.flatnonzero(~tree.leaf_mask).tolist():
        rows = np.flatnonzero((at >= node) & (at < tree.end[node]))
        own = None if max_leaves is None else int(tree.leaf_mask[node : tree.end[node]].sum())
        depth = 2 - int(tree.depths[node])
        for record in tree.candidates(node):
            column = int(record["column"][1:])
            least = least_cost_by(trial, rows, column, depth, own)
            if record["score"] is None:
                assert np.isinf(least)
            else:
                assert record["cost"] == pytest.approx(least, abs=1e-7)
    assert tree.ledger is not None
    assert {record["node"] for record in tree.ledger} == set(np.flatnonzero(~tree.leaf_mask).tolist())


def test_what_greedy_growth_would_have_cost() -> None:
    columns = {"a": [0, 0, 1, 1] * 4, "b": [0, 1, 0, 1] * 4, "hint": [0, 1, 1, 1, 0, 0, 1, 0] * 2}
    table = tw.Table.from_dict({**columns, "y": ["even", "odd", "odd", "even"] * 4})
    tree = tw.optimal(table, "y", max_depth=2, ledger=True).tree
    greedy = tw.grow(table, "y", max_depth=1)
    assert greedy.node(0).question.startswith("hint")
    assert tree.why_not("a") == "a was chosen: the best tree from here costs 0."
    told = tree.why_not("hint")
    assert "hint asked here costs 4 at best, against 0 with a." in told
    assert told.endswith("Greedy growth would ask it, with the test that growth takes.")
    (record,) = [r for r in tree.candidates(0) if "greedy_cost" in r]
    assert (record["column"], record["greedy_cost"], record["verdict"]) == ("hint", 4.0, "costs_more")


def test_tests_with_a_branch_that_is_too_small_are_told() -> None:
    tree = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=1, min_leaf=6, ledger=True).tree
    small = [r["column"] for r in tree.candidates(0) if r["verdict"] == "branches_too_small"]
    assert small == ["Outlook"]
    assert tree.why_not("Outlook") == (
        "Every test on Outlook would leave branches smaller than the settings allow."
    )


def test_the_ledger_is_kept_and_reported(tmp_path: Path) -> None:
    tree = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2, ledger=True).tree
    tree.save(tmp_path / "t.treewright")
    again = tw.load(tmp_path / "t.treewright")
    assert again.candidates(0) == tree.candidates(0)
    assert again.why_not("Temperature") == "Temperature asked here costs 3 at best, against 2 with Humidity."
    assert "costs the same" in tw.report.facts(again)["candidates"]["verdicts"]
    pure = int(again.leaf_ids[0])
    assert "Nothing was asked" in again.why_not("Wind", pure)


def test_without_a_ledger_it_says_how() -> None:
    tree = tw.optimal(tw.example("tennis"), "PlayTennis", max_depth=2).tree
    with pytest.raises(ValueError, match="ledger=True"):
        tree.candidates(0)


def test_time_ends_the_ledger() -> None:
    table = tw.Table.from_dict(
        {f"x{i}": np.random.default_rng(i).normal(size=3000) for i in range(8)}
        | {"y": np.random.default_rng(9).normal(size=3000)}
    )
    tree = tw.optimal(table, "y", max_depth=4, time_limit=0.1, ledger=True).tree
    assert tree.ledger == ()
